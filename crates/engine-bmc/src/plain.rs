//! A solver that reads everything bit-precisely, used in turns with refinement where that takes long.
//!
//! Some questions are about the arithmetic itself: then every operator has to be read in bits in the end, and a solver that
//! begins so is faster than one that ties bits to classes of equal terms. What it finds impossible rests on all statements
//! that the question is about.

use base::{Budget, Stopped};
use smt::{Answer, Query, Solver};
use term::{Term, Terms};

use crate::refiner::{Outcome, whole};

/// A solver whose assertions are added at the next query.
pub(crate) struct Plain {
    /// None before the first question.
    solver: Option<Solver>,
    /// Assertions to be added.
    news: Vec<Term>,
    /// Whether it was the first to answer the last time; none before the first answer.
    pub is_ahead: Option<bool>,
    /// By statement: whether some answer may rest on it.
    used: Vec<bool>,
}

impl Plain {
    pub fn new() -> Self {
        Plain { solver: None, news: Vec::new(), is_ahead: None, used: Vec::new() }
    }
    pub fn assert(&mut self, formula: Term) {
        self.news.push(formula);
    }
    /// Whether the condition can hold, with the values of the cone if so.
    pub fn ask(
        &mut self,
        terms: &mut Terms,
        condition: Term,
        cone: &[Term],
        budget: &Budget,
    ) -> Result<Outcome, Stopped> {
        let solver = self.solver.get_or_insert_with(Solver::new);
        for formula in self.news.drain(..) {
            solver.assert(formula);
        }
        Ok(match solver.check(terms, &Query::assuming(&[condition]), budget)? {
            Answer::Unsat(_) => Outcome::Unsat,
            Answer::Sat(mut model) => Outcome::Sat(whole(&mut model, cone)),
            Answer::Unknown(why) => Outcome::Unknown(why),
        })
    }
    /// An answer rests on these.
    pub fn use_all(&mut self, statements: Vec<u32>) {
        for statement in statements {
            let statement = statement as usize;
            if self.used.len() <= statement {
                self.used.resize(statement + 1, false);
            }
            self.used[statement] = true;
        }
    }
    pub fn has_used(&self, statement: u32) -> bool {
        self.used.get(statement as usize).is_some_and(|&used| used)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use term::Value;

    use super::*;

    fn budget() -> Budget {
        Budget::ticks(1_000_000, Arc::new(AtomicBool::new(false)))
    }
    #[test]
    fn what_is_said_between_two_questions_counts_for_the_second() {
        let mut terms = Terms::new();
        let sort = terms.bv_sort(8);
        let x = terms.variable("x", sort);
        let [three, five] = [3, 5].map(|value| terms.bv(8, value));
        let is_five = terms.eq(x, five);
        let mut plain = Plain::new();
        let Ok(Outcome::Sat(known)) = plain.ask(&mut terms, is_five, &[x], &budget()) else {
            panic!("nothing was said yet")
        };
        assert_eq!(known.get(&x), Some(&Value::Bits(base::Bits::from_u128(8, 5))));
        let below = terms.bv_ult(x, three);
        plain.assert(below);
        assert!(matches!(plain.ask(&mut terms, is_five, &[x], &budget()), Ok(Outcome::Unsat)));
    }
    #[test]
    fn statements_that_an_answer_rests_on_are_remembered() {
        let mut plain = Plain::new();
        plain.use_all(vec![1, 4]);
        plain.use_all(vec![2]);
        assert_eq!(
            [0, 1, 2, 3, 4, 5].map(|statement| plain.has_used(statement)),
            [false, true, true, false, true, false]
        );
    }
}
