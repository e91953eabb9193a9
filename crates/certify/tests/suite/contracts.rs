//! Contracts written by hand: right ones are accepted, changed ones are refused. Tail calls: the checker's own rule.

use certify::Refusal;
use term::Terms;
use term::smtlib::read_term;
use verdict::{Contract, Proof, Slot};

use crate::case::Case;

/// Contracts in SMT-LIB: function, what it requires, what it ensures; and what names stand for.
type Written<'a> = (&'a str, &'a [&'a str], &'a [&'a str]);

fn slot(case: &Case, name: &str) -> Option<Slot> {
    Some(match name {
        "x" => Slot::Argument(0),
        "y" => Slot::Argument(1),
        "r" => Slot::Result,
        _ => {
            let global = |name: &str| {
                case.program.vars.ids().find(|&var| {
                    let variable = &case.program.vars[var];
                    variable.kind == program::VarKind::Global && variable.name == name
                })
            };
            match name.strip_suffix("_after") {
                Some(name) => Slot::After(global(name)?),
                None => Slot::Before(global(name)?),
            }
        }
    })
}

fn proof(case: &Case, contracts: &[Written<'_>]) -> Proof {
    let mut terms = Terms::new();
    let word = terms.bv_sort(32);
    let mut list = Vec::new();
    for (function, requires, ensures) in contracts {
        let mut slots = Vec::new();
        for name in ["x", "y", "r", "c", "c_after", "d", "d_after"] {
            let function = &case.program.functions[case.function(function)];
            let exists = match slot(case, name) {
                Some(Slot::Argument(place)) => place < function.params.len(),
                Some(Slot::Result) => function.result.is_some(),
                other => other.is_some(),
            };
            let symbol = terms.variable(name, word);
            if exists {
                slots.push((symbol, slot(case, name).expect("it exists")));
            }
        }
        let mut read = |text: &&str| read_term(&mut terms, text).expect("the contract reads");
        list.push(Contract {
            function: case.function(function),
            requires: requires.iter().map(&mut read).collect(),
            ensures: ensures.iter().map(&mut read).collect(),
            slots,
        });
    }
    Proof { terms, contracts: list, ..case.proof_of_nothing() }
}

fn is_accepted(case: &Case, contracts: &[Written<'_>]) -> bool {
    match case.check(proof(case, contracts)) {
        Ok(_) => true,
        Err(Refusal::Open { .. }) => false,
        Err(other) => panic!("{other}"),
    }
}

const IDENTITY: &str = "unsigned f(unsigned n) { return n == 0 ? 0 : f(n - 1) + 1; }
int main(void) { unsigned n = __VERIFIER_nondet_uint(); if (f(n) != n) reach_error(); return 0; }";
const NINETY_ONE: &str = "int f(int n) { return n > 100 ? n - 10 : f(f(n + 11)); }
int main(void) { int n = __VERIFIER_nondet_int(); int r = f(n); if (n <= 100 && r != 91) reach_error(); return 0; }";
const CAPPED: &str = "int f(int n) { if (n == 0) return 0; int r = f(n - 1) + 1; return r > 3 ? 3 : r; }
int main(void) { if (f(__VERIFIER_nondet_int()) == 5) reach_error(); return 0; }";
const COUNTED: &str = "unsigned c, d; void f(unsigned n) { if (n == 0) return; f(n - 1); c++; }
int main(void) { unsigned n = __VERIFIER_nondet_uint(); d = 5; f(n); if (c != n || d != 5) reach_error(); return 0; }";
const HALVED: &str = "int f(int n) { if (n < 0) reach_error(); return n < 2 ? 0 : f(n - 2) + 1; }
int main(void) { int n = __VERIFIER_nondet_int(); if (n >= 0) f(n); return 0; }";

#[test]
fn right_contracts_are_accepted() {
    assert!(is_accepted(&Case::c(IDENTITY), &[("f", &[], &["(= r x)"])]));
    assert!(is_accepted(
        &Case::c(NINETY_ONE),
        &[(
            "f",
            &[],
            &["(=> (bvsgt x #x00000064) (= r (bvsub x #x0000000a)))", "(=> (bvsle x #x00000064) (= r #x0000005b))"]
        )]
    ));
    assert!(is_accepted(&Case::c(CAPPED), &[("f", &[], &["(bvule r #x00000003)"])]));
    assert!(is_accepted(&Case::c(COUNTED), &[("f", &[], &["(= c_after (bvadd c x))"])]));
    assert!(is_accepted(&Case::c(HALVED), &[("f", &["(bvsge x #x00000000)"], &[])]));
}

#[test]
fn a_thousand_changed_contracts_are_refused() {
    let hex = |value: u32| format!("#x{value:08x}");
    let mut n_refused = 0;
    for change in 1..=200u32 {
        for change in [change, change.wrapping_neg()] {
            let identity = format!("(= r (bvadd x {}))", hex(change));
            let ninety_one = format!("(=> (bvsle x #x00000064) (= r {}))", hex(91u32.wrapping_add(change)));
            let counted = format!("(= c_after (bvadd c (bvadd x {})))", hex(change));
            let rest = "(=> (bvsgt x #x00000064) (= r (bvsub x #x0000000a)))";
            assert!(!is_accepted(&Case::c(IDENTITY), &[("f", &[], &[&identity])]), "{identity}");
            assert!(!is_accepted(&Case::c(NINETY_ONE), &[("f", &[], &[rest, &ninety_one])]), "{ninety_one}");
            assert!(!is_accepted(&Case::c(COUNTED), &[("f", &[], &[&counted])]), "{counted}");
            n_refused += 3;
        }
    }
    assert!(n_refused >= 1000);
}

#[test]
fn contracts_that_are_too_weak_or_broken_by_a_caller_are_refused() {
    for contract in [("f", &[][..], &[][..]), ("f", &[], &["(bvuge r #x00000000)"])] {
        assert!(!is_accepted(&Case::c(IDENTITY), &[contract]), "{contract:?}");
    }
    // A bound that the recursion does not keep, and one that says too little.
    assert!(!is_accepted(&Case::c(CAPPED), &[("f", &[], &["(bvule r #x00000002)"])]));
    assert!(!is_accepted(&Case::c(CAPPED), &[("f", &[], &["(bvule r #x00000005)"])]));
    // What is required is not what `main` gives, or not what the function gives itself.
    assert!(!is_accepted(&Case::c(HALVED), &[("f", &["(bvsge x #x00000001)"], &[])]));
    assert!(!is_accepted(&Case::c(HALVED), &[("f", &["(bvsge x #xffffffff)"], &[])]));
    assert!(!is_accepted(&Case::c(HALVED), &[("f", &["(bvsle x #x00001000)"], &[])]));
    // A contract that no return satisfies does not make what follows unreachable.
    assert!(!is_accepted(&Case::c(IDENTITY), &[("f", &[], &["false"])]));
    assert!(!is_accepted(&Case::c(IDENTITY), &[("f", &["false"], &[])]));
}

#[test]
fn what_a_function_changes_is_not_for_the_contract_to_say() {
    // `d` is not written, so its value is known after the call; `c` is, although no contract says so.
    let case = Case::c(
        "unsigned c, d; void f(unsigned n) { if (n == 0) return; c = 7; f(n - 1); n = c; }
int main(void) { d = 5; c = 5; f(__VERIFIER_nondet_uint()); if (d != 5) reach_error(); return 0; }",
    );
    assert!(is_accepted(&case, &[("f", &[], &[])]));
    let case = Case::c(
        "unsigned c, d; void f(unsigned n) { if (n == 0) return; c = 7; f(n - 1); n = c; }
int main(void) { d = 5; c = 5; f(__VERIFIER_nondet_uint()); if (c != 5) reach_error(); return 0; }",
    );
    assert!(!is_accepted(&case, &[("f", &[], &[])]));
    assert!(!is_accepted(&case, &[("f", &[], &["(= c_after c)"])]));
    // The same through a function without a contract.
    let case = Case::c(
        "unsigned c; void g(void) { c = 7; } void f(unsigned n) { if (n == 0) return; g(); f(n - 1); n = c; }
int main(void) { c = 5; f(__VERIFIER_nondet_uint()); if (c != 5) reach_error(); return 0; }",
    );
    assert!(!is_accepted(&case, &[("f", &[], &[])]));
    // Through a pointer: not covered.
    let case = Case::c(
        "int g, *q; void f(int n) { if (n > 0) { *q = 7; f(n - 1); n = *q; } }
int main(void) { g = 5; q = &g; f(__VERIFIER_nondet_int()); if (g != 5) reach_error(); return 0; }",
    );
    assert!(matches!(case.check(proof(&case, &[("f", &[], &[])])), Err(Refusal::Unknown(_))));
}

#[test]
fn contracts_that_do_not_belong_to_the_program_are_refused() {
    let case = Case::c(IDENTITY);
    let right = proof(&case, &[("f", &[], &["(= r x)"])]);
    let is_malformed = |proof: Proof| matches!(case.check(proof), Err(Refusal::Malformed(_)));
    let twice = Proof { contracts: [right.contracts.clone(), right.contracts.clone()].concat(), ..right.clone() };
    assert!(is_malformed(twice));
    let mut unnamed = right.clone();
    unnamed.contracts[0].slots.retain(|(_, slot)| *slot != Slot::Result);
    assert!(is_malformed(unnamed));
    let mut beyond = right.clone();
    beyond.contracts[0].slots[0].1 = Slot::Argument(9);
    assert!(is_malformed(beyond));
    // The result is not known at the call.
    let mut early = right.clone();
    early.contracts[0].requires = early.contracts[0].ensures.clone();
    assert!(is_malformed(early));
    let mut entry = right.clone();
    entry.contracts[0].function = case.program.entry.expect("there is an entry");
    assert!(is_malformed(entry));
}

#[test]
fn a_program_made_of_contracts_may_be_proved_by_execution() {
    let by_runs = |case: &Case, contracts: &[Written<'_>]| {
        case.check(Proof { method: verdict::Method::Unrolling { questions: 0 }, ..proof(case, contracts) })
    };
    let constant = Case::c(
        "int f(int n) { if (n <= 0) return 0; return f(n - 1); }
int main(void) { if (f(__VERIFIER_nondet_int()) != 0) reach_error(); return 0; }",
    );
    assert!(by_runs(&constant, &[("f", &[], &["(= r #x00000000)"])]).is_ok());
    for contract in [&["(= r #x00000001)"][..], &["(bvsge r #x00000000)"], &[], &["false"]] {
        assert!(by_runs(&constant, &[("f", &[], contract)]).is_err(), "{contract:?}");
    }
    // One run is not all of them.
    let case = Case::c(IDENTITY);
    let one_run =
        Proof { method: verdict::Method::Execution { edges: 3 }, ..proof(&case, &[("f", &[], &["(= r x)"])]) };
    assert!(case.check(one_run).is_err());
}

#[test]
fn a_tail_call_is_a_loop_for_the_checker() {
    let case = Case::c(
        "unsigned f(unsigned n, unsigned m) { if (n == 0) return m; return f(n - 1, m + 1); }
int main(void) { if (f(__VERIFIER_nondet_uint(), 1) == 0 && 0) reach_error(); return 0; }",
    );
    let function = case.function("f");
    let entry = case.program.functions[function].entry;
    let first = case.call("__start", "main");
    let frame = program::Frame(vec![first, case.call("main", "f")]);
    assert!(case.check(Proof { ..at(&case, frame, entry) }).is_ok());
    // Without an invariant at the entry nothing cuts the loop.
    assert!(matches!(case.check(case.proof_of_nothing()), Err(Refusal::Uncut { .. })));
}

fn at(case: &Case, frame: program::Frame, loc: program::Loc) -> Proof {
    let mut proof = case.proof_of_nothing();
    let truth = proof.terms.truth(true);
    proof.invariants.push((program::Point { frame, loc }, truth));
    proof
}

#[test]
fn a_call_after_which_something_is_left_to_do_is_no_tail_call() {
    for text in [
        // Each activation has an object of its own, which the callee reads.
        "int f(int *p, int n) { int x = n; if (n == 0) return *p; return f(&x, n - 1); }
int main(void) { int y = 9; if (f(&y, __VERIFIER_nondet_int()) == 0) reach_error(); return 0; }",
        // The result is changed.
        "int f(int n) { if (n == 0) return 0; return f(n - 1) + 1; }
int main(void) { if (f(__VERIFIER_nondet_int()) == 7) reach_error(); return 0; }",
        // The result goes to a variable that others see.
        "int g; int f(int n) { if (n == 0) return 0; g = f(n - 1); return g; }
int main(void) { f(__VERIFIER_nondet_int()); if (g == 7) reach_error(); return 0; }",
    ] {
        let case = Case::c(text);
        // Recursion that the evidence does not end: there is no loop that an invariant could cut.
        let frame = program::Frame(vec![case.call("__start", "main"), case.call("main", "f")]);
        let entry = case.program.functions[case.function("f")].entry;
        assert!(matches!(case.check(at(&case, frame, entry)), Err(Refusal::Unknown(_))), "{text}");
    }
}
