//! Sums in one order: `(x - 1) + j` and `(j + x) + 2^w - 1` become the same term, and so do equations that say the same.
//!
//! Their circuits are hard to prove equal, and such sums are frequent in loop invariants. Addition, subtraction
//! and products with constants modulo 2^w, up to 64 bits: a sum becomes a list of terms with coefficients, sorted, and is
//! built up again with its constant last; an equation has what it subtracts on its other side.
//!
//! Where branches meet, sums hide below choices: `ite(c, x + 1, x)` is `x + ite(c, 1, 0)`, and choices with one
//! condition are added arm by arm, so that `ite(c, i + 1, i) + ite(c, j, j + 1)` is `i + j + 1`.
//!
//! Where asked for, products of sums are multiplied out as well, so that polynomials have one form; circuits would only
//! grow by that, so it is for those who compare terms.
//!
//! The checker of evidence trusts this file, the one rewriting that it does trust.

use std::collections::BTreeMap;

use base::FastMap;

use crate::tuning::Tuning;
use crate::{Op, SortKind, Term, Terms};

mod contradict;
mod exact;
mod solve;

pub use contradict::contradict;
pub use exact::exact;
pub use solve::{Solved, solve};

/// Coefficients by term, and the constant.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
struct Sum {
    parts: BTreeMap<Term, u64>,
    constant: u64,
}

/// What is done with products of two or more unknowns.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Products {
    /// They stay as they are.
    #[default]
    Whole,
    /// They are multiplied out where the result is small.
    Expanded,
}

/// The formulas with all their sums in order: each equivalent to the one it was.
pub fn in_order(terms: &mut Terms, formulas: &[Term], products: Products) -> Vec<Term> {
    let mut order = Order::new(products);
    formulas.iter().map(|&formula| order.apply(terms, formula)).collect()
}

/// Brings sums in order and remembers what it has done.
#[derive(Clone, Debug, Default)]
pub struct Order {
    products: Products,
    done: FastMap<Term, Term>,
}

impl Order {
    /// Nothing done yet.
    pub fn new(products: Products) -> Self {
        Order { products, done: FastMap::new() }
    }
    /// A term that has the same value and its sums in order.
    pub fn apply(&mut self, terms: &mut Terms, term: Term) -> Term {
        for old in terms.subterms_until(&[term], |term| self.done.contains_key(&term)) {
            let args: Vec<Term> = terms.args(old).iter().map(|arg| self.done[arg]).collect();
            let new =
                match (terms.op(old), args.last().and_then(|&arg| narrow(terms, arg))) {
                    (Op::BvAdd | Op::BvSub | Op::BvNeg | Op::BvMul, Some(width)) => {
                        let rebuilt = terms.rebuild(old, &args);
                        let sum = read(terms, rebuilt, width, self.products);
                        write(terms, sum, width, self.products)
                    }
                    (Op::Ite, _) if is_truth(terms, args[0]) || args[1] == args[2] => {
                        if terms.op(args[0]) == Op::False { args[2] } else { args[1] }
                    }
                    (Op::Ite, Some(width)) => choice(terms, args[0], args[1], args[2], width, self.products),
                    (Op::Eq, Some(width)) if args.len() == 2 => {
                        let equation = equation(terms, args[0], args[1], width, self.products);
                        decided(terms, equation)
                    }
                    (op @ (Op::Or | Op::And), _) if args.iter().any(|&arg| is_truth(terms, arg)) => {
                        joined(terms, op, &args)
                    }
                    (Op::Not, _) if is_truth(terms, args[0]) => terms.truth(terms.op(args[0]) == Op::False),
                    (Op::Not, _) if terms.op(args[0]) == Op::Not => terms.arg(args[0], 0),
                    _ => terms.rebuild(old, &args),
                };
            self.done.insert(old, new);
        }
        self.done[&term]
    }
}

/// Whether it is a product of unknowns.
pub fn is_product(terms: &Terms, part: Term) -> bool {
    terms.op(part) == Op::BvMul && terms.args(part).iter().all(|&arg| !terms.is_value(arg))
}

