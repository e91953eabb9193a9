//! Harnesses of the corpus: written, compiled with the program by the system's compiler, and run.
//!
//! `harnesses`: each unsafe integer C task is checked with `--harness`; what was written is built as it says itself, and must reach the error.
//! `--timeout S` (10) to check, `--every K` takes each K-th task, `--corpus DIR`, `--binary FILE`.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use testkit::compiler::TempFolder;

use crate::corpus;
use crate::flags::Flags;
use crate::tool;
use crate::witnesses::is_about_integers;

/// Checks, builds and runs.
pub fn run(args: &[String]) -> Result<(), String> {
    let mut flags = Flags::new(args);
    let corpus = flags.value("--corpus")?;
    let every = flags.number("--every", 1)?.max(1) as usize;
    let timeout = flags.number("--timeout", 10)?;
    let binary = tool::binary(flags.value("--binary")?)?;
    flags.finish()?;
    let wanted = |task: &corpus::Task| !task.safe && is_about_integers(task);
    let tasks: Vec<corpus::Task> = corpus::tasks(corpus)?.into_iter().filter(wanted).step_by(every).collect();
    let folder = TempFolder::new();
    let harness = folder.path().join("harness.c");
    let to = harness.to_str().ok_or("the temporary folder has a strange name")?;
    let (time, limit) = (format!("{timeout}s"), Duration::from_secs(timeout + 10));
    let (mut found, mut built, mut reached) = (0, 0, 0);
    for task in &tasks {
        let _ = std::fs::remove_file(to);
        let file = task.path.to_str().ok_or("a task has a strange name")?;
        let args = ["check", "--data-model", task.model, "-q", "--timeout", &time, "--harness", to, file];
        if tool::run(&binary, &args, limit)?.code != Some(1) {
            continue;
        }
        found += 1;
        let text = std::fs::read_to_string(to).map_err(|error| format!("{}: no harness: {error}", task.name))?;
        let command = text.find("cc -m").and_then(|start| text[start..].split("./a.out").next());
        let command = command.ok_or_else(|| format!("{}: the harness does not say how to compile it", task.name))?;
        if shell(folder.path(), &format!("timeout 60 {command}"))? != Some(0) {
            println!("{}: cannot be built", task.name);
            continue;
        }
        built += 1;
        match shell(folder.path(), "timeout 20 ./a.out")? {
            Some(99) => reached += 1,
            code => println!("{}: ends with {code:?}", task.name),
        }
    }
    println!("{} tasks, {found} found unsafe, {built} harnesses built, {reached} reach the error", tasks.len());
    if reached * 100 < found * 95 { Err("less than 95 % of the harnesses reach the error".into()) } else { Ok(()) }
}

/// The exit code of a command in the folder.
fn shell(folder: &Path, command: &str) -> Result<Option<i32>, String> {
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    shell.status().map(|status| status.code()).map_err(|error| format!("a shell does not start: {error}"))
}
