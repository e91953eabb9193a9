//! Boogie programs with contracts: the checker against an interpreter of the source.
//!
//! Generated programs are written to a file and given to the binary. `testkit::boogie::explore` tries all their runs, by the
//! language's definition: SAFE contradicts a condition that some run fails, UNSAFE has to name such a condition, and no answer may be a
//! crash or a refusal. With uninterpreted types only a few sizes are tried, so an UNSAFE is not checked there. What
//! disagrees is shrunk. `--count N`, `--seed S`, `--seconds T` for each answer, `--out DIR` for findings, `--binary FILE`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use testkit::boogie::Program;
use testkit::boogie::explore::{Runs, failures};
use testkit::boogie::generate::generate;
use testkit::boogie::print::print;
use testkit::boogie::shrink::shrink;

use crate::flags::Flags;
use crate::tool;

/// Programs with more states are left out.
const MAX_STATES: usize = 400_000;
/// Sizes of uninterpreted types.
const SIZES: &[u64] = &[2, 1, 3];

/// What is asked for.
pub struct Settings {
    /// The binary of uforia.
    pub binary: PathBuf,
    /// How many programs.
    pub count: u64,
    /// The first seed.
    pub seed: u64,
    /// For each answer.
    pub seconds: u64,
    /// Where findings are written.
    pub out: Option<PathBuf>,
    /// When to stop.
    pub deadline: Option<Instant>,
}

/// Does what the arguments say.
pub fn run(args: &[String]) -> Result<(), String> {
    let mut flags = Flags::new(args);
    let settings = Settings {
        count: flags.number("--count", 200)?,
        seed: flags.number("--seed", 1)?,
        seconds: flags.number("--seconds", 10)?,
        out: flags.value("--out")?.map(PathBuf::from),
        binary: tool::binary(flags.value("--binary")?)?,
        deadline: None,
    };
    flags.finish()?;
    match boogie(&settings)? {
        0 => Ok(()),
        n => Err(format!("{n} findings")),
    }
}

/// Checks the programs, prints the results, and returns the number of findings.
pub fn boogie(settings: &Settings) -> Result<u64, String> {
    let start = Instant::now();
    let folder = std::env::temp_dir().join(format!("uforia-boogie-{}", std::process::id()));
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let checker = Checker { settings, folder: &folder };
    let (mut n_safe, mut n_unsafe, mut n_unknown, mut n_large, mut n_findings) = (0u64, 0u64, 0u64, 0u64, 0u64);
    let mut reasons: BTreeMap<String, u64> = BTreeMap::new();
    for seed in settings.seed..settings.seed.saturating_add(settings.count) {
        if settings.deadline.is_some_and(|deadline| Instant::now() > deadline) {
            println!("boogie: out of time");
            break;
        }
        let made = generate(seed);
        let Some(truth) = Truth::of(&made.program, made.runs) else {
            n_large += 1;
            continue;
        };
        let answer = checker.ask(&made.program, made.runs)?;
        match &answer {
            Answer::Safe => n_safe += 1,
            Answer::Unsafe(_) => n_unsafe += 1,
            Answer::Unknown(why) => {
                n_unknown += 1;
                let why = why.split(" at ").next().unwrap_or_default();
                *reasons.entry(why.to_owned()).or_default() += 1;
            }
            Answer::Other(_) => {}
        }
        if let Some(complaint) = truth.complaint(&answer) {
            n_findings += 1;
            checker.keep(seed, &made.program, made.runs, &complaint)?;
        }
    }
    fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for (why, n) in &reasons {
        println!("boogie: {n} times {why}");
    }
    println!(
        "boogie: {n_safe} safe, {n_unsafe} unsafe, {n_unknown} unknown, {n_large} left out as too large, {n_findings} findings, {:.0} s",
        start.elapsed().as_secs_f64()
    );
    Ok(n_findings)
}

/// What the interpreter of the source says.
struct Truth {
    /// Lines of conditions that fail in some run.
    failing: BTreeSet<u32>,
    /// Whether there are no others.
    is_exact: bool,
}

