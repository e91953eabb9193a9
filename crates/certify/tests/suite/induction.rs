//! Induction over one step.

use crate::case::Case;
use certify::{Refusal, Rung};
use program::Point;
use verdict::Code;

const COUNT: &str = "int main(void) { unsigned char i = 0; unsigned char n = __VERIFIER_nondet_uint();
    while (i < 10) { i++; } if (i != 10) reach_error(); return 0; }";

#[test]
fn a_counter_that_stays_in_bounds_is_safe() {
    let case = Case::c(COUNT);
    let safety = case.check(case.proof(&[(case.at("main", 0), "(bvule main.i #x0a)")])).expect("this is inductive");
    // From the head to itself and to the error; that zero is in bounds needs no proof.
    assert_eq!(safety.obligations.len(), 2);
}
#[test]
fn what_single_bits_say_is_checked_in_bits() {
    let case = Case::c(
        "int main(void) { unsigned char i = 0; while (__VERIFIER_nondet_uint()) { i = (i ^ 8) + 20; } if (i & 3) reach_error(); return 0; }",
    );
    let safety = case.check(case.proof(&[(case.at("main", 0), "(= ((_ extract 1 0) main.i) #b00)")]));
    let safety = safety.expect("both leave the lowest bits alone");
    assert!(safety.obligations.iter().any(|checked| checked.rung > Rung::Equality));
}
#[test]
fn a_bound_that_is_too_small_or_too_large_is_refused() {
    let case = Case::c(COUNT);
    for wrong in ["(bvule main.i #x09)", "(bvule main.i #x0b)", "true", "(= main.i #x00)"] {
        let refusal = case.check(case.proof(&[(case.at("main", 0), wrong)])).expect_err(wrong);
        assert!(matches!(refusal, Refusal::Open { .. }), "{wrong}: {refusal}");
    }
}
#[test]
fn a_loop_without_an_invariant_is_named() {
    let case = Case::c(COUNT);
    assert!(matches!(case.check(case.proof(&[])), Err(Refusal::Uncut { .. })));
}
#[test]
fn an_invariant_of_another_program_is_refused() {
    let case = Case::c(COUNT);
    let elsewhere = Point { frame: case.frames("__start")[0].clone(), loc: case.head("main", 0) };
    assert!(matches!(case.check(case.proof(&[(elsewhere, "true")])), Err(Refusal::Malformed(_))));
    let nowhere = Point { loc: base::Id::new(10_000), ..case.at("main", 0) };
    assert!(matches!(case.check(case.proof(&[(nowhere, "true")])), Err(Refusal::Malformed(_))));
    let mut nameless = case.proof(&[(case.at("main", 0), "(bvule main.i #x0a)")]);
    nameless.symbols.clear();
    assert!(matches!(case.check(nameless), Err(Refusal::Malformed(_))));
}
#[test]
fn two_activations_of_one_loop_have_their_own_invariants() {
    let case = Case::c(
        "unsigned up(unsigned from, unsigned to) { while (from < to) from++; return from; }
         int main(void) { unsigned a = up(0, 5), b = up(3, 7); if (a != 5 || b != 7) reach_error(); return 0; }",
    );
    let frames = case.frames("up");
    let head = case.head("up", 0);
    let first = Point { frame: frames[0].clone(), loc: head };
    let second = Point { frame: frames[1].clone(), loc: head };
    let (one, two) = (
        "(and (= up.to #x00000005) (bvule up.from up.to))",
        "(and (= up.to@1 #x00000007) (bvule up.from@1 up.to@1) (= main.a #x00000005))",
    );
    case.check(case.proof(&[(first.clone(), one), (second.clone(), two)])).expect("both are inductive");
    // The second needs to know what the first call returned; the copies do not share it.
    let forgotten = "(and (= up.to@1 #x00000007) (bvule up.from@1 up.to@1))";
    assert!(case.check(case.proof(&[(first.clone(), one), (second.clone(), forgotten)])).is_err());
    assert!(case.check(case.proof(&[(first.clone(), two), (second, one)])).is_err());
    assert!(matches!(case.check(case.proof(&[(first, one)])), Err(Refusal::Uncut { .. })));
}
#[test]
fn a_jump_into_a_loop_is_cut_anywhere_on_the_cycle() {
    let case = Case::c(
        "int main(void) { unsigned x = 0; int go = __VERIFIER_nondet_int(); if (go) goto inside;
           again: if (x > 20) goto out; inside: x = x + 2; if (x < 30) goto again;
           out: if (x & 1) reach_error(); return 0; }",
    );
    let main = case.frames("main")[0].clone();
    let even = "(= ((_ extract 0 0) main.x) #b0)";
    let mut accepted = 0;
    for loc in case.program.locations.ids() {
        if case.program.locations[loc].function != case.function("main") {
            continue;
        }
        let point = Point { frame: main.clone(), loc };
        match case.check(case.proof(&[(point.clone(), even)])) {
            Ok(_) => accepted += 1,
            // Before the first assignment nothing is known of x, and elsewhere the loop is not cut.
            Err(Refusal::Uncut { .. } | Refusal::Open { .. }) => {}
            Err(other) => panic!("{other}"),
        }
        let odd = "(= ((_ extract 0 0) main.x) #b1)";
        assert!(case.check(case.proof(&[(point, odd)])).is_err());
    }
    assert!(accepted >= 3, "{accepted}");
}
#[test]
fn both_ways_of_a_free_choice_are_taken() {
    // Two enabled edges that meet again: a choice must not hide one of the states.
    let case = Case::cfa(
        "cfa 1\npointer 32\nentry main\nassertion 1 \"x\"\n\
         function main () entry L0 exit L1 {\n  local main.x (_ BitVec 8) unsigned\n\
           at L0\n    assume true -> L2\n    assume true -> L3\n  at L1\n\
           at L2\n    assign main.x := #x01 -> L4\n  at L3\n    assign main.x := #x02 -> L4\n\
           at L4\n    assume (= main.x #x02) -> L5\n    assume (not (= main.x #x02)) -> L1\n  at L5 error 1\n}\n",
    );
    assert!(matches!(case.check(case.proof(&[])), Err(Refusal::Open { assertion: Some(_), .. })));
}
#[test]
fn a_lock_around_products_needs_no_arithmetic() {
    let case = Case::c(
        "int main(void) { int locked = 0; unsigned long long a = __VERIFIER_nondet_ulonglong(), b = __VERIFIER_nondet_ulonglong(), c = 1;
         while (1) { if (locked != 0) reach_error(); locked = 1; c = c * a / (b | 1); unsigned long long old = c;
            if (a * b > c) { locked = 0; c = c % b * a; old++; }
            if (c != old) { continue_: locked = 0; } else { locked = 0; } a = a * c; b = b / 3 * c; } }",
    );
    let proof = case.proof(&[(case.at("main", 0), "(= main.locked #x00000000)")]);
    let safety = case.check(proof).expect("the lock is free at the head");
    assert!(safety.obligations.iter().all(|checked| checked.rung == Rung::Equality));
}
#[test]
fn recursion_is_refused_unless_the_evidence_ends_it() {
    let case = Case::c(
        "unsigned down(unsigned n) { if (n == 0) return 0; return down(n - 1) & 1; }
         int main(void) { if (down(1) != 0) reach_error(); return 0; }",
    );
    assert!(matches!(case.check(case.proof_of_nothing()), Err(Refusal::Unknown(why)) if why.code == Code::Recursion));
    // Two activations are needed; the entry of the third is never reached.
    let start = program::Frame::default().callee(case.call("__start", "main"));
    let down = case.call("down", "down");
    let third = start.callee(case.call("main", "down")).callee(down).callee(down);
    let point = Point { frame: third, loc: case.program.functions[case.function("down")].entry };
    let mut proof = case.proof_of_nothing();
    let no = proof.terms.truth(false);
    proof.invariants.push((point.clone(), no));
    case.check(proof.clone()).expect("the third activation is never entered");
    // One level earlier it is entered.
    proof.invariants[0].0.frame.0.pop();
    assert!(matches!(case.check(proof), Err(Refusal::Open { .. })));
}
#[test]
fn a_lemma_saves_the_bits_and_a_wrong_one_is_refused() {
    let case = Case::c(
        "int main(void) { unsigned char x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint(), r = 0;
         if (y == 0) return 0; while (__VERIFIER_nondet_int()) { r = (unsigned)x % (unsigned)y; x = x + 3; }
         if ((unsigned)r >= (unsigned)y && r != 0) reach_error(); return 0; }",
    );
    let rest = "((_ extract 7 0) (bvurem ((_ zero_extend 24) a) ((_ zero_extend 24) b)))";
    let right = format!("(or (= b #x00) (bvult ((_ zero_extend 24) {rest}) ((_ zero_extend 24) b)))");
    let invariant = "(and (not (= main.y #x00)) (or (= main.r #x00)
        (bvult ((_ zero_extend 24) main.r) ((_ zero_extend 24) main.y))))";
    let with = |lemma: &str| {
        let mut proof = case.proof(&[(case.at("main", 0), invariant)]);
        let sort = proof.terms.bv_sort(8);
        proof.terms.variable("a", sort);
        proof.terms.variable("b", sort);
        let lemma = term::smtlib::read_term(&mut proof.terms, lemma).expect("the lemma reads");
        proof.lemmas.push(lemma);
        proof
    };
    let safety = case.check(with(&right)).expect("the remainder is less than the divisor");
    assert_eq!(safety.lemmas, 1);
    assert!(safety.obligations.iter().all(|checked| checked.rung == Rung::Equality), "{:?}", safety.obligations);
    let wrong = format!("(or (= b #x00) (bvult ((_ zero_extend 24) {rest}) ((_ zero_extend 24) a)))");
    assert_eq!(case.check(with(&wrong)).map(|_| ()), Err(Refusal::BadLemma(0)));
}
#[test]
fn a_budget_that_runs_out_accepts_nothing() {
    let case = Case::c(COUNT);
    let proof = case.proof(&[(case.at("main", 0), "(bvule main.i #x0a)")]);
    let mut stopped = 0;
    for ticks in [0, 1, 5, 10, 50] {
        let budget = base::Budget::ticks(ticks, std::sync::Arc::default());
        let answer =
            certify::certify(&case.program, &case.terms, &verdict::Verdict::Safe(Box::new(proof.clone())), &budget);
        stopped += u32::from(matches!(answer, Err(Refusal::Stopped(_))));
    }
    assert_eq!(stopped, 5);
}
#[test]
fn scripts_for_another_solver_say_what_must_not_be() {
    let case = Case::c(COUNT);
    let proof = case.proof(&[(case.at("main", 0), "(bvule main.i #x0a)")]);
    let scripts = certify::second_opinion(&case.program, &case.terms, &proof, proof.method, &base::Budget::default())
        .expect("they print");
    // From the head to itself and to the error; that zero is in bounds is computed.
    assert_eq!(scripts.len(), 2);
    for script in &scripts {
        let mut terms = term::Terms::new();
        let commands = term::smtlib::read_script(&mut terms, &script.script).expect("they read");
        assert!(commands.contains(&term::smtlib::Command::CheckSat));
    }
    assert_eq!(scripts.iter().filter(|script| script.assertion.is_some()).count(), 1);
}
#[test]
fn a_lock_around_products_is_certified_in_under_a_tenth_of_a_second() {
    let mut body = String::new();
    for i in 0..8 {
        body += &format!(
            "if (locked != 0) reach_error(); locked = 1; a = a * c + {i}; b = b / (a | 1) * c; c = c % (b | 1) * a;
             if (a * b > c) {{ locked = 0; c = a / (b | 1); }} else {{ c = c * c; locked = 0; }}\n"
        );
    }
    let case = Case::c(&format!(
        "int main(void) {{ int locked = 0; unsigned long long a = __VERIFIER_nondet_ulonglong(), b = __VERIFIER_nondet_ulonglong(), c = 1;
         while (1) {{ {body} }} }}"
    ));
    let proof = case.proof(&[(case.at("main", 0), "(= main.locked #x00000000)")]);
    let start = std::time::Instant::now();
    let safety = case.check(proof).expect("the lock is free at the head");
    let seconds = start.elapsed().as_secs_f64();
    println!("{} obligations in {seconds:.4} s", safety.obligations.len());
    assert!(safety.obligations.iter().all(|checked| checked.rung == Rung::Equality));
    // Unoptimised and beside other tests it may take longer.
    let limit = if cfg!(debug_assertions) { 5.0 } else { 0.1 };
    assert!(seconds < limit, "{seconds} s");
}
