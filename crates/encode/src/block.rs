//! One block executed symbolically: all ways from a cutpoint to the next ones, at once.
//!
//! Locations are met in topological order. Each has a *guard*, the condition under which a run that
//! started at the cutpoint comes by, and an environment: the variables changed so far, with their values
//! as terms over the state at the start and the inputs. Where ways meet, values are merged by `ite`.
//!
//! Guards form a tree: a branch hangs its literal below the guard of the location. Where ways meet we
//! climb from the deepest guards up and merge siblings; siblings whose literals exhaust all cases give
//! back their parent. So after `if (c) … else …` the guard is the one from before, not `(g ∧ c) ∨ (g ∧
//! ¬c)`, and values are merged by `ite(c, …)` alone.
//!
//! Only assumptions are guarded; definitions need no guard because all operators are total.

use std::collections::BTreeMap;

use base::{FastMap, Id, IndexVec, SharedMap};
use program::{Action, EdgeId, Graph, InputId, InputKind, Loc, Mark, Program, Shown, Var};
use term::{Substitution, Term, Terms};

use crate::choice::{are_exclusive, are_exhaustive};
use crate::cutpoints::Cut;

/// All ways from one cutpoint to the next ones.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// The cutpoints that can be next, each once; at most one exit is taken.
    pub exits: Vec<Exit>,
    /// The inputs on the way, in an order in which a run meets them.
    pub inputs: Vec<BlockInput>,
    /// What the edges on the way compute, in an order in which a run meets them.
    pub statements: Vec<BlockStatement>,
}

/// What an edge computes: the values that it assigns, or its condition.
#[derive(Clone, Debug)]
pub struct BlockStatement {
    /// The edge.
    pub edge: EdgeId,
    /// Over the state at the start of the block and the inputs.
    pub terms: Vec<Term>,
}

/// One way out of a block.
#[derive(Clone, Debug)]
pub struct Exit {
    /// The next cutpoint.
    pub to: Cut,
    /// Holds when the run leaves this way.
    pub guard: Term,
    /// The variables that may have changed, ascending, with their values there.
    pub values: Vec<(Var, Term)>,
}

/// A free value met on the way.
#[derive(Clone, Debug)]
pub struct BlockInput {
    /// Stands for the value.
    pub symbol: Term,
    /// Where it comes from.
    pub source: Source,
    /// The edge that receives it.
    pub edge: EdgeId,
    /// Holds when the run comes by.
    pub guard: Term,
}

/// Where a free value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// An input of the program.
    Input(InputId),
    /// A read through a pointer that is not modelled.
    Load,
    /// The address of a new object.
    Address,
    /// Which of several edges is taken.
    Choice,
}

impl Source {
    /// Whether the value is the address of a new object, which differs from all that another run of the edge, or another edge, makes,
    /// and from those of named objects.
    pub fn is_new_address(self, program: &Program) -> bool {
        match self {
            Source::Input(input) => {
                let input = &program.inputs[input];
                input.kind == InputKind::Memory && input.shown == Shown::Pointer
            }
            Source::Load | Source::Address | Source::Choice => false,
        }
    }
}

/// The variables changed so far, with their values.
type Env = SharedMap<Term>;

/// What the execution of all blocks shares.
pub(crate) struct Plan {
    pub graph: Graph,
    /// The cutpoint at a location.
    pub cut_of: IndexVec<Loc, Option<Cut>>,
    /// The position of a location in a weak topological order, `u32::MAX` if it is not reached.
    pub position: Vec<u32>,
    /// What the names of inputs begin with, and no variable's name does.
    pub prefix: String,
    /// The variable that a symbol stands for.
    pub var_of: FastMap<Term, Var>,
}

impl Block {
    /// Executes what starts at a location.
    pub(crate) fn execute(program: &Program, terms: &mut Terms, plan: &Plan, from: Loc) -> Block {
        let Plan { graph, cut_of, position, .. } = plan;
        if matches!(program.locations[from].mark, Mark::Error(_)) {
            return Block::default();
        }
        let mut run =
            Execution { program, terms, plan, guards: Vec::new(), inputs: Vec::new(), statements: Vec::new() };
        let start = run.root();
        // By position, so that a location is met after all that lead to it.
        let mut open: BTreeMap<u32, (Loc, Vec<Arrival>)> = BTreeMap::new();
        let mut leaving: BTreeMap<Cut, Vec<Arrival>> = BTreeMap::new();
        open.insert(position[from.index()], (from, vec![Arrival { guard: start, only_if: None, env: Env::default() }]));
        while let Some((_, (loc, arrivals))) = open.pop_first() {
            let Some((guard, env)) = run.join(arrivals) else { continue };
            let edges: Vec<EdgeId> =
                graph.outgoing(loc).iter().copied().filter(|&edge| edge_is_live(program, position, edge)).collect();
            let ways = run.ways(&edges, guard);
            let last = ways.len().wrapping_sub(1);
            let mut env = Some(env);
            for (number, (edge, literals)) in ways.into_iter().enumerate() {
                let mut env = if number == last { env.take() } else { env.clone() }.expect("taken by the last only");
                let Some(guard) = run.pass(edge, guard, &literals, &mut env) else { continue };
                let to = program.edges[edge].to;
                let arrival = Arrival { guard, only_if: None, env };
                match cut_of[to] {
                    Some(cut) => leaving.entry(cut).or_default().push(arrival),
                    None => open.entry(position[to.index()]).or_insert_with(|| (to, Vec::new())).1.push(arrival),
                }
            }
        }
        let mut exits = Vec::new();
        for (to, arrivals) in leaving {
            if let Some((guard, env)) = run.join(arrivals) {
                let mut values = Vec::new();
                env.for_each(|var, &value| values.push((Var::new(var), value)));
                exits.push(Exit { to, guard: run.guards[guard as usize].all, values });
            }
        }
        Block { exits, inputs: run.inputs, statements: run.statements }
    }
}

