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
            rule!("not: literal");
            return Some(self.truth(a == FALSE));
        }
        let inner = self.negated(a)?;
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
                rule!("junction: flatten");
                flat.extend_from_slice(self.args(arg));
            } else {
                flat.push(arg);
            }
        }
        flat.sort_unstable();
        flat.dedup();
        if flat.contains(&absorbing) {
            rule!("junction: absorbing");
            return Some(absorbing);
        }
        flat.retain(|arg| *arg != neutral);
        for &arg in &flat {
            if self.negated(arg).is_some_and(|inner| flat.binary_search(&inner).is_ok()) {
                rule!("junction: complement");
                return Some(absorbing);
            }
        }
        match &flat[..] {
            [] => {
                rule!("junction: nothing left");
                Some(neutral)
            }
            &[one] => {
                rule!("junction: one left");
                Some(one)
            }
            many if many == args || many.len() > MAX_ARGS => None,
            many => {
                rule!("junction: order");
                Some(self.intern(op, many, sort))
            }
        }
    }

    /// `xor` is the negation of equality.
    pub(super) fn simplify_xor(&mut self, a: Term, b: Term) -> Term {
        rule!("xor: spelt with =");
        self.ne(a, b)
    }
    /// `a => b` is `(or (not a) b)`.
    pub(super) fn simplify_implies(&mut self, a: Term, b: Term) -> Term {
        rule!("implies: spelt with or");
        let not_a = self.not(a);
        self.or(&[not_a, b])
    }
}
