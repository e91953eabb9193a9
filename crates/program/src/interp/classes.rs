//! Classes of input values that behave alike.
//!
//! A proof by execution tries all values of inputs. Of an input of many bits it is enough to try one value of each class, if the run looks at
//! the input only by comparisons with numbers that do not depend on inputs: values that answer all these comparisons alike take the same way.
//! The value that is tried is the smallest one that no class holds yet; each comparison of the run narrows the class from above. A register
//! holds *exactly* an input after a `Havoc` and its copies; whatever else is computed from it depends on the input, and must decide nothing.

use super::mark::Exact;

/// A comparison of a value with a number, as instructions make it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Test {
    /// They are equal.
    Equal,
    /// The left one is less, or also equal, without sign.
    Less { or_equal: bool },
    /// The same with sign, of this many bits.
    SignedLess { or_equal: bool, width: u32 },
}

/// A comparison with an enumerated value.
#[derive(Clone, Copy, Debug)]
pub struct Comparison {
    pub(super) of: Exact,
    pub(super) test: Test,
    pub(super) with: u64,
    /// Whether the value stands on the left.
    pub(super) is_left: bool,
}

impl Comparison {
    /// The number of the input.
    pub(super) fn of(&self) -> Exact {
        self.of
    }
    /// The largest value up to which, from `value` on, all values of this many bits answer alike; none if that is not known.
    pub(super) fn last_alike(&self, value: u64, width: u32) -> Option<u64> {
        let max = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
        let with = self.with;
        // The first value of the upper side: `value < first` is what the comparison comes to.
        let first = |or_equal: bool| if or_equal == self.is_left { with.checked_add(1) } else { Some(with) };
        match self.test {
            Test::Equal if value == with => Some(value),
            Test::Equal if value < with && with <= max => Some(with - 1),
            Test::Equal => Some(max),
            Test::Less { or_equal } => Some(match first(or_equal) {
                Some(first) if value < first => (first - 1).min(max),
                _ => max,
            }),
            Test::SignedLess { or_equal, width: compared } => {
                if compared != width || with > max {
                    return None;
                }
                // Within each half of the values both orders agree.
                let half = 1 << (width - 1);
                let end = if value < half { half - 1 } else { max };
                let is_same_half = (value < half) == (with < half);
                Some(match first(or_equal) {
                    Some(first) if is_same_half && value < first => (first - 1).min(end),
                    _ => end,
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(test: Test, left: u64, right: u64) -> bool {
        let signed = |value: u64, width: u32| (value << (64 - width)) as i64;
        match test {
            Test::Equal => left == right,
            Test::Less { or_equal } => left < right || or_equal && left == right,
            Test::SignedLess { or_equal, width } => {
                signed(left, width) < signed(right, width) || or_equal && left == right
            }
        }
    }

    #[test]
    fn all_values_of_a_class_answer_alike() {
        let width = 4;
        let mut tests = vec![Test::Equal];
        for or_equal in [false, true] {
            tests.extend([Test::Less { or_equal }, Test::SignedLess { or_equal, width }]);
        }
        let of = Exact { input: 0, occurrence: 0 };
        for test in tests {
            for with in 0..16 {
                for is_left in [false, true] {
                    let comparison = Comparison { of, test, with, is_left };
                    let answer = |value: u64| if is_left { holds(test, value, with) } else { holds(test, with, value) };
                    for value in 0..16 {
                        let last = comparison.last_alike(value, width).expect("the widths agree");
                        assert!((value..16).contains(&last));
                        assert!((value..=last).all(|other| answer(other) == answer(value)), "{comparison:?} {value}");
                    }
                }
            }
        }
        let wide = Comparison { of, test: Test::Equal, with: 77, is_left: true };
        assert_eq!(wide.last_alike(3, width), Some(15));
        let narrow = Comparison { of, test: Test::SignedLess { or_equal: false, width: 64 }, with: 1, is_left: true };
        assert_eq!(narrow.last_alike(3, width), None);
    }
}
