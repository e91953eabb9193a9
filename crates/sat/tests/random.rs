//! The solver against brute force: random formulas, assumptions, temporary clauses, domains, proofs.

use base::{Budget, Random};
use proof::{Checker, trim};
use sat::{Consequences, Lit, NoTheory, Outcome, Query, SatVar, Settings, Solver, Theory};

fn random_clauses(random: &mut Random, n_vars: u32, n_clauses: usize) -> Vec<Vec<Lit>> {
    (0..n_clauses)
        .map(|_| {
            let len = 1 + random.below(4) as usize;
            let len = if len == 1 && !random.one_in(4) { 3 } else { len };
            (0..len).map(|_| SatVar(random.below(n_vars.into()) as u32).lit(random.one_in(2))).collect()
        })
        .collect()
}

fn satisfied(clauses: &[Vec<Lit>], model: u32) -> bool {
    clauses.iter().all(|clause| clause.iter().any(|lit| (model >> lit.var().0 & 1 == 1) == lit.is_positive()))
}

fn has_model(clauses: &[Vec<Lit>], n_vars: u32) -> bool {
    (0..1u32 << n_vars).any(|model| satisfied(clauses, model))
}

fn eager() -> Settings {
    // So eager that every technique is used even on tiny formulas.
    Settings { reduce_interval: 3, mode_interval: 7, inprocess_interval: 2, ..Settings::DEFAULT }
}

fn check_query(solver: &mut Solver, all: &[Vec<Lit>], query: &Query<'_>, n_vars: u32) {
    let mut full = all.to_vec();
    full.extend(query.clause.map(<[Lit]>::to_vec));
    let with_assumptions =
        |assumed: &[Lit]| full.iter().cloned().chain(assumed.iter().map(|&lit| vec![lit])).collect::<Vec<_>>();
    match solver.solve(&mut NoTheory, query, &Budget::default()).expect("the budget is unlimited") {
        Outcome::Sat => {
            let all = with_assumptions(query.assumptions);
            assert!(
                all.iter().all(|clause| clause.iter().any(|&lit| solver.value(lit) == Some(true))),
                "the model satisfies every clause"
            );
        }
        Outcome::Paused => unreachable!("only a theory requests a pause"),
        Outcome::Unsat => {
            assert!(solver.core().iter().all(|lit| query.assumptions.contains(lit)), "a core is made of assumptions");
            assert!(!has_model(&with_assumptions(solver.core()), n_vars), "a core suffices");
        }
    }
}

#[test]
fn answers_agree_with_brute_force_over_incremental_queries() {
    for seed in 0..3000 {
        let mut random = Random::new(seed);
        let n_vars = 3 + random.below(9) as u32;
        let settings = if random.one_in(2) { eager() } else { Settings::DEFAULT };
        let mut solver = Solver::with_settings(settings);
        if random.one_in(2) {
            solver.enable_log();
        }
        for _ in 0..n_vars {
            solver.new_var();
        }
        let mut all = Vec::new();
        for _ in 0..1 + random.below(6) {
            let n_clauses = random.below(3 * u64::from(n_vars)) as usize;
            let more = random_clauses(&mut random, n_vars, n_clauses);
            for clause in &more {
                solver.add_clause(clause);
            }
            all.extend(more);
            for _ in 0..random.below(5) {
                let assumptions: Vec<Lit> = (0..random.below(5))
                    .map(|_| SatVar(random.below(n_vars.into()) as u32).lit(random.one_in(2)))
                    .collect();
                let temporary = random_clauses(&mut random, n_vars, 1).remove(0);
                let clause = random.one_in(2).then_some(&temporary[..]);
                check_query(&mut solver, &all, &Query { assumptions: &assumptions, clause, domain: None }, n_vars);
            }
        }
        if let (true, Some(log)) = (solver.is_contradictory(), solver.log()) {
            assert_eq!(Checker::new(|_: &[Lit]| false).check(log, &[]), Ok(()), "seed {seed}");
            let trimmed = trim(log, &[]).expect("the log has a refutation");
            assert_eq!(Checker::new(|_: &[Lit]| false).check(&trimmed, &[]), Ok(()), "seed {seed}");
        }
    }
}

