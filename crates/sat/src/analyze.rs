//! Conflict analysis: from a false clause to a learnt one.
//!
//! Resolves the conflict backwards along the trail until one literal of the current level is left, the
//! first unique implication point ([MarquesSakallah-TC'99]); then minimises, finds the level to jump to,
//! and bumps the variables that took part.

use crate::clauses::ClauseRef;
use crate::reduce::memory_of;
use crate::solver::{Conflict, Solver};
use crate::theory::Theory;
use crate::trail::Reason;
use crate::{Lit, SatVar};

// format: bits of a mask.
/// `seen`: the variable takes part in the conflict.
pub(crate) const SEEN: u8 = 1;
/// `seen`: minimisation found that the literal follows from the others.
pub(crate) const REMOVABLE: u8 = 2;
/// `seen`: minimisation found that it does not.
pub(crate) const POISON: u8 = 4;

impl Solver {
    /// Learns from the conflict, jumps back and asserts the learnt literal. `false`: the query is
    /// contradictory, either for good (then `consistent` is false) or because of the temporary clause alone.
    pub(crate) fn learn_from<T: Theory>(&mut self, theory: &mut T, conflict: Conflict) -> bool {
        self.stats.conflicts += 1;
        self.ticks += 10;
        if self.trail.level() == 0 {
            self.log_root_conflict(conflict);
            self.consistent = false;
            return false;
        }
        self.collect_first_uip(theory, conflict);
        self.explain_for_minimization(theory);
        self.minimize();
        let glue = self.glue_of_learning();
        let number = self.log_learning(conflict);
        self.bump_participants();
        self.phases.conflict(self.trail.lits.len(), &self.trail, self.restarts.stable);
        self.restarts.conflict(glue, self.trail.lits.len());

        // The second watch is the literal of the highest level below the current one.
        let mut lits = std::mem::take(&mut self.learning);
        let mut jump = 0;
        if lits.len() > 1 {
            let deepest = (1..lits.len())
                .max_by_key(|&i| (self.trail.level_of(lits[i].var()), std::cmp::Reverse(i)))
                .expect("there is a second literal");
            lits.swap(1, deepest);
            jump = self.trail.level_of(lits[1].var());
        }
        self.stats.learnt_literals += lits.len() as u64;
        let uip = lits[0];
        let goes_on = if lits.len() == 1 && self.switch.is_some_and(|switch| uip == switch.negative()) {
            // The temporary clause contradicts the permanent ones; this must not be kept.
            self.backtrack(theory, 0);
            false
        } else {
            self.backtrack(theory, jump);
            if lits.len() == 1 {
                self.assign_unit(uip, number);
            } else {
                let clause = self.attach(&lits, Some(glue), number);
                self.clauses.set_used(clause, memory_of(glue).max(2));
                if self.is_temporary(&lits) {
                    self.temporary.push(clause);
                } else {
                    self.learnt.push(clause);
                }
                self.trail.push(uip, Reason::clause(clause));
            }
            true
        };
        self.clear_seen();
        lits.clear();
        self.learning = lits;
        self.heap.decay(f64::from(self.settings.decay) / 1000.0);
        goes_on
    }

    /// Fills `learning` with the first-UIP clause, the asserting literal first.
    fn collect_first_uip<T: Theory>(&mut self, theory: &mut T, conflict: Conflict) {
        let level = self.trail.level();
        self.learning.clear();
        self.learning.push(Lit::from_code(0)); // Room for the asserting literal.
        let mut open = 0;
        let mut reason = conflict;
        let mut position = self.trail.lits.len();
        let mut resolved: Option<Lit> = None;
        loop {
            self.use_clause(reason);
            for i in 0..self.clauses.len(reason) {
                let lit = Lit::from_code(self.clauses.codes(reason)[i]);
                let var = lit.var();
                if resolved == Some(lit) || self.seen[var.index()] & SEEN != 0 {
                    continue;
                }
                let lit_level = self.trail.level_of(var);
                if lit_level == 0 {
                    continue;
                }
                self.seen[var.index()] |= SEEN;
                self.to_clear.push(var);
                if lit_level == level {
                    open += 1;
                } else {
                    self.learning.push(lit);
                }
            }
            let lit = loop {
                position -= 1;
                let lit = self.trail.lits[position];
                if self.seen[lit.var().index()] & SEEN != 0 {
                    break lit;
                }
            };
            open -= 1;
            if open == 0 {
                self.learning[0] = !lit;
                return;
            }
            reason = self.reason_clause(theory, lit);
            resolved = Some(lit);
        }
    }

