//! Numbers that tune this crate: how much is tried and shown. None of them decides whether an answer is right.

base::settings! {
    /// The SMT solver.
    pub fixed struct Tuning for "smt" {
        /// Ticks of the SAT solver for a node that congruence closure relabels, enters or evaluates, where they are charged.
        ticks_per_node: u64 = 4, 0..=1000, Ticks;
        /// Products that a polynomial may have.
        max_monomials: usize = 24, 1..=1 << 20, Terms;
        /// Factors that a product may have.
        max_degree: usize = 4, 1..=100, Degree;
        /// Gates that one operator may take.
        max_gates: u64 = 1 << 23, 1..=1 << 40, Nodes;
        /// The widest word that is read in bits.
        max_word_bits: u64 = 1 << 20, 1..=1 << 24, Bits;
        /// Sums of wider words are not normalised: arithmetic on coefficients takes as long as their width squared.
        max_normal_bits: u32 = 1024, 1..=1 << 24, Bits;
        /// Explanations through the values of a pair before it gets its equality.
        equality_explanations: u32 = 2, 0..=1 << 20, Attempts;
        /// Explanations through the value of an operator before it is read in bits.
        bit_explanations: u32 = 8, 0..=1 << 20, Attempts;
        /// The same for an operator whose circuit is large, where circuits are to be avoided.
        large_circuit_explanations: u32 = 1000, 0..=1 << 30, Attempts;
        /// Explanations over more words are not examined pair by pair.
        max_paired_words: usize = 24, 1..=1 << 20, Terms;
        /// Effort of the short query.
        short_query_ticks: u64 = 300_000, 0..=1 << 40, Ticks;
        /// Operators on narrower words are read in bits without hesitation.
        wide_operator_bits: u32 = 12, 1..=1 << 24, Bits;
        /// Cores of steps up to this size are minimised.
        max_minimized_step_core: usize = 60, 0..=1 << 20, Literals;
        /// Effort of minimising the core of a step.
        minimize_step_ticks: u64 = 100_000, 0..=1 << 40, Ticks;
        /// Gates that one operator may take in interpolation.
        max_interpolation_gates: u64 = 1 << 20, 1..=1 << 40, Nodes;
        /// Further rows of a linear combination are not made.
        max_rows: usize = 400, 1..=1 << 20, Constraints;
        /// Pieces of one interpolant.
        max_interpolant_pieces: usize = 200_000, 1..=1 << 30, Pieces;
        /// Longest junction that is taken as one.
        max_junction: usize = 512, 1..=1 << 20, Terms;
        /// Rounds in which bounds are drawn from comparisons.
        max_bound_rounds: usize = 3, 0..=1000, Rounds;
        /// Further comparisons are not examined.
        max_comparisons: usize = 120, 1..=1 << 20, Constraints;
        /// A bound that rests on more comparisons is not used.
        max_bound_reasons: usize = 4, 1..=1000, Constraints;
        /// Cores up to this size are minimised.
        max_minimized_core: usize = 120, 0..=1 << 20, Literals;
        /// Effort of minimising a core.
        minimize_ticks: u64 = 300_000, 0..=1 << 40, Ticks;
        /// Clauses for one interpolant from models.
        max_model_clauses: usize = 400, 1..=1 << 20, Clauses;
        /// More shared variables are not compared with each other.
        max_compared_variables: usize = 8, 0..=1 << 20, Variables;
        /// Cases that one projection distinguishes in all.
        max_projection_cases: usize = 48, 1..=1 << 20, Cases;
        /// Linear lemmas in one refutation.
        max_linear_lemmas: usize = 200, 0..=1 << 20, Lemmas;
        /// Searches that may end because words that have equal values need an equality.
        max_searches: usize = 8, 1..=1000, Attempts;
        /// To divide by a constant with at most this many ones takes a few adders, and less than to learn it value by value.
        max_cheap_divisor_ones: usize = 4, 0..=64, Bits;
    }
}
