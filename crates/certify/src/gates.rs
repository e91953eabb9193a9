//! Gates: from Boolean functions to clauses, one fresh variable for each gate (Tseitin).
//!
//! Constants and equal or opposite inputs are folded and nothing else: no two gates are ever recognised as equal. Variable zero is
//! true.
//!
//! Clauses that define a gate are kept apart from those that state something: a gate that nothing depends on is left out in the
//! end ([`Gates::cone`]).

use proof::{Lit, SatVar};

/// Clauses over numbered variables.
pub(crate) struct Gates {
    pub n_vars: u32,
    /// Definitions of gates in the order in which they were made: in each clause the output is the variable with the largest number.
    pub definitions: Vec<Vec<Lit>>,
    /// What holds.
    pub stated: Vec<Vec<Lit>>,
}

/// The literal that is true.
pub(crate) const TRUE: Lit = SatVar(0).positive();

impl Gates {
    pub fn new() -> Self {
        Gates { n_vars: 1, definitions: Vec::new(), stated: vec![vec![TRUE]] }
    }
    pub fn constant(value: bool) -> Lit {
        if value { TRUE } else { !TRUE }
    }
    pub fn fresh(&mut self) -> Lit {
        self.n_vars += 1;
        SatVar(self.n_vars - 1).positive()
    }
    /// States that one of them holds.
    pub fn clause(&mut self, lits: &[Lit]) {
        self.stated.push(lits.to_vec());
    }
    fn define(&mut self, lits: &[Lit]) {
        self.definitions.push(lits.to_vec());
    }
    /// States that the output of a gate is true for all inputs. It belongs to the gate's definition: where the gate is not needed, it is left out.
    pub fn law(&mut self, output: Lit) {
        self.define(&[output]);
    }
    /// How many clauses there are.
    pub fn n_clauses(&self) -> usize {
        self.definitions.len() + self.stated.len()
    }
    /// The clauses that state something or define a gate on which such a clause or one of the `needed` literals depends.
    pub fn cone(self, needed: impl Iterator<Item = Lit>) -> Vec<Vec<Lit>> {
        let mut is_needed = vec![false; self.n_vars as usize];
        let stated = self.stated.iter().flatten().copied();
        needed.chain(stated).for_each(|lit| is_needed[lit.var().index()] = true);
        let mut clauses = self.stated;
        for clause in self.definitions.into_iter().rev() {
            let output = clause.iter().map(|lit| lit.var()).max().expect("a definition has literals");
            if is_needed[output.index()] {
                clause.iter().for_each(|lit| is_needed[lit.var().index()] = true);
                clauses.push(clause);
            }
        }
        clauses
    }

    /// All of them.
    pub fn all(&mut self, lits: &[Lit]) -> Lit {
        let mut lits: Vec<Lit> = lits.iter().copied().filter(|&lit| lit != TRUE).collect();
        lits.sort_unstable();
        lits.dedup();
        // A literal and its negation have neighbouring codes.
        let is_opposed = lits.windows(2).any(|pair| pair[0] == !pair[1]);
        match lits[..] {
            _ if is_opposed || lits.contains(&!TRUE) => return !TRUE,
            [] => return TRUE,
            [one] => return one,
            _ => {}
        }
        let out = self.fresh();
        for &lit in &lits {
            self.define(&[!out, lit]);
        }
        let mut back: Vec<Lit> = lits.iter().map(|&lit| !lit).collect();
        back.push(out);
        self.definitions.push(back);
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
            (x, y) if x == y => return !TRUE,
            (x, y) if x == !y => return TRUE,
            _ => {}
        }
        let out = self.fresh();
        self.define(&[!out, a, b]);
        self.define(&[!out, !a, !b]);
        self.define(&[out, !a, b]);
        self.define(&[out, a, !b]);
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
        match (then, otherwise) {
            (TRUE, other) => return self.or(condition, other),
            (other, TRUE) => return self.or(!condition, other),
            (then, other) if then == !TRUE => return self.and(!condition, other),
            (other, otherwise) if otherwise == !TRUE => return self.and(condition, other),
            _ => {}
        }
        let out = self.fresh();
        self.define(&[!condition, !then, out]);
        self.define(&[!condition, then, !out]);
        self.define(&[condition, !otherwise, out]);
        self.define(&[condition, otherwise, !out]);
        out
    }
    /// At least two of three.
    pub fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let (ab, ac, bc) = (self.and(a, b), self.and(a, c), self.and(b, c));
        self.any(&[ab, ac, bc])
    }
}
