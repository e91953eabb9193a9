//! k-induction [SheeranSinghStalmarck-FMCAD'00]: no error within k steps from the entry, and none in the k-th step from
//! anywhere when the steps before it met none; then there is none at all.
//!
//! Steps lead from cutpoint to cutpoint, so k counts loop iterations. Both unrollings grow by one step at a
//! time, each with its own solver. Unlike the paper we add no simple-path constraints: they prove finite systems in the
//! end, but such a proof cannot be re-checked cheaply.

use base::Stopped;
use encode::Blocks;
use engine::{Engine, Invariants, Run, Task, by_cells, evidence, needed, writes_cells};
use term::Terms;
use verdict::{Code, Method, Verdict, Why};

use crate::bmc::within;
use crate::concrete::Concrete;
use crate::equalities::equalities;
use crate::exclusions::exclusions;
use crate::guarded::guarded;
use crate::induction::Induction;
use crate::judge::{Hints, InBits, Judge};
use crate::search::{Search, Step};
use crate::settings::KindSettings;

/// The engine.
pub(crate) struct Kind {
    settings: KindSettings,
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
/// And if so many are not, invariants about every cell of an array.
const CELLS_AFTER: usize = 1;
/// Steps of an induction with new invariants that is tried at once.
const SHORT: usize = 4;
/// Where proofs are refined, invariants that cost much come after so many steps,
const MANY_STEPS: usize = 16;
/// or after so many ticks, with some more for each edge of the program.
const PATIENCE: u64 = 3_000_000;
const PATIENCE_FOR_AN_EDGE: u64 = 10_000;
/// And what costs less, once the search for errors has taken so many ticks for each edge: about what the analysis takes.
const TICKS_TO_ANALYSE_AN_EDGE: u64 = 300;
/// But not in small programs, where it takes less than this.
const TICKS_TO_ANALYSE: u64 = 100_000;
/// An induction gets as much as the search has spent, or so many ticks, or so many for each of its steps.
const TICKS_TO_PROVE: u64 = 2_500_000;
const TICKS_TO_PROVE_A_STEP: u64 = 500_000;

impl Kind {
    pub fn new(settings: KindSettings) -> Self {
        Kind { settings }
    }
}

impl Engine for Kind {
    fn run(&mut self, task: &Task, run: &mut Run<'_>) -> Result<Verdict, Stopped> {
        run.observer.phase("concrete runs");
        if let Some(found) = Concrete::new(task, run.seed, RUNS).search(run, FIRST_EDGES)? {
            return Ok(found);
        }
        let (mut terms, blocks) = match task.encoded(run) {
            Ok(encoded) => encoded,
            Err(why) => return Ok(Verdict::Unknown(why)),
        };
        let mut invariants = Invariants::new(task, &mut terms, blocks, run)?;
        if invariants.by_polynomials(task, &mut terms, blocks, run)? {
            let method = Method::Induction { depth: 1 };
            let proof = evidence::proof(task, &mut terms, blocks, &invariants.all(), method, &[]);
            return Ok(Verdict::Safe(Box::new(proof)));
        }
        run.observer.phase("induction");
        let mut pair = Pair::new(task, &mut terms, blocks, InBits::new);
        loop {
            let steps = pair.base.unrolling.n_steps() as u32;
            if self.settings.unwind.is_some_and(|unwind| steps > unwind) {
                return Ok(Verdict::Unknown(pair.bounded(steps)));
            }
            let round = match pair.search(task, &mut terms, blocks, run)? {
                Round::Open => pair.prove(task, &mut terms, blocks, &mut invariants, run)?,
                round => round,
            };
            match round {
                Round::Over(verdict) => return Ok(verdict),
                Round::Holds(method) => {
                    let hints = Hints::default();
                    let proof = proof(task, &mut terms, blocks, &invariants, method, &hints, run)?;
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
    /// Whether polynomial equations have been looked for when nothing else was left.
    is_multiplied: bool,
    /// Whether invariants about every cell of an array have been looked for.
    is_filled: bool,
    /// Edges of the program.
    n_edges: u64,
    /// Ticks of the search for errors.
    pub searched: u64,
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
            is_multiplied: J::HEARS_STATEMENTS,
            is_filled: J::HEARS_STATEMENTS || !writes_cells(task, terms, blocks),
            n_edges: task.program.edges.len() as u64,
            searched: 0,
        }
    }
    /// One step more from the entry.
    pub fn search(&mut self, task: &Task, terms: &mut Terms, blocks: &Blocks, run: &Run<'_>) -> Result<Round, Stopped> {
        let before = run.budget.left();
        let step = self.base.step(task, terms, blocks, run)?;
        self.searched += before.saturating_sub(run.budget.left());
        self.induction.patience = self.patience();
        Ok(match step {
            Step::Error(found) => Round::Over(Verdict::Unsafe(found)),
            Step::Clean => Round::Open,
            Step::Exhausted => match self.base.doubt.take() {
                None => Round::Holds(Method::Exhaustion { steps: self.base.unrolling.n_steps() as u32 }),
                Some(doubt) => Round::Over(Verdict::Unknown(doubt)),
            },
        })
    }
    /// Whether it is time to look for a proof after the last step. Where proofs are refined, they come after the first step,
    /// since what would be refined in vain there may not be asked any more once more is known; and they come
    /// ever more rarely, so that errors do not wait long for them.
    pub fn may_prove(&self) -> bool {
        let steps = self.base.unrolling.n_steps();
        let third = steps / 3;
        let is_rare = steps.is_power_of_two() || (steps == 3 * third && third.is_power_of_two());
        let is_worth_it = self.searched + TICKS_TO_ANALYSE >= TICKS_TO_ANALYSE_AN_EDGE * self.n_edges;
        !J::HEARS_STATEMENTS || (steps > EQUALITIES_AFTER && ((is_rare && is_worth_it) || self.is_late()))
    }
    /// Ticks for an induction.
    fn patience(&self) -> u64 {
        if !J::HEARS_STATEMENTS {
            return u64::MAX;
        }
        let steps = self.base.unrolling.n_steps() as u64;
        self.searched.max(TICKS_TO_PROVE).max(TICKS_TO_PROVE_A_STEP.saturating_mul(steps))
    }
    /// Whether the search for errors has gone on for long, so that invariants are worth what they cost.
    fn is_late(&self) -> bool {
        !J::HEARS_STATEMENTS
            || self.base.unrolling.n_steps() > MANY_STEPS
            || self.searched > PATIENCE + PATIENCE_FOR_AN_EDGE * self.n_edges
    }
    /// Looks for a proof within as many steps from anywhere.
    pub fn prove(
        &mut self,
        task: &Task,
        terms: &mut Terms,
        blocks: &Blocks,
        invariants: &mut Invariants,
        run: &Run<'_>,
    ) -> Result<Round, Stopped> {
        let news = invariants.read(terms, blocks, run);
        self.induction.learn(task, terms, blocks, &news);
        let steps = self.base.unrolling.n_steps() - 1;
        let mut holds = false;
        if steps >= CELLS_AFTER
            && !std::mem::replace(&mut self.is_filled, true)
            && let Some(proof) = self.by_cells(task, terms, blocks, invariants, run)?
        {
            return Ok(Round::Over(Verdict::Safe(Box::new(proof))));
        }
        if steps >= EQUALITIES_AFTER && !std::mem::replace(&mut self.is_compared, true) {
            holds = self.by_equalities(task, terms, blocks, invariants, run)?;
        } else if steps >= EXCLUSIONS_AFTER && self.is_late() && !std::mem::replace(&mut self.is_excluded, true) {
            run.observer.phase("exclusions");
            if let Some(found) = exclusions(task, terms, blocks, invariants, run)? {
                invariants.learn(terms, blocks, &found, "exclusions", run);
                holds = self.anew(task, terms, blocks, invariants, steps.min(SHORT), run)?;
            }
        } else if steps >= ORDERS_AFTER && self.is_late() && !std::mem::replace(&mut self.is_ordered, true) {
            run.observer.phase("orders");
            if let Some(found) = guarded(task, terms, blocks, invariants, run)? {
                invariants.learn(terms, blocks, &found, "orders", run);
                holds = self.anew(task, terms, blocks, invariants, steps.min(SHORT), run)?;
            }
        } else if steps >= J::RELATIONS_AFTER
            && self.is_late()
            && !invariants.relate(task, terms, blocks, run)?.is_empty()
        {
            holds = self.anew(task, terms, blocks, invariants, steps, run)?;
        } else if invariants.are_all_related() && !std::mem::replace(&mut self.is_multiplied, true) {
            if invariants.by_polynomials(task, terms, blocks, run)? && self.base.doubt.is_none() {
                return Ok(Round::Holds(Method::Induction { depth: 1 }));
            }
            run.observer.phase("induction");
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
    /// Looks for a proof about every cell of arrays, with ever more relations between variables to lean on.
    fn by_cells(
        &mut self,
        task: &Task,
        terms: &mut Terms,
        blocks: &Blocks,
        invariants: &mut Invariants,
        run: &Run<'_>,
    ) -> Result<Option<verdict::Proof>, Stopped> {
        loop {
            if self.base.doubt.is_some() {
                return Ok(None);
            }
            if let Some(proof) = by_cells(task, terms, blocks, invariants, run)? {
                return Ok(Some(proof));
            }
            let news = invariants.relate(task, terms, blocks, run)?;
            if news.is_empty() {
                return Ok(None);
            }
            self.induction.learn(task, terms, blocks, &news);
        }
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
        self.induction.patience = self.patience();
        for _ in 0..steps {
            if self.induction.step(task, terms, blocks, invariants, run)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
    /// Why nothing is known when no more steps are wanted.
    pub fn bounded(&mut self, steps: u32) -> Why {
        self.base.doubt.take().unwrap_or_else(|| Why::new(Code::Bounded, within(steps - 1)))
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
    run: &Run<'_>,
) -> Result<verdict::Proof, Stopped> {
    let known = match method {
        Method::Exhaustion { .. } | Method::Execution { .. } | Method::Enumeration { .. } => Vec::new(),
        Method::Induction { depth: 1 } if invariants.has_grown() => {
            needed(&task.program, terms, blocks, invariants.all(), run.budget)?
        }
        Method::Induction { .. } => invariants.all(),
    };
    let mut proof = evidence::proof(task, terms, blocks, &known, method, &hints.precise);
    let mut import = term::walk::Import::new();
    for &lemma in &hints.lemmas {
        proof.lemmas.extend(import.term(terms, &mut proof.terms, lemma));
    }
    Ok(proof)
}
