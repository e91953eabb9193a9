//! Induction over several steps, and exhaustion.

use crate::case::Case;
use certify::Refusal;
use verdict::Method;

const TOGGLE: &str = "int main(void) { unsigned a = 0, b = 1, c = 2; while (__VERIFIER_nondet_int()) { unsigned t = a; a = b; b = c; c = t;
    if (a == 3) reach_error(); } return 0; }";

#[test]
fn what_is_not_inductive_in_one_step_may_be_in_three() {
    let case = Case::c(TOGGLE);
    let head = case.at("main", 0);
    // Nothing is said of b and c, so one step forgets them; over three steps they have been a themselves.
    let text = "(not (= main.a #x00000003))";
    for (depth, is_accepted) in [(1, false), (2, false), (3, true), (4, true)] {
        let mut proof = case.proof(&[(head.clone(), text)]);
        proof.method = Method::Induction { depth };
        assert_eq!(case.check(proof).is_ok(), is_accepted, "depth {depth}");
    }
    let mut none = case.proof(&[(head.clone(), text)]);
    none.method = Method::Induction { depth: 0 };
    assert!(matches!(case.check(none), Err(Refusal::Malformed(_))));
    // The first steps from the start count: here the error comes in the second.
    let mut wrong = case.proof(&[(head, "(not (= main.a #x00000002))")]);
    wrong.method = Method::Induction { depth: 3 };
    assert!(matches!(case.check(wrong), Err(Refusal::Open { .. })));
}
#[test]
fn a_loop_that_ends_is_exhausted() {
    let case = Case::c(
        "int main(void) { unsigned n = __VERIFIER_nondet_uint(), s = 0; if (n > 3) return 0;
         while (n > 0) { s = s + n; n = n - 1; } if (s > 6) reach_error(); return 0; }",
    );
    let head = case.at("main", 0);
    // The entry, the head, and three rounds.
    for (steps, is_accepted) in [(0, false), (1, false), (3, false), (4, true), (9, true)] {
        let mut proof = case.proof(&[(head.clone(), "(bvule main.n #x00000003)")]);
        proof.method = Method::Exhaustion { steps };
        assert_eq!(case.check(proof).is_ok(), is_accepted, "{steps} steps");
    }
    let mut wrong = case.proof(&[(head, "(bvule main.s #x00000005)")]);
    wrong.method = Method::Exhaustion { steps: 9 };
    assert!(matches!(case.check(wrong), Err(Refusal::Open { .. })));
}
#[test]
fn an_error_at_depth_is_not_exhausted_away() {
    let case = Case::c("int main(void) { unsigned n = 0; while (n < 3) n++; if (n == 3) reach_error(); return 0; }");
    for steps in 0..8 {
        let mut proof = case.proof(&[(case.at("main", 0), "true")]);
        proof.method = Method::Exhaustion { steps };
        assert!(matches!(case.check(proof), Err(Refusal::Open { .. } | Refusal::Endless { .. })), "{steps} steps");
    }
}
#[test]
fn what_is_inductive_needs_no_count_of_steps() {
    let case = Case::c("int main(void) { int x = 0; while (1) { x = 1 - x; if (x > 1) reach_error(); x = 1 - x; } }");
    let mut proof = case.proof(&[(case.at("main", 0), "(= main.x #x00000000)")]);
    proof.method = Method::Exhaustion { steps: 2 };
    let safety = case.check(proof).expect("the loop never ends, but the invariant is inductive");
    assert_eq!(safety.method, Method::Induction { depth: 1 });
    let mut proof = case.proof(&[(case.at("main", 0), "(bvule main.x #x00000001)")]);
    proof.method = Method::Exhaustion { steps: 2 };
    case.check(proof.clone()).expect("so is this");
    let mut proof = case.proof(&[(case.at("main", 0), "true")]);
    proof.method = Method::Exhaustion { steps: 2 };
    assert!(matches!(case.check(proof), Err(Refusal::Endless { .. })));
}
#[test]
fn loops_that_cannot_lead_to_an_error_need_not_end() {
    let case = Case::c(
        "int main(void) { unsigned n = 0, idle = 7; while (n < 2) n++; if (n != 2) reach_error();
         while (1) idle = 7; }",
    );
    let (head, idle) = (case.at("main", 0), case.at("main", 1));
    let exhausted = |steps, said| {
        let mut proof = case.proof(&[(head.clone(), "true"), (idle.clone(), said)]);
        proof.method = Method::Exhaustion { steps };
        case.check(proof)
    };
    for (steps, is_accepted) in [(1, false), (2, false), (3, true), (7, true)] {
        assert_eq!(exhausted(steps, "true").is_ok(), is_accepted, "{steps} steps");
    }
    assert_eq!(exhausted(3, "true").expect("accepted").method, Method::Exhaustion { steps: 3 });
    // What is said of the idle loop must still be true.
    assert!(exhausted(5, "(= main.idle #x00000007)").is_ok());
    assert!(exhausted(5, "(= main.idle #x00000008)").is_err());
    assert!(exhausted(5, "(= main.n #x00000003)").is_err());
}
