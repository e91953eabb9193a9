//! The search: propagate, learn from conflicts, decide, until an answer.
//!
//! Between queries the trail stays; a query whose assumptions begin like the last one's goes on from
//! where they part.

use base::{Budget, Stopped};

use crate::solver::Solver;
use crate::temporary::Temporary;
use crate::theory::{Consequences, Theory};
use crate::trail::Reason;
use crate::{Lit, SatVar};

/// A query to the solver.
#[derive(Clone, Copy, Debug, Default)]
pub struct Query<'a> {
    /// Literals taken to be true, in order.
    pub assumptions: &'a [Lit],
    /// A clause for this query only.
    pub clause: Option<&'a [Lit]>,
    /// Only these variables are decided; once all of them have values and propagation is done, the answer is
    /// `Sat`. Right where the other variables are defined by these, so that a model extends to them.
    pub domain: Option<&'a [SatVar]>,
}

impl<'a> Query<'a> {
    /// A query with assumptions alone.
    pub fn assuming(assumptions: &'a [Lit]) -> Self {
        Query { assumptions, clause: None, domain: None }
    }
}

/// The answer to a query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Satisfiable; `Solver::value` gives the model.
    Sat,
    /// Unsatisfiable; `Solver::core` names assumptions that suffice.
    Unsat,
    /// Not answered yet: the theory requested a pause. The next call continues with the learnt clauses.
    Paused,
}

impl Solver {
    /// Answers a query. The model lasts until the next call that changes the solver.
    pub fn solve<T: Theory>(&mut self, theory: &mut T, query: &Query<'_>, budget: &Budget) -> Result<Outcome, Stopped> {
        self.stats.queries += 1;
        self.core.clear();
        self.remove_temporary(theory);
        if self.explanations.len() > self.settings.max_explanations {
            self.drop_explanations();
        }
        if !self.consistent {
            return Ok(Outcome::Unsat);
        }
        let mut assumptions = Vec::with_capacity(query.assumptions.len() + 1);
        assumptions.extend(query.assumptions);
        self.keep_shared_levels(theory, &assumptions);
        if let Some(clause) = query.clause {
            match self.add_temporary(theory, clause) {
                // Last, so that it is in the way of no assumption that the next query may share.
                Temporary::Guarded(switch) => assumptions.push(switch),
                Temporary::Holds => {}
                Temporary::Fails => return Ok(Outcome::Unsat),
            }
        }
        self.enter(assumptions, query.domain);
        self.start_counting();
        self.pace_reductions();
        self.restarts.start_query(&self.settings);
        self.next_inprocess = self.stats.conflicts + self.settings.inprocess_interval;
        self.search(theory, budget)
    }

    /// Keeps the part of the trail that stays valid: the levels of the assumptions that both queries begin with.
    fn keep_shared_levels<T: Theory>(&mut self, theory: &mut T, assumptions: &[Lit]) {
        let same = self.assumptions.iter().zip(assumptions).take_while(|(old, new)| old == new).count();
        // Levels of the last query's own decisions go, unless they were assumptions.
        self.backtrack(theory, same as u32);
    }

    /// Takes over assumptions and domain.
    fn enter(&mut self, assumptions: Vec<Lit>, domain: Option<&[SatVar]>) {
        self.assumptions = assumptions;
        // A repeated assumption has a level without a variable, so there may be more levels than variables.
        let levels = self.n_vars() + self.assumptions.len() + 1;
        if self.level_stamp.len() < levels {
            self.level_stamp.resize(levels, 0);
        }
        match domain {
            Some(vars) => {
                self.stamps += 1;
                self.domain_stamp = Some(self.stamps);
                self.heap.clear();
                self.heap_is_full = false;
                for &var in vars {
                    self.domain[var.index()] = self.stamps;
                    if self.trail.value(var.positive()) == 0 {
                        self.heap.insert(var);
                    }
                }
            }
            None => {
                self.domain_stamp = None;
                if !self.heap_is_full {
                    self.heap_is_full = true;
                    for var in (0..self.n_vars() as u32).map(SatVar) {
                        if self.trail.value(var.positive()) == 0 {
                            self.heap.insert(var);
                        }
                    }
                }
            }
        }
    }

