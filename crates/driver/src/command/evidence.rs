//! Evidence for the user to keep: the run into the error once more, and the files made from it.

use base::Budget;
use cfront::Property;
use program::interp::{self, Limits, Run, Trace};
use report::harness::{Sources, harness};
use verdict::Counterexample;

use crate::exit::Exit;
use crate::frontend::{self, Loaded};
use crate::input;
use crate::output::message;
use crate::supervise::Context;

use super::story;

/// The run into the error, repeated and recorded.
pub struct Replay {
    /// What it came to, with the inputs in order.
    pub run: Run,
    /// Its steps.
    pub trace: Trace,
}

impl Replay {
    /// Repeats the run; none if the program cannot be traced.
    pub fn of(context: &Context, loaded: &Loaded, counterexample: &Counterexample) -> Option<Replay> {
        let mut inputs = counterexample.script();
        let budget = Budget::unlimited(context.cancel.clone());
        let limits = Limits::default();
        let (program, terms) = (&loaded.program, &loaded.terms);
        let (run, trace) = interp::trace(program, terms, &mut inputs, &limits, &budget, story::KEPT_STEPS).ok()?;
        Some(Replay { run, trace })
    }
}

/// Writes the harness, if asked for.
pub fn write_harness(context: &Context, loaded: &Loaded, replay: &Replay) -> Result<(), Exit> {
    let settings = &context.settings;
    let Some(to) = &settings.harness else { return Ok(()) };
    // The file was read before; what cannot be read again (a pipe) has no text to copy.
    let bytes = if settings.file == "-" { Vec::new() } else { input::read(&settings.file).unwrap_or_default() };
    let text = String::from_utf8_lossy(&bytes);
    let error_calls = match frontend::chosen_property(&settings.property) {
        Ok(Property::UnreachCallOf(name)) => vec![name],
        Ok(Property::NoOverflow) => Vec::new(),
        _ => vec!["reach_error".to_owned(), "__VERIFIER_error".to_owned()],
    };
    let sources = Sources { file: &settings.file, text: &text, harness_file: to, error_calls: &error_calls };
    let made = harness(&loaded.program, &loaded.terms, &replay.run, &sources);
    write(to, &made.text)?;
    made.copy.map_or(Ok(()), |(name, text)| write(&name, &text))
}

fn write(to: &str, text: &str) -> Result<(), Exit> {
    std::fs::write(to, text).map_err(|error| {
        message(&format!("uforia: cannot write {to}: {error}\n"));
        Exit::CannotWrite
    })
}
