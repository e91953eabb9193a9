//! All answers to few questions: inputs of few bits and choices between edges, depth first.
//!
//! Each run repeats the answers of a prefix and takes zero afterwards; then the last question that has another answer is
//! advanced. Whatever else is asked gets zero, and must decide nothing: a shadow run shows that.

use crate::model::{Input, InputId, InputKind};

use super::Watch;
use super::inputs::{Inputs, Request};

/// A supplier that enumerates all answers to small requests. Its answers to others do not matter: a run that depends
/// on them is refused.
#[derive(Clone, Default, Debug)]
pub struct Questions {
    enumerates: bool,
    /// Small questions in the order in which they come: the answer, and how many there are.
    answers: Vec<(u64, u64)>,
    /// How many of them were asked in this run.
    asked: usize,
    /// Other questions.
    others: u64,
}

// law: a proof by execution tries all values of inputs of this width.
/// Bits of an input whose values are all tried.
const ENUMERATED_BITS: u32 = 8;

impl Questions {
    /// All small questions are answered in all ways.
    pub fn enumerated() -> Questions {
        Questions { enumerates: true, ..Questions::default() }
    }
    /// No question is answered.
    pub fn refused() -> Questions {
        Questions::default()
    }
    /// What a shadow run on these answers must look for.
    pub fn watch(&self) -> Watch {
        Watch::Everything { enumerated: if self.enumerates { ENUMERATED_BITS } else { 0 } }
    }
    /// Before each run.
    pub fn start(&mut self) {
        (self.asked, self.others) = (0, 0);
    }
    /// How many questions there were that are not enumerated.
    pub fn n_others(&self) -> u64 {
        self.others
    }
    /// Whether a plain run shows that nothing was asked.
    pub fn may_run_plain(&self) -> bool {
        !self.enumerates
    }
    /// How many runs there would be if every answer led to as many questions as those of the last run.
    pub fn n_ways(&self) -> u64 {
        self.answers[..self.asked].iter().fold(1, |ways, &(_, n_answers)| n_answers.saturating_mul(ways))
    }
    fn answer(&mut self, n_answers: u64) -> u64 {
        if self.asked == self.answers.len() {
            self.answers.push((0, n_answers));
        }
        self.asked += 1;
        let (answer, known) = self.answers[self.asked - 1];
        assert!(known == n_answers, "the same answers lead to the same question");
        answer
    }
    /// Goes on to the next answers after a run; false if all were tried.
    pub fn advance(&mut self) -> bool {
        self.answers.truncate(self.asked);
        while let Some((answer, n_answers)) = self.answers.last_mut() {
            *answer += 1;
            if *answer < *n_answers {
                return true;
            }
            self.answers.pop();
        }
        false
    }
}

impl Inputs for Questions {
    fn value(&mut self, request: &Request<'_>) -> u128 {
        if matches!(request.info, Some(Input { kind: InputKind::Order { is_choice: false, .. }, .. })) {
            self.others += 1;
            return 0; // A shadow run shows whether another order would matter.
        }
        if self.enumerates && request.width <= ENUMERATED_BITS && !request.is_element {
            return self.answer(1 << request.width).into();
        }
        self.others += 1;
        0
    }
    fn choose(&mut self, n: usize) -> usize {
        if self.enumerates {
            return self.answer(n as u64) as usize;
        }
        self.others += 1;
        0
    }
    fn indices(&mut self, _: InputId, _: u64) -> Option<Vec<u64>> {
        None
    }
    fn apply(&mut self, _: &str, _: &[u128]) -> u128 {
        self.others += 1;
        0
    }
}
