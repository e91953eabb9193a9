//! What semantic analysis makes of each construct: text in, typed tree or diagnostics out.

use crate::DataModel;
use crate::source::Source;
use base::Severity;

/// The typed tree of the text for LP64, without the outer indentation of expectations.
fn check(text: &str, expected: &str) {
    check_for(DataModel::Lp64, text, expected);
}

fn check_for(model: DataModel, text: &str, expected: &str) {
    let source = Source::new("test.c", text);
    let (ast, diagnostics) = crate::parse::parse(&source);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let (unit, diagnostics) = crate::sema::analyse(std::slice::from_ref(&ast), &source, model);
    let errors: Vec<_> = diagnostics.iter().filter(|d| d.severity != Severity::Warning).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let trimmed = |text: &str| text.lines().map(str::trim).filter(|l| !l.is_empty()).collect::<Vec<_>>().join("\n");
    let actual = trimmed(&unit.dump());
    assert_eq!(actual, trimmed(expected), "\n--- the tree is\n{actual}\n---");
}

/// The statements of `void f(void)` with these globals, joined by ` | `.
fn body(globals: &str, statements: &str) -> String {
    let text = format!("{globals}\nvoid f(void) {{ {statements} }}");
    let source = Source::new("test.c", &text);
    let (ast, diagnostics) = crate::parse::parse(&source);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let (unit, diagnostics) = crate::sema::analyse(std::slice::from_ref(&ast), &source, DataModel::Lp64);
    let errors: Vec<_> = diagnostics.iter().filter(|d| d.severity != Severity::Warning).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let dump = unit.dump();
    let (_, inside) = dump.split_once("f() void {\n").expect("the function is there");
    let lines: Vec<&str> = inside.trim_end().trim_end_matches('}').lines().map(str::trim).collect();
    lines.join(" | ").trim_end_matches(" | ").to_owned()
}

/// `line:column: message [help]` of each diagnostic.
fn diagnostics(text: &str) -> Vec<String> {
    let source = Source::new("test.c", text);
    let (ast, parsed) = crate::parse::parse(&source);
    assert!(parsed.is_empty(), "{parsed:?}");
    let (_, found) = crate::sema::analyse(std::slice::from_ref(&ast), &source, DataModel::Lp64);
    let word = |severity| match severity {
        Severity::Error => "",
        Severity::Unsupported => "unsupported: ",
        Severity::Warning => "warning: ",
    };
    found
        .iter()
        .map(|d| {
            let help = if d.help.is_empty() { String::new() } else { format!(" [{}]", d.help) };
            format!("{}:{}: {}{}{help}", d.line, d.column, word(d.severity), d.message)
        })
        .collect()
}

const VARS: &str = "char c; unsigned char uc; short s; int i; unsigned u; long l; unsigned long ul; float x; double d; _Bool b;
int *p; char *q; void *v; int a[10]; struct S { int m; unsigned bit : 3; struct S *next; } st, *ps; int (*fp)(int); int fn(int);";

#[test]
fn operands_are_promoted_and_balanced() {
    assert_eq!(body(VARS, "i = c + s;"), "(i = ((int)c + (int)s))");
    assert_eq!(body(VARS, "l = i + u;"), "(l = (long)((unsigned int)i + u))");
    assert_eq!(body(VARS, "ul = i + ul;"), "(ul = ((unsigned long)i + ul))");
    assert_eq!(body(VARS, "x = x + i;"), "(x = (x + (float)i))");
    assert_eq!(body(VARS, "d = x * 2.0;"), "(d = ((double)x * 2.0))");
    assert_eq!(body(VARS, "i = b + st.bit;"), "(i = ((int)b + (int)st.@4:0+3))");
    assert_eq!(body(VARS, "i = ~uc;"), "(i = ~(int)uc)");
    assert_eq!(body(VARS, "i = -1 < 0u;"), "(i = 0)");
}

#[test]
fn a_shift_has_the_type_of_its_left_operand() {
    assert_eq!(body(VARS, "l = c << l;"), "(l = (long)((int)c << l))");
    assert_eq!(body(VARS, "c <<= l;"), "(c <<=<int> l)");
}

