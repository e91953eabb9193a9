//! The one expression language of the house: sorts, hash-consed terms, local simplification,
//! evaluation and SMT-LIB text.
//!
//! Program edges, predicates, invariants and queries are all [`Term`]s of one [`Terms`] store, so
//! they share one simplifier, one evaluator and one printer. Equal handles mean equal terms.
//!
//! ```
//! use term::{Terms, Value, eval, smtlib::read_term};
//!
//! let mut terms = Terms::new();
//! let int = terms.bv_sort(32);
//! let (x, one, zero) = (terms.variable("x", int), terms.bv(32, 1), terms.bv(32, 0));
//!
//! // What C makes of `(x < 1) != 0` is just `x < 1`.
//! let less = terms.bv_slt(x, one);
//! let choice = terms.ite(less, one, zero);
//! assert_eq!(terms.ne(choice, zero), less);
//! assert_eq!(terms.to_smtlib(less), "(bvslt x #x00000001)");
//! assert_eq!(read_term(&mut terms, "(bvsgt #x00000001 x)"), Ok(less));
//!
//! let minus_one = base::Bits::ones(32);
//! let value = eval(&terms, less, |_, _| Some(Value::Bits(minus_one.clone())));
//! assert_eq!(value, Ok(Value::Bool(true)));
//! ```

#![forbid(unsafe_code)]

mod code;
mod derived;
pub mod eval;
pub mod float;
mod fold;
mod numeral;
mod op;
mod row;
mod semantics;
mod simplify;
pub mod smtlib;
mod sort;
mod store;
pub mod sums;
pub mod totals;
mod tuning;
mod typing;
pub mod walk;

pub use derived::{Derived, Function};
pub use eval::{ArrayValue, EvalError, Evaluator, Value, eval};
pub use op::{FpOp, NumberOp, Op};
pub use row::{Cost, Row};
pub use semantics::{Scalar, apply as evaluate_operator};
pub use sort::{Sort, SortKind};
pub use store::{Symbol, Term, Terms};
pub use tuning::Tuning;
pub use typing::MAX_WIDTH;
pub use walk::{Import, Substitution};
