//! Solving keeps the meaning: random relations over few values, compared pair by pair.

use base::{Bits, FastMap, Random};
use term::{Op, Term, Terms, Value, eval};

use super::{Solved, prune, settle, solve};
use crate::flatten::Rank;

struct Small {
    terms: Terms,
    states: Vec<Term>,
    next: Vec<Term>,
    inputs: Vec<Term>,
}

impl Small {
    /// Two truth values and two words of two bits, each as state, next value and input.
    fn new() -> Self {
        let mut terms = Terms::new();
        let (bool_sort, word) = (terms.bool_sort(), terms.bv_sort(2));
        let mut make = |prefix: &str| -> Vec<Term> {
            vec![terms.variable(&format!("{prefix}p"), bool_sort), terms.variable(&format!("{prefix}w"), word)]
        };
        let (states, next, inputs) = (make("s"), make("n"), make("i"));
        Small { terms, states, next, inputs }
    }
    fn word(&mut self, random: &mut Random, depth: u32) -> Term {
        let leaves = [self.states[1], self.next[1], self.inputs[1]];
        match random.below(if depth == 0 { 2 } else { 4 }) {
            0 => *random.pick(&leaves),
            1 => self.terms.bv(2, random.below(4)),
            2 => {
                let (a, b) = (self.word(random, depth - 1), self.word(random, depth - 1));
                self.terms.bv_add(a, b)
            }
            _ => {
                let condition = self.formula(random, depth - 1);
                let (a, b) = (self.word(random, depth - 1), self.word(random, depth - 1));
                self.terms.ite(condition, a, b)
            }
        }
    }
    fn formula(&mut self, random: &mut Random, depth: u32) -> Term {
        let leaves = [self.states[0], self.next[0], self.inputs[0]];
        match random.below(if depth == 0 { 2 } else { 8 }) {
            0 => *random.pick(&leaves),
            1 => {
                let (a, b) = (self.word(random, 0), self.word(random, 0));
                self.terms.eq(a, b)
            }
            2 | 3 => {
                let parts: Vec<Term> = (0..3).map(|_| self.formula(random, depth - 1)).collect();
                self.terms.and(&parts)
            }
            4 => {
                let parts: Vec<Term> = (0..2).map(|_| self.formula(random, depth - 1)).collect();
                self.terms.or(&parts)
            }
            5 => {
                let (a, b) = (self.formula(random, depth - 1), self.formula(random, depth - 1));
                self.terms.eq(a, b)
            }
            6 => {
                let (a, b) = (self.word(random, depth - 1), self.word(random, depth - 1));
                self.terms.eq(a, b)
            }
            _ => {
                let formula = self.formula(random, depth - 1);
                self.terms.not(formula)
            }
        }
    }
    /// All pairs of state and next state, as numbers, for which some values of the others make the check true.
    fn pairs(
        &self,
        others: &[Term],
        mut check: impl FnMut(&Self, &dyn Fn(Term) -> u64) -> Option<u64>,
    ) -> Vec<(u64, u64)> {
        let size = |term: Term| if self.terms.is_bool(term) { 1 } else { 2 };
        let symbols: Vec<Term> = self.states.iter().chain(others).copied().collect();
        let total: u32 = symbols.iter().map(|&symbol| size(symbol)).sum();
        assert!(total <= 16, "few enough to try all");
        let mut found = Vec::new();
        for code in 0..1u64 << total {
            let mut values: FastMap<Term, u64> = FastMap::new();
            let mut rest = code;
            for &symbol in &symbols {
                values.insert(symbol, rest & ((1 << size(symbol)) - 1));
                rest >>= size(symbol);
            }
            if let Some(next) = check(self, &|symbol| values.get(&symbol).copied().unwrap_or(0)) {
                found.push((code & 7, next));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
    fn eval(&self, term: Term, values: &dyn Fn(Term) -> u64) -> u64 {
        let value = eval(&self.terms, term, |symbol, _| {
            let mut own = self.terms.clone();
            let term = own.apply(symbol, &[]);
            let value = values(term);
            Some(if self.terms.is_bool(term) { Value::Bool(value == 1) } else { Value::Bits(Bits::from_u64(2, value)) })
        });
        match value.expect("everything has a value") {
            Value::Bool(truth) => u64::from(truth),
            Value::Bits(bits) => bits.to_u64().expect("two bits are few"),
            other => panic!("{other:?} is no word"),
        }
    }
    fn relation(&self, formulas: &[Term]) -> Vec<(u64, u64)> {
        let others: Vec<Term> = self.next.iter().chain(&self.inputs).copied().collect();
        self.pairs(&others, |small, values| {
            let holds = formulas.iter().all(|&formula| small.eval(formula, values) == 1);
            holds.then(|| values(small.next[0]) | values(small.next[1]) << 1)
        })
    }
    fn function(&self, solved: &Solved) -> Vec<(u64, u64)> {
        self.pairs(&solved.free, |small, values| {
            let holds = solved.demands.iter().all(|&demand| small.eval(demand, values) == 1);
            let next = |number: usize| small.eval(solved.values[&small.next[number]], values);
            holds.then(|| next(0) | next(1) << 1)
        })
    }
}

#[test]
fn definitions_and_demands_mean_what_the_formulas_mean() {
    let mut random = Random::new(17);
    for _ in 0..400 {
        let mut small = Small::new();
        let formulas: Vec<Term> = (0..3).map(|_| small.formula(&mut random, 3)).collect();
        let mut unknowns: Vec<(Term, Rank)> = small.next.iter().map(|&term| (term, Rank::Next)).collect();
        unknowns.extend(small.inputs.iter().map(|&term| (term, Rank::Input)));
        let mut solved = solve(&mut small.terms, &formulas[..2], &formulas[2..], &unknowns, "choice!");
        if solved.free.len() > 8 {
            continue; // Too many choices to try all.
        }
        let expected = small.relation(&formulas);
        assert_eq!(small.function(&solved), expected, "{solved:?}");
        // And so do they after putting in what is demanded outright.
        let mut free = FastMap::new();
        solved.free.iter().for_each(|&symbol| {
            free.insert(symbol, ());
        });
        let mut values: Vec<Term> = small.next.iter().map(|symbol| solved.values[symbol]).collect();
        settle(&mut small.terms, &free, &mut solved.demands, &mut values);
        for (symbol, value) in small.next.clone().into_iter().zip(values) {
            solved.values.insert(symbol, value);
        }
        assert_eq!(small.function(&solved), expected, "settled: {solved:?}");
        let others: Vec<Term> = small.next.iter().map(|symbol| solved.values[symbol]).collect();
        prune(&small.terms, &free, &mut solved.demands, &others);
        assert_eq!(small.function(&solved), expected, "pruned: {solved:?}");
    }
}

#[test]
fn guarded_equations_become_one_tree() {
    let mut small = Small::new();
    let (guard, next, input) = (small.states[0], small.next[1], small.inputs[1]);
    let terms = &mut small.terms;
    let (one, same) = (terms.bv(2, 1), terms.eq(next, small.states[1]));
    let sum = terms.bv_add(small.states[1], one);
    let counts = terms.eq(next, sum);
    let formulas = [terms.implies(guard, counts), terms.or(&[guard, same])];
    let unknowns = [(next, Rank::Next), (input, Rank::Input)];
    let solved = solve(terms, &formulas, &[], &unknowns, "choice!");
    assert_eq!(solved.values[&next], terms.ite(guard, sum, small.states[1]));
    assert!(solved.demands.is_empty() && solved.free.is_empty());
}

#[test]
fn an_equation_that_runs_in_a_circle_stays_a_demand() {
    let mut small = Small::new();
    let (state, input, next) = (small.states[0], small.inputs[1], small.next[1]);
    let terms = &mut small.terms;
    let circle = terms.ite(state, input, next);
    let formulas = [terms.eq(input, circle), terms.eq(next, input)];
    let unknowns = [(next, Rank::Next), (input, Rank::Input)];
    let solved = solve(terms, &formulas, &[], &unknowns, "choice!");
    assert!(matches!(terms.op(solved.values[&next]), Op::Symbol(_)));
    assert_eq!(solved.free, [input]);
}
