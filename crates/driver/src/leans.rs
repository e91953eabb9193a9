//! What a `SAFE` under `unreach-call` leans on: accesses to memory that are not proved valid.
//!
//! Under `unreach-call` a run ends at its first invalid access (the record `strict-runs`), so `SAFE` says nothing about what happens
//! after one. The same program, with invalid accesses as its only errors, is put through the passes and then to
//! symbolic execution and k-induction with a small budget of ticks. What is left open is named behind the verdict. A property file asks for
//! exactly what it says, so that the side proof is left out there.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use base::{Budget, Values};
use cfront::Property;
use engine::{Facts, Run, Silent, Task};
use program::pass::select;
use program::{AssertionId, AssertionKind, Mark, Program, pass};

use verdict::{Counterexample, Verdict, Why};

use crate::context::Context;
use crate::frontend::{self, Loaded};

use crate::command::place_text;
use crate::tuning::Tuning;

/// What stands behind `SAFE` in the last line; empty if nothing is left open.
pub fn condition(context: &Context) -> String {
    if context.settings.property != "unreach-call" {
        return String::new();
    }
    let Ok(loaded) = frontend::load_for(context, Property::Errors) else { return String::new() };
    let accesses = only_accesses(loaded);
    let open = match left_open(&accesses, context) {
        Side::Proved => return String::new(),
        Side::Violated(assertion) => {
            return format!(", but {} before anything else can go wrong", violated(&accesses.program, assertion));
        }
        Side::Open(open) => open,
    };
    let named: Vec<String> =
        open.iter().take(Tuning::DEFAULT.max_named_accesses).map(|&id| described(&accesses.program, id)).collect();
    let more = open.len().saturating_sub(Tuning::DEFAULT.max_named_accesses);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    let (count, verb) =
        if open.len() == 1 { ("1 access".to_owned(), "stays") } else { (format!("{} accesses", open.len()), "stay") };
    format!(", as long as {count} {verb} valid: {}{rest}", named.join(", "))
}

/// What the side proof came to.
enum Side {
    /// All accesses are valid.
    Proved,
    /// This one is not, in a run that was replayed.
    Violated(AssertionId),
    /// These may not be.
    Open(Vec<AssertionId>),
}

fn left_open(loaded: &Loaded, context: &Context) -> Side {
    if errors(&loaded.program).is_empty() {
        return Side::Proved;
    }
    let mut own = loaded.terms.clone();
    let Ok(optimised) = pass::optimise(loaded.program.clone(), &mut own, &pass::Options::default()) else {
        return Side::Open(errors(&loaded.program));
    };
    let open = errors(&optimised.program);
    if open.is_empty() {
        return Side::Proved;
    }
    let task = Task::new(loaded.program.clone(), optimised.program, optimised.map, own);
    // The verdict is known: it must not be lost because the side proof takes too long.
    let reserve = Duration::from_millis(Tuning::DEFAULT.side_proof_reserve_milliseconds);
    let left =
        context.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()).saturating_sub(reserve));
    if left.is_some_and(|left| left.is_zero()) {
        return Side::Open(open);
    }
    let stop = Arc::new(AtomicBool::new(false));
    let proved = thread::scope(|scope| {
        let (over, is_over) = mpsc::channel::<()>();
        let asked = &stop;
        scope.spawn(move || {
            let pause = Duration::from_millis(Tuning::DEFAULT.side_proof_pause_milliseconds);
            let end = left.map(|left| Instant::now() + left);
            while is_over.recv_timeout(pause) == Err(mpsc::RecvTimeoutError::Timeout) {
                let is_late = end.is_some_and(|end| end <= Instant::now());
                if is_late || context.cancel.load(Ordering::Relaxed) {
                    asked.store(true, Ordering::Relaxed);
                }
            }
        });
        let found = side_proof(loaded, &task, context, Budget::ticks(Tuning::DEFAULT.side_proof_ticks, stop.clone()));
        drop(over);
        found
    });
    proved.unwrap_or(Side::Open(open))
}

/// All accesses are proved valid, or one of them is not.
fn side_proof(loaded: &Loaded, task: &Task, context: &Context, budget: Budget) -> Option<Side> {
    let (facts, observer) = (Facts::unshared(), Silent);
    let replay = |counterexample: &Counterexample| -> Result<(), Why> {
        let verdict = Verdict::Unsafe(counterexample.clone());
        certify::certify(&loaded.program, &loaded.terms, &verdict, &budget).map(|_| ()).map_err(|refusal| refusal.why())
    };
    // Bounded programs are executed at once, for a part of the effort; k-induction is for the others.
    for (engine, share) in [(&engine_bmc::SYMBOLIC, 4), (&engine_bmc::KIND, 1)] {
        let part = budget.part(budget.left() / share);
        let mut run = Run {
            budget: &part,
            seed: context.settings.seed,
            facts: &facts,
            observer: &observer,
            replay: &replay,
            each: None,
        };
        let verdict = engine.build(&Values::default()).run(task, &mut run);
        match verdict {
            Ok(verdict @ (Verdict::Safe(_) | Verdict::Unsafe(_)))
                if certify::certify(&loaded.program, &loaded.terms, &verdict, &budget).is_ok() =>
            {
                return Some(match verdict {
                    Verdict::Unsafe(counterexample) => Side::Violated(counterexample.assertion),
                    _ => Side::Proved,
                });
            }
            _ => {}
        }
    }
    None
}

/// The program with invalid accesses as its only errors.
fn only_accesses(mut loaded: Loaded) -> Loaded {
    let is_access = |kind: AssertionKind| matches!(kind, AssertionKind::Access(_));
    loaded.program = select::assertions(loaded.program, |_, assertion| is_access(assertion.kind));
    loaded
}

/// The assertions with an error location, once each.
fn errors(program: &Program) -> Vec<AssertionId> {
    let mut found: Vec<AssertionId> = Vec::new();
    for location in &program.locations {
        if let Mark::Error(id) = location.mark
            && !found.contains(&id)
        {
            found.push(id);
        }
    }
    found.sort_unstable();
    found
}

fn described(program: &Program, id: AssertionId) -> String {
    let assertion = &program.assertions[id];
    let verb = match assertion.kind {
        AssertionKind::Access(access) => access.word(),
        _ => "access",
    };
    let what = &assertion.text;
    let place = place_text(program, assertion.place).map_or(String::new(), |place| format!(" at {place}"));
    format!("{verb} {what}{place}")
}

fn violated(program: &Program, id: AssertionId) -> String {
    let text = described(program, id);
    format!("the {text} is invalid")
}
