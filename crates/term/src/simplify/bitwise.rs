//! Bitwise operators. Complements move outwards from exclusive or and literals meet.

use base::Bits;

use super::rule;
use crate::op::Op;
use crate::store::{Term, Terms};

impl Terms {
    pub(super) fn simplify_bv_not(&mut self, a: Term) -> Option<Term> {
        if let Some(inner) = self.unary(Op::BvNot, a) {
            // match: (bvnot (bvnot x)); result: x
            rule!("bvnot: double");
            return Some(inner);
        }
        if let Some(inner) = self.unary(Op::BvNeg, a) {
            // match: (bvnot (bvneg x)); result: (bvadd x all ones)
            rule!("bvnot: of bvneg");
            let minus_one = self.bits(Bits::ones(self.width(a)));
            return Some(self.bv_add(inner, minus_one));
        }
        let (x, value) = self.with_literal(Op::BvXor, a)?;
        // match: (bvnot (bvxor x c)); result: (bvxor x (bvnot c))
        rule!("bvnot: of bvxor with a literal");
        let value = self.bits(value.not());
        Some(self.bv_xor(x, value))
    }

    /// What `and` and `or` share; `unit` is neutral for the one and absorbs in the other.
    fn simplify_bv_junction(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        let is_and = op == Op::BvAnd;
        let dual = if is_and { Op::BvOr } else { Op::BvAnd };
        if a == b {
            // match: (bvand x x), likewise bvor; result: x
            rule!("bvand/bvor: same");
            return Some(a);
        }
        if self.disordered(a, b) {
            // match: (bvand y x), likewise bvor; result: (bvand x y), literals last
            rule!("bvand/bvor: order");
            return Some(self.make(op, &[b, a]));
        }
        if let Some(value) = self.value(b) {
            if value.is_zero() {
                // match: (bvand x 0), (bvor x 0); result: 0, x
                rule!("bvand/bvor: zero");
                return Some(if is_and { b } else { a });
            }
            if value.is_ones() {
                // match: (bvand x all ones), (bvor x all ones); result: x, all ones
                rule!("bvand/bvor: ones");
                return Some(if is_and { a } else { b });
            }
            let (x, other) = self.with_literal(op, a)?;
            // match: (bvand (bvand x c) d), likewise bvor; result: (bvand x (bvand c d))
            rule!("bvand/bvor: literals meet");
            let met = self.bits(if is_and { other.and(&value) } else { other.or(&value) });
            return Some(self.make(op, &[x, met]));
        }
        for (x, y) in [(a, b), (b, a)] {
            if self.unary(Op::BvNot, y) == Some(x) {
                // match: (bvand x (bvnot x)), (bvor x (bvnot x)); result: 0, all ones
                rule!("bvand/bvor: complement");
                let width = self.width(x);
                return Some(self.bits(if is_and { Bits::zero(width) } else { Bits::ones(width) }));
            }
            if self.binary(dual, y).is_some_and(|(p, q)| p == x || q == x) {
                // match: (bvand x (bvor x y)), (bvor x (bvand x y)); result: x
                rule!("bvand/bvor: absorbed by the dual");
                return Some(x);
            }
            if self.binary(op, y).is_some_and(|(p, q)| p == x || q == x) {
                // match: (bvand x (bvand x y)), likewise bvor; result: (bvand x y)
                rule!("bvand/bvor: contained");
                return Some(y);
            }
        }
        None
    }
    pub(super) fn simplify_bv_and(&mut self, a: Term, b: Term) -> Option<Term> {
        self.simplify_bv_junction(Op::BvAnd, a, b)
    }
    pub(super) fn simplify_bv_or(&mut self, a: Term, b: Term) -> Option<Term> {
        self.simplify_bv_junction(Op::BvOr, a, b)
    }

    pub(super) fn simplify_bv_xor(&mut self, a: Term, b: Term) -> Option<Term> {
        if a == b {
            // match: (bvxor x x); result: 0
            rule!("bvxor: same");
            return Some(self.bv(self.width(a), 0));
        }
        if self.disordered(a, b) {
            // match: (bvxor y x); result: (bvxor x y), literals last
            rule!("bvxor: order");
            return Some(self.bv_xor(b, a));
        }
        if let Some(value) = self.value(b) {
            if value.is_zero() {
                // match: (bvxor x 0); result: x
                rule!("bvxor: zero");
                return Some(a);
            }
            if value.is_ones() {
                // match: (bvxor x all ones); result: (bvnot x)
                rule!("bvxor: ones");
                return Some(self.bv_not(a));
            }
            if let Some(inner) = self.unary(Op::BvNot, a) {
                // match: (bvxor (bvnot x) c); result: (bvxor x (bvnot c))
                rule!("bvxor: complement with a literal");
                let value = self.bits(value.not());
                return Some(self.bv_xor(inner, value));
            }
            let (x, other) = self.with_literal(Op::BvXor, a)?;
            // match: (bvxor (bvxor x c) d); result: (bvxor x (bvxor c d))
            rule!("bvxor: literals meet");
            let met = self.bits(other.xor(&value));
            return Some(self.bv_xor(x, met));
        }
        match (self.unary(Op::BvNot, a), self.unary(Op::BvNot, b)) {
            (Some(x), Some(y)) => {
                // match: (bvxor (bvnot x) (bvnot y)); result: (bvxor x y)
                rule!("bvxor: two complements");
                Some(self.bv_xor(x, y))
            }
            (Some(x), None) => {
                // match: (bvxor (bvnot x) y); result: (bvnot (bvxor x y))
                rule!("bvxor: complement left");
                let inner = self.bv_xor(x, b);
                Some(self.bv_not(inner))
            }
            (None, Some(y)) => {
                // match: (bvxor x (bvnot y)); result: (bvnot (bvxor x y))
                rule!("bvxor: complement right");
                let inner = self.bv_xor(a, y);
                Some(self.bv_not(inner))
            }
            (None, None) => None,
        }
    }
}
