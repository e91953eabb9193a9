//! The tables of the engine `euf`: what it solves by set, with the paper's figures beside, and uninterpreted functions
//! against predicates.
//!
//! `euf-table`: every `--every`-th task of the sets in `--sets` (a list with commas; `vmt-fbk/bv` is a folder of a set) goes through `--engine euf` at each level of `--levels`
//! (default `axioms,predicates`; the engine's own default is `turns`). `--seconds` is the limit in processor time, and `--wall-factor` says how many times
//! that a run may last by the clock. Each run is a line in the file `--results`; runs that are there already are not
//! made again, so that the command can be ended and called again. `--binary FILE` is used instead of building one.
//!
//! Queries a second are those over frames, by the processor time of the search alone: the whole, times the share that the search
//! has of the clock. Neither reading nor looking ahead nor the check of the answer counts.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use crate::corpus::{self, Task};
use crate::flags::Flags;
use crate::tool;

/// What a set of the corpus belongs to in the paper's table, and how many tasks of that class the paper's own tool and
/// the other tool solved alone ([BuenoSakallah-VMCAI'19] section 4, an hour each).
const CLASSES: [(&str, &[&str], u32, u32); 3] = [
    ("ControlFlow", &["locks", "ntdrivers-simplified", "ssh-simplified", "systemc", "product-lines"], 5, 0),
    ("ECA", &["eca-rers2012", "psyco"], 12, 45),
    ("Loops", &["loop", "loops", "nla-digbench", "bitvector"], 9, 17),
];

/// The list of tasks takes its verdict from the file's name. The file is safe: another solver confirms, with the file's own formulas, the
/// invariant that we find (see docs/benchmarks.md).
const SAFE_AFTER_ALL: &str = "s3_srvr_3_unsafe.BV.c.cil.c.vmt";

/// A run.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    level: String,
    task: String,
    set: String,
    /// `ok`, `unknown` or `wrong`.
    outcome: String,
    seconds: f64,
    queries: u64,
    cubes: u64,
    depth: u64,
    refinement: f64,
    /// Processor time in the search over frames: the share that it has of the clock.
    search: f64,
}

impl Row {
    fn line(&self) -> String {
        let Row { level, task, set, outcome, seconds, queries, cubes, depth, refinement, search } = self;
        format!("{level},{task},{set},{outcome},{seconds:.2},{queries},{cubes},{depth},{refinement:.3},{search:.3}\n")
    }
    fn read(line: &str) -> Option<Row> {
        let mut parts = line.split(',');
        let mut next = || parts.next();
        Some(Row {
            level: next()?.to_owned(),
            task: next()?.to_owned(),
            set: next()?.to_owned(),
            outcome: next()?.to_owned(),
            seconds: next()?.parse().ok()?,
            queries: next()?.parse().ok()?,
            cubes: next()?.parse().ok()?,
            depth: next()?.parse().ok()?,
            refinement: next()?.parse().ok()?,
            search: next()?.parse().ok()?,
        })
    }
}

/// Makes the runs that are missing, and the tables.
pub fn run(args: &[String]) -> Result<(), String> {
    let mut flags = Flags::new(args);
    let seconds = flags.number("--seconds", 10)?;
    let wall_factor = flags.number("--wall-factor", 3)?;
    let every = flags.number("--every", 1)?.max(1) as usize;
    let sets = flags.value("--sets")?;
    let levels = flags.value("--levels")?.unwrap_or_else(|| "axioms,predicates".to_owned());
    let results = flags.value("--results")?.unwrap_or_else(|| "target/euf-table.csv".to_owned());
    let corpus = flags.value("--corpus")?;
    let chosen = flags.value("--binary")?;
    flags.finish()?;
    let binary = tool::binary(chosen)?;
    let mut rows: Vec<Row> =
        std::fs::read_to_string(&results).unwrap_or_default().lines().filter_map(Row::read).collect();
    let mut file = std::fs::File::options()
        .create(true)
        .append(true)
        .open(&results)
        .map_err(|error| format!("{results}: {error}"))?;
    let wanted = |task: &Task| match &sets {
        Some(sets) => sets.split(',').any(|set| set == task.set || is_folder_of(set, &task.name)),
        None => task.language == "c" && CLASSES.iter().any(|class| class.1.iter().any(|set| belongs(&task.set, set))),
    };
    let tasks: Vec<Task> = corpus::all_tasks(corpus)?.into_iter().filter(wanted).step_by(every).collect();
    for level in levels.split(',') {
        for task in &tasks {
            if rows.iter().any(|row| row.level == level && row.task == task.name) {
                continue;
            }
            let row = measure(&binary, task, level, seconds, wall_factor)?;
            file.write_all(row.line().as_bytes()).map_err(|error| format!("{results}: {error}"))?;
            rows.push(row);
        }
    }
    print!("{}", by_set(&rows));
    let levels: Vec<&str> = levels.split(',').collect();
    if levels.len() > 1 {
        print!("{}", compared(&rows, &levels));
    }
    let wrong: Vec<&str> = rows.iter().filter(|row| row.outcome == "wrong").map(|row| row.task.as_str()).collect();
    if wrong.is_empty() { Ok(()) } else { Err(format!("wrong verdicts: {}", wrong.join(", "))) }
}

