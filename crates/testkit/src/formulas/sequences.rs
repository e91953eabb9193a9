//! Random sequences of parts that contradict each other, as a run of a program gives them: each part speaks of the
//! state before and after it, of what all share, and of symbols of its own.

use base::{Budget, Random};
use smt::{Answer, Query, Solver};
use term::{Op, Sort, SortKind, Symbol, Term, Terms};

/// Which symbols and operators there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Uninterpreted sorts and functions.
    Uf,
    /// Bit-vectors.
    Bv,
    /// Bit-vectors and uninterpreted functions.
    UfBv,
    /// Arrays too, of words by words.
    Arrays,
}

/// A store with parts that contradict each other.
pub struct Sequence {
    /// The store.
    pub terms: Terms,
    /// The formulas of each part.
    pub parts: Vec<Vec<Term>>,
}

/// The symbols that one part may use.
struct Scope {
    variables: Vec<Term>,
    functions: Vec<Symbol>,
}

struct Maker<'r> {
    terms: Terms,
    random: &'r mut Random,
    /// The sort of most terms, and a second one.
    sorts: [Sort; 2],
    kind: Kind,
}

/// Makes one; `None` if the random formulas never contradict each other.
pub fn sequence(kind: Kind, random: &mut Random, widest: u32) -> Option<Sequence> {
    let mut terms = if random.one_in(3) { Terms::without_simplification() } else { Terms::new() };
    let width = 1 + random.below(u64::from(widest)) as u32;
    let sorts = match kind {
        Kind::Uf => [terms.sort(SortKind::Uninterpreted("U".into())), terms.sort(SortKind::Uninterpreted("V".into()))],
        Kind::Bv | Kind::UfBv => [terms.bv_sort(width), terms.bv_sort(1 + random.below(3) as u32)],
        Kind::Arrays => {
            let word = terms.bv_sort(width);
            [word, terms.sort(SortKind::Array(word, word))]
        }
    };
    let n_parts = 2 + random.below(4) as usize;
    let mut maker = Maker { terms, random, sorts, kind };
    let scopes = maker.scopes(n_parts);
    let mut parts: Vec<Vec<Term>> = (0..n_parts).map(|place| maker.transition(place, &scopes[place])).collect();
    let wanted = 2 + maker.random.below(n_parts as u64 - 1) as usize;
    let budget = Budget::default().part(1_000_000);
    let mut solver = Solver::new();
    parts.iter().flatten().for_each(|&formula| solver.assert(formula));
    for _ in 0..16 * n_parts {
        let place = maker.random.below(n_parts as u64) as usize;
        let formula = maker.formula(&scopes[place]);
        solver.push();
        solver.assert(formula);
        parts[place].push(formula);
        if let Answer::Sat(_) = solver.check(&maker.terms, &Query::default(), &budget).ok()? {
            continue;
        }
        if parts_in_core(&mut maker.terms, &parts, &budget)? >= wanted {
            return Some(Sequence { terms: maker.terms, parts });
        }
        // What contradicts itself in fewer parts says little about interpolants.
        solver.pop();
        parts[place].pop();
    }
    None
}

/// How many parts the contradiction takes.
fn parts_in_core(terms: &mut Terms, parts: &[Vec<Term>], budget: &Budget) -> Option<usize> {
    let whole: Vec<Term> = parts.iter().map(|part| terms.and(part)).collect();
    match Solver::new().check(terms, &Query::assuming(&whole), budget).ok()? {
        Answer::Unsat(mut refutation) => Some(refutation.minimize(terms, budget).len()),
        Answer::Sat(_) | Answer::Unknown(_) => None,
    }
}

