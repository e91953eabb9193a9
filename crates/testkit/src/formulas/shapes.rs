//! Shapes of random formulas that make a solver work: few atoms in many clauses, choices in chains, arrays that are
//! equal for a reason, functions of words that are equal by arithmetic, more elements than there is room for.

use base::Random;
use term::{Derived, Op, Sort, SortKind, Term};

use super::World;

/// What a block of assertions looks like.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Shape {
    /// Clauses over anything.
    Loose,
    /// Few atoms, as many clauses as make the answer uncertain.
    Dense,
    /// Chains of choices over shared conditions.
    Choices,
    /// Two ways from one end to the other at each step.
    Diamonds,
    /// Terms that are equal by arithmetic are said to differ, perhaps inside functions.
    Identities,
    /// The same writes in another order; arrays that agree at all places that are read.
    Arrays,
    /// Distinct terms of a narrow sort.
    Crowds,
}

impl Shape {
    /// All shapes.
    pub const ALL: [Shape; 7] =
        [Shape::Loose, Shape::Dense, Shape::Choices, Shape::Diamonds, Shape::Identities, Shape::Arrays, Shape::Crowds];
}

impl World {
    /// Assertions of this shape.
    pub fn block(&mut self, random: &mut Random, shape: Shape) -> Vec<Term> {
        match shape {
            Shape::Loose => (0..1 + random.below(8)).map(|_| self.formula(random)).collect(),
            Shape::Dense => self.dense(random),
            Shape::Choices => self.choices(random),
            Shape::Diamonds => self.diamonds(random),
            Shape::Identities => self.identities(random),
            Shape::Arrays => self.arrays(random),
            Shape::Crowds => self.crowd(random),
        }
    }

    fn dense(&mut self, random: &mut Random) -> Vec<Term> {
        let n = 6 + random.below(12) as usize;
        let atoms: Vec<Term> = (0..n).map(|_| self.atom(random)).collect();
        // Around the ratio where half of the formulas have a model; the theory takes its share.
        let clauses = n as u64 / 2 + random.below(3 * n as u64);
        (0..clauses).map(|_| self.clause_of(random, &atoms)).collect()
    }
    fn clause_of(&mut self, random: &mut Random, atoms: &[Term]) -> Term {
        let literals: Vec<Term> = (0..if random.one_in(5) { 2 } else { 3 })
            .map(|_| {
                let atom = *random.pick(atoms);
                if random.one_in(2) { self.terms.not(atom) } else { atom }
            })
            .collect();
        self.terms.or(&literals)
    }

    fn choices(&mut self, random: &mut Random) -> Vec<Term> {
        let conditions: Vec<Term> = (0..2 + random.below(4)).map(|_| self.atom(random)).collect();
        let sort = self.value_sort(random);
        let mut chain = |world: &mut World, from: Term| {
            let mut at = from;
            for _ in 0..2 + random.below(9) {
                let condition = *random.pick(&conditions);
                let other = world.any_of(random, sort).expect("every sort has a variable");
                at = if random.one_in(2) {
                    world.terms.ite(condition, other, at)
                } else {
                    world.terms.ite(condition, at, other)
                };
            }
            at
        };
        let start = self.pool.iter().find(|(s, _)| *s == sort).expect("the sort has terms").1[0];
        let (one, two) = (chain(self, start), chain(self, start));
        self.add(one);
        let mut formulas = vec![self.terms.ne(one, two)];
        for _ in 0..random.below(5) {
            formulas.push(self.clause_of(random, &conditions));
        }
        if random.one_in(3) {
            let other = self.any_of(random, sort).expect("every sort has a variable");
            formulas.push(self.terms.eq(one, other));
        }
        self.soften(random, formulas)
    }

