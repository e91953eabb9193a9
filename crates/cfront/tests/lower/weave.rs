//! Insertions run where they belong: each writes a digit down, and `main` returns the number.

use cfront::weave::{Anchor, Insertion, Spot, Unwoven};
use cfront::{DataModel, Options, Property, compile_woven};
use program::interp::Outcome;
use term::Terms;

use crate::harness::run;

/// An insertion at the first place of this text, that many characters further, which writes the digit down.
fn at(text: &str, anchor: Anchor, needle: &str, more: usize, condition: Option<&str>, digit: u32) -> Insertion {
    let offset = text.find(needle).unwrap_or_else(|| panic!("{needle} stands in {text}")) + more;
    let line = text[..offset].matches('\n').count() as u32 + 1;
    let column = offset - text[..offset].rfind('\n').map_or(0, |end| end + 1) + 1;
    Insertion {
        name: format!("entry {digit}"),
        at: Spot { file: "some/folder/test.c".to_owned(), line, column: Some(column as u32) },
        anchor,
        guard: None,
        condition: condition.map(str::to_owned),
        negated: false,
        action: format!("__uforia_notes = __uforia_notes * 10u + {digit}u;"),
    }
}

fn woven(text: &str, insertions: &[Insertion]) -> Result<(program::Program, Terms), Unwoven> {
    let mut terms = Terms::new();
    let options = Options::new(DataModel::Lp64, Property::UnreachCall);
    let prelude = "extern unsigned __uforia_notes;\n";
    let (compiled, places) = compile_woven("test.c", text, &options, prelude, insertions, &mut terms)?;
    assert_eq!(places.len(), insertions.len());
    assert_eq!(program::validate(&compiled.program, &terms), Ok(()));
    Ok((compiled.program, terms))
}

#[track_caller]
fn writes(text: &str, insertions: &[Insertion], expected: u128) {
    let (program, terms) = match woven(text, insertions) {
        Ok(woven) => woven,
        Err(why) => panic!("{why:?} in {text}"),
    };
    assert_eq!(run(&program, &terms, &[]).outcome, Outcome::Returned(Some(expected)), "{text}");
}

#[test]
fn loops_begin_each_round_with_it() {
    let text = "unsigned __uforia_notes; int main(void) { int i = 0; while (i < 3) i++; return __uforia_notes; }";
    writes(text, &[at(text, Anchor::Loop, "while", 0, None, 1)], 1111);
    let text = "unsigned __uforia_notes; int main(void) { int i = 0; do i++; while (i < 3); return __uforia_notes; }";
    writes(text, &[at(text, Anchor::Loop, "do", 0, None, 1)], 111);
    let text = "unsigned __uforia_notes; int main(void) { for (int i = 0;; i++) { if (i == 2) break; } return __uforia_notes; }";
    writes(text, &[at(text, Anchor::Loop, "for", 0, Some("i != 1"), 1)], 11);
}

#[test]
fn statements_are_preceded_by_it_however_they_are_reached() {
    let text = "unsigned __uforia_notes; int main(void) {
        int x = 1;
        if (x)
            x = 2;
        goto on;
        x = 9;
    on: x++;
        switch (x) { case 3: x = 4; default: x = ({ int y = x; y + 1; }); }
        return __uforia_notes;
    }";
    let insertions = [
        at(text, Anchor::Statement, "int x", 0, None, 1),
        at(text, Anchor::Statement, "x = 2", 0, Some("x == 1"), 2),
        at(text, Anchor::Statement, "x = 9", 0, None, 9),
        at(text, Anchor::Statement, "on:", 0, Some("x == 2"), 3),
        at(text, Anchor::Statement, "x++", 0, Some("x == 2"), 4),
        at(text, Anchor::Statement, "case 3", 0, Some("x == 3"), 5),
        at(text, Anchor::Statement, "int y", 0, None, 6),
        at(text, Anchor::Statement, "y + 1", 0, Some("y == 4"), 7),
        at(text, Anchor::Statement, "return", 0, Some("x == 5"), 8),
    ];
    writes(text, &insertions, 12_345_678);
}

#[test]
fn insertions_at_branches_follow_the_branch_taken() {
    let text = "unsigned __uforia_notes; int main(void) {
        int x = 1;
        if (x == 0) x = 5; else if (x == 1) x = 6;
        while (x < 8) x++;
        x = x > 7 ? 1 : 2;
        return __uforia_notes;
    }";
    let insertions = [
        at(text, Anchor::Branch(true), "if (x == 0", 0, None, 9),
        at(text, Anchor::Branch(false), "if (x == 0", 0, None, 1),
        at(text, Anchor::Branch(true), "if (x == 1", 0, None, 2),
        at(text, Anchor::Branch(true), "while", 0, None, 3),
        at(text, Anchor::Branch(false), "while", 0, None, 4),
        at(text, Anchor::Branch(true), "?", 0, None, 5),
        at(text, Anchor::Branch(false), "?", 0, None, 9),
    ];
    writes(text, &insertions, 123_345);
}

