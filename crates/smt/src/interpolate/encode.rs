//! Terms to clauses with colours: each clause belongs to a part, each literal is known in certain parts.
//!
//! *Unlike* the solver's own encoding, nothing may be shared that would mix parts. Atoms, bits of words and nodes are
//! made once for each term and may be used wherever the term may be written ([`Span`]); the clauses that define them
//! belong to the first of these parts. What stands between (gates, connectives) is known in one part only, and gates
//! are shared only between terms of one span. So every literal that is shared at a cut is an atom or a bit with a term to
//! its name, and interpolants can be written down.
//!
//! Connectives of the formulas themselves get clauses only for the polarity they are used in
//! ([PlaistedGreenbaum-JSC'86]): a truth value that a part only implies never occurs negated in its clauses, nor in
//! interpolants.
//!
//! Nothing is asserted before everything is encoded, since gates are simplified by what is known.

use base::{Budget, FastMap, Id};
use sat::{Lit, SatVar, Solver};
use term::{Op, Sort, SortKind, Term, Terms};

use super::span::{Span, Spans};
use crate::bv::blast::{Output, gates_of};
use crate::bv::circuits::Circuits;
use crate::bv::gates::Gates;
use crate::encode::Trouble;
use crate::euf::egraph::{Head, Node, Value};
use crate::euf::theory::Euf;
use crate::precision::Reading;
use crate::solver::is_site;
use crate::tuning::Tuning;

/// What is made of a term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Want {
    /// The literal of a connective in this part, with the clauses that make it imply its meaning (or be implied).
    Truth(Term, usize, bool),
    /// The literal of an atom.
    Atom(Term),
    Word(Term),
    Node(Term),
}

/// What a literal says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Name {
    /// The term is true.
    Truth(Term),
    /// This bit of the term is one.
    Bit(Term, u32),
    /// Nothing, always.
    Always,
}

/// Parts as clauses, with what is needed to read a refutation.
pub(super) struct Coloured {
    pub spans: Spans,
    pub sat: Solver,
    pub theory: Euf,
    reading: Reading,
    /// By number of the first clause from which it holds: the part that clauses belong to.
    homes: Vec<(u32, usize)>,
    gates: FastMap<Span, Gates>,
    truths: FastMap<(Term, usize), Lit>,
    done: FastMap<Want, ()>,
    atoms: FastMap<Term, Lit>,
    words: FastMap<Term, Vec<Lit>>,
    nodes: FastMap<Term, Node>,
    heads: FastMap<(Op, Sort), Head>,
    /// By head: what it stands for.
    meanings: Vec<Option<(Op, Sort)>>,
    leaf: Option<Head>,
    equality: Option<Head>,
    tokens: Vec<Term>,
    /// By variable: what its positive literal says (or, if so marked, its negative one), and where it is known.
    names: Vec<Option<(Name, bool)>>,
    var_spans: Vec<Span>,
    /// By node: its term.
    node_terms: Vec<Option<Term>>,
}

impl Coloured {
    pub fn new(terms: &Terms, parts: &[Vec<Term>], reading: Reading) -> Self {
        let mut sat = Solver::new();
        sat.enable_log();
        Coloured {
            spans: Spans::new(terms, parts),
            sat,
            theory: Euf::new(),
            reading,
            homes: Vec::new(),
            gates: FastMap::new(),
            truths: FastMap::new(),
            done: FastMap::new(),
            atoms: FastMap::new(),
            words: FastMap::new(),
            nodes: FastMap::new(),
            heads: FastMap::new(),
            meanings: Vec::new(),
            leaf: None,
            equality: None,
            tokens: Vec::new(),
            names: Vec::new(),
            var_spans: Vec::new(),
            node_terms: Vec::new(),
        }
    }

