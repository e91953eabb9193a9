//! Gates: from Boolean functions to clauses, one fresh variable for each gate (Tseitin).
//!
//! Constants are folded and nothing else: no two gates are ever recognised as equal. Variable zero is
//! true.

use proof::{Lit, SatVar};

/// Clauses over numbered variables.
pub(crate) struct Gates {
    pub n_vars: u32,
    pub clauses: Vec<Vec<Lit>>,
}

/// The literal that is true.
pub(crate) const TRUE: Lit = SatVar(0).positive();

impl Gates {
    pub fn new() -> Self {
        Gates { n_vars: 1, clauses: vec![vec![TRUE]] }
    }
    pub fn constant(value: bool) -> Lit {
        if value { TRUE } else { !TRUE }
    }
    pub fn fresh(&mut self) -> Lit {
        self.n_vars += 1;
        SatVar(self.n_vars - 1).positive()
    }
    pub fn clause(&mut self, lits: &[Lit]) {
        self.clauses.push(lits.to_vec());
    }

    /// All of them.
    pub fn all(&mut self, lits: &[Lit]) -> Lit {
        let lits: Vec<Lit> = lits.iter().copied().filter(|&lit| lit != TRUE).collect();
        match lits[..] {
            _ if lits.contains(&!TRUE) => return !TRUE,
            [] => return TRUE,
            [one] => return one,
            _ => {}
        }
        let out = self.fresh();
        for &lit in &lits {
            self.clause(&[!out, lit]);
        }
        let mut back: Vec<Lit> = lits.iter().map(|&lit| !lit).collect();
        back.push(out);
        self.clauses.push(back);
        out
    }
    /// At least one of them.
    pub fn any(&mut self, lits: &[Lit]) -> Lit {
        let negated: Vec<Lit> = lits.iter().map(|&lit| !lit).collect();
        !self.all(&negated)
    }
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        self.all(&[a, b])
    }
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        self.any(&[a, b])
    }
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        match (a, b) {
            (TRUE, x) | (x, TRUE) => return !x,
            (x, y) if x == !TRUE => return y,
            (x, y) if y == !TRUE => return x,
            _ => {}
        }
        let out = self.fresh();
        self.clause(&[!out, a, b]);
        self.clause(&[!out, !a, !b]);
        self.clause(&[out, !a, b]);
        self.clause(&[out, a, !b]);
        out
    }
    pub fn equal(&mut self, a: Lit, b: Lit) -> Lit {
        !self.xor(a, b)
    }
    /// `then` if the condition holds, otherwise `otherwise`.
    pub fn choose(&mut self, condition: Lit, then: Lit, otherwise: Lit) -> Lit {
        if condition == TRUE || then == otherwise {
            return then;
        }
        if condition == !TRUE {
            return otherwise;
        }
        let out = self.fresh();
        self.clause(&[!condition, !then, out]);
        self.clause(&[!condition, then, !out]);
        self.clause(&[condition, !otherwise, out]);
        self.clause(&[condition, otherwise, !out]);
        out
    }
    /// At least two of three.
    pub fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let (ab, ac, bc) = (self.and(a, b), self.and(a, c), self.and(b, c));
        self.any(&[ab, ac, bc])
    }
}
