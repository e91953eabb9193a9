//! Arrays: read-over-write lemmas, made only when a model breaks them.
//!
//! `select`, `store` and constant arrays are functions of the e-graph. The axioms:
//! * `select(store(a, i, v), i) = v`, added when the store is made;
//! * `i = j or select(store(a, i, v), j) = select(a, j)`;
//! * `select(const(v), i) = v`;
//! * `a = b or select(a, k) != select(b, k)` with a witness `k` of its own for each pair.
//!
//! When the search has a model, every class of arrays gets a value from the reads of its members; then
//! each store, each constant array and each disequality is evaluated, and where the values do not fit,
//! the instance that is broken is added ([BrummayerBiere-JSAT'09]). Instances are finitely many, so this ends
//! with a model in which the axioms hold, or with none.

use base::{FastMap, Id};
use sat::Lit;
use term::{Op, Sort, SortKind, Terms};

use crate::encode::{Context, Encoder};
use crate::euf::egraph::{Node, Value};
use crate::valuation::Valuation;
use term::{ArrayValue, Value as TermValue};

/// What is known of arrays.
#[derive(Clone, Default)]
pub(crate) struct Arrays {
    /// Nodes of array sorts.
    pub nodes: Vec<Node>,
    pub selects: Vec<Node>,
    pub stores: Vec<Node>,
    pub constants: Vec<Node>,
    /// Equalities between arrays.
    pub equalities: Vec<(Node, Node, Lit)>,
    /// Arrays that are arguments of functions or indices: classes of them need different values.
    shared: Vec<Node>,
    known_selects: FastMap<(Node, Node), Node>,
    witnesses: FastMap<(Node, Node), ()>,
    /// Instances of the second and third axiom that were added.
    instances: FastMap<(Node, Node), ()>,
}

/// Something that a model shows to be missing.
#[derive(Clone, Debug)]
pub(crate) enum Missing {
    /// The second axiom for this store at this index.
    Overwrite { store: Node, index: Node },
    /// The third axiom for this constant array at this index.
    Constant { array: Node, index: Node },
    /// As the two above, at an index that nothing in the model stands for.
    Elsewhere { array: Node, value: Value },
    /// The fourth axiom for this pair.
    Witness(Node, Node),
    /// The two arrays look alike but must be compared.
    Comparison(Node, Node),
}

impl Arrays {
    /// A function distinguishes arrays among its arguments.
    pub fn share(&mut self, terms: &Terms, sort_of: &[Option<Sort>], args: &[Node]) {
        for &arg in args {
            let sort = sort_of[arg.index()].expect("nodes are registered with their sorts");
            if matches!(terms.sort_kind(sort), SortKind::Array(..)) {
                self.shared.push(arg);
            }
        }
    }
}

impl Encoder {
    /// `select(array, index)`, made once.
    pub fn select(&mut self, cx: &mut Context<'_>, array: Node, index: Node) -> Node {
        if let Some(&node) = self.arrays.known_selects.get(&(array, index)) {
            return node;
        }
        let SortKind::Array(_, element) = *cx.terms.sort_kind(self.sort(array)) else {
            unreachable!("only arrays are read")
        };
        let node = self.application(cx.theory, cx.terms, Op::Select, element, &[array, index]);
        self.arrays.selects.push(node);
        self.arrays.known_selects.insert((array, index), node);
        self.arrays.share(cx.terms, &self.sort_of, &[index]);
        if matches!(cx.terms.sort_kind(element), SortKind::Bool) {
            self.literal_of(cx, node);
        }
        node
    }
    /// `store(array, index, element)` with the first axiom.
    pub fn store(&mut self, cx: &mut Context<'_>, args: &[Node], sort: Sort) -> Node {
        let node = self.application(cx.theory, cx.terms, Op::Store, sort, args);
        self.arrays.stores.push(node);
        self.arrays.share(cx.terms, &self.sort_of, &args[1..2]);
        let read = self.select(cx, node, args[1]);
        let equal = self.equality_atom(cx, read, args[2]);
        cx.sat.add_lemma_with(cx.theory, &[equal]);
        node
    }

