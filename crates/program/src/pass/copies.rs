//! Constants and copies, followed along the control-flow graph.
//!
//! At each location we know of some live variables that they equal a literal, another variable, or the
//! address of an object plus a constant. What is known holds on all ways that can be taken so far: an edge
//! whose condition becomes `false` is not taken, and what lies behind it does not count, as in the
//! conditional constant propagation of [WegmanZadeck-TOPLAS'91]. Unlike the paper we keep no SSA form: states
//! are kept only where several edges meet, and the straight trees in between are walked again when a
//! state changes. Heads of loops can only forget, so this ends.
//!
//! A copy of a variable that is no longer live is known only up to the next join. Otherwise the rewritten program would read a variable at
//! joins where the program before did not, and an earlier pass may have removed writes to it there: what invariants say about
//! it would not be true of the old program.
//!
//! The terms of the program are then rewritten with what is known, and edges that cannot be taken get the
//! condition `false`; the pass `dead` removes them. Facts: what is known at each join.

use std::collections::BTreeSet;
use std::rc::Rc;

use base::{Id, IndexVec, SharedMap};
use term::{Op, Term, Terms};

use super::BackMap;
use super::liveness::for_each_group;
use super::reads::{Reads, rewrite};
use super::shape::{Shape, entry_of, expect_inlined};
use crate::{Action, EdgeId, Frame, Graph, Loc, Point, Program, Var, VarKind};

/// Propagates constants and copies through the entry function.
pub fn copies(mut program: Program, terms: &mut Terms) -> (Program, BackMap) {
    expect_inlined(&program);
    let graph = Graph::new(&program);
    let shape = Shape::new(&program, &graph, |_| false);
    let mut map = BackMap::identity(&program);
    let mut analysis = Analysis::new(&program, terms, &graph, &shape);
    analysis.run(terms);
    for loc in program.locations.ids().filter(|&loc| shape.join[loc]) {
        let Some(state) = analysis.at[loc].clone() else { continue };
        let mut known = Vec::new();
        state.known.for_each(|var, &value| known.push(terms.eq(program.vars[Var::new(var)].term, value)));
        if !known.is_empty() {
            let fact = terms.and(&known);
            map.facts.push((Point { frame: Frame::default(), loc }, fact));
        }
    }
    let rewritten = analysis.rewritten(terms);
    for (edge, action) in rewritten {
        program.edges[edge].action = action;
    }
    (program, map)
}

/// What is known.
#[derive(Clone, Default, Debug)]
struct State {
    /// Variables with their values.
    known: SharedMap<Term>,
    /// By variable: those that are known to equal it.
    copies: SharedMap<Rc<[Var]>>,
    /// Variables that others equal and that are no longer live, since the last join.
    ended: Vec<Var>,
}

impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        self.ended == other.ended && self.known == other.known
    }
}

/// The variable that a value depends on, if it is a copy of one.
type Root<'r> = &'r dyn Fn(Term) -> Option<Var>;

impl State {
    fn get(&self, var: Var) -> Option<Term> {
        self.known.get(var.index()).copied()
    }
    fn copies_of(&self, var: Var) -> Rc<[Var]> {
        self.copies.get(var.index()).cloned().unwrap_or_default()
    }
    fn set(&mut self, root_of: Root<'_>, var: Var, value: Term) {
        self.remove(root_of, var);
        self.known.insert(var.index(), value);
        if let Some(root) = root_of(value) {
            let copies = self.copies_of(root).iter().copied().chain([var]).collect();
            self.copies.insert(root.index(), copies);
        }
    }
    /// Forgets the value of a variable.
    fn remove(&mut self, root_of: Root<'_>, var: Var) {
        let Some(root) = self.get(var).map(root_of) else { return };
        self.known.remove(var.index());
        if let Some(root) = root {
            let others: Rc<[Var]> = self.copies_of(root).iter().copied().filter(|&copy| copy != var).collect();
            if others.is_empty() {
                self.copies.remove(root.index());
            } else {
                self.copies.insert(root.index(), others);
            }
        }
    }
    /// Forgets which variables equal this one.
    fn remove_copies(&mut self, var: Var) {
        for copy in self.copies_of(var).iter() {
            self.known.remove(copy.index());
        }
        self.copies.remove(var.index());
    }
    /// What both say.
    fn meet(mut self, root_of: Root<'_>, other: &State) -> State {
        let mut lost = Vec::new();
        self.known.for_each_difference(&other.known, |var, _, _| lost.push(Var::new(var)));
        for var in lost {
            self.remove(root_of, var);
        }
        self.ended.clear();
        self
    }
}

