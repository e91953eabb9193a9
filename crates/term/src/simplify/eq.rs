//! Equality and pairwise difference.
//!
//! An equation between a term and a literal is solved for the innermost term as long as each step
//! is a bijection: `x + 3 = 5` becomes `x = 2`.

use base::Bits;

use super::rule;
use crate::op::Op;
use crate::sort::{Sort, SortKind};
use crate::store::{FALSE, TRUE, Term, Terms};
use crate::tuning::Tuning;

impl Terms {
    pub(super) fn simplify_eq(&mut self, a: Term, b: Term) -> Option<Term> {
        if a == b {
            // match: (= x x); result: true
            rule!("eq: same term");
            return Some(TRUE);
        }
        if self.distinct_literals(a, b) {
            // match: (= c d), c and d different literals; result: false
            rule!("eq: distinct literals");
            return Some(FALSE);
        }
        let is_null = |term: Term| self.value(term).is_some_and(|bits| bits.is_zero());
        if self.are_apart(a, b) || self.is_apart(a) && is_null(b) || self.is_apart(b) && is_null(a) {
            // match: (= p q), p and q apart; (= p 0), p apart; result: false
            rule!("eq: apart");
            return Some(FALSE);
        }
        if self.disordered(a, b) {
            // match: (= y x); result: (= x y), literals last
            rule!("eq: order");
            return Some(self.eq(b, a));
        }
        match self.sort_kind(self.sort_of(a)) {
            SortKind::Bool => self.simplify_equivalence(a, b),
            SortKind::BitVec(_) => match self.value(b) {
                Some(value) => self.simplify_equation(a, value),
                None => self.simplify_vector_eq(a, b),
            },
            _ => None,
        }
    }

    fn simplify_equivalence(&mut self, a: Term, b: Term) -> Option<Term> {
        if b == TRUE {
            // match: (= p true); result: p
            rule!("eq: with true");
            return Some(a);
        }
        if b == FALSE {
            // match: (= p false); result: (not p)
            rule!("eq: with false");
            return Some(self.not(a));
        }
        match (self.negated(a), self.negated(b)) {
            (Some(x), Some(y)) => {
                // match: (= (not p) (not q)); result: (= p q)
                rule!("eq: two negations");
                Some(self.eq(x, y))
            }
            (Some(x), None) => {
                // match: (= (not p) q); result: (not (= p q))
                rule!("eq: negation left");
                let equal = self.eq(x, b);
                Some(self.not(equal))
            }
            (None, Some(y)) => {
                // match: (= p (not q)); result: (not (= p q))
                rule!("eq: negation right");
                let equal = self.eq(a, y);
                Some(self.not(equal))
            }
            (None, None) => None,
        }
    }

    /// Solves `left = value`.
    fn simplify_equation(&mut self, left: Term, mut value: Bits) -> Option<Term> {
        let mut term = left;
        for _ in 0..Tuning::DEFAULT.max_undone_bijections {
            match self.peel(term, &value) {
                Peeled::Into(inner, inner_value) => (term, value) = (inner, inner_value),
                Peeled::Never => return Some(FALSE),
                Peeled::Stuck => break,
            }
        }
        if let Some((condition, then, otherwise)) = self.literal_choice(term) {
            // The arms differ, or the choice would be no choice.
            if then == value {
                // match: (= (ite p c d) c); result: p
                rule!("eq: choice takes the first arm");
                return Some(condition);
            }
            if otherwise == value {
                // match: (= (ite p c d) d); result: (not p)
                rule!("eq: choice takes the second arm");
                return Some(self.not(condition));
            }
            // match: (= (ite p c d) e), e neither c nor d; result: false
            rule!("eq: choice takes neither arm");
            return Some(FALSE);
        }
        if term == left {
            return None;
        }
        let value = self.bits(value);
        Some(self.eq(term, value))
    }

    /// Undoes one bijection on the left of `term = value`.
    fn peel(&mut self, term: Term, value: &Bits) -> Peeled {
        match (self.op(term), self.args(term)) {
            (Op::BvNot, &[x]) => {
                // match: (= (bvnot x) c); result: (= x (bvnot c))
                rule!("eq: solve bvnot");
                Peeled::Into(x, value.not())
            }
            (Op::BvNeg, &[x]) => {
                // match: (= (bvneg x) c); result: (= x (bvneg c))
                rule!("eq: solve bvneg");
                Peeled::Into(x, value.neg())
            }
            (Op::BvAdd, &[x, y]) => match self.value(y) {
                Some(y) => {
                    // match: (= (bvadd x d) c); result: (= x (bvsub c d))
                    rule!("eq: solve bvadd");
                    Peeled::Into(x, value.sub(&y))
                }
                None => Peeled::Stuck,
            },
            (Op::BvXor, &[x, y]) => match self.value(y) {
                Some(y) => {
                    // match: (= (bvxor x d) c); result: (= x (bvxor c d))
                    rule!("eq: solve bvxor");
                    Peeled::Into(x, value.xor(&y))
                }
                None => Peeled::Stuck,
            },
            (Op::BvSub, &[x, y]) => match self.value(x) {
                Some(x) => {
                    // match: (= (bvsub d x) c); result: (= x (bvsub d c))
                    rule!("eq: solve bvsub");
                    Peeled::Into(y, x.sub(value))
                }
                None => Peeled::Stuck,
            },
            (Op::ZeroExtend(_), &[x]) => {
                let inner = value.resize_unsigned(self.width(x));
                if inner.resize_unsigned(value.width()) == *value {
                    // match: (= ((_ zero_extend n) x) c), the upper n bits of c zero;
                    // result: (= x the lower bits of c)
                    rule!("eq: solve zero_extend");
                    return Peeled::Into(x, inner);
                }
                // match: (= ((_ zero_extend n) x) c), one of the upper n bits of c set; result: false
                rule!("eq: zero_extend never reaches it");
                Peeled::Never
            }
            (Op::SignExtend(_), &[x]) => {
                let inner = value.resize_unsigned(self.width(x));
                if inner.resize_signed(value.width()) == *value {
                    // match: (= ((_ sign_extend n) x) c), c extended from its lower bits;
                    // result: (= x the lower bits of c)
                    rule!("eq: solve sign_extend");
                    return Peeled::Into(x, inner);
                }
                // match: (= ((_ sign_extend n) x) c), c not extended from its lower bits; result: false
                rule!("eq: sign_extend never reaches it");
                Peeled::Never
            }
            _ => Peeled::Stuck,
        }
    }

