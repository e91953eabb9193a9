//! `cargo xtask growth`: families of programs that double in size, until a program is not solved in time.
//!
//! For each size: lines, processor seconds, peak memory, and the ratio of the time to that of the size before. With `--family a,b` only
//! these, `--seconds S` (60) for each program, `--lines N` (100,000) at the most, `--binary FILE`, `--options "…"` for `check`. Pictures of time and memory
//! against lines go to `target/growth`; `--record` writes them to `docs/pictures` and appends a line to `bench/history/growth.jsonl`.
//!
//! `--instructions` counts the instructions of one small size of each family with callgrind, which are the same in every run, and fails if one
//! needs over 20 % more than `bench/growth-instructions.csv` says; `--record` writes that file anew.

mod families;
mod picture;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use families::{FAMILIES, Family};
use testkit::compiler::TempFolder;
use testkit::golden::workspace;

use crate::flags::Flags;
use crate::tool;

// law: a count that grew by more than one part in this many is a regression.
const TOLERATED_PART: u64 = 5;

/// What one program took.
struct Step {
    size: u64,
    lines: u64,
    seconds: f64,
    megabytes: u64,
    is_solved: bool,
}

/// Runs the command.
pub fn run(args: &[String]) -> Result<(), String> {
    let mut flags = Flags::new(args);
    let names = flags.value("--family")?;
    let seconds = flags.number("--seconds", 60)?;
    let lines = flags.number("--lines", 100_000)?;
    let options = flags.value("--options")?.unwrap_or_default();
    let (counts, record) = (flags.flag("--instructions"), flags.flag("--record"));
    let binary = flags.value("--binary")?;
    flags.finish()?;
    let chosen = chosen(names.as_deref())?;
    let binary = tool::binary(binary)?;
    if counts {
        return instructions(&binary, &chosen, record);
    }
    let mut all = Vec::new();
    println!("{:<12}{:>9}{:>9}{:>10}{:>8}{:>8}", "family", "size", "lines", "seconds", "MiB", "ratio");
    for family in chosen {
        all.push((family.name, doubled(family, &binary, &options, seconds, lines)?));
    }
    println!();
    for (name, steps) in &all {
        println!("{}", summary(name, steps));
    }
    let folder = if record { workspace().join("docs/pictures") } else { workspace().join("target/growth") };
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let pictures = [("growth-time.svg", picture::time(&all)), ("growth-memory.svg", picture::memory(&all))];
    for (name, text) in pictures {
        let path = folder.join(name);
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        println!("{}", path.display());
    }
    if record { remember(&all) } else { Ok(()) }
}

fn chosen(names: Option<&str>) -> Result<Vec<&'static Family>, String> {
    let Some(names) = names else { return Ok(FAMILIES.iter().collect()) };
    let by_name = |name: &str| {
        FAMILIES.iter().find(|family| family.name == name).ok_or_else(|| {
            let all: Vec<&str> = FAMILIES.iter().map(|family| family.name).collect();
            format!("`{name}` is no family; the families are {}", all.join(", "))
        })
    };
    names.split(',').map(by_name).collect()
}

/// The programs of a family, each twice as large as the one before, up to the first that is not solved.
fn doubled(family: &Family, binary: &Path, options: &str, seconds: u64, lines: u64) -> Result<Vec<Step>, String> {
    let folder = TempFolder::new();
    let file = folder.path().join("program.c");
    let mut steps: Vec<Step> = Vec::new();
    let mut size = family.first;
    loop {
        let program = (family.program)(size);
        let n_lines = program.lines().count() as u64;
        fs::write(&file, program).map_err(|error| error.to_string())?;
        let (path, limit) = (file.display().to_string(), format!("{seconds}s"));
        let mut words = vec!["check", "--stats", "--property", "unreach-call", "--timeout", &limit, &path];
        words.extend(options.split_whitespace());
        let before = tool::children_cpu();
        let ran = tool::run(binary, &words, Duration::from_secs(seconds + 20))?;
        let took = before.zip(tool::children_cpu()).map_or(ran.seconds, |(before, after)| after - before);
        if ran.crashed() || ran.code == Some(1) {
            return Err(format!("{} {size}: {}", family.name, ran.output.lines().last().unwrap_or("no output")));
        }
        let step =
            Step { size, lines: n_lines, seconds: took, megabytes: ran.megabytes, is_solved: ran.code == Some(0) };
        let ratio =
            steps.last().map_or(String::new(), |last: &Step| format!("{:.1}", step.seconds / last.seconds.max(0.01)));
        let ratio = if step.is_solved { ratio } else { "open".to_owned() };
        println!("{:<12}{size:>9}{n_lines:>9}{:>10.2}{:>8}{ratio:>8}", family.name, step.seconds, step.megabytes);
        let is_last = !step.is_solved || step.lines * 2 > lines || size >= 1 << 22;
        steps.push(step);
        if is_last {
            return Ok(steps);
        }
        size *= 2;
    }
}

