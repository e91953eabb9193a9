//! The system as a program, word for word: what evidence speaks of and is checked on.
//!
//! ```text
//! entry:  havoc state and inputs; assume init
//! head:   assume the constraints; if a property fails: error
//!         havoc the next state; assume trans
//!         assign the next state to the state; havoc the inputs; back to head
//! ```
//!
//! The formulas are those of the file, untouched. Nothing is solved, split or renamed here, so that the trusted part of the
//! translation is the reader and these few lines. The inputs of a step are drawn before
//! its head, since `init` may speak of those of the first.

use base::Place;
use program::{Action, Builder, InputId, InputKind, Loc, Mark, Program, Shown, Var};
use term::{SortKind, Term, Terms};

use crate::system::System;

/// The plain program, and what its parts are in the system.
#[derive(Clone, Debug)]
pub(crate) struct Plain {
    pub program: Program,
    /// The head of its only loop.
    pub head: Loc,
    /// By state: its variable, and the inputs that its first value and its next values are drawn from.
    pub states: Vec<(Var, InputId, InputId)>,
    /// By input: its variable, and the input for the first step and for the others.
    pub inputs: Vec<(Var, InputId, InputId)>,
}

/// Writes the system as a program; `file` is its name.
pub(crate) fn plain(terms: &mut Terms, system: &System, file: &str) -> Plain {
    let mut builder = Builder::new(64);
    builder.file(file);
    let function = builder.function("main", None);
    let assertions: Vec<_> = system
        .properties
        .iter()
        .map(|property| builder.assertion_of(property.kind, property.text.clone(), property.place))
        .collect();
    let at = builder.entry_of(function);
    let mut writer = Writer { terms, builder, function, at };
    let state_vars: Vec<Var> = system.states.iter().map(|one| writer.variable(one.now.term, one.now.place)).collect();
    let next_vars: Vec<Var> = system.states.iter().map(|one| writer.variable(one.next, one.now.place)).collect();
    let input_vars: Vec<Var> = system.inputs.iter().map(|one| writer.variable(one.term, one.place)).collect();

    let first_states: Vec<InputId> = state_vars.iter().map(|&var| writer.havoc(var)).collect();
    let first_inputs: Vec<InputId> = input_vars.iter().map(|&var| writer.havoc(var)).collect();
    system.init.iter().for_each(|&formula| writer.assume(formula));
    let place = system.properties.iter().find_map(|property| property.place);
    let head = writer.builder.marked_location(function, Mark::LoopHead, place);
    writer.builder.step(writer.terms, writer.at, head);
    writer.at = head;
    system.constraints.iter().for_each(|&formula| writer.assume(formula));
    for (property, &assertion) in system.properties.iter().zip(&assertions) {
        let error = writer.builder.error_location(function, assertion);
        let fails = writer.terms.not(property.holds);
        writer.builder.assume(writer.at, error, fails, property.place);
        writer.assume(property.holds);
    }
    let later_states: Vec<InputId> = next_vars.iter().map(|&var| writer.havoc(var)).collect();
    system.trans.iter().for_each(|&formula| writer.assume(formula));
    let pairs: Vec<(Var, Term)> = state_vars.iter().zip(&system.states).map(|(&var, one)| (var, one.next)).collect();
    if !pairs.is_empty() {
        let to = writer.builder.location(function, None);
        writer.builder.edge(writer.at, to, Action::Assign(pairs), None);
        writer.at = to;
    }
    let later_inputs: Vec<InputId> = input_vars.iter().map(|&var| writer.havoc(var)).collect();
    writer.builder.step(writer.terms, writer.at, head);
    let three = |vars: Vec<Var>, first: Vec<InputId>, later: Vec<InputId>| {
        vars.into_iter().zip(first).zip(later).map(|((var, first), later)| (var, first, later)).collect()
    };
    Plain {
        program: writer.builder.finish(function),
        head,
        states: three(state_vars, first_states, later_states),
        inputs: three(input_vars, first_inputs, later_inputs),
    }
}

struct Writer<'a> {
    terms: &'a mut Terms,
    builder: Builder,
    function: program::FunId,
    /// Where the program under construction ends.
    at: Loc,
}

impl Writer<'_> {
    fn variable(&mut self, term: Term, place: Option<Place>) -> Var {
        let term::Op::Symbol(symbol) = self.terms.op(term) else { unreachable!("variables are symbols") };
        let (name, sort) = (self.terms.symbol_name(symbol).to_owned(), self.terms.sort_of(term));
        let shown = match self.terms.sort_kind(sort) {
            SortKind::BitVec(_) => Shown::Unsigned,
            _ => Shown::Plain,
        };
        let var = self.builder.global(self.terms, &name, sort, shown, place);
        assert!(self.builder.term(var) == term, "a symbol becomes one variable");
        var
    }
    /// Draws the variable from an input of its own.
    fn havoc(&mut self, var: Var) -> InputId {
        let variable = &self.builder.program().vars[var];
        let (name, shown, place) = (variable.name.clone(), variable.shown, variable.place);
        let input = self.builder.input(InputKind::Nondet(name), shown, place);
        let to = self.builder.location(self.function, place);
        self.builder.havoc(self.at, to, var, input, place);
        self.at = to;
        input
    }
    fn assume(&mut self, formula: Term) {
        let to = self.builder.location(self.function, None);
        self.builder.assume(self.at, to, formula, None);
        self.at = to;
    }
}
