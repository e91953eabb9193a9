//! Random formulas over tiny domains: every answer is checked in the slow but certain way.

use base::{Budget, Random};
use smt::{Answer, Query, Reading, Solver};
use term::{Evaluator, Term, Value};
use testkit::formulas::shapes::Shape;
use testkit::formulas::{Logic, World, normal};

/// How often each answer was given.
#[derive(Default, Debug)]
struct Count {
    sat: u32,
    unsat: u32,
    unknown: u32,
    conflicts: u64,
    cones: u64,
}

/// Asks, and checks the answer. `active` are the assertions that hold; `exact` says whether all sites are read in bits.
fn ask(
    world: &World,
    solver: &mut Solver,
    active: &[Term],
    query: &Query<'_>,
    exact: bool,
    count: &mut Count,
) -> Option<bool> {
    let logged = solver.log().is_some();
    let mut wanted = active.to_vec();
    wanted.extend(query.assumptions);
    let clause_holds = |values: &[bool]| query.clause.is_none() || values.iter().any(|&value| value);
    match solver.check(&world.terms, query, &Budget::default()).expect("the budget is unlimited") {
        Answer::Sat(mut model) => {
            count.sat += 1;
            for &formula in &wanted {
                assert!(model.is_true(formula), "what holds is true in the model");
            }
            let parts: Vec<bool> = query.clause.unwrap_or(&[]).iter().map(|&part| model.is_true(part)).collect();
            assert!(clause_holds(&parts), "the temporary clause is true in the model");
            if exact {
                let terms = &world.terms;
                let mut tables: Vec<_> = Vec::new();
                for &symbol in &world.symbols {
                    let rows: Vec<(Vec<Value>, Value)> = match terms.symbol_args(symbol) {
                        [] => vec![(Vec::new(), model.apply(symbol, &[]))],
                        _ => model.rows(symbol),
                    };
                    tables.push((symbol, rows));
                }
                let mut evaluator = Evaluator::new(|symbol, args: &[Value]| {
                    let (_, rows) = tables.iter().find(|(s, _)| *s == symbol)?;
                    let key = normal(terms, args);
                    let row = rows.iter().find(|(row, _)| normal(terms, row) == key);
                    Some(row.map_or_else(|| Value::any(terms, terms.symbol_result(symbol)), |(_, value)| value.clone()))
                });
                for &formula in &wanted {
                    assert_eq!(
                        evaluator.eval(terms, formula),
                        Ok(Value::Bool(true)),
                        "the model satisfies what was asserted"
                    );
                }
                let parts: Vec<bool> = query
                    .clause
                    .unwrap_or(&[])
                    .iter()
                    .map(|&part| evaluator.eval(terms, part) == Ok(Value::Bool(true)))
                    .collect();
                assert!(clause_holds(&parts), "the model satisfies the temporary clause");
            }
            Some(true)
        }
        Answer::Unsat(mut refutation) => {
            count.unsat += 1;
            if logged {
                assert_eq!(refutation.check_proof(), Ok(()), "the proof is accepted");
            }
            let mut core = active.to_vec();
            core.extend(refutation.core());
            assert!(
                refutation.core().iter().all(|term| query.assumptions.contains(term)),
                "a core has only assumptions"
            );
            let has_model = |formulas: &[Term]| match query.clause {
                None => world.has_model(formulas),
                Some(parts) => parts.iter().any(|&part| {
                    let mut formulas = formulas.to_vec();
                    formulas.push(part);
                    world.has_model(&formulas)
                }),
            };
            assert!(!has_model(&core), "a core is a core");
            let before = refutation.core().to_vec();
            let smaller = refutation.minimize(&world.terms, &Budget::default()).to_vec();
            assert!(smaller.iter().all(|term| before.contains(term)), "a smaller core is part of the core");
            let mut core = active.to_vec();
            core.extend(&smaller);
            assert!(!has_model(&core), "a minimised core is a core");
            // Brute force over few elements of an uninterpreted sort may miss a model.
            if exact && world.logic != Logic::Uf {
                for left_out in 0..smaller.len() {
                    let mut core = active.to_vec();
                    core.extend(smaller.iter().enumerate().filter(|(i, _)| *i != left_out).map(|(_, term)| term));
                    assert!(has_model(&core), "a minimised core needs each of its parts");
                }
            }
            Some(false)
        }
        Answer::Unknown(_) => {
            count.unknown += 1;
            None
        }
    }
}

