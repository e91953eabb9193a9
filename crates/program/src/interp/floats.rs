//! Floating point as C on x86-64 with SSE computes it: `float` and `double` by the machine's own
//! instructions, rounding to nearest even.
//!
//! `long double` (80 bits on x86) and binary128 are **computed as `double`**; only their encodings
//! in memory are honoured, so a value that fits a `double` survives a store and a load. A run that
//! used such arithmetic says so (`Run::approximate`), and nobody should build evidence on it.
//!
//! A conversion to an integer type that cannot hold the truncated value, or of NaN, gives the
//! pattern `0x80…0` of the result's width, x86's "integer indefinite". C leaves it undefined, and
//! the front end puts a `Check` before it.

use super::code::{Encoding, FloatOp, Format};
use super::wide::{Words, from_u128, to_u128, words_for};

/// How many registers the first operand has.
pub(super) fn words_in(op: FloatOp) -> usize {
    match op {
        FloatOp::FromSigned { width } | FloatOp::FromUnsigned { width } => words_for(width),
        FloatOp::FromEncoding(encoding) => words_for(encoding.width()),
        _ => 1,
    }
}
/// Whether the operator has made this NaN.
pub(super) fn is_nan(op: FloatOp, format: Format, word: u64) -> bool {
    let is_number = !matches!(
        op,
        FloatOp::Eq
            | FloatOp::Lt
            | FloatOp::Le
            | FloatOp::Same
            | FloatOp::IsNan
            | FloatOp::IsInfinite
            | FloatOp::IsNormal
            | FloatOp::IsSubnormal
            | FloatOp::IsZero
            | FloatOp::IsNegative
            | FloatOp::ToSigned { .. }
            | FloatOp::ToUnsigned { .. }
            | FloatOp::ToEncoding(_)
    );
    is_number
        && match format {
            Format::Single => f32::from_bits(word as u32).is_nan(),
            Format::Double => f64::from_bits(word).is_nan(),
        }
}
/// How many registers the result has.
pub(super) fn words_out(op: FloatOp) -> usize {
    match op {
        FloatOp::ToSigned { width } | FloatOp::ToUnsigned { width } => words_for(width),
        FloatOp::ToEncoding(encoding) => words_for(encoding.width()),
        _ => 1,
    }
}

/// A float operator on registers; integers of conversions come and go as words.
pub(super) fn apply(op: FloatOp, format: Format, left: &[u64], right: u64) -> Words {
    let word = |value: u64| Words::from_slice(&[value]);
    match op {
        FloatOp::FromFloat { from } => word(match (from, format) {
            (Format::Single, Format::Double) => f64::from(f32::from_bits(left[0] as u32)).to_bits(),
            (Format::Double, Format::Single) => u64::from((f64::from_bits(left[0]) as f32).to_bits()),
            _ => left[0],
        }),
        FloatOp::FromSigned { width } => {
            let shift = 128 - width;
            let value = (to_u128(left) << shift) as i128 >> shift;
            word(match format {
                Format::Single => u64::from((value as f32).to_bits()),
                Format::Double => (value as f64).to_bits(),
            })
        }
        FloatOp::FromUnsigned { .. } => word(match format {
            Format::Single => u64::from((to_u128(left) as f32).to_bits()),
            Format::Double => (to_u128(left) as f64).to_bits(),
        }),
        FloatOp::ToSigned { width } => to_integer(as_double(format, left[0]), width, true),
        FloatOp::ToUnsigned { width } => to_integer(as_double(format, left[0]), width, false),
        FloatOp::FromEncoding(encoding) => word(decode(encoding, to_u128(left)).to_bits()),
        FloatOp::ToEncoding(encoding) => from_u128(encode(encoding, f64::from_bits(left[0])), encoding.width()),
        _ => word(match format {
            Format::Single => single(op, f32::from_bits(left[0] as u32), f32::from_bits(right as u32)),
            Format::Double => double(op, f64::from_bits(left[0]), f64::from_bits(right)),
        }),
    }
}

