//! Statements: text in, tree out.

use super::tree;

/// The tree of a function's body.
#[track_caller]
fn body(text: &str) -> String {
    let tree = tree(&format!("typedef int T; void f(void) {{ {text} }}"));
    let start = tree.find(") {").expect("the function has a body") + ") {".len();
    tree[start..tree.len() - "})".len()].to_owned()
}

#[test]
fn loops() {
    assert_eq!(body("while (a) b; do c; while (d); for (;;) ;"), "(while a b) (do c d) (for _ _ _ ;)");
    assert_eq!(
        body("for (int i = 0, j; i < 3; i++) { continue; break; }"),
        "(for (decl int i = 0 j) (Lt i 3) (PostIncrement i) {continue break})"
    );
    assert_eq!(body("for (i = 0; ; i++, j++) ;"), "(for (Set i 0) _ (Comma (PostIncrement i) (PostIncrement j)) ;)");
}

#[test]
fn else_if_is_flat_and_else_belongs_to_the_nearest_if() {
    assert_eq!(body("if (a) b; else if (c) d; else e;"), "(if a b c d else e)");
    assert_eq!(body("if (a) if (b) c; else d;"), "(if a (if b c else d))");
}

#[test]
fn switches_with_ranges_and_labels() {
    assert_eq!(
        body("switch (a) { case 1: case 2 ... 4: b; break; default: ; }"),
        "(switch a {case 1: case 2 ... 4: b break default: ;})"
    );
    assert_eq!(body("case a ? b : c: d;"), "case (Cond a b c): d");
}

#[test]
fn labels_have_their_own_names_and_may_end_a_block() {
    assert_eq!(body("T: a; T x; goto T; end:"), "T: a (decl T x) (goto T) end: ;");
    assert_eq!(body("a: int x; b: __attribute__((unused)); { default: }"), "a: ; (decl int x) b: ; {default: ;}");
}

#[test]
fn gotos_of_all_kinds() {
    assert_eq!(body("__label__ a, b; a: goto a; goto *p;"), "(labels a b) a: (goto a) (goto* p)");
}

#[test]
fn declarations_mix_with_statements_and_shadow_types() {
    assert_eq!(
        body("a; int b; b = 1; T *c; { int T; T * c; } T d;"),
        "a (decl int b) (Set b 1) (decl T (c ptr)) {(decl int T) (Mul T c)} (decl T d)"
    );
    assert_eq!(body("T T; T = 1;"), "(decl T T) (Set T 1)");
    assert_eq!(
        body("for (int T = 0; T < 1; T++) T = 2; T x;"),
        "(for (decl int T = 0) (Lt T 1) (PostIncrement T) (Set T 2)) (decl T x)"
    );
    assert_eq!(body("T (x); T (*y)(void); _Static_assert(1);"), "(decl T x) (decl T (y ptr func(void _))) (assert 1)");
}

#[test]
fn returns_and_empty_statements() {
    assert_eq!(
        body("return; return a, b; ; __extension__ a; __extension__ int x;"),
        "(return) (return (Comma a b)) ; (Extension a) (decl int x)"
    );
    assert_eq!(
        body("__attribute__((fallthrough)); [[fallthrough]]; __attribute__((unused)) int x;"),
        "; ; (decl int x)"
    );
}

#[test]
fn nested_functions_are_kept_apart() {
    assert_eq!(body("int g(int x) { return x; } g(1);"), "nested (fn int (g func(int x)) {(return x)}) (Call g 1)");
}

#[test]
fn assembler_statements() {
    assert_eq!(
        body(r#"asm volatile ("a %0" "b" : "=r" (x), [y] "+m" (y) : "r" (z) : "memory", "cc"); __asm__("nop");"#),
        r#"(asm "a %0b" out "=r" x out "+m" y in "r" z clobber "memory" clobber "cc") (asm "nop")"#
    );
    assert_eq!(body(r#"asm goto ("jmp" :::: a, b);"#), r#"(asm "jmp" label a label b)"#);
}
