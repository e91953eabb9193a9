//! The text of a Boogie file, and where each byte of it stands.

use base::{Diagnostic, FileId, Place, Severity};

use crate::tuning::Tuning;

/// A stretch of the text, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Span {
    /// Its first byte.
    pub start: u32,
    /// The byte behind its last.
    pub end: u32,
}

impl Span {
    /// From the start of this one to the end of the other.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start, end: other.end.max(self.start) }
    }
}

/// The text with its line table.
pub(crate) struct Source<'s> {
    pub name: &'s str,
    pub text: &'s str,
    line_starts: Vec<u32>,
}

impl<'s> Source<'s> {
    /// The text of the file of this name.
    pub fn new(name: &'s str, text: &'s str) -> Self {
        let after_breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at as u32 + 1);
        Source { name, text, line_starts: std::iter::once(0).chain(after_breaks).collect() }
    }
    /// The text of the span.
    pub fn at(&self, span: Span) -> &'s str {
        &self.text[span.start as usize..span.end as usize]
    }
    /// Line and column of the byte, in characters, counting from one.
    fn position(&self, at: u32) -> (u32, u32) {
        let line = self.line_starts.partition_point(|&start| start <= at);
        let start = self.line_starts[line - 1] as usize;
        let column = self.text[start..at as usize].chars().count() as u32 + 1;
        (line as u32, column)
    }
    /// The place of the span's start.
    pub fn place(&self, file: FileId, span: Span) -> Place {
        let (line, column) = self.position(span.start);
        Place { file, line, column }
    }
    /// A message about the span.
    pub fn diagnostic(&self, severity: Severity, span: Span, message: String, help: String) -> Diagnostic {
        let (line, column) = self.position(span.start);
        let start = self.line_starts[line as usize - 1] as usize;
        let shown = self.text[start..].split('\n').next().unwrap_or("").trim_end_matches('\r');
        let within = (span.end as usize).min(start + shown.len()).max(span.start as usize);
        let length = self.text.get(span.start as usize..within).map_or(1, |part| part.chars().count().max(1)) as u32;
        Diagnostic {
            severity,
            file: self.name.to_owned(),
            line,
            column,
            length,
            source_line: if shown.len() > Tuning::DEFAULT.max_shown_line { String::new() } else { shown.to_owned() },
            message,
            help,
        }
    }
}
