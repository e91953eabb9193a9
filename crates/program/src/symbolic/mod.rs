//! Symbolic execution with merging: all runs of a bounded program at once, as an unrolling that executes.
//!
//! Paths are followed over the program as lowered, calls entered, loops unrolled for as long as runs can go on. Values are terms (`words`), memory is a map from
//! object and offset to words (`objects`, `access`), and the condition of a path is a truth function of the branches it has taken (`guards`). What is constant is computed and never
//! becomes part of a formula: a branch that constants or the guard decide has one way. Where paths meet, their states become one (`state`). What
//! is left at the end is one condition: that of all paths into errors (`explore`).
//!
//! This is bounded model checking as [ClarkeKroeningLerda-TACAS'04] do it, on a control-flow graph. Unlike the paper there is no bound on loops: an
//! [`Oracle`] is asked whether a loop can go on, after each round that took a branch which was not decided. It is the only one
//! who knows a solver: an engine looks for answers, and the checker of evidence has them proved.
//!
//! Everything here over-approximates strict runs: a path that is followed although no run takes it costs time and cannot make an error disappear.

mod access;
mod actions;
mod eval;
mod explore;
mod guards;
mod objects;
mod state;
#[cfg(test)]
mod tests;
mod words;

use base::{Budget, Place, Stopped};
use term::{Term, Terms};

use crate::model::{AssertionId, Program};

/// Answers the questions of an exploration that execution alone does not answer.
pub trait Oracle {
    /// All values that the word has where the condition holds, or none if there are none: the condition holds never. Without a word the question is whether the condition
    /// can hold. `None`: not known, or too many. The answer must be right: more values than there are are allowed, fewer are not.
    fn closed(
        &mut self,
        terms: &mut Terms,
        number: u32,
        condition: Term,
        word: Option<Term>,
        budget: &Budget,
    ) -> Result<Option<Vec<u64>>, Stopped>;
}

/// Why there is no exploration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// The budget or the flag.
    Stopped(Stopped),
    /// Something that is not executed in this way, and where.
    Unsupported(&'static str, Option<Place>),
    /// More than the limits allow, and where.
    Limit(&'static str, Option<Place>),
}

impl From<Stopped> for Trouble {
    fn from(stopped: Stopped) -> Self {
        Trouble::Stopped(stopped)
    }
}

/// All runs of a program, explored.
pub struct Explored {
    /// The store of the conditions.
    pub terms: Terms,
    /// The paths into errors: the assertion, and when the path is taken. If none of these conditions can hold, no run reaches an error.
    pub errors: Vec<(AssertionId, Term)>,
    /// Edges that were executed.
    pub edges: u64,
    /// Questions that the oracle was asked.
    pub questions: u32,
}

/// Explores all strict runs of the program.
pub fn explore(
    program: &Program,
    terms: &Terms,
    oracle: &mut dyn Oracle,
    budget: &Budget,
) -> Result<Explored, Trouble> {
    explore::Explorer::new(program, terms, oracle, budget).run()
}
