//! How a theory takes part in the search.
//!
//! The solver shows the theory each literal as it becomes true. The theory answers with literals
//! that follow (it will be asked why only if a conflict needs it) and with clauses that are valid in
//! the theory, which may mention new variables. A clause whose literals are all false is a conflict.

use crate::{Lit, SatVar};

/// Output of a theory: implied literals, clauses, new variables.
#[derive(Debug, Default)]
pub struct Consequences {
    /// Literals that follow from those shown.
    pub(crate) implied: Vec<Lit>,
    /// Clauses, flat: length, then literals' codes.
    pub(crate) clauses: Vec<u32>,
    /// The number of variables, old and new.
    pub(crate) n_vars: u32,
}

impl Consequences {
    /// This literal follows from those shown; `Theory::explain` returns the reason.
    pub fn imply(&mut self, lit: Lit) {
        self.implied.push(lit);
    }
    /// This clause is valid in the theory.
    pub fn clause(&mut self, lits: &[Lit]) {
        self.clauses.push(lits.len() as u32);
        self.clauses.extend(lits.iter().map(|lit| lit.code()));
    }
    /// A variable that did not exist before.
    pub fn new_var(&mut self) -> SatVar {
        self.n_vars += 1;
        SatVar(self.n_vars - 1)
    }
    /// Whether there is no output.
    pub fn is_empty(&self) -> bool {
        self.implied.is_empty() && self.clauses.is_empty()
    }
}

/// A theory that takes part in the search.
pub trait Theory {
    /// Whether the theory takes part; if `false`, the solver skips its hooks.
    const ACTIVE: bool;
    /// These literals became true, in this order, since the last call.
    fn propagate(&mut self, news: &[Lit], out: &mut Consequences);
    /// Every variable (of the domain) has a value: no output accepts it as a model.
    fn complete(&mut self, out: &mut Consequences);
    /// Whether the search should stop soon with [`Outcome::Paused`](crate::Outcome::Paused), because the owner of
    /// the theory has something to add at level zero first. Asked between rounds of propagation.
    fn pause_due(&self) -> bool;
    /// The work since the last call, in the ticks of the solver; what is not reported is not charged.
    fn take_ticks(&mut self) -> u64 {
        0
    }
    /// Of the literals shown, only the first `n` are still true.
    fn backtrack(&mut self, n: usize);
    /// Why `lit` followed: writes the other literals of a valid clause `lit or …`, all of them false and
    /// assigned before `lit` was.
    fn explain(&mut self, lit: Lit, clause: &mut Vec<Lit>);
}

/// Plain propositional logic.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTheory;

impl Theory for NoTheory {
    const ACTIVE: bool = false;
    fn propagate(&mut self, _: &[Lit], _: &mut Consequences) {}
    fn complete(&mut self, _: &mut Consequences) {}
    fn pause_due(&self) -> bool {
        false
    }
    fn backtrack(&mut self, _: usize) {}
    fn explain(&mut self, _: Lit, _: &mut Vec<Lit>) {}
}
