//! Candidates for the words of a tuple: forms over the variables of a head.
//!
//! Differences of what guards compare, in words that are wide enough not to wrap; variables and their negations; sums and differences
//! of two; absolute values; and whether a condition holds. A signed form is shifted so that unsigned order is its order.

use base::FastMap;
use program::Program;
use term::{Op, Term, Terms};

use super::{Component, Head};
use crate::tuning::Tuning;

/// A word that may get smaller.
#[derive(Clone, Copy, Debug)]
pub(super) struct Form {
    pub term: Term,
    /// Simple forms cost less.
    pub cost: u32,
}

/// How a word is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sign {
    Signed,
    Unsigned,
}

/// The forms of a head.
pub(super) fn forms(program: &Program, terms: &mut Terms, component: &Component, head: &Head) -> Vec<Form> {
    let mut maker = Maker { terms, found: Vec::new(), seen: FastMap::new() };
    let known: Vec<Term> = head.vars.iter().map(|&var| program.vars[var].term).collect();
    let mut atoms = maker.atoms(&component.conditions, &known);
    atoms.truncate(Tuning::DEFAULT.ranking_atoms);
    let words: Vec<Term> = known.iter().copied().filter(|&term| !maker.terms.is_bool(term)).collect();
    let mut differences = Vec::new();
    for &atom in &atoms {
        maker.of_atom(atom, &mut differences);
    }
    for &word in &words {
        for sign in [Sign::Signed, Sign::Unsigned] {
            let wide = maker.wide(word, sign);
            maker.push(wide, 10);
            maker.push_negative(wide, 12);
        }
        let wide = maker.wide(word, Sign::Signed);
        maker.push_absolute(wide, 16);
    }
    for (number, &one) in differences.iter().enumerate() {
        for &other in &differences[..number] {
            if maker.terms.width(one) == maker.terms.width(other) && maker.has_room() {
                let sum = maker.terms.bv_add(one, other);
                maker.push(sum, 30);
            }
        }
    }
    for (number, &one) in words.iter().enumerate() {
        for &other in &words[..number] {
            if maker.terms.width(one) == maker.terms.width(other) && maker.has_room() {
                maker.of_pair(one, other);
            }
        }
    }
    let bools = known.iter().copied().filter(|&term| maker.terms.is_bool(term)).collect::<Vec<Term>>();
    for condition in bools.into_iter().chain(atoms) {
        let (one, zero) = (maker.terms.bv(1, 1), maker.terms.bv(1, 0));
        let holds = maker.terms.ite(condition, one, zero);
        let fails = maker.terms.ite(condition, zero, one);
        maker.push_plain(holds, 40);
        maker.push_plain(fails, 40);
    }
    if maker.found.is_empty() {
        // Enough for a loop that no run goes round.
        let term = maker.terms.bv(1, 0);
        maker.found.push(Form { term, cost: 100 });
    }
    maker.found
}

struct Maker<'a> {
    terms: &'a mut Terms,
    found: Vec<Form>,
    seen: FastMap<Term, ()>,
}

