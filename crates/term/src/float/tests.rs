//! The circuits against exact arithmetic on all values of small formats, and against the machine on random ones.

use base::Bits;
use base::Random;

use super::{Format, Nans, Words};
use crate::{FpOp, Op, SortKind, Term, Terms};

/// A number `over / under`, or what is not a number of that kind.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Real {
    Finite { negative: bool, over: i128, under: i128 },
    Infinite { negative: bool },
    Nan,
}

/// A format of at most 16 bits, so that its numbers are fractions of small integers.
#[derive(Clone, Copy)]
struct Small(Format);

impl Small {
    fn fraction(self) -> u32 {
        self.0.significand - 1
    }
    fn infinity(self) -> u64 {
        ((1 << self.0.exponent) - 1) << self.fraction()
    }
    fn sign(self) -> u64 {
        1 << (self.0.width() - 1)
    }
    /// The number as a multiple of the smallest positive one; infinity is the number that would follow the largest.
    fn units(self, magnitude: u64) -> i128 {
        let exponent = magnitude >> self.fraction();
        let fraction = magnitude & ((1 << self.fraction()) - 1);
        match exponent {
            0 => i128::from(fraction),
            _ => i128::from(fraction | 1 << self.fraction()) << (exponent - 1),
        }
    }
    /// The smallest positive number is one by this.
    fn scale(self) -> i128 {
        let bias = (1i64 << (self.0.exponent - 1)) - 1;
        1 << (bias - 1 + i64::from(self.fraction()))
    }
    fn read(self, bits: u64) -> Real {
        let negative = bits & self.sign() != 0;
        let magnitude = bits & (self.sign() - 1);
        match magnitude.cmp(&self.infinity()) {
            std::cmp::Ordering::Greater => Real::Nan,
            std::cmp::Ordering::Equal => Real::Infinite { negative },
            std::cmp::Ordering::Less => Real::Finite { negative, over: self.units(magnitude), under: self.scale() },
        }
    }
    /// The encoding nearest to a number; of two the even one.
    fn write(self, value: Real) -> Option<u64> {
        let (negative, magnitude) = match value {
            Real::Nan => return None,
            Real::Infinite { negative } => (negative, self.infinity()),
            Real::Finite { negative, over, under } => {
                // In units of the smallest number: over * scale / under.
                let over = over * self.scale();
                let below = (0..self.infinity()).rev().find(|&m| self.units(m) * under <= over).expect("zero is below");
                let (low, high) = (self.units(below), self.units(below + 1));
                let twice = 2 * over - (low + high) * under;
                let is_up = twice > 0 || twice == 0 && below % 2 == 1;
                (negative, below + u64::from(is_up))
            }
        };
        Some(magnitude | if negative { self.sign() } else { 0 })
    }
    fn all(self) -> std::ops::Range<u64> {
        0..1 << self.0.width()
    }
}

fn small(exponent: u32, significand: u32) -> Small {
    Small(Format { exponent, significand })
}

/// The circuits on numbers.
struct Circuits {
    terms: Terms,
}

impl Circuits {
    fn new() -> Self {
        Circuits { terms: Terms::new() }
    }
    /// The value of an operator on encodings; the sorts are those of the formats, or words for `None`.
    fn value(&mut self, op: FpOp, args: &[(Bits, Option<Format>)], result: SortKind) -> Term {
        let terms = &mut self.terms;
        let args: Vec<Term> = args
            .iter()
            .map(|(bits, format)| {
                let word = terms.bits(bits.clone());
                match *format {
                    Some(Format { exponent, significand }) => {
                        let sort = terms.sort(SortKind::Float(exponent, significand));
                        terms.fp(FpOp::FromBits, &[word], sort)
                    }
                    None => word,
                }
            })
            .collect();
        let sort = terms.sort(result);
        let term = terms.fp(op, &args, sort);
        Words::new(Nans::Canonical).term(terms, term)
    }
    fn number(&mut self, op: FpOp, format: Format, args: &[u64], result: Format) -> u64 {
        let args: Vec<_> = args.iter().map(|&bits| (Bits::from_u64(format.width(), bits), Some(format))).collect();
        let value = self.value(op, &args, SortKind::Float(result.exponent, result.significand));
        self.terms.value(value).and_then(|bits| bits.to_u64()).expect("a circuit on numbers is a number")
    }
    fn truth(&mut self, op: FpOp, format: Format, args: &[u64]) -> bool {
        let args: Vec<_> = args.iter().map(|&bits| (Bits::from_u64(format.width(), bits), Some(format))).collect();
        let value = self.value(op, &args, SortKind::Bool);
        match self.terms.op(value) {
            Op::True => true,
            Op::False => false,
            op => panic!("a circuit on numbers is a number, not {op:?}"),
        }
    }
}

