//! The structure of a graph: dominators (`dominators`) and the nesting of loops (`wto`).
//!
//! Both work on a plain [`Digraph`], so that they serve locations, cutpoints and reachability graphs alike.

mod dominators;
mod wto;

pub use dominators::Dominators;
pub use wto::WeakOrder;

/// A directed graph over the numbers below `len`; edges in the order given, parallel ones allowed.
#[derive(Clone, Debug, Default)]
pub struct Digraph {
    starts: Vec<u32>,
    targets: Vec<u32>,
}

impl Digraph {
    /// The graph with these edges.
    pub fn new(len: usize, edges: impl Iterator<Item = (usize, usize)> + Clone) -> Self {
        let mut starts = vec![0u32; len + 1];
        for (from, _) in edges.clone() {
            starts[from + 1] += 1;
        }
        for node in 0..len {
            starts[node + 1] += starts[node];
        }
        let mut next = starts.clone();
        let mut targets = vec![0u32; starts[len] as usize];
        for (from, to) in edges {
            targets[next[from] as usize] = to as u32;
            next[from] += 1;
        }
        Digraph { starts, targets }
    }
    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }
    /// Whether the graph is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Where the edges of the node lead.
    pub fn successors(&self, node: usize) -> impl DoubleEndedIterator<Item = usize> + ExactSizeIterator + Clone + '_ {
        self.targets[self.starts[node] as usize..self.starts[node + 1] as usize].iter().map(|&to| to as usize)
    }
    /// The same edges, the other way round.
    pub fn reversed(&self) -> Digraph {
        let edges = (0..self.len()).flat_map(|from| self.successors(from).map(move |to| (to, from)));
        Digraph::new(self.len(), edges)
    }
    /// The nodes that can be reached from the root, each after all of its successors that are not its ancestors.
    pub fn postorder(&self, root: usize) -> Vec<usize> {
        let mut seen = vec![false; self.len()];
        let mut order = Vec::new();
        let mut path = vec![(root, 0)];
        seen[root] = true;
        while let Some((node, next)) = path.last_mut() {
            match self.successors(*node).nth(*next) {
                Some(to) => {
                    *next += 1;
                    if !std::mem::replace(&mut seen[to], true) {
                        path.push((to, 0));
                    }
                }
                None => {
                    order.push(*node);
                    path.pop();
                }
            }
        }
        order
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use base::Random;

    use super::*;

    /// A random graph in which every node can be reached from node 0.
    pub(crate) fn random_graph(random: &mut Random, len: usize, extra: usize) -> Digraph {
        let mut edges: Vec<(usize, usize)> = (1..len).map(|to| (random.below(to as u64) as usize, to)).collect();
        for _ in 0..extra {
            edges.push((random.below(len as u64) as usize, random.below(len as u64) as usize));
        }
        Digraph::new(len, edges.iter().copied())
    }

    #[test]
    fn reversing_twice_gives_the_same_edges() {
        let graph = Digraph::new(3, [(0, 1), (0, 2), (2, 0), (1, 1)].into_iter());
        let twice = graph.reversed().reversed();
        for node in 0..3 {
            assert!(graph.successors(node).eq(twice.successors(node)));
        }
        assert_eq!(graph.postorder(0), [1, 2, 0]);
    }
}
