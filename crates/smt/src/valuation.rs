//! Values for the classes of the e-graph, once the search has a model.
//!
//! A class with a value keeps it; any other class gets one that no other class of its sort has. Arrays get
//! one entry for each read of a member; what was never read holds the default of the arrays it was made
//! from by stores.

use base::{Bits, FastMap, Id};
use sat::{Lit, Solver};
use term::{ArrayValue, Sort, SortKind, Terms, Value as TermValue};

use crate::encode::Encoder;
use crate::euf::egraph::{EGraph, Node, Value};
use crate::euf::theory::Euf;

/// The values of nodes in the present model.
pub(crate) struct Valuation<'a> {
    terms: &'a Terms,
    encoder: &'a Encoder,
    theory: &'a Euf,
    sat: &'a Solver,
    /// By root.
    values: FastMap<Node, TermValue>,
    /// By sort: values that are taken.
    used: FastMap<Sort, FastMap<TermValue, ()>>,
    /// By sort: where the search for fresh values goes on.
    next: FastMap<Sort, u64>,
    index_nodes: FastMap<(Sort, TermValue), Node>,
}

impl<'a> Valuation<'a> {
    pub fn new(terms: &'a Terms, encoder: &'a Encoder, theory: &'a Euf, sat: &'a Solver) -> Self {
        let mut valuation = Valuation {
            terms,
            encoder,
            theory,
            sat,
            values: FastMap::new(),
            used: FastMap::new(),
            next: FastMap::new(),
            index_nodes: FastMap::new(),
        };
        valuation.collect_used();
        valuation.fill_arrays();
        valuation
    }
    pub fn graph(&self) -> &'a EGraph {
        &self.theory.graph
    }
    pub fn literal(&self, lit: Lit) -> Option<bool> {
        self.sat.value(lit)
    }
    /// A node that stands for this index in some read or write.
    pub fn node_with(&self, sort: Sort, value: &TermValue) -> Option<Node> {
        self.index_nodes.get(&(sort, value.clone())).copied()
    }
    /// The value of a node's class.
    pub fn value(&mut self, node: Node) -> TermValue {
        let root = self.graph().root(node);
        if let Some(value) = self.values.get(&root) {
            return value.clone();
        }
        let value = match self.graph().value(node) {
            Some(value) => self.own(value),
            None => self.fresh(node),
        };
        self.values.insert(root, value.clone());
        value
    }
    /// The value of an array.
    pub fn array(&mut self, node: Node) -> ArrayValue {
        match self.value(node) {
            TermValue::Array(array) => *array,
            _ => unreachable!("arrays have arrays as values"),
        }
    }

    fn own(&self, value: &Value) -> TermValue {
        match value {
            Value::Bool(value) => TermValue::Bool(*value),
            Value::Bits(bits) => TermValue::Bits(bits.clone()),
            Value::Token(_, place) => {
                let ((sort, text), ()) =
                    self.encoder.tokens.get_index(*place as usize).expect("tokens come from numerals");
                TermValue::Number(*sort, text.clone())
            }
        }
    }
    fn collect_used(&mut self) {
        for (index, sort) in self.encoder.sort_of.iter().enumerate() {
            if let (Some(sort), Some(value)) = (*sort, self.graph().value(Node::new(index))) {
                let value = self.own(value);
                self.used.get_or_insert_with(sort, FastMap::new).insert(value, ());
            }
        }
    }
    /// A value that no other class of the sort has, as far as the sort has that many.
    fn fresh(&mut self, node: Node) -> TermValue {
        let sort = self.encoder.sort(node);
        let kind = self.terms.sort_kind(sort);
        let limit = match *kind {
            SortKind::Bool => 0,
            SortKind::BitVec(width) if width < 63 => 1u64 << width,
            _ => u64::MAX,
        };
        // Bits of a bound node that a domain left open.
        if let (SortKind::BitVec(width), Some(word)) = (kind, self.theory.word(node)) {
            let mut words = vec![0u64; word.len().div_ceil(64)];
            for (i, &lit) in word.iter().enumerate() {
                words[i / 64] |= u64::from(self.sat.value(lit) == Some(true)) << (i % 64);
            }
            return TermValue::Bits(Bits::from_words(*width, &words));
        }
        let used = self.used.get_or_insert_with(sort, FastMap::new);
        let next = self.next.get_or_insert_with(sort, || 0);
        while *next < limit {
            let number = *next;
            *next += 1;
            let value = match *kind {
                SortKind::BitVec(width) => TermValue::Bits(Bits::from_u64(width, number)),
                SortKind::Uninterpreted(_) => TermValue::Element(sort, number as u32),
                SortKind::Int | SortKind::Real => TermValue::Number(sort, number.to_string()),
                SortKind::Float(exponent, significand) => {
                    let bits = Bits::from_u64(exponent + significand, number);
                    TermValue::Number(sort, bits.to_hex())
                }
                SortKind::Bool | SortKind::Array(..) => break,
            };
            if used.insert(value.clone(), ()).is_none() {
                return value;
            }
        }
        TermValue::any(self.terms, sort)
    }

    /// Gives every class of arrays its value; sorts of elements and indices come before those of arrays.
    fn fill_arrays(&mut self) {
        let arrays = &self.encoder.arrays;
        if arrays.nodes.is_empty() {
            return;
        }
        let graph = self.graph();
        let mut roots: Vec<(Sort, Node)> =
            arrays.nodes.iter().map(|&node| (self.encoder.sort(node), graph.root(node))).collect();
        roots.sort_unstable();
        roots.dedup();
        let mut reads: FastMap<Node, Vec<Node>> = FastMap::new();
        for &select in &arrays.selects {
            let array = graph.args(select).next().expect("a read has an array");
            reads.get_or_insert_with(graph.root(array), Vec::new).push(select);
        }
        let origins = self.origins();
        let mut defaults: FastMap<Node, TermValue> = FastMap::new();
        for (sort, root) in roots {
            let &SortKind::Array(index_sort, element_sort) = self.terms.sort_kind(sort) else {
                unreachable!("only arrays are collected")
            };
            let origin = origins.get(&root).copied();
            let default = match origin.map(|origin| (origin, defaults.get(&origin).cloned())) {
                Some((_, Some(known))) => known,
                Some((origin, None)) => {
                    let default = self.value(origin);
                    defaults.insert(origin, default.clone());
                    default
                }
                None => TermValue::any(self.terms, element_sort),
            };
            let mut array = ArrayValue::constant(default);
            for &select in reads.get(&root).map_or(&[][..], |list| list) {
                let index = graph.args(select).nth(1).expect("a read has an index");
                let place = self.value(index);
                let element = self.value(select);
                self.index_nodes.insert((index_sort, place.clone()), index);
                array.write(place, element);
            }
            self.values.insert(root, TermValue::Array(Box::new(array)));
        }
        // Places of stores are read too, by the first axiom, so every place is known by now.
    }
    /// By class of arrays: the element node of a constant array that it descends from, or ascends to, by stores.
    fn origins(&self) -> FastMap<Node, Node> {
        let graph = self.graph();
        let arrays = &self.encoder.arrays;
        let mut neighbours: FastMap<Node, Vec<Node>> = FastMap::new();
        for &store in &arrays.stores {
            let base = graph.args(store).next().expect("a store has an array");
            let (a, b) = (graph.root(store), graph.root(base));
            neighbours.get_or_insert_with(a, Vec::new).push(b);
            neighbours.get_or_insert_with(b, Vec::new).push(a);
        }
        let mut origins = FastMap::new();
        let mut queue = std::collections::VecDeque::new();
        for &constant in &arrays.constants {
            let root = graph.root(constant);
            let element = graph.args(constant).next().expect("a constant array has an element");
            if !origins.contains_key(&root) {
                origins.insert(root, element);
                queue.push_back(root);
            }
        }
        while let Some(root) = queue.pop_front() {
            let origin = *origins.get(&root).expect("what is in the queue has an origin");
            for &neighbour in neighbours.get(&root).map_or(&[][..], |list| list) {
                if !origins.contains_key(&neighbour) {
                    origins.insert(neighbour, origin);
                    queue.push_back(neighbour);
                }
            }
        }
        origins
    }
}
