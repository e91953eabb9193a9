//! Blocks: all loop-free paths from cutpoints to the next ones, statement by statement, as terms.
//!
//! A state is one term for each slot. The nodes between cutpoints are visited in the order of runs; where
//! paths meet, the state is a choice between theirs, guarded by which of them was taken, so the size stays
//! linear in the number of nodes. Paths part at nodes with several hops: unless there are two and one condition
//! is the negation of the other, free truth values say which is taken, so that no two paths are ever taken
//! at once and a choice between states never hides one of them.

use base::{Budget, FastMap};
use program::{Action, EdgeId, Program};
use term::{Op, Sort, Term, Terms};
use verdict::Code;

use crate::Refusal;
use crate::guards::{Guard, Guards};
use crate::layout::Memory;
use crate::points::{FrameId, Hop, How, Node, Points};
use crate::read_over_write::Reads;
use crate::slices::Symbols;
use crate::slots::Slots;
use crate::translate::Translation;
use crate::tuning::Tuning;

/// One term for each slot.
pub(crate) type State = Vec<Term>;

/// A node as runs come to it: when, and in what state.
#[derive(Clone)]
pub(crate) struct Reached {
    pub node: Node,
    pub guard: Guard,
    pub state: State,
}

/// The ways by which runs come to a node, no two of which are taken at once.
pub(crate) struct Ways {
    pub node: Node,
    pub arrivals: Vec<(Guard, State)>,
}

/// Makes blocks in a store of its own.
pub(crate) struct Encoder<'a> {
    pub program: &'a Program,
    pub points: &'a Points<'a>,
    pub slots: &'a Slots,
    pub memory: &'a Memory,
    /// The program's store.
    pub source: &'a Terms,
    pub own: Terms,
    pub guards: Guards,
    pub symbols: Symbols,
    translation: Translation<'a>,
    n_fresh: u32,
    /// Laws about the values of the hop that is being made.
    pub known: Vec<Term>,
    /// Edges whose operators are read in bits early.
    precise: &'a FastMap<EdgeId, ()>,
    /// Terms that such edges made.
    pub precise_terms: FastMap<Term, ()>,
    /// Terms that invariants made.
    pub invariant_terms: FastMap<Term, ()>,
    /// Addresses of different objects in columns, and what was read from columns.
    pub reads: Reads,
}

impl<'a> Encoder<'a> {
    pub fn new(
        program: &'a Program,
        terms: &'a Terms,
        points: &'a Points<'a>,
        slots: &'a Slots,
        memory: &'a Memory,
        precise: &'a FastMap<EdgeId, ()>,
    ) -> Self {
        let mut own = Terms::folding();
        Encoder {
            program,
            points,
            slots,
            memory,
            source: terms,
            guards: Guards::new(&mut own),
            own,
            symbols: Symbols::default(),
            translation: Translation::new(terms),
            n_fresh: 0,
            known: Vec::new(),
            precise,
            precise_terms: FastMap::new(),
            invariant_terms: FastMap::new(),
            reads: Reads::default(),
        }
    }

    /// Any state at all.
    pub fn any_state(&mut self) -> State {
        (0..self.slots.vars.len() + self.memory.n_slots()).map(|slot| self.fresh_for(slot)).collect()
    }
    /// Any state in which static objects hold their first contents.
    pub fn first_state(&mut self) -> State {
        let mut state = self.any_state();
        self.first_contents(&mut state);
        state
    }
    /// A value that nothing is known of, for this slot.
    pub fn fresh_for(&mut self, slot: usize) -> Term {
        if slot >= self.slots.vars.len() {
            let sort = self.memory.sort(&mut self.own, self.program.pointer_width, slot);
            return self.fresh_own("memory", sort);
        }
        let sort = self.slots.sort(self.program, slot);
        let name = &self.program.vars[self.slots.vars[slot].1].name;
        self.fresh(name, sort)
    }
    /// A value that nothing is known of, of a sort of the program's store.
    fn fresh(&mut self, name: &str, sort: Sort) -> Term {
        let sort = self.translation.sort(&mut self.own, sort);
        self.fresh_own(name, sort)
    }
    /// A value that nothing is known of, of a sort of our store.
    pub fn fresh_own(&mut self, name: &str, sort: Sort) -> Term {
        self.n_fresh += 1;
        // The number in front keeps the name apart from all others; the rest makes models readable.
        let plain: String = name.chars().filter(|c| c.is_ascii_alphanumeric() || "._&*".contains(*c)).collect();
        self.own.variable(&format!("{}!{plain}", self.n_fresh), sort)
    }

