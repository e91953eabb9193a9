//! The settings of the engine.

use crate::instance::{HelpName, InstanceName, InterpolatorName, RefinerName, StrategyName};

base::settings! {
    /// UFO: abstract reachability graphs with interpolants and predicates.
    pub struct Settings for "ufo" {
        /// Instance of the ufo engine.
        #[option("ufo", "HOW")]
        instance: InstanceName = InstanceName::FIRST;
        /// Where the ufo engine gets labels from when the error is excluded.
        #[option("ufo-refiner", "HOW")]
        refiner: RefinerName = RefinerName::FIRST;
        /// What the ufo engine does with the labels of a refinement.
        #[option("ufo-strategy", "HOW")]
        strategy: StrategyName = StrategyName::FIRST;
        /// Whether the ufo engine is helped by analysis, relations and Houdini.
        #[option("ufo-help", "HOW")]
        help: HelpName = HelpName::FIRST;
        /// Where interpolants alone give labels: how they are found.
        interpolator: InterpolatorName = InterpolatorName::FIRST;
        /// With more combinations of predicates behind an edge, Boolean abstraction gives the Cartesian answer.
        boolean_cubes: usize = 60, 1..=1 << 20, Cases;
        /// Draw the graph. The option `--emit-arg` sets it.
        draw_graph: bool = false;
    }
}
