//! Why a program could not be loaded, and which exit code that is.

use base::{Diagnostic, Severity, Stopped};
use report::Reason;
use verdict::Code;

use crate::exit::Exit;

/// Why there is no program to work on.
#[derive(Debug)]
pub enum Failure {
    /// The command line asks for something that does not exist or is not built yet.
    Usage(String),
    /// A file cannot be read, or a tool is missing.
    CannotRead(String),
    /// A file that was asked for cannot be written.
    CannotWrite(String),
    /// The input is not a valid program, or uses what we cannot treat.
    Invalid(Vec<Diagnostic>),
    /// The cancel flag was seen.
    Stopped,
}

impl From<Stopped> for Failure {
    fn from(_: Stopped) -> Failure {
        Failure::Stopped
    }
}

impl Failure {
    /// The exit code that belongs to it.
    pub fn exit(&self) -> Exit {
        Exit::without_answer(self.reason().code)
    }
    /// The reason, for after `UNKNOWN: `.
    pub fn reason(&self) -> Reason {
        match self {
            Failure::Usage(text) => Reason::new(Code::Usage, text),
            Failure::CannotRead(text) => Reason::new(Code::CannotRead, text),
            Failure::CannotWrite(text) => Reason::new(Code::CannotWrite, text),
            Failure::Stopped => Reason::new(Code::Interrupted, "interrupted"),
            Failure::Invalid(found) => match found.iter().find(|one| one.severity == Severity::Error) {
                Some(error) => at(Code::InvalidProgram, &format!("not a valid program: {}", error.message), error),
                None => match found.iter().find(|one| one.severity == Severity::Unsupported) {
                    // The message names the construct; the word itself is said once.
                    Some(one) => {
                        let what = one.message.trim_start_matches("unsupported ");
                        at(Code::Construct, &format!("unsupported {what}"), one)
                    }
                    None => Reason::new(Code::Construct, "the front end gave no program"),
                },
            },
        }
    }
}

fn at(code: Code, text: &str, diagnostic: &Diagnostic) -> Reason {
    let file = &diagnostic.file;
    match diagnostic.line {
        0 => Reason::new(code, format!("{text} in {file}")),
        line => {
            Reason { place: Some(format!("{file}:{line}")), ..Reason::new(code, format!("{text} at {file}:{line}")) }
        }
    }
}
