//! Invariants about every cell of an array: proved for any value, used at the places that the evidence names.

use certify::Refusal;
use program::{Instance, Storage};
use verdict::Proof;

use crate::case::Case;

/// A proof with an invariant at each loop, about the array `a` of bytes as `array` and any cell `k`; used at these places.
fn proof(case: &Case, invariants: &[&str], places: &[&[&str]]) -> Proof {
    let mut proof = case.proof(&[]);
    let object = case.program.objects.ids().find(|&id| case.program.objects[id].name == "a").expect("there is one");
    let storage = Storage::Array { object, element: 1 };
    let (index, element) = (proof.terms.bv_sort(32), proof.terms.bv_sort(8));
    let sort = proof.terms.sort(term::SortKind::Array(index, element));
    proof.symbols.push((proof.terms.variable("array", sort), Instance { frame: Default::default(), storage }));
    proof.bound.push(proof.terms.variable("k", index));
    let mut read = |text: &str| term::smtlib::read_term(&mut proof.terms, text).expect("it reads");
    for (number, text) in invariants.iter().enumerate() {
        proof.invariants.push((case.at("main", number), read(text)));
    }
    for (number, texts) in places.iter().enumerate() {
        proof.places.extend(texts.iter().map(|text| (case.at("main", number), read(text))));
    }
    proof
}

/// Fills an array of unknown contents, and asks about each cell.
fn filled(condition: &str) -> Case {
    Case::c(&format!(
        "unsigned char a[1000];
         int main(void) {{ unsigned i, n = __VERIFIER_nondet_uint() % 1000;
           for (i = 0; i < n; i++) a[i] = 7;
           for (i = 0; i < n; i++) if ({condition}) reach_error();
           return 0; }}"
    ))
}
const BOUNDED: &str = "(bvult main.n #x000003e8)";
const FILLED: &str = "(or (not (bvult k main.i)) (= (select array k) #x07))";
const FULL: &str = "(or (not (bvult k main.n)) (= (select array k) #x07))";

#[test]
fn what_holds_of_every_cell_that_a_loop_has_passed_is_proved_and_used() {
    let case = filled("a[i] != 7");
    let (first, second) =
        (format!("(and {BOUNDED} (bvule main.i main.n) {FILLED})"), format!("(and {BOUNDED} {FULL})"));
    case.check(proof(&case, &[&first, &second], &[&[], &["main.i"]])).expect("it is a proof");
    // The same formula about one unconstrained place is no proof: the symbol must be bound.
    let mut unbound = proof(&case, &[&first, &second], &[&[], &["main.i"]]);
    unbound.bound.clear();
    assert!(matches!(case.check(unbound), Err(Refusal::Malformed(_))));
    // Nor does it help to know of any cell if it is not used for the one that is read.
    let unused = proof(&case, &[&first, &second], &[&["main.i"], &["main.n"]]);
    assert!(matches!(case.check(unused), Err(Refusal::Open { .. })));
}
#[test]
fn wrong_claims_about_cells_are_refused() {
    let case = filled("a[i] != 7");
    let whole = |first: &str, second: &str| {
        let (first, second) =
            (format!("(and {BOUNDED} (bvule main.i main.n) {first})"), format!("(and {BOUNDED} {second})"));
        proof(&case, &[&first, &second], &[&["main.i", "main.n", "k"], &["main.i", "main.n", "k"]])
    };
    case.check(whole(FILLED, FULL)).expect("the right one is a proof");
    let wrong = [
        // One cell too many, none left out, another value, all cells.
        (FILLED.replace("(not (bvult k main.i))", "(not (bvule k main.i))"), FULL.to_owned()),
        (FILLED.to_owned(), FULL.replace("(not (bvult k main.n))", "(not (bvule k main.n))")),
        (FILLED.replace("#x07", "#x08"), FULL.to_owned()),
        (FILLED.to_owned(), FULL.replace("#x07", "#x08")),
        (FILLED.to_owned(), "(= (select array k) #x07)".to_owned()),
        ("(= (select array k) #x07)".to_owned(), FULL.to_owned()),
        // What contradicts itself for some value holds nowhere, however convenient it is.
        ("(= k #x00000000)".to_owned(), FULL.to_owned()),
        (FILLED.to_owned(), "(not (= k main.i))".to_owned()),
        (FILLED.to_owned(), "(bvult k main.i)".to_owned()),
        // Too little.
        ("true".to_owned(), FULL.to_owned()),
        (FILLED.to_owned(), "true".to_owned()),
    ];
    for (first, second) in wrong {
        assert!(matches!(case.check(whole(&first, &second)), Err(Refusal::Open { .. })), "{first} / {second}");
    }
}
#[test]
fn the_value_in_question_is_one_for_all_steps_of_an_induction() {
    let case = filled("a[i] != 7");
    let (first, second) =
        (format!("(and {BOUNDED} (bvule main.i main.n) {FILLED})"), format!("(and {BOUNDED} {FULL})"));
    for (text, is_right) in [(&second, true), (&second.replace("#x07", "#x08"), false)] {
        let mut deep = proof(&case, &[&first, text], &[&["main.i"], &["main.i"]]);
        deep.method = verdict::Method::Induction { depth: 2 };
        assert_eq!(case.check(deep).is_ok(), is_right, "{text}");
    }
}
#[test]
fn programs_that_are_not_so_have_no_such_proof() {
    let (first, second) =
        (format!("(and {BOUNDED} (bvule main.i main.n) {FILLED})"), format!("(and {BOUNDED} {FULL})"));
    let case = filled("a[i] == 7");
    assert!(case.check(proof(&case, &[&first, &second], &[&["main.i"], &["main.i"]])).is_err());
    // The cell after the last one.
    let case = filled("a[i + 1] != 7");
    assert!(case.check(proof(&case, &[&first, &second], &[&["main.i"], &["(bvadd main.i #x00000001)"]])).is_err());
    // A cell is overwritten in between.
    let text = "unsigned char a[1000];
        int main(void) { unsigned i, n = __VERIFIER_nondet_uint() % 1000;
          for (i = 0; i < n; i++) a[i] = 7;
          unsigned char *p = &a[n / 2]; *p = 8;
          for (i = 0; i < n; i++) if (a[i] != 7) reach_error();
          return 0; }";
    let case = Case::c(text);
    assert!(case.check(proof(&case, &[&first, &second], &[&["main.i"], &["main.i"]])).is_err());
}
#[test]
fn a_bound_symbol_stands_for_nothing_else() {
    let case = filled("a[i] != 7");
    let (first, second) =
        (format!("(and {BOUNDED} (bvule main.i main.n) {FILLED})"), format!("(and {BOUNDED} {FULL})"));
    let right = proof(&case, &[&first, &second], &[&[], &["main.i"]]);
    let is_malformed = |proof: Proof| matches!(case.check(proof), Err(Refusal::Malformed(_)));
    // A variable of the program,
    let mut wrong = right.clone();
    wrong.bound.push(wrong.symbols[0].0);
    assert!(is_malformed(wrong));
    // the same symbol twice,
    let mut wrong = right.clone();
    wrong.bound.push(wrong.bound[0]);
    assert!(is_malformed(wrong));
    // a term that is no symbol,
    let mut wrong = right.clone();
    wrong.bound.push(wrong.terms.bv(32, 3));
    assert!(is_malformed(wrong));
    // and places where no invariant is.
    let mut wrong = right.clone();
    let nowhere = program::Point { frame: Default::default(), loc: base::Id::new(0) };
    wrong.places.push((nowhere, wrong.bound[0]));
    assert!(is_malformed(wrong));
}
