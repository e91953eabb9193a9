//! The tables of the engine `refine`: its heuristics against each other, and against flattening and `bmc`.
//!
//! `refine`: every program of `tests/refine`, and with `--sets TEXT` the tasks of the corpus whose name begins with this text, goes through
//! `refine` with its own heuristic, through plain flattening, and through `bmc`; those that `refine` proves with some
//! statement in bits go through all heuristics. `--limit S` is the time for one run, `--scatter FILE` gets the points for drawings
//! as CSV, `--binary FILE` is used instead of building one. `--only comparison` leaves the heuristics out.

use std::path::{Path, PathBuf};
use std::time::Duration;

use testkit::golden::workspace;

use crate::corpus;
use crate::flags::Flags;
use crate::tool;

const HEURISTICS: [&str; 10] = ["h0", "h1", "h2", "h3", "h4", "h5", "h6", "h7", "h8", "min"];

/// A program to be judged.
struct Subject {
    name: String,
    path: PathBuf,
    model: &'static str,
    safe: bool,
    own: bool,
}

/// What a run came to.
#[derive(Clone, Default)]
struct Judgement {
    /// `SAFE`, `UNSAFE` or nothing.
    verdict: Option<bool>,
    seconds: f64,
    statements: u64,
    refined: u64,
}

/// Makes the tables.
pub fn run(args: &[String]) -> Result<(), String> {
    let mut flags = Flags::new(args);
    let limit = flags.number("--limit", 10)?;
    let sets = flags.value("--sets")?;
    let corpus = flags.value("--corpus")?;
    let scatter = flags.value("--scatter")?;
    let only = flags.value("--only")?;
    let chosen = flags.value("--binary")?;
    flags.finish()?;
    let binary = tool::binary(chosen)?;
    let mut subjects = own_programs()?;
    if let Some(sets) = sets {
        for task in corpus::tasks(corpus)?.into_iter().filter(|task| task.name.starts_with(&sets)) {
            let model = if task.model == "lp64" { "lp64" } else { "ilp32" };
            subjects.push(Subject { safe: task.safe, name: task.name, path: task.path, model, own: false });
        }
    }
    let judge = |subject: &Subject, words: &[&str]| judge(&binary, subject, words, limit);
    let mut points = String::from("task,refine seconds,flattening seconds,bmc seconds,statements,refined\n");
    let mut hard = Vec::new();
    println!("| program | refine | flattening | bmc | statements | refined |\n|---|---|---|---|---|---|");
    let mut wrong = Vec::new();
    for subject in &subjects {
        let ours = judge(subject, &["--engine", "refine"])?;
        let flat = judge(subject, &["--engine", "refine", "--refine", "flat"])?;
        let bmc = judge(subject, &["--engine", "bmc"])?;
        for (who, result) in [("refine", &ours), ("flat", &flat), ("bmc", &bmc)] {
            if result.verdict.is_some_and(|safe| safe != subject.safe) {
                wrong.push(format!("{} by {who}", subject.name));
            }
        }
        println!(
            "| {} | {} | {} | {} | {} | {} |",
            subject.name,
            shown(&ours),
            shown(&flat),
            shown(&bmc),
            ours.statements,
            ours.refined
        );
        points.push_str(&format!(
            "{},{:.3},{:.3},{:.3},{},{}\n",
            subject.name, ours.seconds, flat.seconds, bmc.seconds, ours.statements, ours.refined
        ));
        if ours.verdict == Some(true) && ours.refined > 0 {
            hard.push(subject);
        }
    }
    if let Some(path) = scatter {
        std::fs::write(&path, points).map_err(|error| format!("{path}: {error}"))?;
    }
    if only.as_deref() != Some("comparison") {
        heuristics(&hard, judge)?;
    }
    if wrong.is_empty() { Ok(()) } else { Err(format!("wrong verdicts: {}", wrong.join(", "))) }
}

/// All heuristics on the programs that need refinement.
fn heuristics(hard: &[&Subject], judge: impl Fn(&Subject, &[&str]) -> Result<Judgement, String>) -> Result<(), String> {
    let mut results: Vec<Vec<Judgement>> = Vec::new();
    for name in HEURISTICS {
        let mut row = Vec::new();
        for subject in hard {
            row.push(judge(subject, &["--engine", "refine", "--refine", name])?);
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

fn judge(binary: &Path, subject: &Subject, words: &[&str], limit: u64) -> Result<Judgement, String> {
    let time = format!("{limit}s");
    let path = subject.path.to_str().unwrap_or_default();
    let mut all = vec!["check", "--stats", "--timeout", &time, "--data-model", subject.model];
    all.extend(words);
    all.push(path);
    let ran = tool::run(binary, &all, Duration::from_secs(limit + 20))?;
    if ran.crashed() {
        return Err(format!("{}: {}", subject.name, ran.errors));
    }
    let figure = |name: &str| {
        let line = ran.errors.lines().find_map(|line| line.strip_prefix("refine ")?.strip_prefix(name));
        line.and_then(|rest| rest.trim().parse().ok()).unwrap_or(0)
    };
    let last = ran.output.lines().last().unwrap_or_default();
    let verdict = if last.starts_with("SAFE") { Some(true) } else { last.starts_with("UNSAFE").then_some(false) };
    let (statements, refined) = (figure("statements "), figure("statements refined"));
    Ok(Judgement { verdict, seconds: ran.seconds, statements, refined })
}

fn shown(result: &Judgement) -> String {
    match result.verdict {
        Some(_) => format!("{:.2}", result.seconds),
        None => "—".to_owned(),
    }
}
