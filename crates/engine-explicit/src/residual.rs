//! What is left of a term when some symbols have values.
//!
//! Only what matters is looked at: of an `ite` whose condition is decided one branch, of a conjunction nothing behind
//! the first part that is false. Blocks of state machines are long chains of conditions on the state, of which
//! hardly any is left.

use base::FastMap;
use term::{Op, Term, Terms};

/// Values of symbols, and what was worked out under them.
#[derive(Default)]
pub(crate) struct Residual {
    known: FastMap<Term, Term>,
    /// How many terms were looked at.
    pub work: u64,
}

impl Residual {
    /// With these values.
    pub fn new(values: impl Iterator<Item = (Term, Term)>) -> Self {
        let mut known = FastMap::new();
        for (symbol, value) in values {
            known.insert(symbol, value);
        }
        Residual { known, work: 0 }
    }
    /// What is left of the term.
    pub fn of(&mut self, terms: &mut Terms, root: Term) -> Term {
        let mut open = vec![root];
        while let Some(&term) = open.last() {
            if self.known.contains_key(&term) {
                open.pop();
                continue;
            }
            self.work += 1;
            match self.step(terms, term) {
                Ok(value) => {
                    self.known.insert(term, value);
                    open.pop();
                }
                Err(first) => open.push(first),
            }
        }
        self.known[&root]
    }
    /// The term's value, or a part that must be known first.
    fn step(&self, terms: &mut Terms, term: Term) -> Result<Term, Term> {
        let need = |arg: Term| self.known.get(&arg).copied().ok_or(arg);
        let args = terms.args(term);
        if args.is_empty() {
            return Ok(term);
        }
        match terms.op(term) {
            Op::Ite => {
                let (condition, then, otherwise) = (args[0], args[1], args[2]);
                let condition = need(condition)?;
                match terms.op(condition) {
                    Op::True => need(then),
                    Op::False => need(otherwise),
                    _ => {
                        let (then, otherwise) = (need(then)?, need(otherwise)?);
                        Ok(terms.ite(condition, then, otherwise))
                    }
                }
            }
            op @ (Op::And | Op::Or) => {
                let decides = if op == Op::And { Op::False } else { Op::True };
                let mut left = Vec::with_capacity(args.len());
                for &arg in args {
                    let value = need(arg)?;
                    if terms.op(value) == decides {
                        return Ok(value);
                    }
                    left.push(value);
                }
                Ok(if op == Op::And { terms.and(&left) } else { terms.or(&left) })
            }
            _ => {
                let mut values = Vec::with_capacity(args.len());
                for &arg in args {
                    values.push(need(arg)?);
                }
                Ok(terms.rebuild(term, &values))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_that_are_not_taken_are_not_looked_at() {
        let mut terms = Terms::new();
        let sort = terms.bv_sort(8);
        let [x, y] = ["x", "y"].map(|name| terms.variable(name, sort));
        let (zero, five) = (terms.bv(8, 0), terms.bv(8, 5));
        let is_zero = terms.eq(x, zero);
        let mut far = y;
        for _ in 0..50 {
            far = terms.bv_mul(far, y);
        }
        let sum = terms.bv_add(y, x);
        let choice = terms.ite(is_zero, sum, far);
        let mut residual = Residual::new([(x, zero)].into_iter());
        assert_eq!(residual.of(&mut terms, choice), y);
        assert!(residual.work < 20, "{}", residual.work);
        let mut residual = Residual::new([(x, five), (y, five)].into_iter());
        let expected = (0..50).fold(5u8, |value, _| value.wrapping_mul(5));
        assert_eq!(residual.of(&mut terms, choice), terms.bv(8, u64::from(expected)));
    }
}
