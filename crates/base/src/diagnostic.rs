//! What we tell the user about an input: where, what, and what to do about it.

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// The input is not a valid program (exit code 65).
    Error,
    /// The program is valid, but we cannot treat this construct soundly (exit code 2).
    Unsupported,
    /// Worth knowing; nothing stops.
    Warning,
}

/// One message about the input. The text of the line is carried along, so that whoever prints it
/// needs no file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The file's name as the user knows it.
    pub file: String,
    /// The line, from one; zero when the message is about the whole file.
    pub line: u32,
    /// The column in characters, from one; zero when unknown.
    pub column: u32,
    /// How many characters to underline, at least one.
    pub length: u32,
    /// The text of the line as it was parsed.
    pub source_line: String,
    /// What is wrong: one sentence without a full stop, starting in lower case.
    pub message: String,
    /// What to do about it, or what it belongs to; empty when there is nothing to add.
    pub help: String,
}
