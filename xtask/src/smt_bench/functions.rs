//! Queries as IC3 asks them: one transition relation over uninterpreted functions, a new cube each time, core
//! wanted; against Z3 through its C interface.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use base::{Budget, Random};
use smt::{Answer, Query, Reading, Solver};
use term::{SortKind, Term, Terms};

use super::Bench;
use crate::smt_fuzz::execute;

/// A transition relation over functions, with names for the literals that cubes are made of.
pub(super) struct Relation {
    pub terms: Terms,
    pub assertions: Vec<Term>,
    /// Names of literals over the state, then over the next state.
    pub names: Vec<Term>,
    /// What the names stand for, the next state written as functions of the state.
    atoms: Vec<Term>,
    per_side: usize,
}

pub(super) fn relation(seed: u64) -> Relation {
    let mut random = Random::new(seed);
    let mut terms = Terms::new();
    let sort = terms.sort(SortKind::Uninterpreted("W".into()));
    let truth = terms.bool_sort();
    let n = 24;
    let f = terms.declare("f", &[sort, sort], sort).expect("a fresh name");
    let g = terms.declare("g", &[sort], sort).expect("a fresh name");
    let less = terms.declare("less", &[sort, sort], truth).expect("a fresh name");
    let state: Vec<Term> = (0..n).map(|i| terms.variable(&format!("x{i}"), sort)).collect();
    let next: Vec<Term> = (0..n).map(|i| terms.variable(&format!("y{i}"), sort)).collect();
    let inputs: Vec<Term> = (0..8).map(|i| terms.variable(&format!("in{i}"), sort)).collect();
    let mut assertions = Vec::new();
    let mut functions: Vec<(Term, Term)> = Vec::new();
    for i in 0..n {
        let mut value = state[i];
        for _ in 0..3 {
            let (a, b, c) = (*random.pick(&state), *random.pick(&state), *random.pick(&inputs));
            let guard = if random.one_in(2) { terms.eq(a, b) } else { terms.apply(less, &[a, c]) };
            let (p, q) = (*random.pick(&state), *random.pick(&state));
            let update = if random.one_in(2) { terms.apply(f, &[p, q]) } else { terms.apply(g, &[p]) };
            value = terms.ite(guard, update, value);
        }
        assertions.push(terms.eq(next[i], value));
        functions.push((next[i], value));
    }
    let mut names = Vec::new();
    let mut atoms = Vec::new();
    let per_side = 150;
    for side in [&state, &next] {
        for _ in 0..per_side {
            let (a, b) = (*random.pick(side), *random.pick(side));
            let atom = match random.below(3) {
                0 => terms.apply(less, &[a, b]),
                1 => {
                    let image = terms.apply(g, &[b]);
                    terms.eq(a, image)
                }
                _ => terms.eq(a, b),
            };
            let name = terms.variable(&format!("p{}", names.len() + 1), truth);
            assertions.push(terms.eq(name, atom));
            names.push(name);
            atoms.push(terms.substitute(atom, &functions));
        }
    }
    Relation { terms, assertions, names, atoms, per_side }
}

/// Cubes over the state and over the next state, as numbers of names.
fn cubes(relation: &Relation, count: u64, seed: u64) -> Vec<Vec<i64>> {
    let mut random = Random::new(seed + 1);
    let mut cube = |len: u64, from: usize| -> Vec<i64> {
        (0..len)
            .map(|_| {
                let number = (from + random.below(relation.per_side as u64) as usize + 1) as i64;
                if random.one_in(2) { number } else { -number }
            })
            .collect()
    };
    (0..count)
        .map(|i| {
            let mut literals = cube(6 + i % 5, 0);
            literals.extend(cube(4 + i % 3, relation.per_side));
            literals.sort_unstable();
            literals.dedup();
            literals
        })
        .collect()
}

