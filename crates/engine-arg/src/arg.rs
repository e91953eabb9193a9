//! The abstract reachability graph.
//!
//! A graph without cycles whose nodes are copies of cutpoints. There is one node for the error, whatever assertion fails.
//! Nothing is ever taken out: a pass visits some of the nodes, and only those count.
//!
//! Laws, for the nodes visited in the last pass: the entry's label is true; an edge between them leads from an earlier
//! visited node to a later one; the label of a node is implied by that of each of its visited parents and the edge.

use base::{Id, IndexVec, define_id};
use encode::Cut;
use term::Term;

define_id!(NodeId, "A node of the graph.");

/// A copy of a cutpoint.
#[derive(Clone, Debug)]
pub struct Node {
    /// The cutpoint; none for the error.
    pub cut: Option<Cut>,
    /// What holds there (ψ of the paper), over the cutpoint's variables.
    pub label: Term,
    /// A label that the refiner proposed and that has not been overtaken.
    pub proposed: Option<Term>,
    /// Edges into the node: where from, and over which exit of that block.
    pub parents: Vec<(NodeId, usize)>,
    /// Edges out of the node, by exit.
    pub children: Vec<(usize, NodeId)>,
    /// Whether the children have been made.
    pub is_expanded: bool,
    /// Whether the label has to be computed anew.
    pub is_marked: bool,
    /// The last pass that came by.
    pub visited: u32,
    /// What that pass found.
    pub outcome: Outcome,
}

/// What a pass found about a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// What is behind it counts.
    Open,
    /// Its states are among those of other nodes at the cutpoint.
    Covered,
    /// It has no states.
    Empty,
}

/// The graph.
#[derive(Clone, Debug)]
pub struct Arg {
    /// The nodes: the error, the entry, and others.
    pub nodes: IndexVec<NodeId, Node>,
    /// The number of the pass.
    pub pass: u32,
    /// The nodes visited in this pass, in this order.
    pub order: Vec<NodeId>,
}

impl Arg {
    /// The error and the entry.
    pub fn new(entry: Cut, truth: Term) -> Self {
        let mut arg = Arg { nodes: IndexVec::new(), pass: 0, order: Vec::new() };
        arg.add(None, truth);
        arg.add(Some(entry), truth);
        arg
    }
    /// The node of the error.
    pub fn error(&self) -> NodeId {
        NodeId::new(0)
    }
    /// The node where runs start.
    pub fn entry(&self) -> NodeId {
        NodeId::new(1)
    }
    /// A new node that nothing leads to.
    pub fn add(&mut self, cut: Option<Cut>, label: Term) -> NodeId {
        self.nodes.push(Node {
            cut,
            label,
            proposed: None,
            parents: Vec::new(),
            children: Vec::new(),
            is_expanded: false,
            is_marked: true,
            visited: 0,
            outcome: Outcome::Open,
        })
    }
    /// An edge over an exit of the source's block.
    pub fn connect(&mut self, from: NodeId, exit: usize, to: NodeId) {
        self.nodes[from].children.push((exit, to));
        self.nodes[to].parents.push((from, exit));
    }
    /// Leads the edge over this exit to another node.
    pub fn redirect(&mut self, from: NodeId, exit: usize, to: NodeId) {
        let child = self.nodes[from].children.iter_mut().find(|child| child.0 == exit).expect("there is an edge");
        let old = std::mem::replace(&mut child.1, to);
        self.nodes[old].parents.retain(|parent| *parent != (from, exit));
        self.nodes[to].parents.push((from, exit));
    }
    /// Whether the node was visited in this pass.
    pub fn is_visited(&self, node: NodeId) -> bool {
        self.nodes[node].visited == self.pass && self.pass > 0
    }
    /// The nodes of this pass that are neither covered nor empty, in the order of the visit.
    pub fn open(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.order.iter().copied().filter(|&node| self.nodes[node].outcome == Outcome::Open)
    }
}
