//! Sums, differences, products and quotients. Literals move outwards in sums, so that they meet.

use super::rule;
use crate::op::Op;
use crate::store::{Term, Terms};

impl Terms {
    pub(super) fn simplify_neg(&mut self, a: Term) -> Option<Term> {
        if let Some(inner) = self.unary(Op::BvNeg, a) {
            // match: (bvneg (bvneg x)); result: x
            rule!("neg: double");
            return Some(inner);
        }
        if let Some(inner) = self.unary(Op::BvNot, a) {
            // match: (bvneg (bvnot x)); result: (bvadd x 1)
            rule!("neg: of bvnot");
            let one = self.bv(self.width(a), 1);
            return Some(self.bv_add(inner, one));
        }
        if let Some((x, y)) = self.binary(Op::BvSub, a) {
            // match: (bvneg (bvsub x y)); result: (bvsub y x)
            rule!("neg: of bvsub");
            return Some(self.bv_sub(y, x));
        }
        if let Some((x, value)) = self.with_literal(Op::BvAdd, a) {
            // match: (bvneg (bvadd x c)); result: (bvsub (bvneg c) x)
            rule!("neg: of bvadd");
            let value = self.bits(value.neg());
            return Some(self.bv_sub(value, x));
        }
        None
    }

    pub(super) fn simplify_add(&mut self, a: Term, b: Term) -> Option<Term> {
        if self.disordered(a, b) {
            // match: (bvadd y x); result: (bvadd x y), literals last
            rule!("add: order");
            return Some(self.bv_add(b, a));
        }
        if let Some(value) = self.value(b) {
            if value.is_zero() {
                // match: (bvadd x 0); result: x
                rule!("add: zero");
                return Some(a);
            }
            if let Some((x, other)) = self.with_literal(Op::BvAdd, a) {
                // match: (bvadd (bvadd x c) d); result: (bvadd x (bvadd c d))
                rule!("add: literals meet");
                let sum = self.bits(other.add(&value));
                return Some(self.bv_add(x, sum));
            }
            if let Some((minuend, x)) = self.binary(Op::BvSub, a)
                && let Some(other) = self.value(minuend)
            {
                // match: (bvadd (bvsub c x) d); result: (bvsub (bvadd c d) x)
                rule!("add: literal meets minuend");
                let sum = self.bits(other.add(&value));
                return Some(self.bv_sub(sum, x));
            }
            return None;
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Some(negated) = self.unary(Op::BvNeg, y) {
                // match: (bvadd x (bvneg y)); result: (bvsub x y)
                rule!("add: a negation");
                return Some(self.bv_sub(x, negated));
            }
            if self.unary(Op::BvNot, y) == Some(x) {
                // match: (bvadd x (bvnot x)); result: all ones
                rule!("add: complement");
                return Some(self.bits(base::Bits::ones(self.width(x))));
            }
            if let Some((minuend, subtrahend)) = self.binary(Op::BvSub, y)
                && subtrahend == x
            {
                // match: (bvadd x (bvsub y x)); result: y
                rule!("add: what was subtracted");
                return Some(minuend);
            }
            if let Some((inner, value)) = self.with_literal(Op::BvAdd, y) {
                // match: (bvadd x (bvadd y c)); result: (bvadd (bvadd x y) c)
                rule!("add: literal moves out");
                let (sum, value) = (self.bv_add(x, inner), self.bits(value));
                return Some(self.bv_add(sum, value));
            }
        }
        None
    }

