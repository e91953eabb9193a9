//! Forward subsumption among learnt clauses: a clause that contains another one is of no use.
//!
//! Each clause is connected through its rarest literal; a clause is checked against those connected to
//! its own literals, with a mark per literal.

use base::{Budget, Stopped};

use crate::clauses::ClauseRef;
use crate::solver::Solver;

impl Solver {
    pub(crate) fn subsume(&mut self, budget: &Budget) -> Result<(), Stopped> {
        let mut by_size: Vec<ClauseRef> = self.given.iter().chain(&self.learnt).copied().collect();
        by_size.sort_by_key(|&clause| (self.clauses.len(clause), clause));
        let mut occurrences = vec![0u32; 2 * self.n_vars()];
        for &clause in &by_size {
            for &code in self.clauses.codes(clause) {
                occurrences[code as usize] += 1;
            }
        }
        let mut connected: Vec<Vec<ClauseRef>> = vec![Vec::new(); 2 * self.n_vars()];
        let mut marked = vec![false; 2 * self.n_vars()];
        let mut ticks = 0;
        for &clause in &by_size {
            if ticks > self.settings.subsume_ticks {
                break;
            }
            budget.spend(1)?;
            let codes = self.clauses.codes(clause);
            for &code in codes {
                marked[code as usize] = true;
            }
            // Only learnt clauses are removed: the given ones are what the proof starts from.
            let subsumed = self.clauses.is_learnt(clause)
                && codes.iter().any(|&code| {
                    connected[code as usize].iter().any(|&small| {
                        ticks += 1;
                        self.clauses.codes(small).iter().all(|&other| marked[other as usize])
                    })
                })
                && !self.is_reason(clause);
            let codes = self.clauses.codes(clause);
            for &code in codes {
                marked[code as usize] = false;
            }
            if subsumed {
                self.stats.subsumed += 1;
                self.delete(clause);
            } else if codes.len() <= 20 {
                let rarest = codes.iter().min_by_key(|&&code| (occurrences[code as usize], code));
                let rarest = *rarest.expect("a clause has literals");
                connected[rarest as usize].push(clause);
            }
        }
        self.ticks += ticks;
        self.flush_deleted();
        Ok(())
    }
}
