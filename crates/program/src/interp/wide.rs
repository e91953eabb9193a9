//! Bit-vectors of more than 64 bits: words, low word first, zeros above the width.
//!
//! This is the slow path of the interpreter. Up to 128 bits it leans on the machine's `u128`; what
//! is wider is computed word by word, and divided bit by bit.

use smallvec::SmallVec;
use term::Op;

/// The words of a value; two of them need no allocation.
pub(super) type Words = SmallVec<[u64; 4]>;

/// How many words this many bits take.
pub(super) fn words_for(width: u32) -> usize {
    width.div_ceil(64).max(1) as usize
}

/// The operator applied to values with their widths. `None` if the operator is not one of
/// bit-vectors, truth values or equality.
pub(super) fn apply(op: Op, width: u32, args: &[(Words, u32)]) -> Option<Words> {
    let (a, a_width) = args.first().map(|(words, width)| (words, *width))?;
    let b = args.get(1).map(|(words, _)| words);
    let truth = |value: bool| Some(Words::from_slice(&[u64::from(value)]));
    let zero = || Words::from_elem(0, words_for(a_width));
    let result = match op {
        Op::BvNot => a.iter().map(|word| !word).collect(),
        Op::BvNeg => sub(&zero(), a),
        Op::BvAnd => zip(a, b?, |x, y| x & y),
        Op::BvOr => zip(a, b?, |x, y| x | y),
        Op::BvXor => zip(a, b?, |x, y| x ^ y),
        Op::BvAdd => add(a, b?),
        Op::BvSub => sub(a, b?),
        Op::BvMul => mul(a, b?),
        Op::BvUdiv => divide(a, b?, width).0,
        Op::BvUrem => divide(a, b?, width).1,
        Op::BvSdiv => signed_divide(a, b?, width).0,
        Op::BvSrem => signed_divide(a, b?, width).1,
        Op::BvShl => shift_amount(b?, width).map_or_else(zero, |by| shl(a, by)),
        Op::BvLshr => shift_amount(b?, width).map_or_else(zero, |by| shr(a, by)),
        Op::BvAshr => match (shift_amount(b?, width), sign(a, width)) {
            (Some(by), false) => shr(a, by),
            (None, false) => zero(),
            (Some(by), true) => invert(&shr(&cut(invert(a), width), by)),
            (None, true) => invert(&zero()),
        },
        Op::Eq => return truth(a == b?),
        Op::BvUlt => return truth(less(a, b?)),
        Op::BvUle => return truth(!less(b?, a)),
        Op::BvUgt => return truth(less(b?, a)),
        Op::BvUge => return truth(!less(a, b?)),
        Op::BvSlt => return truth(signed_less(a, b?, a_width)),
        Op::BvSle => return truth(!signed_less(b?, a, a_width)),
        Op::BvSgt => return truth(signed_less(b?, a, a_width)),
        Op::BvSge => return truth(!signed_less(a, b?, a_width)),
        Op::BvUaddo => return truth(less(&cut(add(a, b?), a_width), a)),
        Op::BvSaddo => return truth(signed_overflow(a, b?, a_width, add)),
        Op::BvSsubo => return truth(signed_overflow(a, b?, a_width, sub)),
        Op::BvUmulo => {
            let double = 2 * a_width;
            let product = mul(&resize(a, double), &resize(b?, double));
            return truth(shr(&product, a_width).iter().any(|&word| word != 0));
        }
        Op::BvSmulo => return truth(signed_overflow(a, b?, a_width, mul)),
        Op::Concat => {
            let low_width = args[1].1;
            zip(&shl(&resize(a, width), low_width), &resize(b?, width), |x, y| x | y)
        }
        Op::Extract { low, .. } => resize(&shr(a, low), width),
        Op::ZeroExtend(_) => resize(a, width),
        Op::SignExtend(_) => sign_extend(a, a_width, width),
        _ => return None,
    };
    Some(cut(result, width))
}

/// The bits above the width become zero.
pub(super) fn cut(mut words: Words, width: u32) -> Words {
    words.resize(words_for(width), 0);
    if !width.is_multiple_of(64) {
        *words.last_mut().expect("a value has at least one word") &= u64::MAX >> (64 - width % 64);
    }
    words
}

/// As many words as the width needs, cut or filled with zeros.
fn resize(words: &Words, width: u32) -> Words {
    cut(words.clone(), width)
}

/// The value as `u128`, its upper words lost.
pub(super) fn to_u128(words: &[u64]) -> u128 {
    u128::from(words.first().copied().unwrap_or(0)) | u128::from(words.get(1).copied().unwrap_or(0)) << 64
}

/// The words of a `u128` cut to the width.
pub(super) fn from_u128(value: u128, width: u32) -> Words {
    cut(Words::from_slice(&[value as u64, (value >> 64) as u64]), width)
}

fn zip(a: &Words, b: &Words, f: impl Fn(u64, u64) -> u64) -> Words {
    a.iter().zip(b).map(|(&x, &y)| f(x, y)).collect()
}

fn invert(a: &Words) -> Words {
    a.iter().map(|word| !word).collect()
}