#[test]
fn insertions_at_a_switch_read_the_value_switched_on() {
    let text = "unsigned __uforia_notes; int main(void) {
        for (int i = 0; i < 5; i++)
            switch (i) { case 1: break; case 3 ... 4: break; }
        return __uforia_notes;
    }";
    let insertions = [
        at(text, Anchor::Switch, "switch", 0, Some("__uforia_result == 1"), 1),
        at(text, Anchor::Switch, "switch", 0, Some("__uforia_result == 4"), 2),
        at(text, Anchor::SwitchDefault, "switch", 0, None, 3),
    ];
    writes(text, &insertions, 3132);
}

#[test]
fn calls_are_entered_after_their_arguments_and_return_with_a_value() {
    let text = "unsigned __uforia_notes; int f(int a, int b) { return a + b; } int g(int a) { return a; }
        int main(void) { int x = f(g(4), g(5)); return __uforia_notes; }";
    let insertions = [
        at(text, Anchor::Enter, "g(4)", 3, None, 1),
        at(text, Anchor::Return, "g(4)", 3, Some("__uforia_result == 4"), 2),
        at(text, Anchor::Return, "g(5)", 3, Some("__uforia_result == 4"), 9),
        at(text, Anchor::Return, "g(5)", 3, Some("__uforia_result == 5"), 3),
        at(text, Anchor::Enter, "g(5))", 4, None, 4),
        at(text, Anchor::Return, "g(5))", 4, Some("__uforia_result == 9"), 5),
    ];
    writes(text, &insertions, 12_345);
}

#[test]
fn a_column_is_forgiven_where_only_one_thing_can_be_meant() {
    let text =
        "unsigned __uforia_notes; int main(void) {\n  int i = 0;\n  while (i < 3) i++;\n  return __uforia_notes; }";
    let mut insertion = at(text, Anchor::Loop, "while", 0, None, 1);
    insertion.at.column = Some(9);
    writes(text, &[insertion.clone()], 1111);
    insertion.at.column = None;
    writes(text, &[insertion.clone()], 1111);
    insertion.at.line = 2;
    assert!(matches!(woven(text, &[insertion]), Err(Unwoven::Insertion(0, _))));
}

#[test]
fn lines_of_markers_and_lines_of_the_text_are_both_understood() {
    let text = "# 7 \"original.c\"\nunsigned __uforia_notes; int main(void) { int i = 0;\nwhile (i < 3) i++;\nreturn __uforia_notes; }";
    let mut insertion = at(text, Anchor::Loop, "while", 0, None, 1);
    insertion.at = Spot { file: "original.c".to_owned(), line: 8, column: Some(1) };
    writes(text, &[insertion.clone()], 1111);
    insertion.at = Spot { file: "test.c".to_owned(), line: 3, column: Some(1) };
    writes(text, &[insertion], 1111);
}

#[test]
fn whatever_is_said_gets_an_answer() {
    let text = "unsigned __uforia_notes; typedef int number; struct s { int a; } g; int main(void) { int i = 0; while (i < 3) i++; return __uforia_notes; }";
    let words = [
        "i",
        "g",
        "g.a",
        "3",
        "1u",
        "(",
        ")",
        "+",
        "-",
        "*",
        "/",
        "<<",
        "==",
        "&&",
        "?",
        ":",
        ",",
        "[",
        "]",
        "{",
        "}",
        ";",
        "number",
        "(number)",
        "sizeof",
        "&",
        "!",
        "~",
        "\"x\"",
        "'c'",
        "main",
        "__uforia_result",
        "=",
        "++",
        "->",
        ".",
        "return",
        "#",
        "\\",
        "/*",
        "//",
        "0x",
        "1.5",
        "undeclared",
        "({",
        "})",
        "&&on",
        "struct s",
    ];
    let mut random = base::Random::new(11);
    let mut woven_in = 0;
    for _ in 0..3000 {
        let n = 1 + random.below(6);
        let said: Vec<&str> = (0..n).map(|_| words[random.below(words.len() as u64) as usize]).collect();
        let said = said.join(" ");
        woven_in += u32::from(woven(text, &[at(text, Anchor::Loop, "while", 0, Some(&said), 1)]).is_ok());
    }
    assert!((50..2000).contains(&woven_in), "{woven_in}");
}
