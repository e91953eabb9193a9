//! Floating point as C on x86-64 with SSE computes it: `float` and `double` by the machine's own
//! instructions, rounding to nearest even; `long double` by the software of `extended`.
//!
//! Numbers of binary128 are **computed as `double`**; only their encoding in memory is honoured, so a value that
//! fits a `double` survives a store and a load. A run that used such arithmetic says so (`Run::approximate`), and no
//! evidence is built on it. The same is said where an operator on `long double` has a result of more than 53 bits:
//! the precision to which the processor rounds is a setting of the environment.
//!
//! A conversion to an integer type that cannot hold the truncated value, or of NaN, gives the
//! pattern `0x80…0` of the result's width, x86's "integer indefinite". C leaves it undefined, and
//! the front end puts a `Check` before it.

use super::code::{Encoding, ExtendedOp, FloatOp, Format, Primitive};
use super::extended;
use super::wide::{Words, from_u128, to_u128, words_for};

/// How many registers the first operand has, or both where the second follows it.
pub(super) fn words_in(op: FloatOp) -> usize {
    match op {
        FloatOp::FromSigned { width } | FloatOp::FromUnsigned { width } => words_for(width),
        FloatOp::FromEncoding(encoding) => words_for(encoding.width()),
        FloatOp::ToEncoding(Encoding::Extended79) => 2,
        FloatOp::Extended(op) => match op {
            ExtendedOp::Primitive(op) => 2 + 2 * usize::from(op.is_binary()),
            ExtendedOp::FromFloat { .. } => 1,
            ExtendedOp::FromSigned { width } | ExtendedOp::FromUnsigned { width } => words_for(width),
            ExtendedOp::ToFloat | ExtendedOp::ToSigned { .. } | ExtendedOp::ToUnsigned { .. } => 2,
        },
        _ => 1,
    }
}
/// Whether the operator has made this NaN; `word` is the first register of the result.
pub(super) fn is_nan(op: FloatOp, format: Format, word: u64) -> bool {
    let is_number = match op {
        FloatOp::Primitive(op) | FloatOp::Extended(ExtendedOp::Primitive(op)) => !op.is_predicate(),
        FloatOp::Extended(op) => !matches!(op, ExtendedOp::ToSigned { .. } | ExtendedOp::ToUnsigned { .. }),
        FloatOp::IsNegative | FloatOp::ToSigned { .. } | FloatOp::ToUnsigned { .. } | FloatOp::ToEncoding(_) => false,
        FloatOp::FromFloat { .. }
        | FloatOp::FromSigned { .. }
        | FloatOp::FromUnsigned { .. }
        | FloatOp::FromEncoding(_) => true,
    };
    is_number
        && match format {
            Format::Single => f32::from_bits(word as u32).is_nan(),
            Format::Double => f64::from_bits(word).is_nan(),
            Format::Extended => word == extended::NAN_SIGNIFICAND,
        }
}
/// How many registers the result has.
pub(super) fn words_out(op: FloatOp) -> usize {
    match op {
        FloatOp::ToSigned { width } | FloatOp::ToUnsigned { width } => words_for(width),
        FloatOp::ToEncoding(encoding) => words_for(encoding.width()),
        FloatOp::FromEncoding(Encoding::Extended79) => 2,
        FloatOp::Extended(op) => match op {
            ExtendedOp::Primitive(op) => 2 - usize::from(op.is_predicate()),
            ExtendedOp::FromFloat { .. } | ExtendedOp::FromSigned { .. } | ExtendedOp::FromUnsigned { .. } => 2,
            ExtendedOp::ToFloat => 1,
            ExtendedOp::ToSigned { width } | ExtendedOp::ToUnsigned { width } => words_for(width),
        },
        _ => 1,
    }
}

