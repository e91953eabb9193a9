//! Our own witnesses of the corpus, checked by our own validator.
//!
//! `witnesses`: each integer C task is checked with `--witness`, and what was written is validated. Nearly all must be confirmed; none may be
//! rejected. `--timeout S` (10) for each of both, `--every K` takes each K-th task, `--corpus DIR`, `--set NAME`, `--binary FILE`,
//! `--keep DIR` keeps the witnesses that were not confirmed.

use std::time::Duration;

use testkit::compiler::TempFolder;

use crate::corpus;
use crate::flags::Flags;
use crate::tool;

/// Sets that need more than integers.
const OTHER_SETS: &[&str] = &["array-examples", "heap-", "list-", "forester-heap", "ntdrivers", "recursive-simple"];

/// Whether the task is in one of the sets about integers.
pub(crate) fn is_about_integers(task: &corpus::Task) -> bool {
    !OTHER_SETS.iter().any(|other| task.set == *other || other.ends_with('-') && task.set.starts_with(other))
}

/// What became of the witnesses of one kind.
#[derive(Default)]
struct Tally {
    confirmed: usize,
    rejected: usize,
    unknown: usize,
}

/// Checks and validates.
pub fn run(args: &[String]) -> Result<(), String> {
    let mut flags = Flags::new(args);
    let corpus = flags.value("--corpus")?;
    let every = flags.number("--every", 1)?.max(1) as usize;
    let timeout = flags.number("--timeout", 10)?;
    let set = flags.value("--set")?;
    let keep = flags.value("--keep")?;
    let binary = tool::binary(flags.value("--binary")?)?;
    flags.finish()?;
    let is_integer = |task: &corpus::Task| {
        let in_set = set.as_ref().is_none_or(|set| task.set == *set);
        in_set && is_about_integers(task)
    };
    let tasks: Vec<corpus::Task> = corpus::tasks(corpus)?.into_iter().filter(is_integer).step_by(every).collect();
    let folder = TempFolder::new();
    let witness = folder.path().join("witness.yml");
    let witness = witness.to_str().ok_or("the temporary folder has a strange name")?;
    let (time, limit) = (format!("{timeout}s"), Duration::from_secs(timeout + 10));
    let (mut safe, mut unsafe_, mut none) = (Tally::default(), Tally::default(), 0);
    let mut wrong = Vec::new();
    for task in &tasks {
        let _ = std::fs::remove_file(witness);
        let file = task.path.to_str().ok_or("a task has a strange name")?;
        let more = ["--data-model", task.model, "-q", "--timeout", &time, "--witness", witness, file];
        let with = |command| std::iter::once(command).chain(more).collect::<Vec<&str>>();
        let checked = tool::run(&binary, &with("check"), limit)?;
        let tally = match checked.code {
            Some(0) => &mut safe,
            Some(1) => &mut unsafe_,
            _ => {
                none += 1;
                continue;
            }
        };
        let validated = tool::run(&binary, &with("validate"), limit)?;
        let last = validated.output.lines().last().unwrap_or("(silent)");
        match validated.code {
            Some(0) => {
                tally.confirmed += 1;
                continue;
            }
            Some(1) => {
                tally.rejected += 1;
                wrong.push(task.name.clone());
            }
            Some(2) => tally.unknown += 1,
            _ => wrong.push(format!("{} ({:?})", task.name, validated.code)),
        }
        println!("{} ({:.1} s to check): {last}", task.name, checked.seconds);
        if let Some(keep) = &keep {
            let to = std::path::Path::new(keep).join(format!("{}.yml", task.name.replace('/', "_")));
            std::fs::copy(witness, to).map_err(|error| format!("cannot keep a witness: {error}"))?;
        }
    }
    println!("{} tasks, {none} without an answer", tasks.len());
    let (mut confirmed, mut all) = (0, 0);
    for (name, tally) in [("correctness", &safe), ("violation", &unsafe_)] {
        let sum = tally.confirmed + tally.rejected + tally.unknown;
        let Tally { confirmed: yes, rejected, unknown } = tally;
        println!("{name}: {sum} witnesses, {yes} confirmed, {rejected} rejected, {unknown} unknown");
        confirmed += yes;
        all += sum;
    }
    if !wrong.is_empty() {
        return Err(format!("witnesses of our own were rejected: {}", wrong.join(", ")));
    }
    if confirmed * 10 < all * 9 { Err("less than 90 % of the witnesses were confirmed".into()) } else { Ok(()) }
}
