//! k-induction [SheeranSinghStalmarck-FMCAD'00]: no error within k steps from the entry, and none in the k-th step from
//! anywhere when the steps before it met none; then there is none at all.
//!
//! Steps lead from cutpoint to cutpoint, so k counts loop iterations. Both unrollings grow by one step at a
//! time, each with its own solver. Unlike the paper we add no simple-path constraints: they prove finite systems in the
//! end, but such a proof cannot be re-checked cheaply.

use base::Stopped;
use encode::{Blocks, Memory};
use engine::{Engine, Invariants, Run, Settings, Task, evidence};
use term::Terms;
use verdict::{Method, Verdict, Why};

use crate::bmc::within;
use crate::concrete::Concrete;
use crate::induction::Induction;
use crate::judge::{Hints, InBits, Judge};
use crate::search::{Search, Step};

/// The engine.
pub(crate) struct Kind {
    unwind: Option<u32>,
}

/// Concrete runs before anything else.
const FIRST_EDGES: u64 = 1_000_000;
/// How many of them.
const RUNS: u64 = 100;
/// If so many steps are not enough, relations between variables may help.
const RELATIONS_AFTER: u32 = 3;

impl Kind {
    pub fn new(settings: &Settings) -> Self {
        Kind { unwind: settings.unwind }
    }
}

impl Engine for Kind {
    fn run(&mut self, task: &Task, run: &mut Run<'_>) -> Result<Verdict, Stopped> {
        run.observer.phase("concrete runs");
        if let Some(found) = Concrete::new(task, run.seed, RUNS).search(run, FIRST_EDGES)? {
            return Ok(Verdict::Unsafe(found));
        }
        run.observer.phase("encoding");
        let mut terms = task.terms.clone();
        let blocks = match Blocks::new(&task.program, &mut terms, Memory::Anything) {
            Ok(blocks) => blocks,
            Err(refused) => return Ok(Verdict::Unknown(Why::Unsupported { what: refused.what, at: refused.place })),
        };
        let mut invariants = Invariants::new(task, &mut terms, &blocks, run)?;
        run.observer.phase("induction");
        let mut pair = Pair {
            base: Search::new(task, &mut terms, &blocks, InBits::new()),
            induction: Induction::new(task, &mut terms, &blocks, InBits::new()),
        };
        loop {
            let steps = pair.base.unrolling.n_steps() as u32;
            if self.unwind.is_some_and(|unwind| steps > unwind) {
                return Ok(Verdict::Unknown(pair.bounded(steps)));
            }
            let is_related = steps >= RELATIONS_AFTER && !invariants.relate(task, &mut terms, &blocks, run)?.is_empty();
            let round = match is_related {
                false => pair.round(task, &mut terms, &blocks, &mut invariants, run)?,
                true => pair.anew(task, &mut terms, &blocks, &invariants, run)?,
            };
            match round {
                Round::Over(verdict) => return Ok(verdict),
                Round::Holds(method) => {
                    let hints = Hints::default();
                    let proof = proof(task, &mut terms, &blocks, &invariants, method, &hints);
                    return Ok(Verdict::Safe(Box::new(proof)));
                }
                Round::Open => run.observer.progress(within(steps)),
            }
        }
    }
}

/// An unrolling from the entry and one from anywhere.
pub(crate) struct Pair<J> {
    pub base: Search<J>,
    pub induction: Induction<J>,
}

impl Pair<InBits> {
    /// Begins the induction again: with new invariants a shorter one is enough, more often than not, and that is easier
    /// to check again.
    fn anew(
        &mut self,
        task: &Task,
        terms: &mut Terms,
        blocks: &Blocks,
        invariants: &Invariants,
        run: &Run<'_>,
    ) -> Result<Round, Stopped> {
        run.observer.phase("induction");
        self.induction = Induction::new(task, terms, blocks, InBits::new());
        for _ in 1..self.base.unrolling.n_steps() {
            if self.induction.step(task, terms, blocks, invariants, run)? && self.base.doubt.is_none() {
                return Ok(Round::Holds(Method::Induction { depth: self.induction.unrolling.n_steps() as u32 }));
            }
        }
        Ok(Round::Open)
    }
}

/// What a round brought.
pub(crate) enum Round {
    /// There is nothing more to do.
    Over(Verdict),
    /// The program is safe, by this method.
    Holds(Method),
    /// Nothing yet.
    Open,
}

impl<J: Judge> Pair<J> {
    /// One step more of both.
    pub fn round(
        &mut self,
        task: &Task,
        terms: &mut Terms,
        blocks: &Blocks,
        invariants: &mut Invariants,
        run: &Run<'_>,
    ) -> Result<Round, Stopped> {
        match self.base.step(task, terms, blocks, run)? {
            Step::Error(found) => return Ok(Round::Over(Verdict::Unsafe(found))),
            Step::Clean => {}
            Step::Exhausted => {
                return Ok(match self.base.doubt.take() {
                    None => Round::Holds(Method::Exhaustion { steps: self.base.unrolling.n_steps() as u32 }),
                    Some(doubt) => Round::Over(Verdict::Unknown(doubt)),
                });
            }
        }
        let news = invariants.read(terms, blocks, run);
        self.induction.learn(task, terms, blocks, &news);
        let holds = self.induction.step(task, terms, blocks, invariants, run)?;
        if holds && self.base.doubt.is_none() {
            return Ok(Round::Holds(Method::Induction { depth: self.induction.unrolling.n_steps() as u32 }));
        }
        Ok(Round::Open)
    }
    /// Why nothing is known when no more steps are wanted.
    pub fn bounded(&mut self, steps: u32) -> Why {
        self.base.doubt.take().unwrap_or_else(|| Why::Bounded(within(steps - 1)))
    }
}

/// The proof that a round found. Exhaustion needs no invariants.
pub(crate) fn proof(
    task: &Task,
    terms: &mut Terms,
    blocks: &Blocks,
    invariants: &Invariants,
    method: Method,
    hints: &Hints,
) -> verdict::Proof {
    let known = if matches!(method, Method::Exhaustion { .. }) { Vec::new() } else { invariants.all() };
    let mut proof = evidence::proof(task, terms, blocks, &known, method, &hints.precise);
    let mut import = term::walk::Import::new();
    for &lemma in &hints.lemmas {
        proof.lemmas.extend(import.term(terms, &mut proof.terms, lemma));
    }
    proof
}
