//! From bits back to words.
//!
//! A literal becomes the term it stands for. Bits of one word that stand together in a conjunction become an equation
//! of the word, or of a stretch of it, with a literal; in a disjunction its negation.

use base::{Budget, FastMap, Stopped};
use sat::Lit;
use term::{Term, Terms};

use super::encode::{Coloured, Name};
use super::resolve::{Partial, Partials, Shape};
use crate::tuning::Tuning;

/// A partial interpolant as a formula; `None` if it is too large.
pub(super) fn formula(
    terms: &mut Terms,
    coloured: &Coloured,
    partials: &Partials,
    root: Partial,
    budget: &Budget,
) -> Result<Option<Term>, Stopped> {
    let mut done: FastMap<Partial, Term> = FastMap::new();
    let mut stack = vec![root];
    while let Some(&top) = stack.last() {
        if done.contains_key(&top) {
            stack.pop();
            continue;
        }
        if done.len() > Tuning::DEFAULT.max_interpolant_pieces {
            return Ok(None);
        }
        budget.spend(1)?;
        let shape = partials.shape(top);
        let is_and = matches!(shape, Shape::And(..));
        let formula = match shape {
            Shape::True => terms.truth(true),
            Shape::False => terms.truth(false),
            Shape::Formula(formula) => formula,
            Shape::Literal(lit) => literal(terms, coloured, lit),
            Shape::And(..) | Shape::Or(..) => {
                let (bits, others) = members(partials, coloured, top, is_and);
                let before = stack.len();
                stack.extend(others.iter().copied().filter(|other| !done.contains_key(other)));
                if stack.len() > before {
                    continue;
                }
                let mut parts: Vec<Term> = others.iter().map(|other| done[other]).collect();
                parts.extend(stretches(terms, bits, is_and));
                if is_and { terms.and(&parts) } else { terms.or(&parts) }
            }
        };
        done.insert(top, formula);
        stack.pop();
    }
    Ok(Some(done[&root]))
}

/// What the literal says.
pub(super) fn literal(terms: &mut Terms, coloured: &Coloured, lit: Lit) -> Term {
    let (name, negated) = coloured.name_of(lit).expect("a literal that is shared has a name");
    let formula = match name {
        Name::Always => terms.truth(true),
        Name::Truth(term) => term,
        Name::Bit(word, bit) => {
            let (bit, one) = (terms.extract(word, bit, bit), terms.bv(1, 1));
            terms.eq(bit, one)
        }
    };
    if negated { terms.not(formula) } else { formula }
}

/// The members of a conjunction (or disjunction) and of those nested in it: bits with their values, and the others.
fn members(
    partials: &Partials,
    coloured: &Coloured,
    top: Partial,
    is_and: bool,
) -> (Vec<(Term, u32, bool)>, Vec<Partial>) {
    let (mut bits, mut others) = (Vec::new(), Vec::new());
    let mut seen: FastMap<Partial, ()> = FastMap::new();
    let mut todo = vec![top];
    while let Some(partial) = todo.pop() {
        if seen.insert(partial, ()).is_some() {
            continue;
        }
        match partials.shape(partial) {
            Shape::And(a, b) if is_and && (partial == top || seen.len() < Tuning::DEFAULT.max_junction) => {
                todo.extend([a, b])
            }
            Shape::Or(a, b) if !is_and && (partial == top || seen.len() < Tuning::DEFAULT.max_junction) => {
                todo.extend([a, b])
            }
            Shape::Literal(lit) => match coloured.name_of(lit) {
                Some((Name::Bit(word, bit), negated)) => bits.push((word, bit, !negated)),
                _ => others.push(partial),
            },
            _ => others.push(partial),
        }
    }
    (bits, others)
}

/// Equations (or, in a disjunction, their negations) for bits that stand side by side.
fn stretches(terms: &mut Terms, mut bits: Vec<(Term, u32, bool)>, is_and: bool) -> Vec<Term> {
    bits.sort_unstable();
    bits.dedup();
    let mut found = Vec::new();
    let mut rest = &bits[..];
    while let Some(&(word, low, _)) = rest.first() {
        let mut len = 1;
        while len < rest.len() && rest[len].0 == word && rest[len].1 == low + len as u32 {
            len += 1;
        }
        let mut words = vec![0u64; len.div_ceil(64)];
        for (place, &(_, _, value)) in rest[..len].iter().enumerate() {
            // A disjunction says that not all bits are the opposite.
            words[place / 64] |= u64::from(value == is_and) << (place % 64);
        }
        let stretch = terms.extract(word, low + len as u32 - 1, low);
        let value = terms.bits(base::Bits::from_words(len as u32, &words));
        let equation = terms.eq(stretch, value);
        found.push(if is_and { equation } else { terms.not(equation) });
        rest = &rest[len..];
    }
    found
}
