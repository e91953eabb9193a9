//! Inequalities worth trying at loop heads, from what the program itself compares.
//!
//! Forms are the words of the state, what the program compares and what a loop preserves (see `preserved`); each is
//! compared with each other and with the program's constants, in both orders. Most of these candidates fall with
//! the first models that `houdini` finds; the few that stay are the bounds that loops need. The bounds of one form in one
//! order are a chain, the strongest first.

use base::Stopped;
use encode::{Blocks, Cut};
use program::{Program, Var};
use term::{Op, SortKind, Term, Terms};

use super::preserved::preserved;
use crate::context::Context;
use crate::tuning::Tuning;

/// Candidates for one loop head, in chains in which each implies the next one.
pub(crate) fn candidates(cx: &mut Context<'_>, head: Cut, known: &[Term]) -> Result<Vec<Vec<Term>>, Stopped> {
    let (program, blocks) = (cx.program(), cx.blocks);
    let terms = &mut *cx.terms;
    let state: Vec<Term> = blocks.cutpoints[head].state.iter().map(|&var| program.vars[var].term).collect();
    let mut found = Candidates { chains: Vec::new() };
    let atoms = atoms(program, terms, blocks, head, &state);
    let (mut forms, constants) = forms(terms, &state, &atoms, known);
    let mut opposites: Vec<Term> = Vec::new();
    let sums = preserved(cx, head, known)?;
    let terms = &mut *cx.terms;
    for (left, right) in sums {
        forms.push(terms.bv_sub(left, right));
        // Which of the two is the larger is not known.
        if !terms.is_value(left) && !terms.is_value(right) {
            opposites.push(terms.bv_sub(right, left));
        }
    }
    for (number, &left) in forms.iter().enumerate() {
        let sort = terms.sort_of(left);
        for &right in forms[number + 1..].iter().chain(&opposites) {
            if terms.sort_of(right) == sort {
                found.compare(terms, left, right);
            }
        }
        let mut bounds: Vec<u64> = vec![0, 1];
        for &constant in constants.iter().filter(|&&constant| terms.sort_of(constant) == sort) {
            bounds.extend(terms.small_value(constant));
        }
        found.bound(terms, left, &bounds);
    }
    for &form in &opposites {
        let same_sort = |&&constant: &&Term| terms.sort_of(constant) == terms.sort_of(form);
        let bounds: Vec<u64> =
            constants.iter().filter(same_sort).filter_map(|&constant| terms.small_value(constant)).collect();
        found.bound(terms, form, &bounds);
    }
    // How far a loop may overshoot what it counts towards.
    let steps = steps(program, terms, blocks, head);
    let is_open = |&&(left, right): &&(Term, Term)| !terms.is_value(left) && !terms.is_value(right);
    let compared: Vec<(Term, Term)> = atoms.iter().filter(is_open).copied().collect();
    for (left, right) in compared {
        for &step in &steps {
            let step = terms.bv(terms.width(left), step);
            for (counter, bound) in [(left, right), (right, left)] {
                let beyond = terms.bv_add(bound, step);
                found.overshoot(terms, counter, beyond);
            }
        }
    }
    Ok(found.chains)
}

/// What is compared, and the constants that it is compared with.
fn forms(terms: &Terms, state: &[Term], atoms: &[(Term, Term)], known: &[Term]) -> (Vec<Term>, Vec<Term>) {
    let mut forms: Vec<Term> = Vec::new();
    let mut constants: Vec<Term> = Vec::new();
    for &(left, right) in atoms {
        for side in [left, right] {
            let list = if terms.is_value(side) { &mut constants } else { &mut forms };
            if !list.contains(&side) {
                list.push(side);
            }
        }
    }
    // What bounds one variable often bounds another that follows it.
    for part in terms.subterms(known) {
        if is_comparison(terms.op(part)) {
            for &side in terms.args(part) {
                // The sign alone is no bound worth trying.
                let is_sign =
                    |side: Term| terms.small_value(side).is_none_or(|value| value == 1 << (terms.width(side) - 1));
                if terms.is_value(side) && !terms.is_bool(side) && !is_sign(side) && !constants.contains(&side) {
                    constants.push(side);
                }
            }
        }
    }
    for &word in state {
        let is_word = matches!(*terms.sort_kind(terms.sort_of(word)), SortKind::BitVec(8..=64));
        if is_word && !forms.contains(&word) {
            forms.push(word);
        }
    }
    // What holds of one of two equal variables holds of the other.
    for &equation in known.iter().filter(|&&equation| terms.op(equation) == Op::Eq) {
        let (left, right) = (terms.arg(equation, 0), terms.arg(equation, 1));
        if state.contains(&left) && state.contains(&right) {
            forms.retain(|&form| form != left.max(right));
        }
    }
    // Variables first: sums are many.
    forms.sort_by_key(|&form| (!terms.args(form).is_empty(), form));
    forms.truncate(Tuning::DEFAULT.bounds_forms);
    let is_small = |entry: &Term| terms.small_value(*entry).is_some();
    constants.retain(is_small);
    constants.truncate(Tuning::DEFAULT.bounds_constants);
    (forms, constants)
}

struct Candidates {
    chains: Vec<Vec<Term>>,
}

