//! Numbers that tune the algorithms of this crate. None of them decides whether an answer is right.

base::settings! {
    /// The engine `trace`: limits of its parts.
    pub fixed struct Tuning for "engine-trace" {
        /// More cases of one edge are not looked at.
        max_cases: usize = 128, 1..=1 << 24, Cases;
        /// Work on the cases of one edge.
        max_case_steps: usize = 20_000, 1..=1 << 24, Steps;
        /// States of one check of coherence.
        max_coherence_states: usize = 100_000, 1..=1 << 24, States;
        /// States of one search.
        max_search_states: usize = 30_000, 1..=1 << 24, States;
        /// Rounds of refinement.
        max_rounds: usize = 60, 1..=1 << 24, Rounds;
        /// More clauses make every step slow.
        max_clauses: usize = 60, 1..=1 << 24, Clauses;
        /// Larger terms are not worth a clause.
        max_clause_term: usize = 40, 1..=1 << 24, Terms;
        /// With more parts the rest of the program is one part.
        max_parts: usize = 4096, 1..=1 << 24, Parts;
        /// Ways to the error that are kept for refinement.
        max_spurious_paths: usize = 40, 1..=1 << 24, Runs;
        /// How deep functions of held values are kept.
        max_kept_depth: u32 = 12, 1..=1 << 24, Levels;
        /// Ways that clauses are learnt from in one round.
        learnt_paths: usize = 4, 1..=1 << 24, Runs;
        /// Splits by a condition; each doubles the states at worst.
        max_splits: usize = 6, 1..=1 << 24, Attempts;
    }
}
