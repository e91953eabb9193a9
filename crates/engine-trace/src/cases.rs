//! Cases: a condition as a choice between lists of equalities and disequalities.
//!
//! Congruence knows nothing of `or`, `not` or if-then-else, so these are taken apart before the search: what
//! remains of a condition is a list of cubes, one of which holds; what remains of a value is one value for each
//! cube. Truth values inside other terms are decided the same way, since they can only be true or false.

use term::{Op, Term, Terms};

use crate::tuning::Tuning;

/// `left = right`, or that they differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Literal {
    pub left: Term,
    pub right: Term,
    pub equal: bool,
}

/// What an edge does in one case: all literals hold, and these are the values.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub literals: Vec<Literal>,
    pub values: Vec<Term>,
}

/// Formulas that must hold, and literals that do, with values.
type Open = (Vec<Term>, Case);

/// The cases of a condition together with values computed in the same state. None if there are too many: then nothing
/// is known about the condition.
pub(crate) fn cases(terms: &mut Terms, condition: Term, values: &[Term]) -> Option<Vec<Case>> {
    let mut done = Vec::new();
    let mut steps = 0;
    let mut todo: Vec<Open> = vec![(vec![condition], Case { literals: Vec::new(), values: values.to_vec() })];
    while let Some((mut formulas, case)) = todo.pop() {
        steps += 1;
        if steps > Tuning::DEFAULT.max_case_steps || done.len() + todo.len() > Tuning::DEFAULT.max_cases {
            return None;
        }
        // A choice inside an atom or a value: decided first, the other way is another case.
        let atoms: Vec<Term> = case.literals.iter().flat_map(|one| [one.left, one.right]).collect();
        if let Some(inner) = hidden_choice(terms, &case.values).or_else(|| hidden_choice(terms, &atoms)) {
            todo.extend([false, true].map(|truth| with_choice(terms, &formulas, &case, inner, truth)));
            continue;
        }
        let Some(formula) = formulas.pop() else {
            done.push(case);
            continue;
        };
        take_apart(terms, formula, formulas, case, &mut todo);
    }
    Some(done)
}

/// The case, and what is still to hold in it, where the inner choice has this outcome.
fn with_choice(terms: &mut Terms, formulas: &[Term], case: &Case, inner: Term, truth: bool) -> Open {
    let value = terms.truth(truth);
    let mut case = case.clone();
    for one in &mut case.values {
        *one = decided(terms, *one, inner, value);
    }
    for literal in &mut case.literals {
        literal.left = decided(terms, literal.left, inner, value);
        literal.right = decided(terms, literal.right, inner, value);
    }
    let mut formulas = formulas.to_vec();
    formulas.push(if truth { inner } else { terms.not(inner) });
    (formulas, case)
}

/// What the formula takes to hold, by its operator: other formulas, a literal, or several cases.
fn take_apart(terms: &mut Terms, formula: Term, mut formulas: Vec<Term>, mut case: Case, todo: &mut Vec<Open>) {
    let (op, negated, args) = head(terms, formula);
    match (op, negated) {
        (Op::True, false) | (Op::False, true) => todo.push((formulas, case)),
        (Op::True, true) | (Op::False, false) => {}
        (Op::And, false) | (Op::Or, true) => {
            formulas.extend(args.iter().rev().map(|&arg| if negated { terms.not(arg) } else { arg }));
            todo.push((formulas, case));
        }
        (Op::Or, false) | (Op::And, true) => {
            for &arg in args.iter().rev() {
                let mut formulas = formulas.clone();
                formulas.push(if negated { terms.not(arg) } else { arg });
                todo.push((formulas, case.clone()));
            }
        }
        (Op::Implies, false) => {
            let not = terms.not(args[0]);
            for way in [args[1], not] {
                let mut formulas = formulas.clone();
                formulas.push(way);
                todo.push((formulas, case.clone()));
            }
        }
        (Op::Implies, true) => {
            let not = terms.not(args[1]);
            formulas.extend([not, args[0]]);
            todo.push((formulas, case));
        }
        (Op::Ite, _) => {
            let (condition, not) = (args[0], terms.not(args[0]));
            for (guard, way) in [(not, args[2]), (condition, args[1])] {
                let mut formulas = formulas.clone();
                formulas.push(if negated { terms.not(way) } else { way });
                formulas.push(guard);
                todo.push((formulas, case.clone()));
            }
        }
        (Op::Xor, _) | (Op::Eq, _) if terms.is_bool(args[0]) => {
            let same = (op == Op::Eq) != negated;
            if same && is_atom(terms, args[0]) && is_atom(terms, args[1]) {
                case.literals.push(Literal { left: args[0], right: args[1], equal: true });
                todo.push((formulas, case));
                return;
            }
            let (a, b) = (terms.not(args[0]), terms.not(args[1]));
            let ways = if same { [[a, b], [args[0], args[1]]] } else { [[a, args[1]], [args[0], b]] };
            for way in ways {
                let mut formulas = formulas.clone();
                formulas.extend(way);
                todo.push((formulas, case.clone()));
            }
        }
        (Op::Eq, _) => {
            case.literals.push(Literal { left: args[0], right: args[1], equal: !negated });
            todo.push((formulas, case));
        }
        (Op::Distinct, _) => {
            let mut pairs = Vec::new();
            for (i, &a) in args.iter().enumerate() {
                pairs.extend(args[i + 1..].iter().map(|&b| terms.make(Op::Eq, &[a, b])));
            }
            let some = terms.or(&pairs);
            formulas.push(if negated { some } else { terms.not(some) });
            todo.push((formulas, case));
        }
        _ => {
            // A truth value: a variable, a predicate, an operator that is not known.
            let atom = if negated { terms.arg(formula, 0) } else { formula };
            let right = terms.truth(!negated);
            case.literals.push(Literal { left: atom, right, equal: true });
            todo.push((formulas, case));
        }
    }
}

