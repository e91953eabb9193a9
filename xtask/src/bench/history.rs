//! History: what each version solved, one file an entry in `bench/history/`.
//!
//! A file is called after its day and commit. Its first lines say these, the time limit and how long a fixed piece of work took; then comes a row a task
//! and a column an engine, with the verdict and the effort. Effort is processor time divided by that of the fixed work, so that entries of
//! different machines can be compared.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use testkit::compiler::TempFolder;
use testkit::golden::workspace;

use super::Measured;
use super::compare::compare;
use super::results::{Results, Row};
use crate::corpus::Task;
use crate::tool;

/// Writes an entry, after saying what changed since the last one.
pub fn record(measured: &Measured, tasks: &[Task], timeout: u64, binary: &Path) -> Result<(), String> {
    let folder = workspace().join("bench/history");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let unit = unit(binary)?;
    let commit = git(&["rev-parse", "--short=10", "HEAD"])?;
    let name = folder.join(format!("{}-{commit}.csv", today()));
    if let Some(last) = entries(&folder).into_iter().rfind(|entry| *entry != name) {
        println!("since {}:", last.file_name().and_then(|name| name.to_str()).unwrap_or_default());
        let (old_unit, before) = read(&last)?;
        for (engine, results) in measured {
            let Some((_, before)) = before.iter().find(|(name, _)| name == engine) else { continue };
            println!("{engine}: {}", compare(&in_seconds(before, unit), results).trim_end());
        }
        println!("(the fixed piece of work took {old_unit:.2} s then and {unit:.2} s now)");
    }
    let text = entry(measured, tasks, timeout, unit, &commit);
    std::fs::write(&name, text).map_err(|error| format!("{}: {error}", name.display()))?;
    println!("recorded as {}", name.display());
    Ok(())
}

fn entry(measured: &Measured, tasks: &[Task], timeout: u64, unit: f64, commit: &str) -> String {
    let engines: Vec<&str> = measured.iter().map(|(name, _)| name.as_str()).collect();
    let mut text = format!(
        "# date {}\n# commit {commit}\n# seconds for each task {timeout}\n# seconds for the fixed work {unit:.3}\n\
         path,expected,{}\n",
        today(),
        engines.join(",")
    );
    for task in tasks {
        text.push_str(&format!("{},{}", task.name, if task.safe { "safe" } else { "unsafe" }));
        for (_, results) in measured {
            match results.get(&task.name) {
                Some(row) => text.push_str(&format!(",{} {:.2}", row.verdict, row.cpu / unit)),
                None => text.push(','),
            }
        }
        text.push('\n');
    }
    text
}

/// The entries, oldest first. Those of one day are in the order in which they were written.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let found = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let mut found: Vec<PathBuf> =
        found.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|e| e == "csv")).collect();
    let day = |path: &PathBuf| path.file_name().map(|name| name.to_string_lossy().chars().take(10).collect::<String>());
    let written = |path: &PathBuf| path.metadata().and_then(|metadata| metadata.modified()).ok();
    found.sort_by_key(|path| (day(path), written(path), path.clone()));
    found
}

/// The unit of an entry, and its engines with their results; effort stands for seconds.
fn read(file: &Path) -> Result<(f64, Measured), String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    parse(&text).ok_or_else(|| format!("{} is not an entry of the history", file.display()))
}

fn parse(text: &str) -> Option<(f64, Measured)> {
    let mut lines = text.lines();
    let mut unit = None;
    let heading = loop {
        let line = lines.next()?;
        if let Some(seconds) = line.strip_prefix("# seconds for the fixed work ") {
            unit = seconds.parse().ok();
        } else if !line.starts_with('#') {
            break line;
        }
    };
    let mut measured: Measured = heading.split(',').skip(2).map(|name| (name.to_owned(), Results::new())).collect();
    for line in lines {
        let mut columns = line.split(',');
        let (path, expected) = (columns.next()?, columns.next()?);
        for ((_, results), cell) in measured.iter_mut().zip(columns) {
            let Some((verdict, effort)) = cell.split_once(' ') else { continue };
            let row = Row {
                path: path.to_owned(),
                set: String::new(),
                expected: expected.to_owned(),
                verdict: verdict.to_owned(),
                cpu: effort.parse().ok()?,
                wall: 0.0,
                megabytes: 0,
            };
            results.insert(row.path.clone(), row);
        }
    }
    Some((unit?, measured))
}

