//! Sums in one order: `(x - 1) + j` and `(j + x) + 2^w - 1` become the same term, and so do equations that say the same.
//!
//! Rows of gates for the two are hard to tell equal, and loop invariants are full of such sums. This is the one
//! rewriting that this crate trusts: addition, subtraction and products with constants modulo 2^w, up to 64 bits.
//! A sum becomes a list of terms with coefficients, sorted, and is built up again with its constant last; an
//! equation has what it subtracts on its other side.

use std::collections::BTreeMap;

use base::FastMap;
use term::{Op, SortKind, Term, Terms};

/// Coefficients by term, and the constant.
#[derive(Default)]
struct Sum {
    parts: BTreeMap<Term, u64>,
    constant: u64,
}

/// The formulas with all their sums in order: each equivalent to the one it was.
pub(crate) fn in_order(terms: &mut Terms, formulas: &[Term]) -> Vec<Term> {
    let mut done: FastMap<Term, Term> = FastMap::new();
    for term in terms.subterms(formulas) {
        let args: Vec<Term> = terms.args(term).iter().map(|arg| done[arg]).collect();
        let new = match (terms.op(term), args.first().and_then(|&arg| narrow(terms, arg))) {
            (Op::BvAdd | Op::BvSub | Op::BvNeg | Op::BvMul, Some(width)) => {
                let rebuilt = terms.rebuild(term, &args);
                let sum = read(terms, rebuilt, width);
                write(terms, sum.parts, sum.constant, width)
            }
            (Op::Eq, Some(width)) if args.len() == 2 => equation(terms, args[0], args[1], width),
            _ => terms.rebuild(term, &args),
        };
        done.insert(term, new);
    }
    formulas.iter().map(|formula| done[formula]).collect()
}

/// The width of a word of at most 64 bits.
fn narrow(terms: &Terms, term: Term) -> Option<u32> {
    match *terms.sort_kind(terms.sort_of(term)) {
        SortKind::BitVec(width @ 1..=64) => Some(width),
        _ => None,
    }
}

fn cut(number: u64, width: u32) -> u64 {
    number & (u64::MAX >> (64 - width))
}

/// Takes a sum apart.
fn read(terms: &Terms, term: Term, width: u32) -> Sum {
    let mut sum = Sum::default();
    let mut open = vec![(term, 1u64)];
    while let Some((term, factor)) = open.pop() {
        if let Some(value) = terms.small_value(term) {
            sum.constant = cut(sum.constant.wrapping_add(value.wrapping_mul(factor)), width);
            continue;
        }
        let args = terms.args(term);
        match terms.op(term) {
            Op::BvAdd => open.extend(args.iter().map(|&arg| (arg, factor))),
            Op::BvSub if args.len() == 2 => open.extend([(args[0], factor), (args[1], factor.wrapping_neg())]),
            Op::BvNeg => open.push((args[0], factor.wrapping_neg())),
            Op::BvMul if args.len() == 2 && terms.small_value(args[1]).is_some() => {
                let value = terms.small_value(args[1]).expect("just seen");
                open.push((args[0], factor.wrapping_mul(value)));
            }
            Op::BvMul if args.len() == 2 && terms.small_value(args[0]).is_some() => {
                let value = terms.small_value(args[0]).expect("just seen");
                open.push((args[1], factor.wrapping_mul(value)));
            }
            _ => {
                let coefficient = sum.parts.entry(term).or_insert(0);
                *coefficient = cut(coefficient.wrapping_add(factor), width);
            }
        }
    }
    sum.parts.retain(|_, coefficient| *coefficient != 0);
    sum
}

/// Puts a sum together, the constant last.
fn write(terms: &mut Terms, parts: BTreeMap<Term, u64>, constant: u64, width: u32) -> Term {
    let mut sum = None;
    let mut add = |terms: &mut Terms, part: Term| {
        sum = Some(match sum {
            Some(sum) => terms.make(Op::BvAdd, &[sum, part]),
            None => part,
        });
    };
    for (term, coefficient) in parts {
        let part = if coefficient == 1 {
            term
        } else if coefficient == cut(u64::MAX, width) {
            terms.make(Op::BvNeg, &[term])
        } else {
            let factor = terms.bv(width, coefficient);
            terms.make(Op::BvMul, &[term, factor])
        };
        add(terms, part);
    }
    if constant != 0 {
        let constant = terms.bv(width, constant);
        add(terms, constant);
    }
    sum.unwrap_or_else(|| terms.bv(width, 0))
}