/// The variables that are live before an edge or written by it, and dead after it.
///
/// An edge that leaves a large loop ends all its variables, and there may be as many such edges as variables: so
/// sixty-four of them share a word.
struct Deaths {
    /// The variables, with their groups of sixty-four as consecutive pieces.
    members: Vec<Var>,
    /// By edge: groups by number, with the dying members as bits.
    at: IndexVec<EdgeId, Vec<(u32, u64)>>,
}

impl Deaths {
    fn new(program: &Program, terms: &Terms, graph: &Graph) -> Deaths {
        let mut members: Vec<Var> = Vec::new();
        let mut at: IndexVec<EdgeId, Vec<(u32, u64)>> = program.edges.iter().map(|_| Vec::new()).collect();
        for_each_group(program, terms, graph, |group| {
            let number = (members.len() / 64) as u32;
            members.extend(group.members());
            let mut note = |edge: EdgeId| {
                let ends = &program.edges[edge];
                let dying = (group.live[ends.from] | group.written[edge]) & !group.live[ends.to];
                // An edge that writes several members comes several times.
                if dying != 0 && at[edge].last().is_none_or(|&(last, _)| last != number) {
                    at[edge].push((number, dying));
                }
            };
            for loc in group.touched() {
                graph.outgoing(loc).iter().for_each(|&edge| note(edge));
            }
            let written_only = |edge: &EdgeId| group.live[program.edges[*edge].from] == 0;
            group.writes().filter(written_only).for_each(note);
        });
        Deaths { members, at }
    }
    fn of(&self, edge: EdgeId) -> impl Iterator<Item = Var> + '_ {
        self.at[edge].iter().flat_map(|&(number, bits)| {
            let group = &self.members[number as usize * 64..];
            group.iter().take(64).enumerate().filter(move |(bit, _)| bits >> bit & 1 == 1).map(|(_, &var)| var)
        })
    }
}

struct Analysis<'a> {
    program: &'a Program,
    graph: &'a Graph,
    shape: &'a Shape,
    reads: Reads,
    deaths: Deaths,
    /// Whether a state is kept: several edges lead there, or a run starts there.
    is_root: IndexVec<Loc, bool>,
    /// What is known at each root that was reached.
    at: IndexVec<Loc, Option<Rc<State>>>,
    /// What is known behind each edge that leads to a root, if it can be taken.
    behind: IndexVec<EdgeId, Option<Rc<State>>>,
}

impl<'a> Analysis<'a> {
    fn new(program: &'a Program, terms: &Terms, graph: &'a Graph, shape: &'a Shape) -> Self {
        let entry = entry_of(program);
        let is_root = program.locations.ids().map(|loc| loc == entry || graph.incoming(loc).len() > 1).collect();
        Analysis {
            program,
            graph,
            shape,
            reads: Reads::new(program),
            deaths: Deaths::new(program, terms, graph),
            is_root,
            at: program.locations.iter().map(|_| None).collect(),
            behind: program.edges.iter().map(|_| None).collect(),
        }
    }

