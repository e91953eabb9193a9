//! Settings of the solver: how much is tried and shown. None of them decides whether an answer is right.

base::settings! {
    /// The SAT solver.
    pub fixed struct Settings for "sat" {
        /// The value a variable is tried with first.
        first_phase: bool = false;
        /// Clauses learnt or given by the theory between reductions, times the square root of the number of reductions.
        reduce_interval: u64 = 300, 1..=1 << 30, Clauses;
        /// Conflicts before the first switch to stable mode.
        mode_interval: u64 = 1000, 1..=1 << 30, Conflicts;
        /// Conflicts (in one query) between rounds of in-processing.
        inprocess_interval: u64 = 2000, 1..=1 << 30, Conflicts;
        /// Decay of activities in stable mode.
        decay: u32 = 950, 1..=1000, PerMille;
        /// Ticks for each time CaDiCaL asks whether to continue, about the work it does in between.
        cadical_ticks: u64 = 1_000, 1..=1 << 30, Ticks;
        /// Effort of one round of probing.
        probe_ticks: u64 = 300_000, 0..=1 << 40, Ticks;
        /// Clauses of at most this glue are kept longest.
        core_glue: u32 = 2, 1..=100, Levels;
        /// Clauses of at most this glue are kept longer than others.
        middle_glue: u32 = 6, 1..=100, Levels;
        /// Conflicts between resets of saved phases, times the number of resets.
        rephase_interval: u64 = 1000, 1..=1 << 30, Conflicts;
        /// Conflicts of one unit of the Luby sequence.
        luby_unit: u64 = 1024, 1..=1 << 30, Conflicts;
        /// Ticks between looks at the budget.
        ticks_between_checks: u64 = 2_000, 1..=1 << 30, Ticks;
        /// Cores ask for explanations without a conflict, so not only reductions must drop them.
        max_explanations: usize = 10_000, 1..=1 << 30, Clauses;
        /// Effort of one round of subsumption.
        subsume_ticks: u64 = 1_000_000, 0..=1 << 40, Ticks;
        /// Effort of one round of vivification.
        vivify_ticks: u64 = 2_000_000, 0..=1 << 40, Ticks;
    }
}
