//! The exercise of docs/extending.md: the engine keeps the contract of all engines, and with the domain it proves a loop.

use base::Budget;
use domain_intervals::INTERVALS;
use engine::EngineInfo;
use engine_straight::{STRAIGHT, Straight};
use testkit::contract::{task, verdict_of};
use verdict::Verdict;

testkit::engine_contract!(straight: engine_straight::STRAIGHT);

/// The same engine with one row in its table of sources.
const WITH_INTERVALS: EngineInfo =
    EngineInfo { name: "straight-intervals", make: |_| Ok(Box::new(Straight { sources: &[INTERVALS] })), ..STRAIGHT };

const LOOP: &str = "unsigned n = __VERIFIER_nondet_uint(), i = 0; while (i < 100) { i = i + 1; if (n == i) n = 0; } \
    if (i > 100) reach_error();";

fn is_proved(info: &EngineInfo, body: &str) -> bool {
    let task = task(body);
    let verdict = verdict_of(info, &task, &Budget::default()).expect("the budget has no limit");
    certify::certify(&task.lowered, &task.terms, &verdict, &Budget::default()).expect("all evidence is accepted");
    matches!(verdict, Verdict::Safe(_))
}

#[test]
fn a_straight_line_program_is_proved() {
    assert!(is_proved(&STRAIGHT, "unsigned a = __VERIFIER_nondet_uint(), b = a + 1; if (b - a != 1) reach_error();"));
}

#[test]
fn a_loop_is_proved_with_intervals_and_not_without() {
    assert!(!is_proved(&STRAIGHT, LOOP));
    assert!(is_proved(&WITH_INTERVALS, LOOP));
    assert!(!is_proved(&WITH_INTERVALS, &LOOP.replace("i > 100", "i > 99")), "i becomes 100");
}

testkit::engine_contract!(with_intervals: crate::WITH_INTERVALS);