fn add(a: &Words, b: &Words) -> Words {
    let mut carry = false;
    a.iter()
        .zip(b)
        .map(|(&x, &y)| {
            let (sum, first) = x.overflowing_add(y);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            carry = first || second;
            sum
        })
        .collect()
}

fn sub(a: &Words, b: &Words) -> Words {
    let mut borrow = false;
    a.iter()
        .zip(b)
        .map(|(&x, &y)| {
            let (difference, first) = x.overflowing_sub(y);
            let (difference, second) = difference.overflowing_sub(u64::from(borrow));
            borrow = first || second;
            difference
        })
        .collect()
}

fn mul(a: &Words, b: &Words) -> Words {
    let mut product = Words::from_elem(0, a.len());
    for (i, &x) in a.iter().enumerate() {
        let mut carry = 0u128;
        for (j, &y) in b.iter().enumerate().take(a.len() - i) {
            let sum = u128::from(x) * u128::from(y) + u128::from(product[i + j]) + carry;
            product[i + j] = sum as u64;
            carry = sum >> 64;
        }
    }
    product
}

fn less(a: &Words, b: &Words) -> bool {
    a.iter().rev().cmp(b.iter().rev()).is_lt()
}

/// Whether the sign bit is set.
pub(super) fn sign(a: &[u64], width: u32) -> bool {
    let top = width - 1;
    a[(top / 64) as usize] >> (top % 64) & 1 == 1
}

fn signed_less(a: &Words, b: &Words, width: u32) -> bool {
    match (sign(a, width), sign(b, width)) {
        (true, false) => true,
        (false, true) => false,
        _ => less(a, b),
    }
}

/// Whether the operation on sign-extended operands leaves the width.
fn signed_overflow(a: &Words, b: &Words, width: u32, operation: fn(&Words, &Words) -> Words) -> bool {
    let double = 2 * width;
    let exact = cut(operation(&sign_extend(a, width, double), &sign_extend(b, width, double)), double);
    exact != sign_extend(&resize(&exact, width), width, double)
}

fn sign_extend(a: &Words, from: u32, to: u32) -> Words {
    let mut words = resize(a, to);
    if sign(a, from) {
        for bit in (from..to).take(((64 - from % 64) % 64) as usize) {
            words[(bit / 64) as usize] |= 1 << (bit % 64);
        }
        for word in words.iter_mut().skip(from.div_ceil(64) as usize) {
            *word = u64::MAX;
        }
    }
    cut(words, to)
}

/// How far to shift, or `None` for the width or more.
fn shift_amount(by: &Words, width: u32) -> Option<u32> {
    (by[1..].iter().all(|&word| word == 0) && by[0] < u64::from(width)).then(|| by[0] as u32)
}

fn shl(a: &Words, by: u32) -> Words {
    let (words, bits) = ((by / 64) as usize, by % 64);
    (0..a.len())
        .map(|i| {
            let word = |back: usize| i.checked_sub(words + back).map_or(0, |from| a[from]);
            if bits == 0 { word(0) } else { word(0) << bits | word(1) >> (64 - bits) }
        })
        .collect()
}

fn shr(a: &Words, by: u32) -> Words {
    let (words, bits) = ((by / 64) as usize, by % 64);
    (0..a.len())
        .map(|i| {
            let word = |ahead: usize| a.get(i + words + ahead).copied().unwrap_or(0);
            if bits == 0 { word(0) } else { word(0) >> bits | word(1) << (64 - bits) }
        })
        .collect()
}

/// Quotient and remainder; division by zero gives all ones and the dividend.
fn divide(a: &Words, b: &Words, width: u32) -> (Words, Words) {
    if b.iter().all(|&word| word == 0) {
        return (cut(invert(b), width), a.clone());
    }
    if a.len() <= 2 {
        let (x, y) = (to_u128(a), to_u128(b));
        return (from_u128(x / y, width), from_u128(x % y, width));
    }
    let mut quotient = Words::from_elem(0, a.len());
    // One word more, since the remainder is doubled before it is compared.
    let mut remainder = Words::from_elem(0, a.len() + 1);
    let mut divisor = b.clone();
    divisor.push(0);
    for bit in (0..width).rev() {
        remainder = shl(&remainder, 1);
        remainder[0] |= a[(bit / 64) as usize] >> (bit % 64) & 1;
        if !less(&remainder, &divisor) {
            remainder = sub(&remainder, &divisor);
            quotient[(bit / 64) as usize] |= 1 << (bit % 64);
        }
    }
    remainder.pop();
    (quotient, remainder)
}

fn negated_if(condition: bool, a: Words, width: u32) -> Words {
    if condition { cut(sub(&Words::from_elem(0, a.len()), &a), width) } else { a }
}

/// Truncating division of the magnitudes; SMT-LIB defines `bvsdiv` and `bvsrem` just so.
fn signed_divide(a: &Words, b: &Words, width: u32) -> (Words, Words) {
    let (a_negative, b_negative) = (sign(a, width), sign(b, width));
    let left = negated_if(a_negative, a.clone(), width);
    let right = negated_if(b_negative, b.clone(), width);
    let (quotient, remainder) = divide(&left, &right, width);
    (negated_if(a_negative != b_negative, quotient, width), negated_if(a_negative, remainder, width))
}
