//! Texts that are YAML, and texts that are not.

use super::*;

/// The value on one line.
fn shown(yaml: &Yaml) -> String {
    match &yaml.node {
        Node::Null => "null".to_owned(),
        Node::Text(text) => format!("{text:?}"),
        Node::List(list) => format!("[{}]", list.iter().map(shown).collect::<Vec<_>>().join(", ")),
        Node::Map(map) => {
            let pairs: Vec<String> = map.iter().map(|(key, value)| format!("{key}: {}", shown(value))).collect();
            format!("{{{}}}", pairs.join(", "))
        }
    }
}
#[track_caller]
fn check(text: &str, expect: &str) {
    match read(text) {
        Ok(yaml) => assert_eq!(shown(&yaml), expect, "{text}"),
        Err(wrong) => panic!("{wrong:?} in {text}"),
    }
}
#[track_caller]
fn refuses(text: &str, line: usize, what: &str) {
    let wrong = read(text).expect_err("the text is wrong");
    assert!(wrong.line == line && wrong.what.contains(what), "{wrong:?}");
}

#[test]
fn lists_and_maps_nest_by_indentation() {
    check(
        "- a: 1\n  b:\n    - x\n    -   y: 2\n        z: 3\n- c:\n  - q\n  d:\n- \n- e",
        "[{a: \"1\", b: [\"x\", {y: \"2\", z: \"3\"}]}, {c: [\"q\"], d: null}, null, \"e\"]",
    );
}
#[test]
fn scalars_are_text_with_quotes_escapes_and_folds() {
    check(
        "a: \"x \\\"y\\\" \\u0041\\n\"\nb: 'it''s'\nc: x == 1 # said\nd: \"one\n   two\\\n   \\ three\"",
        "{a: \"x \\\"y\\\" A\\n\", b: \"it's\", c: \"x == 1\", d: \"one two three\"}",
    );
    check("v: a &&\n   b\nw: x", "{v: \"a && b\", w: \"x\"}");
    check("v: |\n  a\n   b\n\nw: >-\n  c\n  d\n", "{v: \"a\\n b\\n\", w: \"c d\"}");
    check("\"k e\" : \"\"\nu: !!str 5", "{k e: \"\", u: \"5\"}");
}
#[test]
fn json_is_yaml() {
    check(
        "[{\"a\": [1, {\"b\":\"c, d\"}], \"e\":{}},\n\t\t{\"f\": true}]",
        "[{a: [\"1\", {b: \"c, d\"}], e: {}}, {f: \"true\"}]",
    );
    check("- {type: x, line: 3}\n- [p, q]", "[{type: \"x\", line: \"3\"}, [\"p\", \"q\"]]");
}
#[test]
fn comments_marks_and_directives_are_passed_over() {
    check("%YAML 1.2\n---\n# first\n- a # b\n\n# c\n- d#e\n...\n", "[\"a\", \"d#e\"]");
    check("--- \n- a\n---\n- b\n", "[\"a\"]");
    check("", "null");
    check("# nothing", "null");
}
#[test]
fn wrong_texts_are_reported_with_their_line() {
    refuses("- a\nb: 1", 2, "does not belong");
    refuses("a: 1\n  b: 2", 2, "at the place of the one before");
    refuses("a: 1\na: 2", 2, "twice");
    refuses("a: \"x", 1, "never closed");
    refuses("[1, [2, 3]", 1, "never closed");
    refuses("a: &x 1", 1, "anchors");
    refuses("a: \"\\q\"", 1, "escape");
    refuses("a: b: c", 1, "a map cannot begin");
}
#[test]
fn deep_nesting_is_refused() {
    refuses(&"[".repeat(100_000), 1, "too deeply");
    refuses(&"- ".repeat(100_000), 1, "too deeply");
    let stairs: String = (0..1000).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
    refuses(&stairs, MAX_DEPTH + 1, "too deeply");
}
#[test]
fn every_prefix_of_a_text_has_an_answer() {
    let text = "- a: \"x\\u0041\"\n  'b': {c: [1, 2], d: 'e'}\n  f: |\n    g\n  h: i\n     j\n- - k\n";
    for end in 0..text.len() {
        // An answer of any kind, but an answer.
        let _ = read(&text[..end]);
    }
}
