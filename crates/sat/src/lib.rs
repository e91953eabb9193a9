//! CDCL over literals and clauses; it does not depend on terms.
//!
//! One [`Solver`] answers many queries: clauses stay, each [`Query`] brings its assumptions, perhaps
//! one temporary clause that leaves no trace, and perhaps a domain to which decisions are restricted.
//! A [`Theory`] takes part in the search through a small set of hooks. With logging on, every clause
//! ever believed is written down with its antecedents (crate `proof`).
//!
//! The files are the techniques: `propagate`, `analyze`, `minimize`, `restart`, `reduce`, `rephase`,
//! `assume`, `temporary`, `vivify`, `subsume`, `probe`, `hand_over`; `search` ties them together.
//!
//! ```
//! use sat::{NoTheory, Query, Outcome, Solver};
//! let mut solver = Solver::new();
//! let (a, b) = (solver.new_var().positive(), solver.new_var().positive());
//! solver.add_clause(&[a, b]);
//! solver.add_clause(&[!a, b]);
//! let outcome = solver.solve(&mut NoTheory, &Query::assuming(&[!b]), &base::Budget::default());
//! assert_eq!(outcome, Ok(Outcome::Unsat));
//! assert_eq!(solver.core(), &[!b]);
//! ```

#![forbid(unsafe_code)]

mod analyze;
mod assume;
#[cfg(feature = "cadical")]
mod cadical;
mod clauses;
mod collect;
mod dimacs;
mod hand_over;
mod hints;
mod minimize;
mod order;
mod probe;
mod propagate;
mod reduce;
mod rephase;
mod restart;
mod search;
mod settings;
mod solver;
mod subsume;
mod temporary;
mod theory;
mod trail;
mod vivify;

pub use dimacs::{DimacsError, read_dimacs, write_dimacs};
pub use hand_over::Backend;
pub use proof::{Lit, SatVar};
pub use search::{Outcome, Query};
pub use settings::Settings;
pub use solver::{Footprint, Solver, Stats};
pub use theory::{Consequences, NoTheory, Theory};
