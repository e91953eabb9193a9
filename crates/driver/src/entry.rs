//! The binary: from the words of the command line to the exit code.

use crate::args::{self, Request};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::options::{Command, Settings};
use crate::output::{Output, message};
use crate::{campaign, command, guard, outputs, supervise};

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
        Request::Work(settings) => {
            let fails_on_unknown = settings.fails_on_unknown;
            work(*settings, words).unless_accepted(fails_on_unknown)
        }
    }
}

/// Does the work of a command.
fn work(settings: Settings, words: &[String]) -> Exit {
    match settings {
        settings if campaign::asked(&settings) => {
            announce_config(&settings);
            campaign::start(settings)
        }
        settings => {
            if let Err(failure) = outputs::prepare(&settings, &[]) {
                return refused(&settings, &failure);
            }
            let work = command::work(settings.command);
            let context = supervise::context(settings);
            guard::guarded(&context, &work, words).unwrap_or_else(|| {
                announce_config(&context.settings);
                supervise::supervise(&context, work)
            })
        }
    }
}

/// Reports the options that a file `uforia.toml` adds: it may lie in a folder above, and it may change the property that is checked.
fn announce_config(settings: &Settings) {
    if let Some(config) = settings.config.as_ref().filter(|_| !settings.quiet) {
        message(&format!("note: {config}\n"));
    }
}

/// Says why nothing is done.
pub(crate) fn refused(settings: &Settings, failure: &Failure) -> Exit {
    let reason = failure.reason().text;
    message(&format!("uforia: {reason}\n"));
    let has_answer = settings.command != Command::Lower && failure.exit() != Exit::Usage;
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