    fn diamonds(&mut self, random: &mut Random) -> Vec<Term> {
        let sort = self.value_sort(random);
        let n = 2 + random.below(6) as usize;
        let stations: Vec<Term> = (0..=n).map(|_| self.some(random, sort)).collect();
        let mut formulas = Vec::new();
        for pair in stations.windows(2) {
            let ways: Vec<Term> = (0..1 + random.below(3))
                .map(|_| {
                    let by = self.some(random, sort);
                    let steps = [self.terms.eq(pair[0], by), self.terms.eq(by, pair[1])];
                    self.terms.and(&steps)
                })
                .collect();
            formulas.push(self.terms.or(&ways));
        }
        let (mut first, mut last) = (stations[0], stations[n]);
        let functions: Vec<_> =
            self.functions.iter().copied().filter(|&f| self.terms.symbol_args(f) == [sort]).collect();
        if !functions.is_empty() && random.one_in(2) {
            let function = *random.pick(&functions);
            (first, last) = (self.terms.apply(function, &[first]), self.terms.apply(function, &[last]));
        }
        formulas.push(self.terms.ne(first, last));
        if random.one_in(3) {
            formulas.remove(random.below(formulas.len() as u64) as usize);
        }
        self.soften(random, formulas)
    }
    /// The same, but half of the time each may be escaped by something else.
    fn soften(&mut self, random: &mut Random, formulas: Vec<Term>) -> Vec<Term> {
        if random.one_in(2) {
            return formulas;
        }
        formulas
            .into_iter()
            .map(|formula| {
                if random.one_in(3) {
                    return formula;
                }
                let atom = self.atom(random);
                let escape = if random.one_in(2) { self.terms.not(atom) } else { atom };
                self.terms.or(&[formula, escape])
            })
            .collect()
    }

    fn identities(&mut self, random: &mut Random) -> Vec<Term> {
        let words: Vec<Sort> = self
            .pool
            .iter()
            .map(|&(sort, _)| sort)
            .filter(|&sort| matches!(self.terms.sort_kind(sort), SortKind::BitVec(_)))
            .collect();
        if words.is_empty() {
            return self.dense(random);
        }
        let sort = *random.pick(&words);
        let mut formulas = Vec::new();
        for _ in 0..1 + random.below(2) {
            let (x, y) = (self.some(random, sort), self.some(random, sort));
            let (mut a, mut b) = self.identity(random, x, y);
            // One in eight is off by one.
            if random.one_in(8) {
                let one = self.terms.bv(self.terms.width(b), 1);
                b = self.terms.bv_add(b, one);
            }
            let usable: Vec<_> =
                self.functions.iter().copied().filter(|&f| self.terms.symbol_args(f) == [sort]).collect();
            if !usable.is_empty() && random.one_in(2) {
                let function = *random.pick(&usable);
                (a, b) = (self.terms.apply(function, &[a]), self.terms.apply(function, &[b]));
            }
            let mut literals = vec![self.terms.ne(a, b)];
            for _ in 0..random.below(4) {
                literals.push(self.atom(random));
            }
            formulas.push(self.terms.or(&literals));
        }
        for _ in 0..random.below(6) {
            formulas.push(self.formula(random));
        }
        formulas
    }
    /// Two words that are equal whatever `x` and `y` are.
    fn identity(&mut self, random: &mut Random, x: Term, y: Term) -> (Term, Term) {
        let width = self.terms.width(x);
        let mut op = |op: Op, args: &[Term]| self.terms.make(op, args);
        match random.below(12) {
            0 => {
                let once = op(Op::BvXor, &[x, y]);
                (op(Op::BvXor, &[once, y]), x)
            }
            1 => {
                let sum = op(Op::BvAdd, &[x, y]);
                (op(Op::BvSub, &[sum, y]), x)
            }
            2 => {
                let (p, q) = (op(Op::BvNeg, &[x]), op(Op::BvNot, &[x]));
                let one = self.terms.bv(width, 1);
                (p, self.terms.bv_add(q, one))
            }
            3 => {
                let (both, either, differ) = (op(Op::BvAnd, &[x, y]), op(Op::BvOr, &[x, y]), op(Op::BvXor, &[x, y]));
                (either, op(Op::BvAdd, &[both, differ]))
            }
            4 => {
                let one = self.terms.bv(width, 1);
                let shifted = self.terms.bv_shl(x, one);
                (shifted, self.terms.bv_add(x, x))
            }
            5 if width <= 8 => {
                let (quotient, rest) = (op(Op::BvUdiv, &[x, y]), op(Op::BvUrem, &[x, y]));
                let product = op(Op::BvMul, &[quotient, y]);
                (op(Op::BvAdd, &[product, rest]), x)
            }
            6 if width <= 6 => {
                let (sum, square, other) = (op(Op::BvAdd, &[x, y]), op(Op::BvMul, &[x, x]), op(Op::BvMul, &[x, y]));
                (op(Op::BvMul, &[x, sum]), op(Op::BvAdd, &[square, other]))
            }
            7 => {
                let less = self.terms.bv_ult(x, y);
                let (least, most) = (self.terms.ite(less, x, y), self.terms.ite(less, y, x));
                (self.terms.bv_xor(least, most), self.terms.bv_xor(x, y))
            }
            8 if width > 1 => {
                let cut = 1 + random.below(u64::from(width) - 1) as u32;
                let (high, low) = (self.terms.extract(x, width - 1, cut), self.terms.extract(x, cut - 1, 0));
                (self.terms.concat(high, low), x)
            }
            9 => {
                let (p, q) = (op(Op::BvNot, &[x]), op(Op::BvNot, &[y]));
                let either = op(Op::BvOr, &[p, q]);
                let both = op(Op::BvAnd, &[x, y]);
                (either, op(Op::BvNot, &[both]))
            }
            10 => {
                let by = random.below(u64::from(width)) as u32;
                let turned = self.terms.derive(Derived::RotateLeft(by), &[x]);
                (self.terms.derive(Derived::RotateRight(by), &[turned]), x)
            }
            _ => {
                let (difference, back) = (op(Op::BvSub, &[x, y]), op(Op::BvSub, &[y, x]));
                (difference, op(Op::BvNeg, &[back]))
            }
        }
    }

