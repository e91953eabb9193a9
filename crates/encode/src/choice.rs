//! Choice made deterministic: where several edges leave a location, at most one may be taken.
//!
//! Conditions that exclude one another (a test and its negation, the cases of a switch) decide by
//! themselves. Where they do not, fresh truth values choose, so that the next state is a function of
//! state and inputs.

use term::{Op, Term, Terms};

/// Whether no two of the conditions hold at once, decided by their syntax; `false` if undecided.
pub(crate) fn are_exclusive(terms: &mut Terms, conditions: &[Term]) -> bool {
    let truth = terms.truth(true);
    match conditions {
        [] | [_] => true,
        [first, second] => terms.not(*first) == *second || is_switch(terms, conditions),
        _ => !conditions.contains(&truth) && is_switch(terms, conditions),
    }
}

/// Whether one of the conditions always holds, decided by their syntax; `false` if undecided.
pub(crate) fn are_exhaustive(terms: &mut Terms, conditions: &[Term]) -> bool {
    let truth = terms.truth(true);
    if conditions.contains(&truth) {
        return true;
    }
    if let [first, second] = conditions
        && terms.not(*first) == *second
    {
        return true;
    }
    conditions.iter().any(|&default| {
        let negations = conjuncts(terms, default);
        negations.iter().all(|&negation| {
            let case = terms.not(negation);
            conditions.contains(&case)
        })
    })
}

/// Equalities of one term with different values, and at most one default that denies them all.
fn is_switch(terms: &mut Terms, conditions: &[Term]) -> bool {
    let mut subject = None;
    let mut cases = Vec::new();
    let mut defaults = Vec::new();
    for &condition in conditions {
        match case(terms, condition) {
            Some((on, value)) if subject.is_none_or(|subject| subject == on) => {
                subject = Some(on);
                cases.push((value, condition));
            }
            _ => defaults.push(condition),
        }
    }
    let mut values: Vec<Term> = cases.iter().map(|&(value, _)| value).collect();
    values.sort_unstable();
    values.dedup();
    if values.len() != cases.len() || defaults.len() > 1 {
        return false;
    }
    let Some(&default) = defaults.first() else { return true };
    let denied = conjuncts(terms, default);
    cases.iter().all(|&(_, condition)| {
        let negation = terms.not(condition);
        denied.contains(&negation)
    })
}

/// The term and the value of an equality between them.
fn case(terms: &Terms, condition: Term) -> Option<(Term, Term)> {
    if terms.op(condition) != Op::Eq {
        return None;
    }
    let (left, right) = (terms.arg(condition, 0), terms.arg(condition, 1));
    match (terms.is_value(left), terms.is_value(right)) {
        (false, true) => Some((left, right)),
        (true, false) => Some((right, left)),
        _ => None,
    }
}

fn conjuncts(terms: &Terms, term: Term) -> Vec<Term> {
    if terms.op(term) == Op::And { terms.args(term).to_vec() } else { vec![term] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_and_switches_decide_by_themselves() {
        let mut terms = Terms::new();
        let byte = terms.bv_sort(8);
        let (x, y) = (terms.variable("x", byte), terms.variable("y", byte));
        let cases: Vec<Term> = (0..3)
            .map(|value| {
                let value = terms.bv(8, value);
                terms.eq(x, value)
            })
            .collect();
        let denied: Vec<Term> = cases.iter().map(|&case| terms.not(case)).collect();
        let default = terms.and(&denied);
        let all = [cases[0], cases[1], cases[2], default];
        assert!(are_exclusive(&mut terms, &all) && are_exhaustive(&mut terms, &all));
        assert!(are_exclusive(&mut terms, &cases) && !are_exhaustive(&mut terms, &cases));
        let less = terms.bv_ult(x, y);
        let not_less = terms.not(less);
        assert!(are_exclusive(&mut terms, &[less, not_less]) && are_exhaustive(&mut terms, &[less, not_less]));
        // These overlap, or their syntax does not decide.
        let partial = terms.and(&denied[..2]);
        assert!(!are_exclusive(&mut terms, &[cases[0], cases[1], cases[2], partial]));
        assert!(!are_exclusive(&mut terms, &[cases[0], less]));
        assert!(!are_exhaustive(&mut terms, &[cases[0], less]));
    }
}
