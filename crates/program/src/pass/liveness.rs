//! Live variables: whose value may still be read.
//!
//! Sixty-four variables walk backward from their reads at once, one bit each, until a write is met (as in
//! the check of definite assignment). So the work follows live ranges, and there is no table of all
//! variables at all locations: [`Liveness`] keeps rows only for the locations that
//! the caller requests, and [`for_each_group`] passes the bits of each group to a callback.
//!
//! In a program with calls, a call reads all globals, and so does the exit of every function.

use std::collections::BinaryHeap;

use base::{Id, IndexVec};
use term::Terms;

use super::reads::Reads;
use crate::{Action, EdgeId, FunId, Graph, Loc, Program, Var, VarKind};

/// The live variables at some locations.
#[derive(Clone, Debug)]
pub struct Liveness {
    rows: IndexVec<Loc, Option<Vec<u64>>>,
}

impl Liveness {
    /// The live variables at the locations that are wanted.
    pub fn new(program: &Program, terms: &Terms, graph: &Graph, wanted: impl Fn(Loc) -> bool) -> Liveness {
        let n_words = program.vars.len().div_ceil(64);
        let mut rows: IndexVec<Loc, Option<Vec<u64>>> =
            program.locations.ids().map(|loc| wanted(loc).then(|| vec![0; n_words])).collect();
        for_each_group(program, terms, graph, |group| {
            for loc in group.touched() {
                let bits = group.live[loc];
                if let Some(row) = &mut rows[loc] {
                    for var in group.vars(bits) {
                        row[var.index() / 64] |= 1 << (var.index() % 64);
                    }
                }
            }
        });
        Liveness { rows }
    }
    /// Whether the variable is live at the location.
    ///
    /// # Panics
    /// If the location was not wanted.
    pub fn is_live(&self, loc: Loc, var: Var) -> bool {
        self.row(loc)[var.index() / 64] >> (var.index() % 64) & 1 == 1
    }
    /// The variables that are live at the location, in the order of their ids.
    ///
    /// # Panics
    /// If the location was not wanted.
    pub fn at(&self, loc: Loc) -> impl Iterator<Item = Var> + '_ {
        self.row(loc).iter().enumerate().flat_map(|(word, &bits)| {
            (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| Var::new(word * 64 + bit))
        })
    }
    fn row(&self, loc: Loc) -> &[u64] {
        self.rows[loc].as_deref().expect("the row of this location was asked for")
    }
}

/// Up to 64 variables with their live ranges.
pub struct Group<'a> {
    members: &'a [Var],
    /// The live members at each location, as bits.
    pub live: &'a IndexVec<Loc, u64>,
    /// The members that each edge writes, as bits.
    pub written: &'a IndexVec<EdgeId, u64>,
    touched: &'a [Loc],
    writes: &'a [EdgeId],
}

impl Group<'_> {
    /// The variables that the bits stand for, by position.
    pub fn members(&self) -> &[Var] {
        self.members
    }
    /// The variables that these bits stand for.
    pub fn vars(&self, bits: u64) -> impl Iterator<Item = Var> + '_ {
        self.members.iter().enumerate().filter(move |(bit, _)| bits >> bit & 1 == 1).map(|(_, &var)| var)
    }
    /// The locations where some member is live.
    pub fn touched(&self) -> impl Iterator<Item = Loc> + '_ {
        self.touched.iter().copied()
    }
    /// The edges that write some member; one may come several times.
    pub fn writes(&self) -> impl Iterator<Item = EdgeId> + '_ {
        self.writes.iter().copied()
    }
}

/// By variable: the locations that read it, and the edges that write it.
struct Accesses {
    readers: IndexVec<Var, Vec<Loc>>,
    writers: IndexVec<Var, Vec<EdgeId>>,
}

