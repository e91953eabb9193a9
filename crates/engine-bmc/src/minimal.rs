//! Afterwards: the statements that a proof cannot do without.
//!
//! Everything that was found impossible is asked again by a new solver in which fewer statements are read in
//! bits; statements are left out one by one for as long as nothing becomes possible. The result is minimal: none of
//! what is left can go. Another order might have given a smaller one; the paper's `Min` is computed offline too.

use base::{Budget, Stopped};
use program::EdgeId;
use smt::{Answer, Evaluation, Query, Reading, Solver};
use term::Terms;

use engine::Run;

use crate::oracle::{Hints, Oracle, Which};
use crate::refiner::Refiner;
use crate::tuning::Tuning;

/// The hints of the oracle, with as few statements as can be found.
pub(crate) fn minimal(terms: &Terms, oracle: &mut Refiner, which: Which, run: &Run<'_>) -> Result<Hints, Stopped> {
    run.observer.phase("minimisation");
    let mut kept = oracle.refined();
    let mut hints = oracle.hints();
    let first = if which == Which::LastStep { oracle.before_last_step } else { 0 };
    let proves = |refined: &[u32], budget: &Budget| proves(terms, oracle, first, refined, budget);
    let whole = run.budget.part(Tuning::DEFAULT.minimisation_ticks);
    match proves(&kept, &whole) {
        Ok(true) => {}
        // Value by value something is missing, or takes too long: then all that was refined stays.
        Ok(false) | Err(Stopped::OutOfTicks) => return Ok(hints),
        Err(stopped) => return Err(stopped),
    }
    let ticks =
        whole.spent().saturating_mul(Tuning::DEFAULT.minimisation_growth).max(Tuning::DEFAULT.minimisation_least_ticks);
    // The last statements first: what comes early is more often the cause.
    for at in (0..kept.len()).rev() {
        let mut fewer = kept.clone();
        fewer.remove(at);
        match proves(&fewer, &run.budget.part(ticks)) {
            Ok(true) => kept = fewer,
            Ok(false) | Err(Stopped::OutOfTicks) => {}
            Err(stopped) => return Err(stopped),
        }
    }
    let edges = kept.iter().filter_map(|&number| oracle.statements.list[number as usize].edge);
    hints.precise = edges.collect::<Vec<EdgeId>>();
    hints.precise.sort_unstable();
    hints.precise.dedup();
    oracle.smallest = Some(kept.len());
    Ok(hints)
}

/// Whether all that was found impossible still is, with only these statements in bits.
fn proves(terms: &Terms, oracle: &Refiner, first: usize, refined: &[u32], budget: &Budget) -> Result<bool, Stopped> {
    let mut solver = Solver::with_reading(Reading::Uninterpreted);
    solver.set_evaluation(Evaluation::ByValue);
    for &statement in refined {
        for &site in &oracle.statements.list[statement as usize].sites {
            solver.raise(terms, site);
        }
    }
    for &instance in &oracle.instances {
        solver.assert(instance);
    }
    let mut assumed = 0;
    for &(n_assumed, condition) in &oracle.refuted[first..] {
        while assumed < n_assumed {
            solver.assert(oracle.assumed[assumed]);
            assumed += 1;
        }
        match solver.check(terms, &Query::assuming(&[condition]), budget)? {
            Answer::Unsat(_) => {}
            Answer::Sat(_) | Answer::Unknown(_) => return Ok(false),
        }
    }
    Ok(true)
}