    /// Encodes the formulas of a part, without asserting them.
    pub fn prepare(
        &mut self,
        terms: &mut Terms,
        part: usize,
        formulas: &[Term],
        budget: &Budget,
    ) -> Result<(), Trouble> {
        for &formula in formulas {
            for literal in disjuncts(terms, formula) {
                self.make(terms, Want::Truth(literal, part, true), budget)?;
            }
        }
        Ok(())
    }
    /// These words get an equality that both bits and nodes know of.
    pub fn join(&mut self, terms: &mut Terms, one: Term, other: Term, budget: &Budget) -> Result<(), Trouble> {
        for term in [one, other] {
            self.make(terms, Want::Word(term), budget)?;
            self.make(terms, Want::Node(term), budget)?;
        }
        let span = self.spans.of(terms, one).meet(self.spans.of(terms, other));
        self.enter(span.first);
        let (x, y) = (self.words[&one].clone(), self.words[&other].clone());
        let same = self.circuits(span).equal(&x, &y);
        let atom = self.equal_nodes(terms, one, other);
        self.sat.add_clause(&[!atom, same]);
        self.sat.add_clause(&[atom, !same]);
        self.cover(span.first);
        Ok(())
    }
    /// Asserts the formulas of a part, which were prepared.
    pub fn assert(&mut self, terms: &Terms, part: usize, formulas: &[Term]) {
        self.enter(part);
        for &formula in formulas {
            let clause: Vec<Lit> =
                disjuncts(terms, formula).into_iter().map(|literal| self.truth(terms, literal, part)).collect();
            self.sat.add_clause_with(&mut self.theory, &clause);
        }
    }

    // ---- for readers

    /// The part of a clause that was given.
    pub fn home(&self, number: u32) -> usize {
        let place = self.homes.partition_point(|&(first, _)| first <= number);
        self.homes[place - 1].1
    }
    /// Where the variable is known.
    pub fn span_of(&self, var: SatVar) -> Span {
        self.var_spans[var.index()]
    }
    /// What the literal says, and whether it says the opposite.
    pub fn name_of(&self, lit: Lit) -> Option<(Name, bool)> {
        let (name, negated) = (*self.names.get(lit.var().index())?)?;
        Some((name, negated == lit.is_positive()))
    }
    /// After a search that found a model: the atoms with a value there, each with the literal that holds and whether it says
    /// the atom or its opposite.
    pub fn true_atoms(&self) -> Vec<(Lit, Term, bool)> {
        let mut found = Vec::new();
        for (var, name) in self.names.iter().enumerate() {
            let Some((Name::Truth(atom), negated)) = *name else { continue };
            let positive = SatVar(var as u32).positive();
            if let Some(value) = self.sat.value(positive) {
                found.push((if value { positive } else { !positive }, atom, value != negated));
            }
        }
        found
    }
    /// The term that the node stands for.
    pub fn term_of(&self, terms: &mut Terms, node: Node, value: Option<&Value>) -> Option<Term> {
        match value {
            Some(Value::Bool(truth)) => Some(terms.truth(*truth)),
            Some(Value::Bits(bits)) => Some(terms.bits(bits.clone())),
            Some(&Value::Token(_, number)) => self.tokens.get(number as usize).copied(),
            None => self.node_terms.get(node.index()).copied().flatten(),
        }
    }

    // ---- making

    /// Builds the requested forms and those that they need, without recursion.
    fn make(&mut self, terms: &mut Terms, want: Want, budget: &Budget) -> Result<(), Trouble> {
        let mut stack = vec![want];
        let mut needs = Vec::new();
        while let Some(&top) = stack.last() {
            if self.done.contains_key(&top) {
                stack.pop();
                continue;
            }
            needs.clear();
            self.needs(terms, top, &mut needs);
            needs.retain(|need| !self.done.contains_key(need));
            if needs.is_empty() {
                budget.spend(1)?;
                self.build(terms, top, budget)?;
                self.done.insert(top, ());
                stack.pop();
            } else {
                stack.append(&mut needs);
            }
        }
        Ok(())
    }

    fn is_connective(&self, terms: &Terms, term: Term) -> bool {
        match terms.op(term) {
            Op::Not | Op::And | Op::Or | Op::Xor | Op::Implies => true,
            Op::Ite => terms.is_bool(term),
            Op::Eq | Op::Distinct => terms.is_bool(terms.arg(term, 0)),
            _ => false,
        }
    }
    /// Whether the operator is read in bits.
    fn is_circuit(&self, terms: &Terms, term: Term) -> bool {
        self.reading == Reading::Bits && (is_site(terms.op(term)) || terms.op(term) == Op::Ite)
    }
    fn is_word(terms: &Terms, term: Term) -> bool {
        matches!(terms.sort_kind(terms.sort_of(term)), SortKind::BitVec(_))
    }
    fn home_of(&mut self, terms: &Terms, term: Term) -> usize {
        self.spans.of(terms, term).first
    }

