//! Sum, product, quotient and root.
//!
//! Each function gives the encoding for all arguments but those whose result is NaN, and the condition for NaN.

use super::format::{Format, Parts, bits_for, is_nonzero, normalise, number};
use super::pack::{Exact, denormalise, infinity, pack, zero};
use crate::{Term, Terms};

/// An encoding, and whether the result is NaN instead.
pub(super) struct Rounded {
    pub word: Term,
    pub is_nan: Term,
}

/// The sum. Three bits behind the significand suffice for rounding, since only neighbours in exponent cancel.
pub(super) fn add(terms: &mut Terms, x: Parts, y: Parts) -> Rounded {
    let Format { exponent: e, significand: s } = x.format;
    let swap = terms.bv_ult(x.magnitude, y.magnitude);
    let mut choose = |of: fn(&Parts) -> Term| {
        let (first, second) = (of(&x), of(&y));
        (terms.ite(swap, second, first), terms.ite(swap, first, second))
    };
    let (large_sign, small_sign) = choose(|parts| parts.sign);
    let (large_exponent, small_exponent) = choose(|parts| parts.exponent);
    let (large, small) = choose(|parts| parts.significand);
    let (large_word, _) = choose(|parts| parts.word);

    let distance = terms.bv_sub(large_exponent, small_exponent);
    let behind = terms.bv(3, 0);
    let a = terms.concat(large, behind);
    let b = terms.concat(small, behind);
    let b = super::format::shift_sticky(terms, b, distance);
    let (a, b) = (terms.zero_extend_to(a, s + 4), terms.zero_extend_to(b, s + 4));
    let (plus, minus) = (terms.bv_add(a, b), terms.bv_sub(a, b));
    let is_same = terms.eq(large_sign, small_sign);
    let sum = terms.ite(is_same, plus, minus);
    let is_exact_zero = is_nonzero(terms, sum);
    let is_exact_zero = terms.not(is_exact_zero);

    // The first bit is that of the carry. Results below the normal range are exact.
    let (_, zeros) = normalise(terms, sum);
    let width = e.max(terms.width(zeros)) + 2;
    let (zeros, exponent) = (terms.zero_extend_to(zeros, width), terms.zero_extend_to(large_exponent, width));
    let is_less = terms.bv_ult(zeros, exponent);
    let by = terms.ite(is_less, zeros, exponent);
    let amount = match width <= s + 4 {
        true => terms.zero_extend_to(by, s + 4),
        // Zeros of the sum are fewer than its bits.
        false => terms.extract(by, s + 3, 0),
    };
    let significand = terms.bv_shl(sum, amount);
    let one = number(terms, width, 1);
    let exponent = terms.bv_add(exponent, one);
    let exponent = terms.bv_sub(exponent, by);
    let packed = pack(terms, x.format, &Exact { sign: large_sign, exponent, significand });

    let sign_of_zero = terms.and(&[x.sign, y.sign]);
    let nothing = zero(terms, x.format, sign_of_zero);
    let word = terms.ite(is_exact_zero, nothing, packed);
    let is_infinite = terms.or(&[x.is_infinite, y.is_infinite]);
    let word = terms.ite(is_infinite, large_word, word);
    let differ = terms.not(is_same);
    let cancel = terms.and(&[x.is_infinite, y.is_infinite, differ]);
    let is_nan = terms.or(&[x.is_nan, y.is_nan, cancel]);
    Rounded { word, is_nan }
}

/// The product: exact in twice the width, normalised once.
pub(super) fn multiply(terms: &mut Terms, x: Parts, y: Parts) -> Rounded {
    let Format { exponent: e, significand: s } = x.format;
    let sign = terms.xor(x.sign, y.sign);
    let (a, b) = (terms.zero_extend_to(x.significand, 2 * s), terms.zero_extend_to(y.significand, 2 * s));
    let product = terms.bv_mul(a, b);
    let (significand, zeros) = normalise(terms, product);
    let width = e.max(terms.width(zeros)) + 3;
    let (p, q) = (terms.zero_extend_to(x.exponent, width), terms.zero_extend_to(y.exponent, width));
    let exponent = terms.bv_add(p, q);
    let bias = number(terms, width, x.format.bias() as i64 - 1);
    let exponent = terms.bv_sub(exponent, bias);
    let zeros = terms.zero_extend_to(zeros, width);
    let exponent = terms.bv_sub(exponent, zeros);
    let exact = denormalise(terms, Exact { sign, exponent, significand });
    let packed = pack(terms, x.format, &exact);

    let is_zero = terms.or(&[x.is_zero, y.is_zero]);
    let is_infinite = terms.or(&[x.is_infinite, y.is_infinite]);
    let (nothing, all) = (zero(terms, x.format, sign), infinity(terms, x.format, sign));
    let word = terms.ite(is_zero, nothing, packed);
    let word = terms.ite(is_infinite, all, word);
    let undefined = terms.and(&[is_zero, is_infinite]);
    let is_nan = terms.or(&[x.is_nan, y.is_nan, undefined]);
    Rounded { word, is_nan }
}

