//! Numbers that tune this crate: how much is tried and shown. None of them decides whether an answer is right.

base::settings! {
    /// The front end for C.
    pub fixed struct Tuning for "cfront" {
        /// After this many problems the lexer reports no more.
        max_lexer_diagnostics: usize = 100, 1..=1 << 20, Diagnostics;
        /// Conditions of statements with at most this many nodes are one guard.
        max_guard_nodes: usize = 24, 1..=1 << 20, Nodes;
        /// Right sides with at most this many nodes are part of a term.
        max_condition_term_nodes: usize = 64, 1..=1 << 20, Nodes;
        /// Functions with more accesses are taken to access everything.
        max_accesses: usize = 2000, 1..=1 << 20, Elements;
        /// Initialised bytes beyond this offset are stored on edges instead of being kept in the object.
        max_initial_bytes: u64 = 1 << 26, 1..=1 << 40, Bytes;
        /// Objects with at most this many leaves are copied and zeroed without a loop.
        max_inline_leaves: usize = 256, 1..=1 << 20, Elements;
        /// A region with more conflicting operands is watched: there are too many orders.
        max_ordered_operands: usize = 6, 1..=16, Elements;
        /// After this many errors the parser stops.
        max_parser_diagnostics: usize = 100, 1..=1 << 20, Diagnostics;
        /// Longer names are not compared when the nearest name is looked for.
        max_compared_name: usize = 64, 1..=1 << 16, Bytes;
        /// One entry of the column index for this many bytes.
        column_index_block: usize = 1024, 1..=1 << 30, Bytes;
        /// A start in the middle of the program: how deep objects behind pointers are made.
        max_pointer_depth: u64 = 2, 0..=8, Levels;
        /// A start in the middle of the program: how many pointers of one object lead to objects.
        max_entry_pointers: u64 = 16, 0..=1 << 10, Elements;
        /// A start in the middle of the program: the size of texts and of what `void *` points to.
        n_text_bytes: u64 = 8, 1..=1 << 10, Bytes;
        /// Longer lines are not repeated in diagnostics.
        max_shown_line: usize = 2000, 1..=1 << 20, Bytes;
    }
}
