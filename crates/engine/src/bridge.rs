//! Between two forms of one program: facts about the one in the words of the other.
//!
//! An engine that prepares the program in a way of its own has other locations and variables than the others, but both forms
//! come from the program as lowered, and their back-maps say what each location and variable is there. What is at one
//! point of it, or in one variable, is the same thing.
//!
//! A bridge carries words, not belief: passes leave out what their form does not need, so what is inductive in one form
//! need not be so in the other. Facts that are taken over the bridge pass Houdini.

use base::{FastMap, Id, IndexVec};
use encode::{Blocks, Cut, Cutpoint};
use program::Loc;
use std::hash::Hash;
use term::{Op, Substitution, Term, Terms};

use crate::task::Task;

/// From one form to the other.
pub struct Bridge {
    places: FastMap<Loc, Loc>,
    /// What the variables of the one form, by name, are in the other.
    variables: FastMap<String, Term>,
}

impl Bridge {
    /// From the first task's program to the second's; both come from the same program as lowered.
    pub fn new(from: &Task, to: &Task) -> Self {
        let mut bridge = Bridge { places: FastMap::new(), variables: FastMap::new() };
        for (loc, other) in same(&from.map.points, &to.map.points) {
            bridge.places.insert(loc, other);
        }
        for (var, other) in same(&from.map.instances, &to.map.instances) {
            if let Op::Symbol(symbol) = from.terms.op(from.program.vars[var].term) {
                bridge.variables.insert(from.terms.symbol_name(symbol).to_owned(), to.program.vars[other].term);
            }
        }
        bridge
    }
    /// The fact in the words of the other form; none if it has no words for it. The term has been copied into a store that grew
    /// from that of the second task.
    pub fn fact(&self, terms: &mut Terms, blocks: &Blocks, at: Loc, term: Term) -> Option<(Cut, Term)> {
        let &loc = self.places.get(&at)?;
        let is_here = |(_, cutpoint): &(Cut, &Cutpoint)| cutpoint.loc == loc;
        let (cut, _) = blocks.cutpoints.iter_enumerated().find(is_here)?;
        let mut pairs = Vec::new();
        for part in terms.subterms(&[term]) {
            if let Op::Symbol(symbol) = terms.op(part) {
                let &other = self.variables.get(terms.symbol_name(symbol))?;
                if !terms.args(part).is_empty() || terms.sort_of(other) != terms.sort_of(part) {
                    return None;
                }
                pairs.push((part, other));
            }
        }
        Some((cut, Substitution::new(terms, &pairs).apply(terms, term)))
    }
}

/// What stands for the same thing here and there, and for which there is nothing else that does.
fn same<I: Id, T: Eq + Hash>(here: &IndexVec<I, T>, there: &IndexVec<I, T>) -> Vec<(I, I)> {
    let (ours, theirs) = (alone(here), alone(there));
    let ids = here.iter_enumerated().filter(|(_, thing)| ours[thing].is_some());
    ids.filter_map(|(id, thing)| theirs.get(&thing).copied().flatten().map(|other| (id, other))).collect()
}

/// The only representative of each thing; `None` if there are several.
fn alone<I: Id, T: Eq + Hash>(things: &IndexVec<I, T>) -> FastMap<&T, Option<I>> {
    let mut only: FastMap<&T, Option<I>> = FastMap::new();
    for (id, thing) in things.iter_enumerated() {
        let entry = if only.contains_key(&thing) { None } else { Some(id) };
        only.insert(thing, entry);
    }
    only
}
