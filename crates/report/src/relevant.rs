//! Which variables decide where a run goes.
//!
//! Those in the conditions of the ways it took, and whatever their values were computed from, by any assignment of
//! the program. What is stored in memory counts as deciding; what is only printed or returned from `main` does not.

use base::{Id, OrderedMap};
use program::interp::{Event, Step};
use program::{Action, Program, Var};
use term::{Op, Term, Terms};

/// For each variable, by index, whether it decides.
pub fn deciding<'a>(program: &Program, terms: &Terms, steps: impl Iterator<Item = &'a Step>) -> Vec<bool> {
    let var_of: OrderedMap<Term, Var> = program.vars.iter_enumerated().map(|(var, info)| (info.term, var)).collect();
    let vars_in = |term: Term| -> Vec<Var> {
        let symbols = terms.subterms(&[term]).into_iter().filter(|&part| matches!(terms.op(part), Op::Symbol(_)));
        symbols.filter_map(|symbol| var_of.get(&symbol).copied()).collect()
    };
    // From each variable to those that its values are computed from.
    let mut sources: Vec<Vec<Var>> = vec![Vec::new(); program.vars.len()];
    let mut open: Vec<Var> = Vec::new();
    for edge in &program.edges {
        match &edge.action {
            Action::Assign(pairs) => {
                pairs.iter().for_each(|&(var, value)| sources[var.index()].extend(vars_in(value)));
            }
            Action::Load { var, address } => sources[var.index()].extend(vars_in(*address)),
            Action::Store { address, value } => open.extend(vars_in(*address).into_iter().chain(vars_in(*value))),
            Action::Call { function, args, result } => {
                let callee = &program.functions[*function];
                for (param, arg) in callee.params.iter().zip(args) {
                    sources[param.index()].extend(vars_in(*arg));
                }
                if let (Some(to), Some(from)) = (result, callee.result) {
                    sources[to.index()].push(from);
                }
            }
            _ => {}
        }
    }
    let mut seen = vec![false; program.edges.len()];
    for step in steps {
        if let Event::Branched { edge } = step.event
            && !std::mem::replace(&mut seen[edge.index()], true)
            && let Action::Assume(condition) = program.edges[edge].action
        {
            open.extend(vars_in(condition));
        }
    }
    let mut deciding = vec![false; program.vars.len()];
    while let Some(var) = open.pop() {
        if !std::mem::replace(&mut deciding[var.index()], true) {
            open.extend(&sources[var.index()]);
        }
    }
    deciding
}
