//! The sceptic: whether a sequence is one of interpolants.
//!
//! By symbols and by one query for each part. `A1, …, Ai => Ii` and the contradiction of `Ii` with the rest follow from
//! the steps in between.

use base::{Budget, Stopped};
use term::{Term, Terms};

use super::span::Spans;
use crate::solver::{Answer, Query, Solver};

/// Why a sequence is not one of interpolants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Broken {
    /// There must be one fewer than parts.
    Length,
    /// This one has a symbol that is not on both sides.
    Symbol(usize),
    /// The interpolant before this part and the part do not imply the interpolant after it (or false, at the end).
    Step(usize),
    /// Whether they do could not be told.
    Unknown(usize),
}

/// Whether these are interpolants for the parts, in this order.
pub fn check(
    terms: &mut Terms,
    parts: &[Vec<Term>],
    interpolants: &[Term],
    budget: &Budget,
) -> Result<Result<(), Broken>, Stopped> {
    if interpolants.len() + 1 != parts.len() {
        return Ok(Err(Broken::Length));
    }
    let mut spans = Spans::new(terms, parts);
    for (number, &interpolant) in interpolants.iter().enumerate() {
        let span = spans.of(terms, interpolant);
        if !span.is_shared(number + 1) {
            return Ok(Err(Broken::Symbol(number)));
        }
    }
    for (number, part) in parts.iter().enumerate() {
        let before = number.checked_sub(1).map(|before| interpolants[before]);
        let after = interpolants.get(number).copied();
        if let Err(broken) = step(terms, before, part, after, budget)? {
            return Ok(Err(if broken { Broken::Step(number) } else { Broken::Unknown(number) }));
        }
    }
    Ok(Ok(()))
}

/// Whether `before` and the part imply `after`; the error says whether they surely do not.
pub(super) fn step(
    terms: &mut Terms,
    before: Option<Term>,
    part: &[Term],
    after: Option<Term>,
    budget: &Budget,
) -> Result<Result<(), bool>, Stopped> {
    let negated = after.map(|after| terms.not(after));
    let mut solver = Solver::new();
    before.into_iter().chain(part.iter().copied()).chain(negated).for_each(|formula| solver.assert(formula));
    Ok(match solver.check(terms, &Query::default(), budget)? {
        Answer::Unsat(_) => Ok(()),
        Answer::Sat(_) => Err(true),
        Answer::Unknown(_) => Err(false),
    })
}
