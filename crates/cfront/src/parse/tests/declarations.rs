//! Declarations and types: text in, tree out.

use super::{messages, tree};

#[test]
fn declarators_read_from_the_name_outwards() {
    assert_eq!(
        tree("int *a[3], (*b)[3], **const c;"),
        "(decl int (a array[3] ptr) (b ptr array[3]) (c const ptr ptr))"
    );
    assert_eq!(tree("int (*f(int a))(char *);"), "(decl int (f func(int a) ptr func(char (_ ptr))))");
    assert_eq!(
        tree("void (*signal(int, void (*)(int)))(int);"),
        "(decl void (signal func(int _, void (_ ptr func(int _))) ptr func(int _)))"
    );
    assert_eq!(tree("int ((x)), *(*(y));"), "(decl int x (y ptr ptr))");
}

#[test]
fn type_words_mean_the_same_in_any_order() {
    assert_eq!(
        tree("long unsigned int long a; int short b; char signed c; double long d; unsigned e; signed f;"),
        "(decl ullong a)\n(decl short b)\n(decl schar c)\n(decl ldouble d)\n(decl uint e)\n(decl int f)"
    );
    assert_eq!(
        tree("unsigned __int128 a; __float128 b; _Float64 c; _Complex d; float _Complex e;"),
        "(decl uint128 a)\n(decl float128 b)\n(decl double c)\n(decl complex double d)\n(decl complex float e)"
    );
    assert_eq!(
        tree("__builtin_va_list a; __SIZE_TYPE__ b; __uint128_t c; _Bool d;"),
        "(decl va_list a)\n(decl ulong b)\n(decl uint128 c)\n(decl _Bool d)"
    );
}

#[test]
fn storage_and_qualifiers_stand_anywhere() {
    assert_eq!(
        tree("int const static volatile x; int typedef T; T extern __thread y;"),
        "(decl static const volatile int x)\n(decl typedef int T)\n(decl extern thread T y)"
    );
    assert_eq!(
        tree("static __inline__ _Noreturn void f(void);"),
        "(decl static inline noreturn void (f func(void _)))"
    );
    assert_eq!(
        tree("_Atomic int a; _Atomic(int *) b; _Alignas(8) _Alignas(long) char c;"),
        "(decl atomic int a)\n(decl atomic(int (_ ptr)) b)\n(decl align(8) align(type long) char c)"
    );
}

#[test]
fn parameters_may_be_abstract_qualified_and_variadic() {
    assert_eq!(
        tree("int f(char, int *p, int [], int a[static const 3], int b[*], ...);"),
        "(decl int (f func(char _, int (p ptr), int (_ array[]), int (a const array[3]), int (b array[*]) ...)))"
    );
    assert_eq!(tree("int f(), g(void);"), "(decl int (f func(?)) (g func(void _)))");
    assert_eq!(
        tree("int f(int (g)(int), int n, int a[n]);"),
        "(decl int (f func(int (g func(int _)), int n, int (a array[n]))))"
    );
}

#[test]
fn typedef_names_in_parameters_are_types_unless_a_type_was_seen() {
    assert_eq!(
        tree("typedef int T; void f(T), g(int T), h(int (T)), i(T T);").lines().last().unwrap(),
        "(decl void (f func(T _)) (g func(int T)) (h func(int (_ func(T _)))) (i func(T T)))"
    );
    assert_eq!(
        tree("typedef int T; void f(int T, char a[sizeof(T)]);").lines().last().unwrap(),
        "(decl void (f func(int T, char (a array[(Sizeof T)]))))"
    );
}

#[test]
fn old_style_definitions() {
    assert_eq!(
        tree("int f(a, b) int a; char *b; { return a; }"),
        "(fn int (f func(old a b)) (decl int a) (decl char (b ptr)) {(return a)})"
    );
    assert_eq!(tree("f(a) { return a; }"), "(fn implicit (f func(old a)) {(return a)})");
}

#[test]
fn int_may_be_implied() {
    assert_eq!(
        tree("main() { } static x; y; *g(); const z = 1;"),
        "(fn implicit (main func(?)) {})\n(decl static implicit x)\n(decl implicit y)\n(decl implicit (g func(?) ptr))\n(decl const implicit z = 1)"
    );
}

#[test]
fn structs_unions_and_their_members() {
    assert_eq!(
        tree("struct s { int a, *b; unsigned c : 3, : 0; struct { int d; }; union u e; int f[]; };"),
        "(decl (struct s {int a (b ptr); uint c:3 _:0; (struct _ {int d}); (union u) e; int (f array[])}))"
    );
    assert_eq!(
        tree("struct s; struct {} x; union u *p; struct t { ; int a;; };"),
        "(decl (struct s))\n(decl (struct _ {}) x)\n(decl (union u) (p ptr))\n(decl (struct t {int a}))"
    );
    assert_eq!(
        tree("typedef int T; struct s { T T; T : 2; unsigned T; };").lines().last().unwrap(),
        "(decl (struct s {T T; T _:2; uint T}))"
    );
    assert_eq!(tree("struct s { _Static_assert(1, \"m\"); int a; };"), "(decl (struct s {(assert 1 \"m\"); int a}))");
}

#[test]
fn enums_declare_their_enumerators() {
    assert_eq!(
        tree("enum e { A, B = 2, C = B + 1, }; enum e x; enum { D };"),
        "(decl (enum e {A B=2 C=(Add B 1)}))\n(decl (enum e) x)\n(decl (enum _ {D}))"
    );
    assert_eq!(
        tree("typedef int T; void f(void) { enum { T }; T * 2; }").lines().last().unwrap(),
        "(fn void (f func(void _)) {(decl (enum _ {T})) (Mul T 2)})"
    );
}

