//! Precision: which operator sites are read bit by bit, and which as uninterpreted functions.
//!
//! A *site* is a term whose head is a bit-vector operator. Read as uninterpreted, all that is known of it
//! is that equal arguments give equal results (and what it gives for values). An answer `Unsat` under any
//! precision is final; an answer `Sat` holds only for sites read in bits. Precision only ever rises.

use term::Term;

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
    /// Reads every site in bits from now on, as far as it was not used before.
    pub fn raise_all(&mut self) {
        self.default = Reading::Bits;
    }
}
