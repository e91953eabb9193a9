//! Suppliers of inputs: scripts, random styles, dictionaries.

use base::Budget;
use term::Term;

use super::super::{Dictionary, Limits, Machine, Outcome, RandomInputs, ScriptedInputs};
use super::{Line, run_with};
use crate::{Action, Program, Shown};

/// A lock: the error is reached when the inputs spell the code, one letter after another, passed
/// through a function; a wrong letter starts again, a letter outside 1..=6 ends the run.
fn lock(code: &[u64]) -> (Program, term::Terms) {
    let mut line = Line::new();
    let int = line.bv(32);
    let state = line.local("state", 32);
    line.set(state, 32, 0);
    let head = line.at;
    let (x, y) = (line.local("x", 32), line.local("y", 32));
    line.havoc(x);
    let f = line.builder.function("letter", None);
    let a = line.builder.param(&mut line.terms, f, "a", int, Shown::Signed, None);
    let r = line.builder.local(&mut line.terms, f, "r", int, Shown::Signed, None);
    line.builder.set_result(f, r);
    let ta = line.term(a);
    let mut guards: Vec<Term> = Vec::new();
    for letter in 1..=6 {
        let constant = line.terms.bv(32, 1000 + letter);
        let guard = line.terms.eq(ta, constant);
        guards.push(guard);
        let at = line.builder.location(f, None);
        line.builder.assume(line.builder.entry_of(f), at, guard, None);
        let value = line.terms.bv(32, letter);
        line.builder.assign(at, line.builder.exit_of(f), r, value, None);
    }
    let tx = line.term(x);
    line.action(Action::Call { function: f, args: vec![tx], result: Some(y) });
    let (ts, ty) = (line.term(state), line.term(y));
    let at = line.at;
    let assertion = line.builder.assertion("locked", None);
    let error = line.builder.error_location(line.main, assertion);
    let mut wrong = Vec::new();
    for (number, &letter) in code.iter().enumerate() {
        let (number, letter) = (number as u64, line.terms.bv(32, letter));
        let here = line.terms.bv(32, number);
        let in_state = line.terms.eq(ts, here);
        let fits = line.terms.eq(ty, letter);
        let both = line.terms.and(&[in_state, fits]);
        wrong.push(line.terms.not(both));
        let next = line.builder.location(line.main, None);
        line.builder.assume(at, next, both, None);
        let target = if number + 1 == code.len() as u64 { error } else { head };
        let value = line.terms.bv(32, number + 1);
        line.builder.assign(next, target, state, value, None);
    }
    let none = line.terms.and(&wrong);
    let next = line.builder.location(line.main, None);
    line.builder.assume(at, next, none, None);
    let zero = line.terms.bv(32, 0);
    line.builder.assign(next, head, state, zero, None);
    line.at = line.builder.location(line.main, None);
    line.returning(state)
}

#[test]
fn the_dictionary_knows_what_an_input_is_compared_with_through_calls() {
    let (program, terms) = lock(&[3, 1]);
    let dictionary = Dictionary::of(&program, &terms);
    let input = program.inputs.ids().next().expect("there is one input");
    assert_eq!(dictionary.of_input(input), &[1001, 1002, 1003, 1004, 1005, 1006]);
    assert!(dictionary.all().contains(&6) && dictionary.all().contains(&1003));
}

#[test]
fn random_inputs_open_a_lock_of_four_letters() {
    let (program, terms) = lock(&[3, 1, 6, 2]);
    let dictionary = Dictionary::of(&program, &terms);
    let mut machine = Machine::new(&program, &terms).expect("the program can be compiled");
    let limits = Limits { edges: 200_000, ..Limits::default() };
    let found = (0..64).find_map(|seed| {
        let run = machine.run(&mut RandomInputs::new(seed, &dictionary), &limits, &Budget::default());
        matches!(run.outcome, Outcome::Error(_)).then_some(run)
    });
    let run = found.expect("some style opens it");
    // The recorded values open it again.
    let again = run_with(&program, &terms, &mut ScriptedInputs::replay(&run.inputs), &limits);
    assert_eq!(again.outcome, run.outcome);
    assert_eq!(again.edges, run.edges);
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let (program, terms) = lock(&[3, 1, 6, 2, 2]);
    let dictionary = Dictionary::of(&program, &terms);
    let limits = Limits { edges: 10_000, ..Limits::default() };
    for seed in 0..40 {
        let run = || run_with(&program, &terms, &mut RandomInputs::new(seed, &dictionary), &limits);
        let (first, second) = (run(), run());
        assert_eq!(first.outcome, second.outcome);
        assert_eq!(first.inputs, second.inputs);
        assert_eq!(first.edges, second.edges);
    }
}

#[test]
fn recorded_inputs_are_bounded() {
    let (program, terms) = lock(&[9, 9]);
    let limits = Limits { edges: 10_000, recorded_inputs: 5, ..Limits::default() };
    let dictionary = Dictionary::of(&program, &terms);
    let run = run_with(&program, &terms, &mut RandomInputs::new(1, &dictionary), &limits);
    assert_eq!(run.inputs.len(), 5);
    assert!(run.n_inputs > 5);
}
