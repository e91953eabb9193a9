//! Exploration: the order in which paths are followed, so that those that meet are merged.
//!
//! Each function has a weak topological order of its locations [Bourdoncle-FMPA'93]: a location is executed once all paths that come to it from before have arrived, and
//! a loop is executed round by round until no path is left at its head. Paths that leave a loop wait behind it. A call explores the function for the one
//! state at the call, so that the state behind it is one again.

use base::{Budget, FastMap, IndexVec, Place};
use std::rc::Rc;
use term::{Op, Term, Terms};

use crate::graph::Graph;
use crate::model::{Action, AssertionId, EdgeId, FunId, Loc, Mark, Program, Var, VarKind};
use crate::structure::{Digraph, WeakOrder};
use crate::tuning::Tuning;

use super::guards::{ALWAYS, Guard, Guards, NEVER};
use super::objects::{Background, Object, Objects, Span, Store};
use super::state::State;
use super::words::Key;
use super::{Explored, Oracle, Trouble};

/// Where the value of a variable is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Home {
    Global(usize),
    /// In the table of the activation.
    Local(usize),
    /// An address that does not change.
    Constant(Term),
    /// It is no word.
    Other,
}

/// The locations of a function in the order of exploration.
struct Plan {
    row: Vec<Loc>,
    /// By position: for the head of a loop, the position behind the loop.
    end: Vec<Option<usize>>,
    position: FastMap<Loc, usize>,
    n_locals: usize,
}

/// A function that is being explored.
pub(super) struct Activation {
    plan: Rc<Plan>,
    /// The number of the activation, for objects that end with it.
    pub number: u32,
    /// By position: the paths that wait there, as one.
    waiting: Vec<Option<State>>,
    /// The paths that have come to the exit.
    exit: Option<State>,
}

/// An exploration.
pub(super) struct Explorer<'a> {
    pub program: &'a Program,
    pub source: &'a Terms,
    graph: Graph,
    pub var_of: FastMap<Term, Var>,
    pub homes: IndexVec<Var, Home>,
    n_locals: IndexVec<FunId, usize>,
    plans: FastMap<FunId, Rc<Plan>>,
    pub store: Store<'a>,
    pub guards: Guards,
    pub atoms: Vec<Term>,
    pub known_guards: FastMap<Term, Guard>,
    pub known_conditions: FastMap<Guard, Term>,
    /// Addresses of functions.
    pub functions: FastMap<Key, ()>,
    n_keys: u32,
    n_activations: u32,
    pub n_fresh: u32,
    /// Functions that are being explored, outermost first.
    active: Vec<FunId>,
    oracle: &'a mut dyn Oracle,
    questions: u32,
    budget: &'a Budget,
    errors: Vec<(AssertionId, Guard)>,
    edges: u64,
    /// Terms that were paid for.
    paid_terms: usize,
    /// The place of the edge that is being executed.
    pub place: Option<Place>,
}

