//! Overflow predicates: zero never overflows.

use super::rule;
use crate::op::Op;
use crate::store::{FALSE, Term, Terms};

impl Terms {
    pub(super) fn simplify_overflow(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        if op.row().commutes && self.disordered(a, b) {
            rule!("overflow: order");
            return Some(self.make(op, &[b, a]));
        }
        if self.value(b).is_some_and(|value| value.is_zero()) {
            rule!("overflow: zero");
            return Some(FALSE);
        }
        None
    }
}
