//! Equations solved: what they determine is put in everywhere, so that what follows from them becomes an identity.
//!
//! An equation of sums (see the module above) determines a symbol that has an odd coefficient there. Two comparisons may
//! leave one value only, and then make an equation as well: a loop `while (i <= n) i++` ends with `n < i`, and
//! `i <= n + 1` was invariant.
//!
//! The checker of evidence trusts this file too.

use std::collections::BTreeMap;

use base::FastMap;

use super::{Order, Products, Sum, cut, difference, equation, in_order, inverse, narrow, write};
use crate::tuning::Tuning;
use crate::{Op, Substitution, Term, Terms};

/// What equations among formulas determine, those included that two bounds make: `i <= n + 1` and `n < i`.
#[derive(Debug)]
pub struct Solved {
    /// Symbols with their values, in which none of these symbols occurs.
    pub values: Vec<(Term, Term)>,
    /// The formulas without those equations, with the values put in and sums in order: there is a model of these if
    /// and only if there is one of all, and the values extend it.
    pub rest: Vec<Term>,
}

/// Solves equations of sums, one by one, for symbols that have an odd coefficient there.
///
/// Equations and comparisons are small, so each value found is put into those at once; the rest, which can be large, is
/// gone through once for all values, and again only if that makes new equations.
pub fn solve(terms: &mut Terms, formulas: &[Term], products: Products) -> Solved {
    let parts = terms.conjuncts(formulas);
    let mut solved = Solved { values: Vec::new(), rest: in_order(terms, &parts, products) };
    let mut implied: FastMap<Term, ()> = FastMap::new();
    loop {
        // Conditions that were hidden in choices may have become conjuncts.
        let (mut atoms, mut others): (Vec<Term>, Vec<Term>) =
            terms.conjuncts(&solved.rest).into_iter().partition(|&part| is_atom(terms, part));
        let fresh = solve_atoms(
            terms,
            &mut atoms,
            &mut implied,
            Tuning::DEFAULT.max_definitions - solved.values.len(),
            products,
        );
        let is_done = fresh.is_empty();
        if !is_done {
            let mut put_in = Substitution::new(terms, &fresh);
            let mut order = Order::new(products);
            let old_values = solved.values.iter_mut().map(|(_, value)| value);
            for term in others.iter_mut().chain(old_values) {
                let replaced = put_in.apply(terms, *term);
                *term = order.apply(terms, replaced);
            }
        }
        solved.values.extend(fresh);
        atoms.append(&mut others);
        solved.rest = atoms;
        if is_done {
            return solved;
        }
    }
}

/// Whether it is an equation or a comparison of words.
fn is_atom(terms: &Terms, formula: Term) -> bool {
    let is_equation = terms.op(formula) == Op::Eq && narrow(terms, terms.arg(formula, 0)).is_some();
    is_equation || comparison(terms, formula).is_some()
}

/// Takes definitions out of the equations, those included that two bounds make.
fn solve_atoms(
    terms: &mut Terms,
    atoms: &mut Vec<Term>,
    implied: &mut FastMap<Term, ()>,
    at_most: usize,
    products: Products,
) -> Vec<(Term, Term)> {
    let mut values: Vec<(Term, Term)> = Vec::new();
    let mut tried = 0;
    while values.len() < at_most {
        if tried == atoms.len() {
            let Some(equation) = squeezed(terms, atoms, implied, products) else { break };
            implied.insert(equation, ());
            atoms.push(equation);
        }
        let Some((symbol, value)) = definition(terms, atoms[tried], products) else {
            tried += 1;
            continue;
        };
        atoms.remove(tried);
        let mut put_in = Substitution::new(terms, &[(symbol, value)]);
        let mut order = Order::new(products);
        let old_values = values.iter_mut().map(|(_, value)| value);
        for term in atoms.iter_mut().chain(old_values) {
            let replaced = put_in.apply(terms, *term);
            *term = order.apply(terms, replaced);
        }
        values.push((symbol, value));
    }
    values
}

/// `low < high`, or `low <= high`.
#[derive(Clone, Copy)]
struct Comparison {
    signed: bool,
    strict: bool,
    low: Term,
    high: Term,
}

