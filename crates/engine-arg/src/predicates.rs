//! Predicates: the atoms of labels, collected by cutpoint.
//!
//! A predicate and its negation are one. Labels of one copy of a cutpoint give predicates for all copies.

use encode::Cut;
use term::{Op, Term, Terms};

use crate::search::Search;
use crate::tuning::Tuning;

impl Search<'_> {
    /// Takes the atoms of the label of a node at the cutpoint; how many are new.
    pub(crate) fn harvest(&mut self, cut: Cut, label: Term) -> usize {
        let mut found = 0;
        for atom in atoms(&self.terms, label) {
            let known = &mut self.predicates[cut];
            if known.len() < Tuning::DEFAULT.max_predicates && !known.contains(&atom) {
                known.push(atom);
                found += 1;
            }
        }
        self.stats.predicates += found as u64;
        found
    }
}

/// The formulas that a formula is made of by Boolean connectives.
pub(crate) fn atoms(terms: &Terms, formula: Term) -> Vec<Term> {
    let is_inner = |term: Term| match terms.op(term) {
        Op::Not | Op::And | Op::Or => true,
        Op::Ite => terms.is_bool(term),
        Op::Eq => terms.is_bool(terms.arg(term, 0)),
        _ => false,
    };
    let mut seen: base::FastMap<Term, ()> = base::FastMap::new();
    let mut atoms = Vec::new();
    let mut open = vec![formula];
    while let Some(term) = open.pop() {
        if seen.insert(term, ()).is_some() {
            continue;
        }
        if is_inner(term) {
            open.extend(terms.args(term).iter().rev());
        } else if !matches!(terms.op(term), Op::True | Op::False) {
            atoms.push(term);
        }
    }
    atoms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atoms_are_below_all_connectives_and_come_once() {
        let mut terms = Terms::new();
        let sort = terms.bv_sort(8);
        let (x, y) = (terms.variable("x", sort), terms.variable("y", sort));
        let (less, equal) = (terms.bv_ult(x, y), terms.eq(x, y));
        let not_less = terms.not(less);
        let one = terms.and(&[not_less, equal]);
        let both = terms.or(&[one, less]);
        let mut found = atoms(&terms, both);
        found.sort();
        let mut expected = vec![less, equal];
        expected.sort();
        assert_eq!(found, expected);
    }
}
