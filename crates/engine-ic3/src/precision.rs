//! Which operators are read in bits: in stages, the next one when a counterexample needs it.
//!
//! Cubes are put back through blocks again and again and make new operator sites all the time, so precision goes by
//! what an operator costs in gates, its *rank*, and not by single sites. It rises in stages rather than rank
//! by rank: a word that is half bits and half function symbols costs the solver more than either.

use base::FastMap;
use smt::{Reading, Solver};
use term::{Cost, Op, SortKind, Term, Terms};

use crate::settings::Precision;
use crate::tuning::Tuning;

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
    Some(match terms.op(site).row().cost {
        Cost::NoCircuit => return None,
        Cost::Wires | Cost::Compare => Rank::Wires,
        Cost::Bitwise => Rank::Bitwise,
        Cost::Sum => Rank::Linear,
        Cost::Shift if has_constant => Rank::Linear,
        Cost::Product if has_constant => Rank::Products,
        Cost::Shift | Cost::SumOverflow => Rank::Products,
        Cost::Product | Cost::ProductOverflow | Cost::Division => Rank::Heavy,
    })
}

/// How precision is chosen: where it starts, and whether it may rise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Level {
    pub first: Stage,
    pub may_rise: bool,
    /// What cubes speak of.
    pub style: Style,
    /// What cubes are made of.
    pub shape: Shape,
}

/// Whether cubes over words, over single bits, or both in turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    /// Words alone.
    Words,
    /// Words first, then in turns.
    Both,
    /// Single bits alone, where the program is made of bits.
    Bits,
}

/// What cubes speak of, and how a spurious path is handled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Style {
    /// Of what a step needs; precision rises.
    Needed,
    /// Of predicates alone; more predicates come.
    Predicates,
    /// Of all terms that the step has; lemmas about operators come.
    Arrangement,
}

impl Level {
    /// What a setting selects.
    pub fn of(precision: Precision) -> Level {
        let shape = match precision {
            Precision::Turns => Shape::Both,
            Precision::Single => Shape::Bits,
            _ => Shape::Words,
        };
        let (first, may_rise, style) = match precision {
            Precision::Functions => (Stage::Functions, false, Style::Needed),
            Precision::Turns | Precision::Axioms => (Stage::Functions, true, Style::Needed),
            Precision::Heavy => (Stage::Light, true, Style::Needed),
            Precision::Bits | Precision::Single => (Stage::Bits, true, Style::Needed),
            Precision::Paper => (Stage::Functions, false, Style::Arrangement),
            Precision::Predicates => (Stage::Bits, false, Style::Predicates),
        };
        Level { first, may_rise, style, shape }
    }
}

/// How much is read in bits. Every step up is sound, and none is ever taken back.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Stage {
    /// Nothing.
    Functions,
    /// All but products and quotients.
    Light,
    /// Everything.
    Bits,
}

impl Stage {
    pub fn reads(self, rank: Rank) -> bool {
        match self {
            Stage::Functions => false,
            Stage::Light => rank <= Rank::Linear,
            Stage::Bits => true,
        }
    }
    /// The stage at which this rank is read in bits. A program without products has no need for the middle one.
    pub fn for_rank(rank: Rank, has_products: bool) -> Stage {
        if rank <= Rank::Linear && has_products { Stage::Light } else { Stage::Bits }
    }
    /// One step up.
    pub fn next(self) -> Stage {
        if self == Stage::Functions { Stage::Light } else { Stage::Bits }
    }
    /// How a solver reads what was not raised.
    pub fn reading(self) -> Reading {
        if self == Stage::Bits { Reading::Bits } else { Reading::Uninterpreted }
    }
}

/// Whether some of the terms have products or quotients in them.
pub(crate) fn has_products(terms: &Terms, roots: &[Term]) -> bool {
    terms.subterms(roots).into_iter().any(|site| rank(terms, site).is_some_and(|rank| rank > Rank::Linear))
}

/// Whether some of the terms have products of two variables, quotients or remainders in them.
pub(crate) fn has_heavy(terms: &Terms, roots: &[Term]) -> bool {
    terms.subterms(roots).into_iter().any(|site| rank(terms, site) == Some(Rank::Heavy))
}

