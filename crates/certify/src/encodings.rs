//! Laws of the encodings of floats, as formulas that hold for all values.
//!
//! In obligations the operators on floats are uninterpreted. What memory holds is bits, so a float that is stored and read again
//! is `from_bits(b)` where `b` is a part of a cell that contains `to_bits(x)`. Three laws relate the two: `from_bits(to_bits(x)) = x`; the bits
//! of a literal are known (except those of a NaN, which has many encodings); known bits are a known literal.

use base::Bits;
use term::{FpOp, Op, SortKind, Term, Terms};

/// The laws about the encodings and the literals that stand in the formulas.
pub(crate) fn laws(own: &mut Terms, formulas: &[Term]) -> Vec<Term> {
    let parts = own.subterms(formulas);
    if !parts.iter().any(|&part| own.op(part) == Op::Fp(FpOp::FromBits)) {
        return Vec::new();
    }
    let mut laws = Vec::new();
    for part in parts {
        match own.op(part) {
            Op::Fp(FpOp::ToBits) => {
                let value = own.arg(part, 0);
                let sort = own.sort_of(value);
                let again = own.fp(FpOp::FromBits, &[part], sort);
                laws.push(own.eq(again, value));
                if let Some(bits) = encoding(own, value).filter(|bits| !is_nan(own, value, bits)) {
                    let bits = own.bits(bits);
                    laws.push(own.eq(part, bits));
                }
            }
            Op::Numeral => {
                if let Some(bits) = encoding(own, part) {
                    let (bits, sort) = (own.bits(bits), own.sort_of(part));
                    let decoded = own.fp(FpOp::FromBits, &[bits], sort);
                    laws.push(own.eq(decoded, part));
                }
            }
            _ => {}
        }
    }
    laws
}

/// The bits of a literal float.
fn encoding(own: &Terms, value: Term) -> Option<Bits> {
    let SortKind::Float(exponent, significand) = *own.sort_kind(own.sort_of(value)) else { return None };
    let bits = Bits::parse_hex(own.numeral_text(value)?)?;
    Some(bits.resize_unsigned(exponent + significand))
}

fn is_nan(own: &Terms, value: Term, bits: &Bits) -> bool {
    let SortKind::Float(_, significand) = *own.sort_kind(own.sort_of(value)) else { return false };
    let stored = significand - 1;
    bits.extract(bits.width() - 2, stored).is_ones() && (stored == 0 || !bits.extract(stored - 1, 0).is_zero())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refute::{Outcome, refute};
    use base::Budget;

    /// Whether the claim about a float follows from what eight bytes hold.
    fn follows(make: impl FnOnce(&mut Terms) -> (Vec<Term>, Term)) -> bool {
        let mut terms = Terms::without_simplification();
        let (mut formulas, claim) = make(&mut terms);
        formulas.push(terms.not(claim));
        let mut with_laws = laws(&mut terms, &formulas);
        with_laws.extend(formulas);
        let outcome = refute(&mut terms, &with_laws, &[], &|_| false, &Budget::default());
        matches!(outcome.expect("there is time"), Outcome::Refuted(_))
    }
    /// The low four of eight bytes into which this float was written.
    fn read_again(terms: &mut Terms, value: Term) -> Term {
        let (word, float) = (terms.bv_sort(32), terms.sort_of(value));
        let old = terms.variable("old", word);
        let bits = terms.fp(FpOp::ToBits, &[value], word);
        let cell = terms.concat(old, bits);
        let low = terms.extract(cell, 31, 0);
        terms.fp(FpOp::FromBits, &[low], float)
    }

    #[test]
    fn a_float_is_read_where_it_was_written() {
        assert!(follows(|terms| {
            let float = terms.sort(SortKind::Float(8, 24));
            let value = terms.variable("value", float);
            let read = read_again(terms, value);
            (Vec::new(), terms.eq(read, value))
        }));
    }
    #[test]
    fn known_bits_are_a_known_float() {
        for (bits, text, is_right) in [(0, "0", true), (0x3f80_0000, "3f800000", true), (0x8000_0000, "0", false)] {
            let shown = follows(|terms| {
                let (word, float) = (terms.bv_sort(32), terms.sort(SortKind::Float(8, 24)));
                let cell = terms.variable("cell", word);
                let known = terms.bv(32, bits);
                let premise = terms.eq(cell, known);
                let read = terms.fp(FpOp::FromBits, &[cell], float);
                let literal = terms.numeral(float, text);
                (vec![premise], terms.eq(read, literal))
            });
            assert_eq!(shown, is_right, "{bits:x} as {text}");
        }
    }
    #[test]
    fn the_bits_of_a_nan_are_open() {
        for (text, is_known) in [("3f800000", true), ("7f800000", true), ("7fc00000", false)] {
            let shown = follows(|terms| {
                let (word, float) = (terms.bv_sort(32), terms.sort(SortKind::Float(8, 24)));
                let literal = terms.numeral(float, text);
                let bits = terms.fp(FpOp::ToBits, &[literal], word);
                let read = read_again(terms, literal);
                let premise = terms.eq(read, literal);
                let known = terms.bits(Bits::parse_hex(text).expect("digits"));
                (vec![premise], terms.eq(bits, known))
            });
            assert_eq!(shown, is_known, "{text}");
        }
    }
}
