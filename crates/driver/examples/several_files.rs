//! Checks several programs, as many at a time as there are cores, and prints a line for each:
//! `cargo run --release -p uforia --example several_files -- FILE...`.
//!
//! The first error that is found ends the other checks, by a flag that all of them share.

#![forbid(unsafe_code)]

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use uforia::{Check, Verdict};

fn main() -> ExitCode {
    let files: Vec<String> = std::env::args().skip(1).collect();
    let (next, cancel) = (AtomicUsize::new(0), Arc::new(AtomicBool::new(false)));
    let n_cores = thread::available_parallelism().map_or(1, |count| count.get());
    thread::scope(|scope| {
        for _ in 0..n_cores.min(files.len()) {
            scope.spawn(|| {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    check(file, &cancel);
                }
            });
        }
    });
    ExitCode::from(u8::from(cancel.load(Ordering::Relaxed)))
}

fn check(file: &str, cancel: &Arc<AtomicBool>) {
    let check = Check::new().file(file).threads(1).timeout(Duration::from_secs(60)).cancel(Arc::clone(cancel));
    match check.run() {
        Ok(answer) => {
            println!("{file}: {}", answer.line());
            if matches!(answer.verdict(), Verdict::Unsafe(_)) {
                cancel.store(true, Ordering::Relaxed);
            }
        }
        Err(error) => println!("{file}: {error}"),
    }
}
