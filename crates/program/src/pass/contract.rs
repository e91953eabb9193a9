//! Contraction: fewer, larger steps.
//!
//! *Empty steps* go: a location that only leads on by an empty step is skipped by its incoming edges, and a
//! location that is only entered by an empty step is put together with the one before it. Parallel edges
//! that do the same become one.
//!
//! *Assignments in a row* become one simultaneous assignment when the location between them has no other edges;
//! the terms of the second have those of the first put in, unless that makes them much larger.
//! A condition followed by an assignment stays, as do all other actions.
//!
//! Law 4: a location is skipped only if it does not lead to itself, so every cycle keeps a location; and where a
//! join and another location become one, the join's point stays, because that is where the facts are.

use base::{FastMap, IndexVec};
use term::{Substitution, Term, Terms};

use super::BackMap;
use super::dead::compact;
use super::shape::{entry_of, expect_inlined, is_empty};
use crate::tuning::Tuning;
use crate::{Action, EdgeId, Loc, Mark, Program, Var};

/// Contracts empty steps and assignments in a row.
pub fn contract(program: Program, terms: &mut Terms) -> (Program, BackMap) {
    contracted(program, terms, Contraction::assignments)
}

/// Contracts empty steps only: each assignment stays a step.
pub fn skip_empty_steps(program: Program, terms: &mut Terms) -> (Program, BackMap) {
    contracted(program, terms, |_, _| {})
}

fn contracted(
    program: Program,
    terms: &mut Terms,
    assignments: impl FnOnce(&mut Contraction, &mut Terms),
) -> (Program, BackMap) {
    expect_inlined(&program);
    let map = BackMap::identity(&program);
    let mut work = Contraction::new(program, map);
    work.empty_steps(terms);
    assignments(&mut work, terms);
    work.empty_steps(terms);
    work.parallel();
    let Contraction { program, map, alive, .. } = work;
    let entry = program.entry.expect("a program has an entry function");
    let mut kept: IndexVec<Loc, bool> = program.locations.iter().map(|_| false).collect();
    for (id, edge) in program.edges.iter_enumerated() {
        if alive[id] {
            kept[edge.from] = true;
            kept[edge.to] = true;
        }
    }
    for (loc, info) in program.locations.iter_enumerated() {
        kept[loc] |= info.function != entry;
    }
    for function in &program.functions {
        kept[function.entry] = true;
        kept[function.exit] = true;
    }
    compact(program, map, &kept, &alive)
}

struct Contraction {
    program: Program,
    map: BackMap,
    alive: IndexVec<EdgeId, bool>,
    outgoing: IndexVec<Loc, Vec<EdgeId>>,
    incoming: IndexVec<Loc, Vec<EdgeId>>,
}

impl Contraction {
    fn new(program: Program, map: BackMap) -> Self {
        let mut outgoing: IndexVec<Loc, Vec<EdgeId>> = program.locations.iter().map(|_| Vec::new()).collect();
        let mut incoming = outgoing.clone();
        for (id, edge) in program.edges.iter_enumerated() {
            outgoing[edge.from].push(id);
            incoming[edge.to].push(id);
        }
        let alive = program.edges.iter().map(|_| true).collect();
        Contraction { program, map, alive, outgoing, incoming }
    }

    /// Locations with a meaning of their own.
    fn is_fixed(&self, loc: Loc) -> bool {
        let function = self.program.locations[loc].function;
        let function = &self.program.functions[function];
        loc == entry_of(&self.program)
            || loc == function.entry
            || loc == function.exit
            || matches!(self.program.locations[loc].mark, Mark::Error(_))
    }

    fn remove(&mut self, edge: EdgeId) {
        self.alive[edge] = false;
        let (from, to) = (self.program.edges[edge].from, self.program.edges[edge].to);
        self.outgoing[from].retain(|&other| other != edge);
        self.incoming[to].retain(|&other| other != edge);
    }
    fn lead_to(&mut self, edge: EdgeId, to: Loc) {
        let before = self.program.edges[edge].to;
        self.incoming[before].retain(|&other| other != edge);
        self.program.edges[edge].to = to;
        self.incoming[to].push(edge);
    }
    fn start_at(&mut self, edge: EdgeId, from: Loc) {
        let before = self.program.edges[edge].from;
        self.outgoing[before].retain(|&other| other != edge);
        self.program.edges[edge].from = from;
        self.outgoing[from].push(edge);
    }
    /// An edge stands for what another one stood for as well, afterwards.
    fn takes_in(&mut self, into: EdgeId, edge: EdgeId) {
        let taken = std::mem::take(&mut self.map.edges[edge]);
        self.map.edges[into].extend(taken);
    }