/// Whether a set is the one named, or one of its family.
fn belongs(set: &str, name: &str) -> bool {
    set == name || set.strip_prefix(name).is_some_and(|rest| rest.starts_with('-'))
}

fn is_folder_of(folder: &str, name: &str) -> bool {
    folder.contains('/') && name.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

fn measure(binary: &Path, task: &Task, level: &str, seconds: u64, wall_factor: u64) -> Result<Row, String> {
    let clock = seconds * wall_factor.max(1);
    let time = format!("{clock}s");
    let path = task.path.to_str().unwrap_or_default();
    let words = ["check", "--stats", "-q", "--engine", "euf", "--euf", level, "--timeout", &time];
    let model: &[&str] = if task.language == "c" { &["--data-model", task.model] } else { &[] };
    let words: Vec<&str> = words.into_iter().chain(model.iter().copied()).chain([path]).collect();
    let before = tool::children_cpu();
    let ran = tool::run(binary, &words, Duration::from_secs(clock + 20))?;
    let after = tool::children_cpu();
    if ran.crashed() {
        return Err(format!("{}: {}", task.name, ran.errors));
    }
    let counter = |name: &str| {
        let line = ran.errors.lines().rev().find_map(|line| line.strip_prefix(name));
        let number = line.and_then(|rest| rest.split_whitespace().next()?.parse::<f64>().ok());
        number.unwrap_or(0.0)
    };
    let spent = after.zip(before).map_or(ran.seconds, |(after, before)| after - before);
    let last = ran.output.lines().last().unwrap_or_default();
    let outcome = match (last.starts_with("SAFE"), last.starts_with("UNSAFE")) {
        (false, false) => "unknown",
        (safe, _) if safe != (task.safe || task.name.ends_with(SAFE_AFTER_ALL)) => "wrong",
        _ if spent > seconds as f64 => "unknown",
        _ => "ok",
    };
    Ok(Row {
        level: level.to_owned(),
        task: task.name.clone(),
        set: task.set.clone(),
        outcome: outcome.to_owned(),
        seconds: spent,
        queries: counter("euf queries") as u64,
        cubes: counter("euf lemmas") as u64,
        depth: counter("euf levels") as u64,
        refinement: counter("euf: refinement"),
        search: spent * counter("euf: frames") / (counter("engine euf") + counter("check of euf")).max(0.001),
    })
}

/// What is solved by set and level.
fn by_set(rows: &[Row]) -> String {
    let mut text = String::from(
        "| set | level | tasks | solved | wrong | seconds on solved | queries a second of the search | refinement by the clock |\n\
         |---|---|---|---|---|---|---|---|\n",
    );
    let mut groups: BTreeMap<(&str, &str), Vec<&Row>> = BTreeMap::new();
    for row in rows {
        groups.entry((&row.set, &row.level)).or_default().push(row);
    }
    for ((set, level), rows) in &groups {
        text.push_str(&line(set, level, rows));
    }
    text.push_str(
        "\n| class | level | tasks | solved | the paper: EUFORIA alone | IC3IA alone |\n|---|---|---|---|---|---|\n",
    );
    for (class, sets, ours, theirs) in CLASSES {
        let mut levels: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
        for row in rows.iter().filter(|row| sets.iter().any(|set| belongs(&row.set, set))) {
            levels.entry(&row.level).or_default().push(row);
        }
        for (level, rows) in levels {
            let n_solved = solved(&rows).count();
            text.push_str(&format!("| {class} | {level} | {} | {n_solved} | {ours} | {theirs} |\n", rows.len()));
        }
    }
    text.push_str("\nThe paper, an hour each, 752 tasks of these classes: EUFORIA 275, IC3IA 311.\n\n");
    text
}

fn line(set: &str, level: &str, rows: &[&Row]) -> String {
    let done: Vec<&&Row> = solved(rows).collect();
    let spent: f64 = done.iter().map(|row| row.seconds).sum();
    let all: f64 = rows.iter().map(|row| row.search).sum();
    let queries: u64 = rows.iter().map(|row| row.queries).sum();
    let refinement: f64 = rows.iter().map(|row| row.refinement).sum();
    let n_wrong = rows.iter().filter(|row| row.outcome == "wrong").count();
    format!(
        "| {set} | {level} | {} | {} | {n_wrong} | {spent:.1} | {:.0} | {refinement:.1} s |\n",
        rows.len(),
        done.len(),
        queries as f64 / all.max(0.01)
    )
}

fn solved<'a, 'b>(rows: &'b [&'a Row]) -> impl Iterator<Item = &'b &'a Row> {
    rows.iter().filter(|row| row.outcome == "ok")
}

