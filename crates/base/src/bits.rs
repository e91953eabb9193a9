//! Bit-vector values of any width: one machine word up to 64 bits, a slice of words beyond.
//!
//! Law: bits above the width are zero, so equal values are equal in memory.

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

impl Bits {
    /// The value modulo two to the width.
    pub fn from_u64(width: u32, value: u64) -> Self {
        assert!(width > 0, "a bit-vector has at least one bit");
        if width <= 64 {
            let mask = if width == 64 { u64::MAX } else { (1 << width) - 1 };
            Bits { width, repr: Repr::Word(value & mask) }
        } else {
            let mut words = vec![0; width.div_ceil(64) as usize];
            words[0] = value;
            Bits { width, repr: Repr::Words(words.into()) }
        }
    }
    /// The number of bits.
    pub fn width(&self) -> u32 {
        self.width
    }
    /// The value, if it fits into 64 bits.
    pub fn to_u64(&self) -> Option<u64> {
        match &self.repr {
            Repr::Word(word) => Some(*word),
            Repr::Words(words) => words[1..].iter().all(|&w| w == 0).then_some(words[0]),
        }
    }
}

impl std::fmt::Debug for Bits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.repr {
            Repr::Word(word) => write!(f, "{}#{}", word, self.width),
            Repr::Words(words) => write!(f, "{:x?}#{}", words, self.width),
        }
    }
}
