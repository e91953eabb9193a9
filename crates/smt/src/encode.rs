//! From terms to literals, words and nodes.
//!
//! A term of sort Bool has a literal; a bit-vector has a word of literals, a node of the e-graph, or both
//! (then it is *bound*); any other term has a node. What is made is kept for all later queries. Each term
//! is made from its arguments; the walk keeps its own list, so no nesting is too deep.
//!
//! Which of the two a bit-vector gets depends on its use: a circuit needs words of its arguments, a
//! function or an operator read as uninterpreted asks for nodes. `needs` says what must be there first;
//! `build` does the rest.

mod build;
mod equality;
pub(crate) mod normal;

use base::{Budget, FastMap, Id, OrderedMap, Stopped};
use sat::{Lit, SatVar, Solver};
use term::{Op, Sort, SortKind, Symbol, Term, Terms};

use crate::arrays::Arrays;
use crate::bv::gates::Gates;
use crate::euf::egraph::{Head, Node, Value};
use crate::euf::theory::Euf;
use crate::precision::{Precision, Reading};

/// Why a term was not encoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Trouble {
    Stopped(Stopped),
    /// The circuit would be too large.
    TooLarge,
}

impl From<Stopped> for Trouble {
    fn from(stopped: Stopped) -> Self {
        Trouble::Stopped(stopped)
    }
}

/// What is asked of a term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Want {
    /// Its literal.
    Lit,
    /// Its word.
    Word,
    /// Its node.
    Node,
    /// That its circuit is there, beside whatever it had before.
    Circuit,
}

/// What terms became.
#[derive(Clone)]
pub(crate) struct Encoder {
    pub gates: Gates,
    /// By term.
    lits: Vec<Option<Lit>>,
    words: Vec<Option<Box<[Lit]>>>,
    nodes: Vec<Option<Node>>,
    circuit_done: Vec<bool>,
    /// By term: for a variable that is a name for another term, that term, and whether it is negated.
    alias: Vec<Option<(Term, bool)>>,
    /// By term: a formula that is true because a name is what it says.
    defining: Vec<bool>,
    pub polynomials: normal::Polynomials,
    heads: FastMap<(Op, Sort), Head>,
    leaf: Option<Head>,
    pub equality: Option<Head>,
    /// By node, for those made here: its sort.
    pub sort_of: Vec<Option<Sort>>,
    /// By width: nodes of that width.
    pub words_of_width: OrderedMap<u32, Vec<Node>>,
    /// Numbers of sort Int, Real and Float, in the order of their first use.
    pub tokens: OrderedMap<(Sort, String), ()>,
    /// Variables that were seen.
    pub variables: FastMap<Symbol, Term>,
    pub equalities: FastMap<(Node, Node), Lit>,
    /// By node: equalities that it is a side of.
    equalities_of: Vec<Vec<(Node, Lit)>>,
    /// Equalities of bound nodes that met by value.
    interface: Vec<(Node, Node, SatVar)>,
    /// The nodes of words, so that the same bits are not bound to two nodes that know nothing of each other.
    node_of_word: FastMap<Box<[Lit]>, Node>,
    pub arrays: Arrays,
    /// Functions and operators that have nodes: head, and the nodes with it.
    pub applications: Vec<(Op, Node)>,
    /// By node: the operator site, where it is read as uninterpreted.
    site_of: FastMap<Node, Term>,
    /// Variables that no term stands for, but which a domain must not leave out.
    pub internal: Vec<SatVar>,
    /// By term: the same, where they came with it.
    owned: Vec<Vec<SatVar>>,
}

/// What the encoder works on.
pub(crate) struct Context<'a> {
    pub terms: &'a Terms,
    pub sat: &'a mut Solver,
    pub theory: &'a mut Euf,
    pub precision: &'a Precision,
    pub budget: &'a Budget,
}

/// What kind of term it is, as far as the choice between word and node goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Nature {
    /// A value: both at once.
    Value,
    /// A variable: whatever is asked for.
    Variable,
    /// An application of which only congruence is known.
    Function,
    /// A choice between two terms.
    Choice,
    /// An operator read in bits.
    Circuit,
    /// An operator read as uninterpreted.
    Abstract,
}

