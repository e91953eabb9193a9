//! Invariants about what loops add up: functions that the evidence defines, and the laws that hold of them.

use certify::Refusal;
use program::{Instance, Storage};
use term::SortKind;
use term::smtlib::read_term;
use term::totals::Total;
use verdict::Proof;

use crate::case::Case;

/// Adds up bytes, and takes away what the last loop says.
fn summed(last: &str) -> Case {
    Case::c(&format!(
        "unsigned char a[1000];
         int main(void) {{ unsigned i, n = __VERIFIER_nondet_uint() % 1000, s = 0;
           for (i = 0; i < n; i++) s += a[i];
           for (i = 0; i < n; i++) {last};
           if (s != 0) reach_error();
           return 0; }}"
    ))
}
const BOUNDED: &str = "(bvult main.n #x000003e8) (bvule main.i main.n)";
const ADDED: &str = "(= main.s (total array main.i))";
const LEFT: &str = "(= main.s (bvsub (total array main.n) (total array main.i)))";

/// A proof with these invariants at the two loops, where `total` adds up the bytes of `a`.
fn proof(case: &Case, first: &str, second: &str) -> Proof {
    let mut proof = case.proof(&[]);
    let object = case.program.objects.ids().find(|&id| case.program.objects[id].name == "a").expect("there is one");
    let storage = Storage::Array { object, element: 1 };
    let terms = &mut proof.terms;
    let (word, byte) = (terms.bv_sort(32), terms.bv_sort(8));
    let sort = terms.sort(SortKind::Array(word, byte));
    proof.symbols.push((terms.variable("array", sort), Instance { frame: Default::default(), storage }));
    let function = terms.declare("total", &[sort, word], word).expect("the name is free");
    let (counter, cell, place) =
        (terms.variable("counter", word), terms.variable("cell", byte), terms.variable("place", word));
    let (summand, limit) = (terms.zero_extend_to(cell, 32), terms.bv(32, 1 << 31));
    let (index, position) = (counter, place);
    let is_xor = false;
    proof.totals.push(Total { function, counter, cell, index, summand, place, position, limit, is_xor });
    for (number, text) in [first, second].into_iter().enumerate() {
        let text = format!("(and {BOUNDED} {text})");
        proof.invariants.push((case.at("main", number), read_term(&mut proof.terms, &text).expect("it reads")));
    }
    proof
}

#[test]
fn what_is_added_is_taken_away_again() {
    let case = summed("s -= a[i]");
    case.check(proof(&case, ADDED, LEFT)).expect("it is a proof");
    // What is behind the counter may change.
    let case = summed("(s -= a[i], a[i] = 1)");
    case.check(proof(&case, ADDED, LEFT)).expect("it is a proof");
}
#[test]
fn wrong_claims_about_sums_are_refused() {
    let case = summed("s -= a[i]");
    let wrong = [
        (ADDED.replace("main.i", "main.n"), LEFT.to_owned()),
        (ADDED.to_owned(), LEFT.replace("bvsub", "bvadd")),
        (ADDED.to_owned(), LEFT.replace("(total array main.i)", "(total array (bvadd main.i #x00000001))")),
        (ADDED.to_owned(), "(= main.s #x00000000)".to_owned()),
        ("true".to_owned(), LEFT.to_owned()),
        (ADDED.to_owned(), "true".to_owned()),
    ];
    for (first, second) in wrong {
        assert!(matches!(case.check(proof(&case, &first, &second)), Err(Refusal::Open { .. })), "{first} / {second}");
    }
    // Another total, under which the same text says something else.
    let mut other = proof(&case, ADDED, LEFT);
    other.totals[0].is_xor = true;
    assert!(matches!(case.check(other), Err(Refusal::Open { .. })));
    // Without a definition it is any function.
    let mut undefined = proof(&case, ADDED, LEFT);
    undefined.totals.clear();
    assert!(matches!(case.check(undefined), Err(Refusal::Open { .. })));
}
#[test]
fn programs_that_are_not_so_have_no_such_proof() {
    let others = ["s -= a[0]", "s -= a[i] + 1", "s -= a[i + 1]", "(a[i] = 1, s -= a[i])", "(a[n - 1] = 0, s -= a[i])"];
    for last in others {
        let case = summed(last);
        assert!(case.check(proof(&case, ADDED, LEFT)).is_err(), "{last}");
    }
}
#[test]
fn a_write_changes_the_sum_by_what_it_changes() {
    // The second loop swaps its cell with the first one.
    let text = |last: &str| {
        format!(
            "unsigned char a[1000];
             int main(void) {{ unsigned i, n = 1 + __VERIFIER_nondet_uint() % 999, s = 0, t = 0;
               for (i = 0; i < n; i++) s += a[i];
               unsigned char kept = a[0]; a[0] = a[n - 1]; a[n - 1] = {last};
               for (i = 0; i < n; i++) t += a[i];
               if (s != t) reach_error();
               return 0; }}"
        )
    };
    let second = "(= main.s (total array main.n)) (= main.t (total array main.i))";
    let bounded = |text: &str| format!("(bvult #x00000000 main.n) {text}");
    let (first, second) = (bounded(&format!("(= main.t #x00000000) {ADDED}")), bounded(second));
    let case = Case::c(&text("kept"));
    case.check(proof(&case, &first, &second)).expect("it is a proof");
    for last in ["a[0]", "kept + 1", "0"] {
        let case = Case::c(&text(last));
        assert!(case.check(proof(&case, &first, &second)).is_err(), "{last}");
    }
}
#[test]
fn totals_that_their_laws_do_not_fit_are_refused() {
    let case = summed("s -= a[i]");
    let refused = |change: &dyn Fn(&mut Proof)| {
        let mut proof = proof(&case, ADDED, LEFT);
        change(&mut proof);
        assert!(matches!(case.check(proof), Err(Refusal::Malformed(_))));
    };
    // Two counters for one cell.
    refused(&|proof| {
        let two = proof.terms.bv(32, 2);
        let total = proof.totals[0].clone();
        proof.totals[0].index = proof.terms.make(term::Op::BvMul, &[total.counter, two]);
        let one = proof.terms.bv(32, 1);
        proof.totals[0].position = proof.terms.bv_lshr(total.place, one);
        proof.totals[0].limit = proof.terms.bv(32, (1 << 31) + 1);
    });
    refused(&|proof| proof.totals[0].position = proof.terms.bv(32, 0));
    // The same function twice, a summand of something else, a limit that is no constant, terms of another store.
    refused(&|proof| proof.totals.push(proof.totals[0].clone()));
    refused(&|proof| proof.totals[0].summand = proof.symbols[0].0);
    refused(&|proof| proof.totals[0].limit = proof.totals[0].counter);
    refused(&|proof| {
        for _ in 0..1000 {
            let word = proof.terms.bv_sort(32);
            let name = format!("more {}", proof.terms.len());
            proof.totals[0].summand = proof.terms.variable(&name, word);
        }
        proof.terms = case.terms.clone();
        proof.symbols.clear();
        proof.invariants.clear();
    });
}
#[test]
fn a_function_of_the_program_is_no_total() {
    let case = summed("s -= a[i]");
    let proof = proof(&case, ADDED, LEFT);
    let Case { program, mut terms } = summed("s -= a[i]");
    let (word, byte) = (terms.bv_sort(32), terms.bv_sort(8));
    let sort = terms.sort(SortKind::Array(word, byte));
    terms.declare("total", &[sort, word], word).expect("the name is free");
    let case = Case { program, terms };
    assert!(matches!(case.check(proof), Err(Refusal::Malformed(_))));
}