fn check(circuits: &mut Circuits, op: FpOp, format: Small, args: &[u64], to: Small, expected: Real) {
    let found = circuits.number(op, format.0, args, to.0);
    match to.write(expected) {
        Some(expected) => assert_eq!(found, expected, "{op:?} of {args:x?} in {:?} to {:?}", format.0, to.0),
        None => assert_eq!(to.read(found), Real::Nan, "{op:?} of {args:x?} in {:?}", format.0),
    }
}

fn is_negative(value: Real) -> bool {
    matches!(value, Real::Finite { negative: true, .. } | Real::Infinite { negative: true })
}
fn negated(value: Real) -> Real {
    match value {
        Real::Finite { negative, over, under } => Real::Finite { negative: !negative, over, under },
        Real::Infinite { negative } => Real::Infinite { negative: !negative },
        Real::Nan => Real::Nan,
    }
}
fn sum(x: Real, y: Real) -> Real {
    match (x, y) {
        (Real::Nan, _) | (_, Real::Nan) => Real::Nan,
        (Real::Infinite { negative: a }, Real::Infinite { negative: b }) if a != b => Real::Nan,
        (Real::Infinite { .. }, _) => x,
        (_, Real::Infinite { .. }) => y,
        (Real::Finite { negative: a, over: p, under: q }, Real::Finite { negative: b, over: r, under: t }) => {
            let signed = |negative, over: i128| if negative { -over } else { over };
            let over = signed(a, p) * t + signed(b, r) * q;
            let negative = if over == 0 { a && b } else { over < 0 };
            Real::Finite { negative, over: over.abs(), under: q * t }
        }
    }
}
fn product(x: Real, y: Real) -> Real {
    let negative = is_negative(x) != is_negative(y);
    match (x, y) {
        (Real::Nan, _) | (_, Real::Nan) => Real::Nan,
        (Real::Finite { over: 0, .. }, Real::Infinite { .. })
        | (Real::Infinite { .. }, Real::Finite { over: 0, .. }) => Real::Nan,
        (Real::Finite { over: p, under: q, .. }, Real::Finite { over: r, under: t, .. }) => {
            Real::Finite { negative, over: p * r, under: q * t }
        }
        _ => Real::Infinite { negative },
    }
}
fn quotient(x: Real, y: Real) -> Real {
    let negative = is_negative(x) != is_negative(y);
    match (x, y) {
        (Real::Nan, _) | (_, Real::Nan) | (Real::Infinite { .. }, Real::Infinite { .. }) => Real::Nan,
        (Real::Finite { over: 0, .. }, Real::Finite { over: 0, .. }) => Real::Nan,
        (Real::Infinite { .. }, _) | (_, Real::Finite { over: 0, .. }) => Real::Infinite { negative },
        (Real::Finite { under, .. }, Real::Infinite { .. }) => Real::Finite { negative, over: 0, under },
        (Real::Finite { over: p, under: q, .. }, Real::Finite { over: r, under: t, .. }) => {
            Real::Finite { negative, over: p * t, under: q * r }
        }
    }
}

const FORMATS: [(u32, u32); 5] = [(2, 2), (2, 3), (3, 2), (3, 3), (4, 3)];

#[test]
fn sums_products_and_quotients_of_small_formats_are_those_of_exact_arithmetic() {
    for (exponent, significand) in FORMATS {
        let format = small(exponent, significand);
        for x in format.all() {
            let mut circuits = Circuits::new();
            for y in format.all() {
                let (a, b) = (format.read(x), format.read(y));
                check(&mut circuits, FpOp::Add, format, &[x, y], format, sum(a, b));
                check(&mut circuits, FpOp::Sub, format, &[x, y], format, sum(a, negated(b)));
                check(&mut circuits, FpOp::Mul, format, &[x, y], format, product(a, b));
                check(&mut circuits, FpOp::Div, format, &[x, y], format, quotient(a, b));
            }
        }
    }
}

