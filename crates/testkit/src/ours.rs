//! What we make of a C program: front end and interpreter in this process, on a stack of their own,
//! with panics caught and reported.

use base::{Budget, Diagnostic, Severity};
use cfront::{DataModel, Options, Property};
use program::Program;
use program::interp::{Inputs, Limits, Machine, Outcome, Run, ScriptedInputs};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use term::Terms;

/// How a program fared with us.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// `main` returned this.
    Returned(Option<u128>),
    /// An assertion failed; its text and line.
    Error {
        /// The assertion, as the program shows it.
        text: String,
        /// The line it stands on, zero if unknown.
        line: u32,
    },
    /// The run ended early without error.
    Blocked,
    /// A limit was met, or the interpreter cannot do something.
    NoAnswer(String),
    /// The front end refused something valid that it does not support.
    Unsupported(String),
    /// The front end says that this is no valid program.
    Invalid(String),
    /// We panicked: our bug.
    Panicked(String),
}

/// An answer, with the first undefined operation that was met on the way.
#[derive(Clone, Debug)]
pub struct Result {
    /// How it ended.
    pub answer: Answer,
    /// The first undefined operation, in words with its line.
    pub undefined: Option<String>,
    /// How many edges were taken.
    pub edges: u64,
}

/// Compiles and interprets preprocessed C. `inputs` are the values of `__VERIFIER_nondet_*`, then zeros.
pub fn interpret(name: &str, text: &str, model: DataModel, inputs: &[u128], edges: u64) -> Result {
    interpret_files(vec![(name.to_string(), text.to_string())], model, inputs, edges)
}

/// The same for a program of several files, each with its name.
pub fn interpret_files(files: Vec<(String, String)>, model: DataModel, inputs: &[u128], edges: u64) -> Result {
    let inputs = inputs.to_vec();
    let work = move || {
        let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        interpret_here(&files, model, &inputs, edges)
    };
    on_large_stack(work).unwrap_or_else(|panic| Result { answer: Answer::Panicked(panic), undefined: None, edges: 0 })
}

/// Compiles preprocessed C and hands the program to `work`; `Err` has what was found, or the words of a panic.
pub fn lowered<T: Send + 'static>(
    name: &str,
    text: &str,
    model: DataModel,
    work: impl FnOnce(&Program, &Terms) -> T + Send + 'static,
) -> std::result::Result<T, Answer> {
    let (name, text) = (name.to_string(), text.to_string());
    let result = on_large_stack(move || {
        let mut terms = Terms::new();
        let options = Options::new(model, Property::UnreachCall);
        let compiled = cfront::compile(&name, &text, &options, &mut terms).map_err(|found| refusal(&found))?;
        Ok(work(&compiled.program, &terms))
    });
    result.unwrap_or_else(|panic| Err(Answer::Panicked(panic)))
}

fn interpret_here(files: &[(&str, &str)], model: DataModel, inputs: &[u128], edges: u64) -> Result {
    let mut terms = Terms::new();
    let options = Options::new(model, Property::UnreachCall);
    let early = |answer| Result { answer, undefined: None, edges: 0 };
    let compiled = match cfront::compile_files(files, &options, &mut terms) {
        Ok(compiled) => compiled,
        Err(found) => return early(refusal(&found)),
    };
    if let Err(violations) = program::validate(&compiled.program, &terms) {
        let first = violations.first().map(ToString::to_string).unwrap_or_default();
        return early(Answer::Panicked(format!("the lowered program breaks a law: {first}")));
    }
    let mut machine = match Machine::new(&compiled.program, &terms) {
        Ok(machine) => machine,
        Err(unsupported) => return early(Answer::NoAnswer(unsupported.what)),
    };
    let mut inputs = ScriptedInputs::for_nondet(inputs.to_vec());
    run(&mut machine, &compiled.program, &mut inputs, edges)
}

/// Runs a machine once.
fn run(machine: &mut Machine, program: &Program, inputs: &mut dyn Inputs, edges: u64) -> Result {
    let limits = Limits { edges, recorded_inputs: 0, ..Limits::default() };
    let budget = Budget::unlimited(Arc::new(AtomicBool::new(false)));
    let run = machine.run(inputs, &limits, &budget);
    Result { undefined: undefined_text(&run), edges: run.edges, answer: answer(run, program) }
}

fn answer(run: Run, program: &Program) -> Answer {
    match run.outcome {
        Outcome::Returned(value) => Answer::Returned(value),
        Outcome::Error(id) => {
            let assertion = &program.assertions[id];
            Answer::Error { text: assertion.claim(), line: assertion.place.map_or(0, |place| place.line) }
        }
        Outcome::Blocked(_) => Answer::Blocked,
        Outcome::MemoryError(error) => {
            let line = error.place.map_or(0, |place| place.line);
            Answer::NoAnswer(format!("the run ends at an invalid access ({:?}) at line {line}", error.what))
        }
        Outcome::Limit(limit) => Answer::NoAnswer(format!("limit reached: {limit:?}")),
        Outcome::Cancelled | Outcome::Undetermined => Answer::NoAnswer("cancelled".into()),
        Outcome::Unsupported { what, place } => {
            Answer::NoAnswer(format!("cannot execute {what} at line {}", place.map_or(0, |p| p.line)))
        }
    }
}

fn undefined_text(run: &Run) -> Option<String> {
    let undefined = run.undefined?;
    let line = undefined.place.map_or(0, |place| place.line);
    Some(match undefined.what {
        program::interp::Unclear::Operation(what) => format!("{what:?} at line {line}"),
        program::interp::Unclear::Memory(what) => format!("{what:?} at line {line}"),
    })
}

/// What the diagnostics come to: invalid if any says so.
fn refusal(found: &[Diagnostic]) -> Answer {
    let worst = found.iter().filter(|d| d.severity != Severity::Warning).min_by_key(|d| d.severity);
    let Some(worst) = worst else {
        return Answer::Panicked("the front end refused a program and gave no reason".into());
    };
    let text = format!("{}:{}: {}", worst.line, worst.column, worst.message);
    if worst.severity == Severity::Error { Answer::Invalid(text) } else { Answer::Unsupported(text) }
}

/// Runs on a thread with a large stack; a panic becomes its message.
pub fn on_large_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> std::result::Result<T, String> {
    let thread = std::thread::Builder::new().name("ours".into()).stack_size(512 << 20).spawn(work);
    thread.expect("a thread can be started").join().map_err(|payload| {
        let text = payload.downcast_ref::<String>().cloned();
        text.or_else(|| payload.downcast_ref::<&str>().map(ToString::to_string)).unwrap_or_else(|| "a panic".into())
    })
}
