//! Unit propagation with two watched literals.
//!
//! A long clause is watched by its first two literals; it is looked at only when one of them becomes
//! false and its blocker (some other literal of it) is not true ([MoskewiczEtAl-DAC'01]). Binary clauses
//! have lists of their own and are never looked at in the arena.

use proof::ClauseId;

use crate::Lit;
use crate::reduce::memory_of;
use crate::solver::{Conflict, Solver, Watch};
use crate::theory::{Consequences, Theory};
use crate::trail::Reason;

impl Solver {
    /// Propagates clauses and theory to a fixpoint, or to a conflict.
    pub(crate) fn propagate<T: Theory>(&mut self, theory: &mut T) -> Option<Conflict> {
        loop {
            if let Some(conflict) = self.propagate_clauses() {
                return Some(conflict);
            }
            if !T::ACTIVE || self.trail.theory_head == self.trail.lits.len() {
                return None;
            }
            let mut out = Consequences { n_vars: self.n_vars() as u32, ..Consequences::default() };
            let news = &self.trail.lits[self.trail.theory_head..];
            theory.propagate(news, &mut out);
            self.ticks += theory.take_ticks();
            self.trail.theory_head = self.trail.lits.len();
            if let Some(conflict) = self.take_consequences(theory, out) {
                return Some(conflict);
            }
            if !self.consistent {
                return None;
            }
        }
    }

    /// Takes the output of the theory: new variables, clauses, implied literals.
    pub(crate) fn take_consequences<T: Theory>(&mut self, theory: &mut T, out: Consequences) -> Option<Conflict> {
        while (self.n_vars() as u32) < out.n_vars {
            self.new_var();
        }
        let mut conflict = None;
        let mut rest = &out.clauses[..];
        while let Some((&len, tail)) = rest.split_first() {
            let (codes, tail) = tail.split_at(len as usize);
            rest = tail;
            let lits: Vec<Lit> = codes.iter().map(|&code| Lit::from_code(code)).collect();
            self.stats.theory_clauses += 1;
            let found = self.add_theory_clause(theory, &lits);
            conflict = found.or(conflict.filter(|&c| self.is_conflict(c)));
            if !self.consistent {
                return None;
            }
        }
        if conflict.is_some() {
            return conflict;
        }
        for &lit in &out.implied {
            match self.trail.value(lit) {
                0 => {
                    self.stats.theory_propagations += 1;
                    if self.trail.level() == 0 {
                        let mut clause = Vec::new();
                        theory.explain(lit, &mut clause);
                        clause.push(lit);
                        let number = self.log.as_mut().map_or(0, |log| log.lemma(&clause).0);
                        self.simplify_and_attach(&clause, number);
                        if !self.consistent {
                            return None;
                        }
                    } else {
                        self.trail.push(lit, Reason::THEORY);
                    }
                }
                1 => {}
                _ => {
                    let mut clause = Vec::new();
                    theory.explain(lit, &mut clause);
                    clause.push(lit);
                    return self.add_theory_clause(theory, &clause);
                }
            }
        }
        None
    }

    fn is_conflict(&self, clause: Conflict) -> bool {
        self.clauses.lits(clause).all(|lit| self.trail.value(lit) < 0)
    }

    /// Adds a clause in the middle of the search. Backtracks as far as needed for it to be watched
    /// properly; returns it if it is false even so.
    pub(crate) fn add_theory_clause<T: Theory>(&mut self, theory: &mut T, lits: &[Lit]) -> Option<Conflict> {
        let number = self.log.as_mut().map_or(0, |log| log.lemma(lits).0);
        let mut kept = lits.to_vec();
        kept.sort_unstable();
        kept.dedup();
        if kept.windows(2).any(|pair| pair[0] == !pair[1]) {
            return None;
        }
        // The literals to watch come first: true or open ones, then those of the highest levels.
        let rank = |trail: &crate::trail::Trail, lit: Lit| match trail.value(lit) {
            1 => (0, trail.level_of(lit.var())),
            0 => (0, u32::MAX),
            _ => (1, u32::MAX - trail.level_of(lit.var())),
        };
        let trail = &self.trail;
        kept.sort_by_key(|&lit| rank(trail, lit));
        let level_of = |solver: &Solver, lit: Lit| {
            if solver.trail.value(lit) < 0 { solver.trail.level_of(lit.var()) } else { u32::MAX }
        };
        if kept.len() < 2 || level_of(self, kept[1]) == 0 {
            // At most one literal is not false at level zero.
            self.backtrack(theory, 0);
            self.simplify_and_attach(&kept, number);
            return None;
        }
        let (first, second) = (level_of(self, kept[0]), level_of(self, kept[1]));
        // The theory can produce it again, so it may be deleted like a learnt clause.
        let glue = kept.len() as u32 - 1;
        let clause = self.attach(&kept, Some(glue), number);
        self.clauses.set_used(clause, memory_of(glue).max(2));
        self.learnt.push(clause);
        if self.trail.value(kept[0]) > 0 {
            // True already, but perhaps on a higher level than its other literals make it: harmless
            // unless the watches would miss it later.
            if second != u32::MAX && self.trail.level_of(kept[0].var()) > second {
                self.backtrack(theory, second);
                if self.trail.value(kept[0]) == 0 {
                    self.trail.push(kept[0], Reason::clause(clause));
                }
            }
            return None;
        }
        if first == u32::MAX {
            if second != u32::MAX {
                // Unit: it should have been propagated at the level of its second literal.
                self.backtrack(theory, second);
                self.trail.push(kept[0], Reason::clause(clause));
            }
            return None;
        }
        // All false.
        if first > second {
            self.backtrack(theory, second);
            self.trail.push(kept[0], Reason::clause(clause));
            return None;
        }
        self.backtrack(theory, first);
        Some(clause)
    }

