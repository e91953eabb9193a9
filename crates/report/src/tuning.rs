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
        /// Keys that one map of a witness may have.
        max_keys: usize = 1000, 1..=1 << 20, Entries;
    }
}