    fn needs(&mut self, terms: &Terms, want: Want, out: &mut Vec<Want>) {
        let args = match want {
            Want::Truth(term, ..) | Want::Atom(term) | Want::Word(term) | Want::Node(term) => terms.args(term),
        };
        let both = |term: Term, part: usize| [Want::Truth(term, part, true), Want::Truth(term, part, false)];
        match want {
            Want::Truth(term, part, positive) => {
                if !self.is_connective(terms, term) {
                    out.push(Want::Atom(term));
                    return;
                }
                match terms.op(term) {
                    Op::And | Op::Or => out.extend(args.iter().map(|&arg| Want::Truth(arg, part, positive))),
                    Op::Not => out.push(Want::Truth(args[0], part, !positive)),
                    Op::Implies => {
                        let (&last, before) = args.split_last().expect("an implication has arguments");
                        out.extend(before.iter().map(|&arg| Want::Truth(arg, part, !positive)));
                        out.push(Want::Truth(last, part, positive));
                    }
                    _ => out.extend(args.iter().flat_map(|&arg| both(arg, part))),
                }
            }
            Want::Atom(term) => match terms.op(term) {
                Op::True | Op::False => {}
                Op::Symbol(_) if args.is_empty() => {}
                Op::Eq | Op::Distinct => {
                    let words = self.reading == Reading::Bits && Self::is_word(terms, args[0]);
                    out.extend(args.iter().map(|&arg| if words { Want::Word(arg) } else { Want::Node(arg) }));
                }
                _ if self.is_circuit(terms, term) => out.extend(args.iter().map(|&arg| Want::Word(arg))),
                _ => out.extend(args.iter().map(|&arg| Want::Node(arg))),
            },
            Want::Word(term) => {
                if terms.op(term) == Op::Ite {
                    let home = self.home_of(terms, term);
                    out.extend(both(args[0], home));
                    out.extend(args[1..].iter().map(|&arg| Want::Word(arg)));
                } else if self.is_circuit(terms, term) {
                    out.extend(args.iter().map(|&arg| Want::Word(arg)));
                } else if !args.is_empty() {
                    out.push(Want::Node(term));
                }
            }
            Want::Node(term) if terms.is_bool(term) => {
                let home = self.home_of(terms, term);
                out.extend(both(term, home));
            }
            Want::Node(term) => {
                if Self::is_word(terms, term) && self.is_circuit(terms, term) {
                    out.push(Want::Word(term));
                } else if terms.op(term) == Op::Ite {
                    let home = self.home_of(terms, term);
                    out.extend(both(args[0], home));
                    out.extend(args[1..].iter().map(|&arg| Want::Node(arg)));
                } else {
                    out.extend(args.iter().map(|&arg| Want::Node(arg)));
                }
            }
        }
    }

    fn build(&mut self, terms: &mut Terms, want: Want, budget: &Budget) -> Result<(), Trouble> {
        match want {
            Want::Truth(term, part, positive) => {
                if self.is_connective(terms, term) {
                    self.enter(part);
                    self.connect(terms, term, part, positive);
                    self.cover(part);
                }
            }
            Want::Atom(term) => {
                let span = self.spans.of(terms, term);
                self.enter(span.first);
                let lit = self.atom(terms, term, span, budget)?;
                self.cover(span.first);
                self.name(lit, Name::Truth(term), span);
                self.atoms.insert(term, lit);
            }
            Want::Word(term) => {
                let span = self.spans.of(terms, term);
                self.enter(span.first);
                let word = self.word(terms, term, span, budget)?;
                self.cover(span.first);
                for (bit, &lit) in word.iter().enumerate() {
                    self.name(lit, Name::Bit(term, bit as u32), span);
                }
                if let Some(&node) = self.nodes.get(&term)
                    && self.theory.graph.own_value(node).is_none()
                {
                    self.theory.bind(node, word.clone());
                }
                self.words.insert(term, word);
            }
            Want::Node(term) => {
                let home = self.home_of(terms, term);
                self.enter(home);
                let node = self.node(terms, term);
                self.cover(home);
                self.remember(node, term);
                self.nodes.insert(term, node);
                self.done.insert(want, ());
                if self.reading == Reading::Bits && Self::is_word(terms, term) {
                    // In bits every word that is a node has both, or values might run out.
                    match self.words.get(&term) {
                        Some(word) if self.theory.graph.own_value(node).is_none() => {
                            self.theory.bind(node, word.clone());
                        }
                        Some(_) => {}
                        None => self.make(terms, Want::Word(term), budget)?,
                    }
                }
            }
        }
        Ok(())
    }

