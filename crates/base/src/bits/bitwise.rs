//! Bitwise operations, shifts and rotations.

use super::{Bits, Repr};

impl Bits {
    fn zip(&self, other: &Bits, f: impl Fn(u64, u64) -> u64) -> Bits {
        self.fits(other);
        match (&self.repr, &other.repr) {
            (Repr::Word(a), Repr::Word(b)) => Bits::from_u64(self.width, f(*a, *b)),
            _ => {
                let words = self.words().iter().zip(other.words()).map(|(&a, &b)| f(a, b));
                Bits::from_vec(self.width, words.collect())
            }
        }
    }
    /// Complement.
    pub fn not(&self) -> Bits {
        self.zip(self, |a, _| !a)
    }
    /// Bitwise and.
    pub fn and(&self, other: &Bits) -> Bits {
        self.zip(other, |a, b| a & b)
    }
    /// Bitwise or.
    pub fn or(&self, other: &Bits) -> Bits {
        self.zip(other, |a, b| a | b)
    }
    /// Bitwise exclusive or.
    pub fn xor(&self, other: &Bits) -> Bits {
        self.zip(other, |a, b| a ^ b)
    }
    /// Complement of and.
    pub fn nand(&self, other: &Bits) -> Bits {
        self.zip(other, |a, b| !(a & b))
    }
    /// Complement of or.
    pub fn nor(&self, other: &Bits) -> Bits {
        self.zip(other, |a, b| !(a | b))
    }
    /// Complement of exclusive or.
    pub fn xnor(&self, other: &Bits) -> Bits {
        self.zip(other, |a, b| !(a ^ b))
    }

    /// Shift left by a number; zero once the number reaches the width.
    pub fn shift_left(&self, by: u32) -> Bits {
        if by >= self.width {
            return Bits::zero(self.width);
        }
        match &self.repr {
            Repr::Word(word) => Bits::from_u64(self.width, word << by),
            Repr::Words(words) => {
                let (whole, part) = ((by / 64) as usize, by % 64);
                let word = |i: usize| if i < whole { 0 } else { words[i - whole] };
                let shifted = (0..words.len()).map(|i| {
                    let below = if part == 0 || i == 0 { 0 } else { word(i - 1) >> (64 - part) };
                    word(i) << part | below
                });
                Bits::from_vec(self.width, shifted.collect())
            }
        }
    }
    /// Logical shift right by a number; zero once the number reaches the width.
    pub fn shift_right(&self, by: u32) -> Bits {
        if by >= self.width {
            return Bits::zero(self.width);
        }
        match &self.repr {
            Repr::Word(word) => Bits::from_u64(self.width, word >> by),
            Repr::Words(words) => {
                let (whole, part) = ((by / 64) as usize, by % 64);
                let word = |i: usize| words.get(i + whole).copied().unwrap_or(0);
                let shifted = (0..words.len()).map(|i| {
                    let above = if part == 0 { 0 } else { word(i + 1) << (64 - part) };
                    word(i) >> part | above
                });
                Bits::from_vec(self.width, shifted.collect())
            }
        }
    }
    /// The shift amount, cut off at the width.
    fn amount(&self, by: &Bits) -> u32 {
        self.fits(by);
        by.to_u64().and_then(|by| u32::try_from(by).ok()).map_or(self.width, |by| by.min(self.width))
    }
    /// Shift left.
    pub fn shl(&self, by: &Bits) -> Bits {
        self.shift_left(self.amount(by))
    }
    /// Logical shift right.
    pub fn lshr(&self, by: &Bits) -> Bits {
        self.shift_right(self.amount(by))
    }
    /// Arithmetic shift right.
    pub fn ashr(&self, by: &Bits) -> Bits {
        if self.is_negative() { self.not().lshr(by).not() } else { self.lshr(by) }
    }
    /// Rotation to the left.
    pub fn rotate_left(&self, by: u32) -> Bits {
        let by = by % self.width;
        if by == 0 {
            return self.clone();
        }
        self.shift_left(by).or(&self.shift_right(self.width - by))
    }
    /// Rotation to the right.
    pub fn rotate_right(&self, by: u32) -> Bits {
        self.rotate_left(self.width - by % self.width)
    }
}
