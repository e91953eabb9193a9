//! Cubes of the published algorithm: `--euf paper` [BuenoSakallah-VMCAI'19] Fig. 5.
//!
//! A step is asked over next-state symbols (`next`). From its model, the *cone of influence* is traversed: the guard, the functions of
//! the next-state symbols that the target mentions, and lemmas; of an `ite` only the branch that the model takes. The cube relates
//! all terms met on the way that speak of the state alone, as the model does: which are equal, which differ, which predicates hold.
//! So cubes consist of terms of the abstract relation and of learned lemmas, and there are finitely many (its Theorem 1);
//! in debug builds that is asserted. Inputs are left out, so a state of the cube need not take the step.
//!
//! Unlike the paper, a literal of the target that becomes one of the relation's own by putting in the branches taken is kept.

use base::FastMap;
use encode::{BlockInput, Cut};
use smt::Solver;
use term::{Op, SortKind, Term, Terms, Value};

use crate::cube::Cube;
use crate::next::Relation;
use crate::preimage::{Justified, Preimage};

/// The arrangement of the state's terms in what made the step possible. `target`: its literals before the edge.
pub(crate) fn arrange(
    terms: &mut Terms,
    solver: &Solver,
    relation: &Relation,
    at: Cut,
    justified: &Justified,
    inputs: &[BlockInput],
    target: &[Term],
) -> Preimage {
    let mut literals = justified.signed_atoms(terms);
    let of_state = of_state(terms, relation, &literals, inputs);
    let mut words = words(terms, justified, &literals, &of_state);
    literals.retain(|literal| of_state[literal]);
    for &literal in target {
        let resolved = justified.resolved(terms, literal);
        if relation.can_say(terms, resolved) {
            literals.push(resolved);
        }
        words.extend(
            terms.subterms(&[literal]).into_iter().filter(|&term| is_word(terms, term) && terms.is_value(term)),
        );
    }
    // Values first, so that they represent their classes.
    words.sort_by_key(|&word| (!terms.is_value(word), word));
    words.dedup();
    for (left, right, are_equal) in partition(terms, solver, words) {
        literals.push(if are_equal { terms.eq(left, right) } else { terms.ne(left, right) });
    }
    // What the simplifier made of a literal may be false in a model to which operators are functions.
    let mut model = solver.model(terms).expect("the last query had a model");
    literals.retain(|&literal| {
        !matches!(terms.op(literal), Op::True) && relation.can_say(terms, literal) && model.is_true(literal)
    });
    drop(model);
    Preimage { cube: Cube::new(at, literals), is_rough: true }
}

fn is_word(terms: &Terms, term: Term) -> bool {
    matches!(terms.sort_kind(terms.sort_of(term)), SortKind::BitVec(_))
}

/// For each subterm whether it speaks of the state alone.
fn of_state(terms: &Terms, relation: &Relation, formulas: &[Term], inputs: &[BlockInput]) -> FastMap<Term, bool> {
    let mut of_state: FastMap<Term, bool> = FastMap::new();
    for term in terms.subterms(formulas) {
        let is_foreign = relation.is_next(term) || inputs.iter().any(|input| input.symbol == term);
        let is_of_state = !is_foreign && terms.args(term).iter().all(|arg| of_state[arg]);
        of_state.insert(term, is_of_state);
    }
    of_state
}

/// The words of the state that are met below the literals, of an `ite` only below the branch that was taken.
fn words(terms: &Terms, justified: &Justified, literals: &[Term], of_state: &FastMap<Term, bool>) -> Vec<Term> {
    let mut words = Vec::new();
    let mut seen: FastMap<Term, ()> = FastMap::new();
    let mut open = literals.to_vec();
    while let Some(term) = open.pop() {
        if seen.insert(term, ()).is_some() {
            continue;
        }
        if let Some(branch) = justified.branch(terms, term) {
            open.push(branch);
            continue;
        }
        if is_word(terms, term) && of_state[&term] {
            words.push(term);
        }
        open.extend(terms.args(term));
    }
    words
}

/// The partition of the words by their values: each word with the first of its class, and the first ones with each other.
fn partition(terms: &Terms, solver: &Solver, words: Vec<Term>) -> Vec<(Term, Term, bool)> {
    let mut model = solver.model(terms).expect("the last query had a model");
    let mut firsts: Vec<(Term, Value)> = Vec::new();
    let mut pairs = Vec::new();
    for word in words {
        let value = model.value(word);
        match firsts.iter().find(|first| first.1 == value) {
            Some(&(first, _)) => pairs.push((first, word, true)),
            None => {
                let sort = terms.sort_of(word);
                let others = firsts.iter().filter(|first| terms.sort_of(first.0) == sort);
                // Two values differ anyway.
                let others = others.filter(|first| !(terms.is_value(first.0) && terms.is_value(word)));
                pairs.extend(others.map(|first| (first.0, word, false)));
                firsts.push((word, value));
            }
        }
    }
    pairs
}
