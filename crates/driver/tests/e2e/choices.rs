//! What C leaves open is a choice: a proof holds for every choice, an error that needs one is not claimed.

use crate::support::{Folder, uforia};

const HEAD: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
#define A(c) do { if (!(c)) reach_error(); } while (0)
";

/// Each program with the first word of the answer.
fn check(folder: &str, programs: &[(&str, &str)]) {
    let folder = Folder::new(folder);
    let mut wrong = Vec::new();
    for (index, (verdict, program)) in programs.iter().enumerate() {
        let file = folder.file(&format!("p{index}.c"), format!("{HEAD}{program}\n"));
        let answer = uforia(&["check", "-q", "--property", "unreach-call", "--timeout", "60s", &file]);
        let last = answer.last().to_owned();
        if last.split(':').next() != Some(verdict) || answer.code == 70 {
            wrong.push(format!("expected {verdict}, got `{last}`: {program}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_order_of_conflicting_operands_is_open() {
    check(
        "order",
        &[
            (
                "UNKNOWN",
                "int n; int t(void) { return ++n; } int s(int a, int b) { return a - b; } int main(void) { A(s(t(), t()) == -1); }",
            ),
            (
                "UNKNOWN",
                "int n; int t(void) { return ++n; } int s(int a, int b) { return a - b; } int main(void) { A(s(t(), t()) == 1); }",
            ),
            ("SAFE", "int n; int t(void) { return ++n; } int main(void) { A(t() + t() + t() == 6); }"),
            ("UNKNOWN", "int n; int t(void) { return ++n; } int main(void) { A(t() - t() - t() == -4); }"),
            ("UNKNOWN", "int i, a[3]; int f(void) { i = 1; return 5; } int main(void) { a[i] = f(); A(a[0] == 5); }"),
            ("UNKNOWN", "int x; int f(void) { x = 5; return 1; } int main(void) { x += f(); A(x == 6); }"),
            ("UNKNOWN", "int x; int f(int *p) { *p = 7; return 0; } int main(void) { int y = 1; A(y + f(&y) == 1); }"),
            (
                "UNKNOWN",
                "struct S { int a, b; } s = { 1, 2 }; int f(void) { s.a = 9; return 0; } int g(struct S t, int z) { return t.a + z; } int main(void) { A(g(s, f()) == 1); }",
            ),
            ("UNKNOWN", "int x; int f(void) { x = 1; return 1; } int main(void) { A((x ? 10 : 20) + f() == 21); }"),
            (
                "UNKNOWN",
                "int x; int f(void) { x++; return 1; } int main(void) { int (*t[2])(void) = { f, f }; A(t[0]() + x == 1); }",
            ),
            ("UNKNOWN", "int n; int t(void) { return n++; } int main(void) { int a[2] = { t(), t() }; A(a[0] == 0); }"),
            (
                "SAFE",
                "int n; int t(void) { return n++; } int main(void) { int a[2] = { t(), t() }; A(a[0] + a[1] == 1 && n == 2); }",
            ),
        ],
    );
}

/// Found with a program of Csmith: the old value of a compound assignment was read before the pointer to it.
#[test]
fn an_old_value_is_read_behind_the_pointer_to_it() {
    let folder = Folder::new("old-value");
    let text = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int a = 1, b, *g = &a, *h, *w = &b, **pp = &h, **other;
int f(void) { *pp = &a; *w = 3; return 0; }
int main(void) { other = &g; int z = __VERIFIER_nondet_int(); *g ^= (f(), 5); if (z == 77 && b != 3) reach_error(); return 0; }
";
    let file = folder.file("old.c", text);
    for engine in ["bmc", "kind", "portfolio"] {
        let answer = uforia(&["check", "-q", "--engine", engine, "--timeout", "60s", &file]);
        assert!(answer.code == 0 || answer.code == 2, "{engine}: {}", answer.last());
    }
}

/// Two functions that add to what `p` and `q` point to.
const ADDERS: &str = "int f(int x) { *p += x; return *p; } int k(int x) { *q += x; return *q; } ";

#[test]
fn an_expression_with_too_many_orders_is_decided_by_its_runs() {
    let apart = format!("int g, h, *p = &g, *q = &h; {ADDERS}");
    let same = format!("int g, *p = &g, *q = &g; {ADDERS}");
    let sum = "(f(1), f(2)) + (k(3), k(4))";
    let programs = [
        ("SAFE", format!("{apart} int main(void) {{ int y = {sum}; A(y == 10); }}")),
        ("UNSAFE", format!("{apart} int main(void) {{ int y = {sum}; A(y == 11); }}")),
        ("UNKNOWN", format!("{same} int main(void) {{ int y = {sum}; A(y == 13); }}")),
        ("UNKNOWN", format!("{same} int main(void) {{ int y = {sum}; A(y == 14); }}")),
        // An input that is not part of the expression: the error is the same in every order, and a proof is not found.
        ("UNSAFE", format!("{apart} int main(void) {{ int z = __VERIFIER_nondet_int(); int y = {sum}; A(y != 10 || z != 77); }}")),
        ("SAFE", format!("{apart} int main(void) {{ int z = __VERIFIER_nondet_int(); int y = {sum}; A(z != 77 || y == 10); }}")),
        // A region that is not reached does not matter.
        ("SAFE", format!("{same} int main(void) {{ int z = __VERIFIER_nondet_int(); if (z > 3 && z < 2) z = {sum}; A(z == z); }}")),
        // A condition, and an operand of it.
        ("SAFE", format!("{apart} int main(void) {{ if (!({sum} == 10 && g == 3)) reach_error(); }}")),
        // Conflicts with a variable that lives in memory only for this purpose.
        ("UNKNOWN", "int n; int t(void) { return ++n; } int main(void) { A((t(), t()) + (t(), n) == 5); }".to_owned()),
        (
            "SAFE",
            "int n, c; int t(void) { if (c) n = 5; return 1; } int main(void) { A((t(), t()) + (n, n) == 1); }".to_owned(),
        ),
        // Seven operands are more than six.
        ("UNKNOWN", "int n; int t(void) { return ++n; } int main(void) { A(t() + t() + t() + t() + t() + t() + t() == 28); }".to_owned()),
        // Neighbouring bit-fields share a byte and do not conflict.
        (
            "SAFE",
            "struct B { unsigned a : 3, b : 3; } s, *p = &s, *q = &s; int main(void) { int y = (p->a = 1, p->a) + (q->b = 2, q->b); A(y == 3); }".to_owned(),
        ),
        // One operand ends the run, and another fails.
        (
            "UNKNOWN",
            format!("extern void exit(int); {apart} int e(void) {{ exit(0); }} int r(void) {{ reach_error(); return 0; }} int main(void) {{ return (f(1), f(2), e()) + (k(3), k(4), f(0), r()); }}"),
        ),
    ];
    let programs: Vec<(&str, &str)> = programs.iter().map(|(verdict, program)| (*verdict, program.as_str())).collect();
    check("watched", &programs);
}

#[test]
fn the_order_decides_which_of_two_ends_comes_first() {
    check(
        "ends",
        &[
            (
                "UNKNOWN",
                "extern void exit(int); int g(void) { exit(0); } int f(void) { reach_error(); return 0; } int h(int a, int b) { return a + b; } int main(void) { return h(g(), f()); }",
            ),
            (
                "UNKNOWN",
                "int g(void) { for (;;) { } return 0; } int f(void) { reach_error(); return 0; } int h(int a, int b) { return a + b; } int main(void) { return h(g(), f()); }",
            ),
        ],
    );
}

#[test]
fn operands_without_conflict_are_exact() {
    check(
        "no-conflict",
        &[
            (
                "SAFE",
                "int x; int f(void) { x = 5; return 1; } int main(void) { int y = 3; A(y + f() == 4 && x == 5); }",
            ),
            (
                "SAFE",
                "struct S { int a, b; } s = { 1, 2 }; int f(void) { s.a = 9; return 0; } int main(void) { A(s.b + f() == 2); }",
            ),
            (
                "SAFE",
                "int f(int *p) { *p = 7; return 0; } int main(void) { int x = 1, y = 2; A(y + f(&x) == 2 && x == 7); }",
            ),
            ("SAFE", "int id(int v) { return v; } int main(void) { int y = 3; y = id(y) + id(y); A(y == 6); }"),
            ("SAFE", "int a[3]; int main(void) { int i = 0; a[i++] = 4; A(a[0] == 4 && i == 1); }"),
            (
                "SAFE",
                "int x; int f(void) { x = 1; return 1; } int main(void) { if (!(f() && x)) reach_error(); int r = (f(), x); A(r == 1); }",
            ),
            (
                "UNSAFE",
                "int x; int f(void) { x = 5; return 1; } int main(void) { int y = __VERIFIER_nondet_int(); A(y + f() != 4); }",
            ),
        ],
    );
}

#[test]
fn unsequenced_effects_are_refused_with_their_place() {
    let folder = Folder::new("unsequenced");
    for program in [
        "int main(void) { int i = 0; i = i++ + 1; return i; }",
        "int a[3]; int main(void) { int i = 0; a[i] = i++; return 0; }",
        "int f(int a, int b) { return a + b; } int main(void) { int i = 0; return f(i++, i); }",
        "int main(void) { int i = 1; i += i++; return i; }",
    ] {
        let file = folder.file("p.c", format!("{HEAD}{program}\n"));
        let answer = uforia(&["check", "-q", &file]).exits(2);
        assert!(answer.last().contains("unsequenced effects") && answer.last().contains("p.c:3"), "{}", answer.last());
    }
}

#[test]
fn results_that_c_describes_by_their_sign_have_any_value() {
    check(
        "sign",
        &[
            ("UNKNOWN", "extern int isdigit(int); int main(void) { A(isdigit('5') == 1); }"),
            (
                "UNKNOWN",
                "extern int isupper(int), islower(int); int main(void) { int r = isupper('B'); A(r == islower('b')); }",
            ),
            (
                "SAFE",
                "extern int isdigit(int), isalpha(int); int main(void) { int d = isdigit('5'); A(d); A(!isdigit('x')); A(isalpha('5') == 0); }",
            ),
            (
                "UNSAFE",
                "extern int isdigit(int); int main(void) { int c = __VERIFIER_nondet_int(); if (isdigit(c)) reach_error(); }",
            ),
            (
                "UNKNOWN",
                "extern int strcmp(const char *, const char *); int main(void) { A(strcmp(\"c\", \"a\") == 1); }",
            ),
            (
                "UNKNOWN",
                "extern int strcmp(const char *, const char *); int c(const char *a, const char *b) { return strcmp(a, b); } int main(void) { int r = c(\"a\", \"b\"); A(r == -1); }",
            ),
            (
                "SAFE",
                "extern int strcmp(const char *, const char *); int c(const char *a, const char *b) { return strcmp(a, b); } int main(void) { int r = c(\"a\", \"b\"); A(r < 0); A(strcmp(\"b\", \"a\") > 0); A(!strcmp(\"x\", \"x\")); }",
            ),
            (
                "SAFE",
                "extern int strcmp(const char *, const char *); int main(void) { A(strcmp(\"a\", \"b\") + 1 <= 0); }",
            ),
        ],
    );
}

#[test]
fn padding_that_the_program_can_see_is_open() {
    check(
        "padding",
        &[
            (
                "UNKNOWN",
                "struct S { char c; int i; }; int main(void) { struct S a = { 1, 2 }; unsigned char *p = (unsigned char *)&a; A(p[1] == 0); }",
            ),
            (
                "UNKNOWN",
                "struct S { char c; int i; } a, b; int main(void) { ((unsigned char *)&b)[1] = 7; b = a; A(((unsigned char *)&b)[1] == 0); }",
            ),
            (
                "SAFE",
                "struct S { char c; int i; }; int main(void) { struct S a = { 1, 2 }, b; b = a; unsigned char *p = (unsigned char *)&b; A(p[0] == 1 && p[4] == 2); }",
            ),
        ],
    );
}

#[test]
fn equal_string_literals_may_be_one_array() {
    check(
        "literals",
        &[
            ("UNKNOWN", "int main(void) { char *a = \"abc\", *b = \"abc\"; A(a != b); }"),
            ("UNKNOWN", "int main(void) { char *a = \"abc\", *b = \"abc\"; A(a == b); }"),
            ("UNKNOWN", "int main(void) { char *a = \"xabc\", *b = \"abc\"; A(a + 1 != b); }"),
            ("SAFE", "int main(void) { char *a = \"abc\", *b = \"abd\"; A(a != b); A(a[1] == b[1]); }"),
            ("SAFE", "char *f(void) { return \"abc\"; } int main(void) { A(f() == f()); }"),
            // The texts that name the choices of our models are no arrays of the program.
            (
                "UNSAFE",
                "char *strcpy(char *, const char *); int main(void) { char a[2], *p = a; strcpy(a, \"\"); A(a[0] != 0 || p != a); }",
            ),
        ],
    );
}

#[test]
fn an_error_that_every_choice_leads_to_is_an_error() {
    let literals = "int main(void) { char *a = \"abc\", *b = \"abc\", c[4], *p = c; c[0] = b[0];";
    let order =
        "int g; int f(void) { g = 1; return 1; } int h(void) { g = 2; return 2; } int main(void) { int n = f() + h();";
    let programs = [
        ("UNSAFE", format!("{literals} A(p != c || c[0] != 'a'); }}")),
        ("UNSAFE", format!("{literals} A(a[1] == 'c'); return p == c; }}")),
        ("UNKNOWN", format!("{literals} A(a != b); }}")),
        ("SAFE", format!("{literals} A(p == c && c[0] == a[0]); }}")),
        ("UNSAFE", format!("{order} A(n == 3 && g == 3); }}")),
        ("UNKNOWN", format!("{order} A(n == 3 && g == 1); }}")),
        ("UNKNOWN", format!("{order} A(n == 3 && g == 2); }}")),
        ("SAFE", format!("{order} A(n == 3 && (g == 1 || g == 2)); }}")),
    ];
    check("every-choice", &programs.each_ref().map(|(verdict, text)| (*verdict, text.as_str())));
}

#[test]
fn the_payload_of_a_nan_that_is_written_down_is_kept() {
    check(
        "nan",
        &[
            (
                "SAFE",
                "int main(void) { union { float f; unsigned u; } v; v.f = __builtin_nanf(\"1\"); A(v.u == 0x7fc00001u); v.f = __builtin_nanf(\"\"); A(v.u == 0x7fc00000u); }",
            ),
            (
                "SAFE",
                "int main(void) { union { double f; unsigned long long u; } v; v.f = __builtin_nan(\"0x1f\"); A(v.u == 0x7ff800000000001full); }",
            ),
            (
                "UNKNOWN",
                "int main(void) { float z = 0.0f; union { float f; unsigned u; } v; v.f = z / z; A(v.u == 0x7fc00000u); }",
            ),
            (
                "UNKNOWN",
                "int main(void) { float z = 0.0f; union { float f; unsigned u; } v; v.f = z / z; A(v.u == 0xffc00000u); }",
            ),
        ],
    );
}

#[test]
fn equal_elements_may_end_in_any_order() {
    const SORT: &str = "typedef __SIZE_TYPE__ size_t; extern void qsort(void *, size_t, size_t, int (*)(const void *, const void *)); struct E { int k, v; }; int c(const void *a, const void *b) { return ((const struct E *)a)->k - ((const struct E *)b)->k; } ";
    let equal = format!(
        "{SORT} int main(void) {{ struct E e[2] = {{ {{ 1, 1 }}, {{ 1, 2 }} }}; qsort(e, 2, sizeof e[0], c); A(e[0].v == 1); }}"
    );
    let folder = Folder::new("qsort");
    let file = folder.file("p.c", format!("{HEAD}{equal}\n"));
    let answer = uforia(&["check", "-q", "--property", "unreach-call", "--timeout", "60s", &file]);
    assert!(answer.last().starts_with("UNKNOWN") && answer.code == 2, "{}", answer.last());
}

#[test]
fn a_negative_length_ends_the_run() {
    let folder = Folder::new("length");
    let program = "int main(void) { int n = __VERIFIER_nondet_int(); int a[n]; if (n == -1) reach_error(); return 0; }";
    let file = folder.file("p.c", format!("{HEAD}{program}\n"));
    uforia(&["check", "-q", "--timeout", "60s", &file]).exits(1).answers("UNSAFE: `a`");
    uforia(&["check", "-q", "--property", "unreach-call", "--timeout", "60s", &file]).exits(0).answers("SAFE");
}

#[test]
fn a_length_that_does_not_fit_ends_the_run() {
    let folder = Folder::new("long");
    // Four times the first number is 4 in 32 bits; the second array fits.
    for (number, code) in [("1073741825", 0), ("100", 1)] {
        let program = format!(
            "int main(void) {{ int n = __VERIFIER_nondet_int(); if (n < 1) return 0; int a[n]; if (n == {number}) reach_error(); return 0; }}"
        );
        let file = folder.file("p.c", format!("{HEAD}{program}\n"));
        let options = ["check", "-q", "--data-model", "ilp32", "--property", "unreach-call", "--timeout", "60s"];
        uforia(&[&options[..], &[&file]].concat()).exits(code);
    }
}

#[test]
fn an_object_larger_than_any_machine_confirms_no_error() {
    let folder = Folder::new("huge");
    let program = "extern void *malloc(__SIZE_TYPE__); extern unsigned long __VERIFIER_nondet_ulong(void);
int main(void) { unsigned long n = __VERIFIER_nondet_ulong(); char *p = malloc(n); if (n > 0xffffffff00000000ul) { p[5] = 1; reach_error(); } return 0; }";
    let file = folder.file("p.c", format!("{HEAD}{program}\n"));
    uforia(&["check", "-q", "--property", "unreach-call", "--timeout", "60s", &file]).exits(2);
}
