//! Sums, differences, products and quotients. Literals move outwards in sums, so that they meet.

use super::rule;
use crate::op::Op;
use crate::store::{Term, Terms};

impl Terms {
    pub(super) fn simplify_neg(&mut self, a: Term) -> Option<Term> {
        if let Some(inner) = self.unary(Op::BvNeg, a) {
            rule!("neg: double");
            return Some(inner);
        }
        if let Some(inner) = self.unary(Op::BvNot, a) {
            rule!("neg: of bvnot");
            let one = self.bv(self.width(a), 1);
            return Some(self.bv_add(inner, one));
        }
        if let Some((x, y)) = self.binary(Op::BvSub, a) {
            rule!("neg: of bvsub");
            return Some(self.bv_sub(y, x));
        }
        if let Some((x, value)) = self.with_literal(Op::BvAdd, a) {
            rule!("neg: of bvadd");
            let value = self.bits(value.neg());
            return Some(self.bv_sub(value, x));
        }
        None
    }

    pub(super) fn simplify_add(&mut self, a: Term, b: Term) -> Option<Term> {
        if self.disordered(a, b) {
            rule!("add: order");
            return Some(self.bv_add(b, a));
        }
        if let Some(value) = self.value(b) {
            if value.is_zero() {
                rule!("add: zero");
                return Some(a);
            }
            if let Some((x, other)) = self.with_literal(Op::BvAdd, a) {
                rule!("add: literals meet");
                let sum = self.bits(other.add(&value));
                return Some(self.bv_add(x, sum));
            }
            if let Some((minuend, x)) = self.binary(Op::BvSub, a)
                && let Some(other) = self.value(minuend)
            {
                rule!("add: literal meets minuend");
                let sum = self.bits(other.add(&value));
                return Some(self.bv_sub(sum, x));
            }
            return None;
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Some(negated) = self.unary(Op::BvNeg, y) {
                rule!("add: a negation");
                return Some(self.bv_sub(x, negated));
            }
            if self.unary(Op::BvNot, y) == Some(x) {
                rule!("add: complement");
                return Some(self.bits(base::Bits::ones(self.width(x))));
            }
            if let Some((minuend, subtrahend)) = self.binary(Op::BvSub, y)
                && subtrahend == x
            {
                rule!("add: what was subtracted");
                return Some(minuend);
            }
            if let Some((inner, value)) = self.with_literal(Op::BvAdd, y) {
                rule!("add: literal moves out");
                let (sum, value) = (self.bv_add(x, inner), self.bits(value));
                return Some(self.bv_add(sum, value));
            }
        }
        None
    }

    pub(super) fn simplify_sub(&mut self, a: Term, b: Term) -> Option<Term> {
        if a == b {
            rule!("sub: same");
            return Some(self.bv(self.width(a), 0));
        }
        if let Some(value) = self.value(b) {
            rule!("sub: literal becomes a summand");
            let value = self.bits(value.neg());
            return Some(self.bv_add(a, value));
        }
        if let Some(value) = self.value(a) {
            if value.is_zero() {
                rule!("sub: from zero");
                return Some(self.bv_neg(b));
            }
            if value.is_ones() {
                rule!("sub: from minus one");
                return Some(self.bv_not(b));
            }
        }
        if let Some(negated) = self.unary(Op::BvNeg, b) {
            rule!("sub: a negation");
            return Some(self.bv_add(a, negated));
        }
        if let Some((x, y)) = self.binary(Op::BvAdd, a) {
            if x == b {
                rule!("sub: first summand");
                return Some(y);
            }
            if y == b {
                rule!("sub: second summand");
                return Some(x);
            }
            if self.is_value(y) {
                rule!("sub: literal of the minuend moves out");
                let difference = self.bv_sub(x, b);
                return Some(self.bv_add(difference, y));
            }
        }
        if let Some((x, value)) = self.with_literal(Op::BvAdd, b) {
            rule!("sub: literal of the subtrahend moves out");
            let (difference, value) = (self.bv_sub(a, x), self.bits(value.neg()));
            return Some(self.bv_add(difference, value));
        }
        None
    }

    pub(super) fn simplify_mul(&mut self, a: Term, b: Term) -> Option<Term> {
        if self.disordered(a, b) {
            rule!("mul: order");
            return Some(self.bv_mul(b, a));
        }
        let value = self.value(b)?;
        if value.is_zero() {
            rule!("mul: zero");
            return Some(b);
        }
        if value.is_one() {
            rule!("mul: one");
            return Some(a);
        }
        if value.is_ones() {
            rule!("mul: minus one");
            return Some(self.bv_neg(a));
        }
        let (x, other) = self.with_literal(Op::BvMul, a)?;
        rule!("mul: literals meet");
        let product = self.bits(other.mul(&value));
        Some(self.bv_mul(x, product))
    }

    pub(super) fn simplify_division(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        let quotient = matches!(op, Op::BvUdiv | Op::BvSdiv);
        let signed = op != Op::BvUdiv && op != Op::BvUrem;
        if !quotient && a == b {
            rule!("rem: same");
            return Some(self.bv(self.width(a), 0));
        }
        if !quotient && self.value(a).is_some_and(|value| value.is_zero()) {
            rule!("rem: of zero");
            return Some(a);
        }
        let value = self.value(b)?;
        if value.is_zero() {
            return match op {
                Op::BvUdiv => {
                    rule!("div: by zero");
                    Some(self.bits(base::Bits::ones(value.width())))
                }
                Op::BvSdiv => None,
                _ => {
                    rule!("rem: by zero");
                    Some(a)
                }
            };
        }
        if value.is_one() || signed && value.is_ones() {
            if !quotient {
                rule!("rem: by one");
                return Some(self.bv(value.width(), 0));
            }
            if value.is_one() {
                rule!("div: by one");
                return Some(a);
            }
            rule!("div: by minus one");
            return Some(self.bv_neg(a));
        }
        None
    }
}
