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

base::choice! {
    /// Whether a part that supports the search is on.
    pub enum Switch {
        /// On, except for `paper`.
        Level = "level",
        /// On.
        On = "on",
        /// Off.
        Off = "off",
    }
}

base::settings! {
    /// IC3 over uninterpreted functions.
    pub struct Settings for "euf" {
        /// Precision of the euf engine.
        #[option("euf", "HOW")]
        precision: Precision = Precision::Turns;
        /// Whether the euf engine also unrolls from the entry in bits.
        #[option("euf-lookahead", "HOW")]
        lookahead: Switch = Switch::Level;
        /// Whether the euf engine begins with what the analysis knows: ranges, low bits, lists of values.
        #[option("euf-analysis", "HOW")]
        analysis: Switch = Switch::Level;
        /// Whether the euf engine uses relations between variables, facts of other engines, and proofs by such facts alone.
        #[option("euf-background", "HOW")]
        background: Switch = Switch::Level;
    }
}

/// What supports the search over frames.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Helps {
    pub lookahead: bool,
    pub analysis: bool,
    pub background: bool,
}

impl Settings {
    /// What supports the search; without a choice everything, except for the algorithm of the paper.
    pub(crate) fn helps(&self) -> Helps {
        let is_on = |switch: Switch| match switch {
            Switch::Level => self.precision != Precision::Paper,
            Switch::On => true,
            Switch::Off => false,
        };
        Helps { lookahead: is_on(self.lookahead), analysis: is_on(self.analysis), background: is_on(self.background) }
    }
}
