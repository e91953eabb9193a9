//! The inductive step of k-induction: whether an error can come after k steps without one, from any state.
//!
//! The states satisfy the invariants that the analysis and other engines have proved, at every step; without
//! them, little is inductive.

use base::Stopped;
use encode::{Cut, ErrorExit, Unrolling};
use engine::{Context, Invariants};
use program::{AssertionId, Mark};
use term::Term;

use crate::local::Local;
use crate::oracle::{Finding, Oracle, Worth};
use crate::search::at_layer;
use crate::tuning::Tuning;

/// An unrolling from any state, with its query backend.
pub(crate) struct Induction<J> {
    pub unrolling: Unrolling,
    pub oracle: J,
    /// The same facts, for queries about single errors; where there are few errors, one solver is better.
    local: Option<Local>,
    /// Ticks for all steps until more are granted.
    pub ticks_left: u64,
    /// The assertions that may fail in the last step, as far as it is known.
    pub open: Vec<AssertionId>,
}

impl<J: Oracle> Induction<J> {
    pub fn new(cx: &mut Context<'_>, mut oracle: J) -> Self {
        let n_errors = cx.program().locations.iter().filter(|info| matches!(info.mark, Mark::Error(_))).count();
        let is_divided = !J::TRACKS_STATEMENTS && n_errors >= Tuning::DEFAULT.local_query_errors;
        let mut local = is_divided.then(Local::default);
        for &axiom in &cx.blocks.axioms {
            oracle.assume(axiom);
            local.iter_mut().for_each(|local| local.add(cx.terms, axiom));
        }
        let mut unrolling = Unrolling::from_anywhere(cx.program(), cx.terms, cx.blocks, "step");
        if J::TRACKS_STATEMENTS {
            unrolling.keep_statements();
        }
        Induction { unrolling, oracle, local, ticks_left: u64::MAX, open: Vec::new() }
    }
    /// New invariants hold at all steps so far.
    pub fn learn(&mut self, cx: &mut Context<'_>, news: &[(Cut, Term)]) {
        for layer in 0..self.unrolling.layers.len().saturating_sub(1) {
            for &(cut, term) in news {
                self.assume(cx, layer, cut, term);
            }
        }
    }
    /// The invariant holds whenever a run is at the cutpoint after `layer` steps.
    fn assume(&mut self, cx: &mut Context<'_>, layer: usize, cut: Cut, term: Term) {
        if let Some(formula) = at_layer(cx, &self.unrolling.layers[layer], cut, term) {
            self.fact(cx, formula);
        }
    }
    fn fact(&mut self, cx: &mut Context<'_>, formula: Term) {
        self.oracle.assume(formula);
        self.local.iter_mut().for_each(|local| local.add(cx.terms, formula));
    }
    /// Whether an error is excluded; an error if the whole run is to stop.
    fn excludes(&mut self, cx: &mut Context<'_>, guard: Term, ticks: u64) -> Result<bool, Stopped> {
        if let Some(local) = &self.local {
            let limited = cx.run.budget.part(ticks.min(self.ticks_left));
            let is_excluded = local.excludes(cx.terms, guard, &limited)?;
            self.ticks_left = self.ticks_left.saturating_sub(limited.spent());
            if is_excluded {
                return Ok(true);
            }
        }
        let limited = cx.run.budget.part(ticks.min(self.ticks_left));
        let is_excluded = match self.oracle.ask(cx.terms, guard, Worth::All, &limited) {
            Ok(finding) => matches!(finding, Finding::Unsat),
            Err(Stopped::OutOfTicks) => false,
            Err(stopped) => return Err(stopped),
        };
        self.ticks_left = self.ticks_left.saturating_sub(limited.spent());
        Ok(is_excluded)
    }
    /// One more step; whether no error can come in it.
    pub fn step(&mut self, cx: &mut Context<'_>, invariants: &Invariants) -> Result<bool, Stopped> {
        let layer = self.unrolling.n_steps();
        for (cut, term) in invariants.all() {
            self.assume(cx, layer, cut, term);
        }
        self.unrolling.advance(cx.program(), cx.terms, cx.blocks);
        self.oracle.track_step(cx.terms, &self.unrolling);
        let mut holds = true;
        let ticks = Tuning::DEFAULT.induction_step_ticks.saturating_mul(1 + layer as u64);
        let errors = self.unrolling.last_errors().to_vec();
        self.open.clear();
        for ErrorExit { guard, assertion, .. } in errors {
            // For one verdict about all, one error that is not excluded is enough.
            let is_asked = cx.run.is_wanted(assertion) && !self.open.contains(&assertion);
            if is_asked && (holds || cx.run.each.is_some()) {
                let n_refined = cx.run.each.map_or(0, |_| self.oracle.n_refined());
                if !self.excludes(cx, guard, ticks)? {
                    holds = false;
                    self.open.push(assertion);
                }
                if let Some(each) = cx.run.each {
                    each.refined(assertion, self.oracle.n_refined().saturating_sub(n_refined) as u64);
                }
            }
            // From here on: runs that went on had no error in this step.
            let never = cx.terms.not(guard);
            self.fact(cx, never);
        }
        Ok(holds)
    }
}
