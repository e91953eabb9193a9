//! Comparisons. Only the strict `bvult` and `bvslt` remain: `a <= b` is `(not (< b a))`.
//!
//! With a literal the literal stands on the right: `c < x` is `(not (< x (c + 1)))`. Comparisons of
//! extended terms shrink to the width before extension.

use std::cmp::Ordering;

use base::Bits;

use super::rule;
use crate::op::Op;
use crate::store::{FALSE, TRUE, Term, Terms};

impl Terms {
    /// Greater, and the weak comparisons.
    pub(super) fn simplify_comparison(&mut self, op: Op, a: Term, b: Term) -> Term {
        // match: (bvule x y), (bvugt x y), (bvuge x y), likewise signed;
        // result: (not (bvult y x)), (bvult y x), (not (bvult x y))
        rule!("compare: spelt with less");
        let (less, swapped, negated) = match op {
            Op::BvUle => (Op::BvUlt, true, true),
            Op::BvUgt => (Op::BvUlt, true, false),
            Op::BvUge => (Op::BvUlt, false, true),
            Op::BvSle => (Op::BvSlt, true, true),
            Op::BvSgt => (Op::BvSlt, true, false),
            _ => (Op::BvSlt, false, true),
        };
        let (a, b) = if swapped { (b, a) } else { (a, b) };
        let less = self.make(less, &[a, b]);
        if negated { self.not(less) } else { less }
    }

    pub(super) fn simplify_less(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        if a == b {
            // match: (bvult x x), likewise bvslt; result: false
            rule!("less: same");
            return Some(FALSE);
        }
        let signed = op == Op::BvSlt;
        let width = self.width(a);
        if let Some(value) = self.value(a) {
            let greatest = if signed { Bits::max_signed(width) } else { Bits::ones(width) };
            if value == greatest {
                // match: (bvult greatest x), likewise bvslt; result: false
                rule!("less: the greatest is below nothing");
                return Some(FALSE);
            }
            // match: (bvult c x), likewise bvslt; result: (not (bvult x (bvadd c 1)))
            rule!("less: literal moves to the right");
            let next = self.bits(value.add(&Bits::one(width)));
            let below = self.make(op, &[b, next]);
            return Some(self.not(below));
        }
        if let Some(value) = self.value(b) {
            return self.simplify_below(signed, a, b, value);
        }
        match (self.op(a), self.op(b)) {
            (Op::ZeroExtend(_), Op::ZeroExtend(_)) => {
                // match: (bvult ((_ zero_extend m) x) ((_ zero_extend n) y)), likewise bvslt;
                // result: (bvult x y), the shorter one extended
                rule!("less: both zero_extend");
                let (a, b) = self.narrowed(a, b, Terms::zero_extend_to);
                Some(self.bv_ult(a, b))
            }
            (Op::SignExtend(_), Op::SignExtend(_)) => {
                // Extending by the sign keeps the signed and the unsigned order.
                // match: (bvult ((_ sign_extend m) x) ((_ sign_extend n) y)), likewise bvslt;
                // result: (bvult x y), the shorter one extended
                rule!("less: both sign_extend");
                let (a, b) = self.narrowed(a, b, Terms::sign_extend_to);
                Some(self.make(op, &[a, b]))
            }
            _ => None,
        }
    }

    /// The insides of two extensions, the shorter one extended to the width of the other.
    fn narrowed(&mut self, a: Term, b: Term, extend: fn(&mut Terms, Term, u32) -> Term) -> (Term, Term) {
        let (a, b) = (self.arg(a, 0), self.arg(b, 0));
        let width = self.width(a).max(self.width(b));
        (extend(self, a, width), extend(self, b, width))
    }

    /// `a < value`.
    /// Long: a list of rules, tried in this order.
    fn simplify_below(&mut self, signed: bool, a: Term, b: Term, value: Bits) -> Option<Term> {
        let width = value.width();
        let (least, greatest) = match signed {
            true => (Bits::min_signed(width), Bits::max_signed(width)),
            false => (Bits::zero(width), Bits::ones(width)),
        };
        if value == least {
            // match: (bvult x least), likewise bvslt; result: false
            rule!("less: nothing is below the least");
            return Some(FALSE);
        }
        if value == least.add(&Bits::one(width)) {
            // match: (bvult x (bvadd least 1)), likewise bvslt; result: (= x least)
            rule!("less: only the least is below the next");
            let least = self.bits(least);
            return Some(self.eq(a, least));
        }
        if value == greatest {
            // match: (bvult x greatest), likewise bvslt; result: (not (= x greatest))
            rule!("less: all but the greatest are below it");
            return Some(self.ne(a, b));
        }
        if let Some((condition, then, otherwise)) = self.literal_choice(a) {
            let order = |x: &Bits| if signed { x.slt(&value) } else { x.ult(&value) };
            return Some(match (order(&then), order(&otherwise)) {
                (true, false) => {
                    // match: (bvult (ite p c d) e), c below e, d not; result: p
                    rule!("less: choice, first arm");
                    condition
                }
                (false, true) => {
                    // match: (bvult (ite p c d) e), d below e, c not; result: (not p)
                    rule!("less: choice, second arm");
                    self.not(condition)
                }
                (both, _) => {
                    // match: (bvult (ite p c d) e), both below e or neither; result: true, false
                    rule!("less: choice, no matter");
                    self.truth(both)
                }
            });
        }
        match (self.op(a), self.args(a)) {
            (Op::ZeroExtend(_), &[x]) => {
                if signed && value.is_negative() {
                    // match: (bvslt ((_ zero_extend n) x) c), c negative; result: false
                    rule!("less: zero_extend is not negative");
                    return Some(FALSE);
                }
                let inner = value.resize_unsigned(self.width(x));
                if inner.resize_unsigned(width) != value {
                    // match: (bvult ((_ zero_extend n) x) c), c above all values of x; result: true
                    rule!("less: zero_extend stays below");
                    return Some(TRUE);
                }
                // match: (bvult ((_ zero_extend n) x) c), likewise bvslt; result: (bvult x the lower bits of c)
                rule!("less: zero_extend and literal");
                let inner = self.bits(inner);
                Some(self.bv_ult(x, inner))
            }
            (Op::SignExtend(_), &[x]) => {
                let inner = value.resize_unsigned(self.width(x));
                if inner.resize_signed(width) == value {
                    // match: (bvult ((_ sign_extend n) x) c), c extended from its lower bits, likewise bvslt;
                    // result: (bvult x the lower bits of c)
                    rule!("less: sign_extend and literal");
                    let inner = self.bits(inner);
                    return Some(if signed { self.bv_slt(x, inner) } else { self.bv_ult(x, inner) });
                }
                if signed {
                    // match: (bvslt ((_ sign_extend n) x) c), c above or below all values of x; result: true, false
                    rule!("less: sign_extend out of reach");
                    let above = value.cmp_signed(&Bits::zero(width)) == Ordering::Greater;
                    return Some(self.truth(above));
                }
                // In the gap between the extended values: those below are the ones without sign.
                // match: (bvult ((_ sign_extend n) x) c), c between the values of x; result: (not (bvslt x 0))
                rule!("less: sign_extend around the gap");
                let zero = self.bv(self.width(x), 0);
                let negative = self.bv_slt(x, zero);
                Some(self.not(negative))
            }
            _ => None,
        }
    }
}
