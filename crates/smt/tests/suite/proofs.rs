//! The checker of proofs says no: proofs with a step changed are rejected, and nothing false is accepted.

use base::{Budget, Random};
use proof::{Checker, ClauseId, Lit, Log, Step};
use smt::{Answer, Query, Solver};
use term::{SortKind, Term, Terms};
use testkit::formulas::{Logic, World};

/// Changes a step: whether it is derived, its literals, its hints.
type Change<'a> = dyn FnMut(bool, &mut Vec<Lit>, &mut Vec<ClauseId>) + 'a;

/// The log with its steps changed by `change`, which sees the kind of the step (derived or not), the literals
/// and the hints of the step at `place`.
fn rewrite(log: &Log, place: usize, change: &mut Change<'_>) -> Log {
    let mut changed = Log::new();
    for (at, step) in log.steps().enumerate() {
        let lits = |codes: &[u32]| codes.iter().map(|&code| Lit::from_code(code)).collect::<Vec<Lit>>();
        match step {
            Step::Input { lits: codes, .. } => {
                changed.input(&lits(codes));
            }
            Step::Lemma { lits: codes, .. } => {
                let mut lits = lits(codes);
                if at == place {
                    change(false, &mut lits, &mut Vec::new());
                }
                changed.lemma(&lits);
            }
            Step::Derived { lits: codes, hints, .. } => {
                let (mut lits, mut hints) = (lits(codes), hints.iter().map(|&hint| ClauseId(hint)).collect());
                if at == place {
                    change(true, &mut lits, &mut hints);
                }
                changed.derived(&lits, &hints);
            }
            Step::Delete { id } => changed.delete(id),
        }
    }
    changed
}

fn accepts(solver: &Solver, log: &Log, goal: &[Lit]) -> bool {
    let mut vocabulary = solver.vocabulary();
    Checker::new(|clause: &[Lit]| vocabulary.is_lemma(clause)).check(log, goal).is_ok()
}

/// Formulas without a model that take theory lemmas to refute.
fn contradiction(terms: &mut Terms, kind: u64, random: &mut Random) -> Vec<Term> {
    let byte = terms.bv_sort(8);
    let free = terms.sort(SortKind::Uninterpreted("U".into()));
    match kind {
        0 | 1 => {
            // Each step goes one way or the other, but always forward; functions of both ends differ.
            let sort = if kind == 0 { free } else { byte };
            let function = terms.declare("f", &[sort], sort).expect("a fresh name");
            let n = 2 + random.below(4) as usize;
            let name = |terms: &mut Terms, name: &str, i: usize| terms.variable(&format!("{name}{i}"), sort);
            let mut formulas = Vec::new();
            for i in 0..n {
                let (from, to) = (name(terms, "a", i), name(terms, "a", i + 1));
                let ways = ["b", "c"].map(|by| {
                    let by = name(terms, by, i);
                    let by = if kind == 1 { terms.bv_not(by) } else { by };
                    let steps = [terms.eq(from, by), terms.eq(by, to)];
                    terms.and(&steps)
                });
                formulas.push(terms.or(&ways));
            }
            let (first, last) = (name(terms, "a", 0), name(terms, "a", n));
            let ends = [first, last].map(|end| terms.apply(function, &[end]));
            formulas.push(terms.ne(ends[0], ends[1]));
            formulas
        }
        _ => {
            // Writes at different places can be made in any order.
            let sort = terms.sort(SortKind::Array(byte, byte));
            let array = terms.variable("m", sort);
            let n = 2 + random.below(2) as usize;
            let indices: Vec<Term> = (0..n).map(|i| terms.variable(&format!("i{i}"), byte)).collect();
            let (mut forward, mut backward) = (array, array);
            for i in 0..n {
                let (there, back) = (indices[i], indices[n - 1 - i]);
                forward = terms.store(forward, there, there);
                backward = terms.store(backward, back, back);
            }
            let formulas = [terms.distinct(&indices), terms.ne(forward, backward)];
            formulas.to_vec()
        }
    }
}

/// What became of a changed proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Truth {
    /// A step does not follow from its hints, or a lemma does not hold; a model shows it.
    Wrong,
    /// Every step still follows.
    StillRight,
    /// The change is in a lemma about literals that no term stands for.
    Unclear,
}

