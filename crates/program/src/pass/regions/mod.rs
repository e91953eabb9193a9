//! Regions: memory that pointers lead into becomes columns, and loads and stores become reads and writes of them.
//!
//! `points_to` finds which objects an access may concern, `layout` makes columns of it, `rewrite` changes the program. The layout goes into the
//! back-map in words of the program as lowered, and `certify` checks it there: nothing here has to be right for an answer to be
//! right.
//!
//! An `Alloc` that a run takes at most once makes an object whose address is a constant of the program, as for named objects. Others
//! choose an address that no such object had before (`used`). What cannot be covered stays as it is: such a load is any value, such a store
//! makes the columns that it may touch any value. Runs go on behind an access outside of every object, which allows
//! more runs.

mod layout;
mod points_to;
mod rewrite;
mod validity;

pub(super) use points_to::{Found, Trace};
pub(super) use validity::validity;

use term::Terms;

use super::BackMap;
use super::pieces::{bytes_of, has_bits};
use super::shape::expect_inlined;
use crate::{Action, Form, Program, Site, Storage};

/// Makes columns of the memory that accesses through pointers are about. The map leads to the program as lowered, the trace to the
/// inlined one.
pub(super) fn regions(
    program: Program,
    back: &BackMap,
    trace: &Trace,
    terms: &mut Terms,
    found: &Found,
) -> (Program, BackMap) {
    expect_inlined(&program);
    let is_load = |edge: &crate::Edge| matches!(edge.action, Action::Load { .. });
    let identity = BackMap::identity(&program);
    if !program.edges.iter().any(is_load) || found.compares_ended {
        return (program, identity);
    }
    let mut excluded = scalarised(back, found);
    let accesses = accesses(&program, trace, terms, found);
    let layout = loop {
        let layout = layout::layout(&found.places, &accesses, &mut excluded, program.pointer_width);
        let repeated = repeated_in_cells(found, &program, back, &layout);
        if repeated.is_empty() {
            break layout;
        }
        repeated.into_iter().for_each(|site| excluded[site as usize] = true);
    };
    if layout.columns.is_empty() {
        return (program, identity);
    }
    let (program, mut map) = rewrite::rewrite(program, identity, (back, trace), terms, found, &accesses, layout);
    if let (Some(new), Some(old)) = (&mut map.layout, &back.layout) {
        new.valid.clone_from(&old.valid);
    }
    (program, map)
}

/// The sites that have become variables already.
fn scalarised(back: &BackMap, found: &Found) -> Vec<bool> {
    let mut excluded = vec![false; found.places.len()];
    for instance in &back.instances {
        if let Storage::Bytes { object, .. } | Storage::Array { object, .. } = instance.storage {
            let automatic = Site::Automatic(instance.frame.clone(), object);
            for site in [Site::Static(object), automatic] {
                if let Some(&site) = found.index.get(&site) {
                    excluded[site as usize] = true;
                }
            }
        }
    }
    excluded
}

fn accesses(program: &Program, trace: &Trace, terms: &Terms, found: &Found) -> Vec<layout::Access> {
    let mut accesses = Vec::new();
    for (edge, info) in program.edges.iter_enumerated() {
        let sort = match &info.action {
            Action::Load { var, .. } => program.vars[*var].sort,
            Action::Store { value, .. } => terms.sort_of(*value),
            _ => continue,
        };
        if let Some((key, targets)) = found.of(trace, edge).filter(|_| has_bits(terms, sort)) {
            let bytes = bytes_of(terms, sort);
            accesses.push(layout::Access { edge, key: key.clone(), targets: targets.clone(), bytes });
        }
    }
    accesses
}

/// Automatic objects of activations that runs enter several times, in columns with others: their address is no constant, unless a pass
/// has made it a variable.
fn repeated_in_cells(found: &Found, program: &Program, back: &BackMap, layout: &crate::Layout) -> Vec<u32> {
    let cells = layout.columns.iter().filter(|column| column.form == Form::Cell);
    let mut sites: Vec<u32> = cells.flat_map(|column| column.members.iter().map(|member| member.site)).collect();
    sites.sort_unstable();
    sites.dedup();
    let is_repeated = |&site: &u32| {
        let place = &found.places[site as usize];
        matches!(place.site, Site::Automatic(..))
            && !place.once
            && rewrite::made_by_alloc(program, back, &place.site).is_none()
    };
    sites.retain(is_repeated);
    sites
}
