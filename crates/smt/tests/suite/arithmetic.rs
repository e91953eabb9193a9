//! Words that are equal as polynomials, at widths where bit-blasted multiplication is infeasible.

use base::{Budget, Random};
use smt::{Answer, Query, Solver};
use term::{Evaluator, Term, Terms, Value};

fn has_model(terms: &Terms, formula: Term, ticks: u64) -> Option<bool> {
    let mut solver = Solver::new();
    match solver.check(terms, &Query::assuming(&[formula]), &Budget::default().part(ticks)) {
        Ok(Answer::Sat(mut model)) => {
            assert!(model.is_true(formula));
            Some(true)
        }
        Ok(Answer::Unsat(_)) => Some(false),
        _ => None,
    }
}

#[test]
fn laws_of_sums_and_products_need_no_search() {
    for width in [7, 16, 32, 64, 128] {
        let mut terms = Terms::without_simplification();
        let sort = terms.bv_sort(width);
        let [x, y, z] = ["x", "y", "z"].map(|name| terms.variable(name, sort));
        let (sum, product) = (terms.bv_add(y, z), terms.bv_mul(y, z));
        let (xy, xz, xx, yy) = (terms.bv_mul(x, y), terms.bv_mul(x, z), terms.bv_mul(x, x), terms.bv_mul(y, y));
        let both = terms.bv_add(x, y);
        let (two, one) = (terms.bv(width, 2), terms.bv(width, 1));
        let twice = terms.bv_mul(two, xy);
        let squares = terms.bv_add(xx, yy);
        let (complement, negated) = (terms.bv_not(x), terms.bv_neg(y));
        let laws = [
            (terms.bv_mul(x, sum), terms.bv_add(xy, xz)),
            (terms.bv_mul(x, product), terms.bv_mul(xy, z)),
            (terms.bv_mul(both, both), terms.bv_add(squares, twice)),
            (terms.bv_shl(x, one), terms.bv_add(x, x)),
            (terms.bv_neg(x), terms.bv_add(complement, one)),
            (terms.bv_mul(x, negated), terms.bv_neg(xy)),
        ];
        let f = terms.declare("f", &[sort], sort).unwrap();
        for (left, right) in laws {
            let wrong = terms.ne(left, right);
            assert_eq!(has_model(&terms, wrong, 200_000), Some(false), "{width} bits");
            let images = [left, right].map(|side| terms.apply(f, &[side]));
            let wrong = terms.ne(images[0], images[1]);
            assert_eq!(has_model(&terms, wrong, 2_000_000), Some(false), "{width} bits, inside a function");
            let next = terms.bv_add(right, one);
            let wrong = terms.eq(left, next);
            assert_eq!(has_model(&terms, wrong, 200_000), Some(false), "{width} bits, off by one");
        }
        // What both sides have cancels: only the product with z is left.
        let (left, w) = (terms.bv_mul(x, sum), terms.variable("w", sort));
        let right = terms.bv_add(xy, w);
        let (equal, is_one, small) = (terms.eq(left, right), terms.eq(x, one), terms.eq(w, z));
        let other = terms.not(small);
        let wrong = terms.and(&[equal, is_one, other]);
        assert_eq!(has_model(&terms, wrong, 2_000_000), Some(false), "{width} bits, cancelling");
    }
}

/// A random sum of products.
fn arithmetic(terms: &mut Terms, random: &mut Random, variables: &[Term], depth: u32) -> Term {
    let width = terms.width(variables[0]);
    if depth == 0 || random.one_in(6) {
        return if random.one_in(4) { terms.bv(width, random.bits()) } else { *random.pick(variables) };
    }
    let mut part = || arithmetic(terms, random, variables, depth - 1);
    let (a, b) = (part(), part());
    match random.below(9) {
        0 | 1 => terms.bv_add(a, b),
        2 => terms.bv_sub(a, b),
        3 | 4 => terms.bv_mul(a, b),
        5 => terms.bv_neg(a),
        6 => terms.bv_not(a),
        7 => {
            let amount = terms.bv(width, random.below(u64::from(width) + 1));
            terms.bv_shl(a, amount)
        }
        _ => terms.bv_xor(a, b),
    }
}

