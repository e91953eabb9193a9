//! Literals: how values and numerals are written.

use base::Bits;

use crate::sort::{Sort, SortKind};
use crate::store::{Term, Terms};

/// A bit-vector value: hexadecimal where the digits fit the width.
pub(super) fn bits(value: &Bits) -> String {
    if value.width() % 4 == 0 { format!("#x{}", value.to_hex()) } else { format!("#b{}", value.to_binary()) }
}

/// A numeral in normal form as SMT-LIB writes it.
pub(super) fn numeral(terms: &Terms, sort: Sort, text: &str) -> String {
    let (negative, magnitude) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let magnitude = match (terms.sort_kind(sort), magnitude.split_once('/')) {
        (&SortKind::Float(exponent, significand), _) => return float(text, exponent, significand),
        (SortKind::Real, Some((over, under))) => format!("(/ {over}.0 {under}.0)"),
        (SortKind::Real, None) => format!("{magnitude}.0"),
        _ => magnitude.to_owned(),
    };
    if negative { format!("(- {magnitude})") } else { magnitude }
}

fn float(hex: &str, exponent: u32, significand: u32) -> String {
    let width = exponent + significand;
    let bits = Bits::parse_hex(hex).expect("a float is kept in hexadecimal").resize_unsigned(width);
    let (powers, fraction) = (bits.extract(width - 2, significand - 1), bits.extract(significand - 2, 0));
    if powers.is_ones() && !fraction.is_zero() {
        return format!("(_ NaN {exponent} {significand})");
    }
    let sign = if bits.is_negative() { "1" } else { "0" };
    format!("(fp #b{sign} #b{} #b{})", powers.to_binary(), fraction.to_binary())
}

/// The special floats `(_ +oo e s)` and so on.
pub(super) fn special_float(terms: &mut Terms, name: &str, exponent: u32, significand: u32) -> Option<Term> {
    let fraction = Bits::zero(significand.checked_sub(1).filter(|&bits| bits > 0)?);
    let (zeros, ones) = (Bits::zero(exponent), Bits::ones(exponent));
    let (sign, powers, fraction) = match name {
        "+zero" => (false, zeros, fraction),
        "-zero" => (true, zeros, fraction),
        "+oo" => (false, ones, fraction),
        "-oo" => (true, ones, fraction),
        "NaN" => (false, ones, fraction.not()),
        _ => return None,
    };
    Some(encoded_float(terms, &Bits::from_bool(sign), &powers, &fraction))
}

/// The float with this encoding.
pub(super) fn encoded_float(terms: &mut Terms, sign: &Bits, powers: &Bits, fraction: &Bits) -> Term {
    let encoding = sign.concat(powers).concat(fraction);
    let sort = terms.sort(SortKind::Float(powers.width(), fraction.width() + 1));
    terms.numeral(sort, &encoding.to_hex())
}
