//! Obligations: cubes that lead to an error and must be shown to be unreachable, lowest level first.
//!
//! An obligation that is blocked at its level waits at the next one: the cube as it was, not as it was generalized,
//! since only the first is known to lead to an error.

use std::collections::BTreeMap;

use base::Stopped;
use program::AssertionId;

use crate::cube::Cube;
use crate::generalize::Blocked;
use crate::query::{Search, Wanted};
use crate::system::EdgeNo;
use crate::tuning::Tuning;

/// A cube from which an error is reached.
#[derive(Clone, Debug)]
pub(crate) struct Obligation {
    pub cube: Cube,
    /// The edge that leads on.
    pub edge: EdgeNo,
    /// The obligation that it leads to; none if that is the error.
    pub next: Option<usize>,
    pub is_rough: bool,
    /// How often it was taken up.
    visits: u32,
}

/// A path from the entry to an error in the abstraction.
pub(crate) struct AbstractPath {
    /// The edges from the entry on.
    pub edges: Vec<EdgeNo>,
    /// The cubes that they start from.
    pub cubes: Vec<Cube>,
    pub assertion: AssertionId,
    /// Whether some step was rough.
    pub is_rough: bool,
}

impl Search<'_> {
    /// Blocks the cube at the top level (or gives up, having learnt something), or finds a path from the entry.
    pub fn block(&mut self, first: Obligation, assertion: AssertionId) -> Result<Option<AbstractPath>, Stopped> {
        let mut all = vec![first];
        // By level and age.
        let mut open: BTreeMap<(u32, usize), ()> = BTreeMap::from([((self.frames.top, 0), ())]);
        while let Some((&(level, number), ())) = open.first_key_value() {
            let obligation = all[number].clone();
            if obligation.cube.at == self.system.entry {
                return Ok(Some(path(&all, number, assertion)));
            }
            self.stats.obligations += 1;
            if self.is_blocked(&obligation.cube, level)? {
                open.remove(&(level, number));
                continue;
            }
            match self.blocked(&obligation.cube, level, Wanted::States)? {
                Blocked::No { edge, preimage } => {
                    let preimage = preimage.expect("wanted states are returned");
                    let is_rough = preimage.is_rough;
                    all.push(Obligation { cube: preimage.cube, edge, next: Some(number), is_rough, visits: 0 });
                    open.insert((level - 1, all.len() - 1), ());
                }
                Blocked::Yes { cube, level: reached } => {
                    open.remove(&(level, number));
                    self.stats.lemmas += 1;
                    self.stats.literals_before += obligation.cube.len() as u64;
                    let (lemma, reached) = self.generalize(cube, reached)?;
                    let (lemma, reached) = self.widen(lemma, reached)?;
                    let (lemma, reached) = self.lift(lemma, reached)?;
                    self.stats.literals_after += lemma.len() as u64;
                    for &literal in &lemma.literals {
                        self.growth.note(&self.terms, self.raised.stage, literal);
                    }
                    self.assert_well_formed(&lemma, reached);
                    self.frames.add(&mut self.terms, &mut self.solver, lemma, reached);
                    if self.may_rise && self.growth.is_endless() {
                        // What led here may be impossible now, so the question is asked again from the error on.
                        self.restart(self.raised.stage.next())?;
                        return Ok(None);
                    }
                    all[number].visits += 1;
                    if reached < self.frames.top && all[number].visits < Tuning::DEFAULT.word_max_visits {
                        open.insert((reached + 1, number), ());
                    }
                }
            }
        }
        Ok(None)
    }
    /// The highest level, up to the top, at which the lemma holds too.
    fn lift(&mut self, lemma: Cube, level: u32) -> Result<(Cube, u32), Stopped> {
        let (mut lemma, mut level) = (lemma, level);
        while level < self.frames.top {
            match self.blocked(&lemma, level + 1, Wanted::Answer)? {
                Blocked::Yes { cube, level: reached } => {
                    lemma = cube;
                    level = reached;
                }
                Blocked::No { .. } => break,
            }
        }
        Ok((lemma, level))
    }
}

impl Obligation {
    pub fn new(cube: Cube, edge: EdgeNo, is_rough: bool) -> Self {
        Obligation { cube, edge, next: None, is_rough, visits: 0 }
    }
}

fn path(all: &[Obligation], first: usize, assertion: AssertionId) -> AbstractPath {
    let (mut edges, mut cubes) = (Vec::new(), Vec::new());
    let mut is_rough = false;
    let mut at = Some(first);
    while let Some(number) = at {
        edges.push(all[number].edge);
        cubes.push(all[number].cube.clone());
        is_rough |= all[number].is_rough;
        at = all[number].next;
    }
    AbstractPath { edges, cubes, assertion, is_rough }
}
