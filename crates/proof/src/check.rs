//! The checker: replays a log clause by clause and checks each step.
//!
//! A derived clause is accepted if, with all its literals false, each hint in turn leaves one
//! literal open (which becomes true) and the last one none. A clause must be live when it is used.

use std::collections::HashMap;

use crate::lit::Lit;
use crate::log::{ClauseId, Log, Step};

/// Why a log was not accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rejection {
    /// A hint names a clause that does not exist, was deleted, or comes later.
    UnknownHint {
        /// The clause being checked.
        clause: ClauseId,
        /// The hint.
        hint: ClauseId,
    },
    /// A hint is neither unit nor false when its turn comes.
    HintNotUnit {
        /// The clause being checked.
        clause: ClauseId,
        /// The hint.
        hint: ClauseId,
    },
    /// The hints are used up and nothing contradicts.
    NoConflict {
        /// The clause being checked.
        clause: ClauseId,
    },
    /// Two live clauses have the same number, or one is deleted that is not there.
    BadNumber {
        /// The number.
        clause: ClauseId,
    },
    /// The theory checker does not vouch for the lemma.
    BadLemma {
        /// The lemma.
        clause: ClauseId,
    },
    /// The last step needed is missing: the log does not derive the clause that was claimed.
    NotDerived,
}

/// Replays logs. `lemma` decides whether a clause is valid in the theory.
pub struct Checker<F> {
    lemma: F,
    live: HashMap<u32, (usize, usize)>,
    pool: Vec<u32>,
    /// By literal code: whether it is true in the current check.
    truth: Vec<bool>,
    touched: Vec<u32>,
}

impl<F: FnMut(&[Lit]) -> bool> Checker<F> {
    /// A checker that calls `lemma` for clauses that are theory lemmas.
    pub fn new(lemma: F) -> Self {
        Checker { lemma, live: HashMap::new(), pool: Vec::new(), truth: Vec::new(), touched: Vec::new() }
    }

    /// Accepts the log if every step is justified and `goal` (a clause; empty for a refutation) has
    /// been derived: some accepted clause is a subset of it.
    pub fn check(&mut self, log: &Log, goal: &[Lit]) -> Result<(), Rejection> {
        let mut reached = false;
        for step in log.steps() {
            match step {
                Step::Input { id, lits } => self.add(id, lits)?,
                Step::Lemma { id, lits } => {
                    let clause: Vec<Lit> = lits.iter().map(|&code| Lit::from_code(code)).collect();
                    if !(self.lemma)(&clause) {
                        return Err(Rejection::BadLemma { clause: id });
                    }
                    self.add(id, lits)?;
                }
                Step::Derived { id, lits, hints } => {
                    let verdict = self.follows(id, lits, hints);
                    for code in self.touched.drain(..) {
                        self.truth[code as usize] = false;
                    }
                    verdict?;
                    self.add(id, lits)?;
                }
                Step::Delete { id } => {
                    self.live.remove(&id.0).ok_or(Rejection::BadNumber { clause: id })?;
                    continue;
                }
            }
            let (Step::Input { lits, .. } | Step::Lemma { lits, .. } | Step::Derived { lits, .. }) = step else {
                continue;
            };
            reached |= lits.iter().all(|&code| goal.contains(&Lit::from_code(code)));
        }
        if reached { Ok(()) } else { Err(Rejection::NotDerived) }
    }

    fn add(&mut self, id: ClauseId, lits: &[u32]) -> Result<(), Rejection> {
        let start = self.pool.len();
        self.pool.extend(lits);
        let codes = lits.iter().map(|&code| (code | 1) as usize + 1).max().unwrap_or(0);
        if self.truth.len() < codes {
            self.truth.resize(codes, false);
        }
        match self.live.insert(id.0, (start, self.pool.len())) {
            None => Ok(()),
            Some(_) => Err(Rejection::BadNumber { clause: id }),
        }
    }

    fn follows(&mut self, clause: ClauseId, lits: &[u32], hints: &[u32]) -> Result<(), Rejection> {
        let codes = lits.iter().map(|&code| (code | 1) as usize + 1).max().unwrap_or(0);
        if self.truth.len() < codes {
            self.truth.resize(codes, false);
        }
        for &code in lits {
            if self.truth[code as usize] {
                return Ok(()); // A tautology.
            }
            self.truth[(code ^ 1) as usize] = true;
            self.touched.push(code ^ 1);
        }
        for &hint in hints {
            let hint = ClauseId(hint);
            let &(start, end) = self.live.get(&hint.0).ok_or(Rejection::UnknownHint { clause, hint })?;
            let mut open = None;
            for &code in &self.pool[start..end] {
                if self.truth[(code ^ 1) as usize] || open == Some(code) {
                    continue;
                }
                if open.is_some() || self.truth[code as usize] {
                    return Err(Rejection::HintNotUnit { clause, hint });
                }
                open = Some(code);
            }
            match open {
                None => return Ok(()),
                Some(code) => {
                    self.truth[code as usize] = true;
                    self.touched.push(code);
                }
            }
        }
        Err(Rejection::NoConflict { clause })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lit::SatVar;

    fn lits(numbers: &[i64]) -> Vec<Lit> {
        numbers.iter().map(|&n| Lit::from_dimacs(n).expect("not zero")).collect()
    }

    /// The four clauses over two variables, refuted.
    fn refutation() -> (Log, [ClauseId; 6]) {
        let mut log = Log::new();
        let a = log.input(&lits(&[1, 2]));
        let b = log.input(&lits(&[1, -2]));
        let c = log.input(&lits(&[-1, 2]));
        let d = log.input(&lits(&[-1, -2]));
        let unit = log.derived(&lits(&[1]), &[a, b]);
        let empty = log.derived(&[], &[unit, c, d]);
        (log, [a, b, c, d, unit, empty])
    }

    #[test]
    fn a_refutation_with_right_hints_is_accepted() {
        let (log, _) = refutation();
        assert_eq!(Checker::new(|_: &[Lit]| false).check(&log, &[]), Ok(()));
    }

    #[test]
    fn a_derived_clause_without_support_is_rejected() {
        let mut log = Log::new();
        let a = log.input(&lits(&[1, 2]));
        let wrong = log.derived(&lits(&[1]), &[a]);
        assert_eq!(Checker::new(|_: &[Lit]| false).check(&log, &[]), Err(Rejection::NoConflict { clause: wrong }));
    }

    #[test]
    fn a_deleted_clause_cannot_be_used() {
        let mut log = Log::new();
        let a = log.input(&lits(&[1]));
        let b = log.input(&lits(&[-1]));
        log.delete(a);
        let empty = log.derived(&[], &[a, b]);
        assert_eq!(
            Checker::new(|_: &[Lit]| false).check(&log, &[]),
            Err(Rejection::UnknownHint { clause: empty, hint: a })
        );
    }

    #[test]
    fn a_lemma_needs_the_theory_to_vouch() {
        let mut log = Log::new();
        let lemma = log.lemma(&[SatVar(0).positive()]);
        assert_eq!(
            Checker::new(|_: &[Lit]| false).check(&log, &lits(&[1])),
            Err(Rejection::BadLemma { clause: lemma })
        );
        assert_eq!(Checker::new(|_: &[Lit]| true).check(&log, &lits(&[1])), Ok(()));
    }

    #[test]
    fn a_log_that_stops_early_proves_nothing() {
        let mut log = Log::new();
        log.input(&lits(&[1, 2]));
        assert_eq!(Checker::new(|_: &[Lit]| false).check(&log, &[]), Err(Rejection::NotDerived));
    }
}
