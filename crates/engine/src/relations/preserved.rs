//! Sums that a loop's body leaves as they are: in `while (…) { j++; k--; }` that is `j + k`.
//!
//! Their bounds before the loop are their bounds forever, so they are worth comparing with one another. They are found
//! like equations (see `affine`): the differences between the values after and before one turn span a space, and
//! what is orthogonal to it is preserved.

use base::{Budget, Stopped};
use encode::Cut;
use smt::{Answer, Query, Solver};
use term::{SortKind, Substitution, Term, Terms};

use super::affine::{number, sides};
use super::span::Span;
use crate::context::Context;
use crate::tuning::Tuning;

/// A sum of at least two variables at the head that its own loop preserves, as two sums whose difference it is.
pub(crate) fn preserved(cx: &mut Context<'_>, head: Cut, known: &[Term]) -> Result<Vec<(Term, Term)>, Stopped> {
    let (program, blocks, budget) = (cx.program(), cx.blocks, cx.run.budget);
    let terms = &mut *cx.terms;
    let mut found = Vec::new();
    let Some(exit) = blocks.blocks[head].exits.iter().find(|exit| exit.to == head) else { return Ok(found) };
    let mut words: Vec<(u32, Vec<Term>)> = Vec::new();
    for &var in &blocks.cutpoints[head].state {
        let SortKind::BitVec(width @ 2..=64) = *terms.sort_kind(program.vars[var].sort) else { continue };
        match words.iter_mut().find(|(other, _)| *other == width) {
            Some((_, list)) => list.push(program.vars[var].term),
            None => words.push((width, vec![program.vars[var].term])),
        }
    }
    let pairs: Vec<(Term, Term)> = exit.values.iter().map(|&(var, value)| (program.vars[var].term, value)).collect();
    let mut put_in = Substitution::new(terms, &pairs);
    let mut solver = Solver::new();
    for &axiom in &blocks.axioms {
        solver.assert(axiom);
    }
    for (width, mut words) in words {
        words.truncate(Tuning::DEFAULT.preserved_variables);
        let mut differences = Vec::new();
        for &word in &words {
            let after = put_in.apply(terms, word);
            differences.push(terms.bv_sub(after, word));
        }
        // The column at the end is for a constant; no difference has one.
        let mut span = Span::new(width, words.len() + 1);
        let mut forms = trimmed(&span);
        loop {
            let mut assumptions = vec![exit.guard];
            assumptions.extend(known);
            let mut changed = Vec::new();
            for form in &forms {
                let (left, right) = sides(terms, width, &differences, form);
                changed.push(terms.ne(left, right));
            }
            let query = Query { assumptions: &assumptions, clause: Some(&changed), domain: None };
            let limited = budget.part(Tuning::DEFAULT.preserved_query_ticks);
            match solver.check(terms, &query, &limited) {
                Ok(Answer::Sat(mut model)) => {
                    let mut row: Vec<u64> = differences.iter().map(|&term| number(model.value(term))).collect();
                    row.push(0);
                    span.add(row);
                    forms = trimmed(&span);
                }
                Ok(Answer::Unsat(_)) => break,
                Ok(Answer::Unknown(_)) | Err(Stopped::OutOfTicks) => {
                    forms.clear();
                    break;
                }
                Err(stopped) => return Err(stopped),
            }
            if forms.is_empty() {
                break;
            }
        }
        for form in forms {
            let is_small = |entry: u64| {
                entry.min(entry.wrapping_neg() & (u64::MAX >> (64 - width))) <= Tuning::DEFAULT.preserved_coefficient
            };
            let n_used = form.iter().filter(|&&entry| entry != 0).count();
            if n_used >= 2 && form.iter().all(|&entry| is_small(entry)) {
                let (left, right) = sides(terms, width, &words, &form);
                let sum = terms.bv_sub(left, right);
                if !is_determined(terms, &mut solver, known, sum, budget)? {
                    found.push((left, right));
                }
            }
        }
    }
    Ok(found)
}

/// Whether what is known says what the value of the sum is: then there is nothing to compare.
fn is_determined(
    terms: &mut Terms,
    solver: &mut Solver,
    known: &[Term],
    sum: Term,
    budget: &Budget,
) -> Result<bool, Stopped> {
    let limited = budget.part(Tuning::DEFAULT.preserved_query_ticks);
    let mut assumptions = known.to_vec();
    let mut answer = solver.check(terms, &Query::assuming(&assumptions), &limited);
    if let Ok(Answer::Sat(model)) = &mut answer {
        let value = number(model.value(sum));
        let value = terms.bv(terms.width(sum), value);
        assumptions.push(terms.ne(sum, value));
        answer = solver.check(terms, &Query::assuming(&assumptions), &limited);
    }
    match answer {
        Ok(answer) => Ok(matches!(answer, Answer::Unsat(_))),
        Err(Stopped::OutOfTicks) => Ok(false),
        Err(stopped) => Err(stopped),
    }
}

/// The orthogonal without the form that is constant.
fn trimmed(span: &Span) -> Vec<Vec<u64>> {
    let last = span.columns - 1;
    let mut forms = span.orthogonal();
    forms.retain_mut(|form| {
        form[last] = 0;
        form.iter().any(|&entry| entry != 0)
    });
    forms
}
