//! Numbers that tune this crate: how much is tried and shown. None of them decides whether an answer is right.

base::settings! {
    /// Witnesses, JSON, HTML and texts.
    pub fixed struct Tuning for "report" {
        /// Longer expressions are not printed.
        max_expression_bytes: usize = 4000, 1..=1 << 30, Bytes;
        /// Expressions that are nested deeper are not printed.
        max_expression_depth: usize = 60, 1..=1000, Levels;
        /// Longer formulas are not shown.
        max_formula_bytes: usize = 400, 1..=1 << 30, Bytes;
        /// Conditions with more nodes are shortened.
        max_condition_nodes: usize = 24, 1..=1 << 20, Nodes;
        /// Longer source lines are cut.
        max_source_columns: usize = 60, 1..=1 << 20, Columns;
        /// The notes begin in this column.
        note_column: usize = 40, 1..=1 << 20, Columns;
        /// Inputs of folded rounds that are listed.
        max_folded_inputs: usize = 30, 0..=1 << 20, Values;
        /// Repetitions of more items are not looked for.
        max_round_items: usize = 100, 1..=1 << 20, Entries;
        /// Further inputs of one function are left out of the harness.
        max_harness_values: usize = 100_000, 1..=1 << 32, Values;
        /// Conjuncts of one loop that are printed; a witness has all of them.
        max_shown_conjuncts: usize = 12, 1..=1 << 20, Entries;
        /// Longer source lines are cut before the invariant.
        max_invariant_columns: usize = 40, 1..=1 << 20, Columns;
        /// Further waypoints of a witness are left out.
        max_waypoints: usize = 20_000, 1..=1 << 32, Entries;
        /// With more branches and calls all of them are left out: the values determine them.
        max_branch_waypoints: usize = 300, 1..=1 << 32, Entries;
        /// Assertions without a run that are named.
        max_named_assertions: usize = 3, 1..=1 << 20, Entries;
        /// Lines of source that a page shows; of larger programs those around places of interest.
        max_page_lines: usize = 20_000, 1..=1 << 30, Lines;
        /// Lines before and behind a place of interest in a program that is not shown as a whole.
        page_context_lines: u32 = 12, 0..=1 << 20, Lines;
        /// Lines that a browser lays out together.
        page_chunk_lines: usize = 200, 1..=1 << 20, Lines;
        /// Longer lines of source are cut on a page.
        max_page_columns: usize = 400, 1..=1 << 20, Columns;
        /// Notes in one line of a page.
        max_page_notes: usize = 4, 2..=1 << 20, Entries;
        /// Longer notes in a line of a page are cut.
        max_page_note_chars: usize = 160, 1..=1 << 20, Characters;
        /// With assertions on more lines, these are not what matters.
        max_page_assertion_lines: usize = 40, 0..=1 << 20, Lines;
        /// Facts, diagnostics and the like that a table of a page lists.
        max_page_rows: usize = 400, 1..=1 << 20, Entries;
        /// A larger file is not offered on a page.
        max_page_attachment_bytes: usize = 1 << 20, 1..=1 << 30, Bytes;
        /// Keys that one map of a witness may have.
        max_keys: usize = 1000, 1..=1 << 20, Entries;
    }
}
