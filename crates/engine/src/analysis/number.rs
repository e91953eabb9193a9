//! What is known of a number: two ranges, some bits, and perhaps a short list of all values.
//!
//! A word of up to 64 bits is described at once by an unsigned range, a signed range, the bits known to be
//! zero or one, and, while they are few, the list of all its values. Each part says less than the
//! truth but never more, so wrap-around is safe: an operation whose result may wrap gives up the range that
//! would be wrong, and keeps the others. Low bits known are congruences modulo powers of two. The parts
//! sharpen one another (`settled`). Truth values are words of one bit; whatever is not a number has
//! width 0, and nothing is known of it.

use base::Bits;

use crate::tuning::Tuning;

/// What is known of a word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Number {
    pub width: u32,
    pub low: u64,
    pub high: u64,
    pub signed_low: i64,
    pub signed_high: i64,
    /// Bits known to be zero.
    pub zeros: u64,
    /// Bits known to be one.
    pub ones: u64,
    /// All values, ascending, if they are few.
    pub list: Option<Vec<u64>>,
}

/// The low bits.
pub(crate) fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}
/// The word read as a signed number.
pub(crate) fn signed(width: u32, value: u64) -> i64 {
    if width == 0 { 0 } else { ((value << (64 - width)) as i64) >> (64 - width) }
}
pub(crate) fn least_signed(width: u32) -> i64 {
    if width == 0 { 0 } else { i64::MIN >> (64 - width) }
}
pub(crate) fn greatest_signed(width: u32) -> i64 {
    if width == 0 { 0 } else { i64::MAX >> (64 - width) }
}

