//! `cargo xtask ufo-table`: the tables of the paper on UFO for its five instances and ours, in Markdown.
//!
//! Every task of the sets (`--sets A,B`, default the three of control; a name may end in `*`) goes through `ufo` with each
//! instance (`--instances A,B`, default all six; `NAME+OPTION=VALUE` adds a setting, such as `cpufo+help=on`) for `--seconds N` (10) of processor time. Each run becomes a row of
//! `--out FILE` (ufo.csv) as soon as it ends, and rows that are there already are not run again: the command can be cut off and
//! called again, also with other sets, until the tables are complete. `--every K` takes each K-th task, `--corpus DIR` and
//! `--binary FILE` as in other commands; `--print` only prints the tables of the file.
//!
//! The first table is that of the whole (Table 1 of [AlbarghouthiEtAl-TACAS'12]), the second shows iterations and seconds in
//! interpolation and in post by set (its Table 2 does by task; the rows of the file do that here), with where labels came from: one
//! refutation, another copy, a refutation of their own, clauses. The last lines say on how many tasks the paper's five differ.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use crate::corpus::{self, Task};
use crate::flags::Flags;
use crate::tool;

const INSTANCES: &str = "strong,uufo,cpufo,bpufo,cp,bp";
/// Those of the paper.
const PUBLISHED: [&str; 5] = ["uufo", "cpufo", "bpufo", "cp", "bp"];
const SETS: &str = "ntdrivers-simplified,ssh-simplified,systemc";
const HEAD: &str = "instance,set,task,expected,verdict,seconds,iterations,interpolation,post,labels";
/// Phases of the engine in which labels come from the absence of errors.
const INTERPOLATION: [&str; 3] = ["exclusion", "interpolation", "labels"];

/// Counters of labels by where they came from.
const LABELS: [&str; 4] = ["labels_cleaned", "labels_shared", "labels_repaired", "labels_excluding"];

/// A run of one instance on one task.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    instance: String,
    set: String,
    task: String,
    expected: String,
    verdict: String,
    /// Of processor time, in all, in interpolation, in post.
    seconds: [f64; 3],
    iterations: u64,
    /// In the order of [`LABELS`].
    labels: [u64; 4],
}

/// Runs what is missing and prints the tables.
pub fn run(args: &[String]) -> Result<(), String> {
    let mut flags = Flags::new(args);
    let sets = flags.value("--sets")?.unwrap_or_else(|| SETS.to_owned());
    let instances = flags.value("--instances")?.unwrap_or_else(|| INSTANCES.to_owned());
    let seconds = flags.number("--seconds", 10)?;
    let every = flags.number("--every", 1)?.max(1) as usize;
    let file = flags.value("--out")?.unwrap_or_else(|| "ufo.csv".to_owned());
    let corpus = flags.value("--corpus")?;
    let chosen = flags.value("--binary")?;
    let only_print = flags.flag("--print");
    flags.finish()?;
    let mut rows = read(&file)?;
    if !only_print {
        let binary = tool::binary(chosen)?;
        let is_wanted = |set: &str| sets.split(',').any(|name| matches(name, set));
        let tasks: Vec<Task> = corpus::tasks(corpus)?.into_iter().filter(|task| is_wanted(&task.set)).collect();
        let mut out = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(&file)
            .map_err(|error| format!("{file}: {error}"))?;
        let mut write = |line: &str| writeln!(out, "{line}").map_err(|error| format!("{file}: {error}"));
        if rows.is_empty() {
            write(HEAD)?;
        }
        for instance in instances.split(',') {
            for task in tasks.iter().step_by(every) {
                if rows.iter().any(|row| row.instance == instance && row.task == task.name) {
                    continue;
                }
                let row = measure(&binary, task, instance, seconds)?;
                write(&row.line())?;
                rows.push(row);
            }
        }
    }
    print!("{}", tables(&rows));
    let wrong: Vec<&Row> = rows.iter().filter(|row| row.is_wrong()).collect();
    match wrong.first() {
        None => Ok(()),
        Some(first) => Err(format!("{} wrong verdicts; the first: {}", wrong.len(), first.line())),
    }
}

/// Whether the name, which may end in a star, means the set.
fn matches(name: &str, set: &str) -> bool {
    name.strip_suffix('*').map_or(name == set, |start| set.starts_with(start))
}