/// Effort as seconds of this machine.
fn in_seconds(results: &Results, unit: f64) -> Results {
    let scaled = |(name, row): (&String, &Row)| (name.clone(), Row { cpu: row.cpu * unit, ..row.clone() });
    results.iter().map(scaled).collect()
}

/// Seconds of processor time for a fixed piece of work: a loop of the checker and the solver that has not changed for long.
fn unit(binary: &Path) -> Result<f64, String> {
    const WORK: &str = "extern void reach_error(void);\nint main(void) { unsigned x = 1, i = 0;\n\
        while (i < 9000000u) { x = x * 1664525u + 1013904223u; if (x == 0) i += 2; else i++; }\n\
        if (x == 7u) reach_error(); return 0; }\n";
    let folder = TempFolder::new();
    let file = folder.path().join("work.c");
    std::fs::write(&file, WORK).map_err(|error| error.to_string())?;
    let path = file.to_str().ok_or("the temporary folder has a strange name")?;
    let mut seconds = Vec::new();
    for _ in 0..3 {
        let start = tool::children_cpu();
        let ran = tool::run(binary, &["run", "--zero", path], Duration::from_secs(120))?;
        if ran.code != Some(0) {
            return Err(format!("the fixed piece of work failed: {}", ran.errors));
        }
        seconds.push(match (start, tool::children_cpu()) {
            (Some(start), Some(end)) => end - start,
            _ => ran.seconds,
        });
    }
    seconds.sort_by(f64::total_cmp);
    Ok(seconds[0].max(0.01))
}

fn git(args: &[&str]) -> Result<String, String> {
    let output = Command::new("git").args(args).current_dir(workspace()).output();
    let output = output.map_err(|error| format!("git cannot be started: {error}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The day, from the clock.
fn today() -> String {
    let days = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() / 86_400);
    day(days)
}

/// The civil date of a day since 1970, by the era of 400 years it lies in.
fn day(days: u64) -> String {
    let z = days + 719_468;
    let (era, of_era) = (z / 146_097, z % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let date = of_year - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}-{month:02}-{date:02}", year + era * 400 + carry)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_dates() {
        assert_eq!(day(0), "1970-01-01");
        assert_eq!(day(11_016), "2000-02-29");
        assert_eq!(day(20_773), "2026-11-16");
    }

    #[test]
    fn an_entry_is_read_as_it_was_written() {
        let row = |path: &str, verdict: &str, cpu: f64| Row {
            path: path.to_owned(),
            set: "s".to_owned(),
            expected: "safe".to_owned(),
            verdict: verdict.to_owned(),
            cpu,
            wall: 0.0,
            megabytes: 0,
        };
        let task = |name: &str| Task {
            path: PathBuf::from(name),
            name: name.to_owned(),
            set: "s".to_owned(),
            language: "c".to_owned(),
            safe: true,
            model: "ilp32",
        };
        let results: Results =
            [row("a", "safe", 1.0), row("b", "timeout", 9.0)].map(|row| (row.path.clone(), row)).into_iter().collect();
        let measured = vec![("bmc".to_owned(), results), ("kind".to_owned(), Results::new())];
        let text = entry(&measured, &[task("a"), task("b")], 10, 0.5, "abc");
        assert!(text.contains("path,expected,bmc,kind\na,safe,safe 2.00,\n"), "{text}");
        let (unit, again) = parse(&text).expect("it is an entry");
        assert_eq!((unit, again[0].1["b"].cpu, again[1].1.len()), (0.5, 18.0, 0));
        assert_eq!(in_seconds(&again[0].1, 0.5)["a"].cpu, 1.0);
    }
}
