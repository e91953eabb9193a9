//! What tests share: generators of random C and Boogie programs and of random formulas, the comparison with compiled code, golden
//! files, a reducer, a fuzzer, mutants of evidence, and the contract of engines. Only tests and `cargo xtask` use this crate.

#![forbid(unsafe_code)]

pub mod assertions;
pub mod boogie;
pub mod cgen;
pub mod compiler;
pub mod contract;
pub mod differential;
pub mod formulas;
pub mod fuzz;
pub mod golden;
pub mod mutants;
pub mod ours;
pub mod passes;
pub mod reduce;
pub mod split;
pub mod standard;
pub mod uninterpreted;
pub mod variants;
