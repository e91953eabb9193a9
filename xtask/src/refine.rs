//! The tables of the engine `refine`: its heuristics against each other, and against flattening and `bmc`.
//!
//! `refine`: every program of `tests/refine`, and with `--sets A,B` the tasks of the corpus whose name begins with one of these texts, goes through
//! `refine` with its own heuristic, through plain flattening, and through `bmc`; those that `refine` proves with some
//! statement in bits go through all heuristics. `--only comparison` leaves the heuristics out, `--only bmc` flattening too;
//! `--slowest FILE,…` names programs of ours for which `bmc` gets `--long S` seconds. `--limit S` is the processor time for one run.
//! Runs that are in `--rows FILE` are not made again, so that a command that was stopped goes on. `--pictures DIR` gets scatter
//! plots, `--binary FILE` is used instead of building one, `--expected unsafe` leaves safe tasks of the corpus out, `--list FILE`
//! takes the tasks named there, one on a line, and `--integers` all C tasks about integers.
//!
//! `--only refine` counts what `refine` solves, set by set (`refine_counts`). `--bound K` compares `refine` and `bmc` at the same bound, as the paper does:
//! both get `--unwind K`, and a task is solved when there is a verdict or when it is known that no error comes within the bound.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use testkit::golden::workspace;

use crate::corpus;
use crate::flags::Flags;
use crate::plot::scatter::{Point, counts, scatter};
use crate::refine_counts;
use crate::tool;

const HEURISTICS: [&str; 10] = ["h0", "h1", "h2", "h3", "h4", "h5", "h6", "h7", "h8", "min"];
/// Exit codes of bash for a process that the limit ended: by SIGKILL or SIGXCPU.
const KILLED: i32 = 128 + 9;
const OUT_OF_TIME: i32 = 128 + 24;
/// Sets of the corpus that are about memory, recursion or large drivers, not about integers, by the beginnings of their names.
const NOT_INTEGERS: [&str; 6] = ["array-examples", "heap-", "list-", "forester-heap", "ntdrivers/", "recursive-simple"];

/// A program to be verified.
pub(crate) struct Subject {
    pub(crate) name: String,
    path: PathBuf,
    model: &'static str,
    pub(crate) safe: bool,
    own: bool,
}

/// What a run came to.
#[derive(Clone, Default, PartialEq, Debug)]
pub(crate) struct Measurement {
    /// `SAFE`, `UNSAFE` or nothing.
    pub(crate) verdict: Option<bool>,
    /// There is no verdict, but no error comes within the bound.
    pub(crate) is_bounded: bool,
    pub(crate) seconds: f64,
    pub(crate) statements: u64,
    pub(crate) refined: u64,
}

impl Measurement {
    fn row(&self, key: &str) -> String {
        let otherwise = if self.is_bounded { "bounded" } else { "unknown" };
        let verdict = self.verdict.map_or(otherwise, |safe| if safe { "safe" } else { "unsafe" });
        format!("{key},{verdict},{:.3},{},{}\n", self.seconds, self.statements, self.refined)
    }
    fn read(row: &str) -> Option<(String, Measurement)> {
        let mut fields = row.rsplitn(5, ',');
        let refined = fields.next()?.parse().ok()?;
        let statements = fields.next()?.parse().ok()?;
        let seconds = fields.next()?.parse().ok()?;
        let (verdict, is_bounded) = match fields.next()? {
            "safe" => (Some(true), false),
            "unsafe" => (Some(false), false),
            other => (None, other == "bounded"),
        };
        Some((fields.next()?.to_owned(), Measurement { verdict, is_bounded, seconds, statements, refined }))
    }
    /// What it took, if it was solved.
    pub(crate) fn time(&self) -> Option<f64> {
        (self.verdict.is_some() || self.is_bounded).then_some(self.seconds)
    }
    fn shown(&self) -> String {
        self.time().map_or("—".to_owned(), |seconds| format!("{seconds:.2}"))
    }
}

/// Runs the binary, and remembers.
struct Runner {
    binary: PathBuf,
    limit: u64,
    known: BTreeMap<String, Measurement>,
    rows: Option<std::fs::File>,
}

