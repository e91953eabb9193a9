//! The second producer of facts: relations between variables at loop heads. It asks a solver about whole blocks and so
//! costs more than the analysis; engines call for it when they see that arithmetic matters.
//!
//! Linear equations modulo 2^w (`affine`, with the linear algebra in `span`), and inequalities from templates
//! (`templates`, `preserved`), all put through `houdini` before anyone believes them.

mod affine;
mod phases;
mod polynomials;
mod preserved;
mod span;
mod templates;

pub(crate) use polynomials::{contradict, multiplies, polynomials};

use base::{Budget, IndexVec, Stopped};
use encode::{Blocks, Cut, CutKind};
use program::Program;
use smt::{Answer, Query, Solver};
use term::{Term, Terms};

use crate::houdini::Houdini;

/// Ticks for all questions about equations.
const EQUATION_TICKS: u64 = 10_000_000;
/// Ticks for one question about candidates.
const PATIENCE: u64 = 1_000_000;
/// Ticks for the question whether an invariant says something new.
const REDUNDANCY: u64 = 100_000;

/// How many producers there are, the cheap ones first.
pub(crate) const STAGES: usize = 3;

/// What one producer finds: invariants by cutpoint that are inductive together with those already known, none of which
/// follows from the others.
pub(crate) fn relations(
    stage: usize,
    program: &Program,
    terms: &mut Terms,
    blocks: &Blocks,
    known: &IndexVec<Cut, Vec<Term>>,
    budget: &Budget,
) -> Result<IndexVec<Cut, Vec<Term>>, Stopped> {
    let mut all = known.clone();
    match stage {
        0 => equations(program, terms, blocks, &mut all, budget)?,
        1 => bounds(program, terms, blocks, &mut all, budget)?,
        _ => by_phase(program, terms, blocks, &mut all, budget)?,
    }
    let mut news = IndexVec::new();
    for (cut, invariants) in all.iter_enumerated() {
        news.push(essential(terms, &known[cut], &invariants[known[cut].len()..], budget)?);
    }
    Ok(news)
}

/// Adds linear equations.
fn equations(
    program: &Program,
    terms: &mut Terms,
    blocks: &Blocks,
    all: &mut IndexVec<Cut, Vec<Term>>,
    budget: &Budget,
) -> Result<(), Stopped> {
    let (equations, is_certain) = affine::equations(program, terms, blocks, all, EQUATION_TICKS, budget)?;
    if is_certain {
        extend(all, &equations);
        return Ok(());
    }
    let mut candidates = Houdini::new(blocks);
    candidates.candidates = equations;
    adopt(candidates, program, terms, blocks, all, budget)
}

/// Adds inequalities; they lean on the equations.
fn bounds(
    program: &Program,
    terms: &mut Terms,
    blocks: &Blocks,
    all: &mut IndexVec<Cut, Vec<Term>>,
    budget: &Budget,
) -> Result<(), Stopped> {
    let mut candidates = Houdini::new(blocks);
    for (cut, cutpoint) in blocks.cutpoints.iter_enumerated() {
        if cutpoint.kind == CutKind::Head {
            candidates.candidates[cut] = templates::candidates(program, terms, blocks, cut, &all[cut], budget)?;
        }
    }
    adopt(candidates, program, terms, blocks, all, budget)
}

/// Adds what holds in one phase of a loop.
fn by_phase(
    program: &Program,
    terms: &mut Terms,
    blocks: &Blocks,
    all: &mut IndexVec<Cut, Vec<Term>>,
    budget: &Budget,
) -> Result<(), Stopped> {
    let conditions = phases::conditions(program, terms, blocks);
    for number in 0.. {
        let mut chosen = IndexVec::new();
        for conditions in conditions.iter() {
            chosen.push(conditions.get(number).copied());
        }
        if chosen.iter().all(|condition| condition.is_none()) {
            break;
        }
        let split = phases::Split::new(program, terms, blocks, &chosen);
        let mut found = split.known(all);
        // What was found is kept when there is no time for more.
        let outcome = equations(program, terms, &split.blocks, &mut found, budget)
            .and_then(|()| bounds(program, terms, &split.blocks, &mut found, budget));
        let joined = split.joined(terms, &found);
        extend(all, &joined);
        match outcome {
            Err(Stopped::OutOfTicks) => break,
            outcome => outcome?,
        }
    }
    Ok(())
}

fn adopt(
    candidates: Houdini,
    program: &Program,
    terms: &mut Terms,
    blocks: &Blocks,
    all: &mut IndexVec<Cut, Vec<Term>>,
    budget: &Budget,
) -> Result<(), Stopped> {
    let survivors = candidates.run(program, terms, blocks, all, PATIENCE, budget)?;
    extend(all, &survivors.invariants);
    Ok(())
}

fn extend(all: &mut IndexVec<Cut, Vec<Term>>, news: &IndexVec<Cut, Vec<Term>>) {
    for (cut, invariants) in news.iter_enumerated() {
        for &invariant in invariants {
            if !all[cut].contains(&invariant) {
                all[cut].push(invariant);
            }
        }
    }
}

/// Those that do not follow from the known ones and the rest.
fn essential(terms: &mut Terms, known: &[Term], invariants: &[Term], budget: &Budget) -> Result<Vec<Term>, Stopped> {
    let mut solver = Solver::new();
    let mut kept: Vec<Term> = invariants.to_vec();
    // The last ones are the most far-fetched.
    for &invariant in invariants.iter().rev() {
        let denied = terms.not(invariant);
        let others = kept.iter().filter(|&&other| other != invariant);
        let assumptions: Vec<Term> = known.iter().chain(others).copied().chain([denied]).collect();
        let limited = budget.at_most(REDUNDANCY);
        match solver.check(terms, &Query::assuming(&assumptions), &limited) {
            Ok(Answer::Unsat(_)) => kept.retain(|&other| other != invariant),
            Ok(_) | Err(Stopped::OutOfTicks) => {}
            Err(stopped) => return Err(stopped),
        }
        budget.spend(limited.spent())?;
    }
    Ok(kept)
}
