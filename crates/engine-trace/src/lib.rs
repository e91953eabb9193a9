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
mod state;
#[cfg(test)]
mod tests;
mod trace;

pub use coherence::{Paths, report as coherence_report};

use ::engine::{Engine, EngineInfo, Settings};

/// Congruence-based search for uninterpreted programs.
pub const TRACE: EngineInfo = EngineInfo {
    name: "trace",
    help: "search over what congruence knows: decides programs over uninterpreted functions",
    make: |settings: &Settings| -> Box<dyn Engine> { Box::new(engine::Trace::new(settings)) },
};

/// How the engine goes about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// The whole program at once, refined where that is needed.
    Search,
    /// Only programs that are coherent, decided by what variables hold.
    Coherent,
    /// Parts first, each checked for coherence, and the others refined: the order of the paper.
    PaperOrder,
}

impl Mode {
    /// All modes with their names on the command line.
    pub const ALL: &[(&str, Mode)] =
        &[("search", Mode::Search), ("coherent", Mode::Coherent), ("paper-order", Mode::PaperOrder)];
    /// The mode of this name.
    pub fn by_name(name: &str) -> Option<Mode> {
        Mode::ALL.iter().find(|(known, _)| *known == name).map(|(_, mode)| *mode)
    }
}
