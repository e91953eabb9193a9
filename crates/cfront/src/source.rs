//! The text of a translation unit, and where each byte of it stands in the user's files.
//!
//! The preprocessor leaves line markers, `# 12 "file.c" flags` or `#line 12 "file.c"`, so the place a
//! user knows is not the place in our text. We keep the start of each line and, for each marker, one
//! *run* of lines counted from it; a place is found by two binary searches. Library models are
//! appended to the same text later, so that one offset names a byte of everything we parsed.

use base::{Diagnostic, FastMap, FileId, Id, IndexVec, Place, Severity};

use crate::ast::Span;
use crate::tuning::Tuning;

/// Preprocessed text with its line table; `# 12 "file.c"` and `#line` are honoured.
#[derive(Debug)]
pub struct Source {
    /// The text.
    pub text: String,
    /// Names of the files that places refer to.
    pub files: IndexVec<FileId, String>,
    /// Files whose expressions must be defined wherever they are evaluated: what a witness claims to hold.
    pub must_be_defined: Vec<FileId>,
    file_ids: FastMap<String, FileId>,
    /// Where each line of the text starts.
    line_starts: Vec<u32>,
    /// From each marker to the next, in order.
    runs: Vec<Run>,
    /// Entry `i` counts the continuation bytes of UTF-8 before byte `i * column_index_block`; empty for pure ASCII.
    continuations: Vec<u32>,
}

/// Lines that are counted on from one line marker.
#[derive(Debug, Clone, Copy)]
struct Run {
    /// Index into `line_starts` of its first line.
    first: u32,
    /// The number that this line has in the user's file.
    line: u32,
    file: FileId,
}

impl Source {
    /// The text of this file.
    pub fn new(file_name: &str, text: &str) -> Self {
        let mut source = Source {
            text: String::new(),
            files: IndexVec::new(),
            file_ids: FastMap::new(),
            line_starts: Vec::new(),
            runs: Vec::new(),
            continuations: Vec::new(),
            must_be_defined: Vec::new(),
        };
        source.append(file_name, text);
        source
    }

    /// Puts more text behind what is there, and returns the offset where it starts.
    ///
    /// Offsets have four bytes; text that would pass them is left out, and parsing reports it.
    pub fn append(&mut self, file_name: &str, text: &str) -> u32 {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        let start = self.text.len();
        if text.len() + start < u32::MAX as usize {
            self.text.push_str(text);
        } else {
            self.text.push_str("#error the text is longer than four gigabytes\n");
        }
        let file = self.file(file_name.to_owned());
        self.runs.push(Run { first: self.line_starts.len() as u32, line: 1, file });
        self.scan_lines(start, file);
        self.count_continuations();
        start as u32
    }

    /// Where this byte stands. Offsets past the end stand at the end.
    pub fn place(&self, offset: u32) -> Place {
        let offset = offset.min(self.text.len() as u32);
        let line_idx = self.line_index(offset);
        let run_idx = self.runs.partition_point(|run| run.first as usize <= line_idx) - 1;
        let run = self.runs[run_idx];
        let column = self.characters(self.line_starts[line_idx] as usize, offset as usize) + 1;
        Place { file: run.file, line: run.line.saturating_add((line_idx as u32) - run.first), column }
    }

