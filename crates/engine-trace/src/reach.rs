//! The search: breadth first over pairs of a location and what is known there.
//!
//! This is the difference "program minus all trace automata", built on the fly: what is known at a location is the
//! predicate of an automaton state, and each step is justified by a valid Hoare triple, since what is
//! known afterwards follows by congruence from what was known before. Whatever is contradictory is refuted, coherent or
//! not. A way to the error that is not contradictory is decided exactly (`trace`): a real one ends the search, a spurious
//! one is kept for refinement, and the search goes on, since another may be real.

use base::{Budget, FastMap, Id, IndexVec, Stopped, define_id};
use program::Loc;

use crate::automaton::{Automaton, Code, Step, StepId};
use crate::graph::{Graph, Node};
use crate::horn::{ClauseId, Pool};
use crate::state::{Keep, State, StateId, States};
use crate::trace::{Exact, exact};
use crate::tuning::Tuning;

define_id!(ReachedId, "A location with what is known there.");

/// A case split: at this location it is decided whether the two terms are equal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Split {
    pub at: Loc,
    pub left: Code,
    pub right: Code,
}

/// How precisely the search looks.
#[derive(Clone, Debug)]
pub(crate) struct Precision {
    pub keep: Keep,
    pub splits: Vec<Split>,
    pub pool: Pool,
}

/// A location with what is known there.
#[derive(Clone, Debug)]
pub(crate) struct Reached {
    pub loc: Loc,
    pub state: StateId,
    /// Clauses that hold, in order.
    pub known: Box<[ClauseId]>,
    pub parent: Option<(ReachedId, StepId)>,
}

/// A state with the clauses that hold.
type Knowledge = (StateId, Box<[ClauseId]>);

/// What a search yields.
pub(crate) enum Found {
    /// A real way to the error.
    Error(Vec<StepId>),
    /// No way to the error, or only these, which are none.
    Done { spurious: Vec<Vec<StepId>> },
    /// Too many states.
    TooMany,
}

/// A search in progress or done.
pub(crate) struct Search<'a> {
    pub automaton: &'a Automaton,
    pub precision: &'a Precision,
    pub states: States,
    pub reached: IndexVec<ReachedId, Reached>,
    /// Steps that may be taken; all if there is no list.
    pub allowed: Option<&'a IndexVec<StepId, bool>>,
    pub triples: u64,
}

impl<'a> Search<'a> {
    pub fn new(automaton: &'a Automaton, precision: &'a Precision) -> Self {
        Search { automaton, precision, states: States::default(), reached: IndexVec::new(), allowed: None, triples: 0 }
    }

    /// Looks at everything that can be reached, up to this many states.
    pub fn run(&mut self, limit: usize, budget: &Budget) -> Result<Found, Stopped> {
        let mut seen: FastMap<(Loc, StateId, Box<[ClauseId]>), ()> = FastMap::new();
        let mut spurious = Vec::new();
        let mut first = Vec::new();
        self.arrive(Graph::new(self.automaton), self.automaton.entry, &mut first);
        for (state, _) in first {
            let known: Box<[ClauseId]> = Box::new([]);
            seen.insert((self.automaton.entry, state, known.clone()), ());
            self.reached.push(Reached { loc: self.automaton.entry, state, known, parent: None });
        }
        let mut next = 0;
        while next < self.reached.len() {
            let id = ReachedId::new(next);
            next += 1;
            let loc = self.reached[id].loc;
            for &step in &self.automaton.leaving[loc] {
                budget.spend(1)?;
                let info = &self.automaton.steps[step];
                let is_allowed = self.allowed.is_none_or(|allowed| allowed[step]);
                if !is_allowed || !self.automaton.matters[info.to] {
                    continue;
                }
                for (state, known) in self.post(id, info, budget)? {
                    let key = (info.to, state, known);
                    if seen.contains_key(&key) {
                        continue;
                    }
                    let known = key.2.clone();
                    seen.insert(key, ());
                    let new = self.reached.push(Reached { loc: info.to, state, known, parent: Some((id, step)) });
                    if self.automaton.error[info.to].is_some() {
                        let way = self.way(new);
                        match exact(self.automaton, &way, budget)? {
                            Exact::Real => return Ok(Found::Error(way)),
                            Exact::Spurious if spurious.len() < Tuning::DEFAULT.max_spurious_paths => {
                                spurious.push(way)
                            }
                            Exact::Spurious => {}
                        }
                    }
                    if self.reached.len() > limit {
                        return Ok(Found::TooMany);
                    }
                }
            }
        }
        Ok(Found::Done { spurious })
    }