impl Maker<'_> {
    /// State variables between neighbours, a few for all, some local ones; functions for all and for stretches.
    fn scopes(&mut self, n_parts: usize) -> Vec<Scope> {
        let mut scopes: Vec<Scope> =
            (0..n_parts).map(|_| Scope { variables: Vec::new(), functions: Vec::new() }).collect();
        let truth = self.terms.bool_sort();
        let [one, two] = self.sorts;
        for cut in 0..=n_parts {
            for (name, sort) in [("x", one), ("y", one), ("z", two), ("p", truth)] {
                let variable = self.terms.variable(&format!("{name}{cut}"), sort);
                for place in [cut.wrapping_sub(1), cut] {
                    if let Some(scope) = scopes.get_mut(place) {
                        scope.variables.push(variable);
                    }
                }
            }
        }
        for (name, sort) in [("g", one), ("q", truth)] {
            let variable = self.terms.variable(name, sort);
            scopes.iter_mut().for_each(|scope| scope.variables.push(variable));
        }
        for (place, scope) in scopes.iter_mut().enumerate() {
            scope.variables.push(self.terms.variable(&format!("l{place}"), one));
        }
        if matches!(self.kind, Kind::Bv | Kind::Arrays) {
            return scopes;
        }
        for (name, args, result) in
            [("f", vec![one], one), ("h", vec![one, two], one), ("r", vec![one], truth), ("s", vec![truth, one], two)]
        {
            let from = if self.random.one_in(2) { 0 } else { self.random.below(n_parts as u64) as usize };
            let to = if self.random.one_in(2) { n_parts } else { from + 1 + self.random.below(2) as usize };
            let Some(function) = self.terms.declare(name, &args, result) else { continue };
            scopes.iter_mut().take(to).skip(from).for_each(|scope| scope.functions.push(function));
        }
        scopes
    }
    /// Some of the state after the part as terms of the state before it and of what all share.
    fn transition(&mut self, place: usize, scope: &Scope) -> Vec<Term> {
        let ends = (place + 1).to_string();
        let is_next = |terms: &Terms, variable: Term| match terms.op(variable) {
            Op::Symbol(symbol) => terms.symbol_name(symbol).ends_with(&ends),
            _ => false,
        };
        let (next, now): (Vec<Term>, Vec<Term>) =
            scope.variables.iter().partition(|&&variable| is_next(&self.terms, variable));
        let now = Scope { variables: now, functions: scope.functions.clone() };
        let mut part = Vec::new();
        for variable in next {
            if self.random.one_in(3) {
                continue;
            }
            let (sort, depth) = (self.terms.sort_of(variable), self.random.below(3) as u32);
            let value = self.term(&now, sort, depth);
            part.push(self.terms.eq(variable, value));
        }
        part
    }
    fn formula(&mut self, scope: &Scope) -> Term {
        let n = if self.random.one_in(2) { 1 } else { 1 + self.random.below(3) };
        let literals: Vec<Term> = (0..n)
            .map(|_| {
                let atom = self.atom(scope);
                if self.random.one_in(3) { self.terms.not(atom) } else { atom }
            })
            .collect();
        self.terms.or(&literals)
    }
    fn atom(&mut self, scope: &Scope) -> Term {
        let truth = self.terms.bool_sort();
        let sort = self.sorts[usize::from(self.random.one_in(4))];
        let depth = self.random.below(3) as u32;
        if self.random.one_in(6) {
            return self.term(scope, truth, depth);
        }
        let (a, b) = (self.term(scope, sort, depth), self.term(scope, sort, 0));
        let is_word = matches!(self.terms.sort_kind(sort), SortKind::BitVec(_));
        match self.random.below(3) {
            0 if is_word => {
                let op = *self.random.pick(&[Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle, Op::BvUaddo]);
                self.terms.make(op, &[a, b])
            }
            _ => self.terms.eq(a, b),
        }
    }
    fn term(&mut self, scope: &Scope, sort: Sort, depth: u32) -> Term {
        let fitting: Vec<Term> =
            scope.variables.iter().copied().filter(|&variable| self.terms.sort_of(variable) == sort).collect();
        if depth == 0 || fitting.is_empty() {
            let width = match *self.terms.sort_kind(sort) {
                SortKind::BitVec(width) => width,
                _ => 0,
            };
            return match fitting.is_empty() || (width > 0 && self.random.one_in(4)) {
                false => *self.random.pick(&fitting),
                true => self.terms.bv(width.max(1), self.random.bits() & 7),
            };
        }
        let functions: Vec<Symbol> =
            scope.functions.iter().copied().filter(|&function| self.terms.symbol_result(function) == sort).collect();
        if !functions.is_empty() && self.random.one_in(2) {
            let function = *self.random.pick(&functions);
            let sorts = self.terms.symbol_args(function).to_vec();
            let args: Vec<Term> = sorts.into_iter().map(|sort| self.term(scope, sort, depth - 1)).collect();
            return self.terms.apply(function, &args);
        }
        let truth = self.terms.bool_sort();
        if self.random.one_in(5) {
            let condition = self.term(scope, truth, depth - 1);
            let (a, b) = (self.term(scope, sort, depth - 1), self.term(scope, sort, depth - 1));
            return self.terms.ite(condition, a, b);
        }
        match self.terms.sort_kind(sort).clone() {
            SortKind::Bool => {
                let (a, b) = (self.term(scope, sort, depth - 1), self.term(scope, sort, depth - 1));
                match self.random.below(3) {
                    0 => self.terms.and(&[a, b]),
                    1 => self.terms.xor(a, b),
                    _ => self.terms.eq(a, b),
                }
            }
            SortKind::BitVec(width) => {
                if self.kind == Kind::Arrays && self.random.one_in(2) && sort == self.sorts[0] {
                    let (array, index) = (self.term(scope, self.sorts[1], depth - 1), self.term(scope, sort, 0));
                    return self.terms.select(array, index);
                }
                let (a, b) = (self.term(scope, sort, depth - 1), self.term(scope, sort, depth - 1));
                if width > 1 && self.random.one_in(8) {
                    let (high, low) = (self.terms.extract(a, width - 1, 1), self.terms.extract(b, 0, 0));
                    return self.terms.concat(high, low);
                }
                const OPS: &[Op] = &[
                    Op::BvAdd,
                    Op::BvAdd,
                    Op::BvSub,
                    Op::BvMul,
                    Op::BvAnd,
                    Op::BvOr,
                    Op::BvXor,
                    Op::BvUdiv,
                    Op::BvUrem,
                    Op::BvShl,
                    Op::BvLshr,
                    Op::BvAshr,
                    Op::BvSdiv,
                    Op::BvSrem,
                ];
                self.terms.make(*self.random.pick(OPS), &[a, b])
            }
            SortKind::Array(index, element) => {
                let array = self.term(scope, sort, depth - 1);
                let (index, element) = (self.term(scope, index, 0), self.term(scope, element, 0));
                self.terms.store(array, index, element)
            }
            _ => *self.random.pick(&fitting),
        }
    }
}
