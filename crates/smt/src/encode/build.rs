//! Builds the requested forms of one term, once its arguments have the forms they need.

use sat::Lit;
use term::{Op, Term};

use super::{Context, Encoder, Nature, Trouble, Want, grow};
use crate::bv::blast::{Output, gates_of};
use crate::bv::circuits::{Circuits, Word};
use crate::euf::egraph::{Node, Value};
use crate::tuning::Tuning;

impl Encoder {
    pub(super) fn build(&mut self, cx: &mut Context<'_>, term: Term, want: Want) -> Result<(), Trouble> {
        if let (Op::Symbol(symbol), []) = (cx.terms.op(term), cx.terms.args(term)) {
            self.variables.insert(symbol, term);
        }
        if let Some((value, negated)) = self.alias(term) {
            self.build_name(cx, term, value, negated, want);
            return Ok(());
        }
        let before = self.internal.len();
        match want {
            Want::Lit => {
                let lit = self.build_literal(cx, term)?;
                self.set_lit(term, lit);
            }
            Want::Word => {
                let word = match self.twin(term).and_then(|twin| self.word(twin)) {
                    Some(word) => word.to_vec(),
                    None => self.build_word(cx, term)?,
                };
                self.remember_word(term);
                self.set_word(cx, term, word);
            }
            Want::Node => {
                let node = self.build_node(cx, term);
                self.set_node(cx, term, node);
            }
            Want::Circuit => self.build_beside(cx, term)?,
        }
        if self.internal.len() > before {
            // Whose domain the term belongs to, theirs these belong to.
            grow(&mut self.owned, term.index());
            self.owned[term.index()].extend(self.internal.drain(before..));
        }
        Ok(())
    }

    /// A name has what its value has.
    fn build_name(&mut self, cx: &mut Context<'_>, name: Term, value: Term, negated: bool, want: Want) {
        match want {
            Want::Lit => {
                let lit = self.lit(value).expect("a value comes before its name");
                self.set_lit(name, if negated { !lit } else { lit });
            }
            Want::Word => {
                let word = self.word(value).expect("a value comes before its name").to_vec();
                self.set_word(cx, name, word);
            }
            Want::Node if negated => {
                // A truth value that is an argument; the negation has a node of its own.
                let lit = !self.lit(value).expect("a node of sort Bool has a literal");
                let node = self.leaf(cx.theory, cx.terms, cx.terms.sort_of(name));
                cx.theory.attach(node, lit);
                self.set_node(cx, name, node);
            }
            Want::Node => {
                let node = self.node(value).expect("a value comes before its name");
                self.set_node(cx, name, node);
            }
            Want::Circuit => unreachable!("only operators have circuits"),
        }
    }

    fn literals(&self, cx: &Context<'_>, term: Term) -> Vec<Lit> {
        let lit = |&arg: &Term| self.lit(arg).expect("arguments have literals");
        cx.terms.args(term).iter().map(lit).collect()
    }
    fn nodes_of_args(&self, cx: &Context<'_>, term: Term) -> Vec<Node> {
        let node = |&arg: &Term| self.node(arg).expect("arguments have nodes");
        cx.terms.args(term).iter().map(node).collect()
    }

