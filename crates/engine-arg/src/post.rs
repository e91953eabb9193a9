//! The domains of the paper, by their abstract posts.
//!
//! * [`True`]: everything, as in the paper;
//! * [`Feasible`]: everything, unless the edge cannot be taken at all;
//! * [`Cartesian`]: each predicate on its own: the *backbone* of the predicates' values. A model shows which literals
//!   may be always true; each further model, one that breaks at least one of them, removes some; when there is none,
//!   the rest is the answer;
//! * [`Boolean`]: the predicates together: all their combinations, model by model, those that differ in one place put
//!   together again. Where there are too many combinations, the Cartesian answer is given.

use base::Stopped;
use smt::{Answer, Query};
use term::Term;

use crate::domain::{Domain, Site, as_in_the_paper};
use crate::edges::EdgeRef;
use crate::search::Search;
use crate::tuning::Tuning;

/// Says nothing: the weakest post.
#[derive(Default)]
pub struct True {}

impl Domain for True {
    fn post(&mut self, search: &mut Search<'_>, _: &Site<'_>, _: Term, _: EdgeRef) -> Result<Term, Stopped> {
        Ok(search.terms.truth(true))
    }
    as_in_the_paper!();
}

/// Says whether the edge can be taken.
#[derive(Default)]
pub struct Feasible {}

impl Domain for Feasible {
    fn post(&mut self, search: &mut Search<'_>, _: &Site<'_>, before: Term, edge: EdgeRef) -> Result<Term, Stopped> {
        let feasible = search.is_feasible(before, edge)?;
        Ok(search.terms.truth(feasible))
    }
    as_in_the_paper!();
}

/// Cartesian predicate abstraction.
#[derive(Default)]
pub struct Cartesian {}

impl Domain for Cartesian {
    as_in_the_paper!();
    fn post(&mut self, search: &mut Search<'_>, _: &Site<'_>, before: Term, edge: EdgeRef) -> Result<Term, Stopped> {
        match backbone(search, before, edge)? {
            None => Ok(search.terms.truth(false)),
            Some(Backbone { fixed, .. }) => {
                let literals: Vec<Term> = fixed.iter().map(|literal| literal.here).collect();
                Ok(search.terms.and(&literals))
            }
        }
    }
}

/// A predicate or its negation.
#[derive(Clone, Copy, PartialEq)]
struct Literal {
    /// Over the variables at the target.
    here: Term,
    /// Over the state before the edge.
    before: Term,
}

struct Backbone {
    /// True after every step.
    fixed: Vec<Literal>,
    /// The predicates that are true after some steps and false after others.
    open: Vec<Literal>,
}

/// Which predicates have always the same value behind the edge; none if it cannot be taken.
fn backbone(search: &mut Search<'_>, before: Term, edge: EdgeRef) -> Result<Option<Backbone>, Stopped> {
    let guard = search.exit(edge).guard;
    let to = search.exit(edge).to;
    let mut positive = Vec::new();
    // Clauses that other copies have are kept whole: single literals would not say what they say.
    let n_lemmas = search.lemmas[to].len();
    for here in [search.lemmas[to].clone(), search.predicates[to].clone()].concat() {
        positive.push(Literal { here, before: search.back(edge, here) });
    }
    let assumptions = [guard, before];
    let budget = search.run.budget;
    let limited = budget.part(Tuning::DEFAULT.post_ticks);
    let domain: Vec<Term> = search.blocks.axioms.iter().chain(&search.background.at[edge.from]).copied().collect();
    // By predicate: its value in all models so far.
    let mut values: Option<Vec<Option<bool>>> = None;
    loop {
        let mut clause: Option<Vec<Term>> = None;
        if let Some(values) = &values {
            let mut broken = Vec::new();
            for (literal, value) in positive.iter().zip(values) {
                match value {
                    Some(true) => broken.push(search.terms.not(literal.before)),
                    Some(false) => broken.push(literal.before),
                    None => {}
                }
            }
            if broken.is_empty() {
                break;
            }
            clause = Some(broken);
        }
        search.stats.post_queries += 1;
        let query = Query { assumptions: &assumptions, clause: clause.as_deref(), domain: Some(&domain) };
        if search.abstract_core(edge, &query, budget)?.is_some() {
            if values.is_none() {
                return Ok(None);
            }
            break;
        }
        let (solver, terms) = search.solver(edge);
        match solver.check(terms, &query, &limited) {
            Ok(Answer::Unsat(_)) if values.is_none() => {
                return Ok(None);
            }
            Ok(Answer::Unsat(_)) => break,
            Ok(Answer::Unknown(_)) | Err(Stopped::OutOfTicks) => {
                values = Some(vec![None; positive.len()]);
                break;
            }
            Err(stopped) => return Err(stopped),
            Ok(Answer::Sat(mut model)) => {
                let now: Vec<bool> = positive.iter().map(|literal| model.is_true(literal.before)).collect();
                values = Some(match values {
                    None => now.into_iter().map(Some).collect(),
                    Some(old) => old.into_iter().zip(now).map(|(old, now)| old.filter(|&old| old == now)).collect(),
                });
            }
        }
    }
    let mut found = Backbone { fixed: Vec::new(), open: Vec::new() };
    for (number, (literal, value)) in positive.into_iter().zip(values.expect("there was a model")).enumerate() {
        match value {
            Some(true) => found.fixed.push(literal),
            Some(false) | None if number < n_lemmas => {}
            Some(false) => {
                let (here, before) = (search.terms.not(literal.here), search.terms.not(literal.before));
                found.fixed.push(Literal { here, before });
            }
            None => found.open.push(literal),
        }
    }
    Ok(Some(found))
}

