//! Minimisation of learnt clauses: a literal goes if the others imply it.
//!
//! Follows reasons backwards from the literal; if every path ends in literals of the clause or at
//! level zero, it is redundant ([SorenssonBiere-SAT'09]). Iterative, with memory of what was found
//! (removable, poison), and cut off at levels the clause has no literal of.

use crate::Lit;
use crate::analyze::{POISON, REMOVABLE, SEEN};
use crate::solver::Solver;

impl Solver {
    /// Removes redundant literals from `learning`; the first stays.
    pub(crate) fn minimize(&mut self) {
        let before = self.learning.len();
        // Only levels that the clause has a literal of can lead back to it.
        self.level_clock += 1;
        for i in 1..self.learning.len() {
            let level = self.trail.level_of(self.learning[i].var()) as usize;
            self.level_stamp[level] = self.level_clock;
        }
        let mut to = 1;
        for from in 1..before {
            let lit = self.learning[from];
            if !self.is_redundant(lit) {
                self.learning[to] = lit;
                to += 1;
            }
        }
        self.learning.truncate(to);
        self.stats.minimized_literals += (before - to) as u64;
    }

    fn is_redundant(&mut self, lit: Lit) -> bool {
        if self.trail.reason(lit.var()).as_clause().is_none() {
            return false;
        }
        // Depth-first; an entry is visited twice: first to push what it needs, then to conclude.
        self.stack.clear();
        self.stack.push(lit);
        self.waiting.clear();
        while let Some(&top) = self.stack.last() {
            let var = top.var();
            let is_root = self.stack.len() == 1;
            if self.waiting.last() == Some(&(self.stack.len() as u32 - 1)) {
                // All it needs was found removable.
                self.waiting.pop();
                self.stack.pop();
                if !is_root {
                    self.seen[var.index()] |= REMOVABLE;
                    self.to_clear.push(var);
                }
                continue;
            }
            let state = self.seen[var.index()];
            if !is_root && state & (SEEN | REMOVABLE) != 0 {
                self.stack.pop();
                continue;
            }
            let level = self.trail.level_of(var);
            let clause = self.trail.reason(var).as_clause();
            let hopeless = !is_root
                && (state & POISON != 0 || clause.is_none() || self.level_stamp[level as usize] != self.level_clock);
            let (false, Some(clause)) = (hopeless, clause) else {
                for &lit in &self.stack[1..] {
                    self.seen[lit.var().index()] |= POISON;
                    self.to_clear.push(lit.var());
                }
                return false;
            };
            self.waiting.push(self.stack.len() as u32 - 1);
            for i in 0..self.clauses.len(clause) {
                let other = Lit::from_code(self.clauses.codes(clause)[i]);
                if other.var() != var
                    && self.trail.level_of(other.var()) != 0
                    && self.seen[other.var().index()] & (SEEN | REMOVABLE) == 0
                {
                    self.stack.push(other);
                }
            }
        }
        true
    }
}
