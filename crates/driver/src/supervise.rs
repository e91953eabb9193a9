//! The main thread waits, a worker works.
//!
//! The worker has a large stack and no stopwatch. The main thread waits for its answer, for a
//! signal, for the clock and for the memory limit, whichever comes first. To stop the worker it
//! pulls the cancel flag and gives it a moment to say what it knows; then it has the last word
//! itself, removes temporary files, and ends the process. A panic of the worker is our own bug and
//! is reported as such.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use base::Stopped;
use report::Reason;
use verdict::Code;

use crate::exit::Exit;
use crate::memory::{MemoryLimit, address_space_limit};
use crate::options::{Command, Settings};
use crate::output::{Output, message};
use crate::progress::{SharedProgress, lock};
use crate::tuning::Tuning;

/// What the worker gets.
#[derive(Clone)]
pub struct Context {
    /// What the command line asked for.
    pub settings: Arc<Settings>,
    /// Where the answer goes.
    pub output: Output,
    /// Pulled when it is time to stop.
    pub cancel: Arc<AtomicBool>,
    /// Folders to remove when the process ends early.
    pub temporary: Arc<Mutex<Vec<PathBuf>>>,
    /// When the process began.
    pub started: Instant,
    /// When the process must have ended.
    pub deadline: Option<Instant>,
    /// What engines say while they work.
    pub progress: SharedProgress,
}

/// The worker prints its answer and gives the exit code, or it saw the cancel flag and leaves the last line to the main thread.
pub type Body = dyn Fn(&Context) -> Result<Exit, Stopped> + Send + Sync;

/// A task: what the worker does, and what is left to do for the main thread when the worker could
/// not answer.
#[derive(Clone)]
pub struct Work {
    /// What the worker does.
    pub body: Arc<Body>,
    /// Called with the reason just before the last line.
    pub stopped: fn(&Context, &Reason),
}

enum Event {
    Finished(Result<Exit, Stopped>),
    Panicked(String),
    Signal,
}

/// Set for a process that shall end when its standard input ends: the input is a pipe from the process that started it.
pub const ENDS_WITH_INPUT: &str = "UFORIA_ENDS_WITH_INPUT";
/// The worker's name.
const WORKER: &str = "worker";
/// Stack sizes to try. The memory is reserved, not used, until recursion needs it; an address-space
/// limit can still refuse it, and the stack shall not take more than a quarter of that.
const STACKS: [usize; 4] = [1 << 30, 256 << 20, 64 << 20, SMALLEST_STACK];
// law: levels of recursion that are allowed need this stack.
const SMALLEST_STACK: usize = 16 << 20;

