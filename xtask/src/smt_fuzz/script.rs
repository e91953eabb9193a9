//! One random script: its text, our answers, and whether they can be trusted.
//!
//! Small and large widths, functions, arrays, names for terms; blocks of different shapes with levels pushed and
//! popped in between; queries under assumptions whose cores are asked again, by a fresh solver and by the others
//! else; our solver reads some scripts abstractly first and raises sites until its answer counts.

use std::collections::BTreeMap;

use base::{Budget, Random};
use smt::{Answer, Query, Reading, Solver};
use term::{Evaluator, Term, Terms, Value};
use testkit::formulas::shapes::Shape;
use testkit::formulas::{Logic, World, normal};

/// Ticks for one of our queries.
const TICKS: u64 = 20_000_000;

/// How much was tried.
#[derive(Default)]
pub struct Counts {
    /// By what is counted.
    numbers: BTreeMap<&'static str, u64>,
}

impl Counts {
    /// Adds those of one script.
    pub fn add(&mut self, other: &Counts) {
        for (what, number) in &other.numbers {
            self.count(what, *number);
        }
    }
    fn count(&mut self, what: &'static str, number: u64) {
        *self.numbers.entry(what).or_default() += number;
    }
    fn count_solver(&mut self, solver: &Solver) {
        let (sat, stats) = (solver.sat_stats(), &solver.stats);
        for (what, number) in [
            ("conflicts", sat.conflicts),
            ("lemmas of equality that were conflicts", sat.theory_clauses),
            ("literals implied by equality", sat.theory_propagations),
            ("lemmas of arrays: reads over writes", stats.array_overwrites),
            ("lemmas of arrays: constant arrays", stats.array_constants),
            ("lemmas of arrays: witnesses", stats.array_witnesses),
            ("lemmas of arrays: comparisons", stats.array_comparisons),
            ("interface equalities", stats.interface_equalities),
            ("bindings of crowded sorts", stats.bindings),
            ("searches within a cone", stats.cones),
        ] {
            self.count(what, number);
        }
    }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let lines: Vec<String> = self.numbers.iter().map(|(what, number)| format!("{what}: {number}")).collect();
        f.write_str(&lines.join("\n"))
    }
}

/// A random script with our answers to it.
#[derive(Default)]
pub struct Script {
    /// For the other solvers.
    pub text: String,
    /// Ours.
    pub answers: Vec<&'static str>,
    /// What we found wrong with our own answers.
    pub wrong: Option<String>,
    /// What was tried.
    pub counts: Counts,
}

enum Step {
    Assert(Term),
    Push,
    Pop,
    /// A query under these assumptions.
    Check(Vec<Term>),
}

impl Script {
    /// Makes the script of this seed and answers it.
    pub fn answered(seed: u64) -> Script {
        let mut random = Random::new(seed);
        let logic = *random.pick(&[Logic::Bv, Logic::Uf, Logic::UfBv, Logic::AUfBv]);
        let wide = random.one_in(2);
        let mut world = World::with_widths(logic, &mut random, wide);
        let steps = steps(&mut world, &mut random);
        let reading = if random.one_in(4) { Reading::Uninterpreted } else { Reading::Bits };
        let mut solver = Solver::with_reading(reading);
        solver.enable_log();
        if random.one_in(2) {
            solver.always_within_cone();
        }
        let mut script = Script::default();
        let name = match logic {
            Logic::Bv => "scripts of QF_BV",
            Logic::Uf => "scripts of QF_UF",
            Logic::UfBv => "scripts of QF_UFBV",
            Logic::AUfBv => "scripts of QF_AUFBV",
        };
        script.counts.count(name, 1);
        script.counts.count("scripts read abstractly first", u64::from(reading == Reading::Uninterpreted));
        // A panic is a finding like any other, and the text that led to it is kept.
        let work = std::panic::AssertUnwindSafe(|| script.write(&world, steps, &mut solver));
        if std::panic::catch_unwind(work).is_err() {
            script.wrong = Some("we panicked".to_owned());
            script.answers.iter_mut().for_each(|answer| *answer = "unknown");
        }
        script.counts.count_solver(&solver);
        script
    }