impl Encoder {
    pub fn new() -> Self {
        Encoder {
            gates: Gates::default(),
            lits: Vec::new(),
            words: Vec::new(),
            nodes: Vec::new(),
            circuit_done: Vec::new(),
            alias: Vec::new(),
            defining: Vec::new(),
            polynomials: normal::Polynomials::default(),
            heads: FastMap::new(),
            leaf: None,
            equality: None,
            sort_of: Vec::new(),
            words_of_width: OrderedMap::default(),
            tokens: OrderedMap::default(),
            variables: FastMap::new(),
            equalities: FastMap::new(),
            equalities_of: Vec::new(),
            interface: Vec::new(),
            node_of_word: FastMap::new(),
            arrays: Arrays::default(),
            applications: Vec::new(),
            site_of: FastMap::new(),
            internal: Vec::new(),
            owned: Vec::new(),
        }
    }

    /// From now on the variable is a name for the value, because the formula says so for good: it gets the same
    /// literal, bits and node. Not if something was made of the variable already.
    pub fn name(&mut self, terms: &Terms, name: Term, value: Term, formula: Term) {
        let Op::Symbol(symbol) = terms.op(name) else { return };
        if self.is_known(name) {
            return;
        }
        grow(&mut self.alias, name.index());
        self.alias[name.index()] = Some((value, terms.op(formula) == Op::Not));
        grow(&mut self.defining, formula.index());
        self.defining[formula.index()] = true;
        self.variables.insert(symbol, name);
    }
    /// Whether the formula holds by the way its variable was encoded.
    pub fn is_defining(&self, formula: Term) -> bool {
        self.defining.get(formula.index()).copied().unwrap_or(false)
    }
    pub(crate) fn alias(&self, term: Term) -> Option<(Term, bool)> {
        self.alias.get(term.index()).copied().flatten()
    }

    /// The literal of a term of sort Bool. The solver must be at level zero unless the term has one.
    pub fn literal(&mut self, cx: &mut Context<'_>, term: Term) -> Result<Lit, Trouble> {
        self.encode(cx, term, Want::Lit)?;
        Ok(self.lit(term).expect("what was asked for is there"))
    }
    /// Builds the requested forms of the term, and of its subterms those that they need.
    pub fn encode(&mut self, cx: &mut Context<'_>, term: Term, want: Want) -> Result<(), Trouble> {
        let mut stack = vec![(term, want)];
        while let Some(&(top, want)) = stack.last() {
            if self.has(top, want) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            self.prepare(cx, top, want);
            self.needs(cx, top, want, &mut stack);
            if stack.len() == before {
                cx.budget.spend(1)?;
                self.build(cx, top, want)?;
                assert!(self.has(top, want), "what was built is there");
                stack.pop();
            }
        }
        Ok(())
    }

    pub fn lit(&self, term: Term) -> Option<Lit> {
        self.lits.get(term.index()).copied().flatten()
    }
    pub fn word(&self, term: Term) -> Option<&[Lit]> {
        self.words.get(term.index())?.as_deref()
    }
    pub fn node(&self, term: Term) -> Option<Node> {
        self.nodes.get(term.index()).copied().flatten()
    }
    pub fn has(&self, term: Term, want: Want) -> bool {
        match want {
            Want::Lit => self.lit(term).is_some(),
            Want::Word => self.word(term).is_some(),
            Want::Node => self.node(term).is_some(),
            Want::Circuit => self.circuit_done.get(term.index()).copied().unwrap_or(false),
        }
    }
    /// The variables that have to be decided so that these terms have values; some come twice.
    pub fn variables_of(&self, terms: &[Term], vars: &mut Vec<SatVar>) {
        vars.extend(&self.internal);
        self.interface_within(terms, vars);
        for &term in terms {
            vars.extend(self.lit(term).map(Lit::var));
            vars.extend(self.owned.get(term.index()).into_iter().flatten());
            vars.extend(self.word(term).unwrap_or(&[]).iter().map(|lit| lit.var()));
        }
    }
    /// Whether anything was made of the term.
    pub fn is_known(&self, term: Term) -> bool {
        self.has(term, Want::Lit) || self.has(term, Want::Word) || self.has(term, Want::Node)
    }

