//! What an operator makes of what is known of its arguments.
//!
//! While the arguments' values are few we just compute with each. Beyond that each operator has its rule;
//! a rule may only give up what it cannot keep, and what has no rule is any value. The tests compare
//! every operator with all values on small widths.

use base::Bits;
use term::{Op, Scalar, evaluate_operator};

use super::number::{Number, greatest_signed, least_signed, mask};
use crate::tuning::Tuning;

/// The result of an operator of this width (1 for truth values, 0 for what is not a number).
pub(crate) fn operate(op: Op, args: &[&Number], width: u32) -> Number {
    if width == 0 || width > 64 {
        return Number::any(0);
    }
    if let Some(result) = by_listing(op, args, width) {
        return result;
    }
    by_rule(op, args, width).unwrap_or_else(|| Number::any(width))
}

/// All combinations, if they are few.
fn by_listing(op: Op, args: &[&Number], width: u32) -> Option<Number> {
    let mut results = Vec::new();
    match args {
        [a] => {
            for &x in a.list.as_ref()? {
                results.push(compute(op, &[Bits::from_u64(a.width, x)])?);
            }
        }
        [a, b] if is_binary(op) => {
            let (first, second) = (a.list.as_ref()?, b.list.as_ref()?);
            if first.len() * second.len() > 4 * Tuning::DEFAULT.analysis_set_values {
                return None;
            }
            for &x in first {
                for &y in second {
                    results.push(compute(op, &[Bits::from_u64(a.width, x), Bits::from_u64(b.width, y)])?);
                }
            }
        }
        _ => return None,
    }
    Some(Number::one_of(width, results))
}

fn is_binary(op: Op) -> bool {
    !matches!(op, Op::And | Op::Or | Op::Xor | Op::Implies | Op::Distinct | Op::Not)
}

fn compute(op: Op, args: &[Bits]) -> Option<u64> {
    match evaluate_operator(op, args)? {
        Scalar::Bool(truth) => Some(u64::from(truth)),
        Scalar::Bits(bits) => bits.to_u64(),
    }
}

