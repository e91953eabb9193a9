//! Numbers that tune the algorithms of this crate. None of them decides whether an answer is right.

base::settings! {
    /// The engine `explicit`: limits of its parts.
    pub fixed struct Tuning for "engine-explicit" {
        /// Facts at one cutpoint that states are compared with.
        max_facts: usize = 32, 1..=1 << 24, Facts;
        /// A variable is worth a candidate only if this many states at a cutpoint were visited.
        candidate_states: usize = 64, 1..=1 << 24, States;
        /// A variable is worth a candidate if it has at most this many values in them.
        candidate_values: usize = 8, 1..=1 << 24, Values;
        /// A query about such candidates.
        candidate_query_ticks: u64 = 100_000, 1..=1 << 40, Ticks;
        /// All queries about candidates after one round.
        candidate_ticks: u64 = 1_000_000, 1..=1 << 40, Ticks;
        /// Rounds for the sake of facts alone.
        max_fact_rounds: u32 = 2, 1..=1 << 24, Rounds;
        /// With more states behind one exit of one state some variable has too many values.
        max_successors: usize = 40, 1..=1 << 24, States;
        /// States that are visited before a variable is left out.
        first_round_states: usize = 3_000, 1..=1 << 24, States;
        /// States of one round.
        max_states: usize = 300_000, 1..=1 << 24, States;
        /// A variable with fewer values is not what makes states many.
        few_values: usize = 16, 1..=1 << 24, Values;
        /// After this many states a new term store and solver begin, so that memory stays flat.
        states_per_store: usize = 256, 1..=1 << 24, States;
        /// What a state costs beside its queries.
        state_ticks: u64 = 500, 1..=1 << 40, Ticks;
    }
}
