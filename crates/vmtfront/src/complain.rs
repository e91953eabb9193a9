//! What is wrong with an input, collected with its place and the text of the line.

use base::{Diagnostic, Severity};

use crate::tuning::Tuning;

pub(crate) struct Complain<'a> {
    file: &'a str,
    lines: Vec<&'a str>,
    pub found: Vec<Diagnostic>,
}

impl<'a> Complain<'a> {
    pub fn new(file: &'a str, text: &'a str) -> Self {
        Complain { file, lines: text.lines().collect(), found: Vec::new() }
    }
    /// The input is wrong here; line zero is for the whole file.
    pub fn error(&mut self, line: u32, column: u32, message: String) {
        self.say(Severity::Error, line, column, message);
    }
    pub fn say(&mut self, severity: Severity, line: u32, column: u32, message: String) {
        let known = |one: &Diagnostic| one.line == line && one.message == message;
        if self.found.iter().any(known) || (severity == Severity::Warning && self.is_enough()) {
            return;
        }
        let source_line = self.lines.get((line as usize).wrapping_sub(1)).copied().unwrap_or_default().to_owned();
        self.found.push(Diagnostic {
            severity,
            file: self.file.to_owned(),
            line,
            column,
            length: 1,
            source_line,
            message,
            help: String::new(),
        });
    }
    /// Whether the input cannot be used.
    pub fn is_hopeless(&self) -> bool {
        self.found.iter().any(|one| one.severity != Severity::Warning)
    }
    pub fn is_enough(&self) -> bool {
        self.found.len() >= Tuning::DEFAULT.max_diagnostics
    }
}