#[test]
fn equations_of_random_sums_agree_with_brute_force() {
    let (mut sat, mut unsat) = (0, 0);
    for seed in 0..700 {
        let mut random = Random::new(seed);
        let mut terms = if random.one_in(2) { Terms::new() } else { Terms::without_simplification() };
        let width = 1 + random.below(3) as u32;
        let sort = terms.bv_sort(width);
        let names = ["x", "y", "z"];
        let variables = names.map(|name| terms.variable(name, sort));
        let mut solver = Solver::new();
        if random.one_in(2) {
            solver.always_within_cone();
        }
        // Sums that were built before give their words to later ones.
        let literals: Vec<Term> = (0..4)
            .map(|_| {
                let (a, b) = (
                    arithmetic(&mut terms, &mut random, &variables, 4),
                    arithmetic(&mut terms, &mut random, &variables, 4),
                );
                match random.below(5) {
                    0 => terms.bv_ult(a, b),
                    1 | 2 => terms.ne(a, b),
                    _ => terms.eq(a, b),
                }
            })
            .collect();
        for count in 1..=literals.len() {
            let wanted = &literals[count.saturating_sub(2)..count];
            let expected = (0..1u64 << (3 * width)).any(|assignment| {
                let mut evaluator = Evaluator::new(|symbol, _: &[Value]| {
                    let at = names.iter().position(|name| terms.symbol_name(symbol) == *name)?;
                    Some(Value::Bits(base::Bits::from_u64(width, assignment >> (at as u32 * width))))
                });
                wanted.iter().all(|&literal| evaluator.eval(&terms, literal) == Ok(Value::Bool(true)))
            });
            match solver.check(&terms, &Query::assuming(wanted), &Budget::default()) {
                Ok(Answer::Sat(mut model)) => {
                    sat += 1;
                    assert!(expected, "seed {seed}");
                    assert!(wanted.iter().all(|&literal| model.is_true(literal)), "seed {seed}");
                }
                Ok(Answer::Unsat(_)) => {
                    unsat += 1;
                    assert!(!expected, "seed {seed}");
                }
                _ => panic!("seed {seed}: tiny equations are answered"),
            }
        }
    }
    assert!(sat > 300 && unsat > 300, "both answers are tried: {sat} and {unsat}");
}

#[test]
fn division_by_few_bits_is_division() {
    // Divisors that are literals, and divisors that have few bits and may be zero: all values of the dividend.
    for (width, bits) in [(6, 6), (6, 3), (6, 1), (5, 2)] {
        let mut terms = Terms::without_simplification();
        let sort = terms.bv_sort(width);
        let narrow = terms.bv_sort(bits);
        let (x, y) = (terms.variable("x", sort), terms.variable("y", narrow));
        let wide = terms.zero_extend_to(y, width);
        let quotient = terms.bv_udiv(x, wide);
        let rest = terms.bv_urem(x, wide);
        let mut solver = Solver::new();
        for (a, b) in (0..1u64 << width).flat_map(|a| (0..1u64 << bits).map(move |b| (a, b))) {
            let (dividend, divisor, literal) = (terms.bv(width, a), terms.bv(bits, b), terms.bv(width, b));
            let by_literal = [terms.bv_udiv(x, literal), terms.bv_urem(x, literal)];
            let mask = (1u64 << width) - 1;
            let expected = [a.checked_div(b).unwrap_or(mask), a.checked_rem(b).unwrap_or(a)];
            let mut right = Vec::new();
            for (term, expected) in [quotient, rest].into_iter().chain(by_literal).zip(expected.repeat(2)) {
                let expected = terms.bv(width, expected);
                right.push(terms.eq(term, expected));
            }
            let right = terms.and(&right);
            let given = [terms.eq(x, dividend), terms.eq(y, divisor), terms.not(right)];
            let answer = solver.check(&terms, &Query::assuming(&given), &Budget::default());
            assert!(matches!(answer, Ok(Answer::Unsat(_))), "{a} by {b}");
        }
    }
}
#[test]
fn remainders_by_a_literal_take_little_search() {
    let mut terms = Terms::new();
    let sort = terms.bv_sort(32);
    let (x, three, zero) = (terms.variable("x", sort), terms.bv(32, 3), terms.bv(32, 0));
    let rest = terms.bv_urem(x, three);
    let whole = terms.bv_sub(x, rest);
    let again = terms.bv_urem(whole, three);
    let wrong = terms.ne(again, zero);
    assert_eq!(has_model(&terms, wrong, 20_000_000), Some(false));
}
