//! Circuits: words of literals, lowest bit first, for every bit-vector operator.
//!
//! Adders ripple; multipliers add shifted partial products; dividers restore; shifters have one stage
//! for each bit of the amount. Total meanings as SMT-LIB has them.

use sat::{Lit, Solver};

use super::gates::Gates;

/// A word, lowest bit first.
pub(crate) type Word = Vec<Lit>;

/// Builds circuits with shared gates.
pub(crate) struct Circuits<'a> {
    pub gates: &'a mut Gates,
    pub sat: &'a mut Solver,
}

impl Circuits<'_> {
    pub fn constant(&mut self, width: u32, bit: impl Fn(u32) -> bool) -> Word {
        (0..width).map(|i| self.gates.constant(self.sat, bit(i))).collect()
    }
    pub fn zero(&mut self, width: usize) -> Word {
        self.constant(width as u32, |_| false)
    }
    pub fn not(&self, a: &[Lit]) -> Word {
        a.iter().map(|&lit| !lit).collect()
    }
    pub fn bitwise(&mut self, a: &[Lit], b: &[Lit], gate: impl Fn(&mut Gates, &mut Solver, Lit, Lit) -> Lit) -> Word {
        a.iter().zip(b).map(|(&x, &y)| gate(self.gates, self.sat, x, y)).collect()
    }
    /// `a + b + carry`, and the carry out.
    pub fn add_with_carry(&mut self, a: &[Lit], b: &[Lit], carry: Lit) -> (Word, Lit) {
        let mut carry = carry;
        let sum = a
            .iter()
            .zip(b)
            .map(|(&x, &y)| {
                let (sum, next) = self.gates.full_adder(self.sat, x, y, carry);
                carry = next;
                sum
            })
            .collect();
        (sum, carry)
    }
    pub fn add(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let no_carry = self.gates.constant(self.sat, false);
        self.add_with_carry(a, b, no_carry).0
    }
    pub fn sub(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let carry = self.gates.constant(self.sat, true);
        let b = self.not(b);
        self.add_with_carry(a, &b, carry).0
    }
    pub fn neg(&mut self, a: &[Lit]) -> Word {
        let zero = self.zero(a.len());
        self.sub(&zero, a)
    }
    /// The product modulo the width of `a`.
    pub fn mul(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        // Fewer partial products when the word with more constant zeros is the multiplier.
        let zeros = |sat: &Solver, word: &[Lit]| word.iter().filter(|&&lit| sat.fixed(lit) == Some(false)).count();
        let (a, b) = if zeros(self.sat, a) > zeros(self.sat, b) { (b, a) } else { (a, b) };
        let width = a.len();
        let mut sum = self.zero(width);
        for (shift, &bit) in b.iter().enumerate() {
            if self.sat.fixed(bit) == Some(false) {
                continue;
            }
            let partial: Word = a[..width - shift].iter().map(|&lit| self.gates.and(self.sat, lit, bit)).collect();
            let high = self.add(&sum[shift..], &partial);
            sum.truncate(shift);
            sum.extend(high);
        }
        sum
    }
    /// Quotient and remainder; by zero: all ones and the dividend.
    pub fn udivrem(&mut self, a: &[Lit], b: &[Lit]) -> (Word, Word) {
        let width = a.len();
        // A remainder is smaller than its divisor, so no step needs more bits than the divisor has, which is few where
        // the divisor is a small literal.
        let known = |sat: &Solver, lit: Lit, value: bool| sat.fixed(lit) == Some(value);
        let bits = width - b.iter().rev().take_while(|&&lit| known(self.sat, lit, false)).count();
        let bits = bits.max(1);
        let mut remainder = self.zero(bits);
        let mut quotient = self.zero(width);
        // One bit wider, because the shifted remainder may pass the divisor's width.
        let mut divisor = b[..bits].to_vec();
        divisor.push(self.gates.constant(self.sat, false));
        for i in (0..width).rev() {
            let mut shifted = Vec::with_capacity(bits + 1);
            shifted.push(a[i]);
            shifted.extend(&remainder);
            let carry = self.gates.constant(self.sat, true);
            let negated = self.not(&divisor);
            let (difference, fits) = self.add_with_carry(&shifted, &negated, carry);
            quotient[i] = fits;
            remainder = (0..bits).map(|k| self.gates.mux(self.sat, fits, difference[k], shifted[k])).collect();
        }
        if bits < width {
            remainder = self.zero_extend(&remainder, (width - bits) as u32);
            if !b.iter().any(|&lit| known(self.sat, lit, true)) {
                // By zero, what was shifted out is part of the remainder.
                let divides = self.gates.any(self.sat, b);
                remainder = self.mux(divides, &remainder, a);
            }
        }
        self.state_bounds((a, b), &quotient, &remainder);
        (quotient, remainder)
    }
    /// States what each stage of a division keeps and search does not find: the remainder is below a divisor that is not zero, neither result is
    /// above the dividend.
    fn state_bounds(&mut self, (a, b): (&[Lit], &[Lit]), quotient: &[Lit], remainder: &[Lit]) {
        let divides = self.gates.any(self.sat, b);
        let is_below = self.ult(remainder, b);
        let (is_quotient_above, is_remainder_above) = (self.ult(a, quotient), self.ult(a, remainder));
        for clause in [[!divides, is_below], [!divides, !is_quotient_above], [!divides, !is_remainder_above]] {
            self.sat.add_clause(&clause);
        }
    }
    /// `a < b`, unsigned.
    pub fn ult(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        // From the lowest bit up: the highest difference decides.
        let mut less = self.gates.constant(self.sat, false);
        for (&x, &y) in a.iter().zip(b) {
            let differ = self.gates.xor(self.sat, x, y);
            less = self.gates.mux(self.sat, differ, y, less);
        }
        less
    }
    /// `a < b`, signed.
    pub fn slt(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let flip = |word: &[Lit]| {
            let mut word = word.to_vec();
            if let Some(sign) = word.last_mut() {
                *sign = !*sign;
            }
            word
        };
        self.ult(&flip(a), &flip(b))
    }
    pub fn equal(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let same: Vec<Lit> = a.iter().zip(b).map(|(&x, &y)| !self.gates.xor(self.sat, x, y)).collect();
        self.gates.all(self.sat, &same)
    }
    pub fn mux(&mut self, condition: Lit, then: &[Lit], otherwise: &[Lit]) -> Word {
        then.iter().zip(otherwise).map(|(&x, &y)| self.gates.mux(self.sat, condition, x, y)).collect()
    }
    /// Shift by `amount`; positions from outside are `fill`. `left` towards the high bits.
    pub fn shift(&mut self, a: &[Lit], amount: &[Lit], fill: Lit, left: bool) -> Word {
        let width = a.len();
        let stages = usize::BITS - (width - 1).leading_zeros();
        let mut word = a.to_vec();
        for (stage, &bit) in amount.iter().enumerate().take(stages as usize) {
            let by = 1usize << stage;
            let moved: Word = (0..width)
                .map(|i| {
                    let from = if left { i.checked_sub(by) } else { Some(i + by).filter(|&from| from < width) };
                    from.map_or(fill, |from| word[from])
                })
                .collect();
            word = self.mux(bit, &moved, &word);
        }
        // Amounts with a higher bit set shift everything out.
        let beyond = self.gates.any(self.sat, &amount[amount.len().min(stages as usize)..]);
        word.iter().map(|&lit| self.gates.mux(self.sat, beyond, fill, lit)).collect()
    }
    /// Absolute value under a sign.
    pub fn negate_if(&mut self, condition: Lit, a: &[Lit]) -> Word {
        let negated = self.neg(a);
        self.mux(condition, &negated, a)
    }
    /// Signed quotient and remainder, truncating.
    pub fn sdivrem(&mut self, a: &[Lit], b: &[Lit]) -> (Word, Word) {
        let (sign_a, sign_b) = (a[a.len() - 1], b[b.len() - 1]);
        let (x, y) = (self.negate_if(sign_a, a), self.negate_if(sign_b, b));
        let (quotient, remainder) = self.udivrem(&x, &y);
        let differ = self.gates.xor(self.sat, sign_a, sign_b);
        (self.negate_if(differ, &quotient), self.negate_if(sign_a, &remainder))
    }
    pub fn zero_extend(&mut self, a: &[Lit], by: u32) -> Word {
        let mut word = a.to_vec();
        let zero = self.gates.constant(self.sat, false);
        word.extend(std::iter::repeat_n(zero, by as usize));
        word
    }
    pub fn sign_extend(&self, a: &[Lit], by: u32) -> Word {
        let mut word = a.to_vec();
        word.extend(std::iter::repeat_n(a[a.len() - 1], by as usize));
        word
    }
}
