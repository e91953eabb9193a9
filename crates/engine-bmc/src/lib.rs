//! Bounded model checking and k-induction.
//!
//! * [`BMC`]: runs on concrete inputs first (`concrete`), then unrolls step by step and asks a solver for an error
//!   (`bmc`); it says `Safe` only when no run is longer than the unrolling;
//! * [`KIND`]: the same, and beside it the question whether an error can come after so many steps without one, from
//!   anywhere (`kind`), with the invariants that the shared analysis and the facts store offer.

#![forbid(unsafe_code)]

mod bmc;
mod concrete;
mod kind;
mod search;

use engine::{Engine, EngineInfo, Settings};

/// Bounded model checking.
pub const BMC: EngineInfo = EngineInfo {
    name: "bmc",
    help: "unroll loops step by step and look for an error; proves only programs whose loops all end",
    make: |settings: &Settings| -> Box<dyn Engine> { Box::new(bmc::Bmc::new(settings)) },
};

/// k-induction.
pub const KIND: EngineInfo = EngineInfo {
    name: "kind",
    help: "k-induction: an error after k good steps from anywhere is impossible",
    make: |settings: &Settings| -> Box<dyn Engine> { Box::new(kind::Kind::new(settings)) },
};
