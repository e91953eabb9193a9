//! `cargo xtask smt-fuzz`: random scripts, answered by our solver and by Z3, cvc5 and Bitwuzla.
//!
//! The opponents come from PyPI into a throw-away environment that this command makes. Scripts have small
//! and large widths, functions, arrays, and half of them several queries with levels pushed and popped in
//! between; our solver reads some of them abstractly first. Every model of ours must satisfy the assertions
//! in the evaluator, every refutation must be accepted by the checker of proofs, and no two solvers may
//! give opposite answers.
//!
//! `--count N` (2000), `--seed S` (1), `--python P`: an interpreter that has the solvers already.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use base::{Budget, Random};
use smt::{Answer, Query, Reading, Solver};
use term::{Evaluator, Term, Terms, Value};

use crate::flags::Flags;

#[allow(dead_code)]
#[path = "../../crates/smt/tests/suite/common/mod.rs"]
mod formulas;

use formulas::{Logic, World, normal};

const OPPONENTS: &str = include_str!("opponents.py");
/// Scripts for one run of the opponents.
const BATCH: u64 = 500;
/// Ticks for one of our queries.
const TICKS: u64 = 20_000_000;

/// Does what the flags say.
pub fn run(args: &[String]) -> Result<(), String> {
    let mut flags = Flags::new(args);
    let count = flags.number("--count", 2000)?;
    let seed = flags.number("--seed", 1)?;
    let python = flags.value("--python")?;
    flags.finish()?;
    let folder = std::env::temp_dir().join(format!("uforia-smt-fuzz-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    let outcome = environment(&folder, python).and_then(|python| fuzz(&folder, &python, seed, count));
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

/// Agreements and silences with one opponent.
#[derive(Default)]
struct Tally {
    agreed: u64,
    silent: u64,
    refused: u64,
}

fn fuzz(folder: &Path, python: &Path, seed: u64, count: u64) -> Result<(), String> {
    let program = folder.join("opponents.py");
    std::fs::write(&program, OPPONENTS).map_err(|error| error.to_string())?;
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    let mut ours: BTreeMap<&'static str, u64> = BTreeMap::new();
    let mut findings = Vec::new();
    let mut refusal = None;
    for first in (0..count).step_by(BATCH as usize) {
        let scripts = folder.join("scripts");
        let _ = std::fs::remove_dir_all(&scripts);
        std::fs::create_dir_all(&scripts).map_err(|error| error.to_string())?;
        let mut answers: BTreeMap<u64, (String, Vec<&'static str>)> = BTreeMap::new();
        for number in first..count.min(first + BATCH) {
            let (text, answer) = one(seed.wrapping_mul(1 << 32).wrapping_add(number))
                .map_err(|error| format!("script {number}: {error}"))?;
            std::fs::write(scripts.join(format!("{number}.smt2")), &text).map_err(|error| error.to_string())?;
            answer.iter().for_each(|answer| *ours.entry(answer).or_default() += 1);
            answers.insert(number, (text, answer));
        }
        let told = execute(Command::new(python).arg(&program).arg(&scripts))?;
        for line in told.lines() {
            let mut words = line.split_whitespace();
            let number = words.next().and_then(|word| word.parse().ok());
            let (Some(number), Some(solver)) = (number, words.next()) else { continue };
            let Some((text, expected)) = answers.get(&number) else { continue };
            let theirs: Vec<&str> = words.collect();
            let tally = tallies.entry(solver.to_owned()).or_default();
            let known = |word: &&str| ["sat", "unsat", "unknown"].contains(word);
            if theirs.is_empty() || !theirs.iter().all(known) {
                tally.refused += 1;
                refusal.get_or_insert_with(|| format!("{solver}: {}", theirs.join(" ")));
                continue;
            }
            // An opponent that answers only once answers the last query.
            let expected = &expected[expected.len().saturating_sub(theirs.len())..];
            for (&our, &their) in expected.iter().zip(&theirs) {
                match (our, their) {
                    ("unknown", _) | (_, "unknown") => tally.silent += 1,
                    _ if our == their => tally.agreed += 1,
                    _ => findings.push(format!("script {number}: we say {our}, {solver} says {their}\n{text}")),
                }
            }
        }
        println!("{} scripts, {} disagreements", count.min(first + BATCH), findings.len());
    }
    println!("our answers: {ours:?}; every model evaluated, every proof checked");
    for (solver, tally) in &tallies {
        println!("{solver}: {} agree, {} without an answer, {} refused", tally.agreed, tally.silent, tally.refused);
    }
    if let Some(refusal) = refusal {
        println!("the first refusal: {refusal}");
    }
    match findings.first() {
        None => Ok(()),
        Some(finding) => Err(format!("{} disagreements; the first:\n{finding}", findings.len())),
    }
}

/// A random script with our answers to it.
fn one(seed: u64) -> Result<(String, Vec<&'static str>), String> {
    let mut random = Random::new(seed);
    let logic = *random.pick(&[Logic::Bv, Logic::Uf, Logic::UfBv, Logic::AUfBv]);
    let wide = random.one_in(2);
    let mut world = World::with_widths(logic, &mut random, wide);
    let reading = if random.one_in(4) { Reading::Uninterpreted } else { Reading::Bits };
    let mut solver = Solver::with_reading(reading);
    solver.enable_log();
    // Steps first, since the declarations of all of them come before the first.
    enum Step {
        Assert(Term),
        Push,
        Pop,
        Check,
    }
    let mut steps = Vec::new();
    let mut depth = 0;
    let queries = if random.one_in(2) { 1 } else { 2 + random.below(3) };
    for _ in 0..queries {
        if depth > 0 && random.one_in(2) {
            depth -= 1;
            steps.push(Step::Pop);
        } else if queries > 1 {
            depth += 1;
            steps.push(Step::Push);
        }
        for _ in 0..2 + random.below(16) {
            steps.push(Step::Assert(world.formula(&mut random)));
        }
        steps.push(Step::Check);
    }
    let formulas: Vec<Term> = steps
        .iter()
        .filter_map(|step| match step {
            Step::Assert(formula) => Some(*formula),
            _ => None,
        })
        .collect();
    let mut text = String::from("(set-logic QF_AUFBV)\n");
    text.push_str(&world.terms.declarations(&formulas));
    let mut answers = Vec::new();
    let mut levels: Vec<Vec<Term>> = vec![Vec::new()];
    for step in steps {
        match step {
            Step::Assert(formula) => {
                text.push_str(&format!("(assert {})\n", world.terms.to_smtlib(formula)));
                solver.assert(formula);
                levels.last_mut().expect("the bottom stays").push(formula);
            }
            Step::Push => {
                text.push_str("(push 1)\n");
                solver.push();
                levels.push(Vec::new());
            }
            Step::Pop => {
                text.push_str("(pop 1)\n");
                solver.pop();
                levels.pop();
            }
            Step::Check => {
                text.push_str("(check-sat)\n");
                let active: Vec<Term> = levels.iter().flatten().copied().collect();
                answers.push(ask(&world, &mut solver, &active)?);
            }
        }
    }
    Ok((text, answers))
}

fn ask(world: &World, solver: &mut Solver, active: &[Term]) -> Result<&'static str, String> {
    let terms = &world.terms;
    let budget = Budget::default().at_most(TICKS);
    // Refine an abstract reading until the answer counts.
    let mut sites: Vec<Term> = terms.subterms(active);
    loop {
        match solver.check(terms, &Query::default(), &budget) {
            Err(_) | Ok(Answer::Unknown(_)) => return Ok("unknown"),
            Ok(Answer::Unsat(refutation)) => {
                return match refutation.check_proof() {
                    Ok(()) => Ok("unsat"),
                    Err(rejection) => Err(format!("our proof is rejected: {rejection:?}")),
                };
            }
            Ok(Answer::Sat(mut model)) => {
                let mut tables: Vec<_> = Vec::new();
                for &symbol in &world.symbols {
                    let rows = match terms.symbol_args(symbol) {
                        [] => vec![(Vec::new(), model.apply(symbol, &[]))],
                        _ => model.rows(symbol),
                    };
                    tables.push((symbol, rows));
                }
                let same = |a: &[Value], b: &[Value]| a == b || normal_if_small(terms, a) == normal_if_small(terms, b);
                let mut evaluator = Evaluator::new(|symbol, args: &[Value]| {
                    let (_, rows) = tables.iter().find(|(s, _)| *s == symbol)?;
                    let row = rows.iter().find(|(row, _)| same(row, args));
                    Some(row.map_or_else(|| Value::any(terms, terms.symbol_result(symbol)), |(_, value)| value.clone()))
                });
                if active.iter().all(|&formula| evaluator.eval(terms, formula) == Ok(Value::Bool(true))) {
                    return Ok("sat");
                }
                let exact = solver.precision().default_reading() == Reading::Bits || sites.is_empty();
                if exact {
                    return Err("our model does not satisfy the assertions".to_owned());
                }
                // Half of what is left, then the rest.
                let keep = if sites.len() > 4 { sites.len() / 2 } else { 0 };
                for site in sites.drain(keep..) {
                    solver.raise(terms, site);
                }
            }
        }
    }
}

/// Arrays over few indices can be written in several ways.
fn normal_if_small(terms: &Terms, args: &[Value]) -> Vec<Value> {
    let small = |value: &Value| match value {
        Value::Array(array) => array.entries().keys().next().is_none_or(|key| match key {
            Value::Bits(bits) => bits.width() <= 8,
            _ => true,
        }),
        _ => true,
    };
    if args.iter().all(small) { normal(terms, args) } else { args.to_vec() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_scripts_are_answered_with_models_and_proofs_that_hold() {
        let mut kinds = std::collections::BTreeSet::new();
        for seed in 0..150 {
            let (text, answers) = one(seed).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
            assert_eq!(text.matches("(check-sat)").count(), answers.len());
            kinds.extend(answers);
        }
        assert!(kinds.contains("sat") && kinds.contains("unsat"));
    }
}
