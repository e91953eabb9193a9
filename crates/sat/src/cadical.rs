//! The conversation with CaDiCaL ([BiereEtAl-CAV'24]): clauses and assumptions in, a model or a core out.
//!
//! CaDiCaL asks a terminator now and then whether to go on. Each such question costs ticks, so that a budget
//! is kept to here too and runs repeat.

use std::rc::Rc;

use base::{Budget, Stopped};
use cadical_sys::{CaDiCal, Status, Terminator};

use crate::Lit;
use crate::settings::Settings;

/// What CaDiCaL found.
pub(crate) enum Answer {
    /// By variable: its value.
    Sat(Vec<bool>),
    /// Assumptions that suffice for the contradiction.
    Unsat(Vec<Lit>),
}

/// Spends ticks of a budget and stops the search with it.
struct Spender(Rc<Budget>);

impl Terminator for Spender {
    fn terminated(&mut self) -> bool {
        self.0.spend(Settings::DEFAULT.cadical_ticks).is_err()
    }
}

/// Asks CaDiCaL about the clauses under the assumptions.
pub(crate) fn ask(
    n_vars: usize,
    clauses: impl Iterator<Item = Vec<Lit>>,
    assumptions: &[Lit],
    budget: &Budget,
) -> Result<Answer, Stopped> {
    let number = |lit: Lit| i32::try_from(lit.to_dimacs()).expect("there are fewer than 2^30 variables");
    let mut solver = CaDiCal::new();
    // Declared, so that variables that CaDiCaL makes for itself are others.
    solver.declare_more_variables(i32::try_from(n_vars).expect("there are fewer than 2^30 variables"));
    for clause in clauses {
        clause.iter().for_each(|&lit| solver.add(number(lit)));
        solver.add(0);
    }
    assumptions.iter().for_each(|&lit| solver.assume(number(lit)));
    let part = Rc::new(budget.part(u64::MAX));
    solver.connect_terminator(Spender(Rc::clone(&part)));
    let status = solver.solve();
    match status {
        Status::SATISFIABLE => {
            let value = |var: usize| solver.val(var as i32 + 1) > 0;
            Ok(Answer::Sat((0..n_vars).map(value).collect()))
        }
        Status::UNSATISFIABLE => {
            let core = assumptions.iter().copied().filter(|&lit| solver.failed(number(lit)));
            Ok(Answer::Unsat(core.collect()))
        }
        // The terminator stopped it, and refuses the same ticks again.
        Status::UNKNOWN => {
            part.spend(Settings::DEFAULT.cadical_ticks)?;
            unreachable!("CaDiCaL gives up only when the terminator says so")
        }
    }
}
