//! Assumptions and the core: which of them a contradiction needs.

use proof::ClauseId;

use crate::Lit;
use crate::analyze::SEEN;
use crate::solver::Solver;
use crate::theory::Theory;
use crate::trail::Reason;

impl Solver {
    /// The assumption `failed` is false under the earlier ones: finds those it takes.
    pub(crate) fn collect_core<T: Theory>(&mut self, theory: &mut T, failed: Lit) {
        self.core.clear();
        self.core.push(failed);
        let mut hints: Vec<(u32, u32)> = Vec::new();
        let mut units = Vec::new();
        let logging = self.log.is_some();
        if self.trail.level_of(failed.var()) == 0 {
            if logging {
                units.push(ClauseId(self.unit_numbers[failed.var().index()]));
            }
        } else {
            self.seen[failed.var().index()] |= SEEN;
            self.to_clear.push(failed.var());
        }
        for position in (0..self.trail.lits.len()).rev() {
            let lit = self.trail.lits[position];
            let var = lit.var();
            if self.seen[var.index()] & SEEN == 0 || self.trail.level_of(var) == 0 {
                continue;
            }
            if self.trail.reason(var) == Reason::DECISION {
                // Both a literal and its negation may be assumed; then that pair is the core.
                debug_assert!(lit != failed, "a failed assumption is not true");
                self.core.push(lit);
                continue;
            }
            let clause = self.reason_clause(theory, lit);
            if logging {
                hints.push((position as u32, self.clauses.number(clause)));
            }
            for i in 0..self.clauses.len(clause) {
                let other = Lit::from_code(self.clauses.codes(clause)[i]).var();
                if other == var || self.seen[other.index()] & SEEN != 0 {
                    continue;
                }
                self.seen[other.index()] |= SEEN;
                self.to_clear.push(other);
                if logging && self.trail.level_of(other) == 0 {
                    units.push(ClauseId(self.unit_numbers[other.index()]));
                }
            }
        }
        self.clear_seen();
        if let Some(log) = &mut self.log {
            hints.reverse();
            units.extend(hints.iter().map(|&(_, number)| ClauseId(number)));
            let clause: Vec<Lit> = self.core.iter().map(|&lit| !lit).collect();
            if !units.is_empty() {
                log.derived(&clause, &units);
            }
        }
        if let Some(switch) = self.switch {
            self.core.retain(|lit| lit.var() != switch);
        }
    }
}
