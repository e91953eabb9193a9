//! Which operators are read in bits: by kind, and raised when a counterexample needs it.
//!
//! An operator's *kind* is its name, whether one argument is a constant, and nothing else: cubes are put back
//! through blocks again and again and make new sites all the time, so sites of a kind that was raised are
//! raised as they appear. Kinds come in ranks by what their circuits cost; of the kinds that a counterexample
//! got wrong, the cheapest rank is raised first.

use base::FastMap;
use smt::Solver;
use term::{Op, SortKind, Term, Terms};

/// What is raised together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Rank {
    /// Slices, extensions, comparisons, complements: hardly any gates.
    Wires,
    /// Bitwise operators.
    Bitwise,
    /// Sums and shifts by constants.
    Linear,
    /// Products with a constant, shifts by variables.
    Products,
    /// Products of two variables, quotients, remainders.
    Heavy,
}

/// The rank of an operator site; none for what is never read in bits.
pub(crate) fn rank(terms: &Terms, site: Term) -> Option<Rank> {
    let args = terms.args(site);
    let has_bits = |term: &Term| matches!(terms.sort_kind(terms.sort_of(*term)), SortKind::BitVec(_));
    if args.is_empty() || !args.iter().any(has_bits) {
        return None;
    }
    let has_constant = args.iter().any(|&arg| terms.is_value(arg));
    Some(match terms.op(site) {
        Op::Eq | Op::Distinct | Op::Ite | Op::Symbol(_) | Op::Select | Op::Store | Op::ConstArray => return None,
        Op::Number(_) | Op::Fp(_) => return None,
        Op::Concat | Op::Extract { .. } | Op::ZeroExtend(_) | Op::SignExtend(_) | Op::Repeat(_) => Rank::Wires,
        Op::RotateLeft(_) | Op::RotateRight(_) | Op::BvNot | Op::BvComp => Rank::Wires,
        Op::BvUlt | Op::BvUle | Op::BvUgt | Op::BvUge | Op::BvSlt | Op::BvSle | Op::BvSgt | Op::BvSge => Rank::Wires,
        Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvNand | Op::BvNor | Op::BvXnor => Rank::Bitwise,
        Op::BvAdd | Op::BvSub | Op::BvNeg => Rank::Linear,
        Op::BvShl | Op::BvLshr | Op::BvAshr if has_constant => Rank::Linear,
        Op::BvMul if has_constant => Rank::Products,
        Op::BvShl | Op::BvLshr | Op::BvAshr => Rank::Products,
        Op::BvUaddo | Op::BvSaddo | Op::BvUsubo | Op::BvSsubo | Op::BvNego => Rank::Products,
        _ => Rank::Heavy,
    })
}

/// The ranks that are read in bits, and the terms that were looked at.
#[derive(Default)]
pub(crate) struct Raised {
    ranks: Vec<Rank>,
    seen: FastMap<Term, ()>,
}

impl Raised {
    /// Reads the cheapest rank that is not yet read in bits so from now on; `false` if all are.
    pub fn raise_next(&mut self) -> bool {
        let ranks = [Rank::Wires, Rank::Bitwise, Rank::Linear, Rank::Products, Rank::Heavy];
        match ranks.into_iter().find(|rank| !self.ranks.contains(rank)) {
            Some(rank) => {
                self.raise(rank);
                true
            }
            None => false,
        }
    }
    pub fn contains(&self, rank: Rank) -> bool {
        self.ranks.contains(&rank)
    }
    /// Reads sites of this rank in bits from now on.
    pub fn raise(&mut self, rank: Rank) {
        if !self.ranks.contains(&rank) {
            self.ranks.push(rank);
            self.seen.clear();
        }
    }
    /// Raises the sites in the term that are new.
    pub fn prepare(&mut self, terms: &Terms, solver: &mut Solver, term: Term) {
        if self.ranks.is_empty() || self.seen.contains_key(&term) {
            return;
        }
        for sub in terms.subterms_until(&[term], |term| self.seen.contains_key(&term)) {
            self.seen.insert(sub, ());
            if rank(terms, sub).is_some_and(|rank| self.ranks.contains(&rank)) {
                solver.raise(terms, sub);
            }
        }
    }
}
