//! Probes by name: whether an access to a known object is valid becomes an ordinary condition.
//!
//! An access at `&x + e` is valid if all its bytes are inside `x`, `x` is live, and for a write `x` is not read-only. An
//! inlined object is live throughout unless a block ends it (`End`): such an object gets a variable that says whether it is
//! live, cleared where the block is left and set where the object begins anew. A free of a named object is never
//! valid, and nothing but a free is valid at null. What is left asks about accesses through real pointers.

use base::FastMap;
use term::{Op, Term, Terms};

use super::arrays::inside;
use super::names::{Names, symbol_name};
use super::reads::Reads;
use super::scalars::split;
use super::shape::expect_inlined;
use super::{BackMap, EdgeId, Storage};
use crate::{AccessKind, Action, Edge, Frame, Instance, ObjectId, Program, Shown, VarKind, Variable};

/// Answers probes of named objects.
pub fn probes(program: Program, terms: &mut Terms) -> (Program, BackMap) {
    expect_inlined(&program);
    let map = BackMap::identity(&program);
    let mut pass = Probes { program, map };
    pass.record_ends(terms);
    pass.answer(terms);
    (pass.program, pass.map)
}

struct Probes {
    program: Program,
    map: BackMap,
}

impl Probes {
    /// Replaces each `End` by an assignment to a variable of its object.
    fn record_ends(&mut self, terms: &mut Terms) {
        let mut ended: FastMap<ObjectId, ()> = FastMap::new();
        for edge in &self.program.edges {
            if let Action::End { object } = edge.action {
                ended.insert(object, ());
            }
        }
        let ended: Vec<ObjectId> = self.program.objects.ids().filter(|object| ended.contains_key(object)).collect();
        if ended.is_empty() {
            return;
        }
        let mut names = Names::of(&self.program, terms);
        let entry = self.program.entry.expect("a program has an entry function");
        let sort = terms.bool_sort();
        for &object in &ended {
            let base_name = format!("{}.live", self.program.objects[object].name);
            let term = names.fresh(terms, &base_name, sort);
            let name = symbol_name(terms, term).to_owned();
            self.map.instances.push(Instance { frame: Frame::default(), storage: Storage::Live { object } });
            let (kind, shown) = (VarKind::Local(entry), Shown::Plain);
            let var = self.program.vars.push(Variable { name, term, sort, kind, shown, place: None });
            self.program.objects[object].live = Some(var);
        }
        let (yes, no) = (terms.truth(true), terms.truth(false));
        let edges: Vec<EdgeId> = self.program.edges.ids().collect();
        for edge in edges {
            match self.program.edges[edge].action {
                Action::End { object } => {
                    let live = self.program.objects[object].live.expect("it was just made");
                    self.program.edges[edge].action = Action::Assign(vec![(live, no)]);
                }
                Action::Forget { address, size, .. } => {
                    if let Some(object) = self.begins(terms, address, size)
                        && let Some(live) = self.program.objects[object].live
                    {
                        self.then(edge, Action::Assign(vec![(live, yes)]));
                    }
                }
                _ => {}
            }
        }
        let pairs = ended.iter().map(|&object| (self.program.objects[object].live.expect("it was just made"), yes));
        let pairs = pairs.collect();
        let old = self.program.functions[entry].entry;
        let new = self.map.location_like(&mut self.program, old);
        self.program.functions[entry].entry = new;
        let place = self.program.locations[old].place;
        let first = Edge { from: new, to: old, action: Action::Assign(pairs), place };
        self.map.edge_like(&mut self.program, first, None);
    }
    /// The object that is forgotten as a whole by its name.
    fn begins(&self, terms: &Terms, address: Term, size: Option<Term>) -> Option<ObjectId> {
        let objects = &self.program.objects;
        let named = objects.ids().find(|&object| self.program.vars[objects[object].address].term == address)?;
        size.is_none_or(|size| terms.small_value(size) == Some(objects[named].size)).then_some(named)
    }
    /// Does another action after the edge's own.
    fn then(&mut self, edge: EdgeId, action: Action) {
        let (to, place) = (self.program.edges[edge].to, self.program.edges[edge].place);
        let middle = self.map.location_like(&mut self.program, to);
        self.program.edges[edge].to = middle;
        let next = Edge { from: middle, to, action, place };
        self.map.edge_like(&mut self.program, next, Some(edge));
    }

    fn answer(&mut self, terms: &mut Terms) {
        let reads = Reads::new(&self.program);
        for edge in self.program.edges.ids().collect::<Vec<_>>() {
            let Action::Probe { var, address, bytes, access } = self.program.edges[edge].action else { continue };
            if access == AccessKind::Track {
                continue; // It asks about all of memory.
            }
            let answer = match split(&self.program, terms, &reads, address) {
                _ if is_null(terms, address) => terms.truth(access == AccessKind::Free),
                Some((object, offset)) => self.is_valid(terms, object, offset, bytes, access),
                None => continue,
            };
            self.program.edges[edge].action = Action::Assign(vec![(var, answer)]);
        }
    }
    fn is_valid(
        &self,
        terms: &mut Terms,
        object: ObjectId,
        offset: Option<Term>,
        bytes: u64,
        access: AccessKind,
    ) -> Term {
        let info = &self.program.objects[object];
        if access == AccessKind::Free || access == AccessKind::Write && info.read_only {
            return terms.truth(false);
        }
        let offset = offset.unwrap_or_else(|| terms.bv(self.program.pointer_width, 0));
        let inside = inside(terms, offset, bytes, info.size);
        match info.live {
            Some(live) => terms.and(&[inside, self.program.vars[live].term]),
            None => inside,
        }
    }
}

fn is_null(terms: &Terms, address: Term) -> bool {
    terms.op(address) == Op::Value && terms.small_value(address) == Some(0)
}
