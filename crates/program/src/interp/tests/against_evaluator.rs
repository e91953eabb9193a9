//! Random straight programs with branches, executed once by the interpreter and once edge by edge
//! with the evaluator of `term`, which shares no code with it.

use base::{Bits, FastMap, Random};
use term::{Op, Symbol, Term, Terms, Value, eval};

use super::super::{Limits, Machine, Outcome, ScriptedInputs};
use super::Line;
use crate::{Action, Program, Var};

const WIDTHS: &[u32] = &[1, 7, 8, 32, 33, 64, 65, 128];

struct Generator {
    line: Line,
    random: Random,
    vars: Vec<Var>,
    /// Terms made so far with their widths, so that parts are shared.
    made: Vec<(u32, Term)>,
}

impl Generator {
    /// A term of this width (zero: a truth value), old or new.
    fn term(&mut self, width: u32, depth: u32) -> Term {
        let recent = self.made.len().saturating_sub(20);
        let fitting: Vec<Term> = self.made[recent..].iter().filter(|made| made.0 == width).map(|made| made.1).collect();
        if !fitting.is_empty() && self.random.one_in(4) {
            return *self.random.pick(&fitting);
        }
        let term = self.new_term(width, depth);
        self.made.push((width, term));
        term
    }
    fn new_term(&mut self, width: u32, depth: u32) -> Term {
        if depth == 0 || self.random.one_in(6) {
            return self.leaf(width);
        }
        let other = *self.random.pick(WIDTHS);
        if width == 0 {
            let comparisons =
                [Op::Eq, Op::BvUlt, Op::BvUge, Op::BvSlt, Op::BvSle, Op::BvSaddo, Op::BvUmulo, Op::BvSsubo];
            return match self.random.below(5) {
                0 | 1 => {
                    let op = *self.random.pick(&comparisons);
                    let args = [self.term(other, depth - 1), self.term(other, depth - 1)];
                    self.line.terms.make(op, &args)
                }
                2 => {
                    let arg = self.term(0, depth - 1);
                    self.line.terms.not(arg)
                }
                _ => {
                    let op = *self.random.pick(&[Op::And, Op::Or, Op::And, Op::Or, Op::Implies, Op::Xor]);
                    let n_args = if matches!(op, Op::And | Op::Or) { self.random.between(2, 4) } else { 2 };
                    let args: Vec<Term> = (0..n_args).map(|_| self.term(0, depth - 1)).collect();
                    self.line.terms.make(op, &args)
                }
            };
        }
        let same = [
            Op::BvAdd,
            Op::BvSub,
            Op::BvMul,
            Op::BvUdiv,
            Op::BvSrem,
            Op::BvAnd,
            Op::BvXor,
            Op::BvShl,
            Op::BvLshr,
            Op::BvAshr,
        ];
        match self.random.below(6) {
            0 => {
                let condition = self.term(0, depth - 1);
                let (then, otherwise) = (self.term(width, depth - 1), self.term(width, depth - 1));
                self.line.terms.ite(condition, then, otherwise)
            }
            1 if other > width => {
                let arg = self.term(other, depth - 1);
                let low = self.random.below(u64::from(other - width) + 1) as u32;
                self.line.terms.extract(arg, low + width - 1, low)
            }
            1 | 2 if other < width => {
                let op =
                    if self.random.one_in(2) { Op::ZeroExtend(width - other) } else { Op::SignExtend(width - other) };
                let arg = self.term(other, depth - 1);
                self.line.terms.make(op, &[arg])
            }
            3 if other < width => {
                let (high, low) = (self.random_leaf(width - other), self.term(other, depth - 1));
                self.line.terms.concat(high, low)
            }
            _ => {
                let op = *self.random.pick(&same);
                let args = [self.term(width, depth - 1), self.term(width, depth - 1)];
                self.line.terms.make(op, &args)
            }
        }
    }
    fn random_leaf(&mut self, width: u32) -> Term {
        let words = [self.random.bits(), self.random.bits()];
        self.line.terms.bits(Bits::from_words(width, &words))
    }
    fn leaf(&mut self, width: u32) -> Term {
        if width == 0 {
            let value = self.random.one_in(2);
            return self.line.terms.truth(value);
        }
        let terms = &self.line.terms;
        let fitting: Vec<Term> = self
            .vars
            .iter()
            .map(|&var| self.line.builder.term(var))
            .filter(|&term| terms.width(term) == width)
            .collect();
        match self.random.below(4) {
            0 => self.random_leaf(width),
            1 => self.line.terms.bv(width, 1),
            _ => *self.random.pick(&fitting),
        }
    }
    fn statement(&mut self) {
        if self.random.one_in(4) {
            let condition = self.term(0, 3);
            let negated = self.line.terms.not(condition);
            let (from, main) = (self.line.at, self.line.main);
            let (yes, no) = (self.line.builder.location(main, None), self.line.builder.location(main, None));
            self.line.builder.assume(from, yes, condition, None);
            self.line.builder.assume(from, no, negated, None);
            let join = self.line.builder.location(main, None);
            for at in [yes, no] {
                let action = self.assignment();
                self.line.builder.edge(at, join, action, None);
            }
            self.line.at = join;
        } else {
            let action = self.assignment();
            self.line.action(action);
        }
    }
    fn assignment(&mut self) -> Action {
        let mut pairs: Vec<(Var, Term)> = Vec::new();
        for _ in 0..self.random.between(1, 4) {
            let var = *self.random.pick(&self.vars);
            if pairs.iter().all(|pair| pair.0 != var) {
                let width = self.line.terms.width(self.line.term(var));
                let value = self.term(width, 3);
                pairs.push((var, value));
            }
        }
        Action::Assign(pairs)
    }
}

