//! What is computed from the contents of arrays, as functions: `a[i] - b[i]` and `a[k] - b[k]` are equal where `i` is `k`, whatever
//! minus means, and circuits make that hard to see. What indices and bounds are made of is read in bits.

use base::FastMap;
use smt::{Reading, Solver};
use term::{Op, Term, Terms};

/// A reader of formulas about arrays for one solver.
pub(crate) struct Contents {
    /// By term that was met: whether contents of arrays are in it.
    met: FastMap<Term, bool>,
}

impl Contents {
    /// For a solver of its own.
    pub fn new() -> (Self, Solver) {
        (Contents { met: FastMap::new() }, Solver::with_reading(Reading::Uninterpreted))
    }
    /// Has the solver read in bits what is not computed from contents.
    pub fn read(&mut self, solver: &mut Solver, terms: &Terms, roots: &[Term]) {
        for term in terms.subterms_until(roots, |term| self.met.contains_key(&term)) {
            let has_contents = terms.op(term) == Op::Select || terms.args(term).iter().any(|arg| self.met[arg]);
            self.met.insert(term, has_contents);
            if !has_contents {
                solver.raise(terms, term);
            }
        }
    }
}
