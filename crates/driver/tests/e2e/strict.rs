//! Strict runs: invalid accesses and division by zero are errors without a property, and end the run under `unreach-call`.

use crate::support::{Folder, uforia};

const HEAD: &str = "#include <assert.h>\n#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\n";

/// What `check` says of a program whose text follows the usual includes, in its last line.
fn said(name: &str, text: &str, options: &[&str]) -> String {
    let folder = Folder::new(&format!("strict-{name}"));
    let file = folder.file("a.c", format!("{HEAD}{text}\n"));
    let mut args = vec!["check", "--timeout", "30s"];
    args.extend(options);
    args.push(&file);
    uforia(&args).last().to_owned()
}

#[test]
fn invalid_accesses_and_division_by_zero_are_errors_without_a_property() {
    let programs = [
        (
            "index",
            "int a[4], b; int main(void) { int i = __VERIFIER_nondet_int(); if (i < 0 || i > 4) return 0; a[i] = 1; assert(b == 0); }",
            "`a[i] = 1` is an invalid write",
        ),
        ("null", "int main(void) { int *p = 0; return *p; }", "`*p` is an invalid read"),
        (
            "scope",
            "int main(void) { int *p; for (int i = 0; i < 3; i++) { int a[2]; p = a; p[0] = 1; } p[0] = 2; return 0; }",
            "`p[0] = 2` is an invalid write",
        ),
        (
            "returned",
            "int *f(void) { int x = 1; int *volatile q = &x; return q; } int main(void) { int *p = f(); *p = 5; return 0; }",
            "`*p = 5` is an invalid write",
        ),
        ("freed", "int main(void) { int *p = malloc(4); free(p); *p = 1; return 0; }", "`*p = 1` is an invalid write"),
        ("twice", "int main(void) { int *p = malloc(4); free(p); free(p); return 0; }", "`free(p)` is an invalid free"),
        (
            "middle",
            "int main(void) { char *p = malloc(4); free(p + 1); return 0; }",
            "`free(p + 1)` is an invalid free",
        ),
        ("local", "int main(void) { int x; int *p = &x; free(p); return 0; }", "`free(p)` is an invalid free"),
        (
            "buffer",
            "extern long read(int, void *, unsigned long); int main(void) { char b[4]; read(0, b, 5); return 0; }",
            "`read(0, b, 5)` is an invalid write",
        ),
        (
            "scanned",
            "extern int scanf(const char *, ...); int main(void) { char b[4]; scanf(\"%4s\", b); return 0; }",
            "`scanf(\"%4s\", b)` is an invalid write",
        ),
        ("zero", "int main(void) { int d = __VERIFIER_nondet_int(); return 7 / d; }", "`7 / d` divides by zero"),
    ];
    for (name, text, error) in programs {
        let last = said(name, text, &[]);
        assert!(last.starts_with(&format!("UNSAFE: {error} at ")), "{name}: {last}");
    }
}

#[test]
fn valid_accesses_are_proved() {
    let programs = [
        (
            "index",
            "int a[4], b; int main(void) { int i = __VERIFIER_nondet_int(); if (i < 0 || i > 3) return 0; a[i] = 1; assert(b == 0); }",
        ),
        ("block", "int main(void) { { int a = 1, *p = &a; while (*p < 100) *p *= 3; assert(a == 243); } return 0; }"),
        (
            "rounds",
            "int main(void) { for (int i = 0; i < 3; i++) { int a[2] = {i, 1}; int *p = a; assert(p[0] + p[1] == i + 1); } return 0; }",
        ),
        (
            "moved",
            "int main(void) { int *p = malloc(4); *p = 3; p = realloc(p, 8); p[1] = 4; assert(p[0] == 3); free(p); return 0; }",
        ),
        ("null", "int main(void) { int *p = malloc(4); assert(p != 0); free(p); free(0); return 0; }"),
        (
            "functions",
            "int f(int x) { return x + 1; } int g(int x) { return x + 2; } struct ops { int (*op)(int); };\n\
            int main(void) { struct ops t[2] = {{f}, {g}}; int s = 0; for (int i = 0; i < 2; i++) s = t[i].op(s); assert(s == 3); return 0; }",
        ),
    ];
    for (name, text) in programs {
        let last = said(name, text, &[]);
        assert_eq!(last, "SAFE", "{name}");
    }
}

#[test]
fn unreach_call_names_the_accesses_that_it_leans_on() {
    let outside = "int a[4], b; int main(void) { int i = __VERIFIER_nondet_int(); if (i < 0 || i > 4) return 0; a[i] = 1; assert(b == 0); }";
    let last = said("outside", outside, &["--property", "unreach-call"]);
    assert!(
        last.starts_with("SAFE, but the write `a[i] = 1` at ") && last.ends_with(" before anything else can go wrong"),
        "{last}"
    );
    let inside = outside.replace("i > 4", "i > 3");
    assert_eq!(said("inside", &inside, &["--property", "unreach-call"]), "SAFE");
    let heap = "int main(void) { int n = __VERIFIER_nondet_int(), i = 0; while (i < n) i++; int *p = malloc(40 + i % 3); p[9] = n; assert(n == n); return 0; }";
    assert_eq!(said("heap", heap, &["--property", "unreach-call"]), "SAFE");
    // Remainders of floats are not decided by proofs.
    let float = "double fmod(double, double); int a[4]; int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0) return 0; int i = (int)fmod(n, 3.0); a[i] = 1; assert(n == n); return 0; }";
    let last = said("float", float, &["--property", "unreach-call"]);
    assert!(last.starts_with("SAFE, as long as 1 access stays valid: write `a[i] = 1` at "), "{last}");
}

#[test]
fn what_a_pointer_from_outside_leads_into_is_open() {
    let text = "static int x; static int *volatile p = &x; static int read(int *q) { return *q; }\n\
        int main(void) { *p = 1; assert(read(&x) == 0); return 0; }";
    let last = said("volatile", text, &["--property", "unreach-call"]);
    assert!(last.starts_with("UNKNOWN: an error that depends on a value from `volatile p`"), "{last}");
}
