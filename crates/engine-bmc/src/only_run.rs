//! Proof by execution: whether a run that ended without error is the only one, or one of few.
//!
//! Inputs that decide nothing leave the way of a run as it is, so what counts is not what was asked but what decided: the shadow
//! run of the interpreter says so. If all that decides are inputs of few bits, comparisons of other inputs with numbers, and choices between
//! edges, the runs on all their values are tried, one of each class of values that answer all comparisons alike, for as long as that costs little. The checker does the same again and believes nothing.

use base::Stopped;
use engine::Run;
use program::Undefined;
use program::interp::{Limit, Limits, Machine, Outcome, Questions, Run as Executed, Unclear};
use verdict::Method;

use crate::tuning::Tuning;

/// How the run that was just executed on zeros proves the program safe, if it does.
pub(crate) fn proves(
    machine: &mut Machine,
    executed: &Executed,
    has_addresses: bool,
    run: &Run<'_>,
) -> Result<Option<Method>, Stopped> {
    let edges = executed.edges.saturating_add(executed.leapt);
    if !ends_well(executed) || edges > Tuning::DEFAULT.max_proof_run_edges {
        return Ok(None);
    }
    if executed.n_inputs == 0 && !has_addresses && !machine.has_floats() {
        return Ok(Some(Method::Execution { edges }));
    }
    if edges > Tuning::DEFAULT.max_shadow_edges {
        return Ok(None);
    }
    if let Some((1, edges)) = all_runs(machine, Questions::refused(), (1, edges.saturating_mul(2).max(1000)), run)? {
        return Ok(Some(Method::Execution { edges }));
    }
    if executed.n_inputs == 0 {
        return Ok(None);
    }
    let max_runs = (Tuning::DEFAULT.max_enumerated_runs, Tuning::DEFAULT.max_enumerated_edges);
    let found = all_runs(machine, Questions::enumerated(), max_runs, run)?;
    Ok(found.map(|(runs, edges)| Method::Enumeration { runs, edges }))
}

/// How many runs there are and how many edges they take, if none reaches an error and nothing else decides.
fn all_runs(
    machine: &mut Machine,
    mut questions: Questions,
    (max_runs, max_edges): (u64, u64),
    run: &Run<'_>,
) -> Result<Option<(u64, u64)>, Stopped> {
    let (mut runs, mut edges) = (0, 0);
    loop {
        questions.start();
        let limits = Limits { edges: max_edges - edges, recorded_inputs: 0, ..Limits::default() };
        let watch = questions.watch();
        let (executed, decided) = machine.run_shadow(
            &mut questions,
            &limits,
            &run.budget.part_in_small_ticks(Tuning::DEFAULT.shadow_edges_per_tick),
            watch,
        );
        runs += 1;
        edges += executed.edges;
        match executed.outcome {
            Outcome::Cancelled => return Err(Stopped::Cancelled),
            Outcome::Limit(Limit::Ticks) => return Err(Stopped::OutOfTicks),
            _ => {}
        }
        if decided.is_some() || !ends_well(&executed) || questions.n_ways() > max_runs {
            return Ok(None);
        }
        let has_classes = questions.has_classes();
        if !questions.advance() {
            return Ok(Some((runs, edges)));
        }
        let is_over =
            has_classes && (runs >= Tuning::DEFAULT.max_class_runs || edges >= Tuning::DEFAULT.max_class_edges);
        if is_over || runs >= max_runs || edges >= max_edges {
            return Ok(None);
        }
    }
}

/// Whether the run ended without error and met nothing without a meaning.
fn ends_well(executed: &Executed) -> bool {
    let is_total = |what: Unclear| match what {
        Unclear::Operation(what) => {
            matches!(
                what,
                Undefined::DivisionByZero
                    | Undefined::ShiftOutOfRange
                    | Undefined::SignedOverflow
                    | Undefined::MissingReturn
            )
        }
        Unclear::Memory(_) => true,
    };
    let is_end = matches!(executed.outcome, Outcome::Returned(_) | Outcome::Blocked(_) | Outcome::MemoryError(_));
    is_end && !executed.approximate && executed.undefined.is_none_or(|undefined| is_total(undefined.what))
}