impl Candidates {
    /// The form is at most and at least one of the bounds or its neighbours, with and without a sign.
    fn bound(&mut self, terms: &mut Terms, form: Term, bounds: &[u64]) {
        let width = terms.width(form);
        let mask = u64::MAX >> (64 - width);
        let mut all: Vec<u64> = bounds
            .iter()
            .flat_map(|&bound| [bound, bound.wrapping_add(1) & mask, bound.wrapping_sub(1) & mask])
            .collect();
        all.sort_unstable();
        all.dedup();
        let unsigned: Vec<Term> = all.iter().map(|&bound| terms.bv(width, bound)).collect();
        // In the order of signed numbers those with the sign come first.
        let n_positive = all.partition_point(|&bound| bound <= mask / 2);
        let mut signed = unsigned.clone();
        signed.rotate_left(n_positive);
        let chains = [
            signed.iter().map(|&bound| terms.bv_sle(form, bound)).collect(),
            signed.iter().rev().map(|&bound| terms.bv_sle(bound, form)).collect(),
            unsigned.iter().map(|&bound| terms.bv_ule(form, bound)).collect(),
            unsigned.iter().rev().map(|&bound| terms.bv_ule(bound, form)).collect(),
        ];
        for chain in chains {
            self.add(terms, chain);
        }
    }
    fn compare(&mut self, terms: &mut Terms, left: Term, right: Term) {
        for chain in
            [terms.bv_sle(left, right), terms.bv_sle(right, left), terms.bv_ule(left, right), terms.bv_ule(right, left)]
        {
            self.add(terms, vec![chain]);
        }
    }
    /// The counter has come that far at most.
    fn overshoot(&mut self, terms: &mut Terms, counter: Term, beyond: Term) {
        for chain in [terms.bv_sle(counter, beyond), terms.bv_ule(counter, beyond)] {
            self.add(terms, vec![chain]);
        }
    }
    /// Adds what is not true or false anyway.
    fn add(&mut self, terms: &Terms, mut chain: Vec<Term>) {
        chain.retain(|&candidate| !terms.args(candidate).is_empty());
        self.chains.push(chain);
    }
}

/// What the loop at the head adds to its variables in one turn, and one less; one in any case.
fn steps(program: &Program, terms: &Terms, blocks: &Blocks, head: Cut) -> Vec<u64> {
    let mut found = vec![1];
    for exit in blocks.blocks[head].exits.iter().filter(|exit| exit.to == head) {
        for &(var, value) in &exit.values {
            let (Op::BvAdd, &[word, step]) = (terms.op(value), terms.args(value)) else { continue };
            let step = terms
                .small_value(step)
                .filter(|&step| word == program.vars[var].term && step <= Tuning::DEFAULT.bounds_largest_step);
            for step in step.into_iter().flat_map(|step| [step - 1, step]) {
                if step > 0 && !found.contains(&step) {
                    found.push(step);
                }
            }
        }
    }
    found.truncate(Tuning::DEFAULT.bounds_steps);
    found
}

/// What is compared in the blocks and speaks of the head's state alone, also in the words of what becomes of it on the
/// way there.
fn atoms(program: &Program, terms: &mut Terms, blocks: &Blocks, head: Cut, state: &[Term]) -> Vec<(Term, Term)> {
    let mut found = Vec::new();
    // Those of the block that starts here come first.
    let order = std::iter::once(head).chain(blocks.cutpoints.ids().filter(|&cut| cut != head));
    for cut in order {
        let mut roots: Vec<Term> = blocks.blocks[cut]
            .exits
            .iter()
            .flat_map(|exit| exit.values.iter().map(|&(_, value)| value).chain([exit.guard]))
            .collect();
        if let Some(exit) = blocks.blocks[cut].exits.iter().find(|exit| exit.to == head && cut != head) {
            let is_open = |&&(_, value): &&(Var, Term)| !terms.is_value(value) && !terms.is_bool(value);
            let pairs: Vec<(Term, Term)> =
                exit.values.iter().filter(is_open).map(|&(var, value)| (value, program.vars[var].term)).collect();
            roots.push(terms.substitute(exit.guard, &pairs));
        }
        for atom in terms.subterms(&roots) {
            if !is_comparison(terms.op(atom)) {
                continue;
            }
            let (left, right) = (terms.arg(atom, 0), terms.arg(atom, 1));
            let is_word = matches!(*terms.sort_kind(terms.sort_of(left)), SortKind::BitVec(8..=64));
            if is_word && !found.contains(&(left, right)) && speaks_of(terms, atom, state) {
                found.push((left, right));
            }
        }
    }
    found
}

/// Whether the operator compares two values.
pub(crate) fn is_comparison(op: Op) -> bool {
    matches!(op, Op::Eq | Op::BvUlt | Op::BvUle | Op::BvUgt | Op::BvUge | Op::BvSlt | Op::BvSle | Op::BvSgt | Op::BvSge)
}

/// Whether the term has no other symbols, and no operator that is too expensive in a candidate: comparisons of products take long.
pub(super) fn speaks_of(terms: &Terms, term: Term, state: &[Term]) -> bool {
    let parts = terms.subterms(&[term]);
    parts.len() <= 20
        && parts.iter().all(|&part| match terms.op(part) {
            Op::Symbol(_) => state.contains(&part),
            Op::Ite | Op::Select | Op::Store | Op::ConstArray => false,
            Op::BvMul => terms.args(part).iter().any(|&arg| terms.is_value(arg)),
            _ => true,
        })
}
