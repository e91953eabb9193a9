//! Explanations: which facts make two nodes equal.
//!
//! The path between two nodes in the proof forest is walked edge by edge; congruences ask for the equality of
//! their arguments in turn, evaluations for the values of theirs. Each edge is explained once.

use base::Id;
use sat::Lit;

use super::{Clash, EGraph, NONE, Node, Why};

impl EGraph {
    /// Adds to `facts` the literals behind the equality of two nodes of one class.
    pub fn explain(&mut self, a: Node, b: Node, facts: &mut Facts) {
        self.clock += 1;
        facts.todo.push((a, b));
        self.work_off(facts);
    }
    /// Adds the literals behind a clash: both classes' values, and the reason to merge.
    pub fn explain_clash(&mut self, clash: Clash, facts: &mut Facts) {
        self.clock += 1;
        let left = self.value_node_of(clash.left).expect("both sides of a clash have values");
        let right = self.value_node_of(clash.right).expect("both sides of a clash have values");
        facts.todo.push((clash.left, left));
        facts.todo.push((clash.right, right));
        self.push_reason(clash.left, clash.right, clash.why, facts);
        self.work_off(facts);
    }

    /// The edges of the proof forest between two nodes of one class, in order.
    pub fn path(&mut self, a: Node, b: Node) -> Vec<(Node, Node, Why)> {
        self.path_clock += 1;
        let mut at = a.index() as u32;
        while at != NONE {
            self.path_mark[at as usize] = self.path_clock;
            at = self.edge[at as usize];
        }
        let step = |at: u32| (self.edge[at as usize], self.why[at as usize]);
        let mut behind = Vec::new();
        let mut meet = b.index() as u32;
        while self.path_mark[meet as usize] != self.path_clock {
            let (next, why) = step(meet);
            behind.push((Node::new(next as usize), Node::new(meet as usize), why));
            meet = next;
        }
        let mut path = Vec::new();
        let mut at = a.index() as u32;
        while at != meet {
            let (next, why) = step(at);
            path.push((Node::new(at as usize), Node::new(next as usize), why));
            at = next;
        }
        path.extend(behind.into_iter().rev());
        path
    }

    fn work_off(&mut self, facts: &mut Facts) {
        while let Some((a, b)) = facts.todo.pop() {
            if a == b {
                continue;
            }
            debug_assert!(self.are_equal(a, b), "only equal nodes have an explanation");
            // Mark the path from `a`, walk from `b` to the first marked node, then both halves.
            self.path_clock += 1;
            let mut at = a.index() as u32;
            while at != NONE {
                self.path_mark[at as usize] = self.path_clock;
                at = self.edge[at as usize];
            }
            let mut meet = b.index() as u32;
            while self.path_mark[meet as usize] != self.path_clock {
                meet = self.edge[meet as usize];
            }
            for start in [a, b] {
                let mut at = start.index() as u32;
                while at != meet {
                    let next = self.edge[at as usize];
                    // Each edge is explained once.
                    if self.edge_mark[at as usize] != self.clock {
                        self.edge_mark[at as usize] = self.clock;
                        let why = self.why[at as usize];
                        self.push_reason(Node::new(at as usize), Node::new(next as usize), why, facts);
                    }
                    at = next;
                }
            }
        }
    }
    fn push_reason(&self, a: Node, b: Node, why: Why, facts: &mut Facts) {
        let arg = |node: Node, i: u32| {
            let application = self.nodes[node.index()];
            Node::new(self.args[(application.first + i) as usize] as usize)
        };
        match why {
            Why::Fact(lit) => facts.lits.push(lit),
            Why::Bits(node) => facts.bits.push(node),
            Why::Congruence => {
                for i in 0..self.nodes[a.index()].len {
                    facts.todo.push((arg(a, i), arg(b, i)));
                }
            }
            Why::Swapped => {
                facts.todo.push((arg(a, 0), arg(b, 1)));
                facts.todo.push((arg(a, 1), arg(b, 0)));
            }
            Why::Reflexivity(node) => facts.todo.push((arg(node, 0), arg(node, 1))),
            Why::Evaluation(node) => {
                facts.evaluated.push(node);
                for i in 0..self.nodes[node.index()].len {
                    let arg = arg(node, i);
                    let value = self.value_node_of(arg).expect("an evaluated application has values as arguments");
                    facts.todo.push((arg, value));
                }
            }
        }
    }
}

/// What an explanation consists of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    /// Literals that are true.
    pub lits: Vec<Lit>,
    /// Nodes all of whose bits matter.
    pub bits: Vec<Node>,
    /// Applications whose values came from the values of their arguments.
    pub evaluated: Vec<Node>,
    todo: Vec<(Node, Node)>,
}
