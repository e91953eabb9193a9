//! What words would say if they were numbers: `sign_extend(x + 1) = sign_extend(x) + 1`, and `2 * (y / 2) = y`.
//!
//! Neither holds for all words, but in a program that counts within bounds, or halves even numbers only, both do, and
//! polynomials can go on where they otherwise meet a narrow sum or a quotient. These equations are candidates: before
//! one is used, it is shown to follow from what is known, which takes no products.

use crate::tuning::Tuning;
use crate::{Op, Term, Terms};

/// Equations that may hold where these formulas do, each under the condition of the choice it stands in, if any.
pub fn exact(terms: &mut Terms, formulas: &[Term]) -> Vec<Term> {
    let mut found = Vec::new();
    let parts = terms.subterms(formulas);
    let choices: Vec<Term> = parts.iter().copied().filter(|&part| terms.op(part) == Op::Ite).collect();
    for &part in &parts {
        let Some(equation) = as_numbers(terms, part) else { continue };
        // Where it stands in one arm only, the condition may be what makes it hold.
        let mut denied = None;
        for &choice in &choices {
            let [condition, then, otherwise] = [0, 1, 2].map(|at| terms.arg(choice, at));
            let in_arms = [then, otherwise].map(|arm| terms.subterms(&[arm]).contains(&part));
            denied = match in_arms {
                [true, false] => Some(terms.not(condition)),
                [false, true] => Some(condition),
                _ => denied,
            };
        }
        found.push(equation);
        if let Some(denied) = denied {
            found.push(terms.or(&[denied, equation]));
        }
        if found.len() >= Tuning::DEFAULT.max_exact_candidates {
            break;
        }
    }
    found
}

/// The word extended; if it is a constant, as one.
fn extended(terms: &mut Terms, op: Op, word: Term, width: u32) -> Term {
    match terms.small_value(word) {
        Some(value) if width <= 64 => {
            let spare = 64 - terms.width(word);
            let signed = ((value << spare) as i64 >> spare) as u64;
            let value = if matches!(op, Op::SignExtend(_)) { signed } else { value };
            terms.bv(width, value & (u64::MAX >> (64 - width)))
        }
        _ => terms.make(op, &[word]),
    }
}

/// That the extension of a sum is the sum of the extensions, or that nothing remains of a division by a constant.
fn as_numbers(terms: &mut Terms, part: Term) -> Option<Term> {
    let op = terms.op(part);
    match op {
        Op::SignExtend(_) | Op::ZeroExtend(_) => {
            let sum = terms.arg(part, 0);
            if !matches!(terms.op(sum), Op::BvAdd | Op::BvSub | Op::BvNeg | Op::BvMul) {
                return None;
            }
            let args = terms.args(sum).to_vec();
            let width = terms.width(part);
            let extended: Vec<Term> = args.iter().map(|&arg| extended(terms, op, arg, width)).collect();
            let whole = terms.make(terms.op(sum), &extended);
            Some(terms.eq(part, whole))
        }
        Op::BvUdiv | Op::BvSdiv => {
            let (dividend, divisor) = (terms.arg(part, 0), terms.arg(part, 1));
            terms.small_value(divisor).filter(|&divisor| divisor != 0)?;
            let product = terms.make(Op::BvMul, &[part, divisor]);
            Some(terms.eq(dividend, product))
        }
        Op::BvLshr | Op::BvAshr => {
            let (shifted, by) = (terms.arg(part, 0), terms.arg(part, 1));
            let by = terms.small_value(by).filter(|&by| (1..16).contains(&by))?;
            let width = terms.width(part);
            let divisor = terms.bv(width, 1 << by);
            let product = terms.make(Op::BvMul, &[part, divisor]);
            Some(terms.eq(shifted, product))
        }
        _ => None,
    }
}
