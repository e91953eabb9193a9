//! Tail calls: a call that is the last thing a function does may use the activation of its caller.
//!
//! The rule of the pass of the same name, written again. Where a function calls itself, and after the call does nothing but hand
//! the result on, no edge reads a variable of the caller again; and if the function has no objects, nothing of the caller
//! exists that the callee could see. So the activation of the callee may have the caller's place: the call assigns the
//! parameters, all at once, and goes on at the entry. The result at the exit is that of the last activation of the chain, as it is
//! without the rule. Runs of both programs reach the same errors.
//!
//! The expanded program (`points`) then has a loop where there was recursion, and evidence cuts it as any loop.

use program::{Action, EdgeId, FunId, Graph, Lifetime, Loc, Program, Var};
use term::{Op, Terms};

/// The program with jumps in place of its tail calls, but for those of functions in `kept`; `None` if it has none.
pub(crate) fn with_jumps(program: &Program, terms: &Terms, kept: &[FunId]) -> Option<Program> {
    let calls_itself = |id: &EdgeId| {
        let edge = &program.edges[*id];
        matches!(edge.action, Action::Call { function, .. } if function == program.locations[edge.from].function)
    };
    let calls: Vec<EdgeId> = program.edges.ids().filter(calls_itself).collect();
    if calls.is_empty() {
        return None;
    }
    let graph = Graph::new(program);
    let mut changed = None;
    for id in calls {
        let function = program.locations[program.edges[id].from].function;
        if kept.contains(&function)
            || owns_memory(program, &graph, function)
            || !is_last(program, terms, &graph, function, id)
        {
            continue;
        }
        let Action::Call { args, .. } = &program.edges[id].action else { continue };
        let callee = &program.functions[function];
        let jump = &mut changed.get_or_insert_with(|| program.clone()).edges[id];
        jump.action = Action::Assign(callee.params.iter().copied().zip(args.iter().copied()).collect());
        jump.to = callee.entry;
    }
    changed
}

/// Whether an activation has memory of its own.
fn owns_memory(program: &Program, graph: &Graph, function: FunId) -> bool {
    !program.functions[function].objects.is_empty()
        || program.objects.iter().any(|object| object.owner == Some(function))
        || graph.edges(function).iter().any(|&edge| match program.edges[edge].action {
            Action::Alloc { lifetime, .. } => lifetime == Lifetime::Frame,
            _ => false,
        })
}

/// Whether the function returns the result of the call, and does nothing else after it.
fn is_last(program: &Program, terms: &Terms, graph: &Graph, function: FunId, call: EdgeId) -> bool {
    let Action::Call { result, .. } = program.edges[call].action else { return false };
    let belongs = |var: Var| program.function_of(var) == Some(function);
    // The variable that holds the callee's result.
    let mut holder: Option<Var> = result;
    if !holder.is_none_or(belongs) {
        return false;
    }
    let mut passed: Vec<Loc> = Vec::new();
    let mut at = program.edges[call].to;
    while at != program.functions[function].exit {
        if passed.contains(&at) {
            return false;
        }
        passed.push(at);
        let [edge] = graph.outgoing(at) else { return false };
        let edge = &program.edges[*edge];
        let hands_on = match (&edge.action, holder) {
            (Action::Order(_), _) => true,
            (Action::Assume(condition), _) => terms.op(*condition) == Op::True,
            (Action::Assign(pairs), Some(var)) => match pairs[..] {
                [(to, value)] if belongs(to) && value == program.vars[var].term => {
                    holder = Some(to);
                    true
                }
                _ => false,
            },
            _ => false,
        };
        if !hands_on {
            return false;
        }
        at = edge.to;
    }
    match program.functions[function].result {
        Some(wanted) => holder == Some(wanted),
        None => true,
    }
}
