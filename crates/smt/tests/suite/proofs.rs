//! The checker of proofs says no: proofs with a step changed are rejected, and nothing false is accepted.

use crate::common::{Logic, World};
use base::{Budget, Random};
use proof::{Checker, ClauseId, Lit, Log, Step};
use smt::{Answer, Query, Solver};
use term::{SortKind, Term, Terms};

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

#[test]
fn changed_proofs_are_rejected() {
    let (mut rejected, mut equivalent, mut lemmas_rejected, mut lemmas_accepted) = (0, 0, 0, 0);
    for seed in 0..120 {
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
            if accepts(&solver, &changed, &goal) {
                equivalent += 1;
                lemmas_accepted += u32::from(matches!(steps[place], Step::Lemma { .. }));
            } else {
                rejected += 1;
                lemmas_rejected += u32::from(matches!(steps[place], Step::Lemma { .. }));
            }
        }
    }
    println!("{rejected} rejected ({lemmas_rejected} lemmas), {equivalent} accepted ({lemmas_accepted} lemmas)");
    assert!(rejected >= 500, "many changed proofs are rejected: {rejected}, accepted {equivalent}");
    assert!(lemmas_rejected >= 50, "changed lemmas are among them: {lemmas_rejected}");
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
