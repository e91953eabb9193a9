//! Terms as literals only: for callers that search over single bits.
//!
//! A model checker that works on the bits of a state asks the SAT solver directly, with cubes of literals, and has no use for terms
//! between two questions. Here it gets the clauses that define the bits of its terms, once. Only what consists of truth
//! values and bit-vectors can be had this way.

use base::{Budget, Stopped};
use sat::{Lit, SatVar, Solver};
use term::{SortKind, Term, Terms};

use crate::cone::Cone;
use crate::encode::{Context, Encoder, Trouble, Want};
use crate::euf::theory::Euf;
use crate::precision::{Precision, Reading};

/// Terms as circuits.
pub struct Circuit {
    sat: Solver,
    theory: Euf,
    encoder: Encoder,
    precision: Precision,
    cone: Cone,
}

/// Why a term has no circuit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoCircuit {
    /// The budget is used up or the run was cancelled.
    Stopped(Stopped),
    /// It would be too large, or the term is not made of bits.
    NotBits,
}

impl From<Trouble> for NoCircuit {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Stopped(stopped) => NoCircuit::Stopped(stopped),
            Trouble::TooLarge => NoCircuit::NotBits,
        }
    }
}

impl Circuit {
    /// Without any gates.
    pub fn new() -> Self {
        Circuit {
            sat: Solver::new(),
            theory: Euf::new(),
            encoder: Encoder::new(),
            precision: Precision::new(Reading::Bits),
            cone: Cone::default(),
        }
    }
    /// The bits of a term, the lowest first; one for a truth value.
    pub fn bits(&mut self, terms: &Terms, term: Term, budget: &Budget) -> Result<Vec<Lit>, NoCircuit> {
        let want = match terms.sort_kind(terms.sort_of(term)) {
            SortKind::Bool => Want::Lit,
            SortKind::BitVec(_) => Want::Word,
            _ => return Err(NoCircuit::NotBits),
        };
        let Circuit { sat, theory, encoder, precision, .. } = self;
        encoder.encode(&mut Context { terms, sat, theory, precision, budget }, term, want)?;
        if !self.theory.is_idle() {
            return Err(NoCircuit::NotBits);
        }
        match want {
            Want::Lit => Ok(self.encoder.lit(term).into_iter().collect()),
            _ => Ok(self.encoder.word(term).unwrap_or(&[]).to_vec()),
        }
    }
    /// The variables that have to be decided so that these terms have values, each once.
    pub fn variables(&mut self, terms: &Terms, roots: &[Term]) -> Vec<SatVar> {
        let mut vars = Vec::new();
        self.encoder.variables_of(self.cone.collect_subterms(terms, roots.iter().copied()), &mut vars);
        vars.sort_unstable();
        vars.dedup();
        vars
    }
    /// The clauses of all circuits.
    pub fn into_solver(self) -> Solver {
        self.sat
    }
}

impl Default for Circuit {
    fn default() -> Self {
        Circuit::new()
    }
}

#[cfg(test)]
mod tests {
    use sat::{NoTheory, Outcome, Query};

    use super::*;

    #[test]
    fn the_bits_of_a_sum_are_those_of_the_sum() {
        let mut terms = Terms::new();
        let sort = terms.bv_sort(4);
        let (x, y) = (terms.variable("x", sort), terms.variable("y", sort));
        let sum = terms.bv_add(x, y);
        let budget = Budget::default();
        let mut circuit = Circuit::new();
        let words = [x, y, sum].map(|term| circuit.bits(&terms, term, &budget).expect("bits"));
        let cone = circuit.variables(&terms, &[sum]);
        assert!(words.iter().flatten().all(|lit| cone.contains(&lit.var())));
        let mut sat = circuit.into_solver();
        let assumed = |word: &[Lit], value: u32| -> Vec<Lit> {
            let bits = word.iter().enumerate();
            bits.map(|(at, &lit)| if value >> at & 1 == 1 { lit } else { !lit }).collect()
        };
        for (a, b) in [(3, 5), (9, 12), (15, 1)] {
            let mut assumptions = assumed(&words[0], a);
            assumptions.extend(assumed(&words[1], b));
            assert_eq!(sat.solve(&mut NoTheory, &Query::assuming(&assumptions), &budget), Ok(Outcome::Sat));
            let bits = words[2].iter().map(|&lit| u32::from(sat.value(lit) == Some(true)));
            let value = bits.enumerate().fold(0, |sum, (at, bit)| sum | bit << at);
            assert_eq!(value, (a + b) % 16);
        }
    }

    #[test]
    fn what_is_not_made_of_bits_has_no_circuit() {
        let mut terms = Terms::new();
        let sort = terms.sort(SortKind::Uninterpreted("U".into()));
        let (x, y) = (terms.variable("x", sort), terms.variable("y", sort));
        let same = terms.eq(x, y);
        for term in [same, x] {
            assert_eq!(Circuit::new().bits(&terms, term, &Budget::default()), Err(NoCircuit::NotBits));
        }
    }
}