#[test]
fn compound_assignment_computes_in_the_common_type() {
    assert_eq!(body(VARS, "c += 1;"), "(c +=<int> 1)");
    assert_eq!(body(VARS, "i += d;"), "(i +=<double> d)");
    assert_eq!(body(VARS, "i -= u;"), "(i -=<unsigned int> u)");
    assert_eq!(body(VARS, "p += c;"), "(p +=[4] (long)(int)c)");
    assert_eq!(body(VARS, "b++; d--; --p; v++;"), "b++ | d-- | --[4]p | v++[1]");
}

#[test]
fn pointers_count_in_elements() {
    assert_eq!(body(VARS, "p = a + i;"), "(p = (&a +[4] (long)i))");
    assert_eq!(body(VARS, "i = 2[a];"), "(i = *((&a +[4] 2:long)))");
    assert_eq!(body(VARS, "l = p - a;"), "(l = (p -[4] &a))");
    assert_eq!(body(VARS, "v = v + 3;"), "(v = (v +[1] 3:long))");
    assert_eq!(body(VARS, "p = &*p; p = &a[3];"), "(p = p) | (p = (&a +[4] 3:long))");
    assert_eq!(body(VARS, "i = *&i;"), "(i = i)");
}

#[test]
fn comparisons_convert_to_a_common_type() {
    assert_eq!(body(VARS, "i = p == 0;"), "(i = (p == 0:int *))");
    assert_eq!(body(VARS, "i = p == v;"), "(i = (p == (int *)v))");
    assert_eq!(body(VARS, "i = v != p;"), "(i = ((int *)v != p))");
    assert_eq!(body(VARS, "i = c < u;"), "(i = ((unsigned int)c < u))");
    assert_eq!(body(VARS, "i = !p || b && d;"), "(i = (!p || (b && d)))");
}

#[test]
fn conditionals_find_a_common_type() {
    assert_eq!(body(VARS, "i = i ? c : l;"), "(i = (int)(i ? (long)c : l))");
    assert_eq!(body(VARS, "v = i ? p : 0;"), "(v = (void *)(i ? p : 0:int *))");
    assert_eq!(body(VARS, "v = i ? p : v;"), "(v = (i ? (void *)p : v))");
    assert_eq!(body(VARS, "st = i ? st : *ps;"), "(st = (i ? st : *(ps)))");
    assert_eq!(body(VARS, "i ? (void)0 : (void)i;"), "(i ? (void)0 : (void)i)");
    assert_eq!(body(VARS, "i = c ?: l;"), "(i = (int)((long)c ?: l))");
    assert_eq!(body(VARS, "i = 1 ? 2 : 1 / 0;"), "(i = 2)");
}

#[test]
fn only_defined_operations_are_folded() {
    assert_eq!(body(VARS, "i = 2147483647 + 1;"), "(i = (2147483647 + 1))");
    assert_eq!(
        body(VARS, "i = 1 / 0; i = 1 << 32; i = -(-2147483647 - 1);"),
        "(i = (1 / 0)) | (i = (1 << 32)) | (i = --2147483648)"
    );
    assert_eq!(body(VARS, "u = 4294967295u + 1; u = 0u - 1;"), "(u = 0:unsigned int) | (u = 4294967295:unsigned int)");
    assert_eq!(
        body(VARS, "c = 200; uc = -1; b = 5; i = 3.99;"),
        "(c = -56:char) | (uc = 255:unsigned char) | (b = 1:_Bool) | (i = 3)"
    );
}

#[test]
fn calls_convert_their_arguments() {
    assert_eq!(
        body(VARS, "fn(d); fp(c); (*fp)(1); (**fn)(2); (&fn)(3);"),
        "fn((int)d) | (*fp)((int)c) | (*fp)(1) | fn(2) | fn(3)"
    );
    assert_eq!(body("int g(); float x; char c;", "g(x, c, 0);"), "g((double)x, (int)c, 0)");
    assert_eq!(
        body("int printf(const char *, ...); float x;", "printf(\"%f\", x);"),
        "printf((const char *)&\"%f\\0\", (double)x)"
    );
    assert_eq!(body("void take(int n, int *p); int a[3];", "take('a', a);"), "take(97, &a)");
}

