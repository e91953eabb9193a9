//! What counts as an error.

use cfront::{DataModel, Property};
use program::interp::Outcome;
use program::{Assertion, InputKind, Mark};

use crate::harness::*;

fn assertions(text: &str, property: Property) -> Vec<String> {
    let (program, _) = lower_with(text, DataModel::Ilp32, property).unwrap();
    program.assertions.iter().map(Assertion::claim).collect()
}
fn fails(text: &str, nondet: &[u128]) -> bool {
    matches!(outcome(text, nondet), Outcome::Error(_))
}

#[test]
fn each_call_of_the_error_function_is_an_assertion() {
    let text = "void __VERIFIER_error(void); int main(void) { int x = __VERIFIER_nondet_int(); if (x == 1) reach_error(); if (x == 2) __VERIFIER_error(); return 0; }";
    assert_eq!(assertions(text, Property::UnreachCall), ["reach_error()", "__VERIFIER_error()"]);
    assert!(fails(text, &[1]) && fails(text, &[2]) && !fails(text, &[3]));
    assert_eq!(assertions(text, Property::UnreachCallOf("__VERIFIER_error".into())), ["__VERIFIER_error()"]);
    assert!(assertions(text, Property::NoOverflow).is_empty());
}
#[test]
fn a_defined_error_function_is_an_error_too() {
    assert!(fails(
        "void __assert_fail(const char *, const char *, unsigned, const char *); void reach_error(void) { __assert_fail(\"0\", \"a.c\", 3, \"reach_error\"); } int main(void) { reach_error(); }",
        &[]
    ));
}
#[test]
fn assertions_carry_their_condition() {
    let text = "void __assert_fail(const char *, const char *, unsigned, const char *); int main(void) { int x = __VERIFIER_nondet_int(); x > 0 ? (void)0 : __assert_fail(\"x > 0\", \"a.c\", 3, \"main\"); return 0; }";
    assert_eq!(assertions(text, Property::UnreachCall), ["x > 0"]);
    assert!(fails(text, &[0]) && !fails(text, &[5]));
    assert!(assertions(text, Property::UnreachCallOf("reach_error".into())).is_empty());
    let text = "void assert(int); int main(void) { int x = __VERIFIER_nondet_int(); assert(x != 3); return 0; }";
    assert_eq!(assertions(text, Property::UnreachCall), ["x != 3"]);
    assert!(fails(text, &[3]) && !fails(text, &[4]));
    assert!(fails(
        "void __VERIFIER_assert(int c) { if (!c) { ERROR: reach_error(); } } int main(void) { __VERIFIER_assert(0); return 0; }",
        &[]
    ));
}
#[test]
fn assumptions_end_the_run() {
    let text = "void __VERIFIER_assume(int); int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 5); if (x < 6) reach_error(); return x; }";
    returns_for(text, &[9], 9);
    assert!(matches!(outcome(text, &[2]), Outcome::Blocked(_)));
    let text = "void assume_abort_if_not(int c) { if (!c) abort(); } int main(void) { int x = __VERIFIER_nondet_int(); assume_abort_if_not(x > 5); return x; }";
    assert!(matches!(outcome(text, &[2]), Outcome::Blocked(_)));
}
#[test]
fn nondeterministic_values_have_the_type_of_their_function() {
    let text = "unsigned char __VERIFIER_nondet_uchar(void); _Bool __VERIFIER_nondet_bool(void); long long __VERIFIER_nondet_longlong(void); int main(void) { int a = __VERIFIER_nondet_uchar(); int b = __VERIFIER_nondet_bool(); long long c = __VERIFIER_nondet_longlong(); return a * 100 + b * 10 + (c == -1); }";
    returns_for(text, &[0x1ff, 3, u128::MAX], 25511);
    let (program, _) = lower(text, DataModel::Lp64);
    assert_eq!(inputs(&program)[0], InputKind::Nondet("__VERIFIER_nondet_uchar".into()));
    // Declared as a number, it is still a truth value.
    returns_for(
        "int __VERIFIER_nondet_bool(void); int main(void) { int b = __VERIFIER_nondet_bool(); return b; }",
        &[7],
        1,
    );
}
#[test]
fn overflow_is_the_error_when_asked_for() {
    let head = "int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); ";
    let min = i32::MIN as u32 as u128;
    let max = i32::MAX as u128;
    for (body, bad, good) in [
        ("return x + y;", [max, 1], [max, 0]),
        ("return x - y;", [min, 1], [min, 0]),
        ("return x * y;", [65536, 65536], [46340, 46340]),
        ("return -x;", [min, 0], [max, 0]),
        ("x++; return x;", [max, 0], [0, 0]),
        ("x -= y; return x;", [min, 1], [5, 1]),
        ("return x / y;", [min, u32::MAX as u128], [min, 1]),
        ("return x % y;", [5, 0], [5, 3]),
        ("return x << y;", [1, 31], [1, 30]),
        ("return x << y;", [u32::MAX as u128, 1], [3, 1]),
        ("return x >> y;", [1, 32], [1, 31]),
        ("unsigned u = x; return u / y;", [1, 0], [1, 2]),
    ] {
        let text = format!("{head}{body} }}");
        let (program, terms) = lower_with(&text, DataModel::Ilp32, Property::NoOverflow).unwrap();
        let bad = run(&program, &terms, &bad).outcome;
        assert!(matches!(bad, Outcome::Error(_)), "{bad:?}: {text}");
        let good = run(&program, &terms, &good).outcome;
        assert!(matches!(good, Outcome::Returned(_)), "{good:?}: {text}");
    }
    let unsigned =
        "int main(void) { unsigned x = __VERIFIER_nondet_uint(); unsigned char c = x; c++; return x * x + c; }";
    assert!(assertions(unsigned, Property::NoOverflow).is_empty());
    assert_eq!(assertions(&format!("{head} return x + y; }}"), Property::NoOverflow), ["`x + y` does not overflow"]);
    returns_for(&format!("{head} return x + y; }}"), &[max, 1], i32::MIN);
}
#[test]
fn error_locations_stand_at_the_call() {
    let (program, _) =
        lower("int main(void) {\n  if (__VERIFIER_nondet_int())\n    reach_error();\n}", DataModel::Lp64);
    let error = program.locations.iter().find(|location| matches!(location.mark, Mark::Error(_))).unwrap();
    assert_eq!(error.place.map(|place| (place.line, place.column)), Some((5, 5)));
}