impl Runner {
    fn new(binary: PathBuf, limit: u64, rows: Option<String>) -> Result<Runner, String> {
        let mut known = BTreeMap::new();
        let mut file = None;
        if let Some(name) = rows {
            let text = std::fs::read_to_string(&name).unwrap_or_default();
            known = text.lines().filter_map(Measurement::read).collect();
            let open = std::fs::OpenOptions::new().create(true).append(true).open(&name);
            file = Some(open.map_err(|error| format!("{name}: {error}"))?);
        }
        Ok(Runner { binary, limit, known, rows: file })
    }
    fn runner(&mut self, subject: &Subject, words: &[&str], limit: Option<u64>) -> Result<Measurement, String> {
        let limit = limit.unwrap_or(self.limit);
        let key = format!("{} {} {limit}", subject.name, words.join(" "));
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let measurement = run_once(&self.binary, subject, words, limit)?;
        if let Some(rows) = &mut self.rows {
            rows.write_all(measurement.row(&key).as_bytes()).map_err(|error| error.to_string())?;
        }
        self.known.insert(key, measurement.clone());
        Ok(measurement)
    }
}

/// Makes the tables.
pub fn run(args: &[String]) -> Result<(), String> {
    let mut flags = Flags::new(args);
    let limit = flags.number("--limit", 10)?;
    let long = flags.number("--long", 60)?;
    let sets = flags.value("--sets")?;
    let list = flags.value("--list")?;
    let expected = flags.value("--expected")?;
    let corpus = flags.value("--corpus")?;
    let pictures = flags.value("--pictures")?;
    let only = flags.value("--only")?;
    let rows = flags.value("--rows")?;
    let slowest = flags.value("--slowest")?.unwrap_or_default();
    let chosen = flags.value("--binary")?;
    let bound = flags.value("--bound")?;
    let integers = flags.flag("--integers");
    flags.finish()?;
    let mut runner = Runner::new(tool::binary(chosen)?, limit, rows)?;
    let is_without_ours = bound.is_some() || matches!(only.as_deref(), Some("bmc" | "refine"));
    let mut subjects = if is_without_ours { Vec::new() } else { own_programs()? };
    let listed = match &list {
        Some(file) => Some(std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?),
        None => None,
    };
    let begins = |name: &str| sets.as_deref().is_some_and(|sets| sets.split(',').any(|set| name.starts_with(set)));
    let is_listed = |name: &str| listed.as_deref().is_some_and(|text| text.lines().any(|line| line == name));
    let is_integer = |name: &str| integers && !NOT_INTEGERS.iter().any(|set| name.starts_with(set));
    let is_wanted = |name: &str| begins(name) || is_listed(name) || is_integer(name);
    if sets.is_some() || listed.is_some() || integers {
        for task in corpus::tasks(corpus)?.into_iter().filter(|task| is_wanted(&task.name)) {
            if task.language == "c" && (expected.as_deref() != Some("unsafe") || !task.safe) {
                let model = if task.model == "lp64" { "lp64" } else { "ilp32" };
                subjects.push(Subject { safe: task.safe, name: task.name, path: task.path, model, own: false });
            }
        }
    }
    if only.as_deref() == Some("refine") || bound.is_some() {
        let more: Vec<&str> = bound.iter().flat_map(|bound| ["--unwind", bound]).collect();
        let mut results = Vec::new();
        for subject in &subjects {
            let mut one = |engine| runner.runner(subject, &[&["--engine", engine], &more[..]].concat(), None);
            let bmc = if bound.is_some() { Some(one("bmc")?) } else { None };
            results.push((subject, one("refine")?, bmc));
        }
        return refine_counts::print(&results);
    }
    let hard = compare(&mut runner, &subjects, only.as_deref() == Some("bmc"), (&slowest, long), pictures.as_deref())?;
    if only.is_none() {
        heuristics(&mut runner, &hard)?;
    }
    Ok(())
}

