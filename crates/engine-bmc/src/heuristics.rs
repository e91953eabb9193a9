//! Which statements to refine: the eight heuristics of [HyvarinenEtAl-SAT'17], section 6.1.
//!
//! | | one at a time | all that are violated | with those that depend on it | both |
//! |---|---|---|---|---|
//! | forward | h0 | h2 | h4 | h6 |
//! | backward | h1 | h3 | h5 | h7 |
//!
//! The first statement, in the direction of the scan, that the counterexample violates is taken. With *dependency*
//! come all statements further on that share a variable with it, or with another that came; whether they
//! are violated is not asked. With *simultaneous* the scan goes on behind it.

use crate::settings::Selection;
use crate::statements::Statements;

/// How to choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Heuristic {
    /// One of the paper's.
    Paper { backward: bool, simultaneous: bool, dependency: bool },
    /// Ours: see `justify` and `schemas`.
    Justified,
    /// Nothing: all statements are flattened from the start, to compare with.
    Flat,
}

impl Heuristic {
    /// What a setting selects.
    pub fn of(selection: Selection) -> Heuristic {
        let paper = |backward, simultaneous, dependency| Heuristic::Paper { backward, simultaneous, dependency };
        match selection {
            Selection::H0 => paper(false, false, false),
            Selection::H1 => paper(true, false, false),
            Selection::H2 => paper(false, true, false),
            Selection::H3 => paper(true, true, false),
            Selection::H4 => paper(false, false, true),
            Selection::H5 => paper(true, false, true),
            Selection::H6 => paper(false, true, true),
            Selection::H7 => paper(true, true, true),
            Selection::H8 | Selection::Min => Heuristic::Justified,
            Selection::Flat => Heuristic::Flat,
        }
    }
}

/// The statements to refine, of those in `open`, which are in program order and not refined yet.
pub(crate) fn choose(
    statements: &Statements,
    open: &[u32],
    (backward, simultaneous, dependency): (bool, bool, bool),
    mut is_violated: impl FnMut(u32) -> bool,
) -> Vec<u32> {
    let mut scan = open.to_vec();
    if backward {
        scan.reverse();
    }
    let mut taken = vec![false; scan.len()];
    for at in 0..scan.len() {
        if taken[at] || !is_violated(scan[at]) {
            continue;
        }
        taken[at] = true;
        if dependency {
            let mut vars = statements.list[scan[at] as usize].vars.clone();
            for later in at + 1..scan.len() {
                let others = &statements.list[scan[later] as usize].vars;
                if !taken[later] && others.iter().any(|var| vars.binary_search(var).is_ok()) {
                    taken[later] = true;
                    vars.extend(others);
                    vars.sort_unstable();
                    vars.dedup();
                }
            }
        }
        if !simultaneous {
            break;
        }
    }
    scan.into_iter().zip(taken).filter(|&(_, taken)| taken).map(|(statement, _)| statement).collect()
}

#[cfg(test)]
mod tests {
    use base::Choice;
    use term::{Term, Terms};

    use super::*;

    /// Five statements: b = f(a), d = f(c), e = f(b), g = f(d), h = f(x), where f is a complement with a summand
    /// that distinguishes the statements.
    fn statements() -> Statements {
        let mut terms = Terms::new();
        let sort = terms.bv_sort(8);
        let mut statements = Statements::default();
        let mut next = |terms: &mut Terms, from: Term, summand: u64| {
            let summand = terms.bv(8, summand);
            let value = terms.bv_xor(from, summand);
            let value = terms.bv_mul(value, from);
            statements.add(terms, None, &[value]);
            value
        };
        let [a, c, x] = ["a", "c", "x"].map(|name| terms.variable(name, sort));
        let b = next(&mut terms, a, 3);
        let d = next(&mut terms, c, 5);
        next(&mut terms, b, 9);
        next(&mut terms, d, 17);
        next(&mut terms, x, 33);
        statements
    }
    fn check(name: &str, violated: &[u32], expected: &[u32]) {
        let selection = Selection::from_name(name).expect("it is a heuristic");
        let Heuristic::Paper { backward, simultaneous, dependency } = Heuristic::of(selection) else {
            panic!("{name} is one of the paper's")
        };
        let how = (backward, simultaneous, dependency);
        let mut taken = choose(&statements(), &[0, 1, 2, 3, 4], how, |number| violated.contains(&number));
        taken.sort_unstable();
        assert_eq!(taken, expected, "{name}");
    }

    #[test]
    fn each_heuristic_takes_what_the_paper_says() {
        let violated = [1, 2, 4];
        check("h0", &violated, &[1]);
        check("h1", &violated, &[4]);
        check("h2", &violated, &[1, 2, 4]);
        check("h3", &violated, &[1, 2, 4]);
        // Statement 3 uses what statement 1 computes.
        check("h4", &violated, &[1, 3]);
        check("h5", &violated, &[4]);
        check("h6", &violated, &[1, 2, 3, 4]);
        // Backward from 2 the statement 0 comes along, though it is not violated.
        check("h7", &violated, &[0, 1, 2, 4]);
    }
    #[test]
    fn nothing_is_taken_where_nothing_is_violated() {
        for number in 0..8 {
            check(&format!("h{number}"), &[], &[]);
        }
    }
}
