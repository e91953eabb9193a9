//! Precision: which operator sites are read bit by bit, and which as uninterpreted functions.
//!
//! A *site* is a term whose head is a bit-vector operator. Read as uninterpreted, all that is known of it
//! is that equal arguments give equal results (and what it gives for values). An answer `Unsat` under any
//! precision is final; an answer `Sat` holds only for sites read in bits. Precision only ever rises.

use term::{Cost, Op, Term, Terms};

use crate::tuning::Tuning;

/// How an operator site is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Reading {
    /// As a function of which only congruence is known, and its value for values.
    Uninterpreted,
    /// As its circuit.
    #[default]
    Bits,
}

/// What is known of an uninterpreted operator whose arguments all have values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Evaluation {
    /// Nothing: the operator is a function like any other.
    Never,
    /// Its value.
    ByValue,
    /// Its value; and an operator that is evaluated again and again is read in bits from then on.
    #[default]
    ThenBits,
    /// The same, but an operator with a large circuit only after many more evaluations.
    Sparingly,
}

/// Operators whose circuits are large: products and shifts of two unknowns, quotients, remainders.
pub fn is_costly(terms: &Terms, site: Term) -> bool {
    let unknown = |&&arg: &&Term| !terms.is_value(arg);
    match (terms.op(site), terms.op(site).row().cost) {
        (_, Cost::Product | Cost::Shift) => terms.args(site).iter().filter(unknown).count() > 1,
        (Op::BvUdiv | Op::BvUrem, _) => terms.value(terms.arg(site, 1)).is_none_or(|by| ones(&by) != 1),
        (_, Cost::Division) => true,
        _ => false,
    }
}

/// Those of them that are spared for longest. To divide by a constant with few ones takes a few adders, and less than to
/// learn what it does value by value.
pub(crate) fn is_large(terms: &Terms, site: Term) -> bool {
    let by_few_ones =
        || terms.value(terms.arg(site, 1)).is_some_and(|by| ones(&by) <= Tuning::DEFAULT.max_cheap_divisor_ones);
    let divides = terms.op(site).row().cost == Cost::Division;
    is_costly(terms, site) && !(divides && by_few_ones())
}

fn ones(bits: &base::Bits) -> usize {
    (0..bits.width()).filter(|&index| bits.bit(index)).count()
}

/// The reading of every operator site.
#[derive(Clone, Debug, Default)]
pub struct Precision {
    default: Reading,
    /// By term: raised to bits.
    raised: Vec<bool>,
}

impl Precision {
    /// All sites are read like this until raised.
    pub fn new(default: Reading) -> Self {
        Precision { default, raised: Vec::new() }
    }
    /// How the site is read.
    pub fn reading(&self, site: Term) -> Reading {
        match self.raised.get(site.index()) {
            Some(true) => Reading::Bits,
            _ => self.default,
        }
    }
    /// How sites are read that were not raised.
    pub fn default_reading(&self) -> Reading {
        self.default
    }
    /// Reads the site in bits from now on; `false` if it was so before.
    pub fn raise(&mut self, site: Term) -> bool {
        if self.reading(site) == Reading::Bits {
            return false;
        }
        if self.raised.len() <= site.index() {
            self.raised.resize(site.index() + 1, false);
        }
        self.raised[site.index()] = true;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_by_a_constant_with_few_ones_is_costly_but_not_large() {
        let mut terms = Terms::new();
        let sort = terms.bv_sort(32);
        let (x, y) = (terms.variable("x", sort), terms.variable("y", sort));
        let [three, eight, many] = [3, 8, 0x7fff_ffff].map(|value| terms.bv(32, value));
        let mut check = |by: Term, expected: (bool, bool)| {
            let site = terms.bv_urem(x, by);
            assert_eq!((is_costly(&terms, site), is_large(&terms, site)), expected, "{by:?}");
        };
        check(three, (true, false));
        check(eight, (false, false));
        check(many, (true, true));
        check(y, (true, true));
        let product = terms.bv_mul(x, y);
        assert!(is_large(&terms, product));
    }
}
