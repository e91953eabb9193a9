//! The justified cone: which terms a model needs to make the roots true.
//!
//! A disjunction that holds needs one true argument, a conjunction that does not needs one false argument, a
//! choice needs its condition and the arm that it chose. What is left out may have any value, so there is no point
//! in refining it. Of several arguments that would do, one that is needed anyway is taken, or else the first.

use base::FastMap;
use smt::Model;
use term::{Op, Term, Terms};

/// The terms that the model needs, arguments before the terms around them.
pub(crate) fn justified(terms: &Terms, model: &mut Model<'_>, roots: &[Term]) -> Vec<Term> {
    let mut needed: FastMap<Term, ()> = FastMap::new();
    let mut found = Vec::new();
    // Where one of several will do, the choice waits until the rest is known.
    let mut choices: Vec<(Term, bool)> = Vec::new();
    let mut todo: Vec<Term> = roots.to_vec();
    loop {
        while let Some(term) = todo.pop() {
            if needed.insert(term, ()).is_some() {
                continue;
            }
            found.push(term);
            let args = terms.args(term);
            match terms.op(term) {
                Op::And if !model.is_true(term) => choices.push((term, false)),
                Op::Or if model.is_true(term) => choices.push((term, true)),
                Op::Implies if args.len() == 2 && model.is_true(term) => {
                    todo.push(if model.is_true(args[0]) { args[1] } else { args[0] });
                }
                Op::Ite => {
                    todo.push(args[0]);
                    todo.push(if model.is_true(args[0]) { args[1] } else { args[2] });
                }
                _ => todo.extend(args),
            }
        }
        let Some((term, wanted)) = choices.pop() else { break };
        let mut fitting = terms.args(term).iter().copied().filter(|&arg| model.is_true(arg) == wanted);
        let first = fitting.next();
        if let Some(first) = first
            && !needed.contains_key(&first)
            && !fitting.any(|arg| needed.contains_key(&arg))
        {
            todo.push(first);
        }
    }
    found.sort_unstable();
    found
}
