//! k-induction [SheeranSinghStalmarck-FMCAD'00]: no error within k steps from the entry, and none in the k-th step from
//! anywhere when the steps before it met none; then there is none at all.
//!
//! Steps lead from cutpoint to cutpoint, so k counts loop iterations. Both unrollings grow by one step at a
//! time, each with its own solver. Unlike the paper we add no simple-path constraints: they prove finite systems in the
//! end, but such a proof cannot be re-checked cheaply.

use base::Stopped;
use encode::Blocks;
use engine::{Engine, Invariants, Run, Settings, Task, evidence};
use term::Terms;
use verdict::{Method, Verdict, Why};

use crate::bmc::within;
use crate::concrete::Concrete;
use crate::equalities::equalities;
use crate::exclusions::exclusions;
use crate::guarded::guarded;
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
/// If so many steps are not enough, equalities between variables may help.
const EQUALITIES_AFTER: usize = 1;
/// And if so many are not, values that never meet.
const EXCLUSIONS_AFTER: usize = 2;
/// And then orders under conditions.
const ORDERS_AFTER: usize = 3;

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
        let (mut terms, blocks) = match task.encoded(run) {
            Ok(encoded) => encoded,
            Err(why) => return Ok(Verdict::Unknown(why)),
        };
        let mut invariants = Invariants::new(task, &mut terms, blocks, run)?;
        if invariants.by_polynomials(task, &mut terms, blocks, run)? {
            let method = Method::Induction { depth: 1 };
            let proof = proof(task, &mut terms, blocks, &invariants, method, &Hints::default());
            return Ok(Verdict::Safe(Box::new(proof)));
        }
        run.observer.phase("induction");
        let mut pair = Pair::new(task, &mut terms, blocks, InBits::new);
        loop {
            let steps = pair.base.unrolling.n_steps() as u32;
            if self.unwind.is_some_and(|unwind| steps > unwind) {
                return Ok(Verdict::Unknown(pair.bounded(steps)));
            }
            match pair.round(task, &mut terms, blocks, &mut invariants, run)? {
                Round::Over(verdict) => return Ok(verdict),
                Round::Holds(method) => {
                    let hints = Hints::default();
                    let proof = proof(task, &mut terms, blocks, &invariants, method, &hints);
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
    /// Whether equalities between variables have been looked for.
    is_compared: bool,
    /// Whether values that never meet have been looked for.
    is_excluded: bool,
    /// Whether orders under a condition have been looked for.
    is_ordered: bool,
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
    pub fn new(task: &Task, terms: &mut Terms, blocks: &Blocks, judge: impl Fn() -> J) -> Self {
        Pair {
            base: Search::new(task, terms, blocks, judge()),
            induction: Induction::new(task, terms, blocks, judge()),
            is_compared: false,
            is_excluded: !J::HEARS_STATEMENTS,
            is_ordered: !J::HEARS_STATEMENTS,
        }
    }
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
        if J::HEARS_STATEMENTS && self.base.unrolling.n_steps() <= EQUALITIES_AFTER {
            // What would be refined in vain may not be asked any more once more is known.
            return Ok(Round::Open);
        }
        let news = invariants.read(terms, blocks, run);
        self.induction.learn(task, terms, blocks, &news);
        let steps = self.base.unrolling.n_steps() - 1;
        let mut holds = false;
        if steps >= EQUALITIES_AFTER && !std::mem::replace(&mut self.is_compared, true) {
            holds = self.by_equalities(task, terms, blocks, invariants, run)?;
        } else if steps >= EXCLUSIONS_AFTER && !std::mem::replace(&mut self.is_excluded, true) {
            run.observer.phase("exclusions");
            if let Some(found) = exclusions(task, terms, blocks, invariants, run)? {
                invariants.learn(terms, blocks, &found, "exclusions", run);
                holds = self.anew(task, terms, blocks, invariants, steps, run)?;
            }
        } else if steps >= ORDERS_AFTER && !std::mem::replace(&mut self.is_ordered, true) {
            run.observer.phase("orders");
            if let Some(found) = guarded(task, terms, blocks, invariants, run)? {
                invariants.learn(terms, blocks, &found, "orders", run);
                holds = self.anew(task, terms, blocks, invariants, steps, run)?;
            }
        } else if steps >= J::RELATIONS_AFTER && !invariants.relate(task, terms, blocks, run)?.is_empty() {
            holds = self.anew(task, terms, blocks, invariants, steps, run)?;
        }
        while !holds && self.induction.unrolling.n_steps() < self.base.unrolling.n_steps() {
            holds = self.induction.step(task, terms, blocks, invariants, run)?;
        }
        if holds && self.base.doubt.is_none() {
            return Ok(Round::Holds(Method::Induction { depth: self.induction.unrolling.n_steps() as u32 }));
        }
        Ok(Round::Open)
    }
    /// Looks for equalities between variables; whether they make an induction hold. If possible they do it alone: what
    /// is not needed would have to be checked again.
    fn by_equalities(
        &mut self,
        task: &Task,
        terms: &mut Terms,
        blocks: &Blocks,
        invariants: &mut Invariants,
        run: &Run<'_>,
    ) -> Result<bool, Stopped> {
        let Some(found) = equalities(task, terms, blocks, &self.base.unrolling, run)? else { return Ok(false) };
        let steps = self.base.unrolling.n_steps();
        let others = invariants.instead(terms, blocks, found, "kind", run);
        if self.anew(task, terms, blocks, invariants, steps, run)? {
            return Ok(true);
        }
        for (cut, others) in others.iter_enumerated() {
            invariants.at[cut].extend(others);
        }
        self.anew(task, terms, blocks, invariants, steps, run)
    }
    /// Begins the induction again: with other invariants a shorter one is enough, more often than not, and that is easier
    /// to check again. Whether it holds within so many steps.
    fn anew(
        &mut self,
        task: &Task,
        terms: &mut Terms,
        blocks: &Blocks,
        invariants: &Invariants,
        steps: usize,
        run: &Run<'_>,
    ) -> Result<bool, Stopped> {
        run.observer.phase("induction");
        self.induction = Induction::new(task, terms, blocks, self.induction.judge.fresh());
        for _ in 0..steps {
            if self.induction.step(task, terms, blocks, invariants, run)? {
                return Ok(true);
            }
        }
        Ok(false)
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