/// A float operator on registers; integers of conversions come and go as words.
pub(super) fn apply(op: FloatOp, format: Format, left: &[u64], right: u64) -> Words {
    let word = |value: u64| Words::from_slice(&[value]);
    match op {
        FloatOp::Extended(op) => on_extended(op, format, left),
        FloatOp::FromEncoding(Encoding::Extended79) => from_u128(extended::from_79_bits(to_u128(left)), 80),
        FloatOp::ToEncoding(Encoding::Extended79) => from_u128(extended::to_79_bits(to_u128(left)), 79),
        FloatOp::FromFloat { from } => word(match (from, format) {
            (Format::Single, Format::Double) => f64::from(f32::from_bits(left[0] as u32)).to_bits(),
            (Format::Double, Format::Single) => u64::from((f64::from_bits(left[0]) as f32).to_bits()),
            _ => left[0],
        }),
        FloatOp::FromSigned { width } => {
            let value = signed(left, width);
            word(match format {
                Format::Single => u64::from((value as f32).to_bits()),
                _ => (value as f64).to_bits(),
            })
        }
        FloatOp::FromUnsigned { .. } => word(match format {
            Format::Single => u64::from((to_u128(left) as f32).to_bits()),
            _ => (to_u128(left) as f64).to_bits(),
        }),
        FloatOp::ToSigned { width } => to_integer(as_double(format, left[0]), width, true),
        FloatOp::ToUnsigned { width } => to_integer(as_double(format, left[0]), width, false),
        FloatOp::FromEncoding(encoding) => word(decode(encoding, to_u128(left)).to_bits()),
        FloatOp::ToEncoding(encoding) => from_u128(encode(encoding, f64::from_bits(left[0])), encoding.width()),
        FloatOp::IsNegative => {
            let value = as_double(format, left[0]);
            word(u64::from(value.is_sign_negative() && !value.is_nan()))
        }
        FloatOp::Primitive(op) => word(match format {
            Format::Single => single(op, f32::from_bits(left[0] as u32), f32::from_bits(right as u32)),
            _ => double(op, f64::from_bits(left[0]), f64::from_bits(right)),
        }),
    }
}

/// Whether the result of an operator on `long double` depends on the precision that the processor is set to.
pub(super) fn needs_full_precision(op: FloatOp, result: &[u64]) -> bool {
    match op {
        FloatOp::Extended(ExtendedOp::Primitive(op)) if !op.is_predicate() => {
            extended::needs_full_precision(op, to_u128(result))
        }
        _ => false,
    }
}

/// An operator from or to the x87 format.
fn on_extended(op: ExtendedOp, format: Format, operands: &[u64]) -> Words {
    let number = |bits: u128| from_u128(bits, 80);
    match op {
        ExtendedOp::Primitive(op) => {
            let right = if op.is_binary() { to_u128(&operands[2..]) } else { 0 };
            let result = extended::apply(op, to_u128(&operands[..2]), right);
            if op.is_predicate() { Words::from_slice(&[result as u64]) } else { number(result) }
        }
        ExtendedOp::FromFloat { from } => number(extended::from_double(as_double(from, operands[0]))),
        ExtendedOp::ToFloat => {
            let bits = to_u128(operands);
            Words::from_slice(&[match format {
                Format::Single => u64::from(extended::to_single(bits).to_bits()),
                _ => extended::to_double(bits).to_bits(),
            }])
        }
        ExtendedOp::FromSigned { width } => {
            let value = signed(operands, width);
            number(extended::from_integer(value < 0, value.unsigned_abs()))
        }
        ExtendedOp::FromUnsigned { .. } => number(extended::from_integer(false, to_u128(operands))),
        ExtendedOp::ToSigned { width } | ExtendedOp::ToUnsigned { width } => {
            let is_signed = matches!(op, ExtendedOp::ToSigned { .. });
            let fits = |negative: bool, magnitude: u128| match (is_signed, negative) {
                (true, false) => magnitude >> (width - 1) == 0,
                (true, true) => magnitude <= 1 << (width - 1),
                (false, false) => width == 128 || magnitude >> width == 0,
                (false, true) => magnitude == 0,
            };
            match extended::to_integer(to_u128(operands)) {
                Some((negative, magnitude)) if fits(negative, magnitude) => {
                    from_u128(if negative { magnitude.wrapping_neg() } else { magnitude }, width)
                }
                _ => from_u128(1 << (width - 1), width),
            }
        }
    }
}

/// The integer of this width.
fn signed(words: &[u64], width: u32) -> i128 {
    let shift = 128 - width;
    (to_u128(words) << shift) as i128 >> shift
}