/// The number of an operator's result.
///
/// Long: one arm for each operator.
fn by_rule(op: Op, args: &[&Number], width: u32) -> Option<Number> {
    let result = match (op, args) {
        (Op::Not, [a]) => truth(a.single().map(|value| value == 0)),
        (Op::And, _) => truth(all_true(args)),
        (Op::Or, _) => truth(any_true(args)),
        (Op::Xor, [a, b]) => truth(a.single().zip(b.single()).map(|(a, b)| a != b)),
        (Op::Implies, [a, b]) => truth(match (a.single(), b.single()) {
            (Some(0), _) | (_, Some(1)) => Some(true),
            (Some(1), Some(0)) => Some(false),
            _ => None,
        }),
        (Op::Eq, [a, b]) => truth(equal(a, b)),
        (Op::Ite, [condition, then, otherwise]) => match condition.single() {
            Some(0) => (*otherwise).clone(),
            Some(_) => (*then).clone(),
            None => then.join(otherwise),
        },
        (Op::BvUlt, [a, b]) => truth(below(a, b)),
        (Op::BvUgt, [a, b]) => truth(below(b, a)),
        (Op::BvUle, [a, b]) => truth(below(b, a).map(|less| !less)),
        (Op::BvUge, [a, b]) => truth(below(a, b).map(|less| !less)),
        (Op::BvSlt, [a, b]) => truth(signed_below(a, b)),
        (Op::BvSgt, [a, b]) => truth(signed_below(b, a)),
        (Op::BvSle, [a, b]) => truth(signed_below(b, a).map(|less| !less)),
        (Op::BvSge, [a, b]) => truth(signed_below(a, b).map(|less| !less)),
        (Op::BvAdd, [a, b]) => add(a, b)?,
        (Op::BvSub, [a, b]) => subtract(a, b)?,
        (Op::BvNeg, [a]) => subtract(&Number::exactly(width, 0), a)?,
        (Op::BvNot, [a]) => complement(a)?,
        (Op::BvMul, [a, b]) => multiply(a, b)?,
        (Op::BvAnd, [a, b]) => {
            let bits = from_bits(width, a.zeros | b.zeros, a.ones & b.ones);
            bits.meet(&Number::between(width, 0, a.high.min(b.high)))?
        }
        (Op::BvOr, [a, b]) => {
            let bits = from_bits(width, a.zeros & b.zeros, a.ones | b.ones);
            bits.meet(&Number::between(width, a.low.max(b.low), mask(width)))?
        }
        (Op::BvXor, [a, b]) => {
            from_bits(width, a.zeros & b.zeros | a.ones & b.ones, a.zeros & b.ones | a.ones & b.zeros)
        }
        (Op::BvShl, [a, b]) => match b.single() {
            Some(by) if by >= u64::from(width) => Number::exactly(width, 0),
            Some(by) => multiply(a, &Number::exactly(width, 1 << by))?,
            None => return None,
        },
        (Op::BvLshr, [a, b]) => match b.single() {
            Some(by) if by >= u64::from(width) => Number::exactly(width, 0),
            Some(by) => Number::between(width, a.low >> by, a.high >> by),
            None => Number::between(width, 0, a.high),
        },
        (Op::BvAshr, [a, b]) => {
            let by = |by: u64| by.min(u64::from(width) - 1);
            let (least, most) = (by(b.low), by(b.high));
            let ends = [a.signed_low >> least, a.signed_low >> most, a.signed_high >> least, a.signed_high >> most];
            Number::between_signed(width, *ends.iter().min()?, *ends.iter().max()?)
        }
        (Op::BvUdiv, [a, b]) if b.low > 0 => Number::between(width, a.low / b.high, a.high / b.low),
        (Op::BvUrem, [a, b]) if b.low > 0 => {
            if a.high < b.low {
                (*a).clone()
            } else {
                Number::between(width, 0, a.high.min(b.high - 1))
            }
        }
        (Op::BvSdiv, [a, b]) => divide_signed(a, b)?,
        (Op::BvSrem, [a, b]) => remainder_signed(a, b)?,
        (Op::ZeroExtend(_), [a]) => {
            let high = mask(width) & !mask(a.width);
            from_bits(width, a.zeros | high, a.ones).meet(&Number::between(width, a.low, a.high))?
        }
        (Op::SignExtend(_), [a]) => {
            let low = mask(a.width - 1);
            from_bits(width, a.zeros & low, a.ones & low).meet(&Number::between_signed(
                width,
                a.signed_low,
                a.signed_high,
            ))?
        }
        (Op::Extract { low, .. }, [a]) if a.width > 0 => {
            let bits = from_bits(width, a.zeros >> low & mask(width), a.ones >> low & mask(width));
            // No bit above those taken is ever set: a shift.
            if a.high >> low <= mask(width) {
                bits.meet(&Number::between(width, a.low >> low, a.high >> low))?
            } else if low == 0 && a.signed_low >= least_signed(width) && a.signed_high <= greatest_signed(width) {
                bits.meet(&Number::between_signed(width, a.signed_low, a.signed_high))?
            } else {
                bits
            }
        }
        (Op::Concat, [a, b]) if a.width > 0 && b.width > 0 => {
            let bits = from_bits(width, a.zeros << b.width | b.zeros, a.ones << b.width | b.ones);
            bits.meet(&Number::between(width, a.low << b.width | b.low, a.high << b.width | b.high))?
        }
        _ => return None,
    };
    (result.width == width).then_some(result)
}

fn truth(value: Option<bool>) -> Number {
    value.map_or_else(|| Number::any(1), |value| Number::exactly(1, u64::from(value)))
}
fn all_true(args: &[&Number]) -> Option<bool> {
    if args.iter().any(|arg| arg.single() == Some(0)) {
        return Some(false);
    }
    args.iter().all(|arg| arg.single() == Some(1)).then_some(true)
}
fn any_true(args: &[&Number]) -> Option<bool> {
    if args.iter().any(|arg| arg.single() == Some(1)) {
        return Some(true);
    }
    args.iter().all(|arg| arg.single() == Some(0)).then_some(false)
}
fn equal(a: &Number, b: &Number) -> Option<bool> {
    if a.width == 0 || b.width == 0 {
        return None;
    }
    if a.meet(b).is_none() {
        return Some(false);
    }
    a.single().zip(b.single()).map(|(a, b)| a == b)
}
/// Whether the first is less.
fn below(a: &Number, b: &Number) -> Option<bool> {
    if a.width == 0 || b.width == 0 {
        return None;
    }
    if a.high < b.low {
        return Some(true);
    }
    (a.low >= b.high).then_some(false)
}
fn signed_below(a: &Number, b: &Number) -> Option<bool> {
    if a.width == 0 || b.width == 0 {
        return None;
    }
    if a.signed_high < b.signed_low {
        return Some(true);
    }
    (a.signed_low >= b.signed_high).then_some(false)
}
fn from_bits(width: u32, zeros: u64, ones: u64) -> Number {
    Number { zeros, ones, list: None, ..Number::any(width) }.settled().expect("no bit is zero and one")
}

