//! Numbers: the text of a number token to its value.
//!
//! Decimal floating constants go through the standard library, which rounds correctly. Hexadecimal
//! ones are rounded here, to nearest with ties to even, once and to the precision that the suffix
//! asks for: rounding a `float` constant to `double` first would round twice.

use crate::ast::FloatSuffix;
use crate::wide::{encode, encode_binary, encode_decimal};

/// The value of a number token.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Number {
    Integer { value: u128, unsigned: bool, longs: u8, decimal: bool },
    Float { value: f64, suffix: FloatSuffix, wide: Option<u128> },
}

/// Why a token is no number we can take.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum BadNumber {
    Invalid(String),
    Unsupported(&'static str),
}

/// The value of this token.
pub(crate) fn decode_number(spelling: &str) -> Result<Number, BadNumber> {
    // Most numbers are short and decimal, and tables hold millions of them.
    if spelling.len() <= 19 && !spelling.starts_with('0') && spelling.bytes().all(|byte| byte.is_ascii_digit()) {
        let value = spelling.bytes().fold(0u64, |value, digit| value * 10 + u64::from(digit - b'0'));
        return Ok(Number::Integer { value: value.into(), unsigned: false, longs: 0, decimal: true });
    }
    if spelling.contains('\\') {
        return decode_number(&spelling.replace("\\\r\n", "").replace("\\\n", ""));
    }
    if spelling.contains('\'') {
        return decode_number(&spelling.replace('\'', ""));
    }
    let hexadecimal = spelling.starts_with("0x") || spelling.starts_with("0X");
    let is_float = if hexadecimal {
        spelling.contains(['.', 'p', 'P'])
    } else {
        let binary = spelling.starts_with("0b") || spelling.starts_with("0B");
        !binary && spelling.contains(['.', 'e', 'E'])
    };
    match (is_float, hexadecimal) {
        (false, _) => integer(spelling),
        (true, false) => decimal_float(spelling),
        (true, true) => hexadecimal_float(spelling),
    }
}

fn integer(spelling: &str) -> Result<Number, BadNumber> {
    let (radix, rest) = match spelling.as_bytes() {
        [b'0', b'x' | b'X', ..] => (16, &spelling[2..]),
        [b'0', b'b' | b'B', ..] => (2, &spelling[2..]),
        [b'0', ..] => (8, spelling),
        _ => (10, spelling),
    };
    // `0b12` is an invalid number, not `0b1` with the suffix `2`.
    let digit_radix = radix.max(10);
    let n_digits = rest.bytes().take_while(|&byte| (byte as char).is_digit(digit_radix)).count();
    let (digits, suffix) = rest.split_at(n_digits);
    if digits.is_empty() {
        return Err(BadNumber::Invalid(format!("`{}` has no digits", shortened(spelling))));
    }
    let mut value: u128 = 0;
    for digit in digits.chars() {
        let Some(digit) = digit.to_digit(radix) else {
            return Err(BadNumber::Invalid(format!("`{digit}` is no digit of a number to the base {radix}")));
        };
        let next = value.checked_mul(radix.into()).and_then(|shifted| shifted.checked_add(digit.into()));
        let Some(next) = next else {
            return Err(BadNumber::Invalid("this number is too large for every integer type".to_owned()));
        };
        value = next;
    }
    let (unsigned, longs) = match suffix {
        "" => (false, 0),
        "u" | "U" => (true, 0),
        "l" | "L" => (false, 1),
        "ll" | "LL" => (false, 2),
        "ul" | "uL" | "Ul" | "UL" | "lu" | "lU" | "Lu" | "LU" => (true, 1),
        "ull" | "uLL" | "Ull" | "ULL" | "llu" | "llU" | "LLu" | "LLU" => (true, 2),
        _ => return Err(bad_suffix(spelling, suffix)),
    };
    Ok(Number::Integer { value, unsigned, longs, decimal: radix == 10 })
}

fn bad_suffix(spelling: &str, suffix: &str) -> BadNumber {
    let lower = suffix.to_ascii_lowercase();
    let without_i = lower.replacen(['i', 'j'], "", 1);
    if without_i.len() < lower.len() && matches!(&*without_i, "" | "u" | "l" | "ll" | "ul" | "ull" | "f") {
        return BadNumber::Unsupported("imaginary constants");
    }
    if matches!(&*lower, "df" | "dd" | "dl") {
        return BadNumber::Unsupported("decimal floating constants");
    }
    BadNumber::Invalid(format!("`{}` is no suffix of a number in `{}`", shortened(suffix), shortened(spelling)))
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= 40 { text.to_owned() } else { text.chars().take(40).chain(['…']).collect() }
}

fn float_suffix(spelling: &str, suffix: &str) -> Result<FloatSuffix, BadNumber> {
    Ok(match suffix {
        "" | "d" | "D" | "f64" | "F64" | "f32x" | "F32x" => FloatSuffix::None,
        "f" | "F" | "f32" | "F32" => FloatSuffix::F,
        "l" | "L" | "w" | "W" | "f64x" | "F64x" => FloatSuffix::L,
        "q" | "Q" | "f128" | "F128" => FloatSuffix::Q,
        _ => return Err(bad_suffix(spelling, suffix)),
    })
}

