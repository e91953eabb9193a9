//! Where in the user's files something stands.

use crate::define_id;

define_id!(FileId, "One of the files named in a table of file names.");

/// A file, a line and a column, both counted from one, as the user sees them (`#line` is honoured).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// Index of the file in the file table of the program.
    pub file: FileId,
    /// The line, from one.
    pub line: u32,
    /// The column in characters, from one; zero when only the line is known.
    pub column: u32,
}
