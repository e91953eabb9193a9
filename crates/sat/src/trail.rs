//! The trail: assigned literals in order, with levels and reasons.

use crate::clauses::ClauseRef;
use crate::{Lit, SatVar};

/// Why a literal is true.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reason(u32);

impl Reason {
    /// A decision or an assumption.
    pub const DECISION: Reason = Reason(u32::MAX);
    /// The theory implied it and will explain when asked.
    pub const THEORY: Reason = Reason(u32::MAX - 1);
    /// All other literals of the clause are false.
    pub fn clause(clause: ClauseRef) -> Self {
        debug_assert!(clause.0 < u32::MAX - 1, "the last two offsets are taken");
        Reason(clause.0)
    }
    pub fn as_clause(self) -> Option<ClauseRef> {
        (self != Reason::DECISION && self != Reason::THEORY).then_some(ClauseRef(self.0))
    }
}

/// What is known of an assigned variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Assigned {
    pub level: u32,
    pub position: u32,
    pub reason: Reason,
}

/// Assigned literals in order.
#[derive(Clone, Default)]
pub(crate) struct Trail {
    pub lits: Vec<Lit>,
    /// Where each decision level starts.
    pub limits: Vec<u32>,
    /// Literals before this have been propagated.
    pub head: usize,
    /// Literals before this have been shown to the theory.
    pub theory_head: usize,
    /// By literal: 1 true, -1 false, 0 open.
    pub values: Vec<i8>,
    /// By variable; meaningful while it is assigned.
    pub assigned: Vec<Assigned>,
}

impl Trail {
    pub fn grow(&mut self) {
        self.values.extend([0, 0]);
        self.assigned.push(Assigned { level: 0, position: 0, reason: Reason::DECISION });
    }
    #[inline]
    pub fn value(&self, lit: Lit) -> i8 {
        self.values[lit.index()]
    }
    #[inline]
    pub fn level_of(&self, var: SatVar) -> u32 {
        self.assigned[var.index()].level
    }
    #[inline]
    pub fn reason(&self, var: SatVar) -> Reason {
        self.assigned[var.index()].reason
    }
    pub fn level(&self) -> u32 {
        self.limits.len() as u32
    }
    #[inline]
    pub fn push(&mut self, lit: Lit, reason: Reason) {
        debug_assert_eq!(self.value(lit), 0, "only an open literal is assigned");
        self.values[lit.index()] = 1;
        self.values[(!lit).index()] = -1;
        self.assigned[lit.var().index()] =
            Assigned { level: self.limits.len() as u32, position: self.lits.len() as u32, reason };
        self.lits.push(lit);
    }
    pub fn new_level(&mut self) {
        self.limits.push(self.lits.len() as u32);
    }
}