impl Context {
    /// The context of a fresh process.
    pub fn new(settings: Settings, output: Output) -> Self {
        let deadline = settings.timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        Context {
            settings: Arc::new(settings),
            output,
            cancel: Arc::new(AtomicBool::new(false)),
            temporary: Arc::default(),
            started: Instant::now(),
            deadline,
            progress: Arc::default(),
        }
    }
    /// Whether it is time to stop.
    pub fn stopping(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }
    /// Says what is being done, to those who asked.
    pub fn log(&self, text: &str) {
        if self.settings.verbose {
            message(&format!("uforia: {text}\n"));
        }
    }
    /// What the main thread does last in any case: the last line, the exit code.
    fn close(&self, last: &str, exit: Exit) -> Exit {
        match self.output.finish(last) {
            Ok(()) => exit,
            // A reader that went away (`| head`) has what it wants: no message.
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Exit::CannotWrite,
            Err(error) => {
                message(&format!("uforia: cannot write to standard output: {error}\n"));
                Exit::CannotWrite
            }
        }
    }
    fn remove_temporary_files(&self) {
        let folders = std::mem::take(&mut *self.temporary.lock().unwrap_or_else(PoisonError::into_inner));
        for folder in folders {
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}

/// Runs the work to its end, or to the first reason to stop.
pub fn supervise(context: &Context, work: Work) -> Exit {
    let (sender, events) = channel();
    listen_to_signals(sender.clone());
    watch_parent(sender.clone());
    if let Err(error) = start_worker(context, &work, sender) {
        message(&format!("uforia: cannot start a thread: {error}\n"));
        return work.answer(context, &OUT_OF_MEMORY.reason());
    }
    let limit = MemoryLimit::find(context.settings.memory);
    let exit = loop {
        let now = Instant::now();
        let until_deadline =
            context.deadline.map_or(Duration::from_millis(Tuning::DEFAULT.memory_poll_milliseconds), |deadline| {
                deadline.saturating_duration_since(now)
            });
        match events.recv_timeout(Duration::from_millis(Tuning::DEFAULT.memory_poll_milliseconds).min(until_deadline)) {
            Ok(Event::Finished(Ok(exit))) => break context.close("", exit),
            Ok(Event::Finished(Err(_))) => break stop(context, &work, &events, INTERRUPTED, &limit),
            Ok(Event::Panicked(what)) => break report_bug(context, &work, &what),
            Ok(Event::Signal) => break stop(context, &work, &events, INTERRUPTED, &limit),
            Err(RecvTimeoutError::Disconnected) => break report_bug(context, &work, "the worker vanished"),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if context.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            break stop(context, &work, &events, OUT_OF_TIME, &limit);
        }
        if limit.exceeded() {
            break stop(context, &work, &events, OUT_OF_MEMORY, &limit);
        }
    };
    context.remove_temporary_files();
    exit
}

/// Pulls the flag, waits a moment for what the worker knows, and says the last line.
fn stop(context: &Context, work: &Work, events: &Receiver<Event>, cause: Cause, limit: &MemoryLimit) -> Exit {
    context.cancel.store(true, Ordering::Relaxed);
    match wait(events, limit) {
        Ok(Event::Finished(Ok(exit))) => return context.close("", exit),
        Ok(Event::Panicked(what)) => return report_bug(context, work, &what),
        // A second signal means: at once.
        Ok(Event::Finished(Err(_)) | Event::Signal) | Err(_) => {}
    }
    let (far, obstacle) = {
        let progress = lock(&context.progress);
        (progress.how_far(), progress.obstacle().cloned())
    };
    let far = far.map_or_else(String::new, |far| format!(", {far}"));
    // What an engine has found about the program says more than that others are still searching.
    let reason = match obstacle {
        Some(found) => Reason { text: format!("{}; {} for the rest{far}", found.text, cause.1), engine: None, ..found },
        None => Reason::new(cause.0, format!("{}{far}", cause.1)),
    };
    work.answer(context, &reason)
}

/// Why the main thread stops the worker: the code, and the words for the last line.
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

impl Work {
    /// Says the last line for a worker that does not, with all that belongs to it.
    pub fn answer(&self, context: &Context, reason: &Reason) -> Exit {
        (self.stopped)(context, reason);
        let (text, exit) = (&reason.text, Exit::without_answer(reason.code));
        // What `lower` prints is a program; the reason does not belong there.
        if context.settings.command == Command::Lower {
            message(&format!("uforia: UNKNOWN: {text}\n"));
            return context.close("", exit);
        }
        context.close(&format!("UNKNOWN: {text}\n"), exit)
    }
}

/// What the worker says within its grace. A worker that takes more memory meanwhile, such as a front end that does not see the flag, gets none.
fn wait(events: &Receiver<Event>, limit: &MemoryLimit) -> Result<Event, RecvTimeoutError> {
    let end = Instant::now() + Duration::from_millis(Tuning::DEFAULT.stop_milliseconds);
    loop {
        match events.recv_timeout(Duration::from_millis(Tuning::DEFAULT.memory_poll_milliseconds) / 4) {
            Err(RecvTimeoutError::Timeout) if Instant::now() < end && !limit.far_exceeded() => {}
            event => return event,
        }
    }
}

fn report_bug(context: &Context, work: &Work, what: &str) -> Exit {
    message(&format!(
        "uforia: internal error: {what}\n\
         This is a bug in uforia, not in your program. Please report it with the input file, the\n\
         command line, and the version ({}).\n",
        crate::args::version().trim_end()
    ));
    work.answer(context, &internal_error(what.lines().next().unwrap_or_default()))
}

/// The reason of a failure of our own.
pub fn internal_error(what: &str) -> Reason {
    Reason::new(Code::Panic, format!("internal error, please report: {what}"))
}

fn listen_to_signals(sender: Sender<Event>) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    // Without handlers the signals end the process at once, which is a fair second best.
    let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP]) else { return };
    let _ = thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for _ in signals.forever() {
            if sender.send(Event::Signal).is_err() {
                return;
            }
        }
    });
}

