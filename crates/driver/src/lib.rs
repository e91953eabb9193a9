//! A software model checker: can this program reach an error?
//!
//! [`Check`] verifies a program in C, Rust, C++, LLVM IR, Boogie, VMT or BTOR2. Its [`Answer`] is `SAFE` with invariants, `UNSAFE` with a run into the error, or
//! `UNKNOWN` with the reasons; both kinds of evidence were checked by an independent checker.
//!
//! ```
//! use std::time::Duration;
//! use uforia::{Check, Verdict};
//!
//! let program = "
//!     extern void reach_error(void);
//!     extern unsigned char __VERIFIER_nondet_uchar(void);
//!     int main(void) {
//!         unsigned char n = __VERIFIER_nondet_uchar(), doubled = n + n;
//!         if (doubled < n) reach_error();   // 128 + 128 is 0
//!     }";
//! let answer = Check::new().text("doubled.c", program).timeout(Duration::from_secs(60)).run()?;
//! match answer.verdict() {
//!     Verdict::Safe { invariants, .. } => println!("safe, with {} invariants", invariants.len()),
//!     Verdict::Unsafe(run) => {
//!         let run = run.expect("a check of the library records the run");
//!         let n: u8 = run.inputs[0].value.parse().expect("a number");
//!         assert!(n.wrapping_add(n) < n);
//!     }
//!     Verdict::Unknown(reasons) => println!("unknown: {}", reasons[0].text),
//! }
//! # assert!(matches!(answer.verdict(), Verdict::Unsafe(_)));
//! # Ok::<(), uforia::Error>(())
//! ```
//!
//! `answer.json()` is the answer as `uforia check --json` writes it. [`Check::on_event`] shows what the engines do, [`Check::cancel`] ends a check from another thread.
//!
//! The binary `uforia` uses the same code. Its [`main`] goes through `args` (words to settings, by `clap` and the arguments in `options`), `supervise` (signals,
//! the last line), `watch` (a worker with a large stack, watched by the calling thread) and one file of `command`; `check` loads the program (`frontend`, `preprocess`)
//! and verifies it (`examine`), as [`Check::run`] does. This is the only crate that reads files, starts threads, prints, or looks at the wall clock.
//! Its other modules are for development tasks and tests: they are not documented here and may change with every version.

#![forbid(unsafe_code)]

mod annotated;
mod annotations;
mod api;
#[doc(hidden)]
pub mod args;
mod board;
mod bundle;
mod by_contracts;
mod by_endless;
mod by_rankings;
mod cache;
mod campaign;
mod child;
mod claim;
mod command;
mod commands;
mod compile_commands;
mod compiler;
mod completions;
mod config;
#[doc(hidden)]
pub mod context;
mod coverage;
mod display;
mod each;
#[doc(hidden)]
pub mod engines;
mod event;
mod examine;
mod exit;
mod explain;
mod failure;
#[doc(hidden)]
pub mod frontend;
mod graph;
mod guard;
#[doc(hidden)]
pub mod headers;
mod input;
mod leans;
mod manual;
mod memory;
mod offers;
#[doc(hidden)]
pub mod options;
#[doc(hidden)]
pub mod output;
mod outputs;
mod overflowing;
mod phases;
mod portfolio;
mod preprocess;
mod processor;
mod progress;
mod property;
mod quantity;
mod quoting;
mod race;
mod relay;
mod render;
mod replay_test;
mod scratch;
mod second_opinion;
#[doc(hidden)]
pub mod settings;
mod slice;
mod supervise;
mod tuning;
mod vacuity;
mod values;
#[doc(hidden)]
pub mod verify;
mod watch;
mod worker;

pub use api::{Check, DataModel, Error, Property};
pub use event::Event;
pub use report::answer::{self, Answer, Verdict};
pub use verdict::Code;

use args::Request;
use exit::Exit;
use failure::Failure;
use output::{Output, message};

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
fn work(settings: options::Settings, words: &[String]) -> Exit {
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
