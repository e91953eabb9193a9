//! Conversions between formats and with integers, and comparisons.

use base::Bits;

use super::arithmetic::Rounded;
use super::format::{Format, Parts, bit, bits_for, normalise, number};
use super::pack::{Exact, denormalise, infinity, pack, zero};
use crate::{Term, Terms};

/// The significand with zeros behind it, so that there is a bit to round by and one that is sticky.
fn padded(terms: &mut Terms, significand: Term, least: u32) -> Term {
    let length = terms.width(significand);
    if length >= least {
        return significand;
    }
    let behind = terms.bits(Bits::zero(least - length));
    terms.concat(significand, behind)
}

/// The number in another format, rounded once.
pub(super) fn resize(terms: &mut Terms, x: Parts, to: Format) -> Rounded {
    let (significand, zeros) = normalise(terms, x.significand);
    let length = bits_for(u64::from(terms.width(significand).max(to.significand + 2)));
    let width = x.format.exponent.max(to.exponent).max(length) + 3;
    let exponent = terms.zero_extend_to(x.exponent, width);
    let zeros = terms.zero_extend_to(zeros, width);
    let exponent = terms.bv_sub(exponent, zeros);
    let by = number(terms, width, to.bias() as i64 - x.format.bias() as i64);
    let exponent = terms.bv_add(exponent, by);
    let significand = padded(terms, significand, to.significand + 2);
    let exact = denormalise(terms, Exact { sign: x.sign, exponent, significand });
    let packed = pack(terms, to, &exact);
    let (nothing, all) = (zero(terms, to, x.sign), infinity(terms, to, x.sign));
    let word = terms.ite(x.is_zero, nothing, packed);
    let word = terms.ite(x.is_infinite, all, word);
    Rounded { word, is_nan: x.is_nan }
}

/// The integer as a float, rounded once.
pub(super) fn from_integer(terms: &mut Terms, value: Term, is_signed: bool, to: Format) -> Term {
    let length = terms.width(value);
    let (sign, magnitude) = if is_signed {
        let first = terms.extract(value, length - 1, length - 1);
        let one = terms.bv(1, 1);
        let sign = terms.eq(first, one);
        let negated = terms.bv_neg(value);
        (sign, terms.ite(sign, negated, value))
    } else {
        (terms.truth(false), value)
    };
    let (significand, zeros) = normalise(terms, magnitude);
    let width = to.exponent.max(terms.width(zeros)).max(bits_for(u64::from(length))) + 2;
    let first = number(terms, width, to.bias() as i64 + i64::from(length) - 1);
    let zeros = terms.zero_extend_to(zeros, width);
    let exponent = terms.bv_sub(first, zeros);
    let significand = padded(terms, significand, to.significand + 2);
    let packed = pack(terms, to, &Exact { sign, exponent, significand });
    let nothing = terms.bits(Bits::zero(length));
    let is_zero = terms.eq(value, nothing);
    let plus = terms.truth(false);
    let none = zero(terms, to, plus);
    terms.ite(is_zero, none, packed)
}

