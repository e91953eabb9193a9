//! Which learnt clauses to keep.
//!
//! Glue up to two stays for good; up to six stays while it is used now and then; of the rest the worse
//! half goes ([AudemardSimon-IJCAI'09], tiers as in [Oh-SAT'15]).

use crate::clauses::ClauseRef;
use crate::solver::Solver;

impl Solver {
    pub(crate) fn reduce_due(&self) -> bool {
        self.stats.conflicts >= self.next_reduce
    }
    /// Deletes learnt clauses that are of little use, and explanations that are reasons no more.
    pub(crate) fn reduce(&mut self) {
        self.stats.reductions += 1;
        let interval = self.settings.reduce_interval as f64 * ((self.stats.reductions + 1) as f64).sqrt();
        self.next_reduce = self.stats.conflicts + interval as u64;

        let mut candidates: Vec<(u32, usize, ClauseRef)> = Vec::new();
        for i in 0..self.learnt.len() + self.temporary.len() {
            let clause = *self.learnt.get(i).unwrap_or_else(|| &self.temporary[i - self.learnt.len()]);
            if !self.clauses.is_learnt(clause) || self.clauses.len(clause) == 2 {
                continue; // The temporary clause itself, or a binary one that depends on it.
            }
            let used = self.clauses.used(clause);
            self.clauses.set_used(clause, used.saturating_sub(1));
            if used > 0 || self.clauses.glue(clause) <= 2 || self.is_reason(clause) {
                continue;
            }
            candidates.push((self.clauses.glue(clause), self.clauses.len(clause), clause));
        }
        candidates.sort_unstable_by_key(|&(glue, len, clause)| std::cmp::Reverse((glue, len, clause)));
        for &(_, _, clause) in &candidates[..candidates.len() / 2 + candidates.len() / 4] {
            self.delete(clause);
        }
        self.drop_explanations();
    }

    /// Deletes explanations that are reasons no more.
    pub(crate) fn drop_explanations(&mut self) {
        for i in 0..self.explanations.len() {
            let clause = self.explanations[i];
            if !self.is_reason(clause) {
                self.delete(clause);
            }
        }
        self.flush_deleted();
    }

    /// Whether the clause is the reason of a literal on the trail.
    pub(crate) fn is_reason(&self, clause: ClauseRef) -> bool {
        self.clauses
            .lits(clause)
            .take(2)
            .any(|lit| self.trail.value(lit) > 0 && self.trail.reason(lit.var()).as_clause() == Some(clause))
    }
    pub(crate) fn delete(&mut self, clause: ClauseRef) {
        let number = self.clauses.number(clause);
        if let Some(log) = &mut self.log {
            log.delete(proof::ClauseId(number));
        }
        self.clauses.delete(clause);
    }
    /// Takes deleted clauses out of all lists, and compacts the arena when much of it is waste.
    pub(crate) fn flush_deleted(&mut self) {
        let clauses = &self.clauses;
        for list in self.watches.iter_mut().chain(&mut self.binary) {
            list.retain(|watch| !clauses.is_deleted(watch.clause));
        }
        self.given.retain(|&clause| !clauses.is_deleted(clause));
        self.learnt.retain(|&clause| !clauses.is_deleted(clause));
        self.explanations.retain(|&clause| !clauses.is_deleted(clause));
        self.temporary.retain(|&clause| !clauses.is_deleted(clause));
        if self.clauses.wasted * 4 > self.clauses.words() {
            self.collect();
        }
    }
}
