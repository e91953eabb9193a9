//! What lowered programs mean: small C programs with a known result, run in the interpreter.
//!
//! Each file holds one part of the language; `harness` compiles, validates and runs.

mod calls;
mod control;
mod floats;
mod harness;
mod integers;
mod library;
mod link;
mod memory;
mod properties;
mod refusals;
mod weave;
