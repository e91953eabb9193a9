//! Replay: an error that inputs are said to reach is reached, or it is not an error.
//!
//! The interpreter runs the program as lowered and asks for values one by one. The run must fail the assertion that was claimed. It counts only if no
//! operation before was undefined (signed overflow wraps and is fine) and no value came from where we cannot see.

use base::{Budget, Stopped};
use program::interp::{BadAccess, Limit, Limits, Machine, Outcome, Unclear};
use program::{Action, Program, Undefined};
use term::Terms;
use verdict::Counterexample;

use crate::Refusal;
use crate::external::external_values_decide;

/// A counterexample that was replayed.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// Edges that the run took.
    pub edges: u64,
    /// Values that it asked for.
    pub inputs: u64,
}

/// A run that takes more edges is taken to have missed the error: without a limit, inputs that lead into an endless
/// loop would use up the time of whoever hopes for an answer.
const LONG_RUN: u64 = 500_000_000;

/// Runs the program on the inputs.
pub(crate) fn replay(
    program: &Program,
    terms: &Terms,
    counterexample: &Counterexample,
    budget: &Budget,
) -> Result<Replayed, Refusal> {
    let program = &without_overflow_checks(program, terms);
    let mut machine =
        Machine::new(program, terms).map_err(|refused| Refusal::Unsupported { what: refused.what, at: None })?;
    let mut inputs = counterexample.script();
    let run = machine.run(&mut inputs, &Limits { edges: LONG_RUN, ..Limits::default() }, budget);
    match run.outcome {
        Outcome::Error(assertion) if assertion == counterexample.assertion => {}
        Outcome::Cancelled => return Err(Refusal::Stopped(Stopped::Cancelled)),
        Outcome::Limit(Limit::Ticks) => return Err(Refusal::Stopped(Stopped::OutOfTicks)),
        Outcome::Unsupported { what, place } => return Err(Refusal::Unsupported { what, at: place }),
        outcome => return Err(Refusal::NotReached(outcome)),
    }
    if let Some(undefined) = run.undefined {
        return Err(Refusal::OnlyUndefined { what: describe(undefined.what), at: undefined.place });
    }
    if run.external && external_values_decide(program, terms) {
        return Err(Refusal::Unconfirmed { what: "a value from a function without a body".to_owned(), at: None });
    }
    if let Some(approximation) = program.approximations.first() {
        // The run is one of the program, and the source may not have it.
        return Err(Refusal::Unconfirmed { what: approximation.text.clone(), at: approximation.place });
    }
    if run.approximate {
        return Err(Refusal::Unconfirmed { what: "long double arithmetic".to_owned(), at: None });
    }
    Ok(Replayed { edges: run.edges, inputs: run.n_inputs })
}

/// Only the first undefined operation of a run is noted, and overflow must not hide another.
fn without_overflow_checks(program: &Program, terms: &Terms) -> Program {
    let mut program = program.clone();
    let yes = terms.clone().truth(true);
    for edge in program.edges.iter_mut() {
        if matches!(edge.action, Action::Check { what: Undefined::SignedOverflow, .. }) {
            edge.action = Action::Assume(yes);
        }
    }
    program
}

fn describe(what: Unclear) -> String {
    let text = match what {
        Unclear::Operation(Undefined::DivisionByZero) => "division by zero",
        Unclear::Operation(Undefined::ShiftOutOfRange) => "a shift out of range",
        Unclear::Operation(Undefined::SignedOverflow) => "signed overflow",
        Unclear::Operation(Undefined::BadFunctionPointer) => "a call through a bad function pointer",
        Unclear::Operation(Undefined::FloatToInteger) => "a float too large for the integer type",
        Unclear::Operation(Undefined::MissingReturn) => "a missing return value",
        Unclear::Operation(Undefined::Unreachable) => "code marked as unreachable",
        Unclear::Operation(Undefined::BadLength) => "an array of no length",
        Unclear::Operation(Undefined::DivisionOverflow) => "a quotient that does not fit",
        Unclear::Operation(Undefined::BrokenPromise) => "a broken promise of an attribute",
        Unclear::Memory(BadAccess::Read) => "a read outside every object",
        Unclear::Memory(BadAccess::Write) => "a write outside every object",
        Unclear::Memory(BadAccess::ReadOnly) => "a write to a constant",
        Unclear::Memory(BadAccess::Free) => "a free of what was not allocated",
    };
    text.to_owned()
}
