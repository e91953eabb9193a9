//! Propagation: lemmas move up while they hold one step later; an empty level means that all above it is invariant.

use base::Stopped;
use encode::Cut;
use term::Term;

use crate::generalize::Blocked;
use crate::query::{Search, Wanted};

impl Search<'_> {
    /// Moves lemmas up. If a level is empty, the invariants: clauses by cutpoint.
    pub fn propagate(&mut self) -> Result<Option<Vec<(Cut, Term)>>, Stopped> {
        for level in 1..self.frames.top {
            let cuts: Vec<Cut> = self.frames.lemmas.ids().collect();
            for cut in cuts {
                for cube in self.frames.lemmas[cut].cubes_at(level) {
                    // It may have been subsumed in the meantime.
                    if !self.frames.lemmas[cut].has(&cube, level) {
                        continue;
                    }
                    if let Blocked::Yes { cube, level: reached } = self.blocked(&cube, level + 1, Wanted::Answer)? {
                        self.frames.add(&mut self.terms, &mut self.solver, cube, reached);
                    }
                }
            }
            if self.frames.lemmas.iter().all(|lemmas| lemmas.is_empty_at(level)) {
                return Ok(Some(self.invariants(level + 1)));
            }
        }
        Ok(None)
    }
    fn invariants(&mut self, level: u32) -> Vec<(Cut, Term)> {
        let cuts: Vec<Cut> = self.frames.lemmas.ids().collect();
        let mut all = Vec::new();
        for cut in cuts {
            let clauses = self.frames.invariant(&mut self.terms, cut, level);
            all.extend(clauses.into_iter().map(|clause| (cut, clause)));
        }
        all
    }
}
