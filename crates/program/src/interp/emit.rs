//! Writing instructions: labels, counts of edges, traps and notes.
//!
//! A jump names a label until the whole program is written; then each label becomes the place where
//! it was bound. Edges taken since the last jump are *pending*: the next instruction that can leave
//! the straight line counts them, and where two ways meet nothing may be pending.

use base::Id;

use crate::model::{Action, EdgeId, Loc, Shown};

use super::code::{Instr, Label, Note, SwitchTable};
use super::compile::{Compiler, Refusal, Stub, Work};

impl Compiler<'_> {
    pub(super) fn emit(&mut self, instr: Instr) {
        self.code.instrs.push(instr);
        self.code.origin.push(self.current_edge);
    }
    pub(super) fn new_label(&mut self) -> Label {
        self.labels.push(u32::MAX);
        self.labels.len() as Label - 1
    }
    pub(super) fn bind(&mut self, label: Label) {
        self.labels[label as usize] = self.code.instrs.len() as u32;
    }
    /// The edges not counted yet, to be counted by the instruction that asks.
    pub(super) fn take_pending(&mut self) -> u16 {
        while self.pending > u32::from(u16::MAX) {
            self.pending -= u32::from(u16::MAX);
            self.emit(Instr::Count { edges: u16::MAX });
        }
        std::mem::take(&mut self.pending) as u16
    }
    pub(super) fn flush_pending(&mut self) {
        if self.pending > 0 {
            let edges = self.take_pending();
            self.emit(Instr::Count { edges });
        }
    }
    pub(super) fn jump(&mut self, target: Label) {
        let edges = self.take_pending();
        self.emit(Instr::Jump { edges, target });
    }
    pub(super) fn trap(&mut self, reason: Refusal) {
        let index = self.code.traps.len() as u32;
        self.code.traps.push(reason);
        self.emit(Instr::Trap { index });
    }
    pub(super) fn new_site(&mut self, shown: Shown) -> u32 {
        self.code.sites.push(shown);
        self.code.sites.len() as u32 - 1
    }
    pub(super) fn note(&mut self, note: Note) {
        if self.tracing {
            let index = self.code.notes.len() as u32;
            self.code.notes.push(note);
            self.emit(Instr::Note { index });
        }
    }
    /// Nothing is known any more, and intermediate registers are free again.
    pub(super) fn begin_edge(&mut self, edge: u32) {
        self.current_edge = edge;
        self.round += 1;
        self.known_log.clear();
        for (_, used) in &mut self.scratch {
            *used = 0;
        }
    }
    /// The code of this location, which will exist.
    pub(super) fn label_of(&mut self, loc: Loc) -> Label {
        match self.location_label[loc.index()] {
            Some(label) => label,
            None => {
                let label = self.new_label();
                self.location_label[loc.index()] = Some(label);
                self.work.push(Work::Location(loc));
                label
            }
        }
    }
    /// The code of an edge out of the straight line: only for edges that do something.
    pub(super) fn label_of_edge(&mut self, edge: EdgeId) -> Label {
        if !self.tracing && matches!(self.program.edges[edge].action, Action::Assume(_)) {
            return self.label_of(self.program.edges[edge].to);
        }
        let label = self.new_label();
        self.work.push(Work::Edge(edge, label));
        label
    }
    pub(super) fn is_emitted(&self, loc: Loc) -> bool {
        self.emitted[loc.index()]
    }
    pub(super) fn blocked_label(&mut self, at: Loc) -> Label {
        let label = self.new_label();
        self.stubs.push(Stub::Blocked { label, at, edge: self.current_edge });
        label
    }

    pub(super) fn resolve_labels(&mut self) {
        // Code that was given up in the middle may jump to where nothing was written.
        self.current_edge = u32::MAX;
        let nowhere = self.code.instrs.len() as u32;
        self.trap("a condition with parts that cannot be executed".to_owned());
        let labels = &self.labels;
        let place = |label: &mut Label| {
            *label = match labels[*label as usize] {
                u32::MAX => nowhere,
                at => at,
            };
        };
        for instr in &mut self.code.instrs {
            match instr {
                Instr::Jump { target, .. }
                | Instr::JumpEq { target, .. }
                | Instr::JumpNe { target, .. }
                | Instr::JumpUlt { target, .. }
                | Instr::JumpUle { target, .. }
                | Instr::JumpSlt { target, .. }
                | Instr::JumpSle { target, .. }
                | Instr::JumpIf { target, .. }
                | Instr::JumpUnless { target, .. } => place(target),
                _ => {}
            }
        }
        for table in &mut self.code.switches {
            let (SwitchTable::Dense { targets, default, .. } | SwitchTable::Sparse { targets, default, .. }) = table;
            targets.iter_mut().for_each(place);
            place(default);
        }
        for table in &mut self.code.choices {
            table.ways.iter_mut().for_each(|(_, target)| place(target));
        }
        for function in &mut self.code.functions {
            place(&mut function.entry);
        }
    }
}
