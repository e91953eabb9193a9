//! What an assumption teaches about the variables in it.
//!
//! A comparison bounds both of its sides, and a bound on a side is carried down to the variables through
//! operators that can be undone: addition of a constant, extension, negation. What cannot be used is
//! left alone; that is always right.

use term::{Op, Term, Terms};

use super::environment::Environment;
use super::number::{Number, greatest_signed, least_signed, mask, signed};
use super::transfer::operate;
use crate::tuning::Tuning;

/// The environment after the assumption; none if it cannot hold.
pub(crate) fn assume(terms: &Terms, mut env: Environment, condition: Term, truth: bool) -> Option<Environment> {
    let mut open = vec![(condition, truth)];
    let mut choices = Vec::new();
    while let Some((term, truth)) = open.pop() {
        match (terms.op(term), truth) {
            (Op::True, false) | (Op::False, true) => return None,
            (Op::Not, _) => open.push((terms.arg(term, 0), !truth)),
            (Op::And, true) | (Op::Or, false) => open.extend(terms.args(term).iter().map(|&arg| (arg, truth))),
            (Op::And, false) | (Op::Or, true) => choices.push((term, truth)),
            _ => env = atom(terms, env, term, truth)?,
        }
    }
    for (term, truth) in choices {
        env = one_of(terms, env, terms.args(term), truth)?;
    }
    Some(env)
}

/// One of the arguments has this truth value.
fn one_of(terms: &Terms, env: Environment, args: &[Term], truth: bool) -> Option<Environment> {
    let possible: Vec<Term> =
        args.iter().copied().filter(|&arg| env.value(terms, arg).single() != Some(u64::from(!truth))).collect();
    if possible.len() > Tuning::DEFAULT.analysis_cases {
        return Some(env);
    }
    let mut result: Option<Environment> = None;
    for arg in possible {
        // Deep nests of choices cost more than they teach.
        let here = match terms.op(arg) {
            Op::And | Op::Or => flat(terms, env.clone(), arg, truth),
            _ => assume(terms, env.clone(), arg, truth),
        };
        result = match (result, here) {
            (None, here) => here,
            (result, None) => result,
            (Some(result), Some(here)) => Some(result.join(&here)),
        };
    }
    result
}

/// As `assume`, but looks only at conjunctions of atoms.
fn flat(terms: &Terms, mut env: Environment, term: Term, truth: bool) -> Option<Environment> {
    let is_conjunction = matches!((terms.op(term), truth), (Op::And, true) | (Op::Or, false));
    if is_conjunction {
        for &arg in terms.args(term) {
            let (arg, truth) = if terms.op(arg) == Op::Not { (terms.arg(arg, 0), !truth) } else { (arg, truth) };
            if !matches!(terms.op(arg), Op::And | Op::Or) {
                env = atom(terms, env, arg, truth)?;
            }
        }
    }
    Some(env)
}

fn atom(terms: &Terms, env: Environment, term: Term, truth: bool) -> Option<Environment> {
    let value = env.value(terms, term);
    if value.single() == Some(u64::from(!truth)) {
        return None;
    }
    let op = match (terms.op(term), truth) {
        (Op::BvUlt, false) => Op::BvUge,
        (Op::BvUle, false) => Op::BvUgt,
        (Op::BvUgt, false) => Op::BvUle,
        (Op::BvUge, false) => Op::BvUlt,
        (Op::BvSlt, false) => Op::BvSge,
        (Op::BvSle, false) => Op::BvSgt,
        (Op::BvSgt, false) => Op::BvSle,
        (Op::BvSge, false) => Op::BvSlt,
        (Op::Eq, false) => Op::Distinct,
        (Op::Distinct, false) if terms.args(term).len() == 2 => Op::Eq,
        (Op::Symbol(_), _) => return env.learn(terms, term, &Number::exactly(1, u64::from(truth))),
        (op, true) => op,
        _ => return Some(env),
    };
    let args = terms.args(term);
    let [left, right] = *args else { return Some(env) };
    let (a, b) = (env.value(terms, left), env.value(terms, right));
    if a.width == 0 || b.width == 0 {
        return Some(if op == Op::Eq { env.equate(terms, left, right) } else { env });
    }
    let (for_left, for_right) = match op {
        Op::Eq => {
            let both = a.meet(&b)?;
            let env = env.learn(terms, left, &both)?.learn(terms, right, &both)?;
            return Some(env.equate(terms, left, right));
        }
        Op::Distinct => (without(&a, &b)?, without(&b, &a)?),
        Op::BvUlt => (at_most(a.width, b.high.checked_sub(1)?), at_least(a.width, a.low.checked_add(1)?)?),
        Op::BvUle => (at_most(a.width, b.high), at_least(a.width, a.low)?),
        Op::BvUgt => (at_least(a.width, b.low.checked_add(1)?)?, at_most(a.width, a.high.checked_sub(1)?)),
        Op::BvUge => (at_least(a.width, b.low)?, at_most(a.width, a.high)),
        Op::BvSlt => (
            signed_at_most(a.width, b.signed_high.checked_sub(1)?)?,
            signed_at_least(a.width, a.signed_low.checked_add(1)?)?,
        ),
        Op::BvSle => (signed_at_most(a.width, b.signed_high)?, signed_at_least(a.width, a.signed_low)?),
        Op::BvSgt => (
            signed_at_least(a.width, b.signed_low.checked_add(1)?)?,
            signed_at_most(a.width, a.signed_high.checked_sub(1)?)?,
        ),
        Op::BvSge => (signed_at_least(a.width, b.signed_low)?, signed_at_most(a.width, a.signed_high)?),
        _ => return Some(env),
    };
    env.learn(terms, left, &for_left)?.learn(terms, right, &for_right)
}