/// All programs one by one; those that need refinement.
fn compare<'s>(
    runner: &mut Runner,
    subjects: &'s [Subject],
    no_flattening: bool,
    (slowest, long): (&str, u64),
    pictures: Option<&str>,
) -> Result<Vec<&'s Subject>, String> {
    let mut results = Vec::new();
    let mut wrong = Vec::new();
    for subject in subjects {
        let longer = slowest.split(',').any(|name| name == subject.name).then_some(long);
        let ours = runner.runner(subject, &["--engine", "refine"], None)?;
        let flat = match no_flattening {
            true => Measurement::default(),
            false => runner.runner(subject, &["--engine", "refine", "--refine", "flat"], None)?,
        };
        let bmc = runner.runner(subject, &["--engine", "bmc"], longer)?;
        for (engine, result) in [("refine", &ours), ("flat", &flat), ("bmc", &bmc)] {
            if result.verdict.is_some_and(|safe| safe != subject.safe) {
                wrong.push(format!("{} by {engine}", subject.name));
            }
        }
        results.push((subject, [ours, flat, bmc]));
    }
    if no_flattening {
        println!("| not solved by both | refine | bmc |\n|---|---|---|");
        for (subject, [ours, _, bmc]) in &results {
            if ours.verdict.is_none() || bmc.verdict.is_none() {
                println!("| {} | {} | {} |", subject.name, ours.shown(), bmc.shown());
            }
        }
    } else {
        println!("| program | refine | flattening | bmc | statements | refined |\n|---|---|---|---|---|---|");
        for (subject, [ours, flat, bmc]) in &results {
            let (flat, bmc) = (flat.shown(), bmc.shown());
            let counts = format!("{} | {}", ours.statements, ours.refined);
            println!("| {} | {} | {flat} | {bmc} | {counts} |", subject.name, ours.shown());
        }
    }
    println!("{}", refine_counts::summary(results.iter().map(|(_, [ours, _, bmc])| (ours, bmc))));
    if let Some(folder) = pictures {
        let point =
            |across: &Measurement, up: &Measurement, is_safe| Point { across: across.time(), up: up.time(), is_safe };
        let folder = Path::new(folder);
        let against_bmc: Vec<Point> =
            results.iter().map(|(subject, [ours, _, bmc])| point(bmc, ours, subject.safe)).collect();
        write(&folder.join("refine-bmc.svg"), &scatter("bmc", "refine", &against_bmc))?;
        if !no_flattening {
            let against_flat: Vec<Point> =
                results.iter().map(|(subject, [ours, flat, _])| point(flat, ours, subject.safe)).collect();
            write(&folder.join("refine-flattening.svg"), &scatter("flattening", "refine", &against_flat))?;
            let proved = results.iter().filter(|(_, [ours, ..])| ours.verdict == Some(true));
            let sizes: Vec<(u64, u64)> = proved.map(|(_, [ours, ..])| (ours.statements, ours.refined)).collect();
            write(&folder.join("refine-statements.svg"), &counts("statements", "statements refined", &sizes))?;
        }
    }
    if !wrong.is_empty() {
        return Err(format!("wrong verdicts: {}", wrong.join(", ")));
    }
    let is_hard = |(_, [ours, ..]): &&(&Subject, [Measurement; 3])| ours.verdict == Some(true) && ours.refined > 0;
    Ok(results.iter().filter(is_hard).map(|&(subject, _)| subject).collect())
}

/// All heuristics on the programs that need refinement.
fn heuristics(runner: &mut Runner, hard: &[&Subject]) -> Result<(), String> {
    let mut results: Vec<Vec<Measurement>> = Vec::new();
    for name in HEURISTICS {
        let mut row = Vec::new();
        for subject in hard {
            row.push(runner.runner(subject, &["--engine", "refine", "--refine", name], None)?);
        }
        results.push(row);
    }
    let by_all = |at: usize| results.iter().all(|row| row[at].verdict.is_some());
    let common: Vec<usize> = (0..hard.len()).filter(|&at| by_all(at)).collect();
    println!(
        "\n{} programs need refinement, {} of them ours; {} are solved by all.\n",
        hard.len(),
        hard.iter().filter(|s| s.own).count(),
        common.len()
    );
    println!("| | {} |\n|---{}|", HEURISTICS.join(" | "), "|---".repeat(HEURISTICS.len()));
    let line = |name: &str, figure: &dyn Fn(&[Measurement]) -> String| {
        let cells: Vec<String> = results.iter().map(|row| figure(row)).collect();
        println!("| {name} | {} |", cells.join(" | "));
    };
    line("solved", &|row| row.iter().filter(|result| result.verdict.is_some()).count().to_string());
    line("statements refined, where all solve", &|row| {
        common.iter().map(|&at| row[at].refined).sum::<u64>().to_string()
    });
    line("seconds, where all solve", &|row| format!("{:.2}", common.iter().map(|&at| row[at].seconds).sum::<f64>()));
    line("seconds in all", &|row| format!("{:.1}", row.iter().map(|result| result.seconds).sum::<f64>()));
    let (h4, h8) = (&results[4], &results[8]);
    let pair = |at: &usize| h4[*at].verdict.is_some() && h8[*at].verdict.is_some();
    let two: Vec<usize> = (0..hard.len()).filter(pair).collect();
    let total = |row: &[Measurement]| two.iter().map(|&at| row[at].refined).sum::<u64>();
    println!("\nWhere h4 and h8 both answer ({} programs): h4 refines {}, h8 {}.", two.len(), total(h4), total(h8));
    Ok(())
}