/// Ours with and without a domain, and Z3.
pub(super) fn measure(bench: &Bench) -> Result<String, String> {
    let (folder, queries, seed) = (&bench.folder, bench.queries, bench.seed);
    let python = bench.python()?;
    let mut relation = relation(seed);
    let cubes = cubes(&relation, queries, seed);
    let script = folder.join("relation.smt2");
    std::fs::write(&script, term::smtlib::script(&relation.terms, &relation.assertions)).map_err(|e| e.to_string())?;
    let lines: Vec<String> =
        cubes.iter().map(|cube| cube.iter().map(i64::to_string).collect::<Vec<_>>().join(" ")).collect();
    let list = folder.join("queries.txt");
    std::fs::write(&list, lines.join("\n") + "\n").map_err(|e| e.to_string())?;
    let z3 = z3_seconds(folder, &python, &script, &list)?;

    let mut text = format!(
        "{queries} queries, one transition relation (24 state variables), a new cube each, core \
         wanted: {} sat, {} unsat.\n\
         The same form for both: the relation asserted, names for the literals, a cube of names as assumptions. We find the\n\
         cone of the cube in the definitions by ourselves. In the line with a domain the cube speaks of the next state as\n\
         functions of the state, nothing is asserted, and the domain is given.\n\n| solver | µs a query | mean core | Z3's time in ours |\n|---|---|---|---|\n",
        z3.0, z3.1
    );
    let micros = |seconds: f64| seconds * 1e6 / queries as f64;
    for with_domain in [true, false] {
        let meaning = if with_domain { relation.atoms.clone() } else { relation.names.clone() };
        let literals: Vec<Vec<Term>> = cubes
            .iter()
            .map(|cube| {
                let literal = |&k: &i64| {
                    let atom = meaning[k.unsigned_abs() as usize - 1];
                    if k > 0 { atom } else { relation.terms.not(atom) }
                };
                cube.iter().map(literal).collect()
            })
            .collect();
        let terms = &relation.terms;
        let mut solver = Solver::with_reading(Reading::Uninterpreted);
        if !with_domain {
            relation.assertions.iter().for_each(|&assertion| solver.assert(assertion));
        }
        let budget = Budget::default();
        let start = Instant::now();
        let (mut sat, mut unsat, mut core) = (0u64, 0u64, 0u64);
        for assumptions in &literals {
            let domain = with_domain.then_some(&[][..]);
            match solver.check(terms, &Query { assumptions, clause: None, domain }, &budget) {
                Ok(Answer::Sat(_)) => sat += 1,
                Ok(Answer::Unsat(refutation)) => {
                    unsat += 1;
                    core += refutation.core().len() as u64;
                }
                _ => return Err("a query without an answer".to_owned()),
            }
        }
        let ours = start.elapsed().as_secs_f64();
        if (sat, unsat) != (z3.0, z3.1) {
            return Err(format!("we say {sat} sat and {unsat} unsat, Z3 says {} and {}", z3.0, z3.1));
        }
        text.push_str(&format!(
            "| Uforia{} | {:.1} | {:.2} | {:.1} |\n",
            if with_domain { ", domain" } else { "" },
            micros(ours),
            core as f64 / unsat.max(1) as f64,
            z3.3 / ours
        ));
    }
    text.push_str(&format!(
        "| Z3, C interface | {:.1} | {:.2} | 1.0 |\n\n",
        micros(z3.3),
        z3.2 as f64 / z3.1.max(1) as f64
    ));
    Ok(text)
}

/// Sat, unsat, literals in cores, seconds.
fn z3_seconds(folder: &Path, python: &Path, script: &Path, list: &Path) -> Result<(u64, u64, u64, f64), String> {
    let place = execute(Command::new(python).args(["-c", "import z3, os; print(os.path.dirname(z3.__file__))"]))?;
    let place = PathBuf::from(place.trim());
    let source = folder.join("z3_queries.c");
    std::fs::write(&source, include_str!("z3_queries.c")).map_err(|error| error.to_string())?;
    let binary = folder.join("z3_queries");
    let library = place.join("lib");
    execute(
        Command::new("cc")
            .arg("-O2")
            .arg("-I")
            .arg(place.join("include"))
            .arg(&source)
            .arg("-o")
            .arg(&binary)
            .arg(library.join("libz3.so"))
            .arg(format!("-Wl,-rpath,{}", library.display())),
    )?;
    let answers = execute(Command::new(&binary).arg(script).arg(list))?;
    let words: Vec<&str> = answers.split_whitespace().collect();
    let [sat, unsat, core, seconds] = words[..] else { return Err(format!("Z3 answered `{answers}`")) };
    let number = |word: &str| word.parse::<u64>().map_err(|error| error.to_string());
    Ok((number(sat)?, number(unsat)?, number(core)?, seconds.parse::<f64>().map_err(|error| error.to_string())?))
}