    /// The CDCL loop. Long: each technique is a function; the loop fixes their order.
    fn search<T: Theory>(&mut self, theory: &mut T, budget: &Budget) -> Result<Outcome, Stopped> {
        loop {
            if self.ticks >= self.settings.ticks_between_checks {
                let ticks = std::mem::take(&mut self.ticks);
                budget.spend(ticks)?;
            }
            if T::ACTIVE && theory.pause_due() {
                return Ok(Outcome::Paused);
            }
            if let Some(conflict) = self.propagate(theory) {
                if !self.learn_from(theory, conflict) {
                    self.core.clear();
                    return Ok(Outcome::Unsat);
                }
                continue;
            }
            if !self.consistent {
                return Ok(Outcome::Unsat);
            }
            if self.restart_due() {
                self.restart(theory);
                if self.hand_over_due::<T>() {
                    match self.hand_over(budget)? {
                        Some(outcome) => return Ok(outcome),
                        None => continue, // The phases are a model now: nothing may change them.
                    }
                }
                if self.phases.rephase_due() {
                    self.phases.rephase();
                }
                if self.stats.conflicts >= self.next_inprocess && self.domain_stamp.is_none() {
                    self.inprocess(theory, budget)?;
                    if !self.consistent {
                        return Ok(Outcome::Unsat);
                    }
                }
                continue;
            }
            if self.reduce_due() {
                self.reduce();
            }
            // Assumptions have a level each, so that levels and assumptions match across queries.
            if (self.trail.level() as usize) < self.assumptions.len() {
                let assumption = self.assumptions[self.trail.level() as usize];
                match self.trail.value(assumption) {
                    0 => {
                        self.trail.new_level();
                        self.trail.push(assumption, Reason::DECISION);
                    }
                    1 => self.trail.new_level(),
                    _ => {
                        self.collect_core(theory, assumption);
                        return Ok(Outcome::Unsat);
                    }
                }
                continue;
            }
            if let Some(var) = self.next_decision() {
                self.stats.decisions += 1;
                let lit = self.phases.choose(var, self.restarts.stable);
                self.trail.new_level();
                self.trail.push(lit, Reason::DECISION);
                continue;
            }
            if T::ACTIVE {
                let mut out = Consequences { n_vars: self.n_vars() as u32, ..Consequences::default() };
                theory.complete(&mut out);
                if !out.is_empty() {
                    if let Some(conflict) = self.take_consequences(theory, out)
                        && !self.learn_from(theory, conflict)
                    {
                        self.core.clear();
                        return Ok(Outcome::Unsat);
                    }
                    continue;
                }
                if out.n_vars as usize > self.n_vars() {
                    self.take_consequences(theory, out);
                    continue;
                }
            }
            return Ok(Outcome::Sat);
        }
    }

    fn next_decision(&mut self) -> Option<SatVar> {
        if self.restarts.stable || self.domain_stamp.is_some() {
            while let Some(var) = self.heap.pop() {
                if self.trail.value(var.positive()) == 0 {
                    return Some(var);
                }
            }
            None
        } else {
            let trail = &self.trail;
            self.queue.next_open(|var| trail.value(var.positive()) == 0)
        }
    }

    /// One round of the techniques that pay off only on long queries, at level zero.
    fn inprocess<T: Theory>(&mut self, theory: &mut T, budget: &Budget) -> Result<(), Stopped> {
        self.backtrack(theory, 0);
        self.probe(theory, budget)?;
        if self.consistent {
            self.subsume(budget)?;
            self.vivify(theory, budget)?;
        }
        let interval = self.settings.inprocess_interval;
        self.next_inprocess = self.stats.conflicts + interval + (self.stats.conflicts >> 2);
        Ok(())
    }
}