impl Accesses {
    fn new(program: &Program, terms: &Terms) -> Self {
        let mut readers: IndexVec<Var, Vec<Loc>> = program.vars.iter().map(|_| Vec::new()).collect();
        let mut writers: IndexVec<Var, Vec<EdgeId>> = program.vars.iter().map(|_| Vec::new()).collect();
        let mut reads = Reads::new(program);
        let globals: Vec<Var> = program.vars.ids().filter(|&var| program.vars[var].kind == VarKind::Global).collect();
        let ended: Vec<Var> = program.objects.iter().filter_map(|object| object.live).collect();
        for (id, edge) in program.edges.iter_enumerated() {
            for var in reads.of_action(terms, &edge.action) {
                readers[var].push(edge.from);
            }
            let others = match edge.action {
                Action::Call { .. } => &globals,
                // Its address may turn out to be that of an object that a block ends (see `probes`).
                Action::Probe { .. } => &ended,
                _ => &Vec::new(),
            };
            others.iter().for_each(|&var| readers[var].push(edge.from));
            edge.action.for_each_target(|var| writers[var].push(id));
        }
        for (id, function) in program.functions.iter_enumerated() {
            if let Some(result) = function.result {
                readers[result].push(function.exit);
            }
            if is_called(program, id) {
                for &var in &globals {
                    readers[var].push(function.exit);
                }
            }
        }
        Accesses { readers, writers }
    }
}

/// Computes liveness for all variables that are not constant, group by group.
pub fn for_each_group(program: &Program, terms: &Terms, graph: &Graph, mut visit: impl FnMut(&Group<'_>)) {
    let Accesses { readers, writers } = Accesses::new(program, terms);
    let is_constant = |var: Var| {
        matches!(program.vars[var].kind, VarKind::AddressOf(_) | VarKind::AddressOfFunction(_))
            || readers[var].is_empty() && writers[var].is_empty()
    };
    let members: Vec<Var> = program.vars.ids().filter(|&var| !is_constant(var)).collect();
    let mut live: IndexVec<Loc, u64> = program.locations.iter().map(|_| 0).collect();
    let mut written: IndexVec<EdgeId, u64> = program.edges.iter().map(|_| 0).collect();
    let mut touched: Vec<Loc> = Vec::new();
    let mut writes: Vec<EdgeId> = Vec::new();
    for members in members.chunks(64) {
        for (bit, &var) in members.iter().enumerate() {
            for &edge in &writers[var] {
                written[edge] |= 1 << bit;
                writes.push(edge);
            }
        }
        // Locations are numbered in the order of the source: from the last one back, a location gets the bits of
        // all reads behind it before it hands them on, once for each turn of a loop.
        let mut work: BinaryHeap<Loc> = BinaryHeap::new();
        let add =
            |live: &mut IndexVec<Loc, u64>, touched: &mut Vec<Loc>, work: &mut BinaryHeap<Loc>, loc: Loc, bits: u64| {
                let before = live[loc];
                if before | bits != before {
                    if before == 0 {
                        touched.push(loc);
                    }
                    live[loc] = before | bits;
                    work.push(loc);
                }
            };
        for (bit, &var) in members.iter().enumerate() {
            // An edge reads before it writes.
            for &loc in &readers[var] {
                add(&mut live, &mut touched, &mut work, loc, 1 << bit);
            }
        }
        while let Some(loc) = work.pop() {
            while work.peek() == Some(&loc) {
                work.pop();
            }
            for &edge in graph.incoming(loc) {
                let bits = live[loc] & !written[edge];
                add(&mut live, &mut touched, &mut work, program.edges[edge].from, bits);
            }
        }
        visit(&Group { members, live: &live, written: &written, touched: &touched, writes: &writes });
        for loc in touched.drain(..) {
            live[loc] = 0;
        }
        for edge in writes.drain(..) {
            written[edge] = 0;
        }
    }
}

/// Whether a run may continue after the function returns.
fn is_called(program: &Program, function: FunId) -> bool {
    program.entry != Some(function)
}