    /// A message about these bytes. The underline stays within the line where they start.
    pub fn diagnostic(
        &self,
        severity: Severity,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Diagnostic {
        let place = self.place(span.start);
        let start = (span.start as usize).min(self.text.len());
        let (line_start, line_end) = self.line_bounds(start);
        let end = (span.end as usize).clamp(start, line_end.max(start));
        let source_line = if line_end - line_start <= Tuning::DEFAULT.max_shown_line {
            self.text[line_start..line_end].to_owned()
        } else {
            String::new()
        };
        Diagnostic {
            severity,
            file: self.files[place.file].clone(),
            line: place.line,
            column: place.column,
            length: self.characters(start, end).max(1),
            source_line,
            message: message.into(),
            help: help.into(),
        }
    }

    /// Whether both bytes stand on the same line of the text.
    pub fn same_line(&self, one: u32, other: u32) -> bool {
        self.line_index(one) == self.line_index(other)
    }

    fn line_index(&self, offset: u32) -> usize {
        self.line_starts.partition_point(|&start| start <= offset) - 1
    }

    /// The line around this byte without its line end.
    fn line_bounds(&self, offset: usize) -> (usize, usize) {
        let line_idx = self.line_index(offset as u32);
        let start = self.line_starts[line_idx] as usize;
        let end = self.line_starts.get(line_idx + 1).map_or(self.text.len(), |&next| next as usize);
        let line = self.text[start..end].trim_end_matches(['\n', '\r']);
        (start, start + line.len())
    }

    /// How many characters start between these bytes.
    fn characters(&self, start: usize, end: usize) -> u32 {
        let bytes = (end - start) as u32;
        if self.continuations.is_empty() {
            return bytes;
        }
        bytes - (self.continuations_before(end) - self.continuations_before(start))
    }

    fn continuations_before(&self, offset: usize) -> u32 {
        let block = offset / Tuning::DEFAULT.column_index_block;
        let rest = &self.text.as_bytes()[block * Tuning::DEFAULT.column_index_block..offset];
        self.continuations[block] + rest.iter().filter(|&&byte| is_continuation(byte)).count() as u32
    }

    fn count_continuations(&mut self) {
        self.continuations.clear();
        if self.text.is_ascii() {
            return;
        }
        let mut count = 0;
        for block in self.text.as_bytes().chunks(Tuning::DEFAULT.column_index_block) {
            self.continuations.push(count);
            count += block.iter().filter(|&&byte| is_continuation(byte)).count() as u32;
        }
        self.continuations.push(count);
    }

    /// Notes the lines from `start` on, and the markers among them.
    fn scan_lines(&mut self, start: usize, mut file: FileId) {
        let text = std::mem::take(&mut self.text);
        let mut line_start = start;
        loop {
            self.line_starts.push(line_start as u32);
            let rest = &text[line_start..];
            let Some(length) = rest.bytes().position(|byte| byte == b'\n') else { break };
            let line = &rest[..length];
            if let Some((number, name)) = line_marker(line) {
                if let Some(name) = name {
                    file = self.file(name);
                }
                self.runs.push(Run { first: self.line_starts.len() as u32, line: number, file });
            }
            line_start += length + 1;
        }
        self.text = text;
    }

    fn file(&mut self, name: String) -> FileId {
        if let Some(&file) = self.file_ids.get(&name) {
            return file;
        }
        let file = self.files.push(name.clone());
        debug_assert_eq!(file.index() + 1, self.files.len());
        self.file_ids.insert(name, file);
        file
    }
}

fn is_continuation(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}

/// The number and the file that a marker gives to the next line.
fn line_marker(line: &str) -> Option<(u32, Option<String>)> {
    let rest = line.trim_ascii_start().strip_prefix('#')?.trim_ascii();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_ascii_start();
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let number = rest[..digits].parse().ok()?;
    let rest = rest[digits..].trim_ascii_start();
    let Some(quoted) = rest.strip_prefix('"') else { return Some((number, None)) };
    let mut name = String::new();
    let mut characters = quoted.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => break,
            '\\' => name.extend(characters.next()),
            _ => name.push(character),
        }
    }
    Some((number, Some(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(source: &Source, needle: &str) -> String {
        let offset = source.text.find(needle).expect("the needle is in the text") as u32;
        let place = source.place(offset);
        format!("{}:{}:{}", source.files[place.file], place.line, place.column)
    }

    #[test]
    fn lines_and_columns_count_from_one() {
        let source = Source::new("a.c", "int x;\n  int y;");
        assert_eq!(shown(&source, "int x"), "a.c:1:1");
        assert_eq!(shown(&source, "y"), "a.c:2:7");
    }

    #[test]
    fn markers_of_both_kinds_change_file_and_line() {
        let source =
            Source::new("a.i", "# 12 \"b\\\"c.h\" 1 3\nint x;\nint y;\n#line 7\nint z;\n# line 9 \"d.c\"\nint w;");
        assert_eq!(shown(&source, "x"), "b\"c.h:12:5");
        assert_eq!(shown(&source, "y"), "b\"c.h:13:5");
        assert_eq!(shown(&source, "z"), "b\"c.h:7:5");
        assert_eq!(shown(&source, "w"), "d.c:9:5");
    }

    #[test]
    fn other_directives_change_nothing() {
        let source = Source::new("a.c", "#pragma once\n#ident \"x\"\nint x;");
        assert_eq!(shown(&source, "int"), "a.c:3:1");
    }

    #[test]
    fn columns_count_characters_even_across_blocks() {
        let text = format!("\"{}\" x", "é".repeat(3000));
        let source = Source::new("a.c", &text);
        assert_eq!(shown(&source, " x"), "a.c:1:3003");
    }

    #[test]
    fn appended_text_has_its_own_lines() {
        let mut source = Source::new("a.c", "# 5 \"b.c\"\nint x;");
        let start = source.append("model.c", "int y;\nint z;\n");
        assert_eq!(&source.text[start as usize..], "int y;\nint z;\n");
        assert_eq!(shown(&source, "x"), "b.c:5:5");
        assert_eq!(shown(&source, "y"), "model.c:1:5");
        assert_eq!(shown(&source, "z"), "model.c:2:5");
    }

    #[test]
    fn the_underline_stays_within_the_line() {
        let source = Source::new("a.c", "int é = {\r\n 1 };\n");
        let diagnostic = source.diagnostic(Severity::Error, Span { start: 9, end: 16 }, "m", "h");
        assert_eq!((diagnostic.line, diagnostic.column, diagnostic.length), (1, 9, 1));
        assert_eq!(diagnostic.source_line, "int é = {");
    }

    #[test]
    fn the_end_and_what_is_beyond_have_a_place() {
        let source = Source::new("a.c", "");
        assert_eq!(source.place(77), Place { file: FileId::new(0), line: 1, column: 1 });
        let source = Source::new("a.c", "x\n");
        assert_eq!(source.diagnostic(Severity::Error, Span { start: 2, end: 9 }, "m", "").line, 2);
    }
}