#[test]
fn initialisers_and_designators() {
    assert_eq!(
        tree("int a[] = {1, {2, 3}, [4] = 5, [6 ... 7] = 8, [9] 10, };"),
        "(decl int (a array[]) = {1, {2, 3}, [4]=5, [6 ... 7]=8, [9]=10})"
    );
    assert_eq!(tree("struct s x = {.a = 1, b: 2, .c.d[1] = {}, };"), "(decl (struct s) x = {.a=1, .b=2, .c.d[1]={}})");
    assert_eq!(tree("char s[] = {\"abc\"}, *p = 0;"), "(decl char (s array[]) = {\"abc\"} (p ptr) = 0)");
}

#[test]
fn attributes_everywhere() {
    assert_eq!(
        tree("__attribute__((unused)) static int __attribute__((aligned(8))) x __attribute__((section(\"s\"))) = 1;"),
        "(decl static int @aligned(8) x = 1)"
    );
    assert_eq!(
        tree("int f(const char *, ...) __asm__(\"g\") __attribute__((__format__(__printf__, 1, 2), const));"),
        "(decl int (f func(const char (_ ptr) ...)) asm g @const)"
    );
    assert_eq!(
        tree("struct __attribute__((packed)) s { int a __attribute__((aligned)); } __attribute__((aligned(4)));"),
        "(decl (struct s @packed @aligned(4) {int a @aligned}))"
    );
    assert_eq!(
        tree(
            "typedef int word __attribute__((mode(word)));  int (__attribute__((noreturn)) *p)(void), * __attribute__((weak)) q;"
        ),
        "(decl typedef int word @mode(word))\n(decl int (p ptr func(void _) @noreturn) (q ptr @weak))"
    );
    assert_eq!(
        tree("enum e { A __attribute__((deprecated)), B } __attribute__((packed)); [[maybe_unused]] int y;"),
        "(decl (enum e @packed {A B}))\n(decl int y)"
    );
    assert_eq!(
        tree("int f(int x __attribute__((unused))) __attribute__((noinline)) { }"),
        "(fn int (f func(int x)) {})"
    );
    assert_eq!(
        tree(
            "[[gnu::weak, __gnu__::__unused__]] int *[[gnu::unused]] f [[gnu::pure]](void) [[gnu::cold]]; struct [[gnu::packed]] s { [[gnu::aligned(2)]] int a [[gnu::packed]]; };"
        ),
        "(decl int @weak (f func(void _) ptr @pure))\n(decl (struct s @packed {int @aligned(2) (a @packed)}))"
    );
}

#[test]
fn attributes_that_nothing_treats_are_refused_with_their_place() {
    assert_eq!(messages("__attribute__((ms_struct)) int x;"), "1:16: attribute `ms_struct`");
    assert_eq!(messages("[[gnu::ifunc(\"r\")]] int f(void);"), "1:3: attribute `ifunc`");
    assert_eq!(
        messages("[[packed]] int x; [[vendor::thing]] int y;"),
        "1:3: attribute `packed`\n1:21: attribute `vendor::thing`"
    );
    assert_eq!(messages("int [[gnu::aligned(8)]] x;"), "1:7: attribute `aligned`");
    assert_eq!(messages("int x [[gnu::aligned(8)]];"), "");
    assert_eq!(messages("int a[2] [[gnu::aligned(8)]];"), "1:12: attribute `aligned`");
    assert_eq!(messages("enum e { A __attribute__((packed)) };"), "1:27: attribute `packed`");
    assert_eq!(
        messages("void f(void) { [[gnu::assume(1)]]; __attribute__((fallthrough)); }"),
        "1:18: attribute `assume`"
    );
    assert_eq!(messages("int x __attribute__((section(\".init_array\")));"), "1:22: attribute `section`");
    assert_eq!(
        messages("void f(void) __attribute__((optimize(2), optimize(\"Ofast\")));"),
        "1:42: attribute `optimize`"
    );
}

#[test]
fn typeof_and_auto_type() {
    assert_eq!(
        tree("typeof(1 + 2) a; __typeof__(int *) b; void f(void) { __auto_type c = a; }"),
        "(decl typeof((Add 1 2)) a)\n(decl typeof(int (_ ptr)) b)\n(fn void (f func(void _)) {(decl auto_type c = a)})"
    );
}

#[test]
fn file_scope_takes_stray_semicolons_assembler_and_assertions() {
    assert_eq!(
        tree(";;asm(\"nop\"); _Static_assert(sizeof(int) == 4); __extension__ typedef int T; int;"),
        "(asm)\n(assert (Eq (Sizeof type int) 4))\n(decl typedef int T)\n(decl int)"
    );
}

#[test]
fn pragma_pack_reaches_the_record() {
    assert_eq!(
        tree(
            "#pragma pack(push, 4)\nstruct a { int x; };\n#pragma pack(1)\nstruct b { int x; };\n#pragma pack(pop)\nstruct c { int x; };"
        ),
        "(decl (struct a pack 4 {int x}))\n(decl (struct b pack 1 {int x}))\n(decl (struct c {int x}))"
    );
}

#[test]
fn more_text_knows_the_types_of_the_first() {
    let mut source = crate::source::Source::new("t.c", "typedef int T; int x;");
    let (mut ast, _) = super::parse(&source);
    let start = source.append("m.c", "T y = (T)x;\nT z = (x;");
    let diagnostics = crate::parse::parse_more(&mut ast, &source, start);
    assert_eq!(super::dump(&ast), "(decl typedef int T)\n(decl int x)\n(decl T y = (Cast T x))\n");
    assert_eq!((&*diagnostics[0].file, diagnostics[0].line, diagnostics[0].column), ("m.c", 2, 9));
    assert_eq!(ast.names.iter().filter(|name| &***name == "x").count(), 1);
}
