//! `cargo xtask cross --front-ends`: our C front end against clang's.
//!
//! Each program is checked twice, as our front end reads it and as clang compiles it (`--front-end clang`). The two share engines and
//! checker, not the reading of C: `SAFE` against `UNSAFE` means that one of them is wrong about the language, and is a finding.
//! A program that one decides and the other does not is counted as lost or gained, with the reason.
//!
//! `cross --front-ends [DIR]`: the C tasks of a corpus with a `manifest.csv`; without one `tests/verify` and `tests/c` under both data models (`--model`).
//! `--timeout S` (5), `--every K`, `--minutes M` at most, `--binary FILE`, `--property NAME` (`unreach-call` for a corpus).

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use cfront::DataModel;
use testkit::golden::workspace;

use crate::corpus;
use crate::flags::Flags;
use crate::tool;

struct Task {
    name: String,
    file: PathBuf,
    model: &'static str,
}

/// What an answer comes to.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Said {
    Safe,
    Unsafe,
    /// The reason.
    Unknown(String),
}

/// Compares.
pub fn run(mut flags: Flags) -> Result<(), String> {
    let timeout = flags.number("--timeout", 5)?;
    let every = flags.number("--every", 1)?.max(1) as usize;
    let minutes = flags.number("--minutes", u64::MAX / 120)?;
    let binary = flags.value("--binary")?;
    let property = flags.value("--property")?;
    let models = flags.models()?;
    let folder = flags.word();
    flags.finish()?;
    let property = property.or_else(|| folder.as_ref().map(|_| "unreach-call".to_owned()));
    let tasks = match folder {
        Some(folder) => of_corpus(folder)?,
        None => of_project(&models)?,
    };
    let binary = tool::binary(binary)?;
    let deadline = Instant::now().checked_add(Duration::from_secs(minutes.saturating_mul(60)));
    let mut table = Table::default();
    for task in tasks.iter().step_by(every) {
        if deadline.is_some_and(|deadline| Instant::now() > deadline) {
            println!("out of time after {} programs", table.n_tasks);
            break;
        }
        let ask = |front_end: &str| -> Result<Said, String> {
            let (file, limit) = (task.file.to_string_lossy(), format!("{timeout}s"));
            let mut words =
                vec!["check", "--quiet", "--bug-bundle=never", "--timeout", &limit, "--data-model", task.model];
            words.extend(["--front-end", front_end]);
            words.extend(property.iter().flat_map(|property| ["--property", property.as_str()]));
            words.push(&file);
            let ran = tool::run(&binary, &words, Duration::from_secs(3 * timeout + 60))?;
            Ok(said(ran.code, &ran.output, &ran.errors))
        };
        let (own, clang) = (ask("own")?, ask("clang")?);
        table.note(&format!("{} {}", task.model, task.name), own, clang);
    }
    table.print();
    match table.findings.len() {
        0 => Ok(()),
        count => Err(format!("{count} programs have two answers")),
    }
}

fn of_corpus(folder: String) -> Result<Vec<Task>, String> {
    let tasks = corpus::tasks(Some(folder))?.into_iter();
    Ok(tasks.map(|task| Task { name: task.name, file: task.path, model: task.model }).collect())
}

