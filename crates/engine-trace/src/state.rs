//! States: graphs cut down to what can be named, in one canonical form, each kept once.
//!
//! A node survives if a slot that matters holds it, or if it is a function of surviving nodes, up to a *depth*: then it
//! is named by a term over variables. Depth zero is the automaton of [MathurEtAl-POPL'19]; more depth plays the part of
//! the ghost variables of [HongEtAl-FM'21]. Nodes are numbered by the slots that hold them and then by the rows that
//! make them, so equal knowledge has equal states.

use base::FastMap;
use base::maps::OrderedSet;

use crate::automaton::Automaton;
use crate::graph::{Graph, LOST, NOTHING, Node, Row};

/// What is known about a state of the program.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct State {
    /// By slot.
    pub held: Box<[Node]>,
    /// In order.
    pub rows: Box<[Row]>,
    /// Pairs that differ, the smaller first, in order.
    pub apart: Box<[(Node, Node)]>,
    pub n_nodes: u32,
}

/// A state by its number.
pub(crate) type StateId = u32;

/// All states met so far.
#[derive(Default)]
pub(crate) struct States {
    all: OrderedSet<State>,
}

impl States {
    /// The number of the state.
    pub fn intern(&mut self, state: State) -> StateId {
        self.all.insert_full(state).0 as StateId
    }
    /// The state of this number.
    pub fn get(&self, id: StateId) -> &State {
        &self.all[id as usize]
    }
}

/// What is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Keep {
    /// Functions of held values, nested this deep.
    pub depth: u32,
    /// Only slots that may be read again.
    pub only_live: bool,
    /// Whether it is remembered what was computed and lost.
    pub lost: bool,
}

impl State {
    /// The canonical state of a graph in which these slots matter.
    pub fn of(graph: &Graph, live: &[bool], keep: Keep) -> State {
        let mut number: FastMap<Node, Node> = FastMap::new();
        let mut n_nodes = 0;
        let mut held = Vec::with_capacity(graph.held.len());
        for (slot, &node) in graph.held.iter().enumerate() {
            if node == NOTHING || (keep.only_live && !live[slot]) {
                held.push(NOTHING);
                continue;
            }
            let new = *number.get_or_insert_with(node, || {
                n_nodes += 1;
                n_nodes - 1
            });
            held.push(new);
        }
        let named = |number: &FastMap<Node, Node>, row: &Row| -> Option<Vec<Node>> {
            row.args.iter().map(|arg| number.get(arg).copied()).collect()
        };
        for _ in 0..keep.depth {
            let mut new: Vec<(u32, Vec<Node>, Node)> = graph
                .rows
                .iter()
                .filter(|row| row.result != LOST && !number.contains_key(&row.result))
                .filter_map(|row| named(&number, row).map(|args| (row.fun, args, row.result)))
                .collect();
            if new.is_empty() {
                break;
            }
            new.sort_unstable();
            for (_, _, result) in new {
                number.get_or_insert_with(result, || {
                    n_nodes += 1;
                    n_nodes - 1
                });
            }
        }
        let mut rows: Vec<Row> = Vec::new();
        for row in &graph.rows {
            let Some(args) = named(&number, row) else { continue };
            match number.get(&row.result) {
                Some(&result) => rows.push(Row { fun: row.fun, args, result }),
                None if keep.lost => rows.push(Row { fun: row.fun, args, result: LOST }),
                None => {}
            }
        }
        rows.sort_unstable();
        let mut apart: Vec<(Node, Node)> = graph
            .apart
            .iter()
            .filter_map(|(a, b)| Some((*number.get(a)?, *number.get(b)?)))
            .map(|(a, b)| (a.min(b), a.max(b)))
            .collect();
        apart.sort_unstable();
        apart.dedup();
        State { held: held.into(), rows: rows.into(), apart: apart.into(), n_nodes }
    }
    /// The state as a graph that can grow.
    pub fn graph(&self, automaton: &Automaton) -> Graph {
        let mut graph = Graph::empty(automaton);
        let mut sorts = vec![None; self.n_nodes as usize];
        for (slot, &node) in self.held.iter().enumerate() {
            if node != NOTHING {
                sorts[node as usize] = Some(automaton.slots[slot].1);
            }
        }
        for row in &self.rows {
            if row.result != LOST {
                sorts[row.result as usize] = Some(automaton.functions[row.fun as usize].result);
            }
        }
        for sort in sorts {
            graph.node(sort.expect("a node is held or made by a row"));
        }
        graph.held.copy_from_slice(&self.held);
        graph.rows = self.rows.to_vec();
        graph.apart = self.apart.to_vec();
        graph
    }
}
