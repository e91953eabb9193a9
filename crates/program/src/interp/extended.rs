//! The x87 format of 80 bits, `long double` on x86: exact arithmetic on integers, rounding to nearest even.
//!
//! A number is a significand of 64 bits, whose first bit is explicit, times a power of two. Operators unpack their
//! operands so that the first bit is set, compute in 128 bits together with a *sticky* bit (whether anything below
//! is not zero), and round once when they pack the result.
//!
//! Encodings that the processor does not support (an exponent without the first bit) behave like NaN; a denormal
//! number with its first bit set has the value that its bits say. All NaNs that an operator makes have the significand
//! [`NAN_SIGNIFICAND`]: C leaves their bits open, and code that reads them depends on them (see `shadow`).

use std::cmp::Ordering;

use super::code::Primitive;

// format: the x87 format.
/// The significand of NaNs that operators make. It is an unlikely one for a number, so that this word alone shows a NaN.
pub(super) const NAN_SIGNIFICAND: u64 = 0xe5a1_1e9d_3b5c_7f29;

// format: the x87 format.
/// All bits of the exponent field.
const TOP: u32 = 0x7fff;
const BIAS: i32 = 16383;
/// The weight of the last bit of a denormal number.
const LEAST: i32 = 1 - BIAS - 63;

// format: the x87 format.
const NAN: u128 = (TOP as u128) << 64 | NAN_SIGNIFICAND as u128;

/// A finite number other than zero: `significand * 2^exponent`, the first bit of the significand set.
#[derive(Clone, Copy, Debug)]
struct Number {
    negative: bool,
    exponent: i32,
    significand: u64,
}

/// What the bits say.
#[derive(Clone, Copy, Debug)]
enum Value {
    Nan,
    Infinite { negative: bool },
    Zero { negative: bool },
    Finite(Number),
}

impl Value {
    fn of(bits: u128) -> Value {
        let significand = bits as u64;
        let field = (bits >> 64) as u32 & TOP;
        let negative = is_negative(bits);
        let has_first_bit = significand >> 63 == 1;
        match (field, significand) {
            (0, 0) => Value::Zero { negative },
            (TOP, _) if significand == 1 << 63 => Value::Infinite { negative },
            (TOP, _) => Value::Nan,
            (1.., _) if !has_first_bit => Value::Nan, // Not supported by the processor.
            _ => {
                let shift = significand.leading_zeros();
                let exponent = field.max(1) as i32 - BIAS - 63 - shift as i32;
                Value::Finite(Number { negative, exponent, significand: significand << shift })
            }
        }
    }
    fn is_negative(self) -> bool {
        match self {
            Value::Nan => false,
            Value::Infinite { negative } | Value::Zero { negative } => negative,
            Value::Finite(number) => number.negative,
        }
    }
    /// The number with another sign.
    fn with_sign(self, negative: bool) -> Value {
        match self {
            Value::Nan => Value::Nan,
            Value::Infinite { .. } => Value::Infinite { negative },
            Value::Zero { .. } => Value::Zero { negative },
            Value::Finite(number) => Value::Finite(Number { negative, ..number }),
        }
    }
    /// The bits; the number is one of the format.
    fn bits(self) -> u128 {
        match self {
            Value::Nan => NAN,
            Value::Infinite { negative } => infinity(negative),
            Value::Zero { negative } => zero(negative),
            Value::Finite(number) => number.bits(),
        }
    }
}

impl Number {
    fn bits(self) -> u128 {
        pack(self.negative, self.exponent, self.significand.into(), false)
    }
    /// Compares the values without their signs.
    fn compare_magnitude(self, other: Number) -> Ordering {
        (self.exponent, self.significand).cmp(&(other.exponent, other.significand))
    }
}

fn is_negative(bits: u128) -> bool {
    bits >> 79 & 1 == 1
}
fn zero(negative: bool) -> u128 {
    u128::from(negative) << 79
}
fn infinity(negative: bool) -> u128 {
    zero(negative) | u128::from(TOP) << 64 | 1 << 63
}