/// The integral part as an integer of this width, and `otherwise` where it does not fit or there is none: the word with only its first bit set, if none is given.
pub(super) fn to_integer(terms: &mut Terms, x: Parts, is_signed: bool, length: u32, otherwise: Option<Term>) -> Term {
    let Format { exponent: e, significand: s } = x.format;
    // The significand before the point of a word with one bit more than the integer has, and how far to shift it.
    let total = length + 1 + s;
    let significand = terms.zero_extend_to(x.significand, total);
    let width = e.max(bits_for(u64::from(total))) + 2;
    let exponent = terms.zero_extend_to(x.exponent, width);
    let bias = number(terms, width, x.format.bias() as i64);
    let power = terms.bv_sub(exponent, bias);
    let none = number(terms, width, 0);
    let is_below_one = terms.bv_slt(power, none);
    let most = number(terms, width, i64::from(length));
    let is_far = terms.bv_slt(most, power);
    let by = terms.ite(is_far, most, power);
    let by = match width <= total {
        true => terms.zero_extend_to(by, total),
        false => terms.extract(by, total - 1, 0),
    };
    let shifted = terms.bv_shl(significand, by);
    // `length + 2` bits before the point: none is lost, as the shift is at most `length`.
    let whole = terms.extract(shifted, total - 1, s - 1);
    let nothing = terms.bits(Bits::zero(length + 2));
    let whole = terms.ite(is_below_one, nothing, whole);
    let magnitude = terms.extract(whole, length - 1, 0);
    let negated = terms.bv_neg(magnitude);
    let value = terms.ite(x.sign, negated, magnitude);
    let half = terms.bits(Bits::from_u64(length + 2, 1).shl(&Bits::from_u64(length + 2, u64::from(length) - 1)));
    let fits = if is_signed {
        let (below, at_most) = (terms.bv_ult(whole, half), terms.bv_ule(whole, half));
        terms.ite(x.sign, at_most, below)
    } else {
        let limit = terms.bits(Bits::from_u64(length + 2, 1).shl(&Bits::from_u64(length + 2, u64::from(length))));
        let (below, is_zero) = (terms.bv_ult(whole, limit), terms.eq(whole, nothing));
        terms.ite(x.sign, is_zero, below)
    };
    let near = terms.not(is_far);
    let number = terms.not(x.is_nan);
    let finite = terms.not(x.is_infinite);
    let fits = terms.and(&[fits, near, number, finite]);
    let indefinite = terms.extract(half, length - 1, 0);
    terms.ite(fits, value, otherwise.unwrap_or(indefinite))
}

/// IEEE equality: the zeros are equal, NaN equals nothing.
pub(super) fn equal(terms: &mut Terms, x: Parts, y: Parts) -> Term {
    let same = terms.eq(x.word, y.word);
    let zeros = terms.and(&[x.is_zero, y.is_zero]);
    let either = terms.or(&[same, zeros]);
    let number = terms.not(x.is_nan);
    let other = terms.not(y.is_nan);
    terms.and(&[either, number, other])
}

/// Whether `x < y`, or `x <= y`.
pub(super) fn less(terms: &mut Terms, x: Parts, y: Parts, or_equal: bool) -> Term {
    let (rising, falling) = match or_equal {
        true => (terms.bv_ule(x.magnitude, y.magnitude), terms.bv_ule(y.magnitude, x.magnitude)),
        false => (terms.bv_ult(x.magnitude, y.magnitude), terms.bv_ult(y.magnitude, x.magnitude)),
    };
    let same_sign = terms.ite(x.sign, falling, rising);
    let is_same = terms.eq(x.sign, y.sign);
    let by_sign = terms.ite(is_same, same_sign, x.sign);
    let zeros = terms.and(&[x.is_zero, y.is_zero]);
    let at_zero = terms.truth(or_equal);
    let ordered = terms.ite(zeros, at_zero, by_sign);
    let (number, other) = (terms.not(x.is_nan), terms.not(y.is_nan));
    terms.and(&[ordered, number, other])
}

/// Whether two floats are the same value: all NaNs are one, the zeros are two.
pub(super) fn same(terms: &mut Terms, x: Parts, y: Parts) -> Term {
    let same = terms.eq(x.word, y.word);
    let nans = terms.and(&[x.is_nan, y.is_nan]);
    terms.or(&[same, nans])
}

/// The smaller number, or the larger one; the number where the other is NaN. `second` decides between zeros.
pub(super) fn extreme(terms: &mut Terms, x: Parts, y: Parts, is_min: bool, second: Option<Term>) -> Term {
    let is_first = if is_min { less(terms, x, y, false) } else { less(terms, y, x, false) };
    let is_first = terms.or(&[is_first, y.is_nan]);
    let word = terms.ite(is_first, x.word, y.word);
    let Some(second) = second else { return word };
    let zeros = terms.and(&[x.is_zero, y.is_zero]);
    let either = terms.ite(second, y.word, x.word);
    terms.ite(zeros, either, word)
}

/// The encoding with the sign bit as it should be.
pub(super) fn with_sign(terms: &mut Terms, x: Parts, sign: Term) -> Term {
    let sign = bit(terms, sign);
    terms.concat(sign, x.magnitude)
}
