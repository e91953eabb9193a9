//! Gates: Boolean functions of literals as literals, with their clauses.
//!
//! Equal gates are made once; constants, repetitions and complements are simplified away. Clauses go
//! straight into the SAT solver, which must be at level zero.

use base::FastMap;
use sat::{Lit, Solver};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Gate {
    And(Lit, Lit),
    Xor(Lit, Lit),
    Mux(Lit, Lit, Lit),
    Majority(Lit, Lit, Lit),
    Xor3(Lit, Lit, Lit),
}

/// The gates made so far.
#[derive(Clone, Default)]
pub(crate) struct Gates {
    known: FastMap<Gate, Lit>,
    truth: Option<Lit>,
}

impl Gates {
    /// The literal that is always true.
    pub fn truth(&mut self, sat: &mut Solver) -> Lit {
        *self.truth.get_or_insert_with(|| {
            let lit = sat.new_var().positive();
            sat.add_clause(&[lit]);
            lit
        })
    }
    /// A constant.
    pub fn constant(&mut self, sat: &mut Solver, value: bool) -> Lit {
        let truth = self.truth(sat);
        if value { truth } else { !truth }
    }
    /// Whether the literal is a constant, as far as is known for good.
    fn fixed(sat: &Solver, lit: Lit) -> Option<bool> {
        sat.fixed(lit)
    }