/// A random script of assertions, levels and queries.
fn run_script(logic: Logic, seed: u64, count: &mut Count) {
    let mut random = Random::new(seed);
    let mut world = World::new(logic, &mut random);
    let reading = if random.one_in(3) { Reading::Uninterpreted } else { Reading::Bits };
    let mut exact = reading == Reading::Bits;
    let mut solver = Solver::with_reading(reading);
    if random.one_in(2) {
        solver.enable_log();
    }
    let mut levels: Vec<Vec<Term>> = vec![Vec::new()];
    if random.one_in(2) {
        solver.always_within_cone();
    }
    // Names for terms, which queries may or may not speak of.
    for _ in 0..if random.one_in(2) { random.below(9) } else { 0 } {
        let definition = world.define(&mut random);
        solver.assert(definition);
        levels[0].push(definition);
    }
    for _ in 0..6 + random.below(8) {
        match random.below(10) {
            0 => {
                solver.push();
                levels.push(Vec::new());
            }
            1 if levels.len() > 1 => {
                assert!(solver.pop());
                levels.pop();
            }
            2..=5 => {
                let shape = *random.pick(&Shape::ALL);
                for formula in world.block(&mut random, shape) {
                    solver.assert(formula);
                    levels.last_mut().expect("there is a level").push(formula);
                }
            }
            6 if random.one_in(3) => solver = solver.clone(),
            _ => {
                let active: Vec<Term> = levels.iter().flatten().copied().collect();
                let n = random.below(4);
                let assumptions: Vec<Term> = (0..n).map(|_| world.formula(&mut random)).collect();
                let clause: Option<Vec<Term>> =
                    random.one_in(4).then(|| (0..1 + random.below(3)).map(|_| world.formula(&mut random)).collect());
                let mut everything = active.clone();
                everything.extend(clause.iter().flatten());
                let domain = random.one_in(4).then_some(&everything[..]);
                let query = Query { assumptions: &assumptions, clause: clause.as_deref(), domain };
                let answer = ask(&world, &mut solver, &active, &query, exact, count);
                if !exact {
                    // Raise some sites, or all; a contradiction stays one.
                    let mut everything = everything.clone();
                    everything.extend(&assumptions);
                    let all = random.one_in(2);
                    for site in world.sites(&everything) {
                        if all || random.one_in(2) {
                            solver.raise(&world.terms, site);
                        }
                    }
                    let again = ask(&world, &mut solver, &active, &query, all, count);
                    assert!(
                        answer != Some(false) || again == Some(false),
                        "a contradiction stays one when sites are raised"
                    );
                    exact = false;
                }
            }
        }
    }
    count.conflicts += solver.sat_stats().conflicts;
    count.cones += solver.stats.cones;
}

fn run(logic: Logic, seeds: std::ops::Range<u64>) -> Count {
    let mut count = Count::default();
    for seed in seeds {
        if std::env::var_os("SMT_VERBOSE").is_some() {
            eprintln!("{logic:?} {seed}");
        }
        let attempt = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let mut count = Count::default();
            run_script(logic, seed, &mut count);
            count
        }));
        match attempt {
            Ok(one) => {
                count.sat += one.sat;
                count.unsat += one.unsat;
                count.unknown += one.unknown;
                count.conflicts += one.conflicts;
                count.cones += one.cones;
            }
            Err(_) => panic!("{logic:?} with seed {seed}"),
        }
    }
    count
}

fn scripts() -> u64 {
    std::env::var("SMT_SCRIPTS").ok().and_then(|text| text.parse().ok()).unwrap_or(20)
}

fn check(logic: Logic) {
    let count = run(logic, 0..scripts());
    println!("{logic:?}: {count:?}");
    assert!(count.sat > 20 && count.unsat > 30 && count.conflicts >= 5, "both answers are tried: {count:?}");
    assert!(logic == Logic::AUfBv || count.cones > 10, "some queries are about a part of the formula: {count:?}");
    assert_eq!(count.unknown, 0, "tiny formulas are answered");
}

#[test]
fn bit_vector_scripts_agree_with_brute_force() {
    check(Logic::Bv);
}
#[test]
fn scripts_with_functions_agree_with_brute_force() {
    check(Logic::Uf);
}
#[test]
fn scripts_with_functions_of_bit_vectors_agree_with_brute_force() {
    check(Logic::UfBv);
}
#[test]
fn scripts_with_arrays_agree_with_brute_force() {
    check(Logic::AUfBv);
}
