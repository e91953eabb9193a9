//! The exact slice of a run: which of its steps the error depends on.
//!
//! The run is concrete, so it is walked backwards. Needed at first: what the failing condition reads. A step that wrote something needed
//! is kept, and then what it read is needed instead. A branch is kept if a kept step is control dependent on it: the step's location
//! post-dominates the way that was taken, but not the branch. A call is kept if a step inside of it is. Assertions that held are no
//! branches, and neither are assumptions.

use std::collections::{BTreeMap, BTreeSet};

use base::Id;
use program::interp::{Entry, Happened};
use program::structure::{Digraph, Dominators};
use program::{AccessKind, Action, AssertionId, AssertionKind, EdgeId, Loc, Mark, Program, Var, VarKind};
use term::{Op, Term, Terms};

/// For each entry of the log whether the error depends on it; none if the log is empty.
pub fn slice(program: &Program, terms: &Terms, log: &[Entry], fails: AssertionId) -> Option<Vec<bool>> {
    let last = log.iter().rposition(|entry| matches!(entry.happened, Happened::Took(_)))?;
    let mut walk = Walk {
        program,
        terms,
        vars: program.vars.iter_enumerated().map(|(var, info)| (info.term, var)).collect(),
        control: Control::new(program),
        needed: BTreeSet::new(),
        bytes: BTreeSet::new(),
        waiting: BTreeMap::new(),
        results: BTreeSet::new(),
        object: None,
        all_allocations: false,
        kept: vec![false; log.len()],
    };
    walk.begin(&log[last], last, program.assertions[fails].kind);
    for at in (0..=last).rev() {
        walk.entry(log, at);
    }
    Some(walk.kept)
}

struct Walk<'a> {
    program: &'a Program,
    terms: &'a Terms,
    vars: BTreeMap<Term, Var>,
    control: Control,
    /// Variables whose value here matters, each in its activation (zero for globals).
    needed: BTreeSet<(u32, Var)>,
    /// Bytes whose value here matters.
    bytes: BTreeSet<u64>,
    /// By activation: locations of kept steps whose branch was not met yet.
    waiting: BTreeMap<u32, Vec<Loc>>,
    /// Activations of callers that need the result of the call that was met last.
    results: BTreeSet<u32>,
    /// The object whose end matters.
    object: Option<u64>,
    all_allocations: bool,
    kept: Vec<bool>,
}