/// The bits of `significand * 2^exponent`, and a little more if `sticky`, rounded to nearest even.
///
/// Without `sticky` any significand will do; with it, it has at least 66 bits.
fn pack(negative: bool, exponent: i32, significand: u128, sticky: bool) -> u128 {
    if significand == 0 {
        return zero(negative);
    }
    let length = 128 - significand.leading_zeros() as i32;
    // The weight of the last bit that the result can hold.
    let last = (exponent + length - 64).max(LEAST);
    let drop = last - exponent;
    let kept = match drop {
        ..=0 => significand << -drop,
        // Below half of the least number. (A significand of 128 bits, all dropped, may be above half of it.)
        129.. => 0,
        _ => {
            let half = 1u128 << (drop - 1);
            let rest = if drop == 128 { significand } else { significand & ((1 << drop) - 1) };
            let kept = if drop == 128 { 0 } else { significand >> drop };
            kept + u128::from(rest > half || rest == half && (sticky || kept & 1 == 1))
        }
    };
    if kept == 0 {
        return zero(negative);
    }
    // Rounding up may have made it one bit longer.
    let (kept, last) = if kept >> 64 == 1 { (kept >> 1, last + 1) } else { (kept, last) };
    let field = if kept >> 63 == 1 { last + BIAS + 63 } else { 0 };
    if field >= TOP as i32 {
        return infinity(negative);
    }
    zero(negative) | (field as u128) << 64 | kept
}

/// An operator on one or two numbers; truth values are 0 and 1.
pub(super) fn apply(op: Primitive, left: u128, right: u128) -> u128 {
    let (x, y) = (Value::of(left), Value::of(right));
    let truth = u128::from;
    match op {
        Primitive::Add => add(x, y),
        Primitive::Sub => add(x, y.with_sign(!y.is_negative())),
        Primitive::Mul => mul(x, y),
        Primitive::Div => div(x, y),
        Primitive::Fmod => fmod(x, y),
        Primitive::Rem => remainder(x, y),
        Primitive::Neg | Primitive::Abs if matches!(x, Value::Nan) => NAN,
        Primitive::Neg => left ^ 1 << 79,
        Primitive::Abs => left & !(1 << 79),
        Primitive::Sqrt => sqrt(x),
        Primitive::Floor | Primitive::Ceil | Primitive::Trunc | Primitive::Round | Primitive::RoundEven => {
            to_integral(op, x).bits()
        }
        Primitive::Min => smaller(x, y, Ordering::Less).bits(),
        Primitive::Max => smaller(x, y, Ordering::Greater).bits(),
        Primitive::Eq => truth(compare(x, y) == Some(Ordering::Equal)),
        Primitive::Lt => truth(compare(x, y) == Some(Ordering::Less)),
        Primitive::Le => truth(matches!(compare(x, y), Some(Ordering::Less | Ordering::Equal))),
        Primitive::Same => truth(x.bits() == y.bits()),
        Primitive::IsNan => truth(matches!(x, Value::Nan)),
        Primitive::IsInfinite => truth(matches!(x, Value::Infinite { .. })),
        Primitive::IsNormal => truth(matches!(x, Value::Finite(number) if number.exponent + 63 > -BIAS)),
        Primitive::IsSubnormal => truth(matches!(x, Value::Finite(number) if number.exponent + 63 <= -BIAS)),
        Primitive::IsZero => truth(matches!(x, Value::Zero { .. })),
    }
}

