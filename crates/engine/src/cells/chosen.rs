//! Cells that the program picks with an input: `j = any(); if (j < n) assert(a[j] == 0);`.
//!
//! An invariant about every cell is used at terms over the state of a cutpoint (`places`), and an input that is read behind the loop is in no
//! such state. So the program is also cut where the input arrives: there it is a variable of the state as any other, and what the
//! loops have left of the array is an invariant there.

use base::IndexVec;
use encode::{Blocks, Cut, CutKind, Memory, Source};
use program::Loc;
use term::Term;

use super::{indices_in, is_variable};
use crate::context::Context;
use crate::tuning::Tuning;

/// The program with these cuts too, and candidates there: what is known at loop heads. None if errors depend on no such cell.
pub(super) fn cut_where_indices_are_chosen(
    cx: &mut Context<'_>,
    known: &IndexVec<Cut, Vec<Term>>,
) -> Option<(Blocks, Vec<(Cut, Term)>)> {
    let more = arrivals(cx);
    if more.is_empty() {
        return None;
    }
    let (program, old) = (cx.program(), cx.blocks);
    let blocks = Blocks::cut_at(program, cx.terms, Memory::Anything, &more).ok()?;
    let mut offered = Vec::new();
    for (cut, cutpoint) in blocks.cutpoints.iter_enumerated().filter(|(_, point)| point.kind == CutKind::Head) {
        let state: Vec<Term> = cutpoint.state.iter().map(|&var| program.vars[var].term).collect();
        for (head, facts) in known.iter_enumerated() {
            let is_same = old.cutpoints[head].loc == cutpoint.loc;
            for &fact in facts.iter().filter(|_| is_same || more.contains(&cutpoint.loc)) {
                let is_here = |&part: &Term| !is_variable(cx.terms, part) || state.contains(&part);
                if is_same || cx.terms.subterms(&[fact]).iter().all(is_here) {
                    offered.push((cut, fact));
                }
            }
        }
    }
    Some((blocks, offered))
}

/// Where inputs arrive that are part of an index which an error depends on.
fn arrivals(cx: &Context<'_>) -> Vec<Loc> {
    let (program, terms, blocks) = (cx.program(), &*cx.terms, cx.blocks);
    let mut found: Vec<Loc> = Vec::new();
    for block in blocks.blocks.iter() {
        let errors = block.exits.iter().filter(|exit| matches!(blocks.cutpoints[exit.to].kind, CutKind::Error(_)));
        let guards: Vec<Term> = errors.map(|exit| exit.guard).collect();
        let parts = terms.subterms(&indices_in(terms, &guards));
        for input in block.inputs.iter().filter(|input| matches!(input.source, Source::Input(_) | Source::Load)) {
            let loc = program.edges[input.edge].to;
            if parts.contains(&input.symbol) && !found.contains(&loc) {
                found.push(loc);
            }
        }
    }
    found.retain(|loc| blocks.cutpoints.iter().all(|cutpoint| cutpoint.loc != *loc));
    found.truncate(Tuning::DEFAULT.cells_chosen);
    found
}
