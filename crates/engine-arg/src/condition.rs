//! All paths of the graph to the error as formulas (the ARG condition of the paper).
//!
//! A *slice* is the part of the graph, of the nodes visited last, from which the error can be reached. Each of its nodes has
//! a copy of its cutpoint's variables, of its block's inputs, and a control variable: `c_i` says that a run comes by,
//! `c_i => or e_iw`, `e_iw => c_w`, and `e_iw` implies what the edge does. Control variables of later nodes occur
//! positively only, so that interpolants are easy to read at one node (see `clean`).
//!
//! Two forms. In the *free* one, used where the whole formula is to be refuted from a root on, a node that every path
//! passes needs no control variable, and what a node that is entered over one edge holds needs no condition, since the
//! values that a block computes are total functions. In the *guarded* one nothing holds unless a control variable is
//! assumed: one solver answers questions about the rest of the graph from any node on.

use base::{FastMap, IndexVec};
use program::Var;
use term::{Op, Substitution, Term, Terms};

use crate::arg::{Arg, NodeId, Outcome};
use crate::edges::EdgeRef;
use crate::search::Search;

/// The nodes from which the error can be reached, each before its children; the entry is the first.
pub struct Slice {
    /// The nodes, without the error.
    pub nodes: Vec<NodeId>,
    /// By place in `nodes`: the exits and the places that they lead to; the number of nodes stands for the error.
    pub exits: Vec<Vec<(usize, usize)>>,
    /// By place: the places that lead there, with their exits.
    pub entries: Vec<Vec<(usize, usize)>>,
}

impl Slice {
    /// What the last pass left.
    pub fn new(arg: &Arg) -> Self {
        let mut reaches: FastMap<NodeId, ()> = FastMap::new();
        reaches.insert(arg.error(), ());
        for &node in arg.order.iter().rev() {
            let is_way = |&(_, child): &(usize, NodeId)| {
                reaches.contains_key(&child) && (child == arg.error() || arg.is_visited(child))
            };
            if arg.nodes[node].outcome != Outcome::Empty && arg.nodes[node].children.iter().any(is_way) {
                reaches.insert(node, ());
            }
        }
        let nodes: Vec<NodeId> = arg.order.iter().copied().filter(|node| reaches.contains_key(node)).collect();
        let mut place: FastMap<NodeId, usize> = FastMap::new();
        nodes.iter().enumerate().for_each(|(at, &node)| {
            place.insert(node, at);
        });
        place.insert(arg.error(), nodes.len());
        let mut exits = Vec::with_capacity(nodes.len());
        let mut entries = vec![Vec::new(); nodes.len() + 1];
        for (at, &node) in nodes.iter().enumerate() {
            let ways: Vec<(usize, usize)> = arg.nodes[node]
                .children
                .iter()
                .filter_map(|&(exit, child)| place.get(&child).map(|&to| (exit, to)))
                .collect();
            for &(exit, to) in &ways {
                assert!(at < to, "edges lead to nodes that are visited later");
                entries[to].push((at, exit));
            }
            exits.push(ways);
        }
        Slice { nodes, exits, entries }
    }
}

/// Copies of variables and inputs for the nodes of a slice.
pub struct Copies {
    there: FastMap<NodeId, Substitution>,
    back: FastMap<NodeId, Substitution>,
    /// All that was made up, with the node it belongs to.
    made: FastMap<Term, NodeId>,
    /// The variables that some block changes; the others have one copy, their own.
    changes: IndexVec<Var, bool>,
}

/// Which form a formula has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// The whole formula is refuted from a root on.
    Free,
    /// Nothing holds unless a control variable is assumed.
    Guarded,
}

