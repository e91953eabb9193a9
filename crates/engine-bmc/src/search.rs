//! The search for an error from the entry, one step at a time; all engines here share it. Where a verdict about each assertion is wanted,
//! an error that was found is passed on, and the search goes on for the others in the same solver.

use base::Stopped;
use encode::{Cut, Layer, Unrolling};
use engine::{Context, Invariants, evidence};
use program::AssertionId;
use term::{Substitution, Term};
use verdict::{Code, Counterexample, Verdict, Why};

use crate::oracle::{Finding, Oracle, Worth};
use crate::tuning::Tuning;

/// An unrolling from the entry, with its query backend.
pub(crate) struct Search<J> {
    pub unrolling: Unrolling,
    pub oracle: J,
    /// The first error that replay did not confirm, and why.
    pub doubt: Option<Why>,
    /// The assertions of such errors.
    pub doubted: Vec<AssertionId>,
    /// The ticks that were left when it began.
    began: u64,
}

/// What a step brought.
pub(crate) enum Step {
    /// An error.
    Error(Counterexample),
    /// No error in this step.
    Clean,
    /// No error, and no run takes another step.
    Exhausted,
}

impl<J: Oracle> Search<J> {
    pub fn new(cx: &mut Context<'_>, mut oracle: J) -> Self {
        for &axiom in &cx.blocks.axioms {
            oracle.assume(axiom);
        }
        let mut unrolling = Unrolling::from_entry(cx.program(), cx.terms, cx.blocks, "bmc");
        if J::TRACKS_STATEMENTS {
            unrolling.keep_statements();
        }
        Search { unrolling, oracle, doubt: None, doubted: Vec::new(), began: 0 }
    }
    /// What is invariant holds in the states that were reached last.
    pub fn learn(&mut self, cx: &mut Context<'_>, invariants: &Invariants) {
        for (cut, term) in invariants.all() {
            if let Some(formula) = at_layer(cx, self.unrolling.last(), cut, term) {
                self.oracle.note(formula);
            }
        }
    }
    /// One more step.
    pub fn step(&mut self, cx: &mut Context<'_>) -> Result<Step, Stopped> {
        self.unrolling.advance(cx.program(), cx.terms, cx.blocks);
        self.oracle.track_step(cx.terms, &self.unrolling);
        self.began = self.began.max(cx.run.budget.left());
        cx.run.budget.spend(1)?;
        if let Some(found) = self.find_error(cx)? {
            return Ok(Step::Error(found));
        }
        self.prune(cx)?;
        Ok(if self.unrolling.is_exhausted() { Step::Exhausted } else { Step::Clean })
    }
    fn find_error(&mut self, cx: &mut Context<'_>) -> Result<Option<Counterexample>, Stopped> {
        let errors = self.unrolling.last_errors().to_vec();
        for error in errors {
            if !cx.run.is_wanted(error.assertion) {
                continue;
            }
            let inputs = &self.unrolling.inputs;
            let n_refined = cx.run.each.map_or(0, |_| self.oracle.n_refined());
            let answer = match self.oracle.ask(cx.terms, error.guard, Worth::All, cx.run.budget)? {
                Finding::Unsat => Ok(None),
                Finding::Unknown(why) => Err(why),
                Finding::Sat(mut values) => {
                    let mut value = |term| values.value(term);
                    Ok(Some(evidence::counterexample_with(cx.task, inputs, error.assertion, &mut value)))
                }
            };
            if let Some(each) = cx.run.each {
                each.refined(error.assertion, self.oracle.n_refined().saturating_sub(n_refined) as u64);
            }
            let doubt = match answer {
                Ok(None) => {
                    let never = cx.terms.not(error.guard);
                    self.oracle.note(never);
                    continue;
                }
                Ok(Some(found)) => match (cx.run.replay)(&found) {
                    Ok(()) => match cx.run.each {
                        None => return Ok(Some(found)),
                        Some(each) if each.settle(&[error.assertion], Verdict::Unsafe(found))? => continue,
                        Some(_) => Why::new(Code::Rejected, "the error was not confirmed"),
                    },
                    Err(why) => evidence::unconfirmed(cx.task, cx.blocks, why),
                },
                Err(why) => Why::new(Code::Solver, why),
            };
            self.doubt = Some(self.doubt.take().unwrap_or(doubt));
            self.doubted.push(error.assertion);
        }
        Ok(None)
    }
    /// Forgets states that cannot be.
    fn prune(&mut self, cx: &mut Context<'_>) -> Result<(), Stopped> {
        let states: Vec<(Cut, Term)> =
            self.unrolling.last().states.iter().map(|(&cut, state)| (cut, state.guard)).collect();
        let steps = self.unrolling.n_steps();
        let (worth, ticks) = if steps >= Tuning::DEFAULT.exhaustion_after_steps && steps.is_power_of_two() {
            (Worth::All, Tuning::DEFAULT.exhaustion_ticks.max(self.began.saturating_sub(cx.run.budget.left()) / 2))
        } else {
            (Worth::Little, Tuning::DEFAULT.reachability_ticks)
        };
        for (cut, guard) in states {
            let limited = cx.run.budget.part(ticks);
            match self.oracle.ask(cx.terms, guard, worth, &limited) {
                Ok(Finding::Unsat) => self.unrolling.prune(cut),
                Ok(_) | Err(Stopped::OutOfTicks) => {}
                Err(stopped) => return Err(stopped),
            }
        }
        Ok(())
    }
}

/// That the formula holds whenever a run is at the cutpoint in this layer; none if no run is.
pub(crate) fn at_layer(cx: &mut Context<'_>, layer: &Layer, cut: Cut, term: Term) -> Option<Term> {
    let state = layer.states.get(&cut)?;
    let symbols = cx.blocks.cutpoints[cut].state.iter().map(|&var| cx.program().vars[var].term);
    let pairs: Vec<(Term, Term)> = symbols.zip(state.values.iter().copied()).collect();
    let here = Substitution::new(cx.terms, &pairs).apply(cx.terms, term);
    Some(cx.terms.implies(state.guard, here))
}
