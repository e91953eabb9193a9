//! Looking ahead: runs into an error are also looked for by unrolling, without waiting for refinement. Where all runs end soon, that is a proof.
//!
//! Frames find an error only at the level where it is, and only after every abstract counterexample before has been ruled out. If the
//! error is not deep, an unrolling in bits from the entry finds it sooner. It gets a first allowance of ticks, and
//! from then on a share of what the search over frames has spent; an interrupted question is asked again with more. It has
//! a store and a solver of its own, so that the search does not depend on how far it came.

use base::{Budget, Stopped};
use encode::{ErrorExit, Unrolling};
use engine::{Context, evidence};
use smt::{Answer, Query, Solver};
use term::Terms;
use verdict::{Counterexample, Method, Proof};

use crate::tuning::Tuning;

/// An unrolling, and how far it is.
pub(crate) struct Ahead {
    terms: Terms,
    unrolling: Unrolling,
    solver: Solver,
    /// Errors of the last step that are not excluded yet.
    open: Vec<ErrorExit>,
    is_over: bool,
    /// All runs end, and none of them in an error.
    is_exhausted: bool,
    /// Ticks that were spent when the search began.
    began: u64,
    used: u64,
}

impl Ahead {
    /// `is_on`: whether it looks at all.
    pub fn new(cx: &Context<'_>, is_on: bool) -> Self {
        let mut terms = cx.terms.clone();
        let unrolling = Unrolling::from_entry(cx.program(), &mut terms, cx.blocks, "ahead");
        let mut solver = Solver::new();
        cx.blocks.axioms.iter().for_each(|&axiom| solver.assert(axiom));
        let began = cx.run.budget.spent();
        Ahead { terms, unrolling, solver, open: Vec::new(), is_over: !is_on, is_exhausted: false, began, used: 0 }
    }
    /// Goes on if it is time to.
    pub fn look(&mut self, cx: &Context<'_>) -> Result<Option<Counterexample>, Stopped> {
        let spent = cx.run.budget.spent().saturating_sub(self.began).saturating_sub(self.used);
        let allowed =
            (Tuning::DEFAULT.ahead_first_ticks + spent / Tuning::DEFAULT.ahead_share).saturating_sub(self.used);
        if self.is_over || allowed < Tuning::DEFAULT.ahead_least_ticks {
            return Ok(None);
        }
        let part = cx.run.budget.part(allowed);
        let answer = self.go_on(cx, &part);
        self.used += part.spent();
        match answer {
            Err(Stopped::OutOfTicks) => Ok(None),
            answer => answer,
        }
    }
    /// Continues with a larger budget: no other search is left.
    pub fn look_alone(&mut self, cx: &Context<'_>) -> Result<Option<Counterexample>, Stopped> {
        if self.is_over {
            return Ok(None);
        }
        match self.go_on(cx, &cx.run.budget.part(Tuning::DEFAULT.ahead_alone_ticks)) {
            Err(Stopped::OutOfTicks) => Ok(None),
            answer => answer,
        }
    }
    /// The proof that all runs end without an error, if they were seen to. Not the first choice: it says nothing about states, and a
    /// transition system that goes on where its program ends has no words for it.
    pub fn exhausted(&mut self, cx: &Context<'_>) -> Option<Proof> {
        let method = Method::Exhaustion { steps: self.unrolling.n_steps() as u32 };
        self.is_exhausted.then(|| evidence::proof(cx.task, &mut self.terms, cx.blocks, &[], method, &[]))
    }
    fn go_on(&mut self, cx: &Context<'_>, part: &Budget) -> Result<Option<Counterexample>, Stopped> {
        loop {
            while let Some(&ErrorExit { guard, assertion, .. }) = self.open.last() {
                let found = match self.solver.check(&self.terms, &Query::assuming(&[guard]), part)? {
                    Answer::Unsat(_) => None,
                    Answer::Sat(mut model) => {
                        let (inputs, mut value) = (&self.unrolling.inputs, |term| model.value(term));
                        Some(evidence::counterexample_with(cx.task, inputs, assertion, &mut value))
                    }
                    Answer::Unknown(_) => {
                        self.is_over = true;
                        return Ok(None);
                    }
                };
                match found {
                    None => {
                        let never = self.terms.not(guard);
                        self.solver.assert(never);
                    }
                    Some(found) if (cx.run.replay)(&found).is_ok() => return Ok(Some(found)),
                    // The search over frames finds out what is the matter.
                    Some(_) => self.is_over = true,
                }
                self.open.pop();
            }
            if !self.is_over && self.unrolling.n_steps() > 0 {
                self.prune(part)?;
                if self.unrolling.is_exhausted() {
                    self.is_over = true;
                    self.is_exhausted = true;
                }
            }
            if self.is_over || self.terms.len() > Tuning::DEFAULT.ahead_max_terms {
                self.is_over = true;
                return Ok(None);
            }
            let before = self.terms.len();
            self.unrolling.advance(cx.program(), &mut self.terms, cx.blocks);
            // Steps without a question are not for nothing either.
            let grown = (self.terms.len() - before) as u64;
            let spent = part.spend(Tuning::DEFAULT.ahead_step_ticks + 4 * grown);
            self.open = self.unrolling.last_errors().to_vec();
            spent?;
        }
    }
    /// Forgets states that cannot be: when none is left, no run takes another step.
    fn prune(&mut self, part: &Budget) -> Result<(), Stopped> {
        let states: Vec<_> = self.unrolling.last().states.iter().map(|(&cut, state)| (cut, state.guard)).collect();
        for (cut, guard) in states {
            // The answer only saves work.
            let curious = part.part(Tuning::DEFAULT.ahead_reachability_ticks);
            let answer = self.solver.check(&self.terms, &Query::assuming(&[guard]), &curious);
            let is_impossible = matches!(answer, Ok(Answer::Unsat(_)));
            let stopped = answer.err();
            match stopped {
                Some(Stopped::Cancelled) => return Err(Stopped::Cancelled),
                _ if is_impossible => self.unrolling.prune(cut),
                _ => {}
            }
        }
        Ok(())
    }
}
