//! `cargo xtask smt-fuzz`: random scripts, answered by our solver and by Z3, cvc5 and Bitwuzla.
//!
//! The other solvers come from PyPI into a throw-away environment that this command makes. Every model of ours must
//! satisfy the assertions in the evaluator, every refutation must be accepted by the checker of proofs, every core
//! must be one, and no two solvers may give opposite answers. What was tried is counted, since a run in which nothing
//! conflicts shows nothing.
//!
//! `--count N` (2000 scripts), `--first N` (0: the number of the first), `--seed S` (1), `--keep FOLDER`: where scripts go that we gave up on or that another solver
//! disputes, `--python P`: an interpreter that has the solvers already. Script number `n` of seed `S` is the same on
//! every machine.

pub mod script;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::flags::Flags;
use script::{Counts, Script};

/// A program that asks the others about the scripts of a folder, `NUMBER.smt2` each.
pub const SOLVERS: &str = include_str!("solvers.py");
/// Scripts for one run of the other solvers.
const BATCH: u64 = 500;

/// Does what the flags say.
pub fn run(args: &[String]) -> Result<(), String> {
    let mut flags = Flags::new(args);
    let count = flags.number("--count", 2000)?;
    let first = flags.number("--first", 0)?;
    let seed = flags.number("--seed", 1)?;
    let keep = flags.value("--keep")?.map(PathBuf::from);
    let python = flags.value("--python")?;
    flags.finish()?;
    let private = tempfile::tempdir().map_err(|error| format!("cannot make a temporary folder: {error}"))?;
    let folder = private.path().to_owned();
    for folder in keep.iter().chain([&folder]) {
        std::fs::create_dir_all(folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    }
    let outcome = environment(&folder, python).and_then(|python| {
        let mut fuzz = Fuzz { seed, keep, ..Fuzz::default() };
        fuzz.run(&folder, &python, first, first + count)?;
        fuzz.report()
    });
    let _ = std::fs::remove_dir_all(&folder);
    outcome
}

/// The interpreter that has the solvers; makes an environment if none is given.
pub fn environment(folder: &Path, python: Option<String>) -> Result<PathBuf, String> {
    if let Some(python) = python {
        return Ok(PathBuf::from(python));
    }
    let venv = folder.join("venv");
    execute(Command::new("python3").arg("-m").arg("venv").arg(&venv))?;
    let python = venv.join("bin/python");
    execute(Command::new(&python).args(["-m", "pip", "install", "--quiet", "z3-solver", "cvc5", "bitwuzla"]))?;
    Ok(python)
}

/// Runs a command to its end; what it printed, or why it failed.
pub fn execute(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{command:?} failed: {}", String::from_utf8_lossy(&output.stderr)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Agreements with one other solver, and queries that one of the two did not answer.
#[derive(Default)]
struct Tally {
    agreed: u64,
    silent: u64,
    refused: u64,
}

#[derive(Default)]
struct Fuzz {
    seed: u64,
    keep: Option<PathBuf>,
    counts: Counts,
    tallies: BTreeMap<String, Tally>,
    findings: Vec<String>,
    refusal: Option<String>,
    /// The longest that one script took us, and its number.
    slowest: (f64, u64),
}

impl Fuzz {
    fn run(&mut self, folder: &Path, python: &Path, start: u64, end: u64) -> Result<(), String> {
        let program = folder.join("solvers.py");
        std::fs::write(&program, SOLVERS).map_err(|error| error.to_string())?;
        for first in (start..end).step_by(BATCH as usize) {
            let scripts = folder.join("scripts");
            let _ = std::fs::remove_dir_all(&scripts);
            std::fs::create_dir_all(&scripts).map_err(|error| error.to_string())?;
            let mut known: BTreeMap<u64, Script> = BTreeMap::new();
            for number in first..end.min(first + BATCH) {
                let start = Instant::now();
                let script = Script::answered(self.seed.wrapping_mul(1 << 32).wrapping_add(number));
                let seconds = start.elapsed().as_secs_f64();
                if seconds > self.slowest.0 {
                    self.slowest = (seconds, number);
                }
                self.counts.add(&script.counts);
                if let Some(wrong) = &script.wrong {
                    self.find(number, &script, wrong);
                } else if script.answers.contains(&"unknown") {
                    self.save(number, "unknown", &script);
                }
                std::fs::write(scripts.join(format!("{number}.smt2")), &script.text).map_err(|e| e.to_string())?;
                known.insert(number, script);
            }
            let answers = execute(Command::new(python).arg(&program).arg(&scripts))?;
            for line in answers.lines() {
                self.compare(&known, line);
            }
            println!("{} scripts, {} findings", end.min(first + BATCH) - start, self.findings.len());
        }
        Ok(())
    }
    /// Compares with one line of another solver: number, solver, answers.
    fn compare(&mut self, known: &BTreeMap<u64, Script>, line: &str) {
        let mut words = line.split_whitespace();
        let number = words.next().and_then(|word| word.parse().ok());
        let (Some(number), Some(solver)) = (number, words.next()) else { return };
        let Some(script) = known.get(&number) else { return };
        let theirs: Vec<&str> = words.collect();
        let tally = self.tallies.entry(solver.to_owned()).or_default();
        let is_answer = |word: &&str| ["sat", "unsat", "unknown"].contains(word);
        if theirs.is_empty() || !theirs.iter().all(is_answer) {
            tally.refused += 1;
            self.refusal.get_or_insert_with(|| format!("{solver}: {}", theirs.join(" ")));
            return;
        }
        // A solver that answers only once answers the last query.
        let ours = &script.answers[script.answers.len().saturating_sub(theirs.len())..];
        let mut disputed = None;
        for (&our, &their) in ours.iter().zip(&theirs) {
            match (our, their) {
                ("unknown", _) | (_, "unknown") => tally.silent += 1,
                _ if our == their => tally.agreed += 1,
                _ => disputed = Some(format!("we say {our}, {solver} says {their}")),
            }
        }
        if let Some(what) = disputed {
            self.find(number, script, &what);
        }
    }
    fn find(&mut self, number: u64, script: &Script, what: &str) {
        self.save(number, "wrong", script);
        println!("script {number} of seed {}: {what}", self.seed);
        self.findings.push(format!("script {number} of seed {}: {what}\n{}", self.seed, script.text));
    }
    fn save(&self, number: u64, kind: &str, script: &Script) {
        if let Some(keep) = &self.keep {
            let _ = std::fs::write(keep.join(format!("{kind}-{}-{number}.smt2", self.seed)), &script.text);
        }
    }
    fn report(&self) -> Result<(), String> {
        println!("{}", self.counts);
        println!("every model evaluated, every proof checked, every core asked again");
        println!("the longest script: {:.1} s, number {} of seed {}", self.slowest.0, self.slowest.1, self.seed);
        for (solver, tally) in &self.tallies {
            println!("{solver}: {} agree, {} without an answer, {} refused", tally.agreed, tally.silent, tally.refused);
        }
        if let Some(refusal) = &self.refusal {
            println!("the first refusal: {refusal}");
        }
        match self.findings.first() {
            None => Ok(()),
            Some(finding) => Err(format!("{} findings; the first:\n{finding}", self.findings.len())),
        }
    }
}
