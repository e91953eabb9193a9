//! Bounded model checking and k-induction.
//!
//! * [`BMC`]: runs on concrete inputs first (`concrete`), then unrolls step by step and asks a solver for an error
//!   (`bmc`); it says `Safe` only when no run is longer than the unrolling;
//! * [`KIND`]: the same, and beside it the question whether an error can come after k steps without one, from
//!   any state (`kind`, `induction`), with the invariants that the shared analysis and the facts store offer;
//! * [`REFINE`]: the same questions, put to a solver for which operators are functions at first (`refine`, `refiner`): which
//!   of its statements are read in bits is chosen by the paper's heuristics (`heuristics`) or ours (`justify`,
//!   `schemas`), and which of them a proof cannot do without is found out afterwards (`minimal`).
//!
//! * [`SYMBOLIC`]: executes all runs of a bounded program at once, with terms in place of inputs (`symbolic`).
//!
//! The first three unroll by `search` and send their queries to an `oracle`.

#![forbid(unsafe_code)]

mod bmc;
mod concrete;
mod exchange;
mod heuristics;
mod induction;
mod justify;
mod kind;
mod local;
mod minimal;
mod only_run;
mod oracle;
mod plain;
mod refine;
mod refiner;
mod schemas;
mod search;
mod settings;
mod sources;
mod statements;
mod symbolic;
mod tuning;

pub use settings::{BmcSettings, KindSettings, RefineSettings, Selection};
pub use symbolic::has_memory;
pub use tuning::Tuning;

use engine::EngineInfo;

/// Bounded model checking.
pub const BMC: EngineInfo = EngineInfo {
    name: "bmc",
    help: "unroll loops step by step and look for an error; proves only programs whose loops all end",
    settings: BmcSettings::TABLE,
    make: |values| Ok(Box::new(bmc::Bmc::new(BmcSettings::from_values(values.iter())?))),
};

/// k-induction.
pub const KIND: EngineInfo = EngineInfo {
    name: "kind",
    help: "k-induction: an error after k good steps from anywhere is impossible",
    settings: KindSettings::TABLE,
    make: |values| Ok(Box::new(kind::Kind::new(KindSettings::from_values(values.iter())?))),
};

/// Theory refinement.
pub const REFINE: EngineInfo = EngineInfo {
    name: "refine",
    help: "theory refinement: bit-precise only where a counterexample needs it; strong where arithmetic is a side issue",
    settings: RefineSettings::TABLE,
    make: |values| Ok(Box::new(refine::Refine::new(RefineSettings::from_values(values.iter())?))),
};

/// Symbolic execution of bounded programs with memory.
pub const SYMBOLIC: EngineInfo = EngineInfo {
    name: "symbolic",
    help: "execute all runs of a bounded program at once, with terms for its inputs",
    settings: BmcSettings::TABLE,
    make: |_| Ok(Box::new(symbolic::Symbolic)),
};

/// Runs on concrete inputs and nothing else: for programs that no engine can work on.
pub const RUNS: EngineInfo = EngineInfo {
    name: "runs",
    help: "concrete runs alone",
    settings: BmcSettings::TABLE,
    make: |_| Ok(Box::new(concrete::Runs)),
};

/// One run on zeros, before anything else is done with a large program.
pub const FIRST_RUN: EngineInfo = EngineInfo {
    name: "runs",
    help: "one concrete run",
    settings: BmcSettings::TABLE,
    make: |_| Ok(Box::new(concrete::FirstRun)),
};

#[cfg(test)]
mod contract {
    testkit::engine_contract!(bmc: crate::BMC);
    testkit::engine_contract!(kind: crate::KIND);
    testkit::engine_contract!(refine: crate::REFINE);
}
