//! Dead code: what no run reaches, what cannot lead to an error, what is not read.
//!
//! *Locations.* We keep what the entry reaches along edges that are not closed (`assume false`) and from where an
//! error can be reached. A location that is never reached gets the fact `false`. A loop that cannot lead to
//! an error needs nothing but a cutpoint: one of its joins, with whatever earlier passes said about it.
//!
//! *Closed edges* go, unless they close a cycle of locations that stay: then a proof still needs an
//! invariant for the cycle, so the cycle stays, and with it everything on it.
//!
//! *Assignments* to variables that are not live behind them go; so do loads, and all requests for an input if
//! none of their values is live. `Check`s restrict nothing and go too: an error is replayed on the program
//! as lowered, where they stand.

use base::{FastMap, IndexVec};
use term::Terms;

use super::BackMap;
use super::liveness::for_each_group;
use super::shape::{Shape, empty, expect_inlined, is_closed};
use crate::{Action, EdgeId, Frame, Graph, InputId, Loc, Mark, Point, Program, Var};

/// Removes dead code from the entry function.
pub fn dead(mut program: Program, terms: &mut Terms) -> (Program, BackMap) {
    expect_inlined(&program);
    for edge in program.edges.iter_mut() {
        if matches!(edge.action, Action::Check { .. } | Action::Order(_)) {
            edge.action = empty(terms);
        }
    }
    let (mut program, map) = locations(program, terms);
    assignments(&mut program, terms);
    (program, map)
}

/// Removes locations and edges.
fn locations(program: Program, terms: &mut Terms) -> (Program, BackMap) {
    let graph = Graph::new(&program);
    let mut map = BackMap::identity(&program);
    let all = Shape::new(&program, &graph, |_| false);
    let open = Shape::new(&program, &graph, |edge| is_closed(terms, edge));
    let leads = leads_to_error(&program, terms, &graph, &open);
    // Cycles among reached locations, closed edges included.
    let reached = Shape::new(&program, &graph, |edge| !open.reached(edge.from) || !open.reached(edge.to));
    let mut component_leads: FastMap<usize, ()> = FastMap::new();
    for loc in program.locations.ids().filter(|&loc| leads[loc] && reached.cyclic[loc]) {
        component_leads.insert(reached.component[loc], ());
    }
    let stays = |loc: Loc| {
        leads[loc] || open.reached(loc) && reached.cyclic[loc] && component_leads.contains_key(&reached.component[loc])
    };
    let here = |loc: Loc| Point { frame: Frame::default(), loc };
    let impossible = terms.truth(false);
    for loc in program.locations.ids().filter(|&loc| all.cyclic[loc]) {
        if !open.reached(loc) {
            let entered = graph.incoming(loc).iter().any(|&edge| open.reached(program.edges[edge].from));
            if entered || all.join[loc] {
                map.facts.push((here(loc), impossible));
                map.cuts.push(here(loc));
            }
        } else if !stays(loc) && reached.join[loc] {
            map.cuts.push(here(loc));
        }
    }
    let mut kept: IndexVec<Loc, bool> = program.locations.ids().map(stays).collect();
    let keeps_edge = |id: EdgeId| {
        let edge = &program.edges[id];
        stays(edge.from) && stays(edge.to) && (!is_closed(terms, edge) || reached.together(edge.from, edge.to))
    };
    let kept_edges: IndexVec<EdgeId, bool> = program.edges.ids().map(keeps_edge).collect();
    // Every function has its entry and its exit.
    for function in &program.functions {
        kept[function.entry] = true;
        kept[function.exit] = true;
    }
    compact(program, map, &kept, &kept_edges)
}

/// The reached locations from which open edges lead to an error.
fn leads_to_error(program: &Program, terms: &Terms, graph: &Graph, open: &Shape) -> IndexVec<Loc, bool> {
    let mut leads: IndexVec<Loc, bool> = program.locations.iter().map(|_| false).collect();
    let is_error = |&loc: &Loc| matches!(program.locations[loc].mark, Mark::Error(_)) && open.reached(loc);
    let mut work: Vec<Loc> = program.locations.ids().filter(is_error).collect();
    for &loc in &work {
        leads[loc] = true;
    }
    while let Some(loc) = work.pop() {
        for &id in graph.incoming(loc) {
            let edge = &program.edges[id];
            if open.reached(edge.from) && !is_closed(terms, edge) && !std::mem::replace(&mut leads[edge.from], true) {
                work.push(edge.from);
            }
        }
    }
    leads
}

/// The program with these locations and edges only, under new numbers.
pub(super) fn compact(
    program: Program,
    mut map: BackMap,
    kept: &IndexVec<Loc, bool>,
    kept_edges: &IndexVec<EdgeId, bool>,
) -> (Program, BackMap) {
    let Program { locations, edges, .. } = &program;
    let mut number: IndexVec<Loc, Option<Loc>> = locations.iter().map(|_| None).collect();
    let mut new_locations = IndexVec::new();
    let mut points = IndexVec::new();
    for (loc, info) in locations.iter_enumerated() {
        if kept[loc] {
            number[loc] = Some(new_locations.push(info.clone()));
            points.push(map.points[loc].clone());
        }
    }
    let place = |loc: Loc| number[loc].expect("the ends of an edge that stays stay");
    let mut new_edges = IndexVec::new();
    let mut origins = IndexVec::new();
    for (id, edge) in edges.iter_enumerated() {
        if kept_edges[id] {
            new_edges.push(crate::Edge { from: place(edge.from), to: place(edge.to), ..edge.clone() });
            origins.push(std::mem::take(&mut map.edges[id]));
        }
    }
    let mut functions = program.functions.clone();
    for function in functions.iter_mut() {
        function.entry = place(function.entry);
        function.exit = place(function.exit);
    }
    (map.points, map.edges) = (points, origins);
    (Program { locations: new_locations, edges: new_edges, functions, ..program }, map)
}

/// Removes assignments whose value is not read, until a fixed point.
fn assignments(program: &mut Program, terms: &mut Terms) {
    let graph = Graph::new(program);
    loop {
        let mut unread: Vec<(EdgeId, Var)> = Vec::new();
        for_each_group(program, terms, &graph, |group| {
            for edge in group.writes() {
                let dead = group.written[edge] & !group.live[program.edges[edge].to];
                unread.extend(group.vars(dead).map(|var| (edge, var)));
            }
        });
        unread.sort_unstable();
        unread.dedup();
        let is_unread = |edge: EdgeId, var: Var| unread.binary_search(&(edge, var)).is_ok();
        let mut wanted: FastMap<InputId, ()> = FastMap::new();
        for (id, edge) in program.edges.iter_enumerated() {
            match edge.action {
                Action::Havoc { var, input } if !is_unread(id, var) => wanted.insert(input, ()),
                Action::Forget { input, .. } | Action::Alloc { input: Some(input), .. } => wanted.insert(input, ()),
                _ => None,
            };
        }
        let mut changed = false;
        for &(id, var) in &unread {
            let drop = match &mut program.edges[id].action {
                Action::Assign(pairs) => {
                    pairs.retain(|&(target, _)| target != var);
                    changed = true;
                    pairs.is_empty()
                }
                Action::Havoc { input, .. } => !wanted.contains_key(input),
                Action::Load { .. } | Action::Alloc { .. } | Action::Probe { .. } => true,
                _ => false,
            };
            if drop {
                program.edges[id].action = empty(terms);
                changed = true;
            }
        }
        if !changed {
            return;
        }
    }
}
