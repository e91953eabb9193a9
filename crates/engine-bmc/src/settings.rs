//! The settings of the engines of this crate.

base::choice! {
    /// How the engine `refine` selects the statements that are read bit by bit.
    pub enum Selection {
        /// The first violated statement, in program order.
        H0 = "h0",
        /// The last violated statement.
        H1 = "h1",
        /// All violated statements, in program order.
        H2 = "h2",
        /// All violated statements, from the last.
        H3 = "h3",
        /// The first violated statement, with those that depend on it.
        H4 = "h4",
        /// The last violated statement, with those it depends on.
        H5 = "h5",
        /// All violated statements, in program order, with those that depend on them.
        H6 = "h6",
        /// All violated statements, from the last, with those they depend on.
        H7 = "h7",
        /// Statements that justify the counterexample.
        H8 = "h8",
        /// As h8; then statements are dropped while the rest still proves the program.
        Min = "min",
        /// All statements from the start.
        Flat = "flat",
    }
}

base::settings! {
    /// Bounded model checking.
    pub struct BmcSettings for "bmc" {
        /// Unroll at most this many iterations of the loops.
        #[option("unwind", "K")]
        unwind: Option<u32> = None, 1..=u32::MAX as u64, Iterations;
    }
}

base::settings! {
    /// K-induction.
    pub struct KindSettings for "kind" {
        /// Unroll at most this many iterations of the loops.
        #[option("unwind", "K")]
        unwind: Option<u32> = None, 1..=u32::MAX as u64, Iterations;
    }
}

base::settings! {
    /// Theory refinement.
    pub struct RefineSettings for "refine" {
        /// Unroll at most this many iterations of the loops.
        #[option("unwind", "K")]
        unwind: Option<u32> = None, 1..=u32::MAX as u64, Iterations;
        /// How the refine engine selects statements.
        #[option("refine", "HOW")]
        selection: Selection = Selection::H8;
        /// Source lines, such as 12,17, that the refine engine reads bit by bit from the start.
        #[option("refine-lines", "L,...")]
        lines: Vec<u32> = Vec::new(), 1..=u32::MAX as u64, Lines;
        /// Find a small set of statements that proves the program, also after it is proved. The option `--explain` sets it.
        explain: bool = false;
    }
}