fn is_truth(terms: &Terms, formula: Term) -> bool {
    matches!(terms.op(formula), Op::True | Op::False)
}

/// A disjunction or conjunction some of whose parts are known.
fn joined(terms: &mut Terms, op: Op, args: &[Term]) -> Term {
    let (strong, weak) = if op == Op::Or { (Op::True, Op::False) } else { (Op::False, Op::True) };
    if args.iter().any(|&arg| terms.op(arg) == strong) {
        return terms.truth(op == Op::Or);
    }
    let open: Vec<Term> = args.iter().copied().filter(|&arg| terms.op(arg) != weak).collect();
    match open[..] {
        [] => terms.truth(op == Op::And),
        [only] => only,
        _ => terms.make(op, &open),
    }
}

/// What an equation comes to whose sides are the same, or constants, or a constant and a choice between two of them, as C has
/// it: `(a < b ? 1 : 0) == 0` says `!(a < b)`.
fn decided(terms: &mut Terms, equation: Term) -> Term {
    let (Op::Eq, &[left, right]) = (terms.op(equation), terms.args(equation)) else { return equation };
    if left == right {
        return terms.truth(true);
    }
    let (value, other) = match (terms.small_value(left), terms.small_value(right)) {
        (Some(left), Some(right)) => return terms.truth(left == right),
        (Some(value), None) => (value, right),
        (None, Some(value)) => (value, left),
        (None, None) => return equation,
    };
    let (Op::Ite, &[condition, then, otherwise]) = (terms.op(other), terms.args(other)) else { return equation };
    match (terms.small_value(then), terms.small_value(otherwise)) {
        (Some(then), Some(otherwise)) => match (then == value, otherwise == value) {
            (true, true) => terms.truth(true),
            (true, false) => condition,
            (false, true) if terms.op(condition) == Op::Not => terms.arg(condition, 0),
            (false, true) => terms.not(condition),
            (false, false) => terms.truth(false),
        },
        _ => equation,
    }
}

/// The inverse of an odd number modulo 2^64, by Newton's iteration: each step doubles the bits that are right.
pub fn inverse(odd: u64) -> u64 {
    let mut inverse = odd;
    for _ in 0..5 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
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

impl Sum {
    fn add_part(&mut self, part: Term, factor: u64, width: u32) {
        let here = self.parts.entry(part).or_insert(0);
        *here = cut(here.wrapping_add(factor), width);
    }
    /// Adds the other sum, multiplied by the factor.
    fn add(&mut self, other: &Sum, factor: u64, width: u32) {
        self.constant = cut(self.constant.wrapping_add(other.constant.wrapping_mul(factor)), width);
        for (&part, &coefficient) in &other.parts {
            let here = self.parts.entry(part).or_insert(0);
            *here = cut(here.wrapping_add(coefficient.wrapping_mul(factor)), width);
        }
        self.parts.retain(|_, coefficient| *coefficient != 0);
    }
    /// Takes what both have with the same coefficient out of them.
    fn take_common(&mut self, other: &mut Sum) -> Sum {
        let is_common = |(part, coefficient): (&Term, &u64)| other.parts.get(part) == Some(coefficient);
        let common: BTreeMap<Term, u64> = self
            .parts
            .iter()
            .filter(|&(part, coefficient)| is_common((part, coefficient)))
            .map(|(&t, &k)| (t, k))
            .collect();
        self.parts.retain(|part, _| !common.contains_key(part));
        other.parts.retain(|part, _| !common.contains_key(part));
        Sum { parts: common, constant: 0 }
    }
}

/// A choice between words, with what its arms have in common outside.
fn choice(terms: &mut Terms, condition: Term, then: Term, otherwise: Term, width: u32, products: Products) -> Term {
    let (mut a, mut b) = (read(terms, then, width, products), read(terms, otherwise, width, products));
    if a.parts.len().max(b.parts.len()) > Tuning::DEFAULT.max_parts {
        return terms.make(Op::Ite, &[condition, then, otherwise]);
    }
    let mut sum = a.take_common(&mut b);
    if sum.parts.is_empty() {
        return terms.make(Op::Ite, &[condition, then, otherwise]);
    }
    sum.add(&chosen(terms, condition, a, b, width, products), 1, width);
    write(terms, sum, width, products)
}

/// The choice between two sums that have nothing in common; the constant of the second comes out as well, so that
/// `x + ite(c, 5, 4)` and `x + 4 + ite(c, 1, 0)` are one.
fn chosen(terms: &mut Terms, condition: Term, mut a: Sum, mut b: Sum, width: u32, products: Products) -> Sum {
    let constant = b.constant;
    b.constant = 0;
    a.constant = cut(a.constant.wrapping_sub(constant), width);
    if a == b {
        a.constant = cut(a.constant.wrapping_add(constant), width);
        return a;
    }
    let (a, b) = (write(terms, a, width, products), write(terms, b, width, products));
    let choice = terms.make(Op::Ite, &[condition, a, b]);
    let mut sum = read(terms, choice, width, products);
    sum.constant = cut(sum.constant.wrapping_add(constant), width);
    sum
}

/// Takes a sum apart.
fn read(terms: &mut Terms, term: Term, width: u32, products: Products) -> Sum {
    read_within(terms, term, width, products, 0)
}

fn read_within(terms: &mut Terms, term: Term, width: u32, products: Products, depth: usize) -> Sum {
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
            Op::BvMul if products == Products::Expanded && depth < Tuning::DEFAULT.max_product_depth => {
                match product(terms, term, width, depth) {
                    Some(expanded) => sum.add(&expanded, factor, width),
                    None => sum.add_part(term, factor, width),
                }
            }
            _ => sum.add_part(term, factor, width),
        }
    }
    sum.parts.retain(|_, coefficient| *coefficient != 0);
    sum
}

