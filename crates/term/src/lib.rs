//! The one expression language of the house: sorts, hash-consed terms, local simplification,
//! evaluation and SMT-LIB text.
//!
//! Program edges, predicates, invariants and queries are all [`Term`]s of one [`Terms`] store, so
//! they share one simplifier, one evaluator and one printer. Equal handles mean equal terms.

#![forbid(unsafe_code)]

mod code;
pub mod eval;
mod numeral;
mod op;
mod semantics;
mod simplify;
mod sort;
mod store;
mod typing;

pub use eval::{ArrayValue, EvalError, Evaluator, Value, eval};
pub use op::{FpOp, NumberOp, Op};
pub use semantics::{Scalar, apply as evaluate_operator};
pub use sort::{Sort, SortKind};
pub use store::{Symbol, Term, Terms};
pub use typing::MAX_WIDTH;
