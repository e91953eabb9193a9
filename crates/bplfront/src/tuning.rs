//! Numbers that tune this crate: how much is tried and shown. None of them decides whether an answer is right.

base::settings! {
    /// The front end for Boogie.
    pub fixed struct Tuning for "bplfront" {
        /// A type that synonyms make larger than this is refused.
        max_type_size: usize = 500, 1..=1 << 20, Nodes;
        /// Instances of axioms that the terms of one statement ask for.
        max_instances: usize = 64, 1..=1 << 20, Entries;
        /// How often instances ask for further ones.
        max_instance_rounds: usize = 2, 1..=100, Rounds;
        /// More messages about one file do not help.
        max_diagnostics: usize = 50, 1..=1 << 20, Diagnostics;
        /// Longer lines are not repeated in diagnostics.
        max_shown_line: usize = 2000, 1..=1 << 20, Bytes;
    }
}