/// Decides without the checker whether the log, changed at `place`, is still a proof: only the changed step and those
/// that use it can have become wrong, and a step is wrong if its hints have a model that it does not hold in.
fn truth(log: &Log, place: usize, goal: &[Lit], lemma_holds: &dyn Fn(&[Lit]) -> Option<bool>) -> Truth {
    let lits = |codes: &[u32]| codes.iter().map(|&code| Lit::from_code(code)).collect::<Vec<Lit>>();
    let mut clauses: Vec<Vec<Lit>> = Vec::new();
    let mut reached = false;
    for (at, step) in log.steps().enumerate() {
        let codes = match step {
            Step::Input { lits: codes, .. } => codes,
            Step::Lemma { lits: codes, .. } => {
                if at == place {
                    match lemma_holds(&lits(codes)) {
                        Some(true) => {}
                        Some(false) => return Truth::Wrong,
                        None => return Truth::Unclear,
                    }
                }
                codes
            }
            Step::Derived { lits: codes, hints, .. } => {
                let uses_it = at == place || hints.contains(&(place as u32 + 1));
                // Numbers count from one; a hint that names no earlier clause supports nothing.
                let support = hints.iter().filter_map(|&hint| clauses.get(hint as usize - 1).cloned());
                if uses_it && !follows(&support.collect::<Vec<_>>(), &lits(codes)) {
                    return Truth::Wrong;
                }
                codes
            }
            Step::Delete { .. } => unreachable!("a trimmed log deletes nothing"),
        };
        clauses.push(lits(codes));
        reached |= codes.iter().all(|&code| goal.contains(&Lit::from_code(code)));
    }
    if reached { Truth::StillRight } else { Truth::Wrong }
}

/// Whether the clause holds in all models of the support. A `no` comes with a model that is checked here.
fn follows(support: &[Vec<Lit>], clause: &[Lit]) -> bool {
    let mut solver = sat::Solver::new();
    solver.add_all(support);
    solver.add_all(&clause.iter().map(|&lit| vec![!lit]).collect::<Vec<_>>());
    match solver.solve(&mut sat::NoTheory, &sat::Query::default(), &Budget::default()) {
        Ok(sat::Outcome::Unsat) => true,
        Ok(sat::Outcome::Sat) => {
            let is_true = |&lit: &Lit| solver.value(lit) == Some(true);
            assert!(support.iter().all(|clause| clause.iter().any(is_true)) && !clause.iter().any(is_true));
            false
        }
        other => panic!("the budget is unlimited, yet {other:?}"),
    }
}

/// Whether a clause of atoms holds in the theory, `None` if some literal has no term. A `no` comes with a model that
/// is evaluated.
fn lemma_holds(solver: &Solver, terms: &Terms, formulas: &[Term], clause: &[Lit]) -> Option<bool> {
    let mut terms = terms.clone();
    let mut denied = Vec::new();
    let all: Vec<Term> = terms.subterms(formulas).into_iter().collect();
    for &lit in clause {
        let atom = |term: &&Term| solver.logged_literal(**term).is_some_and(|own| own.var() == lit.var());
        let term = *all.iter().find(atom)?;
        let is_same = solver.logged_literal(term) == Some(lit);
        denied.push(if is_same { terms.not(term) } else { term });
    }
    let mut other = Solver::new();
    denied.iter().for_each(|&term| other.assert(term));
    match other.check(&terms, &Query::default(), &Budget::default()) {
        Ok(Answer::Unsat(_)) => Some(true),
        Ok(Answer::Sat(mut model)) => {
            assert!(denied.iter().all(|&term| model.is_true(term)), "a model makes every assertion true");
            Some(false)
        }
        _ => None,
    }
}

