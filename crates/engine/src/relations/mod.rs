//! The second producer of facts: relations between variables at loop heads. It asks a solver about whole blocks and so
//! costs more than the analysis; engines call for it when they see that arithmetic matters.
//!
//! Linear equations modulo 2^w (`affine`, with the linear algebra in `span`), and inequalities from templates
//! (`templates`, `preserved`, `rates`), for whole loops and for their `phases`, all checked to be inductive.
//! Polynomial equations (`polynomials`) are for proofs that use nothing else.

mod affine;
mod freed;
mod phases;
mod polynomials;
mod preserved;
mod rates;
pub(crate) mod span;
mod templates;

pub(crate) use polynomials::{as_numbers, exclude, fewest, multiplies, polynomials};
pub(crate) use templates::is_comparison;

use base::{IndexVec, Stopped};
use encode::{Cut, CutKind};
use smt::{Answer, Query, Solver};
use term::Term;

use crate::context::Context;
use crate::houdini::Houdini;
use crate::tuning::Tuning;

/// How many producers there are, the cheap ones first. law: as many as `relations` knows.
const PRODUCERS: usize = 4;
/// The stages that read products as uninterpreted; in the others the same producers are queried again, with products.
pub(crate) const CHEAP_STAGES: usize = PRODUCERS;
/// All stages.
pub(crate) const STAGES: usize = 2 * PRODUCERS;

/// What one producer finds: invariants by cutpoint that are inductive together with those already known, none of which
/// follows from the others.
pub(crate) fn relations(
    stage: usize,
    cx: &mut Context<'_>,
    known: &IndexVec<Cut, Vec<Term>>,
) -> Result<IndexVec<Cut, Vec<Term>>, Stopped> {
    let freed = freed::freed(cx.terms, cx.blocks);
    let blocks = match &freed {
        Some(freed) if stage < CHEAP_STAGES => freed,
        None if stage >= CHEAP_STAGES => return Ok(known.iter().map(|_| Vec::new()).collect()),
        _ => cx.blocks,
    };
    let mut search = Relations { cx: cx.with_blocks(blocks), all: known.clone() };
    match stage % PRODUCERS {
        0 => search.equations()?,
        1 => search.bounds()?,
        2 => search.by_phase()?,
        _ => search.rates()?,
    }
    let mut news = IndexVec::new();
    for (cut, invariants) in search.all.iter_enumerated() {
        news.push(essential(&mut search.cx, &known[cut], &invariants[known[cut].len()..])?);
    }
    Ok(news)
}

/// What is known of a graph of blocks, and grows.
struct Relations<'a> {
    cx: Context<'a>,
    /// By cutpoint, inductive together.
    all: IndexVec<Cut, Vec<Term>>,
}

impl Relations<'_> {
    /// Adds linear equations.
    fn equations(&mut self) -> Result<(), Stopped> {
        let (equations, is_certain) = affine::equations(&mut self.cx, &self.all, Tuning::DEFAULT.equations_ticks)?;
        if is_certain {
            extend(&mut self.all, &equations);
            return Ok(());
        }
        let mut candidates = Houdini::new(self.cx.blocks);
        candidates.candidates = equations;
        self.adopt(candidates)
    }
    /// Adds inequalities; they lean on the equations.
    fn bounds(&mut self) -> Result<(), Stopped> {
        let mut candidates = Houdini::new(self.cx.blocks);
        for (cut, cutpoint) in self.cx.blocks.cutpoints.iter_enumerated() {
            if cutpoint.kind == CutKind::Head {
                let known = &self.all[cut];
                for chain in templates::candidates(&mut self.cx, cut, known)? {
                    candidates.add_chain(cut, &chain);
                }
            }
        }
        self.adopt(candidates)
    }
    /// Adds bounds of sums of two variables by their values at the entry.
    fn rates(&mut self) -> Result<(), Stopped> {
        let mut candidates = Houdini::new(self.cx.blocks);
        for (cut, chain) in rates::candidates(&mut self.cx)? {
            candidates.add_chain(cut, &chain);
        }
        self.adopt(candidates)
    }
    /// Adds what holds in one phase of a loop.
    fn by_phase(&mut self) -> Result<(), Stopped> {
        let conditions = phases::conditions(&mut self.cx);
        for number in 0.. {
            let mut chosen = IndexVec::new();
            for conditions in conditions.iter() {
                chosen.push(conditions.get(number).copied());
            }
            if chosen.iter().all(|condition| condition.is_none()) {
                break;
            }
            let split = phases::Split::new(&mut self.cx, &chosen);
            let mut halves = Relations { cx: self.cx.with_blocks(&split.blocks), all: split.known(&self.all) };
            // What was found is kept when there is no time for more.
            let outcome = halves.equations().and_then(|()| halves.bounds());
            let found = halves.all;
            extend(&mut self.all, &split.joined(self.cx.terms, &found));
            match outcome {
                Err(Stopped::OutOfTicks) => break,
                outcome => outcome?,
            }
        }
        Ok(())
    }
    fn adopt(&mut self, candidates: Houdini) -> Result<(), Stopped> {
        let survivors = candidates.run(&mut self.cx, &self.all, Tuning::DEFAULT.relations_query_ticks)?;
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
fn essential(cx: &mut Context<'_>, known: &[Term], invariants: &[Term]) -> Result<Vec<Term>, Stopped> {
    let terms = &mut *cx.terms;
    let mut solver = Solver::new();
    let mut kept: Vec<Term> = invariants.to_vec();
    // The last ones are the most far-fetched.
    for &invariant in invariants.iter().rev() {
        let denied = terms.not(invariant);
        let others = kept.iter().filter(|&&other| other != invariant);
        let assumptions: Vec<Term> = known.iter().chain(others).copied().chain([denied]).collect();
        let limited = cx.run.budget.part(Tuning::DEFAULT.redundancy_ticks);
        match solver.check(terms, &Query::assuming(&assumptions), &limited) {
            Ok(Answer::Unsat(_)) => kept.retain(|&other| other != invariant),
            Ok(_) | Err(Stopped::OutOfTicks) => {}
            Err(stopped) => return Err(stopped),
        }
    }
    Ok(kept)
}
