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
//! The binary `uforia` uses the same code. Its [`main`] goes through `args` (words to settings, by `clap` and the table in `arguments`), `supervise` (signals,
//! the last line), `watch` (a worker with a large stack, watched by the calling thread) and one file of `command`; `check` loads the program (`frontend`, `preprocess`)
//! and verifies it (`examine`), as [`Check::run`] does. This is the only crate that reads files, starts threads, prints, or looks at the wall clock.
//! Feature `cli` (on by default) is the binary with its crates for words, colours, progress and archives; `default-features = false` leaves the library alone.
//! Its other modules are for development tasks and tests: they are not documented here and may change with every version.

#![forbid(unsafe_code)]
// Without the binary, the files and texts that only its commands write have no caller: the library keeps one tree of modules.
#![cfg_attr(not(feature = "cli"), allow(dead_code, unused_imports))]

mod annotated;
mod annotations;
mod api;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod args;
#[cfg(feature = "cli")]
mod arguments;
mod board;
#[cfg(feature = "cli")]
mod bundle;
mod by_contracts;
mod by_endless;
mod by_rankings;
mod cache;
#[cfg(feature = "cli")]
mod campaign;
mod child;
mod claim;
mod colours;
mod command;
mod commands;
mod compile_commands;
mod compiler;
#[cfg(feature = "cli")]
mod completions;
#[cfg(feature = "cli")]
mod config;
#[doc(hidden)]
pub mod context;
mod coverage;
#[cfg(feature = "cli")]
mod display;
mod each;
#[doc(hidden)]
pub mod engines;
#[cfg(feature = "cli")]
mod entry;
mod event;
mod examine;
mod exit;
mod explain;
mod failure;
#[doc(hidden)]
pub mod frontend;
mod graph;
#[cfg(feature = "cli")]
mod guard;
#[doc(hidden)]
pub mod headers;
mod input;
mod leans;
#[cfg(feature = "cli")]
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
#[cfg(feature = "cli")]
mod supervise;
mod tuning;
mod vacuity;
mod values;
#[doc(hidden)]
pub mod verify;
mod watch;
mod worker;

pub use api::{Check, DataModel, Error, Property};
#[cfg(feature = "cli")]
#[doc(hidden)]
pub use entry::main;
pub use event::Event;
pub use report::answer::{self, Answer, Verdict};
pub use verdict::Code;
