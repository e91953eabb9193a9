//! Compaction of the clause arena.
//!
//! Live clauses move to a fresh arena, those watched by one literal side by side, since they are
//! visited together; every reference follows its clause.

use crate::clauses::{ClauseRef, Clauses};
use crate::solver::Solver;
use crate::trail::Reason;

impl Solver {
    pub(crate) fn collect(&mut self) {
        self.stats.collections += 1;
        let mut old = std::mem::take(&mut self.clauses);
        let mut new = Clauses::default();
        let mut moved = vec![false; old.words()];
        let mut follow = |clause: ClauseRef| {
            if std::mem::replace(&mut moved[clause.0 as usize], true) {
                old.forwarded(clause)
            } else {
                old.move_to(clause, &mut new)
            }
        };
        for list in self.binary.iter_mut().chain(&mut self.watches) {
            for watch in list.iter_mut() {
                watch.clause = follow(watch.clause);
            }
        }
        for list in [&mut self.given, &mut self.learnt, &mut self.explanations, &mut self.temporary] {
            for clause in list.iter_mut() {
                *clause = follow(*clause);
            }
        }
        for lit in &self.trail.lits {
            let reason = &mut self.trail.assigned[lit.var().index()].reason;
            if let Some(clause) = reason.as_clause() {
                *reason = Reason::clause(follow(clause));
            }
        }
        self.clauses = new;
    }
}