/// The stage, and the terms that were looked at.
pub(crate) struct Raised {
    pub stage: Stage,
    seen: FastMap<Term, ()>,
}

impl Raised {
    pub fn new(stage: Stage) -> Self {
        Raised { stage, seen: FastMap::new() }
    }
    /// Raises the sites in the term that are new.
    pub fn prepare(&mut self, terms: &Terms, solver: &mut Solver, term: Term) {
        if self.stage != Stage::Light || self.seen.contains_key(&term) {
            return;
        }
        for sub in terms.subterms_until(&[term], |term| self.seen.contains_key(&term)) {
            self.seen.insert(sub, ());
            if rank(terms, sub).is_some_and(|rank| self.stage.reads(rank)) {
                solver.raise(terms, sub);
            }
        }
    }
}

/// Whether lemmas grow into terms that the program does not have: `s + 2`, `s + 4`, `s + 6`, …. Read as
/// functions they never end, since each of them is unlike all others; then it is time for bits. The same holds for
/// `s = 3`, `s = 4`, `s = 5`, ….
#[derive(Default)]
pub(crate) struct Growth {
    own: FastMap<Term, ()>,
    seen: FastMap<Term, ()>,
    n_new: usize,
    /// By term: how many constants that the program does not have it was compared with.
    counted: FastMap<Term, u32>,
    counts_up: bool,
}

impl Growth {
    /// These terms are the program's own.
    pub fn new(terms: &Terms, roots: &[Term]) -> Self {
        let mut own = FastMap::new();
        for term in terms.subterms(roots) {
            own.insert(term, ());
        }
        Growth { own, ..Growth::default() }
    }
    /// A lemma speaks of this term.
    pub fn note(&mut self, terms: &Terms, stage: Stage, term: Term) {
        if let Some((left, constant)) = compared(terms, term)
            && !self.own.contains_key(&constant)
            && !self.seen.contains_key(&term)
        {
            let count = self.counted.get_or_insert_with(left, || 0);
            *count += 1;
            self.counts_up |= *count > Tuning::DEFAULT.max_new_constants && stage == Stage::Functions;
        }
        let is_known = |term: Term| self.own.contains_key(&term) || self.seen.contains_key(&term);
        for site in terms.subterms_until(&[term], is_known) {
            let is_function = rank(terms, site).is_some_and(|rank| !stage.reads(rank));
            self.n_new += usize::from(is_function);
            self.seen.insert(site, ());
        }
    }
    pub fn is_endless(&self) -> bool {
        self.n_new > Tuning::DEFAULT.max_new_sites || self.counts_up
    }
    /// Whether lemmas have compared the term with several constants of their own.
    pub fn counts(&self, term: Term) -> bool {
        self.counted.get(&term).is_some_and(|&count| count > 1)
    }
    pub fn reset(&mut self) {
        self.seen.clear();
        self.counted = FastMap::new();
        self.counts_up = false;
        self.n_new = 0;
    }
}

/// The sides of an equality of bit-vectors, or of a negated one, with a constant.
pub(crate) fn compared(terms: &Terms, literal: Term) -> Option<(Term, Term)> {
    let atom = if terms.op(literal) == Op::Not { terms.arg(literal, 0) } else { literal };
    if terms.op(atom) != Op::Eq || !matches!(terms.sort_kind(terms.sort_of(terms.arg(atom, 0))), SortKind::BitVec(_)) {
        return None;
    }
    let (left, right) = (terms.arg(atom, 0), terms.arg(atom, 1));
    match (terms.is_value(left), terms.is_value(right)) {
        (false, true) => Some((left, right)),
        (true, false) => Some((right, left)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_that_are_compared_with_new_constants_are_new_sites_too() {
        let mut terms = Terms::new();
        let sort = terms.bv_sort(32);
        let y = terms.variable("y", sort);
        let mut growth = Growth::new(&terms, &[y]);
        for number in 1..=Tuning::DEFAULT.max_new_sites as u64 + 1 {
            assert!(!growth.is_endless(), "after {number}");
            let (step, constant) = (terms.bv(32, 4 * number), terms.bv(32, 1000 + number));
            let product = terms.bv_mul(y, step);
            let literal = terms.eq(product, constant);
            growth.note(&terms, Stage::Functions, literal);
        }
        assert!(growth.is_endless());
    }
}
