//! The library: [`Check`] says what to verify, [`Check::run`] verifies it, [`Error`] says why there is no answer.
//!
//! A check prints nothing, installs no handlers and changes no state of the process. What it does in the process: threads with large
//! stacks, a temporary folder and the C preprocessor as a child process, where the program needs one.

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::channel;
use std::time::Duration;

use report::answer::{Answer, Diagnostic};

use crate::command::answer;
use crate::context::{Context, Listener};
use crate::engines;
use crate::event::Event;
use crate::examine::examine;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::frontend;
use crate::memory::MemoryLimit;
use crate::options::{Command, Settings, When};
use crate::output::Output;
use crate::watch::{Ended, watch};

/// What to verify, and how. Every setter takes the value and returns it, and a check can be run more than once.
///
/// The defaults are those of the command line: the property [`Property::Errors`], the data model [`DataModel::Lp64`], all engines side by side, no time
/// limit. Unlike there, the file `uforia.toml` is not read and memory has no limit unless one is set.
#[derive(Clone)]
pub struct Check {
    settings: Settings,
    text: Option<Arc<str>>,
    listener: Option<Arc<Listener>>,
    interrupt: Option<Arc<AtomicBool>>,
    /// The first value that cannot be used.
    refused: Option<String>,
}

/// What a program must keep.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Property {
    /// No assertion fails, no error function is called, accesses to memory are valid, nothing is divided by zero.
    Errors,
    /// No error function is called and no assertion fails.
    UnreachCall,
    /// Signed arithmetic does not overflow.
    NoOverflow,
    /// Accesses and frees are valid and no allocated memory is lost.
    MemorySafety,
    /// All allocated memory is freed before the program ends.
    MemoryCleanup,
    /// Every run ends.
    Termination,
    /// What a property file (`.prp`) of SV-COMP says.
    File(String),
}

/// The sizes of C types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum DataModel {
    /// 64-bit `long` and pointers.
    Lp64,
    /// 32-bit `long` and pointers.
    Ilp32,
}

/// Why a check has no answer. A program that is valid but cannot be decided has an answer: `UNKNOWN`.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The check asks for something that does not exist.
    Usage(String),
    /// The program cannot be read, or there is no preprocessor.
    CannotRead(String),
    /// The input is not a valid program; all diagnostics that there are.
    Invalid(Vec<Diagnostic>),
    /// A bug in uforia: evidence that was rejected, or a panic. Please report it.
    Bug(String),
}

impl Default for Check {
    fn default() -> Self {
        let mut settings = Settings::new(Command::Check);
        settings.progress = When::Never;
        Check { settings, text: None, listener: None, interrupt: None, refused: None }
    }
}

