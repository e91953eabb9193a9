//! Threads with large stacks, whose panics become text.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::thread;

use crate::memory::address_space_limit;

/// The name of a worker's thread.
const WORKER: &str = "worker";
/// Stack sizes to try. The memory is reserved, not used, until recursion needs it; an address-space
/// limit can still refuse it, and the stack shall not take more than a quarter of that.
const STACKS: [usize; 4] = [1 << 30, 256 << 20, 64 << 20, SMALLEST_STACK];
// law: levels of recursion that are allowed need this stack.
const SMALLEST_STACK: usize = 16 << 20;

/// Runs the body on a thread with the stack that is available for one of `n_threads` threads.
pub fn in_worker(n_threads: usize, body: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    // A stack size that is refused must not cost the body: it waits here until a thread takes it.
    let waiting = Arc::new(Mutex::new(Some(body)));
    let mut refused = None;
    let most = address_space_limit().map_or(usize::MAX, |bytes| (bytes / 8) as usize / n_threads.max(1));
    for stack in STACKS.map(|stack| stack.min(most.max(SMALLEST_STACK))) {
        let waiting = Arc::clone(&waiting);
        let start = move || {
            let body = waiting.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(body) = body {
                body();
            }
        };
        match thread::Builder::new().name(WORKER.to_owned()).stack_size(stack).spawn(start) {
            Ok(_) => return Ok(()),
            Err(error) => refused = Some(error),
        }
    }
    Err(refused.expect("at least one stack size was tried"))
}

thread_local! {
    /// Where this thread panicked.
    static PANIC_PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// From now on the place of a worker's panic is noted and not printed; other threads panic as usual. This changes the panic hook of the
/// process, so only the binary does it.
pub fn note_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if thread::current().name() == Some(WORKER) {
                let at = info.location().map(|location| format!(" at {}:{}", location.file(), location.line()));
                PANIC_PLACE.with(|place| *place.borrow_mut() = at.unwrap_or_default());
            } else {
                usual(info);
            }
        }));
    });
}

/// What the work gives, or the words of its panic, and the place if it was noted.
pub fn panics_as_text<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let text = payload.downcast_ref::<String>().cloned();
        let text = text.or_else(|| payload.downcast_ref::<&str>().map(|&text| text.to_owned()));
        let place = PANIC_PLACE.with(|place| place.borrow().clone());
        format!("{}{place}", text.unwrap_or_else(|| "a panic without words".to_owned()))
    })
}
