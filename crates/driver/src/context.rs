//! What everything that works on one command shares: settings, limits, the cancel flag, progress, and the receiver of events.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use crate::event::Event;
use crate::memory::MemoryLimit;
use crate::offers::Offers;
use crate::options::Settings;
use crate::output::Output;
use crate::progress::SharedProgress;

/// What the worker gets.
#[derive(Clone)]
pub struct Context {
    /// What the command line, or a user of the library, asked for.
    pub settings: Arc<Settings>,
    /// The text of the program, if it is not that of the file.
    pub text: Option<Arc<str>>,
    /// Where the answer is printed.
    pub output: Output,
    /// Called with what happens.
    pub listener: Option<Arc<Listener>>,
    /// Draws what the engines do while they work.
    pub drawing: Option<StartDrawing>,
    /// Whether the answer has the run into the error and the hash of the input in any case.
    pub is_recorded: bool,
    /// Set when it is time to stop.
    pub cancel: Arc<AtomicBool>,
    /// Candidates for invariants that the engines get if they hold.
    pub offers: Offers,
    /// A flag of the caller: once it is set, the run is interrupted.
    pub interrupt: Option<Arc<AtomicBool>>,
    /// The memory that the process may use.
    pub limit: MemoryLimit,
    /// Folders to remove when the run ends early.
    pub temporary: Arc<Mutex<Vec<PathBuf>>>,
    /// When the run began.
    pub started: Instant,
    /// When the run must have ended.
    pub deadline: Option<Instant>,
    /// The state of the engines.
    pub progress: SharedProgress,
}

/// A function that is called with events, on the threads on which they happen.
pub type Listener = dyn Fn(&Event<'_>) + Send + Sync;

/// Begins to draw.
pub type StartDrawing = fn(&Context) -> Box<dyn Drawing + '_>;

/// Something that is drawn while the engines work, and erased when it is dropped.
pub trait Drawing {
    /// Draws, if it is time.
    fn draw(&mut self);
}

impl Context {
    /// The context of a run that begins now, without a listener.
    pub fn new(settings: Settings, output: Output) -> Self {
        let deadline = settings.timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        Context {
            limit: MemoryLimit::find(settings.memory),
            settings: Arc::new(settings),
            text: None,
            output,
            listener: None,
            drawing: None,
            is_recorded: false,
            cancel: Arc::new(AtomicBool::new(false)),
            offers: Offers::default(),
            interrupt: None,
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
    /// Whether the caller has set its flag.
    pub fn is_interrupted(&self) -> bool {
        self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
    /// Passes the event on.
    pub fn emit(&self, event: &Event<'_>) {
        if let Some(listener) = &self.listener {
            listener(event);
        }
    }
    /// Passes on what is being done.
    pub fn log(&self, text: &str) {
        self.emit(&Event::Log { text });
    }
    /// Passes on what is not as it should be, although the run goes on.
    pub fn warn(&self, text: &str) {
        self.emit(&Event::Warning { text });
    }
    /// Removes what an early end has left behind.
    pub fn remove_temporary_files(&self) {
        let folders = std::mem::take(&mut *self.temporary.lock().unwrap_or_else(PoisonError::into_inner));
        for folder in folders {
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}
