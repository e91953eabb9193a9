//! Circuits: every bit-vector operator of terms as gates, each in its textbook form.
//!
//! A word is a list of literals, lowest bit first. Division is restoring division, which gives SMT-LIB's
//! values for a zero divisor by itself: the quotient is all ones and the remainder the dividend.

use proof::Lit;
use term::Op;

use crate::gates::{Gates, TRUE};

pub(crate) type Word = Vec<Lit>;

/// What an operator yields.
pub(crate) enum Output {
    Truth(Lit),
    Word(Word),
}

impl Gates {
    /// The operator on words; `None` if it is not an operator from bit-vectors only.
    pub fn operator(&mut self, op: Op, args: &[&[Lit]]) -> Option<Output> {
        let word = match (op, args) {
            (Op::BvNot, [a]) => a.iter().map(|&bit| !bit).collect(),
            (Op::BvNeg, [a]) => self.negate(a),
            (Op::BvAnd, [a, b]) => self.each(a, b, Gates::and),
            (Op::BvOr, [a, b]) => self.each(a, b, Gates::or),
            (Op::BvXor, [a, b]) => self.each(a, b, Gates::xor),
            (Op::BvAdd, [a, b]) => self.sum(a, b, !TRUE).0,
            (Op::BvSub, [a, b]) => self.sum(a, &not(b), TRUE).0,
            (Op::BvMul, [a, b]) => self.product(a, b),
            (Op::BvUdiv, [a, b]) => self.divide(a, b).0,
            (Op::BvUrem, [a, b]) => self.divide(a, b).1,
            (Op::BvSdiv, [a, b]) => self.signed_quotient(a, b),
            (Op::BvSrem, [a, b]) => self.signed_remainder(a, b),
            (Op::BvShl, [a, b]) => {
                let turned: Word = a.iter().rev().copied().collect();
                let mut shifted = self.shift_down(&turned, b, !TRUE);
                shifted.reverse();
                shifted
            }
            (Op::BvLshr, [a, b]) => self.shift_down(a, b, !TRUE),
            (Op::BvAshr, [a, b]) => self.shift_down(a, b, sign(a)),
            (Op::Concat, [high, low]) => low.iter().chain(*high).copied().collect(),
            (Op::Extract { high, low }, [a]) => a[low as usize..=high as usize].to_vec(),
            (Op::ZeroExtend(by), [a]) => extend(a, by as usize, !TRUE),
            (Op::SignExtend(by), [a]) => extend(a, by as usize, sign(a)),
            _ => return self.predicate(op, args).map(Output::Truth),
        };
        Some(Output::Word(word))
    }
    fn predicate(&mut self, op: Op, args: &[&[Lit]]) -> Option<Lit> {
        Some(match (op, args) {
            (Op::BvUlt, [a, b]) => self.less(a, b),
            (Op::BvUle, [a, b]) => !self.less(b, a),
            (Op::BvUgt, [a, b]) => self.less(b, a),
            (Op::BvUge, [a, b]) => !self.less(a, b),
            (Op::BvSlt, [a, b]) => self.signed_less(a, b),
            (Op::BvSle, [a, b]) => !self.signed_less(b, a),
            (Op::BvSgt, [a, b]) => self.signed_less(b, a),
            (Op::BvSge, [a, b]) => !self.signed_less(a, b),
            (Op::BvUaddo, [a, b]) => self.sum(a, b, !TRUE).1,
            (Op::BvSaddo, [a, b]) => {
                let total = self.sum(&widen(a), &widen(b), !TRUE).0;
                self.top_two_differ(&total)
            }
            (Op::BvSsubo, [a, b]) => {
                let difference = self.sum(&widen(a), &not(&widen(b)), TRUE).0;
                self.top_two_differ(&difference)
            }
            (Op::BvUmulo, [a, b]) => {
                let (wide_a, wide_b) = (extend(a, a.len(), !TRUE), extend(b, b.len(), !TRUE));
                let product = self.product(&wide_a, &wide_b);
                self.any(&product[a.len()..])
            }
            (Op::BvSmulo, [a, b]) => {
                let (wide_a, wide_b) = (extend(a, a.len(), sign(a)), extend(b, b.len(), sign(b)));
                let product = self.product(&wide_a, &wide_b);
                // It fits if all bits from the narrow sign up are equal.
                let (ones, some) = (self.all(&product[a.len() - 1..]), self.any(&product[a.len() - 1..]));
                self.and(some, !ones)
            }
            _ => return None,
        })
    }

