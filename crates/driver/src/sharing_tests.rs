//! What one engine finds out and another one uses: engines that run one after the other with one store of facts.

use std::sync::Mutex;

use base::{Budget, Values};
use engine::{Context, Cursor, Fact, FactKind, Facts, Observer, Run, Task};
use term::{Term, Terms};
use verdict::Verdict;

use super::by_name;

/// The sources of imported facts, and the counters.
#[derive(Default)]
struct Notes {
    imported: Mutex<Vec<&'static str>>,
    counts: Mutex<Vec<(&'static str, u64)>>,
}

impl Notes {
    fn count(&self, name: &str) -> u64 {
        let counts = self.counts.lock().expect("no thread panics");
        counts.iter().rev().find(|(other, _)| *other == name).map_or(0, |&(_, value)| value)
    }
    fn imported(&self) -> Vec<&'static str> {
        self.imported.lock().expect("no thread panics").clone()
    }
}

impl Observer for Notes {
    fn phase(&self, _: &'static str) {}
    fn progress(&self, _: String) {}
    fn count(&self, name: &'static str, value: u64) {
        self.counts.lock().expect("no thread panics").push((name, value));
    }
    fn imported(&self, source: &'static str) {
        self.imported.lock().expect("no thread panics").push(source);
    }
    fn picture(&self, _: engine::Picture) {}
}

fn task(body: &str) -> Task {
    let text = format!(
        "extern unsigned __VERIFIER_nondet_uint(void); extern void reach_error(void);\nint main(void) {{ {body} return 0; }}\n"
    );
    let mut terms = Terms::new();
    let options = cfront::Options::new(cfront::DataModel::Lp64, cfront::Property::UnreachCall);
    let program = cfront::compile("a.c", &text, &options, &mut terms).expect("it is C").program;
    let passes = program::pass::Options::default();
    let optimised = program::pass::optimise(program.clone(), &mut terms, &passes).expect("no recursion");
    Task::new(program, optimised.program, optimised.map, terms)
}

fn with(name: &str, value: &str) -> Values {
    let mut values = Values::default();
    values.set(name, value);
    values
}

/// Runs an engine; its evidence passes the checker.
fn run(name: &str, settings: &Values, task: &Task, facts: &Facts) -> (Verdict, Notes) {
    let (verdict, notes) = run_for(u64::MAX, name, settings, task, facts);
    (verdict.expect("it is not stopped"), notes)
}

/// Runs an engine for at most this number of ticks; its evidence passes the checker.
fn run_for(ticks: u64, name: &str, settings: &Values, task: &Task, facts: &Facts) -> (Option<Verdict>, Notes) {
    let budget = Budget::default().part(ticks);
    let notes = Notes::default();
    let replay = |found: &verdict::Counterexample| {
        let claim = Verdict::Unsafe(found.clone());
        certify::certify(&task.lowered, &task.terms, &claim, &Budget::default())
            .map(|_| ())
            .map_err(|refusal| refusal.why())
    };
    let mut run = Run { budget: &budget, seed: 0, facts, observer: &notes, replay: &replay, each: None };
    let mut engine = by_name(name).expect("it is an engine").build(settings);
    let verdict = engine.run(task, &mut run).ok();
    if let Some(verdict) = &verdict {
        certify::certify(&task.lowered, &task.terms, verdict, &Budget::default()).expect("the evidence holds");
    }
    (verdict, notes)
}

fn lemmas(facts: &Facts) -> Vec<(&'static str, String)> {
    let mut terms = Terms::new();
    let read = facts.read_lemmas(&mut Cursor::default(), &mut terms);
    read.iter().map(|fact| (fact.source, terms.to_smtlib(fact.term))).collect()
}

/// A store with these lemmas and nothing about any program.
fn lemmas_alone(facts: &Facts, source: &'static str) -> Facts {
    let alone = Facts::new();
    let mut terms = Terms::new();
    let read = facts.read_lemmas(&mut Cursor::default(), &mut terms);
    let lemmas: Vec<Term> = read.iter().filter(|fact| fact.source == source).map(|fact| fact.term).collect();
    alone.publish_lemmas(&mut terms, &lemmas, source, &Budget::default()).expect("it is not stopped");
    alone
}

/// The sources of the invariants in the store.
fn sources(facts: &Facts) -> Vec<&'static str> {
    let read = facts.read(&mut Cursor::default(), &mut Terms::new());
    read.iter().filter(|fact| fact.kind == FactKind::Invariant).map(|fact| fact.source).collect()
}

