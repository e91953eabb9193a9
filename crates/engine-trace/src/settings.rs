//! The settings of the engine.

base::choice! {
    /// How the engine searches.
    pub enum Mode {
        /// The whole program at once, refined where that is needed.
        Search = "search",
        /// Only programs that are coherent, decided by what variables hold.
        Coherent = "coherent",
        /// Parts first, each checked for coherence, and the others refined: the order of the paper.
        PaperOrder = "paper-order",
    }
}

base::settings! {
    /// Congruence-based search for uninterpreted programs.
    pub struct Settings for "trace" {
        /// Mode of the trace engine.
        #[option("trace", "HOW")]
        mode: Mode = Mode::Search;
    }
}