/// Ends this process like a signal does when the process that started it is gone.
fn watch_parent(sender: Sender<Event>) {
    if std::env::var_os(ENDS_WITH_INPUT).is_none() {
        return;
    }
    let _ = thread::Builder::new().name("parent".to_owned()).spawn(move || {
        let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
        let _ = sender.send(Event::Signal);
    });
}

fn start_worker(context: &Context, work: &Work, sender: Sender<Event>) -> std::io::Result<()> {
    let (context, work) = (context.clone(), Arc::clone(&work.body));
    in_worker(1, move || {
        let event = match panics_as_text(|| work(&context)) {
            Ok(outcome) => Event::Finished(outcome),
            Err(panic) => Event::Panicked(panic),
        };
        // If the receiver is gone, the process is ending.
        let _ = sender.send(event);
    })
}

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

/// A worker's panic is noted and reported later; other threads panic as usual.
fn note_panics() {
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

/// What the work gives, or the words and the place of its panic.
pub fn panics_as_text<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    note_panics();
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let text = payload.downcast_ref::<String>().cloned();
        let text = text.or_else(|| payload.downcast_ref::<&str>().map(|&text| text.to_owned()));
        let place = PANIC_PLACE.with(|place| place.borrow().clone());
        format!("{}{place}", text.unwrap_or_else(|| "a panic without words".to_owned()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(
        settings: Settings,
        work: impl Fn(&Context) -> Result<Exit, Stopped> + Send + Sync + 'static,
    ) -> (Exit, String) {
        let seen = nothing_seen();
        let context = Context::new(settings, Output::to(Box::new(seen.clone())));
        let exit = supervise(&context, Work { body: Arc::new(work), stopped: |_, _| {} });
        (exit, seen.text())
    }

    #[derive(Clone)]
    struct Seen(Arc<Mutex<Vec<u8>>>);
    fn nothing_seen() -> Seen {
        Seen(Arc::default())
    }
    impl Seen {
        fn text(&self) -> String {
            String::from_utf8_lossy(&self.0.lock().expect("no test panics while writing")).into_owned()
        }
    }
    impl std::io::Write for Seen {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().expect("no test panics while writing").extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_panic_of_the_worker_is_reported_as_our_bug() {
        let (exit, text) = run(Settings::new(Command::Check), |_| panic!("the law is broken"));
        assert_eq!(exit, Exit::Bug);
        assert!(text.starts_with("UNKNOWN: internal error, please report: the law is broken"), "{text}");
    }

    #[test]
    fn a_worker_that_never_ends_is_out_of_time() {
        let mut settings = Settings::new(Command::Check);
        settings.timeout = Some(Duration::from_millis(50));
        let (exit, text) = run(settings, |context| {
            while !context.stopping() {
                thread::sleep(Duration::from_millis(1));
            }
            context.output.print("what is known so far\n");
            Err(Stopped::Cancelled)
        });
        assert_eq!((exit, text.as_str()), (Exit::Unknown, "what is known so far\nUNKNOWN: out of time\n"));
    }

    #[test]
    fn a_worker_that_does_not_listen_is_left_behind() {
        let mut settings = Settings::new(Command::Check);
        settings.timeout = Some(Duration::from_millis(20));
        let (exit, text) = run(settings, |_| {
            thread::sleep(Duration::from_secs(3));
            Ok(Exit::Done)
        });
        assert_eq!((exit, text.as_str()), (Exit::Unknown, "UNKNOWN: out of time\n"));
    }

    #[test]
    fn a_worker_that_eats_memory_is_stopped() {
        let mut settings = Settings::new(Command::Check);
        settings.memory = Some(1 << 20);
        let (exit, text) = run(settings, |context| {
            while !context.stopping() {
                thread::sleep(Duration::from_millis(1));
            }
            Err(Stopped::Cancelled)
        });
        assert_eq!((exit, text.as_str()), (Exit::Unknown, "UNKNOWN: out of memory\n"));
    }

    #[test]
    fn deep_recursion_fits_on_the_worker_s_stack() {
        fn depth(n: u64) -> u64 {
            let block = std::hint::black_box([n; 16]);
            if n == 0 { 0 } else { block[3] - n + 1 + depth(n - 1) }
        }
        let (exit, text) = run(Settings::new(Command::Check), |context| {
            context.output.print(&depth(300_000).to_string());
            Ok(Exit::Done)
        });
        assert_eq!((exit, text.as_str()), (Exit::Done, "300000"));
    }
}