/// Boolean predicate abstraction.
pub struct Boolean {
    /// At most this number of combinations of predicates is listed.
    pub cubes: usize,
}

/// A combination of predicates; none for those that do not matter.
type Cube = Vec<Option<bool>>;

impl Domain for Boolean {
    as_in_the_paper!();
    fn post(&mut self, search: &mut Search<'_>, _: &Site<'_>, before: Term, edge: EdgeRef) -> Result<Term, Stopped> {
        let Some(Backbone { fixed, open }) = backbone(search, before, edge)? else {
            return Ok(search.terms.truth(false));
        };
        let mut conjuncts: Vec<Term> = fixed.iter().map(|literal| literal.here).collect();
        if let Some(cubes) = self.combinations(search, before, edge, &open)? {
            let mut cases = Vec::new();
            for cube in joined(cubes) {
                let mut literals = Vec::new();
                for (literal, value) in open.iter().zip(cube) {
                    match value {
                        Some(true) => literals.push(literal.here),
                        Some(false) => literals.push(search.terms.not(literal.here)),
                        None => {}
                    }
                }
                cases.push(search.terms.and(&literals));
            }
            conjuncts.push(search.terms.or(&cases));
        }
        Ok(search.terms.and(&conjuncts))
    }
}

impl Boolean {
    /// All combinations of values that the predicates have behind the edge; none if there are too many.
    fn combinations(
        &self,
        search: &mut Search<'_>,
        before: Term,
        edge: EdgeRef,
        open: &[Literal],
    ) -> Result<Option<Vec<Cube>>, Stopped> {
        let assumptions = [search.exit(edge).guard, before];
        let budget = search.run.budget;
        let limited = budget.part(Tuning::DEFAULT.post_ticks);
        search.solver(edge).0.push();
        let mut cubes: Vec<Cube> = Vec::new();
        let complete = loop {
            search.stats.post_queries += 1;
            let (solver, terms) = search.solver(edge);
            let values: Vec<bool> = match solver.check(terms, &Query::assuming(&assumptions), &limited) {
                Ok(Answer::Unsat(_)) => break Ok(true),
                Ok(Answer::Unknown(_)) | Err(Stopped::OutOfTicks) => break Ok(false),
                Ok(Answer::Sat(mut model)) => open.iter().map(|literal| model.is_true(literal.before)).collect(),
                Err(stopped) => break Err(stopped),
            };
            if cubes.len() == self.cubes {
                break Ok(false);
            }
            let mut other = Vec::new();
            for (literal, &value) in open.iter().zip(&values) {
                other.push(if value { search.terms.not(literal.before) } else { literal.before });
            }
            let other = search.terms.or(&other);
            search.solver(edge).0.assert(other);
            cubes.push(values.into_iter().map(Some).collect());
        };
        search.solver(edge).0.pop();
        Ok(complete?.then_some(cubes))
    }
}

/// Two combinations that differ in one place only are one that says nothing there.
fn joined(mut cubes: Vec<Cube>) -> Vec<Cube> {
    loop {
        let mut found = None;
        'pairs: for first in 0..cubes.len() {
            for second in 0..first {
                let differ = || (0..cubes[first].len()).filter(|&at| cubes[first][at] != cubes[second][at]);
                let at = differ().next();
                if let (Some(at), 1) = (at, differ().take(2).count())
                    && cubes[first][at].is_some()
                    && cubes[second][at].is_some()
                {
                    found = Some((first, second, at));
                    break 'pairs;
                }
            }
        }
        let Some((first, second, at)) = found else { return cubes };
        cubes[second][at] = None;
        cubes.swap_remove(first);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_that_differ_in_one_place_become_one() {
        let (yes, no) = (Some(true), Some(false));
        let three = joined(vec![vec![yes, yes], vec![yes, no], vec![no, no]]);
        assert_eq!(three.len(), 2);
        let holds = |cube: &Cube, one, two| {
            cube[0].is_none_or(|value| value == one) && cube[1].is_none_or(|value| value == two)
        };
        for (one, two) in [(true, true), (true, false), (false, false), (false, true)] {
            assert_eq!(three.iter().any(|cube| holds(cube, one, two)), one || !two);
        }
        let all = joined(vec![vec![yes, yes], vec![yes, no], vec![no, no], vec![no, yes]]);
        assert_eq!(all, [vec![None, None]]);
    }
}
