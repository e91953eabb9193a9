//! Runs without end, and memory that they lose.
//!
//! A program that asks whether memory is tracked asks where runs end (`AccessKind::Track`). Lost memory stays lost, so that this covers
//! every run that ends. A run without end stays in a cycle and asks nothing. An invariant therefore proves that nothing is lost only
//! if no run is endless, or none allocates. Cycles that are left to show: those of functions that call themselves, and loops. A loop is known to end
//! if on every round a variable that nothing else in the loop writes steps by one towards a bound that the
//! loop does not write and does not reach: it takes each value once at most.

use base::{FastMap, Id};
use program::{AccessKind, Action, AssertionKind, EdgeId, Lifetime, Loc, Program, Var, VarKind};
use term::{Op, Term, Terms};
use verdict::Code;

use crate::Refusal;

/// Refuses a proof by invariants that nothing is lost, if there may be a run without end and something to lose.
pub(crate) fn check(program: &Program, terms: &Terms) -> Result<(), Refusal> {
    let tracks = AssertionKind::Access(AccessKind::Track);
    let asks = program.assertions.iter().any(|assertion| assertion.kind == tracks);
    let allocates =
        program.edges.iter().any(|edge| matches!(edge.action, Action::Alloc { lifetime: Lifetime::Heap, .. }));
    if !asks || !allocates {
        return Ok(());
    }
    match may_be_endless(program, terms) {
        None => Ok(()),
        Some(at) => {
            let what = "allocated memory in a program with a loop that is not known to end";
            Err(Refusal::unknown(Code::Memory, what, program.locations[at].place))
        }
    }
}

/// A location of a cycle that is not known to end.
fn may_be_endless(program: &Program, terms: &Terms) -> Option<Loc> {
    if let Some(function) = recursive(program) {
        return Some(program.functions[function].entry);
    }
    let n_locations = program.locations.len();
    let mut left_out = vec![false; program.edges.len()];
    loop {
        let component = components(program, &left_out);
        let is_inside = |edge: EdgeId| {
            let (from, to) = (program.edges[edge].from, program.edges[edge].to);
            !left_out[edge.index()] && component[from.index()] == component[to.index()]
        };
        let inside: Vec<EdgeId> = program.edges.ids().filter(|&edge| is_inside(edge)).collect();
        if inside.is_empty() {
            return None;
        }
        let mut by_component: FastMap<usize, Vec<EdgeId>> = FastMap::new();
        for &edge in &inside {
            let number = component[program.edges[edge].from.index()];
            by_component.get_or_insert_with(number, Vec::new).push(edge);
        }
        let mut found = false;
        for number in 0..n_locations {
            let Some(edges) = by_component.get(&number) else { continue };
            // Steps of the counter are taken finitely often; what is left must end without them.
            match counter(program, terms, edges) {
                Some(steps) => {
                    steps.into_iter().for_each(|edge| left_out[edge.index()] = true);
                    found = true;
                }
                None => return Some(program.edges[edges[0]].from),
            }
        }
        if !found {
            return Some(program.edges[inside[0]].from);
        }
    }
}

/// The edges of the component that are taken finitely often, because each is a step of a counter below its bound.
fn counter(program: &Program, terms: &Terms, edges: &[EdgeId]) -> Option<Vec<EdgeId>> {
    let mut writes: FastMap<Var, Vec<EdgeId>> = FastMap::new();
    for &edge in edges {
        program.edges[edge].action.for_each_target(|var| writes.get_or_insert_with(var, Vec::new).push(edge));
    }
    let mut var_of: FastMap<Term, Var> = FastMap::new();
    for (var, info) in program.vars.iter_enumerated() {
        var_of.insert(info.term, var);
    }
    for &guard in edges {
        let Action::Assume(condition) = program.edges[guard].action else { continue };
        let Some((left, right)) = less(terms, condition) else { continue };
        if let Some(found) = [(left, right, 1), (right, left, u64::MAX)].into_iter().find_map(|(counted, bound, by)| {
            ends_by(program, terms, edges, guard, &writes, &var_of, (counted, bound, by))
        }) {
            return Some(found);
        }
    }
    None
}

/// The guard, if it is passed finitely often: `counted` steps `by` one towards `bound`.
fn ends_by(
    program: &Program,
    terms: &Terms,
    edges: &[EdgeId],
    guard: EdgeId,
    writes: &FastMap<Var, Vec<EdgeId>>,
    var_of: &FastMap<Term, Var>,
    (counted, bound, by): (Term, Term, u64),
) -> Option<Vec<EdgeId>> {
    let &var = var_of.get(&counted)?;
    // Calls may write globals.
    if !matches!(program.vars[var].kind, VarKind::Local(_) | VarKind::Param(_) | VarKind::Temp(_)) {
        return None;
    }
    let is_fixed = terms.subterms(&[bound]).into_iter().all(|part| match var_of.get(&part) {
        Some(other) => !writes.contains_key(other) && program.vars[*other].kind != VarKind::Global,
        None => !matches!(terms.op(part), Op::Symbol(_)),
    });
    let steps = writes.get(&var).filter(|_| is_fixed)?;
    let is_step = |&edge: &EdgeId| match &program.edges[edge].action {
        Action::Assign(pairs) => pairs.iter().any(|&(to, value)| to == var && is_next(terms, value, counted, by)),
        _ => false,
    };
    (steps.iter().all(is_step) && passes_guard(program, edges, guard, steps)).then(|| vec![guard])
}

