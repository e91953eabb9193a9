//! Equality: of words as a circuit, of nodes as an atom of the e-graph, of bound nodes as both.

use base::Id;
use sat::{Lit, SatVar};
use term::{SortKind, Term};

use super::{Context, Encoder, grow};
use crate::bv::circuits::{Circuits, Word};
use crate::euf::egraph::{Node, Value};
use term::Op;

impl Encoder {
    /// The literal that says whether two nodes of one sort are equal.
    pub fn equal_nodes(&mut self, cx: &mut Context<'_>, a: Node, b: Node) -> Lit {
        if a == b {
            return self.gates.constant(cx.sat, true);
        }
        if cx.theory.graph.own_value(a).is_some() && cx.theory.graph.own_value(b).is_some() {
            return self.gates.constant(cx.sat, false);
        }
        self.equality_atom(cx, a, b)
    }
    /// The same as an atom of the e-graph in any case, so that a lemma can speak of it.
    pub fn equality_atom(&mut self, cx: &mut Context<'_>, a: Node, b: Node) -> Lit {
        let sort = self.sort(a);
        let key = (a.min(b), a.max(b));
        if let Some(&lit) = self.equalities.get(&key) {
            return lit;
        }
        let head = match self.equality {
            Some(head) => head,
            None => *self.equality.insert(cx.theory.graph.head(Some(Op::Eq), true)),
        };
        let node = cx.theory.graph.application(head, &[a, b]);
        let lit = cx.sat.new_var().positive();
        cx.theory.attach(node, lit);
        self.internal.push(lit.var());
        self.equalities.insert(key, lit);
        for (side, other) in [(a, b), (b, a)] {
            grow(&mut self.equalities_of, side.index());
            self.equalities_of[side.index()].push((other, lit));
        }
        if matches!(cx.terms.sort_kind(sort), SortKind::Array(..)) {
            self.arrays.equalities.push((a, b, lit));
        }
        self.tie_equality(cx, a, b, lit);
        lit
    }

    /// An equality for two bound nodes that met by value. A domain holds it if it holds both of them.
    pub fn interface_equality(&mut self, cx: &mut Context<'_>, a: Node, b: Node) {
        let before = self.internal.len();
        let lit = self.equal_nodes(cx, a, b);
        if self.internal.len() > before {
            self.internal.truncate(before);
            self.interface.push((a, b, lit.var()));
        }
    }
    /// Interface equalities both of whose sides belong to these terms.
    pub fn interface_within(&self, terms: &[Term], vars: &mut Vec<SatVar>) {
        if self.interface.is_empty() {
            return;
        }
        let mut inside: Vec<Node> = terms.iter().filter_map(|&term| self.node(term)).collect();
        inside.sort_unstable();
        let has = |node: &Node| inside.binary_search(node).is_ok();
        vars.extend(self.interface.iter().filter(|(a, b, _)| has(a) && has(b)).map(|&(_, _, var)| var));
    }

    /// The literal of an application of sort Bool, made if it has none.
    pub fn literal_of(&mut self, cx: &mut Context<'_>, node: Node) -> Lit {
        if let Some(lit) = cx.theory.literal(node) {
            return lit;
        }
        let lit = cx.sat.new_var().positive();
        cx.theory.attach(node, lit);
        self.internal.push(lit.var());
        lit
    }
    /// The literal of a node of sort Bool.
    pub fn truth_of(&mut self, cx: &mut Context<'_>, node: Node) -> Lit {
        match cx.theory.graph.own_value(node) {
            Some(&Value::Bool(value)) => self.gates.constant(cx.sat, value),
            _ => cx.theory.literal(node).expect("a node of sort Bool has a literal"),
        }
    }

    /// If both sides have bits or truth values, the atom is true exactly if these are equal.
    pub(super) fn tie_equality(&mut self, cx: &mut Context<'_>, a: Node, b: Node, lit: Lit) {
        let same = if matches!(cx.terms.sort_kind(self.sort(a)), SortKind::Bool) {
            let (x, y) = (self.truth_of(cx, a), self.truth_of(cx, b));
            !self.gates.xor(cx.sat, x, y)
        } else {
            let (Some(x), Some(y)) = (self.word_of(cx, a), self.word_of(cx, b)) else { return };
            Circuits { gates: &mut self.gates, sat: cx.sat }.equal(&x, &y)
        };
        cx.sat.add_clause(&[!lit, same]);
        cx.sat.add_clause(&[lit, !same]);
    }
    fn word_of(&mut self, cx: &mut Context<'_>, node: Node) -> Option<Word> {
        if let Some(Value::Bits(bits)) = cx.theory.graph.own_value(node) {
            let bits = bits.clone();
            let mut circuits = Circuits { gates: &mut self.gates, sat: cx.sat };
            return Some(circuits.constant(bits.width(), |i| bits.bit(i)));
        }
        cx.theory.word(node).map(<[Lit]>::to_vec)
    }
}
