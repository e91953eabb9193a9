//! Failed-literal probing: a literal whose propagation runs into a conflict is false for good.
//!
//! Only roots of the binary implication graph are probed, a bounded number each round.

use base::{Budget, Stopped};

use crate::solver::Solver;
use crate::theory::Theory;
use crate::trail::Reason;
use crate::{Lit, NoTheory};

impl Solver {
    pub(crate) fn probe<T: Theory>(&mut self, theory: &mut T, budget: &Budget) -> Result<(), Stopped> {
        debug_assert_eq!(self.trail.level(), 0, "probing starts at level zero");
        let n_lits = 2 * self.n_vars();
        let start = self.ticks;
        for step in 0..n_lits {
            if self.ticks - start > self.settings.probe_ticks {
                break;
            }
            let lit = Lit::from_code(((self.probe_next + step) % n_lits) as u32);
            // A root: it implies something, and nothing implies it.
            let is_root = !self.binary[(!lit).index()].is_empty() && self.binary[lit.index()].is_empty();
            if !is_root || self.trail.value(lit) != 0 || self.switch.is_some_and(|switch| switch == lit.var()) {
                continue;
            }
            self.trail.new_level();
            self.trail.push(lit, Reason::DECISION);
            let Some(conflict) = self.propagate_clauses() else {
                self.backtrack(&mut NoTheory, 0);
                continue;
            };
            self.stats.failed_literals += 1;
            let number = self.log_derived(&[!lit], conflict);
            self.backtrack(&mut NoTheory, 0);
            self.assign_unit(!lit, number);
            if let Some(conflict) = self.propagate_clauses() {
                self.log_root_conflict(conflict);
                self.consistent = false;
                return Ok(());
            }
            budget.spend(1)?;
        }
        self.probe_next = if n_lits == 0 { 0 } else { (self.probe_next + 1009) % n_lits };
        let _ = theory; // It sees the new units when the search goes on.
        Ok(())
    }
}
