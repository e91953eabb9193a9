//! States one by one: the engine `explicit`.
//!
//! Programs whose loops are driven by small state machines have few states at their loop heads, however deep their
//! errors lie and however many inputs they read. This engine visits these states one by one, as explicit model
//! checkers do [ClarkeEmersonSistla-TOPLAS'86, BeyerLoewe-FASE'13]; inputs stay symbols, and a solver enumerates what
//! can come next. When no state is left, the list of them is an inductive invariant.
//!
//! * `tracked`: which variables a state lists; one with too many values is left out and may have any;
//! * `residual`: a block with the state's values put in, evaluated only where it matters;
//! * `explore`: the search; `path`: from a state that meets an error back to inputs;
//! * `exchange`: facts exported to other engines and imported from them, between two rounds;
//! * `listing`: the states as an invariant.

#![forbid(unsafe_code)]

mod exchange;
mod explore;
mod listing;
mod path;
mod residual;
mod settings;
mod tracked;
mod tuning;

pub use settings::Settings;
pub use tuning::Tuning;

use engine::EngineInfo;

/// Explicit states.
pub const EXPLICIT: EngineInfo = EngineInfo {
    name: "explicit",
    help: "visit the states at loop heads one by one: strong on state machines with few states, however deep",
    settings: Settings::TABLE,
    make: |values| Ok(Box::new(explore::Explicit { settings: Settings::from_values(values.iter())? })),
};

#[cfg(test)]
mod contract {
    testkit::engine_contract!(explicit: crate::EXPLICIT);
}
