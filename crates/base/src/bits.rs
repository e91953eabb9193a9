//! Bit-vector values of any width: one machine word up to 64 bits, a slice of words beyond.
//!
//! The operations are those of SMT-LIB with its total meaning: division by zero gives all ones, the
//! remainder by zero is the dividend, a shift by the width or more leaves zeros (or copies of the
//! sign). Nothing here panics on a value, only on widths that do not fit together.
//!
//! Law: bits above the width are zero, so equal values are equal in memory.

mod arithmetic;
mod bitwise;
mod compare;
mod slice;
mod text;
mod wide;

#[cfg(test)]
mod tests;

/// A bit-vector value.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Bits {
    width: u32,
    repr: Repr,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Word(u64),
    Words(Box<[u64]>),
}

/// The ones of a word that a value of this width fills.
fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

impl Bits {
    /// The value modulo two to the width.
    pub fn from_u64(width: u32, value: u64) -> Self {
        assert!(width > 0, "a bit-vector has at least one bit");
        if width <= 64 {
            Bits { width, repr: Repr::Word(value & mask(width)) }
        } else {
            let mut words = vec![0; width.div_ceil(64) as usize];
            words[0] = value;
            Bits { width, repr: Repr::Words(words.into()) }
        }
    }
    /// The two's complement value modulo two to the width.
    pub fn from_i64(width: u32, value: i64) -> Self {
        Bits::from_i128(width, i128::from(value))
    }
    /// The value modulo two to the width.
    pub fn from_u128(width: u32, value: u128) -> Self {
        if width <= 64 {
            return Bits::from_u64(width, value as u64);
        }
        Bits::from_words(width, &[value as u64, (value >> 64) as u64])
    }
    /// The two's complement value modulo two to the width.
    pub fn from_i128(width: u32, value: i128) -> Self {
        let low = Bits::from_u128(width.min(128), value as u128);
        if width > 128 { low.sign_extend(width - 128) } else { low }
    }
    /// The words, least significant first, modulo two to the width; words that are missing are zero.
    pub fn from_words(width: u32, words: &[u64]) -> Self {
        if width <= 64 {
            return Bits::from_u64(width, words.first().copied().unwrap_or(0));
        }
        let mut own = words.to_vec();
        own.resize(width.div_ceil(64) as usize, 0);
        Bits::from_vec(width, own)
    }
    /// Wraps exactly as many words as the width needs.
    fn from_vec(width: u32, mut words: Vec<u64>) -> Self {
        debug_assert!(words.len() == width.div_ceil(64) as usize, "as many words as the width needs");
        if width <= 64 {
            return Bits::from_u64(width, words[0]);
        }
        if width % 64 != 0
            && let Some(top) = words.last_mut()
        {
            *top &= mask(width % 64);
        }
        Bits { width, repr: Repr::Words(words.into()) }
    }
    /// One bit.
    pub fn from_bool(value: bool) -> Self {
        Bits::from_u64(1, u64::from(value))
    }
    /// Zero.
    pub fn zero(width: u32) -> Self {
        Bits::from_u64(width, 0)
    }
    /// One.
    pub fn one(width: u32) -> Self {
        Bits::from_u64(width, 1)
    }
    /// All bits set: minus one, or the largest unsigned value.
    pub fn ones(width: u32) -> Self {
        if width <= 64 {
            Bits::from_u64(width, u64::MAX)
        } else {
            Bits::from_vec(width, vec![u64::MAX; width.div_ceil(64) as usize])
        }
    }
    /// The least signed value: only the sign bit set.
    pub fn min_signed(width: u32) -> Self {
        Bits::one(width).shift_left(width - 1)
    }
    /// The largest signed value: all bits but the sign set.
    pub fn max_signed(width: u32) -> Self {
        Bits::min_signed(width).not()
    }

    /// The number of bits.
    pub fn width(&self) -> u32 {
        self.width
    }
    /// The words, least significant first.
    pub fn words(&self) -> &[u64] {
        match &self.repr {
            Repr::Word(word) => std::slice::from_ref(word),
            Repr::Words(words) => words,
        }
    }
    /// The unsigned value, if it fits into 64 bits.
    pub fn to_u64(&self) -> Option<u64> {
        match &self.repr {
            Repr::Word(word) => Some(*word),
            Repr::Words(words) => words[1..].iter().all(|&w| w == 0).then_some(words[0]),
        }
    }
    /// The unsigned value, if it fits into 128 bits.
    pub fn to_u128(&self) -> Option<u128> {
        let words = self.words();
        let high = words.get(1).copied().unwrap_or(0);
        words.iter().skip(2).all(|&w| w == 0).then_some(u128::from(high) << 64 | u128::from(words[0]))
    }
    /// The signed value, if it fits into 64 bits.
    pub fn to_i64(&self) -> Option<i64> {
        self.to_i128().and_then(|value| i64::try_from(value).ok())
    }
    /// The signed value, if it fits into 128 bits.
    pub fn to_i128(&self) -> Option<i128> {
        if self.width <= 128 {
            let shift = 128 - self.width;
            return self.to_u128().map(|value| ((value << shift) as i128) >> shift);
        }
        let low = self.extract(127, 0);
        (low.sign_extend(self.width - 128) == *self).then(|| low.to_i128()).flatten()
    }
    /// Whether the bit is set; bit zero is the least significant.
    pub fn bit(&self, index: u32) -> bool {
        assert!(index < self.width, "a bit lies within the width");
        self.words()[(index / 64) as usize] >> (index % 64) & 1 == 1
    }
    /// Whether no bit is set.
    pub fn is_zero(&self) -> bool {
        self.words().iter().all(|&word| word == 0)
    }
    /// Whether the value is one.
    pub fn is_one(&self) -> bool {
        self.to_u64() == Some(1)
    }
    /// Whether every bit is set.
    pub fn is_ones(&self) -> bool {
        self.count_ones() == self.width
    }
    /// Whether the sign bit is set.
    pub fn is_negative(&self) -> bool {
        self.bit(self.width - 1)
    }
    /// Whether only the sign bit is set.
    pub fn is_min_signed(&self) -> bool {
        self.is_negative() && self.count_ones() == 1
    }
    /// How many bits are set.
    pub fn count_ones(&self) -> u32 {
        self.words().iter().map(|word| word.count_ones()).sum()
    }
    /// How many zero bits lie below the lowest one; the width for zero.
    pub fn trailing_zeros(&self) -> u32 {
        match self.words().iter().enumerate().find(|(_, word)| **word != 0) {
            Some((at, word)) => at as u32 * 64 + word.trailing_zeros(),
            None => self.width,
        }
    }
    /// How many zero bits lie above the highest one; the width for zero.
    pub fn leading_zeros(&self) -> u32 {
        match self.words().iter().enumerate().rfind(|(_, word)| **word != 0) {
            Some((at, word)) => self.width - (at as u32 * 64 + 64 - word.leading_zeros()),
            None => self.width,
        }
    }
    /// Asserts equal widths.
    fn fits(&self, other: &Bits) {
        assert!(self.width == other.width, "both operands have one width");
    }
}

impl std::fmt::Debug for Bits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}#{}", self.to_decimal(), self.width)
    }
}