/// The product multiplied out, unless that is too much.
fn product(terms: &mut Terms, term: Term, width: u32, depth: usize) -> Option<Sum> {
    let mut result: BTreeMap<Vec<Term>, u64> = BTreeMap::from([(Vec::new(), 1)]);
    for factor in factors(terms, term) {
        let sum = match terms.op(factor) {
            Op::BvAdd | Op::BvSub | Op::BvNeg => read_within(terms, factor, width, Products::Expanded, depth + 1),
            _ => {
                let mut single = Sum::default();
                match terms.small_value(factor) {
                    Some(value) => single.constant = value,
                    None => single.add_part(factor, 1, width),
                }
                single
            }
        };
        if result.len() * (sum.parts.len() + 1) > Tuning::DEFAULT.max_product_terms {
            return None;
        }
        let parts: Vec<(Vec<Term>, u64)> = sum
            .parts
            .iter()
            .map(|(&part, &coefficient)| (factors(terms, part), coefficient))
            .chain((sum.constant != 0).then(|| (Vec::new(), sum.constant)))
            .collect();
        let mut next: BTreeMap<Vec<Term>, u64> = BTreeMap::new();
        for (left, left_coefficient) in &result {
            for (right, right_coefficient) in &parts {
                let mut monomial = [left.as_slice(), right].concat();
                if monomial.len() > Tuning::DEFAULT.max_product_degree {
                    return None;
                }
                monomial.sort_unstable();
                let entry = next.entry(monomial).or_insert(0);
                *entry = cut(entry.wrapping_add(left_coefficient.wrapping_mul(*right_coefficient)), width);
            }
        }
        result = next;
    }
    let mut sum = Sum::default();
    for (monomial, coefficient) in result {
        match monomial.split_first() {
            None => sum.constant = coefficient,
            Some((&first, others)) => {
                let whole = others.iter().fold(first, |whole, &factor| terms.make(Op::BvMul, &[whole, factor]));
                sum.add_part(whole, coefficient, width);
            }
        }
    }
    sum.parts.retain(|_, coefficient| *coefficient != 0);
    Some(sum)
}

/// What is multiplied; at most one factor more than we would ever multiply out.
fn factors(terms: &Terms, term: Term) -> Vec<Term> {
    let mut found = Vec::new();
    let mut open = vec![term];
    while let Some(term) = open.pop() {
        if terms.op(term) == Op::BvMul && found.len() + open.len() <= Tuning::DEFAULT.max_product_degree {
            open.extend_from_slice(terms.args(term));
        } else {
            found.push(term);
        }
    }
    found
}