#[test]
fn a_temporary_clause_does_no_harm_where_assumptions_are_shared() {
    for seed in 0..1000 {
        let mut random = Random::new(seed);
        let n_vars = 6 + random.below(7) as u32;
        let mut solver = Solver::with_settings(if random.one_in(2) { eager() } else { Settings::DEFAULT });
        for _ in 0..n_vars {
            solver.new_var();
        }
        let all = random_clauses(&mut random, n_vars, 2 * n_vars as usize);
        all.iter().for_each(|clause| solver.add_clause(clause));
        let mut any = || SatVar(random.below(n_vars.into()) as u32).lit(random.one_in(2));
        let mut assumptions: Vec<Lit> = (0..5).map(|_| any()).collect();
        for round in 0..20 {
            // As generalization asks: the first assumptions stay, one of the last goes, and the clause denies what is there.
            assumptions.truncate(2 + round % 3);
            assumptions.extend((0..2).map(|_| any()));
            let denied: Vec<Lit> = assumptions[1..].iter().map(|&lit| !lit).chain([any()]).collect();
            let clause = (round % 4 != 3).then_some(&denied[..]);
            check_query(&mut solver, &all, &Query { assumptions: &assumptions, clause, domain: None }, n_vars);
        }
    }
}

#[test]
fn hard_random_formulas_are_refuted_with_accepted_proofs() {
    let mut refuted = 0;
    for seed in 0..12 {
        let mut random = Random::new(seed);
        let n_vars = 90;
        let clauses: Vec<Vec<Lit>> = (0..(n_vars as f64 * 4.7) as usize)
            .map(|_| (0..3).map(|_| SatVar(random.below(n_vars) as u32).lit(random.one_in(2))).collect())
            .collect();
        let mut solver = Solver::with_settings(Settings { inprocess_interval: 100, ..Settings::DEFAULT });
        solver.enable_log();
        solver.add_all(&clauses);
        match solver.solve(&mut NoTheory, &Query::default(), &Budget::default()) {
            Ok(Outcome::Sat) => {
                assert!(clauses.iter().all(|clause| clause.iter().any(|&lit| solver.value(lit) == Some(true))));
            }
            Ok(Outcome::Paused) => unreachable!("only a theory requests a pause"),
            Ok(Outcome::Unsat) => {
                refuted += 1;
                let log = solver.log().expect("logging is on");
                assert_eq!(Checker::new(|_: &[Lit]| false).check(log, &[]), Ok(()), "seed {seed}");
            }
            Err(stopped) => panic!("the budget is unlimited, yet {stopped:?}"),
        }
    }
    assert!(refuted >= 6, "most formulas at this density have no model");
}

#[test]
fn an_answer_outside_the_domain_is_not_decided() {
    let mut solver = Solver::new();
    let vars: Vec<SatVar> = (0..4).map(|_| solver.new_var()).collect();
    solver.add_clause(&[vars[0].positive(), vars[1].positive()]);
    solver.add_clause(&[vars[2].positive(), vars[3].positive()]);
    let query = Query { assumptions: &[], clause: None, domain: Some(&vars[..2]) };
    assert_eq!(solver.solve(&mut NoTheory, &query, &Budget::default()), Ok(Outcome::Sat));
    assert_eq!(solver.value(vars[2].positive()), None);
    assert_eq!(solver.value(vars[3].positive()), None);
    assert!(solver.value(vars[0].positive()).is_some());
}

#[test]
fn a_small_budget_stops_a_hard_search() {
    let mut random = Random::new(7);
    let clauses: Vec<Vec<Lit>> =
        (0..1278).map(|_| (0..3).map(|_| SatVar(random.below(300) as u32).lit(random.one_in(2))).collect()).collect();
    let mut solver = Solver::new();
    solver.add_all(&clauses);
    let budget = Budget::default().part(5_000);
    assert_eq!(solver.solve(&mut NoTheory, &Query::default(), &budget), Err(base::Stopped::OutOfTicks));
}

/// "At most `bound` of the variables are true", as a theory: implies the rest false once the bound is
/// met, complains when it is passed, and forgets on backtracking.
struct AtMost {
    vars: Vec<SatVar>,
    bound: usize,
    shown: Vec<Lit>,
    lazy: bool,
    /// Asks for pauses now and then, and for one now.
    pauses: bool,
    pause: bool,
}

impl AtMost {
    fn true_ones(&self) -> Vec<Lit> {
        self.shown.iter().copied().filter(|lit| lit.is_positive() && self.vars.contains(&lit.var())).collect()
    }
    fn complain(&self, out: &mut Consequences) {
        let true_ones = self.true_ones();
        if true_ones.len() > self.bound {
            let clause: Vec<Lit> = true_ones[..=self.bound].iter().map(|&lit| !lit).collect();
            out.clause(&clause);
        }
    }
}

