//! Random values in many styles.
//!
//! No single distribution finds all bugs: a parser wants the few letters it compares with, chosen
//! again and again; a loop wants a small count, or a stop that comes late; an overflow wants the
//! extremes. So each run has one style, taken in turn from the seed, and inside a style sites may
//! have habits of their own.

use base::{FastMap, Random};

use crate::model::{Input, InputKind, Shown};

use super::dictionary::Dictionary;
use super::inputs::{Inputs, Origin, Request};
use crate::tuning::Tuning;

/// How values are drawn.
#[derive(Clone, PartialEq, Debug)]
enum Style {
    Zero,
    /// One, but zero with probability `1 / zero_in`: for long loops.
    Bit {
        zero_in: u64,
    },
    Range {
        low: i64,
        high: i64,
    },
    /// What this input is compared with; tiny values if nothing is known.
    Compared,
    /// One of the program's constants or a neighbour.
    Constant,
    /// Extremes of the width.
    Extreme,
    Uniform,
    /// Every number of bits is as likely as every other, as long as runs that count so far can end.
    Magnitude,
    /// Another style each time.
    Mixed,
    /// Each site has a style of its own.
    EachSite,
    /// Each site keeps its value for long.
    Sticky,
}

/// A random supplier for one run.
pub struct RandomInputs<'d> {
    random: Random,
    dictionary: &'d Dictionary,
    style: Style,
    sites: FastMap<Origin, Site>,
    /// Takes another way than last time with probability one in this number.
    change_way_in: u64,
    last_way: usize,
}

#[derive(Clone)]
struct Site {
    style: Style,
    value: Option<u128>,
}

impl<'d> RandomInputs<'d> {
    /// The supplier that belongs to this seed; consecutive seeds take the styles in turn.
    pub fn new(seed: u64, dictionary: &'d Dictionary) -> Self {
        let mut random = Random::new(seed);
        let small = |random: &mut Random| *random.pick(&[1, 2, 3, 5, 6, 7, 10, 16, 30, 100, 300]);
        let style = match seed % 16 {
            0 => Style::Zero,
            1 | 5 | 8 => Style::Compared,
            2 => Style::Bit { zero_in: 2 },
            3 => Style::Range { low: 0, high: small(&mut random) },
            4 | 12 => Style::EachSite,
            6 => Style::Mixed,
            7 if seed & 16 == 0 => Style::Uniform,
            7 => Style::Magnitude,
            9 => Style::Sticky,
            10 => Style::Range { low: 1, high: small(&mut random) },
            11 => Style::Bit { zero_in: 1 << random.between(2, 14) },
            13 => Style::Constant,
            14 => {
                let high = small(&mut random);
                Style::Range { low: -high, high }
            }
            _ => Style::Extreme,
        };
        let change_way_in = *random.pick(&[1, 1, 4, 32]);
        RandomInputs { random, dictionary, style, sites: FastMap::new(), change_way_in, last_way: 0 }
    }

    fn some_style(&mut self) -> Style {
        match self.random.below(16) {
            0 => Style::Zero,
            1 => Style::Bit { zero_in: 2 },
            2 => Style::Bit { zero_in: 1 << self.random.between(2, 10) },
            3 | 4 => Style::Range { low: 0, high: self.random.between(1, 20) },
            5 => Style::Range { low: -self.random.between(1, 20), high: self.random.between(1, 20) },
            6..=9 => Style::Compared,
            10 | 11 => Style::Constant,
            12 => Style::Extreme,
            13 => Style::Range { low: 0, high: 1000 },
            14 => Style::Magnitude,
            _ => Style::Uniform,
        }
    }

