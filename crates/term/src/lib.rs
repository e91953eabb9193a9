//! The one expression language of the house: sorts, hash-consed terms, local simplification,
//! evaluation and SMT-LIB text.
//!
//! Program edges, predicates, invariants and queries are all [`Term`]s of one [`Terms`] store, so
//! they share one simplifier, one evaluator and one printer. Equal handles mean equal terms.

#![forbid(unsafe_code)]

mod op;
mod sort;
mod store;

pub use op::{FpOp, NumberOp, Op};
pub use sort::{Sort, SortKind};
pub use store::{Symbol, Term, Terms};
