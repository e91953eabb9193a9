//! `cargo xtask smt-bench`: how fast the solver is, as ratios to other solvers in the same run.
//!
//! Each section is one file and one table in `docs/benchmarks.md`; `--only NAME` measures that section and keeps
//! the text of the others. Build with `--release`, and with `--features cadical` for the multipliers.
//!
//! With `--dir FOLDER` only the scripts (`.smt2`) of that folder are measured, as one-shot queries, and printed;
//! `--limit SECONDS` (20) is what each solver has for each script.
//!
//! `--only NAME`, `--queries N` (10000), `--million N` (1000000), `--seed S`, `--python P`: an interpreter that has
//! the solvers from PyPI.

mod circuit;
mod functions;
mod memory;
#[cfg(feature = "cadical")]
mod multipliers;
mod propositional;
mod words;

use std::cell::OnceCell;
use std::path::PathBuf;
use std::time::Duration;

use crate::flags::Flags;
use crate::smt_fuzz::environment;

/// What the sections share.
struct Bench {
    /// For files that last as long as the run.
    folder: PathBuf,
    wanted_python: Option<String>,
    python: OnceCell<PathBuf>,
    queries: u64,
    million: u64,
    seed: u64,
    /// For one script of the one-shot queries.
    limit: Duration,
}

impl Bench {
    /// The interpreter that has the other solvers; made when first asked for.
    fn python(&self) -> Result<PathBuf, String> {
        if let Some(python) = self.python.get() {
            return Ok(python.clone());
        }
        let python = environment(&self.folder, self.wanted_python.clone())?;
        Ok(self.python.get_or_init(|| python).clone())
    }
}

/// A part of the page: the name for `--only`, the heading, and what finds the text below it.
struct Section {
    name: &'static str,
    title: &'static str,
    measure: fn(&Bench) -> Result<String, String>,
}

/// In the order of the page.
const SECTIONS: &[Section] = &[
    Section { name: "functions", title: "Incremental queries over functions", measure: functions::measure },
    Section { name: "propositional", title: "Incremental propositional queries", measure: propositional::measure },
    Section { name: "words", title: "One-shot bit-vector queries", measure: words::measure },
    Section { name: "multipliers", title: "Hard one-shot formulas", measure: MULTIPLIERS },
    Section { name: "memory", title: "Memory", measure: memory::measure },
];

#[cfg(feature = "cadical")]
const MULTIPLIERS: fn(&Bench) -> Result<String, String> = multipliers::measure;
#[cfg(not(feature = "cadical"))]
const MULTIPLIERS: fn(&Bench) -> Result<String, String> =
    |_| Err("measured against CaDiCaL: build with --features cadical".to_owned());

const HEADER: &str = "# Benchmarks\n\n\
    Each table has the command that made it and its date. The times of one table come from one run on one machine, most of\n\
    them on two cores shared with other work: compare ratios, not seconds. `bench.py` runs a command for each task of a\n\
    manifest. The sections up to *Memory* are written by `cargo run --release -p xtask -- smt-bench --only NAME`.\n";

/// Does what the flags say.
pub fn run(args: &[String]) -> Result<(), String> {
    let mut flags = Flags::new(args);
    let only = flags.value("--only")?;
    let queries = flags.number("--queries", 10_000)?;
    let million = flags.number("--million", 1_000_000)?;
    let seed = flags.number("--seed", 1)?;
    let scripts = flags.value("--dir")?.map(PathBuf::from);
    let limit = Duration::from_secs(flags.number("--limit", 20)?);
    let wanted_python = flags.value("--python")?;
    flags.finish()?;
    if let Some(name) = &only
        && SECTIONS.iter().all(|section| section.name != name)
    {
        let names: Vec<&str> = SECTIONS.iter().map(|section| section.name).collect();
        return Err(format!("--only takes one of {}, not `{name}`", names.join(", ")));
    }
    if cfg!(debug_assertions) {
        return Err("measure optimised code: cargo run --release -p xtask -- smt-bench".to_owned());
    }
    let private = tempfile::tempdir().map_err(|error| format!("cannot make a temporary folder: {error}"))?;
    let folder = private.path().to_owned();
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let bench = Bench { folder, wanted_python, python: OnceCell::new(), queries, million, seed, limit };
    let outcome = match scripts {
        Some(scripts) => words::measure_folder(&bench, &scripts).map(|text| print!("{text}")),
        None => write_page(&bench, only.as_deref()),
    };
    let _ = std::fs::remove_dir_all(&bench.folder);
    outcome
}

fn write_page(bench: &Bench, only: Option<&str>) -> Result<(), String> {
    let file = testkit::golden::workspace().join("docs/benchmarks.md");
    for section in SECTIONS {
        if only.is_some_and(|name| name != section.name) {
            continue;
        }
        let body = match (section.measure)(bench) {
            Err(why) if only.is_none() => {
                eprintln!("{}: {why}; its text stays", section.name);
                continue;
            }
            body => body?,
        };
        print!("## {}\n\n{body}\n", section.title);
        // Written after each section, so that a later one that fails takes nothing away.
        let before = std::fs::read_to_string(&file).unwrap_or_default();
        std::fs::write(&file, page(&before, section.title, &body))
            .map_err(|error| format!("cannot write {}: {error}", file.display()))?;
    }
    Ok(())
}

/// The page with the text of one section replaced, the others as they were, in the order of the table. Sections that
/// are not in the table come from other commands and stay, at the end.
fn page(before: &str, title: &str, body: &str) -> String {
    let old: Vec<(&str, &str)> =
        before.split("\n## ").skip(1).map(|section| section.split_once('\n').unwrap_or((section, ""))).collect();
    let mut text = HEADER.to_owned();
    let mut add = |title: &str, body: &str| text.push_str(&format!("\n## {title}\n\n{}\n", body.trim()));
    for section in SECTIONS {
        if section.title == title {
            add(title, body);
        } else if let Some((_, body)) = old.iter().find(|(old, _)| *old == section.title) {
            add(section.title, body);
        }
    }
    for (title, body) in old {
        if SECTIONS.iter().all(|section| section.title != title) {
            add(title, body);
        }
    }
    text
}

/// Processor time of this thread, which other programs on the machine disturb less than the clock; the clock
/// where the system does not report it.
fn processor_seconds() -> f64 {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    let reported = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let reported = reported.and_then(|text| text.split_whitespace().next().and_then(|word| word.parse::<f64>().ok()));
    match reported {
        Some(nanoseconds) => nanoseconds * 1e-9,
        None => START.get_or_init(std::time::Instant::now).elapsed().as_secs_f64(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measuring_one_section_again_keeps_the_others() {
        let (first, last) = (SECTIONS[0].title, SECTIONS[SECTIONS.len() - 1].title);
        let one = page("# Old\n\n## Written by hand\n\nwords\n", last, "old last");
        let two = page(&one, first, "first\n\n| a |\n");
        let three = page(&two, last, "new last\n");
        let expected =
            format!("{HEADER}\n## {first}\n\nfirst\n\n| a |\n\n## {last}\n\nnew last\n\n## Written by hand\n\nwords\n");
        assert_eq!(three, expected);
    }
}
