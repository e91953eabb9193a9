//! The search for an error from the entry, one step at a time; `bmc` and `kind` share it.

use base::Stopped;
use encode::{Blocks, Unrolling};
use engine::{Run, Task, evidence};
use smt::{Answer, Query, Solver};
use term::{Term, Terms};
use verdict::{Counterexample, Why};

/// Ticks for the question whether a run can be at some place at all: worth little, since it only saves work.
const CURIOSITY: u64 = 200_000;

/// An unrolling from the entry with the solver that judges it.
pub(crate) struct Search {
    pub unrolling: Unrolling,
    solver: Solver,
    /// The first error that replay did not confirm, and why.
    pub doubt: Option<Why>,
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

impl Search {
    pub fn new(task: &Task, terms: &mut Terms, blocks: &Blocks) -> Self {
        let mut solver = Solver::new();
        for &axiom in &blocks.axioms {
            solver.assert(axiom);
        }
        let unrolling = Unrolling::from_entry(&task.program, terms, blocks, "bmc");
        Search { unrolling, solver, doubt: None }
    }
    /// One more step.
    pub fn step(&mut self, task: &Task, terms: &mut Terms, blocks: &Blocks, run: &Run<'_>) -> Result<Step, Stopped> {
        self.unrolling.advance(&task.program, terms, blocks);
        run.budget.spend(1)?;
        if let Some(found) = self.find_error(task, terms, blocks, run)? {
            return Ok(Step::Error(found));
        }
        self.prune(terms, run)?;
        Ok(if self.unrolling.is_exhausted() { Step::Exhausted } else { Step::Clean })
    }
    fn find_error(
        &mut self,
        task: &Task,
        terms: &mut Terms,
        blocks: &Blocks,
        run: &Run<'_>,
    ) -> Result<Option<Counterexample>, Stopped> {
        let errors = self.unrolling.last_errors().to_vec();
        for error in errors {
            let query = Query::assuming(std::slice::from_ref(&error.guard));
            match self.solver.check(terms, &query, run.budget)? {
                Answer::Sat(mut model) => {
                    let found = evidence::counterexample(task, &self.unrolling.inputs, error.assertion, &mut model);
                    match (run.replay)(&found) {
                        Ok(()) => return Ok(Some(found)),
                        Err(why) => {
                            let why = evidence::unconfirmed(task, blocks, why);
                            self.doubt = Some(self.doubt.take().unwrap_or(why));
                        }
                    }
                }
                Answer::Unsat(_) => {
                    let never = terms.not(error.guard);
                    self.solver.assert(never);
                }
                Answer::Unknown(why) => {
                    self.doubt = Some(self.doubt.take().unwrap_or_else(|| Why::GaveUp(why.to_owned())));
                }
            }
        }
        Ok(None)
    }
    /// Forgets states that cannot be.
    fn prune(&mut self, terms: &Terms, run: &Run<'_>) -> Result<(), Stopped> {
        let states: Vec<(encode::Cut, Term)> =
            self.unrolling.last().states.iter().map(|(&cut, state)| (cut, state.guard)).collect();
        for (cut, guard) in states {
            let query = Query::assuming(std::slice::from_ref(&guard));
            match self.solver.check(terms, &query, &run.budget.at_most(CURIOSITY)) {
                Ok(Answer::Unsat(_)) => self.unrolling.prune(cut),
                Ok(_) | Err(Stopped::OutOfTicks) => {}
                Err(stopped) => return Err(stopped),
            }
        }
        Ok(())
    }
}
