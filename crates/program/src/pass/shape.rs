//! The shape of the entry function's graph: what is reachable, what lies on cycles, where runs join.

use base::{Id, IndexVec};
use term::Terms;

use crate::structure::{Digraph, WeakOrder};
use crate::{Action, Edge, Graph, Loc, Program};

/// The loops of a program, by location.
#[derive(Clone, Debug)]
pub struct Shape {
    /// In which order locations are worked through; only those that the entry reaches.
    pub order: Vec<Loc>,
    /// The position in that order; `usize::MAX` for locations that the entry does not reach.
    pub position: IndexVec<Loc, usize>,
    /// Whether the location lies on a cycle.
    pub cyclic: IndexVec<Loc, bool>,
    /// The number of its strongly connected component; meaningful for locations on cycles.
    pub component: IndexVec<Loc, usize>,
    /// Whether it is a head of the weak topological order.
    pub head: IndexVec<Loc, bool>,
    /// Whether it lies on a cycle and several edges lead there: every cutpoint is one of these.
    pub join: IndexVec<Loc, bool>,
}

impl Shape {
    /// The shape of what the entry location reaches; edges for which `skip` says so do not count.
    pub fn new(program: &Program, graph: &Graph, skip: impl Fn(&Edge) -> bool) -> Shape {
        let entry = entry_of(program);
        let edges: Vec<(usize, usize)> =
            program.edges.iter().filter(|edge| !skip(edge)).map(|edge| (edge.from.index(), edge.to.index())).collect();
        let digraph = Digraph::new(program.locations.len(), edges.iter().copied());
        let weak = WeakOrder::new(&digraph, entry.index());
        let none = || -> IndexVec<Loc, bool> { program.locations.iter().map(|_| false).collect() };
        let mut shape = Shape {
            order: weak.row.iter().map(|&node| Loc::new(node)).collect(),
            position: program.locations.iter().map(|_| usize::MAX).collect(),
            cyclic: none(),
            component: program.locations.iter().map(|_| usize::MAX).collect(),
            head: none(),
            join: none(),
        };
        let mut end = 0;
        let mut component = 0;
        for (position, &node) in weak.row.iter().enumerate() {
            let loc = Loc::new(node);
            shape.position[loc] = position;
            shape.head[loc] = weak.end[position].is_some();
            if position >= end {
                component += 1;
                end = weak.end[position].unwrap_or(position);
            }
            shape.cyclic[loc] = position < end;
            shape.component[loc] = component;
        }
        for loc in program.locations.ids() {
            let incoming = graph.incoming(loc).iter().filter(|&&edge| !skip(&program.edges[edge])).count();
            shape.join[loc] = shape.cyclic[loc] && (incoming > 1 || shape.head[loc]);
        }
        shape
    }
    /// Whether the entry reaches the location.
    pub fn reached(&self, loc: Loc) -> bool {
        self.position[loc] != usize::MAX
    }
    /// Whether both lie on one cycle.
    pub fn together(&self, one: Loc, other: Loc) -> bool {
        self.cyclic[one] && self.cyclic[other] && self.component[one] == self.component[other]
    }
}

/// Where the program starts.
pub fn entry_of(program: &Program) -> Loc {
    program.functions[program.entry.expect("a program has an entry function")].entry
}

/// Whether the edge can never be taken, as its condition says.
pub fn is_closed(terms: &Terms, edge: &Edge) -> bool {
    matches!(edge.action, Action::Assume(condition) if terms.op(condition) == term::Op::False)
}

/// Whether nothing happens on the edge.
pub fn is_empty(terms: &Terms, action: &Action) -> bool {
    match action {
        Action::Assume(condition) => terms.op(*condition) == term::Op::True,
        Action::Assign(pairs) => pairs.is_empty(),
        _ => false,
    }
}

/// The empty step.
pub fn empty(terms: &mut Terms) -> Action {
    Action::Assume(terms.truth(true))
}

/// Panics if a call is left: the passes after inlining need to see everything.
pub(super) fn expect_inlined(program: &Program) {
    let call = program.edges.iter().find(|edge| matches!(edge.action, Action::Call { .. }));
    assert!(call.is_none(), "calls are inlined before this pass");
}
