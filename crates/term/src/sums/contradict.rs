//! Contradictions between polynomials: `p*s = r*q + 1` leaves no room for `(p - q)*s != (r - s)*q + 1`.
//!
//! Equations that determine a symbol are solved (see `solve`). Each of the others is a rule: its greatest product that has an
//! odd coefficient may be replaced by the rest, as in the division of polynomials by a basis [Buchberger'65]. What an
//! equation denies is refuted if it becomes zero that way. Products are compared by their number of factors first, so
//! that rules mostly end by themselves; they are stopped otherwise. Where words are chosen by a condition, both cases are looked at, and so are those of disjunctions.
//!
//! The checker of evidence trusts this file too: circuits of products are too hard a question.

use std::collections::BTreeMap;

use base::FastMap;

use super::{Products, difference, factors, inverse, narrow, solve};
use crate::tuning::Tuning;
use crate::{Op, Term, Terms};

/// Whether polynomials alone show that not all of these formulas can hold. At most `cases` of the cases that choices and disjunctions make
/// are examined; those that are not used remain in `cases`.
pub fn contradict(terms: &mut Terms, formulas: &[Term], cases: &mut usize) -> bool {
    // What is known comes first, what is to be refuted last; and that often has cases.
    let last_first: Vec<Term> = formulas.iter().rev().copied().collect();
    in_each_case(
        terms,
        &last_first,
        Tuning::DEFAULT.max_decided_conditions,
        Tuning::DEFAULT.max_decided_disjunctions,
        cases,
    )
}

fn in_each_case(terms: &mut Terms, formulas: &[Term], conditions: usize, choices: usize, left: &mut usize) -> bool {
    if *left == 0 {
        return false;
    }
    *left -= 1;
    let rest = solve(terms, formulas, Products::Expanded).rest;
    if is_refuted(terms, &rest) {
        return true;
    }
    if let Some(condition) = condition(terms, &rest).filter(|_| conditions > 0) {
        return [true, false].into_iter().all(|value| {
            let case = decided(terms, &rest, condition, value);
            in_each_case(terms, &case, conditions - 1, choices, left)
        });
    }
    let places: Vec<usize> = (0..rest.len()).filter(|&at| !cases(terms, rest[at]).is_empty()).collect();
    choices > 0
        && places.into_iter().take(Tuning::DEFAULT.max_disjunctions).any(|at| {
            cases(terms, rest[at]).into_iter().all(|(part, is_denied)| {
                let mut case = rest.clone();
                case[at] = if is_denied { terms.not(part) } else { part };
                in_each_case(terms, &case, conditions, choices - 1, left)
            })
        })
}

/// The cases of a disjunction, or of a conjunction that is denied: one of these holds, or is denied.
fn cases(terms: &Terms, formula: Term) -> Vec<(Term, bool)> {
    let (inner, is_denied) = match terms.op(formula) {
        Op::Not => (terms.arg(formula, 0), true),
        _ => (formula, false),
    };
    match (terms.op(inner), is_denied) {
        (Op::Or, false) | (Op::And, true) => terms.args(inner).iter().map(|&part| (part, is_denied)).collect(),
        _ => Vec::new(),
    }
}

/// An equation, or one that is denied: its sides, and the latter.
fn sides(terms: &Terms, formula: Term) -> Option<(Term, Term, bool)> {
    let (equation, is_denied) = match terms.op(formula) {
        Op::Not => (terms.arg(formula, 0), true),
        _ => (formula, false),
    };
    match terms.args(equation) {
        &[left, right] if terms.op(equation) == Op::Eq && narrow(terms, left).is_some() => {
            Some((left, right, is_denied))
        }
        _ => None,
    }
}

/// A condition by which words of some equation are chosen; one that has no choices in itself.
fn condition(terms: &Terms, formulas: &[Term]) -> Option<Term> {
    let roots: Vec<Term> =
        formulas.iter().filter_map(|&formula| sides(terms, formula)).flat_map(|(a, b, _)| [a, b]).collect();
    let parts = terms.subterms(&roots);
    parts.into_iter().find(|&part| terms.op(part) == Op::Ite).map(|part| terms.arg(part, 0))
}

/// The formulas if the condition has this value, which is one of them then.
fn decided(terms: &mut Terms, formulas: &[Term], condition: Term, value: bool) -> Vec<Term> {
    let mut done: FastMap<Term, Term> = FastMap::new();
    for old in terms.subterms(formulas) {
        let args: Vec<Term> = terms.args(old).iter().map(|arg| done[arg]).collect();
        let is_choice = terms.op(old) == Op::Ite && terms.arg(old, 0) == condition;
        let new = match (is_choice, value) {
            (true, true) => args[1],
            (true, false) => args[2],
            _ if old == condition => terms.truth(value),
            _ => terms.rebuild(old, &args),
        };
        done.insert(old, new);
    }
    let mut decided: Vec<Term> = formulas.iter().map(|formula| done[formula]).collect();
    decided.push(if value { condition } else { terms.not(condition) });
    decided
}

