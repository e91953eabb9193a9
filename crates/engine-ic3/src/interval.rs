//! From one value to a range: `x = 5` in a blocked cube becomes `x <= 5` or `x >= 5` where that is blocked too.
//!
//! A counter that runs away from what it should be makes a cube for each value it passes, and literals can only be
//! left out or kept. So where lemmas have named several values of one term, its equalities are widened: to the
//! ranges on either side, as signed and as unsigned numbers. Only where comparisons are read in bits, since to functions
//! an order is nothing.

use base::Stopped;
use term::{Op, Term};

use crate::cube::Cube;
use crate::generalize::Blocked;
use crate::precision::{Stage, compared};
use crate::query::{Search, Wanted};

impl Search<'_> {
    /// The cube with ranges for values, as far as it stays blocked at the level.
    pub fn widen(&mut self, cube: Cube, reached: u32) -> Result<(Cube, u32), Stopped> {
        if self.raised.stage == Stage::Functions || self.predicates.is_some() {
            return Ok((cube, reached));
        }
        let (mut kept, mut reached) = (cube, reached);
        let level = reached.min(self.frames.top);
        for literal in kept.literals.clone() {
            if !kept.literals.contains(&literal) || self.terms.op(literal) == Op::Not {
                continue;
            }
            let Some((term, value)) = compared(&self.terms, literal) else { continue };
            if !self.growth.counts(term) {
                continue;
            }
            for range in self.ranges(term, value) {
                let mut literals = kept.without(literal).literals;
                literals.push(range);
                if let Blocked::Yes { cube, level } =
                    self.blocked(&Cube::new(kept.at, literals), level, Wanted::Answer)?
                {
                    self.stats.ranges += 1;
                    kept = cube;
                    reached = level;
                    break;
                }
            }
        }
        Ok((kept, reached))
    }
    fn ranges(&mut self, term: Term, value: Term) -> [Term; 4] {
        let terms = &mut self.terms;
        [terms.bv_sle(term, value), terms.bv_sle(value, term), terms.bv_ule(term, value), terms.bv_ule(value, term)]
    }
}
