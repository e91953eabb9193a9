//! Circuits as clauses: gates by Tseitin's encoding, words of bits above them.
//!
//! Deliberately apart from the bit-blaster of `smt`, and plain: every solver gets the same clauses.

use sat::{Lit, SatVar};

/// Clauses over variables from zero.
#[derive(Default)]
pub(super) struct Circuit {
    pub clauses: Vec<Vec<Lit>>,
    pub n_vars: u32,
}

/// Bits, lowest first.
pub(super) type Word = Vec<Lit>;

impl Circuit {
    pub fn bit(&mut self) -> Lit {
        self.n_vars += 1;
        SatVar(self.n_vars - 1).positive()
    }
    pub fn word(&mut self, width: usize) -> Word {
        (0..width).map(|_| self.bit()).collect()
    }
    pub fn clause(&mut self, lits: &[Lit]) {
        self.clauses.push(lits.to_vec());
    }
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let out = self.bit();
        self.clause(&[!out, a]);
        self.clause(&[!out, b]);
        self.clause(&[out, !a, !b]);
        out
    }
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let out = self.bit();
        for (x, y) in [(a, b), (!a, !b)] {
            self.clause(&[!out, x, y]);
            self.clause(&[out, x, !y]);
        }
        out
    }
    pub fn mux(&mut self, choice: Lit, yes: Lit, no: Lit) -> Lit {
        let out = self.bit();
        self.clause(&[!choice, !yes, out]);
        self.clause(&[!choice, yes, !out]);
        self.clause(&[choice, !no, out]);
        self.clause(&[choice, no, !out]);
        out
    }
    /// Sum and carry.
    pub fn full_adder(&mut self, a: Lit, b: Lit, c: Lit) -> (Lit, Lit) {
        let half = self.xor(a, b);
        let (both, one) = (self.and(a, b), self.and(half, c));
        (self.xor(half, c), self.or(both, one))
    }
    pub fn half_adder(&mut self, a: Lit, b: Lit) -> (Lit, Lit) {
        (self.xor(a, b), self.and(a, b))
    }
    pub fn add(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let (first, mut carry) = self.half_adder(a[0], b[0]);
        let mut sum = vec![first];
        for i in 1..a.len() {
            let (bit, next) = self.full_adder(a[i], b[i], carry);
            sum.push(bit);
            carry = next;
        }
        sum
    }
    pub fn less(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let mut less = self.and(!a[0], b[0]);
        for i in 1..a.len() {
            let differ = self.xor(a[i], b[i]);
            less = self.mux(differ, b[i], less);
        }
        less
    }
}