    /// Runs from these cutpoints to the next ones: the ways into the cutpoints they come to, and into the errors they meet.
    /// In the only step of runs, many ways may stay apart; with more steps the formulas would grow with each of them.
    pub fn step(
        &mut self,
        from: Vec<Reached>,
        is_only: bool,
        budget: &Budget,
    ) -> Result<(Vec<Ways>, Vec<Ways>), Refusal> {
        let starts: Vec<Node> = from.iter().map(|reached| reached.node).collect();
        let (inner, ends) = self.points.between(&starts);
        // What comes to a node on the way, and what comes to the next cutpoints; a start may be both.
        let mut arriving: FastMap<Node, Vec<(Guard, State)>> = FastMap::new();
        let mut ending: FastMap<Node, Vec<(Guard, State)>> = FastMap::new();
        for reached in from {
            arriving.get_or_insert_with(reached.node, Vec::new).push((reached.guard, reached.state));
        }
        let mut errors = Vec::new();
        let n_inner = inner.len();
        for (place, node) in inner.into_iter().enumerate() {
            budget.spend(1 + self.slots.vars.len() as u64 / 64)?;
            let Some(arrivals) = arriving.remove(&node) else { continue };
            if self.points.error(node).is_some() {
                errors.push(Ways { node, arrivals });
                continue;
            }
            // Where many ways meet close to the end, each goes on with what it knows: the choices between their states would be found
            // out again by a search.
            let (n_ways, n_left) = (arrivals.len(), n_inner - place);
            let stay_apart = is_only && n_ways >= Tuning::DEFAULT.min_ways_apart && n_ways * n_left <= 4 * n_inner;
            let arrivals = if stay_apart { arrivals } else { vec![self.join(arrivals)] };
            for (guard, state) in arrivals {
                let reached = Reached { node, guard, state };
                let hops = &self.points.hops[node];
                let mut guards = self.hop_guards(&reached, hops)?;
                let mut state = Some(reached.state);
                for (i, hop) in hops.iter().enumerate() {
                    let Some(guard) = guards[i].take() else { continue };
                    let is_last = guards[i + 1..].iter().all(Option::is_none);
                    let before = if is_last { state.take() } else { state.clone() };
                    let before = before.expect("only the last hop takes the state away");
                    let (after, known) = self.hop(node, hop, before)?;
                    let guard = self.guards.and(&self.own, guard, known);
                    let targets = if self.points.is_cutpoint[hop.to] { &mut ending } else { &mut arriving };
                    targets.get_or_insert_with(hop.to, Vec::new).push((guard, after));
                }
            }
        }
        let ended = |node: Node| ending.remove(&node).map(|arrivals| Ways { node, arrivals });
        Ok((ends.into_iter().filter_map(ended).collect(), errors))
    }

    /// One state for all ways into a node; no two of them are taken at once.
    pub fn join(&mut self, mut arrivals: Vec<(Guard, State)>) -> (Guard, State) {
        let (last, mut state) = arrivals.pop().expect("a node that is visited was come to");
        if arrivals.is_empty() {
            return (last, state);
        }
        let guards: Vec<Guard> = arrivals.iter().map(|(guard, _)| *guard).chain([last]).collect();
        let (guard, beyond) = self.any_way(&guards);
        for ((_, other), &taken) in arrivals.into_iter().zip(&beyond).rev() {
            for (slot, value) in other.into_iter().enumerate() {
                if state[slot] != value {
                    state[slot] = self.own.ite(taken, value, state[slot]);
                }
            }
        }
        (guard, state)
    }
    /// When one of several ways is taken, and what each of them says beyond what they have in common.
    pub fn any_way(&mut self, guards: &[Guard]) -> (Guard, Vec<Term>) {
        let common = self.guards.common(guards);
        let beyond: Vec<Term> = guards.iter().map(|&guard| self.guards.beyond(&mut self.own, common, guard)).collect();
        (self.guards.any_of(&mut self.own, common, &beyond), beyond)
    }

    /// When each hop is taken; none where its condition is the constant `false`.
    fn hop_guards(&mut self, reached: &Reached, hops: &[Hop]) -> Result<Vec<Option<Guard>>, Refusal> {
        let mut conditions = Vec::with_capacity(hops.len());
        for hop in hops {
            let condition = match hop.how {
                How::Step(edge) => match self.program.edges[edge].action {
                    Action::Assume(condition) => {
                        let frame = self.points.place(reached.node).frame;
                        self.value(edge, frame, &reached.state, condition)?
                    }
                    _ => self.own.truth(true),
                },
                _ => self.own.truth(true),
            };
            conditions.push(condition);
        }
        let open: Vec<usize> = (0..hops.len()).filter(|&i| self.own.op(conditions[i]) != Op::False).collect();
        let mut guards = vec![None; hops.len()];
        let exclude_each_other = match open[..] {
            [i, j] => self.is_negation(conditions[i], conditions[j]) || self.is_negation(conditions[j], conditions[i]),
            _ => open.len() < 2,
        };
        // Taken: this one, and none of those before.
        let mut passed = reached.guard;
        for (count, &i) in open.iter().enumerate() {
            let mut guard = passed;
            if !exclude_each_other && count + 1 < open.len() {
                let sort = self.own.bool_sort();
                let taken = self.fresh_own("taken", sort);
                guard = self.guards.and(&self.own, guard, taken);
                let not_taken = self.own.not(taken);
                passed = self.guards.and(&self.own, passed, not_taken);
            }
            guards[i] = Some(self.guards.and(&self.own, guard, conditions[i]));
        }
        Ok(guards)
    }
    fn is_negation(&self, a: Term, b: Term) -> bool {
        self.own.op(a) == Op::Not && self.own.arg(a, 0) == b
    }

