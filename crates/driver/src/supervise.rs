//! The main thread of the binary: signals, the last line and the exit code.
//!
//! The work runs in a worker that [`watch`] watches. SIGINT, SIGTERM and SIGHUP interrupt it, and so does the end of the process that started this
//! one. If the worker has not said the last line, the main thread says it. A panic of the worker is our own bug and is reported as such.

use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use base::Stopped;
use report::Reason;
use verdict::Code;

use crate::child::ENDS_WITH_INPUT;
use crate::context::{Context, Drawing};
use crate::display::Display;
use crate::event::Event;
use crate::exit::Exit;
use crate::options::{Command, Settings};
use crate::output::{Output, message};
use crate::watch::{Ended, Signal, watch};
use crate::worker::note_panics;

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

/// The context of a process: it prints to standard output, warnings and with `--verbose` also the log to standard error.
pub fn context(settings: Settings) -> Context {
    let is_verbose = settings.verbose;
    let listener = move |event: &Event<'_>| match event {
        Event::Warning { text } => message(&format!("uforia: {text}\n")),
        Event::Log { text } if is_verbose => message(&format!("uforia: {text}\n")),
        Event::Phase { engine, phase } if is_verbose => message(&format!("uforia: {engine}: {phase}\n")),
        _ => {}
    };
    let drawing: fn(&Context) -> Box<dyn Drawing + '_> = |context| Box::new(Display::new(context));
    Context { listener: Some(Arc::new(listener)), drawing: Some(drawing), ..Context::new(settings, Output::standard()) }
}

/// Runs the work to its end, or to the first reason to stop.
pub fn supervise(context: &Context, work: Work) -> Exit {
    note_panics();
    let (sender, signals) = channel();
    listen_to_signals(sender.clone());
    watch_parent(sender.clone());
    let body = Arc::clone(&work.body);
    match watch(context, (sender, signals), move |context| body(context)) {
        Ended::Finished(exit) => close(context, "", exit),
        Ended::Without(reason) => work.answer(context, &reason),
        Ended::Panicked(what) => report_bug(context, &work, &what),
    }
}

/// What the main thread does last in any case: the last line, the exit code.
fn close(context: &Context, last: &str, exit: Exit) -> Exit {
    match context.output.finish(last) {
        Ok(()) => exit,
        // A reader that went away (`| head`) has what it wants: no message.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Exit::CannotWrite,
        Err(error) => {
            message(&format!("uforia: cannot write to standard output: {error}\n"));
            Exit::CannotWrite
        }
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
            return close(context, "", exit);
        }
        close(context, &format!("UNKNOWN: {text}\n"), exit)
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

fn listen_to_signals<T: Send + 'static>(sender: Sender<Signal<T>>) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    // Without handlers the signals end the process at once, which is a fair second best.
    let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP]) else { return };
    let _ = thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for _ in signals.forever() {
            if sender.send(Signal::Interrupt).is_err() {
                return;
            }
        }
    });
}

/// Ends this process like a signal does when the process that started it is gone.
fn watch_parent<T: Send + 'static>(sender: Sender<Signal<T>>) {
    if std::env::var_os(ENDS_WITH_INPUT).is_none() {
        return;
    }
    let _ = thread::Builder::new().name("parent".to_owned()).spawn(move || {
        let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
        let _ = sender.send(Signal::Interrupt);
    });
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::time::Duration;

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
