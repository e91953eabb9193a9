//! A part of the time: a piece of work that ends by itself, or is stopped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use base::Stopped;

use crate::context::Context;
use crate::processor;
use crate::tuning::Tuning;

/// Does the work with a flag of its own, which is set when the time is over or the whole run is to stop. `None` if the work was stopped; an
/// error if the whole run is to stop.
pub fn within<T>(
    context: &Context,
    time: Duration,
    work: impl FnOnce(&Context) -> Result<T, Stopped>,
) -> Result<Option<T>, Stopped> {
    let own = Context { cancel: Arc::default(), ..context.clone() };
    let done = AtomicBool::new(false);
    let (began, used) = (Instant::now(), processor::used());
    // Other work of the machine does not count.
    let spent = || match (used, processor::used()) {
        (Some(before), Some(now)) => now.saturating_sub(before),
        _ => began.elapsed(),
    };
    let found = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) && !context.stopping() && spent() < time {
                std::thread::sleep(Duration::from_millis(Tuning::DEFAULT.slice_poll_milliseconds));
            }
            own.cancel.store(true, Ordering::Relaxed);
        });
        let found = work(&own);
        done.store(true, Ordering::Relaxed);
        found
    });
    match found {
        Ok(found) => Ok(Some(found)),
        Err(_) if context.stopping() => Err(Stopped::Cancelled),
        Err(_) => Ok(None),
    }
}
