//! Slicing: the cone of influence of the errors.
//!
//! What matters: the conditions on which it depends whether an error is reached, the variables that they
//! read, the assignments to those, the conditions on which these depend, and so on. All the rest
//! becomes empty steps, loops included, which keep their locations (law 4).
//!
//! *Control* is the dependence of [FerranteOttensteinWarren-TOPLAS'87]: a location depends on a branch if it lies behind all ways
//! from one of the branch's edges to the end, but not behind all from the branch. Runs end in errors, and wherever
//! no edge may be enabled; that a loop may never end does not count, so a sliced program may have more errors
//! than the program before, on runs that would not have come so far. Only where a loop does nothing about the
//! conditions of its exits these are kept: such loops are made to run forever, and the conditions cost little. A loop
//! that only an error can end does count as one that may end at its head: otherwise the error would lie behind every
//! way, on no condition at all.
//!
//! *Data* is asked for by variable, whatever the order of statements. Memory that is left counts as one variable. An
//! input is relevant in all places or in none (law 6).

use base::{FastMap, Id, IndexVec};
use term::{Op, Term, Terms};

use super::BackMap;
use super::reads::Reads;
use super::shape::{Shape, empty, expect_inlined};
use crate::structure::{Digraph, Dominators, WeakOrder};
use crate::{Action, EdgeId, Graph, InputId, Loc, Mark, Program, Var};

/// Keeps what the errors depend on.
pub fn slice(mut program: Program, terms: &mut Terms) -> (Program, BackMap) {
    expect_inlined(&program);
    let map = BackMap::identity(&program);
    let graph = Graph::new(&program);
    let mut cone = Cone::new(&program, terms, &graph);
    cone.grow(terms);
    let Cone { branches, vars, memory, inputs, .. } = cone;
    for edge in program.edges.iter_mut() {
        let keep = match &mut edge.action {
            Action::Assume(_) => branches[edge.from],
            Action::Assign(pairs) => {
                pairs.retain(|(var, _)| vars[*var]);
                !pairs.is_empty()
            }
            Action::Havoc { input, .. } => inputs.contains_key(input),
            Action::Load { var, .. } | Action::Probe { var, .. } => vars[*var],
            Action::Alloc { var, .. } => vars[*var] || memory,
            Action::Store { .. } | Action::Forget { .. } | Action::Free { .. } | Action::End { .. } => memory,
            Action::Check { .. } | Action::Order(_) => false,
            Action::Call { .. } => unreachable!("calls are inlined"),
        };
        if !keep {
            edge.action = empty(terms);
        }
    }
    (program, map)
}

/// What matters so far.
struct Cone<'a> {
    program: &'a Program,
    graph: &'a Graph,
    reads: Reads,
    /// The branches that each location depends on.
    controlled_by: IndexVec<Loc, Vec<Loc>>,
    writers: IndexVec<Var, Vec<EdgeId>>,
    askers: FastMap<InputId, Vec<EdgeId>>,
    /// Locations that matter, branches whose conditions do, variables whose values do.
    places: IndexVec<Loc, bool>,
    branches: IndexVec<Loc, bool>,
    vars: IndexVec<Var, bool>,
    memory: bool,
    inputs: FastMap<InputId, ()>,
    work: Vec<Item>,
}

/// Something that has come to matter.
enum Item {
    Place(Loc),
    Var(Var),
    Memory,
    Input(InputId),
}

impl<'a> Cone<'a> {
    fn new(program: &'a Program, terms: &mut Terms, graph: &'a Graph) -> Self {
        let mut writers: IndexVec<Var, Vec<EdgeId>> = program.vars.iter().map(|_| Vec::new()).collect();
        let mut askers: FastMap<InputId, Vec<EdgeId>> = FastMap::new();
        for (id, edge) in program.edges.iter_enumerated() {
            edge.action.for_each_target(|var| writers[var].push(id));
            if let Action::Havoc { input, .. } = edge.action {
                askers.get_or_insert_with(input, Vec::new).push(id);
            }
        }
        let none = || program.locations.iter().map(|_| false).collect();
        Cone {
            program,
            graph,
            reads: Reads::new(program),
            controlled_by: control(program, terms, graph),
            writers,
            askers,
            places: none(),
            branches: none(),
            vars: program.vars.iter().map(|_| false).collect(),
            memory: false,
            inputs: FastMap::new(),
            work: Vec::new(),
        }
    }

