//! The iteration: environments for all locations, until nothing changes.

use base::{Budget, Id, IndexVec, Stopped};
use program::structure::{Digraph, WeakOrder};
use program::{Action, EdgeId, Graph, Loc, Program};
use term::Terms;

use super::environment::{Environment, width_of};
use super::number::mask;
use super::refine::assume;
use crate::tuning::Tuning;

/// A component that is being repeated.
struct Repeated {
    head: usize,
    end: usize,
    rounds: u32,
}

pub(super) fn fixpoint(
    program: &Program,
    terms: &Terms,
    budget: &Budget,
) -> Result<IndexVec<Loc, Option<Environment>>, Stopped> {
    let mut known: IndexVec<Loc, Option<Environment>> = IndexVec::new();
    known.grow_to(program.locations.len(), None);
    let Some(entry) = program.entry else { return Ok(known) };
    let start = program.functions[entry].entry;
    let ends = program.edges.iter().map(|edge| (edge.from.index(), edge.to.index()));
    let order = WeakOrder::new(&Digraph::new(program.locations.len(), ends), start.index());
    let iteration =
        Iteration { program, terms, graph: Graph::new(program), start, thresholds: thresholds(program, terms) };
    let mut repeated: Vec<Repeated> = Vec::new();
    let mut rounds_in_all: Vec<u32> = vec![0; order.row.len()];
    let mut at = 0;
    loop {
        if let Some(component) = repeated.last_mut()
            && component.end == at
        {
            component.rounds += 1;
            let in_all = &mut rounds_in_all[component.head];
            *in_all = in_all.saturating_add(1);
            let is_patient =
                component.rounds <= Tuning::DEFAULT.analysis_joins && *in_all <= Tuning::DEFAULT.analysis_joins_in_all;
            // In the end, bounds that move are given up at once.
            let thresholds: &[u64] =
                if *in_all > 2 * Tuning::DEFAULT.analysis_joins_in_all { &[] } else { &iteration.thresholds };
            let loc = Loc::new(order.row[component.head]);
            let Some(new) = iteration.incoming(&known, loc, budget)? else {
                repeated.pop();
                continue;
            };
            let next = match &known[loc] {
                // An irreducible loop may be entered elsewhere than at its head.
                None => new,
                Some(old) => {
                    let joined = old.join(&new);
                    if joined.same(old) {
                        repeated.pop();
                        continue;
                    }
                    if is_patient { joined } else { old.widen(&new, thresholds) }
                }
            };
            known[loc] = Some(next);
            at = component.head + 1;
            continue;
        }
        let Some(&node) = order.row.get(at) else { break };
        let loc = Loc::new(node);
        let mut before = None;
        if let Some(end) = order.end[at] {
            if rounds_in_all[at] > 2 * Tuning::DEFAULT.analysis_joins_in_all {
                // Loops in loops in loops: to begin anew each time would take forever.
                before = known[loc].take();
            } else {
                // What an earlier round of the loop around it found is of no use here.
                for &inner in &order.row[at..end] {
                    known[Loc::new(inner)] = None;
                }
            }
            repeated.push(Repeated { head: at, end, rounds: 0 });
        }
        known[loc] = match (before, iteration.incoming(&known, loc, budget)?) {
            (Some(old), Some(new)) => Some(old.widen(&new, &[])),
            (old, new) => old.or(new),
        };
        at += 1;
    }
    iteration.descend(&mut known, &order.row, budget)?;
    Ok(known)
}

struct Iteration<'a> {
    program: &'a Program,
    terms: &'a Terms,
    graph: Graph,
    start: Loc,
    thresholds: Vec<u64>,
}

impl Iteration<'_> {
    /// Sharpens what widening has given up.
    fn descend(
        &self,
        known: &mut IndexVec<Loc, Option<Environment>>,
        row: &[usize],
        budget: &Budget,
    ) -> Result<(), Stopped> {
        for _ in 0..Tuning::DEFAULT.analysis_descents {
            for &node in row {
                let loc = Loc::new(node);
                let new = self.incoming(known, loc, budget)?;
                known[loc] = match (&known[loc], new) {
                    (Some(old), Some(new)) => Some(old.sharpen(&new)),
                    _ => None,
                };
            }
        }
        Ok(())
    }
    /// What all edges into the location bring.
    fn incoming(
        &self,
        known: &IndexVec<Loc, Option<Environment>>,
        loc: Loc,
        budget: &Budget,
    ) -> Result<Option<Environment>, Stopped> {
        let mut result = (loc == self.start).then(|| Environment::new(self.program, self.terms));
        for &edge in self.graph.incoming(loc) {
            budget.spend(1)?;
            let Some(before) = &known[self.program.edges[edge].from] else { continue };
            let Some(after) = self.after(edge, before) else { continue };
            result = Some(match result {
                Some(result) => result.join(&after),
                None => after,
            });
        }
        Ok(result)
    }
    /// What is known behind an edge; none if it is never taken.
    fn after(&self, edge: EdgeId, before: &Environment) -> Option<Environment> {
        let mut env = before.clone();
        match &self.program.edges[edge].action {
            Action::Assume(condition) => return assume(self.terms, env, *condition, true),
            Action::Assign(pairs) => {
                let pairs: Vec<_> = pairs.iter().map(|&(var, term)| (var, Some(term))).collect();
                env.assign(self.terms, &pairs);
            }
            Action::Havoc { var, .. }
            | Action::Load { var, .. }
            | Action::Alloc { var, .. }
            | Action::Probe { var, .. } => {
                env.assign(self.terms, &[(*var, None)]);
            }
            Action::Store { .. }
            | Action::Forget { .. }
            | Action::Free { .. }
            | Action::End { .. }
            | Action::Order(_)
            | Action::Check { .. } => {}
            // Programs are inlined before; a call that is left may change anything.
            Action::Call { .. } => env = Environment::new(self.program, self.terms),
        }
        Some(env)
    }
}

/// The program's constants and their neighbours, ascending.
fn thresholds(program: &Program, terms: &Terms) -> Vec<u64> {
    let mut found = vec![0, 1];
    let mut roots = Vec::new();
    for edge in program.edges.iter() {
        match &edge.action {
            Action::Assume(condition) => roots.push(*condition),
            Action::Assign(pairs) => roots.extend(pairs.iter().map(|&(_, term)| term)),
            _ => {}
        }
    }
    for term in terms.subterms(&roots) {
        let width = width_of(terms, terms.sort_of(term));
        if let Some(value) = terms.small_value(term).filter(|_| width > 1) {
            let neighbours = [value.wrapping_sub(1) & mask(width), value, value.wrapping_add(1) & mask(width)];
            found.extend(neighbours);
        }
        if found.len() > 64 * Tuning::DEFAULT.analysis_thresholds {
            break;
        }
    }
    found.sort_unstable();
    found.dedup();
    if found.len() > Tuning::DEFAULT.analysis_thresholds {
        let step = found.len().div_ceil(Tuning::DEFAULT.analysis_thresholds);
        found = found.into_iter().step_by(step).collect();
    }
    found
}
