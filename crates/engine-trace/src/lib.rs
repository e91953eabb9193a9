//! Uninterpreted programs: the engine `trace`.
//!
//! A program over variables and functions of which only equality is known is explored as pairs of a location and what
//! congruence says there ([MathurEtAl-POPL'19], [HongEtAl-FM'21]). In the order of the work:
//!
//! * `automaton`, `cases`: the program as steps with equalities and disequalities; every operator is a function;
//! * `graph`, `state`: congruence, and its canonical form over what variables hold;
//! * `reach`: the search; `trace`: one trace decided exactly, and the model of a feasible one; `bits`: the same for
//!   programs whose operators have a meaning;
//! * `refine`, `horn`: what a spurious trace teaches: depth, case splits, Horn clauses;
//! * `evidence`: what is known at loop heads, as invariants that `certify` checks;
//! * `coherence`, `partition`: the conditions and the order of the papers.

#![forbid(unsafe_code)]

mod automaton;
mod bits;
mod cases;
mod coherence;
mod engine;
mod evidence;
mod graph;
mod horn;
mod partition;
mod reach;
mod refine;
mod settings;
mod state;
#[cfg(test)]
mod tests;
mod trace;
mod tuning;

pub use coherence::{Paths, report as coherence_report};

pub use settings::{Mode, Settings};
pub use tuning::Tuning;

use ::engine::EngineInfo;

/// Congruence-based search for uninterpreted programs.
pub const TRACE: EngineInfo = EngineInfo {
    name: "trace",
    help: "search over what congruence knows: decides programs over uninterpreted functions",
    settings: Settings::TABLE,
    make: |values| Ok(Box::new(engine::Trace { settings: Settings::from_values(values.iter())? })),
};

#[cfg(test)]
mod contract {
    testkit::engine_contract!(trace: crate::TRACE);
}
