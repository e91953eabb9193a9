//! Candidates from outside: what an earlier run has proved, or what the source says at its loops.
//!
//! They are about points of the program as lowered. Those that the optimised program has words for pass Houdini together with what the
//! analysis says, and what is left is published as facts before the engines start. The rest are predicates, which engines may track.
//! Nothing is believed: what becomes a fact was proved here.

use base::{FastMap, Stopped};
use encode::{Cut, CutKind};
use program::align::members;
use program::{Instance, Point, Storage, Var};
use term::walk::Import;
use term::{Op, Substitution, Term, Terms};
use verdict::Candidates;

use crate::context::Context;
use crate::facts::{Fact, FactKind};
use crate::houdini::Houdini;
use crate::invariants::{Invariants, publish};
use crate::task::{Run, Task};
use crate::tuning::Tuning;

/// What became of a candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is an invariant.
    Holds,
    /// A step from this point leads from states that satisfy all candidates that are left to one that does not satisfy it.
    Refuted {
        /// Where the step begins.
        from: Point,
    },
    /// Whether a step from this point keeps it was not decided.
    Undecided {
        /// Where the step begins.
        from: Point,
    },
    /// The optimised program has no such loop, or it has no words for it.
    NoWords,
}

/// Tries the candidates and publishes what holds; what became of each, in order. An error if the run is to stop.
pub fn offered(
    task: &Task,
    run: &Run<'_>,
    candidates: &Candidates,
    source: &'static str,
) -> Result<Vec<Fate>, Stopped> {
    let mut fates = vec![Fate::NoWords; candidates.list.len()];
    let Ok((mut terms, blocks)) = task.encoded(run) else { return Ok(fates) };
    let mut cx = Context::new(task, &mut terms, blocks, run);
    let part = run.budget.part(Tuning::DEFAULT.offered_ticks);
    let mut words = Words::of(task, candidates);
    let mut cut_of: FastMap<&Point, Cut> = FastMap::new();
    for (cut, cutpoint) in blocks.cutpoints.iter_enumerated().filter(|(_, one)| one.kind == CutKind::Head) {
        cut_of.insert(&task.map.points[cutpoint.loc], cut);
    }
    let mut houdini = Houdini::new(blocks);
    let mut said: Vec<Option<(Cut, Term)>> = Vec::new();
    for (point, candidate) in &candidates.list {
        let cut = cut_of.get(point).copied().filter(|&cut| cut != blocks.entry());
        let fact = cut.and_then(|cut| Some((cut, words.term(cx.terms, candidates, *candidate)?)));
        if let Some((cut, term)) = fact {
            houdini.add(cut, term);
        }
        said.push(fact);
    }
    if said.iter().all(Option::is_none) {
        return Ok(fates);
    }
    let known = match Invariants::new(&mut cx.within(&part)) {
        Err(Stopped::OutOfTicks) => Invariants::none(blocks),
        known => known?,
    };
    let query_ticks = Tuning::DEFAULT.offered_query_ticks;
    let survivors = match houdini.run(&mut cx.within(&part), &known.at, query_ticks) {
        Err(Stopped::OutOfTicks) => return Ok(fates),
        survivors => survivors?,
    };
    publish(&cx, &survivors.invariants, source);
    let mut predicates = Vec::new();
    for (fate, fact) in fates.iter_mut().zip(&said) {
        let &Some((cut, term)) = fact else { continue };
        let fell = survivors.fallen.iter().rev().find(|one| (one.at, one.term) == (cut, term));
        *fate = match fell.map(|one| (one.is_hard, task.map.points[blocks.cutpoints[one.from].loc].clone())) {
            None => Fate::Holds,
            Some((false, from)) => Fate::Refuted { from },
            Some((true, from)) => Fate::Undecided { from },
        };
        if *fate != Fate::Holds {
            let at = Some(blocks.cutpoints[cut].loc);
            predicates.push(Fact { at, term, kind: FactKind::Predicate, source });
        }
    }
    run.facts.publish(cx.terms, &predicates);
    Ok(fates)
}

/// From the words of candidates to those of the optimised program.
struct Words {
    import: Import,
    /// By symbol of the candidates: the variable's term.
    variables: FastMap<Term, Term>,
}

impl Words {
    fn of(task: &Task, candidates: &Candidates) -> Words {
        let mut var_of: FastMap<&Instance, Option<Var>> = FastMap::new();
        for (var, instance) in task.map.instances.iter_enumerated() {
            // Two variables for one thing differ at some points, and which of them is meant is not known.
            let only = if var_of.contains_key(instance) { None } else { Some(var) };
            var_of.insert(instance, only);
        }
        let mut variables = FastMap::new();
        for (symbol, instance) in &candidates.symbols {
            let Some(instance) = of_layout(task, candidates, instance) else { continue };
            if let Some(&Some(var)) = var_of.get(&instance) {
                variables.insert(*symbol, task.program.vars[var].term);
            }
        }
        Words { import: Import::new(), variables }
    }
    /// The candidate over the program's variables.
    fn term(&mut self, terms: &mut Terms, candidates: &Candidates, candidate: Term) -> Option<Term> {
        let mut pairs = Vec::new();
        for part in candidates.terms.subterms(&[candidate]) {
            if matches!(candidates.terms.op(part), Op::Symbol(_)) && candidates.terms.args(part).is_empty() {
                pairs.push((part, *self.variables.get(&part)?));
            }
        }
        let term = self.import.term(&candidates.terms, terms, candidate).ok()?;
        let mut put_in = Vec::new();
        for (symbol, variable) in pairs {
            let symbol = self.import.term(&candidates.terms, terms, symbol).ok()?;
            if terms.sort_of(symbol) != terms.sort_of(variable) {
                return None;
            }
            put_in.push((symbol, variable));
        }
        Some(Substitution::new(terms, &put_in).apply(terms, term))
    }
}

/// The instance with the number that its column has in the task's layout, which may have others.
fn of_layout(task: &Task, candidates: &Candidates, instance: &Instance) -> Option<Instance> {
    let Storage::Column { column } = instance.storage else { return Some(instance.clone()) };
    let (theirs, ours) = (candidates.layout.as_ref()?, task.map.layout.as_ref()?);
    let old = theirs.columns.get(column as usize)?;
    let cells = members(theirs, column)?;
    let is_same = |&number: &u32| {
        let new = &ours.columns[number as usize];
        (new.bytes, new.form) == (old.bytes, old.form) && members(ours, number).as_ref() == Some(&cells)
    };
    let column = (0..ours.columns.len() as u32).find(is_same)?;
    Some(Instance { frame: instance.frame.clone(), storage: Storage::Column { column } })
}