fn add(x: Value, y: Value) -> u128 {
    let (a, b) = match (x, y) {
        (Value::Nan, _) | (_, Value::Nan) => return NAN,
        (Value::Infinite { negative: a }, Value::Infinite { negative: b }) if a != b => return NAN,
        (Value::Infinite { .. }, _) => return x.bits(),
        (_, Value::Infinite { .. }) => return y.bits(),
        (Value::Zero { negative: a }, Value::Zero { negative: b }) => return zero(a && b),
        (_, Value::Zero { .. }) => return x.bits(),
        (Value::Zero { .. }, _) => return y.bits(),
        (Value::Finite(a), Value::Finite(b)) => match a.compare_magnitude(b) {
            Ordering::Less => (b, a),
            _ => (a, b),
        },
    };
    // Two bits of room above; the smaller operand loses bits only if it is far below the larger one.
    let large = u128::from(a.significand) << 62;
    let small = u128::from(b.significand) << 62;
    let distance = (a.exponent - b.exponent) as u32;
    let (small, sticky) = match distance {
        0..128 => (small >> distance, small & ((1 << distance) - 1) != 0),
        _ => (0, true),
    };
    let sum = match (a.negative == b.negative, sticky) {
        (true, _) => large + small,
        (false, false) => large - small,
        // The bits that were lost are subtracted, too.
        (false, true) => large - small - 1,
    };
    if sum == 0 {
        return zero(false);
    }
    pack(a.negative, a.exponent - 62, sum, sticky)
}

fn mul(x: Value, y: Value) -> u128 {
    let negative = x.is_negative() != y.is_negative();
    match (x, y) {
        (Value::Nan, _) | (_, Value::Nan) => NAN,
        (Value::Infinite { .. }, Value::Zero { .. }) | (Value::Zero { .. }, Value::Infinite { .. }) => NAN,
        (Value::Infinite { .. }, _) | (_, Value::Infinite { .. }) => infinity(negative),
        (Value::Zero { .. }, _) | (_, Value::Zero { .. }) => zero(negative),
        (Value::Finite(a), Value::Finite(b)) => {
            let product = u128::from(a.significand) * u128::from(b.significand);
            pack(negative, a.exponent + b.exponent, product, false)
        }
    }
}

fn div(x: Value, y: Value) -> u128 {
    let negative = x.is_negative() != y.is_negative();
    match (x, y) {
        (Value::Nan, _) | (_, Value::Nan) => NAN,
        (Value::Infinite { .. }, Value::Infinite { .. }) | (Value::Zero { .. }, Value::Zero { .. }) => NAN,
        (Value::Infinite { .. }, _) | (_, Value::Zero { .. }) => infinity(negative),
        (Value::Zero { .. }, _) | (_, Value::Infinite { .. }) => zero(negative),
        (Value::Finite(a), Value::Finite(b)) => {
            // In two steps: 64 or 65 bits of the quotient, and 63 more.
            let divisor = u128::from(b.significand);
            let first = u128::from(a.significand) << 64;
            let rest = (first % divisor) << 63;
            let quotient = ((first / divisor) << 63) | (rest / divisor);
            pack(negative, a.exponent - b.exponent - 127, quotient, !rest.is_multiple_of(divisor))
        }
    }
}

fn sqrt(x: Value) -> u128 {
    match x {
        Value::Zero { .. } | Value::Infinite { negative: false } => x.bits(),
        Value::Finite(number @ Number { negative: false, .. }) => {
            // An even exponent, and 127 or 128 bits, so that the root has 64.
            let shift = if (number.exponent - 63).rem_euclid(2) == 0 { 63 } else { 64 };
            let square = u128::from(number.significand) << shift;
            let root = square.isqrt();
            let rest = square - root * root;
            // The root plus one half is never exact: its square is no integer.
            let below = if rest > root { 3 } else { u128::from(rest > 0) };
            pack(false, (number.exponent - shift) / 2 - 2, root << 2 | below, false)
        }
        _ => NAN,
    }
}

/// `significand * 2^shift` modulo the divisor, which has at most 66 bits.
fn shifted_remainder(significand: u64, shift: u32, divisor: u128) -> u128 {
    let mut rest = u128::from(significand) % divisor;
    let mut left = shift;
    while left > 0 && rest != 0 {
        let step = left.min(61);
        rest = (rest << step) % divisor;
        left -= step;
    }
    rest
}

