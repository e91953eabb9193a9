//! What a proof needs of what is known: the invariants that exclude the errors, those that these need, and so on.
//!
//! Engines import many facts and use few, and each of them makes the check of a proof more expensive. Every block's errors, and then
//! every invariant that turned out to be needed at the end of a block, are refuted once more with what is known at
//! its start as assumptions; the core says what that took. Functions first, bits only where they are not enough, so
//! that what is kept is what makes for a cheap check.

use base::{Budget, FastMap, IndexVec, Stopped};
use encode::{Blocks, Cut, CutKind};
use smt::{Answer, Query, Reading, Solver};
use term::{Term, Terms};

use crate::cells::{Contents, Instances};
use crate::context::Context;
use crate::tuning::Tuning;

/// Those of the invariants, inductive together and without an error in the next block, that do it alone. All of them if
/// it is not seen soon.
pub fn needed(cx: &mut Context<'_>, invariants: Vec<(Cut, Term)>) -> Result<Vec<(Cut, Term)>, Stopped> {
    needed_with(cx, invariants, &Instances::new())
}

/// The same where some of the invariants speak of every value of something and are assumed with these instances.
pub(crate) fn needed_with(
    cx: &mut Context<'_>,
    invariants: Vec<(Cut, Term)>,
    instances: &Instances,
) -> Result<Vec<(Cut, Term)>, Stopped> {
    let blocks = cx.blocks;
    let mut known: IndexVec<Cut, Vec<Term>> = blocks.cutpoints.iter().map(|_| Vec::new()).collect();
    for &(cut, term) in &invariants {
        known[cut].push(term);
    }
    let part = cx.run.budget.part(Tuning::DEFAULT.needed_ticks);
    let chosen = Needs::new(blocks, &known, instances).choose(&mut cx.within(&part));
    match chosen {
        Ok(chosen) => Ok(invariants.into_iter().filter(|entry| chosen.contains_key(entry)).collect()),
        Err(Stopped::OutOfTicks) => Ok(invariants),
        Err(stopped) => Err(stopped),
    }
}

struct Needs<'a> {
    known: &'a IndexVec<Cut, Vec<Term>>,
    instances: &'a Instances,
    solvers: Vec<(Solver, u64, Option<Contents>)>,
    /// What is needed, and whose own needs are still to be found.
    chosen: FastMap<(Cut, Term), ()>,
    open: Vec<(Cut, Term)>,
}

impl<'a> Needs<'a> {
    fn new(blocks: &Blocks, known: &'a IndexVec<Cut, Vec<Term>>, instances: &'a Instances) -> Self {
        let mut solvers = Vec::new();
        let (functions, bits) = (Tuning::DEFAULT.needed_function_query_ticks, Tuning::DEFAULT.needed_bit_query_ticks);
        for (reading, query_ticks) in [(Reading::Uninterpreted, functions), (Reading::Bits, bits)] {
            let mut solver = Solver::with_reading(reading);
            blocks.axioms.iter().for_each(|&axiom| solver.assert(axiom));
            solvers.push((solver, query_ticks, None));
        }
        if !instances.is_empty() {
            let (contents, mut solver) = Contents::new();
            blocks.axioms.iter().for_each(|&axiom| solver.assert(axiom));
            solvers.insert(1, (solver, bits, Some(contents)));
        }
        Needs { known, instances, solvers, chosen: FastMap::new(), open: Vec::new() }
    }
    fn choose(mut self, cx: &mut Context<'_>) -> Result<FastMap<(Cut, Term), ()>, Stopped> {
        let (program, blocks, budget) = (cx.program(), cx.blocks, cx.run.budget);
        let terms = &mut *cx.terms;
        for (from, block) in blocks.blocks.iter_enumerated() {
            for exit in &block.exits {
                if matches!(blocks.cutpoints[exit.to].kind, CutKind::Error(_)) {
                    self.refute(terms, from, &[exit.guard], budget)?;
                }
            }
        }
        while let Some((cut, invariant)) = self.open.pop() {
            for (from, block) in blocks.blocks.iter_enumerated() {
                for exit in block.exits.iter().filter(|exit| exit.to == cut) {
                    let pairs: Vec<(Term, Term)> =
                        exit.values.iter().map(|&(var, value)| (program.vars[var].term, value)).collect();
                    let after = terms.substitute(invariant, &pairs);
                    let broken = terms.not(after);
                    self.refute(terms, from, &[exit.guard, broken], budget)?;
                }
            }
        }
        Ok(self.chosen)
    }
    /// Chooses what at the cutpoint contradicts the formulas.
    fn refute(&mut self, terms: &Terms, from: Cut, formulas: &[Term], budget: &Budget) -> Result<(), Stopped> {
        let known = &self.known[from];
        let instance_of = |term: &Term| self.instances.get(&(from, *term)).copied();
        let assumptions: Vec<Term> =
            formulas.iter().chain(known).copied().chain(known.iter().filter_map(instance_of)).collect();
        let mut core = known.clone();
        for (solver, ticks, contents) in &mut self.solvers {
            if let Some(contents) = contents {
                contents.read(solver, terms, &assumptions);
            }
            let limited = budget.part(*ticks);
            let answer = solver.check(terms, &Query::assuming(&assumptions), &limited);
            let found = match answer {
                Ok(Answer::Unsat(refutation)) => Some(refutation.core().to_vec()),
                Ok(_) | Err(Stopped::OutOfTicks) => None,
                Err(stopped) => return Err(stopped),
            };
            if let Some(found) = found {
                core = found;
                break;
            }
        }
        let is_used = |term: &&Term| core.contains(term) || instance_of(term).is_some_and(|term| core.contains(&term));
        for &term in known.iter().filter(is_used) {
            if self.chosen.insert((from, term), ()).is_none() {
                self.open.push((from, term));
            }
        }
        Ok(())
    }
}
