//! Text made to break parsers. Each case runs on a thread with a stack of 8 MiB.

use super::{SAMPLE, messages};
use crate::ast::{Ast, ExprId, ExprKind};
use crate::parse::{MAX_DEPTH, MAX_NESTING, parse};
use crate::source::Source;

fn on_a_small_stack(text: String) -> String {
    let thread = std::thread::Builder::new().stack_size(8 << 20).spawn(move || messages(&text));
    thread.expect("a thread can be started").join().expect("the parser does not panic")
}

/// Nested this often, the text is refused with one message; nested a little less than allowed, it is fine.
#[track_caller]
fn refused_when_nested(before: &str, open: &str, middle: &str, close: &str, after: &str, levels_each: usize) {
    let text = |n: usize| format!("{before}{}{middle}{}{after}", open.repeat(n), close.repeat(n));
    let report = on_a_small_stack(text(100_000));
    assert!(
        report.contains("nested too deeply") && report.lines().count() == 1,
        "{}",
        &report[..report.len().min(500)]
    );
    // Also when nothing is ever closed.
    let report = on_a_small_stack(format!("{before}{}", open.repeat(100_000)));
    assert!(
        report.contains("nested too deeply") && report.lines().count() == 1,
        "{}",
        &report[..report.len().min(500)]
    );
    assert_eq!(on_a_small_stack(text(MAX_NESTING as usize / levels_each - 10)), "");
}

#[test]
fn nested_parentheses_are_refused() {
    refused_when_nested("int x = ", "(", "1", ")", ";", 1);
}

#[test]
fn nested_parentheses_with_an_operator_of_each_precedence_are_refused() {
    refused_when_nested("int x = ", "a || b && c | d ^ e & f == g < h << i + j * (", "1", ")", ";", 1);
}

#[test]
fn nested_prefix_operators_are_refused() {
    for operator in ["- ", "*", "~", "!", "& ", "sizeof ", "__extension__ ", "(int)", "++", "_Alignof "] {
        refused_when_nested("int x = ", operator, "y", "", ";", 1);
    }
}

#[test]
fn nested_indices_calls_and_conditionals_are_refused() {
    refused_when_nested("int x = ", "a[", "1", "]", ";", 1);
    refused_when_nested("int x = ", "f(", "1", ")", ";", 1);
    refused_when_nested("int x = ", "a ? ", "1", " : 2", ";", 1);
    refused_when_nested("int x = ", "_Generic(1, int: ", "1", ")", ";", 1);
    refused_when_nested("int x = ", "__builtin_choose_expr(1, 2, ", "1", ")", ";", 1);
    refused_when_nested("int x = ", "sizeof(int[", "1", "])", ";", 2);
}

#[test]
fn nested_blocks_and_statements_are_refused() {
    refused_when_nested("void f(void) ", "{", ";", "}", "", 1);
    for prefix in ["if (1) ", "while (1) ", "for (;;) ", "switch (1) ", "a: if (1) "] {
        refused_when_nested("void f(void) { ", prefix, ";", "", "}", 2);
    }
    refused_when_nested("void f(void) { ", "do ", ";", " while (1);", "}", 1);
    refused_when_nested("void f(void) { ", "if (1) ; else { ", ";", "}", "}", 2);
    refused_when_nested("int x = ", "({ ", "1; ", "});", "", 3);
    refused_when_nested("void f(void) {", "int g(void) {", ";", "}", "}", 1);
}

#[test]
fn nested_initialisers_are_refused() {
    refused_when_nested("int x = ", "{", "1", "}", ";", 1);
    refused_when_nested("int x = ", "(int){", "1", "}", ";", 2);
}

#[test]
fn nested_declarators_are_refused() {
    refused_when_nested("int ", "(", "x", ")", ";", 1);
    refused_when_nested("int ", "*", "x", "", ";", 1);
    refused_when_nested("int x", "[1]", "", "", ";", 1);
    refused_when_nested("int ", "(*", "x", ")", ";", 1);
    refused_when_nested("int ", "f(int ", "x", ")", ";", 1);
    refused_when_nested("int x = sizeof(int ", "(*", "", ")", ");", 1);
}

#[test]
fn nested_types_are_refused() {
    refused_when_nested("", "struct {", "int a;", "};", "", 1);
    refused_when_nested("", "struct { union {", "int a;", "};};", "", 2);
    refused_when_nested("", "typeof(", "int", ")", " x;", 1);
    refused_when_nested("", "_Atomic(", "int", ")", " x;", 1);
    refused_when_nested("", "_Alignas(", "int", ")", " x;", 1);
    refused_when_nested("int x = sizeof(", "enum { A = sizeof(", "int", ")}", ");", 4);
    refused_when_nested("", "__attribute__((aligned(sizeof(int ", "", "))))", " int x;", 3);
}

