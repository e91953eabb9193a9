//! The search: breadth first, so that the first error found is as close to the entry as any.

use base::{FastMap, IndexVec, Stopped, define_id};
use encode::{Blocks, Cut, CutKind};
use engine::{Context, Engine, Run, Task, evidence};
use program::{AssertionId, Var};
use smt::{Answer, Query, Solver};
use term::{Op, Term, Terms, Value};
use verdict::{Code, Method, Verdict, Why};

use crate::exchange::Exchange;
use crate::listing::listing;
use crate::path::Concrete;
use crate::residual::Residual;
use crate::settings::Settings;
use crate::tracked::Tracked;
use crate::tuning::Tuning;

/// The engine.
pub(crate) struct Explicit {
    pub settings: Settings,
}

define_id!(StateNo, "A state that was visited.");

/// A state at a cutpoint: the values of the variables tracked there, in their order.
pub(crate) struct State {
    pub at: Cut,
    pub values: Box<[u64]>,
    /// Where it was reached from, and over which exit of the block there; none for the entry.
    pub from: Option<(StateNo, usize)>,
}

/// How a round of the search ended.
enum Ended {
    /// All states were visited.
    All,
    /// An error behind this state, over this exit.
    Error(StateNo, usize, AssertionId),
    /// This variable has too many values.
    TooMany(Option<Var>),
}

impl Engine for Explicit {
    fn run(&mut self, task: &Task, run: &mut Run<'_>) -> Result<Verdict, Stopped> {
        let (mut terms, blocks) = match task.encoded(run) {
            Ok(encoded) => encoded,
            Err(why) => return Ok(Verdict::Unknown(why)),
        };
        run.observer.phase("states");
        let mut tracked = Tracked::new(&task.program, &terms, blocks);
        let is_partial = Tracked::is_partial(&task.program, &terms, blocks);
        let mut exchange = Exchange::new(blocks);
        loop {
            let mut search = Search::new(task, blocks, &terms, &tracked, &exchange.known.at);
            let ended = search.explore(run)?;
            run.observer.count("states", search.states.len() as u64);
            match ended {
                Ended::All if search.is_sample => return Ok(gave_up(Code::States, "too many states")),
                Ended::All if search.states.len() > self.settings.max_listed_states => {
                    return Ok(gave_up(Code::States, "the list of states is too long to be checked"));
                }
                Ended::All => {
                    let mut terms = terms.clone();
                    let invariants = search.invariants(&mut terms);
                    let proof = if search.facts_matter {
                        evidence::inductive(
                            &mut Context::new(task, &mut terms, blocks, run),
                            invariants,
                            &exchange.known,
                        )?
                    } else {
                        evidence::proof(task, &mut terms, blocks, &invariants, Method::Induction { depth: 1 }, &[])
                    };
                    return Ok(Verdict::Safe(Box::new(proof)));
                }
                Ended::Error(state, exit, assertion) => match search.concretise(state, exit, assertion, run)? {
                    Concrete::Run(found) => match (run.replay)(&found) {
                        Ok(()) => return Ok(Verdict::Unsafe(found)),
                        Err(_) if is_partial => {
                            return Ok(gave_up(
                                Code::GaveUp,
                                "an error that depends on values that explicit does not enumerate: arrays, floats, wide words",
                            ));
                        }
                        Err(why) => return Ok(Verdict::Unknown(evidence::unconfirmed(task, blocks, why))),
                    },
                    Concrete::Spurious(needed) => {
                        let few = search.few_values();
                        let cx = &mut Context::new(task, &mut terms, blocks, run);
                        exchange.export(cx, few)?;
                        let is_news = exchange.import(cx);
                        if !tracked.pin(&task.program, &terms, blocks, &needed) && !exchange.again(is_news) {
                            return Ok(gave_up(Code::NoProgress, "an error that needs more than what states list"));
                        }
                    }
                },
                Ended::TooMany(var) => {
                    let few = search.few_values();
                    let cx = &mut Context::new(task, &mut terms, blocks, run);
                    exchange.export(cx, few)?;
                    let is_news = exchange.import(cx);
                    let is_left_out = var.is_some_and(|var| tracked.leave_out(var));
                    if !is_left_out && !exchange.again(is_news) {
                        return Ok(gave_up(Code::States, "too many states"));
                    }
                }
            }
        }
    }
}

fn gave_up(code: Code, why: &str) -> Verdict {
    Verdict::Unknown(Why::new(code, why))
}

pub(crate) struct Search<'a> {
    pub task: &'a Task,
    pub blocks: &'a Blocks,
    /// The store of the blocks.
    base: &'a Terms,
    pub tracked: &'a Tracked,
    pub states: IndexVec<StateNo, State>,
    known: FastMap<(Cut, Box<[u64]>), StateNo>,
    pub terms: Terms,
    pub solver: Solver,
    /// Whether some states were passed over: then there is no proof.
    is_sample: bool,
    /// Invariants that others have proved, with terms in the store of the blocks.
    pub facts: &'a IndexVec<Cut, Vec<Term>>,
    /// Whether some question was asked under one of them.
    pub facts_matter: bool,
}