/// C's `fmodl`: exact, with the sign of the first operand.
fn fmod(x: Value, y: Value) -> u128 {
    match (x, y) {
        (Value::Nan, _) | (_, Value::Nan) | (Value::Infinite { .. }, _) | (_, Value::Zero { .. }) => NAN,
        (Value::Zero { .. }, _) | (_, Value::Infinite { .. }) => x.bits(),
        (Value::Finite(a), Value::Finite(b)) if a.exponent < b.exponent => a.bits(),
        (Value::Finite(a), Value::Finite(b)) => {
            let rest = shifted_remainder(a.significand, (a.exponent - b.exponent) as u32, b.significand.into());
            pack(a.negative, b.exponent, rest, false)
        }
    }
}

/// The remainder of IEEE: the quotient is rounded to the nearest integer, ties to even.
fn remainder(x: Value, y: Value) -> u128 {
    match (x, y) {
        (Value::Nan, _) | (_, Value::Nan) | (Value::Infinite { .. }, _) | (_, Value::Zero { .. }) => NAN,
        (Value::Zero { .. }, _) | (_, Value::Infinite { .. }) => x.bits(),
        // Less than half of the divisor.
        (Value::Finite(a), Value::Finite(b)) if a.exponent < b.exponent - 1 => a.bits(),
        (Value::Finite(a), Value::Finite(b)) => {
            let unit = a.exponent.min(b.exponent);
            let divisor = u128::from(b.significand) << (b.exponent - unit);
            // Twice the divisor keeps the last bit of the quotient.
            let rest = shifted_remainder(a.significand, (a.exponent - unit) as u32, 2 * divisor);
            let (negative, rest) = if 2 * rest <= divisor {
                (a.negative, rest)
            } else if 2 * rest < 3 * divisor {
                (a.negative != (rest < divisor), rest.abs_diff(divisor))
            } else {
                (!a.negative, 2 * divisor - rest)
            };
            // A remainder of zero has the sign of the first operand.
            pack(if rest == 0 { a.negative } else { negative }, unit, rest, false)
        }
    }
}

fn to_integral(op: Primitive, x: Value) -> Value {
    let Value::Finite(number) = x else { return x };
    if number.exponent >= 0 {
        return x;
    }
    let drop = number.exponent.unsigned_abs().min(100);
    let significand = u128::from(number.significand);
    let (whole, rest, half) = (significand >> drop, significand & ((1 << drop) - 1), 1u128 << (drop - 1));
    let up = match op {
        Primitive::Floor => number.negative && rest > 0,
        Primitive::Ceil => !number.negative && rest > 0,
        Primitive::Round => rest >= half,
        Primitive::RoundEven => rest > half || rest == half && whole & 1 == 1,
        _ => false,
    };
    Value::of(pack(number.negative, 0, whole + u128::from(up), false))
}

/// `None` if one of them is NaN.
fn compare(x: Value, y: Value) -> Option<Ordering> {
    let sign = |value: Value| match value {
        Value::Zero { .. } => 0,
        _ if value.is_negative() => -1,
        _ => 1,
    };
    let magnitude = match (x, y) {
        (Value::Nan, _) | (_, Value::Nan) => return None,
        (Value::Finite(a), Value::Finite(b)) => a.compare_magnitude(b),
        (Value::Infinite { .. }, Value::Finite(_)) => Ordering::Greater,
        (Value::Finite(_), Value::Infinite { .. }) => Ordering::Less,
        _ => Ordering::Equal,
    };
    let signs: (i32, i32) = (sign(x), sign(y));
    Some(signs.0.cmp(&signs.1).then(if signs.0 < 0 { magnitude.reverse() } else { magnitude }))
}

