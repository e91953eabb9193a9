//! Generalization: from one blocked cube to a lemma about many states.
//!
//! The literals that the refutations needed are a smaller cube already. Then we leave literals out one by one for
//! as long as the rest stays blocked [BradleyManna-FMCAD'07], those first that have been useful least. A cube away
//! from the entry holds no initial state, so that need not be asked.

use base::Stopped;
use term::Term;

use crate::cube::Cube;
use crate::lemmas::FOREVER;
use crate::query::{Search, Step, Wanted};
use crate::tuning::Tuning;

/// Whether a cube is blocked.
pub(crate) enum Blocked {
    /// By these literals alone, up to this level at least.
    Yes { cube: Cube, level: u32 },
    /// It can be entered over this edge, from these states if they are wanted.
    No { edge: crate::system::EdgeNo, preimage: Option<crate::preimage::Preimage> },
}

impl Search<'_> {
    /// Whether no state outside the cube, of the frame below `level`, can enter it.
    pub fn blocked(&mut self, cube: &Cube, level: u32, wanted: Wanted) -> Result<Blocked, Stopped> {
        let mut needed: Vec<Term> = Vec::new();
        let mut lowest = FOREVER;
        for number in 0..self.system.incoming[cube.at].len() {
            let edge = self.system.incoming[cube.at][number];
            let from_entry = self.system.edges[edge].from == self.system.entry;
            // After no step at all a run is at the entry and nowhere else.
            if level == 1 && !from_entry {
                lowest = lowest.min(1);
                continue;
            }
            match self.step(edge, Some(cube), level - 1, true, wanted)? {
                Step::Possible(preimage) => return Ok(Blocked::No { edge, preimage }),
                Step::Impossible { needed: literals, level: used } => {
                    for literal in literals {
                        if !needed.contains(&literal) {
                            needed.push(literal);
                        }
                    }
                    if used != FOREVER {
                        lowest = lowest.min(used + 1);
                    }
                }
            }
        }
        // A level above the top has no frame yet, so a lemma there would hold nowhere.
        let reached = if lowest == FOREVER { FOREVER } else { lowest.min(self.frames.top).max(level) };
        Ok(Blocked::Yes { cube: Cube::new(cube.at, needed), level: reached })
    }
    /// A lemma that blocks at least the cube, and the level up to which it does.
    pub fn generalize(&mut self, cube: Cube, level: u32) -> Result<(Cube, u32), Stopped> {
        let (mut kept, mut reached) = (cube, level);
        let level = level.min(self.frames.top);
        let mut literals = kept.literals.clone();
        literals.sort_by_key(|literal| (self.activity.get(literal).copied().unwrap_or(0), *literal));
        let mut failures = 0;
        for literal in literals {
            if !kept.literals.contains(&literal) {
                continue; // A core has dropped it already.
            }
            if failures >= Tuning::DEFAULT.word_max_failures {
                break;
            }
            match self.blocked(&kept.without(literal), level, Wanted::Answer)? {
                Blocked::Yes { cube, level } => {
                    kept = cube;
                    reached = level;
                    failures = 0;
                }
                Blocked::No { .. } => failures += 1,
            }
        }
        for literal in &kept.literals {
            *self.activity.get_or_insert_with(*literal, || 0) += 1;
        }
        Ok((kept, reached))
    }
}
