//! Calls: recursion, pointers, variable arguments, functions without a body.

use cfront::{DataModel, Property};
use program::interp::{Outcome, Unclear};
use program::{Action, InputKind, Undefined};

use crate::harness::*;

#[test]
fn functions_call_one_another_and_themselves() {
    returns("int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); } int main(void) { return fact(6); }", 720);
    returns(
        "int odd(int); int even(int n) { return n == 0 || odd(n - 1); } int odd(int n) { return n && even(n - 1); } int main(void) { return even(10) * 10 + odd(7); }",
        11,
    );
    returns(
        "int f(int n) { int a[2] = {n, n + 1}; int *p = a; if (n) f(n - 1); return p[0] * 10 + p[1]; } int main(void) { return f(3); }",
        34,
    );
    returns("int f(int x) { int *p = &x; *p += 1; return x; } int main(void) { int x = 1; return f(x) * 10 + x; }", 21);
    returns("void f(int *r) { *r = 3; return; } int main(void) { int r; f(&r); return r; }", 3);
}
#[test]
fn only_what_is_called_is_lowered() {
    let (program, _) = lower(
        "int unused(void) { __asm__(\"syscall\"); return 1; } int f(void) { return 2; } int main(void) { return f(); }",
        DataModel::Lp64,
    );
    let names: Vec<&str> = program.functions.iter().map(|function| function.name.as_str()).collect();
    assert_eq!(names, ["__start", "main", "f"]);
}
#[test]
fn pointers_call_the_function_they_hold() {
    let head = "int add(int a, int b) { return a + b; } int sub(int a, int b) { return a - b; } int one(int a) { return a; }\n";
    returns(
        &format!(
            "{head} int main(void) {{ int (*f)(int, int) = add; int r = f(5, 3); f = &sub; return r * 10 + (*f)(5, 3); }}"
        ),
        82,
    );
    returns(
        &format!(
            "{head} int apply(int (*f)(int, int), int x) {{ return f(x, 1); }} int main(void) {{ int (*g)(int) = one; return apply(add, 4) * 10 + apply(sub, 4) + g(0); }}"
        ),
        53,
    );
    // A function of another type is no candidate; what the call does is not known, so nothing is proved with it.
    let (program, terms) = lower(
        &format!("{head} int main(void) {{ int (*f)(int, int) = (int (*)(int, int))one; return f(1, 2); }}"),
        DataModel::Lp64,
    );
    let run = run(&program, &terms, &[]);
    assert_eq!(run.undefined.map(|at| at.what), Some(Unclear::Operation(Undefined::BadFunctionPointer)));
    assert!(matches!(run.outcome, Outcome::Error(_)), "{:?}", run.outcome);
}
#[test]
fn a_weak_symbol_without_a_definition_is_null_and_said_to_be_so() {
    let text = "int f(void) __attribute__((weak)); extern int v __attribute__((weak)); int main(void) { return !f + (&v == 0) * 2; }";
    returns(text, 3);
    let (program, _) = lower(text, DataModel::Lp64);
    let assumed: Vec<&str> = program.assumptions.iter().map(|one| one.text.as_str()).collect();
    assert_eq!(
        assumed,
        [
            "`f` is weak and not defined in this program: its address is taken to be null",
            "`v` is weak and not defined in this program: its address is taken to be null"
        ]
    );
    returns("int f(void); \n#pragma weak f\nint main(void) { return !f; } int f(void) { return 1; }", 0);
}
#[test]
fn a_call_of_a_weak_function_without_a_definition_is_a_call_through_null() {
    for text in [
        "int f(void) __attribute__((weak)); int main(void) { return f(); }",
        "int f(void) __attribute__((weak)); int g(void) { return 0; } int main(void) { int (*p)(void) = g; p = f; return p(); }",
    ] {
        let (program, terms) = lower_with(text, DataModel::Lp64, Property::Errors).expect("it is accepted");
        assert!(matches!(run(&program, &terms, &[]).outcome, Outcome::Error(_)), "{text}");
    }
}
#[test]
fn old_style_functions_take_what_they_get() {
    returns("int f(a, c) int a; char c; { return a + c; } int main(void) { return f(1, 258); }", 3);
    returns("int f(); int main(void) { return f(4); } int f(int x) { return x + 1; }", 5);
    returns("int f(x) float x; { return x * 4; } int main(void) { return f(0.5); }", 2);
}
#[test]
fn variable_arguments_are_read_in_order() {
    let head = "typedef __builtin_va_list va_list;\n\
        int sum(int n, ...) { va_list ap; __builtin_va_start(ap, n); int s = 0; for (int i = 0; i < n; i++) s = s * 10 + __builtin_va_arg(ap, int); __builtin_va_end(ap); return s; }\n";
    returns(&format!("{head} int main(void) {{ char c = 3; return sum(4, 1, 2, c, 4); }}"), 1234);
    returns(&format!("{head} int main(void) {{ return sum(2, sum(2, 0, 3), sum(1, 4)) + sum(0); }}"), 34);
    returns(
        "typedef __builtin_va_list va_list; struct p { int x; char c[9]; };\n\
         int v(va_list ap) { return __builtin_va_arg(ap, int); }\n\
         int f(int n, ...) { va_list ap, aq; __builtin_va_start(ap, n); double d = __builtin_va_arg(ap, double); __builtin_va_copy(aq, ap); long long l = __builtin_va_arg(ap, long long); struct p p = __builtin_va_arg(ap, struct p); return (int)(d * 2) + (l == -1) * 100 + p.x * 1000 + p.c[8] + v(ap) * 10000 + (__builtin_va_arg(aq, long long) < 0) * 100000; }\n\
         int main(void) { struct p p = {3, {0}}; p.c[8] = 4; return f(0, 2.5, -1LL, p, 2); }",
        123109,
    );
}
#[test]
fn a_function_without_a_body_returns_anything_and_writes_through_pointers() {
    let text = "int ext(int *p, const int *q, int x); int main(void) { int a = 1, b = 2, c = 3; int r = ext(&a, &b, c); return r + a + b; }";
    let (program, terms) = lower(text, DataModel::Lp64);
    assert_eq!(inputs(&program), [InputKind::External("ext".into()), InputKind::External("ext".into())]);
    assert_eq!(count(&program, |action| matches!(action, Action::Forget { .. })), 1);
    assert_eq!(program.assumptions.len(), 1);
    assert!(program.assumptions[0].text.contains("`ext` has no body"));
    let run = run(&program, &terms, &[]);
    assert_eq!((run.outcome, run.external), (Outcome::Returned(Some(2)), true));
}
#[test]
fn a_result_that_is_not_read_is_no_input() {
    let text = "int ext(void); int main(void) { ext(); int unused = ext(); (void)ext(); return 0; }";
    assert!(inputs(&lower(text, DataModel::Lp64).0).is_empty());
    // A replay counts the calls of these.
    let text = "int main(void) { __VERIFIER_nondet_int(); return 0; }";
    assert_eq!(inputs(&lower(text, DataModel::Lp64).0).len(), 1);
}
#[test]
fn undefined_variables_hold_anything() {
    let (program, _) = lower("extern int e; extern int a[3]; int main(void) { return e + a[1]; }", DataModel::Lp64);
    assert_eq!(inputs(&program), [InputKind::External("e".into()), InputKind::External("a".into())]);
    assert_eq!(program.assumptions.len(), 2);
}
#[test]
fn main_may_have_parameters() {
    returns("int main(int argc, char **argv) { return argc; }", 0);
    let (program, terms) =
        lower("int main(int argc, char **argv) { if (argc < 0) reach_error(); return 0; }", DataModel::Lp64);
    let run = run(&program, &terms, &[]);
    assert_eq!(run.outcome, Outcome::Returned(Some(0)));
}
#[test]
fn falling_off_the_end_is_undefined_only_if_the_result_is_used() {
    returns("int f(int x) { if (x) return 1; } int main(void) { f(0); return 3; }", 3);
    returns("int main(void) { }", 0);
    let (program, terms) = lower("int f(int x) { if (x) return 1; } int main(void) { return f(0); }", DataModel::Lp64);
    let run = run(&program, &terms, &[]);
    assert_eq!(run.undefined.map(|at| at.what), Some(Unclear::Operation(Undefined::MissingReturn)));
}
#[test]
fn exits_end_the_run() {
    let head = "void exit(int); ";
    for end in ["abort()", "exit(3)", "__builtin_trap()"] {
        let found = outcome(&format!("{head} int main(void) {{ {end}; reach_error(); return 1; }}"), &[]);
        assert!(matches!(found, Outcome::Blocked(_)), "{found:?}");
    }
}
#[test]
fn a_call_names_the_structures_of_its_targets() {
    let head = "struct a { int x; }; struct b { int y; }; struct ops { int (*run)(struct a *); }; \
        int one(struct a *a) { return a->x; } int two(struct b *b) { return b->y; } int other(struct a *a) { return 2; }\n";
    let calls = |text: &str| {
        let (program, _) = lower(&format!("{head}{text}"), DataModel::Lp64);
        let names = |action: &Action| match action {
            Action::Call { function, .. } => Some(program.functions[*function].name.clone()),
            _ => None,
        };
        let called: Vec<String> = program.edges.iter().filter_map(|edge| names(&edge.action)).collect();
        (called, program.assumptions.iter().any(|assumption| assumption.text.contains("through a pointer")))
    };
    let main = "int main(void) { struct a a = {1}; struct ops o = { one }; int (*f)(struct b *) = two; o.run = other; return o.run(&a) + (f != 0); }";
    let (called, is_assumed) = calls(main);
    assert!(called.contains(&"one".to_owned()) && called.contains(&"other".to_owned()), "{called:?}");
    assert!(!called.contains(&"two".to_owned()) && is_assumed, "{called:?}");
    // A conversion may bring it there.
    let main = "int main(void) { struct a a = {1}; struct ops o = { (int (*)(struct a *))two }; return o.run(&a); }";
    let (called, is_assumed) = calls(main);
    assert!(called.contains(&"two".to_owned()) && !is_assumed, "{called:?}");
    returns(&format!("{head}{main}"), 1);
    // Pointers to anything fit.
    let main = "int any(void *p) { return 3; } int main(void) { struct a a = {1}; struct ops o = { (int (*)(struct a *))any }; return o.run(&a); }";
    returns(&format!("{head}{main}"), 3);
}
