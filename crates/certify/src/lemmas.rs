//! Lemmas: facts about operators that hold for all values, proved once and then used where they fit.
//!
//! A lemma is proved bit-precisely on its own, its symbols standing for any value. In an obligation it is used for
//! those values of its symbols for which some of its operators occur there: patterns, parts of the
//! lemma that between them mention all its symbols, are compared node by node with the terms of the
//! obligation.

use base::{Budget, FastMap};
use term::{Op, Term, Terms};
use verdict::{Code, Proof};

use crate::Refusal;
use crate::blast::is_bit_operator;
use crate::refute::{Outcome, refute_in_bits};
use crate::translate::Translation;
use crate::tuning::Tuning;

/// Proves all lemmas of the evidence, or names the first that is not valid.
pub(crate) fn prove(proof: &Proof, budget: &Budget) -> Result<(), Refusal> {
    for (place, &lemma) in proof.lemmas.iter().enumerate() {
        if lemma.index() >= proof.terms.len() || !proof.terms.is_bool(lemma) {
            return Err(Refusal::malformed("a lemma is no formula"));
        }
        let mut own = Terms::without_simplification();
        let mut translation = Translation::new(&proof.terms);
        let mut names: FastMap<Term, Term> = FastMap::new();
        for symbol in symbols(&proof.terms, lemma) {
            let sort = translation.sort(&mut own, proof.terms.sort_of(symbol));
            let name = format!("any {}", names.len());
            names.insert(symbol, own.variable(&name, sort));
        }
        let copy = translation.term(&mut own, lemma, |_, symbol| Ok(names[&symbol]), |_| {})?;
        let negated = own.not(copy);
        match refute_in_bits(&own, &[negated], budget)? {
            Outcome::Refuted(_) => {}
            Outcome::Open(_) => return Err(Refusal::BadLemma(place)),
            Outcome::TooLarge => {
                return Err(Refusal::unknown(Code::EvidenceSize, "a lemma that is too large to check", None));
            }
            Outcome::BadProof(why) => return Err(Refusal::BadProof(format!("the proof of a lemma is wrong: {why:?}"))),
        }
    }
    Ok(())
}

/// The instances of the lemmas that the formulas call for.
pub(crate) fn instances(
    proof: &Proof,
    own: &mut Terms,
    formulas: &[Term],
    budget: &Budget,
) -> Result<Vec<Term>, Refusal> {
    let mut found = Vec::new();
    if proof.lemmas.is_empty() {
        return Ok(found);
    }
    let sites: Vec<Term> = own.subterms(formulas).into_iter().filter(|&term| is_bit_operator(own.op(term))).collect();
    for &lemma in &proof.lemmas {
        let patterns = patterns(&proof.terms, lemma);
        let mut bindings: Vec<FastMap<Term, Term>> = vec![FastMap::new()];
        for &pattern in &patterns {
            let mut next = Vec::new();
            for binding in &bindings {
                for &site in &sites {
                    budget.spend(1)?;
                    for swapped in [false, true] {
                        if swapped && !proof.terms.op(pattern).row().commutes
                            || next.len() >= Tuning::DEFAULT.max_instances
                        {
                            continue;
                        }
                        let mut extended = binding.clone();
                        if fits(&proof.terms, pattern, own, site, swapped, &mut extended) {
                            next.push(extended);
                        }
                    }
                }
            }
            bindings = next;
        }
        let symbols = symbols(&proof.terms, lemma);
        for binding in bindings {
            if !symbols.iter().all(|symbol| binding.contains_key(symbol)) {
                continue;
            }
            let mut translation = Translation::new(&proof.terms);
            // A symbol that met a term of another sort fits nowhere.
            let sorts_fit = symbols.iter().all(|&symbol| {
                let sort = translation.sort(own, proof.terms.sort_of(symbol));
                own.sort_of(binding[&symbol]) == sort
            });
            if sorts_fit {
                found.push(translation.term(own, lemma, |_, symbol| Ok(binding[&symbol]), |_| {})?);
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

fn symbols(terms: &Terms, lemma: Term) -> Vec<Term> {
    let is_symbol = |&term: &Term| matches!(terms.op(term), Op::Symbol(_)) && terms.args(term).is_empty();
    terms.subterms(&[lemma]).into_iter().filter(is_symbol).collect()
}

/// Operators of the lemma that mention all its symbols between them: the smallest one that mentions the most,
/// then the next.
fn patterns(terms: &Terms, lemma: Term) -> Vec<Term> {
    let mut open = symbols(terms, lemma);
    let candidates: Vec<Term> =
        terms.subterms(&[lemma]).into_iter().filter(|&term| is_bit_operator(terms.op(term))).collect();
    let mut chosen = Vec::new();
    while !open.is_empty() {
        let count = |term: Term| symbols(terms, term).iter().filter(|symbol| open.contains(symbol)).count();
        // Arguments come before the terms around them, so of equals the first is the smallest.
        let Some(best) =
            candidates.iter().copied().rev().max_by_key(|&term| count(term)).filter(|&term| count(term) > 0)
        else {
            break;
        };
        let covered = symbols(terms, best);
        open.retain(|symbol| !covered.contains(symbol));
        chosen.push(best);
    }
    chosen
}

/// Whether the term is the pattern for some values of its symbols; `swapped` exchanges the first two arguments.
fn fits(
    lemma: &Terms,
    pattern: Term,
    own: &Terms,
    term: Term,
    swapped: bool,
    binding: &mut FastMap<Term, Term>,
) -> bool {
    let mut todo = vec![(pattern, term, swapped)];
    while let Some((pattern, term, swapped)) = todo.pop() {
        let (args, terms) = (lemma.args(pattern), own.args(term));
        match lemma.op(pattern) {
            Op::Symbol(_) if args.is_empty() => match binding.get(&pattern) {
                Some(&known) if known != term => return false,
                Some(_) => {}
                None => {
                    binding.insert(pattern, term);
                }
            },
            Op::Symbol(_) => return false,
            Op::Value => {
                if lemma.value(pattern) != own.value(term) {
                    return false;
                }
            }
            op => {
                if op != own.op(term) || args.len() != terms.len() {
                    return false;
                }
                for (i, &arg) in args.iter().enumerate() {
                    let other = if swapped && i < 2 { terms[1 - i] } else { terms[i] };
                    todo.push((arg, other, false));
                }
            }
        }
    }
    true
}
