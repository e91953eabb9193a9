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
//! Where Boolean variables encode control locations, there is a head for each location instead of one for all.
//! Inputs that `init` mentions belong to the first step too, so they are kept like state until the step is done.

use base::{FastMap, Place};
use program::{Action, AssertionId, Builder, FunId, InputId, InputKind, Loc, Mark, Program, Shown, Var};
use term::{SortKind, Substitution, Term, Terms};

use crate::define::{Solved, settle, solve};
use crate::flatten::Rank;
use crate::locations::{Locations, Node, Step, Tree, locations};
use crate::system::System;

/// A program, and which inputs of it are what.
pub(crate) struct Lowered {
    pub program: Program,
    /// For each input of the program that stands for a symbol of the system: the symbol, and whether it is
    /// drawn at the start.
    pub inputs: Vec<(InputId, Term, bool)>,
    /// The heads of loops, with the values of variables that have become part of the location.
    pub heads: Vec<(Loc, Vec<(Term, bool)>)>,
}

/// Whether control locations are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Control {
    /// The state is data.
    Data,
    /// Boolean variables may encode the location of a program.
    Locations,
}

/// Lowers the system; `file` is its name.
pub(crate) fn lower(terms: &mut Terms, system: &System, file: &str, control: Control) -> Lowered {
    let mut builder = Builder::new(64);
    builder.file(file);
    let function = builder.function("main", None);
    let at = builder.entry_of(function);
    let assertions =
        system.properties.iter().map(|property| builder.assertion(property.text.clone(), property.place)).collect();
    let mut lower = Lower {
        terms,
        system,
        control,
        builder,
        function,
        at,
        vars: FastMap::new(),
        inputs: Vec::new(),
        known_inputs: FastMap::new(),
        assertions,
        heads: Vec::new(),
    };
    lower.declare();
    let first = lower.start();
    lower.step(&first);
    Lowered { program: lower.builder.finish(function), inputs: lower.inputs, heads: lower.heads }
}

