//! Overflow predicates: zero never overflows.

use super::rule;
use crate::op::Op;
use crate::store::{FALSE, Term, Terms};

impl Terms {
    pub(super) fn simplify_overflow(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        if op.row().commutes && self.disordered(a, b) {
            // match: (bvuaddo y x), likewise the others that commute; result: (bvuaddo x y), literals last
            rule!("overflow: order");
            return Some(self.make(op, &[b, a]));
        }
        if self.value(b).is_some_and(|value| value.is_zero()) {
            // match: (bvuaddo x 0), likewise the others; result: false
            rule!("overflow: zero");
            return Some(FALSE);
        }
        None
    }
}