fn measure(binary: &Path, task: &Task, instance: &str, seconds: u64) -> Result<Row, String> {
    // Processor time: figures of a busy machine are worth something too.
    let limited = format!("ulimit -t {seconds}; exec \"$0\" \"$@\"");
    let (binary, path) = (binary.to_str().unwrap_or_default(), task.path.to_str().unwrap_or_default());
    let wall = format!("{}s", seconds * 20);
    let mut parts = instance.split('+');
    let name = parts.next().unwrap_or_default();
    let mut words = vec!["-c", &limited, binary, "check", "--engine", "ufo", "--ufo", name, "--stats", "--quiet"];
    let more: Vec<String> = parts.map(|part| format!("ufo.{part}")).collect();
    more.iter().for_each(|setting| words.extend(["--set", setting]));
    words.extend(["--timeout", &wall, "--data-model", task.model, path]);
    let ran = tool::run(Path::new("/bin/sh"), &words, Duration::from_secs(seconds * 21))?;
    if ran.crashed() && ran.code.is_some() {
        return Err(format!("{instance} on {}: exit code {:?}\n{}", task.name, ran.code, ran.errors));
    }
    let verdict = ran.output.lines().last().and_then(|line| line.split([':', ' ']).next()).unwrap_or_default();
    let verdict = if ["SAFE", "UNSAFE"].contains(&verdict) { verdict.to_lowercase() } else { "unknown".to_owned() };
    let phases = phases(&ran.errors);
    let sum = |wanted: &dyn Fn(&str) -> bool| {
        phases.iter().filter(|(name, _)| wanted(name)).fold(0.0, |sum, (_, time)| sum + time)
    };
    let count = |name: &str| {
        let value = |line: &str| line.strip_prefix("ufo ")?.strip_prefix(name)?.trim().parse().ok();
        ran.errors.lines().find_map(value).unwrap_or(0)
    };
    Ok(Row {
        instance: instance.to_owned(),
        set: task.set.clone(),
        task: task.name.clone(),
        expected: if task.safe { "safe" } else { "unsafe" }.to_owned(),
        verdict,
        seconds: [sum(&|_| true), sum(&|name| INTERPOLATION.contains(&name)), sum(&|name| name == "post")],
        iterations: count("refinements"),
        labels: LABELS.map(count),
    })
}

/// The seconds of the engine's phases, as `--stats` prints them.
fn phases(output: &str) -> Vec<(String, f64)> {
    let phase = |line: &str| {
        let (name, time) = line.strip_prefix("ufo: ")?.strip_suffix(" s")?.rsplit_once(' ')?;
        Some((name.trim().to_owned(), time.parse().ok()?))
    };
    output.lines().filter_map(phase).collect()
}

impl Row {
    fn is_solved(&self) -> bool {
        self.verdict == self.expected
    }
    fn is_wrong(&self) -> bool {
        !self.is_solved() && self.verdict != "unknown"
    }
    fn line(&self) -> String {
        let [all, interpolation, post] = self.seconds;
        let Row { instance, set, task, expected, verdict, iterations, labels, .. } = self;
        let labels = labels.map(|number| number.to_string()).join("/");
        format!(
            "{instance},{set},{task},{expected},{verdict},{all:.3},{iterations},{interpolation:.3},{post:.3},{labels}"
        )
    }
    fn read(line: &str) -> Option<Row> {
        let columns: Vec<&str> = line.split(',').collect();
        let [instance, set, task, expected, verdict, all, iterations, interpolation, post, labels] = columns[..] else {
            return None;
        };
        let labels: Vec<u64> = labels.split('/').map_while(|number| number.parse().ok()).collect();
        let number = |text: &str| text.parse::<f64>().ok();
        Some(Row {
            instance: instance.to_owned(),
            set: set.to_owned(),
            task: task.to_owned(),
            expected: expected.to_owned(),
            verdict: verdict.to_owned(),
            seconds: [number(all)?, number(interpolation)?, number(post)?],
            iterations: iterations.parse().ok()?,
            labels: labels.try_into().ok()?,
        })
    }
}

