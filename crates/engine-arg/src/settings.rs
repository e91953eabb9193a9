//! The settings of the engine.

use crate::instance::InstanceName;

base::settings! {
    /// UFO: abstract reachability graphs with interpolants and predicates.
    pub struct Settings for "ufo" {
        /// Instance of the ufo engine.
        #[option("ufo", "HOW")]
        instance: InstanceName = InstanceName::Cpufo;
        /// Draw the graph. The option `--emit-arg` sets it.
        draw_graph: bool = false;
    }
}
