//! The commands: what each does with a loaded program, and what all of them say alike.

mod advice;
pub mod answer;
#[cfg(feature = "cli")]
pub mod check;
mod culprit;
pub mod each;
mod endless;
pub mod evidence;
mod explain;
#[cfg(feature = "cli")]
pub mod lower;
pub mod page;
mod replay;
mod rests_on;
#[cfg(feature = "cli")]
pub mod run;
#[cfg(feature = "cli")]
pub mod smt;
mod story;
#[cfg(feature = "cli")]
pub mod validate;
#[cfg(feature = "cli")]
mod waypoints;

use std::sync::Arc;

use base::{Place, Stopped};
use program::Program;
use report::Reason;
use verdict::Why;

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::frontend::{self, Loaded};
use crate::options::Command;
use crate::output::message;
#[cfg(feature = "cli")]
use crate::supervise::Work;

/// What the worker does for this command.
#[cfg(feature = "cli")]
pub fn work(command: Command) -> Work {
    let nothing_left = |_: &Context, _: &Reason| {};
    match command {
        Command::Check => Work { body: Arc::new(check::check), stopped: check::stopped },
        Command::Lower => Work { body: Arc::new(lower::lower), stopped: nothing_left },
        Command::Run => Work { body: Arc::new(run::run), stopped: nothing_left },
        Command::Smt => Work { body: Arc::new(smt::smt), stopped: nothing_left },
        Command::Explain | Command::Completions | Command::Man | Command::Settings => {
            unreachable!("what is only printed is no work")
        }
        Command::Validate => Work { body: Arc::new(validate::validate), stopped: validate::stopped },
    }
}

/// Says why there is no program to work on, and gives the exit code. `verdict`: whether the last
/// line of standard output is an answer.
fn refuse(context: &Context, failure: &Failure, verdict: bool) -> Result<Exit, Stopped> {
    match failure {
        Failure::Stopped => return Err(Stopped::Cancelled),
        Failure::Invalid(found) => frontend::report(context, found),
        Failure::Usage(text) | Failure::CannotRead(text) | Failure::CannotWrite(text) => {
            message(&format!("uforia: {text}\n"));
        }
    }
    if verdict && failure.exit() != Exit::Usage {
        let reason = failure.reason().text;
        context.output.print(&format!("UNKNOWN: {}\n", reason.lines().next().unwrap_or_default()));
    }
    Ok(failure.exit())
}

/// Prints warnings and, if asked for, sizes and times.
fn report_loaded(context: &Context, loaded: &Loaded) {
    if !context.settings.quiet && !loaded.warnings.is_empty() {
        frontend::report(context, &loaded.warnings);
    }
    if context.settings.stats {
        let program = &loaded.program;
        let mut text = String::new();
        let sizes = [
            ("bytes of text", loaded.bytes),
            ("functions", program.functions.len()),
            ("locations", program.locations.len()),
            ("edges", program.edges.len()),
            ("variables", program.vars.len()),
            ("memory objects", program.objects.len()),
            ("inputs", program.inputs.len()),
            ("assertions", program.assertions.len()),
            ("terms", loaded.terms.len()),
        ];
        for (name, size) in sizes {
            text.push_str(&format!("{name:<16}{size:>12}\n"));
        }
        for (name, time) in &loaded.phases {
            text.push_str(&format!("{:<16}{:>10.3} s\n", format!("time to {name}"), time.as_secs_f64()));
        }
        if let Some(peak) = crate::memory::peak() {
            text.push_str(&format!("{:<16}{:>8} MiB\n", "peak memory", peak >> 20));
        }
        message(&text);
    }
}

/// The reason in words, with its place.
pub(crate) fn reason_of(program: &Program, why: &Why) -> Reason {
    let place = place_text(program, why.at);
    let text = place.as_ref().map_or(why.to_string(), |place| format!("{why} at {place}"));
    Reason { code: why.code, engine: None, text, place }
}

/// `file:line`, or nothing when the place is not known.
pub(crate) fn place_text(program: &Program, place: Option<Place>) -> Option<String> {
    let place = place?;
    Some(format!("{}:{}", program.files.get(place.file)?, place.line))
}
