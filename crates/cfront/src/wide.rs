//! Floating constants beyond `double`: `long double` with 64 and `__float128` with 113 significant bits.
//!
//! A constant is a quotient of two integers; it is rounded once, to nearest with ties to even, into the encoding
//! that terms use: sign, 15 bits of exponent, and the fraction without its leading bit.

use num_bigint::BigUint;

// law: the formats of wide floats.
/// Bits of the exponent of both formats.
const EXPONENT_BITS: u32 = 15;
const BIAS: i64 = (1 << (EXPONENT_BITS - 1)) - 1;

/// The encoding of `numerator / denominator` with `precision` significant bits.
pub(crate) fn encode_quotient(numerator: &BigUint, denominator: &BigUint, precision: u32) -> u128 {
    if numerator.bits() == 0 {
        return 0;
    }
    let precision = i64::from(precision);
    // Enough bits in the quotient to round; what is below them only matters in that it may not be zero.
    let shift = precision + 2 - (numerator.bits() as i64 - denominator.bits() as i64);
    let (numerator, denominator) = match u64::try_from(shift) {
        Ok(shift) => (numerator << shift, denominator.clone()),
        Err(_) => (numerator.clone(), denominator << shift.unsigned_abs()),
    };
    let quotient = &numerator / &denominator;
    let inexact = &quotient * &denominator != numerator;
    let length = quotient.bits() as i64;
    let lowest = 1 - BIAS - (precision - 1);
    let drop = (length - precision).max(lowest + shift);
    if drop > length + 1 {
        return 0;
    }
    // At least one bit is dropped, because the quotient has more bits than the precision.
    let quotient: u128 = quotient.try_into().expect("the quotient has at most 116 bits");
    let rest = quotient & ((1 << drop) - 1);
    let half = 1u128 << (drop - 1);
    let mut kept = if drop >= 128 { 0 } else { quotient >> drop };
    let round_up = rest > half || rest == half && (inexact || kept & 1 == 1);
    kept += u128::from(round_up);
    let leading = 1u128 << (precision - 1);
    if kept < leading {
        return kept; // A subnormal number.
    }
    let carried = i64::from(kept >= leading << 1);
    let exponent = drop - shift + precision - 1 + carried + BIAS;
    let top = (1 << EXPONENT_BITS) - 1;
    if exponent >= top {
        return (top as u128) << (precision - 1);
    }
    let fraction = if carried == 1 { 0 } else { kept - leading };
    ((exponent as u128) << (precision - 1)) | fraction
}

