//! Arithmetic on slices of words, least significant first: what one machine word cannot do.
//!
//! Division is Knuth's algorithm D ([Knuth-TAOCP2], 4.3.1) on 64-bit digits.

/// The sum modulo the length of `a`.
pub(super) fn add(a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut carry = false;
    let pairs = a.iter().zip(b);
    pairs
        .map(|(&x, &y)| {
            let (sum, first) = x.overflowing_add(y);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            carry = first || second;
            sum
        })
        .collect()
}

/// The difference modulo the length of `a`.
pub(super) fn sub(a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut borrow = false;
    let pairs = a.iter().zip(b);
    pairs
        .map(|(&x, &y)| {
            let (difference, first) = x.overflowing_sub(y);
            let (difference, second) = difference.overflowing_sub(u64::from(borrow));
            borrow = first || second;
            difference
        })
        .collect()
}

/// The product modulo the length of `a`.
pub(super) fn mul(a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut product = vec![0u64; a.len()];
    for (i, &x) in a.iter().enumerate().filter(|(_, x)| **x != 0) {
        let mut carry = 0u128;
        for (place, &y) in product[i..].iter_mut().zip(b) {
            let sum = u128::from(x) * u128::from(y) + u128::from(*place) + carry;
            *place = sum as u64;
            carry = sum >> 64;
        }
    }
    product
}

/// Divides in place by one word and returns the remainder.
pub(super) fn div_word(number: &mut [u64], divisor: u64) -> u64 {
    let mut remainder = 0u128;
    for word in number.iter_mut().rev() {
        let part = remainder << 64 | u128::from(*word);
        *word = (part / u128::from(divisor)) as u64;
        remainder = part % u128::from(divisor);
    }
    remainder as u64
}

/// Multiplies in place by one word, adds another, and returns what no longer fits.
pub(super) fn mul_add_word(number: &mut [u64], factor: u64, summand: u64) -> u64 {
    let mut carry = u128::from(summand);
    for word in number.iter_mut() {
        let sum = u128::from(*word) * u128::from(factor) + carry;
        *word = sum as u64;
        carry = sum >> 64;
    }
    carry as u64
}

/// Quotient and remainder, both as long as the dividend; the divisor is not zero and as long.
pub(super) fn div_rem(dividend: &[u64], divisor: &[u64]) -> (Vec<u64>, Vec<u64>) {
    let length = dividend.len();
    let n = divisor.iter().rposition(|&word| word != 0).expect("the divisor is not zero") + 1;
    if n == 1 {
        let mut quotient = dividend.to_vec();
        let mut remainder = vec![0; length];
        remainder[0] = div_word(&mut quotient, divisor[0]);
        return (quotient, remainder);
    }
    // Normalise so that the top digit of the divisor has its highest bit set: then the guess of a
    // quotient digit from the top digits is at most two too large.
    let shift = divisor[n - 1].leading_zeros();
    let v = shifted(&divisor[..n], shift);
    let mut u = shifted(dividend, shift);
    u.push(if shift == 0 { 0 } else { dividend[length - 1] >> (64 - shift) });
    let mut quotient = vec![0; length];
    for j in (0..=length - n).rev() {
        let top = u128::from(u[j + n]) << 64 | u128::from(u[j + n - 1]);
        let mut guess = top / u128::from(v[n - 1]);
        let mut rest = top % u128::from(v[n - 1]);
        while guess >> 64 != 0 || guess * u128::from(v[n - 2]) > (rest << 64 | u128::from(u[j + n - 2])) {
            guess -= 1;
            rest += u128::from(v[n - 1]);
            if rest >> 64 != 0 {
                break;
            }
        }
        let mut guess = guess as u64;
        if subtract_multiple(&mut u[j..=j + n], &v, guess) {
            guess -= 1; // Rare (about 2 in 2^64): the guess was one too large after all.
            add_back(&mut u[j..=j + n], &v);
        }
        quotient[j] = guess;
    }
    let mut remainder = vec![0; length];
    for (i, word) in remainder.iter_mut().take(n).enumerate() {
        *word = if shift == 0 { u[i] } else { u[i] >> shift | u[i + 1] << (64 - shift) };
    }
    (quotient, remainder)
}

/// The words moved up by less than a word; what falls out at the top is the caller's.
fn shifted(words: &[u64], shift: u32) -> Vec<u64> {
    if shift == 0 {
        return words.to_vec();
    }
    let below = std::iter::once(0).chain(words.iter().copied());
    words.iter().zip(below).map(|(&word, below)| word << shift | below >> (64 - shift)).collect()
}

/// Subtracts `factor * v` from `u`, which is one word longer; returns whether the result is negative.
fn subtract_multiple(u: &mut [u64], v: &[u64], factor: u64) -> bool {
    let mut carry = 0u128;
    let mut borrow = false;
    for (i, word) in u.iter_mut().enumerate() {
        let product = u128::from(factor) * u128::from(v.get(i).copied().unwrap_or(0)) + carry;
        carry = product >> 64;
        let (difference, first) = word.overflowing_sub(product as u64);
        let (difference, second) = difference.overflowing_sub(u64::from(borrow));
        borrow = first || second;
        *word = difference;
    }
    borrow
}

/// Adds `v` to `u`, which is one word longer, modulo its length.
fn add_back(u: &mut [u64], v: &[u64]) {
    let mut carry = false;
    for (i, word) in u.iter_mut().enumerate() {
        let (sum, first) = word.overflowing_add(v.get(i).copied().unwrap_or(0));
        let (sum, second) = sum.overflowing_add(u64::from(carry));
        carry = first || second;
        *word = sum;
    }
}