    pub fn equal_words(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        assert!(a.len() == b.len(), "words that are compared have one width");
        let same = self.each(a, b, Gates::equal);
        self.all(&same)
    }
    pub fn choose_words(&mut self, condition: Lit, then: &[Lit], otherwise: &[Lit]) -> Word {
        then.iter().zip(otherwise).map(|(&a, &b)| self.choose(condition, a, b)).collect()
    }

    fn each(&mut self, a: &[Lit], b: &[Lit], gate: fn(&mut Gates, Lit, Lit) -> Lit) -> Word {
        a.iter().zip(b).map(|(&a, &b)| gate(self, a, b)).collect()
    }
    /// The sum with a carry, and the carry out.
    fn sum(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> (Word, Lit) {
        let mut sum = Word::with_capacity(a.len());
        for (&a, &b) in a.iter().zip(b) {
            let half = self.xor(a, b);
            sum.push(self.xor(half, carry));
            carry = self.majority(a, b, carry);
        }
        (sum, carry)
    }
    fn negate(&mut self, a: &[Lit]) -> Word {
        let zero = vec![!TRUE; a.len()];
        self.sum(&zero, &not(a), TRUE).0
    }
    /// Shifted copies of one factor, added up.
    fn product(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let width = a.len();
        let mut total = vec![!TRUE; width];
        for (place, &bit) in b.iter().enumerate() {
            let mut row = vec![!TRUE; place];
            for &other in &a[..width - place] {
                row.push(self.and(other, bit));
            }
            total = self.sum(&total, &row, !TRUE).0;
        }
        total
    }
    /// Restoring division: quotient and remainder.
    fn divide(&mut self, a: &[Lit], b: &[Lit]) -> (Word, Word) {
        let width = a.len();
        let highest = b.iter().rposition(|&bit| bit != !TRUE).map_or(0, |place| place + 1);
        if b.iter().filter(|&&bit| bit != !TRUE).count() == 1 && b[highest - 1] == TRUE {
            // A power of two: the word is cut in two.
            let (low, high) = a.split_at(highest - 1);
            return (extend(high, low.len(), !TRUE), extend(low, high.len(), !TRUE));
        }
        // The rest is at most the divisor less one, or (if that is zero) what was brought down so far; so it is no longer
        // than a divisor that is not zero.
        let length = if b.contains(&TRUE) { highest } else { width };
        let divisor = extend(&b[..length], 1, !TRUE);
        let mut rest = vec![!TRUE; length + 1];
        let mut quotient = vec![!TRUE; width];
        for place in (0..width).rev() {
            rest.pop();
            rest.insert(0, a[place]);
            let fits = !self.less(&rest, &divisor);
            let less = self.sum(&rest, &not(&divisor), TRUE).0;
            rest = self.choose_words(fits, &less, &rest);
            quotient[place] = fits;
        }
        rest.truncate(length);
        let rest = extend(&rest, width - length, !TRUE);
        // Each stage keeps the rest below the divisor, so the whole does. Proof search does not find that induction.
        let is_zero = !self.any(b);
        let (is_smaller, is_larger) = (self.less(&rest, b), self.less(a, &rest));
        let is_below = self.or(is_zero, is_smaller);
        let rest = self.known([is_below, !is_larger], rest);
        let is_larger = self.less(a, &quotient);
        let is_at_most = self.or(is_zero, !is_larger);
        let quotient = self.known([is_at_most], quotient);
        (quotient, rest)
    }
    /// The same word, where the laws hold whatever the inputs are. They are there for those who use the word.
    fn known<const N: usize>(&mut self, laws: [Lit; N], word: Word) -> Word {
        let holds = self.all(&laws);
        if holds == TRUE {
            return word;
        }
        self.law(holds);
        word.iter().map(|&bit| self.and(bit, holds)).collect()
    }
    fn magnitude(&mut self, a: &[Lit]) -> Word {
        let negated = self.negate(a);
        self.choose_words(sign(a), &negated, a)
    }
    /// The quotient of the magnitudes, negative if the signs differ.
    fn signed_quotient(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let (x, y) = (self.magnitude(a), self.magnitude(b));
        let quotient = self.divide(&x, &y).0;
        let negated = self.negate(&quotient);
        let differ = self.xor(sign(a), sign(b));
        self.choose_words(differ, &negated, &quotient)
    }
    /// The remainder of the magnitudes, with the sign of the dividend.
    fn signed_remainder(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let (x, y) = (self.magnitude(a), self.magnitude(b));
        let rest = self.divide(&x, &y).1;
        let negated = self.negate(&rest);
        self.choose_words(sign(a), &negated, &rest)
    }
    /// Towards the low end, stage by stage; a bit of the amount that is worth the width or more shifts
    /// everything out.
    fn shift_down(&mut self, a: &[Lit], amount: &[Lit], fill: Lit) -> Word {
        let width = a.len();
        let mut word = a.to_vec();
        for (stage, &bit) in amount.iter().enumerate() {
            let by = if stage < 32 { 1usize << stage } else { width };
            let by = by.min(width);
            let mut shifted: Word = word[by..].to_vec();
            shifted.resize(width, fill);
            word = self.choose_words(bit, &shifted, &word);
        }
        word
    }
    /// Whether `a` is less than `b`: from the low end, the higher bit decides.
    fn less(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let mut less = !TRUE;
        for (&a, &b) in a.iter().zip(b) {
            let differ = self.xor(a, b);
            less = self.choose(differ, b, less);
        }
        less
    }
    fn signed_less(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        self.less(&flip_sign(a), &flip_sign(b))
    }
    fn top_two_differ(&mut self, a: &[Lit]) -> Lit {
        self.xor(a[a.len() - 1], a[a.len() - 2])
    }
}

fn sign(a: &[Lit]) -> Lit {
    a[a.len() - 1]
}
fn not(a: &[Lit]) -> Word {
    a.iter().map(|&bit| !bit).collect()
}
fn flip_sign(a: &[Lit]) -> Word {
    let mut word = a.to_vec();
    word[a.len() - 1] = !sign(a);
    word
}
fn extend(a: &[Lit], by: usize, with: Lit) -> Word {
    let mut word = a.to_vec();
    word.resize(a.len() + by, with);
    word
}
/// One bit wider, keeping the signed value.
fn widen(a: &[Lit]) -> Word {
    extend(a, 1, sign(a))
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::{Bits, Random};
    use proof::SatVar;
    use term::{Scalar, evaluate_operator};

    /// The values of all variables, found by unit propagation from those of the first `n` after the constant.
    fn propagate(gates: &Gates, inputs: &[bool]) -> Vec<bool> {
        let mut values: Vec<Option<bool>> = vec![None; gates.n_vars as usize];
        for (i, &input) in inputs.iter().enumerate() {
            values[i + 1] = Some(input);
        }
        // Gates are made in order, so one sweep finds each output, but for majority's inner gates.
        loop {
            let mut changed = false;
            for clause in gates.definitions.iter().chain(&gates.stated) {
                let mut open = None;
                let mut n_open = 0;
                let mut holds = false;
                for &lit in clause {
                    match values[lit.var().index()] {
                        Some(value) => holds |= value == lit.is_positive(),
                        None => {
                            n_open += 1;
                            open = Some(lit);
                        }
                    }
                }
                assert!(holds || n_open > 0, "gates contradict no input");
                if let (false, 1, Some(lit)) = (holds, n_open, open) {
                    values[lit.var().index()] = Some(lit.is_positive());
                    changed = true;
                }
            }
            if !changed {
                return values.into_iter().map(|value| value.expect("inputs determine every gate")).collect();
            }
        }
    }
    fn unary(width: u32) -> Vec<Op> {
        let mut ops = vec![Op::ZeroExtend(3), Op::SignExtend(3), Op::ZeroExtend(0)];
        ops.extend(Op::on_bits(1));
        ops.extend((0..width).flat_map(|high| (0..=high).map(move |low| Op::Extract { high, low })));
        ops
    }
    fn compare(op: Op, args: &[Bits], constant: &[bool]) {
        let mut gates = Gates::new();
        let mut inputs = Vec::new();
        let words: Vec<Word> = args
            .iter()
            .zip(constant)
            .map(|(arg, &constant)| {
                (0..arg.width())
                    .map(|i| {
                        if constant {
                            return Gates::constant(arg.bit(i));
                        }
                        inputs.push(arg.bit(i));
                        gates.fresh()
                    })
                    .collect()
            })
            .collect();
        let words: Vec<&[Lit]> = words.iter().map(|word| &word[..]).collect();
        let output = gates.operator(op, &words).expect("every operator has a circuit");
        let values = propagate(&gates, &inputs);
        assert!(values[SatVar(0).index()]);
        let value = |lit: Lit| values[lit.var().index()] == lit.is_positive();
        let expected = evaluate_operator(op, args).expect("every operator has a value");
        match (output, expected) {
            (Output::Truth(lit), Scalar::Bool(expected)) => assert_eq!(value(lit), expected, "{op:?} {args:?}"),
            (Output::Word(word), Scalar::Bits(expected)) => {
                assert_eq!(word.len(), expected.width() as usize, "{op:?} {args:?}");
                for (i, &lit) in word.iter().enumerate() {
                    assert_eq!(value(lit), expected.bit(i as u32), "bit {i} of {op:?} {args:?}");
                }
            }
            _ => panic!("{op:?} yields something of another sort"),
        }
    }

    #[test]
    fn every_operator_agrees_with_its_value_on_all_narrow_words() {
        for width in 1..=3 {
            let values = || (0..1u64 << width).map(|value| Bits::from_u64(width, value));
            for a in values() {
                for op in unary(width) {
                    compare(op, std::slice::from_ref(&a), &[false]);
                }
                for b in values() {
                    for op in Op::on_bits(2) {
                        compare(op, &[a.clone(), b.clone()], &[false, false]);
                    }
                }
            }
        }
    }
    #[test]
    fn every_operator_agrees_with_its_value_on_random_wide_words() {
        let mut random = Random::new(5);
        for round in 0..60 {
            let width = *random.pick(&[4, 5, 7, 8, 11, 16, 17]);
            let [a, b] = [(); 2].map(|()| {
                let bits = if random.one_in(4) { random.below(4).wrapping_sub(2) } else { random.bits() };
                Bits::from_u64(width, bits)
            });
            for op in Op::on_bits(2) {
                compare(op, &[a.clone(), b.clone()], &[round % 3 == 1, round % 3 == 2]);
            }
            for op in [Op::BvNot, Op::BvNeg, Op::SignExtend(9)] {
                compare(op, std::slice::from_ref(&a), &[false]);
            }
        }
        // Wider than a machine word: adders and shifters.
        for _ in 0..4 {
            let words = [(); 2].map(|()| Bits::from_words(70, &[random.bits(), random.bits()]));
            for op in [Op::BvAdd, Op::BvSub, Op::BvUlt, Op::BvSle, Op::BvXor, Op::Concat] {
                compare(op, &words, &[false, false]);
            }
            let by = Bits::from_u64(70, random.below(75));
            for op in [Op::BvShl, Op::BvLshr, Op::BvAshr] {
                compare(op, &[words[0].clone(), by.clone()], &[false, false]);
            }
        }
    }
}