#[test]
fn roots_of_small_formats_are_nearest_to_the_root() {
    for (exponent, significand) in [(2, 2), (2, 3), (3, 2), (3, 3), (3, 5), (4, 3), (4, 6)] {
        let format = small(exponent, significand);
        let mut circuits = Circuits::new();
        for x in format.all() {
            let found = circuits.number(FpOp::Sqrt, format.0, &[x], format.0);
            match format.read(x) {
                Real::Finite { over: 0, .. } | Real::Infinite { negative: false } => assert_eq!(found, x),
                Real::Nan | Real::Infinite { .. } | Real::Finite { negative: true, .. } => {
                    assert_eq!(format.read(found), Real::Nan)
                }
                Real::Finite { over, .. } => {
                    // In units, the root is sqrt(over * scale); compare twice it with neighbours, squared.
                    let square = 4 * over * format.scale();
                    let found_units = format.units(found);
                    let (low, high) = (found_units + format.units(found - 1), found_units + format.units(found + 1));
                    assert!(low * low <= square && square <= high * high, "root of {x:x} in {:?}", format.0);
                    assert!(low * low < square || found.is_multiple_of(2), "a tie goes to the even number");
                    assert!(square < high * high || found.is_multiple_of(2), "a tie goes to the even number");
                }
            }
        }
    }
}

#[test]
fn integral_values_of_small_formats_are_rounded_as_their_names_say() {
    let floor = |over: i128, under: i128| over.div_euclid(under);
    for (exponent, significand) in [(2, 2), (2, 3), (3, 2), (3, 3), (3, 5), (4, 3), (4, 6)] {
        let format = small(exponent, significand);
        let mut circuits = Circuits::new();
        for x in format.all() {
            for op in [FpOp::Floor, FpOp::Ceil, FpOp::Trunc, FpOp::Round, FpOp::RoundEven] {
                let expected = match format.read(x) {
                    Real::Finite { negative, over, under } => {
                        let (low, rest) = (floor(over, under), over.rem_euclid(under));
                        let is_up = match op {
                            FpOp::Floor => negative && rest > 0,
                            FpOp::Ceil => !negative && rest > 0,
                            FpOp::Round => 2 * rest >= under,
                            FpOp::RoundEven => 2 * rest > under || 2 * rest == under && low % 2 == 1,
                            _ => false,
                        };
                        Real::Finite { negative, over: low + i128::from(is_up), under: 1 }
                    }
                    other => other,
                };
                check(&mut circuits, op, format, &[x], format, expected);
            }
        }
    }
}

#[test]
fn conversions_of_small_formats_round_once() {
    let formats = FORMATS.map(|(exponent, significand)| small(exponent, significand));
    for from in formats.into_iter().chain([small(5, 5), small(3, 6)]) {
        for to in formats.into_iter().chain([small(5, 5), small(3, 6)]) {
            let mut circuits = Circuits::new();
            for x in from.all() {
                check(&mut circuits, FpOp::FromFloat, from, &[x], to, from.read(x));
            }
        }
    }
}

#[test]
fn conversions_with_integers_are_exact_or_indefinite() {
    for format in FORMATS.into_iter().chain([(5, 5)]).map(|(exponent, significand)| small(exponent, significand)) {
        let mut circuits = Circuits::new();
        let sort = SortKind::Float(format.0.exponent, format.0.significand);
        for width in 1..=7 {
            for value in 0..1u64 << width {
                for op in [FpOp::FromSigned, FpOp::FromUnsigned] {
                    let bits = Bits::from_u64(width, value);
                    let number =
                        if op == FpOp::FromSigned { bits.to_i128() } else { bits.to_u128().map(|n| n as i128) };
                    let number = number.expect("it is small");
                    let term = circuits.value(op, &[(bits, None)], sort.clone());
                    let found = circuits.terms.value(term).and_then(|bits| bits.to_u64()).expect("a number");
                    let expected = Real::Finite { negative: number < 0, over: number.abs(), under: 1 };
                    assert_eq!(Some(found), format.write(expected), "{op:?} of {number}, {width} bits, {:?}", format.0);
                }
            }
            for x in format.all() {
                for op in [FpOp::ToSigned, FpOp::ToUnsigned] {
                    let arg = (Bits::from_u64(format.0.width(), x), Some(format.0));
                    let term = circuits.value(op, &[arg], SortKind::BitVec(width));
                    let found = circuits.terms.value(term).expect("a number");
                    let whole = match format.read(x) {
                        Real::Finite { negative, over, under } => {
                            Some(if negative { -(over / under) } else { over / under })
                        }
                        _ => None,
                    };
                    let (low, high) = match op {
                        FpOp::ToSigned => (-(1i128 << (width - 1)), 1i128 << (width - 1)),
                        _ => (0, 1 << width),
                    };
                    let expected = match whole {
                        Some(whole) if low <= whole && whole < high => Bits::from_i128(width, whole),
                        _ => Bits::min_signed(width),
                    };
                    assert_eq!(found, expected, "{op:?} of {x:x} to {width} bits, {:?}", format.0);
                }
            }
        }
    }
}

