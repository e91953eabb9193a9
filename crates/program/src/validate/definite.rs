//! Definite assignment: no path reads a local variable before it is written.
//!
//! A variable breaks the law exactly when it is *live* at its function's entry, so we ask the
//! backward question: from the edges that read it, walk against the edges until a write is met.
//! Walking backward from reads visits live ranges only, which are short for the temporaries that
//! make up most variables; a forward analysis would carry every variable through every location.
//! Sixty-four variables walk at once, one bit each, so that even a function in which everything
//! lives everywhere costs edges times variables over 64.

use base::{FastMap, Id, IndexVec};
use term::{Op, Term, Terms};

use super::VariablesOf;
use crate::{Action, EdgeId, FunId, Graph, Loc, Program, Var, VarKind};

/// A local variable that some path reads before it is written.
pub(super) struct Unwritten {
    pub(super) var: Var,
    /// An edge that reads it at the end of such a path; `None`: the exit, whose result it is.
    pub(super) read_by: Option<EdgeId>,
}

/// All local variables and temporaries that can be read before they are written, by id.
pub(super) fn read_before_written(
    program: &Program,
    terms: &Terms,
    graph: &Graph,
    var_of: &FastMap<Term, Var>,
) -> Vec<Unwritten> {
    let accesses = Accesses::new(program, terms, var_of);
    let mut locals: IndexVec<FunId, Vec<Var>> = program.functions.iter().map(|_| Vec::new()).collect();
    for (id, var) in program.vars.iter_enumerated() {
        if let VarKind::Local(function) | VarKind::Temp(function) = var.kind {
            locals[function].push(id);
        }
    }
    let mut walk = Walk {
        program,
        graph,
        accesses: &accesses,
        live: program.locations.iter().map(|_| 0).collect(),
        written: program.edges.iter().map(|_| 0).collect(),
        touched: Vec::new(),
        work: Vec::new(),
    };
    let mut found = Vec::new();
    for (function, vars) in locals.iter_enumerated() {
        for group in vars.chunks(64) {
            let live = walk.live_at_entry(function, group);
            for (bit, &var) in group.iter().enumerate() {
                if live >> bit & 1 == 1 {
                    found.push(Unwritten { var, read_by: first_read(program, graph, &accesses, function, var) });
                }
            }
        }
    }
    found.sort_by_key(|unwritten| unwritten.var);
    found
}

/// For each variable the edges that read it and those that write it, in the order of the ids.
struct Accesses {
    reads: IndexVec<Var, Vec<EdgeId>>,
    writes: IndexVec<Var, Vec<EdgeId>>,
    /// The edges that no path takes: their condition is `false`.
    closed: IndexVec<EdgeId, bool>,
}

impl Accesses {
    fn new(program: &Program, terms: &Terms, var_of: &FastMap<Term, Var>) -> Self {
        let mut reads: IndexVec<Var, Vec<EdgeId>> = program.vars.iter().map(|_| Vec::new()).collect();
        let mut writes = reads.clone();
        let mut reader = VariablesOf::new(terms);
        for (id, edge) in program.edges.iter_enumerated() {
            reader.start();
            edge.action.for_each_term(|term| {
                reader.read(terms, term, |symbol| {
                    if let Some(&var) = var_of.get(&symbol) {
                        reads[var].push(id);
                    }
                });
            });
            edge.action.for_each_target(|var| writes[var].push(id));
        }
        let is_false =
            |action: &Action| matches!(action, Action::Assume(condition) if terms.op(*condition) == Op::False);
        let closed = program.edges.iter().map(|edge| is_false(&edge.action)).collect();
        Accesses { reads, writes, closed }
    }
}

/// The tables of the backward walk; `live` and `written` are all zero between two walks.
struct Walk<'a> {
    program: &'a Program,
    graph: &'a Graph,
    accesses: &'a Accesses,
    live: IndexVec<Loc, u64>,
    written: IndexVec<EdgeId, u64>,
    touched: Vec<Loc>,
    work: Vec<Loc>,
}

