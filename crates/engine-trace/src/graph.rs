//! Congruence: terms as nodes, what functions give as rows, and pairs of nodes that differ.
//!
//! A node is a value. Slots point to nodes; two slots hold equal values exactly if they point to the same node. Joining
//! two nodes closes under congruence: rows with equal arguments have equal results. The graph is contradictory when
//! two nodes that differ have become one, or two literals have.
//!
//! Graphs are small (tens of nodes), so rows are a list, and joining renames nodes everywhere instead of
//! keeping a forest.

use term::Sort;

use crate::automaton::{Automaton, Code, Fun, Holds, Part, Slot, Step};

/// A value, by its number in the graph.
pub(crate) type Node = u32;
/// What a slot holds that holds nothing.
pub(crate) const NOTHING: Node = Node::MAX;
/// The result of a row whose value was computed and is in no variable any more (see `coherence`).
pub(crate) const LOST: Node = Node::MAX - 1;

/// The arguments of a row.
pub(crate) type Args = Vec<Node>;

/// `fun(args) = result`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Row {
    pub fun: Fun,
    pub args: Args,
    pub result: Node,
}

/// The graph.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    /// By slot.
    pub held: Vec<Node>,
    pub rows: Vec<Row>,
    /// Pairs that differ.
    pub apart: Vec<(Node, Node)>,
    /// By node.
    pub sorts: Vec<Sort>,
    /// Literals by slot, to distinguish them.
    literals: Vec<Slot>,
    pub contradictory: bool,
    /// Nodes that were joined into others; others stand for themselves.
    renamed: Vec<Node>,
}

impl Graph {
    /// Nothing is known: each slot holds a value of its own.
    pub fn new(automaton: &Automaton) -> Self {
        let n = automaton.slots.len();
        let is_literal = |slot: &Slot| matches!(automaton.slots[*slot as usize].0, Holds::Literal(_));
        Graph {
            held: (0..n as Node).collect(),
            rows: Vec::new(),
            apart: Vec::new(),
            sorts: automaton.slots.iter().map(|(_, sort, _)| *sort).collect(),
            literals: (0..n as Slot).filter(is_literal).collect(),
            contradictory: false,
            renamed: (0..n as Node).collect(),
        }
    }
    /// A graph without nodes.
    pub fn empty(automaton: &Automaton) -> Self {
        let mut graph = Graph::new(automaton);
        graph.held.fill(NOTHING);
        graph.sorts.clear();
        graph.renamed.clear();
        graph
    }
    pub fn node(&mut self, sort: Sort) -> Node {
        self.sorts.push(sort);
        self.renamed.push(self.sorts.len() as Node - 1);
        self.sorts.len() as Node - 1
    }
    /// The node that this one is now.
    pub fn find(&self, node: Node) -> Node {
        let mut at = node;
        while self.renamed[at as usize] != at {
            at = self.renamed[at as usize];
        }
        at
    }

    /// The node of a term when slots hold these values; made if need be. None if a slot holds nothing.
    pub fn value(&mut self, automaton: &Automaton, env: &[Node], code: &Code) -> Option<Node> {
        let mut values: Vec<Node> = Vec::with_capacity(code.len());
        for part in code {
            let value = match part {
                Part::Slot(slot) => match env[*slot as usize] {
                    NOTHING => return None,
                    node => self.find(node),
                },
                Part::Apply(fun, args) => {
                    let args: Args = args.iter().map(|&arg| values[arg as usize]).collect();
                    self.apply(automaton, *fun, args)
                }
            };
            values.push(value);
        }
        values.pop()
    }
    /// The node of a function's value, made if need be.
    pub fn apply(&mut self, automaton: &Automaton, fun: Fun, args: Args) -> Node {
        match self.rows.iter().position(|row| row.fun == fun && row.args == args) {
            Some(at) if self.rows[at].result != LOST => self.rows[at].result,
            found => {
                let result = self.node(automaton.functions[fun as usize].result);
                match found {
                    Some(at) => self.rows[at].result = result,
                    None => self.rows.push(Row { fun, args, result }),
                }
                result
            }
        }
    }

    /// The two are equal.
    pub fn join(&mut self, a: Node, b: Node) {
        let mut todo = vec![(a, b)];
        while let Some((a, b)) = todo.pop() {
            let (a, b) = (self.find(a), self.find(b));
            if a == b {
                continue;
            }
            let (keep, drop) = (a.min(b), a.max(b));
            self.renamed[drop as usize] = keep;
            let rename = |node: &mut Node| {
                if *node == drop {
                    *node = keep;
                }
            };
            self.held.iter_mut().for_each(rename);
            for (x, y) in &mut self.apart {
                rename(x);
                rename(y);
            }
            for row in &mut self.rows {
                row.args.iter_mut().for_each(rename);
                rename(&mut row.result);
            }
            // Rows that became equal: their results are.
            self.rows.sort_unstable();
            self.rows.dedup_by(|second, first| {
                let same = first.fun == second.fun && first.args == second.args;
                if same && second.result != first.result {
                    match (first.result, second.result) {
                        (LOST, known) => first.result = known,
                        (_, LOST) => {}
                        (one, other) => todo.push((one, other)),
                    }
                }
                same
            });
        }
        self.check();
    }
    /// The two differ.
    pub fn separate(&mut self, a: Node, b: Node) {
        let (a, b) = (self.find(a), self.find(b));
        let pair = (a.min(b), a.max(b));
        if !self.apart.contains(&pair) {
            self.apart.push(pair);
        }
        self.contradictory |= a == b;
    }
    fn check(&mut self) {
        self.contradictory |= self.apart.iter().any(|(a, b)| a == b);
        let values: Vec<Node> = self.literals.iter().map(|&slot| self.held[slot as usize]).collect();
        for (i, &a) in values.iter().enumerate() {
            self.contradictory |= a != NOTHING && values[..i].contains(&a);
        }
    }

    /// The guard of a step holds.
    pub fn guard(&mut self, automaton: &Automaton, step: &Step) {
        let env = self.held.clone();
        for test in &step.guard {
            let left = self.value(automaton, &env, &test.left);
            let right = self.value(automaton, &env, &test.right);
            // What a slot without a value means is anything.
            let (Some(left), Some(right)) = (left, right) else { continue };
            if test.equal {
                self.join(left, right);
            } else {
                self.separate(left, right);
            }
            if self.contradictory {
                return;
            }
        }
    }
    /// The effects of a step. Returns the nodes of free values.
    pub fn effects(&mut self, automaton: &Automaton, step: &Step) -> Vec<Node> {
        let env = self.held.clone();
        let values: Vec<(Slot, Node)> = step
            .assigns
            .iter()
            .map(|(slot, code, _)| (*slot, self.value(automaton, &env, code).unwrap_or(NOTHING)))
            .collect();
        for (slot, node) in values {
            self.held[slot as usize] = node;
        }
        step.frees
            .iter()
            .map(|&(slot, _)| {
                let node = self.node(automaton.slots[slot as usize].1);
                self.held[slot as usize] = node;
                node
            })
            .collect()
    }
}