    /// Adds what is missing; the solver is at level zero.
    pub fn add_missing(&mut self, cx: &mut Context<'_>, missing: Missing) {
        match missing {
            Missing::Overwrite { store, index } => self.overwrite(cx, store, index),
            Missing::Constant { array, index } => self.constant(cx, array, index),
            Missing::Elsewhere { array, value } => {
                let SortKind::Array(sort, _) = *cx.terms.sort_kind(self.sort(array)) else {
                    unreachable!("only arrays are written")
                };
                let index = self.value_node(cx.theory, cx.terms, sort, value);
                if self.arrays.constants.contains(&array) {
                    self.constant(cx, array, index);
                } else {
                    self.overwrite(cx, array, index);
                }
            }
            Missing::Witness(a, b) => {
                let SortKind::Array(sort, _) = *cx.terms.sort_kind(self.sort(a)) else {
                    unreachable!("only arrays have witnesses")
                };
                let equal = self.equality_atom(cx, a, b);
                let witness = self.leaf(cx.theory, cx.terms, sort);
                if matches!(cx.terms.sort_kind(sort), SortKind::Bool) {
                    self.literal_of(cx, witness);
                }
                let (x, y) = (self.select(cx, a, witness), self.select(cx, b, witness));
                let same = self.equality_atom(cx, x, y);
                self.arrays.witnesses.insert((a.min(b), a.max(b)), ());
                cx.sat.add_lemma_with(cx.theory, &[equal, !same]);
            }
            Missing::Comparison(a, b) => {
                self.equal_nodes(cx, a, b);
            }
        }
    }
    fn overwrite(&mut self, cx: &mut Context<'_>, store: Node, index: Node) {
        self.arrays.instances.insert((store, index), ());
        let mut args = cx.theory.graph.args(store);
        let (base, at) = (args.next(), args.next());
        drop(args);
        let (Some(base), Some(at)) = (base, at) else { unreachable!("a store has three arguments") };
        let (x, y) = (self.select(cx, store, index), self.select(cx, base, index));
        let (here, same) = (self.equality_atom(cx, at, index), self.equality_atom(cx, x, y));
        cx.sat.add_lemma_with(cx.theory, &[here, same]);
    }
    fn constant(&mut self, cx: &mut Context<'_>, array: Node, index: Node) {
        self.arrays.instances.insert((array, index), ());
        let element = cx.theory.graph.args(array).next().expect("a constant array has an element");
        let read = self.select(cx, array, index);
        let same = self.equality_atom(cx, read, element);
        cx.sat.add_lemma_with(cx.theory, &[same]);
    }

