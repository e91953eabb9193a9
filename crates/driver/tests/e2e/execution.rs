//! Programs that are decided by executing them: proofs by the only run, and what stands in their way.

use crate::support::{Folder, uforia};

const HEAD: &str = "#include <stdlib.h>
#include <string.h>
#include <stddef.h>
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)
";
const EXECUTED: &str = "proved by execution: the only run ends without an error after";

/// The program must get the verdict, and somewhere in the output stands the text.
fn check(programs: &[(&str, &str, &str, &str)]) {
    let folder = Folder::new("execution");
    let mut wrong = Vec::new();
    for (name, program, verdict, text) in programs {
        let file = folder.file(&format!("{name}.c"), format!("{HEAD}{program}\n"));
        let said = uforia(&["check", "--property", "unreach-call", "--timeout", "20s", &file]);
        let is_right = said.last().split([':', ',']).next() == Some(*verdict);
        if !is_right || !said.out.contains(text) {
            wrong.push(format!("{name}: {} {}", said.out, said.err));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn programs_that_ask_nothing_are_proved_by_their_only_run() {
    check(&[
        (
            "list",
            "struct n { int d; struct n *next; };
int main(void) { struct n *h = 0; int s = 0;
for (int i = 0; i < 5; i++) { struct n *p = malloc(sizeof *p); p->d = i; p->next = h; h = p; }
for (struct n *p = h; p; p = p->next) s += p->d;
while (h) { struct n *t = h->next; free(h); h = t; }
CHECK(s == 10); }",
            "SAFE",
            EXECUTED,
        ),
        (
            "table_of_functions",
            "static int twice(int x) { return 2 * x; } static int less(int x) { return x - 1; }
struct op { const char *name; int (*run)(int); } ops[] = { { \"twice\", twice }, { \"less\", less }, { 0, 0 } };
int main(void) { int x = 4; for (struct op *o = ops; o->run; o++) x = o->run(x); CHECK(x == 7 && ops[1].run != twice); }",
            "SAFE",
            EXECUTED,
        ),
        (
            "recursion",
            "int ack(int m, int n) { return !m ? n + 1 : !n ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }
int main(void) { CHECK(ack(2, 3) == 9); }",
            "SAFE",
            EXECUTED,
        ),
        (
            "moved_bytes",
            "int main(void) { char b[8] = \"abcdef\"; memmove(b + 1, b, 4); CHECK(!memcmp(b, \"aabcdf\", 7));
char c[8]; memmove(c, b, 8); CHECK(c[2] == 'b'); }",
            "SAFE",
            EXECUTED,
        ),
        (
            "one_past_the_end",
            "int main(void) { int a[4], c = 0; int *end = a + 4; for (int *p = a; p != end; p++) *p = c++;
CHECK(c == 4 && end - a == 4 && a < end && end > a + 3); }",
            "SAFE",
            EXECUTED,
        ),
        (
            "strings",
            "int main(void) { char b[16]; strcpy(b, \"work\"); strcat(b, \"shop\");
CHECK(strlen(b) == 8 && strcmp(b, \"workshop\") == 0 && strchr(b, 's') == b + 4); }",
            "SAFE",
            // The literal "shop" may be the end of the literal "workshop".
            "proved by execution: all 2 runs end without an error after",
        ),
        (
            "union_of_bytes",
            "union u { unsigned i; unsigned char c[4]; float f; };
int main(void) { union u v; v.i = 0x01020304; CHECK(v.c[0] == 4); v.f = 1.0f; CHECK(v.i == 0x3f800000); }",
            "SAFE",
            EXECUTED,
        ),
        (
            "pointer_in_bytes",
            "int main(void) { int x = 1; int *p = &x, *q; memcpy(&q, &p, sizeof p); *q = 2; CHECK(x == 2 && q == p);
unsigned long u = (unsigned long)&x; u |= 1; CHECK(u & 1); int *r = (int *)(u & ~1ul); CHECK(*r == 2); }",
            "SAFE",
            EXECUTED,
        ),
        (
            "container",
            "struct link { struct link *next; }; struct item { int key; struct link link; } item; struct link ring = { &item.link };
int main(void) { item.link.next = &ring; item.key = 7;
struct item *o = (struct item *)((char *)ring.next - offsetof(struct item, link));
CHECK(o->key == 7 && o->link.next == &ring); }",
            "SAFE",
            EXECUTED,
        ),
        (
            "dead_inputs",
            "extern int ask(void); struct s { char c; int i; };
int main(void) { int unused; struct s a, b; a.c = 1; a.i = 2; memcpy(&b, &a, sizeof a); int asked = ask(); unused = asked;
CHECK(b.i == 2 && b.c == 1); }",
            "SAFE",
            EXECUTED,
        ),
        (
            "floats",
            "int main(void) { double s = 0; for (int i = 0; i < 10; i++) s += 0.1; CHECK(s != 1.0 && s > 0.99); CHECK((float)0.1 != 0.1); }",
            "SAFE",
            EXECUTED,
        ),
        (
            "result_not_used",
            "int show(double d) { CHECK(d == 33.0); } int main(void) { int (*f)(double) = show; show(33); f(33); }",
            "SAFE",
            EXECUTED,
        ),
        ("aligned", "long x; int main(void) { CHECK(((unsigned long)&x & 7) == 0); }", "SAFE", EXECUTED),
        (
            "small_inputs",
            "int down(int n) { return n ? 1 + down(n - 1) : 0; }
int main(void) { unsigned char c = __VERIFIER_nondet_uchar(); CHECK(down(c) == c); }",
            "SAFE",
            "proved by execution: all 256 runs end without an error",
        ),
        (
            "small_input_that_fails",
            "int down(int n) { return n ? 1 + down(n - 1) : 0; }
int main(void) { unsigned char c = __VERIFIER_nondet_uchar(); CHECK(down(c) != 77); }",
            "UNSAFE",
            "",
        ),
    ]);
}

#[test]
fn a_strict_run_ends_at_its_first_memory_error() {
    check(&[
        (
            "after_return",
            "int *f(void) { int x = 1; int *volatile_free = &x; return volatile_free; }
int main(void) { int *p = f(); int y = 2; *p = 5; if (y == 2) reach_error(); }",
            "SAFE",
            EXECUTED,
        ),
        (
            "after_free",
            "int main(void) { int *p = malloc(4); *p = 1; free(p); *p = 2; reach_error(); }",
            "SAFE",
            EXECUTED,
        ),
        ("twice_freed", "int main(void) { int *p = malloc(4); free(p); free(p); reach_error(); }", "SAFE", EXECUTED),
        ("inner_freed", "int main(void) { char *p = malloc(4); free(p + 1); reach_error(); }", "SAFE", EXECUTED),
        // By its address alone this would be a write to another object.
        (
            "far_outside",
            "int a[4]; int b[100]; int main(void) { int *p = a; p[20] = 1; reach_error(); }",
            "SAFE",
            EXECUTED,
        ),
        ("literal_written", "int main(void) { char *s = \"abc\"; s[0] = 'x'; reach_error(); }", "SAFE", EXECUTED),
        ("null", "int main(void) { int *p = 0; *p = 1; reach_error(); }", "SAFE", EXECUTED),
    ]);
}

#[test]
fn what_decides_without_control_is_named() {
    check(&[
        (
            "order_of_objects",
            "int a, b; int main(void) { int *p = &a, *q = &b; if (p < q) reach_error(); }",
            "UNKNOWN",
            "where objects lie in memory",
        ),
        (
            "touching_objects",
            "int a[2], b[2]; int main(void) { int *p = a + 2, *q = b; if (p == q) reach_error(); }",
            "UNKNOWN",
            "where objects lie in memory",
        ),
        (
            "bits_of_an_address",
            "char c; int main(void) { if ((unsigned long)&c % 3) reach_error(); }",
            "UNKNOWN",
            "where objects lie in memory",
        ),
        (
            "equal_literals",
            "int main(void) { const char *p = \"ab\", *q = \"ab\"; if (p != q) reach_error(); }",
            "UNKNOWN",
            "",
        ),
        (
            "from_outside",
            "extern int ask(void); int main(void) { if (ask() > 3) reach_error(); }",
            "UNKNOWN",
            "a value from `ask`, which has no body",
        ),
        (
            "from_outside_unused",
            "extern int ask(void); int g; int main(void) { g = ask(); reach_error(); }",
            "UNSAFE",
            "",
        ),
        (
            "written_outside",
            "extern void fill(int *); int main(void) { int x = 1; fill(&x); if (x == 5) reach_error(); }",
            "UNKNOWN",
            "a value from `fill`, which has no body",
        ),
        ("not_initialised", "int main(void) { int x; if (x == 5) reach_error(); }", "UNSAFE", ""),
        (
            "pointer_from_outside",
            "extern int *where(void); int main(void) { int *p = where(); *p = 1; reach_error(); }",
            "UNKNOWN",
            "",
        ),
        (
            "sign_of_a_nan",
            "union u { double d; unsigned long bits; };
int main(void) { double zero = 0; union u v; v.d = zero / zero; if (v.bits >> 63) reach_error(); }",
            "UNKNOWN",
            "",
        ),
    ]);
}

#[test]
fn an_invalid_access_is_an_error_where_no_property_is_named() {
    let folder = Folder::new("execution");
    let programs = [
        ("twice", "int main(void) { int *p = malloc(4); free(p); free(p); }"),
        ("inner", "int main(void) { char *p = malloc(4); free(p + 1); }"),
        ("moved", "int main(void) { char *p = malloc(4); p = realloc(p + 1, 8); }"),
        ("after", "int main(void) { int *p = malloc(4); free(p); *p = 1; }"),
        ("beyond", "int main(void) { char b[4]; memset(b, 0, 5); }"),
        ("returned", "int *f(void) { int x = 1; int *q = &x; return q; } int main(void) { return *f(); }"),
        ("literal", "int main(void) { char *s = \"abc\"; s[1] = 'x'; }"),
        ("block", "int main(void) { int *p; { int x = 1; p = &x; } return *p; }"),
    ];
    for (name, program) in programs {
        let file = folder.file(&format!("{name}.c"), format!("{HEAD}{program}\n"));
        // Whether the error is shown is for others; it must not be called safe.
        let said = uforia(&["check", "--timeout", "20s", &file]);
        assert!(!said.last().starts_with("SAFE") && said.code != 70, "{name}: {said:?}");
    }
}

#[test]
fn an_operation_without_meaning_is_not_hidden_by_one_that_has_a_meaning() {
    let folder = Folder::new("execution");
    let program = "int none(void) {} int main(void) { none(); double d = 1e30; int i = d; if (i == 5) reach_error(); }";
    let file = folder.file("hidden.c", format!("{HEAD}{program}\n"));
    let said = uforia(&["check", "--property", "unreach-call", "--timeout", "5s", &file]);
    assert!(!said.out.contains("proved by execution") && said.code != 70, "{said:?}");
}
