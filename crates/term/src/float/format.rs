//! A format of floats and the parts of an encoding.

use base::Bits;

use crate::{SortKind, Term, Terms};

/// The width of the exponent, and that of the significand with the hidden bit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Format {
    /// Bits of the exponent.
    pub exponent: u32,
    /// Bits of the significand, the hidden one included.
    pub significand: u32,
}

impl Format {
    /// The format of the sort, if it is one whose encodings are IEEE's: the x87 format is not.
    pub fn of(kind: &SortKind) -> Option<Format> {
        match *kind {
            SortKind::Float(15, 64) => None,
            SortKind::Float(exponent, significand) if exponent >= 2 && significand >= 2 => {
                Some(Format { exponent, significand })
            }
            _ => None,
        }
    }
    /// Bits of an encoding.
    pub fn width(self) -> u32 {
        self.exponent + self.significand
    }
    /// What is added to an exponent in the encoding.
    pub(super) fn bias(self) -> u64 {
        (1 << (self.exponent - 1)) - 1
    }
    /// The encoding of positive infinity, in this width.
    pub(super) fn infinity(self, width: u32) -> Bits {
        Bits::ones(self.exponent)
            .zero_extend(width - self.exponent)
            .shl(&Bits::from_u64(width, u64::from(self.significand - 1)))
    }
    /// The encoding of the number 2 to the power of minus `by`, without the sign; `by` is 0 or 1.
    pub(super) fn power(self, by: u64) -> Bits {
        let width = self.width() - 1;
        let fraction = u64::from(self.significand - 1);
        match self.bias() - by {
            // With two bits of exponent, one half is subnormal.
            0 => Bits::from_u64(width, 1).shl(&Bits::from_u64(width, fraction - 1)),
            biased => Bits::from_u64(width, biased).shl(&Bits::from_u64(width, fraction)),
        }
    }
    /// The quiet NaN without sign and payload.
    pub(super) fn nan(self) -> Bits {
        let width = self.width();
        let quiet = Bits::from_u64(width, 1).shl(&Bits::from_u64(width, u64::from(self.significand) - 2));
        self.infinity(width).or(&quiet)
    }
}

/// The parts of an encoding, and what kind of number it is.
#[derive(Clone, Copy)]
pub(super) struct Parts {
    pub format: Format,
    /// The encoding.
    pub word: Term,
    /// Whether the sign bit is set.
    pub sign: Term,
    /// The exponent that counts: that of subnormal numbers is one.
    pub exponent: Term,
    /// The significand with its hidden bit.
    pub significand: Term,
    /// The encoding without the sign.
    pub magnitude: Term,
    pub is_nan: Term,
    pub is_infinite: Term,
    pub is_zero: Term,
    /// The hidden bit: the number is not subnormal.
    pub is_normal: Term,
}

/// Takes an encoding apart.
pub(super) fn unpack(terms: &mut Terms, format: Format, word: Term) -> Parts {
    let Format { exponent: e, significand: s } = format;
    let (top, one) = (e + s - 1, terms.bv(1, 1));
    let sign = terms.extract(word, top, top);
    let sign = terms.eq(sign, one);
    let biased = terms.extract(word, top - 1, s - 1);
    let fraction = terms.extract(word, s - 2, 0);
    let magnitude = terms.extract(word, top - 1, 0);
    let (ones, none, empty) = (terms.bits(Bits::ones(e)), terms.bv(e, 0), terms.bits(Bits::zero(s - 1)));
    let is_last = terms.eq(biased, ones);
    let is_whole = terms.eq(fraction, empty);
    let is_fraction = terms.not(is_whole);
    let is_nan = terms.and(&[is_last, is_fraction]);
    let is_infinite = terms.and(&[is_last, is_whole]);
    let is_normal = terms.ne(biased, none);
    let is_tiny = terms.not(is_normal);
    let is_zero = terms.and(&[is_tiny, is_whole]);
    let least = terms.bv(e, 1);
    let exponent = terms.ite(is_normal, biased, least);
    let hidden = bit(terms, is_normal);
    let significand = terms.concat(hidden, fraction);
    Parts { format, word, sign, exponent, significand, magnitude, is_nan, is_infinite, is_zero, is_normal }
}

/// A truth value as a word of one bit.
pub(super) fn bit(terms: &mut Terms, truth: Term) -> Term {
    let (one, zero) = (terms.bv(1, 1), terms.bv(1, 0));
    terms.ite(truth, one, zero)
}

/// Whether a word is not zero.
pub(super) fn is_nonzero(terms: &mut Terms, word: Term) -> Term {
    let zero = terms.bits(Bits::zero(terms.width(word)));
    terms.ne(word, zero)
}

/// A number as a word.
pub(super) fn number(terms: &mut Terms, width: u32, value: i64) -> Term {
    let magnitude = Bits::from_u64(64, value.unsigned_abs()).resize_unsigned(width);
    terms.bits(if value < 0 { magnitude.neg() } else { magnitude })
}

/// How many bits hold this number.
pub(super) fn bits_for(value: u64) -> u32 {
    u64::BITS - value.leading_zeros()
}

/// The word shifted left until its first bit is set, and by how many bits, as a word of that many bits. Zero stays.
pub(super) fn normalise(terms: &mut Terms, word: Term) -> (Term, Term) {
    let width = terms.width(word);
    let (mut word, mut count) = (word, None);
    for stage in (0..bits_for(u64::from(width - 1)).max(1)).rev() {
        let by = 1 << stage;
        if by >= width {
            let none = terms.bv(1, 0);
            count = Some(count.map_or(none, |count| terms.concat(count, none)));
            continue;
        }
        let front = terms.extract(word, width - 1, width - by);
        let empty = terms.bits(Bits::zero(by));
        let is_empty = terms.eq(front, empty);
        let rest = terms.extract(word, width - by - 1, 0);
        let shifted = terms.concat(rest, empty);
        word = terms.ite(is_empty, shifted, word);
        let step = bit(terms, is_empty);
        count = Some(count.map_or(step, |count| terms.concat(count, step)));
    }
    (word, count.expect("there is at least one stage"))
}

/// The word shifted right by `by`, a word of any width; its last bit is set if a set bit was lost.
pub(super) fn shift_sticky(terms: &mut Terms, word: Term, by: Term) -> Term {
    let (mut word, width) = (word, terms.width(word));
    let n_stages = terms.width(by);
    let zero = terms.bits(Bits::zero(width));
    for stage in 0..n_stages {
        let step = terms.extract(by, stage, stage);
        let one = terms.bv(1, 1);
        let is_set = terms.eq(step, one);
        let amount = 1u64.checked_shl(stage).unwrap_or(u64::MAX);
        let (kept, lost) = if amount >= u64::from(width) {
            (zero, word)
        } else {
            let amount = amount as u32;
            let kept = terms.extract(word, width - 1, amount);
            (terms.zero_extend_to(kept, width), terms.extract(word, amount - 1, 0))
        };
        let is_lost = is_nonzero(terms, lost);
        let sticky = bit(terms, is_lost);
        let sticky = terms.zero_extend_to(sticky, width);
        let shifted = terms.bv_or(kept, sticky);
        word = terms.ite(is_set, shifted, word);
    }
    word
}