impl Copies {
    /// No copies yet.
    pub fn new(search: &Search<'_>) -> Self {
        let mut changes = IndexVec::new();
        changes.grow_to(search.task.program.vars.len(), false);
        for block in search.blocks.blocks.iter() {
            for exit in &block.exits {
                exit.values.iter().for_each(|&(var, _)| changes[var] = true);
            }
        }
        Copies { there: FastMap::new(), back: FastMap::new(), made: FastMap::new(), changes }
    }
    /// A formula over the variables and inputs of the node's cutpoint, about the node.
    pub fn at(&mut self, search: &mut Search<'_>, arg: &Arg, node: NodeId, formula: Term) -> Term {
        if !self.there.contains_key(&node) {
            self.prepare(search, arg, node);
        }
        self.there.get_mut(&node).expect("just made").apply(&mut search.terms, formula)
    }
    /// The other way, for variables.
    pub fn from(&mut self, search: &mut Search<'_>, arg: &Arg, node: NodeId, formula: Term) -> Term {
        if !self.back.contains_key(&node) {
            self.prepare(search, arg, node);
        }
        self.back.get_mut(&node).expect("just made").apply(&mut search.terms, formula)
    }
    fn prepare(&mut self, search: &mut Search<'_>, arg: &Arg, node: NodeId) {
        let cut = arg.nodes[node].cut.expect("the error has no variables");
        let blocks = search.blocks;
        let mut pairs: Vec<(Term, Term)> = Vec::new();
        for &var in blocks.cutpoints[cut].state.iter().filter(|&&var| self.changes[var]) {
            let symbol = search.task.program.vars[var].term;
            pairs.push((symbol, copy(&mut search.terms, symbol, node)));
        }
        let back: Vec<(Term, Term)> = pairs.iter().map(|&(symbol, copy)| (copy, symbol)).collect();
        for input in &blocks.blocks[cut].inputs {
            pairs.push((input.symbol, copy(&mut search.terms, input.symbol, node)));
        }
        pairs.iter().for_each(|&(_, copy)| {
            self.made.insert(copy, node);
        });
        self.there.insert(node, Substitution::new(&search.terms, &pairs));
        self.back.insert(node, Substitution::new(&search.terms, &back));
    }
    /// Whether the formula mentions something that was made up.
    pub fn is_foreign(&self, terms: &Terms, formula: Term) -> bool {
        terms.subterms(&[formula]).iter().any(|term| self.made.contains_key(term))
    }
    /// The control variable of a node.
    pub fn control(&mut self, terms: &mut Terms, node: NodeId) -> Term {
        let sort = terms.bool_sort();
        let control = terms.variable(&format!("at!{node:?}"), sort);
        self.made.insert(control, node);
        control
    }
    /// The control variable of an edge out of a node.
    pub fn way(&mut self, terms: &mut Terms, node: NodeId, exit: usize) -> Term {
        let sort = terms.bool_sort();
        let way = terms.variable(&format!("go!{node:?}!{exit}"), sort);
        self.made.insert(way, node);
        way
    }
    /// What a step over an exit to another node says: its condition, and the values there.
    pub fn step(
        &mut self,
        search: &mut Search<'_>,
        arg: &Arg,
        from: NodeId,
        exit: usize,
        to: NodeId,
    ) -> (Term, Vec<Term>) {
        let edge = EdgeRef { from: arg.nodes[from].cut.expect("nothing leads out of the error"), exit };
        let guard = search.exit(edge).guard;
        let guard = self.at(search, arg, from, guard);
        let mut equations = Vec::new();
        if let Some(cut) = arg.nodes[to].cut {
            let blocks = search.blocks;
            for &var in &blocks.cutpoints[cut].state {
                let symbol = search.task.program.vars[var].term;
                let value = search.back(edge, symbol);
                let value = self.at(search, arg, from, value);
                let there = self.at(search, arg, to, symbol);
                equations.push(search.terms.eq(there, value));
            }
        }
        let truth = search.terms.truth(true);
        equations.retain(|&equation| equation != truth);
        (guard, equations)
    }
    /// The condition from the node at this place on, one part for each node that it reaches, with their places.
    pub fn parts(
        &mut self,
        search: &mut Search<'_>,
        arg: &Arg,
        slice: &Slice,
        root: usize,
        form: Form,
    ) -> Vec<(usize, Vec<Term>)> {
        let error = slice.nodes.len();
        let truth = search.terms.truth(true);
        let mut in_degree = vec![0; error + 1];
        let mut parts: Vec<(usize, Vec<Term>)> = Vec::new();
        let mut controls: FastMap<usize, Term> = FastMap::new();
        let mut furthest = root;
        for place in root..error {
            in_degree[place] += usize::from(place == root || form == Form::Guarded);
            if in_degree[place] == 0 {
                continue;
            }
            slice.exits[place].iter().for_each(|&(_, to)| in_degree[to] += 1);
            let is_certain = form == Form::Free && furthest <= place;
            furthest = slice.exits[place].iter().map(|&(_, to)| to).fold(furthest, usize::max);
            let control = if is_certain { truth } else { self.control(&mut search.terms, slice.nodes[place]) };
            controls.insert(place, control);
            parts.push((place, Vec::new()));
        }
        controls.insert(error, truth);
        let axioms = search.blocks.axioms.clone();
        if let Some((_, first)) = parts.first_mut() {
            first.extend(axioms);
        }
        for (place, part) in &mut parts {
            let (node, control) = (slice.nodes[*place], controls[place]);
            let cut = arg.nodes[node].cut.expect("the error is not in the slice");
            for fact in search.background.at[cut].clone() {
                let fact = self.at(search, arg, node, fact);
                part.push(search.terms.implies(control, fact));
            }
            let exits = &slice.exits[*place];
            let mut ways = Vec::with_capacity(exits.len());
            for &(exit, to) in exits {
                let way = match exits.len() {
                    1 => control,
                    _ => self.way(&mut search.terms, node, exit),
                };
                ways.push(way);
                let target = if to == error { arg.error() } else { slice.nodes[to] };
                let (guard, equations) = self.step(search, arg, node, exit, target);
                part.push(search.terms.implies(way, guard));
                part.push(search.terms.implies(way, controls[&to]));
                let is_total = form == Form::Free && in_degree[to] == 1;
                for equation in equations {
                    part.push(if is_total { equation } else { search.terms.implies(way, equation) });
                }
            }
            let somewhere = search.terms.or(&ways);
            part.push(search.terms.implies(control, somewhere));
            part.retain(|&formula| formula != truth);
        }
        parts
    }
}

fn copy(terms: &mut Terms, symbol: Term, node: NodeId) -> Term {
    let sort = terms.sort_of(symbol);
    let Op::Symbol(name) = terms.op(symbol) else { unreachable!("variables and inputs are symbols") };
    let name = format!("{}!arg@{node:?}", terms.symbol_name(name));
    terms.variable(&name, sort)
}
