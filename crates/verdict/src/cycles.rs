//! The cycles of a program: loops of functions, and calls that lead back to their function.
//!
//! A run without end passes some location of one activation again and again, or its activations call one another without end. So the
//! strongly connected components of the locations of each function, and of the functions by their calls, are all the cycles there are.

use base::{Id, IndexVec};
use program::{Action, FunId, Loc, Program};

/// Which locations and functions are on cycles.
#[derive(Clone, Debug)]
pub struct Cycles {
    /// By location: the number of its component, if it is on a cycle of its function.
    pub of_location: IndexVec<Loc, Option<u32>>,
    /// By function: the number of its component, if it calls itself, directly or not.
    pub of_function: IndexVec<FunId, Option<u32>>,
}

impl Cycles {
    /// The cycles of the program.
    pub fn of(program: &Program) -> Cycles {
        let mut next: Vec<Vec<usize>> = vec![Vec::new(); program.locations.len()];
        let mut calls: Vec<Vec<usize>> = vec![Vec::new(); program.functions.len()];
        for edge in &program.edges {
            next[edge.from.index()].push(edge.to.index());
            if let Action::Call { function, .. } = edge.action {
                calls[program.locations[edge.from].function.index()].push(function.index());
            }
        }
        Cycles {
            of_location: on_cycles(&next).into_iter().collect(),
            of_function: on_cycles(&calls).into_iter().collect(),
        }
    }
    /// Whether both locations are on cycles of the same component.
    pub fn are_together(&self, one: Loc, other: Loc) -> bool {
        self.of_location[one].is_some() && self.of_location[one] == self.of_location[other]
    }
    /// Whether both functions call one another.
    pub fn call_together(&self, one: FunId, other: FunId) -> bool {
        self.of_function[one].is_some() && self.of_function[one] == self.of_function[other]
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.of_location.iter().all(Option::is_none) && self.of_function.iter().all(Option::is_none)
    }
}

/// By node: the number of its strongly connected component, if that has an edge inside.
pub(crate) fn on_cycles(next: &[Vec<usize>]) -> Vec<Option<u32>> {
    let component = components(next);
    let mut has_edge = vec![false; next.len()];
    for (node, followers) in next.iter().enumerate() {
        if followers.iter().any(|&follower| component[follower] == component[node]) {
            has_edge[component[node] as usize] = true;
        }
    }
    component.into_iter().map(|number| has_edge[number as usize].then_some(number)).collect()
}

/// By node: the number of its strongly connected component. An edge between components leads to the smaller number.
fn components(next: &[Vec<usize>]) -> Vec<u32> {
    const NONE: u32 = u32::MAX;
    let n = next.len();
    let (mut order, mut lowest) = (vec![NONE; n], vec![NONE; n]);
    let mut component = vec![NONE; n];
    let (mut open, mut n_seen, mut n_components) = (Vec::new(), 0, 0);
    for root in 0..n {
        if order[root] != NONE {
            continue;
        }
        let mut path = vec![(root, 0)];
        while let Some(&(node, at)) = path.last() {
            if at == 0 {
                order[node] = n_seen;
                lowest[node] = n_seen;
                n_seen += 1;
                open.push(node);
            }
            if let Some(&follower) = next[node].get(at) {
                path.last_mut().expect("the path has a node").1 += 1;
                if order[follower] == NONE {
                    path.push((follower, 0));
                } else if component[follower] == NONE {
                    lowest[node] = lowest[node].min(order[follower]);
                }
                continue;
            }
            path.pop();
            if let Some(&(above, _)) = path.last() {
                lowest[above] = lowest[above].min(lowest[node]);
            }
            if lowest[node] == order[node] {
                while let Some(member) = open.pop() {
                    component[member] = n_components;
                    if member == node {
                        break;
                    }
                }
                n_components += 1;
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use base::Random;

    use super::*;

    fn reaches(next: &[Vec<usize>], from: usize, to: usize) -> bool {
        let (mut seen, mut work) = (vec![false; next.len()], next[from].clone());
        while let Some(node) = work.pop() {
            if !std::mem::replace(&mut seen[node], true) {
                work.extend(&next[node]);
            }
        }
        seen[to]
    }

    #[test]
    fn components_are_what_reaches_one_another() {
        let mut random = Random::new(7);
        for _ in 0..300 {
            let n = 1 + random.below(9) as usize;
            let mut next = vec![Vec::new(); n];
            for _ in 0..random.below(14) {
                next[random.below(n as u64) as usize].push(random.below(n as u64) as usize);
            }
            let found = on_cycles(&next);
            for one in 0..n {
                assert_eq!(found[one].is_some(), reaches(&next, one, one), "{next:?}");
                for other in 0..n {
                    let together = found[one].is_some() && found[one] == found[other];
                    let is_mutual = reaches(&next, one, other) && reaches(&next, other, one);
                    assert_eq!(together, is_mutual, "{next:?} {one} {other}");
                }
            }
        }
    }
}