#[test]
fn a_function_called_before_its_definition_gets_its_type_in_the_end() {
    check(
        "int main(void) { later(1); return 0; } void later(int x) {}",
        "main() int {
           later(1)
           return 0
         }
         later(x: int) void {
         }",
    );
}

#[test]
fn old_style_parameters_arrive_promoted() {
    check(
        "int f(a, c, x) char c; float x; { return c; }",
        "f(a: int, c#1: int, x#3: double) int {
           var c#2: char = {@0 (char)c#1}
           var x#4: float = {@0 (float)x#3}
           return (int)c#2
         }",
    );
}

#[test]
fn members_of_values_are_temporaries() {
    assert_eq!(body("struct S { int m; } f1(void);", "f1().m;"), "temporary(f1()).@0");
    assert_eq!(body(VARS, "(st = *ps).m; st.next->next->m++;"), "temporary((st = *(ps))).@0 | *(*(st.@8).@8).@0++");
}

#[test]
fn volatility_follows_the_access() {
    let globals = "volatile int g; struct { volatile int m; int n; } s; int *p; typedef volatile int vi; vi w[3];";
    assert_eq!(
        body(globals, "g = s.m; s.n = *(volatile int *)p; w[1]; *p;"),
        "(volatile g = volatile s.@0) | (s.@4 = volatile *((volatile int *)p)) | volatile *((&volatile w +[4] 1:long)) | *(p)"
    );
}

#[test]
fn initialisers_become_flat_pieces() {
    check("int a[2][3] = { [0][1] = 5, 6, 7 };", "a: int [2][3] = {@4 5, @8 6, @12 7}");
    check("int a[] = { [3] = 1, 2, [0] = 9 };", "a: int [5] = {@12 1, @16 2, @0 9}");
    check(
        "char s[] = \"ab\"; char t[2] = \"xy\"; char z[4] = { \"q\" };",
        "s: char [3] = {@0 97:char, @1 98:char}
        t: char [2] = {@0 120:char, @1 121:char}
        z: char [4] = {@0 113:char}",
    );
    check("int big[100000] = { [5 ... 99999] = 3 };", "big: int [100000] = {@20 x99995/4 3}");
    check(
        "struct { int a, b; } x[4] = { [0 ... 2] = { 1, 2 }, [1] = { .b = 7 } };",
        "x: struct <unnamed 0> [4] = {@0 x3/8 1, @4 x3/8 2, @8 0, @12 7}",
    );
    check("union { int i; char c[4]; } u = { .i = 7, .c = { 1 } };", "u: union <unnamed 0> = {@0 1:char}");
    check(
        "struct { int n; char d[]; } f = { 2, { 8, 9 } }; int size = sizeof f;",
        "f: struct <unnamed 0> = {@0 2, @4 8:char, @5 9:char}
         size: int = {@0 4}",
    );
    check(
        "struct { unsigned a : 3, : 2, b : 4; } f = { 1, 2 };",
        "f: struct <unnamed 0> = {@0:0+3 1:unsigned int, @0:5+4 2:unsigned int}",
    );
    assert_eq!(
        body("struct S { int a; struct { int b, c; } i; } s;", "struct S t = s, u = { 1, s.i }, w = { 1, 2 };"),
        "var &t: struct S = {@0 s} | var &u: struct S = {@0 1, @4 s.@4} | var &w: struct S = {@0 1, @4 2}"
    );
}

