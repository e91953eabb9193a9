//! Invariants about what loops add up: `sum = total(a, n) - total(a, i)`.
//!
//! A loop that adds up the cells of an array has no invariant over single cells. With a name for the sum of the cells that are passed,
//! `total(a, i)`, the invariant is an equation ([`term::totals`] has the laws). Loops that do so are found by their form (`loops`); then what
//! is known before a loop gives what the word is in it and behind it (`guesses`): it starts with what it was, it has the total of the cells passed more,
//! and the total of all cells in the end. Where a loop moves cells, the cell at its counter is twice there, and another one is in a word. All of it
//! are candidates; `houdini` leaves out what does not hold.

mod guesses;
mod loops;

use base::{IndexVec, Stopped};
use encode::{Blocks, Cut, CutKind};
use term::totals::Total;
use term::{Op, Term, Terms};
use verdict::{Method, Proof};

use self::guesses::Guesses;
use self::loops::{Sums, is_contradiction};
use crate::context::Context;
use crate::evidence;
use crate::houdini::Houdini;
use crate::invariants::Invariants;
use crate::needed::needed;
use crate::tuning::Tuning;

/// A proof by what loops add up, together with these invariants; none if none is found.
pub(crate) fn by_totals(cx: &mut Context<'_>, invariants: &Invariants) -> Result<Option<Proof>, Stopped> {
    let part = cx.run.budget.part(Tuning::DEFAULT.totals_ticks);
    let mut cx = cx.within(&part);
    match prove(&mut cx, &invariants.at) {
        Err(Stopped::OutOfTicks) => Ok(None),
        found => found,
    }
}

fn prove(cx: &mut Context<'_>, known: &IndexVec<Cut, Vec<Term>>) -> Result<Option<Proof>, Stopped> {
    let sums = Sums::find(cx, known)?;
    if sums.loops.is_empty() {
        return Ok(None);
    }
    cx.run.observer.phase("totals");
    let candidates = Guesses::new(cx, &sums).candidates(cx.terms);
    let blocks = with_laws(cx, &sums.totals, &candidates);
    let mut cx = cx.with_blocks(&blocks);
    let mut houdini = Houdini::new(&blocks);
    for &(cut, candidate) in &candidates {
        houdini.add(cut, candidate);
    }
    let survivors = houdini.run(&mut cx, known, Tuning::DEFAULT.totals_query_ticks)?;
    let mut all: Vec<(Cut, Term)> = Vec::new();
    for (cut, found) in survivors.invariants.iter_enumerated() {
        all.extend(known[cut].iter().chain(found).map(|&term| (cut, term)));
    }
    for (from, block) in blocks.blocks.iter_enumerated() {
        for exit in block.exits.iter().filter(|exit| matches!(blocks.cutpoints[exit.to].kind, CutKind::Error(_))) {
            let mut met = blocks.axioms.clone();
            met.extend(all.iter().filter(|(cut, _)| *cut == from).map(|pair| pair.1));
            met.push(exit.guard);
            if !is_contradiction(&mut cx, &met)? {
                return Ok(None);
            }
        }
    }
    let all = needed(&mut cx, all)?;
    let mut proof = evidence::proof(cx.task, cx.terms, &blocks, &all, Method::Induction { depth: 1 }, &[]);
    evidence::with_totals(cx.terms, &mut proof, &sums.totals);
    Ok(Some(proof))
}

/// The blocks, where each exit says the laws about what candidates say where they are assumed and where they are shown.
fn with_laws(cx: &mut Context<'_>, totals: &[Total], candidates: &[(Cut, Term)]) -> Blocks {
    let program = cx.program();
    let mut blocks = cx.blocks.clone();
    let terms = &mut *cx.terms;
    for from in blocks.cutpoints.ids() {
        for exit in &mut blocks.blocks[from].exits {
            let pairs: Vec<(Term, Term)> =
                exit.values.iter().map(|&(var, value)| (program.vars[var].term, value)).collect();
            let mut said: Vec<Term> = candidates.iter().filter(|(cut, _)| *cut == from).map(|pair| pair.1).collect();
            for &(_, candidate) in candidates.iter().filter(|(cut, _)| *cut == exit.to) {
                said.push(terms.substitute(candidate, &pairs));
            }
            let mut parts = vec![exit.guard];
            for total in totals {
                parts.extend(total.laws(terms, &said));
            }
            exit.guard = terms.and(&parts);
        }
    }
    blocks
}

/// The value that the exit gives to the variable with this term; the term itself if it leaves it as it is.
fn value_at(program: &program::Program, exit: &encode::Exit, word: Term) -> Term {
    let changed = exit.values.iter().find(|(var, _)| program.vars[*var].term == word);
    changed.map_or(word, |pair| pair.1)
}

/// The terms of the variables of the state at the cutpoint.
fn state(program: &program::Program, blocks: &Blocks, cut: Cut) -> Vec<Term> {
    blocks.cutpoints[cut].state.iter().map(|&var| program.vars[var].term).collect()
}

/// The variables and inputs in the term.
fn variables(terms: &Terms, term: Term) -> Vec<Term> {
    let mut found = terms.subterms(&[term]);
    found.retain(|&part| matches!(terms.op(part), Op::Symbol(_)) && terms.args(part).is_empty());
    found
}