macro_rules! arithmetic {
    ($name:ident, $float:ident, $encode:expr) => {
        fn $name(op: Primitive, x: $float, y: $float) -> u64 {
            let encode = $encode;
            match op {
                Primitive::Add => encode(x + y),
                Primitive::Sub => encode(x - y),
                Primitive::Mul => encode(x * y),
                Primitive::Div => encode(x / y),
                Primitive::Fmod => encode(x % y),
                Primitive::Rem => encode({
                    // The classic reduction: first modulo twice the divisor, then at most two steps.
                    if x.is_nan() || y.is_nan() || x.is_infinite() || y == 0.0 {
                        (x * y) / (x * y)
                    } else if y.is_infinite() {
                        x
                    } else {
                        let divisor = y.abs();
                        let mut rest = x.abs();
                        if divisor <= $float::MAX / 2.0 {
                            rest %= divisor + divisor;
                        }
                        if divisor < 2.0 * $float::MIN_POSITIVE {
                            if rest + rest > divisor {
                                rest -= divisor;
                                if rest + rest >= divisor {
                                    rest -= divisor;
                                }
                            }
                        } else {
                            let half = 0.5 * divisor;
                            if rest > half {
                                rest -= divisor;
                                if rest >= half {
                                    rest -= divisor;
                                }
                            }
                        }
                        if x.is_sign_negative() { -rest } else { rest }
                    }
                }),
                Primitive::Neg => encode(-x),
                Primitive::Abs => encode(x.abs()),
                Primitive::Sqrt => encode(x.sqrt()),
                Primitive::Floor => encode(x.floor()),
                Primitive::Ceil => encode(x.ceil()),
                Primitive::Trunc => encode(x.trunc()),
                Primitive::Round => encode(x.round()),
                Primitive::RoundEven => encode(x.round_ties_even()),
                // Of a number and NaN, C's `fmin` and `fmax` take the number.
                Primitive::Min => encode(if y.is_nan() || x < y { x } else { y }),
                Primitive::Max => encode(if y.is_nan() || x > y { x } else { y }),
                Primitive::Eq => u64::from(x == y),
                Primitive::Lt => u64::from(x < y),
                Primitive::Le => u64::from(x <= y),
                Primitive::Same => u64::from(x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan()),
                Primitive::IsNan => u64::from(x.is_nan()),
                Primitive::IsInfinite => u64::from(x.is_infinite()),
                Primitive::IsNormal => u64::from(x.is_normal()),
                Primitive::IsSubnormal => u64::from(x.is_subnormal()),
                Primitive::IsZero => u64::from(x == 0.0),
            }
        }
    };
}

arithmetic!(single, f32, |value: f32| u64::from(value.to_bits()));
arithmetic!(double, f64, |value: f64| value.to_bits());

/// The register's number as a `double`, which is exact.
pub(super) fn as_double(format: Format, bits: u64) -> f64 {
    match format {
        Format::Single => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(bits),
    }
}

fn to_integer(value: f64, width: u32, signed: bool) -> Words {
    let indefinite = || from_u128(1 << (width - 1), width);
    let whole = value.trunc();
    // Both bounds are powers of two, so the comparisons are exact.
    let (low, high) = if signed {
        let half = 2f64.powi(width as i32 - 1);
        (-half, half)
    } else {
        (0.0, 2f64.powi(width as i32))
    };
    if !(whole >= low && whole < high) {
        return indefinite();
    }
    if signed { from_u128((whole as i128) as u128, width) } else { from_u128(whole as u128, width) }
}

/// Bits of the exponent and of the fraction of an encoding; neither has the first bit of the significand.
fn fields(encoding: Encoding) -> (u32, u32) {
    match encoding {
        Encoding::Extended79 => (15, 63),
        Encoding::Quad => (15, 112),
    }
}

/// The `double` nearest to the encoded number.
pub(super) fn decode(encoding: Encoding, bits: u128) -> f64 {
    let (exponent_bits, fraction_bits) = fields(encoding);
    let fraction = bits & ((1 << fraction_bits) - 1);
    let above = bits >> fraction_bits;
    let exponent = (above & ((1 << exponent_bits) - 1)) as i32;
    let negative = above >> exponent_bits & 1 == 1;
    let all_ones = (1 << exponent_bits) - 1;
    let bias = all_ones / 2;
    let magnitude = if exponent == all_ones {
        if fraction == 0 { f64::INFINITY } else { f64::NAN }
    } else {
        let significand = fraction | u128::from(exponent != 0) << fraction_bits;
        scale(significand, exponent.max(1) - bias - fraction_bits as i32)
    };
    if negative { -magnitude } else { magnitude }
}

/// The encoding of the number; always exact, since these formats are wider.
pub(super) fn encode(encoding: Encoding, value: f64) -> u128 {
    let (exponent_bits, fraction_bits) = fields(encoding);
    let all_ones = (1u128 << exponent_bits) - 1;
    let bias = (all_ones / 2) as i32;
    let bits = value.to_bits();
    let mut fraction = u128::from(bits & ((1 << 52) - 1)) << (fraction_bits - 52);
    let exponent = match (bits >> 52 & 0x7ff) as i32 {
        0x7ff => all_ones,
        0 if fraction == 0 => 0,
        0 => {
            // A subnormal `double` is a normal number here: move its first bit to the front.
            let by = fraction.leading_zeros() - (127 - fraction_bits);
            fraction = fraction << by & ((1 << fraction_bits) - 1);
            (bias - 1022 - by as i32) as u128
        }
        exponent => (exponent - 1023 + bias) as u128,
    };
    (u128::from(bits >> 63) << exponent_bits | exponent) << fraction_bits | fraction
}

