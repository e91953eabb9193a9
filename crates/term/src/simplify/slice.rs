//! Extraction, concatenation and extension: parts of parts are parts of the whole.

use super::rule;
use crate::op::Op;
use crate::store::{Term, Terms};
use crate::tuning::Tuning;

impl Terms {
    /// Long: one `match` over the operators below.
    pub(super) fn simplify_extract(&mut self, high: u32, low: u32, arg: Term) -> Option<Term> {
        let (mut high, mut low, mut term) = (high, low, arg);
        for _ in 0..Tuning::DEFAULT.max_extraction_levels {
            match (self.op(term), self.args(term)) {
                (Op::Extract { low: offset, .. }, &[x]) => {
                    // match: ((_ extract h l) ((_ extract i j) x)); result: ((_ extract h+j l+j) x)
                    rule!("extract: of extract");
                    (high, low, term) = (high + offset, low + offset, x);
                }
                (Op::Concat, &[upper, lower]) => {
                    let border = self.width(lower);
                    if low >= border {
                        // match: ((_ extract h l) (concat x y)), l at least the width w of y;
                        // result: ((_ extract h-w l-w) x)
                        rule!("extract: upper part");
                        (high, low, term) = (high - border, low - border, upper);
                    } else if high < border {
                        // match: ((_ extract h l) (concat x y)), h below the width of y; result: ((_ extract h l) y)
                        rule!("extract: lower part");
                        term = lower;
                    } else {
                        break;
                    }
                }
                (Op::ZeroExtend(_) | Op::SignExtend(_), &[x]) if high < self.width(x) => {
                    // match: ((_ extract h l) ((_ zero_extend n) x)), h below the width of x, likewise sign_extend;
                    // result: ((_ extract h l) x)
                    rule!("extract: inside an extension");
                    term = x;
                }
                _ => break,
            }
        }
        if low == 0 && high + 1 == self.width(term) {
            // match: ((_ extract w-1 0) x), w the width of x; result: x
            rule!("extract: everything");
            return Some(term);
        }
        let again = |terms: &mut Terms, x: Term| terms.extract(x, high, low);
        match (self.op(term), self.args(term)) {
            (Op::Value, _) => {
                // match: ((_ extract h l) c); result: the bits of c
                rule!("extract: of a literal");
                return Some(again(self, term));
            }
            (Op::ZeroExtend(_), &[x]) => {
                let border = self.width(x);
                if low >= border {
                    // match: ((_ extract h l) ((_ zero_extend n) x)), l at least the width of x; result: 0
                    rule!("extract: only zeros");
                    return Some(self.bv(high - low + 1, 0));
                }
                // match: ((_ extract h l) ((_ zero_extend n) x)), l below the width w of x;
                // result: ((_ zero_extend h-w+1) ((_ extract w-1 l) x))
                rule!("extract: zero_extend");
                let inner = self.extract(x, border - 1, low);
                return Some(self.zero_extend_to(inner, high - low + 1));
            }
            (Op::SignExtend(_), &[x]) => {
                // match: ((_ extract h l) ((_ sign_extend n) x)), w the width of x;
                // result: ((_ sign_extend m) ((_ extract w-1 min(l,w-1)) x))
                rule!("extract: sign_extend");
                let border = self.width(x);
                let inner = self.extract(x, border - 1, low.min(border - 1));
                return Some(self.sign_extend_to(inner, high - low + 1));
            }
            (Op::Ite, &[condition, a, b]) if self.is_value(a) && self.is_value(b) => {
                // match: ((_ extract h l) (ite p c d)); result: (ite p ((_ extract h l) c) ((_ extract h l) d))
                rule!("extract: choice of literals");
                let (a, b) = (again(self, a), again(self, b));
                return Some(self.ite(condition, a, b));
            }
            (op @ (Op::BvAnd | Op::BvOr | Op::BvXor), &[a, b]) if self.is_value(b) => {
                // match: ((_ extract h l) (bvand x c)), likewise bvor and bvxor;
                // result: (bvand ((_ extract h l) x) ((_ extract h l) c))
                rule!("extract: bitwise with a literal");
                let (a, b) = (again(self, a), again(self, b));
                return Some(self.make(op, &[a, b]));
            }
            (op @ (Op::BvAdd | Op::BvSub | Op::BvMul | Op::BvAnd | Op::BvOr | Op::BvXor), &[a, b]) if low == 0 => {
                // Low bits depend on low bits only: arithmetic on promoted operands, cut back.
                if let (Some(a), Some(b)) = (self.low_part(a, high + 1), self.low_part(b, high + 1)) {
                    // match: ((_ extract h 0) (bvadd x y)), x and y extended from h+1 bits or literals, likewise bvsub, bvmul, bitwise;
                    // result: (bvadd x' y')
                    rule!("extract: low part of arithmetic");
                    return Some(self.make(op, &[a, b]));
                }
            }
            (op @ (Op::BvNot | Op::BvNeg), &[a]) if low == 0 => {
                if let Some(a) = self.low_part(a, high + 1) {
                    // match: ((_ extract h 0) (bvnot x)), x extended from h+1 bits, likewise bvneg;
                    // result: (bvnot x')
                    rule!("extract: low part of a complement");
                    return Some(self.make(op, &[a]));
                }
            }
            _ => {}
        }
        (term != arg).then(|| again(self, term))
    }

