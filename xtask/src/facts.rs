//! Every fact that the analysis yields passes the checker.
//!
//! `facts`: each C task of the corpus is compiled and optimised, the analysis computes invariants of its loops, and these go to
//! `certify` as the proof that a program without any error is safe: then only the invariants themselves are to be checked.
//! `--every K` takes each K-th task, `--task TEXT` those whose name has this text, `--corpus DIR` another corpus, `--ticks N` says how much effort a check may take.

use std::sync::atomic::AtomicBool;

use base::Budget;
use engine::{Facts, Invariants, Run, Silent, Task, evidence};
use program::{Mark, pass};
use uforia::context::Context;
use uforia::options::{Command, Settings};
use uforia::output::Output;
use verdict::{Code, Method, Verdict, Why};

use crate::corpus;
use crate::flags::Flags;

/// What became of a task.
enum Outcome {
    /// The number of facts, all accepted.
    Accepted(usize),
    /// The checker refused them.
    Refused(String),
    /// Nothing to check.
    Nothing,
    /// Not in time: the component that was too slow.
    Slow(&'static str),
}

/// Checks the facts of all tasks.
pub fn run(args: &[String]) -> Result<(), String> {
    let mut flags = Flags::new(args);
    let corpus = flags.value("--corpus")?;
    let every = flags.number("--every", 1)?.max(1) as usize;
    let ticks = flags.number("--ticks", 50_000_000)?;
    let only = flags.value("--task")?.unwrap_or_default();
    flags.finish()?;
    let is_wanted = |task: &corpus::Task| task.name.contains(&only);
    let tasks: Vec<corpus::Task> = corpus::tasks(corpus)?.into_iter().step_by(every).filter(is_wanted).collect();
    // The front end recurses as deep as programs nest.
    let worker = std::thread::Builder::new().stack_size(512 << 20);
    let work = move || {
        let (mut facts, mut accepted, mut nothing, mut slow) = (0, 0, 0, 0);
        let mut refused = Vec::new();
        for task in &tasks {
            let clock = std::time::Instant::now();
            match check(task, ticks) {
                Outcome::Accepted(n) => (facts, accepted) = (facts + n, accepted + 1),
                Outcome::Refused(why) => refused.push(format!("{}: {why}", task.name)),
                Outcome::Nothing => nothing += 1,
                Outcome::Slow(part) => {
                    println!("{}: {part} not finished after {:.1} s", task.name, clock.elapsed().as_secs_f64());
                    slow += 1;
                }
            }
        }
        println!(
            "{facts} facts of {accepted} tasks accepted; {} tasks refused, {slow} not checked in time, {nothing} without facts",
            refused.len()
        );
        refused
    };
    let refused =
        worker.spawn(work).map_err(|error| error.to_string())?.join().map_err(|_| "a task could not be analysed")?;
    if refused.is_empty() { Ok(()) } else { Err(refused.join("\n")) }
}

fn check(task: &corpus::Task, ticks: u64) -> Outcome {
    let mut settings = Settings::new(Command::Check);
    settings.file = task.path.to_str().unwrap_or_default().to_owned();
    settings.data_model = if task.model == "lp64" { cfront::DataModel::Lp64 } else { cfront::DataModel::Ilp32 };
    let context = Context::new(settings, Output::standard());
    let Ok(loaded) = uforia::frontend::load(&context) else { return Outcome::Nothing };
    let mut terms = loaded.terms;
    let options = pass::Options::default();
    let Ok(optimised) = pass::optimise(loaded.program.clone(), &mut terms, &options) else { return Outcome::Nothing };
    let task = Task::new(loaded.program, optimised.program, optimised.map, terms);
    let budget = Budget::ticks(ticks, AtomicBool::new(false).into());
    let no_replay = |_: &verdict::Counterexample| Err(Why::new(Code::GaveUp, "no replay is needed"));
    let run = Run { budget: &budget, seed: 0, facts: &Facts::new(), observer: &Silent, replay: &no_replay, each: None };
    let Ok((mut terms, blocks)) = task.encoded(&run) else { return Outcome::Nothing };
    let Ok(invariants) = Invariants::new(&mut engine::Context::new(&task, &mut terms, blocks, &run)) else {
        return Outcome::Slow("the analysis");
    };
    let all = invariants.all();
    if all.is_empty() {
        return Outcome::Nothing;
    }
    let proof = evidence::proof(&task, &mut terms, blocks, &all, Method::Induction { depth: 1 }, &[]);
    let mut harmless = task.lowered.clone();
    for location in harmless.locations.iter_mut() {
        if matches!(location.mark, Mark::Error(_)) {
            location.mark = Mark::None;
        }
    }
    let budget = Budget::ticks(ticks, AtomicBool::new(false).into());
    match certify::certify(&harmless, &task.terms, &Verdict::Safe(Box::new(proof)), &budget) {
        Ok(_) => Outcome::Accepted(all.len()),
        Err(certify::Refusal::Stopped(_)) => Outcome::Slow("the check"),
        Err(refusal) => Outcome::Refused(refusal.to_string()),
    }
}