/// `significand * 2^exponent`, rounded once to nearest even.
pub(super) fn scale(significand: u128, exponent: i32) -> f64 {
    if significand == 0 {
        return 0.0;
    }
    let length = 128 - significand.leading_zeros() as i32;
    let top = length - 1 + exponent;
    if top > 1023 {
        return f64::INFINITY;
    }
    // The weight of the last bit that the result can hold.
    let last = (top - 52).max(-1074);
    let drop = last - exponent;
    let kept = match drop {
        ..=0 => significand << -drop,
        128.. => 0,
        _ => {
            let rest = significand & ((1 << drop) - 1);
            let half = 1u128 << (drop - 1);
            let kept = significand >> drop;
            kept + u128::from(rest > half || rest == half && kept & 1 == 1)
        }
    };
    // `kept` has at most 53 bits (or is 2^53 after rounding up), and both factors are exact.
    let scaled = kept as f64;
    if last < -1000 { scaled * 2f64.powi(last + 600) * 2f64.powi(-600) } else { scaled * 2f64.powi(last) }
}

/// A float as text, so that equal numbers read equal: shortest digits that read back. A `long double` that is no
/// `double` is shown by its bits.
pub(super) fn show(format: Format, words: [u64; 2]) -> String {
    match format {
        Format::Single => format!("{:?}", f32::from_bits(words[0] as u32)),
        Format::Double => format!("{:?}", f64::from_bits(words[0])),
        Format::Extended => {
            let bits = to_u128(&words);
            super::double_of_long_double(bits).map_or_else(|| format!("0x{bits:020x}"), |number| format!("{number:?}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Random;

    #[test]
    fn wide_encodings_keep_every_double() {
        let mut random = Random::new(1);
        let mut values = vec![0.0, -0.0, 1.0, -1.5, f64::MAX, f64::MIN_POSITIVE, 5e-324, f64::INFINITY, 2.5e-310];
        values.extend((0..2000).map(|_| f64::from_bits(random.bits())).filter(|value| !value.is_nan()));
        for value in values {
            for encoding in [Encoding::Extended79, Encoding::Quad] {
                let bits = encode(encoding, value);
                assert_eq!(decode(encoding, bits).to_bits(), value.to_bits(), "{value:e} in {encoding:?}");
            }
        }
    }

    #[test]
    fn a_wide_number_between_two_doubles_rounds_to_even() {
        assert_eq!(encode(Encoding::Quad, 1.0), 0x3fff << 112);
        // 1 + 2^-53 lies in the middle, 1 + 2^-53 + 2^-63 above it.
        let one = encode(Encoding::Extended79, 1.0);
        assert_eq!(decode(Encoding::Extended79, one | 1 << 10), 1.0);
        assert_eq!(decode(Encoding::Extended79, one | 1 << 10 | 1), 1.0 + f64::EPSILON);
        assert_eq!(decode(Encoding::Extended79, one | 1 << 11 | 1 << 10), 1.0 + 2.0 * f64::EPSILON);
    }

    #[test]
    fn a_float_that_does_not_fit_becomes_the_indefinite_integer() {
        let signed = |value: f64, width| apply(FloatOp::ToSigned { width }, Format::Double, &[value.to_bits()], 0)[0];
        assert_eq!(signed(-3.9, 32), 0xffff_fffd);
        assert_eq!(signed(2147483647.5, 32), 0x7fff_ffff);
        assert_eq!(signed(2147483648.0, 32), 0x8000_0000);
        assert_eq!(signed(f64::NAN, 32), 0x8000_0000);
        let unsigned =
            |value: f64, width| apply(FloatOp::ToUnsigned { width }, Format::Double, &[value.to_bits()], 0)[0];
        assert_eq!(unsigned(255.9, 8), 255);
        assert_eq!(unsigned(-0.5, 8), 0);
        assert_eq!(unsigned(-1.0, 8), 128);
        assert_eq!(unsigned(18446744073709549568.0, 64), 18446744073709549568);
    }

    #[test]
    fn the_ieee_remainder_rounds_the_quotient_to_even() {
        let rem = |x: f64, y: f64| f64::from_bits(double(Primitive::Rem, x, y));
        assert_eq!(rem(5.0, 3.0), -1.0);
        assert_eq!(rem(1.5, 1.0), -0.5);
        assert_eq!(rem(2.5, 1.0), 0.5);
        assert_eq!(rem(-5.0, 3.0), 1.0);
        assert!(rem(1.0, 0.0).is_nan());
        assert_eq!(rem(7.0, f64::INFINITY), 7.0);
    }
}