/// The sides of `left < right`, signed or not.
fn less(terms: &Terms, condition: Term) -> Option<(Term, Term)> {
    match (terms.op(condition), terms.args(condition)) {
        (Op::BvSlt | Op::BvUlt, &[left, right]) => Some((left, right)),
        _ => None,
    }
}

/// Whether the value is the variable's and `by`, one or minus one.
fn is_next(terms: &Terms, value: Term, var: Term, by: u64) -> bool {
    let width = terms.width(var);
    let by = if width >= 64 { by } else { by & ((1 << width) - 1) };
    let is_step = |term: Term| terms.small_value(term) == Some(by);
    terms.op(value) == Op::BvAdd
        && matches!(*terms.args(value), [one, other] if one == var && is_step(other) || other == var && is_step(one))
}

/// Whether every cycle of these edges that passes the guard also has a step, and every cycle with a step the guard. Then the variable grows by
/// at least one between two passings, while it stays below the bound: it cannot wrap around, and the guard is passed finitely often.
fn passes_guard(program: &Program, edges: &[EdgeId], guard: EdgeId, steps: &[EdgeId]) -> bool {
    // A step that follows a step without the guard between could go past the bound and wrap around.
    let without_guard: Vec<EdgeId> = edges.iter().copied().filter(|&edge| edge != guard).collect();
    let steps_apart = steps.iter().all(|&step| {
        let after = reachable(program, &without_guard, program.edges[step].to);
        !steps.iter().any(|&next| after.contains_key(&program.edges[next].from))
    });
    let without_steps: Vec<EdgeId> = edges.iter().copied().filter(|edge| !steps.contains(edge)).collect();
    let guard_needs_step = {
        let after = reachable(program, &without_steps, program.edges[guard].to);
        !after.contains_key(&program.edges[guard].from)
    };
    steps_apart && guard_needs_step
}

fn reachable(program: &Program, edges: &[EdgeId], from: Loc) -> FastMap<Loc, ()> {
    let mut seen: FastMap<Loc, ()> = FastMap::new();
    let mut work = vec![from];
    while let Some(at) = work.pop() {
        if seen.insert(at, ()).is_none() {
            work.extend(
                edges.iter().map(|&edge| &program.edges[edge]).filter(|edge| edge.from == at).map(|edge| edge.to),
            );
        }
    }
    seen
}

/// A function that calls itself, directly or not.
fn recursive(program: &Program) -> Option<program::FunId> {
    let callees = |function: program::FunId| {
        program.edges.iter().filter_map(move |edge| match edge.action {
            Action::Call { function: callee, .. } if program.locations[edge.from].function == function => Some(callee),
            _ => None,
        })
    };
    program.functions.ids().find(|&start| {
        let mut seen = vec![false; program.functions.len()];
        let mut work: Vec<program::FunId> = callees(start).collect();
        while let Some(function) = work.pop() {
            if !std::mem::replace(&mut seen[function.index()], true) {
                work.extend(callees(function));
            }
        }
        seen[start.index()]
    })
}

/// The number of the strongly connected component of each location, without the edges that are left out. A component of one location without
/// an edge to itself has no edge inside.
fn components(program: &Program, left_out: &[bool]) -> Vec<usize> {
    let n = program.locations.len();
    let (mut forward, mut backward) = (vec![Vec::new(); n], vec![Vec::new(); n]);
    for (id, edge) in program.edges.iter_enumerated().filter(|(id, _)| !left_out[id.index()]) {
        let _ = id;
        forward[edge.from.index()].push(edge.to.index());
        backward[edge.to.index()].push(edge.from.index());
    }
    let mut order = Vec::with_capacity(n);
    let mut seen = vec![false; n];
    for start in 0..n {
        if seen[start] {
            continue;
        }
        seen[start] = true;
        let mut stack = vec![(start, 0)];
        while let Some((at, next)) = stack.pop() {
            match forward[at].get(next) {
                Some(&to) => {
                    stack.push((at, next + 1));
                    if !std::mem::replace(&mut seen[to], true) {
                        stack.push((to, 0));
                    }
                }
                None => order.push(at),
            }
        }
    }
    let mut component = vec![usize::MAX; n];
    for &root in order.iter().rev() {
        let mut work = vec![root];
        while let Some(at) = work.pop() {
            if component[at] == usize::MAX {
                component[at] = root;
                work.extend(&backward[at]);
            }
        }
    }
    component
}
