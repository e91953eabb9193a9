//! The words in which the SAT solver justifies itself, and a checker for them.
//!
//! A [`Log`] is a list of clauses: those that were given, those that follow by unit propagation
//! from named earlier ones, and those a theory vouches for. The [`Checker`] replays the list; it
//! shares no code with the solver that wrote it. Lemmas of equality, bits and arrays are checked by a
//! [`Vocabulary`].

#![forbid(unsafe_code)]

mod check;
mod lemma;
mod lit;
mod log;
mod trim;

pub use check::{Checker, Rejection};
pub use lemma::{Constant, Head, Meaning, Row, Vocabulary};
pub use lit::{Lit, SatVar};
pub use log::{ClauseId, Log, Step};
pub use trim::trim;