    /// Works until nothing changes.
    fn run(&mut self, terms: &mut Terms) {
        let entry = entry_of(self.program);
        self.at[entry] = Some(Rc::new(State::default()));
        let mut work: BTreeSet<usize> = BTreeSet::from([self.shape.position[entry]]);
        while let Some(position) = work.pop_first() {
            let root = self.shape.order[position];
            let Some(state) = self.at[root].clone() else { continue };
            let mut reached: Vec<Loc> = Vec::new();
            self.walk(terms, root, state, |analysis, _, _, edge, state| {
                let to = analysis.program.edges[edge].to;
                if !analysis.is_root[to] {
                    return;
                }
                let state = state.map(|state| analysis.settled(state));
                if analysis.behind[edge] != state {
                    analysis.behind[edge] = state;
                    reached.push(to);
                }
            });
            for to in reached {
                if self.gather(terms, to) {
                    work.insert(self.shape.position[to]);
                }
            }
        }
    }

    /// What is still known at a join: copies of live variables.
    fn settled(&self, state: &Rc<State>) -> Rc<State> {
        if state.ended.is_empty() {
            return Rc::clone(state);
        }
        let mut settled = State::clone(state);
        for var in std::mem::take(&mut settled.ended) {
            settled.remove_copies(var);
        }
        Rc::new(settled)
    }

    /// Takes together what comes in at a root; whether that is new.
    fn gather(&mut self, terms: &Terms, root: Loc) -> bool {
        let root_of = |value: Term| self.root_of(terms, value).flatten();
        let mut all: Option<State> = None;
        for &edge in self.graph.incoming(root) {
            if let Some(state) = &self.behind[edge] {
                all = Some(match all {
                    None => State::clone(state),
                    Some(others) => others.meet(&root_of, state),
                });
            }
        }
        // The program's start may be the head of a loop.
        if root == entry_of(self.program) {
            all = Some(State::default());
        }
        let Some(mut all) = all else { return false };
        if let (true, Some(before)) = (self.shape.head[root], &self.at[root]) {
            all = all.meet(&root_of, before);
        }
        let changed = self.at[root].as_deref() != Some(&all);
        if changed {
            self.at[root] = Some(Rc::new(all));
        }
        changed
    }

    /// Visits the edges of the tree below a root with the action as rewritten and the state behind it.
    fn walk(
        &mut self,
        terms: &mut Terms,
        root: Loc,
        state: Rc<State>,
        mut visit: impl FnMut(&mut Self, &Terms, Action, EdgeId, Option<&Rc<State>>),
    ) {
        let mut stack = vec![(root, state)];
        while let Some((loc, state)) = stack.pop() {
            for &edge in self.graph.outgoing(loc) {
                let (action, after) = self.transfer(terms, edge, &state);
                visit(self, terms, action, edge, after.as_ref());
                let to = self.program.edges[edge].to;
                if let (Some(after), false) = (after, self.is_root[to]) {
                    stack.push((to, after));
                }
            }
        }
    }

    /// All edges that the program can take, rewritten; those that it cannot take closed.
    fn rewritten(mut self, terms: &mut Terms) -> Vec<(EdgeId, Action)> {
        let mut changed = Vec::new();
        for root in self.program.locations.ids().filter(|&loc| self.is_root[loc]).collect::<Vec<_>>() {
            let Some(state) = self.at[root].clone() else { continue };
            self.walk(terms, root, state, |_, _, action, edge, _| changed.push((edge, action)));
        }
        changed
    }

