//! `cargo xtask bench`: every engine over a corpus, as tables, history and pictures.
//!
//! ```text
//! bench                     run, then print the table of engines and sets (see the flags below)
//! bench compare A.csv B.csv what B gained and lost against A
//! bench cactus OUT.svg NAME=FILE.csv…            how many tasks within how many seconds
//! bench scatter OUT.svg NAME=A.csv NAME=B.csv    two tools, task by task
//! ```
//!
//! The run: `--engines a,b,…` (`default` is the tool without `--engine`; all engines if none is named), `--timeout S` (10) for each task, `--sets a,b`,
//! `--integers` (sets about integers only), `--every K`, `--corpus DIR`, `--binary FILE`, `--out DIR` (`target/bench`). Results go into `DIR/ENGINE.csv` as they
//! come; stopped and started again, it goes on. `--docs` writes the table and the pictures into `docs/` (with `--note TEXT` above them), `--record` an entry into `bench/history/`
//! after saying what was gained and lost since the last one.

mod compare;
mod history;
mod results;
mod table;

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;
use testkit::golden::workspace;

use crate::corpus::{self, Task};
use crate::flags::Flags;
use crate::plot;
use crate::tool;
use crate::witnesses::is_about_integers;
use results::{Growing, Results, Row};

/// Does what the first word says.
pub fn run(args: &[String]) -> Result<(), String> {
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words[..] {
        ["compare", before, after] => {
            let (before, after) = (results::read(Path::new(before))?, results::read(Path::new(after))?);
            print!("{}", compare::compare(&before, &after));
            Ok(())
        }
        ["cactus", to, ref named @ ..] if !named.is_empty() => {
            let curves = named.iter().map(|word| curve(word)).collect::<Result<Vec<_>, _>>()?;
            write(Path::new(to), &plot::cactus::cactus("Tasks solved", &curves))
        }
        ["scatter", to, one, other] => {
            let (one, other) = (named(one)?, named(other)?);
            write(Path::new(to), &scatter(&one, &other))
        }
        _ => measure(args),
    }
}

/// The engines with their results.
type Measured = Vec<(String, Results)>;

fn measure(args: &[String]) -> Result<(), String> {
    let mut flags = Flags::new(args);
    let (docs, record) = (flags.flag("--docs"), flags.flag("--record"));
    let integers = flags.flag("--integers");
    let engines = flags.value("--engines")?;
    let timeout = flags.number("--timeout", 10)?;
    let sets = flags.value("--sets")?;
    let every = flags.number("--every", 1)?.max(1) as usize;
    let corpus = flags.value("--corpus")?;
    let out = flags.value("--out")?.map_or_else(|| workspace().join("target/bench"), PathBuf::from);
    let binary = flags.value("--binary")?;
    let note = flags.value("--note")?.unwrap_or_default();
    flags.finish()?;
    let sets: Option<Vec<String>> = sets.map(|sets| sets.split(',').map(str::to_owned).collect());
    let is_wanted = |task: &Task| {
        sets.as_ref().is_none_or(|sets| sets.contains(&task.set)) && (!integers || is_about_integers(task))
    };
    let tasks: Vec<Task> = corpus::all_tasks(corpus)?.into_iter().filter(is_wanted).step_by(every).collect();
    let engines: Vec<String> = match engines {
        Some(list) => list.split(',').map(str::to_owned).collect(),
        None => std::iter::once("default").chain(engine_names()).map(str::to_owned).collect(),
    };
    let binary = tool::binary(binary)?;
    let mut measured = Measured::new();
    for engine in &engines {
        let results = one_engine(&binary, engine, &tasks, timeout, &out)?;
        measured.push((engine.clone(), results));
    }
    let command = format!("cargo run --release -p xtask -- bench {}", shown(args).join(" "));
    let body = table::table(&measured, &tasks, timeout);
    println!("{body}");
    if record {
        history::record(&measured, &tasks, timeout, &binary)?;
    }
    if docs {
        write_docs(&measured, &format!("{note}\n\n{body}"), &command)?;
    }
    let wrong: Vec<String> = measured
        .iter()
        .flat_map(|(engine, results)| results.values().map(move |row| (engine, row)))
        .filter(|(_, row)| row.is_wrong())
        .map(|(engine, row)| format!("{engine}: {} is {}, not {}", row.path, row.verdict, row.expected))
        .collect();
    if wrong.is_empty() { Ok(()) } else { Err(format!("wrong verdicts:\n{}", wrong.join("\n"))) }
}

/// The words without what only says where things are on this machine.
fn shown(args: &[String]) -> Vec<&str> {
    let mut words = args.iter().map(String::as_str);
    let mut shown = Vec::new();
    while let Some(word) = words.next() {
        if ["--corpus", "--binary", "--out", "--note"].contains(&word) {
            words.next();
        } else {
            shown.push(word);
        }
    }
    shown
}

fn engine_names() -> impl Iterator<Item = &'static str> {
    uforia::engines::ENGINES.iter().map(|info| info.name)
}

/// Runs what is not in the file yet, and gives the results of these tasks.
fn one_engine(binary: &Path, engine: &str, tasks: &[Task], timeout: u64, out: &Path) -> Result<Results, String> {
    let (mut file, mut known) = Growing::open(&out.join(format!("{engine}.csv")))?;
    for (index, task) in tasks.iter().enumerate() {
        if known.contains_key(&task.name) {
            continue;
        }
        let row = one_task(binary, engine, task, timeout)?;
        eprintln!("{engine} {}/{}: {} {} ({:.1} s)", index + 1, tasks.len(), row.path, row.verdict, row.cpu);
        file.add(&row)?;
        known.insert(row.path.clone(), row);
    }
    known.retain(|name, _| tasks.iter().any(|task| task.name == *name));
    Ok(known)
}