/// Edges to locations that the entry does not reach do not exist: all we meet is reached.
fn edge_is_live(program: &Program, position: &[u32], edge: EdgeId) -> bool {
    position[program.edges[edge].to.index()] != u32::MAX
}

/// A node of the tree of guards.
struct Guard {
    parent: u32,
    depth: u32,
    /// What holds in addition to the parent.
    literal: Term,
    /// The conjunction of all literals up to the root.
    all: Term,
}

/// A way that has come to a location.
struct Arrival {
    guard: u32,
    /// Only if this holds too; none for "always".
    only_if: Option<Term>,
    env: Env,
}

struct Execution<'a> {
    program: &'a Program,
    terms: &'a mut Terms,
    plan: &'a Plan,
    guards: Vec<Guard>,
    inputs: Vec<BlockInput>,
    statements: Vec<BlockStatement>,
}

impl Execution<'_> {
    fn root(&mut self) -> u32 {
        let truth = self.terms.truth(true);
        self.guards.push(Guard { parent: 0, depth: 0, literal: truth, all: truth });
        0
    }
    /// The guard with one more literal, or none if it can never hold.
    fn under(&mut self, guard: u32, literal: Term) -> Option<u32> {
        if literal == self.terms.truth(true) {
            return Some(guard);
        }
        let all = self.terms.and(&[self.guards[guard as usize].all, literal]);
        if all == self.terms.truth(false) {
            return None;
        }
        let depth = self.guards[guard as usize].depth + 1;
        self.guards.push(Guard { parent: guard, depth, literal, all });
        Some(self.guards.len() as u32 - 1)
    }
    /// The edges with the literals that choose between them, beside their own conditions.
    fn ways(&mut self, edges: &[EdgeId], guard: u32) -> Vec<(EdgeId, Vec<Term>)> {
        let truth = self.terms.truth(true);
        let conditions: Vec<Term> = edges
            .iter()
            .map(|&edge| match self.program.edges[edge].action {
                Action::Assume(condition) => condition,
                _ => truth,
            })
            .collect();
        if are_exclusive(self.terms, &conditions) {
            return edges.iter().map(|&edge| (edge, Vec::new())).collect();
        }
        let mut ways = Vec::new();
        let mut earlier = Vec::new();
        for (number, &edge) in edges.iter().enumerate() {
            let mut literals = earlier.clone();
            if number + 1 < edges.len() {
                let sort = self.terms.bool_sort();
                let choice = self.fresh(edge, "choice", sort, Source::Choice, guard);
                literals.push(choice);
                earlier.push(self.terms.not(choice));
            }
            ways.push((edge, literals));
        }
        ways
    }
    /// Executes an edge; none if it is never enabled.
    fn pass(&mut self, edge: EdgeId, guard: u32, literals: &[Term], env: &mut Env) -> Option<u32> {
        let mut guard = guard;
        for &literal in literals {
            guard = self.under(guard, literal)?;
        }
        match &self.program.edges[edge].action {
            Action::Assume(condition) => {
                let condition = self.now(env, *condition);
                self.statements.push(BlockStatement { edge, terms: vec![condition] });
                guard = self.under(guard, condition)?;
            }
            Action::Assign(pairs) => {
                let mut values: Vec<(Var, Term)> = Vec::with_capacity(pairs.len());
                let all: Vec<Term> = pairs.iter().map(|&(_, value)| value).collect();
                let mut substitution = self.substitution(env, &all);
                for &(var, value) in pairs {
                    values.push((var, substitution.apply(self.terms, value)));
                }
                let terms = values.iter().map(|&(_, value)| value).collect();
                self.statements.push(BlockStatement { edge, terms });
                for (var, value) in values {
                    env.insert(var.index(), value);
                }
            }
            Action::Havoc { var, input } => {
                let value = self.fresh_for(edge, *var, Source::Input(*input), guard);
                env.insert(var.index(), value);
            }
            // Whether an access through a real pointer is valid is not modelled, as what it reads.
            Action::Load { var, .. } | Action::Probe { var, .. } => {
                let value = self.fresh_for(edge, *var, Source::Load, guard);
                env.insert(var.index(), value);
            }
            Action::Alloc { var, .. } => {
                let value = self.fresh_for(edge, *var, Source::Address, guard);
                env.insert(var.index(), value);
                let null = self.terms.bv(self.program.pointer_width, 0);
                let not_null = self.terms.ne(value, null);
                guard = self.under(guard, not_null)?;
            }
            Action::Store { .. }
            | Action::Forget { .. }
            | Action::Free { .. }
            | Action::End { .. }
            | Action::Order(_)
            | Action::Check { .. } => {}
            Action::Call { .. } => unreachable!("programs with calls are refused before"),
        }
        Some(guard)
    }
    fn fresh_for(&mut self, edge: EdgeId, var: Var, source: Source, guard: u32) -> Term {
        self.fresh(edge, "", self.program.vars[var].sort, source, guard)
    }
    fn fresh(&mut self, edge: EdgeId, word: &str, sort: term::Sort, source: Source, guard: u32) -> Term {
        let symbol = self.terms.variable(&format!("{}{word}{}", self.plan.prefix, edge.index()), sort);
        let guard = self.guards[guard as usize].all;
        self.inputs.push(BlockInput { symbol, source, edge, guard });
        symbol
    }
    fn now(&mut self, env: &Env, term: Term) -> Term {
        if env.is_empty() { term } else { self.substitution(env, &[term]).apply(self.terms, term) }
    }
    /// Puts the values of the variables into these terms.
    fn substitution(&self, env: &Env, roots: &[Term]) -> Substitution {
        let value = |part: Term| env.get(self.plan.var_of.get(&part)?.index()).map(|&value| (part, value));
        let pairs: Vec<(Term, Term)> = self.terms.subterms(roots).into_iter().filter_map(value).collect();
        Substitution::new(self.terms, &pairs)
    }
    /// One guard and environment for all paths that have arrived; `None` if there is no path.
    fn join(&mut self, mut arrivals: Vec<Arrival>) -> Option<(u32, Env)> {
        if arrivals.is_empty() {
            return None;
        }
        // Deepest last, siblings side by side.
        arrivals.sort_by_key(|arrival| self.rank(arrival.guard));
        while arrivals.len() > 1 {
            let deepest = arrivals.last().expect("there are two").guard;
            let (depth, parent) = (self.guards[deepest as usize].depth, self.guards[deepest as usize].parent);
            let first = arrivals.partition_point(|arrival| self.rank(arrival.guard) < (depth, parent, 0));
            let siblings = arrivals.split_off(first);
            let merged = self.merge(siblings, parent);
            let at = arrivals.partition_point(|arrival| self.rank(arrival.guard) <= self.rank(merged.guard));
            arrivals.insert(at, merged);
        }
        let only = arrivals.pop().expect("one is left");
        let guard = match only.only_if {
            Some(condition) => self.under(only.guard, condition)?,
            None => only.guard,
        };
        Some((guard, only.env))
    }
    fn rank(&self, guard: u32) -> (u32, u32, u32) {
        let node = &self.guards[guard as usize];
        (node.depth, node.parent, guard)
    }
    /// Arrivals whose guards hang below the same parent, or are the same guard, become one at the parent.
    fn merge(&mut self, siblings: Vec<Arrival>, parent: u32) -> Arrival {
        let mut literals = Vec::with_capacity(siblings.len());
        let mut conditions = Vec::with_capacity(siblings.len());
        let mut is_whole = true;
        for arrival in &siblings {
            let literal = self.guards[arrival.guard as usize].literal;
            literals.push(literal);
            is_whole &= arrival.only_if.is_none();
            conditions.push(match arrival.only_if {
                Some(condition) => self.terms.and(&[literal, condition]),
                None => literal,
            });
        }
        let is_whole = is_whole && are_exhaustive(self.terms, &literals);
        let only_if = (!is_whole).then(|| self.terms.or(&conditions));
        let mut siblings = siblings.into_iter().zip(conditions).rev();
        let (last, _) = siblings.next().expect("at least one path has arrived");
        let mut env = last.env;
        for (arrival, condition) in siblings {
            env = self.choose(condition, arrival.env, env);
        }
        Arrival { guard: parent, only_if, env }
    }
    /// The first environment where the condition holds, otherwise the second.
    fn choose(&mut self, condition: Term, first: Env, mut second: Env) -> Env {
        let mut differences = Vec::new();
        first.for_each_difference(&second, |var, a, b| differences.push((var, a.copied(), b.copied())));
        for (var, a, b) in differences {
            let old = self.program.vars[Var::new(var)].term;
            let (a, b) = (a.unwrap_or(old), b.unwrap_or(old));
            let value = if a == b { a } else { self.terms.ite(condition, a, b) };
            second.insert(var, value);
        }
        second
    }
}
