//! All answers to questions: inputs of few bits, classes of values of other inputs, and choices between edges, depth first.
//!
//! Each run repeats the answers of a prefix and takes zero afterwards; then the last question that has another answer is
//! advanced. Of an input of more bits the values of a class are one answer (`classes`): the class is what all runs with this answer and
//! those before it leave of it. Whatever else is asked gets zero, and must decide nothing: a shadow run shows that.

use base::{FastMap, Id};

use crate::model::{Input, InputId, InputKind, Shown};

use super::Watch;
use super::classes::Comparison;
use super::inputs::{Inputs, Origin, Request};
use super::mark::Exact;

/// A supplier that enumerates all answers to small requests, and classes of answers to others. What it answers to the rest does not matter:
/// a run that depends on it is refused.
#[derive(Clone, Default, Debug)]
pub struct Questions {
    enumerates: bool,
    /// Questions in the order in which they come.
    answers: Vec<Answer>,
    /// Where the question about an input stands among them, if it is still there.
    place_of: FastMap<Exact, usize>,
    /// How many of them were asked in this run.
    asked: usize,
    /// Other questions.
    others: u64,
}

/// A question and its answer now.
#[derive(Clone, Copy, Debug)]
struct Answer {
    value: u64,
    /// All values up to this one lead the same way.
    last_alike: u64,
    /// The last value there is.
    last: u64,
    /// The input and its width, if it is enumerated by classes.
    of: Option<(Exact, u32)>,
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
        let small = self.answers[..self.asked].iter().filter(|answer| answer.of.is_none());
        small.fold(1, |ways, answer| answer.last.saturating_add(1).saturating_mul(ways))
    }
    /// Whether an input was asked for in the last run that is enumerated by classes.
    pub fn has_classes(&self) -> bool {
        self.answers.iter().take(self.asked).any(|answer| answer.of.is_some())
    }
    fn answer(&mut self, last: u64, of: Option<(Exact, u32)>) -> u64 {
        if self.asked == self.answers.len() {
            // Each answer to a small question is a class of its own.
            let last_alike = if of.is_some() { last } else { 0 };
            if let Some((exact, _)) = of {
                self.place_of.insert(exact, self.answers.len());
            }
            self.answers.push(Answer { value: 0, last_alike, last, of });
        }
        self.asked += 1;
        let answer = self.answers[self.asked - 1];
        assert!(answer.last == last && answer.of == of, "the same answers lead to the same question");
        answer.value
    }
    /// Goes on to the next answers after a run; false if all were tried.
    pub fn advance(&mut self) -> bool {
        self.answers.truncate(self.asked);
        while let Some(answer) = self.answers.last_mut() {
            if answer.last_alike < answer.last {
                answer.value = answer.last_alike + 1;
                answer.last_alike = if answer.of.is_some() { answer.last } else { answer.value };
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
            return self.answer((1 << request.width) - 1, None).into();
        }
        if self.enumerates
            && let Some(of) = exact(request)
        {
            let last = if request.width >= 64 { u64::MAX } else { (1 << request.width) - 1 };
            return self.answer(last, Some((of, request.width))).into();
        }
        self.others += 1;
        0
    }
    fn choose(&mut self, n: usize) -> usize {
        if self.enumerates {
            return self.answer(n as u64 - 1, None) as usize;
        }
        self.others += 1;
        0
    }
    fn narrow(&mut self, comparison: &Comparison) -> bool {
        let of = comparison.of();
        let place = self.place_of.get(&of).copied().filter(|&place| place < self.asked);
        let Some(answer) = place.map(|place| &mut self.answers[place]) else { return false };
        let Some((_, width)) = answer.of.filter(|asked| asked.0 == of) else { return false };
        match comparison.last_alike(answer.value, width) {
            Some(last) => {
                answer.last_alike = answer.last_alike.min(last);
                true
            }
            None => false,
        }
    }
    fn indices(&mut self, _: InputId, _: u64) -> Option<Vec<u64>> {
        None
    }
    fn apply(&mut self, _: &str, _: &[u128]) -> u128 {
        self.others += 1;
        0
    }
}

/// The input whose value is asked for, if it can be enumerated by classes.
fn exact(request: &Request<'_>) -> Option<Exact> {
    let Origin::Input(input) = request.origin else { return None };
    let is_number = request.info.is_some_and(|info| info.shown != Shown::Float);
    let is_whole = request.offset.is_none() && request.piece == 0 && !request.is_element && request.width <= 64;
    let occurrence = u32::try_from(request.occurrence).ok()?;
    (is_number && is_whole).then_some(Exact { input: input.index() as u32, occurrence })
}
