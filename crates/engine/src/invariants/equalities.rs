//! Variables that are equal in all states so far, by their terms, and stay equal.
//!
//! In the first layers of an unrolling from the entry two copies of one computation are the same terms. That gives
//! candidates; which of them are inductive is asked with operators read as functions, so that it costs little
//! whatever is computed: where the copies do the same, congruence shows it, and where they do not, no harm is done.

use base::{IndexVec, Stopped};
use encode::{Cut, CutKind, Unrolling};
use smt::Reading;
use term::Term;

use crate::context::Context;
use crate::houdini::Houdini;
use crate::tuning::Tuning;

/// Equalities between variables that are inductive by themselves, by cutpoint; `None` if there is no equality.
pub(super) fn equalities(
    cx: &mut Context<'_>,
    unrolling: &Unrolling,
) -> Result<Option<IndexVec<Cut, Vec<Term>>>, Stopped> {
    let (program, blocks) = (cx.program(), cx.blocks);
    let mut houdini = Houdini::new(blocks);
    houdini.reading = Reading::Uninterpreted;
    for (cut, cutpoint) in blocks.cutpoints.iter_enumerated() {
        if cutpoint.kind != CutKind::Head {
            continue;
        }
        for (a, b) in candidates(unrolling, cut, cutpoint.state.len()) {
            let (x, y) = (program.vars[cutpoint.state[a]].term, program.vars[cutpoint.state[b]].term);
            if cx.terms.sort_of(x) == cx.terms.sort_of(y) {
                let equality = cx.terms.eq(x, y);
                houdini.add(cut, equality);
            }
        }
    }
    if houdini.candidates.iter().all(Vec::is_empty) {
        return Ok(None);
    }
    let nothing: IndexVec<Cut, Vec<Term>> = blocks.cutpoints.iter().map(|_| Vec::new()).collect();
    let survivors = houdini.run(cx, &nothing, Tuning::DEFAULT.equalities_query_ticks)?;
    let found = survivors.invariants;
    Ok(if found.iter().all(Vec::is_empty) { None } else { Some(found) })
}

/// Pairs of places in the state vector whose values were the same whenever a run was there; of a class of equals,
/// its first member with each of the others.
fn candidates(unrolling: &Unrolling, cut: Cut, len: usize) -> Vec<(usize, usize)> {
    let visits: Vec<&[Term]> =
        unrolling.layers.iter().filter_map(|layer| layer.states.get(&cut)).map(|state| &state.values[..]).collect();
    let mut found = Vec::new();
    if visits.len() < 2 {
        return found;
    }
    for b in 0..len {
        let first = (0..b).find(|&a| visits.iter().all(|values| values[a] == values[b]));
        found.extend(first.map(|a| (a, b)));
    }
    found.truncate(Tuning::DEFAULT.equalities_candidates);
    found
}
