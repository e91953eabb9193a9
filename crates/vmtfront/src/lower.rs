//! From a transition system to a program: one loop, whose head is the state.
//!
//! ```text
//! entry:  havoc what init leaves free; assume the rest of init; assign the state
//! head:   havoc the inputs that are checked; assume the constraints
//!         if a property fails: error
//!         havoc the other inputs and what the step leaves free; assume the rest of the step
//!         assign the next state; back to head
//! ```
//!
//! Inputs that `init` mentions belong to the first step too, so they are kept like state until the step is done.

use base::{FastMap, Place};
use program::{Action, Builder, FunId, InputId, InputKind, Loc, Mark, Program, Shown, Var};
use term::{SortKind, Term, Terms};

use crate::define::solve;
use crate::flatten::Rank;
use crate::system::System;

/// A program, and which inputs of it are what.
pub(crate) struct Lowered {
    pub program: Program,
    /// For each input of the program that stands for a symbol of the system: the symbol, and whether it is
    /// drawn at the start.
    pub inputs: Vec<(InputId, Term, bool)>,
}

/// Lowers the system; `file` is its name.
pub(crate) fn lower(terms: &mut Terms, system: &System, file: &str) -> Lowered {
    let mut builder = Builder::new(64);
    builder.file(file);
    let function = builder.function("main", None);
    let at = builder.entry_of(function);
    let mut lower = Lower { terms, system, builder, function, at, vars: FastMap::new(), inputs: Vec::new() };
    lower.declare();
    lower.start();
    lower.step();
    Lowered { program: lower.builder.finish(function), inputs: lower.inputs }
}

struct Lower<'a> {
    terms: &'a mut Terms,
    system: &'a System,
    builder: Builder,
    function: FunId,
    /// Where the program under construction ends.
    at: Loc,
    vars: FastMap<Term, Var>,
    inputs: Vec<(InputId, Term, bool)>,
}

