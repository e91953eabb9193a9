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

use std::sync::Arc;

use base::{FastMap, Place};
use program::{Action, AssertionId, Builder, FunId, InputId, InputKind, Loc, Mark, Program, Shown, Var};
use term::{SortKind, Substitution, Term, Terms};

use crate::cells::{Cell, cells};
use crate::define::solve;
use crate::flatten::Rank;
use crate::plan::{Branch, Plan, plan};
use crate::system::System;

/// A program, and how it came about.
#[derive(Clone, Debug)]
pub(crate) struct Lowered {
    pub program: Program,
    /// What its steps do, location by location.
    pub plan: Plan,
    /// The head of each location of the plan.
    pub heads: Vec<Loc>,
    /// The system whose steps these are: with cells in place of arrays.
    pub system: Arc<System>,
    /// The cells.
    pub cells: Vec<Cell>,
    /// Inputs that `init` mentions: at a head they have the values of the step that begins there.
    pub kept: Vec<Term>,
    /// Inputs that constraints and properties mention: after a step they have its values.
    pub checked: Vec<Term>,
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
    let assertions = system
        .properties
        .iter()
        .map(|property| builder.assertion_of(property.kind, property.text.clone(), property.place))
        .collect();
    let mut lower = Lower {
        terms,
        system: Arc::new(system.clone()),
        control,
        builder,
        function,
        at,
        vars: FastMap::new(),
        known_inputs: FastMap::new(),
        assertions,
    };
    lower.declare();
    let first = lower.start();
    let (plan, heads, cells, draws) = lower.step(&first);
    let Lower { builder, system, .. } = lower;
    let Draws { kept, checked, .. } = draws;
    Lowered { program: builder.finish(function), plan, heads, system, cells, kept, checked }
}

/// Which symbols are drawn when, besides those of the plan.
struct Draws {
    /// Inputs that `init` mentions.
    kept: Vec<Term>,
    /// Inputs that constraints and properties mention.
    checked: Vec<Term>,
    /// Truth values that choose between the ways of a step.
    choices: Vec<Term>,
}

struct Lower<'a> {
    terms: &'a mut Terms,
    system: Arc<System>,
    builder: Builder,
    function: FunId,
    /// Where the program under construction ends.
    at: Loc,
    vars: FastMap<Term, Var>,
    /// Inputs of steps, which several locations share.
    known_inputs: FastMap<Term, InputId>,
    assertions: Vec<AssertionId>,
    control: Control,
}

