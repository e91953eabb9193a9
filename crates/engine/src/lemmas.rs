//! Lemmas about operators, put in where the operators occur.
//!
//! A lemma holds for all values of its symbols, so whatever terms they stand for it stays true. Its *pattern* is the smallest
//! operator in it that mentions all its symbols; where a term looks like the pattern, an instance says something about
//! that very term. Lemmas without a pattern are of no use here. The lemmas come from the store of facts, which has
//! proved each of them in bits (see `facts`); a proof that uses one names it, and the checker proves it again.

use base::FastMap;
use smt::is_site;
use term::{Op, Substitution, Term, Terms};

/// The lemmas that an engine knows, with terms in its store.
#[derive(Default)]
pub struct Lemmas {
    known: Vec<Lemma>,
    /// The terms that each lemma was put in for.
    done: FastMap<(Term, Term), ()>,
}

#[derive(Clone)]
struct Lemma {
    formula: Term,
    symbols: Vec<Term>,
    pattern: Term,
}

/// What a lemma says about one term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Instance {
    /// What it says.
    pub formula: Term,
    /// The lemma in general.
    pub lemma: Term,
}

impl Lemmas {
    /// The same lemmas, none of which was put in anywhere.
    pub fn anew(&self) -> Self {
        Lemmas { known: self.known.clone(), done: FastMap::new() }
    }
    /// Whether none is known.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }
    /// Takes a lemma; whether it is new and of use.
    pub fn add(&mut self, terms: &Terms, formula: Term) -> bool {
        if self.known.iter().any(|lemma| lemma.formula == formula) {
            return false;
        }
        let parts = terms.subterms(&[formula]);
        let is_symbol = |&&term: &&Term| matches!(terms.op(term), Op::Symbol(_)) && terms.args(term).is_empty();
        let symbols: Vec<Term> = parts.iter().filter(is_symbol).copied().collect();
        let has_all = |&&part: &&Term| {
            let below = terms.subterms(&[part]);
            is_site(terms.op(part)) && symbols.iter().all(|symbol| below.binary_search(symbol).is_ok())
        };
        let Some(&pattern) = parts.iter().find(has_all) else { return false };
        self.known.push(Lemma { formula, symbols, pattern });
        true
    }
    /// What the lemmas say about this term and have not said before.
    pub fn instances(&mut self, terms: &mut Terms, site: Term) -> Vec<Instance> {
        let mut found = Vec::new();
        for lemma in &self.known {
            if terms.op(lemma.pattern) != terms.op(site) || self.done.insert((lemma.formula, site), ()).is_some() {
                continue;
            }
            for is_swapped in [false, true] {
                if is_swapped && !commutes(terms.op(site)) {
                    continue;
                }
                let Some(bound) = bind(terms, lemma.pattern, site, is_swapped) else { continue };
                let pairs: Vec<(Term, Term)> = lemma.symbols.iter().map(|&symbol| (symbol, bound[&symbol])).collect();
                let formula = Substitution::new(terms, &pairs).apply(terms, lemma.formula);
                let is_repeated = found.iter().any(|other: &Instance| other.formula == formula);
                if terms.op(formula) != Op::True && !is_repeated {
                    found.push(Instance { formula, lemma: lemma.formula });
                }
            }
        }
        found
    }
}

fn commutes(op: Op) -> bool {
    matches!(op, Op::BvAdd | Op::BvMul | Op::BvAnd | Op::BvOr | Op::BvXor)
}

/// What the pattern's symbols stand for if it is to be this term; none if it cannot be.
fn bind(terms: &Terms, pattern: Term, term: Term, is_swapped: bool) -> Option<FastMap<Term, Term>> {
    let mut bound: FastMap<Term, Term> = FastMap::new();
    let mut open = vec![(pattern, term, is_swapped)];
    while let Some((pattern, term, is_swapped)) = open.pop() {
        let (args, others) = (terms.args(pattern), terms.args(term));
        match terms.op(pattern) {
            Op::Symbol(_) if args.is_empty() => {
                if terms.sort_of(pattern) != terms.sort_of(term) {
                    return None;
                }
                if *bound.get_or_insert_with(pattern, || term) != term {
                    return None;
                }
            }
            _ if args.is_empty() && pattern != term => return None,
            op if op != terms.op(term) || args.len() != others.len() => return None,
            _ => {
                for (place, &arg) in args.iter().enumerate() {
                    let other = if is_swapped && place < 2 { others[1 - place] } else { others[place] };
                    open.push((arg, other, false));
                }
            }
        }
    }
    Some(bound)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lemma_says_something_about_every_term_that_looks_like_its_pattern() {
        let mut terms = Terms::new();
        let sort = terms.bv_sort(8);
        let [x, y, a, b] = ["lemma!x8", "lemma!y8", "a", "b"].map(|name| terms.variable(name, sort));
        let zero = terms.bv(8, 0);
        let product = terms.bv_mul(x, y);
        let (is_zero, gives_zero) = (terms.eq(x, zero), terms.eq(product, zero));
        let lemma = terms.implies(is_zero, gives_zero);
        let mut lemmas = Lemmas::default();
        assert!(lemmas.add(&terms, lemma) && !lemmas.add(&terms, lemma));
        let (sum, site) = (terms.bv_add(a, b), terms.bv_mul(a, b));
        assert!(lemmas.instances(&mut terms, sum).is_empty());
        let said = lemmas.instances(&mut terms, site);
        // The product commutes, so the lemma speaks of either factor.
        let said: Vec<String> = said.iter().map(|instance| terms.to_smtlib(instance.formula)).collect();
        assert_eq!(said.len(), 2, "{said:?}");
        assert!(
            said.iter().any(|text| text.contains("(= a #x00)")) && said.iter().any(|text| text.contains("(= b #x00)")),
            "{said:?}"
        );
        assert!(lemmas.instances(&mut terms, site).is_empty(), "each is said once");
    }

    #[test]
    fn constants_of_a_pattern_are_met_by_themselves_alone_and_widths_are_kept_apart() {
        let mut terms = Terms::new();
        let (truth, byte, word) = (terms.bool_sort(), terms.bv_sort(8), terms.bv_sort(16));
        let p = terms.variable("lemma!p", truth);
        let [x, y, a, b] = ["lemma!x8", "lemma!y8", "a", "b"].map(|name| terms.variable(name, byte));
        let (one, two) = (terms.bv(8, 1), terms.bv(8, 2));
        let choice = terms.ite(p, x, y);
        let (left, then, otherwise) = (terms.bv_add(choice, one), terms.bv_add(x, one), terms.bv_add(y, one));
        let right = terms.ite(p, then, otherwise);
        let lemma = terms.eq(left, right);
        let mut lemmas = Lemmas::default();
        assert!(lemmas.add(&terms, lemma));
        let q = terms.variable("q", truth);
        let choice = terms.ite(q, a, b);
        let (once, twice) = (terms.bv_add(choice, one), terms.bv_add(choice, two));
        assert_eq!(lemmas.instances(&mut terms, once).len(), 1);
        assert!(lemmas.instances(&mut terms, twice).is_empty());
        let [c, d] = ["c", "d"].map(|name| terms.variable(name, word));
        let (one, choice) = (terms.bv(16, 1), terms.ite(q, c, d));
        let wide = terms.bv_add(choice, one);
        assert!(lemmas.instances(&mut terms, wide).is_empty());
    }
}