macro_rules! arithmetic {
    ($name:ident, $float:ident, $encode:expr) => {
        fn $name(op: FloatOp, x: $float, y: $float) -> u64 {
            let encode = $encode;
            match op {
                FloatOp::Add => encode(x + y),
                FloatOp::Sub => encode(x - y),
                FloatOp::Mul => encode(x * y),
                FloatOp::Div => encode(x / y),
                FloatOp::Fmod => encode(x % y),
                FloatOp::Rem => encode({
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
                FloatOp::Neg => encode(-x),
                FloatOp::Abs => encode(x.abs()),
                FloatOp::Sqrt => encode(x.sqrt()),
                FloatOp::Floor => encode(x.floor()),
                FloatOp::Ceil => encode(x.ceil()),
                FloatOp::Trunc => encode(x.trunc()),
                FloatOp::Round => encode(x.round()),
                FloatOp::RoundEven => encode(x.round_ties_even()),
                // Of a number and NaN, C's `fmin` and `fmax` take the number.
                FloatOp::Min => encode(if y.is_nan() || x < y { x } else { y }),
                FloatOp::Max => encode(if y.is_nan() || x > y { x } else { y }),
                FloatOp::Eq => u64::from(x == y),
                FloatOp::Lt => u64::from(x < y),
                FloatOp::Le => u64::from(x <= y),
                FloatOp::Same => u64::from(x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan()),
                FloatOp::IsNan => u64::from(x.is_nan()),
                FloatOp::IsInfinite => u64::from(x.is_infinite()),
                FloatOp::IsNormal => u64::from(x.is_normal()),
                FloatOp::IsSubnormal => u64::from(x.is_subnormal()),
                FloatOp::IsZero => u64::from(x == 0.0),
                FloatOp::IsNegative => u64::from(x.is_sign_negative() && !x.is_nan()),
                _ => unreachable!("conversions are done by the caller"),
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
        Format::Double => f64::from_bits(bits),
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

/// Sign, exponent and fraction fields of an encoding.
struct Fields {
    exponent_bits: u32,
    fraction_bits: u32,
    explicit_integer_bit: bool,
}

impl Encoding {
    fn fields(self) -> Fields {
        match self {
            Encoding::Extended => Fields { exponent_bits: 15, fraction_bits: 63, explicit_integer_bit: true },
            Encoding::Extended79 => Fields { exponent_bits: 15, fraction_bits: 63, explicit_integer_bit: false },
            Encoding::Quad => Fields { exponent_bits: 15, fraction_bits: 112, explicit_integer_bit: false },
        }
    }
}

/// The `double` nearest to the encoded number.
pub(super) fn decode(encoding: Encoding, bits: u128) -> f64 {
    let Fields { exponent_bits, fraction_bits, explicit_integer_bit } = encoding.fields();
    let fraction = bits & ((1 << fraction_bits) - 1);
    let above = bits >> fraction_bits;
    let (integer_bit, above) = if explicit_integer_bit { (above & 1, above >> 1) } else { (2, above) };
    let exponent = (above & ((1 << exponent_bits) - 1)) as i32;
    let negative = above >> exponent_bits & 1 == 1;
    let all_ones = (1 << exponent_bits) - 1;
    let bias = all_ones / 2;
    let magnitude = if exponent == all_ones {
        if fraction == 0 { f64::INFINITY } else { f64::NAN }
    } else {
        let integer_bit = if integer_bit == 2 { u128::from(exponent != 0) } else { integer_bit };
        let significand = fraction | integer_bit << fraction_bits;
        scale(significand, exponent.max(1) - bias - fraction_bits as i32)
    };
    if negative { -magnitude } else { magnitude }
}

/// The encoding of the number; always exact, since these formats are wider.
pub(super) fn encode(encoding: Encoding, value: f64) -> u128 {
    let Fields { exponent_bits, fraction_bits, explicit_integer_bit } = encoding.fields();
    let all_ones = (1u128 << exponent_bits) - 1;
    let bias = (all_ones / 2) as i32;
    let bits = value.to_bits();
    let mut fraction = u128::from(bits & ((1 << 52) - 1)) << (fraction_bits - 52);
    let mut integer_bit = 1u128;
    let exponent = match (bits >> 52 & 0x7ff) as i32 {
        0x7ff => all_ones,
        0 if fraction == 0 => {
            integer_bit = 0;
            0
        }
        0 => {
            // A subnormal `double` is a normal number here: move its first bit to the front.
            let by = fraction.leading_zeros() - (127 - fraction_bits);
            fraction = fraction << by & ((1 << fraction_bits) - 1);
            (bias - 1022 - by as i32) as u128
        }
        exponent => (exponent - 1023 + bias) as u128,
    };
    let head = u128::from(bits >> 63) << exponent_bits | exponent;
    let head = if explicit_integer_bit { head << 1 | integer_bit } else { head };
    head << fraction_bits | fraction
}

/// `significand * 2^exponent`, rounded once to nearest even.
fn scale(significand: u128, exponent: i32) -> f64 {
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

/// A float as text, so that equal numbers read equal: shortest digits that read back.
pub(super) fn show(format: Format, bits: u64) -> String {
    match format {
        Format::Single => format!("{:?}", f32::from_bits(bits as u32)),
        Format::Double => format!("{:?}", f64::from_bits(bits)),
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
            for encoding in [Encoding::Extended, Encoding::Extended79, Encoding::Quad] {
                let bits = encode(encoding, value);
                assert_eq!(decode(encoding, bits).to_bits(), value.to_bits(), "{value:e} in {encoding:?}");
            }
        }
    }

    #[test]
    fn the_x87_encoding_of_one_has_its_integer_bit() {
        assert_eq!(encode(Encoding::Extended, 1.0), 0x3fff_8000_0000_0000_0000);
        assert_eq!(encode(Encoding::Extended, -2.0), 0xc000_8000_0000_0000_0000);
        assert_eq!(encode(Encoding::Quad, 1.0), 0x3fff << 112);
    }

    #[test]
    fn a_long_double_between_two_doubles_rounds_to_even() {
        // 1 + 2^-53 lies in the middle, 1 + 2^-53 + 2^-63 above it.
        let one = encode(Encoding::Extended, 1.0);
        assert_eq!(decode(Encoding::Extended, one | 1 << 10), 1.0);
        assert_eq!(decode(Encoding::Extended, one | 1 << 10 | 1), 1.0 + f64::EPSILON);
        assert_eq!(decode(Encoding::Extended, one | 1 << 11 | 1 << 10), 1.0 + 2.0 * f64::EPSILON);
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
        let rem = |x: f64, y: f64| f64::from_bits(double(FloatOp::Rem, x, y));
        assert_eq!(rem(5.0, 3.0), -1.0);
        assert_eq!(rem(1.5, 1.0), -0.5);
        assert_eq!(rem(2.5, 1.0), 0.5);
        assert_eq!(rem(-5.0, 3.0), 1.0);
        assert!(rem(1.0, 0.0).is_nan());
        assert_eq!(rem(7.0, f64::INFINITY), 7.0);
    }
}
