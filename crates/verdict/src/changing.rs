//! A copy of a program that grows: parts that programs made from evidence have in common.

use base::{FastMap, Place};
use program::{
    Action, Assertion, AssertionId, AssertionKind, Edge, FunId, Loc, Location, Mark, Program, Shown, Var, VarKind,
    Variable,
};
use term::{Op, Sort, Term, Terms};

/// The copy, and the store of its terms.
pub(crate) struct Changing<'a> {
    pub program: Program,
    pub terms: &'a mut Terms,
    /// Names that are taken.
    names: FastMap<String, ()>,
}

impl<'a> Changing<'a> {
    pub fn new(program: &Program, terms: &'a mut Terms) -> Self {
        let mut names = FastMap::new();
        for variable in &program.vars {
            if let Op::Symbol(symbol) = terms.op(variable.term) {
                names.insert(terms.symbol_name(symbol).to_owned(), ());
            }
        }
        Changing { program: program.clone(), terms, names }
    }
    /// What asks whether runs end becomes an assertion without an error location.
    pub fn answer_ends(&mut self) -> Option<AssertionId> {
        let asks = self.program.ends_asked()?;
        for assertion in self.program.assertions.iter_mut().filter(|one| one.kind == AssertionKind::Ends) {
            assertion.kind = AssertionKind::Condition;
        }
        Some(asks)
    }
    pub fn location(&mut self, function: FunId, place: Option<Place>) -> Loc {
        self.program.locations.push(Location { function, place, mark: Mark::None })
    }
    pub fn edge(&mut self, from: Loc, to: Loc, action: Action, place: Option<Place>) {
        self.program.edges.push(Edge { from, to, action, place });
    }
    /// A step to a new location.
    pub fn step(&mut self, from: Loc, action: Action, place: Option<Place>) -> Loc {
        let to = self.location(self.program.locations[from].function, place);
        self.edge(from, to, action, place);
        to
    }
    /// A new assertion about a condition.
    pub fn assertion(&mut self, text: String, place: Option<Place>) -> AssertionId {
        self.program.assertions.push(Assertion { text, place, kind: AssertionKind::Condition })
    }
    /// Runs in which the condition holds come from here to the error.
    pub fn error(&mut self, from: Loc, condition: Term, assertion: AssertionId, place: Option<Place>) {
        // No edge has the condition `false`.
        if self.terms.op(condition) != Op::False {
            let to = self.step(from, Action::Assume(condition), place);
            self.program.locations[to].mark = Mark::Error(assertion);
        }
    }
    /// Runs in which the condition holds go on.
    pub fn passes(&mut self, from: Loc, to: Loc, condition: Term, place: Option<Place>) {
        if self.terms.op(condition) != Op::False {
            self.edge(from, to, Action::Assume(condition), place);
        }
    }
    /// A new variable of the function.
    pub fn temp(&mut self, function: FunId, like: &str, sort: Sort) -> Var {
        let (name, term) = loop {
            let mut name = format!("{like}!{}", self.program.vars.len());
            while self.names.insert(name.clone(), ()).is_some() {
                name.push('!');
            }
            // A name may be in the store with another sort.
            if let Some(symbol) = self.terms.declare(&name, &[], sort) {
                break (name, self.terms.apply(symbol, &[]));
            }
        };
        let kind = VarKind::Temp(function);
        self.program.vars.push(Variable { name, term, sort, kind, shown: Shown::Plain, place: None })
    }
}