/// Adds choices with one condition arm by arm.
fn merge_choices(terms: &mut Terms, sum: &mut Sum, width: u32, products: Products) {
    if sum.parts.len() > Tuning::DEFAULT.max_parts {
        return;
    }
    // Each round leaves fewer choices at the top, or shallower ones; the bound is for the unforeseen.
    for _ in 0..Tuning::DEFAULT.max_parts {
        let mut seen: FastMap<Term, ()> = FastMap::new();
        let mut conditions =
            sum.parts.keys().filter(|&&part| terms.op(part) == Op::Ite).map(|&part| terms.arg(part, 0));
        let Some(condition) = conditions.find(|&condition| seen.insert(condition, ()).is_some()) else {
            break;
        };
        let is_one = |part: &Term| terms.op(*part) == Op::Ite && terms.arg(*part, 0) == condition;
        let together: Vec<(Term, u64)> =
            sum.parts.iter().filter(|(part, _)| is_one(part)).map(|(&part, &factor)| (part, factor)).collect();
        let (mut a, mut b) = (Sum::default(), Sum::default());
        for &(part, factor) in &together {
            sum.parts.remove(&part);
            let (then, otherwise) = (terms.arg(part, 1), terms.arg(part, 2));
            a.add(&read(terms, then, width, products), factor, width);
            b.add(&read(terms, otherwise, width, products), factor, width);
        }
        let common = a.take_common(&mut b);
        sum.add(&common, 1, width);
        sum.add(&chosen(terms, condition, a, b, width, products), 1, width);
    }
}

/// Puts a sum together, the constant last.
fn write(terms: &mut Terms, mut sum: Sum, width: u32, products: Products) -> Term {
    merge_choices(terms, &mut sum, width, products);
    plain(terms, sum.parts, sum.constant, width)
}

