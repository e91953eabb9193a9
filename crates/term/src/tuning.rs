//! Numbers that tune this crate: how much is tried and shown. None of them decides whether an answer is right.

base::settings! {
    /// Terms and their simplification.
    pub fixed struct Tuning for "term" {
        /// Writes to other places that a read looks behind.
        max_skipped_stores: usize = 32, 0..=1 << 20, Terms;
        /// Longer nested junctions are not dissolved, so that joining one by one stays linear.
        max_flattened_arguments: usize = 16, 0..=1 << 20, Terms;
        /// Bijections that an equation undoes.
        max_undone_bijections: usize = 16, 0..=1 << 20, Levels;
        /// Levels that an extraction looks down.
        max_extraction_levels: usize = 32, 0..=1 << 20, Levels;
        /// Numbers with more digits are refused: normalising them is not linear.
        max_digits: usize = 10_000, 1..=1 << 20, Digits;
        /// Simplifications that call for further ones stop at this depth.
        max_simplification_depth: u32 = 24, 1..=1000, Levels;
        /// Longer sums are not taken out of choices: each of many steps would copy all before it.
        max_parts: usize = 24, 1..=1 << 20, Parts;
        /// Products with more terms, once multiplied out, stay as they are.
        max_product_terms: usize = 64, 1..=1 << 20, Terms;
        /// Products with more factors stay as they are.
        max_product_degree: usize = 6, 1..=100, Degree;
        /// Products nested deeper in products that stayed are not multiplied out.
        max_product_depth: usize = 3, 0..=100, Levels;
        /// Conditions of choices that are decided within one another.
        max_decided_conditions: usize = 5, 0..=100, Levels;
        /// Disjunctions that are decided within one another.
        max_decided_disjunctions: usize = 2, 0..=100, Levels;
        /// Disjunctions that are examined in one place.
        max_disjunctions: usize = 8, 0..=1 << 20, Terms;
        /// Rules of a system of polynomials.
        max_rules: usize = 24, 0..=1 << 20, Terms;
        /// Terms of a rule or of a product of rules.
        max_rule_terms: usize = 40, 0..=1 << 20, Terms;
        /// Replacements in one polynomial.
        max_rule_steps: usize = 400, 0..=1 << 20, Steps;
        /// Further candidates are not made.
        max_exact_candidates: usize = 16, 0..=1 << 20, Candidates;
        /// Further definitions are not taken out: each walks through all formulas.
        max_definitions: usize = 64, 0..=1 << 20, Terms;
        /// Applications of a total in one question that laws are made for.
        max_totals: usize = 400, 0..=1 << 20, Terms;
        /// Cells at the beginning of an array that are added up one by one.
        max_first_cells: u64 = 4, 0..=1 << 20, Elements;
        /// More comparisons are not examined in pairs.
        max_compared_pairs: usize = 64, 0..=1 << 20, Constraints;
    }
}
