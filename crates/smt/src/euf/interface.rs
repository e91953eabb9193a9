//! Pairs of words that meet by value again and again.
//!
//! Bits and classes meet when a word is complete: its node joins the class of its value. A conflict that
//! goes through two words with one value names every bit of both, so it rules out this value alone, and
//! `f((x ^ y) ^ y) != f(x)` would take one conflict for each value of `x`. When a pair has met like this
//! a few times, it gets an equality that both sides know (true exactly if the bits are equal, and an atom of
//! the e-graph), and from then on the conflict is one literal long: the strong interface lemma.
//!
//! The same with an operator that is read as uninterpreted, but whose arguments have bits: it is evaluated value by
//! value, and a conflict with its result rules out this value alone. When that happens again and again, the
//! operator is read in bits from then on.
//!
//! Such an equality needs new nodes and clauses, which are made at level zero; so the search is asked to pause.

use base::{FastMap, Id};

use super::egraph::Node;
use crate::tuning::Tuning;

/// Which pairs of bound nodes met by value, and how often.
#[derive(Clone, Debug)]
pub(crate) struct Meetings {
    counts: FastMap<(Node, Node), u32>,
    /// Pairs that have met often enough.
    pub pairs: Vec<(Node, Node)>,
    evaluations: FastMap<Node, u32>,
    /// Operators that were evaluated often enough; with each, whether that is enough for a large circuit too.
    pub operators: Vec<(Node, bool)>,
    /// Whether such operators are wanted.
    pub raises: bool,
    /// Whether large circuits are to be spared.
    pub spares: bool,
}

impl Meetings {
    pub fn new() -> Self {
        Meetings {
            counts: FastMap::new(),
            pairs: Vec::new(),
            evaluations: FastMap::new(),
            operators: Vec::new(),
            raises: true,
            spares: false,
        }
    }
    /// Whether there is something to be made.
    pub fn any_due(&self) -> bool {
        !self.pairs.is_empty() || !self.operators.is_empty()
    }
    /// An explanation went through bits and through the values of these applications.
    pub fn evaluated(&mut self, nodes: &[Node]) {
        for &node in nodes.iter().filter(|_| self.raises) {
            let count = self.evaluations.get_or_insert_with(node, || 0);
            *count += 1;
            if *count == Tuning::DEFAULT.bit_explanations {
                self.operators.push((node, !self.spares));
            } else if *count == Tuning::DEFAULT.large_circuit_explanations {
                self.operators.push((node, true));
            }
        }
    }
    /// An explanation named all bits of these nodes; `root` gives the class.
    pub fn explained(&mut self, nodes: &[Node], root: impl Fn(Node) -> Node) {
        if nodes.len() < 2 || nodes.len() > Tuning::DEFAULT.max_paired_words {
            return;
        }
        for (i, &a) in nodes.iter().enumerate() {
            for &b in nodes[..i].iter().filter(|&&b| b != a && root(b) == root(a)) {
                let pair = if a.index() < b.index() { (a, b) } else { (b, a) };
                let count = self.counts.get_or_insert_with(pair, || 0);
                *count += 1;
                if *count == Tuning::DEFAULT.equality_explanations {
                    self.pairs.push(pair);
                }
            }
        }
    }
}
