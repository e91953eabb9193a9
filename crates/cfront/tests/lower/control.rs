//! Control flow, and the order in which things happen.

use cfront::{DataModel, Property};
use program::interp::Outcome;
use program::{Action, AssertionKind, InputKind, Mark};

use crate::harness::*;

#[test]
fn loops_run_as_often_as_they_should() {
    returns("int main(void) { int s = 0; for (int i = 0; i < 10; i++) s += i; return s; }", 45);
    returns(
        "int main(void) { int s = 0, i = 0; while (i < 10) { i++; if (i == 3) continue; if (i == 8) break; s += i; } return s; }",
        25,
    );
    returns("int main(void) { int i = 0; do { i++; if (i == 2) continue; } while (i < 5); return i; }", 5);
    returns("int main(void) { int n = 0; for (;;) { if (++n > 6) break; } return n; }", 7);
    returns("int main(void) { int n = 0; while (1) { n++; if (n == 4) return n; } }", 4);
    returns(
        "int main(void) { int n = 0; for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) { if (j == 2) break; n++; } return n; }",
        6,
    );
}
#[test]
fn a_switch_falls_through_until_a_break() {
    let text = "int f(int x) { int r = 0; switch (x) { case 1: r += 1; case 2: r += 10; break; case 5 ... 7: r = 3; break; default: r = 7; case -1: r += 100; } return r; } int main(void) { return f(ARG); }";
    for (arg, expected) in [("1", 11), ("2", 10), ("3", 107), ("-1", 100), ("6", 3), ("8", 107)] {
        returns(&text.replace("ARG", arg), expected);
    }
    returns("int main(void) { switch (3) { case 1: return 1; } return 9; }", 9);
    returns(
        "int main(void) { long long x = 1LL << 40; switch (x) { case 0: return 1; case 1LL << 40: return 2; } return 3; }",
        2,
    );
    // Duff's device.
    returns(
        "int main(void) { int n = 10, c = 0; int r = (n + 3) / 4; switch (n % 4) { case 0: do { c++; case 3: c++; case 2: c++; case 1: c++; } while (--r > 0); } return c; }",
        10,
    );
}
#[test]
fn a_switch_stays_equalities() {
    let (program, _) = lower(
        "int main(void) { switch (__VERIFIER_nondet_int()) { case 1: return 4; case 2: return 5; default: return 6; } }",
        DataModel::Lp64,
    );
    let from = program.edges.iter().filter(|edge| matches!(edge.action, Action::Assume(_))).map(|edge| edge.from);
    let mut from: Vec<_> = from.collect();
    from.sort();
    assert!(from.windows(3).any(|w| w[0] == w[2]), "three edges leave one location");
}
#[test]
fn goto_jumps_over_declarations() {
    returns("int main(void) { int n = 0; again: n++; if (n < 5) goto again; return n; }", 5);
    returns("int main(void) { goto in; { int x = 3; in: x = 4; return x; } }", 4);
    let (program, _) = lower("int main(void) { goto in; { int x = 3; in: return x; } }", DataModel::Lp64);
    assert_eq!(inputs(&program), [InputKind::Uninitialised("x".into())]);
    returns("int main(void) { switch (2) { int x; case 1: return x; case 2: x = 5; return x; } return 0; }", 5);
}
#[test]
fn only_locals_that_are_read_unwritten_are_inputs() {
    let (program, _) = lower("int main(void) { int x, y; x = 1; return x + y; }", DataModel::Lp64);
    assert_eq!(inputs(&program), [InputKind::Uninitialised("y".into())]);
    // Each round of the loop declares it anew.
    let (program, terms) = lower(
        "int main(void) { int s = 0; for (int i = 0; i < 2; i++) { int x; s = s * 10 + x; x = 7; } return s; }",
        DataModel::Lp64,
    );
    assert_eq!(run(&program, &terms, &[]).outcome, Outcome::Returned(Some(0)));
}
#[test]
fn conditions_short_circuit() {
    let text =
        "int n; int t(void) { n++; return 1; } int f(void) { n += 10; return 0; } int main(void) { E; return n; }";
    for (expr, expected) in [
        ("f() && t()", 10),
        ("t() || f()", 1),
        ("(t() && f()) || t()", 12),
        ("int x = f() || f(); n += x", 20),
        ("int x = t() ? f() : t(); n += x", 11),
        ("if (f() || (t() && !f())) n += 100", 121),
        ("if (!(t() && f())) n += 100", 111),
        ("while (n < 5 && t()) ;", 5),
        ("int a = 4; int b = a && (t(), 3); n += b", 2),
        ("int z = 0; int b = z ?: t(); n += b", 2),
        ("int z = 3; int b = z ?: t(); n += b", 3),
    ] {
        returns(&text.replace('E', expr), expected);
    }
}
#[test]
fn operands_are_read_from_left_to_right_unless_chosen_otherwise() {
    let text = "int g = 1; int set(int v) { g = v; return v; } int main(void) { int x = 2, y = 3; BODY }";
    for (body, expected) in [
        ("return g + set(10);", 11),
        ("return set(10) + g;", 20),
        // The right side of a compound assignment goes first.
        ("g += set(5); return g;", 10),
        ("int a[3] = {0, 0, 0}; a[g] = set(2); return a[1] * 10 + a[2];", 20),
        ("return (g == 1) + (set(4), g) + g * 10;", 45),
    ] {
        returns(&text.replace("BODY", body), expected);
    }
}
#[test]
fn arguments_are_evaluated_from_left_to_right_unless_chosen_otherwise() {
    returns(
        "int g; int next(void) { return ++g; } int f(int a, int b, int c) { return a * 100 + b * 10 + c; } int main(void) { return f(next(), next(), g); }",
        122,
    );
}
#[test]
fn neighbouring_bit_fields_do_not_conflict() {
    returns(
        "struct { unsigned a : 3, b : 5, c : 9; } s = { 1, 2, 3 }; int main(void) { return (s.a = 4) + ((s.b > 1) ? s.b + s.c : s.b) * 10; }",
        54,
    );
    let said = refused("struct { unsigned a : 3, b : 5; } s; int main(void) { return (s.a = 4) + s.a; }");
    assert!(said[0].contains("unsequenced effects"), "{said:?}");
}
#[test]
fn conflicting_effects_that_c_does_not_sequence_are_refused() {
    let text = "int g = 1; int set(int v) { g = v; return v; } int f(int a, int b) { return a + b; } int main(void) { int x = 2, y = 3; BODY }";
    let lowered = |body: &str| lower_with(&text.replace("BODY", body), DataModel::Lp64, Property::UnreachCall);
    for body in [
        "return x + (x = 5, x) * 10;",
        "return x * 10 + x++;",
        "y = x++ + ++x; return y;",
        "return x + ({ x = 9; int z = 4; z; }) + x;",
        "return x + (y ? x++ : 0) + x;",
        "return f(x, x = 5);",
    ] {
        let found = lowered(body).err().unwrap_or_else(|| panic!("{body} is refused"));
        assert!(found[0].message.contains("unsequenced effects"), "{body}: {}", found[0].message);
    }
    // A call is sequenced as a whole, here between two reads of the other operand: runs are watched.
    let (program, _) = lowered("return (g == 1 ? g : 2) + set(4);").unwrap_or_else(|found| panic!("{found:?}"));
    assert_eq!(program.assertion_ids(AssertionKind::Order).len(), 1);
}
#[test]
fn statement_expressions_have_the_value_of_their_last_expression() {
    returns("int main(void) { int x = ({ int s = 0; for (int i = 0; i < 4; i++) s += i; s; }); return x; }", 6);
    returns(
        "int main(void) { int a = 3, b = 9; return ({ __typeof__(a) x = (a); __typeof__(b) y = (b); x > y ? x : y; }) + 1; }",
        10,
    );
}
#[test]
fn each_loop_has_one_marked_head_at_its_keyword() {
    let text = "int main(void) {\n int i = 0;\n while (i < 3) i++;\n  do i--; while (i);\n   for (; i < 2;) i++;\n return 0; }";
    let (program, _) = lower(text, DataModel::Lp64);
    let heads: Vec<_> = program
        .locations
        .iter()
        .filter(|location| location.mark == Mark::LoopHead)
        .map(|location| location.place.map(|place| (place.line, place.column)))
        .collect();
    assert_eq!(heads, [Some((5, 2)), Some((6, 3)), Some((7, 4))]);
}
#[test]
fn labels_are_marked() {
    let (program, _) =
        lower("int main(void) { int i = 0; again: if (i++ < 3) goto again; return i; }", DataModel::Lp64);
    assert_eq!(program.locations.iter().filter(|l| l.mark == Mark::Label("again".into())).count(), 1);
}
#[test]
fn simple_code_has_no_superfluous_steps() {
    let (program, _) = lower(
        "int main(void) { int i = 0; while (i < 10) { if (i > 5) i += 2; else i++; } return i; }",
        DataModel::Lp64,
    );
    let main = program.functions.iter().position(|function| function.name == "main").unwrap();
    let edges = program.edges.iter().filter(|edge| base::Id::index(program.locations[edge.from].function) == main);
    // i = 0; two ways at the head; two at the if; two assignments; the result.
    assert_eq!(edges.count(), 8);
    assert_eq!(program.vars.iter().filter(|var| var.name.starts_with("t!")).count(), 0);
}
