//! Rounding to an integral value, on the encoding.
//!
//! From one up to the numbers without a fraction, the bits of the fraction are the last ones of the encoding; adding one to the bit before them carries into the exponent
//! where it must. Below one the result is zero or one.

use base::Bits;

use super::format::{Format, Parts, bit, is_nonzero, number};
use crate::{FpOp, Term, Terms};

/// How a fraction is rounded.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rounding {
    NearestEven,
    NearestAway,
    Up,
    Down,
    TowardZero,
}

impl Rounding {
    /// That of an operator which rounds to an integral value.
    pub(super) fn of(op: FpOp) -> Option<Rounding> {
        Some(match op {
            FpOp::Floor => Rounding::Down,
            FpOp::Ceil => Rounding::Up,
            FpOp::Trunc => Rounding::TowardZero,
            FpOp::Round => Rounding::NearestAway,
            FpOp::RoundEven => Rounding::NearestEven,
            _ => return None,
        })
    }
    /// Whether the magnitude grows: the fraction is at least a half, more than a half, not zero.
    fn grows(self, terms: &mut Terms, sign: Term, [at_least, above, some]: [Term; 3], is_odd: Term) -> Term {
        match self {
            Rounding::NearestEven => {
                let tie = terms.and(&[at_least, is_odd]);
                terms.or(&[above, tie])
            }
            Rounding::NearestAway => at_least,
            Rounding::Up => {
                let positive = terms.not(sign);
                terms.and(&[positive, some])
            }
            Rounding::Down => terms.and(&[sign, some]),
            Rounding::TowardZero => terms.truth(false),
        }
    }
}

/// The encoding of the rounded number; NaN and infinities stay what they are.
pub(super) fn round(terms: &mut Terms, x: Parts, mode: Rounding) -> Term {
    let Format { exponent: e, significand: s } = x.format;
    let width = e + s - 1;
    let magnitude = x.magnitude;
    let one = terms.bits(x.format.power(0));
    let half = terms.bits(x.format.power(1));
    let is_below_one = terms.bv_ult(magnitude, one);
    let at_least = terms.bv_ule(half, magnitude);
    let above = terms.bv_ult(half, magnitude);
    let some = is_nonzero(terms, magnitude);
    let even = terms.truth(false);
    let is_one = mode.grows(terms, x.sign, [at_least, above, some], even);
    let nothing = terms.bits(Bits::zero(width));
    let small = terms.ite(is_one, one, nothing);

    // Bits of the fraction: as many as the significand has behind the hidden one, less the exponent.
    let biased = terms.extract(x.word, e + s - 2, s - 1);
    let size = e.max(super::format::bits_for(u64::from(s))) + 1;
    let biased = terms.zero_extend_to(biased, size);
    let whole = number(terms, size, x.format.bias() as i64 + i64::from(s) - 1);
    let is_integral = terms.bv_ule(whole, biased);
    let count = terms.bv_sub(whole, biased);
    let count = match size <= width {
        true => terms.zero_extend_to(count, width),
        false => terms.extract(count, width - 1, 0),
    };
    let unit = number(terms, width, 1);
    let unit = terms.bv_shl(unit, count);
    let minus_one = terms.bits(Bits::ones(width));
    let mask = terms.bv_add(unit, minus_one);
    let fraction = terms.bv_and(magnitude, mask);
    let by = number(terms, width, 1);
    let middle = terms.bv_lshr(unit, by);
    let at_least = terms.bv_ule(middle, fraction);
    let above = terms.bv_ult(middle, fraction);
    let some = is_nonzero(terms, fraction);
    // Of numbers between one and two, this bit is the last of the bias, which is odd as their integral part is.
    let last = terms.bv_and(magnitude, unit);
    let is_odd = is_nonzero(terms, last);
    let grows = mode.grows(terms, x.sign, [at_least, above, some], is_odd);
    let cleared = terms.bv_sub(magnitude, fraction);
    let larger = terms.bv_add(cleared, unit);
    let rounded = terms.ite(grows, larger, cleared);

    let result = terms.ite(is_below_one, small, rounded);
    let result = terms.ite(is_integral, magnitude, result);
    let sign = bit(terms, x.sign);
    terms.concat(sign, result)
}
