//! The text of a module and where each byte of it stands.

use base::{Diagnostic, Severity};

use crate::tuning::Tuning;

/// A message about a byte of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// Whether it is an error or something that is not treated.
    pub severity: Severity,
    /// The byte.
    pub at: u32,
    /// The sentence.
    pub message: String,
}

/// Stops with a message about the byte.
pub fn error<T>(at: u32, message: impl Into<String>) -> Result<T, Problem> {
    Err(Problem { severity: Severity::Error, at, message: message.into() })
}

/// The text with its name.
#[derive(Clone, Copy)]
pub struct Source<'s> {
    /// The name of the file.
    pub name: &'s str,
    /// The text.
    pub text: &'s str,
}

impl Source<'_> {
    /// Line and column of the byte, counting from one.
    pub fn position(&self, at: u32) -> (u32, u32) {
        let mut end = (at as usize).min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let before = &self.text[..end];
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = before.bytes().filter(|&byte| byte == b'\n').count() as u32 + 1;
        (line, before[start..].chars().count() as u32 + 1)
    }
    /// The message with its line.
    pub fn diagnostic(&self, problem: &Problem, help: &str) -> Diagnostic {
        let (line, column) = self.position(problem.at);
        let shown = self.text.lines().nth(line as usize - 1).unwrap_or("").trim_end();
        Diagnostic {
            severity: problem.severity,
            file: self.name.to_owned(),
            line,
            column,
            length: 1,
            source_line: if shown.len() > Tuning::DEFAULT.max_shown_line { String::new() } else { shown.to_owned() },
            message: problem.message.clone(),
            help: help.to_owned(),
        }
    }
}
