//! If-then-else.

use super::rule;
use crate::op::Op;
use crate::store::{FALSE, TRUE, Term, Terms};

impl Terms {
    pub(super) fn simplify_ite(&mut self, condition: Term, then: Term, otherwise: Term) -> Option<Term> {
        if condition == TRUE {
            rule!("ite: true");
            return Some(then);
        }
        if condition == FALSE {
            rule!("ite: false");
            return Some(otherwise);
        }
        if then == otherwise {
            rule!("ite: equal arms");
            return Some(then);
        }
        if let Some(inner) = self.negated(condition) {
            rule!("ite: negated condition");
            return Some(self.ite(inner, otherwise, then));
        }
        if let (Op::Ite, &[c, a, _]) = (self.op(then), self.args(then))
            && c == condition
        {
            rule!("ite: same condition in the first arm");
            return Some(self.ite(condition, a, otherwise));
        }
        if let (Op::Ite, &[c, _, b]) = (self.op(otherwise), self.args(otherwise))
            && c == condition
        {
            rule!("ite: same condition in the second arm");
            return Some(self.ite(condition, then, b));
        }
        if self.is_bool(then) {
            return self.simplify_bool_ite(condition, then, otherwise);
        }
        if let (Op::Ite, &[c, a, b]) = (self.op(then), self.args(then))
            && b == otherwise
        {
            rule!("ite: first arms joined");
            let both = self.and(&[condition, c]);
            return Some(self.ite(both, a, b));
        }
        if let (Op::Ite, &[c, a, b]) = (self.op(otherwise), self.args(otherwise))
            && a == then
        {
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
                rule!("ite: the condition itself");
                Some(condition)
            }
            (Some(false), Some(true)) => {
                rule!("ite: the negated condition");
                Some(self.not(condition))
            }
            (Some(value), Some(_)) => {
                rule!("ite: both arms decided alike");
                Some(self.truth(value))
            }
            (Some(true), None) => {
                rule!("ite: or");
                Some(self.or(&[condition, otherwise]))
            }
            (Some(false), None) => {
                rule!("ite: and with the negation");
                let not = self.not(condition);
                Some(self.and(&[not, otherwise]))
            }
            (None, Some(true)) => {
                rule!("ite: or with the negation");
                let not = self.not(condition);
                Some(self.or(&[not, then]))
            }
            (None, Some(false)) => {
                rule!("ite: and");
                Some(self.and(&[condition, then]))
            }
            (None, None) if self.negated(then) == Some(otherwise) || self.negated(otherwise) == Some(then) => {
                rule!("ite: complementary arms");
                Some(self.eq(condition, then))
            }
            (None, None) => None,
        }
    }
}