fn at_most(width: u32, high: u64) -> Number {
    Number::between(width, 0, high)
}
fn at_least(width: u32, low: u64) -> Option<Number> {
    (low <= mask(width)).then(|| Number::between(width, low, mask(width)))
}
fn signed_at_most(width: u32, high: i64) -> Option<Number> {
    (high >= least_signed(width)).then(|| Number::between_signed(width, least_signed(width), high))
}
fn signed_at_least(width: u32, low: i64) -> Option<Number> {
    (low <= greatest_signed(width)).then(|| Number::between_signed(width, low, greatest_signed(width)))
}

/// What is left of the first when it differs from the second.
fn without(a: &Number, b: &Number) -> Option<Number> {
    let Some(value) = b.single() else { return Some(a.clone()) };
    let mut rest = a.clone();
    if let Some(list) = &mut rest.list {
        list.retain(|&other| other != value);
        return rest.list.as_ref().is_some_and(|list| !list.is_empty()).then_some(()).and_then(|()| rest.settled());
    }
    if rest.low == value {
        rest.low = value.checked_add(1)?;
    }
    if rest.high == value {
        rest.high = value.checked_sub(1)?;
    }
    let as_signed = signed(a.width, value);
    if rest.signed_low == as_signed {
        rest.signed_low = as_signed.checked_add(1)?;
    }
    if rest.signed_high == as_signed {
        rest.signed_high = as_signed.checked_sub(1)?;
    }
    rest.settled()
}

impl Environment {
    /// The term has one of these values: carried down to the variables it is made of.
    pub(crate) fn learn(mut self, terms: &Terms, term: Term, number: &Number) -> Option<Environment> {
        let (mut term, mut number) = (term, number.clone());
        loop {
            number = self.value(terms, term).meet(&number)?;
            if let Some(var) = self.variable(term) {
                self.restrict(var, number);
                return Some(self);
            }
            let args = terms.args(term);
            (term, number) = match (terms.op(term), args) {
                (Op::BvAdd, &[x, c]) if terms.is_value(c) => {
                    (x, operate(Op::BvSub, &[&number, &self.value(terms, c)], number.width))
                }
                (Op::BvAdd, &[c, x]) if terms.is_value(c) => {
                    (x, operate(Op::BvSub, &[&number, &self.value(terms, c)], number.width))
                }
                (Op::BvSub, &[x, c]) if terms.is_value(c) => {
                    (x, operate(Op::BvAdd, &[&number, &self.value(terms, c)], number.width))
                }
                (Op::BvNot, &[x]) => (x, operate(Op::BvNot, &[&number], number.width)),
                (Op::BvNeg, &[x]) => (x, operate(Op::BvNeg, &[&number], number.width)),
                (Op::ZeroExtend(_) | Op::SignExtend(_), &[x]) => {
                    let width = terms.width(x);
                    (x, operate(Op::Extract { high: width - 1, low: 0 }, &[&number], width))
                }
                (Op::Ite, &[condition, then, otherwise]) => {
                    let (a, b) = (self.value(terms, then), self.value(terms, otherwise));
                    return match (a.meet(&number), b.meet(&number)) {
                        (None, None) => None,
                        (Some(_), None) => shallow(terms, self, condition, true),
                        (None, Some(_)) => shallow(terms, self, condition, false),
                        _ => Some(self),
                    };
                }
                _ => return Some(self),
            };
        }
    }
}

/// The condition of an `ite`, if it is plain enough not to lead into deep recursion.
fn shallow(terms: &Terms, env: Environment, condition: Term, truth: bool) -> Option<Environment> {
    let is_plain =
        |term: Term| terms.args(term).iter().all(|&arg| terms.args(arg).len() <= 2 && terms.op(arg) != Op::Ite);
    if is_plain(condition) && !matches!(terms.op(condition), Op::And | Op::Or) {
        let (term, truth) =
            if terms.op(condition) == Op::Not { (terms.arg(condition, 0), !truth) } else { (condition, truth) };
        if matches!(terms.op(term), Op::And | Op::Or | Op::Not) || !is_plain(term) {
            return Some(env);
        }
        return atom(terms, env, term, truth);
    }
    Some(env)
}