/// The rows of a file; none if there is no file. A line that was cut off does not count.
fn read(file: &str) -> Result<Vec<Row>, String> {
    match std::fs::read_to_string(file) {
        Ok(text) => Ok(text.lines().skip(1).filter_map(Row::read).collect()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(format!("{file}: {error}")),
    }
}

/// Both tables.
fn tables(rows: &[Row]) -> String {
    let mut text = String::from(
        "| instance | tasks | solved | safe | unsafe | iterations | seconds of those | interpolation | post | labels |\n\
         |---|---|---|---|---|---|---|---|---|---|\n",
    );
    let mut by_instance: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    let mut by_set: BTreeMap<(&str, &str), Vec<&Row>> = BTreeMap::new();
    let mut solved: BTreeMap<&str, bool> = BTreeMap::new();
    for row in rows {
        by_instance.entry(&row.instance).or_default().push(row);
        by_set.entry((&row.set, &row.instance)).or_default().push(row);
        *solved.entry(&row.task).or_default() |= row.is_solved();
    }
    for (instance, rows) in &by_instance {
        text.push_str(&format!("| {instance} | {}\n", figures(rows)));
    }
    let union = solved.values().filter(|&&solved| solved).count();
    text.push_str(&format!("| together | {} | {union} | | | | | | | |\n\n", solved.len()));
    text.push_str(
        "| set | instance | tasks | solved | safe | unsafe | iterations | seconds of those | interpolation | post | labels |\n\
         |---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for ((set, instance), rows) in &by_set {
        text.push_str(&format!("| {set} | {instance} | {}\n", figures(rows)));
    }
    text.push_str(&difference(rows));
    text
}

/// On how many tasks that several of the paper's instances solve their numbers of iterations differ.
fn difference(rows: &[Row]) -> String {
    let mut by_task: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.is_solved() && PUBLISHED.contains(&row.instance.as_str())) {
        by_task.entry(&row.task).or_default().push(row.iterations);
    }
    by_task.retain(|_, iterations| iterations.len() > 1);
    let differ = by_task.values().filter(|iterations| iterations.iter().any(|number| *number != iterations[0])).count();
    format!(
        "\nOf {} tasks that at least two of the paper's instances solve, {differ} take different numbers of iterations.\n",
        by_task.len()
    )
}

/// The figures of some rows, of what was solved.
fn figures(rows: &[&Row]) -> String {
    let solved: Vec<&&Row> = rows.iter().filter(|row| row.is_solved()).collect();
    let safe = solved.iter().filter(|row| row.expected == "safe").count();
    let sum = |at: usize| solved.iter().fold(0.0, |sum, row| sum + row.seconds[at]);
    let iterations: u64 = solved.iter().map(|row| row.iterations).sum();
    let labels: Vec<String> =
        (0..LABELS.len()).map(|at| solved.iter().map(|row| row.labels[at]).sum::<u64>().to_string()).collect();
    format!(
        "{} | {} | {safe} | {} | {iterations} | {:.1} | {:.1} | {:.1} | {} |",
        rows.len(),
        solved.len(),
        solved.len() - safe,
        sum(0),
        sum(1),
        sum(2),
        labels.join("/"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(instance: &str, task: &str, verdict: &str) -> Row {
        let text = format!("{instance},set,{task},safe,{verdict},1.500,3,1.000,0.250,5/4/0/0");
        Row::read(&text).expect("it is a row")
    }

    #[test]
    fn a_row_is_read_as_it_was_written_and_half_a_row_not_at_all() {
        let one = row("bp", "a.c", "safe");
        assert_eq!(Row::read(&one.line()), Some(one.clone()));
        assert_eq!(Row::read(&one.line()[..12]), None);
    }

    #[test]
    fn tasks_that_several_instances_solve_count_once_together() {
        let rows = [row("bp", "a.c", "safe"), row("cp", "a.c", "safe"), row("cp", "b.c", "unknown")];
        let text = tables(&rows);
        assert!(text.contains("| cp | 2 | 1 | 1 | 0 | 3 | 1.5 | 1.0 | 0.2 | 5/4/0/0 |"), "{text}");
        assert!(text.contains("| together | 2 | 1 |"), "{text}");
    }

    #[test]
    fn tasks_with_different_numbers_of_iterations_are_counted() {
        let mut rows = vec![row("bp", "a.c", "safe"), row("cp", "a.c", "safe"), row("cp", "b.c", "safe")];
        assert!(difference(&rows).contains("Of 1 tasks that at least two of the paper's instances solve, 0 take"));
        rows[1].iterations += 1;
        assert!(difference(&rows).contains("solve, 1 take"));
    }

    #[test]
    fn phases_are_read_from_the_statistics() {
        let output = "passes               0.041 s\nufo: post                        0.250 s\nufo passes    9\n";
        assert_eq!(phases(output), [("post".to_owned(), 0.25)]);
    }
}
