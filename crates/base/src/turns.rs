//! Fair scheduling: the party that has spent least in relation to its share goes next.
//!
//! Several parties want something that only few can have at a time: engines the cores, runs of different length the
//! interpreter. Each party has a share and an account; the next turn is for the one whose account, measured by its share,
//! is lowest, and among equals for the first. The clock is not read: the caller reports what was spent.

use std::collections::VecDeque;
use std::ops::Range;

use crate::tuning::Tuning;

/// The accounts of all parties.
#[derive(Clone, Debug, Default)]
pub struct Turns {
    parties: Vec<Party>,
}

#[derive(Clone, Copy, Debug)]
struct Party {
    share: u64,
    spent: u64,
}

impl Turns {
    /// A schedule without parties.
    pub fn new() -> Self {
        Turns::default()
    }
    /// One more party; with twice the share it gets twice as much.
    pub fn join(&mut self, share: u64) -> usize {
        self.parties.push(Party { share: share.max(1), spent: 0 });
        self.parties.len() - 1
    }
    /// The party has had so much more.
    pub fn spend(&mut self, party: usize, amount: u64) {
        let account = &mut self.parties[party].spent;
        *account = account.saturating_add(amount);
    }
    /// What the party has had.
    pub fn spent(&self, party: usize) -> u64 {
        self.parties[party].spent
    }
    /// Whose turn is next among those that are ready.
    pub fn next(&self, ready: impl Fn(usize) -> bool) -> Option<usize> {
        self.next_after_paying(ready, |_| 0)
    }
    /// The same where a turn costs something before it begins.
    pub fn next_after_paying(&self, ready: impl Fn(usize) -> bool, fee: impl Fn(usize) -> u64) -> Option<usize> {
        let price = |party: usize| {
            let Party { share, spent } = self.parties[party];
            // In fixed point, so that small differences count too.
            u128::from(spent.saturating_add(fee(party))) * 1024 / u128::from(share)
        };
        (0..self.parties.len()).filter(|&party| ready(party)).min_by_key(|&party| (price(party), party))
    }
}

/// Attempts of unknown cost, each tried with a small limit first.
///
/// An attempt that needs more waits for a turn with more. Each amount gets about the same in all: neither do
/// many short attempts keep the long one waiting that succeeds, nor one endless attempt the short ones. A part of what a
/// turn may cost counts before it begins, or the first endless attempt would climb from amount to amount while all others
/// wait.
#[derive(Clone, Debug)]
pub struct Attempts {
    shortest: u64,
    fresh: Range<u64>,
    turns: Turns,
    /// By level: those that wait there.
    waiting: Vec<VecDeque<u64>>,
}

/// An attempt, and how much it may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attempt {
    /// Which one.
    pub number: u64,
    /// What it may spend.
    pub effort: u64,
    level: usize,
}

impl Attempts {
    /// Attempts with these numbers, each with little effort at first.
    pub fn new(numbers: Range<u64>, shortest: u64) -> Self {
        let mut turns = Turns::new();
        turns.join(1);
        Attempts { shortest, fresh: numbers, turns, waiting: vec![VecDeque::new()] }
    }
    /// What to try next; none if all have come to their end.
    pub fn take(&mut self) -> Option<Attempt> {
        let ready = |level: usize| !self.waiting[level].is_empty() || (level == 0 && !self.fresh.is_empty());
        let effort = |level: usize| {
            self.shortest.saturating_mul(1 << (Tuning::DEFAULT.attempt_growth_log2 * level as u32).min(62))
        };
        let level =
            self.turns.next_after_paying(ready, |level| effort(level) >> Tuning::DEFAULT.attempt_growth_log2)?;
        let number = self.waiting[level].pop_front().or_else(|| self.fresh.next())?;
        Some(Attempt { number, effort: effort(level), level })
    }
    /// The attempt has spent so much, whatever came of it.
    pub fn spend(&mut self, attempt: Attempt, amount: u64) {
        self.turns.spend(attempt.level, amount);
    }
    /// The attempt needs more than it had: it waits for a turn with more.
    pub fn again(&mut self, attempt: Attempt) {
        if attempt.level + 1 == self.waiting.len() {
            self.waiting.push(VecDeque::new());
            self.turns.join(1);
        }
        self.waiting[attempt.level + 1].push_back(attempt.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_go_by_share() {
        let mut turns = Turns::new();
        let (half, rest) = (turns.join(1), turns.join(2));
        let mut order = Vec::new();
        for _ in 0..6 {
            let next = turns.next(|_| true).expect("both are ready");
            turns.spend(next, 10);
            order.push(next);
        }
        assert_eq!(order, [half, rest, rest, half, rest, rest]);
        assert_eq!(turns.next(|party| party == half), Some(half));
        assert_eq!(turns.next(|_| false), None);
    }

    #[test]
    fn an_endless_attempt_does_not_keep_the_others_waiting() {
        let mut attempts = Attempts::new(0..50, 8);
        let mut seen = Vec::new();
        for _ in 0..60 {
            let attempt = attempts.take().expect("the first one never ends");
            let needs_more = attempt.number == 0;
            attempts.spend(attempt, if needs_more { attempt.effort } else { 1 });
            if needs_more {
                attempts.again(attempt);
            }
            seen.push(attempt.number);
        }
        assert!(seen.contains(&49), "{seen:?}");
        assert!(seen.iter().filter(|&&number| number == 0).count() > 2, "{seen:?}");
    }

    #[test]
    fn attempts_come_to_an_end() {
        let mut attempts = Attempts::new(3..5, 8);
        let first = attempts.take().expect("two are left");
        assert_eq!((first.number, first.effort), (3, 8));
        attempts.again(first);
        assert_eq!(attempts.take().map(|attempt| attempt.number), Some(4));
        let longer = attempts.take().expect("the first waits");
        assert_eq!((longer.number, longer.effort), (3, 64));
        assert_eq!(attempts.take(), None);
    }
}
