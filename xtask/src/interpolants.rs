//! `cargo xtask interpolants`: random contradictions in parts, their interpolants, and checks of them by other solvers.
//!
//! Sequences of two to five parts over functions, words, and both. For each, every method (those without a proof for
//! each fourth) must give interpolants or nothing; what it gives is checked by our own solver (the parts before imply it, it contradicts the parts after, only
//! shared symbols, each step follows), and Bitwuzla, cvc5 and Z3 are asked whether the parts contradict each other and whether
//! each step of the sequence follows.
//!
//! `--count N` (20000 sequences), `--seed S` (1), `--foreign K` (10): the others see each K-th sequence's steps and
//! every sequence's status; 0: no other solver is asked. `--python P`: an interpreter that has the solvers already.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use base::{Budget, Random};
use smt::interpolate::{self, Found, Interpolator, Settings};
use smt::{Answer, Query, Solver};
use term::{Term, Terms, smtlib};
use testkit::formulas::sequences::{Kind, Sequence, sequence};

use crate::flags::Flags;
use crate::smt_fuzz::{SOLVERS, environment, execute};

/// Ticks for one method on one sequence.
const TICKS: u64 = 3_000_000;
/// Sequences for one run of the others.
const BATCH: u64 = 1000;
/// Those that read a refutation see every sequence.
const ALWAYS: [Interpolator; 3] = [Interpolator::EQUALITY, Interpolator::LINEAR, Interpolator::BITS];
/// The others see each fourth.
const SOMETIMES: [Interpolator; 2] = [Interpolator::CORES, Interpolator::MODELS];

/// Does what the flags say.
pub fn run(args: &[String]) -> Result<(), String> {
    let mut flags = Flags::new(args);
    let count = flags.number("--count", 20_000)?;
    let seed = flags.number("--seed", 1)?;
    let foreign = flags.number("--foreign", 10)?;
    let python = flags.value("--python")?;
    flags.finish()?;
    let private = tempfile::tempdir().map_err(|error| format!("cannot make a temporary folder: {error}"))?;
    let folder = private.path().to_owned();
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let python = if foreign == 0 { Ok(None) } else { environment(&folder, python).map(Some) };
    let outcome = python.and_then(|python| {
        let mut trial = Trial { seed, foreign, folder: folder.clone(), python, ..Trial::default() };
        trial.run(count)
    });
    let _ = std::fs::remove_dir_all(&folder);
    outcome
}

#[derive(Default)]
struct Trial {
    seed: u64,
    foreign: u64,
    folder: PathBuf,
    python: Option<PathBuf>,
    /// By kind and method: tried, found, subterms in all.
    table: BTreeMap<(String, String), [u64; 3]>,
    interpolants: u64,
    /// Sequences for which no method found any.
    without: u64,
    /// What the scripts of this batch are, by number.
    labels: Vec<String>,
    opinions: BTreeMap<String, u64>,
    findings: Vec<String>,
}

impl Trial {
    fn run(&mut self, count: u64) -> Result<(), String> {
        let start = Instant::now();
        let (mut done, mut number) = (0, 0);
        while done < count {
            let scripts = self.folder.join("scripts");
            let _ = std::fs::remove_dir_all(&scripts);
            std::fs::create_dir_all(&scripts).map_err(|error| error.to_string())?;
            self.labels.clear();
            let end = count.min(done + BATCH);
            while done < end {
                let kind = [Kind::Uf, Kind::Bv, Kind::UfBv][(number % 3) as usize];
                let mut random = Random::new(self.seed.wrapping_mul(1 << 32).wrapping_add(number));
                let widest = if number % 7 == 0 { 8 } else { 4 };
                number += 1;
                let Some(found) = sequence(kind, &mut random, widest) else { continue };
                done += 1;
                self.one(kind, number - 1, found, &scripts)?;
            }
            self.compare(&scripts)?;
            println!("{done} sequences, {} findings, {:.0} s", self.findings.len(), start.elapsed().as_secs_f64());
        }
        self.report()
    }

