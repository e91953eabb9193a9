//! Queries of unrolled programs as SMT-LIB scripts: what a bounded model checker asks about the corpus.
//!
//! `queries --out FOLDER`: each C task is compiled, optimised and unrolled for `--steps N` steps from loop head to loop head; if an error
//! can come in some step, the question whether it does becomes a script. `--every K` takes each K-th task, `--corpus DIR` another
//! corpus. The scripts are for `smt-bench --dir`, which measures our solver and others on them.

use std::path::Path;

use base::Budget;
use encode::{Blocks, Memory, Unrolling};
use program::pass;
use term::smtlib;
use uforia::context::Context;
use uforia::options::{Command, Settings};
use uforia::output::Output;

use crate::corpus::{self, Task};
use crate::flags::Flags;

/// Larger scripts than this say more about reading than about solving.
const LARGEST: usize = 3_000_000;

/// Writes the scripts.
pub fn run(args: &[String]) -> Result<(), String> {
    let mut flags = Flags::new(args);
    let corpus = flags.value("--corpus")?;
    let out = flags.value("--out")?.ok_or("name a folder with --out")?;
    let steps = flags.number("--steps", 6)?;
    let every = flags.number("--every", 5)?.max(1) as usize;
    flags.finish()?;
    std::fs::create_dir_all(&out).map_err(|error| format!("{out}: {error}"))?;
    let tasks: Vec<Task> = corpus::tasks(corpus)?.into_iter().step_by(every).collect();
    let n_tasks = tasks.len();
    // The front end recurses as deep as programs nest.
    let worker = std::thread::Builder::new().stack_size(512 << 20);
    let written = worker
        .spawn(move || tasks.iter().filter(|task| write(task, Path::new(&out), steps).is_some()).count())
        .map_err(|error| error.to_string())?
        .join()
        .map_err(|_| "a task could not be unrolled")?;
    println!("{written} scripts from {n_tasks} tasks");
    Ok(())
}

/// Writes the script of one task, if there is something to ask.
fn write(task: &Task, out: &Path, steps: u64) -> Option<()> {
    let mut settings = Settings::new(Command::Check);
    settings.file = task.path.to_str()?.to_owned();
    settings.data_model = if task.model == "lp64" { cfront::DataModel::Lp64 } else { cfront::DataModel::Ilp32 };
    settings.quiet = true;
    let context = Context::new(settings, Output::standard());
    let loaded = uforia::frontend::load(&context).ok()?;
    let mut terms = loaded.terms;
    let optimised = pass::optimise(loaded.program, &mut terms, &pass::Options::default()).ok()?;
    let blocks = Blocks::new(&optimised.program, &mut terms, Memory::Anything).ok()?;
    let mut unrolling = Unrolling::from_entry(&optimised.program, &mut terms, &blocks, "bmc");
    let budget = Budget::default();
    for _ in 0..steps {
        unrolling.advance(&optimised.program, &mut terms, &blocks);
        budget.spend(1).ok()?;
        if terms.len() > 2_000_000 {
            return None;
        }
    }
    let guards: Vec<term::Term> = unrolling.errors.iter().map(|error| error.guard).collect();
    if guards.is_empty() {
        return None;
    }
    let mut assertions = blocks.axioms.clone();
    assertions.push(terms.or(&guards));
    let text = smtlib::script(&terms, &assertions);
    if text.len() > LARGEST || text.contains("FloatingPoint") {
        return None;
    }
    let name = task.name.replace(['/', '.'], "-");
    std::fs::write(out.join(format!("{name}.smt2")), text).ok()
}
