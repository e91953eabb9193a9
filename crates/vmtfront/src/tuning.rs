//! Numbers that tune this crate: how much is tried and shown. None of them decides whether an answer is right.

base::settings! {
    /// The front ends for VMT and BTOR2.
    pub fixed struct Tuning for "vmtfront" {
        /// Larger preconditions are not taken as invariants.
        max_precondition: usize = 20_000, 1..=1 << 30, Terms;
        /// A formula with more atoms that mention a quantified symbol is given up: each doubles it.
        max_quantified_atoms: usize = 6, 0..=20, Terms;
        /// Further lemmas are not handed back.
        max_lemmas: usize = 60, 1..=1 << 20, Lemmas;
        /// The parity of wider words is refused: it has a term for each bit.
        max_parity_bits: u32 = 1 << 16, 1..=1 << 24, Bits;
        /// Arrays of which more cells matter stay arrays.
        max_cells: usize = 48, 1..=1 << 20, Elements;
        /// Further errors are not reported.
        max_diagnostics: usize = 50, 1..=1 << 20, Diagnostics;
        /// Rounds in which demands on free symbols are put into the terms.
        max_definition_rounds: usize = 8, 0..=1000, Rounds;
        /// Conjuncts with their literals: nested choices can make far more of them than a formula has parts.
        max_conjuncts: usize = 100_000, 1..=1 << 30, Terms;
        /// A system with more control locations is not taken apart.
        max_locations: usize = 200, 1..=1 << 20, Elements;
        /// Conditions on the way from one location.
        max_splits: usize = 150, 1..=1 << 20, Cases;
        /// Conditions one after the other.
        max_nested_splits: usize = 60, 1..=1000, Levels;
        /// Terms that may be examined before the search for locations ends, all attempts together.
        max_examined_terms: usize = 6_000_000, 1..=1 << 40, Terms;
        /// With more variables no attempt is made to find out which of them are data.
        max_control_variables: usize = 40, 1..=1 << 20, Variables;
        /// More ways are not a step of a program.
        max_ways: usize = 3000, 1..=1 << 20, Cases;
        /// A disjunction of fewer parts is left to the solver of equations.
        min_disjunction: usize = 3, 1..=1000, Parts;
    }
}
