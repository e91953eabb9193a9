//! Arrays: reads over writes, writes over writes.

use super::rule;
use crate::op::Op;
use crate::store::{Term, Terms};
use crate::tuning::Tuning;

impl Terms {
    /// `select(store(a, i, v), j)` is `v` where `i` is `j`, and `select(a, j)` where they are different literals.
    pub(super) fn simplify_select(&mut self, array: Term, index: Term) -> Option<Term> {
        let mut below = array;
        for _ in 0..Tuning::DEFAULT.max_skipped_stores {
            match (self.op(below), self.args(below)) {
                (Op::Store, &[_, i, element]) if i == index => {
                    // match: (select (store a i x) i); result: x
                    rule!("select: what was stored there");
                    return Some(element);
                }
                (Op::Store, &[under, i, _]) if self.distinct_literals(i, index) => {
                    // match: (select (store a c x) d), c and d different literals; result: (select a d)
                    rule!("select: stored elsewhere");
                    below = under;
                }
                (Op::Store, &[under, i, _]) if self.distinct_sums(i, index) => {
                    // match: (select (store a (bvadd i c) x) (bvadd i d)), c and d different literals; result: (select a (bvadd i d))
                    rule!("select: stored at a distance");
                    below = under;
                }
                (Op::Store, &[under, i, _]) if self.are_apart(i, index) => {
                    // match: (select (store a p x) q), p and q apart; result: (select a q)
                    rule!("select: stored apart");
                    below = under;
                }
                (Op::ConstArray, &[element]) => {
                    // match: (select ((as const s) x) i); result: x
                    rule!("select: constant array");
                    return Some(element);
                }
                _ => break,
            }
        }
        (below != array).then(|| self.select(below, index))
    }

    /// A sum without its literal, and the literal. Literals stand last in sums.
    fn split_sum(&self, term: Term) -> (Term, Option<Term>) {
        match (self.op(term), self.args(term)) {
            (Op::BvAdd, &[rest, literal]) if self.is_value(literal) => (rest, Some(literal)),
            _ => (term, None),
        }
    }
    /// Whether both are symbols that were declared apart, plus one literal.
    pub(super) fn are_apart(&self, a: Term, b: Term) -> bool {
        let ((one, c), (other, d)) = (self.split_sum(a), self.split_sum(b));
        one != other && c == d && self.is_apart(one) && self.is_apart(other)
    }
    /// Whether both are one term plus different literals.
    fn distinct_sums(&self, a: Term, b: Term) -> bool {
        let ((one, c), (other, d)) = (self.split_sum(a), self.split_sum(b));
        one == other
            && c != d
            && [c, d].into_iter().flatten().all(|literal| self.value(literal).is_some_and(|bits| !bits.is_zero()))
    }

    pub(super) fn simplify_store(&mut self, array: Term, index: Term, element: Term) -> Option<Term> {
        if self.binary(Op::Select, element) == Some((array, index)) {
            // match: (store a i (select a i)); result: a
            rule!("store: what is there already");
            return Some(array);
        }
        match (self.op(array), self.args(array)) {
            (Op::Store, &[under, i, _]) if i == index => {
                // match: (store (store a i x) i y); result: (store a i y)
                rule!("store: overwritten");
                Some(self.store(under, index, element))
            }
            (Op::ConstArray, &[everywhere]) if everywhere == element => {
                // match: (store ((as const s) x) i x); result: ((as const s) x)
                rule!("store: as everywhere in a constant array");
                Some(array)
            }
            _ => None,
        }
    }
}