/// How a step is made, whatever the location.
struct Whole {
    /// Inputs that `init` mentions.
    kept: Vec<Term>,
    /// Inputs that constraints and properties mention.
    drawn: Vec<Term>,
    /// The value of each state variable after the step.
    next: FastMap<Term, Term>,
    solved: Solved,
    /// The same symbols as in `solved`, to be looked up.
    free: FastMap<Term, ()>,
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
    /// Inputs of steps, which several locations share.
    known_inputs: FastMap<Term, InputId>,
    assertions: Vec<AssertionId>,
    heads: Vec<(Loc, Vec<(Term, bool)>)>,
    control: Control,
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
    /// Sets the state up; returns its first values.
    fn start(&mut self) -> FastMap<Term, Term> {
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
        solved.values
    }
    /// The loop, from the first values of the state on.
    fn step(&mut self, first: &FastMap<Term, Term>) {
        let kept = self.kept();
        let fresh = |term: &Term| !kept.contains(term);
        // What is checked, on the inputs of this step.
        let mut checked = self.system.constraints.clone();
        checked.extend(self.system.properties.iter().map(|property| property.holds));
        let used = self.terms.subterms(&checked);
        let inputs = || self.system.inputs.iter().map(|input| input.term);
        let drawn: Vec<Term> = inputs().filter(fresh).filter(|input| used.binary_search(input).is_ok()).collect();
        let mut unknowns: Vec<(Term, Rank)> = self.system.states.iter().map(|state| (state.next, Rank::Next)).collect();
        let is_open = |input: &Term| fresh(input) && !drawn.contains(input);
        unknowns.extend(inputs().filter(is_open).map(|input| (input, Rank::Input)));
        let prefix = self.unused("choice");
        let solved = solve(self.terms, &self.system.trans, &unknowns, &prefix);
        let mut next = FastMap::new();
        for state in &self.system.states {
            next.insert(state.now.term, solved.values[&state.next]);
        }
        let mut free = FastMap::new();
        solved.free.iter().for_each(|&symbol| {
            free.insert(symbol, ());
        });
        let whole = Whole { kept, drawn, next, solved, free };
        let found = if self.control == Control::Locations { self.locations(first, &whole) } else { None };
        let locations = found.unwrap_or_else(|| Locations {
            variables: Vec::new(),
            nodes: vec![Node { values: Vec::new(), tree: Tree::Leaf(0) }],
        });
        let place = self.system.properties.iter().find_map(|property| property.place);
        let heads: Vec<Loc> = locations
            .nodes
            .iter()
            .map(|_| self.builder.marked_location(self.function, Mark::LoopHead, place))
            .collect();
        self.builder.step(self.terms, self.at, heads[0]);
        for (node, &head) in locations.nodes.iter().zip(&heads) {
            let values = locations.variables.iter().zip(&node.values);
            let pairs: Vec<(Term, Term)> =
                values.clone().map(|(&symbol, &value)| (symbol, self.terms.truth(value))).collect();
            self.heads.push((head, values.map(|(&symbol, &value)| (symbol, value)).collect()));
            self.at = head;
            self.step_at(&whole, &pairs, &node.tree, &heads);
        }
    }
    /// The locations that Boolean variables encode, if they do.
    fn locations(&mut self, first: &FastMap<Term, Term>, whole: &Whole) -> Option<Locations> {
        let (yes, no) = (self.terms.truth(true), self.terms.truth(false));
        let states = self.system.states.iter().map(|state| state.now.term);
        let variables: Vec<(Term, bool)> = states
            .filter(|&symbol| self.terms.is_bool(symbol))
            .filter_map(|symbol| Some((symbol, first[&symbol])).filter(|(_, value)| *value == yes || *value == no))
            .map(|(symbol, value)| (symbol, value == yes))
            .collect();
        if variables.iter().all(|&(symbol, _)| self.is_sticky(symbol, whole)) {
            return None; // A set of facts that grows, as a solver of Horn clauses has it, and no location.
        }
        let step = Step { next: &whole.next, demands: &whole.solved.demands, free: &whole.free };
        locations(self.terms, &variables, &step)
    }
    /// Whether the variable, once true, stays true.
    fn is_sticky(&mut self, symbol: Term, whole: &Whole) -> bool {
        let yes = self.terms.truth(true);
        let next = whole.next[&symbol];
        next != symbol && self.terms.substitute(next, &[(symbol, yes)]) == yes
    }
    /// What happens at one location, where these variables have these values.
    fn step_at(&mut self, whole: &Whole, pairs: &[(Term, Term)], tree: &Tree, heads: &[Loc]) {
        let mut here = Substitution::new(self.terms, pairs);
        let constraints: Vec<Term> = self.system.constraints.iter().map(|&term| here.apply(self.terms, term)).collect();
        let properties: Vec<Term> =
            self.system.properties.iter().map(|property| here.apply(self.terms, property.holds)).collect();
        // Everything in every step, so that the n-th value belongs to the n-th step.
        for &symbol in &whole.drawn {
            self.havoc(symbol, false);
        }
        self.demand(&constraints);
        for (property, holds) in self.system.properties.iter().zip(properties) {
            let fails = self.terms.not(holds);
            if fails == self.terms.truth(false) {
                continue;
            }
            let error = self.error(property);
            let next = self.builder.location(self.function, property.place);
            for (to, condition) in [(error, fails), (next, holds)] {
                if condition != self.terms.truth(false) {
                    self.builder.assume(self.at, to, condition, property.place);
                }
            }
            self.at = next;
        }
        let mut demands: Vec<Term> = whole.solved.demands.iter().map(|&term| here.apply(self.terms, term)).collect();
        let mut next: Vec<Term> =
            self.system.states.iter().map(|state| here.apply(self.terms, whole.next[&state.now.term])).collect();
        for &symbol in &whole.solved.free {
            self.havoc(symbol, false);
        }
        settle(self.terms, &whole.free, &mut demands, &mut next);
        self.branch(whole, tree, demands, next, heads);
    }
    fn branch(&mut self, whole: &Whole, tree: &Tree, demands: Vec<Term>, next: Vec<Term>, heads: &[Loc]) {
        match tree {
            Tree::Dead => {}
            Tree::Split { condition, yes, no } => {
                let from = self.at;
                let otherwise = self.terms.not(*condition);
                for (condition, truth, tree) in [(*condition, true, yes), (otherwise, false, no)] {
                    if matches!(**tree, Tree::Dead) {
                        continue;
                    }
                    let to = self.builder.location(self.function, None);
                    self.builder.assume(from, to, condition, None);
                    self.at = to;
                    let atom = if truth { condition } else { self.terms.not(condition) };
                    let value = self.terms.truth(truth);
                    let mut put_in = Substitution::new(self.terms, &[(atom, value)]);
                    let mut demands = demands.iter().map(|&term| put_in.apply(self.terms, term)).collect();
                    let mut next: Vec<Term> = next.iter().map(|&term| put_in.apply(self.terms, term)).collect();
                    settle(self.terms, &whole.free, &mut demands, &mut next);
                    self.branch(whole, tree, demands, next, heads);
                }
            }
            Tree::Leaf(target) => {
                self.demand(&demands);
                let states = self.system.states.iter().map(|state| state.now.term).zip(next);
                let pairs: Vec<(Var, Term)> =
                    states.filter(|(now, next)| now != next).map(|(now, next)| (self.vars[&now], next)).collect();
                self.assign(pairs);
                for &input in &whole.kept {
                    self.havoc(input, false);
                }
                self.builder.step(self.terms, self.at, heads[*target]);
            }
        }
    }
    fn error(&mut self, property: &crate::system::Property) -> Loc {
        let known = self.system.properties.iter().position(|one| std::ptr::eq(one, property));
        let number = known.expect("the property is one of the system's");
        self.builder.error_location(self.function, self.assertions[number])
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
        let input = match self.known_inputs.get(&symbol) {
            Some(&input) if !at_start => input,
            _ => {
                let input = self.builder.input(InputKind::Nondet(name), shown, place);
                self.inputs.push((input, symbol, at_start));
                if !at_start {
                    self.known_inputs.insert(symbol, input);
                }
                input
            }
        };
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
