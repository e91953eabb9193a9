//! A sequence of interpolants from one refutation.
//!
//! All parts are encoded with colours, refuted together with a log, and the log, trimmed to what the refutation
//! needs, is read at each cut. For clauses the interpolants of all cuts fit together
//! ([GurfinkelRolliniSharygina-ATVA'13]); lemmas of equality may break the chain, so with lemmas each step is asked for, and where it
//! fails the rest is refuted again with the last good interpolant in place of the parts before it. The first
//! interpolant of a refutation always fits, so this ends.
//!
//! Beside the words' equality or their bits a refutation may use lemmas of linear arithmetic (`linear.rs`).

use base::{Budget, Stopped};
use proof::{Log, Step};
use sat::{Lit, NoTheory, Outcome, Query};
use term::{Term, Terms};

use super::check::step;
use super::encode::Coloured;
use super::equality::Lemmas;
use super::linear::{self, Certificate};
use super::resolve;
use crate::encode::Trouble;
use crate::euf::theory::Euf;
use crate::precision::Reading;
use crate::tuning::Tuning;

/// What a refutation may use.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Means {
    /// Equality of words; operators are functions.
    Equality,
    /// That, and comparisons of sums that do not wrap around.
    Linear,
    /// Everything, bit by bit.
    Bits,
}

/// A sequence, if the parts contradict each other in this reading and the refutation can be read.
pub(super) fn sequence(
    terms: &mut Terms,
    parts: &[Vec<Term>],
    means: Means,
    budget: &Budget,
) -> Result<Option<Vec<Term>>, Stopped> {
    let mut found: Vec<Term> = Vec::with_capacity(parts.len() - 1);
    while found.len() + 1 < parts.len() {
        let mut rest = parts[found.len()..].to_vec();
        rest[0].extend(found.last());
        let Some((sequence, has_lemmas)) = refute(terms, &rest, means, budget)? else { return Ok(None) };
        if !has_lemmas {
            found.extend(sequence);
            break;
        }
        let mut before = None;
        for (part, interpolant) in rest.iter().zip(sequence) {
            let fits = before.is_none() || step(terms, before, part, Some(interpolant), budget)?.is_ok();
            if !fits {
                break;
            }
            found.push(interpolant);
            before = Some(interpolant);
        }
        // The last step: if it fails, the last interpolant is too weak for the part that is left.
        if found.len() + 1 == parts.len() && rest.len() > 2 {
            let last = parts.last().map_or(&[][..], |part| part);
            if step(terms, before, last, None, budget)?.is_err() {
                found.pop();
            }
        }
    }
    Ok(Some(found))
}

/// The interpolants of one refutation, and whether it has lemmas.
fn refute(
    terms: &mut Terms,
    parts: &[Vec<Term>],
    means: Means,
    budget: &Budget,
) -> Result<Option<(Vec<Term>, bool)>, Stopped> {
    let reading = if means == Means::Bits { Reading::Bits } else { Reading::Uninterpreted };
    let mut joined: Vec<(Term, Term)> = Vec::new();
    for search in 1..=Tuning::DEFAULT.max_searches {
        let (mut coloured, pristine) = match encode(terms, parts, &joined, reading, budget) {
            Ok(encoded) => encoded,
            Err(Trouble::Stopped(stopped)) => return Err(stopped),
            Err(Trouble::TooLarge) => return Ok(None),
        };
        let is_last = search == Tuning::DEFAULT.max_searches;
        let mut certificates: Vec<(Vec<Lit>, Certificate)> = Vec::new();
        let outcome = loop {
            let outcome = solve(terms, &mut coloured, &mut joined, is_last, budget)?;
            if !matches!(outcome, Searched::Sat)
                || means != Means::Linear
                || certificates.len() == Tuning::DEFAULT.max_linear_lemmas
            {
                break outcome;
            }
            let Some(found) = linear::conflict(terms, &coloured, budget)? else { break outcome };
            coloured.sat.add_lemma_with(&mut coloured.theory, &found.0);
            certificates.push(found);
        };
        match outcome {
            Searched::Sat => return Ok(None),
            Searched::Again => continue,
            Searched::Unsat => {}
        }
        let log = coloured.sat.log().and_then(|log| proof::trim(log, &[]));
        let (Some(log), Some(mut lemmas)) = (log, Lemmas::new(pristine)) else { return Ok(None) };
        lemmas.linear = certificates;
        return read(terms, &mut coloured, &mut lemmas, &log, parts.len(), budget);
    }
    Ok(None)
}

fn read(
    terms: &mut Terms,
    coloured: &mut Coloured,
    lemmas: &mut Lemmas,
    log: &Log,
    n_parts: usize,
    budget: &Budget,
) -> Result<Option<(Vec<Term>, bool)>, Stopped> {
    let mut sequence = Vec::with_capacity(n_parts - 1);
    for cut in 1..n_parts {
        let Some(interpolant) = resolve::interpolant(terms, coloured, lemmas, log, cut, budget)? else {
            return Ok(None);
        };
        sequence.push(interpolant);
    }
    let has_lemmas = log.steps().any(|step| matches!(step, Step::Lemma { .. }));
    Ok(Some((sequence, has_lemmas)))
}

/// The parts as clauses, asserted, and a theory without assertions.
fn encode(
    terms: &mut Terms,
    parts: &[Vec<Term>],
    joined: &[(Term, Term)],
    reading: Reading,
    budget: &Budget,
) -> Result<(Coloured, Euf), Trouble> {
    let mut coloured = Coloured::new(terms, parts, reading);
    for (number, part) in parts.iter().enumerate() {
        coloured.prepare(terms, number, part, budget)?;
    }
    for &(one, other) in joined {
        coloured.join(terms, one, other, budget)?;
    }
    let pristine = coloured.theory.clone();
    for (number, part) in parts.iter().enumerate() {
        coloured.assert(terms, number, part);
    }
    Ok((coloured, pristine))
}

enum Searched {
    Sat,
    Unsat,
    /// There are new words to join.
    Again,
}

fn solve(
    terms: &mut Terms,
    coloured: &mut Coloured,
    joined: &mut Vec<(Term, Term)>,
    is_last: bool,
    budget: &Budget,
) -> Result<Searched, Stopped> {
    let lemmas = match coloured.theory.settle() {
        Ok(lemmas) => lemmas,
        Err(conflict) => vec![conflict],
    };
    for lemma in lemmas {
        coloured.sat.add_lemma_with(&mut coloured.theory, &lemma);
    }
    loop {
        let Coloured { sat, theory, .. } = coloured;
        let outcome = if theory.is_idle() {
            sat.solve(&mut NoTheory, &Query::default(), budget)?
        } else {
            sat.solve(theory, &Query::default(), budget)?
        };
        match outcome {
            Outcome::Sat => return Ok(Searched::Sat),
            Outcome::Unsat => return Ok(Searched::Unsat),
            Outcome::Paused => {}
        }
        let pairs = std::mem::take(&mut coloured.theory.meetings.pairs);
        coloured.theory.meetings.operators.clear();
        if is_last {
            continue; // Then value by value it is.
        }
        let before = joined.len();
        for (a, b) in pairs {
            let sides = (coloured.term_of(terms, a, None), coloured.term_of(terms, b, None));
            let (Some(one), Some(other)) = sides else { continue };
            let span = coloured.spans.of(terms, one).meet(coloured.spans.of(terms, other));
            if !span.is_mixed() && one != other && !joined.contains(&(one, other)) {
                joined.push((one, other));
            }
        }
        if joined.len() > before {
            return Ok(Searched::Again);
        }
    }
}