    fn arrays(&mut self, random: &mut Random) -> Vec<Term> {
        let sorts: Vec<(Sort, Sort, Sort)> = self
            .pool
            .iter()
            .filter_map(|&(sort, _)| match *self.terms.sort_kind(sort) {
                SortKind::Array(index, element) => Some((sort, index, element)),
                _ => None,
            })
            .collect();
        if sorts.is_empty() {
            return self.dense(random);
        }
        let (sort, index, element) = *random.pick(&sorts);
        let (base, other) = (self.some(random, sort), self.some(random, sort));
        let n = 2 + random.below(3) as usize;
        let writes: Vec<(Term, Term)> =
            (0..n).map(|_| (self.some(random, index), self.some(random, element))).collect();
        let (mut forward, mut backward) = (base, if random.one_in(4) { other } else { base });
        for &(i, v) in &writes {
            forward = self.terms.store(forward, i, v);
        }
        for &(i, v) in writes.iter().rev() {
            backward = self.terms.store(backward, i, v);
        }
        let mut formulas = Vec::new();
        match random.below(3) {
            0 => {
                formulas.push(self.terms.ne(forward, backward));
                let places: Vec<Term> = writes.iter().map(|&(i, _)| i).collect();
                if random.one_in(2) {
                    formulas.push(self.terms.distinct(&places));
                } else {
                    let literals = [self.terms.ne(places[0], places[1]), self.atom(random)];
                    formulas.push(self.terms.or(&literals));
                }
            }
            1 => {
                // Equal arrays, read at a place of their own.
                formulas.push(self.terms.eq(forward, other));
                let place = self.some(random, index);
                let reads = [base, other].map(|array| self.terms.select(array, place));
                formulas.push(self.terms.ne(reads[0], reads[1]));
            }
            _ => {
                formulas.push(self.terms.ne(base, other));
                let (i, v) = writes[0];
                let filled = [base, other].map(|array| self.terms.store(array, i, v));
                formulas.push(self.terms.eq(filled[0], filled[1]));
                let reads = [base, other].map(|array| self.terms.select(array, i));
                let literals = [self.terms.eq(reads[0], reads[1]), self.atom(random)];
                formulas.push(self.terms.or(&literals));
            }
        }
        let mut formulas = self.soften(random, formulas);
        for _ in 0..random.below(5) {
            formulas.push(self.formula(random));
        }
        formulas
    }

    fn crowd(&mut self, random: &mut Random) -> Vec<Term> {
        let narrow: Vec<Sort> = self
            .pool
            .iter()
            .map(|&(sort, _)| sort)
            .filter(|&sort| matches!(*self.terms.sort_kind(sort), SortKind::BitVec(width) if width <= 3))
            .collect();
        if narrow.is_empty() {
            return self.dense(random);
        }
        let sort = *random.pick(&narrow);
        let room = 1u64 << self.terms.width(self.some(random, sort));
        let n = (room + random.below(3) - 1).max(2);
        let members: Vec<Term> = (0..n)
            .map(|_| {
                self.grow(random);
                self.some(random, sort)
            })
            .collect();
        let mut formulas = vec![self.terms.distinct(&members)];
        for _ in 0..random.below(3) {
            formulas.push(self.formula(random));
        }
        self.soften(random, formulas)
    }

    fn value_sort(&self, random: &mut Random) -> Sort {
        loop {
            let sort = self.any_sort(random);
            if !matches!(self.terms.sort_kind(sort), SortKind::Bool) {
                return sort;
            }
        }
    }
    fn some(&self, random: &mut Random, sort: Sort) -> Term {
        self.any_of(random, sort).expect("every sort has a variable")
    }
}