#[test]
fn long_repetitions_that_do_not_nest_are_fine() {
    let many = 100_000;
    for (before, part, after) in [
        ("__extension__ ", "__extension__ ", "int x;"),
        ("", ";", ""),
        ("int x = f(0", ", 0", ");"),
        ("int x[] = {0", ", 0", "};"),
        ("int x", ", x", ";"),
        ("int f(int", ", int", ");"),
        ("char *s = \"\"", " \"a\"", ";"),
        ("void f(void) { if (1) ;", " else if (1) ;", "}"),
        ("void f(void) { ", "{}", "}"),
        ("enum { A", ", A", "};"),
        ("", "const ", "int x;"),
        ("", "__attribute__((unused)) ", "int x;"),
        ("struct s { ", "int a;", "};"),
    ] {
        assert_eq!(on_a_small_stack(format!("{before}{}{after}", part.repeat(many))), "", "{part}");
    }
}

/// The greatest depth of an expression, found without recursion: parts are made before the whole.
fn depth(ast: &Ast) -> u32 {
    let mut depths: Vec<u32> = Vec::new();
    let of = |depths: &[u32], id: ExprId| depths[base::Id::index(id)];
    for expr in &ast.exprs {
        let below = match &expr.kind {
            ExprKind::Unary(_, a) | ExprKind::Member { base: a, .. } => of(&depths, *a),
            ExprKind::Binary(_, a, b) | ExprKind::Assign(_, a, b) | ExprKind::Index(a, b) => {
                of(&depths, *a).max(of(&depths, *b))
            }
            ExprKind::Conditional(a, b, c) => of(&depths, *a).max(b.map_or(0, |b| of(&depths, b))).max(of(&depths, *c)),
            ExprKind::Call(a, args) => args.iter().map(|&arg| of(&depths, arg)).max().unwrap_or(0).max(of(&depths, *a)),
            _ => 0,
        };
        depths.push(below + 1);
    }
    depths.into_iter().max().unwrap_or(0)
}

#[test]
fn long_chains_are_fine_up_to_the_depth_we_promise() {
    let cases = [
        ("int x = a", " + a", ";"),
        ("int x = a", " || a", ";"),
        ("int x = (a", ", a", ");"),
        ("int x = ", "a ? b : ", "c;"),
        ("int x = ", "a = ", "c;"),
        ("int x = a", ".b", ";"),
        ("int x = a", "[0]", ";"),
        ("int x = a", "()", ";"),
        ("int x = a", "++", ";"),
    ];
    for (before, part, after) in cases {
        let text = |n: usize| format!("{before}{}{after}", part.repeat(n));
        let (ast, diagnostics) = parse(&Source::new("t.c", &text(10_000)));
        assert_eq!((diagnostics.len(), depth(&ast)), (0, 10_001), "{part}");
        let (ast, diagnostics) = parse(&Source::new("t.c", &text(100_000)));
        assert_eq!(diagnostics.len(), 1, "{part}");
        assert_eq!(diagnostics[0].message, "nested too deeply");
        assert_eq!(depth(&ast), MAX_DEPTH, "{part}");
    }
}

#[test]
fn depth_adds_up_through_types_and_statements() {
    let chain = format!("a{}", " + a".repeat(9_000));
    assert_eq!(on_a_small_stack(format!("int x = ({{ {chain}; }}) + 1;")), "");
    for inside in ["({ ?; })", "sizeof(int[?])", "(typeof(?))1", "(int){?}", "({ int y = ?; y; })", "({ l: ?; })"] {
        let mut text = chain.clone();
        for _ in 0..2 {
            text = format!("{}{}", inside.replace('?', &text), " + 1".repeat(9_000));
        }
        let report = on_a_small_stack(format!("int x = {text};"));
        assert!(report.ends_with("operators or labels in a chain are supported)"), "{inside}: {report}");
    }
}

#[test]
fn chains_of_labels_are_fine_up_to_the_depth_we_promise() {
    let text = |n: usize| format!("void f(void) {{ switch (1) {{ {} ; }} }}", "case 1: a: ".repeat(n));
    assert_eq!(on_a_small_stack(text(9_000)), "");
    assert!(on_a_small_stack(text(50_000)).contains("nested too deeply"));
}

#[test]
fn garbage_is_survived_quickly() {
    for part in [
        "}",
        ")",
        "{ ) ",
        "( ",
        "[ ] ",
        "\0",
        "\"",
        "'",
        "/*",
        "# ",
        "#",
        "\\",
        "=",
        "if ",
        "else ",
        "struct ",
        "int (",
        ": ",
        "case ",
        "@",
        "é",
        "0x",
        "\n#line 4294967295 \"x\"\n@",
    ] {
        let text = part.repeat(50_000);
        let report = on_a_small_stack(format!("int x;{text}"));
        assert!(report.lines().count() <= 101, "{part}");
        let report = on_a_small_stack(format!("void f(void) {{ int x; {text}"));
        assert!(report.lines().count() <= 101, "{part}");
    }
}

#[test]
fn shuffled_pieces_of_programs_are_survived() {
    let pieces: Vec<&str> = SAMPLE.split_inclusive([' ', ';', '(', ')', '{', '}', '"']).collect();
    let mut random = base::Random::new(7);
    for _ in 0..2_000 {
        let mut text = String::new();
        let mut at = random.below(pieces.len() as u64) as usize;
        for _ in 0..random.below(60) {
            text.push_str(pieces[at]);
            at = if random.one_in(4) { random.below(pieces.len() as u64) as usize } else { (at + 1) % pieces.len() };
        }
        messages(&text);
    }
}
