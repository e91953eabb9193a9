//! Taking values apart and putting them together.

use super::{Bits, Repr};

impl Bits {
    /// Bits `high` down to `low`.
    pub fn extract(&self, high: u32, low: u32) -> Bits {
        assert!(low <= high && high < self.width, "an extract lies within the width");
        let width = high - low + 1;
        match &self.repr {
            Repr::Word(word) => Bits::from_u64(width, word >> low),
            Repr::Words(_) => Bits::from_words(width, &self.shift_right(low).words()[..width.div_ceil(64) as usize]),
        }
    }
    /// The two side by side, `self` in front.
    pub fn concat(&self, low: &Bits) -> Bits {
        let width = self.width + low.width;
        if let (Repr::Word(a), Repr::Word(b), true) = (&self.repr, &low.repr, width <= 64) {
            return Bits::from_u64(width, a << low.width | b);
        }
        let front = Bits::from_words(width, self.words()).shift_left(low.width);
        front.or(&Bits::from_words(width, low.words()))
    }
    /// This many zero bits in front.
    pub fn zero_extend(&self, by: u32) -> Bits {
        Bits::from_words(self.width + by, self.words())
    }
    /// This many copies of the sign bit in front.
    pub fn sign_extend(&self, by: u32) -> Bits {
        let extended = self.zero_extend(by);
        if self.is_negative() && by > 0 {
            return extended.or(&Bits::ones(self.width + by).shift_left(self.width));
        }
        extended
    }
    /// The low bits, or zero bits in front, as the new width demands.
    pub fn resize_unsigned(&self, width: u32) -> Bits {
        if width < self.width { self.extract(width - 1, 0) } else { self.zero_extend(width - self.width) }
    }
    /// The low bits, or copies of the sign in front, as the new width demands.
    pub fn resize_signed(&self, width: u32) -> Bits {
        if width < self.width { self.extract(width - 1, 0) } else { self.sign_extend(width - self.width) }
    }
    /// This many copies side by side, at least one.
    pub fn repeat(&self, times: u32) -> Bits {
        assert!(times > 0, "a value is repeated at least once");
        // Doubling keeps the work linear in the width of the result.
        let mut whole: Option<Bits> = None;
        let mut block = self.clone();
        let mut left = times;
        loop {
            if left & 1 == 1 {
                whole = Some(match whole {
                    Some(whole) => whole.concat(&block),
                    None => block.clone(),
                });
            }
            left >>= 1;
            match whole {
                Some(whole) if left == 0 => return whole,
                _ => block = block.concat(&block),
            }
        }
    }
}
