//! What an answer is worth: which lines and assertions concrete runs pass, and which assertions no run reaches.
//!
//! The runs are made after the search, on the program as lowered: zeros first, then small and random values, with little effort. They are a sample, and
//! change no verdict. An assertion is *passed* when a run comes to the branch that decides it. About assertions of a proof that no run has passed
//! k-induction is asked, with an error at that branch in their place; its proof is checked like any other.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use base::{Budget, Id, Values};
use engine::{Facts, Run, Silent, Task};
use program::interp::{Dictionary, Limits, Outcome, Passed, RandomInputs, ScriptedInputs};
use program::pass::{self, select};
use program::{Action, AssertionId, AssertionKind, Edge, FunId, Loc, Location, Mark, Program};
use report::answer::{Answer, Coverage, FileCoverage, Status, VerdictName};
use term::Terms;
use verdict::{Code, Counterexample, Verdict, Why};

use crate::command::evidence::Replay;
use crate::context::Context;
use crate::frontend::Loaded;
use crate::tuning::Tuning;

/// Adds to the answer what runs pass, and what is never reached.
pub fn add(context: &Context, loaded: &Loaded, replay: Option<&Replay>, answer: &mut Answer) {
    // Runs of a transition system have no end, and every step passes all of it.
    let is_late = context.deadline.is_some_and(|deadline| {
        deadline < Instant::now() + Duration::from_millis(Tuning::DEFAULT.coverage_reserve_milliseconds)
    });
    if loaded.system.is_some() || is_late || context.stopping() {
        return;
    }
    let program = &loaded.program;
    let Some(Sample { passed, n_runs, has_ended }) = runs(context, loaded, replay) else { return };
    let mut reach = Reach::new(program);
    let mut unseen = Vec::new();
    for (id, assertion) in program.assertions.ids().zip(&mut answer.assertions) {
        let guards = reach.guards(id);
        let is_passed =
            guards.iter().any(|guard| reach.leaving[guard.index()].iter().any(|&edge| passed.has_taken(edge)));
        // No error location belongs to the assertion that every run ends.
        let has_ended = has_ended && program.assertions[id].kind == AssertionKind::Ends;
        assertion.seen_in_a_run = is_passed || has_ended || assertion.status == Status::Fails;
        if !assertion.seen_in_a_run && assertion.status == Status::Proved && reach.has_way_to(id) {
            unseen.push((id, guards));
        }
    }
    answer.coverage = Some(Coverage { runs: n_runs, files: files(program, &passed) });
    let is_read = context.is_recorded || !context.settings.quiet || context.settings.html.is_some();
    if answer.verdict == VerdictName::Safe && is_read {
        let budget = Budget::ticks(Tuning::DEFAULT.never_reached_ticks, context.cancel.clone());
        for (id, guards) in unseen.into_iter().take(Tuning::DEFAULT.max_never_reached) {
            answer.assertions[id.index()].never_reached = is_never_reached(context, loaded, id, &guards, &budget);
        }
    }
}

/// What some runs came to.
struct Sample {
    passed: Passed,
    n_runs: usize,
    /// Whether one of them came to the end of the program.
    has_ended: bool,
}

/// A few runs; none if the program cannot be executed.
fn runs(context: &Context, loaded: &Loaded, replay: Option<&Replay>) -> Option<Sample> {
    let program = &loaded.program;
    let mut passed = Passed::new(program, &loaded.terms).ok()?;
    let budget = Budget::unlimited(context.cancel.clone());
    let mut left = Tuning::DEFAULT.coverage_edges;
    let (mut n_runs, mut has_ended) = (0, false);
    let memory = Tuning::DEFAULT.coverage_bytes;
    if let Some(replay) = replay {
        let limits = Limits { edges: left, memory, ..Limits::default() };
        passed.run(&mut ScriptedInputs::replay(&replay.run.inputs), &limits, &budget);
        n_runs += 1;
    }
    let dictionary = Dictionary::of(program, &loaded.terms);
    let most = Tuning::DEFAULT.coverage_runs;
    let first_seed = context.settings.seed.wrapping_mul(1 << 20);
    for number in 0..most {
        if left == 0 || context.stopping() {
            break;
        }
        // No run takes what the others need.
        let limits = Limits { edges: left.div_ceil(most - number), memory, ..Limits::default() };
        let run = passed.run(&mut RandomInputs::new(first_seed.wrapping_add(number), &dictionary), &limits, &budget);
        left = left.saturating_sub(run.edges.max(1));
        n_runs += 1;
        has_ended |= matches!(run.outcome, Outcome::Returned(_));
        if run.n_inputs == 0 {
            break;
        }
    }
    Some(Sample { passed, n_runs, has_ended })
}

/// The way back from errors to the branches that decide them.
struct Reach<'a> {
    program: &'a Program,
    entering: Vec<Vec<program::EdgeId>>,
    leaving: Vec<Vec<program::EdgeId>>,
    errors: BTreeMap<AssertionId, Vec<Loc>>,
    calls: BTreeMap<FunId, Vec<Loc>>,
    entries: BTreeMap<Loc, FunId>,
}

