//! The terms at which invariants about every cell are used: where the block at hand reads and writes, as far as its state determines it,
//! and where candidates read beside their own cell.

use encode::CutKind;
use term::{Op, Term, Terms};

use super::offsets::{Body, inverse_at};
use super::{Cells, indices_in, is_variable};
use crate::tuning::Tuning;

impl Cells<'_> {
    /// Where bodies read beside their own cell.
    pub(super) fn moved(&self, terms: &mut Terms, bodies: &[Body]) -> Vec<Term> {
        let mut moved: Vec<Term> = Vec::new();
        for body in bodies {
            for index in indices_in(terms, &[body.body]) {
                match &body.offset {
                    Some(offset) => add(&mut moved, terms.substitute(index, &offset.pairs)),
                    None => {
                        self.made_of(terms, index, &[body.bound]).into_iter().for_each(|term| add(&mut moved, term))
                    }
                }
            }
        }
        moved
    }
    /// Finds the places of every cutpoint, with these of bodies; with the counters that lead there if bodies are expressed by them.
    pub(super) fn find_places(
        &mut self,
        terms: &mut Terms,
        mut moved: Vec<Term>,
        maps: &[(Term, Term)],
        by_counters: bool,
    ) {
        moved.retain(|term| !self.bound.contains(term) && !self.offsets.contains(term));
        for cut in self.blocks.cutpoints.ids() {
            if self.blocks.cutpoints[cut].kind != CutKind::Head {
                continue;
            }
            let state = self.state(cut);
            let mut found: Vec<Term> = Vec::new();
            for index in self.indices(terms, cut) {
                let is_offset = |offset: &Term| terms.sort_of(*offset) == terms.sort_of(index);
                if self.offsets.iter().any(is_offset) && is_plain(terms, index, &state) {
                    add(&mut found, index);
                }
                if by_counters {
                    self.made_of(terms, index, &state).into_iter().for_each(|term| add(&mut found, term));
                }
                for &(bound, map) in maps {
                    if terms.sort_of(map) == terms.sort_of(index)
                        && let Some(counter) = inverse_at(terms, map, bound, index)
                        && is_plain(terms, counter, &state)
                    {
                        add(&mut found, counter);
                    }
                }
            }
            moved.iter().for_each(|&term| add(&mut found, term));
            found.truncate(Tuning::DEFAULT.cells_places);
            self.places[cut] = found;
        }
    }
    /// The maps from bound symbols to indices of bodies that are expressed by counters.
    pub(super) fn maps(&self, terms: &Terms, bodies: &[Body]) -> Vec<(Term, Term)> {
        let mut maps = Vec::new();
        for body in bodies.iter().filter(|body| body.offset.is_none()) {
            for index in indices_in(terms, &[body.body]) {
                if terms.subterms(&[index]).contains(&body.bound) && !maps.contains(&(body.bound, index)) {
                    maps.push((body.bound, index));
                }
            }
        }
        maps
    }
    /// The parts of an index that could be what a counter is: of a counter's sort, over these symbols, and no multiples,
    /// which come from the sizes of elements.
    fn made_of(&self, terms: &Terms, index: Term, symbols: &[Term]) -> Vec<Term> {
        let is_fit = |&part: &Term| {
            self.bound_for(terms, part).is_some()
                && !matches!(terms.op(part), Op::BvMul | Op::BvShl | Op::Concat)
                && !terms.is_value(part)
                && is_plain(terms, part, symbols)
        };
        terms.subterms(&[index]).into_iter().filter(is_fit).collect()
    }
}

/// Whether the term is over these symbols, without choices and arrays.
fn is_plain(terms: &Terms, term: Term, symbols: &[Term]) -> bool {
    terms.subterms(&[term]).into_iter().all(|part| match terms.op(part) {
        Op::Select | Op::Store | Op::Ite => false,
        _ => !is_variable(terms, part) || symbols.contains(&part),
    })
}

fn add(found: &mut Vec<Term>, term: Term) {
    if !found.contains(&term) {
        found.push(term);
    }
}