#[test]
fn changed_proofs_are_rejected_unless_they_are_still_proofs() {
    let (mut wrong, mut wrong_lemmas, mut right_accepted, mut right_rejected, mut unclear) = (0, 0, 0, 0, 0);
    for seed in 0..150 {
        let mut random = Random::new(seed);
        let mut terms = Terms::without_simplification();
        let formulas = contradiction(&mut terms, seed % 3, &mut random);
        let mut solver = Solver::new();
        solver.enable_log();
        formulas.iter().for_each(|&formula| solver.assert(formula));
        match solver.check(&terms, &Query::default(), &Budget::default()) {
            Ok(Answer::Unsat(refutation)) => assert_eq!(refutation.check_proof(), Ok(()), "seed {seed}"),
            _ => panic!("seed {seed}: a contradiction"),
        }
        let goal = solver.refuted();
        let log = solver.log().expect("the log is on");
        let Some(log) = proof::trim(log, &goal) else { continue };
        // Trimming leaves gaps in the numbers; give the steps new ones.
        let Some(log) = renumbered(&log) else { continue };
        assert!(accepts(&solver, &log, &goal), "seed {seed}: the trimmed proof is accepted");
        let steps: Vec<Step<'_>> = log.steps().collect();
        for _ in 0..30 {
            let place = random.below(steps.len() as u64) as usize;
            if !matches!(steps[place], Step::Derived { .. } | Step::Lemma { .. }) {
                continue;
            }
            let kind = random.below(4);
            let (pick, other) = (random.bits() as usize, random.below(steps.len() as u64) as u32 + 1);
            let mut applied = false;
            let changed = rewrite(&log, place, &mut |derived, lits, hints| {
                applied = true;
                match kind {
                    0 if !lits.is_empty() => {
                        let at = pick % lits.len();
                        lits[at] = !lits[at];
                    }
                    1 if !lits.is_empty() => {
                        lits.remove(pick % lits.len());
                    }
                    2 if derived && !hints.is_empty() => {
                        hints.remove(pick % hints.len());
                    }
                    3 if derived && !hints.is_empty() => {
                        let at = pick % hints.len();
                        hints[at] = ClauseId(other);
                    }
                    _ => applied = false,
                }
            });
            if !applied {
                continue;
            }
            let holds = |clause: &[Lit]| lemma_holds(&solver, &terms, &formulas, clause);
            let truth = truth(&changed, place, &goal, &holds);
            let accepted = accepts(&solver, &changed, &goal);
            match (truth, accepted) {
                (Truth::Wrong, true) => {
                    panic!("seed {seed}: step {place} of a wrong proof is accepted (change {kind})")
                }
                (Truth::Wrong, false) => {
                    wrong += 1;
                    wrong_lemmas += u32::from(matches!(steps[place], Step::Lemma { .. }));
                }
                (Truth::StillRight, true) => right_accepted += 1,
                (Truth::StillRight, false) => right_rejected += 1, // Its hints come in an order that does not propagate.
                (Truth::Unclear, true) => {
                    panic!("seed {seed}: an invalid lemma is accepted at step {place}")
                }
                (Truth::Unclear, false) => unclear += 1,
            }
        }
    }
    println!(
        "{wrong} wrong, {wrong_lemmas} of them lemmas: all rejected; still right: {right_accepted} accepted, {right_rejected} \
         rejected; {unclear} unclear, all rejected"
    );
    assert!(wrong >= 500, "many wrong proofs are rejected: {wrong}");
    assert!(wrong_lemmas >= 50, "wrong lemmas are among them: {wrong_lemmas}");
}

/// The same steps, numbered from one without gaps.
fn renumbered(log: &Log) -> Option<Log> {
    let mut numbers: std::collections::HashMap<u32, ClauseId> = std::collections::HashMap::new();
    let mut new = Log::new();
    for step in log.steps() {
        let lits = |codes: &[u32]| codes.iter().map(|&code| Lit::from_code(code)).collect::<Vec<Lit>>();
        let (old, id) = match step {
            Step::Input { id, lits: codes } => (id, new.input(&lits(codes))),
            Step::Lemma { id, lits: codes } => (id, new.lemma(&lits(codes))),
            Step::Derived { id, lits: codes, hints } => {
                let hints: Option<Vec<ClauseId>> = hints.iter().map(|hint| numbers.get(hint).copied()).collect();
                (id, new.derived(&lits(codes), &hints?))
            }
            Step::Delete { .. } => continue,
        };
        numbers.insert(old.0, id);
    }
    Some(new)
}

#[test]
fn what_is_satisfiable_is_never_refuted_by_a_made_up_step() {
    let mut tried = 0;
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let logic = *random.pick(&[Logic::Uf, Logic::UfBv, Logic::AUfBv]);
        let mut world = World::new(logic, &mut random);
        let mut solver = Solver::new();
        solver.enable_log();
        for _ in 0..5 {
            let formula = world.formula(&mut random);
            solver.assert(formula);
        }
        let Ok(Answer::Sat(_)) = solver.check(&world.terms, &Query::default(), &Budget::default()) else { continue };
        let log = solver.log().expect("the log is on");
        let n = log.steps().count() as u64;
        let vars: Vec<Lit> = log
            .steps()
            .filter_map(|step| match step {
                Step::Input { lits, .. } | Step::Lemma { lits, .. } => lits.first().map(|&code| Lit::from_code(code)),
                _ => None,
            })
            .collect();
        for _ in 0..10 {
            let mut forged = log.clone();
            if random.one_in(2) && !vars.is_empty() {
                // A lemma that would contradict something.
                forged.lemma(&[!*random.pick(&vars)]);
            }
            let hints: Vec<ClauseId> = (0..random.below(6)).map(|_| ClauseId(random.below(n + 1) as u32 + 1)).collect();
            forged.derived(&[], &hints);
            tried += 1;
            assert!(!accepts(&solver, &forged, &[]), "seed {seed}: a satisfiable formula has no refutation");
        }
    }
    assert!(tried > 500, "enough is tried: {tried}");
}