impl Truth {
    /// None if there are too many states.
    fn of(program: &Program, runs: Runs) -> Option<Truth> {
        let is_exact = program.is_finite();
        let sizes = if is_exact { &SIZES[..1] } else { SIZES };
        let mut failed = BTreeSet::new();
        for &size in sizes {
            failed.extend(failures(program, runs, size, MAX_STATES)?);
        }
        let lines = print(program).lines;
        let line = |id: &usize| lines.iter().find(|(known, _)| known == id).map(|(_, line)| *line);
        Some(Truth { failing: failed.iter().filter_map(line).collect(), is_exact })
    }
    fn complaint(&self, answer: &Answer) -> Option<String> {
        match answer {
            Answer::Safe if !self.failing.is_empty() => Some(format!("SAFE, and lines {:?} fail", self.failing)),
            Answer::Unsafe(line) if self.is_exact && !self.failing.contains(line) => {
                Some(format!("UNSAFE in line {line}, and only lines {:?} fail", self.failing))
            }
            Answer::Other(what) => Some(what.clone()),
            _ => None,
        }
    }
}

enum Answer {
    Safe,
    /// With the line of the condition that fails.
    Unsafe(u32),
    Unknown(String),
    /// Neither: a crash, a refusal.
    Other(String),
}

struct Checker<'a> {
    settings: &'a Settings,
    folder: &'a Path,
}

impl Checker<'_> {
    fn options(&self, program: &Program, runs: Runs) -> Vec<String> {
        match runs {
            Runs::Modular => Vec::new(),
            Runs::From(entry) => vec!["--entry".to_owned(), program.procedures[entry].name.clone()],
        }
    }
    fn ask(&self, program: &Program, runs: Runs) -> Result<Answer, String> {
        let file = self.folder.join("a.bpl");
        fs::write(&file, print(program).text).map_err(|error| format!("{}: {error}", file.display()))?;
        let mut command = Command::new(&self.settings.binary);
        command.arg("check").arg(&file).args(["--timeout", &format!("{}s", self.settings.seconds)]);
        command.args(self.options(program, runs));
        let said = command.output().map_err(|error| format!("{}: {error}", self.settings.binary.display()))?;
        let out = String::from_utf8_lossy(&said.stdout);
        let last = out.lines().last().unwrap_or_default().to_owned();
        Ok(match said.status.code() {
            Some(0) => Answer::Safe,
            Some(1) => {
                let line = last.split("a.bpl:").nth(1).and_then(|rest| rest.split_whitespace().next());
                match line.and_then(|line| line.parse().ok()) {
                    Some(line) => Answer::Unsafe(line),
                    None => Answer::Other(format!("no line: {last}")),
                }
            }
            Some(2) => Answer::Unknown(last),
            code => {
                let err = String::from_utf8_lossy(&said.stderr).lines().take(3).collect::<Vec<_>>().join("; ");
                Answer::Other(format!("exit code {code:?}: {last} {err}"))
            }
        })
    }
    /// Prints the finding, shrunk, and writes it down.
    fn keep(&self, seed: u64, program: &Program, runs: Runs, complaint: &str) -> Result<(), String> {
        let is_still = |smaller: &Program| {
            if matches!(runs, Runs::From(entry) if smaller.procedures[entry].bodies.is_empty()) {
                return false;
            }
            let Some(truth) = Truth::of(smaller, runs) else { return false };
            let Ok(answer) = self.ask(smaller, runs) else { return false };
            let begins = |text: &str| text.split([' ', ':']).next().map(str::to_owned);
            truth.complaint(&answer).is_some_and(|found| begins(&found) == begins(complaint))
        };
        let small = shrink(program, is_still);
        let text = format!(
            "// {complaint} (before it was shrunk)\n// {}\n{}",
            self.options(&small, runs).join(" "),
            print(&small).text
        );
        println!("FINDING boogie {seed}: {text}");
        if let Some(out) = &self.settings.out {
            let path = out.join(format!("boogie-{seed}.bpl"));
            fs::create_dir_all(out)
                .and_then(|()| fs::write(&path, text))
                .map_err(|error| format!("{}: {error}", path.display()))?;
        }
        Ok(())
    }
}
