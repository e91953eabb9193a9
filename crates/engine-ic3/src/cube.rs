//! Cubes: sets of states at a cutpoint, as conjunctions of literals.

use encode::Cut;
use term::{Term, Terms};

/// A conjunction of literals, sorted, each once. The empty cube is all states.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Cube {
    /// Where the states are.
    pub at: Cut,
    /// The literals: truth-valued terms over the cutpoint's state.
    pub literals: Vec<Term>,
    /// A bit for each literal, so that most cubes that do not subsume are told apart at a glance.
    signature: u64,
}

impl Cube {
    pub fn new(at: Cut, mut literals: Vec<Term>) -> Self {
        literals.sort_unstable();
        literals.dedup();
        let signature = literals.iter().fold(0, |bits, literal| bits | bit(*literal));
        Cube { at, literals, signature }
    }
    /// Whether every state of the other cube is in this one, as far as their literals tell.
    pub fn subsumes(&self, other: &Cube) -> bool {
        if self.at != other.at || self.signature & !other.signature != 0 || self.literals.len() > other.literals.len() {
            return false;
        }
        let mut rest = other.literals.iter();
        self.literals.iter().all(|literal| rest.any(|other| other == literal))
    }
    pub fn without(&self, literal: Term) -> Cube {
        Cube::new(self.at, self.literals.iter().copied().filter(|&other| other != literal).collect())
    }
    /// The clause that denies the cube.
    pub fn negation(&self, terms: &mut Terms) -> Vec<Term> {
        self.literals.iter().map(|&literal| terms.not(literal)).collect()
    }
    pub fn len(&self) -> usize {
        self.literals.len()
    }
}

fn bit(literal: Term) -> u64 {
    1 << (literal.index() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_shr(58)
}

#[cfg(test)]
mod tests {
    use base::Id;

    use super::*;

    #[test]
    fn fewer_literals_subsume_more() {
        let mut terms = Terms::new();
        let sort = terms.bool_sort();
        let [a, b, c] = ["a", "b", "c"].map(|name| terms.variable(name, sort));
        let at = Cut::new(1);
        let (small, large) = (Cube::new(at, vec![c, a]), Cube::new(at, vec![a, b, c, a]));
        assert!(small.subsumes(&large) && !large.subsumes(&small) && small.subsumes(&small));
        assert!(Cube::new(at, vec![]).subsumes(&small));
        assert!(!Cube::new(Cut::new(2), vec![]).subsumes(&small));
        assert_eq!(large.without(b), small);
    }
}
