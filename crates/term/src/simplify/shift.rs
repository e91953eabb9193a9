//! Shifts by literals.

use base::Bits;

use super::rule;
use crate::op::Op;
use crate::store::{Term, Terms};

impl Terms {
    pub(super) fn simplify_shift(&mut self, op: Op, a: Term, by: Term) -> Option<Term> {
        let width = self.width(a);
        if let Some(value) = self.value(a) {
            if value.is_zero() {
                // match: (bvshl 0 x), likewise bvlshr and bvashr; result: 0
                rule!("shift: of zero");
                return Some(a);
            }
            if op == Op::BvAshr && value.is_ones() {
                // match: (bvashr all ones x); result: all ones
                rule!("shift: of minus one");
                return Some(a);
            }
        }
        let amount = self.value(by)?;
        if amount.is_zero() {
            // match: (bvshl x 0), likewise bvlshr and bvashr; result: x
            rule!("shift: by zero");
            return Some(a);
        }
        let amount = amount.to_u64().unwrap_or(u64::MAX).min(u64::from(width));
        let total = match self.with_literal(op, a) {
            Some((_, inner)) => inner.to_u64().unwrap_or(u64::MAX).saturating_add(amount).min(u64::from(width)),
            None => amount,
        };
        if total == u64::from(width) && op != Op::BvAshr {
            // match: (bvshl x c), c at least the width, likewise bvlshr; result: 0
            rule!("shift: everything out");
            return Some(self.bv(width, 0));
        }
        // An arithmetic shift by the width or more leaves copies of the sign, as one bit less does.
        let total = total.min(u64::from(width) - 1);
        let total = Bits::from_u64(width, total);
        if let Some((x, _)) = self.with_literal(op, a) {
            // match: (bvshl (bvshl x c) d), likewise bvlshr and bvashr;
            // result: (bvshl x (bvadd c d)), the sum cut at the width less one
            rule!("shift: amounts meet");
            let total = self.bits(total);
            return Some(self.make(op, &[x, total]));
        }
        let total = self.bits(total);
        if total == by {
            return None;
        }
        // match: (bvashr x c), c at least the width; result: (bvashr x the width less one)
        rule!("shift: too far to the right");
        Some(self.make(op, &[a, total]))
    }
}
