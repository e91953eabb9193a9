//! Recursive programs: tail calls are loops, other recursion is proved by contracts, and what is unsafe stays so.

use crate::support::{Folder, uforia};

const HEAD: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
#define N __VERIFIER_nondet_int
#define U __VERIFIER_nondet_uint
";

/// The program must get the verdict under the property.
fn check(property: &str, programs: &[(&str, &str, &str)]) {
    let folder = Folder::new("recursion");
    let mut wrong = Vec::new();
    for (name, program, verdict) in programs {
        let file = folder.file(&format!("{name}.c"), format!("{HEAD}{program}\n"));
        let said = uforia(&["check", "--property", property, "--data-model", "ilp32", "--timeout", "30s", &file]);
        if said.last().split([':', ',']).next() != Some(*verdict) {
            wrong.push(format!("{name}: {} {}", said.out, said.err));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn tail_calls_are_loops() {
    check(
        "unreach-call",
        &[
            (
                "state_by_reference",
                "void step(int *i, int *s, int *n) { if (*i < *n) { *i = *i + 1; *s = *s + 2; step(i, s, n); } }
int main(void) { int i = 0, s = 0, n = N(); if (n < 0 || n > 1000000) return 0; step(&i, &s, &n); if (s != 2 * n) reach_error(); }",
                "SAFE",
            ),
            (
                "error_inside",
                "int gcd(int a, int b) { if (a <= 0 || b <= 0) reach_error(); if (a == b) return a; if (a > b) return gcd(a - b, b); return gcd(a, b - a); }
int main(void) { int m = N(), n = N(); if (m > 0 && n > 0) gcd(m, n); }",
                "SAFE",
            ),
            (
                "an_object_for_each_activation",
                "int f(int *p, int n) { int x = n; if (n == 0) return *p; return f(&x, n - 1); }
int main(void) { int y = 9; if (f(&y, 2) == 1) reach_error(); }",
                "UNSAFE",
            ),
        ],
    );
}

#[test]
fn bounds_at_calls_exclude_overflows() {
    let doubled = "int f(int n) { if (n == 1) return 1; return 2 * f(n - 1) + 1; }";
    let times = "int mul(int n, int m) { if (m == 0) return 0; return n + mul(n, m - 1); }";
    let below =
        |bound| format!("{doubled} int main(void) {{ int n = N(); if (n < 1 || n > {bound}) return 0; f(n); }}");
    let product = |bound| {
        format!(
            "{times} int main(void) {{ int n = N(), m = N(); if (n < 0 || n > {bound} || m < 0 || m > {bound}) return 0; mul(n, m); }}"
        )
    };
    let zero = "int f(int n) { if (n < 0) return 1; return (n - 1) * f(n - 1); } int main(void) { int n = N(); if (n < 0) return 0; f(n); }";
    check(
        "no-overflow",
        &[
            ("the_largest_result_fits", &below(31), "SAFE"),
            ("one_more_does_not", &below(32), "UNSAFE"),
            ("a_product_that_fits", &product(46340), "SAFE"),
            ("zero_is_a_case_of_its_own", zero, "SAFE"),
        ],
    );
}

#[test]
fn contracts_prove_recursion() {
    check(
        "unreach-call",
        &[
            ("sum", "unsigned sum(unsigned n, unsigned m) { if (n == 0) return m; return sum(n - 1, m + 1); }
int main(void) { unsigned a = U(), b = U(); if (sum(a, b) != a + b) reach_error(); }", "SAFE"),
            // What the contracts leave has no inputs that decide: it is executed.
            ("constant", "int f(int n) { if (n <= 0) return 0; return f(n - 1); }
int main(void) { if (f(N()) != 0) reach_error(); }", "SAFE"),
            ("nothing", "void f(int n) { if (n > 0) f(n - 1); }
int main(void) { f(N()); int x = 1; if (x != 1) reach_error(); }", "SAFE"),
            ("identity", "unsigned id(unsigned n) { return n == 0 ? 0 : id(n - 1) + 1; }
int main(void) { unsigned x = U(); if (id(x) != x) reach_error(); }", "SAFE"),
            ("capped", "int id(int x) { if (x == 0) return 0; int r = id(x - 1) + 1; return r > 3 ? 3 : r; }
int main(void) { if (id(N()) == 5) reach_error(); }", "SAFE"),
            ("nested_calls", "int f(int x) { return x > 100 ? x - 10 : f(f(x + 11)); }
int main(void) { int x = N(); int r = f(x); if (!(r == 91 || (x > 101 && r == x - 10))) reach_error(); }", "SAFE"),
            ("product", "int mul(int n, int m) { return m == 0 ? 0 : n + mul(n, m - 1); }
int main(void) { int m = N(), n = N(); if (m < 0 || n < 0 || m > 46340 || n > 46340) return 0; if (mul(m, n) != mul(n, m)) reach_error(); }", "SAFE"),
            ("mutual", "int odd(int n), even(int n); int odd(int n) { return n == 0 ? 0 : n == 1 ? 1 : even(n - 1); }
int even(int n) { return n == 0 ? 1 : n == 1 ? 0 : odd(n - 1); }
int main(void) { int n = N(); if (n < 0) return 0; if (odd(n) != n % 2) reach_error(); }", "SAFE"),
            ("global", "unsigned c; void f(unsigned n) { if (n == 0) return; f(n - 1); c++; }
int main(void) { unsigned n = U(); f(n); if (c != n) reach_error(); }", "SAFE"),
            ("frame", "int g, c; void f(int n) { if (n <= 0) return; c += n; f(n - 1); c -= n; }
int main(void) { g = 5; f(N()); if (g != 5 || c != 0) reach_error(); }", "SAFE"),
        ],
    );
}

#[test]
fn errors_behind_recursion_are_found_and_not_denied() {
    check(
        "unreach-call",
        &[
            (
                "capped",
                "int id(int x) { if (x == 0) return 0; int r = id(x - 1) + 1; return r > 3 ? 3 : r; }
int main(void) { if (id(N()) == 3) reach_error(); }",
                "UNSAFE",
            ),
            (
                "caller",
                "int half(int n) { if (n < 0) reach_error(); return n < 2 ? 0 : half(n - 2) + 1; }
int main(void) { int n = N(); if (n > -2) half(n); }",
                "UNSAFE",
            ),
            (
                "pointer",
                "int g, *q; void f(int n) { if (n > 0) { *q = 7; f(n - 1); n = *q; } }
int main(void) { g = 5; q = &g; f(N()); if (g != 5) reach_error(); }",
                "UNSAFE",
            ),
        ],
    );
}

#[test]
fn what_calls_must_satisfy_is_found() {
    check(
        "unreach-call",
        &[(
            "half",
            "int half(int n) { if (n < 0) reach_error(); return n < 2 ? 0 : half(n - 2) + 1; }
int main(void) { int n = N(); if (n >= 0) half(n); }",
            "SAFE",
        )],
    );
}