/// The number with these exact bounds, as far as they fit the width: a bound that does not fit says nothing,
/// unless all values wrap by the same amount.
fn wrapped(width: u32, unsigned: (i128, i128), signed_bounds: (i128, i128), low_bits: Number) -> Option<Number> {
    let modulus = 1i128 << width;
    let mut number = low_bits;
    let (low, high) = unsigned;
    if low.div_euclid(modulus) == high.div_euclid(modulus) {
        number.low = low.rem_euclid(modulus) as u64;
        number.high = high.rem_euclid(modulus) as u64;
    }
    let (low, high) = signed_bounds;
    let half = modulus / 2;
    if (low + half).div_euclid(modulus) == (high + half).div_euclid(modulus) {
        number.signed_low = ((low + half).rem_euclid(modulus) - half) as i64;
        number.signed_high = ((high + half).rem_euclid(modulus) - half) as i64;
    }
    number.list = None;
    number.settled()
}

/// The low bits that are known of both, combined.
fn low_bits(width: u32, a: &Number, b: &Number, combine: impl Fn(u64, u64) -> u64) -> Number {
    let known = a.known_low_bits().min(b.known_low_bits()).min(width);
    let bits = mask(known);
    let value = combine(a.ones & bits, b.ones & bits) & bits;
    Number { zeros: bits & !value, ones: value, list: None, ..Number::any(width) }
}

fn add(a: &Number, b: &Number) -> Option<Number> {
    let width = known(a, b)?;
    let unsigned = (i128::from(a.low) + i128::from(b.low), i128::from(a.high) + i128::from(b.high));
    let signed =
        (i128::from(a.signed_low) + i128::from(b.signed_low), i128::from(a.signed_high) + i128::from(b.signed_high));
    wrapped(width, unsigned, signed, low_bits(width, a, b, u64::wrapping_add))
}
fn subtract(a: &Number, b: &Number) -> Option<Number> {
    let width = known(a, b)?;
    let unsigned = (i128::from(a.low) - i128::from(b.high), i128::from(a.high) - i128::from(b.low));
    let signed =
        (i128::from(a.signed_low) - i128::from(b.signed_high), i128::from(a.signed_high) - i128::from(b.signed_low));
    wrapped(width, unsigned, signed, low_bits(width, a, b, u64::wrapping_sub))
}
fn complement(a: &Number) -> Option<Number> {
    if a.width == 0 {
        return None;
    }
    let all = mask(a.width);
    Number {
        width: a.width,
        low: all & !a.high,
        high: all & !a.low,
        signed_low: -1 - a.signed_high,
        signed_high: -1 - a.signed_low,
        zeros: a.ones,
        ones: a.zeros,
        list: None,
    }
    .settled()
}
fn multiply(a: &Number, b: &Number) -> Option<Number> {
    let width = known(a, b)?;
    let mut bits = low_bits(width, a, b, u64::wrapping_mul);
    // Factors of two add up.
    let zeros = (a.zeros.trailing_ones() + b.zeros.trailing_ones()).min(width);
    bits.zeros |= mask(zeros);
    let bits = bits.settled()?;
    let product = |x: u64, y: u64| (u128::from(x) * u128::from(y)).min(1 << 126) as i128;
    let unsigned = (product(a.low, b.low), product(a.high, b.high));
    let corners = [
        i128::from(a.signed_low) * i128::from(b.signed_low),
        i128::from(a.signed_low) * i128::from(b.signed_high),
        i128::from(a.signed_high) * i128::from(b.signed_low),
        i128::from(a.signed_high) * i128::from(b.signed_high),
    ];
    let signed = (*corners.iter().min()?, *corners.iter().max()?);
    // A product too large for the arithmetic above says nothing.
    let unsigned = if unsigned.1 >= 1 << 126 { (0, 1i128 << width) } else { unsigned };
    wrapped(width, unsigned, signed, bits)
}
fn divide_signed(a: &Number, b: &Number) -> Option<Number> {
    let width = known(a, b)?;
    if b.signed_low <= 0 && b.signed_high >= 0 {
        return None;
    }
    if b.signed_low <= -1 && b.signed_high >= -1 && a.signed_low == least_signed(width) {
        return None; // The one quotient that wraps.
    }
    let corners = [
        a.signed_low / b.signed_low,
        a.signed_low / b.signed_high,
        a.signed_high / b.signed_low,
        a.signed_high / b.signed_high,
    ];
    let (mut low, mut high) = (*corners.iter().min()?, *corners.iter().max()?);
    if a.signed_low <= 0 && a.signed_high >= 0 {
        (low, high) = (low.min(0), high.max(0));
    }
    Some(Number::between_signed(width, low, high))
}
fn remainder_signed(a: &Number, b: &Number) -> Option<Number> {
    let width = known(a, b)?;
    if b.signed_low <= 0 && b.signed_high >= 0 {
        return None;
    }
    let size = i128::from(b.signed_low).abs().max(i128::from(b.signed_high).abs()) - 1;
    let low = if a.signed_low < 0 { i128::from(a.signed_low).max(-size) } else { 0 };
    let high = if a.signed_high > 0 { i128::from(a.signed_high).min(size) } else { 0 };
    Some(Number::between_signed(width, low as i64, high as i64))
}
fn known(a: &Number, b: &Number) -> Option<u32> {
    (a.width > 0 && b.width == a.width).then_some(a.width)
}

