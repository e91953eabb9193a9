//! Numbers that tune the parts that engines share. None of them decides whether an answer is right.

base::settings! {
    /// What engines share: analysis, relations, sources of invariants.
    pub fixed struct Tuning for "engine" {
        /// Effort for candidates from outside: those of earlier runs, those in the source.
        offered_ticks: u64 = 20_000_000, 1..=1 << 40, Ticks;
        /// A query about such candidates.
        offered_query_ticks: u64 = 2_000_000, 1..=1 << 40, Ticks;
        /// Joins at a loop head before it widens.
        analysis_joins: u32 = 20, 1..=1 << 24, Iterations;
        /// Joins of a loop head in all: loops in loops would multiply them.
        analysis_joins_in_all: u32 = 200, 1..=1 << 24, Iterations;
        /// Constants of the program that widening may stop at.
        analysis_thresholds: usize = 200, 1..=1 << 24, Values;
        /// Descending passes at the end.
        analysis_descents: usize = 2, 1..=1 << 24, Iterations;
        /// Values that a fact lists.
        analysis_listed_values: usize = 12, 1..=1 << 24, Values;
        /// Values that the analysis knows one by one.
        analysis_set_values: usize = 16, 1..=1 << 24, Values;
        /// Different bodies, which say something of a cell.
        cells_bodies: usize = 40, 1..=1 << 24, Candidates;
        /// Different contents of a cell that follow from one store and what was stored before.
        cells_contents: usize = 10, 1..=1 << 24, Candidates;
        /// Subterms of a body.
        cells_body_terms: usize = 40, 1..=1 << 24, Terms;
        /// A query about candidates for all cells.
        cells_query_ticks: u64 = 3_000_000, 1..=1 << 40, Ticks;
        /// One attempt to prove a program by invariants about all cells.
        cells_ticks: u64 = 100_000_000, 1..=1 << 40, Ticks;
        /// Candidates about cells at one loop head.
        cells_candidates: usize = 400, 1..=1 << 24, Candidates;
        /// Places of arrays at one cutpoint that invariants are put in for.
        cells_places: usize = 12, 1..=1 << 24, Terms;
        /// One attempt to prove a program by what loops add up.
        totals_ticks: u64 = 400_000_000, 1..=1 << 40, Ticks;
        /// A query about candidates with totals.
        totals_query_ticks: u64 = 30_000_000, 1..=1 << 40, Ticks;
        /// Different totals.
        totals_functions: usize = 4, 1..=1 << 24, Candidates;
        /// Guesses for what one word of the state is at one loop head.
        totals_guesses: usize = 6, 1..=1 << 24, Candidates;
        /// Words at one loop head that may hold what was in a cell.
        totals_words: usize = 8, 1..=1 << 24, Terms;
        /// Candidates about constants in arrays at one loop head.
        sentinel_candidates: usize = 300, 1..=1 << 24, Candidates;
        /// Indices of arrays at one loop head that such candidates mention.
        sentinel_walks: usize = 10, 1..=1 << 24, Terms;
        /// Cells at one loop head that may hold such a constant.
        sentinel_places: usize = 8, 1..=1 << 24, Terms;
        /// Words of the state that are compared with sizes of objects.
        sentinel_words: usize = 8, 1..=1 << 24, Terms;
        /// A query about such candidates.
        sentinel_query_ticks: u64 = 2_000_000, 1..=1 << 40, Ticks;
        /// All queries about such candidates.
        sentinel_ticks: u64 = 40_000_000, 1..=1 << 40, Ticks;
        /// One attempt to prove a program by invariants about all objects.
        objects_ticks: u64 = 400_000_000, 1..=1 << 40, Ticks;
        /// A query about candidates for all objects.
        objects_query_ticks: u64 = 20_000_000, 1..=1 << 40, Ticks;
        /// Columns that are indexed by objects; with more, no invariants about all objects are looked for.
        objects_fields: usize = 12, 1..=1 << 24, Elements;
        /// Pointers of the state at one loop head that candidates about all objects mention.
        objects_pointers: usize = 6, 1..=1 << 24, Terms;
        /// Terms at one loop head that are put in for bound objects.
        objects_places: usize = 24, 1..=1 << 24, Terms;
        /// Chains of candidates about objects at one loop head.
        objects_candidates: usize = 400, 1..=1 << 24, Candidates;
        /// Facts about one data field of all objects.
        objects_facts: usize = 8, 1..=1 << 24, Candidates;
        /// Limits of one sort that ranges of cells end at.
        cells_limits: usize = 6, 1..=1 << 24, Terms;
        /// Beginnings of ranges other than zero.
        cells_starts: usize = 2, 1..=1 << 24, Terms;
        /// Different bodies about the cell at any index.
        cells_passed_bodies: usize = 10, 1..=1 << 24, Candidates;
        /// Indices at one loop head that loops have come to.
        cells_marks: usize = 5, 1..=1 << 24, Terms;
        /// Ends of arrays, as limits of counters say them.
        cells_ends: usize = 6, 1..=1 << 24, Terms;
        /// Loops in loops whose indices are followed outwards.
        cells_nesting: usize = 4, 1..=1 << 24, Iterations;
        /// The proof of a lemma about operators before it is shared.
        lemma_gate_ticks: u64 = 100_000, 1..=1 << 40, Ticks;
        /// Lemmas in the store; more of them cost readers more than they bring.
        max_shared_lemmas: usize = 200, 1..=1 << 24, Lemmas;
        /// A query that confirms facts of the analysis.
        analysis_query_ticks: u64 = 2_000_000, 1..=1 << 40, Ticks;
        /// All relations of one producer: where the program is large they are not worth more.
        relations_ticks: u64 = 60_000_000, 1..=1 << 40, Ticks;
        /// After this many queries that took too long, candidates are no longer asked about in halves.
        houdini_hard_queries: u32 = 30, 1..=1 << 24, Queries;
        /// A query about equalities between variables.
        equalities_query_ticks: u64 = 500_000, 1..=1 << 40, Ticks;
        /// Equalities at one cutpoint.
        equalities_candidates: usize = 64, 1..=1 << 24, Candidates;
        /// A query about values that never meet.
        exclusions_query_ticks: u64 = 1_000_000, 1..=1 << 40, Ticks;
        /// All queries about values that never meet.
        exclusions_ticks: u64 = 40_000_000, 1..=1 << 40, Ticks;
        /// Clauses of two literals at one loop head, and then as many of three.
        exclusions_candidates: usize = 2500, 1..=1 << 24, Candidates;
        /// A variable with fewer constants is not the state of a machine.
        exclusions_least_states: usize = 3, 1..=1 << 24, Values;
        /// A variable with at most this many constants is also said to equal one of them.
        exclusions_equal_values: usize = 6, 1..=1 << 24, Values;
        /// A variable with more constants is left out.
        exclusions_max_values: usize = 48, 1..=1 << 24, Values;
        /// A query about orders under conditions.
        orders_query_ticks: u64 = 20_000_000, 1..=1 << 40, Ticks;
        /// All queries about orders under conditions.
        orders_ticks: u64 = 200_000_000, 1..=1 << 40, Ticks;
        /// Conditions at one loop head.
        orders_conditions: usize = 3, 1..=1 << 24, Terms;
        /// Orders under conditions are for loops with at most this many words: there are many candidates.
        orders_variables: usize = 5, 1..=1 << 24, Variables;
        /// One search for polynomial equations.
        polynomials_ticks: u64 = 20_000_000, 1..=1 << 40, Ticks;
        /// Whether an error that polynomials do not exclude is impossible without them.
        polynomials_error_ticks: u64 = 300_000, 1..=1 << 40, Ticks;
        /// Whether such an error is impossible with some polynomials in bits.
        polynomials_late_error_ticks: u64 = 10_000_000, 1..=1 << 40, Ticks;
        /// Polynomials in bits for that query: circuits of products are hard.
        polynomials_in_bits: usize = 2, 1..=1 << 24, Terms;
        /// An induction that is tried at once with exclusions or orders: they seldom help a longer one.
        short_induction_steps: usize = 4, 1..=1 << 24, Steps;
        /// Steps without a proof after which relations are worth their circuits, where everything is read in bits.
        relations_after_steps_in_bits: usize = 3, 1..=1 << 24, Steps;
        /// Steps without a proof after which relations are worth their circuits, where operators are functions.
        relations_after_steps: usize = 4, 1..=1 << 24, Steps;
        /// Whether a proof needs an invariant, with operators as functions.
        needed_function_query_ticks: u64 = 100_000, 1..=1 << 40, Ticks;
        /// Whether a proof needs an invariant, in bits.
        needed_bit_query_ticks: u64 = 1_000_000, 1..=1 << 40, Ticks;
        /// Which invariants a proof needs: after this all of them.
        needed_ticks: u64 = 30_000_000, 1..=1 << 40, Ticks;
        /// Variables of one width that linear equations are looked for in.
        equations_variables: usize = 48, 1..=1 << 24, Variables;
        /// In larger blocks putting in what equations determine costs more than it helps.
        equations_block_terms: usize = 2000, 1..=1 << 24, Terms;
        /// A query for a state that breaks a linear equation.
        equations_query_ticks: u64 = 1_000_000, 1..=1 << 40, Ticks;
        /// All queries for linear equations of one graph of blocks.
        equations_ticks: u64 = 10_000_000, 1..=1 << 40, Ticks;
        /// A query about candidates for relations.
        relations_query_ticks: u64 = 1_000_000, 1..=1 << 40, Ticks;
        /// Whether an invariant says something new.
        redundancy_ticks: u64 = 100_000, 1..=1 << 40, Ticks;
        /// Comparisons that distinguish the phases of one loop.
        phases_conditions: usize = 3, 1..=1 << 24, Terms;
        /// Larger blocks are not split into phases: every query would be long.
        phases_block_terms: usize = 3000, 1..=1 << 24, Terms;
        /// Random runs that polynomials are guessed from.
        polynomials_runs: usize = 60, 1..=1 << 24, Runs;
        /// Cases of choices and disjunctions that are looked at.
        polynomials_cases: usize = 120, 1..=1 << 24, Cases;
        /// What one such case costs.
        polynomials_case_ticks: u64 = 5_000, 1..=1 << 40, Ticks;
        /// Blocks of a random run.
        polynomials_run_steps: usize = 80, 1..=1 << 24, Steps;
        /// Products of variables that are looked at together.
        polynomials_products: usize = 60, 1..=1 << 24, Terms;
        /// Factors of a product.
        polynomials_degree: usize = 6, 1..=1 << 24, Degree;
        /// Equations with larger coefficients are not worth a candidate.
        polynomials_coefficient: u64 = 4096, 1..=1 << 40, Values;
        /// Equations of more products are not worth a candidate.
        polynomials_equation_terms: usize = 12, 1..=1 << 24, Terms;
        /// Numbers up to this may have been divided by.
        polynomials_divisor: u64 = 120, 1..=1 << 40, Values;
        /// Programs with more terms are left alone.
        polynomials_block_terms: usize = 2000, 1..=1 << 24, Terms;
        /// Equations that the program asserts.
        polynomials_asserted: usize = 40, 1..=1 << 24, Terms;
        /// Whether words behave as numbers.
        polynomials_exact_ticks: u64 = 3_000_000, 1..=1 << 40, Ticks;
        /// One step of a random run.
        polynomials_step_ticks: u64 = 2_000, 1..=1 << 40, Ticks;
        /// Larger numbers may have wrapped round on the way.
        polynomials_far_number: u64 = 1 << 30, 1..=1 << 40, Values;
        /// A query for a turn of a loop that changes a sum.
        preserved_query_ticks: u64 = 300_000, 1..=1 << 40, Ticks;
        /// Sums with larger coefficients are not worth a candidate.
        preserved_coefficient: u64 = 8, 1..=1 << 40, Values;
        /// Variables that sums are made of.
        preserved_variables: usize = 16, 1..=1 << 24, Variables;
        /// Variables that are looked at in pairs.
        rates_variables: usize = 5, 1..=1 << 24, Variables;
        /// A query for an extreme value at the entry.
        rates_query_ticks: u64 = 100_000, 1..=1 << 40, Ticks;
        /// Forms that are compared with one another.
        bounds_forms: usize = 14, 1..=1 << 24, Terms;
        /// Constants that forms are compared with.
        bounds_constants: usize = 10, 1..=1 << 24, Values;
        /// Steps of counters that are looked at.
        bounds_steps: usize = 4, 1..=1 << 24, Values;
        /// Larger steps of counters are not looked at.
        bounds_largest_step: u64 = 64, 1..=1 << 40, Values;
        /// A disjunction with more cases refines nothing.
        analysis_cases: usize = 24, 1..=1 << 24, Terms;
        /// Constants of the program that samples of a function are made of.
        contract_constants: usize = 12, 1..=1 << 24, Values;
        /// Calls of a function that are executed.
        contract_samples: usize = 400, 1..=1 << 24, Runs;
        /// Edges of one of these runs.
        contract_run_edges: u64 = 50_000, 1..=1 << 40, Edges;
        /// Edges of such a run that take as long as a tick.
        contract_edges_per_tick: u64 = 100, 1..=1 << 20, Edges;
        /// Conditions that distinguish the cases of a contract.
        contract_conditions: usize = 8, 1..=1 << 24, Terms;
        /// Cases of a contract.
        contract_cases: usize = 80, 1..=1 << 24, Cases;
        /// Words that products are made of.
        contract_factors: usize = 4, 1..=1 << 24, Terms;
        /// Constants beyond the smallest and the largest sample that bounds are tried with.
        contract_bounds: usize = 2, 0..=1 << 24, Values;
        /// Rows of a table.
        contract_rows: usize = 48, 0..=1 << 24, Values;
        /// A query about one candidate before polynomials are tried.
        contract_first_ticks: u64 = 200_000, 1..=1 << 40, Ticks;
        /// Cases in which polynomials are tried.
        contract_polynomial_cases: usize = 120, 0..=1 << 24, Cases;
        /// A query about one candidate.
        contract_query_ticks: u64 = 2_000_000, 1..=1 << 40, Ticks;
        /// Comparisons whose sides a ranking is made of.
        ranking_atoms: usize = 24, 0..=1 << 20, Terms;
        /// Candidates for the words of a ranking at one place.
        ranking_forms: usize = 320, 1..=1 << 20, Terms;
        /// Candidates at each of two places, of which all pairs are tried.
        ranking_pair_forms: usize = 160, 1..=1 << 12, Terms;
        /// Words of a ranking have this many bits more than the variables, so that sums of a few do not wrap.
        ranking_extra_bits: u32 = 4, 2..=32, Bits;
        /// Visits of loop heads that are kept of a random run.
        ranking_visits: usize = 40, 2..=1 << 24, Values;
        /// Visits that are kept of a run in which a ranking does not get smaller.
        ranking_all_visits: usize = 20_000, 2..=1 << 24, Values;
        /// Moves between loop heads that random runs give.
        ranking_moves: usize = 200, 1..=1 << 24, Values;
    }
}