impl Lower<'_> {
    fn declare(&mut self) {
        for state in &self.system.states {
            self.variable(state.now.term, state.now.place);
        }
        for input in &self.system.inputs {
            self.variable(input.term, input.place);
        }
    }
    /// The program's variable for a symbol of the store.
    fn variable(&mut self, term: Term, place: Option<Place>) -> Var {
        if let Some(&var) = self.vars.get(&term) {
            return var;
        }
        let term::Op::Symbol(symbol) = self.terms.op(term) else { unreachable!("variables are symbols") };
        let name = self.terms.symbol_name(symbol).to_owned();
        let sort = self.terms.sort_of(term);
        let shown = self.shown(term);
        let var = self.builder.global(self.terms, &name, sort, shown, place);
        assert!(self.builder.term(var) == term, "a symbol becomes one variable");
        self.vars.insert(term, var);
        var
    }
    fn shown(&self, term: Term) -> Shown {
        match self.terms.sort_kind(self.terms.sort_of(term)) {
            SortKind::BitVec(_) => Shown::Unsigned,
            _ => Shown::Plain,
        }
    }

    /// Inputs that `init` mentions.
    fn kept(&self) -> Vec<Term> {
        let used = self.terms.subterms(&self.system.init);
        let inputs = self.system.inputs.iter().map(|input| input.term);
        inputs.filter(|input| used.binary_search(input).is_ok()).collect()
    }
    fn start(&mut self) {
        let kept = self.kept();
        let states = self.system.states.iter().map(|state| state.now.term);
        let unknowns: Vec<(Term, Rank)> = states.chain(kept.iter().copied()).map(|term| (term, Rank::Next)).collect();
        let prefix = self.unused("init!choice");
        let solved = solve(self.terms, &self.system.init, &unknowns, &prefix);
        for &symbol in &solved.free {
            self.havoc(symbol, true);
        }
        self.demand(&solved.demands);
        let pairs: Vec<(Var, Term)> = unknowns
            .iter()
            .map(|&(symbol, _)| (self.vars[&symbol], symbol, solved.values[&symbol]))
            .filter(|(_, symbol, value)| symbol != value)
            .map(|(var, _, value)| (var, value))
            .collect();
        self.assign(pairs);
    }
    fn step(&mut self) {
        let place = self.system.properties.iter().find_map(|property| property.place);
        let head = self.builder.marked_location(self.function, Mark::LoopHead, place);
        self.builder.step(self.terms, self.at, head);
        self.at = head;
        let kept = self.kept();
        let fresh = |term: &Term| !kept.contains(term);
        // What is checked, on the inputs of this step.
        let mut checked = self.system.constraints.clone();
        checked.extend(self.system.properties.iter().map(|property| property.holds));
        let used = self.terms.subterms(&checked);
        let mut drawn: FastMap<Term, ()> = FastMap::new();
        for input in self.system.inputs.iter().map(|input| input.term).filter(fresh) {
            if used.binary_search(&input).is_ok() {
                self.havoc(input, false);
                drawn.insert(input, ());
            }
        }
        let constraints = self.system.constraints.clone();
        self.demand(&constraints);
        for property in &self.system.properties {
            let assertion = self.builder.assertion(property.text.clone(), property.place);
            let error = self.builder.error_location(self.function, assertion);
            let fails = self.terms.not(property.holds);
            let next = self.builder.location(self.function, property.place);
            for (to, condition) in [(error, fails), (next, property.holds)] {
                if condition != self.terms.truth(false) {
                    self.builder.assume(self.at, to, condition, property.place);
                }
            }
            self.at = next;
        }
        // The step itself.
        let mut unknowns: Vec<(Term, Rank)> = self.system.states.iter().map(|state| (state.next, Rank::Next)).collect();
        let is_open = |input: &Term| fresh(input) && !drawn.contains_key(input);
        let inputs = self.system.inputs.iter().map(|input| input.term);
        unknowns.extend(inputs.filter(is_open).map(|input| (input, Rank::Input)));
        let prefix = self.unused("choice");
        let solved = solve(self.terms, &self.system.trans, &unknowns, &prefix);
        for &symbol in &solved.free {
            self.havoc(symbol, false);
        }
        self.demand(&solved.demands);
        let mut pairs = Vec::new();
        for state in &self.system.states {
            let value = solved.values[&state.next];
            if value != state.now.term {
                pairs.push((self.vars[&state.now.term], value));
            }
        }
        self.assign(pairs);
        for input in kept {
            self.havoc(input, false);
        }
        self.builder.step(self.terms, self.at, head);
    }

    /// A prefix that no symbol begins with so far.
    fn unused(&mut self, wish: &str) -> String {
        let mut prefix = format!("{wish}!");
        while self.terms.lookup(&format!("{prefix}0")).is_some() {
            prefix.push('!');
        }
        prefix
    }
    fn place_of(&self, symbol: Term) -> Option<Place> {
        let state = self.system.states.iter().find(|state| state.now.term == symbol || state.next == symbol);
        let input = || self.system.inputs.iter().find(|input| input.term == symbol);
        state.map(|state| &state.now).or_else(input).and_then(|found| found.place)
    }
    fn havoc(&mut self, symbol: Term, at_start: bool) {
        let place = self.place_of(symbol);
        let var = self.variable(symbol, place);
        let name = self.builder.program().vars[var].name.clone();
        let shown = self.shown(symbol);
        let input = self.builder.input(InputKind::Nondet(name), shown, place);
        self.inputs.push((input, symbol, at_start));
        let to = self.builder.location(self.function, place);
        self.builder.havoc(self.at, to, var, input, place);
        self.at = to;
    }
    fn demand(&mut self, conditions: &[Term]) {
        let condition = self.terms.and(conditions);
        if condition == self.terms.truth(true) {
            return;
        }
        let to = self.builder.location(self.function, None);
        if condition != self.terms.truth(false) {
            self.builder.assume(self.at, to, condition, None);
        }
        self.at = to;
    }
    fn assign(&mut self, pairs: Vec<(Var, Term)>) {
        if pairs.is_empty() {
            return;
        }
        let to = self.builder.location(self.function, None);
        self.builder.edge(self.at, to, Action::Assign(pairs), None);
        self.at = to;
    }
}
