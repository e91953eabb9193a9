use super::tree;

/// The tree of one expression.
#[track_caller]
fn expr(text: &str) -> String {
    let tree = tree(&format!("typedef int T; int f(void) {{ return {text}; }}"));
    let start = tree.find("(return ").expect("the function returns") + "(return ".len();
    tree[start..tree.len() - ")})".len()].to_owned()
}

#[test]
fn operators_bind_as_in_c() {
    assert_eq!(expr("a + b * c - d"), "(Sub (Add a (Mul b c)) d)");
    assert_eq!(
        expr("a || b && c | d ^ e & f == g < h << i + j % k"),
        "(LogicalOr a (LogicalAnd b (BitOr c (BitXor d (BitAnd e (Eq f (Lt g (Shl h (Add i (Rem j k))))))))))"
    );
    assert_eq!(
        expr("k / j - i >> h >= g != f & e ^ d | c && b || a"),
        "(LogicalOr (LogicalAnd (BitOr (BitXor (BitAnd (Ne (Ge (Shr (Sub (Div k j) i) h) g) f) e) d) c) b) a)"
    );
    assert_eq!(expr("(a + b) * c"), "(Mul (Add a b) c)");
    assert_eq!(expr("a, b, c"), "(Comma (Comma a b) c)");
}

#[test]
fn assignments_group_to_the_right() {
    assert_eq!(expr("a = b += c"), "(Set a (SetAdd b c))");
    assert_eq!(expr("a <<= b ? c : d"), "(SetShl a (Cond b c d))");
    assert_eq!(expr("a ? b : c = d"), "(Set (Cond a b c) d)");
}

#[test]
fn conditionals_group_to_the_right_and_may_lack_the_middle() {
    assert_eq!(expr("a ? b : c ? d : e"), "(Cond a b (Cond c d e))");
    assert_eq!(expr("a ? b ? c : d : e"), "(Cond a (Cond b c d) e)");
    assert_eq!(expr("a ?: b"), "(Elvis a b)");
    assert_eq!(expr("a ? : b"), "(Elvis a b)");
    assert_eq!(expr("a ? b, c : d"), "(Cond a (Comma b c) d)");
}

#[test]
fn prefix_and_postfix_operators() {
    assert_eq!(expr("-~!*&a"), "(Neg (BitNot (Not (Deref (AddressOf a)))))");
    assert_eq!(expr("++a-- + - -b"), "(Add (PreIncrement (PostDecrement a)) (Neg (Neg b)))");
    assert_eq!(expr("*p++"), "(Deref (PostIncrement p))");
    assert_eq!(expr("a.b->c[d](e, f)()"), "(Call (Call (Index ((a.b)->c) d) e f))");
    assert_eq!(expr("__extension__ __real__ a + __imag__ b"), "(Add (Extension (Real a)) (Imag b))");
    assert_eq!(expr("&&label"), "&&label");
}

#[test]
fn casts_and_compound_literals() {
    assert_eq!(expr("(T)a + (b)"), "(Add (Cast T a) b)");
    assert_eq!(expr("(T)(a) * -b"), "(Mul (Cast T a) (Neg b))");
    assert_eq!(expr("(a)-b"), "(Sub a b)");
    assert_eq!(expr("(T)-b"), "(Cast T (Neg b))");
    assert_eq!(expr("(unsigned char *const *)p"), "(Cast uchar (_ ptr const ptr) p)");
    assert_eq!(expr("(T[]){1, 2}[1]"), "(Index (Literal T (_ array[]) {1, 2}) 1)");
    assert_eq!(expr("&(struct s){.x = 1}"), "(AddressOf (Literal (struct s) {.x=1}))");
    assert_eq!(expr("(int (*)(T))p"), "(Cast int (_ ptr func(T _)) p)");
}

#[test]
fn sizes_of_types_and_expressions() {
    assert_eq!(expr("sizeof(T) + sizeof a"), "(Add (Sizeof type T) (Sizeof a))");
    assert_eq!(expr("sizeof(a)[0]"), "(Sizeof (Index a 0))");
    assert_eq!(expr("sizeof(T){1}"), "(Sizeof (Literal T {1}))");
    assert_eq!(expr("sizeof (T)-1"), "(Sub (Sizeof type T) 1)");
    assert_eq!(expr("_Alignof(T[3]) + __alignof__ a"), "(Add (Alignof type T (_ array[3])) (Alignof a))");
}

#[test]
fn constants() {
    assert_eq!(expr("0x10u + 1.5f + 'a' + L'b'"), "(Add (Add (Add 16u 1.5f) '97') L'98')");
    assert_eq!(expr(r#""ab" "c\n" [0]"#), r#"(Index "abc\n" 0)"#);
    assert_eq!(expr(r#""a" L"b""#), r#"L"ab""#);
}

#[test]
fn builtins_with_types() {
    assert_eq!(expr("__builtin_va_arg(ap, T *)"), "(VaArg ap T (_ ptr))");
    assert_eq!(expr("__builtin_offsetof(struct s, a.b[2].c)"), "(Offsetof (struct s) .a.b[2].c)");
    assert_eq!(expr("__builtin_types_compatible_p(T, int)"), "(Compatible T, int)");
    assert_eq!(expr("__builtin_choose_expr(1, a, b)"), "(Choose 1 a b)");
    assert_eq!(expr("_Generic(a, T: b, char *: c, default: d)"), "(Generic a [T: b] [char (_ ptr): c] [default: d])");
    assert_eq!(expr("__builtin_expect(a, 0)"), "(Call __builtin_expect a 0)");
}

#[test]
fn statement_expressions() {
    assert_eq!(expr("({ int x = 1; x; }) + 1"), "(Add (StmtExpr {(decl int x = 1) x}) 1)");
    assert_eq!(expr("a * ({ b * c; }) * d"), "(Mul (Mul a (StmtExpr {(Mul b c)})) d)");
}

#[test]
fn a_typedef_name_that_is_shadowed_is_a_variable() {
    assert_eq!(
        tree("typedef int T; int f(int T) { return (T) * 2; }").lines().last(),
        Some("(fn int (f func(int T)) {(return (Mul T 2))})")
    );
}

#[test]
fn spans_reach_from_first_to_last_token_and_operators_stand_at_their_token() {
    use crate::ast::ExprKind;
    let text = "int x = (1 + 2) * f(3);";
    let (ast, _) = crate::parse::parse(&crate::source::Source::new("t.c", text));
    let covered = |wanted: fn(&ExprKind) -> bool| {
        let expr = ast.exprs.iter().rev().find(|expr| wanted(&expr.kind)).expect("there is such an expression");
        (&text[expr.span.start as usize..expr.span.end as usize], &text[expr.operator as usize..][..1])
    };
    assert_eq!(
        covered(|kind| matches!(kind, ExprKind::Binary(crate::ast::BinaryOp::Mul, ..))),
        ("(1 + 2) * f(3)", "*")
    );
    assert_eq!(covered(|kind| matches!(kind, ExprKind::Binary(crate::ast::BinaryOp::Add, ..))), ("(1 + 2)", "+"));
    assert_eq!(covered(|kind| matches!(kind, ExprKind::Call(..))), ("f(3)", "("));
}