    /// The steps that lead to it.
    pub fn way(&self, to: ReachedId) -> Vec<StepId> {
        let mut way = Vec::new();
        let mut at = to;
        while let Some((before, step)) = self.reached[at].parent {
            way.push(step);
            at = before;
        }
        way.reverse();
        way
    }

    fn post(&mut self, from: ReachedId, step: &Step, budget: &Budget) -> Result<Vec<Knowledge>, Stopped> {
        let Reached { state, known, .. } = self.reached[from].clone();
        self.after(state, &known, step, budget)
    }
    /// What is known after a step.
    fn after(
        &mut self,
        state: StateId,
        known: &[ClauseId],
        step: &Step,
        budget: &Budget,
    ) -> Result<Vec<Knowledge>, Stopped> {
        let automaton = self.automaton;
        let mut graph = self.states.get(state).graph(automaton);
        graph.guard(automaton, step);
        let before: Vec<Node> = graph.held.clone();
        let pool = &self.precision.pool;
        pool.saturate(automaton, &mut graph, &before, known);
        if graph.contradictory {
            return Ok(Vec::new());
        }
        graph.effects(automaton, step);
        let mut arrived = Vec::new();
        self.arrive(graph, step.to, &mut arrived);
        let mut all = Vec::new();
        for (state, graph) in arrived {
            budget.spend(1 + pool.len() as u64)?;
            self.triples += 1 + pool.len() as u64;
            let after = pool.known_after(automaton, &graph, &before, known, &automaton.live[step.to]);
            all.push((state, after));
        }
        Ok(all)
    }
    /// Whether this precision refutes the way.
    pub fn refutes(&mut self, way: &[StepId], budget: &Budget) -> Result<bool, Stopped> {
        let mut first = Vec::new();
        self.arrive(Graph::new(self.automaton), self.automaton.entry, &mut first);
        let mut at: Vec<Knowledge> = first.into_iter().map(|(state, _)| (state, Box::from([]))).collect();
        for &step in way {
            let step = &self.automaton.steps[step];
            let mut next: Vec<Knowledge> = Vec::new();
            for (state, known) in &at {
                for one in self.after(*state, known, step, budget)? {
                    if !next.contains(&one) {
                        next.push(one);
                    }
                }
            }
            at = next;
            if at.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }
    /// The cases in which a graph arrives at a location.
    fn arrive(&mut self, graph: Graph, at: Loc, into: &mut Vec<(StateId, Graph)>) {
        let automaton = self.automaton;
        let mut cases = vec![graph];
        for split in self.precision.splits.iter().filter(|split| split.at == at) {
            cases = cases.into_iter().flat_map(|graph| split.cases(automaton, graph)).collect();
        }
        for graph in cases {
            let state = State::of(&graph, &automaton.live[at], self.precision.keep);
            into.push((self.states.intern(state), graph));
        }
    }
}

impl Split {
    /// The graph when the two are equal, and when they differ; what is contradictory is left out.
    pub fn cases(&self, automaton: &Automaton, mut graph: Graph) -> Vec<Graph> {
        let env = graph.held.clone();
        let (Some(left), Some(right)) =
            (graph.value(automaton, &env, &self.left), graph.value(automaton, &env, &self.right))
        else {
            return vec![graph];
        };
        if left == right {
            return vec![graph];
        }
        let mut equal = graph.clone();
        equal.join(left, right);
        graph.separate(left, right);
        [equal, graph].into_iter().filter(|graph| !graph.contradictory).collect()
    }
}