    pub(super) fn simplify_sub(&mut self, a: Term, b: Term) -> Option<Term> {
        if a == b {
            // match: (bvsub x x); result: 0
            rule!("sub: same");
            return Some(self.bv(self.width(a), 0));
        }
        if let Some(value) = self.value(b) {
            // match: (bvsub x c); result: (bvadd x (bvneg c))
            rule!("sub: literal becomes a summand");
            let value = self.bits(value.neg());
            return Some(self.bv_add(a, value));
        }
        if let Some(value) = self.value(a) {
            if value.is_zero() {
                // match: (bvsub 0 x); result: (bvneg x)
                rule!("sub: from zero");
                return Some(self.bv_neg(b));
            }
            if value.is_ones() {
                // match: (bvsub all ones x); result: (bvnot x)
                rule!("sub: from minus one");
                return Some(self.bv_not(b));
            }
        }
        if let Some(negated) = self.unary(Op::BvNeg, b) {
            // match: (bvsub x (bvneg y)); result: (bvadd x y)
            rule!("sub: a negation");
            return Some(self.bv_add(a, negated));
        }
        if let Some((x, y)) = self.binary(Op::BvAdd, a) {
            if x == b {
                // match: (bvsub (bvadd x y) x); result: y
                rule!("sub: first summand");
                return Some(y);
            }
            if y == b {
                // match: (bvsub (bvadd x y) y); result: x
                rule!("sub: second summand");
                return Some(x);
            }
            for (inner, outer) in [(x, y), (y, x)] {
                let Some((left, right)) = self.binary(Op::BvAdd, inner) else { continue };
                if let Some(rest) = [(left, right), (right, left)].into_iter().find(|pair| pair.0 == b) {
                    // match: (bvsub (bvadd x (bvadd y z)) z); result: (bvadd x y)
                    rule!("sub: summand of a summand");
                    return Some(self.bv_add(outer, rest.1));
                }
            }
            if self.is_value(y) {
                // match: (bvsub (bvadd x c) y); result: (bvadd (bvsub x y) c)
                rule!("sub: literal of the minuend moves out");
                let difference = self.bv_sub(x, b);
                return Some(self.bv_add(difference, y));
            }
        }
        if let Some((x, value)) = self.with_literal(Op::BvAdd, b) {
            // match: (bvsub x (bvadd y c)); result: (bvadd (bvsub x y) (bvneg c))
            rule!("sub: literal of the subtrahend moves out");
            let (difference, value) = (self.bv_sub(a, x), self.bits(value.neg()));
            return Some(self.bv_add(difference, value));
        }
        None
    }

    pub(super) fn simplify_mul(&mut self, a: Term, b: Term) -> Option<Term> {
        if self.disordered(a, b) {
            // match: (bvmul y x); result: (bvmul x y), literals last
            rule!("mul: order");
            return Some(self.bv_mul(b, a));
        }
        let value = self.value(b)?;
        if value.is_zero() {
            // match: (bvmul x 0); result: 0
            rule!("mul: zero");
            return Some(b);
        }
        if value.is_one() {
            // match: (bvmul x 1); result: x
            rule!("mul: one");
            return Some(a);
        }
        if value.is_ones() {
            // match: (bvmul x all ones); result: (bvneg x)
            rule!("mul: minus one");
            return Some(self.bv_neg(a));
        }
        let (x, other) = self.with_literal(Op::BvMul, a)?;
        // match: (bvmul (bvmul x c) d); result: (bvmul x (bvmul c d))
        rule!("mul: literals meet");
        let product = self.bits(other.mul(&value));
        Some(self.bv_mul(x, product))
    }

    pub(super) fn simplify_division(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        let quotient = matches!(op, Op::BvUdiv | Op::BvSdiv);
        let signed = op != Op::BvUdiv && op != Op::BvUrem;
        if !quotient && a == b {
            // match: (bvurem x x), likewise bvsrem; result: 0
            rule!("rem: same");
            return Some(self.bv(self.width(a), 0));
        }
        if !quotient && self.value(a).is_some_and(|value| value.is_zero()) {
            // match: (bvurem 0 x), likewise bvsrem; result: 0
            rule!("rem: of zero");
            return Some(a);
        }
        let value = self.value(b)?;
        if value.is_zero() {
            return match op {
                Op::BvUdiv => {
                    // match: (bvudiv x 0); result: all ones
                    rule!("div: by zero");
                    Some(self.bits(base::Bits::ones(value.width())))
                }
                Op::BvSdiv => None,
                _ => {
                    // match: (bvurem x 0), likewise bvsrem; result: x
                    rule!("rem: by zero");
                    Some(a)
                }
            };
        }
        if value.is_one() || signed && value.is_ones() {
            if !quotient {
                // match: (bvurem x 1), (bvsrem x 1), (bvsrem x all ones); result: 0
                rule!("rem: by one");
                return Some(self.bv(value.width(), 0));
            }
            if value.is_one() {
                // match: (bvudiv x 1), (bvsdiv x 1); result: x
                rule!("div: by one");
                return Some(a);
            }
            // match: (bvsdiv x all ones); result: (bvneg x)
            rule!("div: by minus one");
            return Some(self.bv_neg(a));
        }
        None
    }
}