fn decimal_float(spelling: &str) -> Result<Number, BadNumber> {
    let bytes = spelling.as_bytes();
    let digits_from = |mut at: usize| {
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        at
    };
    let mut at = digits_from(0);
    if bytes.get(at) == Some(&b'.') {
        at = digits_from(at + 1);
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        let end = digits_from(at + 1 + sign);
        if end == at + 1 + sign {
            return Err(BadNumber::Invalid(format!("the exponent of `{}` has no digits", shortened(spelling))));
        }
        at = end;
    }
    let (number, suffix) = spelling.split_at(at);
    let suffix = float_suffix(spelling, suffix)?;
    let value = match suffix {
        FloatSuffix::F => number.parse::<f32>().map(f64::from).ok(),
        _ => number.parse::<f64>().ok(),
    };
    match value {
        Some(value) => {
            let wide = precision(suffix).and_then(|precision| encode_decimal(number, precision));
            Ok(Number::Float { value, suffix, wide: unless_double(wide, value, suffix) })
        }
        None => Err(BadNumber::Invalid(format!("`{}` is not a number", shortened(spelling)))),
    }
}

fn hexadecimal_float(spelling: &str) -> Result<Number, BadNumber> {
    let bytes = &spelling.as_bytes()[2..];
    let mut at = 0;
    let mut mantissa: u128 = 0;
    let mut exponent: i64 = 0;
    let mut n_digits = 0;
    let mut after_point = false;
    while let Some(&byte) = bytes.get(at) {
        if let Some(digit) = (byte as char).to_digit(16) {
            n_digits += 1;
            if mantissa >> 120 == 0 {
                mantissa = mantissa << 4 | u128::from(digit);
                exponent -= if after_point { 4 } else { 0 };
            } else {
                // No room left: the digit only matters in that it may not be zero.
                mantissa |= u128::from(digit != 0);
                exponent += if after_point { 0 } else { 4 };
            }
        } else if byte == b'.' && !after_point {
            after_point = true;
        } else {
            break;
        }
        at += 1;
    }
    let missing = |what: &str| Err(BadNumber::Invalid(format!("`{}` has no {what}", shortened(spelling))));
    if n_digits == 0 {
        return missing("digits");
    }
    if !matches!(bytes.get(at), Some(b'p' | b'P')) {
        return missing("exponent, which a hexadecimal floating constant needs");
    }
    at += 1;
    let negative = bytes.get(at) == Some(&b'-');
    at += usize::from(matches!(bytes.get(at), Some(b'+' | b'-')));
    let first_digit = at;
    let mut written: i64 = 0;
    while let Some(digit) = bytes.get(at).filter(|byte| byte.is_ascii_digit()) {
        written = (written * 10 + i64::from(digit - b'0')).min(1 << 40);
        at += 1;
    }
    if at == first_digit {
        return missing("digits in its exponent");
    }
    exponent += if negative { -written } else { written };
    let suffix = float_suffix(spelling, &spelling[2 + at..])?;
    let value = match suffix {
        FloatSuffix::F => round_binary(mantissa, exponent, 24, -149),
        _ => round_binary(mantissa, exponent, 53, -1074),
    };
    // The largest float is below 2^128; what rounds up to it is infinite.
    let overflows = suffix == FloatSuffix::F && value >= 2f64.powi(128);
    let wide = precision(suffix).map(|precision| encode_binary(mantissa, exponent, precision));
    let value = if overflows { f64::INFINITY } else { value };
    Ok(Number::Float { value, suffix, wide: unless_double(wide, value, suffix) })
}

/// The significant bits that constants with this suffix have, if more than those of `double`.
fn precision(suffix: FloatSuffix) -> Option<u32> {
    match suffix {
        FloatSuffix::None | FloatSuffix::F => None,
        FloatSuffix::L => Some(64),
        FloatSuffix::Q => Some(113),
    }
}

/// The encoding, unless a `double` says the same.
fn unless_double(wide: Option<u128>, value: f64, suffix: FloatSuffix) -> Option<u128> {
    wide.filter(|&wide| encode(value, 15, precision(suffix).unwrap_or(53)) != wide)
}

/// `mantissa * 2^exponent`, rounded to nearest even with `precision` bits and no bit below `2^lowest`.
fn round_binary(mantissa: u128, exponent: i64, precision: i64, lowest: i64) -> f64 {
    if mantissa == 0 {
        return 0.0;
    }
    let length = i64::from(128 - mantissa.leading_zeros());
    let drop = (length - precision).max(lowest - exponent).max(0);
    if drop > length + 1 {
        return 0.0;
    }
    // The mantissa has at most 124 bits, so the shifts are in range.
    let (kept, rest, half) =
        if drop == 0 { (mantissa, 0, 1) } else { (mantissa >> drop, mantissa & ((1 << drop) - 1), 1 << (drop - 1)) };
    let round_up = drop > 0 && (rest > half || (rest == half && kept & 1 == 1));
    // At most 53 bits, or a short mantissa: exact either way.
    let kept = (kept + u128::from(round_up)) as f64;
    scale(kept, exponent + drop)
}

/// `value * 2^exponent` where the result needs no rounding, except to infinity.
fn scale(mut value: f64, mut exponent: i64) -> f64 {
    exponent = exponent.clamp(-3000, 3000);
    while exponent > 0 {
        let step = exponent.min(1000);
        value *= 2f64.powi(step as i32);
        exponent -= step;
    }
    while exponent < 0 {
        let step = (-exponent).min(1000);
        value /= 2f64.powi(step as i32);
        exponent += step;
    }
    value
}