fn plain(terms: &mut Terms, parts: BTreeMap<Term, u64>, constant: u64, width: u32) -> Term {
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

/// What the left has more than the right.
fn difference(terms: &mut Terms, left: Term, right: Term, width: u32, products: Products) -> Sum {
    let mut sum = read(terms, left, width, products);
    let right = read(terms, right, width, products);
    sum.add(&right, u64::MAX, width);
    merge_choices(terms, &mut sum, width, products);
    sum
}

/// Two words are equal: what has a coefficient in the upper half goes to the right, as does the constant.
fn equation(terms: &mut Terms, left: Term, right: Term, width: u32, products: Products) -> Term {
    let is_sum = |term: Term| matches!(terms.op(term), Op::BvAdd | Op::BvSub | Op::BvNeg | Op::BvMul);
    if !is_sum(left) && !is_sum(right) {
        return terms.eq(left, right);
    }
    let mut sum = difference(terms, left, right, width, products);
    let negated = |coefficient: u64| cut(coefficient.wrapping_neg(), width);
    // Of an equation and its negative we take the one whose first term is on the left.
    if sum.parts.values().next().is_some_and(|&first| negated(first) < first) {
        sum.parts.values_mut().for_each(|coefficient| *coefficient = negated(*coefficient));
        sum.constant = negated(sum.constant);
    }
    let (left, mut right): (BTreeMap<Term, u64>, BTreeMap<Term, u64>) =
        sum.parts.into_iter().partition(|&(_, coefficient)| coefficient <= negated(coefficient));
    right.values_mut().for_each(|coefficient| *coefficient = negated(*coefficient));
    let (left, right) = (plain(terms, left, 0, width), plain(terms, right, negated(sum.constant), width));
    terms.eq(left, right)
}

#[cfg(test)]
mod tests {
    use base::{Bits, Random};

    use super::*;
    use crate::eval::eval;
    use crate::{Symbol, Value};

    fn random_sum(random: &mut Random, terms: &mut Terms, words: &[Term], width: u32, depth: u32) -> Term {
        if depth == 0 || random.one_in(6) {
            return if random.one_in(3) { terms.bv(width, random.bits()) } else { *random.pick(words) };
        }
        let left = random_sum(random, terms, words, width, depth - 1);
        let right = random_sum(random, terms, words, width, depth - 1);
        match random.below(9) {
            0 | 1 => terms.make(Op::BvAdd, &[left, right]),
            6..=8 => {
                let (a, b) = (*random.pick(words), *random.pick(words));
                let condition = terms.make(Op::BvUlt, &[a, b]);
                let then = if random.one_in(2) { terms.make(Op::BvAdd, &[right, left]) } else { right };
                terms.make(Op::Ite, &[condition, left, then])
            }
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
            let mut terms = if random.one_in(2) { Terms::new() } else { Terms::without_simplification() };
            let width = [1, 2, 3, 8, 32, 63, 64][round % 7];
            let sort = terms.bv_sort(width);
            let words: Vec<Term> = ["a", "b", "c"].iter().map(|name| terms.variable(name, sort)).collect();
            let left = random_sum(&mut random, &mut terms, &words, width, 4);
            let right = if random.one_in(4) { left } else { random_sum(&mut random, &mut terms, &words, width, 2) };
            let formulas = [terms.eq(left, right), terms.make(Op::BvUlt, &[left, right])];
            let products = if random.one_in(2) { Products::Whole } else { Products::Expanded };
            let ordered = in_order(&mut terms, &formulas, products);
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
        let ordered = in_order(&mut terms, &[before, after], Products::Whole);
        assert_eq!(ordered[0], ordered[1]);
    }

    #[test]
    fn branches_that_share_the_work_add_up() {
        let mut terms = Terms::without_simplification();
        let sort = terms.bv_sort(32);
        let [i, j] = ["i", "j"].map(|name| terms.variable(name, sort));
        let condition = terms.make(Op::BvUlt, &[i, j]);
        let one = terms.bv(32, 1);
        let [more_i, more_j] = [i, j].map(|word| terms.make(Op::BvAdd, &[word, one]));
        let i_after = terms.make(Op::Ite, &[condition, more_i, i]);
        let j_after = terms.make(Op::Ite, &[condition, j, more_j]);
        let after = terms.make(Op::BvAdd, &[i_after, j_after]);
        let expected = terms.make(Op::BvAdd, &[i, j]);
        let expected = terms.make(Op::BvAdd, &[expected, one]);
        let [after, expected] = [after, expected].map(|sum| in_order(&mut terms, &[sum], Products::Whole));
        assert_eq!(after, expected);
    }

    #[test]
    fn polynomials_have_one_form() {
        let mut terms = Terms::without_simplification();
        let sort = terms.bv_sort(32);
        let [x, y] = ["x", "y"].map(|name| terms.variable(name, sort));
        let two = terms.bv(32, 2);
        // (x + y) * (x + y) and x * (x + 2 * y) + y * y.
        let sum = terms.make(Op::BvAdd, &[x, y]);
        let square = terms.make(Op::BvMul, &[sum, sum]);
        let twice = terms.make(Op::BvMul, &[two, y]);
        let inner = terms.make(Op::BvAdd, &[x, twice]);
        let (left, right) = (terms.make(Op::BvMul, &[x, inner]), terms.make(Op::BvMul, &[y, y]));
        let other = terms.make(Op::BvAdd, &[left, right]);
        assert_eq!(
            in_order(&mut terms, &[square], Products::Expanded),
            in_order(&mut terms, &[other], Products::Expanded)
        );
        assert_ne!(in_order(&mut terms, &[square], Products::Whole), in_order(&mut terms, &[other], Products::Whole));
    }

    #[test]
    fn products_nested_without_end_stay_as_they_are() {
        let mut terms = Terms::without_simplification();
        let sort = terms.bv_sort(32);
        let x = terms.variable("x", sort);
        let one = terms.bv(32, 1);
        let mut nested = x;
        for _ in 0..20_000 {
            let sum = terms.make(Op::BvAdd, &[nested, one]);
            nested = terms.make(Op::BvMul, &[x, sum]);
        }
        in_order(&mut terms, &[nested], Products::Expanded);
    }
}
