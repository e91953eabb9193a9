//! The inductive step of k-induction: whether an error can come after so many steps without one, from anywhere.
//!
//! The states satisfy the invariants that the analysis and other engines have proved, at every step; without
//! them, little is inductive.

use base::Stopped;
use encode::{Cut, Unrolling};
use engine::{Context, Invariants};
use term::Term;

use crate::judge::{Finding, Judge, Worth};
use crate::search::at_layer;
use crate::tuning::Tuning;

/// An unrolling from anywhere with the judge of what can be in it.
pub(crate) struct Induction<J> {
    pub unrolling: Unrolling,
    pub judge: J,
    /// Ticks for all steps until more are granted.
    pub patience: u64,
}

impl<J: Judge> Induction<J> {
    pub fn new(cx: &mut Context<'_>, mut judge: J) -> Self {
        for &axiom in &cx.blocks.axioms {
            judge.assume(axiom);
        }
        let mut unrolling = Unrolling::from_anywhere(cx.program(), cx.terms, cx.blocks, "step");
        if J::HEARS_STATEMENTS {
            unrolling.keep_statements();
        }
        Induction { unrolling, judge, patience: u64::MAX }
    }
    /// New invariants hold at all steps so far.
    pub fn learn(&mut self, cx: &mut Context<'_>, news: &[(Cut, Term)]) {
        for layer in 0..self.unrolling.layers.len().saturating_sub(1) {
            for &(cut, term) in news {
                self.assume(cx, layer, cut, term);
            }
        }
    }
    /// The invariant holds whenever a run is at the cutpoint after so many steps.
    fn assume(&mut self, cx: &mut Context<'_>, layer: usize, cut: Cut, term: Term) {
        if let Some(formula) = at_layer(cx, &self.unrolling.layers[layer], cut, term) {
            self.judge.assume(formula);
        }
    }
    /// One more step; whether no error can come in it.
    pub fn step(&mut self, cx: &mut Context<'_>, invariants: &Invariants) -> Result<bool, Stopped> {
        let layer = self.unrolling.n_steps();
        for (cut, term) in invariants.all() {
            self.assume(cx, layer, cut, term);
        }
        self.unrolling.advance(cx.program(), cx.terms, cx.blocks);
        self.judge.hear(cx.terms, &self.unrolling);
        let mut holds = true;
        let ticks = Tuning::DEFAULT.induction_step_ticks.saturating_mul(1 + layer as u64);
        let errors: Vec<Term> = self.unrolling.last_errors().iter().map(|error| error.guard).collect();
        for guard in errors {
            if holds {
                let limited = cx.run.budget.part(ticks.min(self.patience));
                match self.judge.ask(cx.terms, guard, Worth::All, &limited) {
                    Ok(Finding::Impossible) => {}
                    Ok(_) | Err(Stopped::OutOfTicks) => holds = false,
                    Err(stopped) => return Err(stopped),
                }
                self.patience = self.patience.saturating_sub(limited.spent());
            }
            // From here on: runs that went on had no error in this step.
            let never = cx.terms.not(guard);
            self.judge.assume(never);
        }
        Ok(holds)
    }
}
