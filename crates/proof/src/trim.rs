//! Trimming: the part of a log that its goal needs.
//!
//! Walks backwards from the last clause that is a subset of the goal and keeps what its hints name.

use crate::lit::Lit;
use crate::log::{Log, Step};

/// The same proof of `goal` without the clauses it does not need, and without deletions.
/// `None` if the log has no step that is a subset of the goal.
pub fn trim(log: &Log, goal: &[Lit]) -> Option<Log> {
    let steps: Vec<Step<'_>> = log.steps().filter(|step| !matches!(step, Step::Delete { .. })).collect();
    let (_, last_step) = steps.iter().enumerate().rev().find_map(|(index, step)| {
        let (Step::Input { lits, .. } | Step::Lemma { lits, .. } | Step::Derived { lits, .. }) = step else {
            return None;
        };
        lits.iter().all(|&code| goal.contains(&Lit::from_code(code))).then_some((step, index))
    })?;
    let highest = steps.iter().map(number).max().unwrap_or(0);
    let mut needed = vec![false; highest as usize + 1];
    needed[number(&steps[last_step]) as usize] = true;
    for step in steps[..=last_step].iter().rev() {
        if let (true, Step::Derived { hints, .. }) = (needed[number(step) as usize], step) {
            for &hint in *hints {
                needed[hint as usize] = true;
            }
        }
    }
    let mut trimmed = Log::new();
    for step in &steps[..=last_step] {
        if needed[number(step) as usize] {
            trimmed.copy(*step);
        }
    }
    Some(trimmed)
}

fn number(step: &Step<'_>) -> u32 {
    match step {
        Step::Input { id, .. } | Step::Lemma { id, .. } | Step::Derived { id, .. } | Step::Delete { id } => id.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Checker;

    #[test]
    fn clauses_that_nothing_uses_are_dropped() {
        let lit = |n| Lit::from_dimacs(n).expect("not zero");
        let mut log = Log::new();
        let a = log.input(&[lit(1), lit(2)]);
        let b = log.input(&[lit(1), lit(-2)]);
        log.input(&[lit(3)]);
        let c = log.input(&[lit(-1)]);
        log.derived(&[lit(2)], &[c, a]);
        let unit = log.derived(&[lit(1)], &[a, b]);
        log.derived(&[], &[unit, c]);
        let trimmed = trim(&log, &[]).expect("the log has a refutation");
        assert_eq!(trimmed.steps().count(), 5);
        assert_eq!(Checker::new(|_: &[Lit]| false).check(&trimmed, &[]), Ok(()));
    }
}
