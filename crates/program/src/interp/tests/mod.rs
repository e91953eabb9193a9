//! Tests of the interpreter on small programs, by subject.

mod against_evaluator;
mod anything;
mod control;
mod extended_against_cc;
mod leaps;
mod memory;
mod operators;
mod order;
mod shadow;
mod suppliers;

use base::Budget;
use term::{Sort, Term, Terms};

use super::{Inputs, Limits, Machine, Outcome, Run, ZeroInputs};
use crate::{Action, Builder, FunId, InputId, InputKind, Loc, Program, Shown, Var};

/// A program of one function, written edge after edge.
pub(super) struct Line {
    pub terms: Terms,
    pub builder: Builder,
    pub main: FunId,
    pub at: Loc,
}

impl Line {
    pub fn new() -> Line {
        Line::with(Terms::new(), 64)
    }
    pub fn with(terms: Terms, pointer_width: u32) -> Line {
        let mut builder = Builder::new(pointer_width);
        let main = builder.function("main", None);
        let at = builder.entry_of(main);
        Line { terms, builder, main, at }
    }
    pub fn bv(&mut self, width: u32) -> Sort {
        self.terms.bv_sort(width)
    }
    pub fn local(&mut self, name: &str, width: u32) -> Var {
        let sort = self.bv(width);
        self.local_of(name, sort)
    }
    pub fn local_of(&mut self, name: &str, sort: Sort) -> Var {
        self.builder.local(&mut self.terms, self.main, name, sort, Shown::Signed, None)
    }
    pub fn term(&self, var: Var) -> Term {
        self.builder.term(var)
    }
    pub fn action(&mut self, action: Action) {
        let next = self.builder.location(self.main, None);
        self.builder.edge(self.at, next, action, None);
        self.at = next;
    }
    pub fn assign(&mut self, var: Var, value: Term) {
        self.action(Action::Assign(vec![(var, value)]));
    }
    pub fn set(&mut self, var: Var, width: u32, value: u64) {
        let value = self.terms.bv(width, value);
        self.assign(var, value);
    }
    pub fn input(&mut self) -> InputId {
        self.builder.input(InputKind::Nondet("__VERIFIER_nondet_int".to_owned()), Shown::Signed, None)
    }
    pub fn havoc(&mut self, var: Var) {
        let input = self.input();
        self.action(Action::Havoc { var, input });
    }
    /// The program that returns this variable.
    pub fn returning(mut self, result: Var) -> (Program, Terms) {
        let exit = self.builder.exit_of(self.main);
        self.builder.step(&mut self.terms, self.at, exit);
        self.builder.set_result(self.main, result);
        let program = self.builder.finish(self.main);
        assert_eq!(crate::validate(&program, &self.terms), Ok(()));
        (program, self.terms)
    }
}

pub(super) fn run_with(program: &Program, terms: &Terms, inputs: &mut dyn Inputs, limits: &Limits) -> Run {
    let mut machine = Machine::new(program, terms).expect("the program can be compiled");
    machine.run(inputs, limits, &Budget::default())
}

/// What the program returns on zero inputs.
pub(super) fn result(program: (Program, Terms)) -> u128 {
    let run = run_with(&program.0, &program.1, &mut ZeroInputs, &Limits::default());
    match run.outcome {
        Outcome::Returned(Some(value)) => value,
        other => panic!("the program returns a value, not {other:?}"),
    }
}
