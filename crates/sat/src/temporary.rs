//! A clause for one query that leaves no trace.
//!
//! The clause is guarded by a switch variable that the query assumes. Whatever is learnt from the
//! clause contains the switch negated, so after the query exactly those clauses go, and the same
//! variable serves the next query.

use proof::ClauseId;

use crate::Lit;
use crate::clauses::ClauseRef;
use crate::solver::Solver;
use crate::theory::Theory;

/// What became of a temporary clause.
pub(crate) enum Temporary {
    /// It is there while this literal is assumed.
    Guarded(Lit),
    /// It holds anyway.
    Holds,
    /// It contradicts the permanent clauses.
    Fails,
}

impl Solver {
    /// Adds the clause behind the switch. The trail stays as far as the clause can be watched.
    pub(crate) fn add_temporary<T: Theory>(&mut self, theory: &mut T, lits: &[Lit]) -> Temporary {
        self.release_switch(theory);
        // New units can fix the switch for good (all other literals of a temporary clause became false).
        // That costs a variable at most once per unit.
        let switch = match self.switch {
            Some(switch) if self.trail.value(switch.positive()) == 0 => switch,
            _ => {
                let switch = self.new_var();
                *self.switch.insert(switch)
            }
        };
        let mut kept = lits.to_vec();
        kept.sort_unstable();
        kept.dedup();
        let is_tautology = kept.windows(2).any(|pair| pair[0] == !pair[1]);
        if is_tautology || kept.iter().any(|&lit| self.fixed(lit) == Some(true)) {
            return Temporary::Holds;
        }
        kept.push(switch.negative());
        let number = self.log.as_mut().map_or(0, |log| log.input(&kept).0);
        let mut hints: Vec<ClauseId> = Vec::new();
        kept.retain(|&lit| {
            let keep = self.fixed(lit).is_none();
            if !keep {
                hints.push(ClauseId(self.unit_numbers[lit.var().index()]));
            }
            keep
        });
        hints.push(ClauseId(number));
        let number = match &mut self.log {
            Some(log) if hints.len() > 1 => log.derived(&kept, &hints).0,
            _ => number,
        };
        if kept.len() == 1 {
            return Temporary::Fails;
        }
        // The two that watch are not false: the switch, and another, for which some levels may have to go.
        let is_false = |solver: &Solver, lit: Lit| solver.trail.value(lit) < 0;
        if kept[..kept.len() - 1].iter().all(|&lit| is_false(self, lit)) {
            let level = kept[..kept.len() - 1].iter().map(|lit| self.trail.level_of(lit.var())).max();
            self.backtrack(theory, level.expect("a literal beside the switch") - 1);
        }
        let open = kept.iter().position(|&lit| !is_false(self, lit)).expect("a literal was made open");
        kept.swap(0, open);
        let last = kept.len() - 1;
        kept.swap(1, last);
        let clause = self.attach(&kept, None, number);
        self.temporary.push(clause);
        Temporary::Guarded(switch.positive())
    }

    /// Whether a learnt clause depends on the temporary one.
    pub(crate) fn is_temporary(&self, lits: &[Lit]) -> bool {
        self.switch.is_some_and(|switch| lits.contains(&switch.negative()))
    }

    /// Removes the temporary clause and all that was learnt from it.
    pub(crate) fn remove_temporary<T: Theory>(&mut self, theory: &mut T) {
        if self.temporary.is_empty() {
            return;
        }
        self.release_switch(theory);
        for clause in std::mem::take(&mut self.temporary) {
            self.detach(clause);
            self.delete(clause);
        }
        if self.clauses.wasted * 2 > self.clauses.words() {
            self.flush_deleted();
        }
    }

    /// Takes back the level on which the switch got its value. What a temporary clause made true came with it or later, since
    /// each of them holds the switch; so none is a reason afterwards.
    fn release_switch<T: Theory>(&mut self, theory: &mut T) {
        if let Some(switch) = self.switch
            && self.trail.value(switch.positive()) != 0
        {
            let level = self.trail.level_of(switch);
            self.backtrack(theory, level.saturating_sub(1));
        }
    }

    /// Takes a clause out of the lists of the literals that watch it.
    pub(crate) fn detach(&mut self, clause: ClauseRef) {
        let codes = self.clauses.codes(clause);
        let (first, second) = (codes[0] as usize, codes[1] as usize);
        let lists = if codes.len() == 2 { &mut self.binary } else { &mut self.watches };
        for watched in [first, second] {
            let list = &mut lists[watched];
            let at = list.iter().rposition(|watch| watch.clause == clause);
            list.swap_remove(at.expect("a clause is watched by its first two literals"));
        }
    }
}