/// The verdict of one run, from the exit code and the JSON.
fn one_task(binary: &Path, engine: &str, task: &Task, timeout: u64) -> Result<Row, String> {
    let time = format!("{timeout}s");
    let path = task.path.to_str().ok_or("a task has a strange name")?;
    let mut words = vec!["check", "-q", "--json", "-", "--stats", "--timeout", &time, "--data-model", task.model];
    if engine != "default" {
        words.extend(["--engine", engine]);
    }
    words.push(path);
    let ran = tool::run(binary, &words, Duration::from_secs(timeout + 5))?;
    let json =
        ran.output.lines().find(|line| line.starts_with('{')).and_then(|line| serde_json::from_str::<Value>(line).ok());
    let cpu = json.as_ref().and_then(|json| json.get("cpu_seconds")?.as_f64()).unwrap_or(ran.seconds);
    let reason = json.as_ref().and_then(|json| json.get("reason")?.as_str()).unwrap_or_default();
    let verdict = match ran.code {
        Some(0) => "safe",
        Some(1) => "unsafe",
        _ if ran.timed_out || reason.starts_with("out of time") => "timeout",
        _ if ran.crashed() => "crash",
        _ => "unknown",
    };
    Ok(Row {
        path: task.name.clone(),
        set: task.set.clone(),
        expected: if task.safe { "safe" } else { "unsafe" }.to_owned(),
        verdict: verdict.to_owned(),
        cpu,
        wall: ran.seconds,
        megabytes: ran.megabytes,
    })
}

/// `NAME=FILE.csv`, or a file that is its own name.
fn named(word: &str) -> Result<(String, Results), String> {
    let (name, file) = match word.split_once('=') {
        Some((name, file)) => (name, file),
        None => (Path::new(word).file_stem().and_then(|stem| stem.to_str()).unwrap_or(word), word),
    };
    Ok((name.to_owned(), results::read(Path::new(file))?))
}

fn curve(word: &str) -> Result<plot::cactus::Curve, String> {
    let (name, results) = named(word)?;
    Ok(curve_of(&name, &results))
}

fn curve_of(name: &str, results: &Results) -> plot::cactus::Curve {
    let seconds = results.values().filter(|row| row.is_solved()).map(|row| row.cpu).collect();
    plot::cactus::Curve { name: name.to_owned(), seconds }
}

/// Two tools on the tasks of both.
fn scatter(one: &(String, Results), other: &(String, Results)) -> String {
    let time = |row: &Row| row.is_solved().then_some(row.cpu);
    let points = one.1.iter().filter_map(|(name, row)| {
        let there = other.1.get(name)?;
        let is_safe = row.expected == "safe";
        Some(plot::scatter::Point { across: time(row), up: time(there), is_safe })
    });
    plot::scatter::scatter(&one.0, &other.0, &points.collect::<Vec<_>>())
}

fn write(to: &Path, text: &str) -> Result<(), String> {
    if let Some(folder) = to.parent() {
        std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    std::fs::write(to, text).map_err(|error| format!("{}: {error}", to.display()))
}

/// The title of our part of `docs/benchmarks.md`.
const TITLE: &str = "Engines on the corpus";

/// The table and the pictures, into the documentation: how many are solved in how much time, and the first engine against the best other.
fn write_docs(measured: &Measured, body: &str, command: &str) -> Result<(), String> {
    let pictures = workspace().join("docs/pictures");
    let curves: Vec<_> = measured.iter().map(|(name, results)| curve_of(name, results)).collect();
    write(&pictures.join("cactus.svg"), &plot::cactus::cactus("Tasks solved", &curves))?;
    let mut section =
        format!("Written by `{command}`. {}\n![Cactus plot of the engines](pictures/cactus.svg)\n", body.trim_start());
    if let Some((first, others)) = measured.split_first() {
        let n_solved = |results: &Results| results.values().filter(|row| row.is_solved()).count();
        if let Some(best) = others.iter().max_by_key(|(_, results)| n_solved(results)) {
            write(&pictures.join("scatter.svg"), &scatter(first, best))?;
            section.push_str(&format!("\n![Scatter plot of {} and {}](pictures/scatter.svg)\n", first.0, best.0));
        }
    }
    let page = workspace().join("docs/benchmarks.md");
    let before = std::fs::read_to_string(&page).map_err(|error| format!("{}: {error}", page.display()))?;
    write(&page, &with_section(&before, TITLE, &section))
}

/// The page with this section replaced, or at the end.
fn with_section(page: &str, title: &str, body: &str) -> String {
    let heading = format!("\n## {title}\n");
    let section = format!("{heading}\n{}\n", body.trim());
    let Some(start) = page.find(&heading) else { return format!("{}\n{section}", page.trim_end()) };
    let after = start + heading.len();
    let end = page[after..].find("\n## ").map_or(page.len(), |at| after + at);
    format!("{}{section}{}", &page[..start], &page[end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_things_are_is_not_shown() {
        let args = ["--timeout", "5", "--binary", "x/uforia", "--docs"].map(str::to_owned);
        assert_eq!(shown(&args), ["--timeout", "5", "--docs"]);
    }

    #[test]
    fn a_section_is_replaced_and_the_others_stay() {
        let page = "# Page\n\n## A\n\na\n";
        let two = with_section(page, "B", "b\n");
        assert_eq!(two, "# Page\n\n## A\n\na\n\n## B\n\nb\n");
        assert_eq!(with_section(&two, "A", "new"), "# Page\n\n## A\n\nnew\n\n## B\n\nb\n");
        assert_eq!(with_section(&two, "B", "new"), "# Page\n\n## A\n\na\n\n## B\n\nnew\n");
    }
}