    fn build_literal(&mut self, cx: &mut Context<'_>, term: Term) -> Result<Lit, Trouble> {
        let args = cx.terms.args(term);
        let op = cx.terms.op(term);
        Ok(match op {
            Op::True | Op::False => self.gates.constant(cx.sat, op == Op::True),
            Op::Symbol(_) if args.is_empty() => cx.sat.new_var().positive(),
            Op::Not => !self.literals(cx, term)[0],
            Op::And => {
                let lits = self.literals(cx, term);
                self.gates.all(cx.sat, &lits)
            }
            Op::Or => {
                let lits = self.literals(cx, term);
                self.gates.any(cx.sat, &lits)
            }
            Op::Xor | Op::Implies => {
                let lits = self.literals(cx, term);
                // The reader may leave chains; they associate to the left and to the right.
                if op == Op::Xor {
                    let mut sum = lits[0];
                    for &lit in &lits[1..] {
                        sum = self.gates.xor(cx.sat, sum, lit);
                    }
                    sum
                } else {
                    let (&last, premises) = lits.split_last().expect("an implication has arguments");
                    let mut all: Vec<Lit> = premises.iter().map(|&lit| !lit).collect();
                    all.push(last);
                    self.gates.any(cx.sat, &all)
                }
            }
            Op::Ite => {
                let lits = self.literals(cx, term);
                self.gates.mux(cx.sat, lits[0], lits[1], lits[2])
            }
            Op::Eq | Op::Distinct => match self.equation(term).cloned() {
                Some(difference) => self.build_equation(cx, &difference)?,
                None => self.build_comparison(cx, term),
            },
            _ => match self.nature(cx.terms, cx.precision, term) {
                Nature::Circuit => match self.circuit(cx, term)? {
                    Output::Truth(lit) => lit,
                    Output::Word(_) => unreachable!("a predicate's circuit has one output"),
                },
                Nature::Abstract => self.abstract_predicate(cx, term),
                _ => {
                    let node = self.make_application(cx, term);
                    self.atom(cx, term, node)
                }
            },
        })
    }
    /// The node becomes the term's, with a literal of its own.
    fn atom(&mut self, cx: &mut Context<'_>, term: Term, node: Node) -> Lit {
        let lit = self.literal_of(cx, node);
        grow(&mut self.nodes, term.index());
        self.nodes[term.index()] = Some(node);
        lit
    }
    /// Orders become strict ones, so that one predicate for each signedness is enough.
    fn abstract_predicate(&mut self, cx: &mut Context<'_>, term: Term) -> Lit {
        let nodes = self.nodes_of_args(cx, term);
        let (op, swap, negate) = match cx.terms.op(term) {
            Op::BvUgt => (Op::BvUlt, true, false),
            Op::BvUle => (Op::BvUlt, true, true),
            Op::BvUge => (Op::BvUlt, false, true),
            Op::BvSgt => (Op::BvSlt, true, false),
            Op::BvSle => (Op::BvSlt, true, true),
            Op::BvSge => (Op::BvSlt, false, true),
            op => (op, false, false),
        };
        let nodes = if swap { vec![nodes[1], nodes[0]] } else { nodes };
        let node = self.application(cx.theory, cx.terms, op, cx.terms.sort_of(term), &nodes);
        self.site_of.insert(node, term);
        if negate { !self.literal_of(cx, node) } else { self.atom(cx, term, node) }
    }
    fn build_comparison(&mut self, cx: &mut Context<'_>, term: Term) -> Lit {
        let args = cx.terms.args(term);
        let way = self.comparison(cx, args);
        if way == Want::Lit && args.len() > 2 && cx.terms.op(term) == Op::Distinct {
            return self.gates.constant(cx.sat, false); // There are only two truth values.
        }
        let mut differ = Vec::new();
        for (i, &a) in args.iter().enumerate() {
            for &b in &args[i + 1..] {
                let same = self.equal_terms(cx, way, a, b);
                if cx.terms.op(term) == Op::Eq {
                    return same;
                }
                // The equality may have come with another term, which a domain with this one need not hold.
                self.internal.push(same.var());
                differ.push(!same);
            }
        }
        self.gates.all(cx.sat, &differ)
    }
    fn equal_terms(&mut self, cx: &mut Context<'_>, way: Want, a: Term, b: Term) -> Lit {
        match way {
            Want::Lit => {
                let (x, y) = (self.lit(a), self.lit(b));
                let (Some(x), Some(y)) = (x, y) else { unreachable!("arguments have literals") };
                !self.gates.xor(cx.sat, x, y)
            }
            Want::Word => {
                let (Some(x), Some(y)) = (self.word(a), self.word(b)) else { unreachable!("arguments have words") };
                let (x, y) = (x.to_vec(), y.to_vec());
                Circuits { gates: &mut self.gates, sat: cx.sat }.equal(&x, &y)
            }
            _ => {
                let (Some(x), Some(y)) = (self.node(a), self.node(b)) else { unreachable!("arguments have nodes") };
                self.equal_nodes(cx, x, y)
            }
        }
    }