#[test]
fn comparisons_and_classes_of_small_formats_are_those_of_numbers() {
    let key = |value: Real| match value {
        Real::Finite { negative, over, under } => (if negative { -over } else { over }) as f64 / under as f64,
        Real::Infinite { negative } => {
            if negative {
                f64::NEG_INFINITY
            } else {
                f64::INFINITY
            }
        }
        Real::Nan => f64::NAN,
    };
    for (exponent, significand) in FORMATS {
        let format = small(exponent, significand);
        for x in format.all() {
            let mut circuits = Circuits::new();
            let a = format.read(x);
            let is_subnormal = (1..1 << format.fraction()).contains(&(x & (format.sign() - 1)));
            let is_finite = matches!(a, Real::Finite { .. });
            let is_zero = matches!(a, Real::Finite { over: 0, .. });
            for (op, expected) in [
                (FpOp::IsNan, a == Real::Nan),
                (FpOp::IsInfinite, matches!(a, Real::Infinite { .. })),
                (FpOp::IsZero, is_zero),
                (FpOp::IsSubnormal, is_subnormal),
                (FpOp::IsNormal, is_finite && !is_zero && !is_subnormal),
                (FpOp::IsNegative, a != Real::Nan && x & format.sign() != 0),
            ] {
                assert_eq!(circuits.truth(op, format.0, &[x]), expected, "{op:?} of {x:x} in {:?}", format.0);
            }
            for y in format.all() {
                let b = format.read(y);
                for (op, expected) in
                    [(FpOp::Eq, key(a) == key(b)), (FpOp::Lt, key(a) < key(b)), (FpOp::Le, key(a) <= key(b))]
                {
                    assert_eq!(circuits.truth(op, format.0, &[x, y]), expected, "{op:?} of {x:x}, {y:x}");
                }
                for (op, is_first) in [(FpOp::Min, key(a) < key(b)), (FpOp::Max, key(a) > key(b))] {
                    let found = circuits.number(op, format.0, &[x, y], format.0);
                    let expected = if b == Real::Nan || is_first { x } else { y };
                    match format.read(expected) {
                        Real::Nan => assert_eq!(format.read(found), Real::Nan),
                        _ => assert_eq!(found, expected, "{op:?} of {x:x}, {y:x}"),
                    }
                }
            }
        }
    }
}

/// An encoding near zero, one, the ends of the range, or anywhere.
fn encoding(random: &mut Random, exponent: u32, fraction: u32) -> u64 {
    let all = (1u64 << exponent) - 1;
    let biased = match random.below(6) {
        0 => 0,
        1 => all,
        2 => all / 2 + random.below(5) - 2,
        3 => random.below(3),
        4 => all - random.below(3),
        _ => random.below(all + 1),
    };
    let bits = match random.below(4) {
        0 => 0,
        1 => (1 << fraction) - 1,
        2 => 1 << random.below(u64::from(fraction)),
        _ => random.bits() & ((1 << fraction) - 1),
    };
    random.below(2) << (exponent + fraction) | biased << fraction | bits
}

