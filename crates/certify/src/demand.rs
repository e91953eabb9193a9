//! Demand: which bits of each word the formulas depend on.
//!
//! A question about the lowest bit of a sum needs no other bit of what is added up. One walk from the formulas down to the
//! leaves passes on which bits matter, operator by operator; circuits are made for those alone, and the other bits of a word are fresh
//! variables. A bit that is left out by mistake therefore makes the clauses weaker, never wrong.

use proof::Lit;
use term::{Op, Term, Terms};

use crate::circuits::{Output, Word};
use crate::gates::Gates;

/// Bits of a word, lowest first. Words with more than 64 bits are needed as a whole.
pub(crate) type Mask = u64;

/// Every bit.
pub(crate) const WHOLE: Mask = Mask::MAX;

/// All bits of a word of this width.
fn all(width: u32) -> Mask {
    if width >= 64 { WHOLE } else { (1 << width) - 1 }
}
/// All bits up to the highest one of the mask: what a carry chain needs.
fn up_to_highest(mask: Mask) -> Mask {
    all(64 - mask.leading_zeros())
}

/// The bits of each argument on which these bits of the term depend.
pub(crate) fn of_arguments(terms: &Terms, term: Term, mask: Mask, receive: &mut dyn FnMut(Term, Mask)) {
    let args = terms.args(term);
    let width = terms.width(term);
    if width > 64 {
        return args.iter().for_each(|&arg| receive(arg, WHOLE));
    }
    let constant = |arg: Term| terms.value(arg).and_then(|value| value.to_u64());
    match terms.op(term) {
        Op::BvNot => receive(args[0], mask),
        Op::BvAnd | Op::BvOr => {
            for (arg, other) in [(args[0], args[1]), (args[1], args[0])] {
                // Where the other side decides, this one does not matter.
                let decided = match constant(other) {
                    Some(value) if terms.op(term) == Op::BvAnd => !value,
                    Some(value) => value,
                    None => 0,
                };
                receive(arg, mask & !decided);
            }
        }
        Op::BvXor => args.iter().for_each(|&arg| receive(arg, mask)),
        Op::BvAdd | Op::BvSub | Op::BvMul | Op::BvNeg => args.iter().for_each(|&arg| receive(arg, up_to_highest(mask))),
        Op::Concat => {
            let low = terms.width(args[1]);
            receive(args[0], mask.checked_shr(low).unwrap_or(0));
            receive(args[1], mask & all(low));
        }
        Op::Extract { low, .. } if terms.width(args[0]) <= 64 => receive(args[0], mask << low),
        Op::ZeroExtend(_) => receive(args[0], mask & all(terms.width(args[0]))),
        Op::SignExtend(_) => {
            let inner = all(terms.width(args[0]));
            let sign = if mask & !inner == 0 { 0 } else { inner & !(inner >> 1) };
            receive(args[0], mask & inner | sign);
        }
        Op::BvShl if constant(args[1]).is_some_and(|by| by < u64::from(width)) => {
            receive(args[0], mask >> constant(args[1]).unwrap_or(0));
            receive(args[1], WHOLE);
        }
        Op::BvLshr if constant(args[1]).is_some_and(|by| by < u64::from(width)) => {
            receive(args[0], (mask << constant(args[1]).unwrap_or(0)) & all(width));
            receive(args[1], WHOLE);
        }
        _ => args.iter().for_each(|&arg| receive(arg, WHOLE)),
    }
}

/// How many low bits a carry chain has to have for these.
fn length(mask: Mask, width: usize) -> usize {
    if width > 64 { width } else { (64 - mask.leading_zeros() as usize).min(width) }
}

impl Gates {
    /// The operator on words, made for the bits of the mask; the others are fresh.
    pub fn operator_for(&mut self, op: Op, args: &[&[Lit]], mask: Mask) -> Option<Output> {
        let width = args[0].len();
        let low = length(mask, width);
        match op {
            Op::BvAdd | Op::BvSub | Op::BvMul | Op::BvNeg if low < width => {
                let short: Vec<&[Lit]> = args.iter().map(|word| &word[..low]).collect();
                let Some(Output::Word(mut word)) = self.operator(op, &short) else { return None };
                word.resize_with(width, || self.fresh());
                Some(Output::Word(word))
            }
            Op::BvAnd | Op::BvOr | Op::BvXor => {
                let gate = match op {
                    Op::BvAnd => Gates::and,
                    Op::BvOr => Gates::or,
                    _ => Gates::xor,
                };
                let bits = args[0].iter().zip(args[1]).enumerate();
                let word: Word =
                    bits.map(|(i, (&a, &b))| if wants(mask, i) { gate(self, a, b) } else { self.fresh() }).collect();
                Some(Output::Word(word))
            }
            _ => self.operator(op, args),
        }
    }
    /// The choice between words, made for the bits of the mask.
    pub fn choose_words_for(&mut self, condition: Lit, then: &[Lit], otherwise: &[Lit], mask: Mask) -> Word {
        let bits = then.iter().zip(otherwise).enumerate();
        bits.map(|(i, (&a, &b))| if wants(mask, i) { self.choose(condition, a, b) } else { self.fresh() }).collect()
    }
}

fn wants(mask: Mask, bit: usize) -> bool {
    bit >= 64 || mask >> bit & 1 == 1
}