impl<'a> Reach<'a> {
    fn new(program: &'a Program) -> Self {
        let none = vec![Vec::new(); program.locations.len()];
        let mut reach = Reach {
            program,
            entering: none.clone(),
            leaving: none,
            errors: BTreeMap::new(),
            calls: BTreeMap::new(),
            entries: program.functions.iter_enumerated().map(|(id, function)| (function.entry, id)).collect(),
        };
        for (id, edge) in program.edges.iter_enumerated() {
            reach.entering[edge.to.index()].push(id);
            reach.leaving[edge.from.index()].push(id);
            if let Action::Call { function, .. } = edge.action {
                reach.calls.entry(function).or_default().push(edge.from);
            }
        }
        for (loc, location) in program.locations.iter_enumerated() {
            if let Mark::Error(id) = location.mark {
                reach.errors.entry(id).or_default().push(loc);
            }
        }
        reach
    }

    /// Whether an edge leads to an error of the assertion. Where constants decide that it holds, none does.
    fn has_way_to(&self, id: AssertionId) -> bool {
        self.errors.get(&id).is_some_and(|errors| errors.iter().any(|loc| !self.entering[loc.index()].is_empty()))
    }
    /// The branches that decide whether the assertion fails: the first ones on the way back from its errors.
    fn guards(&mut self, id: AssertionId) -> Vec<Loc> {
        let mut work = self.errors.get(&id).cloned().unwrap_or_default();
        let mut seen: BTreeSet<Loc> = work.iter().copied().collect();
        let mut guards = Vec::new();
        while let Some(loc) = work.pop() {
            if self.leaving[loc.index()].len() > 1 {
                guards.push(loc);
                continue;
            }
            let before = self.entering[loc.index()].iter().map(|&edge| self.program.edges[edge].from);
            let callers = self.entries.get(&loc).and_then(|function| self.calls.get(function)).into_iter().flatten();
            let more: Vec<Loc> = before.chain(callers.copied()).filter(|loc| !seen.contains(loc)).collect();
            seen.extend(&more);
            work.extend(more);
        }
        guards.sort_unstable();
        guards
    }
}

/// The lines with something to execute, by file.
fn files(program: &Program, passed: &Passed) -> Vec<FileCoverage> {
    let mut lines: BTreeMap<(usize, u32), bool> = BTreeMap::new();
    for (id, edge) in program.edges.iter_enumerated() {
        if let Some(place) = edge.place.filter(|place| place.line > 0) {
            *lines.entry((place.file.index(), place.line)).or_default() |= passed.has_taken(id);
        }
    }
    let file = |(id, path): (base::FileId, &String)| {
        let of = |wanted: bool| {
            let own = lines.iter().filter(|((file, _), is_passed)| *file == id.index() && **is_passed == wanted);
            ranges(own.map(|((_, line), _)| *line))
        };
        FileCoverage { path: path.clone(), passed: of(true), not_passed: of(false) }
    };
    let all = program.files.iter_enumerated().map(file);
    all.filter(|file| !file.passed.is_empty() || !file.not_passed.is_empty()).collect()
}

fn ranges(lines: impl Iterator<Item = u32>) -> Vec<(u32, u32)> {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for line in lines {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == line => *last = line,
            _ => ranges.push((line, line)),
        }
    }
    ranges
}

/// Whether it is proved that no run comes to these branches.
fn is_never_reached(context: &Context, loaded: &Loaded, id: AssertionId, guards: &[Loc], budget: &Budget) -> bool {
    if guards.is_empty() {
        // Nothing decides about the error, which is proved not to be reached.
        return true;
    }
    if loaded.program.edges.len() > Tuning::DEFAULT.max_never_reached_edges {
        return false;
    }
    let mut terms = loaded.terms.clone();
    let program = with_errors(&loaded.program, &mut terms, id, guards);
    let mut own = terms.clone();
    let Ok(optimised) = pass::optimise(program.clone(), &mut own, &pass::Options::default()) else { return false };
    let task = Task::new(program.clone(), optimised.program, optimised.map, own);
    let (facts, observer) = (Facts::unshared(), Silent);
    let replay = |_: &Counterexample| -> Result<(), Why> { Err(Why::new(Code::Bounded, "an error is no answer here")) };
    let part = budget.part(budget.left() / 2);
    let mut run = Run {
        budget: &part,
        seed: context.settings.seed,
        facts: &facts,
        observer: &observer,
        replay: &replay,
        each: None,
    };
    let verdict = engine_bmc::KIND.build(&Values::default()).run(&task, &mut run);
    match verdict {
        Ok(verdict @ Verdict::Safe(_)) => certify::certify(&program, &terms, &verdict, budget).is_ok(),
        _ => false,
    }
}

/// The program in which it is the only error to come to one of these branches.
fn with_errors(program: &Program, terms: &mut Terms, id: AssertionId, guards: &[Loc]) -> Program {
    let mut program = select::assertions(program.clone(), |_, _| false);
    for &guard in guards {
        let Location { function, place, .. } = program.locations[guard];
        let error = program.locations.push(Location { function, place, mark: Mark::Error(id) });
        program.edges.push(Edge { from: guard, to: error, action: Action::Assume(terms.truth(true)), place });
    }
    program
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_ranges() {
        assert_eq!(ranges([1, 2, 3, 7, 9, 10].into_iter()), [(1, 3), (7, 7), (9, 10)]);
        assert_eq!(ranges(std::iter::empty()), []);
    }
}