    pub fn nature(&self, terms: &Terms, precision: &Precision, term: Term) -> Nature {
        match terms.op(term) {
            Op::Value | Op::Numeral | Op::True | Op::False => Nature::Value,
            Op::Symbol(_) if terms.args(term).is_empty() => Nature::Variable,
            Op::Symbol(_) | Op::Select | Op::Store | Op::ConstArray | Op::Number(_) | Op::Fp(_) => Nature::Function,
            Op::Ite => Nature::Choice,
            _ => match precision.reading(term) {
                Reading::Bits => Nature::Circuit,
                Reading::Uninterpreted => Nature::Abstract,
            },
        }
    }
    /// The operator that is read as uninterpreted at this node.
    pub fn site(&self, node: Node) -> Option<Term> {
        self.site_of.get(&node).copied()
    }
    /// Whether a bit-vector has a node or gets one anyway.
    fn is_node_like(&self, cx: &Context<'_>, term: Term) -> bool {
        let mut term = term;
        while let Some((value, _)) = self.alias(term) {
            term = value;
        }
        if self.node(term).is_some() {
            return true;
        }
        match self.nature(cx.terms, cx.precision, term) {
            Nature::Value | Nature::Function | Nature::Abstract => true,
            // Those that could be either follow the default.
            Nature::Variable | Nature::Choice | Nature::Circuit => {
                cx.precision.default_reading() == Reading::Uninterpreted
            }
        }
    }
    /// In what way these terms of one sort are compared.
    fn comparison(&self, cx: &Context<'_>, args: &[Term]) -> Want {
        match *cx.terms.sort_kind(cx.terms.sort_of(args[0])) {
            SortKind::Bool => Want::Lit,
            SortKind::BitVec(_) if !args.iter().all(|&arg| self.is_node_like(cx, arg)) => Want::Word,
            _ => Want::Node,
        }
    }

    /// Pushes what must be there before `build` can do its work.
    fn needs(&self, cx: &Context<'_>, term: Term, want: Want, stack: &mut Vec<(Term, Want)>) {
        let (terms, args) = (cx.terms, cx.terms.args(term));
        let mut need = |term: Term, want: Want| {
            if !self.has(term, want) {
                stack.push((term, want));
            }
        };
        if let Some((value, negated)) = self.alias(term) {
            // The node of a negation is made from its literal.
            return need(value, if negated { Want::Lit } else { want });
        }
        if let (Want::Word, Some(twin)) = (want, self.twin(term)) {
            return need(twin, Want::Word);
        }
        if let (Want::Lit, Some(difference)) = (want, self.equation(term)) {
            return difference.terms().for_each(|term| need(term, Want::Word));
        }
        let op = terms.op(term);
        let nature = self.nature(terms, cx.precision, term);
        let is_bool = terms.is_bool(term);
        match (want, nature, op) {
            (_, Nature::Value | Nature::Variable, _) if !(want == Want::Node && is_bool) => {}
            // A truth value that is an argument: its literal first.
            (Want::Node, ..) if is_bool => need(term, Want::Lit),
            (Want::Lit, _, Op::Not | Op::And | Op::Or | Op::Xor | Op::Implies) => {
                args.iter().for_each(|&arg| need(arg, Want::Lit));
            }
            (Want::Lit, _, Op::Eq | Op::Distinct) => {
                let want = self.comparison(cx, args);
                args.iter().for_each(|&arg| need(arg, want));
            }
            (Want::Lit, Nature::Choice, _) => args.iter().for_each(|&arg| need(arg, Want::Lit)),
            (_, Nature::Choice, _) => {
                need(args[0], Want::Lit);
                let want = if want == Want::Circuit { Want::Word } else { want };
                args[1..].iter().for_each(|&arg| need(arg, want));
            }
            (Want::Word, Nature::Function | Nature::Abstract, _) => need(term, Want::Node),
            (Want::Node, Nature::Circuit, _) => need(term, Want::Word),
            (Want::Lit | Want::Node, Nature::Function | Nature::Abstract, _) => {
                args.iter().for_each(|&arg| need(arg, Want::Node));
            }
            (Want::Lit | Want::Word | Want::Circuit, _, _) => {
                args.iter().for_each(|&arg| need(arg, Want::Word));
            }
            (Want::Node, Nature::Value | Nature::Variable, _) => {}
        }
    }