    /// The literal of a truth value in a part.
    fn truth(&self, terms: &Terms, term: Term, part: usize) -> Lit {
        if self.is_connective(terms, term) { self.truths[&(term, part)] } else { self.atoms[&term] }
    }
    /// The clauses of a connective for one polarity.
    fn connect(&mut self, terms: &Terms, term: Term, part: usize, positive: bool) {
        let args: Vec<Lit> = match terms.op(term) {
            Op::Not => {
                let inner = self.truth(terms, terms.arg(term, 0), part);
                self.truths.insert((term, part), !inner);
                return;
            }
            _ => terms.args(term).iter().map(|&arg| self.truth(terms, arg, part)).collect(),
        };
        let op = terms.op(term);
        if !matches!(op, Op::And | Op::Or | Op::Implies) {
            if !self.truths.contains_key(&(term, part)) {
                let lit = self.exact_connective(op, &args, part);
                self.truths.insert((term, part), lit);
            }
            return;
        }
        let sat = &mut self.sat;
        let out = *self.truths.get_or_insert_with((term, part), || sat.new_var().positive());
        // Disjunctions are negated conjunctions.
        let (args, top, positive) = match op {
            Op::And => (args, out, positive),
            Op::Or => (args.iter().map(|&lit| !lit).collect(), !out, !positive),
            _ => {
                let (&last, before) = args.split_last().expect("an implication has arguments");
                (before.iter().copied().chain([!last]).collect::<Vec<Lit>>(), !out, !positive)
            }
        };
        if positive {
            for &arg in &args {
                self.sat.add_clause(&[!top, arg]);
            }
        } else {
            let mut clause: Vec<Lit> = args.iter().map(|&lit| !lit).collect();
            clause.push(top);
            self.sat.add_clause(&clause);
        }
    }
    fn exact_connective(&mut self, op: Op, args: &[Lit], part: usize) -> Lit {
        let span = Span { first: part, last: part };
        let Circuits { gates, sat } = self.circuits(span);
        match op {
            Op::Ite => gates.mux(sat, args[0], args[1], args[2]),
            Op::Xor => args[1..].iter().fold(args[0], |sum, &lit| gates.xor(sat, sum, lit)),
            Op::Distinct if args.len() > 2 => gates.constant(sat, false),
            Op::Distinct => gates.xor(sat, args[0], args[1]),
            _ => {
                let same: Vec<Lit> = args.windows(2).map(|pair| !gates.xor(sat, pair[0], pair[1])).collect();
                gates.all(sat, &same)
            }
        }
    }

    fn atom(&mut self, terms: &mut Terms, term: Term, span: Span, budget: &Budget) -> Result<Lit, Trouble> {
        let args: Vec<Term> = terms.args(term).to_vec();
        let op = terms.op(term);
        Ok(match op {
            Op::True | Op::False => {
                let Circuits { gates, sat } = self.circuits(span);
                gates.constant(sat, op == Op::True)
            }
            Op::Symbol(_) if args.is_empty() => self.sat.new_var().positive(),
            Op::Eq | Op::Distinct => {
                let mut same = Vec::new();
                for (place, &one) in args.iter().enumerate() {
                    for &other in &args[place + 1..] {
                        let lit = self.equal(terms, one, other, span);
                        same.push(if op == Op::Eq { lit } else { !lit });
                    }
                }
                let Circuits { gates, sat } = self.circuits(span);
                gates.all(sat, &same)
            }
            _ if self.is_circuit(terms, term) => match self.circuit(terms, term, span, budget)? {
                Output::Truth(lit) => lit,
                Output::Word(_) => unreachable!("a predicate's circuit has one output"),
            },
            _ => self.predicate(terms, term),
        })
    }
    fn equal(&mut self, terms: &mut Terms, one: Term, other: Term, span: Span) -> Lit {
        if self.reading == Reading::Bits && Self::is_word(terms, one) {
            let (x, y) = (self.words[&one].clone(), self.words[&other].clone());
            return self.circuits(span).equal(&x, &y);
        }
        self.equal_nodes(terms, one, other)
    }
    /// The atom that says whether two terms with nodes are equal.
    fn equal_nodes(&mut self, terms: &mut Terms, one: Term, other: Term) -> Lit {
        let (a, b) = (self.nodes[&one], self.nodes[&other]);
        let span = self.spans.of(terms, one).meet(self.spans.of(terms, other));
        let known = self.theory.graph.own_value(a).is_some() && self.theory.graph.own_value(b).is_some();
        if a == b || known {
            let Circuits { gates, sat } = self.circuits(span);
            return gates.constant(sat, a == b);
        }
        let theory = &mut self.theory;
        let head = *self.equality.get_or_insert_with(|| theory.graph.head(Some(Op::Eq), true));
        let node = self.theory.graph.application(head, &[a, b]);
        let term = terms.eq(one, other);
        self.remember(node, term);
        let lit = self.sat.new_var().positive();
        self.theory.attach(node, lit);
        self.cover(span.first);
        self.name(lit, Name::Truth(term), span);
        lit
    }
    /// An application of sort Bool; orders become strict ones.
    fn predicate(&mut self, terms: &mut Terms, term: Term) -> Lit {
        let mut nodes: Vec<Node> = terms.args(term).iter().map(|arg| self.nodes[arg]).collect();
        let (op, swap, negate) = match terms.op(term) {
            Op::BvUgt => (Op::BvUlt, true, false),
            Op::BvUle => (Op::BvUlt, true, true),
            Op::BvUge => (Op::BvUlt, false, true),
            Op::BvSgt => (Op::BvSlt, true, false),
            Op::BvSle => (Op::BvSlt, true, true),
            Op::BvSge => (Op::BvSlt, false, true),
            op => (op, false, false),
        };
        if swap {
            nodes.reverse();
        }
        let node = self.application(op, terms.sort_of(term), &nodes);
        let stands_for = if negate { terms.not(term) } else { term };
        self.remember(node, stands_for);
        let lit = match self.theory.literal(node) {
            Some(lit) => lit,
            None => {
                let lit = self.sat.new_var().positive();
                self.theory.attach(node, lit);
                lit
            }
        };
        if negate { !lit } else { lit }
    }