    fn simplify_vector_eq(&mut self, a: Term, b: Term) -> Option<Term> {
        match (self.op(a), self.op(b)) {
            (Op::ZeroExtend(x), Op::ZeroExtend(y)) | (Op::SignExtend(x), Op::SignExtend(y)) if x == y => {
                // match: (= ((_ zero_extend n) x) ((_ zero_extend n) y)), likewise sign_extend; result: (= x y)
                rule!("eq: extended alike");
                let (a, b) = (self.arg(a, 0), self.arg(b, 0));
                return Some(self.eq(a, b));
            }
            (Op::BvNot, Op::BvNot) | (Op::BvNeg, Op::BvNeg) => {
                // match: (= (bvnot x) (bvnot y)), likewise bvneg; result: (= x y)
                rule!("eq: complemented alike");
                let (a, b) = (self.arg(a, 0), self.arg(b, 0));
                return Some(self.eq(a, b));
            }
            (Op::Ite, Op::Ite) => {
                let (&[c, t, e], &[d, u, f]) = (self.args(a), self.args(b)) else { return None };
                if t == u && e == f && self.distinct_literals(t, e) {
                    // match: (= (ite p c d) (ite q c d)); result: (= p q)
                    rule!("eq: choices alike");
                    return Some(self.eq(c, d));
                }
                if t == f && e == u && self.distinct_literals(t, e) {
                    // match: (= (ite p c d) (ite q d c)); result: (not (= p q))
                    rule!("eq: choices opposed");
                    return Some(self.ne(c, d));
                }
            }
            // The other way round does not occur: an argument is older than the term around it.
            (_, Op::BvNot) if self.arg(b, 0) == a => {
                // match: (= x (bvnot x)); result: false
                rule!("eq: complement");
                return Some(FALSE);
            }
            _ => {}
        }
        // A sum with a literal (never zero) is not its own summand; two such sums differ by literals.
        match (self.with_literal(Op::BvAdd, a), self.with_literal(Op::BvAdd, b)) {
            (_, Some((y, _))) if y == a => {
                // match: (= x (bvadd x c)), c not zero; result: false
                rule!("eq: moved");
                Some(FALSE)
            }
            (Some((x, m)), Some((y, n))) if x == y || m == n => {
                // match: (= (bvadd x c) (bvadd x d)); (= (bvadd x c) (bvadd y c)); result: false; (= x y)
                rule!("eq: moved both");
                if x == y { Some(FALSE) } else { Some(self.eq(x, y)) }
            }
            _ => None,
        }
    }

    pub(super) fn simplify_distinct(&mut self, args: &[Term], sort: Sort) -> Option<Term> {
        if args.len() < 2 {
            // match: (distinct x); result: true
            rule!("distinct: fewer than two");
            return Some(TRUE);
        }
        if let &[a, b] = args {
            // match: (distinct x y); result: (not (= x y))
            rule!("distinct: two");
            return Some(self.ne(a, b));
        }
        let places = match *self.sort_kind(self.sort_of(args[0])) {
            SortKind::Bool => 2,
            SortKind::BitVec(width) => 1u64.checked_shl(width).unwrap_or(u64::MAX),
            _ => u64::MAX,
        };
        if args.len() as u64 > places {
            // match: (distinct x1 ... xn), n above the number of values; result: false
            rule!("distinct: more pigeons than holes");
            return Some(FALSE);
        }
        let mut sorted = args.to_vec();
        sorted.sort_unstable();
        if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
            // match: (distinct x y x); result: false
            rule!("distinct: repeated");
            return Some(FALSE);
        }
        // Terms are distinct and every two literals of a sort differ.
        if sorted.windows(2).all(|pair| self.distinct_literals(pair[0], pair[1])) {
            // match: (distinct c d e), all different literals; result: true
            rule!("distinct: literals");
            return Some(TRUE);
        }
        if sorted == args {
            return None;
        }
        // match: (distinct y x z); result: (distinct x y z), in the order of handles
        rule!("distinct: order");
        Some(self.intern(Op::Distinct, &sorted, sort))
    }
}

/// What undoing one bijection gave.
enum Peeled {
    Into(Term, Bits),
    Never,
    Stuck,
}