impl Walk<'_> {
    /// Which of at most 64 variables are live at the entry, as bits.
    fn live_at_entry(&mut self, function: FunId, vars: &[Var]) -> u64 {
        let function = &self.program.functions[function];
        for (bit, &var) in vars.iter().enumerate() {
            for &edge in &self.accesses.writes[var] {
                self.written[edge] |= 1 << bit;
            }
        }
        for (bit, &var) in vars.iter().enumerate() {
            // An edge reads before it writes.
            for &edge in &self.accesses.reads[var] {
                self.add(self.program.edges[edge].from, 1 << bit);
            }
            if function.result == Some(var) {
                self.add(function.exit, 1 << bit);
            }
        }
        while let Some(loc) = self.work.pop() {
            for &edge in self.graph.incoming(loc) {
                if self.accesses.closed[edge] {
                    continue;
                }
                self.add(self.program.edges[edge].from, self.live[loc] & !self.written[edge]);
            }
        }
        let answer = self.live[function.entry];
        for loc in self.touched.drain(..) {
            self.live[loc] = 0;
        }
        for &var in vars {
            for &edge in &self.accesses.writes[var] {
                self.written[edge] = 0;
            }
        }
        answer
    }
    fn add(&mut self, loc: Loc, bits: u64) {
        let before = self.live[loc];
        if before | bits != before {
            if before == 0 {
                self.touched.push(loc);
            }
            self.live[loc] = before | bits;
            self.work.push(loc);
        }
    }
}

/// The read that a shortest path without a write leads to; `None` if it is the exit.
fn first_read(program: &Program, graph: &Graph, accesses: &Accesses, function: FunId, var: Var) -> Option<EdgeId> {
    let function = &program.functions[function];
    let mut seen: FastMap<Loc, ()> = FastMap::new();
    let mut queue = std::collections::VecDeque::from([function.entry]);
    seen.insert(function.entry, ());
    while let Some(loc) = queue.pop_front() {
        for &edge in graph.outgoing(loc) {
            if accesses.closed[edge] {
                continue;
            }
            if accesses.reads[var].binary_search_by_key(&edge.index(), |e| e.index()).is_ok() {
                return Some(edge);
            }
            if accesses.writes[var].binary_search_by_key(&edge.index(), |e| e.index()).is_ok() {
                continue;
            }
            let next = program.edges[edge].to;
            if seen.insert(next, ()).is_none() {
                queue.push_back(next);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Builder, Shown, validate};

    /// A function with `n` locals written in a row, and read in a row after a loop head.
    fn long_lives(n: usize, skip: Option<usize>) -> (Program, Terms) {
        let mut terms = Terms::new();
        let word = terms.bv_sort(32);
        let mut b = Builder::new(64);
        let f = b.function("main", None);
        let vars: Vec<Var> =
            (0..n).map(|i| b.local(&mut terms, f, &format!("x{i}"), word, Shown::Signed, None)).collect();
        let zero = terms.bv(32, 0);
        let mut at = b.entry_of(f);
        for (i, &var) in vars.iter().enumerate() {
            let next = b.location(f, None);
            if skip == Some(i) {
                b.step(&mut terms, at, next);
            } else {
                b.assign(at, next, var, zero, None);
            }
            at = next;
        }
        let head = at;
        for i in 0..n {
            let next = b.location(f, None);
            // Reads x1, x2, ... before any of them is written in the loop.
            b.assign(at, next, vars[(i + n - 1) % n], b.term(vars[i]), None);
            at = next;
        }
        b.step(&mut terms, at, head);
        b.step(&mut terms, at, b.exit_of(f));
        (b.finish(f), terms)
    }

    #[test]
    fn a_function_where_everything_lives_everywhere_is_checked_in_time() {
        let (program, terms) = long_lives(20_000, None);
        let start = std::time::Instant::now();
        assert_eq!(validate(&program, &terms), Ok(()));
        // Measured at well under a second; the bound only catches a return to quadratic work.
        assert!(start.elapsed().as_secs() < 30, "took {:?}", start.elapsed());
    }

    #[test]
    fn the_missing_write_is_found_across_groups_of_variables() {
        let (program, terms) = long_lives(200, Some(130));
        let found = validate(&program, &terms).expect_err("x130 is not written before the loop");
        let sentences: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!(
            sentences,
            ["edge EdgeId330 from Loc331 to Loc332 in main reads variable Var130 `x130` of main, \
              and a path leads there without writing it (law 17)"]
        );
    }
}
