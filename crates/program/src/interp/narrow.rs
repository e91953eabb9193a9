//! Bit-vectors of at most 64 bits: masks, signs, and the operators too rare for the loop.
//!
//! `shift` is 64 minus the width, so that neither masking nor signed comparison needs a branch.

use super::code::Rare;

/// All ones below the width that belongs to the shift.
#[inline(always)]
pub(super) fn mask(shift: u8) -> u64 {
    u64::MAX >> (shift & 63)
}

/// The signed value, moved to the top of the word.
#[inline(always)]
pub(super) fn top(value: u64, shift: u8) -> i64 {
    (value << (shift & 63)) as i64
}

/// The signed value.
#[inline(always)]
pub(super) fn signed(value: u64, shift: u8) -> i64 {
    top(value, shift) >> (shift & 63)
}

/// Narrow operators that are rare.
pub(super) fn rare(op: Rare, shift: u8, left: u64, right: u64) -> u64 {
    let all = mask(shift);
    let width = 64 - u32::from(shift);
    let (a, b) = (signed(left, shift), signed(right, shift));
    let fits = |value: i128| value >= -(1i128 << (width - 1)) && value < 1i128 << (width - 1);
    match op {
        Rare::Urem => left.checked_rem(right).unwrap_or(left),
        // By zero: all ones, or one for a negative dividend.
        Rare::Sdiv if b == 0 => (if a < 0 { 1 } else { all }) & all,
        Rare::Sdiv => a.wrapping_div(b) as u64 & all,
        Rare::Srem => (if b == 0 { a } else { a.wrapping_rem(b) }) as u64 & all,
        Rare::Uaddo => u64::from(u128::from(left) + u128::from(right) > u128::from(all)),
        Rare::Saddo => u64::from(!fits(i128::from(a) + i128::from(b))),
        Rare::Umulo => u64::from(u128::from(left) * u128::from(right) > u128::from(all)),
        Rare::Smulo => u64::from(!fits(i128::from(a) * i128::from(b))),
        Rare::Ssubo => u64::from(!fits(i128::from(a) - i128::from(b))),
    }
}