/// By products of terms, in the order of the number of factors: their coefficients.
type Polynomial = BTreeMap<(usize, Vec<Term>), u64>;

/// A product that may be replaced, and by what.
struct Rule {
    product: Vec<Term>,
    by: Polynomial,
}

fn is_refuted(terms: &mut Terms, formulas: &[Term]) -> bool {
    let no = terms.truth(false);
    let is_denied = |&formula: &Term| terms.op(formula) == Op::Not && formulas.contains(&terms.arg(formula, 0));
    if formulas.contains(&no) || formulas.iter().any(is_denied) {
        return true;
    }
    let mut equations: Vec<(u32, Polynomial)> = Vec::new();
    let mut denied: Vec<(u32, Polynomial)> = Vec::new();
    for &formula in formulas {
        let Some((left, right, is_denied)) = sides(terms, formula) else { continue };
        let Some(width) = narrow(terms, left) else { continue };
        let polynomial = polynomial(terms, left, right, width);
        if is_denied {
            denied.push((width, polynomial));
        } else if polynomial.len() <= Tuning::DEFAULT.max_rule_terms && equations.len() < Tuning::DEFAULT.max_rules {
            equations.push((width, polynomial));
        }
    }
    // Simple ones first: they make the others simpler.
    equations.sort_by_key(|(_, polynomial)| polynomial.keys().next_back().map_or(0, |&(degree, _)| degree));
    let mut rules: Vec<(u32, Rule)> = Vec::new();
    for (width, mut polynomial) in equations {
        if reduce(&mut polynomial, &rules, width) {
            rules.extend(rule(polynomial, width).map(|rule| (width, rule)));
        }
    }
    denied.into_iter().any(|(width, mut polynomial)| reduce(&mut polynomial, &rules, width) && polynomial.is_empty())
}

fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// What the left has more than the right, multiplied out.
fn polynomial(terms: &mut Terms, left: Term, right: Term, width: u32) -> Polynomial {
    let sum = difference(terms, left, right, width, Products::Expanded);
    let mut polynomial = Polynomial::new();
    for (&part, &coefficient) in &sum.parts {
        let mut product = factors(terms, part);
        product.sort_unstable();
        add(&mut polynomial, product, coefficient, width);
    }
    add(&mut polynomial, Vec::new(), sum.constant, width);
    polynomial
}

fn add(polynomial: &mut Polynomial, product: Vec<Term>, coefficient: u64, width: u32) {
    let key = (product.len(), product);
    let sum = polynomial.get(&key).copied().unwrap_or(0).wrapping_add(coefficient) & mask(width);
    match sum {
        0 => polynomial.remove(&key),
        _ => polynomial.insert(key, sum),
    };
}

/// The rule that an equation with zero makes, if some product has an odd coefficient, which can be divided by.
fn rule(mut polynomial: Polynomial, width: u32) -> Option<Rule> {
    let is_odd = |&(&(degree, _), &coefficient): &(&(usize, Vec<Term>), &u64)| degree > 0 && coefficient & 1 == 1;
    let (key, &coefficient) = polynomial.iter().rev().find(is_odd)?;
    let (factor, key) = (inverse(coefficient).wrapping_neg(), key.clone());
    polynomial.remove(&key);
    polynomial.values_mut().for_each(|coefficient| *coefficient = coefficient.wrapping_mul(factor) & mask(width));
    polynomial.retain(|_, coefficient| *coefficient != 0);
    Some(Rule { product: key.1, by: polynomial })
}

/// Uses rules, on the greatest products first, until none fits; whether that came to an end.
fn reduce(polynomial: &mut Polynomial, rules: &[(u32, Rule)], width: u32) -> bool {
    for _ in 0..Tuning::DEFAULT.max_rule_steps {
        let fitting = polynomial.iter().rev().find_map(|(key, &coefficient)| {
            let of_width = rules.iter().filter(|(other, _)| *other == width);
            let found = of_width.into_iter().find_map(|(_, rule)| Some((rule, without(&key.1, &rule.product)?)));
            found.map(|(rule, others)| (key.clone(), coefficient, rule, others))
        });
        let Some((key, coefficient, rule, others)) = fitting else { return true };
        polynomial.remove(&key);
        for ((_, part), factor) in &rule.by {
            let mut product = [others.as_slice(), part].concat();
            product.sort_unstable();
            add(polynomial, product, factor.wrapping_mul(coefficient), width);
        }
        if polynomial.len() > 4 * Tuning::DEFAULT.max_rule_terms {
            return false;
        }
    }
    false
}