/// A result that is zero because an argument is, one step before the error would be.
fn zero_through(operator: &str, more: &str) -> Task {
    task(&format!(
        "unsigned a = 1, c = 1, p = 1, q = 1, v = 1, w = 1, z = 1; while (1) {{ if (a == 0 && c != 0) reach_error(); {more}\n\
         a = __VERIFIER_nondet_uint(); unsigned b = __VERIFIER_nondet_uint(); c = a {operator} b; }}"
    ))
}

/// It takes some frames to see where this comes from.
const CHAIN: &str = "if (v == 0 && w != 0) reach_error(); v = p; w = q; p = a; q = c;";
/// No engine finds out quickly that this needs very many steps.
const FAR: &str = "z = z * 1103515245 + 12345; if (z == 3141592653u) reach_error();";

#[test]
fn what_euf_learns_about_an_operator_spares_others_to_learn_it() {
    let facts = Facts::new();
    let level = |name: &str| with("precision", name);
    run("euf", &level("axioms"), &zero_through("&", CHAIN), &facts);
    let published = lemmas(&facts);
    assert!(published.iter().any(|(source, lemma)| *source == "euf" && lemma.contains("bvand")), "{published:?}");

    let task = zero_through("&", "");
    let (verdict, alone) = run("euf", &level("uf"), &task, &Facts::unshared());
    assert!(matches!(verdict, Verdict::Safe(_)) && alone.count("operator_lemmas") > 0);
    let (verdict, with) = run("euf", &level("uf"), &task, &lemmas_alone(&facts, "euf"));
    assert!(matches!(verdict, Verdict::Safe(_)));
    assert_eq!(with.count("operator_lemmas"), 0, "another level of the same engine need not learn it again");

    let (verdict, alone) = run("refine", &Values::default(), &task, &Facts::unshared());
    assert!(matches!(verdict, Verdict::Safe(_)));
    let (verdict, with) = run("refine", &Values::default(), &task, &lemmas_alone(&facts, "euf"));
    assert!(matches!(verdict, Verdict::Safe(_)));
    assert!(with.imported().contains(&"euf"), "{:?}", with.imported());
    let refined = |notes: &Notes| (notes.count("statements refined"), notes.count("lemmas"));
    assert!(refined(&with).0 < refined(&alone).0 && refined(&with).1 > 0, "{:?} {:?}", refined(&alone), refined(&with));
}

#[test]
fn what_refine_needs_of_products_euf_need_not_learn() {
    let facts = Facts::new();
    let settings = with("unwind", "12");
    // There is an operator from the first step on, so refinement is not left to the solver in bits.
    let far = task(&format!(
        "unsigned a = 1 | __VERIFIER_nondet_uint(), c = 1, z = 1; while (1) {{ if (a == 0 && c != 0) reach_error(); {FAR}\n\
         a = __VERIFIER_nondet_uint(); unsigned b = __VERIFIER_nondet_uint(); c = a * b; }}"
    ));
    run("refine", &settings, &far, &facts);
    let published = lemmas(&facts);
    assert!(published.iter().any(|(source, lemma)| *source == "refine" && lemma.contains("bvmul")), "{published:?}");

    let task = zero_through("*", "");
    let functions = with("precision", "uf");
    let (_, alone) = run("euf", &functions, &task, &Facts::unshared());
    let (verdict, with) = run("euf", &functions, &task, &lemmas_alone(&facts, "refine"));
    assert!(matches!(verdict, Verdict::Safe(_)));
    assert!(with.imported().contains(&"refine"), "{:?}", with.imported());
    assert!(with.count("operator_lemmas") < alone.count("operator_lemmas"));
}

/// Publishes a formula as an invariant of every loop head, as another engine would.
fn claim(task: &Task, facts: &Facts, formula: impl Fn(&mut Terms, &[Term]) -> Term) {
    let mut terms = task.terms.clone();
    let blocks = encode::Blocks::new(&task.program, &mut terms, encode::Memory::Anything).expect("there is no memory");
    for cutpoint in blocks.cutpoints.iter().filter(|cutpoint| cutpoint.kind == encode::CutKind::Head) {
        let state: Vec<Term> = cutpoint.state.iter().map(|&var| task.program.vars[var].term).collect();
        let term = formula(&mut terms, &state);
        let fact = Fact { at: Some(cutpoint.loc), term, kind: FactKind::Invariant, source: "another" };
        facts.publish(&terms, &[fact]);
    }
}

