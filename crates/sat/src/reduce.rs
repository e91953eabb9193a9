//! Which clauses to keep.
//!
//! A learnt clause is remembered for a number of reductions after it last took part in a conflict: long if its
//! glue is at most two, briefly if at most six, and of the rest that was not used just now the worse part goes
//! ([AudemardSimon-IJCAI'09], tiers as in [Oh-SAT'15]). *Unlike* there nothing is kept for good, not even a binary
//! clause: over millions of small queries what once was useful would pile up. The pace starts anew
//! with each query, so that only a long search makes room for more.
//!
//! Clauses that hold by literals fixed at level zero go as well: that is what is left of popped levels.

use crate::Lit;
use crate::clauses::{ClauseRef, LONGEST_MEMORY};
use crate::settings::Settings;
use crate::solver::{Solver, Watch};

/// For how many reductions a clause of this glue is safe after it was used.
pub(crate) fn memory_of(glue: u32) -> u32 {
    match glue {
        _ if glue <= Settings::DEFAULT.core_glue => LONGEST_MEMORY,
        _ if glue <= Settings::DEFAULT.middle_glue => 2,
        _ => 1,
    }
}

impl Solver {
    pub(crate) fn reduce_due(&self) -> bool {
        self.n_added() >= self.next_reduce
    }
    /// Clauses added so far, which sets the pace: one for each conflict, and those of the theory, which can be many more.
    fn n_added(&self) -> u64 {
        self.stats.conflicts + self.stats.theory_clauses
    }
    /// A new query: the pace of reductions starts anew.
    pub(crate) fn pace_reductions(&mut self) {
        self.reductions_in_query = 0;
        self.next_reduce = self.next_reduce.min(self.n_added() + self.settings.reduce_interval);
    }
    /// Deletes learnt clauses that are of little use, clauses that hold anyway, and explanations that are reasons
    /// no more.
    pub(crate) fn reduce(&mut self) {
        self.stats.reductions += 1;
        self.reductions_in_query += 1;
        let interval = self.settings.reduce_interval as f64 * ((self.reductions_in_query + 1) as f64).sqrt();
        self.next_reduce = self.n_added() + interval as u64;

        self.delete_satisfied();
        let mut candidates: Vec<(u32, usize, ClauseRef)> = Vec::new();
        for i in 0..self.learnt.len() + self.temporary.len() {
            let clause = *self.learnt.get(i).unwrap_or_else(|| &self.temporary[i - self.learnt.len()]);
            if !self.clauses.is_learnt(clause) || self.clauses.is_deleted(clause) {
                continue; // The temporary clause itself, or one that holds anyway.
            }
            let used = self.clauses.used(clause);
            self.clauses.set_used(clause, used.saturating_sub(1));
            if used > 0 || self.is_reason(clause) {
                continue;
            }
            candidates.push((self.clauses.glue(clause), self.clauses.len(clause), clause));
        }
        candidates.sort_unstable_by_key(|&(glue, len, clause)| std::cmp::Reverse((glue, len, clause)));
        for &(_, _, clause) in &candidates[..candidates.len() - candidates.len() / 4] {
            self.delete(clause);
        }
        self.drop_explanations();
    }

    /// Deletes clauses that are true at level zero, if something has been fixed there since the last time.
    fn delete_satisfied(&mut self) {
        let n_fixed = self.trail.limits.first().map_or(self.trail.lits.len(), |&limit| limit as usize);
        if n_fixed == self.n_fixed_before {
            return;
        }
        self.n_fixed_before = n_fixed;
        let mut satisfied: Vec<ClauseRef> = Vec::new();
        for &clause in self.given.iter().chain(&self.learnt) {
            if self.clauses.lits(clause).any(|lit| self.fixed(lit) == Some(true)) && !self.is_reason(clause) {
                satisfied.push(clause);
            }
        }
        // Given binary clauses stand in their watch lists alone; each is seen from its smaller literal.
        for (code, list) in self.binary.iter().enumerate() {
            for watch in list.iter().filter(|watch| code < watch.blocker.index()) {
                let holds = [Lit::from_code(code as u32), watch.blocker].map(|lit| self.fixed(lit) == Some(true));
                if holds.contains(&true) && !self.clauses.is_learnt(watch.clause) && !self.is_reason(watch.clause) {
                    satisfied.push(watch.clause);
                }
            }
        }
        for clause in satisfied {
            self.delete(clause);
        }
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
            give_back_room(list);
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

/// A list that was once long does not keep its room for ever.
fn give_back_room(list: &mut Vec<Watch>) {
    if list.capacity() > 16 && list.capacity() > 4 * list.len() {
        list.shrink_to(2 * list.len());
    }
}