    /// The clause that made this literal true; the theory explains the literals it implied.
    pub(crate) fn reason_clause<T: Theory>(&mut self, theory: &mut T, lit: Lit) -> ClauseRef {
        let reason = self.trail.reason(lit.var());
        if reason != Reason::THEORY {
            return reason.as_clause().expect("a literal that is resolved upon was propagated");
        }
        let mut lits = vec![lit];
        theory.explain(lit, &mut lits);
        debug_assert!(
            lits[1..].iter().all(|&other| self.trail.value(other) < 0
                && self.trail.assigned[other.var().index()].position < self.trail.assigned[lit.var().index()].position),
            "an explanation is false and older than what it explains"
        );
        let number = self.log.as_mut().map_or(0, |log| log.lemma(&lits).0);
        let clause = self.clauses.add(&lits, Some(0), number);
        self.explanations.push(clause);
        self.trail.assigned[lit.var().index()].reason = Reason::clause(clause);
        clause
    }

    /// Minimisation walks reasons without a theory at hand, so the explanations it may need are fetched
    /// before: those of the clause's own literals, one step deep.
    fn explain_for_minimization<T: Theory>(&mut self, theory: &mut T) {
        if !T::ACTIVE {
            return;
        }
        for i in 1..self.learning.len() {
            let lit = !self.learning[i];
            if self.trail.reason(lit.var()) == Reason::THEORY {
                self.reason_clause(theory, lit);
            }
        }
    }

    /// A learnt clause took part: remember that, and its glue if it has become smaller.
    fn use_clause(&mut self, clause: ClauseRef) {
        if !self.clauses.is_learnt(clause) {
            return;
        }
        let glue = self.clauses.glue(clause);
        if glue <= self.settings.core_glue {
            self.clauses.set_used(clause, memory_of(glue));
            return;
        }
        self.level_clock += 1;
        let clock = self.level_clock;
        let mut glue = 0;
        for &code in self.clauses.codes(clause) {
            let level = self.trail.level_of(Lit::from_code(code).var()) as usize;
            if self.level_stamp[level] != clock {
                self.level_stamp[level] = clock;
                glue += 1;
            }
        }
        if glue < self.clauses.glue(clause) {
            self.clauses.set_glue(clause, glue);
        }
        self.clauses.set_used(clause, memory_of(glue));
    }

    /// The number of levels in the learnt clause, the current one not counted.
    fn glue_of_learning(&mut self) -> u32 {
        self.level_clock += 1;
        let mut glue = 0;
        for &lit in &self.learning {
            let level = self.trail.level_of(lit.var()) as usize;
            if self.level_stamp[level] != self.level_clock {
                self.level_stamp[level] = self.level_clock;
                glue += 1;
            }
        }
        glue - 1
    }

    fn bump_participants(&mut self) {
        if self.restarts.stable || self.domain_stamp.is_some() {
            for &var in &self.to_clear {
                if self.seen[var.index()] & SEEN != 0 {
                    self.heap.bump(var);
                }
            }
        } else {
            // In the order of their last bumps, so that the queue keeps it.
            let mut vars: Vec<SatVar> =
                self.to_clear.iter().copied().filter(|var| self.seen[var.index()] & SEEN != 0).collect();
            vars.sort_unstable_by_key(|&var| self.queue.stamp(var));
            for var in vars {
                self.queue.bump(var, self.trail.value(var.positive()) == 0);
            }
        }
    }

    pub(crate) fn clear_seen(&mut self) {
        for var in self.to_clear.drain(..) {
            self.seen[var.index()] = 0;
        }
    }
}
