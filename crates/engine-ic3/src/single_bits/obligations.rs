//! Obligations: cubes that lead to an error and must be shown to be unreachable, lowest level first.

use std::collections::BTreeMap;

use base::{Budget, Stopped};
use program::AssertionId;
use sat::Lit;

use super::generalize::Blocked;
use super::step::Before;
use super::{Cube, SingleBits};
use crate::system::EdgeNo;
use crate::tuning::Tuning;

/// A cube from which an error is reached.
struct Obligation {
    cube: Cube,
    /// The edge that leads on, and with which inputs.
    edge: EdgeNo,
    inputs: Vec<Lit>,
    /// The obligation that it leads to; none if that is the error.
    next: Option<usize>,
    /// How often it was taken up.
    visits: u32,
}

/// A way from the entry to an error.
pub(super) struct Found {
    /// A state at the entry, as far as it matters.
    pub start: Vec<Lit>,
    /// The edges from the entry on, with their inputs.
    pub steps: Vec<(EdgeNo, Vec<Lit>)>,
    pub assertion: AssertionId,
}

impl SingleBits {
    /// Blocks the state before the error's edge at the top level, or finds a way into it.
    pub(super) fn block(
        &mut self,
        edge: EdgeNo,
        assertion: AssertionId,
        before: Before,
        budget: &Budget,
    ) -> Result<Option<Found>, Stopped> {
        let cube = self.lifted(edge, None, &before, budget)?;
        let mut all = vec![Obligation { cube, edge, inputs: before.inputs, next: None, visits: 0 }];
        // By level and age, the youngest first: it is the closest to the entry.
        let mut open: BTreeMap<(u32, std::cmp::Reverse<usize>), ()> = BTreeMap::new();
        open.insert((self.top, std::cmp::Reverse(0)), ());
        while let Some((&key, ())) = open.first_key_value() {
            let (level, std::cmp::Reverse(number)) = key;
            let cube = all[number].cube.clone();
            if cube.at == self.wires.entry {
                return Ok(Some(way(&all, number, assertion)));
            }
            if self.frames[cube.at].lemmas.cover(&cube, level) {
                open.remove(&key);
                // It leads to an error all the same, and may do so in more steps.
                if level < self.top && all[number].visits < Tuning::DEFAULT.bit_max_visits {
                    open.insert((level + 1, key.1), ());
                }
                continue;
            }
            match self.blocked(&cube, level, budget)? {
                Blocked::No { edge, before } => {
                    let lifted = self.lifted(edge, Some(&cube), &before, budget)?;
                    all.push(Obligation { cube: lifted, edge, inputs: before.inputs, next: Some(number), visits: 0 });
                    open.insert((level - 1, std::cmp::Reverse(all.len() - 1)), ());
                }
                Blocked::Yes { cube, level: reached } => {
                    open.remove(&key);
                    let reached = self.learn(cube, reached, 0, budget)?;
                    all[number].visits += 1;
                    if reached < self.top && all[number].visits < Tuning::DEFAULT.bit_max_visits {
                        open.insert((reached + 1, key.1), ());
                    }
                }
            }
        }
        Ok(None)
    }
}

fn way(all: &[Obligation], first: usize, assertion: AssertionId) -> Found {
    let mut steps = Vec::new();
    let mut at = Some(first);
    while let Some(number) = at {
        steps.push((all[number].edge, all[number].inputs.clone()));
        at = all[number].next;
    }
    Found { start: all[first].cube.literals.clone(), steps, assertion }
}
