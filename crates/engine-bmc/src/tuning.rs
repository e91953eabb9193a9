//! Numbers that tune the algorithms of this crate. None of them decides whether an answer is right.

base::settings! {
    /// The engines `bmc`, `kind` and `refine`: limits of their parts.
    pub fixed struct Tuning for "engine-bmc" {
        /// Concrete runs of `bmc`: what is too deep for unrolling may still be hit.
        bmc_runs: u64 = 100_000, 1..=1 << 40, Runs;
        /// Concrete runs of `bmc` before anything is unrolled.
        bmc_first_edges: u64 = 8_000_000, 1..=1 << 40, Edges;
        /// Further runs if none has ended and the program has arrays: loops over all of their cells take long.
        bmc_array_edges: u64 = 60_000_000, 1..=1 << 40, Edges;
        /// Concrete runs of `bmc` after each step, at least.
        bmc_round_edges: u64 = 2_000_000, 1..=1 << 40, Edges;
        /// All runs of an engine that does nothing else.
        runs_alone_edges: u64 = 50_000_000, 1..=1 << 40, Edges;
        /// The run on zeros before the passes of a large program.
        first_run_edges: u64 = 2_000_000, 1..=1 << 40, Edges;
        /// A concrete run at first; runs that take longer get their turn later.
        shortest_run_edges: u64 = 1 << 13, 1..=1 << 40, Edges;
        /// Edges of a concrete run that cost as much as one tick.
        edges_per_tick: u64 = 16, 1..=1 << 40, Edges;
        /// Effort for concrete runs compared with what is spent on queries.
        runs_share: u64 = 30, 1..=1 << 40, Percent;
        /// The same if there is only one run: its end decides.
        only_run_share: u64 = 1500, 1..=1 << 40, Percent;
        /// How much longer the only run may be the next time.
        only_run_growth: u64 = 8, 1..=1 << 40, Factor;
        /// After this many errors that replay did not confirm the others will not be confirmed either.
        max_refused_errors: u32 = 20, 1..=1 << 24, Failures;
        /// A query of `refine` about a fact that is imported or exported.
        exchange_query_ticks: u64 = 200_000, 1..=1 << 40, Ticks;
        /// All such queries at one time.
        exchange_ticks: u64 = 2_000_000, 1..=1 << 40, Ticks;
        /// From this number of errors on, an inductive step asks about each error with the facts about its own symbols first.
        local_query_errors: usize = 8, 1..=1 << 24, Cases;
        /// The first inductive step; each further step gets as much more.
        induction_step_ticks: u64 = 5_000_000, 1..=1 << 40, Ticks;
        /// Concrete runs of `kind` before anything is unrolled.
        kind_first_edges: u64 = 1_000_000, 1..=1 << 40, Edges;
        /// Concrete runs of `kind`.
        kind_runs: u64 = 100, 1..=1 << 40, Runs;
        /// Where proofs are refined, the first one is tried after this many steps: what is refined in vain before need not be asked later.
        first_proof_after_steps: usize = 1, 1..=1 << 24, Steps;
        /// Where proofs are refined, costly invariants are due after this many steps.
        late_after_steps: usize = 16, 1..=1 << 24, Steps;
        /// They are also due after this many ticks of the search for errors.
        late_after_ticks: u64 = 3_000_000, 1..=1 << 40, Ticks;
        /// As many more ticks for each edge of the program before they are due.
        late_after_edge_ticks: u64 = 10_000, 1..=1 << 40, Ticks;
        /// A proof is due once the search for errors has taken this for each edge: about what the analysis takes.
        proof_after_edge_ticks: u64 = 300, 1..=1 << 40, Ticks;
        /// Where the analysis takes less than this, a proof is due at once.
        proof_at_once_ticks: u64 = 100_000, 1..=1 << 40, Ticks;
        /// An induction gets what the search for errors has spent, and at least this.
        proof_ticks: u64 = 2_500_000, 1..=1 << 40, Ticks;
        /// An induction gets at least this for each of its steps.
        proof_step_ticks: u64 = 500_000, 1..=1 << 40, Ticks;
        /// The proof with all statements that were refined, before some are left out.
        minimisation_ticks: u64 = 3_000_000, 1..=1 << 40, Ticks;
        /// An attempt with fewer statements may take this many times as long as the whole proof.
        minimisation_growth: u64 = 4, 1..=1 << 40, Factor;
        /// An attempt with fewer statements, at least.
        minimisation_least_ticks: u64 = 200_000, 1..=1 << 40, Ticks;
        /// A shadow run at most; runs without addresses and inputs need none.
        max_shadow_edges: u64 = 1_000_000_000, 1..=1 << 40, Edges;
        /// A run that the checker will repeat as a proof.
        max_proof_run_edges: u64 = 4_000_000_000, 1..=1 << 40, Edges;
        /// Runs of an enumeration as a proof.
        max_enumerated_runs: u64 = 1 << 16, 1..=1 << 40, Runs;
        /// All runs of an enumeration together.
        max_enumerated_edges: u64 = 4_000_000, 1..=1 << 40, Edges;
        /// Runs of an enumeration by classes of input values, which may have no end.
        max_class_runs: u64 = 1 << 12, 1..=1 << 40, Runs;
        /// All of these runs together.
        max_class_edges: u64 = 400_000, 1..=1 << 40, Edges;
        /// Edges of a shadow run that cost as much as one tick.
        shadow_edges_per_tick: u64 = 4, 1..=1 << 40, Edges;
        /// Concrete runs of `refine`.
        refine_runs: u64 = 100_000, 1..=1 << 40, Runs;
        /// Concrete runs of `refine` before anything is unrolled.
        refine_first_edges: u64 = 250_000, 1..=1 << 40, Edges;
        /// More of them for each edge of the program, since large programs take long to encode.
        refine_first_edges_per_edge: u64 = 4_000, 1..=1 << 40, Edges;
        /// Concrete runs of `refine` before anything is unrolled, at most.
        refine_max_first_edges: u64 = 8_000_000, 1..=1 << 40, Edges;
        /// Concrete runs of `refine` after the first step, at least; twice as many after each further step.
        refine_round_edges: u64 = 50_000, 1..=1 << 40, Edges;
        /// For this many steps they are doubled: the first steps are cheap.
        refine_round_doublings: u32 = 5, 1..=1 << 24, Steps;
        /// Rounds of refinement for a query whose answer only saves work.
        cheap_query_rounds: u32 = 4, 1..=1 << 24, Rounds;
        /// Refinement before a query is asked in bits; then each in turn, twice as long each time.
        first_turn_ticks: u64 = 1_000_000, 1..=1 << 40, Ticks;
        /// Value instances of a costly operator before its circuit.
        max_value_instances: u32 = 2, 1..=1 << 24, Sites;
        /// Whether a run can be at a cutpoint: worth little, since it only saves work.
        reachability_ticks: u64 = 200_000, 1..=1 << 40, Ticks;
        /// A question of symbolic execution whether a loop goes on; the next round is cheap compared with a hard question.
        loop_question_ticks: u64 = 400_000, 1..=1 << 40, Ticks;
        /// Sizes of an object that are tried, in symbolic execution.
        max_listed_values: usize = 64, 1..=1 << 20, Elements;
        /// Symbolic execution is given up after this effort without the last question: loops that do not end.
        symbolic_ticks: u64 = 60_000_000, 1..=1 << 40, Ticks;
        /// From this step on, whenever their number has doubled, the query is worth half of what was spent: if no run goes on, that is the proof.
        exhaustion_after_steps: usize = 4, 1..=1 << 24, Steps;
        /// The query then, at least.
        exhaustion_ticks: u64 = 25_000_000, 1..=1 << 40, Ticks;
    }
}
