//! What the search learnt about sums, as schemas for the checker: `(x + c) + d` is `x + (c + d)`.
//!
//! Facts that the simplifier gave while the search ran speak of the search's own terms, which the checker never sees.
//! Nearly all of them are instances of this one schema, in which `x` is any word and `c`, `d` are constants
//! that the program and the invariants add. The checker proves each lemma once in bits and uses it where its
//! operators occur; then obligations are refuted with functions alone, which costs no more than the search did.

use term::walk::Import;
use term::{Op, SortKind, Term, Terms};
use verdict::Proof;

use crate::tuning::Tuning;

/// Adds the lemmas to the proof. `roots`: what the program computes.
pub(crate) fn add_sums(proof: &mut Proof, terms: &Terms, roots: &[Term]) {
    let steps = added(terms, roots);
    let invariants: Vec<Term> = proof.invariants.iter().map(|&(_, term)| term).collect();
    let mut sums = added(&proof.terms, &invariants);
    sums.extend(steps.iter().filter(|step| !sums.contains(step)).copied().collect::<Vec<_>>());
    let mut lemmas: Vec<(u32, u64, u64)> = Vec::new();
    for &(width, step) in &steps {
        for &(other, constant) in &sums {
            if other == width {
                lemmas.push((width, step, constant));
            }
        }
    }
    if lemmas.is_empty() {
        return;
    }
    // Small steps are the likely ones.
    lemmas.sort_by_key(|&(width, step, constant)| (step, constant, width));
    lemmas.truncate(Tuning::DEFAULT.max_proof_lemmas);
    // In a store that simplifies, the two sides would be one term.
    let mut plain = Terms::without_simplification();
    let mut import = Import::new();
    let mut carry = |plain: &mut Terms, term: Term| {
        import.term(&proof.terms, plain, term).expect("an empty store has no names to quarrel about")
    };
    let symbols = proof.symbols.iter().map(|(term, instance)| (carry(&mut plain, *term), instance.clone())).collect();
    let invariants = proof.invariants.iter().map(|(point, term)| (point.clone(), carry(&mut plain, *term))).collect();
    let mut found = Vec::new();
    for (width, step, constant) in lemmas {
        let sort = plain.bv_sort(width);
        let any = plain.variable(&format!("any!{width}"), sort);
        let [step, constant, both] =
            [step, constant, step.wrapping_add(constant)].map(|number| plain.bv(width, number));
        let inner = plain.bv_add(any, step);
        let (left, right) = (plain.bv_add(inner, constant), plain.bv_add(any, both));
        found.push(plain.eq(left, right));
    }
    let bound = proof.bound.iter().map(|&symbol| carry(&mut plain, symbol)).collect();
    let places = proof.places.iter().map(|(point, term)| (point.clone(), carry(&mut plain, *term))).collect();
    (proof.symbols, proof.invariants, proof.lemmas) = (symbols, invariants, found);
    (proof.bound, proof.places) = (bound, places);
    proof.terms = plain;
}

/// Widths and constants of sums with a constant.
fn added(terms: &Terms, roots: &[Term]) -> Vec<(u32, u64)> {
    let mut found = Vec::new();
    for site in terms.subterms(roots) {
        if terms.op(site) != Op::BvAdd {
            continue;
        }
        let SortKind::BitVec(width) = *terms.sort_kind(terms.sort_of(site)) else { continue };
        for constant in terms.args(site).iter().filter_map(|&arg| terms.small_value(arg)) {
            if width <= 64 && !found.contains(&(width, constant)) {
                found.push((width, constant));
            }
        }
    }
    found
}
