//! Programs with a point: those on which the published tool is wrong, those that need each refinement, and limits.

use crate::verify::{Answer, boogie, c};

const HEADER: &str = "type A; function f(x: A): A; function g(x: A): A; function h(x: A): A;\n";

fn check(vars: &str, body: &str, expect: Answer) {
    let text = format!("{HEADER}procedure main() {{ var {vars}: A; {body} }}");
    for mode in ["search", "paper-order"] {
        assert_eq!(boogie(&text, mode), expect, "{mode}: {body}");
    }
}

#[test]
fn a_loop_is_not_closed_because_two_states_look_equal() {
    // Safe for up to two iterations; the published theorem merges them and calls it correct.
    check(
        "x, d, p, q, w, v, r",
        "p := x; q := h(p); assume(q == d); p := f(p); q := h(p); assume(q == d); p := f(p); q := h(p); assume(q == d);
         p := d; while (w != v) { x := f(x); w := g(w); } r := h(x); assert(r == d);",
        Answer::Unsafe,
    );
}

#[test]
fn a_disequality_stays_with_the_old_value() {
    check("x, t, z", "assume(z != t); assume(t == x); t := x; assert(z == x);", Answer::Unsafe);
}

#[test]
fn a_loop_behind_a_branch_runs_in_every_part() {
    check(
        "x, y, a, b, w, v",
        "y := x; if (a == b) { a := b; } else { assume(w == v); } while (w != v) { x := f(x); w := g(w); } assert(x == y);",
        Answer::Unsafe,
    );
}

#[test]
fn an_assumption_behind_the_loop_is_decided_before_it() {
    check(
        "x, y, t, k, w, v",
        "x := t; y := k; while (w != v) { x := f(x); y := f(y); w := g(w); } assume(t == k); assert(x == y);",
        Answer::Safe,
    );
    check(
        "x, y, t, k, t1, k1, w, v",
        "t1 := g(t); k1 := g(k); x := t1; y := k1; while (w != v) { x := f(x); y := f(y); w := g(w); }
         assume(t1 == k1); assert(x == y);",
        Answer::Safe,
    );
}

#[test]
fn two_loops_that_walk_the_same_chain_are_beyond_any_bounded_memory() {
    let text = format!(
        "{HEADER}procedure main() {{ var x, y, t, w, w0, e: A; w := w0; x := t;
         while (w != e) {{ x := f(x); w := g(w); }}
         y := t; w := w0;
         while (w != e) {{ y := f(y); w := g(w); }}
         assert(x == y); }}"
    );
    assert!(matches!(boogie(&text, "search"), Answer::Unknown(_)));
}

#[test]
fn coherent_programs_are_decided_by_what_variables_hold() {
    let program = |body: &str| format!("{HEADER}procedure main() {{ var x, y, z, w: A; {body} }}");
    let twin = "y := x; while (z != w) { x := f(x); y := f(y); z := g(z); } assert(x == y);";
    assert_eq!(boogie(&program(twin), "coherent"), Answer::Safe);
    let wrong = "y := x; while (z != w) { x := f(x); y := f(y); z := g(z); } x := f(x); assert(x == y);";
    assert_eq!(boogie(&program(wrong), "coherent"), Answer::Unsafe);
    // f(x) is computed, lost, and computed again.
    let lost = "y := f(x); y := w; z := f(x); assert(y == w);";
    assert!(matches!(boogie(&program(lost), "coherent"), Answer::Unknown(why) if why.contains("computed again")));
    let late = "y := f(x); y := w; assume x == z; assert(y == w);";
    assert!(matches!(boogie(&program(late), "coherent"), Answer::Unknown(why) if why.contains("too late")));
}

#[test]
fn truth_values_are_true_or_false_and_nothing_else() {
    let text = "type A; function p(x: A): bool; function b(q: bool): A;
        procedure main() { var x, y: A; var q: bool;
        assume b(true) == x; assume b(false) == x; q := p(y); y := b(q); assert y == x || q; }";
    assert_ne!(boogie(text, "search"), Answer::Unsafe);
    let text = "type A; function p(x: A): bool;
        procedure main() { var x, y: A; assume p(x) && (p(y) <==> !p(x)); assert x != y; }";
    assert_eq!(boogie(text, "search"), Answer::Safe);
    let text = "type A; function p(x: A): bool;
        procedure main() { var x, y: A; assume p(x); if (*) { havoc y; } assert p(y) ==> x == y; }";
    assert_eq!(boogie(text, "search"), Answer::Unsafe);
}

#[test]
fn procedures_contracts_and_gotos_are_followed() {
    let text = "type A; const unique a, b: A; var m: A; function f(x: A): A;
        procedure step(x: A) returns (y: A, z: A) modifies m; ensures y == f(x) && z == x && m == y; { y := f(x); z := x; m := y; }
        procedure any() returns (r: A); ensures r != a;
        procedure main() modifies m; { var u, v: A;
          call u, v := step(a); assert u == f(a) && v == a && m == u && a != b;
          call v := any();
          start: goto left, right;
          left: u := f(u); goto start;
          right: assert v != a; }";
    assert_eq!(boogie(text, "search"), Answer::Safe);
    assert_eq!(boogie(&text.replace("ensures r != a", "ensures r == r"), "search"), Answer::Unsafe);
}

#[test]
fn what_is_read_loosely_is_proved_but_never_refuted() {
    let program = |body: &str| {
        format!("type A; var m: [A]int; procedure main() modifies m; {{ var x, y: A; var i, j: int; {body} }}")
    };
    let safe = program("assume x == y; i := m[x] + 1; j := m[y] + 1; assert i == j;");
    assert_eq!(boogie(&safe, "search"), Answer::Safe);
    for body in ["m[x] := 1; assert m[x] == 1;", "assume i < j; assert i != j;", "assert i + 1 == j;"] {
        assert!(matches!(boogie(&program(body), "search"), Answer::Unknown(_)), "{body}");
    }
}

#[test]
fn c_programs_are_proved_in_their_uninterpreted_view() {
    let twin = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
        int main(void) { int x = __VERIFIER_nondet_int(), y = x;
        while (__VERIFIER_nondet_int()) { x = x * 3 + 1; y = y * 3 + 1; } if (x != y) reach_error(); return 0; }";
    assert_eq!(c(twin), Answer::Safe);
    let wrong = twin.replace("y = y * 3 + 1", "y = y * 3 + 2");
    assert_eq!(c(&wrong), Answer::Unsafe);
    let arithmetic = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
        int main(void) { int x = __VERIFIER_nondet_int(); if (x * 2 != x + x) reach_error(); return 0; }";
    assert_ne!(c(arithmetic), Answer::Unsafe);
}