    // ---- what the parts of building share

    pub(crate) fn set_lit(&mut self, term: Term, lit: Lit) {
        grow(&mut self.lits, term.index());
        self.lits[term.index()] = Some(lit);
    }
    fn set_word(&mut self, cx: &mut Context<'_>, term: Term, word: Vec<Lit>) {
        grow(&mut self.words, term.index());
        if let Some(node) = self.node(term) {
            self.bind(cx, node, word.clone());
        }
        self.words[term.index()] = Some(word.into());
    }
    fn set_node(&mut self, cx: &mut Context<'_>, term: Term, node: Node) {
        grow(&mut self.nodes, term.index());
        self.nodes[term.index()] = Some(node);
        if let Some(word) = self.word(term) {
            let word = word.to_vec();
            self.bind(cx, node, word);
        }
    }
    /// Ties a node to its bits, and equalities of the node to equalities of words.
    pub fn bind(&mut self, cx: &mut Context<'_>, node: Node, word: Vec<Lit>) {
        if cx.theory.graph.own_value(node).is_some() {
            return; // A value's bits are known.
        }
        if let Some(old) = cx.theory.word(node) {
            // It was bound when values ran out, or another term has the same node.
            for (old, new) in old.iter().copied().zip(word).filter(|(old, new)| old != new) {
                cx.sat.add_clause(&[!old, new]);
                cx.sat.add_clause(&[old, !new]);
            }
            return;
        }
        let twin = *self.node_of_word.get_or_insert_with(word.clone().into(), || node);
        cx.theory.bind(node, word);
        for i in 0..self.equalities_of.get(node.index()).map_or(0, Vec::len) {
            let (other, lit) = self.equalities_of[node.index()][i];
            self.tie_equality(cx, node, other, lit);
        }
        if twin != node {
            self.interface_equality(cx, node, twin);
        }
    }
    /// A node without arguments that is not a value.
    pub fn leaf(&mut self, theory: &mut Euf, terms: &Terms, sort: Sort) -> Node {
        let head = *self.leaf.get_or_insert_with(|| theory.graph.head(None, false));
        let node = theory.graph.application(head, &[]);
        self.register(terms, node, sort);
        node
    }
    pub fn head(&mut self, theory: &mut Euf, op: Op, sort: Sort) -> Head {
        *self.heads.get_or_insert_with((op, sort), || {
            let meaning = if matches!(op, Op::Symbol(_)) { None } else { Some(op) };
            theory.graph.head(meaning, op.row().commutes)
        })
    }
    /// An application as a node.
    pub fn application(&mut self, theory: &mut Euf, terms: &Terms, op: Op, sort: Sort, args: &[Node]) -> Node {
        let head = self.head(theory, op, sort);
        let node = theory.graph.application(head, args);
        self.register(terms, node, sort);
        self.applications.push((op, node));
        node
    }
    /// The node of a value.
    pub fn value_node(&mut self, theory: &mut Euf, terms: &Terms, sort: Sort, value: Value) -> Node {
        let node = theory.graph.value_node(value);
        if self.sort_of.get(node.index()).copied().flatten().is_none() {
            self.register(terms, node, sort);
        }
        node
    }
    fn register(&mut self, terms: &Terms, node: Node, sort: Sort) {
        grow(&mut self.sort_of, node.index());
        self.sort_of[node.index()] = Some(sort);
        match *terms.sort_kind(sort) {
            SortKind::BitVec(width) => self.words_of_width.entry(width).or_default().push(node),
            SortKind::Array(..) => self.arrays.nodes.push(node),
            _ => {}
        }
    }
    /// The sort of a node made here.
    pub fn sort(&self, node: Node) -> Sort {
        self.sort_of[node.index()].expect("nodes are registered with their sorts")
    }
}

fn grow<T: Default>(list: &mut Vec<T>, index: usize) {
    if list.len() <= index {
        list.resize_with(index + 1, T::default);
    }
}
