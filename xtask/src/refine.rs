//! The tables of the engine `refine`: its heuristics against each other, and against flattening and `bmc`.
//!
//! `refine`: every program of `tests/refine`, and with `--sets A,B` the tasks of the corpus whose name begins with one of these texts, goes through
//! `refine` with its own heuristic, through plain flattening, and through `bmc`; those that `refine` proves with some
//! statement in bits go through all heuristics. `--only comparison` leaves the heuristics out, `--only bmc` flattening too;
//! `--slowest FILE,…` names programs of ours for which `bmc` gets `--long S` seconds. `--limit S` is the processor time for one run.
//! Runs that are in `--rows FILE` are not made again, so that a command that was stopped goes on. `--pictures DIR` gets scatter
//! plots, `--binary FILE` is used instead of building one, `--expected unsafe` leaves safe tasks of the corpus out, and `--list FILE`
//! takes the tasks named there, one on a line.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use testkit::golden::workspace;

use crate::corpus;
use crate::flags::Flags;
use crate::plot::scatter::{Point, counts, scatter};
use crate::tool;

const HEURISTICS: [&str; 10] = ["h0", "h1", "h2", "h3", "h4", "h5", "h6", "h7", "h8", "min"];
/// Differences of processor time up to this are two ticks of the clock that counts it.
const NOISE: f64 = 0.02;

/// A program to be judged.
struct Subject {
    name: String,
    path: PathBuf,
    model: &'static str,
    safe: bool,
    own: bool,
}

/// What a run came to.
#[derive(Clone, Default, PartialEq, Debug)]
struct Judgement {
    /// `SAFE`, `UNSAFE` or nothing.
    verdict: Option<bool>,
    seconds: f64,
    statements: u64,
    refined: u64,
}

impl Judgement {
    fn row(&self, key: &str) -> String {
        let verdict = self.verdict.map_or("unknown", |safe| if safe { "safe" } else { "unsafe" });
        format!("{key},{verdict},{:.2},{},{}\n", self.seconds, self.statements, self.refined)
    }
    fn read(row: &str) -> Option<(String, Judgement)> {
        let mut fields = row.rsplitn(5, ',');
        let refined = fields.next()?.parse().ok()?;
        let statements = fields.next()?.parse().ok()?;
        let seconds = fields.next()?.parse().ok()?;
        let verdict = match fields.next()? {
            "safe" => Some(true),
            "unsafe" => Some(false),
            _ => None,
        };
        Some((fields.next()?.to_owned(), Judgement { verdict, seconds, statements, refined }))
    }
    fn time(&self) -> Option<f64> {
        self.verdict.map(|_| self.seconds)
    }
    fn shown(&self) -> String {
        self.time().map_or("—".to_owned(), |seconds| format!("{seconds:.2}"))
    }
}

/// Runs the binary, and remembers.
struct Judge {
    binary: PathBuf,
    limit: u64,
    known: BTreeMap<String, Judgement>,
    rows: Option<std::fs::File>,
}

