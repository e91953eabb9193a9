//! Normal forms of numerals, so that equal numbers are equal texts and different texts differ.
//!
//! Int: decimal digits with a minus sign if negative. Real: the same, or a fraction in lowest terms
//! (`3/2`). Float: the hexadecimal digits of the IEEE encoding, with one encoding for all NaNs, as
//! SMT-LIB has only one; the two zeros are different values.

use base::Bits;

use crate::sort::SortKind;

/// The normal form of the text as a number of this sort, if it is one.
pub(crate) fn normalise(sort: &SortKind, text: &str) -> Option<String> {
    match *sort {
        SortKind::Int => {
            let (negative, digits) = sign(text);
            let digits = whole(digits)?;
            Some(signed(negative, digits.to_owned()))
        }
        SortKind::Real => real(text),
        SortKind::Float(exponent, significand) => float(text, exponent, significand),
        _ => None,
    }
}

fn sign(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    }
}

fn signed(negative: bool, text: String) -> String {
    if negative && text != "0" { format!("-{text}") } else { text }
}

/// The digits without leading zeros.
fn whole(text: &str) -> Option<&str> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let stripped = text.trim_start_matches('0');
    Some(if stripped.is_empty() { "0" } else { stripped })
}

fn real(text: &str) -> Option<String> {
    let (negative, text) = sign(text);
    let (over, under) = match text.split_once('/') {
        Some((over, under)) => {
            let (over, under) = (decimal(over)?, decimal(under)?);
            // Both are whole numbers over powers of ten: cross-multiply.
            (over.0 + &"0".repeat(under.1), under.0 + &"0".repeat(over.1))
        }
        None => {
            let (digits, places) = decimal(text)?;
            (digits, format!("1{}", "0".repeat(places)))
        }
    };
    let (over, under) = (whole(&over)?, whole(&under)?);
    match (over, under) {
        (_, "0") => return None,
        ("0", _) => return Some("0".to_owned()),
        (_, "1") => return Some(signed(negative, over.to_owned())),
        _ => {}
    }
    // Four bits hold a decimal digit, so both fit.
    let width = u32::try_from(over.len().max(under.len())).ok()?.checked_mul(4)?;
    let (over, under) = (Bits::parse_decimal(width, over)?, Bits::parse_decimal(width, under)?);
    let divisor = greatest_common_divisor(over.clone(), under.clone());
    let (over, under) = (over.udiv(&divisor), under.udiv(&divisor));
    let text = match under.is_one() {
        true => over.to_decimal(),
        false => format!("{}/{}", over.to_decimal(), under.to_decimal()),
    };
    Some(signed(negative, text))
}

/// The digits without the point, and how many of them stand behind it; zeros at the end are dropped.
fn decimal(text: &str) -> Option<(String, usize)> {
    let (front, back) = text.split_once('.').unwrap_or((text, "0"));
    let front = whole(front)?;
    whole(back)?;
    let back = back.trim_end_matches('0');
    Some((format!("{front}{back}"), back.len()))
}

fn greatest_common_divisor(mut a: Bits, mut b: Bits) -> Bits {
    while !b.is_zero() {
        (a, b) = (b.clone(), a.urem(&b));
    }
    a
}

fn float(text: &str, exponent: u32, significand: u32) -> Option<String> {
    let width = exponent.checked_add(significand)?;
    let digits = text.len().max(width.div_ceil(4) as usize);
    let bits = Bits::parse_hex(&format!("{text:0>digits$}"))?;
    if bits.width() > width && !bits.shift_right(width).is_zero() {
        return None;
    }
    let bits = bits.resize_unsigned(width);
    let stored = significand.checked_sub(1)?;
    let is_nan = stored > 0 && bits.extract(width - 2, stored).is_ones() && !bits.extract(stored - 1, 0).is_zero();
    let bits = match is_nan {
        // The quiet NaN without sign or payload.
        true => Bits::ones(exponent + 1).zero_extend(1).concat(&Bits::zero(stored)).extract(width, 1),
        false => bits,
    };
    Some(bits.to_hex())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(sort: SortKind, text: &str, expected: Option<&str>) {
        assert_eq!(normalise(&sort, text).as_deref(), expected, "{text}");
    }

    #[test]
    fn integers_lose_leading_zeros_and_the_sign_of_zero() {
        check(SortKind::Int, "007", Some("7"));
        check(SortKind::Int, "-0", Some("0"));
        check(SortKind::Int, "-120", Some("-120"));
        check(SortKind::Int, "", None);
        check(SortKind::Int, "-", None);
        check(SortKind::Int, "1.0", None);
    }
    #[test]
    fn reals_become_fractions_in_lowest_terms() {
        for text in ["1.5", "1.50", "3/2", "6/4", "0.75/0.5", "01.5"] {
            check(SortKind::Real, text, Some("3/2"));
        }
        check(SortKind::Real, "2.0", Some("2"));
        check(SortKind::Real, "-0.0", Some("0"));
        check(SortKind::Real, "-10/4", Some("-5/2"));
        check(SortKind::Real, "0.1", Some("1/10"));
        check(SortKind::Real, "1000", Some("1000"));
        check(SortKind::Real, "1/0", None);
        check(SortKind::Real, "1.", None);
        check(SortKind::Real, ".5", None);
        check(SortKind::Real, "123456789012345678901234567890.5", Some("246913578024691357802469135781/2"));
    }
    #[test]
    fn all_nans_are_one_and_the_zeros_are_two() {
        let float = SortKind::Float(8, 24);
        check(float.clone(), "3F800000", Some("3f800000"));
        check(float.clone(), "0", Some("00000000"));
        check(float.clone(), "80000000", Some("80000000"));
        check(float.clone(), "7f800000", Some("7f800000"));
        for nan in ["7f800001", "7fc00000", "ffffffff"] {
            check(float.clone(), nan, Some("7fc00000"));
        }
        check(float.clone(), "100000000", None);
        check(float, "xyz", None);
        check(SortKind::Float(11, 53), "fff8000000000001", Some("7ff8000000000000"));
        check(SortKind::Float(2, 3), "1f", Some("0e"));
    }
}