    /// The state after a hop, and what is known of it.
    fn hop(&mut self, node: Node, hop: &Hop, mut state: State) -> Result<(State, Term), Refusal> {
        let frame = self.points.place(node).frame;
        match hop.how {
            How::Begin => {}
            How::Step(edge) => {
                self.act(edge, frame, &mut state)?;
                if let Action::Alloc { var, .. } = self.program.edges[edge].action {
                    let is_not_null = self.is_not_null(self.slots.slot(frame, var), &state);
                    self.known.push(is_not_null);
                }
            }
            How::Enter(edge, callee) => {
                let Action::Call { function, args, .. } = &self.program.edges[edge].action else {
                    unreachable!("only calls enter");
                };
                let values: Result<Vec<Term>, Refusal> =
                    args.iter().map(|&arg| self.value(edge, frame, &state, arg)).collect();
                let params = &self.program.functions[*function].params;
                for (&param, value) in params.iter().zip(values?) {
                    let slot = self.slots.slot(callee, param);
                    state[slot] = value;
                }
                if !self.program.functions[*function].objects.is_empty() {
                    let apart = self.begin_objects(callee, &mut state);
                    self.known.push(apart);
                }
            }
            How::Leave(edge, callee) => {
                let Action::Call { function, result, .. } = &self.program.edges[edge].action else {
                    unreachable!("only calls are left");
                };
                self.heap_leave(&mut state, callee);
                if let (Some(to), Some(from)) = (result, self.program.functions[*function].result) {
                    let caller = self.points.place(hop.to).frame;
                    state[self.slots.slot(caller, *to)] = state[self.slots.slot(callee, from)];
                }
            }
        }
        let known = std::mem::take(&mut self.known);
        Ok((state, self.own.and(&known)))
    }
    fn act(&mut self, edge: EdgeId, frame: FrameId, state: &mut State) -> Result<(), Refusal> {
        match &self.program.edges[edge].action {
            // The condition is part of the guard; what would be undefined has its total meaning.
            Action::Assume(_) | Action::Check { .. } | Action::Order(_) => {}
            Action::Assign(pairs) => {
                let mut values = Vec::with_capacity(pairs.len());
                for &(var, value) in pairs {
                    values.push((self.slots.slot(frame, var), self.value(edge, frame, state, value)?));
                }
                for (slot, value) in values {
                    state[slot] = value;
                }
            }
            Action::Havoc { var, .. } => {
                let slot = self.slots.slot(frame, *var);
                state[slot] = self.fresh_for(slot);
            }
            Action::Alloc { var, size, input, moved, .. } => {
                let slot = self.slots.slot(frame, *var);
                let coming = self.heap_before(edge, frame, state, *size, *moved)?;
                let size = self.source.small_value(*size);
                if !self.alloc_columns(state, frame, edge, slot, input.is_none() && moved.is_none(), size) {
                    state[slot] = self.fresh_for(slot);
                }
                self.heap_begin(state, coming, state[slot]);
            }
            Action::Load { var, address } => {
                let slot = self.slots.slot(frame, *var);
                state[slot] = self.load(edge, frame, state, *address, slot)?;
            }
            Action::Store { address, value } => self.store(edge, frame, state, *address, *value)?,
            Action::Forget { address, size, .. } => {
                self.forget(edge, frame, state, *address, *size)?;
                self.begin_anew(frame, state, *address, *size);
            }
            Action::Free { address, .. } => self.heap_free(edge, frame, state, *address)?,
            Action::End { object } => self.set_live(frame, *object, false, state),
            Action::Probe { var, address, bytes, access } => {
                let slot = self.slots.slot(frame, *var);
                state[slot] = self.probe(edge, frame, state, *address, *bytes, *access)?;
            }
            Action::Call { .. } => unreachable!("calls are entered and left"),
        }
        Ok(())
    }
    /// A term of the program in this activation and state.
    pub fn value(&mut self, edge: EdgeId, frame: FrameId, state: &State, term: Term) -> Result<Term, Refusal> {
        let Encoder { translation, own, slots, precise, precise_terms, .. } = self;
        let is_precise = precise.contains_key(&edge);
        translation.term(
            own,
            term,
            |_, symbol| {
                let var = slots.var(symbol).ok_or_else(|| {
                    Refusal::unknown(Code::Construct, "a symbol in the program that is no variable", None)
                })?;
                Ok(state[slots.slot(frame, var)])
            },
            |new| {
                if is_precise {
                    precise_terms.insert(new, ());
                }
            },
        )
    }
}
