//! The circuit that belongs to each operator.

use sat::Lit;
use term::{Cost, Op};

use super::circuits::{Circuits, Word};
use super::gates::Gates;

/// What an operator gives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Output {
    Word(Word),
    Truth(Lit),
}

/// About how many gates the operator takes on words of this width.
pub(crate) fn gates_of(op: Op, width: u64) -> u64 {
    match op.row().cost {
        Cost::Product => width * width / 2,
        Cost::ProductOverflow => 2 * width * width,
        Cost::Division => 3 * width * width,
        Cost::Shift => width * u64::from(64 - width.leading_zeros()),
        _ => width,
    }
}

impl Circuits<'_> {
    /// The operator applied to words; `None` if it is not an operator on bit-vectors.
    pub fn operator(&mut self, op: Op, args: &[&[Lit]]) -> Option<Output> {
        Some(match *args {
            [a] => self.unary(op, a)?,
            [a, b] => match self.binary(op, a, b) {
                Some(word) => Output::Word(word),
                None => Output::Truth(self.predicate(op, a, b)?),
            },
            _ => return None,
        })
    }

    fn unary(&mut self, op: Op, a: &[Lit]) -> Option<Output> {
        Some(Output::Word(match op {
            Op::BvNot => self.not(a),
            Op::BvNeg => self.neg(a),
            Op::Extract { high, low } => a[low as usize..=high as usize].to_vec(),
            Op::ZeroExtend(by) => self.zero_extend(a, by),
            Op::SignExtend(by) => self.sign_extend(a, by),
            _ => return None,
        }))
    }

    fn binary(&mut self, op: Op, a: &[Lit], b: &[Lit]) -> Option<Word> {
        Some(match op {
            Op::BvAnd => self.bitwise(a, b, Gates::and),
            Op::BvOr => self.bitwise(a, b, Gates::or),
            Op::BvXor => self.bitwise(a, b, Gates::xor),
            Op::BvAdd => self.add(a, b),
            Op::BvSub => self.sub(a, b),
            Op::BvMul => self.mul(a, b),
            Op::BvUdiv => self.udivrem(a, b).0,
            Op::BvUrem => self.udivrem(a, b).1,
            Op::BvSdiv => self.sdivrem(a, b).0,
            Op::BvSrem => self.sdivrem(a, b).1,
            Op::BvShl | Op::BvLshr => {
                let fill = self.gates.constant(self.sat, false);
                self.shift(a, b, fill, op == Op::BvShl)
            }
            Op::BvAshr => self.shift(a, b, a[a.len() - 1], false),
            Op::Concat => b.iter().chain(a).copied().collect(),
            _ => return None,
        })
    }

    fn predicate(&mut self, op: Op, a: &[Lit], b: &[Lit]) -> Option<Lit> {
        Some(match op {
            Op::Eq => self.equal(a, b),
            Op::BvUlt => self.ult(a, b),
            Op::BvUle => !self.ult(b, a),
            Op::BvUgt => self.ult(b, a),
            Op::BvUge => !self.ult(a, b),
            Op::BvSlt => self.slt(a, b),
            Op::BvSle => !self.slt(b, a),
            Op::BvSgt => self.slt(b, a),
            Op::BvSge => !self.slt(a, b),
            Op::BvUaddo => {
                let no_carry = self.gates.constant(self.sat, false);
                self.add_with_carry(a, b, no_carry).1
            }
            Op::BvSaddo => {
                let sum = self.add(a, b);
                self.signed_overflow(a, b[b.len() - 1], &sum)
            }
            Op::BvSsubo => {
                let difference = self.sub(a, b);
                self.signed_overflow(a, !b[b.len() - 1], &difference)
            }
            Op::BvUmulo => {
                let width = a.len();
                let (x, y) = (self.zero_extend(a, width as u32), self.zero_extend(b, width as u32));
                let product = self.mul(&x, &y);
                self.gates.any(self.sat, &product[width..])
            }
            Op::BvSmulo => {
                let width = a.len();
                let (x, y) = (self.sign_extend(a, width as u32), self.sign_extend(b, width as u32));
                let product = self.mul(&x, &y);
                // It fits if the upper half repeats the sign of the lower one.
                let sign = product[width - 1];
                let high: Word = product[width..].iter().map(|&lit| self.gates.xor(self.sat, lit, sign)).collect();
                self.gates.any(self.sat, &high)
            }
            _ => return None,
        })
    }

    /// Both operands have one sign and the result has the other.
    fn signed_overflow(&mut self, a: &[Lit], sign_b: Lit, result: &[Lit]) -> Lit {
        let (sign_a, sign) = (a[a.len() - 1], result[result.len() - 1]);
        let same = !self.gates.xor(self.sat, sign_a, sign_b);
        let turned = self.gates.xor(self.sat, sign_a, sign);
        self.gates.and(self.sat, same, turned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::{Bits, Budget, Random};
    use sat::{NoTheory, Outcome, Query, Solver};
    use term::Scalar;

    fn words() -> Vec<Op> {
        Op::on_bits(2).chain([Op::Eq]).collect()
    }

    fn unary_ops(width: u32) -> Vec<Op> {
        let mut ops: Vec<Op> = Op::on_bits(1).collect();
        for by in 0..=width + 1 {
            ops.extend([Op::ZeroExtend(by), Op::SignExtend(by)]);
        }
        for high in [0, width / 2, width - 1] {
            ops.extend([0, high / 2, high].map(|low| Op::Extract { high, low }));
        }
        ops
    }

    /// One circuit, and its inputs assumed to be given values in turn.
    struct Bench {
        sat: Solver,
        inputs: Vec<Vec<Lit>>,
        output: Output,
    }

    impl Bench {
        fn new(op: Op, widths: &[u32], fixed: Option<&[Bits]>) -> Bench {
            let (mut sat, mut gates) = (Solver::new(), Gates::default());
            let mut inputs = Vec::new();
            for (i, &width) in widths.iter().enumerate() {
                let word: Word = match fixed {
                    Some(values) => (0..width).map(|k| gates.constant(&mut sat, values[i].bit(k))).collect(),
                    None => (0..width).map(|_| sat.new_var().positive()).collect(),
                };
                inputs.push(word);
            }
            let words: Vec<&[Lit]> = inputs.iter().map(|word| &word[..]).collect();
            let output = Circuits { gates: &mut gates, sat: &mut sat }.operator(op, &words).expect("a known operator");
            Bench { sat, inputs, output }
        }
        fn run(&mut self, values: &[Bits]) -> Scalar {
            let mut assumptions = Vec::new();
            for (word, value) in self.inputs.iter().zip(values) {
                for (k, &lit) in word.iter().enumerate() {
                    assumptions.push(if value.bit(k as u32) { lit } else { !lit });
                }
            }
            let outcome = self.sat.solve(&mut NoTheory, &Query::assuming(&assumptions), &Budget::default());
            assert_eq!(outcome, Ok(Outcome::Sat), "a circuit has an output for each input");
            let sat = &self.sat;
            let truth = |lit: Lit| sat.value(lit).expect("a circuit's output is determined");
            match &self.output {
                Output::Truth(lit) => Scalar::Bool(truth(*lit)),
                Output::Word(word) => {
                    let text: String = word.iter().rev().map(|&lit| if truth(lit) { '1' } else { '0' }).collect();
                    Scalar::Bits(Bits::parse_binary(&text).expect("binary digits"))
                }
            }
        }
    }

    fn check(op: Op, widths: &[u32], values: &[Bits], bench: &mut Bench) {
        let expected = term::evaluate_operator(op, values).expect("a known operator");
        assert_eq!(bench.run(values), expected, "{op:?} on {values:?}");
        // With constants the gates simplify, which is another way to be wrong.
        assert_eq!(Bench::new(op, widths, Some(values)).run(&[]), expected, "{op:?} on constants {values:?}");
    }

    #[test]
    fn every_circuit_is_right_on_every_small_input() {
        for width in 1..=4u32 {
            let values = || (0..1u64 << width).map(move |value| Bits::from_u64(width, value));
            for op in words() {
                let mut bench = Bench::new(op, &[width, width], None);
                for a in values() {
                    for b in values() {
                        check(op, &[width, width], &[a.clone(), b], &mut bench);
                    }
                }
            }
            for op in unary_ops(width) {
                let mut bench = Bench::new(op, &[width], None);
                for a in values() {
                    check(op, &[width], &[a], &mut bench);
                }
            }
        }
    }

    #[test]
    fn circuits_are_right_on_random_wide_inputs() {
        let mut random = Random::new(5);
        for width in [8, 13, 16, 32, 64, 65, 70] {
            let interesting = |random: &mut Random| match random.below(6) {
                0 => Bits::zero(width),
                1 => Bits::ones(width),
                2 => Bits::min_signed(width),
                3 => Bits::from_u64(width, random.below(u64::from(width) + 3)),
                _ => Bits::from_words(width, &[random.bits(), random.bits()]),
            };
            for op in words() {
                let mut bench = Bench::new(op, &[width, width], None);
                for _ in 0..6 {
                    let values = [interesting(&mut random), interesting(&mut random)];
                    check(op, &[width, width], &values, &mut bench);
                }
            }
            for op in unary_ops(width) {
                let mut bench = Bench::new(op, &[width], None);
                check(op, &[width], &[interesting(&mut random)], &mut bench);
            }
        }
    }

    #[test]
    fn words_of_unequal_width_are_joined() {
        let mut bench = Bench::new(Op::Concat, &[3, 5], None);
        check(Op::Concat, &[3, 5], &[Bits::from_u64(3, 5), Bits::from_u64(5, 9)], &mut bench);
    }
}
