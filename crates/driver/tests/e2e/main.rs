//! End-to-end tests of the binary: one file for each side of it.

mod boogie;
mod campaign;
mod choices;
mod contrib;
mod counterexample;
mod diagnostics;
mod documents;
mod execution;
mod harness;
mod hostile;
mod interruption;
mod outputs;
mod portfolio;
mod refine;
mod run;
mod sarif;
mod second_opinion;
mod shells;
mod strict;
mod support;
mod systems;
mod ufo;
mod usage;
mod validate;
mod verdicts;
mod witness;
