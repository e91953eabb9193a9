//! `--assertions each`: a verdict about every assertion from one check.
//!
//! The program is prepared once, with all assertions. In the first round all of them are asked about at once: engines that distinguish them
//! (`refine`, `kind`, `bmc`) pass on each verdict as they find it and keep their solvers; of the others, a proof settles all that are open, and
//! after an error they begin again without that assertion. What is left when the round is over is asked about one by one, those
//! that the fewest edges lead to first, in rounds that get longer. Locations are the same in all rounds, so what engines have proved in
//! one round is read in the next. The idea of one incremental solver for all assertions is that of HiFrog [AltEtAl-TACAS'17].
//!
//! What has no such common form (transition systems, whose properties do not end runs; recursion; programs that the passes refuse) is
//! checked assertion by assertion, like by `--assertion N`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use base::{Id, Stopped};
use engine::contracts::recursive;
use engine::{Facts, Task};
use program::pass::{self, select};
use program::{AssertionId, Loc, Mark, Program};
use verdict::{Code, Verdict, Why};

use crate::board::{Board, Round};
use crate::context::Context;
use crate::failure::Failure;
use crate::frontend::{self, Loaded};
use crate::options::Settings;
use crate::processor;
use crate::progress::lock;
use crate::race::race_for;
use crate::tuning::Tuning;
use crate::verify::{arms, cores, verify};

/// Verdicts about all assertions of the program. The time limit and interruptions end the search, not what is known.
pub fn each(context: &Context, loaded: &Loaded) -> Result<Arc<Board>, Failure> {
    let board = Arc::new(Board::new(&loaded.program));
    let result = match task(loaded) {
        Some(task) => by_rounds(context, &Arc::new(task), &board),
        None => one_by_one(context, loaded, &board),
    };
    board.ask(None);
    match result {
        Err(Failure::Stopped) if context.stopping() => {
            let is_late = context.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            let why = match (is_late, context.limit.exceeded()) {
                (true, _) => Why::new(Code::OutOfTime, "out of time"),
                (false, true) => Why::new(Code::OutOfMemory, "out of memory"),
                (false, false) => Why::new(Code::Interrupted, "interrupted"),
            };
            board.give_up(&why);
        }
        other => other?,
    }
    Ok(board)
}

/// What engines work on; none if there is no form for all assertions together.
fn task(loaded: &Loaded) -> Option<Task> {
    if loaded.system.is_some() || !recursive(&loaded.program).is_empty() {
        return None;
    }
    let mut own = loaded.terms.clone();
    let optimised = pass::optimise(loaded.program.clone(), &mut own, &pass::Options::default()).ok()?;
    Some(Task::new(loaded.program.clone(), optimised.program, optimised.map, own))
}

fn by_rounds(context: &Context, task: &Arc<Task>, board: &Arc<Board>) -> Result<(), Failure> {
    let mut round = Round { board: Arc::clone(board), facts: Arc::new(Facts::new()), until: None };
    let mut length = Duration::from_millis(Tuning::DEFAULT.each_round_milliseconds);
    if let Some(deadline) = context.deadline {
        // A hard assertion must not take the time of those that are asked about one by one.
        length = length.min(deadline.saturating_duration_since(Instant::now()) / 3);
    }
    let sizes = cone_sizes(&task.program);
    let mut is_first = true;
    loop {
        board.ask(None);
        let mut open = board.open();
        open.sort_by_key(|assertion| (sizes[assertion.index()], *assertion));
        let groups: Vec<Vec<AssertionId>> = match is_first {
            true => vec![open.clone()],
            false => open.iter().map(|&one| vec![one]).collect(),
        };
        let mut can_go_on = false;
        for group in groups {
            board.ask(Some(&group));
            if board.is_done() {
                continue;
            }
            // The last one may have all the time there is.
            round.until = (open.len() > 1).then(|| processor::used().unwrap_or_default() + length);
            let work = board.open_task(task);
            let found = race_for(context, task, None, arms(context, &work), cores(context), Some(&round))?;
            if let Verdict::Unknown(why) = found.verdict {
                can_go_on |= why.code == Code::OutOfTime || is_first;
                board.give_up(&why);
            }
            board.note_bugs(found.bugs);
        }
        board.ask(None);
        if board.is_done() || (!can_go_on && !is_first) || open.len() == 1 {
            return Ok(());
        }
        if !is_first {
            length = length.saturating_mul(Tuning::DEFAULT.each_round_growth);
        }
        is_first = false;
    }
}

/// How many edges can lead to each assertion.
fn cone_sizes(program: &Program) -> Vec<usize> {
    let mut into: Vec<Vec<Loc>> = vec![Vec::new(); program.locations.len()];
    for edge in program.edges.iter() {
        into[edge.to.index()].push(edge.from);
    }
    let mut sizes = vec![0; program.assertions.len()];
    for (loc, location) in program.locations.iter_enumerated() {
        let Mark::Error(assertion) = location.mark else { continue };
        let mut is_seen = vec![false; program.locations.len()];
        let mut open = vec![loc];
        while let Some(loc) = open.pop() {
            if !std::mem::replace(&mut is_seen[loc.index()], true) {
                sizes[assertion.index()] += into[loc.index()].len();
                open.extend(&into[loc.index()]);
            }
        }
    }
    sizes
}

/// Each assertion for itself.
fn one_by_one(context: &Context, loaded: &Loaded, board: &Arc<Board>) -> Result<(), Failure> {
    if loaded.system.is_some() && !frontend::is_file(context) {
        let text = "--assertions each reads a transition system once for each property, so it needs a file";
        return Err(Failure::Usage(text.to_owned()));
    }
    for assertion in board.open() {
        if context.stopping() {
            return Err(Failure::Stopped);
        }
        let settings = Settings { assertion: Some(assertion.index() as u32 + 1), ..Settings::clone(&context.settings) };
        let alone = Context { settings: Arc::new(settings), ..context.clone() };
        lock(&context.progress).reasons.clear();
        // In a system, a run goes on where a property fails that is not asked about.
        let again = if loaded.system.is_some() { Some(frontend::load(&alone)?) } else { None };
        let (program, terms, system) = match again {
            Some(mut again) => {
                again.select(assertion);
                (again.program, again.terms, again.system)
            }
            None => (select::assertion(loaded.program.clone(), assertion), loaded.terms.clone(), None),
        };
        let found = match verify(&alone, &program, &terms, system.as_ref()) {
            Ok(found) => found,
            Err(Stopped::Cancelled) => return Err(Failure::Stopped),
            Err(Stopped::OutOfTicks) => continue,
        };
        board.ask(Some(&[assertion]));
        match &found.verdict {
            Verdict::Unknown(why) => {
                board.give_up(why);
                board.note_bugs(found.bugs);
            }
            _ => board.enter(&[assertion], found),
        }
        board.ask(None);
    }
    Ok(())
}
