//! Houdini for contracts: drop what is not kept until the rest is.
//!
//! The program that is made of all candidates has an assertion for each of them. One that can fail on a path without a loop is
//! dropped, and the program is made again, since the others may have relied on it [FlanaganLeino-FME'01]. Paths through loops are not looked at: the
//! engines that verify the program in the end do that.

use base::{Budget, Id, Stopped};
use encode::{Blocks, CutKind, Memory};
use program::Program;
use program::pass::{self, optimise};
use smt::{Answer, Query, Solver};
use term::sums::{Products, contradict, solve};
use term::{Term, Terms};
use verdict::{Claim, Contract, modular};

use super::Contracts;
use crate::tuning::Tuning;

/// What is left of candidates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Filtered {
    /// No assertion of the program fails on a path without loops: engines may prove it.
    Promising {
        /// Whether the program that is made of the contracts has loops.
        has_loops: bool,
    },
    /// An assertion of the program can fail: the contracts are too weak, or it fails.
    TooWeak,
    /// The program cannot be made of contracts, or not be encoded.
    Unsupported,
}

/// Drops candidates until all that is left holds on paths without loops.
pub(super) fn filter(
    contracts: &mut Contracts,
    program: &Program,
    terms: &Terms,
    budget: &Budget,
) -> Result<Filtered, Stopped> {
    let n_assertions = program.assertions.len();
    loop {
        let mut own = terms.clone();
        let Ok(made) = modular(program, &mut own, &contracts.list, &contracts.terms) else {
            return Ok(Filtered::Unsupported);
        };
        budget.spend(made.program.edges.len() as u64)?;
        let Ok(optimised) = optimise(made.program, &mut own, &pass::Options::default()) else {
            return Ok(Filtered::Unsupported);
        };
        let Ok(blocks) = Blocks::new(&optimised.program, &mut own, Memory::Anything) else {
            return Ok(Filtered::Unsupported);
        };
        let mut solver = Solver::new();
        blocks.axioms.iter().for_each(|&axiom| solver.assert(axiom));
        let mut fallen: Vec<Claim> = Vec::new();
        let mut is_weak = false;
        for exit in &blocks.blocks[blocks.entry()].exits {
            let CutKind::Error(assertion) = blocks.cutpoints[exit.to].kind else { continue };
            let claim = assertion.index().checked_sub(n_assertions).map(|number| made.claims[number]);
            if claim.is_some_and(|claim| fallen.contains(&claim)) || claim.is_none() && is_weak {
                continue;
            }
            let holds = is_impossible(&mut own, &mut solver, exit.guard, budget)?;
            match claim {
                _ if holds => {}
                Some(claim) => fallen.push(claim),
                None => is_weak = true,
            }
        }
        if fallen.is_empty() {
            let has_loops = blocks.cutpoints.iter().any(|cutpoint| cutpoint.kind == CutKind::Head);
            return Ok(if is_weak { Filtered::TooWeak } else { Filtered::Promising { has_loops } });
        }
        drop_claims(&mut contracts.list, &fallen);
    }
}

/// Whether nothing satisfies the guard, as far as can be said soon. Products are hard for circuits and easy for polynomials.
fn is_impossible(terms: &mut Terms, solver: &mut Solver, guard: Term, budget: &Budget) -> Result<bool, Stopped> {
    let query = Query::assuming(std::slice::from_ref(&guard));
    for ticks in [Tuning::DEFAULT.contract_first_ticks, Tuning::DEFAULT.contract_query_ticks] {
        match solver.check(terms, &query, &budget.part(ticks)) {
            Ok(Answer::Unsat(_)) => return Ok(true),
            Ok(Answer::Sat(_)) => return Ok(false),
            Ok(Answer::Unknown(_)) | Err(Stopped::OutOfTicks) => {}
            Err(stopped) => return Err(stopped),
        }
        let expanded = solve(terms, &[guard], Products::Expanded).rest;
        if contradict(terms, &expanded, &mut { Tuning::DEFAULT.contract_polynomial_cases }) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Drops parts of contracts.
fn drop_claims(list: &mut [Contract], fallen: &[Claim]) {
    for (number, contract) in list.iter_mut().enumerate() {
        let mut place = 0;
        contract.requires.retain(|_| {
            place += 1;
            !fallen.contains(&Claim::Requires(number, place - 1))
        });
        place = 0;
        contract.ensures.retain(|_| {
            place += 1;
            !fallen.contains(&Claim::Ensures(number, place - 1))
        });
    }
}

impl Contracts {
    /// Drops one part, which was refuted otherwise.
    pub fn drop_claim(&mut self, claim: Claim) {
        drop_claims(&mut self.list, &[claim]);
    }
}
