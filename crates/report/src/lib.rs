//! What users take away from a verdict: a harness that replays an error, a witness that other tools can
//! check, and a counterexample that people can read.
//!
//! Nothing here reads or writes files: texts come in, texts go out.

#![forbid(unsafe_code)]

pub mod answer;
mod c_expression;
pub mod claim;
mod correctness;
mod counterexample;
mod fold;
pub mod harness;
pub mod html;
mod invariants;
pub mod json;
mod quantified;
mod relevant;
pub mod sarif;
pub mod sha256;
mod slice;
mod source;
pub mod system;
mod tracker;
mod tuning;
mod violation;
pub mod witness;
mod worth;
pub mod yaml;

pub use answer::{Answer, Reason};
pub use correctness::{correctness, loop_invariants};
pub use counterexample::{Step, counterexample, net, steps};
pub use invariants::invariants;
pub use tuning::Tuning;
pub use violation::{endless, violation};
pub use worth::worth;
