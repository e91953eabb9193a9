//! What can be said about a program, with its evidence.
//!
//! `Safe` and `Unsafe` cannot be said without evidence, and the evidence speaks of the program as the
//! front end lowered it: a [`Proof`] gives invariants at points of it, a [`Counterexample`] the values
//! that its inputs take. `certify` checks both before the verdict is reported.

#![forbid(unsafe_code)]

mod changing;
mod code;
mod contract;
mod counterexample;
mod cycles;
mod effects;
mod endless;
mod function_table;
mod modular;
mod proof;
mod ranking;
pub mod reasons;
mod transfer;
mod why;

pub use code::{Code, Group};
pub use contract::{Contract, Slot};
pub use counterexample::{Counterexample, InputValue, Script};
pub use cycles::Cycles;
pub use effects::Effects;
pub use endless::{Endless, NotClosed, closed};
pub use function_table::FunctionTable;
pub use modular::{Claim, Modular, NoContract, modular};
pub use proof::{Method, Proof};
pub use ranking::{Falls, NoRanking, Ranked, Ranking, called, ranked};
pub use transfer::Candidates;
pub use why::Why;

/// The answer of an engine.
#[derive(Clone)]
pub enum Verdict {
    /// No run reaches an error.
    Safe(Box<Proof>),
    /// A run reaches an error.
    Unsafe(Counterexample),
    /// A run does not end, and that was the question.
    Endless(Box<Endless>),
    /// Neither is shown.
    Unknown(Why),
}
