//! Cells by their index instead of a counter: `a[4k] = e(k)` becomes `a[o] = e(o >> 2)` for every `o` that is a multiple of four.
//!
//! A write and a read of the same cell then have the same index as terms, and solvers need no arithmetic to see that they
//! agree. That different counters mean different cells is no question any more.

use term::{Op, Term, Terms};

use super::{Cells, indices_in, unused};

/// A formula about any cell.
pub(super) struct Body {
    /// Stands for any value of a counter.
    pub bound: Term,
    /// The formula about it.
    pub body: Term,
    /// How to express it by an index.
    pub offset: Option<Offset>,
}

/// An index in the place of a counter.
pub(super) struct Offset {
    /// What to put in: the index for the term that the counter leads to, and what the counter is for the counter.
    pub pairs: [(Term, Term); 2],
    /// That some counter leads to the index.
    is_place: Term,
}

impl Body {
    /// The formula about the counter, expressed by the index.
    pub fn over_index(&self, terms: &mut Terms, formula: Term) -> Term {
        let Some(Offset { pairs, is_place }) = &self.offset else { return formula };
        let by_index = terms.substitute(formula, pairs);
        let outside = terms.not(*is_place);
        terms.or(&[outside, by_index])
    }
}

impl Cells<'_> {
    /// Expresses the formula by the first index in it that the counter can be found from.
    pub(super) fn by_offset(&mut self, terms: &mut Terms, bound: Term, body: Term) -> Body {
        for index in indices_in(terms, &[body]) {
            let sort = terms.sort_of(index);
            let known = self.offsets.iter().copied().find(|&offset| terms.sort_of(offset) == sort);
            let symbol = known.unwrap_or_else(|| unused(terms, self.program, "cell", terms.width(index)));
            if let Some(counter) = inverse(terms, index, bound, symbol) {
                if known.is_none() {
                    self.offsets.push(symbol);
                }
                let back = terms.substitute(index, &[(bound, counter)]);
                let is_place = terms.eq(back, symbol);
                let offset = Offset { pairs: [(index, symbol), (bound, counter)], is_place };
                return Body { bound, body, offset: Some(offset) };
            }
        }
        Body { bound, body, offset: None }
    }
}

/// What the bound symbol is when the term has this value, if it is a multiple of it by a power of two, extended or not.
fn inverse(terms: &mut Terms, term: Term, bound: Term, value: Term) -> Option<Term> {
    if term == bound {
        return Some(value);
    }
    let args = terms.args(term).to_vec();
    match terms.op(term) {
        Op::BvMul => {
            let place = (0..2).find(|&place| terms.small_value(args[place]).is_some_and(u64::is_power_of_two))?;
            let by = terms.small_value(args[place])?.trailing_zeros();
            let by = terms.bv(terms.width(value), u64::from(by));
            let smaller = terms.bv_lshr(value, by);
            inverse(terms, args[1 - place], bound, smaller)
        }
        Op::SignExtend(_) | Op::ZeroExtend(_) => {
            let narrow = terms.extract(value, terms.width(args[0]) - 1, 0);
            inverse(terms, args[0], bound, narrow)
        }
        _ => None,
    }
}