    fn build_word(&mut self, cx: &mut Context<'_>, term: Term) -> Result<Word, Trouble> {
        let width = u64::from(cx.terms.width(term));
        if width > Tuning::DEFAULT.max_word_bits {
            return Err(Trouble::TooLarge);
        }
        cx.budget.spend(width)?;
        match self.nature(cx.terms, cx.precision, term) {
            Nature::Value => {
                let bits = cx.terms.value(term).expect("a value has bits");
                let mut circuits = Circuits { gates: &mut self.gates, sat: cx.sat };
                Ok(circuits.constant(bits.width(), |i| bits.bit(i)))
            }
            Nature::Variable | Nature::Function | Nature::Abstract => {
                let bound = self.node(term).and_then(|node| cx.theory.word(node));
                Ok(bound.map_or_else(|| free_word(cx.sat, width), <[Lit]>::to_vec))
            }
            Nature::Choice | Nature::Circuit => match self.circuit(cx, term)? {
                Output::Word(word) => Ok(word),
                Output::Truth(_) => unreachable!("a bit-vector's circuit has as many outputs as bits"),
            },
        }
    }
    /// The term's circuit over the words of its arguments.
    fn circuit(&mut self, cx: &mut Context<'_>, term: Term) -> Result<Output, Trouble> {
        let args = cx.terms.args(term);
        let op = cx.terms.op(term);
        if op == Op::Ite {
            let condition = self.lit(args[0]).expect("conditions have literals");
            let (Some(x), Some(y)) = (self.word(args[1]), self.word(args[2])) else {
                unreachable!("arguments have words")
            };
            let (x, y) = (x.to_vec(), y.to_vec());
            let word = Circuits { gates: &mut self.gates, sat: cx.sat }.mux(condition, &x, &y);
            // The choice of the arm is stronger than any bit of them.
            cx.sat.favour(condition.var());
            return Ok(Output::Word(word));
        }
        let words: Vec<Word> = args.iter().map(|&arg| self.word(arg).expect("arguments have words").to_vec()).collect();
        let cost = gates_of(op, words[0].len() as u64);
        if cost > Tuning::DEFAULT.max_gates {
            return Err(Trouble::TooLarge);
        }
        cx.budget.spend(cost)?;
        let mut circuits = Circuits { gates: &mut self.gates, sat: cx.sat };
        // Chains associate to the left; for two arguments that is the operator itself.
        let mut words = words.into_iter();
        let first = words.next().expect("operators have arguments");
        let mut output = None;
        let mut left = first;
        for right in words {
            let next = circuits.operator(op, &[&left, &right]).expect("a bit-vector operator has a circuit");
            if let Output::Word(word) = &next {
                left = word.clone();
            }
            output = Some(next);
        }
        Ok(match output {
            Some(output) => output,
            None => circuits.operator(op, &[&left]).expect("a bit-vector operator has a circuit"),
        })
    }
    /// The circuit of a term that was read as uninterpreted so far: equal to what it has.
    fn build_beside(&mut self, cx: &mut Context<'_>, term: Term) -> Result<(), Trouble> {
        match self.circuit(cx, term)? {
            Output::Truth(new) => {
                let old = self.lit(term).expect("a predicate that is raised has a literal");
                cx.sat.add_clause(&[!old, new]);
                cx.sat.add_clause(&[old, !new]);
            }
            Output::Word(new) => match self.word(term) {
                Some(old) => {
                    for (old, new) in old.iter().copied().zip(new) {
                        cx.sat.add_clause(&[!old, new]);
                        cx.sat.add_clause(&[old, !new]);
                    }
                }
                None => self.set_word(cx, term, new),
            },
        }
        grow(&mut self.circuit_done, term.index());
        self.circuit_done[term.index()] = true;
        Ok(())
    }

    fn build_node(&mut self, cx: &mut Context<'_>, term: Term) -> Node {
        let sort = cx.terms.sort_of(term);
        if cx.terms.is_bool(term) {
            return match cx.terms.op(term) {
                op @ (Op::True | Op::False) => self.value_node(cx.theory, cx.terms, sort, Value::Bool(op == Op::True)),
                _ => {
                    let lit = self.lit(term).expect("a truth value that is an argument has a literal");
                    let node = self.leaf(cx.theory, cx.terms, sort);
                    cx.theory.attach(node, lit);
                    node
                }
            };
        }
        match self.nature(cx.terms, cx.precision, term) {
            Nature::Value => {
                let value = match cx.terms.value(term) {
                    Some(bits) => Value::Bits(bits),
                    None => self.token(cx, term),
                };
                self.value_node(cx.theory, cx.terms, sort, value)
            }
            Nature::Variable | Nature::Circuit => self.leaf(cx.theory, cx.terms, sort),
            Nature::Choice => self.choice(cx, term),
            Nature::Function | Nature::Abstract => self.make_application(cx, term),
        }
    }
    fn token(&mut self, cx: &Context<'_>, term: Term) -> Value {
        let sort = cx.terms.sort_of(term);
        let text = cx.terms.numeral_text(term).expect("a value that has no bits is a numeral");
        let (place, _) = self.tokens.insert_full((sort, text.to_owned()), ());
        Value::Token(0, place as u32)
    }
    /// A choice is a node of its own that equals one arm or the other.
    fn choice(&mut self, cx: &mut Context<'_>, term: Term) -> Node {
        let args = cx.terms.args(term);
        let condition = self.lit(args[0]).expect("conditions have literals");
        let node = self.leaf(cx.theory, cx.terms, cx.terms.sort_of(term));
        let (Some(then), Some(otherwise)) = (self.node(args[1]), self.node(args[2])) else {
            unreachable!("arms have nodes")
        };
        let (is_then, is_otherwise) = (self.equal_nodes(cx, node, then), self.equal_nodes(cx, node, otherwise));
        cx.sat.add_clause(&[!condition, is_then]);
        cx.sat.add_clause(&[condition, is_otherwise]);
        node
    }
    fn make_application(&mut self, cx: &mut Context<'_>, term: Term) -> Node {
        let nodes = self.nodes_of_args(cx, term);
        let (op, sort) = (cx.terms.op(term), cx.terms.sort_of(term));
        match op {
            Op::Select => return self.select(cx, nodes[0], nodes[1]),
            Op::Store => return self.store(cx, &nodes, sort),
            _ => {}
        }
        let node = self.application(cx.theory, cx.terms, op, sort, &nodes);
        if crate::solver::is_site(op) {
            self.site_of.insert(node, term);
        }
        if op == Op::ConstArray {
            self.arrays.constants.push(node);
        }
        if op != Op::ConstArray {
            self.arrays.share(cx.terms, &self.sort_of, &nodes);
        }
        node
    }
}

fn free_word(sat: &mut sat::Solver, width: u64) -> Word {
    (0..width).map(|_| sat.new_var().positive()).collect()
}
