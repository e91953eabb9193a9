//! Rounding to nearest even, and the encoding of the result.
//!
//! The significand is a word of at least two bits more than the format has, whose last bit is *sticky*: set if anything was lost. The hidden bit and the carry of
//! rounding are added to the packed exponent, so that overflow to infinity and the step from the largest subnormal number need no case of their own.

use base::Bits;

use super::format::{Format, bit, is_nonzero, number, shift_sticky};
use crate::{Term, Terms};

/// A number before it is rounded.
pub(super) struct Exact {
    /// Whether it is negative.
    pub sign: Term,
    /// Its biased exponent, a signed word.
    pub exponent: Term,
    /// Its significand; the first bit is the hidden one.
    pub significand: Term,
}

/// Makes the number subnormal if its exponent is below one.
pub(super) fn denormalise(terms: &mut Terms, exact: Exact) -> Exact {
    let (width, length) = (terms.width(exact.exponent), terms.width(exact.significand));
    let one = number(terms, width, 1);
    let is_small = terms.bv_slt(exact.exponent, one);
    let by = terms.bv_sub(one, exact.exponent);
    // A shift by the whole word leaves the sticky bit alone.
    let most = number(terms, width, i64::from(length));
    let is_far = terms.bv_slt(most, by);
    let by = terms.ite(is_far, most, by);
    let none = number(terms, width, 0);
    let by = terms.ite(is_small, by, none);
    let by = terms.extract(by, (super::format::bits_for(u64::from(length))).min(width) - 1, 0);
    let significand = shift_sticky(terms, exact.significand, by);
    let exponent = terms.ite(is_small, one, exact.exponent);
    Exact { exponent, significand, ..exact }
}

/// Rounds and encodes. The exponent is at least one; if it is not one, the first bit of the significand is set.
pub(super) fn pack(terms: &mut Terms, format: Format, exact: &Exact) -> Term {
    let Format { exponent: e, significand: s } = format;
    let length = terms.width(exact.significand);
    assert!(length >= s + 2, "there is a bit to round by and one that is sticky");
    let kept = terms.extract(exact.significand, length - 1, length - s);
    let guard = terms.extract(exact.significand, length - s - 1, length - s - 1);
    let rest = terms.extract(exact.significand, length - s - 2, 0);
    let is_rest = is_nonzero(terms, rest);
    let last = terms.extract(kept, 0, 0);
    let is_last = is_nonzero(terms, last);
    let is_guard = is_nonzero(terms, guard);
    let tie = terms.or(&[is_rest, is_last]);
    let is_up = terms.and(&[is_guard, tie]);
    let up = bit(terms, is_up);

    let from = terms.width(exact.exponent);
    let width = from.max(e + 1) + s;
    let one = number(terms, from, 1);
    let below = terms.bv_sub(exact.exponent, one);
    let below = terms.zero_extend_to(below, width);
    let shift = number(terms, width, i64::from(s - 1));
    let base = terms.bv_shl(below, shift);
    let kept = terms.zero_extend_to(kept, width);
    let up = terms.zero_extend_to(up, width);
    let base = terms.bv_add(base, kept);
    let base = terms.bv_add(base, up);
    let infinity = terms.bits(format.infinity(width));
    let is_over = terms.bv_ule(infinity, base);
    let base = terms.ite(is_over, infinity, base);
    let magnitude = terms.extract(base, e + s - 2, 0);
    let sign = bit(terms, exact.sign);
    terms.concat(sign, magnitude)
}

/// The encoding of zero with this sign.
pub(super) fn zero(terms: &mut Terms, format: Format, sign: Term) -> Term {
    let none = terms.bits(Bits::zero(format.width() - 1));
    let sign = bit(terms, sign);
    terms.concat(sign, none)
}

/// The encoding of infinity with this sign.
pub(super) fn infinity(terms: &mut Terms, format: Format, sign: Term) -> Term {
    let magnitude = terms.bits(format.infinity(format.width() - 1));
    let sign = bit(terms, sign);
    terms.concat(sign, magnitude)
}
