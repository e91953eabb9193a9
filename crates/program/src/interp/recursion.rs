//! Which functions can call themselves: the cycles of the call graph.
//!
//! Strongly connected components after Kosaraju: one depth-first walk for the order of leaving,
//! one backward in the reverse of that order. Both keep their own stack.

use base::Id;

use crate::model::{Action, Program};

/// For each function the number of its cycle, or `usize::MAX` if it is on none.
pub(super) fn recursive_groups(program: &Program) -> Vec<usize> {
    let n_functions = program.functions.len();
    let mut callees = vec![Vec::new(); n_functions];
    let mut callers = vec![Vec::new(); n_functions];
    let mut calls_itself = vec![false; n_functions];
    for edge in &program.edges {
        if let Action::Call { function, .. } = edge.action {
            let (from, to) = (program.locations[edge.from].function.index(), function.index());
            callees[from].push(to);
            callers[to].push(from);
            calls_itself[from] |= from == to;
        }
    }
    let mut order = Vec::with_capacity(n_functions);
    let mut seen = vec![false; n_functions];
    for start in 0..n_functions {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        let mut path = vec![(start, 0)];
        while let Some((function, next)) = path.last_mut() {
            if let Some(&callee) = callees[*function].get(*next) {
                *next += 1;
                if !std::mem::replace(&mut seen[callee], true) {
                    path.push((callee, 0));
                }
            } else {
                order.push(*function);
                path.pop();
            }
        }
    }
    let mut group_of = vec![usize::MAX; n_functions];
    let mut sizes = vec![0; n_functions];
    for &start in order.iter().rev() {
        if group_of[start] != usize::MAX {
            continue;
        }
        group_of[start] = start;
        let mut stack = vec![start];
        while let Some(function) = stack.pop() {
            sizes[start] += 1;
            for &caller in &callers[function] {
                if group_of[caller] == usize::MAX {
                    group_of[caller] = start;
                    stack.push(caller);
                }
            }
        }
    }
    for function in 0..n_functions {
        if sizes[group_of[function]] == 1 && !calls_itself[function] {
            // Its number is only looked at for functions with this group, that is, itself.
            sizes[function] = 0;
        }
    }
    group_of.iter().map(|&group| if sizes[group] == 0 { usize::MAX } else { group }).collect()
}