/// The product divided by the other, both in order.
fn without(product: &[Term], other: &[Term]) -> Option<Vec<Term>> {
    let mut rest = Vec::new();
    let mut wanted = other.iter().peekable();
    for factor in product {
        match wanted.next_if_eq(&factor) {
            Some(_) => {}
            None => rest.push(*factor),
        }
    }
    wanted.peek().is_none().then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Symbol, Value, eval};
    use base::{Bits, Random};

    fn random_word(random: &mut Random, terms: &mut Terms, words: &[Term], depth: u32) -> Term {
        if depth == 0 || random.one_in(5) {
            return if random.one_in(4) { terms.bv(3, random.below(8)) } else { *random.pick(words) };
        }
        let left = random_word(random, terms, words, depth - 1);
        let right = random_word(random, terms, words, depth - 1);
        match random.below(8) {
            0..=2 => terms.make(Op::BvMul, &[left, right]),
            3 | 4 => terms.make(Op::BvAdd, &[left, right]),
            5 => terms.make(Op::BvSub, &[left, right]),
            6 => terms.make(Op::BvSdiv, &[left, right]),
            _ => {
                let (a, b) = (*random.pick(words), *random.pick(words));
                let condition = terms.make(Op::BvSlt, &[a, b]);
                terms.make(Op::Ite, &[condition, left, right])
            }
        }
    }

    #[test]
    fn what_is_refuted_has_no_model() {
        let mut random = Random::new(17);
        let mut n_refuted = 0;
        for round in 0..6000 {
            let mut terms = if round % 2 == 0 { Terms::new() } else { Terms::without_simplification() };
            let sort = terms.bv_sort(3);
            let words = ["x", "y", "z"].map(|name| terms.variable(name, sort));
            let mut pairs: Vec<[Term; 2]> = Vec::new();
            for _ in 0..2 + random.below(3) {
                pairs.push([0, 1].map(|_| random_word(&mut random, &mut terms, &words, 2)));
            }
            // What is denied is a combination of the others, sometimes a wrong one.
            let goal = pairs.pop().expect("there are two");
            let factor = random_word(&mut random, &mut terms, &words, 1);
            let mut sides = [goal[0], goal[0]];
            for pair in &pairs {
                for (side, &part) in sides.iter_mut().zip(pair) {
                    let product = terms.make(Op::BvMul, &[factor, part]);
                    *side = terms.make(Op::BvAdd, &[*side, product]);
                }
            }
            if random.one_in(3) {
                sides[1] = goal[1];
            }
            let mut formulas: Vec<Term> = pairs.iter().map(|pair| terms.make(Op::Eq, pair)).collect();
            let equal = terms.make(Op::Eq, &sides);
            formulas.push(terms.not(equal));
            if random.one_in(3) {
                let other = terms.make(Op::Eq, &goal);
                formulas[0] = terms.make(Op::Or, &[formulas[0], other]);
            }
            if !contradict(&mut terms, &formulas, &mut 50) {
                continue;
            }
            n_refuted += 1;
            for values in 0..512u64 {
                let of = |symbol: Symbol| {
                    let at = words.iter().position(|&word| terms.op(word) == Op::Symbol(symbol)).expect("a word");
                    Value::Bits(Bits::from_u64(3, values >> (3 * at) & 7))
                };
                let holds = |term: Term| {
                    eval(&terms, term, |symbol, _| Some(of(symbol))).expect("all has a value") == Value::Bool(true)
                };
                let show = || formulas.iter().map(|&formula| terms.to_smtlib(formula)).collect::<Vec<String>>();
                assert!(!formulas.iter().all(|&formula| holds(formula)), "{:?} for {values:o}", show());
            }
        }
        assert!(n_refuted > 500, "{n_refuted}");
    }

    #[test]
    fn a_step_of_the_extended_algorithm_of_euclid_keeps_its_equation() {
        let mut terms = Terms::without_simplification();
        let sort = terms.bv_sort(64);
        let [a, b, p, q, r, s] = ["a", "b", "p", "q", "r", "s"].map(|name| terms.variable(name, sort));
        let one = terms.bv(64, 1);
        // p*s - r*q = 1, and the step goes one way or the other.
        let (left, right) = (terms.make(Op::BvMul, &[p, s]), terms.make(Op::BvMul, &[r, q]));
        let difference = terms.make(Op::BvSub, &[left, right]);
        let invariant = terms.eq(difference, one);
        let less = terms.make(Op::BvSlt, &[b, a]);
        let step = |terms: &mut Terms, word: Term, other: Term, is_first: bool| {
            let less_word = terms.make(Op::BvSub, &[word, other]);
            let arms = if is_first { [less_word, word] } else { [word, less_word] };
            terms.make(Op::Ite, &[less, arms[0], arms[1]])
        };
        let (p2, r2) = (step(&mut terms, p, q, true), step(&mut terms, r, s, true));
        let (q2, s2) = (step(&mut terms, q, p, false), step(&mut terms, s, r, false));
        let (left, right) = (terms.make(Op::BvMul, &[p2, s2]), terms.make(Op::BvMul, &[r2, q2]));
        let difference = terms.make(Op::BvSub, &[left, right]);
        let goal = terms.eq(difference, one);
        let denied = terms.not(goal);
        assert!(contradict(&mut terms, &[invariant, denied], &mut 10));
        // Without the equation, or with another constant, nothing follows.
        let two = terms.bv(64, 2);
        let other = terms.eq(difference, two);
        let denied_other = terms.not(other);
        assert!(!contradict(&mut terms, &[denied], &mut 10));
        assert!(!contradict(&mut terms, &[invariant, denied_other], &mut 10));
    }
}
