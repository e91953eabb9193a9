//! A worker works, the calling thread watches.
//!
//! The worker has a large stack and no stopwatch. The calling thread waits for its result, for a signal or the flag of the caller, for the clock and for
//! the memory limit, whichever comes first. To stop the worker it sets the cancel flag and gives it a moment to report what it knows. The binary
//! and [`crate::Check`] both run through here.

use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use base::Stopped;
use report::Reason;
use verdict::Code;

use crate::context::Context;
use crate::progress::lock;
use crate::tuning::Tuning;
use crate::worker::{in_worker, panics_as_text};

/// What the watching thread waits for.
pub enum Signal<T> {
    /// The worker has a result, or has seen the cancel flag.
    Finished(Result<T, Stopped>),
    /// The worker panicked, with these words.
    Panicked(String),
    /// The run shall end.
    Interrupt,
}

/// How a watched run ended.
pub enum Ended<T> {
    /// With the worker's result.
    Finished(T),
    /// Without one, for this reason.
    Without(Reason),
    /// By a panic of the worker, with these words: our own bug.
    Panicked(String),
}

/// Runs the body to its end, or to the first reason to stop. Who has a copy of the sender can interrupt it.
pub fn watch<T: Send + 'static>(
    context: &Context,
    (sender, signals): (Sender<Signal<T>>, Receiver<Signal<T>>),
    body: impl FnOnce(&Context) -> Result<T, Stopped> + Send + 'static,
) -> Ended<T> {
    if let Err(error) = start(context, sender, body) {
        context.warn(&format!("cannot start a thread: {error}"));
        return Ended::Without(OUT_OF_MEMORY.reason());
    }
    let ended = wait_for(context, &signals);
    context.remove_temporary_files();
    ended
}

fn start<T: Send + 'static>(
    context: &Context,
    sender: Sender<Signal<T>>,
    body: impl FnOnce(&Context) -> Result<T, Stopped> + Send + 'static,
) -> std::io::Result<()> {
    let context = context.clone();
    in_worker(1, move || {
        let signal = match panics_as_text(|| body(&context)) {
            Ok(outcome) => Signal::Finished(outcome),
            Err(panic) => Signal::Panicked(panic),
        };
        // Without a receiver, the run has ended already.
        let _ = sender.send(signal);
    })
}

fn wait_for<T>(context: &Context, signals: &Receiver<Signal<T>>) -> Ended<T> {
    let poll = Duration::from_millis(Tuning::DEFAULT.memory_poll_milliseconds);
    loop {
        let left = context.deadline.map_or(poll, |deadline| deadline.saturating_duration_since(Instant::now()));
        match signals.recv_timeout(poll.min(left)) {
            Ok(Signal::Finished(Ok(result))) => return Ended::Finished(result),
            Ok(Signal::Panicked(what)) => return Ended::Panicked(what),
            Ok(Signal::Finished(Err(_)) | Signal::Interrupt) => return stop(context, signals, INTERRUPTED),
            Err(RecvTimeoutError::Disconnected) => return Ended::Panicked("the worker vanished".to_owned()),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if context.is_interrupted() {
            return stop(context, signals, INTERRUPTED);
        }
        if context.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return stop(context, signals, OUT_OF_TIME);
        }
        if context.limit.exceeded() {
            return stop(context, signals, OUT_OF_MEMORY);
        }
    }
}

/// Sets the flag and waits a moment for what the worker knows.
fn stop<T>(context: &Context, signals: &Receiver<Signal<T>>, cause: Cause) -> Ended<T> {
    context.cancel.store(true, Ordering::Relaxed);
    match last_signal(context, signals) {
        Ok(Signal::Finished(Ok(result))) => return Ended::Finished(result),
        Ok(Signal::Panicked(what)) => return Ended::Panicked(what),
        // A second signal means: at once.
        Ok(Signal::Finished(Err(_)) | Signal::Interrupt) | Err(_) => {}
    }
    let (far, obstacle) = {
        let progress = lock(&context.progress);
        (progress.how_far(), progress.obstacle().cloned())
    };
    let far = far.map_or_else(String::new, |far| format!(", {far}"));
    // What an engine has found about the program says more than that others are still searching.
    Ended::Without(match obstacle {
        Some(found) => Reason { text: format!("{}; {} for the rest{far}", found.text, cause.1), engine: None, ..found },
        None => Reason::new(cause.0, format!("{}{far}", cause.1)),
    })
}

/// The worker's signal within its grace. A worker that takes more memory meanwhile, such as a front end that does not see the flag, gets none.
fn last_signal<T>(context: &Context, signals: &Receiver<Signal<T>>) -> Result<Signal<T>, RecvTimeoutError> {
    let end = Instant::now() + Duration::from_millis(Tuning::DEFAULT.stop_milliseconds);
    loop {
        match signals.recv_timeout(Duration::from_millis(Tuning::DEFAULT.memory_poll_milliseconds) / 4) {
            Err(RecvTimeoutError::Timeout) if Instant::now() < end && !context.limit.far_exceeded() => {}
            signal => return signal,
        }
    }
}

/// Why a worker is stopped: the code, and the words for the reason.
#[derive(Clone, Copy)]
pub struct Cause(Code, &'static str);

const INTERRUPTED: Cause = Cause(Code::Interrupted, "interrupted");
const OUT_OF_TIME: Cause = Cause(Code::OutOfTime, "out of time");
/// The memory limit is reached, or the system gives no more.
pub const OUT_OF_MEMORY: Cause = Cause(Code::OutOfMemory, "out of memory");

impl Cause {
    /// The same as a reason.
    pub fn reason(self) -> Reason {
        Reason::new(self.0, self.1)
    }
}