#[test]
fn refine_imports_only_facts_that_hold_in_its_own_form_of_the_program() {
    let body = "unsigned x = 3; while (__VERIFIER_nondet_uint()) { x = x * x + 6; if (x == 4) reach_error(); }";
    let low_bits = |of: u64| {
        move |terms: &mut Terms, state: &[Term]| {
            let (three, value) = (terms.bv(32, 3), terms.bv(32, of));
            let low = terms.bv_and(state[0], three);
            terms.eq(low, value)
        }
    };
    // Squares of odd numbers are one modulo eight: the last two bits stay as they are.
    for (of, n_imported) in [(3, 1), (1, 0)] {
        let task = task(body);
        let facts = Facts::new();
        claim(&task, &facts, low_bits(of));
        let (verdict, notes) = run("refine", &Values::default(), &task, &facts);
        assert!(matches!(verdict, Verdict::Safe(_)));
        assert_eq!(notes.imported().iter().filter(|source| **source == "another").count(), n_imported, "{of}");
    }
}

#[test]
fn refine_exports_what_it_proves_in_terms_of_the_shared_program() {
    let body = format!(
        "unsigned w = 0, z = 1; while (__VERIFIER_nondet_uint()) {{ if (w < 10) w = w + 1; else w = 7; if (w > 4) {{ {FAR} }} }}"
    );
    let task = task(&body);
    let facts = Facts::new();
    let settings = with("unwind", "12");
    run("refine", &settings, &task, &facts);
    assert!(sources(&facts).contains(&"refine"), "{:?}", sources(&facts));
}

#[test]
fn explicit_uses_what_others_have_proved_where_it_would_give_up() {
    let body = "unsigned x = 0, y = 0; while (__VERIFIER_nondet_uint()) { x = x + 1; y = y + 2; if (y != 2 * x) reach_error(); }";
    let ticks = 30_000_000;
    let (verdict, _) = run_for(ticks, "explicit", &Values::default(), &task(body), &Facts::unshared());
    assert!(!matches!(verdict, Some(Verdict::Safe(_))));
    let task = task(body);
    let facts = Facts::new();
    claim(&task, &facts, |terms, state| {
        let (a, b) = (terms.bv_add(state[0], state[0]), terms.bv_add(state[1], state[1]));
        let (one, other) = (terms.eq(state[1], a), terms.eq(state[0], b));
        // Whichever of the two comes first.
        let name = terms.to_smtlib(state[0]);
        if name.contains('x') { one } else { other }
    });
    let (verdict, notes) = run_for(ticks, "explicit", &Values::default(), &task, &facts);
    assert!(matches!(verdict, Some(Verdict::Safe(_))));
    assert!(notes.imported().contains(&"another"));
}

#[test]
fn explicit_exports_which_variables_have_few_values() {
    let body = "unsigned m = 0, i = 0; while (__VERIFIER_nondet_uint()) { i = i + 1 + (m & 1); m = m == 0 ? 5 : m == 5 ? 9 : 0;\n\
         if (m == 7 || (i & 1) == 2) reach_error(); }";
    let task = task(body);
    let facts = Facts::new();
    run("explicit", &Values::default(), &task, &facts);
    assert!(sources(&facts).contains(&"explicit"), "{:?}", sources(&facts));
}

#[test]
fn a_proof_keeps_what_it_needs_of_what_is_known_and_nothing_else() {
    let task = task("unsigned x = 0; while (__VERIFIER_nondet_uint()) { x += 2; } if (x & 1) reach_error();");
    let (facts, notes, budget) = (Facts::unshared(), Notes::default(), Budget::default());
    let run = Run { budget: &budget, seed: 0, facts: &facts, observer: &notes, replay: &|_| Ok(()), each: None };
    let (mut terms, blocks) = task.encoded(&run).expect("it is small");
    let has_state = |&(_, cutpoint): &(_, &encode::Cutpoint)| !cutpoint.state.is_empty();
    let (head, cutpoint) = blocks.cutpoints.iter_enumerated().find(has_state).expect("there is a loop");
    let x = task.program.vars[cutpoint.state[0]].term;
    let (last, zero, one) = (terms.extract(x, 0, 0), terms.bv(1, 0), terms.bv(32, 1));
    let (is_even, is_not_one) = (terms.eq(last, zero), terms.ne(x, one));
    let known = vec![(head, is_not_one), (head, is_even)];
    let kept = engine::needed(&mut Context::new(&task, &mut terms, blocks, &run), known).expect("it is not stopped");
    assert_eq!(kept, [(head, is_even)]);
}