/// The quotient, of normalised significands.
pub(super) fn divide(terms: &mut Terms, x: Parts, y: Parts) -> Rounded {
    let Format { exponent: e, significand: s } = x.format;
    let sign = terms.xor(x.sign, y.sign);
    let (a, zeros_a) = normalise(terms, x.significand);
    let (b, zeros_b) = normalise(terms, y.significand);
    let length = 2 * s + 2;
    let a = terms.zero_extend_to(a, length);
    let by = number(terms, length, i64::from(s + 2));
    let a = terms.bv_shl(a, by);
    let b = terms.zero_extend_to(b, length);
    let (quotient, remainder) = (terms.bv_udiv(a, b), terms.bv_urem(a, b));
    let is_inexact = is_nonzero(terms, remainder);
    let sticky = super::format::bit(terms, is_inexact);
    // The quotient lies between one half and two.
    let quotient = terms.extract(quotient, s + 2, 0);
    let significand = terms.concat(quotient, sticky);
    let first = terms.extract(significand, s + 3, s + 3);
    let is_large = is_nonzero(terms, first);
    let (rest, empty) = (terms.extract(significand, s + 2, 0), terms.bv(1, 0));
    let shifted = terms.concat(rest, empty);
    let significand = terms.ite(is_large, significand, shifted);

    let width = e.max(terms.width(zeros_a)) + 3;
    let mut extend = |word: Term| terms.zero_extend_to(word, width);
    let (p, q, zeros_a, zeros_b) = (extend(x.exponent), extend(y.exponent), extend(zeros_a), extend(zeros_b));
    let exponent = terms.bv_sub(p, zeros_a);
    let exponent = terms.bv_sub(exponent, q);
    let exponent = terms.bv_add(exponent, zeros_b);
    let bias = x.format.bias() as i64;
    let (large, small) = (number(terms, width, bias), number(terms, width, bias - 1));
    let bias = terms.ite(is_large, large, small);
    let exponent = terms.bv_add(exponent, bias);
    let exact = denormalise(terms, Exact { sign, exponent, significand });
    let packed = pack(terms, x.format, &exact);

    let (nothing, all) = (zero(terms, x.format, sign), infinity(terms, x.format, sign));
    let is_zero = terms.or(&[x.is_zero, y.is_infinite]);
    let is_infinite = terms.or(&[x.is_infinite, y.is_zero]);
    let word = terms.ite(is_zero, nothing, packed);
    let word = terms.ite(is_infinite, all, word);
    let zeros = terms.and(&[x.is_zero, y.is_zero]);
    let infinities = terms.and(&[x.is_infinite, y.is_infinite]);
    let is_nan = terms.or(&[x.is_nan, y.is_nan, zeros, infinities]);
    Rounded { word, is_nan }
}

/// The square root, digit by digit.
pub(super) fn root(terms: &mut Terms, x: Parts) -> Rounded {
    let Format { exponent: e, significand: s } = x.format;
    let (a, zeros) = normalise(terms, x.significand);
    let width = e.max(bits_for(u64::from(s))) + 3;
    let exponent = terms.zero_extend_to(x.exponent, width);
    let zeros = terms.zero_extend_to(zeros, width);
    let bias = number(terms, width, x.format.bias() as i64);
    let exponent = terms.bv_sub(exponent, zeros);
    let exponent = terms.bv_sub(exponent, bias);
    let odd = terms.extract(exponent, 0, 0);
    let is_odd = is_nonzero(terms, odd);
    let one = number(terms, width, 1);
    // Half of the exponent, rounded down; an odd one leaves a factor of two.
    let halved = terms.make(crate::Op::BvAshr, &[exponent, one]);
    let exponent = terms.bv_add(halved, bias);
    let length = 2 * s + 4;
    let a = terms.zero_extend_to(a, length);
    let by = number(terms, length, i64::from(s + 3));
    let twice = number(terms, length, i64::from(s + 4));
    let by = terms.ite(is_odd, twice, by);
    let mut rest = terms.bv_shl(a, by);
    // The classic method: `found` is the root so far, shifted to where its next digit is subtracted.
    let mut found = number(terms, length, 0);
    for digit in (0..s + 2).rev() {
        let place =
            terms.bits(base::Bits::from_u64(length, 1).shl(&base::Bits::from_u64(length, u64::from(2 * digit))));
        let trial = terms.bv_add(found, place);
        let fits = terms.bv_ule(trial, rest);
        let less = terms.bv_sub(rest, trial);
        rest = terms.ite(fits, less, rest);
        let by = number(terms, length, 1);
        let half = terms.bv_lshr(found, by);
        let more = terms.bv_add(half, place);
        found = terms.ite(fits, more, half);
    }
    let is_inexact = is_nonzero(terms, rest);
    let sticky = super::format::bit(terms, is_inexact);
    let found = terms.extract(found, s + 1, 0);
    let significand = terms.concat(found, sticky);
    let exact = Exact { sign: x.sign, exponent, significand };
    // The root of the smallest number is normal unless the significand is long for the range.
    let exact = if x.format.bias() < u64::from(s) { denormalise(terms, exact) } else { exact };
    let packed = pack(terms, x.format, &exact);
    let is_itself = terms.or(&[x.is_zero, x.is_infinite]);
    let word = terms.ite(is_itself, x.word, packed);
    let is_nonzero = terms.not(x.is_zero);
    let is_negative = terms.and(&[x.sign, is_nonzero]);
    let is_nan = terms.or(&[x.is_nan, is_negative]);
    Rounded { word, is_nan }
}
