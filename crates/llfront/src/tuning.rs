//! Numbers that tune this crate: how much is tried and shown. None of them decides whether an answer is right.

base::settings! {
    /// The front end for LLVM.
    pub fixed struct Tuning for "llfront" {
        /// More messages about one file do not help.
        max_diagnostics: usize = 50, 1..=1 << 20, Diagnostics;
        /// Longer lines are not repeated in diagnostics.
        max_shown_line: usize = 500, 1..=1 << 20, Bytes;
        /// Copies of a known size up to this are unrolled; larger ones are loops.
        max_unrolled_copy: u64 = 512, 1..=1 << 20, Bytes;
        /// Exceptions of C++ that are handled at a time; a program that needs more is not decided.
        max_handled_exceptions: usize = 3, 1..=64, Levels;
        /// Values with more scalar parts than this are refused.
        max_leaves: usize = 4096, 1..=1 << 20, Nodes;
    }
}
