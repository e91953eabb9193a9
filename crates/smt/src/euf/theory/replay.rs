//! Replaying a lemma: its literals assumed false on a graph where nothing else is known, and the contradiction shown.
//!
//! The search keeps no reasons for lemmas; this finds them again.

use base::{Bits, FastMap};
use sat::Lit;

use super::{Euf, NONE, Role};
use crate::euf::egraph::{Clash, Node, Value, Why};

/// How facts contradict each other.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Contradiction {
    /// Two classes with different values were to be merged.
    Values(Clash),
    /// The node's class has a value whose bit is not what the literal says.
    Bit { node: Node, index: u32, lit: Lit },
    /// Two nodes are equal, but the literals say that their bits are not.
    Peers { nodes: [Node; 2], index: u32, lits: [Lit; 2] },
}

impl Euf {
    /// Merges what the facts say on a graph at rest; the contradiction, if there is one. `undo_replay` afterwards.
    pub fn replay(&mut self, facts: &[Lit]) -> Option<Contradiction> {
        let mut assigned: FastMap<u32, u32> = FastMap::new();
        let mut bits: Vec<(Node, u32, Lit, bool)> = Vec::new();
        let mut truths: Vec<(Node, bool, Lit)> = Vec::new();
        let mut full: Vec<u32> = Vec::new();
        for &lit in facts {
            let mut at = self.first_role.get(lit.var().index()).copied().unwrap_or(NONE);
            while at != NONE {
                let (role, next) = self.roles[at as usize];
                match role {
                    Role::Truth { node, positive } => truths.push((node, lit.is_positive() == positive, lit)),
                    Role::Bit { bound, index } => {
                        let known = &self.bounds[bound as usize];
                        bits.push((known.node, index, lit, known.word[index as usize] == lit));
                        let count = assigned.get_or_insert_with(bound, || 0);
                        *count += 1;
                        if *count as usize == known.word.len() {
                            full.push(bound);
                        }
                    }
                }
                at = next;
            }
        }
        for (node, value, lit) in truths {
            self.merge_truth(node, value, lit);
        }
        for bound in full {
            let node = self.bounds[bound as usize].node;
            let word = &self.bounds[bound as usize].word;
            let mut words = vec![0u64; word.len().div_ceil(64)];
            for (index, lit) in word.iter().enumerate() {
                words[index / 64] |= u64::from(facts.contains(lit)) << (index % 64);
            }
            let value = Value::Bits(Bits::from_words(word.len() as u32, &words));
            let value = self.graph.value_node(value);
            self.graph.merge_later(node, value, Why::Bits(node));
        }
        if let Err(clash) = self.graph.close() {
            return Some(Contradiction::Values(clash));
        }
        for (place, &(node, index, lit, value)) in bits.iter().enumerate() {
            if let Some(Value::Bits(known)) = self.graph.value(node)
                && known.bit(index) != value
            {
                return Some(Contradiction::Bit { node, index, lit });
            }
            for &(other, other_index, other_lit, other_value) in &bits[..place] {
                if index == other_index && value != other_value && self.graph.are_equal(node, other) {
                    return Some(Contradiction::Peers { nodes: [node, other], index, lits: [lit, other_lit] });
                }
            }
        }
        None
    }
    /// Puts the graph at rest: what holds without facts is merged.
    pub fn rest(&mut self) -> Option<usize> {
        self.graph.close().ok()?;
        Some(self.graph.mark())
    }
    /// Forgets what was replayed.
    pub fn undo_replay(&mut self, mark: usize) {
        self.graph.undo_to(mark);
    }
}
