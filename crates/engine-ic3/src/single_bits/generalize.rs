//! Generalization: literals are left out for as long as the cube stays blocked; what stands in the way is blocked first.
//!
//! Where a smaller cube can be entered from a state that is itself unreachable one level below, that state is a
//! *counterexample to generalization*: it is blocked and generalized in turn, a few times, before the literal is given up
//! [HassanBradleySomenzi-FMCAD'13]. A cube away from the entry holds no initial state, so that need not be asked.

use base::{Budget, Stopped};
use sat::Lit;

use super::step::{Before, Step};
use super::{Cube, SingleBits};
use crate::lemmas::FOREVER;
use crate::system::EdgeNo;
use crate::tuning::Tuning;

/// Whether a cube is blocked.
pub(super) enum Blocked {
    /// By these literals alone, up to this level at least.
    Yes { cube: Cube, level: u32 },
    /// It can be entered over this edge, from this state.
    No { edge: EdgeNo, before: Before },
}

impl SingleBits {
    /// Whether no state outside the cube, of the frame below `level`, can enter it.
    pub(super) fn blocked(&mut self, cube: &Cube, level: u32, budget: &Budget) -> Result<Blocked, Stopped> {
        let mut needed: Vec<Lit> = Vec::new();
        let mut lowest = FOREVER;
        for number in 0..self.wires.incoming[cube.at].len() {
            let edge = self.wires.incoming[cube.at][number];
            // After no step at all a run is at the entry and nowhere else.
            if level == 1 && self.wires.edges[edge].from != self.wires.entry {
                lowest = lowest.min(1);
                continue;
            }
            match self.step(edge, Some(cube), level - 1, budget)? {
                Step::Possible(before) => return Ok(Blocked::No { edge, before }),
                Step::Impossible { needed: lits, level: used } => {
                    needed.extend(lits);
                    if used != FOREVER {
                        lowest = lowest.min(used + 1);
                    }
                }
            }
        }
        // A level above the top has no frame yet, so a lemma there would hold nowhere.
        let level = if lowest == FOREVER { FOREVER } else { lowest.min(self.top).max(level) };
        Ok(Blocked::Yes { cube: Cube::new(cube.at, needed), level })
    }
    /// Learns a lemma that blocks at least the cube, which is blocked at this level; up to which level it does.
    pub(super) fn learn(&mut self, cube: Cube, level: u32, depth: u32, budget: &Budget) -> Result<u32, Stopped> {
        let (mut lemma, mut level) = self.generalized(cube, level, depth, budget)?;
        while level < self.top {
            match self.blocked(&lemma, level + 1, budget)? {
                Blocked::Yes { cube, level: reached } => (lemma, level) = (cube, reached),
                Blocked::No { .. } => break,
            }
        }
        self.stats.bit_lemmas += 1;
        for lit in &lemma.literals {
            self.activity[lit.index()] += 1;
        }
        let at = lemma.at;
        self.frames[at].add(&self.wires.solver, lemma, level);
        Ok(level)
    }
    fn generalized(&mut self, cube: Cube, reached: u32, depth: u32, budget: &Budget) -> Result<(Cube, u32), Stopped> {
        let (mut kept, mut reached) = (cube, reached);
        let level = reached.min(self.top);
        let mut lits = kept.literals.clone();
        lits.sort_by_key(|lit| (self.activity[lit.index()], *lit));
        let mut failures = 0;
        for lit in lits {
            if kept.literals.binary_search(&lit).is_err() {
                continue; // A core has dropped it already.
            }
            if failures >= Tuning::DEFAULT.bit_max_failures {
                break;
            }
            match self.without(&kept, lit, level, depth, budget)? {
                Some((cube, level)) => {
                    (kept, reached) = (cube, level);
                    failures = 0;
                }
                None => failures += 1,
            }
        }
        Ok((kept, reached))
    }
    /// The cube without the literal, if that is blocked too.
    fn without(
        &mut self,
        cube: &Cube,
        lit: Lit,
        level: u32,
        depth: u32,
        budget: &Budget,
    ) -> Result<Option<(Cube, u32)>, Stopped> {
        let smaller = cube.without(lit);
        let mut n_blocked = 0;
        loop {
            let (edge, before) = match self.blocked(&smaller, level, budget)? {
                Blocked::Yes { cube, level } => return Ok(Some((cube, level))),
                Blocked::No { edge, before } => (edge, before),
            };
            let from = self.wires.edges[edge].from;
            if depth >= Tuning::DEFAULT.max_ctg_depth
                || n_blocked >= Tuning::DEFAULT.max_blocked_ctgs
                || level <= 1
                || from == self.wires.entry
            {
                return Ok(None);
            }
            let obstacle = self.lifted(edge, Some(&smaller), &before, budget)?;
            match self.blocked(&obstacle, level - 1, budget)? {
                Blocked::No { .. } => return Ok(None),
                Blocked::Yes { cube, level } => {
                    self.stats.ctgs += 1;
                    n_blocked += 1;
                    self.learn(cube, level, depth + 1, budget)?;
                }
            }
        }
    }
}
