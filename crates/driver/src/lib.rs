//! The driver: the command line, files, threads, the clock, and the binary.
//!
//! A run goes through `args` (words to settings, by `clap` and the arguments in `options`), `supervise` (a worker
//! with a large stack, watched by the main thread), `frontend` (read, `preprocess`, compile) and one
//! file of `command`. This is the only room that reads files, starts threads, prints, or looks at
//! the wall clock.

#![forbid(unsafe_code)]

pub mod args;
pub mod bundle;
pub mod campaign;
pub mod child;
pub mod claim;
pub mod command;
pub mod commands;
pub mod completions;
pub mod config;
pub mod display;
pub mod engines;
pub mod exit;
pub mod explain;
pub mod failure;
pub mod frontend;
pub mod guard;
pub mod headers;
pub mod input;
pub mod leans;
pub mod manual;
pub mod memory;
pub mod options;
pub mod output;
pub mod outputs;
pub mod phases;
pub mod portfolio;
pub mod preprocess;
pub mod processor;
pub mod progress;
pub mod property;
pub mod quantity;
pub mod race;
pub mod relay;
pub mod render;
pub mod scratch;
pub mod second_opinion;
pub mod settings;
pub mod supervise;
mod tuning;
pub mod vacuity;
pub mod values;
pub mod verify;

pub use tuning::Tuning;

use args::Request;
use exit::Exit;
use failure::Failure;
use output::{Output, message};
use supervise::Context;

/// Does what the command line asks for, from its words to the exit code.
pub fn main(words: &[String]) -> Exit {
    let request = match args::parse(words) {
        Ok(request) => request,
        Err(refusal) => {
            message(&format!("uforia: {refusal}\n"));
            if words.is_empty() {
                message(&format!("\n{}", args::overview()));
            } else {
                message("hint: `uforia --help` lists the commands, `uforia COMMAND --help` the options\n");
            }
            return Exit::Usage;
        }
    };
    match request {
        Request::Print(text) => show(&text),
        Request::Work(settings) if campaign::asked(&settings) => {
            announce_config(&settings);
            campaign::start(*settings)
        }
        Request::Work(settings) => {
            if let Err(failure) = outputs::prepare(&settings, &[]) {
                return refused(&settings, &failure);
            }
            let work = command::work(settings.command);
            let context = Context::new(*settings, Output::standard());
            guard::guarded(&context, &work, words).unwrap_or_else(|| {
                announce_config(&context.settings);
                supervise::supervise(&context, work)
            })
        }
    }
}

/// Reports the options that a file `uforia.toml` adds: it may lie in a folder above, and it may change the property that is checked.
fn announce_config(settings: &options::Settings) {
    if let Some(config) = settings.config.as_ref().filter(|_| !settings.quiet) {
        message(&format!("note: {config}\n"));
    }
}

/// Says why nothing is done.
fn refused(settings: &options::Settings, failure: &Failure) -> Exit {
    let reason = failure.reason().text;
    message(&format!("uforia: {reason}\n"));
    let has_answer = settings.command != options::Command::Lower && failure.exit() != Exit::Usage;
    let last =
        if has_answer { format!("UNKNOWN: {}\n", reason.lines().next().unwrap_or_default()) } else { String::new() };
    Output::standard().finish(&last).map_or(Exit::CannotWrite, |()| failure.exit())
}

/// Prints a text, or says why not.
fn show(text: &str) -> Exit {
    match Output::standard().finish(text) {
        Ok(()) => Exit::Done,
        Err(error) => {
            if error.kind() != std::io::ErrorKind::BrokenPipe {
                message(&format!("uforia: cannot write to standard output: {error}\n"));
            }
            Exit::CannotWrite
        }
    }
}