    /// All methods on one sequence.
    fn one(&mut self, kind: Kind, number: u64, mut sequence: Sequence, scripts: &Path) -> Result<(), String> {
        let mut found_some = false;
        let all: Vec<Term> = sequence.parts.iter().flatten().copied().collect();
        self.script(scripts, &format!("{number}-status"), &sequence.terms, &all)?;
        let others: &[Interpolator] = if number.is_multiple_of(4) { &SOMETIMES } else { &[] };
        for &method in ALWAYS.iter().chain(others) {
            let settings = Settings { methods: vec![method], ..Settings::default() };
            let budget = Budget::default().part(TICKS);
            let answer = interpolate::sequence(&mut sequence.terms, &sequence.parts, &settings, &budget);
            let entry = self.table.entry((format!("{kind:?}"), format!("{method:?}"))).or_default();
            entry[0] += 1;
            match answer {
                Ok(Found::Interpolants(interpolants, _)) => {
                    entry[1] += 1;
                    entry[2] += sequence.terms.size(&interpolants) as u64;
                    self.interpolants += interpolants.len() as u64;
                    found_some = true;
                    if let Err(wrong) = examine(&mut sequence, &interpolants) {
                        self.findings.push(format!("sequence {number} of seed {}, {method:?}: {wrong}", self.seed));
                    }
                    if self.foreign > 0 && number.is_multiple_of(self.foreign) {
                        self.steps(&mut sequence, &interpolants, &format!("{number}-{method:?}"), scripts)?;
                    }
                }
                Ok(Found::Satisfiable) => {
                    self.findings.push(format!("sequence {number} of seed {}: said to be satisfiable", self.seed));
                }
                Ok(Found::Nothing(_)) | Err(_) => {}
            }
        }
        self.without += u64::from(!found_some);
        Ok(())
    }
    /// The steps of a sequence as scripts, for others: all must be unsatisfiable.
    fn steps(
        &mut self,
        sequence: &mut Sequence,
        interpolants: &[Term],
        name: &str,
        scripts: &Path,
    ) -> Result<(), String> {
        for (place, part) in sequence.parts.iter().enumerate() {
            let mut formulas = part.clone();
            formulas.extend(place.checked_sub(1).map(|before| interpolants[before]));
            formulas.extend(interpolants.get(place).map(|&after| sequence.terms.not(after)));
            self.script(scripts, &format!("{name}-{place}"), &sequence.terms, &formulas)?;
        }
        Ok(())
    }
    fn script(&mut self, scripts: &Path, label: &str, terms: &Terms, formulas: &[Term]) -> Result<(), String> {
        if self.python.is_none() {
            return Ok(());
        }
        let text = smtlib::script(terms, formulas);
        let text = if text.contains("(check-sat)") { text } else { text + "(check-sat)\n" };
        self.labels.push(label.to_owned());
        std::fs::write(scripts.join(format!("{}.smt2", self.labels.len() - 1)), text).map_err(|error| error.to_string())
    }
    /// All solvers must report each script unsatisfiable.
    fn compare(&mut self, scripts: &Path) -> Result<(), String> {
        let Some(python) = &self.python else { return Ok(()) };
        let program = self.folder.join("solvers.py");
        std::fs::write(&program, SOLVERS).map_err(|error| error.to_string())?;
        let answers = execute(Command::new(python).arg(&program).arg(scripts))?;
        for line in answers.lines() {
            let mut words = line.split_whitespace();
            let (Some(number), Some(solver), Some(answer)) = (words.next(), words.next(), words.next()) else {
                return Err(format!("cannot read `{line}`"));
            };
            let answer = if answer.starts_with("refused") { "nothing" } else { answer };
            *self.opinions.entry(format!("{solver} says {answer}")).or_default() += 1;
            if answer == "sat" {
                let text = std::fs::read_to_string(scripts.join(format!("{number}.smt2"))).unwrap_or_default();
                let label =
                    number.parse().ok().and_then(|place: usize| self.labels.get(place)).map_or("", |label| label);
                self.findings.push(format!("{label} of seed {}: {solver} says sat\n{text}", self.seed));
            }
        }
        Ok(())
    }
    fn report(&self) -> Result<(), String> {
        println!("| sequences | method | tried | interpolants | subterms on average |\n|---|---|---|---|---|");
        for ((kind, method), [tried, found, size]) in &self.table {
            println!("| {kind} | {method} | {tried} | {found} | {:.1} |", *size as f64 / (*found).max(1) as f64);
        }
        println!("{} interpolants, each checked; {} sequences without any", self.interpolants, self.without);
        for (opinion, number) in &self.opinions {
            println!("{opinion}: {number}");
        }
        match self.findings.first() {
            None => Ok(()),
            Some(finding) => Err(format!("{} findings; the first:\n{finding}", self.findings.len())),
        }
    }
}

/// Each property on its own, by fresh solvers, beside what `interpolate::check` asks.
fn examine(sequence: &mut Sequence, interpolants: &[Term]) -> Result<(), String> {
    let Sequence { terms, parts } = sequence;
    match interpolate::check(terms, parts, interpolants, &Budget::default()) {
        Ok(Ok(())) => {}
        other => return Err(format!("{other:?}")),
    }
    for (place, &interpolant) in interpolants.iter().enumerate() {
        let cut = place + 1;
        let shared = |parts: &[Vec<Term>]| {
            let all: Vec<Term> = parts.iter().flatten().copied().collect();
            terms.symbols_of(&all)
        };
        let (left, right) = (shared(&parts[..cut]), shared(&parts[cut..]));
        let strange = terms
            .symbols_of(&[interpolant])
            .into_iter()
            .any(|symbol| left.binary_search(&symbol).is_err() || right.binary_search(&symbol).is_err());
        if strange {
            return Err(format!("interpolant {cut} has a symbol that is not shared"));
        }
        let negated = terms.not(interpolant);
        for (side, formula, what) in
            [(&parts[..cut], negated, "is not implied"), (&parts[cut..], interpolant, "does not contradict the rest")]
        {
            let mut solver = Solver::new();
            side.iter().flatten().for_each(|&formula| solver.assert(formula));
            solver.assert(formula);
            if !matches!(solver.check(terms, &Query::default(), &Budget::default()), Ok(Answer::Unsat(_))) {
                return Err(format!("interpolant {cut} {what}"));
            }
        }
    }
    Ok(())
}
