//! The order of locations: straight lines along the edges.
//!
//! After an edge comes the code of the location it leads to, unless that exists already; then a jump
//! is needed, or better, a copy of the branch that stands there.

use std::rc::Rc;

use base::Id;

use crate::model::{EdgeId, FunId, Loc, Mark};

use super::code::{AutomaticObject, Instr, Note};
use super::compile::{Compiler, Stub, Work};

impl Compiler<'_> {
    pub(super) fn function(&mut self, id: FunId) {
        let function = &self.program.functions[id];
        let mut objects = Vec::new();
        for &object in &function.objects {
            let info = &self.program.objects[object];
            objects.push(AutomaticObject {
                id: object,
                size: info.size,
                align: u64::from(info.align),
                address: self.registers[info.address.index()],
            });
        }
        let entry = self.label_of(function.entry);
        let code = &mut self.code.functions[id.index()];
        (code.entry, code.objects) = (entry, objects);

        while let Some(work) = self.work.pop() {
            match work {
                Work::Location(loc) if !self.emitted[loc.index()] => {
                    let label = self.label_of(loc);
                    self.bind(label);
                    self.straight_line(loc);
                }
                Work::Location(_) => {}
                Work::Edge(edge, label) => {
                    self.bind(label);
                    // The jump that leads here has counted the edge.
                    if self.edge(edge, true) {
                        let to = self.program.edges[edge].to;
                        if self.emitted[to.index()] {
                            let target = self.label_of(to);
                            self.jump(target);
                        } else {
                            self.continue_at(to);
                        }
                    }
                }
            }
            for stub in std::mem::take(&mut self.stubs) {
                match stub {
                    Stub::Blocked { label, at, edge } => {
                        self.bind(label);
                        self.current_edge = edge;
                        self.emit(Instr::Blocked { edges: 0, at });
                    }
                    Stub::Undefined { label, what, back, edge } => {
                        self.bind(label);
                        self.current_edge = edge;
                        self.emit(Instr::Undefined { what });
                        self.emit(Instr::Jump { edges: 0, target: back });
                    }
                }
            }
        }
    }

    /// Falls through to a location without code.
    pub(super) fn continue_at(&mut self, loc: Loc) {
        if self.n_incoming[loc.index()] > 1 {
            self.flush_pending();
        }
        let label = match self.location_label[loc.index()] {
            Some(label) => label,
            None => {
                let label = self.new_label();
                self.location_label[loc.index()] = Some(label);
                label
            }
        };
        self.bind(label);
        self.straight_line(loc);
    }

    /// The code of a location, whose label is bound here, and of those that follow it.
    pub(super) fn straight_line(&mut self, first: Loc) {
        let mut loc = first;
        loop {
            self.emitted[loc.index()] = true;
            let Some(next) = self.location(loc) else {
                debug_assert_eq!(self.pending, 0, "a line that ends has counted its edges");
                return;
            };
            if self.emitted[next.index()] {
                if self.repeat_branch(next) {
                    return;
                }
                let target = self.label_of(next);
                return self.jump(target);
            }
            if self.n_incoming[next.index()] > 1 {
                self.flush_pending();
            }
            let label = match self.location_label[next.index()] {
                Some(label) => label,
                None => {
                    let label = self.new_label();
                    self.location_label[next.index()] = Some(label);
                    label
                }
            };
            self.bind(label);
            loc = next;
        }
    }

    /// Instead of jumping back to a simple branch, branches right here: a loop then has one jump a
    /// round instead of two. Whether that was possible.
    pub(super) fn repeat_branch(&mut self, loc: Loc) -> bool {
        let edges = Rc::clone(&self.outgoing[loc.index()]);
        let Some((condition, yes, no)) = self.simple_branch(&edges) else { return false };
        if self.tracing {
            return false; // The notes of the edges stand at the first copy.
        }
        self.begin_edge(yes.index() as u32);
        self.pending += 1;
        let (yes, no) = (self.label_of_edge(yes), self.label_of_edge(no));
        match self.jump_when(condition, true, yes) {
            Ok(()) => self.jump(no),
            Err(reason) => {
                self.pending = 0;
                self.trap(reason);
            }
        }
        true
    }

    /// The code of one location; where it goes on, if the line does.
    pub(super) fn location(&mut self, loc: Loc) -> Option<Loc> {
        let info = &self.program.locations[loc];
        self.begin_edge(u32::MAX);
        if let Mark::Error(assertion) = info.mark {
            let edges = self.take_pending();
            self.emit(Instr::Error { edges, assertion });
            return None;
        }
        if self.program.functions[info.function].exit == loc {
            self.note(Note::Return(info.function));
            let edges = self.take_pending();
            self.emit(Instr::Return { edges, function: info.function.index() as u32 });
            return None;
        }
        let edges = Rc::clone(&self.outgoing[loc.index()]);
        match edges[..] {
            [] => {
                let edges = self.take_pending();
                self.emit(Instr::Blocked { edges, at: loc });
                None
            }
            [edge] => {
                self.pending += 1;
                self.edge(edge, false).then(|| self.program.edges[edge].to)
            }
            _ => {
                self.pending += 1;
                self.current_edge = edges[0].index() as u32;
                match self.choice(loc, &edges) {
                    Ok(Some(edge)) => self.edge(edge, true).then(|| self.program.edges[edge].to),
                    Ok(None) => None,
                    Err(reason) => {
                        self.pending = 0;
                        self.trap(reason);
                        None
                    }
                }
            }
        }
    }

    /// The code of an edge's action; whether anything can come after it. The guard of an edge that
    /// was chosen holds already.
    pub(super) fn edge(&mut self, edge: EdgeId, chosen: bool) -> bool {
        self.begin_edge(edge.index() as u32);
        match self.action(edge, chosen) {
            Ok(()) => {
                self.note(Note::After(edge));
                true
            }
            Err(reason) => {
                self.pending = 0;
                self.trap(reason);
                false
            }
        }
    }
}
