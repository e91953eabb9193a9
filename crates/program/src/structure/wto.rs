//! The weak topological order of a graph: in which order its loops are worked through.
//!
//! [Bourdoncle-FMPA'93]: the nodes stand in a row, and brackets mark components that nest. The first
//! node in a bracket is its *head*. Law: every edge leads forward in the row, or back to the head of a
//! bracket around its source; so the heads cut every cycle, in irreducible graphs too.
//!
//! Unlike the paper, which recurses over a depth-first search, we take strongly connected components
//! again and again with a stack of our own: a component gives up its head (the node met first) and falls
//! apart into smaller ones.

use super::Digraph;

/// Nodes in a row with nested components.
#[derive(Clone, Debug, Default)]
pub struct WeakOrder {
    /// The nodes that the root reaches.
    pub row: Vec<usize>,
    /// By position in the row: for a head, the position behind its component; otherwise none.
    pub end: Vec<Option<usize>>,
}

impl WeakOrder {
    /// Orders what the root reaches.
    pub fn new(graph: &Digraph, root: usize) -> Self {
        let mut order = WeakOrder::default();
        let mut search = Search::new(graph.len());
        let mut work = vec![Work { components: search.components(graph, &[root], 0), head: None }];
        let mut n_regions = 0;
        while let Some(current) = work.last_mut() {
            let Some(component) = current.components.pop() else {
                if let Some(head) = current.head {
                    order.end[head] = Some(order.row.len());
                }
                work.pop();
                continue;
            };
            let head = component[0];
            let position = order.row.len();
            order.row.push(head);
            order.end.push(None);
            if component.len() > 1 || graph.successors(head).any(|to| to == head) {
                n_regions += 1;
                search.region[head] = DONE;
                for &node in &component[1..] {
                    search.region[node] = n_regions;
                }
                let starts: Vec<usize> = graph.successors(head).collect();
                work.push(Work { components: search.components(graph, &starts, n_regions), head: Some(position) });
            } else {
                search.region[head] = DONE;
            }
        }
        order
    }
    /// The heads, in the order of the row.
    pub fn heads(&self) -> impl Iterator<Item = usize> + '_ {
        self.row.iter().zip(&self.end).filter(|(_, end)| end.is_some()).map(|(&node, _)| node)
    }
    /// How many components are around each node: by node, for the nodes in the row.
    pub fn depths(&self, len: usize) -> Vec<u32> {
        let mut depths = vec![0; len];
        let mut open: Vec<usize> = Vec::new();
        for (position, &node) in self.row.iter().enumerate() {
            while open.last().is_some_and(|&end| end <= position) {
                open.pop();
            }
            open.extend(self.end[position]);
            depths[node] = open.len() as u32;
        }
        depths
    }
}

/// Components still to be placed, the first one last, inside the bracket of a head.
struct Work {
    components: Vec<Vec<usize>>,
    head: Option<usize>,
}

/// The region of nodes that have their place.
const DONE: u32 = u32::MAX;

/// Tarjan's algorithm, restricted to the nodes of one region at a time.
struct Search {
    region: Vec<u32>,
    number: Vec<u32>,
    low: Vec<u32>,
    on_stack: Vec<bool>,
}