    fn draw(&mut self, style: &Style, request: &Request<'_>) -> u128 {
        if request.shown == Shown::Float && matches!(request.width, 32 | 64) {
            return self.float(style, request.width);
        }
        if request.shown == Shown::Float && request.width == 80 {
            return super::long_double(f64::from_bits(self.float(style, 64) as u64));
        }
        match style {
            Style::Zero => 0,
            Style::Bit { zero_in } => u128::from(!self.random.one_in(*zero_in)),
            Style::Range { low, high } => self.random.between(*low, *high) as i128 as u128,
            Style::Compared => {
                let dictionary = self.dictionary;
                let values = match request.origin {
                    Origin::Input(input) => dictionary.of_input(input),
                    _ => &[],
                };
                match values.len() {
                    0 => self.random.below(7).into(),
                    // Now and then something that equals none of them.
                    _ if self.random.one_in(64) => self.neighbour(values),
                    _ => *self.random.pick(values),
                }
            }
            Style::Constant if self.dictionary.all().is_empty() => self.random.below(4).into(),
            Style::Constant => self.neighbour(self.dictionary.all()),
            Style::Extreme => {
                let top = 1u128 << (request.width - 1);
                let near = u128::from(self.random.below(3));
                match self.random.below(5) {
                    0 => near,
                    1 => near.wrapping_neg(),
                    2 => top.wrapping_add(near),
                    3 => top.wrapping_sub(1 + near),
                    _ => 1u128 << self.random.below(u64::from(request.width)),
                }
            }
            Style::Uniform => u128::from(self.random.bits()) | u128::from(self.random.bits()) << 64,
            Style::Magnitude => {
                let bits = self.random.below(u64::from(request.width.min(Tuning::DEFAULT.max_magnitude_bits)));
                let top = 1u64 << bits;
                u128::from(top + self.random.below(top))
            }
            Style::Mixed | Style::EachSite | Style::Sticky => {
                let style = self.some_style();
                self.draw(&style, request)
            }
        }
    }

    fn neighbour(&mut self, values: &[u128]) -> u128 {
        let value = *self.random.pick(values);
        match self.random.below(8) {
            0 => value.wrapping_add(1),
            1 => value.wrapping_sub(1),
            2 => value.wrapping_neg(),
            _ => value,
        }
    }

    fn float(&mut self, style: &Style, width: u32) -> u128 {
        let value: f64 = match style {
            Style::Zero => 0.0,
            Style::Bit { zero_in } => f64::from(u8::from(!self.random.one_in(*zero_in))),
            Style::Range { low, high } => self.random.between(*low, *high) as f64,
            Style::Uniform => return self.random.bits().into(),
            _ => match self.random.below(4) {
                0 => *self.random.pick(&[0.0, -0.0, 1.0, -1.0, 0.5, f64::INFINITY, f64::NAN, 1e30, 1e-30]),
                1 => self.random.between(-1000, 1000) as f64 / 16.0,
                2 => self.random.between(-10, 10) as f64,
                _ => return self.random.bits().into(),
            },
        };
        if width == 32 { (value as f32).to_bits().into() } else { value.to_bits().into() }
    }
}

impl Inputs for RandomInputs<'_> {
    fn value(&mut self, request: &Request<'_>) -> u128 {
        if matches!(request.info, Some(Input { kind: InputKind::Order { .. }, .. })) {
            return 0; // An error that needs another order is not confirmed.
        }
        match self.style {
            Style::EachSite => {
                let fresh = match self.sites.get(&request.origin) {
                    Some(site) => site.style.clone(),
                    None => {
                        let style = self.some_style();
                        self.sites.insert(request.origin, Site { style: style.clone(), value: None });
                        style
                    }
                };
                self.draw(&fresh, request)
            }
            Style::Sticky => {
                if let Some(Site { value: Some(value), .. }) = self.sites.get(&request.origin)
                    && !self.random.one_in(16)
                {
                    return *value;
                }
                let value = self.draw(&Style::Mixed, request);
                self.sites.insert(request.origin, Site { style: Style::Mixed, value: Some(value) });
                value
            }
            _ => {
                let style = self.style.clone();
                self.draw(&style, request)
            }
        }
    }
    fn choose(&mut self, n: usize) -> usize {
        if self.random.one_in(self.change_way_in) || self.last_way >= n {
            self.last_way = self.random.below(n as u64) as usize;
        }
        self.last_way
    }
}
