//! Numbers that tune the algorithms of this crate. None of them decides whether an answer is right.

base::settings! {
    /// The engine `euf`: limits of its parts.
    pub fixed struct Tuning for "engine-ic3" {
        /// The published refinement: one step of a counterexample, asked in bits.
        one_step_ticks: u64 = 4_000_000, 1..=1 << 40, Ticks;
        /// Looking ahead by unrolling before the first frame.
        ahead_first_ticks: u64 = 300_000, 1..=1 << 40, Ticks;
        /// The search over frames gets this many times what looking ahead gets.
        ahead_share: u64 = 3, 1..=1 << 40, Factor;
        /// With fewer ticks looking ahead is not worth a start.
        ahead_least_ticks: u64 = 60_000, 1..=1 << 40, Ticks;
        /// A step of the unrolling, beside its new terms.
        ahead_step_ticks: u64 = 500, 1..=1 << 40, Ticks;
        /// Looking ahead when the other searches have given up.
        ahead_alone_ticks: u64 = 20_000_000, 1..=1 << 40, Ticks;
        /// Whether a run can be at a cutpoint: it only saves work.
        ahead_reachability_ticks: u64 = 20_000, 1..=1 << 40, Ticks;
        /// A larger store is not unrolled further.
        ahead_max_terms: usize = 3_000_000, 1..=1 << 24, Terms;
        /// An obligation over words that was taken up this often rests until the next level.
        word_max_visits: u32 = 25, 1..=1 << 24, Attempts;
        /// Instances of distribution over choices in one stage.
        max_distributions: usize = 3000, 1..=1 << 24, Sites;
        /// Whether what is known leaves an error.
        background_query_ticks: u64 = 200_000, 1..=1 << 40, Ticks;
        /// A query about lemmas that are exported.
        exchange_query_ticks: u64 = 200_000, 1..=1 << 40, Ticks;
        /// Lemmas and predicates that are exported at a time.
        max_exported: usize = 60, 1..=1 << 24, Facts;
        /// Failed attempts in a row after which the rest of a long cube over words is kept.
        word_max_failures: usize = 12, 1..=1 << 24, Failures;
        /// Facts about operators that wait for export.
        max_waiting_facts: usize = 64, 1..=1 << 24, Facts;
        /// Instances of lemmas about operators.
        max_operator_instances: usize = 400, 1..=1 << 24, Sites;
        /// If lemmas speak of more operator sites that the program does not have, they will not end.
        max_new_sites: usize = 24, 1..=1 << 24, Sites;
        /// If lemmas compare one term with more constants that the program does not have, they will not end.
        max_new_constants: u32 = 6, 1..=1 << 24, Values;
        /// After this many steps the figures are reported again, so that they are known when time runs out.
        steps_per_report: u64 = 256, 1..=1 << 40, Steps;
        /// After this many facts about operators more of them are read in bits.
        max_operator_lemmas: u32 = 300, 1..=1 << 24, Lemmas;
        /// Lemmas about sums in one proof.
        max_proof_lemmas: usize = 64, 1..=1 << 24, Lemmas;
        /// Arrays with more index bits are not taken apart into cells.
        max_index_bits: u32 = 8, 1..=1 << 24, Bits;
        /// Arrays with more bits in all cells together are not taken apart.
        max_array_bits: u64 = 1 << 13, 1..=1 << 40, Bits;
        /// With more clauses of lemmas that are gone, and more than there are lemmas, the solver is made anew.
        max_stale_clauses: usize = 400, 1..=1 << 24, Clauses;
        /// Failed attempts in a row after which the rest of a long cube of bits is kept.
        bit_max_failures: usize = 20, 1..=1 << 24, Failures;
        /// Counterexamples to the generalization of one literal that are blocked.
        max_blocked_ctgs: u32 = 3, 1..=1 << 24, Attempts;
        /// How deep counterexamples to generalization are generalized in turn.
        max_ctg_depth: u32 = 1, 1..=1 << 24, Levels;
        /// Relations between variables before the search over single bits.
        bit_relations_ticks: u64 = 2_000_000, 1..=1 << 40, Ticks;
        /// An obligation over bits that was taken up this often rests until the next level.
        bit_max_visits: u32 = 40, 1..=1 << 24, Attempts;
        /// With more wires there is no solver for each cutpoint.
        max_wires: usize = 400_000, 1..=1 << 24, Variables;
        /// With more wires in all cutpoints together there is no solver for each of them: every copy has room for all wires.
        max_copied_wires: usize = 1 << 22, 1..=1 << 40, Variables;
        /// The first turn of the search over words; turns double.
        first_turn_ticks: u64 = 3_000_000, 1..=1 << 40, Ticks;
        /// After a turn of this length a proof that all runs end is good enough; an invariant says more.
        exhaustion_after_turn_ticks: u64 = 12_000_000, 1..=1 << 40, Ticks;
        /// A search that stops with more ticks left did not stop because of its turn.
        turn_rest_ticks: u64 = 20_000, 1..=1 << 40, Ticks;
    }
}