/// Encodings that the machine agrees with, NaNs as one.
macro_rules! against_the_machine {
    ($test:ident, $float:ident, $bits:ident, $exponent:expr, $significand:expr, $count:expr) => {
        #[test]
        fn $test() {
            let format = Format { exponent: $exponent, significand: $significand };
            let sort = || SortKind::Float($exponent, $significand);
            let mut random = Random::new(7);
            for _ in 0..$count {
                let mut circuits = Circuits::new();
                let mut pick = || encoding(&mut random, $exponent, $significand - 1);
                let (x, y) = (pick(), pick());
                let (a, b) = ($float::from_bits(x as $bits), $float::from_bits(y as $bits));
                let whole = random.bits() >> random.below(64);
                let binary = [(FpOp::Add, a + b), (FpOp::Sub, a - b), (FpOp::Mul, a * b), (FpOp::Div, a / b)];
                let unary = [
                    (FpOp::Sqrt, a.sqrt()),
                    (FpOp::Floor, a.floor()),
                    (FpOp::Ceil, a.ceil()),
                    (FpOp::Trunc, a.trunc()),
                    (FpOp::Round, a.round()),
                    (FpOp::RoundEven, a.round_ties_even()),
                    (FpOp::Neg, -a),
                    (FpOp::Abs, a.abs()),
                ];
                let calls = binary.map(|(op, value)| (op, vec![x, y], value));
                let calls = calls.into_iter().chain(unary.map(|(op, value)| (op, vec![x], value)));
                for (op, args, expected) in calls {
                    let found = circuits.number(op, format, &args, format);
                    let read = $float::from_bits(found as $bits);
                    let is_same = found == u64::from(expected.to_bits()) || read.is_nan() && expected.is_nan();
                    assert!(is_same, "{op:?} of {args:x?}: {found:x}, expected {:x}", expected.to_bits());
                }
                for (op, expected) in [(FpOp::Eq, a == b), (FpOp::Lt, a < b), (FpOp::Le, a <= b)] {
                    assert_eq!(circuits.truth(op, format, &[x, y]), expected, "{op:?} of {x:x}, {y:x}");
                }
                let word = (Bits::from_u64(64, whole), None);
                for (op, expected) in
                    [(FpOp::FromSigned, whole as i64 as $float), (FpOp::FromUnsigned, whole as $float)]
                {
                    let term = circuits.value(op, std::slice::from_ref(&word), sort());
                    let found = circuits.terms.value(term).and_then(|bits| bits.to_u64()).expect("a number");
                    assert_eq!(found, u64::from(expected.to_bits()), "{op:?} of {whole}");
                }
                for width in [32u32, 64] {
                    let arg = (Bits::from_u64(format.width(), x), Some(format));
                    let term = circuits.value(FpOp::ToSigned, &[arg], SortKind::BitVec(width));
                    let found = circuits.terms.value(term).expect("a number");
                    let limit = 2f64.powi(width as i32 - 1);
                    let fits = f64::from(a).trunc() >= -limit && f64::from(a).trunc() < limit;
                    let expected = if fits { Bits::from_i64(width, a as i64) } else { Bits::min_signed(width) };
                    assert_eq!(found, expected, "{x:x} to {width} bits");
                }
            }
        }
    };
}

against_the_machine!(single_precision_agrees_with_the_machine, f32, u32, 8, 24, 3000);
against_the_machine!(double_precision_agrees_with_the_machine, f64, u64, 11, 53, 3000);

#[test]
fn single_and_double_precision_convert_as_the_machine_does() {
    let (single, double) = (Format { exponent: 8, significand: 24 }, Format { exponent: 11, significand: 53 });
    let mut random = Random::new(8);
    for _ in 0..5000 {
        let mut circuits = Circuits::new();
        let x = encoding(&mut random, 8, 23);
        let wide = circuits.number(FpOp::FromFloat, single, &[x], double);
        let expected = f64::from(f32::from_bits(x as u32));
        assert!(wide == expected.to_bits() || expected.is_nan() && f64::from_bits(wide).is_nan(), "{x:x}");
        // Near the ends of the range of single precision, too.
        let near =
            f64::from(f32::from_bits(x as u32)).to_bits() ^ (random.bits() >> random.below(64) & ((1 << 40) - 1));
        for y in [encoding(&mut random, 11, 52), near] {
            let narrow = circuits.number(FpOp::FromFloat, double, &[y], single);
            let expected = f64::from_bits(y) as f32;
            let is_same =
                narrow == u64::from(expected.to_bits()) || expected.is_nan() && f32::from_bits(narrow as u32).is_nan();
            assert!(is_same, "{y:x}");
        }
    }
}

#[test]
fn moved_bits_stay_and_the_bits_of_a_new_nan_are_open() {
    let mut terms = Terms::new();
    let (word, float) = (terms.bv_sort(32), terms.sort(SortKind::Float(8, 24)));
    let (bits, x, y) = (terms.variable("bits", word), terms.variable("x", float), terms.variable("y", float));
    let mut words = Words::new(Nans::Open);
    let read = terms.fp(FpOp::FromBits, &[bits], float);
    let back = terms.fp(FpOp::ToBits, &[read], word);
    assert_eq!(words.term(&mut terms, back), bits, "what is read and written is one word");
    let (sum, other) = (terms.fp(FpOp::Add, &[x, y], float), terms.fp(FpOp::Mul, &[x, y], float));
    let (sum, other) = (words.term(&mut terms, sum), words.term(&mut terms, other));
    let open = |term: Term| {
        let names = terms.symbols_of(&[term]);
        names.into_iter().filter(|&symbol| terms.symbol_name(symbol).starts_with("NaN of")).count()
    };
    assert_eq!((open(sum), open(other)), (1, 1));
    assert_ne!(terms.symbols_of(&[sum]), terms.symbols_of(&[other]), "each operation has its own");
}
