//! Dominators: the nodes that every way from the root to a node passes.
//!
//! The iterative scheme of [CooperHarveyKennedy-SPE'01]: in reverse postorder, the immediate dominator of
//! a node is the nearest common ancestor, in the tree so far, of its predecessors; repeated until
//! nothing changes, which for graphs of programs takes two or three rounds.

use super::Digraph;

/// The dominator tree of the part of a graph that its root reaches.
#[derive(Clone, Debug)]
pub struct Dominators {
    /// Of each node its position in postorder, `NONE` if not reached.
    number: Vec<u32>,
    /// By position: the position of the immediate dominator; the root's is its own.
    parent: Vec<u32>,
    /// By position: the node.
    node: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Dominators {
    /// Computes the tree.
    pub fn new(graph: &Digraph, root: usize) -> Self {
        let order = graph.postorder(root);
        let mut number = vec![NONE; graph.len()];
        for (position, &node) in order.iter().enumerate() {
            number[node] = position as u32;
        }
        let backward = graph.reversed();
        let top = order.len() - 1;
        let mut parent = vec![NONE; order.len()];
        parent[top] = top as u32;
        let mut changed = true;
        while changed {
            changed = false;
            for position in (0..top).rev() {
                let mut nearest = NONE;
                for from in backward.successors(order[position]) {
                    let from = number[from];
                    if from == NONE || parent[from as usize] == NONE {
                        continue;
                    }
                    nearest = if nearest == NONE { from } else { meet(&parent, nearest, from) };
                }
                changed |= parent[position] != nearest;
                parent[position] = nearest;
            }
        }
        Dominators { number, parent, node: order.into_iter().map(|node| node as u32).collect() }
    }
    /// The nearest other node that every way to this one passes; none for the root and for nodes that are not reached.
    pub fn immediate(&self, node: usize) -> Option<usize> {
        let position = self.number[node];
        let above = *self.parent.get(position as usize)?;
        (above != position).then(|| self.node[above as usize] as usize)
    }
    /// Whether every way to `node` passes `above`; every node dominates itself.
    pub fn dominates(&self, above: usize, node: usize) -> bool {
        let (above, mut position) = (self.number[above], self.number[node]);
        if above == NONE || position == NONE {
            return false;
        }
        while position < above {
            position = self.parent[position as usize];
        }
        position == above
    }
}

/// The nearest common ancestor; positions grow towards the root.
fn meet(parent: &[u32], mut a: u32, mut b: u32) -> u32 {
    while a != b {
        while a < b {
            a = parent[a as usize];
        }
        while b < a {
            b = parent[b as usize];
        }
    }
    a
}

#[cfg(test)]
mod tests {
    use base::Random;

    use super::super::tests::random_graph;
    use super::*;

    /// Whether `target` can be reached from node 0 without passing `avoided`.
    fn reaches_without(graph: &Digraph, target: usize, avoided: usize) -> bool {
        let mut seen = vec![false; graph.len()];
        let mut open = vec![0];
        seen[avoided] = true;
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut seen[node], true) {
                continue;
            }
            open.extend(graph.successors(node));
        }
        seen[target] && target != avoided
    }

    #[test]
    fn a_node_dominates_exactly_what_cannot_be_reached_without_it() {
        let mut random = Random::new(7);
        for round in 0..300 {
            let len = 2 + round % 9;
            let graph = random_graph(&mut random, len, round % 12);
            let tree = Dominators::new(&graph, 0);
            for above in 0..len {
                for node in 0..len {
                    assert_eq!(
                        tree.dominates(above, node),
                        !reaches_without(&graph, node, above),
                        "{above} over {node}"
                    );
                }
                if let Some(near) = tree.immediate(above) {
                    assert!(tree.dominates(near, above) && near != above);
                }
            }
        }
    }

    #[test]
    fn what_is_not_reached_has_no_dominator() {
        let graph = Digraph::new(3, [(0, 1), (2, 1)].into_iter());
        let tree = Dominators::new(&graph, 0);
        assert_eq!((tree.immediate(1), tree.immediate(2), tree.immediate(0)), (Some(0), None, None));
        assert!(!tree.dominates(2, 1) && !tree.dominates(0, 2));
    }
}
