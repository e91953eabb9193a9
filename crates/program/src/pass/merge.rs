//! Merging: variables that are always assigned together, and alike, are one.
//!
//! Two variables of one sort are equal wherever they matter if the same edges assign them, and on each the
//! two values are equal once equal variables are put for each other. We start with the coarsest
//! partition, by the edges that assign, and split classes until the values agree: the greatest fixed point.
//! A variable that is read before it is assigned (a global) has a class of its own.
//!
//! Each class keeps its first variable. Facts: at the joins, that live members equal it.

use base::{FastMap, IndexVec};
use term::{Substitution, Term, Terms};

use super::BackMap;
use super::liveness::Liveness;
use super::reads::rewrite;
use super::shape::{Shape, entry_of, expect_inlined};
use crate::{Action, EdgeId, Frame, Graph, Point, Program, Var};

/// Merges equal variables.
pub fn merge(mut program: Program, terms: &mut Terms) -> (Program, BackMap) {
    expect_inlined(&program);
    let mut map = BackMap::identity(&program);
    let graph = Graph::new(&program);
    let leaders = leaders(&program, terms, &graph);
    if leaders.iter_enumerated().all(|(var, &leader)| var == leader) {
        return (program, map);
    }
    let shape = Shape::new(&program, &graph, |_| false);
    let live = Liveness::new(&program, terms, &graph, |loc| shape.join[loc]);
    for loc in program.locations.ids().filter(|&loc| shape.join[loc]) {
        let merged: Vec<Var> = live.at(loc).filter(|&var| leaders[var] != var).collect();
        let equal: Vec<Term> =
            merged.into_iter().map(|var| terms.eq(program.vars[var].term, program.vars[leaders[var]].term)).collect();
        if !equal.is_empty() {
            let fact = terms.and(&equal);
            map.facts.push((Point { frame: Frame::default(), loc }, fact));
        }
    }
    let mut substitution = Substitution::new(terms, &pairs(&program, &leaders));
    for edge in program.edges.iter_mut() {
        let action = rewrite(&edge.action, |term| substitution.apply(terms, term));
        edge.action = match action {
            Action::Assign(mut pairs) => {
                // The others are not read any more.
                pairs.retain(|&(var, _)| leaders[var] == var);
                Action::Assign(pairs)
            }
            other => other,
        };
    }
    (program, map)
}

fn pairs(program: &Program, leaders: &IndexVec<Var, Var>) -> Vec<(Term, Term)> {
    let merged = leaders.iter_enumerated().filter(|(var, leader)| var != *leader);
    merged.map(|(var, &leader)| (program.vars[var].term, program.vars[leader].term)).collect()
}

/// The first member of each variable's class.
fn leaders(program: &Program, terms: &mut Terms, graph: &Graph) -> IndexVec<Var, Var> {
    let entry = entry_of(program);
    let at_start = Liveness::new(program, terms, graph, |loc| loc == entry);
    // The assignments of each variable; none if something else writes it.
    let mut writes: IndexVec<Var, Option<Vec<(EdgeId, Term)>>> =
        program.vars.iter().map(|_| Some(Vec::new())).collect();
    for (id, edge) in program.edges.iter_enumerated() {
        match &edge.action {
            Action::Assign(pairs) => {
                for &(var, value) in pairs {
                    if let Some(list) = &mut writes[var] {
                        list.push((id, value));
                    }
                }
            }
            action => action.for_each_target(|var| writes[var] = None),
        }
    }
    let mut leaders: IndexVec<Var, Var> = program.vars.ids().collect();
    let candidate =
        |var: Var| !at_start.is_live(entry, var) && writes[var].as_ref().is_some_and(|list| !list.is_empty());
    let candidates: Vec<Var> = program.vars.ids().filter(|&var| candidate(var)).collect();
    let edges_of = |var: Var| -> Vec<EdgeId> { writes[var].iter().flatten().map(|&(edge, _)| edge).collect() };
    let mut classes: FastMap<(term::Sort, Vec<EdgeId>), Var> = FastMap::new();
    for &var in &candidates {
        leaders[var] = *classes.get_or_insert_with((program.vars[var].sort, edges_of(var)), || var);
    }
    loop {
        let mut substitution = Substitution::new(terms, &pairs(program, &leaders));
        let mut split: FastMap<(Var, Vec<Term>), Var> = FastMap::new();
        let mut next = leaders.clone();
        // Only classes with more than one member can fall apart.
        let mut sizes: FastMap<Var, u32> = FastMap::new();
        for &var in &candidates {
            *sizes.get_or_insert_with(leaders[var], || 0) += 1;
        }
        for &var in candidates.iter().filter(|&&var| sizes[&leaders[var]] > 1) {
            let values: Vec<Term> =
                writes[var].iter().flatten().map(|&(_, value)| substitution.apply(terms, value)).collect();
            next[var] = *split.get_or_insert_with((leaders[var], values), || var);
        }
        if next == leaders {
            return leaders;
        }
        leaders = next;
    }
}
