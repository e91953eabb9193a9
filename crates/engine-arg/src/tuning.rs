//! Numbers that tune the algorithms of this crate. None of them decides whether an answer is right.

base::settings! {
    /// The engine `ufo`: limits of its parts.
    pub fixed struct Tuning for "engine-arg" {
        /// A query about candidates for invariants that takes longer drops them.
        candidate_query_ticks: u64 = 1_000_000, 1..=1 << 40, Ticks;
        /// Candidates for invariants at one cutpoint in one round; more of them delay the next refinement.
        max_candidates: usize = 60, 1..=1 << 24, Candidates;
        /// The first attempt to label a graph by clauses; each attempt that is not enough doubles it.
        exclusion_ticks: u64 = 60_000_000, 1..=1 << 40, Ticks;
        /// The same where blocks are small: there clauses come soon or never.
        exclusion_ticks_small: u64 = 15_000_000, 1..=1 << 40, Ticks;
        /// The attempt to label by clauses before paths are looked at.
        exclusion_glance_ticks: u64 = 8_000_000, 1..=1 << 40, Ticks;
        /// Longer labels are cut in the drawing.
        max_label_chars: usize = 2_000, 1..=1 << 24, Characters;
        /// A query with operators as functions, before it is asked in bits.
        function_query_ticks: u64 = 200_000, 1..=1 << 40, Ticks;
        /// After this many such queries on an edge it is decided whether they are worth it.
        function_query_trials: u64 = 30, 1..=1 << 40, Queries;
        /// They are if at least one in this many was answered.
        function_query_worth: u64 = 4, 1..=1 << 40, Factor;
        /// After this many open copies of a cutpoint in a pass the next ones are widened, so that the pass ends.
        max_open_copies: usize = 8, 1..=1 << 24, Nodes;
        /// A query about lemmas that are inductive already.
        settled_query_ticks: u64 = 1_000_000, 1..=1 << 40, Ticks;
        /// One abstract post; a label that is hard to find is not worth more.
        post_ticks: u64 = 1_500_000, 1..=1 << 40, Ticks;
        /// More predicates at one cutpoint are not tracked.
        max_predicates: usize = 80, 1..=1 << 24, Predicates;
        /// Interpolants for a whole graph; nodes are looked at one by one afterwards.
        graph_interpolation_ticks: u64 = 3_000_000, 1..=1 << 40, Ticks;
        /// The same for each way to interpolants where nothing else gives labels.
        refutation_ticks: u64 = 40_000_000, 1..=1 << 40, Ticks;
        /// Interpolants for one node, in whole words, by one way.
        node_words_ticks: u64 = 1_000_000, 1..=1 << 40, Ticks;
        /// A label for one node by excluding states one after the other.
        node_states_ticks: u64 = 20_000_000, 1..=1 << 40, Ticks;
        /// The first attempt at interpolants for one node in bits or by a way from outside.
        node_bits_ticks: u64 = 4_000_000, 1..=1 << 40, Ticks;
        /// Labels of other copies of a cutpoint that are tried at a node.
        max_shared_labels: usize = 4, 1..=1 << 24, Nodes;
        /// Refinements before the next producer of relations is asked, where cutpoints have few variables and blocks are small.
        relations_after_refinements_small: u64 = 3, 1..=1 << 40, Rounds;
        /// Refinements before the next producer of relations is asked elsewhere.
        relations_after_refinements: u64 = 6, 1..=1 << 40, Rounds;
        /// Cutpoints with at most this many variables have few.
        few_variables: usize = 12, 1..=1 << 24, Variables;
        /// Blocks with at most this many different subterms are small.
        small_block_terms: usize = 600, 1..=1 << 24, Terms;
    }
}
