//! The settings of the engine.

base::choice! {
    /// How the engine `euf` searches, and what it reads in bits.
    pub enum Precision {
        /// As axioms, in turns with a search over single bits.
        Turns = "turns",
        /// Operators stay uninterpreted functions.
        Functions = "uf",
        /// Operators are functions first; those that matter become bit-precise.
        Axioms = "axioms",
        /// All but products and quotients are bit-precise from the start.
        Heavy = "heavy",
        /// All operators are bit-precise from the start.
        Bits = "bits",
        /// A search over single bits alone.
        Single = "single",
        /// Implicit predicate abstraction over bits.
        Predicates = "predicates",
        /// The algorithm of the paper.
        Paper = "paper",
    }
}

base::settings! {
    /// IC3 over uninterpreted functions.
    pub struct Settings for "euf" {
        /// Precision of the euf engine.
        #[option("euf", "HOW")]
        precision: Precision = Precision::Turns;
    }
}