    /// The action with what is known put in, and what is known afterwards; none if the edge cannot be taken.
    fn transfer(&mut self, terms: &mut Terms, edge: EdgeId, state: &Rc<State>) -> (Action, Option<Rc<State>>) {
        let program = self.program;
        let action = rewrite(&program.edges[edge].action, |term| self.resolve(terms, term, state));
        if let Action::Assume(condition) = action
            && terms.op(condition) == Op::False
        {
            return (action, None);
        }
        let mut targets: Vec<Var> = Vec::new();
        action.for_each_target(|var| targets.push(var));
        let mut learnt: Vec<(Var, Term)> = Vec::new();
        match &action {
            Action::Assume(condition) => self.learn(terms, *condition, &mut learnt),
            Action::Assign(pairs) => {
                let kept = |&(var, value): &(Var, Term)| {
                    value != program.vars[var].term
                        && self
                            .root_of(terms, value)
                            .is_some_and(|root| root.is_none_or(|root| !targets.contains(&root)))
                };
                learnt.extend(pairs.iter().filter(|pair| kept(pair)));
                // What is assigned to itself is not changed.
                targets.retain(|&var| !pairs.contains(&(var, program.vars[var].term)));
            }
            _ => {}
        }
        if targets.is_empty() && learnt.is_empty() && self.deaths.at[edge].is_empty() {
            return (action, Some(Rc::clone(state)));
        }
        let root_of = |value: Term| self.root_of(terms, value).flatten();
        let mut after = State::clone(state);
        for &var in &targets {
            after.remove(&root_of, var);
            after.remove_copies(var);
        }
        if !targets.is_empty() && !after.ended.is_empty() {
            let targets = sorted(&targets);
            after.ended.retain(|var| targets.binary_search(var).is_err());
        }
        if matches!(action, Action::Assume(_)) {
            // A variable that is now known takes its copies along.
            for &(var, value) in &learnt {
                for &copy in after.copies_of(var).iter() {
                    after.set(&root_of, copy, value);
                }
            }
        }
        for (var, value) in learnt {
            after.set(&root_of, var, value);
        }
        for var in self.deaths.of(edge) {
            after.remove(&root_of, var);
        }
        after.ended.extend(self.deaths.of(edge).filter(|var| after.copies.get(var.index()).is_some()));
        if after == **state {
            return (action, Some(Rc::clone(state)));
        }
        (action, Some(Rc::new(after)))
    }

    fn resolve(&mut self, terms: &mut Terms, term: Term, state: &State) -> Term {
        if state.known.is_empty() {
            return term;
        }
        let vars = self.reads.of(terms, term);
        let known = vars.iter().filter_map(|&var| Some((self.program.vars[var].term, state.get(var)?)));
        let pairs: Vec<(Term, Term)> = known.collect();
        if pairs.is_empty() { term } else { terms.substitute(term, &pairs) }
    }

    /// Whether a value is one that we keep: the variable it depends on, if any.
    fn root_of(&self, terms: &Terms, value: Term) -> Option<Option<Var>> {
        let constant =
            |var: Var| matches!(self.program.vars[var].kind, VarKind::AddressOf(_) | VarKind::AddressOfFunction(_));
        match terms.op(value) {
            Op::Value | Op::Numeral | Op::True | Op::False => Some(None),
            Op::Symbol(_) => {
                let var = self.reads.variable(value)?;
                Some((!constant(var)).then_some(var))
            }
            Op::BvAdd => match *terms.args(value) {
                [base, offset] if terms.is_value(offset) => {
                    let var = self.reads.variable(base)?;
                    constant(var).then_some(None)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// What a condition says about single variables.
    fn learn(&self, terms: &mut Terms, condition: Term, learnt: &mut Vec<(Var, Term)>) {
        let variable = |term: Term| self.reads.variable(term).filter(|&var| self.root_of_variable(var));
        let mut parts = vec![condition];
        while let Some(part) = parts.pop() {
            match (terms.op(part), terms.args(part)) {
                (Op::And, args) => parts.extend_from_slice(args),
                (Op::Symbol(_), _) => {
                    if let Some(var) = variable(part) {
                        learnt.push((var, terms.truth(true)));
                    }
                }
                (Op::Not, &[inner]) => {
                    if let Some(var) = variable(inner) {
                        learnt.push((var, terms.truth(false)));
                    }
                }
                (Op::Eq, &[left, right]) => {
                    if matches!(terms.op(right), Op::Value | Op::Numeral)
                        && let Some(var) = variable(left)
                    {
                        learnt.push((var, right));
                    }
                }
                _ => {}
            }
        }
    }
    fn root_of_variable(&self, var: Var) -> bool {
        !matches!(self.program.vars[var].kind, VarKind::AddressOf(_) | VarKind::AddressOfFunction(_))
    }
}

fn sorted(vars: &[Var]) -> Vec<Var> {
    let mut vars = vars.to_vec();
    vars.sort_unstable();
    vars
}