/// An equation that two comparisons leave no way around: what lies between `x` and `x + 1`, one of them excluded, is the
/// other; and `x < y < x + 2` leaves `x + 1`. Nothing wraps round on the way: something is less than `x + 1`, or greater than `x`.
fn squeezed(terms: &mut Terms, formulas: &[Term], known: &FastMap<Term, ()>, products: Products) -> Option<Term> {
    let comparisons: Vec<Comparison> = formulas
        .iter()
        .filter_map(|&formula| comparison(terms, formula))
        .take(Tuning::DEFAULT.max_compared_pairs)
        .collect();
    for first in &comparisons {
        for second in &comparisons {
            if first.high != second.low || first.signed != second.signed {
                continue;
            }
            let width = narrow(terms, first.low)?;
            let gap = difference(terms, second.high, first.low, width, products);
            let room = u64::from(first.strict) + u64::from(second.strict);
            if !gap.parts.is_empty() || gap.constant != room || width == 1 {
                continue;
            }
            let middle = match (first.strict, second.strict) {
                (false, _) => first.low,
                (true, false) => second.high,
                (true, true) => {
                    let one = terms.bv(width, 1);
                    terms.make(Op::BvAdd, &[first.low, one])
                }
            };
            let equation = equation(terms, first.high, middle, width, products);
            if terms.op(equation) != Op::True && !formulas.contains(&equation) && !known.contains_key(&equation) {
                return Some(equation);
            }
        }
    }
    None
}

fn comparison(terms: &Terms, formula: Term) -> Option<Comparison> {
    let (is_denied, atom) = match terms.op(formula) {
        Op::Not => (true, terms.arg(formula, 0)),
        _ => (false, formula),
    };
    let &[left, right] = terms.args(atom) else { return None };
    narrow(terms, left)?;
    let (signed, strict, low, high) = match terms.op(atom) {
        Op::BvUlt => (false, true, left, right),
        Op::BvUle => (false, false, left, right),
        Op::BvUgt => (false, true, right, left),
        Op::BvUge => (false, false, right, left),
        Op::BvSlt => (true, true, left, right),
        Op::BvSle => (true, false, left, right),
        Op::BvSgt => (true, true, right, left),
        Op::BvSge => (true, false, right, left),
        _ => return None,
    };
    Some(match is_denied {
        false => Comparison { signed, strict, low, high },
        true => Comparison { signed, strict: !strict, low: high, high: low },
    })
}

