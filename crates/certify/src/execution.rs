//! Proof by execution: a program without inputs has one run.
//!
//! The machine runs the program as lowered, and the shadow run (`program::interp`) says whether anything that decided the way of
//! the run depends on an input, on an object's contents that were never written, on a choice between edges, or on where
//! objects lie. If nothing does, every run takes this way: it is the only one, whatever the inputs are. It proves
//! the program safe if it ends, and not in an error.
//!
//! *Enumeration* does the same for few questions of few answers: inputs of few bits and choices between
//! edges are tried in all ways, depth first ([`Questions`]). Everything else must not decide.
//!
//! Nothing is leapt over here, so this trusts the machine's plain instructions only.

use base::{Budget, Stopped};
use program::interp::{Limit, Limits, Machine, Outcome, Questions, Run, Unclear, UndefinedAt, without_checks};
use program::{Action, Program, Undefined};
use term::Terms;
use verdict::{Code, Method};

use crate::Refusal;
use crate::external::has_addresses;
use crate::replay::{describe, unconfirmed};
use crate::tuning::Tuning;

/// Executes all runs of the program; returns how it was proved.
pub(crate) fn check(program: &Program, terms: &Terms, method: Method, budget: &Budget) -> Result<Method, Refusal> {
    let program = &without_checks(program, terms, is_total);
    let mut machine =
        Machine::new(program, terms).map_err(|refused| Refusal::unknown(Code::Execution, refused.what, None))?;
    let mut questions = match method {
        Method::Enumeration { .. } => Questions::enumerated(),
        _ => Questions::refused(),
    };
    let (mut runs, mut edges) = (0, 0);
    loop {
        let limits =
            Limits { edges: Tuning::DEFAULT.max_enumerated_edges - edges, recorded_inputs: 0, ..Limits::default() };
        let run = run_once(program, &mut machine, &mut questions, &limits, budget)?;
        accepted(program, &run)?;
        runs += 1;
        edges += run.edges;
        if !questions.advance() {
            break;
        }
        if runs >= Tuning::DEFAULT.max_enumerated_runs || edges >= Tuning::DEFAULT.max_enumerated_edges {
            return Err(Refusal::unknown(Code::EvidenceSize, "a proof by more than 4 million runs", None));
        }
    }
    Ok(match method {
        Method::Enumeration { .. } => Method::Enumeration { runs, edges },
        _ => Method::Execution { edges },
    })
}

/// A run whose way nothing but the enumerated answers decides.
fn run_once(
    program: &Program,
    machine: &mut Machine,
    questions: &mut Questions,
    limits: &Limits,
    budget: &Budget,
) -> Result<Run, Refusal> {
    questions.start();
    if questions.may_run_plain() && !machine.has_floats() && !has_addresses(program) {
        // Without addresses it is enough that no input is read; inputs that decide no branch need the shadow run.
        let run = machine.run_without_leaps(questions, limits, budget);
        if questions.n_others() == 0 {
            return Ok(run);
        }
        questions.start();
    }
    let watch = questions.watch();
    let (run, decided) = machine.run_shadow(questions, limits, budget, watch);
    match decided {
        Some(decided) => Err(unconfirmed(program, decided)),
        None => Ok(run),
    }
}

/// Whether the run ends without error, and met nothing without a meaning.
fn accepted(program: &Program, run: &Run) -> Result<(), Refusal> {
    let asks_for_validity = || program.edges.iter().any(|edge| matches!(edge.action, Action::Probe { .. }));
    match &run.outcome {
        Outcome::Returned(_) | Outcome::Blocked(_) => {}
        // Where memory errors are errors, a probe stands before each access; one without is a doubt, not an end.
        Outcome::MemoryError(error) if asks_for_validity() => {
            let what = "an invalid access that no assertion is about";
            return Err(Refusal::unknown(Code::Execution, what, error.place));
        }
        // The run ends here, and reaches no error.
        Outcome::MemoryError(_) => {}
        Outcome::Cancelled => return Err(Refusal::Stopped(Stopped::Cancelled)),
        Outcome::Limit(Limit::Ticks) => return Err(Refusal::Stopped(Stopped::OutOfTicks)),
        Outcome::Limit(_) => {
            return Err(Refusal::unknown(Code::EvidenceSize, "a proof by a run that is too long", None));
        }
        Outcome::Unsupported { what, place } => {
            return Err(Refusal::unknown(Code::Execution, what, *place));
        }
        outcome @ (Outcome::Error(_) | Outcome::Undetermined) => return Err(Refusal::NotReached(outcome.clone())),
    }
    if run.approximate {
        return Err(Refusal::unknown(Code::Floats, "arithmetic in more than double precision", None));
    }
    match run.undefined {
        Some(UndefinedAt { what: what @ Unclear::Operation(_), place, .. }) => {
            Err(Refusal::unknown(Code::OnlyUndefined, describe(what), place))
        }
        _ => Ok(()),
    }
}

/// Whether the operation has a meaning all the same: the total one of its operator, as in every other proof, or a missing
/// result, which is an input that must not decide.
fn is_total(what: Undefined) -> bool {
    matches!(
        what,
        Undefined::DivisionByZero | Undefined::ShiftOutOfRange | Undefined::SignedOverflow | Undefined::MissingReturn
    )
}
