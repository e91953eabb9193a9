//! Cells by their index instead of a counter: `a[4k] = e(k)` becomes `a[o] = e(o >> 2)` for every `o` that is a multiple of four.
//!
//! Groups of cells, `a[3k + 1]`, are expressed by quotients.
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
            if let Some(counter) = simple_inverse(terms, index, bound, symbol) {
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

/// What the bound symbol is when the term has this value, if it is a multiple of it by a power of two, extended or not. With other maps
/// different counters lead to one index where products wrap around, and counters say more.
fn simple_inverse(terms: &mut Terms, term: Term, bound: Term, value: Term) -> Option<Term> {
    let mut open = term;
    loop {
        let args = terms.args(open).to_vec();
        open = match terms.op(open) {
            _ if open == bound => return inverse(terms, term, bound, value),
            Op::BvMul => {
                let is_power = |arg: Term| terms.small_value(arg).is_some_and(u64::is_power_of_two);
                let place = (0..2).find(|&place| is_power(args[place]))?;
                args[1 - place]
            }
            Op::SignExtend(_) | Op::ZeroExtend(_) => args[0],
            _ => return None,
        };
    }
}

/// What the symbol is when the first term has the value of the second, where both are made alike around what differs: without the products that
/// could wrap around.
pub(super) fn inverse_at(terms: &mut Terms, term: Term, symbol: Term, other: Term) -> Option<Term> {
    let (mut term, mut other) = (term, other);
    while term != symbol && terms.op(term) == terms.op(other) {
        let (args, others) = (terms.args(term).to_vec(), terms.args(other).to_vec());
        let is_alike = match terms.op(term) {
            Op::BvMul => args.len() == 2 && terms.is_value(args[1]) && args[1] == others[1],
            Op::SignExtend(_) | Op::ZeroExtend(_) => terms.sort_of(args[0]) == terms.sort_of(others[0]),
            _ => false,
        };
        if !is_alike {
            break;
        }
        (term, other) = (args[0], others[0]);
    }
    inverse(terms, term, symbol, other)
}

/// What the symbol is when the term has this value, if the term is a multiple of it plus a constant, extended or cut or not. Where the
/// term does not have the value for any value of the symbol, it is anything.
pub(crate) fn inverse(terms: &mut Terms, term: Term, symbol: Term, value: Term) -> Option<Term> {
    if term == symbol {
        return Some(value);
    }
    let args = terms.args(term).to_vec();
    match terms.op(term) {
        Op::BvMul => {
            let place = (0..2).find(|&place| terms.small_value(args[place]).is_some_and(|factor| factor > 0))?;
            let factor = terms.small_value(args[place])?;
            let smaller = if factor.is_power_of_two() {
                let by = terms.bv(terms.width(value), u64::from(factor.trailing_zeros()));
                terms.bv_lshr(value, by)
            } else {
                let by = terms.bv(terms.width(value), factor);
                terms.bv_udiv(value, by)
            };
            inverse(terms, args[1 - place], symbol, smaller)
        }
        Op::BvAdd if terms.is_value(args[1]) => {
            let rest = without_constant(terms, args[0], args[1], value);
            inverse(terms, args[0], symbol, rest)
        }
        Op::BvSub if terms.is_value(args[0]) => {
            let rest = terms.bv_sub(args[0], value);
            inverse(terms, args[1], symbol, rest)
        }
        Op::SignExtend(_) | Op::ZeroExtend(_) => {
            let narrow = terms.extract(value, terms.width(args[0]) - 1, 0);
            inverse(terms, args[0], symbol, narrow)
        }
        Op::Extract { low: 0, .. } => {
            let wide = terms.zero_extend_to(value, terms.width(args[0]));
            inverse(terms, args[0], symbol, wide)
        }
        _ => None,
    }
}

/// What a multiple is when the sum of it and the constant has this value. Of constants that leave the same residue the smallest one is
/// subtracted from the quotient, not from the value: then all cells of one group have one quotient.
fn without_constant(terms: &mut Terms, multiple: Term, constant: Term, value: Term) -> Term {
    let width = terms.width(value);
    let factor = terms.args(multiple).iter().find_map(|&arg| terms.small_value(arg));
    if let (Op::BvMul, Some(factor), Some(constant)) = (terms.op(multiple), factor, terms.small_value(constant))
        && factor > 1
        && width < 64
    {
        let signed = (constant << (64 - width)) as i64 >> (64 - width);
        if let Ok(factor) = i64::try_from(factor) {
            let rest = signed.rem_euclid(factor);
            let whole = terms.bv(width, (signed - rest) as u64 & (u64::MAX >> (64 - width)));
            // The residue is left in: it is lost in the quotient.
            return terms.bv_sub(value, whole);
        }
    }
    terms.bv_sub(value, constant)
}