    fn write(&mut self, world: &World, steps: Vec<Step>, solver: &mut Solver) {
        let mut formulas: Vec<Term> = Vec::new();
        for step in &steps {
            match step {
                Step::Assert(formula) => formulas.push(*formula),
                Step::Check(assumptions) => formulas.extend(assumptions),
                Step::Push | Step::Pop => {}
            }
        }
        self.text.push_str("(set-logic QF_AUFBV)\n");
        self.text.push_str(&world.terms.declarations(&formulas));
        let mut levels: Vec<Vec<Term>> = vec![Vec::new()];
        for step in steps {
            match step {
                Step::Assert(formula) => {
                    self.say(world, &[formula]);
                    solver.assert(formula);
                    levels.last_mut().expect("the bottom stays").push(formula);
                }
                Step::Push => {
                    self.text.push_str("(push 1)\n");
                    solver.push();
                    levels.push(Vec::new());
                }
                Step::Pop => {
                    self.text.push_str("(pop 1)\n");
                    solver.pop();
                    levels.pop();
                }
                Step::Check(assumptions) => {
                    let active: Vec<Term> = levels.iter().flatten().copied().collect();
                    match ask(world, solver, &active, &assumptions) {
                        Err(wrong) => {
                            self.wrong = Some(wrong);
                            self.record(world, "unknown", &assumptions);
                            return;
                        }
                        Ok((answer, core)) => {
                            self.record(world, answer, &assumptions);
                            if answer == "unsat" && !assumptions.is_empty() {
                                self.ask_core(world, &active, &core);
                            }
                        }
                    }
                }
            }
        }
    }
    fn say(&mut self, world: &World, formulas: &[Term]) {
        for &formula in formulas {
            self.text.push_str(&format!("(assert {})\n", world.terms.to_smtlib(formula)));
        }
    }
    /// A query for the other solvers, with our answer.
    fn record(&mut self, world: &World, answer: &'static str, assumptions: &[Term]) {
        if assumptions.is_empty() {
            self.text.push_str("(check-sat)\n");
        } else {
            self.text.push_str("(push 1)\n");
            self.say(world, assumptions);
            self.text.push_str("(check-sat)\n(pop 1)\n");
        }
        self.answers.push(answer);
        self.counts.count(
            match answer {
                "sat" => "answers sat",
                "unsat" => "answers unsat",
                _ => "answers unknown",
            },
            1,
        );
    }
    /// A core must be unsatisfiable for a fresh solver and for the other solvers.
    fn ask_core(&mut self, world: &World, active: &[Term], core: &[Term]) {
        let mut fresh = Solver::new();
        active.iter().for_each(|&formula| fresh.assert(formula));
        self.counts.count("cores asked again", 1);
        match fresh.check(&world.terms, &Query::assuming(core), &Budget::default().part(TICKS)) {
            Ok(Answer::Sat(_)) => self.wrong = Some("our core is satisfiable".to_owned()),
            Ok(Answer::Unsat(_)) => self.record(world, "unsat", core),
            _ => {}
        }
    }
}

fn steps(world: &mut World, random: &mut Random) -> Vec<Step> {
    let mut steps = Vec::new();
    if random.one_in(3) {
        for _ in 0..1 + random.below(10) {
            steps.push(Step::Assert(world.define(random)));
        }
    }
    let mut depth = 0;
    let queries = if random.one_in(2) { 1 } else { 2 + random.below(4) };
    for _ in 0..queries {
        if depth > 0 && random.one_in(2) {
            depth -= 1;
            steps.push(Step::Pop);
        } else if queries > 1 && !random.one_in(8) {
            depth += 1;
            steps.push(Step::Push);
        }
        for _ in 0..if random.one_in(4) { 2 } else { 1 } {
            let shape = *random.pick(&Shape::ALL);
            steps.extend(world.block(random, shape).into_iter().map(Step::Assert));
        }
        steps.push(Step::Check(Vec::new()));
        if random.one_in(2) {
            let shape = *random.pick(&Shape::ALL);
            let mut assumptions = world.block(random, shape);
            assumptions.truncate(1 + random.below(8) as usize);
            steps.push(Step::Check(assumptions));
        }
    }
    steps
}

/// Our answer, with the core if there is no model; or what is wrong with it.
fn ask(
    world: &World,
    solver: &mut Solver,
    active: &[Term],
    assumptions: &[Term],
) -> Result<(&'static str, Vec<Term>), String> {
    let terms = &world.terms;
    let budget = Budget::default().part(TICKS);
    let wanted: Vec<Term> = active.iter().chain(assumptions).copied().collect();
    // Refine an abstract reading until the answer counts.
    let mut sites: Vec<Term> = terms.subterms(&wanted);
    loop {
        match solver.check(terms, &Query::assuming(assumptions), &budget) {
            Err(_) | Ok(Answer::Unknown(_)) => return Ok(("unknown", Vec::new())),
            Ok(Answer::Unsat(refutation)) => {
                return match refutation.check_proof() {
                    Ok(()) => Ok(("unsat", refutation.core().to_vec())),
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
                if wanted.iter().all(|&formula| evaluator.eval(terms, formula) == Ok(Value::Bool(true))) {
                    return Ok(("sat", Vec::new()));
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
        let mut counts = Counts::default();
        for seed in 0..150 {
            let script = Script::answered(seed);
            assert_eq!(script.wrong, None, "seed {seed}:\n{}", script.text);
            assert_eq!(script.text.matches("(check-sat)").count(), script.answers.len());
            counts.add(&script.counts);
        }
        for (what, least) in [
            ("answers sat", 50),
            ("answers unsat", 50),
            ("conflicts", 100),
            ("cores asked again", 50),
            ("interface equalities", 1),
        ] {
            assert!(counts.numbers.get(what).is_some_and(|&number| number >= least), "{what} is tried: {counts}");
        }
    }
}
