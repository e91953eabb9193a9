//! Machine laws: what is known of addresses without knowing where objects lie.
//!
//! No live object and no function lies at null; an object does not wrap around the end of the address space; different
//! functions have different addresses, no function lies where an object does, and known places of different live objects
//! differ. Only addresses that a program compares, stores or passes on matter, so only those are listed.

use program::{Action, Program, Var, VarKind};
use term::{Op, Term, Terms};

use base::FastMap;

use crate::block::{Encoder, State};
use crate::layout::{direct, is_live};
use crate::points::FrameId;
use crate::slots::Slots;
use crate::tuning::Tuning;

/// The address variables that stand in terms of the program, other than as the name of what is accessed.
pub(crate) fn mentioned(program: &Program, terms: &Terms, slots: &Slots) -> Vec<Var> {
    let mut roots = Vec::new();
    for edge in &program.edges {
        let access = match &edge.action {
            Action::Load { address, .. } | Action::Forget { address, .. } | Action::Probe { address, .. } => {
                Some(*address)
            }
            Action::Store { address, value } => {
                roots.push(*value);
                Some(*address)
            }
            action => {
                action.for_each_term(|term| roots.push(term));
                None
            }
        };
        roots.extend(access.filter(|&address| direct(program, terms, slots, address).is_none()));
    }
    let mut found = Vec::new();
    let mut seen: FastMap<Var, ()> = FastMap::new();
    for term in terms.subterms(&roots) {
        if let (Op::Symbol(_), Some(var)) = (terms.op(term), slots.var(term))
            && matches!(program.vars[var].kind, VarKind::AddressOf(_) | VarKind::AddressOfFunction(_))
            && seen.insert(var, ()).is_none()
        {
            found.push(var);
        }
    }
    found.sort_unstable();
    found
}

impl Encoder<'_> {
    /// What is known of the addresses of live objects and of functions in this state.
    pub(crate) fn apart(&mut self, frame: FrameId, state: &State) -> Term {
        let live = |object: &usize| is_live(self.program, self.points, frame, self.memory.objects.list[*object]);
        let objects: Vec<usize> = self.memory.taken.iter().copied().filter(live).collect();
        let mut places: Vec<(Option<usize>, Term)> = Vec::new();
        for &function in &self.memory.functions {
            places.push((None, state[self.slots.slot(frame, function)]));
        }
        let mut facts = Vec::new();
        for &object in &objects {
            let mut offsets: Vec<u64> = self.memory.cells_of(object).map(|cell| self.memory.cells[cell].from).collect();
            if offsets.first() != Some(&0) {
                offsets.insert(0, 0);
            }
            for offset in offsets {
                places.push((Some(object), self.address(state, object, offset)));
            }
            let base = self.address(state, object, 0);
            facts.push(self.does_not_wrap(object, base));
        }
        // Constants of a run, whether their objects exist now or not. Each counts as a place of its own.
        for (number, address) in self.constants(state).into_iter().enumerate() {
            if !places.iter().any(|&(_, place)| place == address) {
                places.push((Some(usize::MAX - number), address));
            }
        }
        let null = self.own.bv(self.program.pointer_width, 0);
        for (i, &(object, address)) in places.iter().enumerate() {
            facts.push(self.own.ne(address, null));
            for &(other, place) in &places[..i] {
                if (other != object || object.is_none()) && facts.len() < Tuning::DEFAULT.max_apart {
                    facts.push(self.own.ne(place, address));
                }
            }
        }
        self.own.and(&facts)
    }
    /// One past the end of the object is still an address.
    fn does_not_wrap(&mut self, object: usize, base: Term) -> Term {
        let width = self.program.pointer_width;
        let top = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
        let last = self.own.bv(width, top.saturating_sub(self.size_of(object)));
        self.own.bv_ule(base, last)
    }
    /// A new address is not null.
    pub(crate) fn is_not_null(&mut self, slot: usize, state: &State) -> Term {
        let null = self.own.bv(self.program.pointer_width, 0);
        self.own.ne(state[slot], null)
    }
}
