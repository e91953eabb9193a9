//! Cubes: sets of states at a cutpoint, as conjunctions of literals. Over words a literal is a truth-valued term over the
//! cutpoint's state, over single bits it is one of the SAT solver.

use encode::Cut;
use sat::Lit;
use term::{Term, Terms};

/// What cubes are made of.
pub(crate) trait Literal: Copy + Ord {
    /// Different literals have different numbers.
    fn number(self) -> u64;
}

impl Literal for Term {
    fn number(self) -> u64 {
        self.index() as u64
    }
}

impl Literal for Lit {
    fn number(self) -> u64 {
        self.index() as u64
    }
}

/// A conjunction of literals, sorted, each once. The empty cube is all states.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Cube<L = Term> {
    /// Where the states are.
    pub at: Cut,
    /// The literals.
    pub literals: Vec<L>,
    /// A bit for each literal, so that most pairs without subsumption are found by one comparison.
    signature: u64,
}

impl<L: Literal> Cube<L> {
    pub fn new(at: Cut, mut literals: Vec<L>) -> Self {
        literals.sort_unstable();
        literals.dedup();
        let bit = |literal: &L| 1u64 << literal.number().wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_shr(58);
        let signature = literals.iter().fold(0, |bits, literal| bits | bit(literal));
        Cube { at, literals, signature }
    }
    /// Whether the literals show that every state of the other cube is in this one.
    pub fn subsumes(&self, other: &Self) -> bool {
        if self.at != other.at || self.signature & !other.signature != 0 || self.literals.len() > other.literals.len() {
            return false;
        }
        let mut rest = other.literals.iter();
        self.literals.iter().all(|literal| rest.any(|other| other == literal))
    }
    pub fn without(&self, literal: L) -> Self {
        Cube::new(self.at, self.literals.iter().copied().filter(|&other| other != literal).collect())
    }
    pub fn len(&self) -> usize {
        self.literals.len()
    }
}

impl Cube {
    /// The clause that denies the cube.
    pub fn negation(&self, terms: &mut Terms) -> Vec<Term> {
        self.literals.iter().map(|&literal| terms.not(literal)).collect()
    }
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

    #[test]
    fn a_cube_with_fewer_bits_subsumes() {
        let at = Cut::new(0);
        let [a, b] = [0, 1].map(|number| sat::SatVar(number).positive());
        let (small, large) = (Cube::new(at, vec![b]), Cube::new(at, vec![b, a, b]));
        assert!(small.subsumes(&large) && !large.subsumes(&small));
        assert_eq!(large.without(a), small);
        assert!(!Cube::new(at, vec![!b]).subsumes(&large));
    }
}