    fn empty_steps(&mut self, terms: &Terms) {
        for edge in self.program.edges.ids() {
            if !self.alive[edge] || !is_empty(terms, &self.program.edges[edge].action) {
                continue;
            }
            let (from, to) = (self.program.edges[edge].from, self.program.edges[edge].to);
            if from == to {
                continue;
            }
            if self.incoming[to].len() == 1 && !self.is_fixed(to) {
                // A run at `to` was at `from`, which has no other outgoing edge.
                if self.outgoing[from].len() > 1 {
                    continue;
                }
                let leaving = self.outgoing[to].clone();
                self.remove(edge);
                for next in leaving {
                    self.start_at(next, from);
                }
            } else if self.outgoing[from].len() == 1 && !self.is_fixed(from) {
                let entering = self.incoming[from].clone();
                self.remove(edge);
                for before in entering {
                    self.lead_to(before, to);
                }
            }
        }
    }

    fn assignments(&mut self, terms: &mut Terms) {
        for edge in self.program.edges.ids() {
            // Grows with the edges behind it for as long as possible.
            while self.alive[edge] && self.extend(terms, edge) {}
        }
    }

    /// Takes the next assignment into this one.
    fn extend(&mut self, terms: &mut Terms, edge: EdgeId) -> bool {
        let middle = self.program.edges[edge].to;
        let Action::Assign(first) = &self.program.edges[edge].action else { return false };
        if self.is_fixed(middle) || self.incoming[middle].len() != 1 || self.outgoing[middle].len() != 1 {
            return false;
        }
        let next = self.outgoing[middle][0];
        if next == edge {
            return false;
        }
        let Action::Assign(second) = &self.program.edges[next].action else { return false };
        let Some(both) = compose(&self.program, terms, first, second) else { return false };
        let to = self.program.edges[next].to;
        self.remove(next);
        self.takes_in(edge, next);
        self.program.edges[edge].action = Action::Assign(both);
        self.lead_to(edge, to);
        true
    }

    /// Of edges that do the same between the same locations, the first stays.
    fn parallel(&mut self) {
        for loc in self.program.locations.ids() {
            let mut seen: FastMap<(Loc, Term), ()> = FastMap::new();
            for edge in self.outgoing[loc].clone() {
                if let Action::Assume(condition) = self.program.edges[edge].action
                    && seen.insert((self.program.edges[edge].to, condition), ()).is_some()
                {
                    self.remove(edge);
                }
            }
        }
    }
}

/// One assignment for two in a row; none if terms grow too much.
pub(super) fn compose(
    program: &Program,
    terms: &mut Terms,
    first: &[(Var, Term)],
    second: &[(Var, Term)],
) -> Option<Vec<(Var, Term)>> {
    let pairs: Vec<(Term, Term)> = first.iter().map(|&(var, value)| (program.vars[var].term, value)).collect();
    let mut substitution = Substitution::new(terms, &pairs);
    let mut both: Vec<(Var, Term)> = Vec::with_capacity(first.len() + second.len());
    let mut overwritten: FastMap<Var, ()> = FastMap::new();
    for &(var, value) in second {
        let new = substitution.apply(terms, value);
        if new != value
            && terms.size(&[new]) > Tuning::DEFAULT.max_contracted_term
            && terms.size(&[new]) > terms.size(&[value])
        {
            return None;
        }
        overwritten.insert(var, ());
        if new != program.vars[var].term {
            both.push((var, new));
        }
    }
    let mut all: Vec<(Var, Term)> = first.iter().copied().filter(|(var, _)| !overwritten.contains_key(var)).collect();
    all.extend(both);
    Some(all)
}