/// The symbol that the equation determines, and its value.
fn definition(terms: &mut Terms, formula: Term, products: Products) -> Option<(Term, Term)> {
    let (Op::Eq, &[left, right]) = (terms.op(formula), terms.args(formula)) else { return None };
    let width = narrow(terms, left)?;
    let sum = difference(terms, left, right, width, products);
    if sum.parts.len() > Tuning::DEFAULT.max_parts {
        return None;
    }
    let others_with = |terms: &Terms, symbol: Term| {
        let others: Vec<Term> = sum.parts.keys().copied().filter(|&part| part != symbol).collect();
        terms.subterms(&others).contains(&symbol)
    };
    let is_symbol = |&(&part, &coefficient): &(&Term, &u64)| {
        let is_plain = matches!(terms.op(part), Op::Symbol(_)) && terms.args(part).is_empty();
        is_plain && coefficient & 1 == 1 && !others_with(terms, part)
    };
    let (&symbol, &coefficient) = sum.parts.iter().rev().find(is_symbol)?;
    // coefficient * symbol + others = 0
    let factor = cut(inverse(coefficient).wrapping_neg(), width);
    let mut value = Sum { constant: cut(sum.constant.wrapping_mul(factor), width), parts: BTreeMap::new() };
    for (&part, &coefficient) in sum.parts.iter().filter(|&(&part, _)| part != symbol) {
        value.parts.insert(part, cut(coefficient.wrapping_mul(factor), width));
    }
    Some((symbol, write(terms, value, width, products)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Symbol, Value, eval};
    use base::{Bits, Random};

    #[test]
    fn what_two_bounds_leave_is_an_equation_that_holds() {
        // All pairs of comparisons between x, y and sums of them with small constants, for all values of three bits.
        let mut random = Random::new(5);
        let mut n_found = 0;
        for round in 0..20_000 {
            let mut terms = if round % 2 == 0 { Terms::new() } else { Terms::without_simplification() };
            let sort = terms.bv_sort(3);
            let words = ["x", "y"].map(|name| terms.variable(name, sort));
            let mut formulas = Vec::new();
            for _ in 0..2 {
                let [left, right] = [0, 1].map(|_| {
                    let constant = terms.bv(3, random.below(8));
                    let word = *random.pick(&words);
                    if random.one_in(3) { word } else { terms.make(Op::BvAdd, &[word, constant]) }
                });
                let op = *random.pick(&[Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle, Op::BvUgt, Op::BvSge]);
                let atom = terms.make(op, &[left, right]);
                formulas.push(if random.one_in(2) { terms.not(atom) } else { atom });
            }
            let ordered = in_order(&mut terms, &formulas, Products::Whole);
            let Some(equation) = squeezed(&mut terms, &ordered, &FastMap::new(), Products::Whole) else { continue };
            n_found += 1;
            for values in 0..64 {
                let of = |symbol: Symbol| {
                    let value = if terms.op(words[0]) == Op::Symbol(symbol) { values % 8 } else { values / 8 };
                    Value::Bits(Bits::from_u64(3, value))
                };
                let holds = |term: Term| {
                    eval(&terms, term, |symbol, _| Some(of(symbol))).expect("all has a value") == Value::Bool(true)
                };
                let premises = formulas.iter().all(|&formula| holds(formula));
                assert!(!premises || holds(equation), "{}", terms.to_smtlib(equation));
            }
        }
        assert!(n_found > 200, "{n_found}");
    }

    #[test]
    fn a_loop_that_has_ended_has_counted_to_its_bound() {
        let mut terms = Terms::without_simplification();
        let sort = terms.bv_sort(32);
        let [i, n, s] = ["i", "n", "s"].map(|name| terms.variable(name, sort));
        let (one, two) = (terms.bv(32, 1), terms.bv(32, 2));
        // i <= n + 1, not i <= n, and 2*s = i*i - i contradict 2*s != n*n + n.
        let more = terms.make(Op::BvAdd, &[n, one]);
        let bound = terms.make(Op::BvSle, &[i, more]);
        let goes_on = terms.make(Op::BvSle, &[i, n]);
        let ended = terms.not(goes_on);
        let twice = terms.make(Op::BvMul, &[two, s]);
        let square = terms.make(Op::BvMul, &[i, i]);
        let sum = terms.make(Op::BvSub, &[square, i]);
        let invariant = terms.eq(twice, sum);
        let product = terms.make(Op::BvMul, &[n, more]);
        let goal = terms.ne(twice, product);
        let solved = solve(&mut terms, &[goal, bound, ended, invariant], Products::Expanded);
        let denied = |&formula: &Term| {
            terms.op(formula) == Op::Not && solved.rest.contains(&terms.arg(formula, 0))
                || formula == crate::store::FALSE
        };
        assert!(solved.rest.iter().any(denied));
    }

    #[test]
    fn what_equations_determine_is_eliminated() {
        let mut terms = Terms::new();
        let sort = terms.bv_sort(16);
        let [x, y, z] = ["x", "y", "z"].map(|name| terms.variable(name, sort));
        // x = 3*y + 2*z and y = z + 1 contradict x - 5*z != 3.
        let [two, three, five, one] = [2, 3, 5, 1].map(|number| terms.bv(16, number));
        let (a, b) = (terms.bv_mul(three, y), terms.bv_mul(two, z));
        let sum = terms.bv_add(a, b);
        let first = terms.eq(x, sum);
        let next = terms.bv_add(z, one);
        let second = terms.eq(y, next);
        let product = terms.bv_mul(five, z);
        let rest = terms.bv_sub(x, product);
        let goal = terms.eq(rest, three);
        let denied = terms.not(goal);
        let both = terms.and(&[first, second]);
        let solved = solve(&mut terms, &[both, denied], Products::Whole);
        assert_eq!(solved.rest, vec![crate::store::FALSE]);
        let symbols: Vec<Term> = solved.values.iter().map(|&(symbol, _)| symbol).collect();
        assert_eq!(symbols.len(), 2);
        for (_, value) in solved.values {
            assert!(symbols.iter().all(|symbol| !terms.subterms(&[value]).contains(symbol)));
        }
    }
}
