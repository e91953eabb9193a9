//! Polynomial equations, taken if they alone leave no error at the end of the next block.
//!
//! In circuits they would only be a burden, so nothing is proved with them but the whole program. Where they come from is said
//! in `relations::polynomials`.

use base::{Budget, IndexVec, Stopped};
use encode::{Cut, CutKind};
use smt::{Answer, Query, Solver};
use term::{Term, Terms};

use super::Invariants;
use crate::context::Context;
use crate::relations::{CHEAP_STAGES, as_numbers, exclude, fewest, multiplies, polynomials};
use crate::tuning::Tuning;

impl Invariants {
    /// Looks for polynomial equations, and takes them if with them every error at the end of the next block is excluded:
    /// then there is nothing left to prove. In circuits they would only be a burden.
    pub fn by_polynomials(&mut self, cx: &mut Context<'_>) -> Result<bool, Stopped> {
        // Loops in loops multiply without saying so; there it is worth a try once all else has been tried.
        let is_last_try = self.are_all_related();
        if !multiplies(cx.terms, cx.blocks) && !is_last_try {
            return Ok(false);
        }
        // Linear equations leave fewer variables to multiply, and bounds say where loops end; but both may take long.
        loop {
            cx.run.observer.phase("polynomials");
            let part = cx.run.budget.part(Tuning::DEFAULT.polynomials_ticks);
            let found = match polynomials(&mut cx.within(&part), &self.at) {
                Err(Stopped::OutOfTicks) => return Ok(false),
                found => found?,
            };
            if self.exclude_errors(&mut cx.within(&part), &found) {
                let is_enough = |cx: &mut Context<'_>, found: &IndexVec<Cut, Vec<Term>>| self.exclude_errors(cx, found);
                let found = match fewest(&mut cx.within(&part), &self.at, found.clone(), is_enough) {
                    Err(Stopped::OutOfTicks) => found,
                    fewer => fewer?,
                };
                self.learn(cx, &found, "polynomials");
                return Ok(true);
            }
            if self.stage >= CHEAP_STAGES || self.relate(cx)?.is_empty() {
                return Ok(false);
            }
        }
    }
    /// Whether every error at the end of a block is excluded with these equations: by polynomials alone, or soon by a solver.
    fn exclude_errors(&self, cx: &mut Context<'_>, found: &IndexVec<Cut, Vec<Term>>) -> bool {
        let (blocks, budget) = (cx.blocks, cx.run.budget);
        let terms = &mut *cx.terms;
        for (from, block) in blocks.blocks.iter_enumerated() {
            for exit in &block.exits {
                if matches!(blocks.cutpoints[exit.to].kind, CutKind::Error(_)) {
                    let Ok(exact) = as_numbers(terms, &[], &self.at[from], exit.guard, budget) else { return false };
                    let known = self.at[from].iter().chain(&found[from]).chain(&exact).copied();
                    let formulas: Vec<Term> = known.chain([exit.guard]).collect();
                    let without: Vec<Term> = self.at[from].iter().copied().chain([exit.guard]).collect();
                    // The first ones have the lowest degrees.
                    let some: Vec<Term> = without
                        .iter()
                        .chain(found[from].iter().take(Tuning::DEFAULT.polynomials_in_bits))
                        .copied()
                        .collect();
                    if !exclude(terms, &formulas, budget).unwrap_or(false)
                        && !is_impossible(terms, &without, &budget.part(Tuning::DEFAULT.polynomials_error_ticks))
                        && !is_impossible(terms, &some, &budget.part(Tuning::DEFAULT.polynomials_late_error_ticks))
                    {
                        return false;
                    }
                }
            }
        }
        true
    }
}

/// Whether a solver soon sees that not all of these can hold.
fn is_impossible(terms: &Terms, formulas: &[Term], budget: &Budget) -> bool {
    let mut solver = Solver::new();
    matches!(solver.check(terms, &Query::assuming(formulas), budget), Ok(Answer::Unsat(_)))
}
