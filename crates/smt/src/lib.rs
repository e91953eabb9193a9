//! Formulas to answers: uninterpreted functions, bit-vectors and arrays in one search, with models and
//! cores.
//!
//! One [`Solver`] answers many queries over the terms of one store. Operators on bit-vectors are read in
//! bits or as uninterpreted functions, site by site ([`Precision`]), and a site can be raised to bits
//! while the solver keeps all it has learnt.
//!
//! ```
//! use smt::{Answer, Query, Solver};
//! let mut terms = term::Terms::new();
//! let byte = terms.bv_sort(8);
//! let (x, one) = (terms.variable("x", byte), terms.bv(8, 1));
//! let next = terms.bv_add(x, one);
//! let wraps = terms.bv_ult(next, x);
//! let zero = terms.bv(8, 0);
//! let is_zero = terms.eq(x, zero);
//! let mut solver = Solver::new();
//! solver.assert(wraps);
//! let budget = base::Budget::default();
//! match solver.check(&terms, &Query::default(), &budget).unwrap() {
//!     Answer::Sat(mut model) => assert_eq!(model.value(x), term::Value::Bits(base::Bits::ones(8))),
//!     _ => panic!("255 + 1 wraps"),
//! }
//! match solver.check(&terms, &Query::assuming(&[is_zero]), &budget).unwrap() {
//!     Answer::Unsat(refutation) => assert_eq!(refutation.core(), &[is_zero]),
//!     _ => panic!("0 + 1 does not wrap"),
//! };
//! ```

//! # What a proof proves
//!
//! With [`Solver::enable_log`] every refutation can be checked by the crate `proof`, which sees neither search nor
//! e-graph: clauses that the search learnt follow step by step, lemmas of equality are closed again in the
//! naive way, lemmas of arrays must be instances of an axiom, word for word. The clauses that encode terms are
//! taken as given: gates and circuits, choices, bindings of bits to nodes, equalities of words, names that
//! became the terms they stand for, words shared by equal polynomials. So a proof does not certify the
//! encoding; code that must not trust it (`certify`) encodes by itself and uses this solver to search for proofs.

#![forbid(unsafe_code)]

mod arrays;
mod bv;
mod canonical;
mod certify;
mod circuit;
mod cone;
mod encode;
mod euf;
pub mod ground;
pub mod interpolate;
mod model;
mod precision;
mod solver;
mod tuning;
mod valuation;

pub use circuit::{Circuit, NoCircuit};
pub use model::Model;
pub use precision::{Evaluation, Precision, Reading, is_costly};
pub use sat::Backend;
pub use solver::{Answer, Query, Refutation, Solver, Stats, is_site};
pub use tuning::Tuning;

/// The settings of the SAT solver below.
pub use sat::Settings as SatSettings;