    pub fn and(&mut self, sat: &mut Solver, a: Lit, b: Lit) -> Lit {
        match (Self::fixed(sat, a), Self::fixed(sat, b)) {
            (Some(false), _) | (_, Some(false)) => return self.constant(sat, false),
            (Some(true), _) => return b,
            (_, Some(true)) => return a,
            _ => {}
        }
        if a == b {
            return a;
        }
        if a == !b {
            return self.constant(sat, false);
        }
        let gate = Gate::And(a.min(b), a.max(b));
        self.make(sat, gate, |sat, out| {
            sat.add_clause(&[!out, a]);
            sat.add_clause(&[!out, b]);
            sat.add_clause(&[out, !a, !b]);
        })
    }
    pub fn or(&mut self, sat: &mut Solver, a: Lit, b: Lit) -> Lit {
        !self.and(sat, !a, !b)
    }
    pub fn xor(&mut self, sat: &mut Solver, a: Lit, b: Lit) -> Lit {
        match (Self::fixed(sat, a), Self::fixed(sat, b)) {
            (Some(x), _) => return if x { !b } else { b },
            (_, Some(y)) => return if y { !a } else { a },
            _ => {}
        }
        if a.var() == b.var() {
            return self.constant(sat, a != b);
        }
        // Negations move outside, so that only one gate exists for each pair of variables.
        let negate = a.is_positive() != b.is_positive();
        let (x, y) = (a.var().min(b.var()).positive(), a.var().max(b.var()).positive());
        let out = self.make(sat, Gate::Xor(x, y), |sat, out| {
            sat.add_clause(&[!out, x, y]);
            sat.add_clause(&[!out, !x, !y]);
            sat.add_clause(&[out, !x, y]);
            sat.add_clause(&[out, x, !y]);
        });
        if negate { !out } else { out }
    }
    /// `condition ? then : otherwise`.
    pub fn mux(&mut self, sat: &mut Solver, condition: Lit, then: Lit, otherwise: Lit) -> Lit {
        if let Some(value) = Self::fixed(sat, condition) {
            return if value { then } else { otherwise };
        }
        if then == otherwise {
            return then;
        }
        if then == !otherwise {
            return !self.xor(sat, condition, then);
        }
        match (Self::fixed(sat, then), Self::fixed(sat, otherwise)) {
            (Some(true), _) => return self.or(sat, condition, otherwise),
            (Some(false), _) => return self.and(sat, !condition, otherwise),
            (_, Some(true)) => return self.or(sat, !condition, then),
            (_, Some(false)) => return self.and(sat, condition, then),
            _ => {}
        }
        if condition == then || condition == !otherwise {
            return self.or_or_and(sat, condition, then, otherwise);
        }
        if condition == !then {
            return self.and(sat, !condition, otherwise);
        }
        if condition == otherwise {
            return self.and(sat, condition, then);
        }
        let (condition, then, otherwise) =
            if condition.is_positive() { (condition, then, otherwise) } else { (!condition, otherwise, then) };
        let negate = !then.is_positive();
        let (then, otherwise) = if negate { (!then, !otherwise) } else { (then, otherwise) };
        let out = self.make(sat, Gate::Mux(condition, then, otherwise), |sat, out| {
            sat.add_clause(&[!condition, !then, out]);
            sat.add_clause(&[!condition, then, !out]);
            sat.add_clause(&[condition, !otherwise, out]);
            sat.add_clause(&[condition, otherwise, !out]);
            // Redundant, but they propagate when both arms agree.
            sat.add_clause(&[!then, !otherwise, out]);
            sat.add_clause(&[then, otherwise, !out]);
        });
        if negate { !out } else { out }
    }
    fn or_or_and(&mut self, sat: &mut Solver, condition: Lit, then: Lit, otherwise: Lit) -> Lit {
        if condition == then {
            self.or(sat, condition, otherwise)
        } else {
            // condition ? then : !condition
            self.or(sat, !condition, then)
        }
    }
    /// Sum and carry of three bits.
    pub fn full_adder(&mut self, sat: &mut Solver, a: Lit, b: Lit, c: Lit) -> (Lit, Lit) {
        for (fixed, x, y) in [(a, b, c), (b, a, c), (c, a, b)] {
            if let Some(value) = Self::fixed(sat, fixed) {
                let sum = self.xor(sat, x, y);
                return if value { (!sum, self.or(sat, x, y)) } else { (sum, self.and(sat, x, y)) };
            }
        }
        for (x, y, z) in [(a, b, c), (a, c, b), (b, c, a)] {
            if x == y {
                return (z, x);
            }
            if x == !y {
                return (!z, z);
            }
        }
        (self.xor3(sat, a, b, c), self.majority(sat, a, b, c))
    }
    fn xor3(&mut self, sat: &mut Solver, a: Lit, b: Lit, c: Lit) -> Lit {
        let negate = [a, b, c].iter().filter(|lit| !lit.is_positive()).count() % 2 == 1;
        let mut vars = [a.var(), b.var(), c.var()];
        vars.sort_unstable();
        let [x, y, z] = vars.map(|var| var.positive());
        let out = self.make(sat, Gate::Xor3(x, y, z), |sat, out| {
            for mask in 0..8u32 {
                let bit = |i: u32, lit: Lit| if mask >> i & 1 == 1 { !lit } else { lit };
                let parity = mask.count_ones() % 2 == 1;
                // With these values of x, y and z the output is their parity.
                sat.add_clause(&[bit(0, x), bit(1, y), bit(2, z), if parity { out } else { !out }]);
            }
        });
        if negate { !out } else { out }
    }
    fn majority(&mut self, sat: &mut Solver, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut lits = [a, b, c];
        lits.sort_unstable();
        // Majority commutes with negation: keep the first literal positive.
        let negate = !lits[0].is_positive();
        let [x, y, z] = if negate { lits.map(|lit| !lit) } else { lits };
        let out = self.make(sat, Gate::Majority(x, y, z), |sat, out| {
            for (p, q) in [(x, y), (x, z), (y, z)] {
                sat.add_clause(&[out, !p, !q]);
                sat.add_clause(&[!out, p, q]);
            }
        });
        if negate { !out } else { out }
    }
    /// Conjunction of many.
    pub fn all(&mut self, sat: &mut Solver, lits: &[Lit]) -> Lit {
        let mut kept: Vec<Lit> = Vec::with_capacity(lits.len());
        for &lit in lits {
            match Self::fixed(sat, lit) {
                Some(true) => {}
                Some(false) => return self.constant(sat, false),
                None => kept.push(lit),
            }
        }
        kept.sort_unstable();
        kept.dedup();
        if kept.windows(2).any(|pair| pair[0] == !pair[1]) {
            return self.constant(sat, false);
        }
        match kept[..] {
            [] => self.constant(sat, true),
            [one] => one,
            [a, b] => self.and(sat, a, b),
            _ => {
                let out = sat.new_var().positive();
                let mut long = Vec::with_capacity(kept.len() + 1);
                long.push(out);
                for &lit in &kept {
                    sat.add_clause(&[!out, lit]);
                    long.push(!lit);
                }
                sat.add_clause(&long);
                out
            }
        }
    }
    /// Disjunction of many.
    pub fn any(&mut self, sat: &mut Solver, lits: &[Lit]) -> Lit {
        let negated: Vec<Lit> = lits.iter().map(|&lit| !lit).collect();
        !self.all(sat, &negated)
    }

    fn make(&mut self, sat: &mut Solver, gate: Gate, clauses: impl FnOnce(&mut Solver, Lit)) -> Lit {
        if let Some(&lit) = self.known.get(&gate) {
            return lit;
        }
        let out = sat.new_var().positive();
        clauses(sat, out);
        self.known.insert(gate, out);
        out
    }
}
