//! Why a program could not be loaded, and which exit code that is.

use base::{Diagnostic, Severity};

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

impl Failure {
    /// The exit code that belongs to it.
    pub fn exit(&self) -> Exit {
        match self {
            Failure::Usage(_) => Exit::Usage,
            Failure::CannotRead(_) => Exit::CannotRead,
            Failure::CannotWrite(_) => Exit::CannotWrite,
            Failure::Invalid(found) if found.iter().any(|one| one.severity == Severity::Error) => Exit::BadInput,
            Failure::Invalid(_) | Failure::Stopped => Exit::Unknown,
        }
    }
    /// The reason in one line, for after `UNKNOWN: `.
    pub fn reason(&self) -> String {
        match self {
            Failure::Usage(text) | Failure::CannotRead(text) | Failure::CannotWrite(text) => text.clone(),
            Failure::Stopped => "interrupted".to_owned(),
            Failure::Invalid(found) => match found.iter().find(|one| one.severity == Severity::Error) {
                Some(error) => format!("not a valid program: {}{}", error.message, at(error)),
                None => match found.iter().find(|one| one.severity == Severity::Unsupported) {
                    // The message names the construct; the word itself is said once.
                    Some(one) => format!("unsupported {}{}", one.message.trim_start_matches("unsupported "), at(one)),
                    None => "the front end gave no program".to_owned(),
                },
            },
        }
    }
}

fn at(diagnostic: &Diagnostic) -> String {
    match diagnostic.line {
        0 => format!(" in {}", diagnostic.file),
        line => format!(" at {}:{line}", diagnostic.file),
    }
}