#[cfg(test)]
mod tests {
    use base::Random;

    use super::*;

    /// A random description of at least one value, and some values it allows.
    pub(crate) fn random_number(random: &mut Random, width: u32) -> Number {
        let value = |random: &mut Random| random.below(mask(width) + 1);
        let first = value(random);
        let mut number = Number::exactly(width, first);
        for _ in 0..random.below(4) {
            let next = value(random);
            number = match random.below(3) {
                0 => number.join(&Number::exactly(width, next)),
                1 => number.widen(&Number::exactly(width, next), &[2, 5]),
                _ => Number { list: None, ..number.join(&Number::exactly(width, next)) }.settled().unwrap(),
            };
        }
        number
    }

    #[test]
    fn every_operator_keeps_every_value() {
        let mut random = Random::new(11);
        let width = 4;
        let binary = [
            Op::BvAdd,
            Op::BvSub,
            Op::BvMul,
            Op::BvAnd,
            Op::BvOr,
            Op::BvXor,
            Op::BvShl,
            Op::BvLshr,
            Op::BvAshr,
            Op::BvUdiv,
            Op::BvUrem,
            Op::BvSdiv,
            Op::BvSrem,
            Op::BvUlt,
            Op::BvUle,
            Op::BvUgt,
            Op::BvUge,
            Op::BvSlt,
            Op::BvSle,
            Op::BvSgt,
            Op::BvSge,
            Op::Eq,
            Op::Concat,
        ];
        let unary = [
            Op::BvNot,
            Op::BvNeg,
            Op::ZeroExtend(3),
            Op::SignExtend(3),
            Op::Extract { high: 2, low: 1 },
            Op::Extract { high: 1, low: 0 },
        ];
        let mut tight = 0;
        for _ in 0..3000 {
            let (a, b) = (random_number(&mut random, width), random_number(&mut random, width));
            for (op, args) in binary.iter().map(|&op| (op, vec![&a, &b])).chain(unary.iter().map(|&op| (op, vec![&a])))
            {
                let mut values = Vec::new();
                for x in (0..16).filter(|&x| a.contains(x)) {
                    for y in (0..16).filter(|&y| b.contains(y)) {
                        let bits = [Bits::from_u64(width, x), Bits::from_u64(width, y)];
                        values.push(evaluate_operator(op, &bits[..args.len()]).expect("a bit-vector operator"));
                    }
                }
                let out = match &values[0] {
                    Scalar::Bool(_) => 1,
                    Scalar::Bits(bits) => bits.width(),
                };
                for known in [operate(op, &args, out), by_rule(op, &args, out).unwrap_or_else(|| Number::any(out))] {
                    for value in &values {
                        let value = match value {
                            Scalar::Bool(truth) => u64::from(*truth),
                            Scalar::Bits(bits) => bits.to_u64().unwrap(),
                        };
                        assert!(known.contains(value), "{op:?} {a:?} {b:?} gives {value}, not in {known:?}");
                    }
                    tight += u32::from(!known.is_any());
                }
            }
        }
        assert!(tight > 50_000, "the rules say something: {tight}");
    }

    #[test]
    fn joining_and_widening_keep_values_and_meeting_keeps_the_common_ones() {
        let mut random = Random::new(5);
        for _ in 0..20_000 {
            let (a, b) = (random_number(&mut random, 5), random_number(&mut random, 5));
            let (joined, widened, met) = (a.join(&b), a.widen(&b, &[3, 17]), a.meet(&b));
            for value in 0..32 {
                let either = a.contains(value) || b.contains(value);
                assert!(!either || joined.contains(value) && widened.contains(value));
                if a.contains(value) && b.contains(value) {
                    assert!(met.as_ref().is_some_and(|met| met.contains(value)));
                }
            }
        }
    }

    #[test]
    fn wide_products_do_not_overflow_our_own_arithmetic() {
        let any = Number::any(64);
        for op in [Op::BvMul, Op::BvAdd, Op::BvSub, Op::BvSdiv, Op::BvSrem, Op::BvAshr] {
            assert!(operate(op, &[&any, &any], 64).contains(u64::MAX));
        }
        let most = Number::exactly(64, u64::MAX);
        assert_eq!(operate(Op::BvMul, &[&most, &most], 64).single(), Some(1));
    }
}