    fn word(&mut self, terms: &mut Terms, term: Term, span: Span, budget: &Budget) -> Result<Vec<Lit>, Trouble> {
        let width = terms.width(term);
        budget.spend(u64::from(width))?;
        if let Some(bits) = terms.value(term) {
            return Ok(self.circuits(span).constant(width, |i| bits.bit(i)));
        }
        if self.is_circuit(terms, term) {
            return match self.circuit(terms, term, span, budget)? {
                Output::Word(word) => Ok(word),
                Output::Truth(_) => unreachable!("a bit-vector's circuit has as many outputs as bits"),
            };
        }
        Ok((0..width).map(|_| self.sat.new_var().positive()).collect())
    }
    fn circuit(&mut self, terms: &Terms, term: Term, span: Span, budget: &Budget) -> Result<Output, Trouble> {
        let args = terms.args(term);
        let op = terms.op(term);
        if op == Op::Ite {
            let condition = self.truth(terms, args[0], span.first);
            let (x, y) = (self.words[&args[1]].clone(), self.words[&args[2]].clone());
            return Ok(Output::Word(self.circuits(span).mux(condition, &x, &y)));
        }
        let words: Vec<Vec<Lit>> = args.iter().map(|arg| self.words[arg].clone()).collect();
        let cost = gates_of(op, words[0].len() as u64);
        if cost > Tuning::DEFAULT.max_interpolation_gates {
            return Err(Trouble::TooLarge);
        }
        budget.spend(cost)?;
        let mut circuits = self.circuits(span);
        let (first, rest) = words.split_first().expect("operators have arguments");
        if rest.is_empty() {
            return Ok(circuits.operator(op, &[first]).expect("a bit-vector operator has a circuit"));
        }
        let mut left = first.clone();
        let mut output = None;
        for right in rest {
            let next = circuits.operator(op, &[&left, right]).expect("a bit-vector operator has a circuit");
            if let Output::Word(word) = &next {
                left = word.clone();
            }
            output = Some(next);
        }
        Ok(output.expect("there is a second argument"))
    }