    /// Adds what matters until nothing new comes.
    fn grow(&mut self, terms: &Terms) {
        let program = self.program;
        for (loc, info) in program.locations.iter_enumerated() {
            if matches!(info.mark, Mark::Error(_)) {
                self.place(loc);
            }
        }
        for exit in self.stubborn_exits(terms) {
            self.branch(terms, exit);
        }
        while let Some(item) = self.work.pop() {
            match item {
                Item::Place(loc) => {
                    for branch in std::mem::take(&mut self.controlled_by[loc]) {
                        self.branch(terms, branch);
                    }
                }
                Item::Var(var) => {
                    for edge in std::mem::take(&mut self.writers[var]) {
                        self.writes(terms, edge, var);
                    }
                }
                Item::Memory => {
                    for edge in program.edges.ids() {
                        let action = &program.edges[edge].action;
                        let touches = matches!(
                            action,
                            Action::Store { .. } | Action::Forget { .. } | Action::Alloc { .. } | Action::Free { .. }
                        );
                        if touches {
                            self.reads_all(terms, action);
                            self.place(program.edges[edge].from);
                            action.for_each_target(|var| self.var(var));
                        }
                    }
                }
                Item::Input(input) => {
                    for edge in self.askers.remove(&input).unwrap_or_default() {
                        self.place(program.edges[edge].from);
                    }
                }
            }
        }
    }

    /// The branches that lead out of loops which do nothing about their conditions.
    fn stubborn_exits(&mut self, terms: &Terms) -> Vec<Loc> {
        let (program, graph) = (self.program, self.graph);
        let Some(entry) = program.entry.map(|entry| program.functions[entry].entry) else { return Vec::new() };
        let ends = program.edges.iter().map(|edge| (edge.from.index(), edge.to.index()));
        let order = WeakOrder::new(&Digraph::new(program.locations.len(), ends), entry.index());
        let mut found = Vec::new();
        for (start, end) in order.end.iter().enumerate() {
            let Some(end) = *end else { continue };
            let body = &order.row[start..end];
            let mut is_inside = vec![false; program.locations.len()];
            body.iter().for_each(|&node| is_inside[node] = true);
            let edges: Vec<EdgeId> = body.iter().flat_map(|&node| graph.outgoing(Loc::new(node))).copied().collect();
            let inner: Vec<EdgeId> =
                edges.iter().copied().filter(|&edge| is_inside[program.edges[edge].to.index()]).collect();
            let changed = self.changed(terms, &inner);
            let leaving = edges.iter().filter(|&&edge| !is_inside[program.edges[edge].to.index()]);
            let mut exits: Vec<Loc> = leaving.map(|&edge| program.edges[edge].from).collect();
            exits.dedup();
            let is_stubborn = |exit: &Loc| {
                graph.outgoing(*exit).iter().all(|&edge| match program.edges[edge].action {
                    Action::Assume(condition) => self.reads.of(terms, condition).iter().all(|var| !changed[*var]),
                    _ => false,
                })
            };
            if exits.iter().all(is_stubborn) {
                found.extend(exits);
            }
        }
        found
    }
    /// The variables that may have another value each time one of these edges is taken.
    fn changed(&mut self, terms: &Terms, edges: &[EdgeId]) -> IndexVec<Var, bool> {
        let program = self.program;
        let mut changed: IndexVec<Var, bool> = program.vars.iter().map(|_| false).collect();
        for &edge in edges {
            program.edges[edge].action.for_each_target(|var| changed[var] = true);
        }
        // What is always computed from what stays the same stays the same.
        loop {
            let mut steady = changed.clone();
            for &edge in edges {
                match &program.edges[edge].action {
                    Action::Assign(pairs) => {
                        for &(var, value) in pairs {
                            steady[var] &= self.reads.of(terms, value).iter().all(|read| !changed[*read]);
                        }
                    }
                    action => action.for_each_target(|var| steady[var] = false),
                }
            }
            let mut is_done = true;
            for var in program.vars.ids().filter(|&var| steady[var]) {
                changed[var] = false;
                is_done = false;
            }
            if is_done {
                return changed;
            }
        }
    }