impl<'a> Explorer<'a> {
    pub fn new(program: &'a Program, source: &'a Terms, oracle: &'a mut dyn Oracle, budget: &'a Budget) -> Self {
        let mut var_of = FastMap::new();
        for (var, info) in program.vars.iter_enumerated() {
            var_of.insert(info.term, var);
        }
        Explorer {
            program,
            source,
            graph: Graph::new(program),
            var_of,
            homes: IndexVec::new(),
            n_locals: program.functions.iter().map(|_| 0).collect(),
            plans: FastMap::new(),
            store: Store::new(program),
            guards: Guards::new(Tuning::DEFAULT.max_guard_nodes),
            atoms: Vec::new(),
            known_guards: FastMap::new(),
            known_conditions: FastMap::new(),
            functions: FastMap::new(),
            n_keys: 0,
            n_activations: 0,
            n_fresh: 0,
            active: Vec::new(),
            oracle,
            questions: 0,
            budget,
            errors: Vec::new(),
            edges: 0,
            paid_terms: 0,
            place: None,
        }
    }
    /// Explores all runs from the start of the program.
    pub fn run(mut self) -> Result<Explored, Trouble> {
        let entry = self.program.entry.expect("a program has an entry");
        let state = self.first_state()?;
        self.call(entry, state, &[])?;
        let errors = std::mem::take(&mut self.errors);
        let errors = errors.into_iter().map(|(assertion, guard)| (assertion, self.condition(guard))).collect();
        Ok(Explored { terms: self.store.words.terms, errors, edges: self.edges, questions: self.questions })
    }
    /// Static objects with their first contents, and globals with any value.
    fn first_state(&mut self) -> Result<State, Trouble> {
        let program = self.program;
        let width = program.pointer_width;
        let mut objects = Objects::new();
        let mut static_addresses: FastMap<Var, Term> = FastMap::new();
        for (id, object) in program.objects.iter_enumerated().filter(|(_, object)| object.owner.is_none()) {
            let (key, base) = self.new_key();
            static_addresses.insert(object.address, base);
            let made = Object {
                size: self.store.words.number(width, object.size),
                capacity: object.size,
                span: Span::Static,
                read_only: object.read_only,
                shared: object.read_only,
                live: self.truth(true),
                background: Background::First(id),
                cells: Default::default(),
            };
            objects.insert(key, Rc::new(made));
        }
        let mut globals = Vec::new();
        for (var, info) in program.vars.iter_enumerated() {
            let is_word = self.width_of(info.sort).is_some();
            let home = match info.kind {
                _ if !is_word => Home::Other,
                VarKind::Global => {
                    globals.push(self.fresh(info.sort)?);
                    Home::Global(globals.len() - 1)
                }
                VarKind::AddressOf(object) => match program.objects[object].owner {
                    None => Home::Constant(*static_addresses.get(&var).expect("a static object has an address")),
                    Some(owner) => self.new_local(owner),
                },
                VarKind::AddressOfFunction(_) => {
                    let (key, base) = self.new_key();
                    self.functions.insert(key, ());
                    Home::Constant(base)
                }
                VarKind::Param(owner) | VarKind::Local(owner) | VarKind::Temp(owner) => self.new_local(owner),
            };
            self.homes.push(home);
        }
        Ok(State { guard: ALWAYS, locals: Vec::new(), globals: Rc::new(globals), objects })
    }
    fn new_local(&mut self, function: FunId) -> Home {
        self.n_locals[function] += 1;
        Home::Local(self.n_locals[function] - 1)
    }
    /// A new object and where it lies.
    pub(super) fn new_key(&mut self) -> (Key, Term) {
        let key = Key(self.n_keys);
        self.n_keys += 1;
        (key, self.store.words.base(key, self.program.pointer_width))
    }
    fn plan(&mut self, function: FunId) -> Rc<Plan> {
        if let Some(plan) = self.plans.get(&function) {
            return Rc::clone(plan);
        }
        let locations = self.graph.locations(function);
        let mut local: FastMap<Loc, usize> = FastMap::new();
        for (number, &loc) in locations.iter().enumerate() {
            local.insert(loc, number);
        }
        let ends = self.graph.edges(function).iter().map(|&edge| {
            let edge = &self.program.edges[edge];
            (local.get(&edge.from).copied().unwrap_or(0), local.get(&edge.to).copied().unwrap_or(0))
        });
        let digraph = Digraph::new(locations.len(), ends);
        let entry = local.get(&self.program.functions[function].entry).copied().unwrap_or(0);
        let order = WeakOrder::new(&digraph, entry);
        let row: Vec<Loc> = order.row.iter().map(|&number| locations[number]).collect();
        let mut position = FastMap::new();
        for (at, &loc) in row.iter().enumerate() {
            position.insert(loc, at);
        }
        let plan = Rc::new(Plan { row, end: order.end, position, n_locals: self.n_locals[function] });
        self.plans.insert(function, Rc::clone(&plan));
        plan
    }

    // ---- functions