impl Lower<'_> {
    fn declare(&mut self) {
        let system = Arc::clone(&self.system);
        for state in &system.states {
            self.variable(state.now.term, state.now.place);
        }
        for input in &system.inputs {
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
        let solved = solve(self.terms, &self.system.init.clone(), &[], &unknowns, &prefix);
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
    fn step(&mut self, first: &FastMap<Term, Term>) -> (Plan, Vec<Loc>, Vec<Cell>, Draws) {
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
        let first = Some(first).filter(|_| self.control == Control::Locations);
        let mut plan = plan(self.terms, &self.system, first, &unknowns, &prefix);
        let mut found = Vec::new();
        if self.control == Control::Locations {
            found = cells(self.terms, Arc::make_mut(&mut self.system), &mut plan);
            let mut pairs = Vec::new();
            for cell in &found {
                let value = self.terms.select(cell.array, cell.index);
                pairs.push((self.variable(cell.state.now.term, None), value));
            }
            self.assign(pairs);
        }
        let most = plan.nodes.iter().map(|node| node.ways.len()).max().unwrap_or(0).max(1);
        let prefix = self.unused("way");
        let sort = self.terms.bool_sort();
        let depth = usize::BITS - (most - 1).leading_zeros();
        let choices = (0..depth).map(|number| self.terms.variable(&format!("{prefix}{number}"), sort)).collect();
        let draws = Draws { kept, checked: drawn, choices };
        let place = self.system.properties.iter().find_map(|property| property.place);
        let heads: Vec<Loc> =
            plan.nodes.iter().map(|_| self.builder.marked_location(self.function, Mark::LoopHead, place)).collect();
        self.builder.step(self.terms, self.at, heads[0]);
        // Inputs are numbered in the order in which steps draw them.
        for &symbol in draws.checked.iter().chain(&plan.free).chain(&draws.choices).chain(&draws.kept) {
            self.input(symbol, false);
        }
        for (number, &head) in heads.iter().enumerate() {
            self.at = head;
            self.step_at(&plan, number, &draws, &heads);
        }
        (plan, heads, found, draws)
    }
    /// What happens at one location.
    fn step_at(&mut self, plan: &Plan, number: usize, draws: &Draws, heads: &[Loc]) {
        let node = &plan.nodes[number];
        let values = plan.variables.iter().zip(&node.values);
        let pairs: Vec<(Term, Term)> = values.map(|(&symbol, &value)| (symbol, self.terms.truth(value))).collect();
        let mut here = Substitution::new(self.terms, &pairs);
        let constraints: Vec<Term> = self.system.constraints.iter().map(|&term| here.apply(self.terms, term)).collect();
        let properties: Vec<Term> =
            self.system.properties.iter().map(|property| here.apply(self.terms, property.holds)).collect();
        // Without locations everything is drawn in every step, so that the n-th value belongs to the n-th step.
        let is_single = plan.nodes.len() == 1;
        let mut of_step = Vec::new();
        for way in &node.ways {
            way.for_each_term(&mut |term| of_step.push(term));
        }
        // What is checked here or elsewhere, and used here: the step sees the values that were checked.
        let roots: Vec<Term> = constraints.iter().chain(&properties).chain(&of_step).copied().collect();
        self.havoc_used(&draws.checked, &roots, is_single);
        self.demand(&constraints);
        let system = Arc::clone(&self.system);
        for (number, (property, holds)) in system.properties.iter().zip(properties).enumerate() {
            let fails = self.terms.not(holds);
            if fails == self.terms.truth(false) {
                continue;
            }
            let error = self.builder.error_location(self.function, self.assertions[number]);
            let next = self.builder.location(self.function, property.place);
            for (to, condition) in [(error, fails), (next, holds)] {
                if condition != self.terms.truth(false) {
                    self.builder.assume(self.at, to, condition, property.place);
                }
            }
            self.at = next;
        }
        self.havoc_used(&plan.free, &of_step, is_single);
        let depth = usize::BITS - node.ways.len().max(1).saturating_sub(1).leading_zeros();
        for &choice in &draws.choices[..depth as usize] {
            self.havoc(choice, false);
        }
        // A tree of choices whose leaves are the ways.
        let mut spans = vec![(0, node.ways.len(), 0, self.at)];
        while let Some((from, to, level, at)) = spans.pop() {
            self.at = at;
            match to - from {
                0 => {}
                1 => self.branch(plan, &node.ways[from], draws, heads),
                size => {
                    let middle = from + size / 2;
                    let choice = draws.choices[level];
                    let otherwise = self.terms.not(choice);
                    for (from, to, condition) in [(from, middle, choice), (middle, to, otherwise)] {
                        let below = self.builder.location(self.function, None);
                        self.builder.assume(at, below, condition, None);
                        spans.push((from, to, level + 1, below));
                    }
                }
            }
        }
    }
    fn branch(&mut self, plan: &Plan, branch: &Branch, draws: &Draws, heads: &[Loc]) {
        match branch {
            Branch::Dead => {}
            Branch::Split { condition, yes, no } => {
                let from = self.at;
                let otherwise = self.terms.not(*condition);
                for (condition, branch) in [(*condition, yes), (otherwise, no)] {
                    if matches!(**branch, Branch::Dead) {
                        continue;
                    }
                    let to = self.builder.location(self.function, None);
                    self.builder.assume(from, to, condition, None);
                    self.at = to;
                    self.branch(plan, branch, draws, heads);
                }
            }
            Branch::Leaf { target, demands, next } => {
                self.demand(demands);
                let mut pairs: Vec<(Var, Term)> = Vec::new();
                for (state, &value) in self.system.states.iter().zip(next) {
                    let now = state.now.term;
                    // The next location knows the values of its variables.
                    let value = match plan.variables.iter().position(|&variable| variable == now) {
                        Some(at) => self.terms.truth(plan.nodes[*target].values[at]),
                        None => value,
                    };
                    if value != now {
                        pairs.push((self.vars[&now], value));
                    }
                }
                self.assign(pairs);
                for &input in &draws.kept {
                    self.havoc(input, false);
                }
                self.builder.step(self.terms, self.at, heads[*target]);
            }
        }
    }
    /// Draws the symbols that the terms mention, or all of them.
    fn havoc_used(&mut self, symbols: &[Term], roots: &[Term], all: bool) {
        let used = self.terms.subterms(roots);
        for &symbol in symbols.iter().filter(|symbol| all || used.binary_search(symbol).is_ok()) {
            self.havoc(symbol, false);
        }
    }
    /// A prefix that no symbol begins with so far.
    fn unused(&mut self, base_name: &str) -> String {
        let mut prefix = format!("{base_name}!");
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
    /// The input that a symbol is drawn from, at the start or in steps.
    fn input(&mut self, symbol: Term, at_start: bool) -> InputId {
        if let (Some(&input), false) = (self.known_inputs.get(&symbol), at_start) {
            return input;
        }
        let place = self.place_of(symbol);
        let var = self.variable(symbol, place);
        let name = self.builder.program().vars[var].name.clone();
        let shown = self.shown(symbol);
        let input = self.builder.input(InputKind::Nondet(name), shown, place);
        if !at_start {
            self.known_inputs.insert(symbol, input);
        }
        input
    }
    fn havoc(&mut self, symbol: Term, at_start: bool) {
        let place = self.place_of(symbol);
        let var = self.variable(symbol, place);
        let input = self.input(symbol, at_start);
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
