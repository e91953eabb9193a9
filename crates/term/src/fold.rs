//! Folding: operators on constants, and nothing that needs an argument.
//!
//! A store for readers who must not trust a simplifier can still compute: operators whose arguments are values have the value that
//! evaluation gives, connectives and choices with constant arguments are what their truth tables say, and a read at a known
//! place passes the writes at other known places. Each rule is a line of its definition.

use crate::Term;
use crate::op::Op;
use crate::store::{FALSE, TRUE, Terms};

impl Terms {
    /// What the application is, if a rule says so.
    pub(crate) fn fold_constants(&mut self, op: Op, args: &[Term]) -> Option<Term> {
        match (op, args) {
            // not true = false; not (not a) = a
            (Op::Not, &[a]) => match self.op(a) {
                Op::True => Some(FALSE),
                Op::False => Some(TRUE),
                Op::Not => Some(self.arg(a, 0)),
                _ => None,
            },
            // a and false = false; a and true = a
            (Op::And, _) => self.fold_connective(op, args, TRUE, FALSE),
            // a or true = true; a or false = a
            (Op::Or, _) => self.fold_connective(op, args, FALSE, TRUE),
            // false => a = true; a => true = true; true => a = a
            (Op::Implies, &[FALSE, _] | &[_, TRUE]) => Some(TRUE),
            (Op::Implies, &[TRUE, a]) => Some(a),
            // ite true a b = a; ite false a b = b; ite c a a = a
            (Op::Ite, &[TRUE, a, _] | &[FALSE, _, a]) => Some(a),
            (Op::Ite, &[_, a, b]) if a == b => Some(a),
            // a = a; different values differ; a = true is a
            (Op::Eq, &[a, b]) if a == b => Some(TRUE),
            (Op::Eq, &[a, TRUE] | &[TRUE, a]) => Some(a),
            (Op::Eq, &[a, FALSE] | &[FALSE, a]) => Some(self.not(a)),
            (Op::Eq, &[a, b]) => self.value(a).zip(self.value(b)).map(|(a, b)| if a == b { TRUE } else { FALSE }),
            (Op::Select, &[array, index]) => self.fold_read(array, index),
            _ => self.fold(op, args),
        }
    }
    fn fold_connective(&mut self, op: Op, args: &[Term], neutral: Term, absorbing: Term) -> Option<Term> {
        if args.contains(&absorbing) {
            return Some(absorbing);
        }
        if !args.contains(&neutral) {
            return None;
        }
        let rest: Vec<Term> = args.iter().copied().filter(|&arg| arg != neutral).collect();
        Some(if rest.is_empty() { neutral } else { self.make(op, &rest) })
    }
    /// (select (store a i v) i) = v; (select (store a i v) j) = (select a j) for different values i and j; (select (const v) i) = v.
    fn fold_read(&mut self, array: Term, index: Term) -> Option<Term> {
        let mut inner = array;
        loop {
            match self.op(inner) {
                Op::Store => {
                    let (below, place, element) = (self.arg(inner, 0), self.arg(inner, 1), self.arg(inner, 2));
                    if place == index {
                        return Some(element);
                    }
                    if !(self.is_value(place) && self.is_value(index)) {
                        break;
                    }
                    inner = below;
                }
                Op::ConstArray => return Some(self.arg(inner, 0)),
                _ => break,
            }
        }
        (inner != array).then(|| self.select(inner, index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SortKind;

    #[test]
    fn constants_are_computed_and_the_rest_stays_as_it_is() {
        let mut terms = Terms::folding();
        let sort = terms.bv_sort(8);
        let (x, two, three, five) = (terms.variable("x", sort), terms.bv(8, 2), terms.bv(8, 3), terms.bv(8, 5));
        assert_eq!(terms.bv_add(two, three), five);
        let less = terms.bv_ult(two, three);
        assert_eq!(less, terms.truth(true));
        let zero = terms.bv(8, 0);
        let sum = terms.bv_add(x, zero);
        assert_ne!(sum, x);
        let same = terms.eq(x, x);
        assert_eq!(same, terms.truth(true));
        assert_eq!(terms.ite(less, x, sum), x);
        let is_two = terms.eq(x, two);
        assert_eq!(terms.and(&[less, is_two]), is_two);
        let never = terms.not(less);
        assert_eq!(terms.and(&[never, is_two]), never);
        assert_eq!(terms.or(&[never, is_two]), is_two);
    }

    #[test]
    fn reads_pass_writes_at_other_known_places() {
        let mut terms = Terms::folding();
        let sort = terms.bv_sort(8);
        let arrays = terms.sort(SortKind::Array(sort, sort));
        let (a, x, two, three) =
            (terms.variable("a", arrays), terms.variable("x", sort), terms.bv(8, 2), terms.bv(8, 3));
        let written = terms.store(a, two, x);
        assert_eq!(terms.select(written, two), x);
        let below = terms.select(a, three);
        assert_eq!(terms.select(written, three), below);
        // x may be 2 or 3.
        let unknown = terms.store(written, x, three);
        let read = terms.select(unknown, two);
        assert_eq!((terms.op(read), terms.arg(read, 0)), (Op::Select, unknown));
    }
}
