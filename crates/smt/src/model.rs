//! The model: a value for any term.

use base::{Bits, FastMap};
use sat::{Lit, Solver as Sat};
use term::{Op, Symbol, Term, Terms, Value};

use crate::canonical::canonical;
use crate::cone::Cone;
use crate::encode::Encoder;
use crate::euf::egraph::Node;
use crate::euf::theory::Euf;
use crate::valuation::Valuation;

/// The model of the last query; it is valid until the next query or assertion.
///
/// Terms that the solver has not seen are evaluated from their arguments; symbols it has not seen have some
/// value of their sort.
pub struct Model<'s> {
    terms: &'s Terms,
    encoder: &'s Encoder,
    theory: &'s Euf,
    sat: &'s Sat,
    cone: &'s Cone,
    /// Only the terms of the cone have values from the search.
    within_cone: bool,
    /// Made when first needed: many ask only whether there is a model.
    values: Option<Valuation<'s>>,
    known: FastMap<Term, Value>,
    /// Applications by head and values of their arguments, made when first needed.
    table: Option<FastMap<(Op, Vec<Value>), Value>>,
}

impl<'s> Model<'s> {
    pub(crate) fn new(
        terms: &'s Terms,
        encoder: &'s Encoder,
        theory: &'s Euf,
        sat: &'s Sat,
        cone: &'s Cone,
        within_cone: bool,
    ) -> Self {
        Model { terms, encoder, theory, sat, cone, within_cone, values: None, known: FastMap::new(), table: None }
    }

    /// The value of the term.
    pub fn value(&mut self, term: Term) -> Value {
        let mut stack = vec![term];
        while let Some(&top) = stack.last() {
            if self.known.contains_key(&top) {
                stack.pop();
                continue;
            }
            if let Some(value) = self.assigned(top) {
                self.known.insert(top, value);
                stack.pop();
                continue;
            }
            let before = stack.len();
            let definition = self.cone.definition(self.terms, top);
            let args = match &definition {
                Some((_, value)) => std::slice::from_ref(value),
                None => self.terms.args(top),
            };
            stack.extend(args.iter().rev().copied().filter(|arg| !self.known.contains_key(arg)));
            if stack.len() > before {
                continue;
            }
            let args: Vec<Value> =
                args.iter().map(|arg| self.known.get(arg).expect("arguments come first").clone()).collect();
            let value = match (definition, &args[..]) {
                (Some((formula, _)), [Value::Bool(truth)]) => Value::Bool(*truth == (self.terms.op(formula) == Op::Eq)),
                (Some(_), [value]) => value.clone(),
                _ => self.compute(top, args),
            };
            self.known.insert(top, value);
            stack.pop();
        }
        self.known.get(&term).expect("the walk ends with the term").clone()
    }
    /// Whether the term is true.
    pub fn is_true(&mut self, term: Term) -> bool {
        self.value(term) == Value::Bool(true)
    }
    /// The value of a function for these arguments; a variable is a function without any.
    pub fn apply(&mut self, symbol: Symbol, args: &[Value]) -> Value {
        if let (true, Some(&variable)) = (args.is_empty(), self.encoder.variables.get(&symbol)) {
            return self.value(variable);
        }
        let key = (Op::Symbol(symbol), args.iter().map(canonical).collect());
        if let Some(value) = self.table().get(&key) {
            return value.clone();
        }
        Value::any(self.terms, self.terms.symbol_result(symbol))
    }
    /// The rows of a function that differ from its value elsewhere, which is `Value::any` of its sort.
    pub fn rows(&mut self, symbol: Symbol) -> Vec<(Vec<Value>, Value)> {
        let mut rows = Vec::new();
        let mut seen = FastMap::new();
        for (op, node) in self.applications() {
            if op != Op::Symbol(symbol) {
                continue;
            }
            let args: Vec<Value> = self.theory.graph.args(node).map(|arg| self.node_value(arg)).collect();
            let value = self.node_value(node);
            if seen.insert(args.iter().map(canonical).collect::<Vec<Value>>(), ()).is_none() {
                rows.push((args, value));
            }
        }
        rows
    }

    /// The applications whose values count.
    fn applications(&self) -> Vec<(Op, Node)> {
        let all = &self.encoder.applications;
        if !self.within_cone {
            return all.clone();
        }
        let mut inside: Vec<Node> = self.cone.members().iter().filter_map(|&term| self.encoder.node(term)).collect();
        inside.sort_unstable();
        all.iter().filter(|(_, node)| inside.binary_search(node).is_ok()).copied().collect()
    }
    fn node_value(&mut self, node: Node) -> Value {
        let Model { terms, encoder, theory, sat, .. } = *self;
        self.values.get_or_insert_with(|| Valuation::new(terms, encoder, theory, sat)).value(node)
    }
    /// The value that the search gave to the term.
    fn assigned(&mut self, term: Term) -> Option<Value> {
        if self.within_cone && !self.cone.contains(term) {
            return None; // What is outside is evaluated; the search may have left it half done.
        }
        if let Some(lit) = self.encoder.lit(term)
            && let Some(value) = self.sat.value(lit)
        {
            return Some(Value::Bool(value));
        }
        if let Some(word) = self.encoder.word(term)
            && let Some(bits) = bits_of(self.sat, word)
        {
            return Some(Value::Bits(bits));
        }
        match self.encoder.node(term) {
            Some(node) if !self.terms.is_bool(term) => Some(self.node_value(node)),
            _ => None,
        }
    }
    fn compute(&mut self, term: Term, args: Vec<Value>) -> Value {
        let op = self.terms.op(term);
        if let Op::Symbol(symbol) = op {
            if args.is_empty() {
                return Value::any(self.terms, self.terms.sort_of(term));
            }
            return self.apply(symbol, &args);
        }
        let is_operator = !matches!(
            op,
            Op::Not
                | Op::And
                | Op::Or
                | Op::Xor
                | Op::Implies
                | Op::Eq
                | Op::Distinct
                | Op::Ite
                | Op::Select
                | Op::Store
        );
        if is_operator && !args.is_empty() {
            // An operator that is read as uninterpreted somewhere agrees with that.
            let key = (op, args.iter().map(canonical).collect());
            let terms = self.terms;
            if let Some(value) = self.table().get(&key)
                && value.has_sort(terms, terms.sort_of(term))
            {
                return value.clone();
            }
            return term::eval::operate(self.terms, term, &args)
                .unwrap_or_else(|_| Value::any(self.terms, self.terms.sort_of(term)));
        }
        term::eval::operate(self.terms, term, &args)
            .unwrap_or_else(|_| Value::any(self.terms, self.terms.sort_of(term)))
    }
    fn table(&mut self) -> &FastMap<(Op, Vec<Value>), Value> {
        if self.table.is_none() {
            let mut table = FastMap::new();
            for (op, node) in self.applications() {
                let args: Vec<Value> =
                    self.theory.graph.args(node).map(|arg| canonical(&self.node_value(arg))).collect();
                let value = self.node_value(node);
                table.insert((op, args), value);
            }
            self.table = Some(table);
        }
        self.table.get_or_insert_default()
    }
}

fn bits_of(sat: &Sat, word: &[Lit]) -> Option<Bits> {
    let mut words = vec![0u64; word.len().div_ceil(64)];
    for (i, &lit) in word.iter().enumerate() {
        words[i / 64] |= u64::from(sat.value(lit)?) << (i % 64);
    }
    Some(Bits::from_words(word.len() as u32, &words))
}
