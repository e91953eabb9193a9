//! k-induction [SheeranSinghStalmarck-FMCAD'00]: no error within k steps from the entry, and none in the k-th step from
//! anywhere when the steps before it met none; then there is none at all.
//!
//! Steps lead from cutpoint to cutpoint, so k counts loop iterations. Both unrollings grow by one step at a
//! time, each with its own solver. Unlike the paper we add no simple-path constraints: they prove finite systems in the
//! end, but such a proof cannot be re-checked cheaply.

use base::{IndexVec, Stopped};
use encode::Cut;
use engine::invariants::{Brought, Moment, Schedule};
use engine::{Context, Engine, Invariants, Run, Task, are_apart, evidence, needed};
use program::{AssertionId, Mark};
use term::Term;
use verdict::{Code, Method, Verdict, Why};

use crate::bmc::within;
use crate::concrete::Concrete;
use crate::induction::Induction;
use crate::oracle::{Hints, InBits, Oracle};
use crate::search::{Search, Step};
use crate::settings::KindSettings;
use crate::tuning::Tuning;

/// The engine.
pub(crate) struct Kind {
    settings: KindSettings,
}

impl Kind {
    pub fn new(settings: KindSettings) -> Self {
        Kind { settings }
    }
}

impl Engine for Kind {
    fn run(&mut self, task: &Task, run: &mut Run<'_>) -> Result<Verdict, Stopped> {
        run.observer.phase("concrete runs");
        if let Some(found) =
            Concrete::new(task, run.seed, Tuning::DEFAULT.kind_runs).search(run, Tuning::DEFAULT.kind_first_edges)?
        {
            return Ok(found);
        }
        let (mut terms, blocks) = match task.encoded(run) {
            Ok(encoded) => encoded,
            Err(why) => return Ok(Verdict::Unknown(why)),
        };
        let cx = &mut Context::new(task, &mut terms, blocks, run);
        let mut invariants = Invariants::new(cx)?;
        if invariants.by_polynomials(cx)? {
            let method = Method::Induction { depth: 1 };
            let proof = evidence::proof(task, cx.terms, blocks, &invariants.all(), method, &[]);
            return Ok(Verdict::Safe(Box::new(proof)));
        }
        run.observer.phase("induction");
        let mut pair = Pair::new(cx, InBits::new);
        loop {
            let steps = pair.base.unrolling.n_steps() as u32;
            if self.settings.unwind.is_some_and(|unwind| steps > unwind) {
                return Ok(Verdict::Unknown(pair.bounded(steps)));
            }
            let round = match pair.search(cx)? {
                Round::Open => pair.prove(cx, &mut invariants)?,
                round => round,
            };
            match round {
                Round::Over(verdict) => return Ok(verdict),
                Round::Holds(method) => {
                    let proof = proof(cx, &invariants, method, &Hints::default())?;
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
    /// Where more invariants come from.
    sources: Schedule,
    /// Edges of the program.
    n_edges: u64,
    /// Ticks of the search for errors.
    pub searched: u64,
    /// Assertions whose proof did not pass the check.
    refused: Vec<AssertionId>,
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

/// What more invariants did for the induction.
enum Strengthened {
    /// The round is decided.
    Over(Round),
    /// It holds.
    Holds,
    /// It may hold with the next step.
    Open,
}

impl<J: Oracle> Pair<J> {
    pub fn new(cx: &mut Context<'_>, oracle: impl Fn() -> J) -> Self {
        Pair {
            base: Search::new(cx, oracle()),
            induction: Induction::new(cx, oracle()),
            sources: Schedule::new(J::SOURCES),
            n_edges: cx.program().edges.len() as u64,
            searched: 0,
            refused: Vec::new(),
        }
    }
    /// One step more from the entry.
    pub fn search(&mut self, cx: &mut Context<'_>) -> Result<Round, Stopped> {
        if cx.run.is_settled(cx.program()) {
            return Ok(Round::Over(Verdict::Unknown(Why::new(Code::GaveUp, "each assertion has its verdict"))));
        }
        let before = cx.run.budget.left();
        let step = self.base.step(cx)?;
        self.searched += before.saturating_sub(cx.run.budget.left());
        self.induction.ticks_left = self.induction_ticks();
        Ok(match step {
            Step::Error(found) => Round::Over(Verdict::Unsafe(found)),
            Step::Clean => Round::Open,
            Step::Exhausted => match self.base.doubt.take() {
                Some(doubt) if cx.run.each.is_some() => {
                    let method = Method::Exhaustion { steps: self.base.unrolling.n_steps() as u32 };
                    self.settle(cx, &Invariants::none(cx.blocks), method, &[])?;
                    Round::Over(Verdict::Unknown(doubt))
                }
                None => Round::Holds(Method::Exhaustion { steps: self.base.unrolling.n_steps() as u32 }),
                Some(doubt) => Round::Over(Verdict::Unknown(doubt)),
            },
        })
    }
    /// Whether it is time to look for a proof after the last step. Where proofs are refined, they come after the first step,
    /// since what would be refined in vain there may not be asked any more once more is known; and they come
    /// ever more rarely, so that errors do not wait long for them.
    pub fn proof_due(&self) -> bool {
        let steps = self.base.unrolling.n_steps();
        let third = steps / 3;
        let is_rare = steps.is_power_of_two() || (steps == 3 * third && third.is_power_of_two());
        let is_worth_it = self.searched + Tuning::DEFAULT.proof_at_once_ticks
            >= Tuning::DEFAULT.proof_after_edge_ticks * self.n_edges;
        !J::TRACKS_STATEMENTS
            || (steps > Tuning::DEFAULT.first_proof_after_steps && ((is_rare && is_worth_it) || self.is_late()))
    }
    /// Ticks for an induction.
    fn induction_ticks(&self) -> u64 {
        if !J::TRACKS_STATEMENTS {
            return u64::MAX;
        }
        let steps = self.base.unrolling.n_steps() as u64;
        self.searched.max(Tuning::DEFAULT.proof_ticks).max(Tuning::DEFAULT.proof_step_ticks.saturating_mul(steps))
    }
    /// Whether the search for errors has gone on for long, so that invariants are worth what they cost.
    fn is_late(&self) -> bool {
        !J::TRACKS_STATEMENTS
            || self.base.unrolling.n_steps() > Tuning::DEFAULT.late_after_steps
            || self.searched > Tuning::DEFAULT.late_after_ticks + Tuning::DEFAULT.late_after_edge_ticks * self.n_edges
    }
    /// Looks for a proof within as many steps from anywhere.
    pub fn prove(&mut self, cx: &mut Context<'_>, invariants: &mut Invariants) -> Result<Round, Stopped> {
        let news = invariants.read(cx);
        self.induction.learn(cx, &news);
        let mut holds = match self.strengthen(cx, invariants)? {
            Strengthened::Over(round) => return Ok(round),
            Strengthened::Holds => true,
            Strengthened::Open => false,
        };
        while !holds && self.induction.unrolling.n_steps() < self.base.unrolling.n_steps() {
            holds = self.induction.step(cx, invariants)?;
            if !holds {
                self.settle_excluded(cx, invariants)?;
            }
        }
        if holds && self.base.doubt.is_none() {
            return Ok(Round::Holds(Method::Induction { depth: self.induction.unrolling.n_steps() as u32 }));
        }
        Ok(Round::Open)
    }
    /// Passes on the verdict about the assertions that cannot fail in the last step of the induction.
    fn settle_excluded(&mut self, cx: &mut Context<'_>, invariants: &Invariants) -> Result<(), Stopped> {
        let method = Method::Induction { depth: self.induction.unrolling.n_steps() as u32 };
        let open = self.induction.open.clone();
        self.settle(cx, invariants, method, &open)
    }
    /// Passes on that all assertions but these hold, if single verdicts are wanted.
    fn settle(
        &mut self,
        cx: &mut Context<'_>,
        invariants: &Invariants,
        method: Method,
        open: &[AssertionId],
    ) -> Result<(), Stopped> {
        let Some(each) = cx.run.each else { return Ok(()) };
        let Pair { base, induction, .. } = self;
        let apart = [open, &base.doubted, &self.refused];
        let mut held: Vec<AssertionId> = Vec::new();
        for location in &cx.program().locations {
            if let Mark::Error(assertion) = location.mark
                && each.is_open(assertion)
                && !apart.iter().any(|list| list.contains(&assertion))
                && !held.contains(&assertion)
            {
                held.push(assertion);
            }
        }
        if held.is_empty() || !are_apart(cx.program()) {
            return Ok(());
        }
        let mut hints = base.oracle.hints();
        let Hints { precise, lemmas } = induction.oracle.hints();
        hints.precise.extend(precise);
        hints.lemmas.extend(lemmas);
        let blocks = cx.blocks.with_errors(|assertion| held.contains(&assertion));
        let proof = proof(&mut cx.with_blocks(&blocks), invariants, method, &hints)?;
        if !each.settle(&held, Verdict::Safe(Box::new(proof)))? {
            self.refused.extend(held);
        }
        cx.run.observer.phase("induction");
        Ok(())
    }
    /// Asks the source of invariants that is due, and tries the induction again with what it brings.
    fn strengthen(&mut self, cx: &mut Context<'_>, invariants: &mut Invariants) -> Result<Strengthened, Stopped> {
        let steps = self.base.unrolling.n_steps() - 1;
        loop {
            let now = Moment {
                steps,
                is_late: self.is_late(),
                is_sure: self.base.doubt.is_none(),
                are_all_related: invariants.are_all_related(),
            };
            let Some(brought) = self.sources.ask(&now, cx, invariants, &self.base.unrolling)? else {
                return Ok(Strengthened::Open);
            };
            let holds = match brought {
                Brought::Nothing => continue,
                Brought::News(news) => {
                    self.induction.learn(cx, &news);
                    continue;
                }
                Brought::NothingYet => false,
                Brought::More { steps: at_most } => self.anew(cx, invariants, steps.min(at_most))?,
                Brought::Instead(others) => self.alone_or_with(cx, invariants, &others)?,
                Brought::Enough if now.is_sure => {
                    return Ok(Strengthened::Over(Round::Holds(Method::Induction { depth: 1 })));
                }
                Brought::Enough => {
                    cx.run.observer.phase("induction");
                    false
                }
                Brought::Proof(proof) => return Ok(Strengthened::Over(Round::Over(Verdict::Safe(proof)))),
            };
            return Ok(if holds { Strengthened::Holds } else { Strengthened::Open });
        }
    }
    /// Whether the invariants make an induction hold, if possible alone: what is not needed would have to be checked again.
    fn alone_or_with(
        &mut self,
        cx: &mut Context<'_>,
        invariants: &mut Invariants,
        others: &IndexVec<Cut, Vec<Term>>,
    ) -> Result<bool, Stopped> {
        let steps = self.base.unrolling.n_steps();
        if self.anew(cx, invariants, steps)? {
            return Ok(true);
        }
        for (cut, others) in others.iter_enumerated() {
            invariants.at[cut].extend(others);
        }
        self.anew(cx, invariants, steps)
    }
    /// Begins the induction again: with other invariants a shorter one is enough, more often than not, and that is easier
    /// to check again. Whether it holds within `steps` steps.
    fn anew(&mut self, cx: &mut Context<'_>, invariants: &Invariants, steps: usize) -> Result<bool, Stopped> {
        cx.run.observer.phase("induction");
        self.induction = Induction::new(cx, self.induction.oracle.fresh());
        self.induction.ticks_left = self.induction_ticks();
        for _ in 0..steps {
            if self.induction.step(cx, invariants)? {
                return Ok(true);
            }
            self.settle_excluded(cx, invariants)?;
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
    cx: &mut Context<'_>,
    invariants: &Invariants,
    method: Method,
    hints: &Hints,
) -> Result<verdict::Proof, Stopped> {
    let wanted = cx.run.each.map(|each| cx.blocks.with_errors(|assertion| each.is_open(assertion)));
    let cx = &mut cx.with_blocks(wanted.as_ref().unwrap_or(cx.blocks));
    let known = match method {
        Method::Exhaustion { .. }
        | Method::Execution { .. }
        | Method::Enumeration { .. }
        | Method::Unrolling { .. } => Vec::new(),
        Method::Induction { depth: 1 } if invariants.has_grown() => needed(cx, invariants.all())?,
        Method::Induction { .. } => invariants.all(),
    };
    let mut proof = evidence::proof(cx.task, cx.terms, cx.blocks, &known, method, &hints.precise);
    let mut import = term::walk::Import::new();
    for &lemma in &hints.lemmas {
        proof.lemmas.extend(import.term(cx.terms, &mut proof.terms, lemma));
    }
    Ok(proof)
}