/// The first number if it stands in this order to the second; of a number and NaN, the number.
fn smaller(x: Value, y: Value, order: Ordering) -> Value {
    if matches!(y, Value::Nan) || compare(x, y) == Some(order) { x } else { y }
}

/// Whether the result of the operator is rounded, and has more than the 53 bits of a `double`. The processor rounds it
/// to the precision that its control word asks for, which is 53 bits on some systems.
pub(super) fn needs_full_precision(op: Primitive, result: u128) -> bool {
    let rounds = matches!(op, Primitive::Add | Primitive::Sub | Primitive::Mul | Primitive::Div | Primitive::Sqrt);
    // If 53 bits hold the result, rounding to 53 bits gives it, too: the exact result lies that near.
    rounds && matches!(Value::of(result), Value::Finite(number) if number.significand & 0x7ff != 0)
}

// ---- conversions

/// The number nearest to an integer.
pub(super) fn from_integer(negative: bool, magnitude: u128) -> u128 {
    if magnitude == 0 { zero(false) } else { pack(negative, 0, magnitude, false) }
}

/// A `double`, which is exact.
pub(super) fn from_double(value: f64) -> u128 {
    if value.is_nan() {
        return NAN;
    }
    let negative = value.is_sign_negative();
    if value.is_infinite() {
        return infinity(negative);
    }
    let bits = value.to_bits();
    let field = (bits >> 52 & 0x7ff) as i32;
    let fraction = u128::from(bits & ((1 << 52) - 1));
    let significand = if field == 0 { fraction } else { fraction | 1 << 52 };
    pack(negative, field.max(1) - 1075, significand, false)
}

/// The nearest `double`.
pub(super) fn to_double(bits: u128) -> f64 {
    as_machine(bits, |number| super::floats::scale(number.significand.into(), number.exponent))
}

/// The nearest `float`.
pub(super) fn to_single(bits: u128) -> f32 {
    // Rounding to odd first: the 53 bits of a `double` keep on which side of a tie the number lies.
    let nearest = as_machine(bits, |number| {
        let odd = number.significand >> 11 | u64::from(number.significand & 0x7ff != 0);
        super::floats::scale(odd.into(), number.exponent + 11)
    });
    nearest as f32
}

fn as_machine(bits: u128, magnitude: impl Fn(Number) -> f64) -> f64 {
    let value = match Value::of(bits) {
        Value::Nan => return f64::NAN,
        Value::Infinite { .. } => f64::INFINITY,
        Value::Zero { .. } => 0.0,
        Value::Finite(number) => magnitude(number),
    };
    if is_negative(bits) { -value } else { value }
}

/// The sign and the magnitude of the integral part, unless it is NaN or has more than 128 bits.
pub(super) fn to_integer(bits: u128) -> Option<(bool, u128)> {
    match Value::of(bits) {
        Value::Zero { negative } => Some((negative, 0)),
        Value::Finite(number) => {
            let significand = u128::from(number.significand);
            let magnitude = match number.exponent {
                65.. => return None,
                exponent @ 0.. => significand << exponent,
                exponent => significand >> exponent.unsigned_abs().min(127),
            };
            Some((number.negative, magnitude))
        }
        Value::Nan | Value::Infinite { .. } => None,
    }
}

/// The encoding without the first bit of the significand, as SMT-LIB has it.
pub(super) fn to_79_bits(bits: u128) -> u128 {
    match Value::of(bits) {
        Value::Nan => u128::from(is_negative(bits)) << 78 | u128::from(TOP) << 63 | 1 << 62,
        value => {
            let bits = value.bits();
            bits >> 64 << 63 | bits & ((1 << 63) - 1)
        }
    }
}

/// The number in SMT-LIB's encoding.
pub(super) fn from_79_bits(bits: u128) -> u128 {
    let head = bits >> 63 & 0xffff;
    let first_bit = u128::from(head as u32 & TOP != 0);
    head << 64 | first_bit << 63 | bits & ((1 << 63) - 1)
}