impl Maker<'_> {
    fn has_room(&self) -> bool {
        self.found.len() < Tuning::DEFAULT.ranking_forms
    }
    /// Comparisons in the conditions that mention nothing but these variables.
    fn atoms(&self, conditions: &[Term], known: &[Term]) -> Vec<Term> {
        let is_closed = |term: Term| {
            let parts = self.terms.subterms(&[term]);
            let mut has_variable = false;
            let fits = parts.iter().all(|part| match self.terms.op(*part) {
                Op::Symbol(_) => {
                    has_variable = true;
                    known.contains(part)
                }
                Op::Select | Op::Store | Op::ConstArray | Op::Fp(_) | Op::Number(_) => false,
                _ => true,
            });
            fits && has_variable
        };
        let is_comparison = |term: &Term| match self.terms.op(*term) {
            Op::BvSlt | Op::BvSle | Op::BvUlt | Op::BvUle => true,
            Op::Eq => {
                let side = self.terms.args(*term)[0];
                matches!(self.terms.sort_kind(self.terms.sort_of(side)), term::SortKind::BitVec(_))
            }
            _ => false,
        };
        let mut seen: FastMap<Term, ()> = FastMap::new();
        let mut atoms = Vec::new();
        for &condition in conditions {
            for term in self.terms.subterms(&[condition]) {
                if is_comparison(&term) && seen.insert(term, ()).is_none() && is_closed(term) {
                    atoms.push(term);
                }
            }
        }
        atoms
    }
    /// Differences of what a comparison compares.
    fn of_atom(&mut self, atom: Term, differences: &mut Vec<Term>) {
        let [left, right] = self.terms.args(atom)[..] else { return };
        if self.terms.width(left) > 64 {
            return;
        }
        match self.terms.op(atom) {
            Op::BvSlt | Op::BvSle => self.difference(left, right, Sign::Signed, 4, differences),
            Op::BvUlt | Op::BvUle => self.difference(left, right, Sign::Unsigned, 4, differences),
            _ => {
                // What counts down to a value does so in unsigned order, whatever it was at first.
                for (sign, cost) in [(Sign::Unsigned, 3), (Sign::Signed, 4)] {
                    self.difference(left, right, sign, cost, differences);
                    let (a, b) = (self.wide(left, sign), self.wide(right, sign));
                    let apart = self.terms.bv_sub(a, b);
                    self.push_absolute(apart, 14);
                }
                for (a, b) in [(left, right), (right, left)] {
                    let wraps = self.terms.bv_sub(a, b);
                    self.push_plain(wraps, 18);
                }
            }
        }
    }
    fn difference(&mut self, left: Term, right: Term, sign: Sign, cost: u32, differences: &mut Vec<Term>) {
        let (a, b) = (self.wide(left, sign), self.wide(right, sign));
        for (a, b, cost) in [(b, a, cost), (a, b, cost + 1)] {
            let apart = self.terms.bv_sub(a, b);
            self.push(apart, cost);
            differences.push(apart);
        }
    }
    fn of_pair(&mut self, one: Term, other: Term) {
        for sign in [Sign::Signed, Sign::Unsigned] {
            let (a, b) = (self.wide(one, sign), self.wide(other, sign));
            let sum = self.terms.bv_add(a, b);
            let apart = self.terms.bv_sub(a, b);
            self.push(sum, 22);
            self.push_negative(sum, 26);
            self.push(apart, 24);
            self.push_negative(apart, 24);
        }
    }
    /// The word with room for sums of a few.
    fn wide(&mut self, word: Term, sign: Sign) -> Term {
        let width = self.terms.width(word) + Tuning::DEFAULT.ranking_extra_bits;
        match sign {
            Sign::Signed => self.terms.sign_extend_to(word, width),
            Sign::Unsigned => self.terms.zero_extend_to(word, width),
        }
    }
    fn push_negative(&mut self, wide: Term, cost: u32) {
        let negative = self.terms.bv_neg(wide);
        self.push(negative, cost);
    }
    fn push_absolute(&mut self, wide: Term, cost: u32) {
        let zero = self.terms.bv(self.terms.width(wide), 0);
        let is_negative = self.terms.bv_slt(wide, zero);
        let negative = self.terms.bv_neg(wide);
        let absolute = self.terms.ite(is_negative, negative, wide);
        self.push_plain(absolute, cost);
    }
    /// A signed form.
    fn push(&mut self, wide: Term, cost: u32) {
        let width = self.terms.width(wide);
        let lowest = self.terms.bits(base::Bits::from_u128(width, 1 << (width - 1)));
        let shifted = self.terms.bv_add(wide, lowest);
        self.push_plain(shifted, cost);
    }
    /// A form as it is.
    fn push_plain(&mut self, term: Term, cost: u32) {
        if !self.terms.is_value(term) && self.has_room() && self.seen.insert(term, ()).is_none() {
            self.found.push(Form { term, cost });
        }
    }
}
