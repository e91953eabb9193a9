//! The second producer of facts: relations between variables at loop heads. It asks a solver about whole blocks and so
//! costs more than the analysis; engines call for it when they see that arithmetic matters.
//!
//! Linear equations modulo 2^w (`affine`, with the linear algebra in `span`), and inequalities from templates
//! (`templates`, `preserved`, `rates`), for whole loops and for their `phases`, all inductive before anyone believes them.
//! Polynomial equations (`polynomials`) are for those who want nothing but a proof by them.

mod affine;
mod freed;
mod phases;
mod polynomials;
mod preserved;
mod rates;
mod span;
mod templates;

pub(crate) use polynomials::{as_numbers, exclude, fewest, multiplies, polynomials};
pub(crate) use templates::is_comparison;

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
const PRODUCERS: usize = 4;
/// So many stages take products for anything; in the others the same producers are asked once more, with products.
pub(crate) const CHEAP_STAGES: usize = PRODUCERS;
/// All stages.
pub(crate) const STAGES: usize = 2 * PRODUCERS;

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
    let freed = freed::freed(terms, blocks);
    let blocks = match &freed {
        Some(freed) if stage < CHEAP_STAGES => freed,
        None if stage >= CHEAP_STAGES => return Ok(known.iter().map(|_| Vec::new()).collect()),
        _ => blocks,
    };
    let mut search = Relations { program, blocks, all: known.clone(), budget };
    match stage % PRODUCERS {
        0 => search.equations(terms)?,
        1 => search.bounds(terms)?,
        2 => search.by_phase(terms)?,
        _ => search.rates(terms)?,
    }
    let mut news = IndexVec::new();
    for (cut, invariants) in search.all.iter_enumerated() {
        news.push(essential(terms, &known[cut], &invariants[known[cut].len()..], budget)?);
    }
    Ok(news)
}

/// What is known of a graph of blocks, and grows.
struct Relations<'a> {
    program: &'a Program,
    blocks: &'a Blocks,
    /// By cutpoint, inductive together.
    all: IndexVec<Cut, Vec<Term>>,
    budget: &'a Budget,
}

impl Relations<'_> {
    /// Adds linear equations.
    fn equations(&mut self, terms: &mut Terms) -> Result<(), Stopped> {
        let (equations, is_certain) =
            affine::equations(self.program, terms, self.blocks, &self.all, EQUATION_TICKS, self.budget)?;
        if is_certain {
            extend(&mut self.all, &equations);
            return Ok(());
        }
        let mut candidates = Houdini::new(self.blocks);
        candidates.candidates = equations;
        self.adopt(terms, candidates)
    }
    /// Adds inequalities; they lean on the equations.
    fn bounds(&mut self, terms: &mut Terms) -> Result<(), Stopped> {
        let mut candidates = Houdini::new(self.blocks);
        for (cut, cutpoint) in self.blocks.cutpoints.iter_enumerated() {
            if cutpoint.kind == CutKind::Head {
                let known = &self.all[cut];
                for chain in templates::candidates(self.program, terms, self.blocks, cut, known, self.budget)? {
                    candidates.add_chain(cut, &chain);
                }
            }
        }
        self.adopt(terms, candidates)
    }
    /// Adds bounds of sums of two variables by their values at the entry.
    fn rates(&mut self, terms: &mut Terms) -> Result<(), Stopped> {
        let mut candidates = Houdini::new(self.blocks);
        for (cut, chain) in rates::candidates(self.program, terms, self.blocks, self.budget)? {
            candidates.add_chain(cut, &chain);
        }
        self.adopt(terms, candidates)
    }
    /// Adds what holds in one phase of a loop.
    fn by_phase(&mut self, terms: &mut Terms) -> Result<(), Stopped> {
        let conditions = phases::conditions(self.program, terms, self.blocks);
        for number in 0.. {
            let mut chosen = IndexVec::new();
            for conditions in conditions.iter() {
                chosen.push(conditions.get(number).copied());
            }
            if chosen.iter().all(|condition| condition.is_none()) {
                break;
            }
            let split = phases::Split::new(self.program, terms, self.blocks, &chosen);
            let mut halves = Relations { blocks: &split.blocks, all: split.known(&self.all), ..*self };
            // What was found is kept when there is no time for more.
            let outcome = halves.equations(terms).and_then(|()| halves.bounds(terms));
            extend(&mut self.all, &split.joined(terms, &halves.all));
            match outcome {
                Err(Stopped::OutOfTicks) => break,
                outcome => outcome?,
            }
        }
        Ok(())
    }
    fn adopt(&mut self, terms: &mut Terms, candidates: Houdini) -> Result<(), Stopped> {
        let survivors = candidates.run(self.program, terms, self.blocks, &self.all, PATIENCE, self.budget)?;
        extend(&mut self.all, &survivors.invariants);
        Ok(())
    }
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

/// Those that do not follow from the known ones and the rest, as far as there is time to see it.
fn essential(terms: &mut Terms, known: &[Term], invariants: &[Term], budget: &Budget) -> Result<Vec<Term>, Stopped> {
    let mut solver = Solver::new();
    let mut kept: Vec<Term> = invariants.to_vec();
    // The last ones are the most far-fetched.
    for &invariant in invariants.iter().rev() {
        let denied = terms.not(invariant);
        let others = kept.iter().filter(|&&other| other != invariant);
        let assumptions: Vec<Term> = known.iter().chain(others).copied().chain([denied]).collect();
        let limited = budget.part(REDUNDANCY);
        match solver.check(terms, &Query::assuming(&assumptions), &limited) {
            Ok(Answer::Unsat(_)) => kept.retain(|&other| other != invariant),
            Ok(_) | Err(Stopped::OutOfTicks) => {}
            Err(stopped) => return Err(stopped),
        }
    }
    Ok(kept)
}
