//! Components of a program with the places where they are ranked, and the variables that tuples there may mention.

use base::{Id, OrderedMap};
use program::{Action, FunId, Graph, Loc, Program, Var, VarKind};
use term::{SortKind, Term, Terms};
use verdict::{Cycles, Ranked, called};

// law: words of more bits are not ranked.
const MAX_WIDTH: u32 = 64;

/// Loops that run into one another, or functions that call one another.
#[derive(Clone, Debug)]
pub struct Component {
    /// The places with a tuple.
    pub heads: Vec<Head>,
    /// Conditions that decide about another round.
    pub conditions: Vec<Term>,
}

/// A place with a tuple.
#[derive(Clone, Debug)]
pub struct Head {
    /// Which.
    pub at: Ranked,
    /// Where runs are when they come there.
    pub loc: Loc,
    /// What the tuple may mention.
    pub vars: Vec<Var>,
}

/// All components that runs may come to.
pub fn components(program: &Program, terms: &Terms) -> Vec<Component> {
    let cycles = Cycles::of(program);
    let graph = Graph::new(program);
    let is_called = called(program);
    let mut loops: OrderedMap<u32, Vec<Loc>> = OrderedMap::default();
    for (loc, number) in cycles.of_location.iter_enumerated() {
        if let Some(number) = number.filter(|_| is_called[program.locations[loc].function]) {
            loops.entry(number).or_default().push(loc);
        }
    }
    let mut found: Vec<Component> =
        loops.into_values().map(|locations| of_loop(program, terms, &graph, &cycles, &locations)).collect();
    let mut calls: OrderedMap<u32, Vec<FunId>> = OrderedMap::default();
    for (function, number) in cycles.of_function.iter_enumerated() {
        if let Some(number) = number.filter(|_| is_called[function]) {
            calls.entry(number).or_default().push(function);
        }
    }
    found.extend(calls.into_values().map(|functions| of_calls(program, terms, &graph, &functions)));
    found
}

fn of_loop(program: &Program, terms: &Terms, graph: &Graph, cycles: &Cycles, locations: &[Loc]) -> Component {
    let function = program.locations[locations[0]].function;
    let is_inside = |from: Loc, to: Loc| cycles.are_together(from, to);
    let is_entered = |loc: Loc| {
        loc == program.functions[function].entry
            || graph.incoming(loc).iter().any(|&edge| !is_inside(program.edges[edge].from, loc))
    };
    let mut heads: Vec<Loc> = locations.iter().copied().filter(|&loc| is_entered(loc)).collect();
    // The targets of edges that lead back in a walk from where the component is entered.
    let mut state: Vec<u8> = vec![0; program.locations.len()];
    for root in heads.clone() {
        let mut path = vec![(root, 0)];
        while let Some(&(loc, at)) = path.last() {
            if at == 0 {
                if state[loc.index()] != 0 {
                    path.pop();
                    continue;
                }
                state[loc.index()] = 1;
            }
            path.last_mut().expect("the path has a location").1 += 1;
            match graph.outgoing(loc).get(at).map(|&edge| program.edges[edge].to) {
                Some(to) if is_inside(loc, to) => match state[to.index()] {
                    0 => path.push((to, 0)),
                    1 if !heads.contains(&to) => heads.push(to),
                    _ => {}
                },
                Some(_) => {}
                None => {
                    state[loc.index()] = 2;
                    path.pop();
                }
            }
        }
    }
    heads.sort_unstable();
    let (mut roots, mut conditions) = (Vec::new(), Vec::new());
    let mut targets: Vec<Var> = Vec::new();
    for &loc in locations {
        for &edge in graph.outgoing(loc) {
            let action = &program.edges[edge].action;
            action.for_each_term(|term| roots.push(term));
            action.for_each_target(|var| targets.push(var));
            if let Action::Assume(condition) = *action {
                conditions.push(condition);
            }
        }
    }
    let mentioned = terms.subterms(&roots);
    let is_word = |var: Var| is_word(program, terms, var);
    let is_near = |var: Var| targets.contains(&var) || mentioned.contains(&program.vars[var].term);
    let visible = |var: &Var| match program.vars[*var].kind {
        VarKind::Global => true,
        VarKind::Param(owner) | VarKind::Local(owner) | VarKind::Temp(owner) => owner == function,
        _ => false,
    };
    let near: Vec<Var> = program.vars.ids().filter(visible).filter(|&var| is_word(var) && is_near(var)).collect();
    let known: Vec<Var> =
        near.into_iter().filter(|&var| heads.iter().all(|&head| is_written(program, graph, var, head))).collect();
    let heads = heads.into_iter().map(|loc| Head { at: Ranked::Head(loc), loc, vars: known.clone() }).collect();
    Component { heads, conditions }
}

fn of_calls(program: &Program, terms: &Terms, graph: &Graph, functions: &[FunId]) -> Component {
    let mut conditions = Vec::new();
    let mut heads = Vec::new();
    for &function in functions {
        let mut roots = Vec::new();
        for &edge in graph.edges(function) {
            program.edges[edge].action.for_each_term(|term| roots.push(term));
            if let Action::Assume(condition) = program.edges[edge].action {
                conditions.push(condition);
            }
        }
        let mentioned = terms.subterms(&roots);
        let is_known = |var: &Var| match program.vars[*var].kind {
            VarKind::Param(owner) => owner == function,
            VarKind::Global => mentioned.contains(&program.vars[*var].term),
            _ => false,
        };
        let vars = program.vars.ids().filter(is_known).filter(|&var| is_word(program, terms, var)).collect();
        heads.push(Head { at: Ranked::Entry(function), loc: program.functions[function].entry, vars });
    }
    Component { heads, conditions }
}

fn is_word(program: &Program, terms: &Terms, var: Var) -> bool {
    match *terms.sort_kind(program.vars[var].sort) {
        SortKind::BitVec(width) => width <= MAX_WIDTH,
        SortKind::Bool => true,
        _ => false,
    }
}

/// Whether every way to the location writes the variable, if it is one that a function must write before it is read.
fn is_written(program: &Program, graph: &Graph, var: Var, at: Loc) -> bool {
    let (VarKind::Local(function) | VarKind::Temp(function)) = program.vars[var].kind else { return true };
    let mut seen = vec![false; program.locations.len()];
    let mut todo = vec![program.functions[function].entry];
    while let Some(loc) = todo.pop() {
        if loc == at {
            return false;
        }
        if std::mem::replace(&mut seen[loc.index()], true) {
            continue;
        }
        for &edge in graph.outgoing(loc) {
            let mut writes = false;
            program.edges[edge].action.for_each_target(|target| writes |= target == var);
            if !writes {
                todo.push(program.edges[edge].to);
            }
        }
    }
    true
}
