//! Objects: pointers, arrays, records, initialisers, the heap.

use cfront::DataModel;
use program::{Action, InputKind};

use crate::harness::*;

#[test]
fn pointers_reach_what_they_point_to() {
    returns("int main(void) { int x = 3, *p = &x, **q = &p; **q += 4; return x; }", 7);
    returns(
        "int main(void) { int a[5] = {1, 2, 3, 4, 5}, *p = a + 1; p += 2; return *p * 10 + p[-1] + (int)(p - a); }",
        46,
    );
    returns(
        "int main(void) { int a[2][3] = {{1, 2, 3}, {4, 5, 6}}; int (*p)[3] = a; return p[1][2] * 10 + (*p)[1]; }",
        62,
    );
    returns(
        "int main(void) { short a[4]; for (int i = 0; i < 4; i++) a[i] = i * i; short *p = a; int s = 0; while (p < a + 4) s += *p++; return s; }",
        14,
    );
    returns(
        "int main(void) { int x = 0x01020304; unsigned char *p = (unsigned char *)&x; return p[0] * 10 + p[3]; }",
        41,
    );
    returns(
        "void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; } int main(void) { int x = 1, y = 2; swap(&x, &y); return x * 10 + y; }",
        21,
    );
    returns("int main(void) { char *s = \"hey\"; return s[1] + s[3]; }", 101);
    returns("int main(void) { int *p = 0; return p == 0 && !p; }", 1);
    returns("int main(void) { int a[3], *p = &a[2], *q = &a[0]; return (int)(p - q) + (p > q) * 10; }", 12);
}
#[test]
fn records_are_copied_as_values() {
    let head = "struct in { char c; long long l; }; struct s { int a; struct in i; short b[3]; };\n";
    for (body, expected) in [
        ("struct s x = {1, {2, 3}, {4, 5, 6}}, y = x; x.a = 9; return y.a + y.i.c + y.i.l + y.b[2];", 12),
        ("struct s x = {1}, y; y = x; y.i.l = 5; return x.i.l + y.a + y.b[1];", 1),
        ("struct s x = {1}, y = {2}, z; z = 3 > 2 ? y : x; return z.a;", 2),
        ("struct s x = {1}, y = {2}; return (x.a ? y : x).a;", 2),
        ("struct s a[2] = {{1}, {2}}; a[0] = a[1]; a[1].a = 7; return a[0].a * 10 + a[1].a;", 27),
        ("struct s x, *p = &x; p->i.c = 5; (*p).b[1] = 6; return x.i.c * 10 + p->b[1];", 56),
        ("struct s x = (struct s){ .b = {[1] = 4}, .a = 2 }; return x.a * 10 + x.b[1] + x.b[0];", 24),
    ] {
        returns(&format!("{head} int main(void) {{ {body} }}"), expected);
    }
}
#[test]
fn records_travel_through_calls() {
    let head = "struct s { int a, b; char pad[20]; int c; };\n\
        struct s make(int a) { struct s r = {a, a + 1}; r.c = a + 2; return r; }\n\
        int sum(struct s x) { x.a += 100; return x.a + x.b + x.c; }\n";
    for (body, expected) in [
        ("return make(5).b;", 6),
        ("struct s x = make(1); int r = sum(x); return r * 10 + x.a;", 1061),
        ("return sum(make(10));", 133),
        ("struct s x = make(1), y = x; x = make(x.c); return x.a * 10 + y.a;", 31),
        ("struct s (*f)(int) = make; return f(4).c;", 6),
        ("struct s x = make(1); int r = sum(x); return r + sum((x.a = 50, x));", 106 + 155),
    ] {
        returns(&format!("{head} int main(void) {{ {body} }}"), expected);
    }
}
#[test]
fn unions_keep_all_their_bytes() {
    returns(
        "union u { int i; unsigned char c[4]; float f; }; int main(void) { union u x = {0x01020304}, y; y = x; y.c[0] = 9; return y.i == 0x01020309 && x.c[0] == 4; }",
        1,
    );
    returns(
        "union u { char c; char all[11]; }; int main(void) { union u x, y; for (int i = 0; i < 11; i++) x.all[i] = i; y = x; return y.all[10] + y.all[8]; }",
        18,
    );
    returns(
        "union u { float f; unsigned i; }; int main(void) { union u x; x.f = 1.0f; return x.i == 0x3f800000u; }",
        1,
    );
    returns(
        "union u { double d; unsigned long long i; }; int main(void) { union u x; x.i = 0x4004000000000000ULL; return (int)(x.d * 10); }",
        25,
    );
}
#[test]
fn initialisers_leave_zero_where_nothing_is_said() {
    returns("int main(void) { int a[6] = {[2] = 5, 6}; return a[0] + a[1] + a[2] * 10 + a[3] + a[4] + a[5]; }", 56);
    returns("int main(void) { char s[8] = \"abc\"; return s[0] + s[3] + s[7]; }", 97);
    returns(
        "struct p { int x, y; }; struct p g[3] = {[1] = {3, 4}}; int main(void) { return g[0].x + g[1].x * 10 + g[1].y + g[2].y; }",
        34,
    );
    returns(
        "int main(void) { int a[1000] = {1, 2}; int s = 0; for (int i = 0; i < 1000; i++) s += a[i]; return s; }",
        3,
    );
    returns(
        "struct big { int n; int a[500]; char c; }; int main(void) { struct big x = {7, {1, 2, 3}, 5}, y; y = x; int s = 0; for (int i = 0; i < 500; i++) s += y.a[i]; return s * 100 + y.n * 10 + y.c; }",
        675,
    );
    returns("int main(void) { int a[] = {[0 ... 9] = 3, 4}; return sizeof a / sizeof *a * 10 + a[9] + a[10]; }", 117);
    returns(
        "int main(void) { int s = 0; for (int i = 0; i < 3; i++) { int a[4] = {1}; s += a[0] + a[3]; a[3] = 9; } return s; }",
        3,
    );
}
#[test]
fn statics_start_with_their_values() {
    returns("int x = 5; int *p = &x; int **q = &p; int main(void) { **q = 8; return x; }", 8);
    returns(
        "int a[3] = {1, 2, 3}; int *p = &a[1]; struct { int *q; char *s; } t = {a + 2, \"xyz\" + 1}; int main(void) { return *p * 100 + *t.q * 10 + (t.s[0] == 'y'); }",
        231,
    );
    returns("int f(void) { static int n = 3; return n++; } int main(void) { f(); f(); return f(); }", 5);
    returns("static const char *names[] = {\"a\", \"bc\"}; int main(void) { return names[1][1]; }", 99);
    returns(
        "int zero; long long big = -2; double d = 2.5; _Bool b = 7; int main(void) { return zero + (big == -2) + (d == 2.5) * 10 + b * 100; }",
        111,
    );
    returns(
        "int f(int x) { return x + 1; } int g(int x) { return x * 2; } int (*t[])(int) = {f, g}; int main(void) { return t[0](4) * 10 + t[1](4); }",
        58,
    );
    returns(
        "double d[2] = {0.5, -1.0}; float f[2] = {1.5f}; long double l = 3.0L; int main(void) { return (int)(d[0] * 4 + f[0] * 2 + (double)l + d[1]); }",
        7,
    );
}
#[test]
fn heap_objects_live_until_they_are_freed() {
    let head = "typedef __typeof__(sizeof 0) size_t; void *malloc(size_t); void *calloc(size_t, size_t); void free(void *); void *realloc(void *, size_t);\n";
    returns(
        &format!(
            "{head} struct n {{ int v; struct n *next; }}; int main(void) {{ struct n *l = 0; for (int i = 1; i < 5; i++) {{ struct n *m = malloc(sizeof *m); m->v = i; m->next = l; l = m; }} int s = 0; while (l) {{ s = s * 10 + l->v; struct n *d = l; l = l->next; free(d); }} return s; }}"
        ),
        4321,
    );
    returns(
        &format!(
            "{head} int main(void) {{ int *p = calloc(4, sizeof(int)); p[2] = 3; return p[0] + p[1] + p[2] + p[3]; }}"
        ),
        3,
    );
    let (program, _) = lower(
        &format!("{head} int main(void) {{ char *p = malloc(3); p = realloc(p, 9); return p[1]; }}"),
        DataModel::Lp64,
    );
    assert_eq!(inputs(&program), [InputKind::Memory, InputKind::Memory]);
    assert_eq!(program.assumptions.len(), 2);
}
#[test]
fn arrays_of_variable_length_have_their_length() {
    returns(
        "int main(void) { int n = 5; int a[n]; for (int i = 0; i < n; i++) a[i] = i; int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s * 10 + sizeof a / sizeof *a; }",
        105,
    );
    returns(
        "int f(int n, int a[n][n]) { return a[1][1]; } int main(void) { int a[2][2] = {{1, 2}, {3, 4}}; return f(2, a); }",
        4,
    );
    returns(
        "int main(void) { int n = 3, m = 4; int a[n][m]; a[2][3] = 7; a[1][0] = 2; int (*p)[m] = a; return p[2][3] * 10 + p[1][0]; }",
        72,
    );
}
#[test]
fn compound_literals_are_objects() {
    returns("int main(void) { int *p = (int[]){1, 2, 3}; p[1] = 9; return p[0] + p[1] + p[2]; }", 13);
    returns(
        "struct p { int x, y; }; int f(const struct p *p) { return p->x * 10 + p->y; } int main(void) { return f(&(struct p){3, 4}); }",
        34,
    );
    returns("int *p = (int[]){4, 5}; int main(void) { return p[1]; }", 5);
}
#[test]
fn uninitialised_objects_are_inputs() {
    let (program, _) = lower("int main(void) { int a[3]; return a[1]; }", DataModel::Lp64);
    assert_eq!(inputs(&program), [InputKind::Uninitialised("a".into())]);
    assert_eq!(count(&program, |action| matches!(action, Action::Forget { .. })), 1);
}
#[test]
fn volatile_reads_may_give_any_value() {
    let (program, _) = lower("volatile int v; int main(void) { int a = v; return a == v; }", DataModel::Lp64);
    assert_eq!(inputs(&program).len(), 2);
    returns("int main(void) { volatile int x = 4; return x + x; }", 8);
}
#[test]
fn a_variable_of_unknown_size_is_a_pointer_from_outside() {
    let text = "extern int table[]; extern struct hidden hidden; int *p = table; int main(void) { return p == table && (void *)&hidden == (void *)&hidden; }";
    let (program, terms) = lower(text, DataModel::Lp64);
    let is_assumed = |name: &str| {
        program
            .assumptions
            .iter()
            .any(|assumption| assumption.text.starts_with(&format!("`{name}` is defined elsewhere with a size")))
    };
    assert!(is_assumed("table") && is_assumed("hidden"), "{:?}", program.assumptions);
    let run = run(&program, &terms, &[]);
    assert!(matches!(run.outcome, program::interp::Outcome::Returned(_)), "{:?}", run.outcome);
}
#[test]
fn a_variable_may_be_another_name_for_the_first_bytes_of_a_larger_one() {
    returns(
        "struct id { int a, b; }; static struct id table[3] = {{1, 2}, {3, 4}}; extern const struct id first __attribute__((alias(\"table\"))); \
         int main(void) { int before = first.a; table[0].a = 7; return before * 10 + first.a; }",
        17,
    );
}
#[test]
fn assembler_that_names_a_variable_may_write_it() {
    let text = |clobber: &str| {
        format!(
            "int counter = 1; int main(void) {{ __asm__ volatile(\"incl counter(%%rip)\" : : : {clobber}); return counter; }}"
        )
    };
    let n_inputs = |text: &str| lower(text, DataModel::Lp64).0.inputs.len();
    assert_eq!(n_inputs(&text("\"memory\"")), n_inputs(&text("\"cc\"")) + 1);
    assert!(
        refused("int f(void) { return 1; } int main(void) { __asm__ volatile(\"call f\"); return 0; }")[0]
            .contains("uses the function `f`")
    );
}