impl Search {
    fn new(len: usize) -> Self {
        Search { region: vec![0; len], number: vec![0; len], low: vec![0; len], on_stack: vec![false; len] }
    }
    /// The strongly connected components of the region that the starts reach, the last in topological order first; in each
    /// the node that was met first comes first.
    fn components(&mut self, graph: &Digraph, starts: &[usize], region: u32) -> Vec<Vec<usize>> {
        let mut found = Vec::new();
        let mut stack = Vec::new();
        let mut count = 0;
        let mut fresh: Vec<usize> = Vec::new();
        for &start in starts {
            if self.region[start] != region || self.number[start] != 0 {
                continue;
            }
            let mut path: Vec<(usize, usize)> = Vec::new();
            let mut enter = Some(start);
            loop {
                if let Some(node) = enter.take() {
                    count += 1;
                    self.number[node] = count;
                    self.low[node] = count;
                    self.on_stack[node] = true;
                    stack.push(node);
                    fresh.push(node);
                    path.push((node, 0));
                }
                let Some((node, next)) = path.last_mut() else { break };
                let node = *node;
                match graph.successors(node).nth(*next) {
                    Some(to) => {
                        *next += 1;
                        if self.region[to] != region {
                            continue;
                        }
                        if self.number[to] == 0 {
                            enter = Some(to);
                        } else if self.on_stack[to] {
                            self.low[node] = self.low[node].min(self.number[to]);
                        }
                    }
                    None => {
                        path.pop();
                        if let Some(&(above, _)) = path.last() {
                            self.low[above] = self.low[above].min(self.low[node]);
                        }
                        if self.low[node] == self.number[node] {
                            let at = stack.iter().rposition(|&other| other == node).expect("the root is on the stack");
                            let component = stack.split_off(at);
                            for &member in &component {
                                self.on_stack[member] = false;
                            }
                            found.push(component);
                        }
                    }
                }
            }
        }
        for node in fresh {
            self.number[node] = 0;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use base::Random;

    use super::super::tests::random_graph;
    use super::*;

    /// The row with brackets, heads first.
    fn text(edges: &[(usize, usize)], len: usize) -> String {
        let order = WeakOrder::new(&Digraph::new(len, edges.iter().copied()), 0);
        let mut open = Vec::new();
        let mut text = String::new();
        for (position, node) in order.row.iter().enumerate() {
            if let Some(end) = order.end[position] {
                text.push('(');
                open.push(end);
            }
            text += &node.to_string();
            while open.last() == Some(&(position + 1)) {
                open.pop();
                text.push(')');
            }
            text.push(' ');
        }
        text.trim_end().to_owned()
    }

    #[test]
    fn loops_nest_as_they_are_written() {
        assert_eq!(text(&[(0, 1), (1, 2), (2, 1), (1, 3)], 4), "0 (1 2) 3");
        // The example of the paper, figure 1, nodes counted from zero.
        let edges = [(0, 1), (1, 2), (1, 7), (2, 3), (3, 4), (3, 5), (4, 6), (5, 6), (4, 3), (6, 2), (6, 7)];
        assert_eq!(text(&edges, 8), "0 1 (2 (3 4) 5 6) 7");
        assert_eq!(text(&[(0, 0)], 1), "(0)");
    }

    #[test]
    fn an_irreducible_loop_has_a_head_too() {
        assert_eq!(text(&[(0, 1), (0, 2), (1, 2), (2, 1)], 3), "0 (1 2)");
    }

    #[test]
    fn every_edge_leads_forward_or_to_a_head_around_its_source() {
        let mut random = Random::new(3);
        for round in 0..500 {
            let len = 1 + round % 20;
            let graph = random_graph(&mut random, len, round % 25);
            let order = WeakOrder::new(&graph, 0);
            let mut position = vec![usize::MAX; len];
            for (at, &node) in order.row.iter().enumerate() {
                assert_eq!(position[node], usize::MAX, "every node has one place");
                position[node] = at;
            }
            assert_eq!(order.row.len(), len);
            for from in 0..len {
                for to in graph.successors(from) {
                    let (from, to) = (position[from], position[to]);
                    assert!(from < to || order.end[to].is_some_and(|end| from < end), "{graph:?}");
                }
            }
        }
    }

    #[test]
    fn deep_nesting_does_not_exhaust_the_stack() {
        let depth = 500;
        let edges = (1..depth).map(|node| (node - 1, node)).chain((1..depth).map(|node| (depth - 1, depth - 1 - node)));
        let order = WeakOrder::new(&Digraph::new(depth, edges), 0);
        assert_eq!(order.heads().count(), depth - 1);
        assert_eq!(order.depths(depth)[depth - 1], depth as u32 - 1);
    }
}