/// The largest size that was solved, and the worst ratio among those that take over a second.
fn summary(name: &str, steps: &[Step]) -> String {
    let largest = steps.iter().rev().find(|step| step.is_solved);
    let pairs = steps.windows(2).filter(|pair| pair[1].is_solved && pair[1].seconds > 1.0);
    let worst = pairs.map(|pair| pair[1].seconds / pair[0].seconds.max(0.01)).fold(0.0, f64::max);
    match largest {
        Some(step) => format!(
            "{name:<12}solved up to size {} ({} lines, {:.1} s, {} MiB); worst ratio above one second {worst:.1}",
            step.size, step.lines, step.seconds, step.megabytes
        ),
        None => format!("{name:<12}nothing solved"),
    }
}

/// Appends a line to the history.
fn remember(all: &[(&str, Vec<Step>)]) -> Result<(), String> {
    let families: serde_json::Map<String, serde_json::Value> = all
        .iter()
        .map(|(name, steps)| {
            let solved = steps.iter().filter(|step| step.is_solved);
            let steps: Vec<_> = solved.map(|step| (step.lines, step.seconds, step.megabytes)).collect();
            ((*name).to_owned(), serde_json::json!(steps))
        })
        .collect();
    let commit = Command::new("git").args(["rev-parse", "--short", "HEAD"]).current_dir(workspace()).output();
    let commit = commit.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default();
    let line = serde_json::json!({ "commit": commit, "columns": ["lines", "seconds", "MiB"], "families": families });
    let path = workspace().join("bench/history/growth.jsonl");
    let mut text = fs::read_to_string(&path).unwrap_or_default();
    text.push_str(&format!("{line}\n"));
    fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// Counts instructions and compares them with the recorded ones.
fn instructions(binary: &Path, chosen: &[&Family], record: bool) -> Result<(), String> {
    if Command::new("valgrind").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_err() {
        println!("skipped: valgrind is not installed");
        return Ok(());
    }
    let path = workspace().join("bench/growth-instructions.csv");
    let known = fs::read_to_string(&path).unwrap_or_default();
    let known = |name: &str| {
        let row = known.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(','));
        row.and_then(|row| row.split(',').nth(1)?.parse::<u64>().ok())
    };
    let mut table = "family,size,instructions\n".to_owned();
    let mut worse = Vec::new();
    for family in chosen {
        let count = counted(binary, family)?;
        table.push_str(&format!("{},{},{count}\n", family.name, family.counted));
        let before = known(family.name);
        let change = before.map_or("new".to_owned(), |before| format!("{:+.1} %", change(before, count)));
        println!("{:<12}{:>9}{count:>16} {change}", family.name, family.counted);
        if before.is_some_and(|before| count > before + before / TOLERATED_PART) {
            worse.push(family.name);
        }
    }
    if record {
        return fs::write(&path, table).map_err(|error| format!("{}: {error}", path.display()));
    }
    if worse.is_empty() { Ok(()) } else { Err(format!("over 20 % more instructions: {}", worse.join(", "))) }
}

/// How many per cent more it is than before.
fn change(before: u64, now: u64) -> f64 {
    (now as f64 / before.max(1) as f64 - 1.0) * 100.0
}

/// The instructions of one run on one core, where turns follow ticks and not the clock.
fn counted(binary: &Path, family: &Family) -> Result<u64, String> {
    let folder = TempFolder::new();
    let (file, out) = (folder.path().join("program.c"), folder.path().join("callgrind.out"));
    fs::write(&file, (family.program)(family.counted)).map_err(|error| error.to_string())?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", &format!("--callgrind-out-file={}", out.display())])
        .arg(binary)
        .args(["check", "-q", "--threads", "1", "--property", "unreach-call", "--timeout", "600s"])
        .arg(&file)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("valgrind: {error}"))?;
    let said = String::from_utf8_lossy(&output.stdout);
    if said.lines().last() != Some("SAFE") {
        return Err(format!("{} {}: {}", family.name, family.counted, said.lines().last().unwrap_or("no output")));
    }
    let text = fs::read_to_string(&out).map_err(|error| error.to_string())?;
    let total = text.lines().find_map(|line| line.strip_prefix("summary: ").or(line.strip_prefix("totals: ")));
    total.and_then(|total| total.trim().parse().ok()).ok_or_else(|| "callgrind wrote no total".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_larger_program_has_more_lines_or_larger_numbers() {
        for family in FAMILIES {
            let (small, large) = ((family.program)(family.first), (family.program)(2 * family.first));
            assert!(small != large && large.lines().count() >= small.lines().count(), "{}", family.name);
            assert!(large.len() > small.len(), "{}", family.name);
        }
    }

    #[test]
    fn a_family_that_does_not_exist_is_named_with_those_that_do() {
        assert!(chosen(Some("locks,loops")).is_ok_and(|found| found.len() == 2));
        let error = chosen(Some("nothing")).err().expect("there is no such family");
        assert!(error.starts_with("`nothing` is no family; the families are locks, states"), "{error}");
    }

    #[test]
    fn the_summary_names_the_largest_solved_size_and_the_worst_ratio() {
        let step = |size, seconds, is_solved| Step { size, lines: 10 * size, seconds, megabytes: 5, is_solved };
        let steps = [step(8, 0.1, true), step(16, 1.5, true), step(32, 3.0, true), step(64, 60.0, false)];
        let expected = "locks       solved up to size 32 (320 lines, 3.0 s, 5 MiB); worst ratio above one second 15.0";
        assert_eq!(summary("locks", &steps), expected);
    }
}
