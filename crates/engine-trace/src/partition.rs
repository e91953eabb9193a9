//! Parts: one sub-program for each choice at the branches outside loops [HongEtAl-FM'21]; loops stay whole.

use base::{Id, IndexVec};
use program::Loc;

use crate::automaton::{Automaton, StepId};
use crate::tuning::Tuning;

/// Locations to go on from, steps taken so far, locations seen.
type Choice = (Vec<Loc>, IndexVec<StepId, bool>, IndexVec<Loc, bool>);

/// The steps of each part. Steps that lead away from every error belong to no part.
pub(crate) fn parts(automaton: &Automaton) -> Vec<IndexVec<StepId, bool>> {
    let component = components(automaton);
    let in_loop = |loc: Loc| {
        automaton.leaving[loc].iter().any(|&step| component[automaton.steps[step].to] == component[loc])
            || automaton.steps.iter().any(|step| step.to == loc && component[step.from] == component[loc])
    };
    // Choices are made on the way from the entry, so that branches that are not reached do not count.
    let mut done = Vec::new();
    let mut todo: Vec<Choice> = vec![(
        vec![automaton.entry],
        automaton.steps.iter().map(|_| false).collect(),
        automaton.leaving.iter().map(|_| false).collect(),
    )];
    'parts: while let Some((mut front, mut taken, mut seen)) = todo.pop() {
        while let Some(loc) = front.pop() {
            if std::mem::replace(&mut seen[loc], true) {
                continue;
            }
            let leaving: Vec<StepId> = automaton.leaving[loc]
                .iter()
                .copied()
                .filter(|&step| automaton.matters[automaton.steps[step].to])
                .collect();
            if leaving.len() < 2 || in_loop(loc) || done.len() + todo.len() >= Tuning::DEFAULT.max_parts {
                for step in leaving {
                    taken[step] = true;
                    front.push(automaton.steps[step].to);
                }
                continue;
            }
            for &step in leaving.iter().rev() {
                let (mut front, mut taken, seen) = (front.clone(), taken.clone(), seen.clone());
                taken[step] = true;
                front.push(automaton.steps[step].to);
                todo.push((front, taken, seen));
            }
            continue 'parts;
        }
        done.push(taken);
    }
    done
}

/// The strongly connected component of each location [Tarjan-SICOMP'72], by its number.
fn components(automaton: &Automaton) -> IndexVec<Loc, usize> {
    let n = automaton.leaving.len();
    let mut component: IndexVec<Loc, usize> = (0..n).map(|_| usize::MAX).collect();
    let mut order: IndexVec<Loc, usize> = (0..n).map(|_| usize::MAX).collect();
    let mut low = order.clone();
    let mut stack: Vec<Loc> = Vec::new();
    let mut next = 0;
    for root in (0..n).map(Loc::new) {
        if order[root] != usize::MAX {
            continue;
        }
        let mut path = vec![(root, 0)];
        while let Some((loc, at)) = path.last_mut() {
            let loc = *loc;
            if *at == 0 {
                (order[loc], low[loc]) = (next, next);
                next += 1;
                stack.push(loc);
            }
            if let Some(&step) = automaton.leaving[loc].get(*at) {
                *at += 1;
                let to = automaton.steps[step].to;
                if order[to] == usize::MAX {
                    path.push((to, 0));
                } else if component[to] == usize::MAX {
                    low[loc] = low[loc].min(order[to]);
                }
                continue;
            }
            path.pop();
            if let Some((before, _)) = path.last() {
                low[*before] = low[*before].min(low[loc]);
            }
            if low[loc] == order[loc] {
                while let Some(top) = stack.pop() {
                    component[top] = order[loc];
                    if top == loc {
                        break;
                    }
                }
            }
        }
    }
    component
}