impl Theory for AtMost {
    const ACTIVE: bool = true;
    fn propagate(&mut self, news: &[Lit], out: &mut Consequences) {
        self.shown.extend(news);
        if self.lazy {
            return;
        }
        self.complain(out);
        self.pause |= self.pauses && self.shown.len() % 3 == 2;
        let true_ones = self.true_ones();
        if true_ones.len() == self.bound {
            for var in &self.vars {
                if !true_ones.contains(&var.positive()) {
                    out.imply(var.negative());
                }
            }
        }
    }
    fn complete(&mut self, out: &mut Consequences) {
        self.complain(out);
    }
    fn pause_due(&self) -> bool {
        self.pause
    }
    fn backtrack(&mut self, n: usize) {
        self.shown.truncate(n);
    }
    fn explain(&mut self, lit: Lit, clause: &mut Vec<Lit>) {
        let until = self.shown.iter().position(|&other| other == lit).unwrap_or(self.shown.len());
        let before = &self.shown[..until];
        let mut true_ones = before.iter().filter(|lit| lit.is_positive() && self.vars.contains(&lit.var()));
        clause.extend(true_ones.by_ref().take(self.bound).map(|&lit| !lit));
    }
}

#[test]
fn a_theory_takes_part_eagerly_lazily_and_with_pauses() {
    let mut pauses = 0;
    for seed in 0..1500 {
        let mut random = Random::new(seed);
        let n_vars = 4 + random.below(7) as u32;
        let bound = 1 + random.below(3) as usize;
        let mut solver = Solver::with_settings(eager());
        solver.enable_log();
        let vars: Vec<SatVar> = (0..n_vars).map(|_| solver.new_var()).collect();
        let mut theory =
            AtMost { vars, bound, shown: Vec::new(), lazy: random.one_in(3), pauses: random.one_in(2), pause: false };
        let n_clauses = random.below(4 * u64::from(n_vars)) as usize;
        let clauses = random_clauses(&mut random, n_vars, n_clauses);
        for clause in &clauses {
            solver.add_clause_with(&mut theory, clause);
        }
        for _ in 0..4 {
            let assumptions: Vec<Lit> = (0..random.below(4))
                .map(|_| SatVar(random.below(n_vars.into()) as u32).lit(random.one_in(2)))
                .collect();
            let expected = (0..1u32 << n_vars).any(|model: u32| {
                model.count_ones() as usize <= bound
                    && satisfied(&clauses, model)
                    && assumptions.iter().all(|lit| (model >> lit.var().0 & 1 == 1) == lit.is_positive())
            });
            let query = Query::assuming(&assumptions);
            let mut outcome = solver.solve(&mut theory, &query, &Budget::default());
            while outcome == Ok(Outcome::Paused) {
                pauses += 1;
                // The theory would add clauses now; after a while it requests no more pauses.
                solver.backtrack_to_root(&mut theory);
                theory.pauses = random.one_in(2);
                theory.pause = false;
                outcome = solver.solve(&mut theory, &query, &Budget::default());
            }
            assert_eq!(outcome == Ok(Outcome::Sat), expected, "seed {seed}");
        }
        if solver.is_contradictory() {
            let at_most = |lits: &[Lit]| lits.len() > bound && lits.iter().all(|lit| !lit.is_positive());
            let log = solver.log().expect("logging is on");
            assert_eq!(Checker::new(at_most).check(log, &[]), Ok(()), "seed {seed}");
        }
    }
    assert!(pauses > 100, "pauses are tried too");
}

#[test]
fn memory_stays_flat_over_many_queries_with_temporary_clauses() {
    let mut random = Random::new(3);
    let n_vars = 60;
    let mut solver = Solver::new();
    solver.add_all(&random_clauses(&mut random, n_vars, 150));
    let before = solver.n_vars();
    for _ in 0..20_000 {
        let temporary = random_clauses(&mut random, n_vars, 1).remove(0);
        let assumptions = [SatVar(random.below(n_vars.into()) as u32).lit(random.one_in(2))];
        let query = Query { assumptions: &assumptions, clause: Some(&temporary), domain: None };
        solver.solve(&mut NoTheory, &query, &Budget::default()).expect("the budget is unlimited");
    }
    assert!(solver.n_vars() <= before + 1, "one switch serves all temporary clauses");
    assert!(solver.arena_words() < 100_000, "the arena is compacted");
}

/// Choices and conjunctions of random earlier gates.
fn gates(random: &mut Random, n_inputs: u32, n_gates: u32) -> Vec<Vec<Lit>> {
    let mut clauses = Vec::new();
    for out in n_inputs..n_inputs + n_gates {
        let mut pick = || SatVar(random.below(out.into()) as u32).lit(random.one_in(2));
        let (choice, yes, no) = (pick(), pick(), pick());
        let is_choice = random.one_in(2);
        let out = SatVar(out).positive();
        if !is_choice {
            clauses.extend([vec![!out, yes], vec![!out, no], vec![out, !yes, !no]]);
            continue;
        }
        clauses.push(vec![!choice, !yes, out]);
        clauses.push(vec![!choice, yes, !out]);
        clauses.push(vec![choice, !no, out]);
        clauses.push(vec![choice, no, !out]);
    }
    clauses
}

