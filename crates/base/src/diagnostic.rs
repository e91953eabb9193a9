//! Diagnostics about the input: place, message and hint.

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

/// One message about the input. It contains the text of the source line, so that it can be printed
/// without reading the file again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The file name as given by the user.
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