impl<'a> Search<'a> {
    fn new(
        task: &'a Task,
        blocks: &'a Blocks,
        base: &'a Terms,
        tracked: &'a Tracked,
        facts: &'a IndexVec<Cut, Vec<Term>>,
    ) -> Self {
        let mut search = Search {
            task,
            blocks,
            base,
            tracked,
            states: IndexVec::new(),
            known: FastMap::new(),
            terms: base.clone(),
            solver: Solver::new(),
            is_sample: false,
            facts,
            facts_matter: false,
        };
        search.refresh();
        search
    }
    /// A new term store and solver.
    pub fn refresh(&mut self) {
        self.terms = self.base.clone();
        self.solver = Solver::new();
        for &axiom in &self.blocks.axioms {
            self.solver.assert(axiom);
        }
    }
    fn explore(&mut self, run: &Run<'_>) -> Result<Ended, Stopped> {
        self.add(State { at: self.blocks.entry(), values: Box::new([]), from: None });
        let mut next = 0;
        while next < self.states.len() {
            let number: StateNo = base::Id::new(next);
            next += 1;
            run.budget.spend(Tuning::DEFAULT.state_ticks)?;
            if next % Tuning::DEFAULT.states_per_store == 0 {
                self.refresh();
                run.observer.progress(format!("{next} states visited"));
            }
            if let Some(ended) = self.expand(number, run)? {
                return Ok(ended);
            }
            // A first sign of a counter: leave it out, unless its values turned out to be needed.
            if self.states.len() > Tuning::DEFAULT.first_round_states
                && next % Tuning::DEFAULT.states_per_store == 0
                && let Some(var) = self.most_varied()
            {
                return Ok(Ended::TooMany(Some(var)));
            }
            if self.states.len() > Tuning::DEFAULT.max_states {
                return Ok(Ended::TooMany(None));
            }
        }
        Ok(Ended::All)
    }
    fn add(&mut self, state: State) {
        let key = (state.at, state.values.clone());
        if self.known.contains_key(&key) {
            return;
        }
        let number = self.states.push(state);
        self.known.insert(key, number);
    }
    /// Visits what can come after a state.
    fn expand(&mut self, number: StateNo, run: &Run<'_>) -> Result<Option<Ended>, Stopped> {
        let at = self.states[number].at;
        let mut residual = self.residual(number);
        let Some(known) = self.under_facts(at, &mut residual) else { return Ok(None) };
        for (exit_no, exit) in self.blocks.blocks[at].exits.iter().enumerate() {
            let mut guard = residual.of(&mut self.terms, exit.guard);
            if !known.is_empty() {
                let parts: Vec<Term> = known.iter().copied().chain([guard]).collect();
                guard = self.terms.and(&parts);
            }
            run.budget.spend(residual.work)?;
            residual.work = 0;
            if self.terms.op(guard) == Op::False {
                continue;
            }
            if let CutKind::Error(assertion) = self.blocks.cutpoints[exit.to].kind {
                if self.is_possible(guard, run)? {
                    return Ok(Some(Ended::Error(number, exit_no, assertion)));
                }
                continue;
            }
            let vars = &self.tracked.at[exit.to];
            let mut after = Vec::with_capacity(vars.len());
            for &var in vars {
                let value = match exit.values.binary_search_by_key(&var, |&(other, _)| other) {
                    Ok(place) => exit.values[place].1,
                    Err(_) => self.task.program.vars[var].term,
                };
                after.push(residual.of(&mut self.terms, value));
            }
            run.budget.spend(residual.work)?;
            residual.work = 0;
            if let Some(var) = self.successors(number, exit_no, guard, &after, run)? {
                return Ok(Some(Ended::TooMany(Some(var))));
            }
        }
        Ok(None)
    }
    /// The state's values, put in.
    pub fn residual(&mut self, number: StateNo) -> Residual {
        let state = &self.states[number];
        let mut values = Vec::new();
        for (&var, &value) in self.tracked.at[state.at].iter().zip(&state.values) {
            let symbol = self.task.program.vars[var].term;
            let value = constant(&mut self.terms, symbol, value);
            values.push((symbol, value));
        }
        Residual::new(values.into_iter())
    }
    fn is_possible(&mut self, guard: Term, run: &Run<'_>) -> Result<bool, Stopped> {
        if self.terms.op(guard) == Op::True {
            return Ok(true);
        }
        match self.solver.check(&self.terms, &Query::assuming(&[guard]), run.budget)? {
            Answer::Sat(_) => Ok(true),
            Answer::Unsat(_) => Ok(false),
            Answer::Unknown(_) => Err(Stopped::OutOfTicks),
        }
    }
    /// Adds all states behind an exit. If they are too many, the variable with the most values.
    fn successors(
        &mut self,
        from: StateNo,
        exit: usize,
        guard: Term,
        after: &[Term],
        run: &Run<'_>,
    ) -> Result<Option<Var>, Stopped> {
        let to = self.blocks.blocks[self.states[from].at].exits[exit].to;
        let open: Vec<usize> = (0..after.len()).filter(|&place| !is_constant(&self.terms, after[place])).collect();
        let mut values: Vec<u64> = after.iter().map(|&term| number_of(&self.terms, term).unwrap_or(0)).collect();
        if open.is_empty() {
            if self.is_possible(guard, run)? {
                self.add(State { at: to, values: values.into(), from: Some((from, exit)) });
            }
            return Ok(None);
        }
        let mut found: Vec<Vec<u64>> = Vec::new();
        self.solver.push();
        let outcome = loop {
            match self.solver.check(&self.terms, &Query::assuming(&[guard]), run.budget) {
                Ok(Answer::Unsat(_)) => break Ok(None),
                Ok(Answer::Unknown(_)) => break Err(Stopped::OutOfTicks),
                Err(stopped) => break Err(stopped),
                Ok(Answer::Sat(mut model)) => {
                    found.push(open.iter().map(|&place| number(model.value(after[place]))).collect());
                }
            }
            let latest = found.last().expect("just added");
            let mut differs = Vec::new();
            for (&place, &value) in open.iter().zip(latest) {
                values[place] = value;
                let value = constant(&mut self.terms, after[place], value);
                differs.push(self.terms.ne(after[place], value));
            }
            self.add(State { at: to, values: values.clone().into(), from: Some((from, exit)) });
            if found.len() > Tuning::DEFAULT.max_successors {
                let var_at = |place: usize| self.tracked.at[to][open[place]];
                let loose = (0..open.len()).filter(|&place| !self.tracked.is_pinned(var_at(place)));
                let many = |&place: &usize| distinct(found.iter().map(|row| row[place]));
                match loose.max_by_key(many).filter(|place| many(place) > 1) {
                    Some(place) => break Ok(Some(var_at(place))),
                    None => {
                        // They are all needed: go on with these few, hoping for an error.
                        self.is_sample = true;
                        break Ok(None);
                    }
                }
            }
            let differs = self.terms.or(&differs);
            self.solver.assert(differs);
        };
        self.solver.pop();
        outcome
    }
    /// The variable with the most values at some cutpoint, if it has many.
    fn most_varied(&self) -> Option<Var> {
        let mut best: Option<(usize, Var)> = None;
        for (cut, vars) in self.tracked.at.iter_enumerated() {
            let here: Vec<&State> = self.states.iter().filter(|state| state.at == cut).collect();
            for (place, &var) in vars.iter().enumerate().filter(|(_, var)| !self.tracked.is_pinned(**var)) {
                // The state at the entry lists no values: there a variable may have any.
                let n_values = distinct(here.iter().filter_map(|state| state.values.get(place).copied()));
                if n_values >= Tuning::DEFAULT.few_values && best.is_none_or(|(most, _)| n_values > most) {
                    best = Some((n_values, var));
                }
            }
        }
        best.map(|(_, var)| var)
    }
    /// The states by head.
    fn invariants(&self, terms: &mut Terms) -> Vec<(Cut, Term)> {
        let mut invariants = Vec::new();
        for (cut, cutpoint) in self.blocks.cutpoints.iter_enumerated() {
            if cutpoint.kind == CutKind::Head {
                let here = self.states.iter().filter(|state| state.at == cut);
                let states: Vec<&[u64]> = here.map(|state| &state.values[..]).collect();
                let listed = listing(&self.task.program, terms, &self.tracked.at[cut], &states);
                invariants.push((cut, listed));
            }
        }
        invariants
    }
}

fn distinct(values: impl Iterator<Item = u64>) -> usize {
    let mut values: Vec<u64> = values.collect();
    values.sort_unstable();
    values.dedup();
    values.len()
}

fn is_constant(terms: &Terms, term: Term) -> bool {
    number_of(terms, term).is_some()
}

fn number_of(terms: &Terms, term: Term) -> Option<u64> {
    match terms.op(term) {
        Op::True => Some(1),
        Op::False => Some(0),
        _ => terms.small_value(term),
    }
}

/// The number as a value of the term's sort.
pub(crate) fn constant(terms: &mut Terms, like: Term, value: u64) -> Term {
    if terms.is_bool(like) {
        return terms.truth(value == 1);
    }
    let width = terms.width(like);
    terms.bv(width, value)
}

pub(crate) fn number(value: Value) -> u64 {
    match value {
        Value::Bool(truth) => u64::from(truth),
        Value::Bits(bits) => bits.to_u64().expect("tracked words are narrow"),
        _ => unreachable!("only words and truth values are tracked"),
    }
}
