//! scratch
use base::{Budget, Random};
use smt::{Answer, Query, Reading, Solver};
use std::time::Instant;
use term::{SortKind, Term, Terms};
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

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let queries: u64 = args[2].parse().unwrap();
    let seed = 1;
    let mut relation = relation(seed);
    let cubes = cubes(&relation, queries, seed);
    if args[1] == "write" {
        std::fs::write("/tmp/ic3/relation.smt2", term::smtlib::script(&relation.terms, &relation.assertions)).unwrap();
        let lines: Vec<String> =
            cubes.iter().map(|cube| cube.iter().map(i64::to_string).collect::<Vec<_>>().join(" ")).collect();
        std::fs::write("/tmp/ic3/queries.txt", lines.join("\n") + "\n").unwrap();
        return;
    }
    let form = args[1].clone();
    // names: asserted, whole; atoms: functions, cone
    let (meaning, with_domain, asserted) = match form.as_str() {
        "atoms" => (relation.atoms.clone(), true, false),
        "atoms-all" => (relation.atoms.clone(), false, false),
        "names" => (relation.names.clone(), false, true),
        "names-domain" => (relation.names.clone(), true, true),
        _ => panic!(),
    };
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
    if asserted {
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
            _ => panic!(),
        }
    }
    let t = start.elapsed().as_secs_f64();
    println!(
        "{form}: {sat} sat {unsat} unsat core {:.2} {:.1} us/query",
        core as f64 / unsat as f64,
        t * 1e6 / queries as f64
    );
    println!("{:?}\n{:?}", solver.stats, solver.sat_stats());
}