    /// Explores a function from a state, whose locals are not looked at; returns the state at its exit and the result, if a run gets there.
    pub(super) fn call(
        &mut self,
        function: FunId,
        mut state: State,
        args: &[Term],
    ) -> Result<Option<(State, Option<Term>)>, Trouble> {
        if self.active.len() >= Tuning::DEFAULT.max_symbolic_calls {
            return Err(self.limit("too many calls at once"));
        }
        if self.active.contains(&function) && self.is_over(state.guard)? {
            return Ok(None);
        }
        let plan = self.plan(function);
        self.n_activations += 1;
        let number = self.n_activations;
        let program = self.program;
        let info = &program.functions[function];
        state.locals = vec![None; plan.n_locals];
        for (&param, &arg) in info.params.iter().zip(args) {
            self.set(&mut state, param, arg)?;
        }
        for &object in &info.objects {
            self.begin(&mut state, object, number)?;
        }
        let first = *plan.position.get(&info.entry).expect("the entry stands in the row");
        let (len, waiting) = (plan.row.len(), plan.row.iter().map(|_| None).collect());
        let mut activation = Activation { plan, number, waiting, exit: None };
        activation.waiting[first] = Some(state);
        self.active.push(function);
        self.explore_row(&mut activation, 0, len)?;
        self.active.pop();
        assert!(activation.waiting.iter().all(Option::is_none), "every path is followed to its end");
        let Some(mut state) = activation.exit else { return Ok(None) };
        let result = match info.result.map(|result| self.homes[result]) {
            Some(Home::Local(place)) => state.locals[place],
            _ => None,
        };
        state.objects.retain(|_, object| object.span != Span::Activation(number));
        Ok(Some((state, result)))
    }
    /// Explores the part of the row between two positions.
    fn explore_row(&mut self, activation: &mut Activation, from: usize, to: usize) -> Result<(), Trouble> {
        let mut at = from;
        while at < to {
            let Some(end) = activation.plan.end[at] else {
                if let Some(state) = activation.waiting[at].take() {
                    self.leave(activation, at, state)?;
                }
                at += 1;
                continue;
            };
            let (mut before, mut n_open): (Option<Guard>, usize) = (None, 0);
            // A path may come into the loop beside its head, too.
            while activation.waiting[at..end].iter().any(Option::is_some) {
                if let Some(state) = activation.waiting[at].take() {
                    // A round that took no open branch goes on if it began.
                    let is_new = before.is_some_and(|before| before != state.guard);
                    before = Some(state.guard);
                    if is_new {
                        n_open += 1;
                        if n_open > Tuning::DEFAULT.max_open_rounds {
                            return Err(self.limit("a loop that may have no end"));
                        }
                        if self.is_over(state.guard)? {
                            break;
                        }
                    }
                    self.leave(activation, at, state)?;
                }
                self.explore_row(activation, at + 1, end)?;
            }
            at = end;
        }
        Ok(())
    }
    /// Whether no run takes a path with this guard, as far as the oracle knows.
    fn is_over(&mut self, guard: Guard) -> Result<bool, Trouble> {
        Ok(self.ask(guard, None)?.is_some())
    }
    /// Asks the oracle about the paths with this guard.
    pub(super) fn ask(&mut self, guard: Guard, word: Option<Term>) -> Result<Option<Vec<u64>>, Trouble> {
        let condition = self.condition(guard);
        let number = self.questions;
        self.questions += 1;
        Ok(self.oracle.closed(&mut self.store.words.terms, number, condition, word, self.budget)?)
    }

    // ---- edges

