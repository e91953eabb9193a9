//! The settings of the engine.

base::settings! {
    /// Explicit states.
    pub struct Settings for "explicit" {
        /// A longer list of states takes too long to check.
        max_listed_states: usize = 20_000, 1..=1 << 32, States;
    }
}
