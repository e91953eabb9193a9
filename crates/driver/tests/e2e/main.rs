//! End-to-end tests of the binary: one file for each side of it.

mod counterexample;
mod diagnostics;
mod documents;
mod harness;
mod hostile;
mod interruption;
mod run;
mod support;
mod systems;
mod usage;
mod verdicts;
mod witness;