impl Number {
    /// Nothing is known; for widths above 64 nothing ever is.
    pub fn any(width: u32) -> Number {
        let width = if width > 64 { 0 } else { width };
        Number {
            width,
            low: 0,
            high: mask(width),
            signed_low: least_signed(width),
            signed_high: greatest_signed(width),
            zeros: 0,
            ones: 0,
            list: (width == 1).then(|| vec![0, 1]),
        }
    }
    pub fn exactly(width: u32, value: u64) -> Number {
        Number::one_of(width, vec![value])
    }
    /// One of these values, at least one; they need not be in order.
    pub fn one_of(width: u32, mut values: Vec<u64>) -> Number {
        values.sort_unstable();
        values.dedup();
        let mut number = Number::any(width);
        number.low = values[0];
        number.high = *values.last().expect("there is a value");
        number.signed_low = values.iter().map(|&value| signed(width, value)).min().expect("there is a value");
        number.signed_high = values.iter().map(|&value| signed(width, value)).max().expect("there is a value");
        number.ones = values.iter().fold(mask(width), |known, &value| known & value);
        number.zeros = values.iter().fold(mask(width), |known, &value| known & !value);
        number.list = (values.len() <= Tuning::DEFAULT.analysis_set_values).then_some(values);
        number
    }
    pub fn between(width: u32, low: u64, high: u64) -> Number {
        Number { low, high, ..Number::any(width) }.settled().expect("the range is not empty")
    }
    pub fn between_signed(width: u32, low: i64, high: i64) -> Number {
        Number { signed_low: low, signed_high: high, ..Number::any(width) }.settled().expect("the range is not empty")
    }
    pub fn of_bits(bits: &Bits) -> Number {
        match (bits.width(), bits.to_u64()) {
            (width @ 1..=64, Some(value)) => Number::exactly(width, value),
            _ => Number::any(0),
        }
    }
    /// The only value there can be.
    pub fn single(&self) -> Option<u64> {
        (self.width > 0 && self.low == self.high).then_some(self.low)
    }
    pub fn is_any(&self) -> bool {
        self.width == 0 || *self == Number::any(self.width)
    }
    /// Whether the value is possible.
    pub fn contains(&self, value: u64) -> bool {
        let signed = signed(self.width, value);
        self.width == 0
            || self.low <= value
                && value <= self.high
                && self.signed_low <= signed
                && signed <= self.signed_high
                && value & self.zeros == 0
                && value & self.ones == self.ones
                && self.list.as_ref().is_none_or(|list| list.binary_search(&value).is_ok())
    }
    /// The parts sharpen one another; none if no value is left.
    pub fn settled(mut self) -> Option<Number> {
        if self.width == 0 {
            return Some(self);
        }
        if let Some(list) = self.list.take() {
            let values: Vec<u64> = list.into_iter().filter(|&value| self.contains(value)).collect();
            return (!values.is_empty()).then(|| Number::one_of(self.width, values));
        }
        let (width, all) = (self.width, mask(self.width));
        for _ in 0..3 {
            if self.zeros & self.ones != 0 {
                return None;
            }
            self.low = self.low.max(self.ones);
            self.high = self.high.min(all & !self.zeros);
            let top = greatest_signed(width) as u64;
            // Where the sign is clear, both ranges say the same.
            if self.high <= top {
                self.signed_low = self.signed_low.max(self.low as i64);
                self.signed_high = self.signed_high.min(self.high as i64);
            } else if self.low > top {
                self.signed_low = self.signed_low.max(signed(width, self.low));
                self.signed_high = self.signed_high.min(signed(width, self.high));
            }
            if self.signed_low > self.signed_high || self.low > self.high {
                return None;
            }
            if self.signed_low >= 0 || self.signed_high < 0 {
                self.low = self.low.max(self.signed_low as u64 & all);
                self.high = self.high.min(self.signed_high as u64 & all);
            }
            if self.low > self.high {
                return None;
            }
            // Bits above the highest in which the ends of the range differ are common to all values.
            let same = !mask(64 - (self.low ^ self.high).leading_zeros()) & all;
            self.ones |= self.low & same;
            self.zeros |= !self.low & same;
        }
        if self.zeros & self.ones != 0 {
            return None;
        }
        // Few values are listed.
        if self.high - self.low < Tuning::DEFAULT.analysis_set_values as u64 {
            let values: Vec<u64> = (self.low..=self.high).filter(|&value| self.contains(value)).collect();
            return (!values.is_empty()).then(|| Number::one_of(width, values));
        }
        Some(self)
    }
    /// What holds of both numbers' values.
    pub fn join(&self, other: &Number) -> Number {
        if self.width == 0 || other.width == 0 {
            return Number::any(0);
        }
        if let (Some(a), Some(b)) = (&self.list, &other.list) {
            return Number::one_of(self.width, a.iter().chain(b).copied().collect());
        }
        Number {
            width: self.width,
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            signed_low: self.signed_low.min(other.signed_low),
            signed_high: self.signed_high.max(other.signed_high),
            zeros: self.zeros & other.zeros,
            ones: self.ones & other.ones,
            list: None,
        }
    }
    /// What is known when both hold; none if they exclude each other.
    pub fn meet(&self, other: &Number) -> Option<Number> {
        if self.width == 0 {
            return Some(self.clone());
        }
        if other.width == 0 {
            return Some(self.clone());
        }
        let list = match (&self.list, &other.list) {
            (Some(list), _) | (_, Some(list)) => Some(list.clone()),
            _ => None,
        };
        let both = Number {
            width: self.width,
            low: self.low.max(other.low),
            high: self.high.min(other.high),
            signed_low: self.signed_low.max(other.signed_low),
            signed_high: self.signed_high.min(other.signed_high),
            zeros: self.zeros | other.zeros,
            ones: self.ones | other.ones,
            list: None,
        };
        match list {
            Some(list) => {
                let values: Vec<u64> =
                    list.into_iter().filter(|&value| self.contains(value) && other.contains(value)).collect();
                (!values.is_empty()).then(|| Number::one_of(self.width, values))
            }
            None => both.settled(),
        }
    }
    /// At least the join, and such that no chain of these grows for ever: a bound that moves goes to the next
    /// threshold.
    pub fn widen(&self, next: &Number, thresholds: &[u64]) -> Number {
        if self.width == 0 || next.width == 0 {
            return Number::any(0);
        }
        let (width, all) = (self.width, mask(self.width));
        let joined = self.join(next);
        if joined == *self {
            return joined;
        }
        let below = |bound: u64| thresholds.iter().rev().copied().find(|&t| t <= bound).unwrap_or(0);
        let above = |bound: u64| thresholds.iter().copied().find(|&t| t <= all && t >= bound).unwrap_or(all);
        let signed_thresholds = || thresholds.iter().filter(|&&t| t <= all).map(|&t| signed(width, t));
        let signed_below =
            |bound: i64| signed_thresholds().filter(|&t| t <= bound).max().unwrap_or_else(|| least_signed(width));
        let signed_above =
            |bound: i64| signed_thresholds().filter(|&t| t >= bound).min().unwrap_or_else(|| greatest_signed(width));
        Number {
            width,
            low: if joined.low < self.low { below(joined.low) } else { self.low },
            high: if joined.high > self.high { above(joined.high) } else { self.high },
            signed_low: if joined.signed_low < self.signed_low {
                signed_below(joined.signed_low)
            } else {
                self.signed_low
            },
            signed_high: if joined.signed_high > self.signed_high {
                signed_above(joined.signed_high)
            } else {
                self.signed_high
            },
            zeros: joined.zeros,
            ones: joined.ones,
            list: None,
        }
    }
    /// How many low bits are known.
    pub fn known_low_bits(&self) -> u32 {
        (self.zeros | self.ones).trailing_ones()
    }
}
