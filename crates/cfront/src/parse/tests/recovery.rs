//! Syntax errors: each is reported once, and parsing continues after it.

use super::{SAMPLE, messages, tree};
use crate::parse::parse;
use crate::source::Source;
use crate::tuning::Tuning;

#[test]
fn a_missing_semicolon_is_reported_once_and_parsing_continues() {
    assert_eq!(
        messages("int f(void) {\n  int a = 1\n  a = 2;\n  return a\n}\nint g(void) { return 1 2; }"),
        "3:3: expected `;` after the declaration, found `a` (did you forget a `;` after the previous line?)\n\
         5:1: expected `;` after `return`, found `}` (did you forget a `;` after the previous line?)\n\
         6:24: expected `;` after `return`, found `2`"
    );
}

#[test]
fn all_errors_are_found_in_one_go() {
    assert_eq!(
        messages(
            "int a = ;\nint b[3;\nint c;\nvoid f(void) {\n  a = * ;\n  if (a { b; } else { c; }\n  while a;\n  c = 1;\n}\nint d = +;\n"
        ),
        "1:9: expected an expression, found `;`\n\
         2:8: expected `]` after the length, found `;`\n\
         5:9: expected an expression, found `;`\n\
         6:9: expected `)` after the condition, found `{`\n\
         7:9: expected `(` after `while`, found `a`\n\
         10:10: expected an expression, found `;`"
    );
}

#[test]
fn an_unknown_type_is_reported_once() {
    assert_eq!(
        messages(
            "foo_t x;\nfoo_t *y;\nint f(foo_t a, bar_t *b) { baz z; z = 1; baz w; bar_t v; }\nstruct s { qux q; };"
        ),
        "1:1: `foo_t` does not name a type (is a `typedef` or a header missing?)\n\
         3:16: `bar_t` does not name a type (is a `typedef` or a header missing?)\n\
         3:28: `baz` does not name a type (is a `typedef` or a header missing?)\n\
         4:12: `qux` does not name a type (is a `typedef` or a header missing?)"
    );
}

#[test]
fn a_missing_brace_points_to_the_opening_one() {
    assert_eq!(messages("int f(void) {\n  if (1) {\n  return 1;\n}\n"), "1:13: this `{` is never closed");
    assert_eq!(
        messages("int f(void) {\n  if (1) {\n}\nint g(void) { return 1; }\n"),
        "1:13: this `{` is never closed (`g` in line 4 looks like a new function: is the `}` missing before it?)"
    );
    assert_eq!(messages("struct s {\n  int a;\n"), "1:10: this `{` is never closed");
}

#[test]
fn an_extra_brace_is_reported_at_its_place() {
    assert_eq!(
        messages("int f(void) {\n}\n}\nint g(void) { }\nreturn 1;\nint h;"),
        "3:1: this `}` closes nothing\n\
         5:1: expected a declaration, found `return` (statements stand inside functions: is there one `}` too many before this?)"
    );
}

#[test]
fn the_line_of_an_open_bracket_is_named() {
    assert_eq!(
        messages("int a = f(1,\n  2;\nint b;"),
        "2:4: expected `,` or `)` in the arguments, found `;` (to close the `(` of line 1)"
    );
    assert_eq!(messages("int a[] = { 1,\n"), "1:14: expected an expression, found the end of the file");
}

#[test]
fn messages_follow_line_markers() {
    let source = Source::new("t.i", "# 10 \"a.h\"\nint a;\n# 3 \"b.c\" 2\n  int b = ];\n");
    let (_, diagnostics) = parse(&source);
    let [diagnostic] = &diagnostics[..] else { panic!("one message, not {diagnostics:?}") };
    assert_eq!((&*diagnostic.file, diagnostic.line, diagnostic.column, diagnostic.length), ("b.c", 3, 11, 1));
    assert_eq!(diagnostic.source_line, "  int b = ];");
}

#[test]
fn specifiers_that_contradict_each_other_are_refused() {
    for text in [
        "long float x;",
        "unsigned double x;",
        "short long x;",
        "long long long x;",
        "int char x;",
        "signed unsigned x;",
        "void int x;",
    ] {
        assert!(messages(text).contains("these type specifiers do not go together"), "{text}: {}", messages(text));
    }
}

#[test]
fn declarations_need_a_block() {
    assert_eq!(
        messages("void f(void) { if (1) int x; }"),
        "1:23: a declaration cannot stand alone here (put it into braces)"
    );
}

#[test]
fn constants_that_are_wrong_do_not_hide_what_follows() {
    assert_eq!(
        messages("int a = 089 + 2i; int b = ''; int c = };"),
        "1:9: `8` is no digit of a number to the base 8\n1:15: imaginary constants\n1:27: this character constant is empty\n1:39: expected an expression, found `}`"
    );
}

#[test]
fn text_that_is_not_preprocessed_is_reported() {
    assert!(
        messages("#include <stdio.h>\nint main(void) { return 0; }").starts_with("1:1: found the directive `#include`")
    );
}

#[test]
fn after_many_errors_we_stop() {
    let (_, diagnostics) = parse(&Source::new("t.c", &"int a = ;\n".repeat(10_000)));
    assert_eq!(diagnostics.len(), Tuning::DEFAULT.max_parser_diagnostics + 1);
    assert_eq!(diagnostics[Tuning::DEFAULT.max_parser_diagnostics].message, "too many errors, stopping here");
}

#[test]
fn statements_around_a_bad_one_stay_in_the_tree() {
    let (ast, diagnostics) = parse(&Source::new("t.c", "void f(void) { a; b c d; e; if (x) ) ; else g; h; }"));
    assert_eq!(diagnostics.len(), 2, "{diagnostics:?}");
    assert_eq!(super::dump(&ast), "(fn void (f func(void _)) {a <error> e (if x <error> else g) h})\n");
    assert_eq!(tree("int x;"), "(decl int x)");
}

#[test]
fn every_prefix_of_a_program_is_survived() {
    let text = SAMPLE;
    for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
        messages(&text[..end]);
        messages(&text[end..]);
    }
}