    /// What the axioms still lack in this model. `Err`: undecided.
    pub fn missing(&self, terms: &Terms, values: &mut Valuation<'_>) -> Result<Vec<Missing>, &'static str> {
        let mut missing = Vec::new();
        let graph = values.graph();
        for &store in &self.arrays.stores {
            let args: Vec<Node> = graph.args(store).collect();
            let (whole, base) = (values.array(store), values.array(args[0]));
            let (index, element) = (values.value(args[1]), values.value(args[2]));
            let mut expected = base;
            expected.write(index, element);
            self.compare(terms, values, store, &whole, &expected, &mut missing)?;
        }
        for &array in &self.arrays.constants {
            let element = graph.args(array).next().expect("a constant array has an element");
            let expected = ArrayValue::constant(values.value(element));
            let whole = values.array(array);
            self.compare(terms, values, array, &whole, &expected, &mut missing)?;
        }
        for &(a, b, lit) in &self.arrays.equalities {
            let key = (a.min(b), a.max(b));
            if values.literal(lit) != Some(false) || self.arrays.witnesses.contains_key(&key) {
                continue;
            }
            let (x, y) = (TermValue::Array(Box::new(values.array(a))), TermValue::Array(Box::new(values.array(b))));
            if term::eval::equal(terms, self.sort(a), &x, &y) {
                missing.push(Missing::Witness(a, b));
            }
        }
        if missing.is_empty() {
            self.compare_shared(terms, values, &mut missing);
        }
        Ok(missing)
    }
    /// Where the value differs from the expected one, an instance of an axiom is broken.
    fn compare(
        &self,
        terms: &Terms,
        values: &mut Valuation<'_>,
        array: Node,
        whole: &ArrayValue,
        expected: &ArrayValue,
        missing: &mut Vec<Missing>,
    ) -> Result<(), &'static str> {
        let &SortKind::Array(index_sort, element_sort) = terms.sort_kind(self.sort(array)) else {
            unreachable!("only arrays are compared")
        };
        let same = |a: &TermValue, b: &TermValue| term::eval::equal(terms, element_sort, a, b);
        let places: std::collections::BTreeSet<&TermValue> =
            whole.entries().keys().chain(expected.entries().keys()).collect();
        let before = missing.len();
        for &place in &places {
            if same(whole.read(place), expected.read(place)) {
                continue;
            }
            let index = values.node_with(index_sort, place).expect("entries come from nodes");
            if self.arrays.instances.contains_key(&(array, index)) {
                continue; // Its literals are open, outside a domain.
            }
            missing.push(match self.arrays.constants.contains(&array) {
                true => Missing::Constant { array, index },
                false => Missing::Overwrite { store: array, index },
            });
        }
        if missing.len() > before || same(whole.default(), expected.default()) {
            return Ok(());
        }
        // The two differ wherever nothing was read or written, if there is such a place.
        match *terms.sort_kind(index_sort) {
            SortKind::BitVec(width) => {
                let free = |&n: &u64| !places.contains(&TermValue::Bits(base::Bits::from_u64(width, n)));
                let candidates = if width < 63 { 1u64 << width } else { u64::MAX };
                if let Some(n) = (0..candidates.min(places.len() as u64 + 1)).find(free) {
                    let value = Value::Bits(base::Bits::from_u64(width, n));
                    missing.push(Missing::Elsewhere { array, value });
                }
            }
            SortKind::Bool => {
                if let Some(&value) = [false, true].iter().find(|&&b| !places.contains(&TermValue::Bool(b))) {
                    missing.push(Missing::Elsewhere { array, value: Value::Bool(value) });
                }
            }
            _ => return Err("constant arrays over an index sort of unknown size"),
        }
        Ok(())
    }
    /// Whether the two are in different classes and were never compared.
    fn could_differ(&self, values: &Valuation<'_>, a: Node, b: Node) -> bool {
        !values.graph().are_equal(a, b) && !self.equalities.contains_key(&(a.min(b), a.max(b)))
    }
    /// Arrays that a function or another array distinguishes need different values in different classes.
    fn compare_shared(&self, terms: &Terms, values: &mut Valuation<'_>, missing: &mut Vec<Missing>) {
        let mut seen: FastMap<(Sort, TermValue), Node> = FastMap::new();
        for &node in &self.arrays.shared {
            let sort = self.sort(node);
            // Equal arrays may be written differently, so only the exact comparison is certain; arrays with few
            // indices are rare enough to be compared pair by pair.
            let value = TermValue::Array(Box::new(values.array(node)));
            match seen.get(&(sort, value.clone())) {
                Some(&other) if self.could_differ(values, node, other) => {
                    missing.push(Missing::Comparison(node, other));
                }
                Some(_) => {}
                None => {
                    seen.insert((sort, value), node);
                }
            }
        }
        if !missing.is_empty() {
            return;
        }
        for (i, &a) in self.arrays.shared.iter().enumerate() {
            for &b in &self.arrays.shared[..i] {
                if self.sort(a) != self.sort(b) || !self.could_differ(values, a, b) {
                    continue;
                }
                let (x, y) = (TermValue::Array(Box::new(values.array(a))), TermValue::Array(Box::new(values.array(b))));
                if x != y && term::eval::equal(terms, self.sort(a), &x, &y) {
                    missing.push(Missing::Comparison(a, b));
                }
            }
        }
    }
}
