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

use crate::statements::Statements;

/// How to choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Heuristic {
    /// One of the paper's.
    Paper { backward: bool, simultaneous: bool, dependency: bool },
    /// Ours: see `justify` and `schemas`.
    Justified,
}

impl Heuristic {
    /// By its name on the command line.
    pub fn named(name: &str) -> Option<Heuristic> {
        match name {
            "h8" | "min" => Some(Heuristic::Justified),
            _ => {
                let number: u32 = name.strip_prefix('h')?.parse().ok().filter(|&number| number < 8)?;
                let (backward, simultaneous, dependency) = (number & 1 != 0, number & 2 != 0, number & 4 != 0);
                Some(Heuristic::Paper { backward, simultaneous, dependency })
            }
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