    fn node(&mut self, terms: &mut Terms, term: Term) -> Node {
        let sort = terms.sort_of(term);
        let args: Vec<Term> = terms.args(term).to_vec();
        match terms.op(term) {
            op @ (Op::True | Op::False) => self.theory.graph.value_node(Value::Bool(op == Op::True)),
            Op::Value => {
                let bits = terms.value(term).expect("a value has bits");
                self.theory.graph.value_node(Value::Bits(bits))
            }
            Op::Numeral => {
                let place = self.tokens.iter().position(|&token| token == term).unwrap_or_else(|| {
                    self.tokens.push(term);
                    self.tokens.len() - 1
                });
                self.theory.graph.value_node(Value::Token(0, place as u32))
            }
            _ if terms.is_bool(term) => {
                let home = self.home_of(terms, term);
                let lit = self.truth(terms, term, home);
                let node = self.leaf();
                self.theory.attach(node, lit);
                node
            }
            _ if Self::is_word(terms, term) && self.is_circuit(terms, term) => self.leaf(),
            Op::Ite => {
                let node = self.leaf();
                let home = self.home_of(terms, term);
                let condition = self.truth(terms, args[0], home);
                self.nodes.insert(term, node);
                let is_then = self.equal_nodes(terms, term, args[1]);
                let is_otherwise = self.equal_nodes(terms, term, args[2]);
                self.sat.add_clause(&[!condition, is_then]);
                self.sat.add_clause(&[condition, is_otherwise]);
                node
            }
            Op::Symbol(_) if args.is_empty() => self.leaf(),
            op => {
                let nodes: Vec<Node> = args.iter().map(|arg| self.nodes[arg]).collect();
                self.application(op, sort, &nodes)
            }
        }
    }
    fn leaf(&mut self) -> Node {
        let theory = &mut self.theory;
        let head = *self.leaf.get_or_insert_with(|| theory.graph.head(None, false));
        self.theory.graph.application(head, &[])
    }
    fn application(&mut self, op: Op, sort: Sort, args: &[Node]) -> Node {
        let theory = &mut self.theory;
        let head = *self.heads.get_or_insert_with((op, sort), || {
            theory.graph.head(if matches!(op, Op::Symbol(_)) { None } else { Some(op) }, op.row().commutes)
        });
        if self.meanings.len() <= head.index() {
            self.meanings.resize(head.index() + 1, None);
        }
        self.meanings[head.index()] = Some((op, sort));
        self.theory.graph.application(head, args)
    }
    /// The node's head applied to other arguments, as a term.
    pub fn applied(&self, terms: &mut Terms, head: Head, args: &[Term]) -> Option<Term> {
        if self.equality == Some(head) {
            return Some(terms.eq(args[0], args[1]));
        }
        let (op, sort) = (*self.meanings.get(head.index())?)?;
        Some(match op {
            Op::ConstArray => terms.const_array(sort, args[0]),
            Op::Fp(op) => terms.fp(op, args, sort),
            op => terms.make(op, args),
        })
    }

    // ---- colours

    /// Clauses from now on belong to this part.
    fn enter(&mut self, part: usize) {
        let next = self.sat.log().map_or(0, proof::Log::n_clauses) + 1;
        match self.homes.last_mut() {
            Some((_, last)) if *last == part => {}
            Some((first, last)) if *first == next => *last = part,
            _ => self.homes.push((next, part)),
        }
    }
    /// Variables that are new are known in this part only, until they get a name.
    fn cover(&mut self, part: usize) {
        self.var_spans.resize(self.sat.n_vars(), Span { first: part, last: part });
        self.names.resize(self.sat.n_vars(), None);
    }
    /// The literal says this, if nothing that is known more widely says it already.
    fn name(&mut self, lit: Lit, name: Name, span: Span) {
        let var = lit.var().index();
        let old = self.var_spans[var];
        if self.names[var].is_none() || (span.first <= old.first && span.last >= old.last && span != old) {
            self.names[var] = Some((name, !lit.is_positive()));
            self.var_spans[var] = span;
        }
    }
    fn remember(&mut self, node: Node, term: Term) {
        if self.node_terms.len() <= node.index() {
            self.node_terms.resize(node.index() + 1, None);
        }
        self.node_terms[node.index()].get_or_insert(term);
    }
    /// The gates of a span.
    fn circuits(&mut self, span: Span) -> Circuits<'_> {
        if !self.gates.contains_key(&span) {
            let mut gates = Gates::default();
            let truth = gates.truth(&mut self.sat);
            self.cover(span.first);
            self.names[truth.var().index()] = Some((Name::Always, !truth.is_positive()));
            self.var_spans[truth.var().index()] = Span::everywhere(self.spans.n_parts());
            self.gates.insert(span, gates);
        }
        let gates = self.gates.get_mut(&span).expect("it was just made");
        Circuits { gates, sat: &mut self.sat }
    }
}

fn disjuncts(terms: &Terms, formula: Term) -> Vec<Term> {
    if terms.op(formula) == Op::Or { terms.args(formula).to_vec() } else { vec![formula] }
}