impl Check {
    /// A check of nothing yet: name a [`file`](Check::file) or give a [`text`](Check::text).
    pub fn new() -> Self {
        Check::default()
    }
    /// The program is this file; its extension selects the language.
    pub fn file(mut self, path: impl AsRef<Path>) -> Self {
        let path = path.as_ref();
        // A name that means standard input on the command line.
        let path = if path == Path::new("-") { Path::new("./-") } else { path };
        (self.settings.file, self.text) = (path.to_string_lossy().into_owned(), None);
        self
    }
    /// The program is this text. The name stands in the answer, and its extension selects the language; no file of this name is read.
    pub fn text(self, name: impl AsRef<Path>, text: impl Into<Arc<str>>) -> Self {
        let text = Some(text.into());
        Check { text, ..self.file(name) }
    }
    /// Searches this folder for files that the program includes.
    pub fn include(mut self, folder: impl AsRef<Path>) -> Self {
        let folder = folder.as_ref().to_string_lossy().into_owned();
        self.note("include", &folder, true);
        self.settings.include.push(folder);
        self
    }
    /// Defines a macro, as `NAME` or `NAME=TEXT`.
    pub fn define(mut self, macro_text: &str) -> Self {
        self.note("define", macro_text, true);
        self.settings.define.push(macro_text.to_owned());
        self
    }
    /// The sizes of C types.
    pub fn data_model(mut self, model: DataModel) -> Self {
        let (name, model) = match model {
            DataModel::Lp64 => ("lp64", cfront::DataModel::Lp64),
            DataModel::Ilp32 => ("ilp32", cfront::DataModel::Ilp32),
        };
        self.note("data-model", name, false);
        self.settings.data_model = model;
        self
    }
    /// What the program must keep.
    pub fn property(mut self, property: Property) -> Self {
        let name = match property {
            Property::Errors => "errors".to_owned(),
            Property::UnreachCall => "unreach-call".to_owned(),
            Property::NoOverflow => "no-overflow".to_owned(),
            Property::MemorySafety => "valid-memsafety".to_owned(),
            Property::MemoryCleanup => "valid-memcleanup".to_owned(),
            Property::Termination => "termination".to_owned(),
            Property::File(path) => path,
        };
        self.note("property", &name, false);
        self.settings.property = name;
        self
    }
    /// Only this engine works, such as `bmc` or `euf`; `portfolio` stands for all.
    pub fn engine(mut self, name: &str) -> Self {
        if name != engines::PORTFOLIO && engines::by_name(name).is_none() {
            self.refuse(format!("there is no engine `{name}`"));
        }
        self.note("engine", name, false);
        self.settings.engine = Some(name.to_owned());
        self
    }
    /// Ends with `UNKNOWN` after this time.
    pub fn timeout(mut self, limit: Duration) -> Self {
        self.note("timeout", &format!("{}ms", limit.as_millis()), false);
        self.settings.timeout = Some(limit);
        self
    }
    /// Ends with `UNKNOWN` when the process has more bytes of resident memory than this; the memory of the caller counts.
    pub fn memory(mut self, bytes: u64) -> Self {
        self.note("memory", &format!("{bytes}B"), false);
        self.settings.memory = Some(bytes);
        self
    }
    /// At most this many engines work at a time. With 1, the same check gives the same answer, apart from times.
    pub fn threads(mut self, count: u32) -> Self {
        if count == 0 {
            self.refuse("engines need at least one thread".to_owned());
        }
        self.note("threads", &count.to_string(), false);
        self.settings.threads = Some(count);
        self
    }
    /// The seed of all random choices.
    pub fn seed(mut self, seed: u64) -> Self {
        self.note("seed", &seed.to_string(), false);
        self.settings.seed = seed;
        self
    }
    /// A setting of a component, such as `kind.unwind`; `docs/settings.md` lists them.
    pub fn set(mut self, name: &str, value: &str) -> Self {
        let word = format!("{name}={value}");
        match self.settings.chosen.assign(&word) {
            Ok(()) => self.note("set", &word, true),
            Err(message) => self.refuse(message),
        }
        self
    }
    /// Calls this function with what happens, on the threads on which it happens.
    pub fn on_event(mut self, listener: impl Fn(&Event<'_>) + Send + Sync + 'static) -> Self {
        self.listener = Some(Arc::new(listener));
        self
    }
    /// Ends with `UNKNOWN` soon after another thread has set this flag. The check never sets it, so that several checks can share it.
    pub fn cancel(mut self, flag: Arc<AtomicBool>) -> Self {
        self.interrupt = Some(flag);
        self
    }

    /// Verifies the program. `Safe` and `Unsafe` were checked by the independent checker.
    ///
    /// It returns at a limit or after [`cancel`](Check::cancel), also where a thread needs longer to notice and ends later.
    pub fn run(&self) -> Result<Answer, Error> {
        if let Some(message) = &self.refused {
            return Err(Error::Usage(message.clone()));
        }
        if self.settings.file.is_empty() {
            return Err(Error::Usage("a check needs a file or a text".to_owned()));
        }
        let context = self.context();
        let body = |context: &Context| match frontend::load(context).and_then(|loaded| examine(context, loaded, |_| ()))
        {
            Err(Failure::Stopped) => Err(base::Stopped::Cancelled),
            other => Ok(other),
        };
        match watch(&context, channel(), body) {
            Ended::Finished(Ok(examined)) => {
                examined.found.bugs.iter().for_each(|bug| context.warn(bug));
                unless_bug(examined.answer)
            }
            Ended::Finished(Err(failure)) => refusal(&context, &failure),
            Ended::Without(reason) => Ok(answer::without(&context, &reason)),
            Ended::Panicked(what) => Err(Error::Bug(what)),
        }
    }

    fn context(&self) -> Context {
        let limit = self.settings.memory.map_or(MemoryLimit::none(), |bytes| MemoryLimit::find(Some(bytes)));
        Context {
            text: self.text.clone(),
            listener: self.listener.clone(),
            interrupt: self.interrupt.clone(),
            is_recorded: true,
            limit,
            ..Context::new(self.settings.clone(), Output::to(Box::new(std::io::sink())))
        }
    }
    /// Notes the option of the command line with the same meaning, for the answer.
    fn note(&mut self, option: &str, value: &str, is_repeated: bool) {
        let words = &mut self.settings.words;
        let start = format!("--{option}=");
        if !is_repeated {
            words.retain(|word| !word.starts_with(&start));
        }
        let place = words.partition_point(|word| word.split('=').next() <= Some(start.trim_end_matches('=')));
        words.insert(place, start + value);
    }
    fn refuse(&mut self, message: String) {
        self.refused.get_or_insert(message);
    }
}

impl fmt::Debug for Check {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Check").field("file", &self.settings.file).field("settings", &self.settings.words).finish()
    }
}

/// The answer, unless a bug of ours is what keeps it from being one.
fn unless_bug(answer: Answer) -> Result<Answer, Error> {
    match answer.reasons.first() {
        Some(reason) if Exit::of(answer.exit_code.into()) == Exit::Bug => Err(Error::Bug(reason.text.clone())),
        _ => Ok(answer),
    }
}

/// Why there is no program. A valid program with a construct that is not supported has an answer.
fn refusal(context: &Context, failure: &Failure) -> Result<Answer, Error> {
    match failure {
        Failure::Usage(text) => Err(Error::Usage(text.clone())),
        Failure::CannotRead(text) | Failure::CannotWrite(text) => Err(Error::CannotRead(text.clone())),
        Failure::Invalid(found) if failure.exit() != Exit::Unknown => {
            Err(Error::Invalid(found.iter().map(Into::into).collect()))
        }
        Failure::Invalid(_) | Failure::Stopped => Ok(answer::without_program(context, failure)),
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Usage(text) | Error::CannotRead(text) => out.write_str(text),
            Error::Bug(text) => write!(out, "a bug in uforia: {text}"),
            Error::Invalid(found) => match found.first() {
                Some(one) => write!(out, "{}:{}:{}: {}", one.file, one.line, one.column, one.message),
                None => out.write_str("not a valid program"),
            },
        }
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests;
