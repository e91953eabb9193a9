//! Counterexamples, replayed.

use crate::case::Case;
use base::{Bits, Id};
use certify::{Certificate, Refusal};
use program::{AssertionId, InputId};
use verdict::{Code, Counterexample, InputValue};

fn inputs(values: &[(usize, u32, u64)]) -> Counterexample {
    let mut inputs: Vec<InputValue> = Vec::new();
    for &(input, width, value) in values {
        let input = InputId::new(input);
        let occurrence = inputs.iter().filter(|other| other.input == input).count() as u64;
        inputs.push(InputValue { input, occurrence, offset: None, value: Bits::from_u64(width, value) });
    }
    Counterexample { assertion: AssertionId::new(0), inputs, functions: Vec::new() }
}

#[test]
fn inputs_that_reach_the_error_are_accepted_and_others_refused() {
    let case = Case::c(
        "int main(void) { int s = 0; for (int i = 0; i < 3; i++) { int x = __VERIFIER_nondet_int(); if (x > 5) s += x; }
         if (s == 25) reach_error(); return 0; }",
    );
    let right = inputs(&[(0, 32, 7), (0, 32, 5), (0, 32, 18)]);
    assert!(matches!(case.replay(right.clone()), Ok(Certificate::Unsafe(_))));
    for wrong in [inputs(&[]), inputs(&[(0, 32, 7), (0, 32, 18)][..1]), inputs(&[(0, 32, 7), (0, 32, 5), (0, 32, 17)])]
    {
        assert!(matches!(case.replay(wrong), Err(Refusal::NotReached(_))));
    }
    let other = Counterexample { assertion: AssertionId::new(1), ..right };
    assert!(matches!(case.replay(other), Err(Refusal::NotReached(_))));
}
#[test]
fn an_error_behind_a_division_by_zero_is_not_one() {
    let case = Case::c(
        "int main(void) { int x = __VERIFIER_nondet_int(); int y = 10 / x; if (y != 2) reach_error(); return 0; }",
    );
    assert!(
        matches!(case.replay(inputs(&[(0, 32, 0)])), Err(Refusal::Unknown(why)) if why.code == Code::OnlyUndefined && why.at.is_some())
    );
    assert!(case.replay(inputs(&[(0, 32, 2)])).is_ok());
}
#[test]
fn overflow_wraps() {
    let case =
        Case::c("int main(void) { int x = __VERIFIER_nondet_int(); if (x > 0 && x + 1 < 0) reach_error(); return 0; }");
    assert!(case.replay(inputs(&[(0, 32, 0x7fff_ffff)])).is_ok());
}
#[test]
fn a_value_from_nowhere_confirms_nothing_if_it_decides() {
    let text = |used: &str| {
        format!(
            "extern int mystery(void); int main(void) {{ int m = mystery(); int x = __VERIFIER_nondet_int(); {used} if (x == 3) reach_error(); return 0; }}"
        )
    };
    let at = |case: &Case| {
        let nondet =
            case.program.inputs.ids().find(|&id| matches!(case.program.inputs[id].kind, program::InputKind::Nondet(_)));
        nondet.expect("there is one").index()
    };
    let decides = Case::c(&text("if (m) return 0;"));
    assert!(
        matches!(decides.replay(inputs(&[(at(&decides), 32, 3)])), Err(Refusal::Unknown(why)) if why.code == Code::NoBody)
    );
    let idle = Case::c(&text("m = m + 1;"));
    assert!(idle.replay(inputs(&[(at(&idle), 32, 3)])).is_ok());
}
#[test]
fn bytes_of_an_object_are_distinguished() {
    let case = Case::c(
        "struct s { int a, b; }; int main(void) { struct s v; if (v.b == 7 && v.a == 9) reach_error(); return 0; }",
    );
    let value = |offset, value| InputValue {
        input: InputId::new(0),
        occurrence: 0,
        offset: Some(offset),
        value: Bits::from_u64(32, value),
    };
    let given = |inputs| Counterexample { assertion: AssertionId::new(0), inputs, functions: Vec::new() };
    assert!(case.replay(given(vec![value(0, 9), value(4, 7)])).is_ok());
    assert!(case.replay(given(vec![value(4, 7), value(0, 9)])).is_ok());
    assert!(case.replay(given(vec![value(0, 7), value(4, 9)])).is_err());
}
