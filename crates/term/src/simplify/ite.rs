//! If-then-else.

use super::rule;
use crate::op::Op;
use crate::store::{FALSE, TRUE, Term, Terms};

impl Terms {
    pub(super) fn simplify_ite(&mut self, condition: Term, then: Term, otherwise: Term) -> Option<Term> {
        if condition == TRUE {
            // match: (ite true x y); result: x
            rule!("ite: true");
            return Some(then);
        }
        if condition == FALSE {
            // match: (ite false x y); result: y
            rule!("ite: false");
            return Some(otherwise);
        }
        if then == otherwise {
            // match: (ite p x x); result: x
            rule!("ite: equal arms");
            return Some(then);
        }
        if let Some(inner) = self.negated(condition) {
            // match: (ite (not p) x y); result: (ite p y x)
            rule!("ite: negated condition");
            return Some(self.ite(inner, otherwise, then));
        }
        if let (Op::Ite, &[c, a, _]) = (self.op(then), self.args(then))
            && c == condition
        {
            // match: (ite p (ite p x y) z); result: (ite p x z)
            rule!("ite: same condition in the first arm");
            return Some(self.ite(condition, a, otherwise));
        }
        if let (Op::Ite, &[c, _, b]) = (self.op(otherwise), self.args(otherwise))
            && c == condition
        {
            // match: (ite p x (ite p y z)); result: (ite p x z)
            rule!("ite: same condition in the second arm");
            return Some(self.ite(condition, then, b));
        }
        if self.is_bool(then) {
            return self.simplify_bool_ite(condition, then, otherwise);
        }
        if let (Op::Ite, &[c, a, b]) = (self.op(then), self.args(then))
            && b == otherwise
        {
            // match: (ite p (ite q x y) y); result: (ite (and p q) x y)
            rule!("ite: first arms joined");
            let both = self.and(&[condition, c]);
            return Some(self.ite(both, a, b));
        }
        if let (Op::Ite, &[c, a, b]) = (self.op(otherwise), self.args(otherwise))
            && a == then
        {
            // match: (ite p x (ite q x y)); result: (ite (or p q) x y)
            rule!("ite: second arms joined");
            let either = self.or(&[condition, c]);
            return Some(self.ite(either, a, b));
        }
        None
    }

    fn simplify_bool_ite(&mut self, condition: Term, then: Term, otherwise: Term) -> Option<Term> {
        // Each arm knows the condition.
        let knows = |terms: &Terms, arm: Term, holds: bool| {
            if arm == condition {
                return Some(holds);
            }
            let negation = terms.negated(arm) == Some(condition);
            negation.then_some(!holds).or((arm == TRUE).then_some(true)).or((arm == FALSE).then_some(false))
        };
        match (knows(self, then, true), knows(self, otherwise, false)) {
            (Some(true), Some(false)) => {
                // match: (ite p true false), (ite p p false), ...; result: p
                rule!("ite: the condition itself");
                Some(condition)
            }
            (Some(false), Some(true)) => {
                // match: (ite p false true), (ite p (not p) true), ...; result: (not p)
                rule!("ite: the negated condition");
                Some(self.not(condition))
            }
            (Some(value), Some(_)) => {
                // match: (ite p p true), (ite p (not p) false), ...; result: true, false
                rule!("ite: both arms decided alike");
                Some(self.truth(value))
            }
            (Some(true), None) => {
                // match: (ite p true q), (ite p p q); result: (or p q)
                rule!("ite: or");
                Some(self.or(&[condition, otherwise]))
            }
            (Some(false), None) => {
                // match: (ite p false q), (ite p (not p) q); result: (and (not p) q)
                rule!("ite: and with the negation");
                let not = self.not(condition);
                Some(self.and(&[not, otherwise]))
            }
            (None, Some(true)) => {
                // match: (ite p q true), (ite p q (not p)); result: (or (not p) q)
                rule!("ite: or with the negation");
                let not = self.not(condition);
                Some(self.or(&[not, then]))
            }
            (None, Some(false)) => {
                // match: (ite p q false), (ite p q p); result: (and p q)
                rule!("ite: and");
                Some(self.and(&[condition, then]))
            }
            (None, None) if self.negated(then) == Some(otherwise) || self.negated(otherwise) == Some(then) => {
                // match: (ite p q (not q)); result: (= p q)
                rule!("ite: complementary arms");
                Some(self.eq(condition, then))
            }
            (None, None) => None,
        }
    }
}
