//! Replay: executes a counterexample and checks that it reaches the claimed error.
//!
//! The interpreter runs the program as lowered and reads the input values one by one. The run must fail the claimed assertion.
//! It counts only if no operation before was undefined (signed overflow wraps and is fine) and nothing that decided its way
//! depends on something that a user of the program cannot control: a value from a function without a body, a choice that C leaves
//! open (unless each of its values leads to the error, `choices`), where objects lie in memory. The shadow run says what
//! decisions depend on. A program without addresses and without such values needs no shadow. Runs that are too long for one are decided by the text of the program (`external`).

use base::{Budget, Stopped};
use program::interp::{
    BadAccess, Decided, Dependence, Limit, Limits, Machine, MemoryError, Outcome, Run, Unclear, Watch, without_checks,
};
use program::{InputKind, Program, Undefined};
use term::Terms;
use verdict::{Code, Counterexample, Group};

use crate::Refusal;
use crate::choices::fails_for_every_choice;
use crate::external::{addresses_decide, has_addresses, uncontrolled_values_decide};
use crate::tuning::Tuning;

/// A counterexample that was replayed.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// Edges that the run took.
    pub edges: u64,
    /// Values that it asked for.
    pub inputs: u64,
}

/// Runs the program on the inputs.
pub(crate) fn replay(
    program: &Program,
    terms: &Terms,
    counterexample: &Counterexample,
    budget: &Budget,
) -> Result<Replayed, Refusal> {
    // Signed overflow wraps by agreement.
    let program = &without_checks(program, terms, |what| what == Undefined::SignedOverflow);
    let mut machine =
        Machine::new(program, terms).map_err(|refused| Refusal::unknown(Code::Execution, refused.what, None))?;
    let run = replayed(program, terms, &mut machine, counterexample, budget)?;
    if let Some(undefined) = run.undefined {
        return Err(Refusal::unknown(Code::OnlyUndefined, describe(undefined.what), undefined.place));
    }
    if let Some(approximation) = program.approximations.first() {
        // The run is one of the program, and the source may not have it.
        return Err(Refusal::unknown(Code::Approximated, &approximation.text, approximation.place));
    }
    if run.approximate {
        return Err(Refusal::unknown(Code::Floats, "arithmetic in more than double precision", None));
    }
    Ok(Replayed { edges: run.edges, inputs: run.n_inputs })
}

/// A run into the error in which nothing that is not controlled decides.
fn replayed(
    program: &Program,
    terms: &Terms,
    machine: &mut Machine,
    counterexample: &Counterexample,
    budget: &Budget,
) -> Result<Run, Refusal> {
    let has_addresses = has_addresses(program);
    let is_open = program.inputs.iter().any(|input| input.kind.is_uncontrolled());
    // Where a NaN gets bits, the shadow knows that they are open.
    if has_addresses || is_open || machine.has_floats() {
        let limits = Limits { edges: Tuning::DEFAULT.max_shadow_edges, ..Limits::default() };
        let mut script = counterexample.script();
        let (run, decided, unnamed) = machine.run_watched(&mut script, &limits, budget, Watch::Uncontrolled);
        if run.outcome != Outcome::Limit(Limit::Edges) {
            let fails = run.outcome == Outcome::Error(counterexample.assertion);
            let decided = match decided {
                Some(decided) if fails && is_choice(program, &decided) => {
                    let always = fails_for_every_choice(program, terms, counterexample, budget);
                    if always.map_err(Refusal::Stopped)? { None } else { Some(decided) }
                }
                decided => decided,
            };
            return match (reached(run, counterexample), decided) {
                (Err(refusal @ Refusal::Stopped(_)), _) => Err(refusal),
                (Err(Refusal::Unknown(why)), _) if why.code.group() == Group::Unsupported => Err(Refusal::Unknown(why)),
                // With other values or places the run might get there, or might not.
                (_, Some(decided)) => Err(unconfirmed(program, decided)),
                // The counterexample has no value for this input.
                (Err(Refusal::NotReached(_)), None) if unnamed.is_some() => {
                    Err(unconfirmed(program, unnamed.expect("it is some")))
                }
                (answer, None) => answer,
            };
        }
    }
    let limits = Limits { edges: Tuning::DEFAULT.max_replay_edges, ..Limits::default() };
    let run = reached(machine.run(&mut counterexample.script(), &limits, budget), counterexample)?;
    if (run.external || run.ordered) && uncontrolled_values_decide(program, terms) {
        return Err(Refusal::unknown(Code::NoBody, "a value from a function without a body", None));
    }
    if has_addresses && addresses_decide(program, terms) {
        return Err(Refusal::unknown(Code::Layout, "where objects lie in memory", None));
    }
    Ok(run)
}

/// Whether C leaves a value open on which the run depends.
fn is_choice(program: &Program, decided: &Decided) -> bool {
    matches!(decided.by, Dependence::Input(input) if matches!(program.inputs[input].kind, InputKind::Unspecified(_)))
}

/// The run, if it fails the assertion.
fn reached(run: Run, counterexample: &Counterexample) -> Result<Run, Refusal> {
    match run.outcome {
        Outcome::Error(assertion) if assertion == counterexample.assertion => Ok(run),
        Outcome::Cancelled => Err(Refusal::Stopped(Stopped::Cancelled)),
        Outcome::Limit(Limit::Ticks) => Err(Refusal::Stopped(Stopped::OutOfTicks)),
        Outcome::Unsupported { what, place } => Err(Refusal::unknown(Code::Execution, what, place)),
        // Engines may go on after an invalid access, and the run ends there.
        Outcome::MemoryError(MemoryError { what, place, .. }) => {
            Err(Refusal::unknown(Code::OnlyUndefined, describe(Unclear::Memory(what)), place))
        }
        Outcome::Limit(limit) => {
            let what = match limit {
                Limit::Memory => "a run that needs more memory than the interpreter has",
                Limit::CallDepth => "a run with too many calls at once",
                Limit::Edges | Limit::Ticks => "a run that is too long to be repeated",
            };
            Err(Refusal::unknown(Code::EvidenceSize, what, None))
        }
        outcome => Err(Refusal::NotReached(outcome)),
    }
}

/// On what the run depends, in words.
pub(crate) fn unconfirmed(program: &Program, decided: Decided) -> Refusal {
    let (code, what) = match decided.by {
        Dependence::Input(input) => match &program.inputs[input].kind {
            InputKind::External(name) => (Code::NoBody, format!("a value from `{name}`, which has no body")),
            InputKind::Unspecified(what) | InputKind::Order { what, .. } => {
                (Code::Unspecified, format!("{what} (C leaves it open)"))
            }
            InputKind::Nondet(name) => (Code::Unnamed, format!("a value of `{name}`")),
            InputKind::Uninitialised(name) => {
                (Code::Uninitialised, format!("the value of `{name}`, which is not initialised"))
            }
            InputKind::Memory => (Code::Uninitialised, "the contents of fresh memory".to_owned()),
        },
        Dependence::Contents => (Code::Uninitialised, "the contents of an object that is not initialised".to_owned()),
        Dependence::Choice => (Code::Unnamed, "which of several ways is taken".to_owned()),
        Dependence::Function => (Code::Uninterpreted, "the value of an uninterpreted function".to_owned()),
        Dependence::Layout => (Code::Layout, "where objects lie in memory".to_owned()),
        Dependence::Nan => (Code::Unspecified, "the bits of a NaN (C leaves them open)".to_owned()),
    };
    Refusal::unknown(code, what, decided.place)
}

pub(crate) fn describe(what: Unclear) -> String {
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
