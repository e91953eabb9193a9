//! Interpolants: what one part of a contradiction says to the rest of it.
//!
//! Given parts `A1, …, An` that cannot hold together, a *sequence of interpolants* is `I1, …, I(n-1)` with
//! `A1 => I1`, `I(i-1) and Ai => Ii` and `I(n-1) and An => false`, where `Ii` uses only symbols that occur both in
//! `A1, …, Ai` and in `A(i+1), …, An` ([McMillan-CAV'03], [VizelGrumberg-FMCAD'09]). For a program that runs through the
//! parts, `Ii` is an assertion that holds after step `i` and suffices for what is left.
//!
//! There are several ways to one, the rows of a table ([`Interpolator::ALL`]); they are tried in turn, and what comes out is
//! checked by queries of its own before it is returned, since solvers are known to have bugs in interpolation. So a row
//! from outside this crate need not be trusted either.

mod ask;
mod check;
mod cores;
mod encode;
mod equality;
mod farkas;
mod lift;
mod linear;
mod models;
mod normal;
mod project;
mod refute;
mod resolve;
mod span;
mod table;

use base::{Budget, FastMap, Stopped};
use term::{Op, Term, Terms};

use ask::{Asked, ask};
pub use check::{Broken, check};
pub use table::Interpolator;

use crate::tuning::Tuning;

/// What is tried, in this order.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The ways to try.
    pub methods: Vec<Interpolator>,
    /// Sequences with more different subterms than this are not taken.
    pub largest: usize,
    /// Ticks for each way; one that takes longer is left.
    pub ticks_each: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { methods: Interpolator::ALL.to_vec(), largest: 20_000, ticks_each: u64::MAX }
    }
}

/// What came of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// One interpolant between each part and the next, one fewer than there are parts; and the interpolator that found them.
    Interpolants(Vec<Term>, Interpolator),
    /// The parts do not contradict each other.
    Satisfiable,
    /// Undecided, or no method finished, for this reason.
    Nothing(&'static str),
}

/// A sequence of interpolants for the parts, each a list of formulas that hold together.
pub fn sequence(
    terms: &mut Terms,
    parts: &[Vec<Term>],
    settings: &Settings,
    budget: &Budget,
) -> Result<Found, Stopped> {
    if parts.len() < 2 {
        return Ok(Found::Nothing("there is nothing between fewer than two parts"));
    }
    let parts: Vec<Vec<Term>> = parts.iter().map(|part| conjuncts(terms, part)).collect();
    let core = match core(terms, &parts, budget)? {
        Core::Found(core) => core,
        Core::Satisfiable => return Ok(Found::Satisfiable),
        Core::Unknown(why) => return Ok(Found::Nothing(why)),
    };
    for &method in &settings.methods {
        let found = match (method.find)(terms, &core, settings.largest, &budget.part(settings.ticks_each)) {
            Err(Stopped::OutOfTicks) if budget.left() > 0 => None,
            found => found?,
        };
        let Some(mut found) = found.filter(|found| terms.size(found) <= settings.largest) else { continue };
        found.iter_mut().for_each(|formula| *formula = normal::negations_inside(terms, *formula));
        // Symbols are those of all formulas, steps those of the core, which is enough and cheaper.
        let verdict = match check::symbols(terms, &parts, &found) {
            Ok(()) => check::thin(terms, &core, &mut found, budget)?,
            broken => broken,
        };
        match verdict {
            Ok(()) => {
                debug_assert_eq!(check(terms, &parts, &found, &Budget::default()), Ok(Ok(())), "{method:?}");
                return Ok(Found::Interpolants(found, method));
            }
            // Never seen by the caller, but a bug of ours.
            Err(broken) => debug_assert!(matches!(broken, Broken::Unknown(_)), "{method:?} gives none: {broken:?}"),
        }
    }
    Ok(Found::Nothing("no method found interpolants"))
}

/// The formulas that hold if these do, conjunctions taken apart.
fn conjuncts(terms: &Terms, formulas: &[Term]) -> Vec<Term> {
    let mut found = terms.conjuncts(formulas);
    found.retain(|&formula| terms.op(formula) != Op::True);
    found
}

enum Core {
    /// The parts with only the formulas that take part in the contradiction.
    Found(Vec<Vec<Term>>),
    Satisfiable,
    Unknown(&'static str),
}

/// The formulas that take part in the contradiction, by part.
fn core(terms: &Terms, parts: &[Vec<Term>], budget: &Budget) -> Result<Core, Stopped> {
    let all: Vec<Term> = parts.iter().flatten().copied().collect();
    let found =
        match ask(terms, &[], &all, (Tuning::DEFAULT.max_minimized_core, Tuning::DEFAULT.minimize_ticks), budget)? {
            Asked::Model => return Ok(Core::Satisfiable),
            Asked::Unknown(why) => return Ok(Core::Unknown(why)),
            Asked::Contradiction(core) => core,
        };
    let mut in_core: FastMap<Term, ()> = FastMap::new();
    for term in found {
        in_core.insert(term, ());
    }
    let keep = |part: &Vec<Term>| part.iter().copied().filter(|term| in_core.contains_key(term)).collect();
    Ok(Core::Found(parts.iter().map(keep).collect()))
}