#[test]
fn memory_stays_flat_over_many_queries_under_assumptions() {
    let mut random = Random::new(5);
    let (n_inputs, n_gates) = (60, 600);
    // Thirty times the usual pace, so that many reductions happen in few queries.
    let mut solver = Solver::with_settings(Settings { reduce_interval: 10, ..Settings::DEFAULT });
    solver.add_all(&gates(&mut random, n_inputs, n_gates));
    let before = solver.footprint();
    let mut half = None;
    for i in 0..30_000 {
        let assumptions: Vec<Lit> =
            (0..12).map(|_| SatVar(random.below(u64::from(n_inputs + n_gates)) as u32).lit(random.one_in(2))).collect();
        solver
            .solve(&mut NoTheory, &Query::assuming(&assumptions), &Budget::default())
            .expect("the budget is unlimited");
        if i == 15_000 {
            half = Some(solver.footprint());
        }
    }
    let (half, after) = (half.expect("half of the queries were asked"), solver.footprint());
    assert!(solver.stats.conflicts > 2_000, "the queries take some search: {} conflicts", solver.stats.conflicts);
    println!("{before:?}\n{half:?}\n{after:?}");
    assert!(after.n_given <= before.n_given, "given clauses do not multiply");
    assert!(after.n_binary <= half.n_binary + 20, "binary clauses are forgotten: {half:?}, {after:?}");
    assert!(after.n_learnt <= 500, "learnt clauses are forgotten: {after:?}");
    assert!(after.arena_words <= before.arena_words + 10_000, "learnt clauses are forgotten: {after:?}");
    assert!(after.watches <= 3 * before.watches, "watch lists give room back: {before:?}, {after:?}");
}

#[test]
fn clauses_of_a_popped_level_are_deleted() {
    let mut random = Random::new(11);
    let mut solver = Solver::with_settings(eager());
    solver.add_all(&gates(&mut random, 10, 30));
    let before = solver.footprint();
    for _ in 0..300 {
        // A level as `smt` makes them: clauses behind a selector that is made false when the level goes.
        let selector = solver.new_var().positive();
        for mut clause in random_clauses(&mut random, 40, 60) {
            clause.push(!selector);
            solver.add_clause(&clause);
        }
        for _ in 0..3 {
            let lit = SatVar(random.below(40) as u32).lit(random.one_in(2));
            let assumptions = [selector, lit];
            let query = Query::assuming(&assumptions);
            solver.solve(&mut NoTheory, &query, &Budget::default()).expect("the budget is unlimited");
        }
        solver.add_clause(&[!selector]);
    }
    let after = solver.footprint();
    assert!(after.n_given < 10 * before.n_given, "{before:?}, {after:?}");
    assert!(after.n_binary < 300, "{before:?}, {after:?}");
}

#[test]
fn an_assumption_may_be_repeated_more_often_than_there_are_variables() {
    // Each repetition has a level of its own, so that there are more levels than variables.
    let mut solver = Solver::new();
    let vars: Vec<SatVar> = (0..3).map(|_| solver.new_var()).collect();
    let [a, b, c] = [vars[0], vars[1], vars[2]].map(SatVar::positive);
    for clause in [[!a, b, c], [!a, b, !c], [!a, !b, c], [!a, !b, !c]] {
        solver.add_clause(&clause);
    }
    let tail = solver.new_var().positive();
    let mut assumptions = vec![tail; 40];
    assumptions.push(a);
    let outcome = solver.solve(&mut NoTheory, &Query::assuming(&assumptions), &Budget::default());
    assert_eq!(outcome, Ok(Outcome::Unsat));
    assert!(solver.core().contains(&a) || solver.is_contradictory() || solver.fixed(a) == Some(false));
}

#[test]
fn what_a_theory_says_is_forgotten_without_conflicts_too() {
    let mut random = Random::new(9);
    let mut solver = Solver::new();
    let vars: Vec<SatVar> = (0..60).map(|_| solver.new_var()).collect();
    let mut theory = AtMost { vars, bound: 4, shown: Vec::new(), lazy: true, pauses: false, pause: false };
    for _ in 0..20_000 {
        let assumptions: Vec<Lit> = (0..7).map(|_| SatVar(random.below(60) as u32).positive()).collect();
        let query = Query::assuming(&assumptions);
        solver.solve(&mut theory, &query, &Budget::default()).expect("the budget is unlimited");
    }
    let (said, footprint) = (solver.stats.theory_clauses, solver.footprint());
    assert!(said > 5_000 && said > 10 * solver.stats.conflicts, "{said} clauses, {} conflicts", solver.stats.conflicts);
    assert!(footprint.n_learnt < 2_000, "{footprint:?}");
}