impl Walk<'_> {
    /// The error is reached by this entry.
    fn begin(&mut self, entry: &Entry, at: usize, kind: AssertionKind) {
        let Happened::Took(edge) = entry.happened else { return };
        self.keep(at, entry.activation, self.program.edges[edge].from);
        if let Action::Assume(condition) = self.program.edges[edge].action {
            self.need_term(entry.activation, condition);
        }
        self.all_allocations = matches!(kind, AssertionKind::Cleanup | AssertionKind::Access(AccessKind::Track));
    }
    fn keep(&mut self, at: usize, activation: u32, from: Loc) {
        self.kept[at] = true;
        self.waiting.entry(activation).or_default().push(from);
    }
    fn need_term(&mut self, activation: u32, term: Term) {
        for part in self.terms.subterms(&[term]) {
            if matches!(self.terms.op(part), Op::Symbol(_))
                && let Some(&var) = self.vars.get(&part)
            {
                let key = self.key(activation, var);
                self.needed.insert(key);
            }
        }
    }
    fn key(&self, activation: u32, var: Var) -> (u32, Var) {
        (if self.program.vars[var].kind == VarKind::Global { u32::MAX } else { activation }, var)
    }
    fn take(&mut self, activation: u32, var: Var) -> bool {
        let key = self.key(activation, var);
        self.needed.remove(&key)
    }

    fn entry(&mut self, log: &[Entry], at: usize) {
        let entry = log[at];
        let activation = entry.activation;
        match entry.happened {
            Happened::Took(edge) => self.took(at, edge, &entry),
            Happened::Returned(function) => {
                // The entry after a return belongs to the caller.
                let caller = log.get(at + 1).map(|next| next.activation);
                if let (Some(result), Some(caller)) = (self.program.functions[function].result, caller)
                    && self.results.remove(&caller)
                {
                    let key = self.key(activation, result);
                    self.needed.insert(key);
                    self.kept[at] = true;
                }
            }
            Happened::Called(edge) => {
                let Action::Call { function, args, .. } = &self.program.edges[edge].action else { return };
                // The callee is the next activation; it may have had no entries.
                let callee = log.get(at + 1).map_or(activation, |next| next.activation);
                let mut is_needed = callee != activation && self.waiting.remove(&callee).is_some();
                for (&param, &arg) in self.program.functions[*function].params.iter().zip(args) {
                    if self.take(callee, param) {
                        self.need_term(activation, arg);
                        is_needed = true;
                    }
                }
                if is_needed {
                    self.keep(at, activation, self.program.edges[edge].from);
                }
            }
        }
    }

    /// A step of the run, seen backwards. Long: one arm for each kind of action.
    fn took(&mut self, at: usize, id: EdgeId, entry: &Entry) {
        let (program, activation) = (self.program, entry.activation);
        let edge = &program.edges[id];
        let range = entry.address..entry.address.saturating_add(u64::from(entry.bytes));
        let is_kept = match &edge.action {
            Action::Assume(condition) => {
                if self.kept[at] || !self.control.is_branch(edge.from) || !self.decides(activation, edge.from, edge.to)
                {
                    return;
                }
                self.need_term(activation, *condition);
                true
            }
            Action::Assign(pairs) => {
                let taken: Vec<Term> =
                    pairs.iter().filter(|&&(var, _)| self.take(activation, var)).map(|&(_, value)| value).collect();
                taken.iter().for_each(|&value| self.need_term(activation, value));
                !taken.is_empty()
            }
            Action::Load { var, address } => {
                let is_needed = self.take(activation, *var);
                if is_needed {
                    self.bytes.extend(range);
                    self.need_term(activation, *address);
                }
                is_needed
            }
            Action::Store { address, value } => {
                let is_needed = self.bytes.range(range.clone()).next().is_some();
                if is_needed {
                    range.for_each(|byte| {
                        self.bytes.remove(&byte);
                    });
                    self.need_term(activation, *value);
                    self.need_term(activation, *address);
                }
                is_needed
            }
            Action::Probe { var, address, .. } => {
                if self.take(activation, *var) {
                    self.need_term(activation, *address);
                    self.object = self.object.or(Some(entry.base).filter(|&base| base != 0));
                }
                false
            }
            Action::Alloc { var, size, .. } => {
                let is_object = self.object == Some(entry.base) || self.all_allocations;
                let is_needed = self.take(activation, *var) || is_object;
                if is_needed {
                    self.need_term(activation, *size);
                }
                is_needed
            }
            Action::Free { address, .. } => {
                let is_object = entry.address != 0 && (self.object == Some(entry.base) || self.all_allocations);
                if is_object {
                    self.need_term(activation, *address);
                }
                is_object
            }
            Action::Call { result, .. } => {
                if let Some(result) = result
                    && self.take(activation, *result)
                {
                    self.results.insert(activation);
                    return self.keep(at, activation, edge.from);
                }
                return;
            }
            action => {
                let mut is_needed = false;
                action.for_each_target(|var| is_needed |= self.needed.contains(&self.key(activation, var)));
                action.for_each_target(|var| {
                    let key = self.key(activation, var);
                    self.needed.remove(&key);
                });
                is_needed
            }
        };
        if is_kept {
            self.keep(at, activation, edge.from);
        }
    }
    /// Whether a kept step depends on the way from a branch; if so, these steps wait no longer.
    fn decides(&mut self, activation: u32, from: Loc, to: Loc) -> bool {
        let control = &self.control;
        let Some(waiting) = self.waiting.get_mut(&activation) else { return false };
        let before = waiting.len();
        waiting.retain(|&loc| !(control.leads_to(to, loc) && (loc == from || !control.leads_to(from, loc))));
        waiting.len() < before
    }
}

/// Post-dominators of all functions at once.
struct Control {
    /// On the graph with all edges turned round, from a node behind all ends.
    dominators: Dominators,
    n_ways: Vec<u32>,
}

impl Control {
    fn new(program: &Program) -> Control {
        let n = program.locations.len();
        let is_error = |loc: Loc| matches!(program.locations[loc].mark, Mark::Error(_));
        let mut edges: Vec<(usize, usize)> = Vec::new();
        let mut n_ways = vec![0; n];
        for edge in program.edges.iter().filter(|edge| !is_error(edge.to)) {
            edges.push((edge.to.index(), edge.from.index()));
            n_ways[edge.from.index()] += 1;
        }
        edges.extend((0..n).filter(|&loc| n_ways[loc] == 0).map(|loc| (n, loc)));
        // Loops that nothing leaves end, too: at their heads.
        loop {
            let graph = Digraph::new(n + 1, edges.iter().copied());
            let mut is_reached = vec![false; n + 1];
            graph.postorder(n).into_iter().for_each(|node| is_reached[node] = true);
            let is_head = |loc: &usize| program.locations[Loc::new(*loc)].mark == Mark::LoopHead;
            let missing = |is_reached: &[bool]| (0..n).filter(|&loc| !is_reached[loc]).collect::<Vec<_>>();
            let missing = missing(&is_reached);
            match missing.iter().find(|loc| is_head(loc)).or(missing.first()) {
                Some(&loc) => edges.push((n, loc)),
                None => return Control { dominators: Dominators::new(&graph, n), n_ways },
            }
        }
    }
    fn is_branch(&self, loc: Loc) -> bool {
        self.n_ways[loc.index()] > 1
    }
    /// Whether every way from `from` to an end leads through `to`.
    fn leads_to(&self, from: Loc, to: Loc) -> bool {
        from == to || self.dominators.dominates(to.index(), from.index())
    }
}
