//! Interpolants without a proof: the core of the contradiction, carried forwards or backwards.
//!
//! Only the formulas of the core count; what they leave out is as if it were any value. Forwards, `Ii` is what
//! `I(i-1) and Ai` say about the shared symbols (the strongest postcondition); backwards, `not Ii` is what `A(i+1)` and
//! `not I(i+1)` say about them (so `Ii` is the weakest precondition). Symbols that are not shared are eliminated by
//! `project`, which may say less than there is to say, but never more: the chain then holds by construction, and
//! only its last link has to be asked for.
//!
//! Both sequences are made and the smaller is taken; they are never mixed, or the chain would break. The idea
//! is that of [DietschEtAl-FSE'17].

use base::{Budget, Stopped};
use term::{Term, Terms};

use super::check::step;
use super::project::project;
use super::span::Spans;

/// A sequence for parts that are a core; `None` if both ways say too little.
pub(super) fn sequence(
    terms: &mut Terms,
    core: &[Vec<Term>],
    largest: usize,
    budget: &Budget,
) -> Result<Option<Vec<Term>>, Stopped> {
    let spans = Spans::new(terms, core);
    let forward = forwards(terms, core, &spans, largest, budget)?;
    let backward = backwards(terms, core, &spans, largest, budget)?;
    Ok(match (forward, backward) {
        (Some(one), Some(other)) => Some(if terms.size(&one) < terms.size(&other) { one } else { other }),
        (one, other) => one.or(other),
    })
}

fn forwards(
    terms: &mut Terms,
    core: &[Vec<Term>],
    spans: &Spans,
    largest: usize,
    budget: &Budget,
) -> Result<Option<Vec<Term>>, Stopped> {
    let mut known: Vec<Term> = Vec::new();
    let mut sequence = Vec::with_capacity(core.len() - 1);
    for (number, part) in core[..core.len() - 1].iter().enumerate() {
        known.extend(part);
        let Some(left) =
            project(terms, &known, &|symbol| spans.of_symbol(symbol).is_right(number + 1), largest, budget)?
        else {
            return Ok(None);
        };
        known = left;
        sequence.push(terms.and(&known));
    }
    let says_enough = step(terms, sequence.last().copied(), &core[core.len() - 1], None, budget)?.is_ok();
    Ok(says_enough.then_some(sequence))
}

fn backwards(
    terms: &mut Terms,
    core: &[Vec<Term>],
    spans: &Spans,
    largest: usize,
    budget: &Budget,
) -> Result<Option<Vec<Term>>, Stopped> {
    let mut known: Vec<Term> = Vec::new();
    let mut sequence = Vec::with_capacity(core.len() - 1);
    for (number, part) in core.iter().enumerate().skip(1).rev() {
        known.extend(part);
        let Some(left) = project(terms, &known, &|symbol| spans.of_symbol(symbol).is_left(number), largest, budget)?
        else {
            return Ok(None);
        };
        known = left;
        let all = terms.and(&known);
        sequence.push(terms.not(all));
    }
    sequence.reverse();
    let says_enough = step(terms, None, &core[0], sequence.first().copied(), budget)?.is_ok();
    Ok(says_enough.then_some(sequence))
}
