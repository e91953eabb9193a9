//! Hard queries handed over to CaDiCaL are answered as the built-in solver answers them.

#![cfg(feature = "cadical")]

use base::{Budget, Random, Stopped};
use sat::{Backend, Lit, NoTheory, Outcome, Query, SatVar, Solver};

fn random_clauses(random: &mut Random, n_vars: u64, n_clauses: usize) -> Vec<Vec<Lit>> {
    let mut lit = || SatVar(random.below(n_vars) as u32).lit(random.one_in(2));
    (0..n_clauses).map(|i| if i % 9 == 0 { vec![lit(), lit()] } else { vec![lit(), lit(), lit()] }).collect()
}

#[test]
fn answers_models_and_cores_agree_with_the_built_in_solver() {
    let (mut handed_over, mut sat, mut unsat, mut contradictory) = (0, 0, 0, 0);
    for seed in 0..250 {
        let mut random = Random::new(seed);
        let n_vars = 120;
        let n_clauses = 360 + random.below(120) as usize;
        let clauses = random_clauses(&mut random, n_vars, n_clauses);
        let (mut ours, mut theirs) = (Solver::new(), Solver::new());
        theirs.set_backend(Backend::Cadical { after: 1 });
        ours.add_all(&clauses);
        theirs.add_all(&clauses);
        for _ in 0..20 {
            let assumptions: Vec<Lit> =
                (0..random.below(6)).map(|_| SatVar(random.below(n_vars) as u32).lit(random.one_in(2))).collect();
            let temporary = random_clauses(&mut random, n_vars, 1).remove(0);
            let clause = random.one_in(2).then_some(&temporary[..]);
            let query = Query { assumptions: &assumptions, clause, domain: None };
            let expected = ours.solve(&mut NoTheory, &query, &Budget::default());
            let before = theirs.stats.handed_over;
            let outcome = theirs.solve(&mut NoTheory, &query, &Budget::default());
            assert_eq!(outcome, expected, "seed {seed}");
            if theirs.stats.handed_over == before {
                continue;
            }
            handed_over += 1;
            if outcome == Ok(Outcome::Sat) {
                sat += 1;
                let holds = |clause: &[Lit]| clause.iter().any(|&lit| theirs.value(lit) == Some(true));
                assert!(clauses.iter().all(|clause| holds(clause)) && clause.is_none_or(holds), "seed {seed}");
                assert!(assumptions.iter().all(|&lit| theirs.value(lit) == Some(true)), "seed {seed}");
            } else {
                unsat += 1;
                let core = theirs.core().to_vec();
                assert!(core.iter().all(|lit| assumptions.contains(lit)), "a core is made of assumptions");
                let query = Query { assumptions: &core, clause, domain: None };
                assert_eq!(
                    ours.solve(&mut NoTheory, &query, &Budget::default()),
                    Ok(Outcome::Unsat),
                    "a core suffices"
                );
                contradictory += usize::from(theirs.is_contradictory());
            }
        }
    }
    println!("{handed_over} handed over: {sat} sat, {unsat} unsat, {contradictory} without assumptions");
    assert!(handed_over >= 100 && sat >= 50 && unsat >= 50, "{handed_over}: {sat} sat, {unsat} unsat");
}

#[test]
fn a_budget_stops_the_other_solver_too() {
    let mut random = Random::new(1);
    let clauses: Vec<Vec<Lit>> =
        (0..1278).map(|_| (0..3).map(|_| SatVar(random.below(300) as u32).lit(random.one_in(2))).collect()).collect();
    let mut solver = Solver::new();
    solver.set_backend(Backend::Cadical { after: 1 });
    solver.add_all(&clauses);
    let budget = Budget::default().part(50_000);
    assert_eq!(solver.solve(&mut NoTheory, &Query::default(), &budget), Err(Stopped::OutOfTicks));
    assert_eq!(solver.stats.handed_over, 1);
    assert!(budget.left() < 5_000, "the ticks were spent: {} are left", budget.left());
}

#[test]
fn with_a_log_the_built_in_solver_does_it_alone() {
    let mut random = Random::new(2);
    let mut lit = || SatVar(random.below(150) as u32).lit(random.one_in(2));
    let clauses: Vec<Vec<Lit>> = (0..720).map(|_| vec![lit(), lit(), lit()]).collect();
    let mut solver = Solver::new();
    solver.enable_log();
    solver.set_backend(Backend::Cadical { after: 0 });
    solver.add_all(&clauses);
    assert_eq!(solver.solve(&mut NoTheory, &Query::default(), &Budget::default()), Ok(Outcome::Unsat));
    assert!(solver.stats.restarts > 0 && solver.stats.handed_over == 0);
    let log = solver.log().expect("the log is on");
    assert_eq!(proof::Checker::new(|_: &[Lit]| false).check(log, &[]), Ok(()));
}