fn own_programs() -> Result<Vec<Subject>, String> {
    let folder = workspace().join("tests/refine");
    let mut subjects = Vec::new();
    for entry in std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?.flatten() {
        let text = std::fs::read_to_string(entry.path()).map_err(|error| error.to_string())?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let safe = text.contains("// verdict: safe");
        subjects.push(Subject { name, path: entry.path(), model: "lp64", safe, own: true });
    }
    subjects.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(subjects)
}

/// One run, under a limit of processor time. The clock runs faster where others work too.
fn run_once(binary: &Path, subject: &Subject, words: &[&str], limit: u64) -> Result<Measurement, String> {
    let (binary, path) = (binary.to_string_lossy(), subject.path.to_string_lossy());
    // What bash measures is exact to a millisecond.
    let limited = format!("ulimit -t {limit}; TIMEFORMAT='processor %U %S'; time \"$0\" \"$@\"");
    let mut all = vec!["-c", &limited, &binary, "check", "--stats", "--data-model", subject.model];
    all.extend(words);
    all.push(&path);
    let before = tool::children_cpu();
    let ran = tool::run(Path::new("/bin/bash"), &all, Duration::from_secs(limit * 20 + 20))?;
    let all_children = before.zip(tool::children_cpu()).map_or(ran.seconds, |(before, after)| after - before);
    let measured = ran.errors.lines().rev().find_map(|line| {
        let (user, system) = line.strip_prefix("processor ")?.split_once(' ')?;
        Some(user.parse::<f64>().ok()? + system.parse::<f64>().ok()?)
    });
    let seconds = measured.unwrap_or(all_children);
    if !matches!(ran.code, None | Some(KILLED | OUT_OF_TIME)) && ran.crashed() {
        return Err(format!("{}: {}", subject.name, ran.errors));
    }
    let figure = |name: &str| {
        let line = ran.errors.lines().find_map(|line| line.strip_prefix("refine ")?.strip_prefix(name));
        line.and_then(|rest| rest.trim().parse().ok()).unwrap_or(0)
    };
    let last = ran.output.lines().last().unwrap_or_default();
    let verdict = if last.starts_with("SAFE") { Some(true) } else { last.starts_with("UNSAFE").then_some(false) };
    let (statements, refined) = (figure("statements "), figure("statements refined"));
    let is_bounded =
        ["UNKNOWN: no error within ", "UNKNOWN: no error before "].iter().any(|said| last.starts_with(said));
    Ok(Measurement { verdict, is_bounded: verdict.is_none() && is_bounded, seconds, statements, refined })
}

fn write(file: &Path, text: &str) -> Result<(), String> {
    std::fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_read_as_it_was_written() {
        let measurement =
            Measurement { verdict: Some(false), seconds: 1.25, statements: 7, refined: 2, is_bounded: false };
        let key = "a,b.c --engine refine 5";
        assert_eq!(Measurement::read(measurement.row(key).trim_end()), Some((key.to_owned(), measurement.clone())));
        let bounded = Measurement { verdict: None, is_bounded: true, ..measurement };
        assert_eq!(Measurement::read(bounded.row(key).trim_end()), Some((key.to_owned(), bounded)));
        assert_eq!(Measurement::read("nonsense"), None);
    }
}
