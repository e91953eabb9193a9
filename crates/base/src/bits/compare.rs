//! Comparisons, unsigned and signed.

use std::cmp::Ordering;

use super::Bits;

impl Bits {
    /// The order as unsigned numbers.
    pub fn cmp_unsigned(&self, other: &Bits) -> Ordering {
        self.fits(other);
        self.words().iter().rev().cmp(other.words().iter().rev())
    }
    /// The order as signed numbers.
    pub fn cmp_signed(&self, other: &Bits) -> Ordering {
        other.is_negative().cmp(&self.is_negative()).then_with(|| self.cmp_unsigned(other))
    }
    /// Unsigned less than.
    pub fn ult(&self, other: &Bits) -> bool {
        self.cmp_unsigned(other).is_lt()
    }
    /// Unsigned less or equal.
    pub fn ule(&self, other: &Bits) -> bool {
        self.cmp_unsigned(other).is_le()
    }
    /// Signed less than.
    pub fn slt(&self, other: &Bits) -> bool {
        self.cmp_signed(other).is_lt()
    }
    /// Signed less or equal.
    pub fn sle(&self, other: &Bits) -> bool {
        self.cmp_signed(other).is_le()
    }
    /// One bit: whether the two are equal.
    pub fn comp(&self, other: &Bits) -> Bits {
        self.fits(other);
        Bits::from_bool(self == other)
    }
}

/// Narrower values first, then as unsigned numbers: an order for maps, without a meaning.
impl Ord for Bits {
    fn cmp(&self, other: &Bits) -> Ordering {
        let width = self.width.cmp(&other.width);
        width.then_with(|| self.words().iter().rev().cmp(other.words().iter().rev()))
    }
}
impl PartialOrd for Bits {
    fn partial_cmp(&self, other: &Bits) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