fn of_project(models: &[DataModel]) -> Result<Vec<Task>, String> {
    let mut files = Vec::new();
    for folder in ["tests/verify", "tests/c"] {
        let entries = std::fs::read_dir(workspace().join(folder)).map_err(|error| format!("{folder}: {error}"))?;
        files.extend(entries.flatten().map(|entry| entry.path()));
    }
    files.retain(|file| file.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    let of_file = |file: &PathBuf| {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let of_model = move |model: &DataModel| if *model == DataModel::Ilp32 { "ilp32" } else { "lp64" };
        models
            .iter()
            .map(|model| Task { name: name.clone(), file: file.clone(), model: of_model(model) })
            .collect::<Vec<_>>()
    };
    Ok(files.iter().flat_map(of_file).collect())
}

fn said(code: Option<i32>, output: &str, errors: &str) -> Said {
    let last = output.lines().last().unwrap_or("");
    match code {
        Some(0) if last.starts_with("SAFE") => Said::Safe,
        Some(1) if last.starts_with("UNSAFE") => Said::Unsafe,
        Some(2) => Said::Unknown(last.trim_start_matches("UNKNOWN: ").to_owned()),
        Some(code) => Said::Unknown(format!("exit code {code}: {}", errors.lines().next().unwrap_or(""))),
        None => Said::Unknown("no answer".to_owned()),
    }
}

#[derive(Default)]
struct Table {
    n_tasks: usize,
    counts: BTreeMap<(&'static str, &'static str), usize>,
    findings: Vec<String>,
    lost: Vec<String>,
    gained: Vec<String>,
}

impl Table {
    fn note(&mut self, name: &str, own: Said, clang: Said) {
        let word = |said: &Said| match said {
            Said::Safe => "SAFE",
            Said::Unsafe => "UNSAFE",
            Said::Unknown(_) => "UNKNOWN",
        };
        let (a, b) = (word(&own), word(&clang));
        self.n_tasks += 1;
        *self.counts.entry((a, b)).or_insert(0) += 1;
        match (own, clang) {
            (Said::Safe, Said::Unsafe) | (Said::Unsafe, Said::Safe) => {
                println!("{name}: {a} by our front end, {b} by clang");
                self.findings.push(name.to_owned());
            }
            (Said::Safe | Said::Unsafe, Said::Unknown(why)) => self.lost.push(format!("{name}: {a}; clang: {why}")),
            (Said::Unknown(why), Said::Safe | Said::Unsafe) => {
                self.gained.push(format!("{name}: {b} by clang; ours: {why}"))
            }
            _ => {}
        }
    }
    fn print(&self) {
        for line in self.lost.iter().map(|line| format!("lost {line}")) {
            println!("{line}");
        }
        for line in self.gained.iter().map(|line| format!("gained {line}")) {
            println!("{line}");
        }
        println!("\n| own \\ clang | SAFE | UNSAFE | UNKNOWN |\n|---|---|---|---|");
        for own in ["SAFE", "UNSAFE", "UNKNOWN"] {
            let count = |clang| self.counts.get(&(own, clang)).copied().unwrap_or(0);
            println!("| {own} | {} | {} | {} |", count("SAFE"), count("UNSAFE"), count("UNKNOWN"));
        }
        let (lost, n_tasks) = (self.lost.len(), self.n_tasks.max(1));
        let percent = 100.0 * lost as f64 / n_tasks as f64;
        let findings = self.findings.len();
        println!(
            "\n{} programs, {findings} contradictions, {lost} lost ({percent:.1} %), {} gained",
            self.n_tasks,
            self.gained.len()
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_and_compared() {
        assert_eq!(said(Some(0), "x\nSAFE\n", ""), Said::Safe);
        assert_eq!(said(Some(1), "UNSAFE: reach_error() at a.c:1 is reached\n", ""), Said::Unsafe);
        assert_eq!(said(Some(2), "UNKNOWN: out of time\n", ""), Said::Unknown("out of time".to_owned()));
        assert_eq!(said(Some(70), "", "a bug\n"), Said::Unknown("exit code 70: a bug".to_owned()));
        let mut table = Table::default();
        table.note("a", Said::Safe, Said::Unsafe);
        table.note("b", Said::Safe, Said::Safe);
        table.note("c", Said::Unsafe, Said::Unknown("refused".to_owned()));
        table.note("d", Said::Unknown("open".to_owned()), Said::Safe);
        assert_eq!((table.findings.len(), table.lost.len(), table.gained.len(), table.n_tasks), (1, 1, 1, 4));
    }
}
