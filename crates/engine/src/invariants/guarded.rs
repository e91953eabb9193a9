//! Order under a condition: where `y > 0`, the loop keeps `-y <= b` and `b <= y`; elsewhere it need not.
//!
//! A condition that the error asks about and that no loop changes may decide which orders a loop keeps. Each such
//! condition is put before each comparison of a word that it is about with another, and before each choice between a
//! comparison and an equation; `houdini` leaves what is inductive. Unlike the templates of the shared relations, which hold always, this is
//! for loops with few variables only: there are many candidates, and the questions need bits.

use base::{IndexVec, Stopped};
use encode::{Blocks, Cut, CutKind};
use program::Program;
use term::{Op, SortKind, Term, Terms};

use super::Invariants;
use super::exclusions::inductive;
use crate::context::Context;
use crate::houdini::Houdini;
use crate::tuning::Tuning;

/// Clauses that are inductive together with what is known, by cutpoint; `None` if there is no clause.
pub(super) fn guarded(
    cx: &mut Context<'_>,
    invariants: &Invariants,
) -> Result<Option<IndexVec<Cut, Vec<Term>>>, Stopped> {
    let blocks = cx.blocks;
    let mut houdini = Houdini::new(blocks);
    for (cut, cutpoint) in blocks.cutpoints.iter_enumerated() {
        if cutpoint.kind == CutKind::Head {
            houdini.candidates[cut] = candidates(cx.program(), cx.terms, blocks, cut);
        }
    }
    inductive(cx, invariants, houdini, (Tuning::DEFAULT.orders_query_ticks, Tuning::DEFAULT.orders_ticks))
}

fn candidates(program: &Program, terms: &mut Terms, blocks: &Blocks, head: Cut) -> Vec<Term> {
    let state: Vec<Term> = blocks.cutpoints[head].state.iter().map(|&var| program.vars[var].term).collect();
    let words: Vec<Term> = state.iter().copied().filter(|&word| !terms.is_bool(word) && is_word(terms, word)).collect();
    if words.len() > Tuning::DEFAULT.orders_variables {
        return Vec::new();
    }
    let mut clauses = Vec::new();
    for condition in conditions(program, terms, blocks, head, &state) {
        let about = terms.subterms(&[condition]);
        let mut equations = Vec::new();
        let mut comparisons = Vec::new();
        for (at, &one) in words.iter().enumerate() {
            for &other in &words[at + 1..] {
                // A word that the condition is about may still be what another one was at first.
                let is_alike = terms.sort_of(one) == terms.sort_of(other);
                if is_alike && about.contains(&one) != about.contains(&other) {
                    equations.push(terms.eq(one, other));
                    comparisons.extend(orders(terms, one, other));
                }
            }
        }
        for otherwise in [condition, terms.not(condition)] {
            for &comparison in &comparisons {
                clauses.push(terms.or(&[otherwise, comparison]));
                clauses.extend(equations.iter().map(|&equation| terms.or(&[otherwise, equation, comparison])));
            }
        }
    }
    clauses.sort_unstable();
    clauses.dedup();
    clauses.retain(|&clause| !terms.is_value(clause));
    clauses
}

/// Both orders of two words, and of each with the other's negation. At the smallest number the two negations differ.
fn orders(terms: &mut Terms, one: Term, other: Term) -> Vec<Term> {
    let (less, more) = (terms.bv_neg(one), terms.bv_neg(other));
    let mut found = Vec::new();
    for (left, right) in [(one, other), (one, more), (less, other)] {
        found.extend([terms.bv_sle(left, right), terms.bv_sle(right, left)]);
    }
    found
}

/// Comparisons that the errors ask about, of variables that no loop at this head changes.
fn conditions(program: &Program, terms: &Terms, blocks: &Blocks, head: Cut, state: &[Term]) -> Vec<Term> {
    let mut kept = state.to_vec();
    let mut roots = Vec::new();
    for exit in &blocks.blocks[head].exits {
        match blocks.cutpoints[exit.to].kind {
            CutKind::Error(_) => roots.push(exit.guard),
            _ => kept.retain(|&word| {
                let changed = |&(var, value): &(program::Var, Term)| program.vars[var].term == word && value != word;
                !exit.values.iter().any(changed)
            }),
        }
    }
    let mut found = Vec::new();
    for atom in terms.subterms(&roots) {
        let is_comparison = matches!(
            terms.op(atom),
            Op::BvUlt | Op::BvUle | Op::BvUgt | Op::BvUge | Op::BvSlt | Op::BvSle | Op::BvSgt | Op::BvSge
        );
        let symbols = || terms.subterms(&[atom]).into_iter().filter(|&part| matches!(terms.op(part), Op::Symbol(_)));
        if is_comparison && symbols().all(|symbol| kept.contains(&symbol)) {
            found.push(atom);
        }
    }
    found.truncate(Tuning::DEFAULT.orders_conditions);
    found
}

fn is_word(terms: &Terms, term: Term) -> bool {
    matches!(*terms.sort_kind(terms.sort_of(term)), SortKind::BitVec(2..=64))
}