    /// Propagates clauses alone.
    pub(crate) fn propagate_clauses(&mut self) -> Option<Conflict> {
        let start = self.trail.head;
        let conflict = self.propagate_watches();
        self.stats.propagations += (self.trail.head - start) as u64;
        if self.trail.level() == 0 {
            self.settle_root_units(start);
        }
        conflict
    }

    fn propagate_watches(&mut self) -> Option<Conflict> {
        let mut ticks = 0;
        let mut conflict = None;
        while conflict.is_none() && self.trail.head < self.trail.lits.len() {
            let falsified = !self.trail.lits[self.trail.head];
            self.trail.head += 1;
            ticks += 1;

            let binary = &self.binary[falsified.index()];
            for watch in binary {
                match self.trail.value(watch.blocker) {
                    0 => self.trail.push(watch.blocker, Reason::clause(watch.clause)),
                    1 => {}
                    _ => {
                        conflict = Some(watch.clause);
                        break;
                    }
                }
            }
            if conflict.is_some() {
                break;
            }

            let mut list = std::mem::take(&mut self.watches[falsified.index()]);
            let len = list.len();
            ticks += 1 + len as u64 / 8;
            let (mut from, mut to) = (0, 0);
            'clauses: while from < len {
                let watch = list[from];
                from += 1;
                if self.trail.value(watch.blocker) > 0 {
                    list[to] = watch;
                    to += 1;
                    continue;
                }
                ticks += 1;
                let codes = self.clauses.codes_mut(watch.clause);
                // The other watched literal, by a trick: the exclusive or of both and this one.
                let other = Lit::from_code(codes[0] ^ codes[1] ^ falsified.code());
                let other_value = self.trail.values[other.index()];
                if other_value > 0 {
                    list[to] = Watch { clause: watch.clause, blocker: other };
                    to += 1;
                    continue;
                }
                let mut found = None;
                for (k, &code) in codes[2..].iter().enumerate() {
                    if self.trail.values[code as usize] >= 0 {
                        found = Some((k + 2, code));
                        break;
                    }
                }
                if let Some((k, code)) = found {
                    codes[0] = other.code();
                    codes[1] = code;
                    codes[k] = falsified.code();
                    self.watches[code as usize].push(Watch { clause: watch.clause, blocker: other });
                    continue 'clauses;
                }
                list[to] = Watch { clause: watch.clause, blocker: other };
                to += 1;
                if other_value < 0 {
                    conflict = Some(watch.clause);
                    break;
                }
                self.trail.push(other, Reason::clause(watch.clause));
            }
            while from < len {
                list[to] = list[from];
                from += 1;
                to += 1;
            }
            list.truncate(to);
            self.watches[falsified.index()] = list;
        }
        self.ticks += ticks;
        conflict
    }

    /// Literals propagated at level zero need no reason any more, so that no clause is held by them; with a
    /// log, a unit clause is written down for each.
    fn settle_root_units(&mut self, start: usize) {
        for i in start..self.trail.lits.len() {
            let lit = self.trail.lits[i];
            let Some(clause) = self.trail.reason(lit.var()).as_clause() else { continue };
            self.trail.assigned[lit.var().index()].reason = Reason::DECISION;
            if self.log.is_none() {
                continue;
            }
            let mut hints: Vec<ClauseId> = self
                .clauses
                .lits(clause)
                .filter(|&other| other != lit)
                .map(|other| ClauseId(self.unit_numbers[other.var().index()]))
                .collect();
            hints.push(ClauseId(self.clauses.number(clause)));
            if let Some(log) = &mut self.log {
                self.unit_numbers[lit.var().index()] = log.derived(&[lit], &hints).0;
            }
        }
    }
}