/// The paper's comparison: what levels cost where all of them solve.
fn compared(rows: &[Row], levels: &[&str]) -> String {
    let of = |level: &str, task: &str| rows.iter().find(|row| row.level == level && row.task == task);
    let mut all: Vec<Vec<&Row>> = Vec::new();
    let mut alone = vec![0; levels.len()];
    for row in rows.iter().filter(|row| row.level == levels[0]) {
        let Some(same) = levels.iter().map(|level| of(level, &row.task)).collect::<Option<Vec<&Row>>>() else {
            continue;
        };
        let solvers: Vec<usize> = (0..levels.len()).filter(|&level| same[level].outcome == "ok").collect();
        match solvers[..] {
            [one] => alone[one] += 1,
            _ if solvers.len() == levels.len() => all.push(same),
            _ => {}
        }
    }
    let alone: Vec<String> = levels.iter().zip(alone).map(|(level, n)| format!("{n} by `{level}` alone")).collect();
    let mut text = format!(
        "{} tasks are solved by all levels, {}. Where all solve, in sum (and how often least was needed):\n\n| | {} |\n|---|{}\n",
        all.len(),
        alone.join(", "),
        levels.join(" | "),
        "---|".repeat(levels.len())
    );
    type Figure = (&'static str, fn(&Row) -> f64);
    let figures: [Figure; 5] = [
        ("seconds on a processor", |row| row.seconds),
        ("queries", |row| row.queries as f64),
        ("cubes blocked", |row| row.cubes as f64),
        ("depth", |row| row.depth as f64),
        ("seconds of refinement, by the clock", |row| row.refinement),
    ];
    for (name, figure) in figures {
        text.push_str(&format!("| {name} |"));
        for level in 0..levels.len() {
            let sum: f64 = all.iter().map(|same| figure(same[level])).sum();
            let is_least = |same: &&Vec<&Row>| {
                (0..levels.len()).all(|other| other == level || figure(same[level]) < figure(same[other]))
            };
            text.push_str(&format!(" {sum:.1} ({}) |", all.iter().filter(is_least).count()));
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(level: &str, task: &str, outcome: &str, cubes: u64) -> Row {
        let text = |text: &str| text.to_owned();
        let (level, task, set, outcome) = (text(level), text(task), text("locks"), text(outcome));
        Row { level, task, set, outcome, seconds: 0.5, queries: 10, cubes, depth: 2, refinement: 0.25, search: 0.25 }
    }

    #[test]
    fn a_row_is_read_as_it_was_written() {
        let row = row("axioms", "locks/a.c", "ok", 3);
        assert_eq!(Row::read(row.line().trim_end()), Some(row));
        assert_eq!(Row::read("axioms,half"), None);
    }

    #[test]
    fn only_tasks_that_both_solve_are_compared() {
        let rows = [
            row("axioms", "a", "ok", 3),
            row("axioms", "b", "ok", 5),
            row("predicates", "a", "ok", 7),
            row("predicates", "b", "unknown", 9),
        ];
        let text = compared(&rows, &["axioms", "predicates"]);
        assert!(
            text.contains("1 tasks are solved by all levels, 1 by `axioms` alone, 0 by `predicates` alone"),
            "{text}"
        );
        assert!(text.contains("| cubes blocked | 3.0 (1) | 7.0 (0) |"), "{text}");
        assert!(by_set(&rows).contains("| locks | predicates | 2 | 1 | 0 |"));
    }

    #[test]
    fn families_of_sets_belong_to_their_class() {
        assert!(belongs("loop-lit", "loop") && belongs("loops", "loops") && !belongs("loops", "loop"));
        assert!(is_folder_of("vmt-fbk/bv", "vmt-fbk/bv/a.vmt") && !is_folder_of("vmt-fbk", "vmt-fbk/bv/a.vmt"));
        assert!(!is_folder_of("vmt-fbk/bv", "vmt-fbk/bvs/a.vmt"));
    }
}