    /// Takes all edges that leave the location.
    fn leave(&mut self, activation: &mut Activation, at: usize, state: State) -> Result<(), Trouble> {
        let loc = activation.plan.row[at];
        let location = &self.program.locations[loc];
        if let Mark::Error(assertion) = location.mark {
            self.errors.push((assertion, state.guard));
            return Ok(());
        }
        if self.program.functions[location.function].exit == loc {
            activation.exit = Some(match activation.exit.take() {
                Some(other) => self.merge(other, state)?,
                None => state,
            });
            return Ok(());
        }
        let ways = self.ways(loc, &state)?;
        let last = ways.len().saturating_sub(1);
        let mut state = Some(state);
        for (number, (edge, guard)) in ways.into_iter().enumerate() {
            let taken = if number == last { state.take() } else { state.clone() };
            let mut taken = taken.expect("the state is taken by the last way");
            taken.guard = guard;
            self.edges += 1;
            self.spend(1)?;
            self.place = self.program.edges[edge].place;
            if let Some(state) = self.execute(activation, edge, taken)? {
                self.arrive(activation, self.program.edges[edge].to, state)?;
            }
        }
        Ok(())
    }
    fn arrive(&mut self, activation: &mut Activation, to: Loc, state: State) -> Result<(), Trouble> {
        let at = *activation.plan.position.get(&to).expect("an edge leads into the row");
        activation.waiting[at] = Some(match activation.waiting[at].take() {
            Some(other) => self.merge(other, state)?,
            None => state,
        });
        Ok(())
    }
    /// The edges that runs may take, with guards that no run satisfies two of: where conditions do not exclude one another, a free
    /// truth value says which of two edges is taken.
    fn ways(&mut self, loc: Loc, state: &State) -> Result<Vec<(EdgeId, Guard)>, Trouble> {
        let mut ways: Vec<(EdgeId, Guard, Term)> = Vec::new();
        for number in 0..self.graph.outgoing(loc).len() {
            let edge = self.graph.outgoing(loc)[number];
            self.place = self.program.edges[edge].place;
            let condition = match self.program.edges[edge].action {
                Action::Assume(condition) => self.eval(state, condition)?,
                _ => self.truth(true),
            };
            let holds = self.guard_of(condition)?;
            let guard = self.guards.and(state.guard, holds);
            if guard != NEVER {
                ways.push((edge, guard, condition));
            }
        }
        for i in 0..ways.len() {
            for j in i + 1..ways.len() {
                if self.guards.and(ways[i].1, ways[j].1) == NEVER {
                    continue;
                }
                if self.exclude(ways[i].2, ways[j].2) {
                    let not = self.guards.not(ways[i].1);
                    ways[j].1 = self.guards.and(ways[j].1, not);
                } else {
                    self.n_fresh += 1;
                    let free = self.store.words.symbol(&format!("any!{}", self.n_fresh), 0);
                    let first = self.guard_of(free)?;
                    let second = self.guards.not(first);
                    ways[i].1 = self.guards.and(ways[i].1, first);
                    ways[j].1 = self.guards.and(ways[j].1, second);
                }
            }
        }
        if self.guards.is_full() {
            return Err(self.limit("paths with too many conditions"));
        }
        ways.retain(|way| way.1 != NEVER);
        Ok(ways.into_iter().map(|(edge, guard, _)| (edge, guard)).collect())
    }
    /// Whether the conditions are equalities of one term with different numbers.
    fn exclude(&self, a: Term, b: Term) -> bool {
        let terms = &self.store.words.terms;
        let parts = |condition: Term| {
            if terms.op(condition) != Op::Eq {
                return None;
            }
            let (x, y) = (terms.arg(condition, 0), terms.arg(condition, 1));
            if terms.is_value(y) { Some((x, y)) } else { terms.is_value(x).then_some((y, x)) }
        };
        matches!((parts(a), parts(b)), (Some((x, c)), Some((y, d))) if x == y && c != d)
    }

    // ---- effort and trouble

    /// Pays for work, and for the terms that were made.
    pub(super) fn spend(&mut self, ticks: u64) -> Result<(), Trouble> {
        let made = self.store.words.terms.len() - self.paid_terms;
        self.paid_terms += made;
        Ok(self.budget.spend(ticks + made as u64)?)
    }
    pub(super) fn unsupported(&self, what: &'static str) -> Trouble {
        Trouble::Unsupported(what, self.place)
    }
    pub(super) fn limit(&self, what: &'static str) -> Trouble {
        Trouble::Limit(what, self.place)
    }
}
