//! Check that a sequence is a sequence of interpolants.
//!
//! By symbols and by one query for each part. `A1, …, Ai => Ii` and the contradiction of `Ii` with the rest follow from
//! the steps in between. The same queries show which conjuncts of an interpolant the next step needs; `thin` drops the
//! others, from the last interpolant to the first, which makes the steps before it only easier.

use base::{Budget, Stopped};
use term::{Term, Terms};

use super::ask::{Asked, ask};
use super::span::Spans;
use crate::tuning::Tuning;

/// Why a sequence is not one of interpolants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Broken {
    /// There must be one fewer than parts.
    Length,
    /// This one has a symbol that is not on both sides.
    Symbol(usize),
    /// The interpolant before this part and the part do not imply the interpolant after it (or false, at the end).
    Step(usize),
    /// Undecided.
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
    if let Err(broken) = symbols(terms, parts, interpolants) {
        return Ok(Err(broken));
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

/// Whether each has only symbols of both sides.
pub(super) fn symbols(terms: &Terms, parts: &[Vec<Term>], interpolants: &[Term]) -> Result<(), Broken> {
    let mut spans = Spans::new(terms, parts);
    for (number, &interpolant) in interpolants.iter().enumerate() {
        if !spans.of(terms, interpolant).is_shared(number + 1) {
            return Err(Broken::Symbol(number));
        }
    }
    Ok(())
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
    let formulas: Vec<Term> = before.into_iter().chain(part.iter().copied()).chain(negated).collect();
    Ok(match ask(terms, &formulas, &[], (0, 0), budget)? {
        Asked::Contradiction(_) => Ok(()),
        Asked::Model => Err(true),
        Asked::Unknown(_) => Err(false),
    })
}

/// Drops conjuncts that the next step does not need; an error if the steps after the first part show that these are
/// not interpolants.
pub(super) fn thin(
    terms: &mut Terms,
    parts: &[Vec<Term>],
    interpolants: &mut [Term],
    budget: &Budget,
) -> Result<Result<(), Broken>, Stopped> {
    if interpolants.len() + 1 != parts.len() {
        return Ok(Err(Broken::Length));
    }
    for number in (1..parts.len()).rev() {
        let negated = interpolants.get(number).copied().map(|after| terms.not(after));
        let asserted: Vec<Term> = parts[number].iter().copied().chain(negated).collect();
        let conjuncts = super::conjuncts(terms, &interpolants[number - 1..number]);
        let core = match ask(
            terms,
            &asserted,
            &conjuncts,
            (Tuning::DEFAULT.max_minimized_step_core, Tuning::DEFAULT.minimize_step_ticks),
            budget,
        )? {
            Asked::Model => return Ok(Err(Broken::Step(number))),
            Asked::Unknown(_) => return Ok(Err(Broken::Unknown(number))),
            Asked::Contradiction(core) => core,
        };
        let kept: Vec<Term> = conjuncts.into_iter().filter(|conjunct| core.contains(conjunct)).collect();
        interpolants[number - 1] = terms.and(&kept);
    }
    let first = step(terms, None, &parts[0], Some(interpolants[0]), budget)?;
    Ok(first.map_err(|broken| if broken { Broken::Step(0) } else { Broken::Unknown(0) }))
}
