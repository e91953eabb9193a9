//! Vivification: assume a clause's literals false one by one; what propagation shows on the way may
//! shorten it ([LiLuoEtAl-IJCAI'17]).
//!
//! If a literal becomes false by the others, it is dropped; if one becomes true or a conflict arises, the
//! literals that led there are all the clause needs.

use base::{Budget, Stopped};

use crate::analyze::SEEN;
use crate::clauses::ClauseRef;
use crate::reduce::memory_of;
use crate::solver::Solver;
use crate::theory::Theory;
use crate::trail::Reason;
use crate::{Lit, NoTheory};

impl Solver {
    pub(crate) fn vivify<T: Theory>(&mut self, theory: &mut T, budget: &Budget) -> Result<(), Stopped> {
        debug_assert_eq!(self.trail.level(), 0, "vivification starts at level zero");
        let _ = theory; // It sees new units when the search goes on.
        let start = self.ticks;
        let mut candidates: Vec<ClauseRef> = self
            .learnt
            .iter()
            .copied()
            .filter(|&clause| self.clauses.len(clause) > 2)
            .filter(|&clause| !self.clauses.is_vivified(clause) && self.clauses.glue(clause) <= 6)
            .collect();
        candidates.sort_by_key(|&clause| (self.clauses.glue(clause), self.clauses.len(clause), clause));
        for clause in candidates {
            if self.ticks - start > self.settings.vivify_ticks {
                break;
            }
            budget.spend(1)?;
            self.vivify_clause(clause);
            if !self.consistent {
                return Ok(());
            }
        }
        self.flush_deleted();
        Ok(())
    }

    fn vivify_clause(&mut self, clause: ClauseRef) {
        self.clauses.set_vivified(clause);
        let mut lits: Vec<Lit> = self.clauses.lits(clause).collect();
        if lits.iter().any(|&lit| self.trail.value(lit) > 0) {
            self.detach(clause);
            self.delete(clause);
            return;
        }
        // The clause must not propagate against itself.
        self.detach(clause);
        // The most active first: they are false most often.
        lits.sort_by(|a, b| {
            self.heap.activity[b.var().index()].total_cmp(&self.heap.activity[a.var().index()]).then(a.cmp(b))
        });
        let mut conflict = None;
        let mut implied = None;
        for &lit in &lits {
            match self.trail.value(lit) {
                0 => {
                    self.trail.new_level();
                    self.trail.push(!lit, Reason::DECISION);
                    conflict = self.propagate_clauses();
                    if conflict.is_some() {
                        break;
                    }
                }
                1 => {
                    implied = Some(lit);
                    break;
                }
                _ => {}
            }
        }
        // Which decisions does the conflict, or the implied literal, or the whole clause depend on?
        let (kept, source) = match (conflict, implied) {
            (Some(conflict), _) => (self.decisions_behind(conflict, None), Some(conflict)),
            (None, Some(lit)) => {
                let reason = self.trail.reason(lit.var()).as_clause();
                let reason = reason.expect("an implied literal of a vivified clause was propagated");
                let mut kept = self.decisions_behind(reason, Some(lit));
                kept.push(lit);
                (kept, Some(reason))
            }
            (None, None) => {
                // Literals that were implied false are superfluous.
                let decided =
                    |lit: &Lit| self.trail.level_of(lit.var()) > 0 && self.trail.reason(lit.var()) == Reason::DECISION;
                (lits.iter().copied().filter(decided).collect(), None)
            }
        };
        if kept.len() == lits.len() {
            self.backtrack(&mut NoTheory, 0);
            self.reattach(clause);
            return;
        }
        self.stats.vivified += 1;
        let number = match source {
            Some(source) => self.log_derived(&kept, source),
            None => self.log_derived(&kept, clause),
        };
        self.backtrack(&mut NoTheory, 0);
        let glue = self.clauses.glue(clause).min(kept.len() as u32 - u32::from(!kept.is_empty()));
        self.delete(clause);
        match kept[..] {
            [] => self.consistent = false,
            [unit] => {
                self.assign_unit(unit, number);
                if let Some(conflict) = self.propagate_clauses() {
                    self.log_root_conflict(conflict);
                    self.consistent = false;
                }
            }
            _ => {
                let new = self.attach(&kept, Some(glue), number);
                self.clauses.set_vivified(new);
                self.clauses.set_used(new, memory_of(glue).max(2));
                self.learnt.push(new);
            }
        }
    }

    /// Negated decisions that make the clause's literals (but `except`) false.
    fn decisions_behind(&mut self, clause: ClauseRef, except: Option<Lit>) -> Vec<Lit> {
        let mut found = Vec::new();
        let mut todo = vec![clause];
        let mut skip = except;
        while let Some(clause) = todo.pop() {
            for i in 0..self.clauses.len(clause) {
                let lit = Lit::from_code(self.clauses.codes(clause)[i]);
                let var = lit.var();
                if skip == Some(lit) || self.trail.level_of(var) == 0 || self.seen[var.index()] & SEEN != 0 {
                    continue;
                }
                self.seen[var.index()] |= SEEN;
                self.to_clear.push(var);
                match self.trail.reason(var).as_clause() {
                    Some(reason) => todo.push(reason),
                    None => found.push(lit),
                }
            }
            skip = None;
        }
        self.clear_seen();
        found
    }

    fn reattach(&mut self, clause: ClauseRef) {
        // At level zero all literals are open or false for good; the first two must be open.
        let trail = &self.trail;
        self.clauses.codes_mut(clause).sort_by_key(|&code| trail.values[code as usize] != 0);
        let codes = self.clauses.codes(clause);
        let (first, second) = (Lit::from_code(codes[0]), Lit::from_code(codes[1]));
        debug_assert!(self.trail.value(second) == 0, "two literals of a clause are open after propagation");
        self.watches[first.index()].push(crate::solver::Watch { clause, blocker: second });
        self.watches[second.index()].push(crate::solver::Watch { clause, blocker: first });
    }
}