fn symbol_of(terms: &Terms, term: Term) -> Symbol {
    match terms.op(term) {
        Op::Symbol(symbol) => symbol,
        _ => panic!("a variable is a symbol"),
    }
}

/// Executes assumptions and assignments edge by edge; the value of the result at the exit.
fn evaluate(program: &Program, terms: &Terms, inputs: &[u128]) -> Bits {
    let mut inputs = inputs.iter();
    let mut state: FastMap<Symbol, Value> = FastMap::new();
    let main = &program.functions[program.entry.expect("there is an entry")];
    let mut at = main.entry;
    while at != main.exit {
        let value_of = |term: Term, state: &FastMap<Symbol, Value>| {
            eval(terms, term, |symbol, _| state.get(&symbol).cloned()).expect("all variables have values")
        };
        let mut edges = program.edges.iter().filter(|edge| edge.from == at).filter(|edge| match edge.action {
            Action::Assume(condition) => value_of(condition, &state) == Value::Bool(true),
            _ => true,
        });
        let edge = edges.next().expect("some edge is enabled");
        assert!(edges.next().is_none(), "only one edge is enabled");
        match &edge.action {
            Action::Assign(pairs) => {
                let values: Vec<Value> = pairs.iter().map(|&(_, term)| value_of(term, &state)).collect();
                for (&(var, _), value) in pairs.iter().zip(values) {
                    state.insert(symbol_of(terms, program.vars[var].term), value);
                }
            }
            Action::Havoc { var, .. } => {
                let term = program.vars[*var].term;
                let bits = Bits::from_u128(terms.width(term), *inputs.next().expect("an input for each variable"));
                state.insert(symbol_of(terms, term), Value::Bits(bits));
            }
            _ => {}
        }
        at = edge.to;
    }
    let result = program.vars[main.result.expect("there is a result")].term;
    match state.get(&symbol_of(terms, result)) {
        Some(Value::Bits(bits)) => bits.clone(),
        other => panic!("the result is a bit-vector, not {other:?}"),
    }
}

#[test]
fn random_programs_compute_what_the_evaluator_says() {
    for seed in 0..300 {
        let terms = if seed % 2 == 0 { Terms::new() } else { Terms::without_simplification() };
        let mut generator =
            Generator { line: Line::with(terms, 64), random: Random::new(seed), vars: Vec::new(), made: Vec::new() };
        for (number, &width) in WIDTHS.iter().chain(WIDTHS).enumerate() {
            let var = generator.line.local(&format!("v{number}"), width);
            generator.line.havoc(var);
            generator.vars.push(var);
        }
        for _ in 0..20 {
            generator.statement();
        }
        let Generator { line, mut random, vars, .. } = generator;
        let result = vars[seed as usize % vars.len()];
        let (program, terms) = line.returning(result);
        let mut machine = Machine::new(&program, &terms).expect("the program can be compiled");
        for _ in 0..5 {
            let inputs: Vec<u128> = vars
                .iter()
                .map(|_| match random.below(3) {
                    0 => random.below(3).into(),
                    1 => u128::MAX - u128::from(random.below(3)),
                    _ => u128::from(random.bits()) | u128::from(random.bits()) << 64,
                })
                .collect();
            let expected = evaluate(&program, &terms, &inputs);
            let mut script = ScriptedInputs::for_nondet(inputs);
            let run = machine.run(&mut script, &Limits::default(), &base::Budget::default());
            let expected = expected.to_u128().expect("at most 128 bits");
            assert_eq!(run.outcome, Outcome::Returned(Some(expected)), "seed {seed}");
        }
    }
}
