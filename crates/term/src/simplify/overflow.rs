//! Overflow predicates: those that are plain comparisons are spelt so, zero never overflows.

use base::Bits;

use super::rule;
use crate::op::Op;
use crate::store::{FALSE, Term, Terms};

impl Terms {
    /// Only the least signed value has no negation.
    pub(super) fn simplify_nego(&mut self, a: Term) -> Term {
        rule!("overflow: bvnego");
        let least = self.bits(Bits::min_signed(self.width(a)));
        self.eq(a, least)
    }

    pub(super) fn simplify_overflow(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        match op {
            Op::BvUsubo => {
                rule!("overflow: bvusubo");
                return Some(self.bv_ult(a, b));
            }
            Op::BvSdivo => {
                rule!("overflow: bvsdivo");
                let width = self.width(a);
                let (least, minus_one) = (self.bits(Bits::min_signed(width)), self.bits(Bits::ones(width)));
                let (a_least, b_minus_one) = (self.eq(a, least), self.eq(b, minus_one));
                return Some(self.and(&[a_least, b_minus_one]));
            }
            Op::BvUaddo | Op::BvSaddo | Op::BvUmulo | Op::BvSmulo if self.disordered(a, b) => {
                rule!("overflow: order");
                return Some(self.make(op, &[b, a]));
            }
            _ => {}
        }
        if self.value(b).is_some_and(|value| value.is_zero()) {
            rule!("overflow: zero");
            return Some(FALSE);
        }
        None
    }
}
