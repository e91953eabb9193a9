//! Negations pushed down to atoms, so that an interpolant shows its conjuncts.

use base::FastMap;
use term::{Op, Term, Terms};

/// The formula with negations before atoms only, as far as conjunctions and disjunctions go.
pub(super) fn negations_inside(terms: &mut Terms, formula: Term) -> Term {
    let mut done: FastMap<(Term, bool), Term> = FastMap::new();
    let mut stack = vec![(formula, false)];
    while let Some(&(term, negated)) = stack.last() {
        if done.contains_key(&(term, negated)) {
            stack.pop();
            continue;
        }
        let args: Vec<(Term, bool)> = match terms.op(term) {
            Op::Not => vec![(terms.arg(term, 0), !negated)],
            Op::And | Op::Or => terms.args(term).iter().map(|&arg| (arg, negated)).collect(),
            _ => Vec::new(),
        };
        let before = stack.len();
        stack.extend(args.iter().copied().filter(|arg| !done.contains_key(arg)));
        if stack.len() > before {
            continue;
        }
        let args: Vec<Term> = args.iter().map(|arg| done[arg]).collect();
        let made = match (terms.op(term), negated) {
            (Op::Not, _) => args[0],
            (Op::And, false) | (Op::Or, true) => terms.and(&args),
            (Op::Or, false) | (Op::And, true) => terms.or(&args),
            (_, false) => term,
            (_, true) => terms.not(term),
        };
        done.insert((term, negated), made);
        stack.pop();
    }
    done[&(formula, false)]
}
