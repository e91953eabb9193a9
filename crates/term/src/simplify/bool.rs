//! Truth values: negation, conjunction, disjunction and what is spelt with them.

use smallvec::SmallVec;

use super::rule;
use crate::op::Op;
use crate::sort::Sort;
use crate::store::{FALSE, MAX_ARGS, TRUE, Term, Terms};
use crate::tuning::Tuning;

impl Terms {
    pub(super) fn simplify_not(&mut self, a: Term) -> Option<Term> {
        if a == TRUE || a == FALSE {
            // match: (not true), (not false); result: false, true
            rule!("not: literal");
            return Some(self.truth(a == FALSE));
        }
        let inner = self.negated(a)?;
        // match: (not (not p)); result: p
        rule!("not: double");
        Some(inner)
    }

    /// Conjunction and disjunction: flattened, sorted, without repetition; decided if a term meets
    /// its negation.
    pub(super) fn simplify_junction(&mut self, op: Op, args: &[Term], sort: Sort) -> Option<Term> {
        let (neutral, absorbing) = if op == Op::And { (TRUE, FALSE) } else { (FALSE, TRUE) };
        let mut flat: SmallVec<[Term; 2 * Tuning::DEFAULT.max_flattened_arguments]> = SmallVec::new();
        for &arg in args {
            if self.op(arg) == op && self.args(arg).len() <= Tuning::DEFAULT.max_flattened_arguments {
                // match: (and (and p q) r); result: (and p q r), likewise or
                rule!("junction: flatten");
                flat.extend_from_slice(self.args(arg));
            } else {
                flat.push(arg);
            }
        }
        flat.sort_unstable();
        flat.dedup();
        if flat.contains(&absorbing) {
            // match: (and p false), (or p true); result: false, true
            rule!("junction: absorbing");
            return Some(absorbing);
        }
        flat.retain(|arg| *arg != neutral);
        for &arg in &flat {
            if self.negated(arg).is_some_and(|inner| flat.binary_search(&inner).is_ok()) {
                // match: (and p (not p)), (or p (not p)); result: false, true
                rule!("junction: complement");
                return Some(absorbing);
            }
        }
        match &flat[..] {
            [] => {
                // match: (and true true), (or false false); result: true, false
                rule!("junction: nothing left");
                Some(neutral)
            }
            &[one] => {
                // match: (and p true), (or p false); result: p
                rule!("junction: one left");
                Some(one)
            }
            many if many == args || many.len() > MAX_ARGS => None,
            many => {
                // match: (and q p p); result: (and p q), in the order of handles
                rule!("junction: order");
                Some(self.intern(op, many, sort))
            }
        }
    }

    /// `xor` is the negation of equality.
    pub(super) fn simplify_xor(&mut self, a: Term, b: Term) -> Term {
        // match: (xor p q); result: (not (= p q))
        rule!("xor: spelt with =");
        self.ne(a, b)
    }
    /// `a => b` is `(or (not a) b)`.
    pub(super) fn simplify_implies(&mut self, a: Term, b: Term) -> Term {
        // match: (=> p q); result: (or (not p) q)
        rule!("implies: spelt with or");
        let not_a = self.not(a);
        self.or(&[not_a, b])
    }
}
