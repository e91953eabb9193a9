//! Sentinels: a cell that holds a constant ends a walk through an array.
//!
//! A string is walked until its zero is met, and the walk stays inside the array because the zero is in its last byte. Two facts say so, without
//! quantifiers: the array holds a constant at some place, `a[e] = c`, and the walk has not passed the place, `r <=u e`. The places are those where the program
//! stores constants, as long as the loop does not change what they are made of; walks are the indices at which the loop reads the same
//! array. `houdini` leaves what is inductive.

use base::{IndexVec, Stopped};
use encode::{Cut, CutKind};
use term::{Op, Term, Terms};

use super::Invariants;
use super::exclusions::inductive;
use crate::context::Context;
use crate::houdini::Houdini;
use crate::tuning::Tuning;

/// A constant that the program stores.
struct Stored {
    array: Term,
    index: Term,
    value: Term,
}

/// Facts about sentinels that are inductive together with what is known, by cutpoint; `None` if there is none.
pub(super) fn sentinels(
    cx: &mut Context<'_>,
    invariants: &Invariants,
) -> Result<Option<IndexVec<Cut, Vec<Term>>>, Stopped> {
    let (program, blocks) = (cx.program(), cx.blocks);
    let terms = &mut *cx.terms;
    let exits = blocks.blocks.iter().flat_map(|block| &block.exits);
    let roots: Vec<Term> =
        exits.flat_map(|exit| exit.values.iter().map(|&(_, value)| value).chain([exit.guard])).collect();
    let stored = stored(terms, &roots);
    let mut houdini = Houdini::new(blocks);
    let mut n_candidates = 0;
    for (cut, cutpoint) in blocks.cutpoints.iter_enumerated().filter(|(_, point)| point.kind == CutKind::Head) {
        let state: Vec<Term> = cutpoint.state.iter().map(|&var| program.vars[var].term).collect();
        let own: Vec<Term> = blocks.blocks[cut]
            .exits
            .iter()
            .flat_map(|exit| exit.values.iter().map(|&(_, value)| value).chain([exit.guard]))
            .collect();
        let reads = reads(terms, &own, &state);
        for sentinel in &stored {
            if !state.contains(&sentinel.array) || !is_plain(terms, sentinel.index, &state) {
                continue;
            }
            let here = terms.select(sentinel.array, sentinel.index);
            houdini.add(cut, terms.eq(here, sentinel.value));
            for &(array, index) in &reads {
                let is_alike = terms.sort_of(index) == terms.sort_of(sentinel.index);
                if array == sentinel.array && index != sentinel.index && is_alike {
                    let chain = [terms.bv_ult(index, sentinel.index), terms.bv_ule(index, sentinel.index)];
                    houdini.add_chain(cut, &chain);
                }
            }
        }
        houdini.candidates[cut].truncate(Tuning::DEFAULT.sentinel_candidates);
        n_candidates += houdini.candidates[cut].len();
    }
    if n_candidates == 0 {
        return Ok(None);
    }
    inductive(cx, invariants, houdini, (Tuning::DEFAULT.sentinel_query_ticks, Tuning::DEFAULT.sentinel_ticks))
}

/// The constants that are stored in arrays of the state.
fn stored(terms: &Terms, roots: &[Term]) -> Vec<Stored> {
    let mut found: Vec<Stored> = Vec::new();
    for part in terms.subterms(roots) {
        if terms.op(part) != Op::Store || !terms.is_value(terms.arg(part, 2)) {
            continue;
        }
        let (index, value) = (terms.arg(part, 1), terms.arg(part, 2));
        for array in bases(terms, part) {
            let is_known = |one: &Stored| one.array == array && one.index == index && one.value == value;
            if !found.iter().any(is_known) {
                found.push(Stored { array, index, value });
            }
        }
    }
    found
}

/// Where the block reads which array, over the state.
fn reads(terms: &Terms, roots: &[Term], state: &[Term]) -> Vec<(Term, Term)> {
    let mut found = Vec::new();
    for part in terms.subterms(roots) {
        if terms.op(part) != Op::Select || !is_plain(terms, terms.arg(part, 1), state) {
            continue;
        }
        for array in bases(terms, terms.arg(part, 0)) {
            if !found.contains(&(array, terms.arg(part, 1))) {
                found.push((array, terms.arg(part, 1)));
            }
        }
    }
    found
}

/// The arrays that an array is made of by stores and choices.
fn bases(terms: &Terms, array: Term) -> Vec<Term> {
    let (mut todo, mut found) = (vec![array], Vec::new());
    while let Some(term) = todo.pop() {
        match terms.op(term) {
            Op::Store => todo.push(terms.arg(term, 0)),
            Op::Ite => todo.extend([terms.arg(term, 1), terms.arg(term, 2)]),
            Op::Symbol(_) if !found.contains(&term) => found.push(term),
            _ => {}
        }
    }
    found
}

/// Whether the term is over these symbols, without choices and arrays.
fn is_plain(terms: &Terms, term: Term, symbols: &[Term]) -> bool {
    terms.subterms(&[term]).into_iter().all(|part| match terms.op(part) {
        Op::Select | Op::Store | Op::Ite => false,
        Op::Symbol(_) => symbols.contains(&part),
        _ => true,
    })
}