    /// The low bits of a literal, or of an extension of exactly these bits.
    fn low_part(&mut self, term: Term, width: u32) -> Option<Term> {
        if let Some(value) = self.value(term) {
            return Some(self.bits(value.extract(width - 1, 0)));
        }
        match (self.op(term), self.args(term)) {
            (Op::ZeroExtend(_) | Op::SignExtend(_), &[x]) if self.width(x) == width => Some(x),
            _ => None,
        }
    }

    pub(super) fn simplify_concat(&mut self, upper: Term, lower: Term) -> Option<Term> {
        if let Some(value) = self.value(upper) {
            if value.is_zero() {
                // match: (concat 0 x); result: ((_ zero_extend n) x)
                rule!("concat: zeros in front");
                return Some(self.make(Op::ZeroExtend(value.width()), &[lower]));
            }
            if let Some((middle, rest)) = self.binary(Op::Concat, lower)
                && let Some(other) = self.value(middle)
            {
                // match: (concat c (concat d x)); result: (concat (concat c d) x)
                rule!("concat: literals meet in front");
                let front = self.bits(value.concat(&other));
                return Some(self.concat(front, rest));
            }
        }
        if let Some(value) = self.value(lower)
            && let Some((rest, other)) = self.with_literal(Op::Concat, upper)
        {
            // match: (concat (concat x c) d); result: (concat x (concat c d))
            rule!("concat: literals meet at the end");
            let end = self.bits(other.concat(&value));
            return Some(self.concat(rest, end));
        }
        if let (Op::Extract { high, low }, Op::Extract { high: next, low: end }) = (self.op(upper), self.op(lower))
            && low == next + 1
            && self.args(upper) == self.args(lower)
        {
            // match: (concat ((_ extract h m+1) x) ((_ extract m l) x)); result: ((_ extract h l) x)
            rule!("concat: neighbours");
            let whole = self.arg(upper, 0);
            return Some(self.extract(whole, high, end));
        }
        if let (Op::ZeroExtend(by), &[x]) = (self.op(upper), self.args(upper)) {
            // match: (concat ((_ zero_extend n) x) y); result: ((_ zero_extend n) (concat x y))
            rule!("concat: zero_extend moves out");
            let inner = self.concat(x, lower);
            return Some(self.make(Op::ZeroExtend(by), &[inner]));
        }
        None
    }

    pub(super) fn simplify_zero_extend(&mut self, by: u32, a: Term) -> Option<Term> {
        if by == 0 {
            // match: ((_ zero_extend 0) x); result: x
            rule!("zero_extend: by nothing");
            return Some(a);
        }
        if let (Op::ZeroExtend(inner), &[x]) = (self.op(a), self.args(a)) {
            // match: ((_ zero_extend m) ((_ zero_extend n) x)); result: ((_ zero_extend m+n) x)
            rule!("zero_extend: twice");
            return Some(self.make(Op::ZeroExtend(inner + by), &[x]));
        }
        self.extended_choice(Op::ZeroExtend(by), a)
    }
    pub(super) fn simplify_sign_extend(&mut self, by: u32, a: Term) -> Option<Term> {
        if by == 0 {
            // match: ((_ sign_extend 0) x); result: x
            rule!("sign_extend: by nothing");
            return Some(a);
        }
        match (self.op(a), self.args(a)) {
            (Op::SignExtend(inner), &[x]) => {
                // match: ((_ sign_extend m) ((_ sign_extend n) x)); result: ((_ sign_extend m+n) x)
                rule!("sign_extend: twice");
                return Some(self.make(Op::SignExtend(inner + by), &[x]));
            }
            (Op::ZeroExtend(inner), &[x]) if inner > 0 => {
                // match: ((_ sign_extend m) ((_ zero_extend n) x)), n not zero; result: ((_ zero_extend m+n) x)
                rule!("sign_extend: of zero_extend");
                return Some(self.make(Op::ZeroExtend(inner + by), &[x]));
            }
            _ => {}
        }
        self.extended_choice(Op::SignExtend(by), a)
    }
    fn extended_choice(&mut self, op: Op, a: Term) -> Option<Term> {
        match (self.op(a), self.args(a)) {
            (Op::Ite, &[condition, then, otherwise]) if self.is_value(then) && self.is_value(otherwise) => {
                // match: ((_ zero_extend n) (ite p c d)), likewise sign_extend;
                // result: (ite p ((_ zero_extend n) c) ((_ zero_extend n) d))
                rule!("extend: choice of literals");
                let (then, otherwise) = (self.make(op, &[then]), self.make(op, &[otherwise]));
                Some(self.ite(condition, then, otherwise))
            }
            _ => None,
        }
    }
}
