//! Tidying a finished function before it joins the program.
//!
//! * A local that may be read before it is written receives any value at the entry (C lets `goto` and
//!   `switch` jump over declarations); an uninitialised local that is always written before it is
//!   read needs no free value at all, nor does a unused result of an unknown function.
//!   (Values of `__VERIFIER_nondet_*` stay even so: a replay counts them.)
//! * Empty steps are contracted, and locations that nothing reaches are dropped, but for errors of conditions that the user wrote.

use std::collections::BinaryHeap;

use base::{FastMap, Id, IndexVec};
use program::{Action, AssertionKind, Edge, InputKind, Loc, Mark, Var, VarKind};
use term::{Op, Term};

use super::Lowering;

impl Lowering<'_> {
    /// Moves the function at hand into the program.
    pub(super) fn close(&mut self) {
        self.settle_uninitialised();
        self.contract_empty_steps();
        let reached = self.reached_locations();
        let current = std::mem::take(&mut self.current);
        let mut new_locs: IndexVec<Loc, Option<Loc>> = IndexVec::new();
        new_locs.grow_to(current.locations.len(), None);
        for (loc, location) in current.locations.iter_enumerated() {
            let is_kept =
                loc == current.exit || Some(loc) == current.ended || self.is_written_condition(&location.mark);
            if reached[loc] || is_kept {
                new_locs[loc] = Some(self.program.locations.push(location.clone()));
            }
        }
        for edge in current.edges {
            if let (Some(from), Some(to)) = (new_locs[edge.from], new_locs[edge.to])
                && reached[edge.from]
            {
                self.program.edges.push(Edge { from, to, ..edge });
            }
        }
        let function = &mut self.program.functions[current.id];
        function.entry = new_locs[current.entry].expect("the entry is reached");
        function.exit = new_locs[current.exit].expect("the exit is kept");
    }

    /// The error of a condition that the user wrote. It stays where constants decide that it holds, so that every assertion of the
    /// source has its number and its verdict.
    fn is_written_condition(&self, mark: &Mark) -> bool {
        matches!(mark, Mark::Error(assertion) if self.program.assertions[*assertion].kind == AssertionKind::Condition)
    }
    fn is_empty_step(&self, action: &Action) -> bool {
        matches!(action, Action::Assume(condition) if self.terms.op(*condition) == Op::True)
    }
    fn never_passes(&self, action: &Action) -> bool {
        matches!(action, Action::Assume(condition) if self.terms.op(*condition) == Op::False)
    }

    fn reached_locations(&self) -> IndexVec<Loc, bool> {
        let n_locations = self.current.locations.len();
        let outgoing = Adjacency::new(n_locations, self.current.edges.iter().map(|edge| edge.from));
        let mut reached: IndexVec<Loc, bool> = IndexVec::new();
        reached.grow_to(n_locations, false);
        let mut stack = vec![self.current.entry];
        reached[self.current.entry] = true;
        while let Some(loc) = stack.pop() {
            for &edge in outgoing.of(loc) {
                let edge = &self.current.edges[edge as usize];
                if !reached[edge.to] && !self.never_passes(&edge.action) {
                    reached[edge.to] = true;
                    stack.push(edge.to);
                }
            }
        }
        reached
    }

    // ---- empty steps

    fn contract_empty_steps(&mut self) {
        let n_locations = self.current.locations.len();
        let mut n_out: IndexVec<Loc, u32> = IndexVec::new();
        n_out.grow_to(n_locations, 0);
        for edge in &self.current.edges {
            n_out[edge.from] += 1;
        }
        self.join_with_next(&n_out);
        self.join_with_previous(&n_out);
    }
    /// An unmarked location whose only way on is an empty step is the same as the next one.
    fn join_with_next(&mut self, n_out: &IndexVec<Loc, u32>) {
        let n_locations = self.current.locations.len();
        let mut same_as: IndexVec<Loc, Option<Loc>> = IndexVec::new();
        same_as.grow_to(n_locations, None);
        for edge in &self.current.edges {
            let from = edge.from;
            if n_out[from] == 1
                && from != edge.to
                && from != self.current.entry
                && self.current.locations[from].mark == Mark::None
                && self.is_empty_step(&edge.action)
            {
                same_as[from] = Some(edge.to);
            }
        }
        let find = |same_as: &mut IndexVec<Loc, Option<Loc>>, start: Loc| {
            // Every cycle of a function has a marked location, so this ends; the bound is for safety.
            let mut loc = start;
            let mut n_steps = 0;
            while let Some(next) = same_as[loc] {
                loc = next;
                n_steps += 1;
                if n_steps > n_locations {
                    return start;
                }
            }
            // Path compression.
            let mut walked = start;
            while let Some(next) = same_as[walked] {
                same_as[walked] = Some(loc);
                walked = next;
                if next == loc {
                    break;
                }
            }
            loc
        };
        let mut edges = std::mem::take(&mut self.current.edges);
        edges.retain(|edge| same_as[edge.from].is_none());
        for edge in &mut edges {
            let to = find(&mut same_as, edge.to);
            if to != edge.to {
                let place = self.current.locations[edge.to].place;
                let target = &mut self.current.locations[to];
                if target.place.is_none() && to != self.current.exit {
                    target.place = place;
                }
                edge.to = to;
            }
        }
        self.current.edges = edges;
    }
    /// An unmarked location that only an empty step reaches, from a location with no other way on, is the same as that one.
    fn join_with_previous(&mut self, n_out: &IndexVec<Loc, u32>) {
        let n_locations = self.current.locations.len();
        let mut edges = std::mem::take(&mut self.current.edges);
        let mut n_in: IndexVec<Loc, u32> = IndexVec::new();
        n_in.grow_to(n_locations, 0);
        for edge in &edges {
            n_in[edge.to] += 1;
        }
        let mut begins_at: IndexVec<Loc, Option<Loc>> = IndexVec::new();
        begins_at.grow_to(n_locations, None);
        for edge in &edges {
            let (from, to) = (edge.from, edge.to);
            if n_out[from] == 1
                && n_in[to] == 1
                && from != to
                && to != self.current.exit
                && to != self.current.entry
                && self.current.locations[to].mark == Mark::None
                && self.is_empty_step(&edge.action)
            {
                begins_at[to] = Some(from);
            }
        }
        edges.retain(|edge| begins_at[edge.to] != Some(edge.from));
        for edge in &mut edges {
            let mut n_steps = 0;
            while let Some(from) = begins_at[edge.from] {
                edge.from = from;
                n_steps += 1;
                assert!(n_steps <= n_locations, "a location does not begin at itself");
            }
        }
        self.current.edges = edges;
    }

    // ---- uninitialised locals

    fn settle_uninitialised(&mut self) {
        let uses = self.uses_of_locals();
        if uses.vars.is_empty() {
            return;
        }
        let n_locations = self.current.locations.len();
        let incoming = Adjacency::new(n_locations, self.current.edges.iter().map(|edge| edge.to));
        let mut writers: FastMap<Var, Vec<u32>> = FastMap::new();
        for (index, edge) in self.current.edges.iter().enumerate() {
            edge.action.for_each_target(|var| writers.get_or_insert_with(var, Vec::new).push(index as u32));
        }
        let mut live: IndexVec<Loc, u64> = IndexVec::new();
        live.grow_to(n_locations, 0);
        let mut written = vec![0u64; self.current.edges.len()];
        let always = self.terms.truth(true);
        let mut at_entry = Vec::new();
        // Sixty-four variables walk backward at once, one bit each.
        let all: Vec<(Var, &UsesOfOne)> = uses.vars.iter().map(|(&var, use_of)| (var, use_of)).collect();
        for group in all.chunks(64) {
            let writes = || {
                let of = |&(var, _): &(Var, _)| writers.get(&var).map_or(&[][..], Vec::as_slice);
                group.iter().enumerate().flat_map(move |(bit, member)| of(member).iter().map(move |&edge| (bit, edge)))
            };
            writes().for_each(|(bit, edge)| written[edge as usize] |= 1 << bit);
            let reads =
                group.iter().enumerate().flat_map(|(bit, (_, of))| of.reads.iter().map(move |&edge| (bit, edge)));
            let touched = self.walk_backward(&incoming, &written, reads, &mut live);
            for (bit, &(var, use_of)) in group.iter().enumerate() {
                let is_live = |loc: Loc| live[loc] >> bit & 1 == 1;
                // A temporary that is read unwritten would be a mistake of ours, for validation to find.
                if is_live(self.current.entry) && matches!(self.program.vars[var].kind, VarKind::Local(_)) {
                    at_entry.push(var);
                }
                for &edge in &use_of.havocs {
                    let edge = &mut self.current.edges[edge as usize];
                    if !is_live(edge.to) {
                        edge.action = Action::Assume(always);
                    }
                }
            }
            writes().for_each(|(_, edge)| written[edge as usize] = 0);
            touched.into_iter().for_each(|loc| live[loc] = 0);
        }
        self.havoc_at_entry(&at_entry);
    }
    /// From the edges that read members of a group back to those that write them; returns where some member is live.
    fn walk_backward(
        &self,
        incoming: &Adjacency,
        written: &[u64],
        reads: impl Iterator<Item = (usize, u32)>,
        live: &mut IndexVec<Loc, u64>,
    ) -> Vec<Loc> {
        // Locations are numbered in the order of the source: from the last one back, a location gets the bits of
        // all reads behind it before it hands them on, once for each turn of a loop.
        let (mut touched, mut work) = (Vec::new(), BinaryHeap::new());
        let mut add = |work: &mut BinaryHeap<Loc>, loc: Loc, bits: u64| {
            let before = live[loc];
            if before == 0 && bits != 0 {
                touched.push(loc);
            }
            if before | bits != before {
                live[loc] = before | bits;
                work.push(loc);
            }
            before | bits
        };
        for (bit, edge) in reads {
            add(&mut work, self.current.edges[edge as usize].from, 1 << bit);
        }
        while let Some(loc) = work.pop() {
            while work.peek() == Some(&loc) {
                work.pop();
            }
            let bits = add(&mut work, loc, 0);
            for &edge in incoming.of(loc) {
                add(&mut work, self.current.edges[edge as usize].from, bits & !written[edge as usize]);
            }
        }
        touched
    }
    fn havoc_at_entry(&mut self, vars: &[Var]) {
        if vars.is_empty() {
            return;
        }
        // What began at the entry now begins behind the new edges.
        let old_entry = self.current.entry;
        let place = self.current.locations[old_entry].place;
        self.current.entry = self.new_loc();
        self.current.locations[self.current.entry].place = place;
        self.start(self.current.entry);
        let span = self.unit.functions[self.current.hir.expect("only C functions have locals")].span;
        for (index, &var) in vars.iter().enumerate() {
            let variable = &self.program.vars[var];
            let kind = InputKind::Uninitialised(variable.name.clone());
            let shown = variable.shown;
            let input = self.new_input(kind, shown, span);
            let action = Action::Havoc { var, input };
            if index + 1 == vars.len() { self.emit_to(action, old_entry, span) } else { self.emit(action, span) }
        }
    }
    /// Whether the variable belongs to an activation and only edges read it; the exit reads the result.
    fn is_local(&self, var: Var) -> bool {
        matches!(self.program.vars[var].kind, VarKind::Local(_) | VarKind::Temp(_))
            && Some(var) != self.program.functions[self.current.id].result
    }
    fn uses_of_locals(&self) -> Uses {
        let mut uses = Uses::default();
        let mut seen: FastMap<Term, u32> = FastMap::new();
        for (index, edge) in self.current.edges.iter().enumerate() {
            if let Action::Havoc { var, input } = edge.action
                && self.is_local(var)
                && matches!(self.program.inputs[input].kind, InputKind::Uninitialised(_) | InputKind::External(_))
            {
                uses.vars.entry(var).or_default().havocs.push(index as u32);
            }
        }
        for (index, edge) in self.current.edges.iter().enumerate() {
            let edge_number = index as u32;
            let mut stack = read_terms(&edge.action);
            while let Some(term) = stack.pop() {
                if let Op::Symbol(_) = self.terms.op(term) {
                    if let Some(&var) = self.variable_of.get(&term)
                        && (matches!(self.program.vars[var].kind, VarKind::Local(_)) || uses.vars.contains_key(&var))
                    {
                        let reads = &mut uses.vars.entry(var).or_default().reads;
                        if reads.last() != Some(&edge_number) {
                            reads.push(edge_number);
                        }
                    }
                    continue;
                }
                let args = self.terms.args(term);
                if args.len() > 1 && seen.insert(term, edge_number) == Some(edge_number) {
                    continue;
                }
                stack.extend_from_slice(args);
            }
        }
        uses
    }
}