/// The encoding of a decimal constant: digits with at most one point, and an exponent.
pub(crate) fn encode_decimal(text: &str, precision: u32) -> Option<u128> {
    let (digits, exponent) = match text.find(['e', 'E']) {
        Some(at) => (
            &text[..at],
            text[at + 1..].parse::<i64>().unwrap_or(if text[at + 1..].starts_with('-') { i64::MIN } else { i64::MAX }),
        ),
        None => (text, 0),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all: String = [whole, fraction].concat();
    let significant = all.trim_start_matches('0');
    let value = BigUint::parse_bytes(if significant.is_empty() { b"0" } else { significant.as_bytes() }, 10)?;
    let exponent = exponent.saturating_sub(fraction.len() as i64);
    // Far outside the range the powers would only cost time.
    let size = exponent.saturating_add(significant.len() as i64);
    if value.bits() == 0 || size < -5100 {
        return Some(0);
    }
    if size > 5100 {
        return Some(((1 << EXPONENT_BITS) - 1) << (precision - 1));
    }
    let power = BigUint::from(10u32).pow(exponent.unsigned_abs() as u32);
    let one = BigUint::from(1u32);
    Some(match exponent >= 0 {
        true => encode_quotient(&(value * power), &one, precision),
        false => encode_quotient(&value, &power, precision),
    })
}

/// The encoding of `mantissa * 2^exponent`.
pub(crate) fn encode_binary(mantissa: u128, exponent: i64, precision: u32) -> u128 {
    let (value, one) = (BigUint::from(mantissa), BigUint::from(1u32));
    let exponent = exponent.clamp(-40_000, 40_000);
    match u64::try_from(exponent) {
        Ok(exponent) => encode_quotient(&(value << exponent), &one, precision),
        Err(_) => encode_quotient(&value, &(one << exponent.unsigned_abs()), precision),
    }
}

/// The IEEE encoding of a double in a format with at least as many exponent bits, or in `float`.
pub(crate) fn encode(value: f64, exponent_bits: u32, significand_bits: u32) -> u128 {
    let bits = value.to_bits();
    match (exponent_bits, significand_bits) {
        // The upper bits of the payload are kept, which `as` does not promise.
        (8, 24) if value.is_nan() => {
            return u128::from(bits >> 63) << 31 | 0x7f80_0000 | u128::from(bits >> 29 & 0x7f_ffff);
        }
        (8, 24) => return u128::from((value as f32).to_bits()),
        (11, 53) => return u128::from(bits),
        _ => {}
    }
    let fraction_bits = significand_bits - 1;
    let sign = u128::from(bits >> 63);
    let exponent = (bits >> 52) & 0x7ff;
    let mut fraction = bits & ((1 << 52) - 1);
    let top = (1u128 << exponent_bits) - 1;
    let bias = top / 2;
    let exponent = match (exponent, fraction) {
        (0, 0) => 0,
        (0x7ff, _) => top,
        (0, _) => {
            // A subnormal double is normal in a wider format.
            let shift = fraction.leading_zeros() - 11;
            fraction = (fraction << shift) & ((1 << 52) - 1);
            bias - 1022 - u128::from(shift)
        }
        (exponent, _) => bias + u128::from(exponent) - 1023,
    };
    let fraction = u128::from(fraction) << (fraction_bits - 52);
    (sign << (exponent_bits + fraction_bits)) | (exponent << fraction_bits) | fraction
}

/// The ten bytes of a `long double` in memory: x87 stores the leading bit that terms leave out.
pub(crate) fn x87_bits(encoding: u128) -> u128 {
    let head = encoding >> 63;
    let leading = u128::from(head & 0x7fff != 0);
    head << 64 | leading << 63 | encoding & ((1 << 63) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_widen_exactly() {
        assert_eq!(encode(1.0, 15, 113), 0x3fff << 112);
        assert_eq!(encode(-1.5, 15, 113), (0xbfff << 112) | (1 << 111));
        assert_eq!(encode(1.0, 15, 64), 0x3fff << 63);
        // The smallest subnormal double, two to the power of minus 1074.
        assert_eq!(encode(f64::from_bits(1), 15, 113), (0x3fff - 1074) << 112);
        assert_eq!(encode(f64::INFINITY, 15, 64), 0x7fff << 63);
        assert_eq!(encode(0.5, 8, 24), 0x3f00_0000);
    }
    #[test]
    fn constants_are_rounded_once_to_their_own_precision() {
        assert_eq!(encode_decimal("1", 64), Some(0x3fff << 63));
        assert_eq!(encode_decimal("18446744073709551615.0", 64), Some((0x403e << 63) | ((1 << 63) - 1)));
        // 0.1 as x87 and binary128 have it.
        assert_eq!(encode_decimal("0.1", 64), Some((0x3ffb << 63) | 0x4ccc_cccc_cccc_cccd));
        assert_eq!(encode_decimal("0.1", 113), Some(0x3ffb_9999_9999_9999_9999_9999_9999_999a));
        assert_eq!(encode_decimal("1e-5000", 64), Some(0));
        assert_eq!(encode_decimal("1e5000", 64), Some(0x7fff << 63));
        assert_eq!(encode_decimal("3.6451995318824746025e-4951", 64), Some(1));
        assert_eq!(encode_decimal("0.1", 64).map(x87_bits), Some(0x3ffb_cccc_cccc_cccc_cccd));
        assert_eq!(x87_bits(1), 1);
        assert_eq!(x87_bits(0xffff << 63), 0xffff_8000_0000_0000_0000);
        assert_eq!(encode_binary(1, -16445, 64), 1);
        assert_eq!(encode_binary(u128::from(u64::MAX), 0, 64), (0x403e << 63) | ((1 << 63) - 1));
        // A tie goes to the even neighbour, here with a carry into the exponent.
        assert_eq!(encode_binary((1 << 65) - 1, 0, 64), (0x3fff + 65) << 63);
    }
}