impl Judge {
    fn new(binary: PathBuf, limit: u64, rows: Option<String>) -> Result<Judge, String> {
        let mut known = BTreeMap::new();
        let mut file = None;
        if let Some(name) = rows {
            let text = std::fs::read_to_string(&name).unwrap_or_default();
            known = text.lines().filter_map(Judgement::read).collect();
            let open = std::fs::OpenOptions::new().create(true).append(true).open(&name);
            file = Some(open.map_err(|error| format!("{name}: {error}"))?);
        }
        Ok(Judge { binary, limit, known, rows: file })
    }
    fn judge(&mut self, subject: &Subject, words: &[&str], limit: Option<u64>) -> Result<Judgement, String> {
        let limit = limit.unwrap_or(self.limit);
        let key = format!("{} {} {limit}", subject.name, words.join(" "));
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let judgement = run_once(&self.binary, subject, words, limit)?;
        if let Some(rows) = &mut self.rows {
            rows.write_all(judgement.row(&key).as_bytes()).map_err(|error| error.to_string())?;
        }
        self.known.insert(key, judgement.clone());
        Ok(judgement)
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
    flags.finish()?;
    let mut judge = Judge::new(tool::binary(chosen)?, limit, rows)?;
    let mut subjects = if only.as_deref() == Some("bmc") { Vec::new() } else { own_programs()? };
    let listed = match &list {
        Some(file) => Some(std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?),
        None => None,
    };
    let begins = |name: &str| sets.as_deref().is_some_and(|sets| sets.split(',').any(|set| name.starts_with(set)));
    let is_listed = |name: &str| listed.as_deref().is_some_and(|text| text.lines().any(|line| line == name));
    if sets.is_some() || listed.is_some() {
        for task in corpus::tasks(corpus)?.into_iter().filter(|task| begins(&task.name) || is_listed(&task.name)) {
            if task.language == "c" && (expected.as_deref() != Some("unsafe") || !task.safe) {
                let model = if task.model == "lp64" { "lp64" } else { "ilp32" };
                subjects.push(Subject { safe: task.safe, name: task.name, path: task.path, model, own: false });
            }
        }
    }
    let hard = compare(&mut judge, &subjects, only.as_deref() == Some("bmc"), (&slowest, long), pictures.as_deref())?;
    if only.is_none() {
        heuristics(&mut judge, &hard)?;
    }
    Ok(())
}

/// All programs one by one; those that need refinement.
fn compare<'s>(
    judge: &mut Judge,
    subjects: &'s [Subject],
    no_flattening: bool,
    (slowest, long): (&str, u64),
    pictures: Option<&str>,
) -> Result<Vec<&'s Subject>, String> {
    let mut results = Vec::new();
    let mut wrong = Vec::new();
    for subject in subjects {
        let longer = slowest.split(',').any(|name| name == subject.name).then_some(long);
        let ours = judge.judge(subject, &["--engine", "refine"], None)?;
        let flat = match no_flattening {
            true => Judgement::default(),
            false => judge.judge(subject, &["--engine", "refine", "--refine", "flat"], longer)?,
        };
        let bmc = judge.judge(subject, &["--engine", "bmc"], longer)?;
        for (who, result) in [("refine", &ours), ("flat", &flat), ("bmc", &bmc)] {
            if result.verdict.is_some_and(|safe| safe != subject.safe) {
                wrong.push(format!("{} by {who}", subject.name));
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
    println!("{}", summary(results.iter().map(|(_, [ours, _, bmc])| (ours, bmc))));
    if let Some(folder) = pictures {
        let point =
            |across: &Judgement, up: &Judgement, is_safe| Point { across: across.time(), up: up.time(), is_safe };
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
    let is_hard = |(_, [ours, ..]): &&(&Subject, [Judgement; 3])| ours.verdict == Some(true) && ours.refined > 0;
    Ok(results.iter().filter(is_hard).map(|&(subject, _)| subject).collect())
}

/// How `refine` and `bmc` compare where both answer.
fn summary<'j>(pairs: impl Iterator<Item = (&'j Judgement, &'j Judgement)>) -> String {
    let (mut n, mut ours_solved, mut bmc_solved, mut both, mut as_fast) = (0, 0, 0, 0, 0);
    let mut totals = (0.0, 0.0);
    for (ours, bmc) in pairs {
        n += 1;
        ours_solved += u32::from(ours.verdict.is_some());
        bmc_solved += u32::from(bmc.verdict.is_some());
        if let (Some(ours), Some(bmc)) = (ours.time(), bmc.time()) {
            both += 1;
            as_fast += u32::from(ours < bmc + NOISE + 0.001);
            totals = (totals.0 + ours, totals.1 + bmc);
        }
    }
    let mut text = format!("\nOf {n} tasks refine solves {ours_solved}, bmc {bmc_solved}, both {both}. ");
    let _ = write!(text, "There refine is at least as fast (to {NOISE} s) on {as_fast} ");
    let _ = write!(
        text,
        "({:.0} %), and takes {:.1} s in all ",
        100.0 * f64::from(as_fast) / f64::from(both.max(1)),
        totals.0
    );
    let _ = write!(text, "where bmc takes {:.1} s: {:.1} times as fast.", totals.1, totals.1 / totals.0.max(0.01));
    text
}

/// All heuristics on the programs that need refinement.
fn heuristics(judge: &mut Judge, hard: &[&Subject]) -> Result<(), String> {
    let mut results: Vec<Vec<Judgement>> = Vec::new();
    for name in HEURISTICS {
        let mut row = Vec::new();
        for subject in hard {
            row.push(judge.judge(subject, &["--engine", "refine", "--refine", name], None)?);
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
    let line = |name: &str, figure: &dyn Fn(&[Judgement]) -> String| {
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
    let total = |row: &[Judgement]| two.iter().map(|&at| row[at].refined).sum::<u64>();
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
fn run_once(binary: &Path, subject: &Subject, words: &[&str], limit: u64) -> Result<Judgement, String> {
    let (binary, path) = (binary.to_string_lossy(), subject.path.to_string_lossy());
    let limited = format!("ulimit -t {limit}; exec \"$0\" \"$@\"");
    let mut all = vec!["-c", &limited, &binary, "check", "--stats", "--data-model", subject.model];
    all.extend(words);
    all.push(&path);
    let before = tool::children_cpu();
    let ran = tool::run(Path::new("/bin/sh"), &all, Duration::from_secs(limit * 20 + 20))?;
    let seconds = before.zip(tool::children_cpu()).map_or(ran.seconds, |(before, after)| after - before);
    if ran.code.is_some() && ran.crashed() && seconds < limit as f64 - 0.5 {
        return Err(format!("{}: {}", subject.name, ran.errors));
    }
    let figure = |name: &str| {
        let line = ran.errors.lines().find_map(|line| line.strip_prefix("refine ")?.strip_prefix(name));
        line.and_then(|rest| rest.trim().parse().ok()).unwrap_or(0)
    };
    let last = ran.output.lines().last().unwrap_or_default();
    let verdict = if last.starts_with("SAFE") { Some(true) } else { last.starts_with("UNSAFE").then_some(false) };
    let (statements, refined) = (figure("statements "), figure("statements refined"));
    Ok(Judgement { verdict, seconds, statements, refined })
}

fn write(file: &Path, text: &str) -> Result<(), String> {
    std::fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_read_as_it_was_written() {
        let judgement = Judgement { verdict: Some(false), seconds: 1.25, statements: 7, refined: 2 };
        let key = "a,b.c --engine refine 5";
        assert_eq!(Judgement::read(judgement.row(key).trim_end()), Some((key.to_owned(), judgement)));
        assert_eq!(Judgement::read("nonsense"), None);
    }
    #[test]
    fn only_what_both_solve_is_compared() {
        let solved = |seconds| Judgement { verdict: Some(true), seconds, ..Judgement::default() };
        let rows = [(solved(1.0), solved(3.0)), (solved(2.0), solved(1.0)), (solved(9.0), Judgement::default())];
        let text = summary(rows.iter().map(|(ours, bmc)| (ours, bmc)));
        assert!(text.contains("refine solves 3, bmc 2, both 2") && text.contains("on 1 (50 %)"), "{text}");
        assert!(text.contains("takes 3.0 s in all where bmc takes 4.0 s: 1.3 times"), "{text}");
    }
}
