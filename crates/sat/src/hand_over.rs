//! Hard queries can be handed over to another solver.
//!
//! Ours starts with every query, since it answers small ones at once and keeps what it learns. A query that is
//! still open after a given number of conflicts is hard, whatever its size; then all given clauses go to the other
//! solver, which begins afresh. A model comes back as phases: our own search decides them one after
//! the other, so the trail is a model that was checked on the way, and a wrong one would only cost time. From a
//! refutation comes the core, and it cannot be checked: with a log the built-in solver does it alone, and so it does
//! with a theory, which takes part in the search, and with a domain, which only ours can keep to.

#[cfg(feature = "cadical")]
use base::{Budget, Stopped};

use crate::solver::Solver;
use crate::theory::Theory;

/// The solver for hard queries.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Backend {
    /// This solver alone.
    #[default]
    BuiltIn,
    /// CaDiCaL, once a query has taken this many conflicts.
    #[cfg(feature = "cadical")]
    Cadical {
        /// The conflicts after which a query counts as hard.
        after: u64,
    },
}

impl Backend {
    /// CaDiCaL for queries that take more than the usual number of conflicts.
    #[cfg(feature = "cadical")]
    pub const CADICAL: Backend = Backend::Cadical { after: 1000 };
}

impl Solver {
    /// Selects the solver for hard queries.
    pub fn set_backend(&mut self, backend: Backend) {
        self.backend = backend;
    }

    /// The query begins here.
    pub(crate) fn start_counting(&mut self) {
        self.conflicts_before_query = self.stats.conflicts;
        self.handed_over = false;
    }

    pub(crate) fn hand_over_due<T: Theory>(&self) -> bool {
        let is_hard = match self.backend {
            Backend::BuiltIn => false,
            #[cfg(feature = "cadical")]
            Backend::Cadical { after } => self.stats.conflicts - self.conflicts_before_query >= after,
        };
        is_hard && !self.handed_over && !T::ACTIVE && self.log.is_none() && self.domain_stamp.is_none()
    }

    /// Asks the other solver. `Some`: the query is contradictory. `None`: our search goes on, with the model as
    /// phases. The trail holds nothing above the assumptions.
    #[cfg(feature = "cadical")]
    pub(crate) fn hand_over(&mut self, budget: &Budget) -> Result<Option<crate::Outcome>, Stopped> {
        use crate::cadical::{Answer, ask};

        self.handed_over = true;
        self.stats.handed_over += 1;
        match ask(self.n_vars(), self.problem(), &self.assumptions, budget)? {
            Answer::Sat(model) => {
                self.phases.follow(&model);
                Ok(None)
            }
            Answer::Unsat(core) => {
                self.core = core;
                self.consistent = !self.core.is_empty();
                if let Some(switch) = self.switch {
                    self.core.retain(|lit| lit.var() != switch);
                }
                Ok(Some(crate::Outcome::Unsat))
            }
        }
    }
    /// This build contains no other solver.
    #[cfg(not(feature = "cadical"))]
    pub(crate) fn hand_over(&mut self, _: &base::Budget) -> Result<Option<crate::Outcome>, base::Stopped> {
        Ok(None)
    }

    /// The clauses that everything else follows from: literals fixed at level zero, given and temporary clauses.
    #[cfg(feature = "cadical")]
    fn problem(&self) -> impl Iterator<Item = Vec<crate::Lit>> + '_ {
        let n_fixed = self.trail.limits.first().map_or(self.trail.lits.len(), |&limit| limit as usize);
        let fixed = self.trail.lits[..n_fixed].iter().map(|&lit| vec![lit]);
        let is_problem = |clause| !self.clauses.is_learnt(clause);
        let temporary =
            self.temporary.iter().filter(move |&&clause| is_problem(clause) && self.clauses.len(clause) > 2);
        let long = self.given.iter().chain(temporary).map(|&clause| self.clauses.lits(clause).collect());
        let binary = self.binary.iter().enumerate().flat_map(move |(code, list)| {
            let lit = crate::Lit::from_code(code as u32);
            let once = list.iter().filter(move |watch| lit < watch.blocker && is_problem(watch.clause));
            once.map(move |watch| vec![lit, watch.blocker])
        });
        fixed.chain(binary).chain(long)
    }
}
