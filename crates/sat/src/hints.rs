//! Antecedents for the log: which clauses, in which order, make a derived clause evident.
//!
//! With the clause's literals false, unit propagation must run into the conflict. The clauses needed
//! are found backwards from the conflict, stopping at the clause's own literals; sorted by trail
//! position they become unit one after the other, the conflict last.

use proof::ClauseId;

use crate::Lit;
use crate::clauses::ClauseRef;
use crate::solver::Solver;

// format: bits of a mask.
/// `seen`: needed by the derivation.
const NEEDED: u8 = 8;
/// `seen`: a literal of the derived clause.
const GOAL: u8 = 16;

impl Solver {
    /// Logs the clause in `learning` and returns its number (zero without a log).
    pub(crate) fn log_learning(&mut self, conflict: ClauseRef) -> u32 {
        if self.log.is_none() {
            return 0;
        }
        let lits = std::mem::take(&mut self.learning);
        let number = self.log_derived(&lits, conflict);
        self.learning = lits;
        number
    }

    /// Logs a clause that follows from `conflict` (false now) and the reasons on the trail.
    pub(crate) fn log_derived(&mut self, lits: &[Lit], conflict: ClauseRef) -> u32 {
        if self.log.is_none() {
            return 0;
        }
        for lit in lits {
            self.seen[lit.var().index()] |= GOAL;
        }
        let mut needed = Vec::new();
        let mut units = Vec::new();
        let mut touched = Vec::new();
        let mut todo = vec![conflict];
        while let Some(clause) = todo.pop() {
            for i in 0..self.clauses.len(clause) {
                let var = Lit::from_code(self.clauses.codes(clause)[i]).var();
                if self.seen[var.index()] & (NEEDED | GOAL) != 0 {
                    continue;
                }
                self.seen[var.index()] |= NEEDED;
                touched.push(var);
                if self.trail.level_of(var) == 0 {
                    units.push(ClauseId(self.unit_numbers[var.index()]));
                } else {
                    let reason = self.trail.reason(var).as_clause();
                    let reason = reason.expect("what a derived clause leaves out was propagated");
                    needed.push((self.trail.assigned[var.index()].position, reason));
                    todo.push(reason);
                }
            }
        }
        for var in touched {
            self.seen[var.index()] &= !NEEDED;
        }
        for lit in lits {
            self.seen[lit.var().index()] &= !GOAL;
        }
        needed.sort_unstable_by_key(|&(position, _)| position);
        let mut hints = units;
        hints.extend(needed.iter().map(|&(_, clause)| ClauseId(self.clauses.number(clause))));
        hints.push(ClauseId(self.clauses.number(conflict)));
        self.log.as_mut().map_or(0, |log| log.derived(lits, &hints).0)
    }

    /// Logs the empty clause: `conflict` is false at level zero.
    pub(crate) fn log_root_conflict(&mut self, conflict: ClauseRef) {
        if self.log.is_none() {
            return;
        }
        let mut hints: Vec<ClauseId> =
            self.clauses.lits(conflict).map(|lit| ClauseId(self.unit_numbers[lit.var().index()])).collect();
        hints.push(ClauseId(self.clauses.number(conflict)));
        if let Some(log) = &mut self.log {
            log.derived(&[], &hints);
        }
    }
}
