//! Local simplification: rules that look at an operator and at most two levels of its arguments
//! while the term is being built.
//!
//! Each rule keeps the value of the term under every assignment with SMT-LIB's total meaning; the
//! tests compare with the evaluator on all assignments at small widths. Each family has a file. A
//! rule either returns an argument, builds something strictly smaller, or moves towards the normal
//! form below, so the rules end; a chain of rules longer than a fixed depth is cut off, which costs
//! simplicity but never truth.
//!
//! The normal form: literals stand last in commutative operators, other arguments in the order of
//! their handles; of the comparisons only `bvult` and `bvslt` remain, so that `x <= y` and `x > y`
//! are a term and its negation; `=>` and `xor` are spelt with simpler operators.
//!
//! Above each rule stands what it matches and what it gives: `x`, `y` are terms, `p`, `q` truth values, `c`, `d` literals, and an
//! operator on literals in the result is computed.
//!
//! No rule touches Int, Real or floating-point operators, nor looks into uninterpreted ones.

mod arithmetic;
mod array;
mod bitwise;
mod bool;
mod compare;
mod eq;
mod ite;
mod overflow;
mod shift;
mod slice;

#[cfg(test)]
mod coverage;
#[cfg(test)]
mod tests;

use base::Bits;
use smallvec::SmallVec;

use crate::op::Op;
use crate::semantics::{self, Scalar};
use crate::sort::Sort;
use crate::store::{FALSE, TRUE, Term, Terms};

/// Says that the rule of this name has fired; the tests see to it that each one does, and that each has its comment.
macro_rules! rule {
    ($name:literal) => {
        #[cfg(test)]
        crate::simplify::coverage::fired($name);
    };
}
pub(crate) use rule;

impl Terms {
    /// A simpler term that means the same, or nothing if the term is as simple as it gets.
    pub(crate) fn simplify(&mut self, op: Op, args: &[Term], sort: Sort) -> Option<Term> {
        if let Some(folded) = self.fold(op, args) {
            return Some(folded);
        }
        match (op, args) {
            (Op::Not, &[a]) => self.simplify_not(a),
            (Op::And | Op::Or, _) => self.simplify_junction(op, args, sort),
            (Op::Xor, &[a, b]) => Some(self.simplify_xor(a, b)),
            (Op::Implies, &[a, b]) => Some(self.simplify_implies(a, b)),
            (Op::Eq, &[a, b]) => self.simplify_eq(a, b),
            (Op::Distinct, _) => self.simplify_distinct(args, sort),
            (Op::Ite, &[c, a, b]) => self.simplify_ite(c, a, b),
            (Op::BvNeg, &[a]) => self.simplify_neg(a),
            (Op::BvAdd, &[a, b]) => self.simplify_add(a, b),
            (Op::BvSub, &[a, b]) => self.simplify_sub(a, b),
            (Op::BvMul, &[a, b]) => self.simplify_mul(a, b),
            (Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem, &[a, b]) => self.simplify_division(op, a, b),
            (Op::BvNot, &[a]) => self.simplify_bv_not(a),
            (Op::BvAnd, &[a, b]) => self.simplify_bv_and(a, b),
            (Op::BvOr, &[a, b]) => self.simplify_bv_or(a, b),
            (Op::BvXor, &[a, b]) => self.simplify_bv_xor(a, b),
            (Op::BvShl | Op::BvLshr | Op::BvAshr, &[a, b]) => self.simplify_shift(op, a, b),
            (Op::BvUlt | Op::BvSlt, &[a, b]) => self.simplify_less(op, a, b),
            (Op::BvUle | Op::BvUgt | Op::BvUge | Op::BvSle | Op::BvSgt | Op::BvSge, &[a, b]) => {
                Some(self.simplify_comparison(op, a, b))
            }
            (Op::BvUaddo | Op::BvSaddo | Op::BvUmulo | Op::BvSmulo | Op::BvSsubo, &[a, b]) => {
                self.simplify_overflow(op, a, b)
            }
            (Op::Concat, &[a, b]) => self.simplify_concat(a, b),
            (Op::Extract { high, low }, &[a]) => self.simplify_extract(high, low, a),
            (Op::ZeroExtend(by), &[a]) => self.simplify_zero_extend(by, a),
            (Op::SignExtend(by), &[a]) => self.simplify_sign_extend(by, a),
            (Op::Select, &[array, index]) => self.simplify_select(array, index),
            (Op::Store, &[array, index, element]) => self.simplify_store(array, index, element),
            _ => None,
        }
    }

    /// The value of a bit-vector operator on literals.
    pub(crate) fn fold(&mut self, op: Op, args: &[Term]) -> Option<Term> {
        if args.is_empty() || args.len() > 2 || !args.iter().all(|&arg| self.is_value(arg)) {
            return None;
        }
        let values: SmallVec<[Bits; 2]> = args.iter().filter_map(|&arg| self.value(arg)).collect();
        let folded = semantics::apply(op, &values)?;
        // match: (op c ...); result: the value of op on the literals
        rule!("constant folding");
        Some(match folded {
            Scalar::Bool(value) => self.truth(value),
            Scalar::Bits(bits) => self.bits(bits),
        })
    }

    // ---- looking at arguments
    /// What is negated here, if the term is a negation.
    pub(crate) fn negated(&self, term: Term) -> Option<Term> {
        self.unary(Op::Not, term)
    }
    /// The argument, if the term has this operator.
    fn unary(&self, op: Op, term: Term) -> Option<Term> {
        match (self.op(term) == op, self.args(term)) {
            (true, &[arg]) => Some(arg),
            _ => None,
        }
    }
    /// Both arguments, if the term has this operator.
    fn binary(&self, op: Op, term: Term) -> Option<(Term, Term)> {
        match (self.op(term) == op, self.args(term)) {
            (true, &[a, b]) => Some((a, b)),
            _ => None,
        }
    }
    /// The first argument and the literal, if the term has this operator and a literal last.
    fn with_literal(&self, op: Op, term: Term) -> Option<(Term, Bits)> {
        let (a, b) = self.binary(op, term)?;
        self.value(b).map(|value| (a, value))
    }
    /// Condition and arms, if the term is an if-then-else between two literals.
    fn literal_choice(&self, term: Term) -> Option<(Term, Bits, Bits)> {
        match (self.op(term), self.args(term)) {
            (Op::Ite, &[c, a, b]) => Some((c, self.value(a)?, self.value(b)?)),
            _ => None,
        }
    }
    /// Whether both are literals and differ: of bit-vectors, truth values, or numerals in normal form.
    fn distinct_literals(&self, a: Term, b: Term) -> bool {
        let literal = |term| matches!(self.op(term), Op::Value | Op::True | Op::False | Op::Numeral);
        a != b && literal(a) && literal(b)
    }
    /// Whether the two stand in the wrong order for a commutative operator: literals go last.
    fn disordered(&self, a: Term, b: Term) -> bool {
        let key = |term| (self.is_value(term) || term == TRUE || term == FALSE || self.op(term) == Op::Numeral, term);
        key(b) < key(a)
    }
}
