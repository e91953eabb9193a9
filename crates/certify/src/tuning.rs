//! Numbers that tune this crate: how much is tried and shown. None of them decides whether an answer is right.

base::settings! {
    /// The checker of evidence.
    pub fixed struct Tuning for "certify" {
        /// Reads that one problem may have.
        max_reads: usize = 200_000, 1..=1 << 32, Terms;
        /// Clauses that one problem may have.
        max_clauses: usize = 60_000_000, 1..=1 << 32, Clauses;
        /// Arguments of functions with at most this many bits are read in bits where anything is: cases by value may be needed.
        max_case_bits: u32 = 8, 0..=64, Bits;
        /// Accesses of more elements at computed places are any value.
        max_computed_elements: u64 = 16, 1..=1 << 20, Elements;
        /// Runs of an enumeration.
        max_enumerated_runs: u64 = 1 << 22, 1..=1 << 40, Runs;
        /// Edges of all runs of an enumeration together.
        max_enumerated_edges: u64 = 4_000_000_000, 1..=1 << 48, Edges;
        /// With more sets the ones for all locations are used: time and memory are proportional to it.
        max_flow_sets: usize = 1 << 21, 1..=1 << 32, Elements;
        /// Ticks for an obligation about floats with their operators as functions, before they become circuits.
        float_function_ticks: u64 = 300_000, 1..=1 << 40, Ticks;
        /// Pairs of applications that are compared.
        max_pairs: usize = 2000, 1..=1 << 32, Terms;
        /// Pairs of places whose addresses are known to differ.
        max_apart: usize = 5000, 1..=1 << 32, Terms;
        /// Instances of one lemma in one obligation.
        max_instances: usize = 200, 1..=1 << 20, Lemmas;
        /// Static arrays with more elements that are not zero start with any contents; where more are written at once, all become any value.
        max_elements: u64 = 256, 1..=1 << 20, Elements;
        /// Fewer ways into a node are always joined.
        min_ways_apart: usize = 8, 2..=1 << 32, Runs;
        /// Ticks for one claim with the premises that speak of nothing else.
        first_slice_ticks: u64 = 200_000, 1..=1 << 40, Ticks;
        /// Ticks for claims with the premises near them; after that the obligation is asked as a whole.
        slice_ticks: u64 = 5_000_000, 1..=1 << 40, Ticks;
        /// Ticks for each claim and each subterm when claims are asked together.
        claim_ticks: u64 = 100, 1..=1 << 20, Ticks;
        /// Formulas with more subterms get more ticks, in proportion.
        usual_terms: u64 = 4000, 1..=1 << 32, Terms;
        /// The clauses of an attempt may take this many times the ticks of its search.
        encoding_factor: u64 = 4, 1..=1000, Factor;
        /// Cells of one object that are written one by one in a column of memory; with more, they are any value.
        max_column_cells: usize = 4096, 1..=1 << 20, Elements;
        /// Where words and bits are mixed, a tick takes this much longer.
        mixed_tick_factor: u64 = 4, 1..=1000, Factor;
        /// Cases that are tried where products are to be refuted by polynomials.
        max_polynomial_cases: usize = 120, 0..=1 << 20, Cases;
        /// Polynomials are tried in formulas with at most this many operators.
        max_polynomial_sites: usize = 300, 0..=1 << 20, Sites;
        /// A longer run is taken to have missed the error: inputs that lead into an endless loop must not use up the time.
        max_replay_edges: u64 = 500_000_000, 1..=1 << 48, Edges;
        /// Nodes of the expanded program times variables, up to which stale pointers are followed; beyond, each is stale.
        max_stale_facts: usize = 1 << 26, 1..=1 << 40, Elements;
        /// Edges of a shadow run.
        max_shadow_edges: u64 = 50_000_000, 1..=1 << 48, Edges;
        /// Truth values that C leaves open, of which all combinations are tried in a replay.
        max_tried_choices: usize = 6, 0..=20, Values;
    }
}