    fn place(&mut self, loc: Loc) {
        if !std::mem::replace(&mut self.places[loc], true) {
            self.work.push(Item::Place(loc));
        }
    }
    fn var(&mut self, var: Var) {
        if !std::mem::replace(&mut self.vars[var], true) {
            self.work.push(Item::Var(var));
        }
    }
    fn branch(&mut self, terms: &Terms, loc: Loc) {
        if std::mem::replace(&mut self.branches[loc], true) {
            return;
        }
        self.place(loc);
        for &edge in self.graph.outgoing(loc) {
            if let Action::Assume(condition) = self.program.edges[edge].action {
                self.reads_term(terms, condition);
            }
        }
    }
    fn writes(&mut self, terms: &Terms, edge: EdgeId, var: Var) {
        let edge = &self.program.edges[edge];
        self.place(edge.from);
        match &edge.action {
            Action::Assign(pairs) => {
                let value = pairs.iter().find(|(target, _)| *target == var).map(|&(_, value)| value);
                self.reads_term(terms, value.expect("the edge writes the variable"));
            }
            Action::Havoc { input, .. } => {
                if self.inputs.insert(*input, ()).is_none() {
                    self.work.push(Item::Input(*input));
                }
            }
            action => {
                self.reads_all(terms, action);
                if !std::mem::replace(&mut self.memory, true) {
                    self.work.push(Item::Memory);
                }
            }
        }
    }
    fn reads_term(&mut self, terms: &Terms, term: Term) {
        for &var in self.reads.of(terms, term).iter() {
            self.var(var);
        }
    }
    fn reads_all(&mut self, terms: &Terms, action: &Action) {
        for var in self.reads.of_action(terms, action) {
            self.var(var);
        }
    }
}

/// For each location the branches that it depends on.
fn control(program: &Program, terms: &mut Terms, graph: &Graph) -> IndexVec<Loc, Vec<Loc>> {
    let shape = Shape::new(program, graph, |_| false);
    let end = program.locations.len();
    let mut edges: Vec<(usize, usize)> = Vec::new();
    for loc in program.locations.ids().filter(|&loc| shape.reached(loc)) {
        if may_block(program, terms, graph, loc) {
            edges.push((end, loc.index()));
        }
        for &edge in graph.outgoing(loc) {
            edges.push((program.edges[edge].to.index(), loc.index()));
        }
    }
    for head in endless(program, &shape, &edges) {
        edges.push((end, head));
    }
    let backward = Digraph::new(end + 1, edges.iter().copied());
    let after = Dominators::new(&backward, end);
    let mut controlled_by: IndexVec<Loc, Vec<Loc>> = program.locations.iter().map(|_| Vec::new()).collect();
    for loc in program.locations.ids().filter(|&loc| shape.reached(loc)) {
        let ways = graph.outgoing(loc);
        if ways.len() < 2 && !may_block(program, terms, graph, loc) {
            continue;
        }
        let stop = after.immediate(loc.index());
        for &edge in ways {
            // All that lies behind this way up to where all ways of the branch meet again.
            let mut at = Some(program.edges[edge].to.index());
            while let Some(node) = at.filter(|&node| Some(node) != stop && node != end) {
                let list = &mut controlled_by[Loc::new(node)];
                if list.last() != Some(&loc) {
                    list.push(loc);
                }
                at = after.immediate(node);
            }
        }
    }
    controlled_by
}

/// The heads of loops that only errors can end. `edges` lead backwards, the end included.
fn endless(program: &Program, shape: &Shape, edges: &[(usize, usize)]) -> Vec<usize> {
    let end = program.locations.len();
    let is_error = |node: usize| matches!(program.locations[Loc::new(node)].mark, Mark::Error(_));
    let others = edges.iter().copied().filter(|&(from, to)| from != end || !is_error(to));
    let backward = Digraph::new(end + 1, others);
    let mut ends = vec![false; end + 1];
    backward.postorder(end).into_iter().for_each(|node| ends[node] = true);
    let Some(entry) = program.entry.map(|entry| program.functions[entry].entry) else { return Vec::new() };
    let forward = Digraph::new(end, edges.iter().filter(|&&(from, _)| from != end).map(|&(to, from)| (from, to)));
    let order = WeakOrder::new(&forward, entry.index());
    order.heads().filter(|&head| !ends[head] && shape.reached(Loc::new(head))).collect()
}

/// Whether a run may end here: no edge leaves, or perhaps none is enabled.
fn may_block(program: &Program, terms: &mut Terms, graph: &Graph, loc: Loc) -> bool {
    let mut conditions = Vec::new();
    for &edge in graph.outgoing(loc) {
        match program.edges[edge].action {
            Action::Assume(condition) => conditions.push(condition),
            _ => return false,
        }
    }
    let any = terms.or(&conditions);
    if terms.op(any) == Op::True {
        return false;
    }
    // A choice between equalities and everything else, as a switch makes it.
    !conditions.iter().any(|&one| is_rest(terms, one, &conditions))
}

/// Whether the condition is the negation of the disjunction of all others.
fn is_rest(terms: &mut Terms, one: Term, all: &[Term]) -> bool {
    let others: Vec<Term> = all.iter().copied().filter(|&other| other != one).collect();
    let others = terms.or(&others);
    terms.not(others) == one
}