/// The operator below negation, whether it is negated, and its arguments.
fn head(terms: &Terms, formula: Term) -> (Op, bool, Vec<Term>) {
    let mut at = formula;
    let mut negated = false;
    while terms.op(at) == Op::Not {
        at = terms.arg(at, 0);
        negated = !negated;
    }
    (terms.op(at), negated, terms.args(at).to_vec())
}

/// Whether a truth value is one that congruence can keep: no connective at its head.
fn is_atom(terms: &Terms, term: Term) -> bool {
    matches!(terms.op(term), Op::True | Op::False | Op::Symbol(_))
}

/// A truth value that must be decided before the terms are without choices: the condition of an if-then-else, a
/// formula as an argument or as a value. The innermost comes first.
fn hidden_choice(terms: &Terms, roots: &[Term]) -> Option<Term> {
    for term in terms.subterms(roots) {
        if terms.op(term) == Op::Ite {
            return Some(terms.arg(term, 0));
        }
        if terms.is_bool(term) && !is_atom(terms, term) && is_connective(terms, term) {
            return Some(term);
        }
    }
    None
}

/// Formulas that have a meaning of their own.
fn is_connective(terms: &Terms, term: Term) -> bool {
    matches!(terms.op(term), Op::Not | Op::And | Op::Or | Op::Xor | Op::Implies | Op::Eq | Op::Distinct)
}

/// The term with the choice made.
fn decided(terms: &mut Terms, term: Term, choice: Term, value: Term) -> Term {
    if terms.is_value(choice) || terms.op(choice) == Op::True || terms.op(choice) == Op::False {
        return term;
    }
    // Only what depends on the choice is built anew; if-then-else of a known condition goes away.
    let mut done: base::FastMap<Term, Term> = base::FastMap::new();
    done.insert(choice, value);
    for old in terms.subterms(&[term]) {
        if done.contains_key(&old) {
            continue;
        }
        let args: Vec<Term> = terms.args(old).iter().map(|arg| done[arg]).collect();
        let new = match terms.op(old) {
            Op::Ite if terms.op(args[0]) == Op::True => args[1],
            Op::Ite if terms.op(args[0]) == Op::False => args[2],
            _ => terms.rebuild(old, &args),
        };
        done.insert(old, new);
    }
    done[&term]
}

#[cfg(test)]
mod tests {
    use term::SortKind;

    use super::*;

    fn check(build: impl Fn(&mut Terms, &[Term]) -> (Term, Vec<Term>), expect: &[&str]) {
        let mut terms = Terms::new();
        let sort = terms.sort(SortKind::Uninterpreted("A".to_owned()));
        let truth = terms.bool_sort();
        let vars = [("x", sort), ("y", sort), ("z", sort), ("p", truth), ("q", truth)]
            .map(|(name, sort)| terms.variable(name, sort));
        let (condition, values) = build(&mut terms, &vars);
        let cases = cases(&mut terms, condition, &values).expect("these are few");
        let shown: Vec<String> = cases
            .iter()
            .map(|case| {
                let literal = |one: &Literal| {
                    let sign = if one.equal { "=" } else { "!=" };
                    format!("{}{sign}{}", terms.to_smtlib(one.left), terms.to_smtlib(one.right))
                };
                let mut parts: Vec<String> = case.literals.iter().map(literal).collect();
                parts.extend(case.values.iter().map(|&value| terms.to_smtlib(value)));
                parts.join(" ")
            })
            .collect();
        assert_eq!(shown, expect);
    }

    #[test]
    fn a_disjunction_is_several_cases() {
        check(
            |terms, v| {
                let (a, b, c) = (terms.make(Op::Eq, &[v[0], v[1]]), terms.ne(v[1], v[2]), v[3]);
                let either = terms.or(&[a, b]);
                (terms.and(&[either, c]), vec![])
            },
            &["p=true x=y", "p=true y!=z"],
        );
    }
    #[test]
    fn a_choice_in_a_value_is_made_by_its_condition() {
        check(
            |terms, v| {
                let same = terms.make(Op::Eq, &[v[0], v[1]]);
                let value = terms.ite(same, v[1], v[2]);
                (terms.truth(true), vec![value])
            },
            &["x=y y", "x!=y z"],
        );
    }
    #[test]
    fn truth_values_that_differ_are_one_true_and_one_false() {
        check(
            |terms, v| {
                let same = terms.make(Op::Eq, &[v[3], v[4]]);
                (terms.not(same), vec![])
            },
            &["q=false p=true", "q=true p=false"],
        );
    }
}