/// Two words are equal: what has a coefficient in the upper half goes to the right, as does the constant.
fn equation(terms: &mut Terms, left: Term, right: Term, width: u32) -> Term {
    let (mut sum, right) = (read(terms, left, width), read(terms, right, width));
    for (term, coefficient) in right.parts {
        let here = sum.parts.entry(term).or_insert(0);
        *here = cut(here.wrapping_sub(coefficient), width);
    }
    sum.parts.retain(|_, coefficient| *coefficient != 0);
    let mut constant = cut(right.constant.wrapping_sub(sum.constant), width);
    let negated = |coefficient: u64| cut(coefficient.wrapping_neg(), width);
    // Of an equation and its negative we take the one whose first term is on the left.
    if sum.parts.values().next().is_some_and(|&first| negated(first) < first) {
        sum.parts.values_mut().for_each(|coefficient| *coefficient = negated(*coefficient));
        constant = negated(constant);
    }
    let (left, mut right): (BTreeMap<Term, u64>, BTreeMap<Term, u64>) =
        sum.parts.into_iter().partition(|&(_, coefficient)| coefficient <= negated(coefficient));
    right.values_mut().for_each(|coefficient| *coefficient = negated(*coefficient));
    let (left, right) = (write(terms, left, 0, width), write(terms, right, constant, width));
    terms.eq(left, right)
}

#[cfg(test)]
mod tests {
    use base::{Bits, Random};
    use term::Symbol;
    use term::Value;
    use term::eval::eval;

    use super::*;

    fn random_sum(random: &mut Random, terms: &mut Terms, words: &[Term], width: u32, depth: u32) -> Term {
        if depth == 0 || random.one_in(6) {
            return if random.one_in(3) { terms.bv(width, random.bits()) } else { *random.pick(words) };
        }
        let left = random_sum(random, terms, words, width, depth - 1);
        let right = random_sum(random, terms, words, width, depth - 1);
        match random.below(6) {
            0 | 1 => terms.make(Op::BvAdd, &[left, right]),
            2 => terms.make(Op::BvSub, &[left, right]),
            3 => terms.make(Op::BvNeg, &[left]),
            4 => {
                let factor = terms.bv(width, random.bits());
                let args = if random.one_in(2) { [left, factor] } else { [factor, left] };
                terms.make(Op::BvMul, &args)
            }
            _ => terms.make(Op::BvMul, &[left, right]),
        }
    }

    #[test]
    fn sums_in_order_have_the_value_they_had() {
        let mut random = Random::new(11);
        for round in 0..3000 {
            let mut terms = Terms::without_simplification();
            let width = [1, 2, 3, 8, 32, 63, 64][round % 7];
            let sort = terms.bv_sort(width);
            let words: Vec<Term> = ["a", "b", "c"].iter().map(|name| terms.variable(name, sort)).collect();
            let left = random_sum(&mut random, &mut terms, &words, width, 4);
            let right = if random.one_in(4) { left } else { random_sum(&mut random, &mut terms, &words, width, 2) };
            let formulas = [terms.eq(left, right), terms.make(Op::BvUlt, &[left, right])];
            let ordered = in_order(&mut terms, &formulas);
            for _ in 0..8 {
                let values: Vec<u64> = words.iter().map(|_| cut(random.bits() >> random.below(64), width)).collect();
                let of = |symbol: Symbol| {
                    let is_it = |&word: &Term| terms.op(word) == Op::Symbol(symbol);
                    let number = words.iter().position(is_it).expect("a word");
                    Value::Bits(Bits::from_u64(width, values[number]))
                };
                let value = |term: Term| eval(&terms, term, |symbol, _| Some(of(symbol))).expect("all has a value");
                for (&old, &new) in formulas.iter().zip(&ordered) {
                    assert_eq!(value(old), value(new), "{} {}", terms.to_smtlib(old), terms.to_smtlib(new));
                }
            }
        }
    }

    #[test]
    fn equations_that_say_the_same_become_one() {
        let mut terms = Terms::without_simplification();
        let sort = terms.bv_sort(32);
        let [x, y, i, j] = ["x", "y", "i", "j"].map(|name| terms.variable(name, sort));
        let one = terms.bv(32, 1);
        let [left, right] = [[x, j], [y, i]].map(|pair| terms.make(Op::BvAdd, &pair));
        let before = terms.eq(left, right);
        let [x, y] = [x, y].map(|word| terms.make(Op::BvSub, &[word, one]));
        let [left, right] = [[j, x], [i, y]].map(|pair| terms.make(Op::BvAdd, &pair));
        let after = terms.eq(right, left);
        let ordered = in_order(&mut terms, &[before, after]);
        assert_eq!(ordered[0], ordered[1]);
    }
}
