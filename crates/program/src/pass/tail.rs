//! Tail calls become jumps: a function that calls itself as the last thing it does is a loop.
//!
//! A call of a function by itself is a *tail call* if
//! 1. from where it returns to, one path without branching leads to the exit, over empty steps and assignments that
//!    hand the result of the call on to the result of the function;
//! 2. the function has no automatic objects and allocates nothing that ends with its activation.
//!
//! Then the caller's activation has nothing left to do, and its variables may be those of the callee: the edge assigns the
//! parameters and leads to the entry. All ids stay what they are, so that evidence needs no translation. The checker
//! has the same rule, written again.

use term::{Op, Terms};

use crate::{Action, EdgeId, FunId, Graph, Lifetime, Loc, Program, Var, VarKind};

/// Makes jumps of all tail calls, but for those of functions in `kept`.
pub fn tail(program: &mut Program, terms: &Terms, kept: &[FunId]) {
    let graph = Graph::new(program);
    let mut jumps: Vec<(EdgeId, FunId)> = Vec::new();
    for (id, edge) in program.edges.iter_enumerated() {
        let Action::Call { function, result, .. } = edge.action else { continue };
        if program.locations[edge.from].function == function
            && !kept.contains(&function)
            && has_no_frame(program, &graph, function)
            && returns(program, terms, &graph, function, edge.to, result)
        {
            jumps.push((id, function));
        }
    }
    for &(id, function) in &jumps {
        let callee = &program.functions[function];
        let (params, entry) = (callee.params.clone(), callee.entry);
        let edge = &mut program.edges[id];
        let Action::Call { args, .. } = &edge.action else { unreachable!("tail calls are calls") };
        edge.action = Action::Assign(params.into_iter().zip(args.iter().copied()).collect());
        edge.to = entry;
    }
}

/// Whether nothing but variables ends with an activation of the function.
fn has_no_frame(program: &Program, graph: &Graph, function: FunId) -> bool {
    let is_frame =
        |&edge: &EdgeId| matches!(program.edges[edge].action, Action::Alloc { lifetime: Lifetime::Frame, .. });
    program.functions[function].objects.is_empty() && !graph.edges(function).iter().any(is_frame)
}

/// Whether a run from here does nothing but return what the variable holds.
fn returns(program: &Program, terms: &Terms, graph: &Graph, function: FunId, from: Loc, received: Option<Var>) -> bool {
    let is_own = |var: Var| {
        let kind = program.vars[var].kind;
        [VarKind::Local(function), VarKind::Temp(function), VarKind::Param(function)].contains(&kind)
    };
    if received.is_some_and(|var| !is_own(var)) {
        return false; // The caller writes what others can see.
    }
    let (mut at, mut holds) = (from, received);
    let exit = program.functions[function].exit;
    // A path that takes more edges than there are runs in a circle.
    for _ in 0..=graph.edges(function).len() {
        if at == exit {
            let result = program.functions[function].result;
            return result.is_none() || result == holds;
        }
        let &[edge] = graph.outgoing(at) else { return false };
        match &program.edges[edge].action {
            Action::Assume(condition) if terms.op(*condition) == Op::True => {}
            Action::Order(_) => {}
            Action::Assign(pairs) => match (&pairs[..], holds) {
                (&[(to, value)], Some(var)) if is_own(to) && value == program.vars[var].term => holds = Some(to),
                _ => return false,
            },
            _ => return false,
        }
        at = program.edges[edge].to;
    }
    false
}