#[test]
fn static_initialisers_are_constants_and_addresses() {
    check(
        "int g; struct { int a, b[3]; } s; int *p = &g, *q = &s.b[2], *r = s.b + 1; long l = (long)&g; int (*f)(void);
         char *t = \"hi\" + 1; long off = (long)&((struct { int x; char y; } *)0)->y; long n = &s.b[2] - &s.b[0]; double d = 1 / 4.0;",
        "g: int
         s: struct <unnamed 0>
         p: int * = {@0 &g}
         q: int * = {@0 (&s.@4 +[4] 2:long)}
         r: int * = {@0 (&s.@4 +[4] 1:long)}
         l: long = {@0 (long)&g}
         f: int (*)(void)
         t: char * = {@0 (&\"hi\\0\" +[1] 1:long)}
         off: long = {@0 4:long}
         n: long = {@0 2:long}
         d: double = {@0 0.25}",
    );
    check(
        "int *p = (int[]){ 1, 2 }; struct S { int a; } s = (struct S){ 3 };",
        "p: int * = {@0 &<literal>#1}
         <literal>#1: int [2] = {@0 1, @4 2}
         s: struct S = {@0 3}
         <literal>#3: struct S = {@0 3}",
    );
}

#[test]
fn declarations_of_one_object_are_merged() {
    check(
        "extern int a[]; int a[3]; int x; int x = 4; extern int x; static int y; int f(void) { extern int x; return x; }",
        "a: int [3]
         x: int = {@0 4}
         y: int
         f() int {
           return x
         }",
    );
    check(
        "extern int only; int use(void) { return only; }",
        "extern only: int
         use() int {
           return only
         }",
    );
}

#[test]
fn static_locals_are_variables_of_their_own() {
    check(
        "int f(void) { static int n = 3; return n++; } int g(void) { static int n; return n; }",
        "n#0: int = {@0 3}
         n#1: int
         f() int {
           return n#0++
         }
         g() int {
           return n#1
         }",
    );
}

#[test]
fn switches_collect_their_cases() {
    assert_eq!(
        body(
            "char c; int i;",
            "switch (c) { case 1: i = 1; case 'a' ... 'z': { case 300: i = 2; } break; default: ; }"
        ),
        "switch (int)c [1, 97...122, 300, default] { | case #0: | (i = 1) | case #1: | block { | case #2: | (i = 2) | } | break | case #3: | }"
    );
}

#[test]
fn arrays_of_variable_length_have_size_variables() {
    check(
        "int f(int n, int m[n][n]) { int a[n + 1]; int (*p)[n] = m; p++; return sizeof a + a[1] + m[1][2] + sizeof(char[n]); }",
        "f(n: int, m: int (*)[*]) int {
           (<array length>#1 = (unsigned long)n)
           (<array length>#3 = (unsigned long)(n + 1))
           var &a: int [*]
           (<array length>#5 = (unsigned long)n)
           var p: int (*)[*] = {@0 (int (*)[*])m}
           p++[4 * <array length>#5]
           return (int)((((<array length>#3 * 4:unsigned long) + (unsigned long)*((&a +[4] 1:long))) + (unsigned long)*(((int *)(m +[4 * <array length>#1] 1:long) +[4] 2:long))) + ((<array length>#7 = (unsigned long)n), (<array length>#7 * 1:unsigned long)))
         }",
    );
}

#[test]
fn statement_expressions_give_their_last_value() {
    assert_eq!(
        body("int i;", "i = ({ int t = i; t + 1; }); ({ ; });"),
        "(i = ({ var t: int = {@0 i}; (t + 1) })) | ({ ;  })"
    );
}

#[test]
fn types_can_be_asked_for() {
    assert_eq!(
        body(
            VARS,
            "__typeof__(c + c) t = 1; __auto_type w = l; i = _Generic(u, int: 1, unsigned: 2, default: 3); i = __builtin_types_compatible_p(int[], int[5]); i = _Alignof(double); i = __builtin_choose_expr(0, p, 7); i = __builtin_offsetof(struct S, next);"
        ),
        "var t: int = {@0 1} | var w: long = {@0 l} | (i = 2) | (i = 1) | (i = 8) | (i = 7) | (i = 8)"
    );
}

#[test]
fn ilp32_has_its_own_sizes() {
    check_for(
        DataModel::Ilp32,
        "struct S { char c; long long l; double d; }; int s = sizeof(struct S), p = sizeof(void *), ld = sizeof(long double);
         int m = _Alignof(long long), v = __alignof__(long long); long x = 2147483648; unsigned long y = sizeof 3000000000;",
        "s: int = {@0 20}
         p: int = {@0 4}
         ld: int = {@0 12}
         m: int = {@0 4}
         v: int = {@0 8}
         x: long = {@0 -2147483648:long}
         y: unsigned long = {@0 8:unsigned long}",
    );
}

#[test]
fn enums_take_the_type_that_holds_their_values() {
    check(
        "enum A { X, Y = 3 } a; enum B { N = -1 } b; enum C { L = 0x100000000 } c; int x = Y, s = sizeof(L), m = (__typeof__(a))-1 > 0;",
        "a: unsigned int
         b: int
         c: unsigned long
         x: int = {@0 3}
         s: int = {@0 8}
         m: int = {@0 1}",
    );
}

#[test]
fn builtins_vanish_become_operators_or_functions() {
    assert_eq!(
        body(
            VARS,
            "i = __builtin_expect(i, 0); __builtin_memcpy(p, q, 4); i = __builtin_popcount(u); i = __builtin_constant_p(3) + __builtin_constant_p(i); __builtin_unreachable(); __builtin_abort(); i = __builtin_clzl(1);"
        ),
        "(i = (int)(long)i) | memcpy((void *)p, (const void *)q, 4:unsigned long) | (i = Popcount(u)) | (i = (1 + ConstantP())) | Unreachable() | abort() | (i = 63)"
    );
    assert_eq!(body(VARS, "__builtin_strange(i);"), "unsupported(the builtin `__builtin_strange`)");
}

#[test]
fn variadic_functions_walk_their_arguments() {
    check(
        "int f(int n, ...) { __builtin_va_list ap, bp; __builtin_va_start(ap, n); __builtin_va_copy(bp, ap); int r = __builtin_va_arg(ap, int); __builtin_va_end(ap); return r; }",
        "f(n: int) int {
           var &ap: va_list
           var bp: va_list
           va_start(ap)
           va_copy(bp, ap)
           var r: int = {@0 va_arg(ap, int)}
           (void)&ap
           return r
         }",
    );
}

#[test]
fn symbols_with_several_names_are_one() {
    check(
        "int target(int x) { return x; } int other(int) __attribute__((alias(\"target\"))); \
         int again(int) __asm__(\"other\"); int scanf(const char *, ...) __asm__(\"__isoc99_scanf\");",
        "target(x: int) int {
           return x
         }
         other is target
         other is target",
    );
    check(
        "int x; extern int y __asm__(\"x\"); extern int z __attribute__((alias(\"x\"))); static long a; long b __asm__(\"c\"); extern long c;",
        "x: int
         y is x
         z is x
         a: long
         b: long
         c is b",
    );
}

#[test]
fn constructs_beyond_us_are_refused_where_they_are_used() {
    assert_eq!(body("_Complex double z, w;", "z = z + w;"), "(z = unsupported(operations on _Complex double))");
    assert_eq!(
        body("", "int g(int x) { return x; } g(1);"),
        "unsupported(a nested function) | unsupported(a nested function)"
    );
}

#[test]
fn mistakes_are_reported_together_and_once() {
    assert_eq!(
        diagnostics(
            "int counter;\nvoid f(void) { conter = 1; conter++; conter + conter;\n counter = missing; }\nint g(void) { return conter; }"
        ),
        [
            "2:16: `conter` is not declared [did you mean `counter`?]",
            "3:12: `missing` is not declared",
            "4:22: `conter` is not declared [did you mean `counter`?]",
        ]
    );
}

#[test]
fn an_error_silences_what_follows_from_it() {
    assert_eq!(
        diagnostics("struct T *t; int f(void) { return t->x + nothing.y[3](1) * 2; }"),
        ["1:35: `struct T` is incomplete here [define the type before this]", "1:42: `nothing` is not declared"]
    );
}

#[test]
fn wrong_types_are_errors() {
    assert_eq!(
        diagnostics(
            "struct S { int m; } s; int i, *p; void g(int);\nvoid f(void) {\ns + 1;\n*i;\ni.m;\ns.q;\np % 2;\ng();\ng(1, 2);\ni();\ni = s;\n1 = i;\nif (s) ;\nbreak;\ngoto nowhere;\nswitch (1) { case 1: case 1: ; }\n}"
        ),
        [
            "3:1: `+` cannot be applied to `struct S` and `int`",
            "4:1: `*` needs a pointer, not `int`",
            "5:1: `int` has no members, so none is called `m`",
            "6:1: `struct S` has no member `q`",
            "7:1: `%` cannot be applied to `int *` and `int`",
            "8:1: `g` takes 1 argument, not 0",
            "9:1: `g` takes 1 argument, not 2",
            "10:1: `int` is no function and cannot be called",
            "11:5: assignment: `struct S` cannot be converted to `int`",
            "12:1: this is a value, not an object, and cannot be assigned to",
            "13:5: a condition must be a number or a pointer, not `struct S`",
            "14:1: `break` stands outside any loop or switch",
            "16:22: the case 1 appears twice in this switch",
            "15:6: there is no label `nowhere` in this function",
        ]
    );
}

#[test]
fn declarations_that_disagree_are_errors() {
    assert_eq!(
        diagnostics(
            "int x; char x; int f(int); int f(char); void g(void) { int y; int y; } struct S { int a; int a; }; struct S { int b; };"
        ),
        [
            "1:13: `x` has conflicting types [it is `char` here and was `int` before]",
            "1:32: `f` has conflicting types [it is `int (char)` here and was `int (int)` before]",
            "1:67: `y` is declared twice [it was declared before on line 1]",
            "1:94: there are two members called `a`",
            "1:100: the tag `S` is defined twice",
        ]
    );
}

#[test]
fn constants_are_demanded_where_c_demands_them() {
    assert_eq!(
        diagnostics(
            "int n; int a[n]; int b = n; int c = 1 / 0; struct { int f : 40; int g : n; } s; enum { E = 1 % 0 }; _Static_assert(0, \"no\"); int d[-1];"
        ),
        [
            "1:14: the length of an array outside a function must be a constant",
            "1:26: the initialiser of a static object is not constant [only numbers, addresses of static objects and functions, and operators on them are allowed here]",
            "1:37: division by zero in the initialiser of a static object",
            "1:61: a bit-field of type `int` has at most 32 bits, not 40",
            "1:73: the width of a bit-field is not a constant expression",
            "1:92: division by zero in the value of an enumerator",
            "1:101: the static assertion fails: no",
            "1:132: the length of an array cannot be -1",
        ]
    );
}

#[test]
fn a_type_name_has_no_storage_class() {
    let refused = "only a declaration or a compound literal has a storage class";
    assert_eq!(diagnostics("int f(void) { return (static int)5; }"), [format!("1:23: {refused}")]);
    assert_eq!(diagnostics("int n = sizeof(register int);"), [format!("1:16: {refused}")]);
    assert_eq!(
        diagnostics("int *f(void) { return &(extern int){5}; }"),
        ["1:25: a compound literal cannot have this storage class"]
    );
    assert_eq!(
        diagnostics("int f(register int a, static int b); struct s { extern int c; };"),
        ["1:23: the only storage class of a parameter is `register`", "1:49: a member has no storage class"]
    );
}

#[test]
fn an_enum_keeps_to_its_fixed_type() {
    assert_eq!(
        diagnostics(
            "enum e : unsigned char { A = 255, B }; enum f : float { C }; enum g : short; enum g : int; enum e : int;"
        ),
        [
            "1:35: the value 256 of `B` does not fit into `unsigned char`",
            "1:49: an enum cannot have the type `float`",
            "1:78: the tag `g` was declared as another kind of type",
            "1:92: the tag `e` was declared as another kind of type",
        ]
    );
}

#[test]
fn distances_of_labels_are_constant() {
    let body = "static const long d[] = { &&a - &&a, &&b - &&a }; goto *(&&a + d[1]); a: return 1; b: return 2;";
    assert!(diagnostics(&format!("int f(void) {{ {body} }}")).is_empty());
}

#[test]
fn doubtful_conversions_are_warnings() {
    assert_eq!(
        diagnostics(
            "int *p; char *q; int i; const int *cp; void f(void) { p = q; p = i; i = p; p = cp; p = 0; undeclared(); } int g(void) { return; }"
        ),
        [
            "1:59: warning: assignment from the incompatible pointer type `char *` to `int *`",
            "1:66: warning: assignment makes a pointer `int *` from an integer `int` without a cast",
            "1:73: warning: assignment makes an integer of type `int` from a pointer `int *` without a cast",
            "1:80: warning: assignment discards qualifiers: from `const int *` to `int *`",
            "1:91: warning: `undeclared` is called but not declared [it is taken to be `int ()`]",
            "1:121: warning: this function returns a value, but not here",
        ]
    );
}
