//! `cargo xtask smt-bench`: how fast the solver is, as ratios to other solvers in the same run.
//!
//! Incremental queries as IC3 asks them (one transition relation over uninterpreted functions, a new cube each
//! time, core wanted) against Z3 through its C interface; one-shot bit-vector queries against Bitwuzla and
//! Z3; and memory over a million queries on one solver. Writes `docs/benchmarks.md`. Build with `--release`.
//!
//! `--queries N` (10000), `--million N` (1000000), `--seed S`, `--python P`: an interpreter that has the solvers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use base::{Budget, Random};
use smt::{Answer, Query, Reading, Solver};
use term::{SortKind, Term, Terms};

use crate::flags::Flags;
use crate::smt_fuzz::{environment, execute};

/// Does what the flags say.
pub fn run(args: &[String]) -> Result<(), String> {
    let mut flags = Flags::new(args);
    let queries = flags.number("--queries", 10_000)?;
    let million = flags.number("--million", 1_000_000)?;
    let seed = flags.number("--seed", 1)?;
    let python = flags.value("--python")?;
    flags.finish()?;
    if cfg!(debug_assertions) {
        return Err("measure optimised code: cargo run --release -p xtask -- smt-bench".to_owned());
    }
    let folder = std::env::temp_dir().join(format!("uforia-smt-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let outcome = environment(&folder, python).and_then(|python| bench(&folder, &python, queries, million, seed));
    let _ = std::fs::remove_dir_all(&folder);
    let text = outcome?;
    print!("{text}");
    let file = testkit::golden::workspace().join("docs/benchmarks.md");
    std::fs::write(&file, text).map_err(|error| format!("cannot write {}: {error}", file.display()))
}

fn bench(folder: &Path, python: &Path, queries: u64, million: u64, seed: u64) -> Result<String, String> {
    let mut text = String::from(
        "# Benchmarks of the solver\n\nWritten by `cargo run --release -p xtask -- smt-bench`. All times in one table are from one run on one\n\
         machine; the ratios are what to look at.\n\n",
    );
    text.push_str(&incremental(folder, python, queries, seed)?);
    text.push_str(&one_shot(folder, python)?);
    text.push_str(&memory(million, seed));
    Ok(text)
}

/// A transition relation over functions, with names for the literals that cubes are made of.
struct Relation {
    terms: Terms,
    assertions: Vec<Term>,
    /// Names of literals over the state, then over the next state.
    names: Vec<Term>,
    /// What the names stand for, the next state written as functions of the state.
    atoms: Vec<Term>,
    per_side: usize,
}

fn relation(seed: u64) -> Relation {
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

fn incremental(folder: &Path, python: &Path, queries: u64, seed: u64) -> Result<String, String> {
    let mut relation = relation(seed);
    let cubes = cubes(&relation, queries, seed);
    let script = folder.join("relation.smt2");
    std::fs::write(&script, term::smtlib::script(&relation.terms, &relation.assertions)).map_err(|e| e.to_string())?;
    let lines: Vec<String> =
        cubes.iter().map(|cube| cube.iter().map(i64::to_string).collect::<Vec<_>>().join(" ")).collect();
    let list = folder.join("queries.txt");
    std::fs::write(&list, lines.join("\n") + "\n").map_err(|e| e.to_string())?;
    let z3 = z3_seconds(folder, python, &script, &list)?;

    let mut text = format!(
        "## Incremental queries over functions\n\n{queries} queries, one transition relation (24 state variables), a new cube each, core \
         wanted: {} sat, {} unsat. With a domain,\n\
         the cube speaks of the next state as functions of the state, nothing is asserted, and only the cone of the cube\n\
         is decided, as IC3 asks; Z3 and the second line have the relation asserted and names for the literals.\n\n| solver | µs a query | mean core | Z3's time in ours |\n|---|---|---|---|\n",
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
    let told = execute(Command::new(&binary).arg(script).arg(list))?;
    let words: Vec<&str> = told.split_whitespace().collect();
    let [sat, unsat, core, seconds] = words[..] else { return Err(format!("Z3 said `{told}`")) };
    let number = |word: &str| word.parse::<u64>().map_err(|error| error.to_string());
    Ok((number(sat)?, number(unsat)?, number(core)?, seconds.parse::<f64>().map_err(|error| error.to_string())?))
}

/// Bit-vector problems by name.
fn problems() -> Vec<(String, Terms, Term)> {
    let mut list = Vec::new();
    let mut add = |name: String, make: &dyn Fn(&mut Terms) -> Term| {
        let mut terms = Terms::without_simplification();
        let formula = make(&mut terms);
        list.push((name, terms, formula));
    };
    for width in [4, 5, 6] {
        add(format!("a-distribute-{width}"), &|terms| {
            let sort = terms.bv_sort(width);
            let [x, y, z] = ["x", "y", "z"].map(|name| terms.variable(name, sort));
            let sum = terms.bv_add(y, z);
            let (left, p, q) = (terms.bv_mul(x, sum), terms.bv_mul(x, y), terms.bv_mul(x, z));
            let right = terms.bv_add(p, q);
            terms.ne(left, right)
        });
    }
    for (width, product) in [(12u32, 1_018_081u64), (16, 16_777_213), (16, 1_073_676_289)] {
        add(format!("b-factor-{product}"), &move |terms| {
            let sort = terms.bv_sort(width);
            let (x, y) = (terms.variable("x", sort), terms.variable("y", sort));
            let wide = [x, y].map(|part| terms.zero_extend_to(part, 2 * width));
            let (goal, one) = (terms.bv(2 * width, product), terms.bv(width, 1));
            let multiplied = terms.bv_mul(wide[0], wide[1]);
            let parts = [terms.eq(multiplied, goal), terms.bv_ult(one, x), terms.bv_ule(x, y)];
            terms.and(&parts)
        });
    }
    for width in [8, 10, 12] {
        add(format!("c-divide-{width}"), &|terms| {
            let sort = terms.bv_sort(width);
            let (x, y, zero) = (terms.variable("x", sort), terms.variable("y", sort), terms.bv(width, 0));
            let (quotient, rest) = (terms.bv_udiv(x, y), terms.bv_urem(x, y));
            let small = terms.bv_ult(rest, y);
            let parts = [terms.ne(y, zero), terms.not(small)];
            let _ = quotient;
            terms.and(&parts)
        });
    }
    for (name, rounds) in [("d-mix-16", 16), ("d-mix-40", 40)] {
        add(name.to_owned(), &move |terms| {
            // A loop of additions, shifts and choices, as unrolled programs have them.
            let sort = terms.bv_sort(32);
            let (mut x, y) = (terms.variable("x", sort), terms.variable("y", sort));
            let start = x;
            for i in 0..rounds {
                let (one, three, amount) = (terms.bv(32, 1), terms.bv(32, 3 + i), terms.bv(32, i % 5));
                let (sum, shifted) = (terms.bv_add(x, three), terms.bv_lshr(x, amount));
                let masked = terms.bv_and(shifted, y);
                let mixed = terms.bv_xor(sum, masked);
                let guard = terms.bv_ult(x, y);
                let other = terms.bv_sub(x, one);
                x = terms.ite(guard, mixed, other);
            }
            let (low, goal) = (terms.extract(x, 19, 0), terms.bv(20, 0x5_4321));
            let bound = terms.bv(32, 1 << 20);
            let parts = [terms.eq(low, goal), terms.bv_ult(start, bound), terms.bv_ult(y, bound)];
            terms.and(&parts)
        });
    }
    list
}

fn one_shot(folder: &Path, python: &Path) -> Result<String, String> {
    let scripts = folder.join("scripts");
    std::fs::create_dir_all(&scripts).map_err(|error| error.to_string())?;
    let mut ours: BTreeMap<String, (&'static str, f64)> = BTreeMap::new();
    for (name, terms, formula) in problems() {
        let text = term::smtlib::script(&terms, &[formula]);
        let text = if text.contains("(check-sat)") { text } else { text + "(check-sat)\n" };
        std::fs::write(scripts.join(format!("{name}.smt2")), &text).map_err(|error| error.to_string())?;
        let start = Instant::now();
        // Reading counts for everyone.
        let mut own = Terms::new();
        let commands = term::smtlib::read_script(&mut own, &text).map_err(|error| error.to_string())?;
        let mut solver = Solver::new();
        for command in commands {
            if let term::smtlib::Command::Assert { formula, .. } = command {
                solver.assert(formula);
            }
        }
        let answer = match solver.check(&own, &Query::default(), &Budget::default()) {
            Ok(Answer::Sat(_)) => "sat",
            Ok(Answer::Unsat(_)) => "unsat",
            _ => "unknown",
        };
        ours.insert(name, (answer, start.elapsed().as_secs_f64()));
    }
    let program = folder.join("bitwuzla_time.py");
    std::fs::write(&program, include_str!("bitwuzla_time.py")).map_err(|error| error.to_string())?;
    let told = execute(Command::new(python).arg(&program).arg(&scripts))?;
    let mut theirs: BTreeMap<(String, String), (String, f64)> = BTreeMap::new();
    for line in told.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [name, solver, answer, seconds] = words[..] else { return Err(format!("cannot read `{line}`")) };
        let name = name.trim_end_matches(".smt2").to_owned();
        let seconds = seconds.parse().map_err(|_| format!("cannot read `{line}`"))?;
        theirs.insert((name, solver.to_owned()), (answer.to_owned(), seconds));
    }
    let mut text = String::from(
        "## One-shot bit-vector queries\n\nSeconds, reading included.\n\n| problem | answer | Uforia | Bitwuzla | Z3 |\n|---|---|---|---|---|\n",
    );
    let mut sums = [0.0; 3];
    for (name, (answer, seconds)) in &ours {
        let mut row = [*seconds, 0.0, 0.0];
        for (at, solver) in ["bitwuzla", "z3"].into_iter().enumerate() {
            let Some((their, time)) = theirs.get(&(name.clone(), solver.to_owned())) else { continue };
            if their != answer {
                return Err(format!("{name}: we say {answer}, {solver} says {their}"));
            }
            row[at + 1] = *time;
        }
        (0..3).for_each(|at| sums[at] += row[at]);
        text.push_str(&format!("| {name} | {answer} | {:.3} | {:.3} | {:.3} |\n", row[0], row[1], row[2]));
    }
    text.push_str(&format!(
        "| all | | {:.3} | {:.3} | {:.3} |\n\nOurs in all: {:.2} times Bitwuzla, {:.2} times Z3.\n\n",
        sums[0],
        sums[1],
        sums[2],
        sums[0] / sums[1],
        sums[0] / sums[2]
    ));
    Ok(text)
}

/// The memory of one solver over many queries.
fn memory(million: u64, seed: u64) -> String {
    let mut relation = relation(seed + 1);
    let negated: Vec<Term> = relation.names.clone().iter().map(|&name| relation.terms.not(name)).collect();
    let mut solver = Solver::with_reading(Reading::Uninterpreted);
    relation.assertions.iter().for_each(|&assertion| solver.assert(assertion));
    let mut random = Random::new(seed);
    let budget = Budget::default();
    let mut marks = Vec::new();
    let start = Instant::now();
    for i in 1..=million {
        let assumptions: Vec<Term> = (0..8)
            .map(|_| {
                let at = random.below(relation.names.len() as u64) as usize;
                if random.one_in(2) { relation.names[at] } else { negated[at] }
            })
            .collect();
        let _ = solver.check(&relation.terms, &Query::assuming(&assumptions), &budget);
        if i == million / 10 || i == million / 2 || i == million {
            marks.push((i, resident()));
        }
    }
    let mut text = format!(
        "## Memory\n\n{million} queries under random assumptions on one solver took {:.1} s.\n\n| queries | resident MiB |\n|---|---|\n",
        start.elapsed().as_secs_f64()
    );
    for (queries, bytes) in marks {
        text.push_str(&format!("| {queries} | {} |\n", bytes >> 20));
    }
    text
}

/// Bytes of memory that the process has in use, where the system tells.
fn resident() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm").ok();
    let pages = pages.and_then(|text| text.split_whitespace().nth(1).and_then(|word| word.parse::<u64>().ok()));
    pages.unwrap_or(0) * 4096
}