/// Where the locals of a function are read, and where they receive an uninitialised value.
#[derive(Default)]
struct Uses {
    vars: base::OrderedMap<Var, UsesOfOne>,
}

#[derive(Default)]
struct UsesOfOne {
    reads: Vec<u32>,
    havocs: Vec<u32>,
}

fn read_terms(action: &Action) -> Vec<Term> {
    match action {
        Action::Assume(term) | Action::Check { holds: term, .. } => vec![*term],
        Action::Assign(pairs) => pairs.iter().map(|&(_, term)| term).collect(),
        Action::Havoc { .. } | Action::End { .. } | Action::Order(_) => Vec::new(),
        Action::Load { address, .. } | Action::Free { address, .. } | Action::Probe { address, .. } => vec![*address],
        Action::Store { address, value } => vec![*address, *value],
        Action::Forget { address, size, .. } => [*address].into_iter().chain(*size).collect(),
        Action::Call { args, .. } => args.clone(),
        Action::Alloc { size, moved, .. } => [*size].into_iter().chain(*moved).collect(),
    }
}

/// Edges grouped by one of their ends.
struct Adjacency {
    starts: Vec<u32>,
    edges: Vec<u32>,
}

impl Adjacency {
    fn new(n_locations: usize, ends: impl Iterator<Item = Loc> + Clone) -> Self {
        let mut starts = vec![0u32; n_locations + 1];
        for end in ends.clone() {
            starts[end.index() + 1] += 1;
        }
        for index in 0..n_locations {
            starts[index + 1] += starts[index];
        }
        let mut next = starts.clone();
        let mut edges = vec![0; starts[n_locations] as usize];
        for (edge, end) in ends.enumerate() {
            edges[next[end.index()] as usize] = edge as u32;
            next[end.index()] += 1;
        }
        Adjacency { starts, edges }
    }
    fn of(&self, loc: Loc) -> &[u32] {
        &self.edges[self.starts[loc.index()] as usize..self.starts[loc.index() + 1] as usize]
    }
}
