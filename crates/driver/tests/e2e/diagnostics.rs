//! What diagnostics look like.

use crate::support::{Folder, command, listen, uforia};

/// Standard error, with the folder's name left out.
#[track_caller]
fn check(name: &str, text: &str, expected: &str) {
    let folder = Folder::new(name);
    let file = folder.file("a.c", text);
    let said = uforia(&["check", &file]).exits(65);
    let shown = said.err.replace(&format!("{}/", folder.path().display()), "");
    assert_eq!(shown, expected, "{said:?}");
}

#[test]
fn an_error_shows_the_place_the_line_and_a_mark() {
    check(
        "syntax",
        "int main(void) {\n\treturn 1 +;\n}\n",
        "a.c:2:12: error: expected an expression, found `;`\n  |\n2 |     return 1 +;\n  |               ^\n",
    );
}

#[test]
fn all_errors_are_shown_and_counted() {
    let folder = Folder::new("several");
    let file = folder.file("a.c", "int main(void) {\n  int x = 1 +;\n  x = );\n  return x;\n}\nint f( { }\n");
    let said = uforia(&["check", &file]).exits(65);
    for place in ["a.c:2:", "a.c:3:", "a.c:6:"] {
        assert!(said.err.contains(place), "{place}: {said:?}");
    }
    let last = said.err.lines().last().unwrap_or_default();
    assert!(last.ends_with(" errors") && !last.starts_with("1 "), "{said:?}");
}

#[test]
fn positions_are_those_of_the_file_before_the_preprocessor() {
    let folder = Folder::new("positions");
    let file = folder.file("a.c", "#include <stdlib.h>\n#define PLUS +\n\nint main(void) {\n  return 1 PLUS;\n}\n");
    let said = uforia(&["check", &file]).exits(65).complains("a.c:5:").complains("  return 1 PLUS;");
    assert!(said.err.contains("after the preprocessor:"), "{said:?}");
    assert!(said.last().ends_with("a.c:5"), "{said:?}");
}

#[test]
fn errors_inside_of_included_files_name_those_files() {
    let folder = Folder::new("included");
    folder.file("part.h", "int f(void) { return 1 +; }\n");
    let file = folder.file("a.c", "#include \"part.h\"\nint main(void) { return 0; }\n");
    uforia(&["check", &file]).exits(65).complains("part.h:1:");
}

#[test]
fn unsupported_constructs_are_unknown_with_their_place() {
    let folder = Folder::new("unsupported");
    let file =
        folder.file("a.c", "int main(void) {\n  __asm__ volatile (\"syscall\" : : : \"rax\");\n  return 0;\n}\n");
    for command in ["check", "lower"] {
        let said = uforia(&[command, &file]).exits(2).complains("a.c:2:").complains("unsupported: ");
        assert_eq!(said.out.is_empty(), command == "lower");
        if command == "check" {
            assert!(said.last().starts_with("UNKNOWN: unsupported ") && said.last().ends_with("a.c:2"), "{said:?}");
        }
    }
}

#[test]
fn colours_are_for_terminals_only() {
    let folder = Folder::new("colours");
    let file = folder.file("a.c", "int main(void) { return 1 +; }\n");
    let said = listen(command(&["check", &file]).env("TERM", "xterm-256color").spawn().expect("it starts"), "");
    assert!(said.code == 65 && !said.err.contains('\x1b'), "{said:?}");
}

#[test]
fn boogie_has_diagnostics_with_places_and_no_harness() {
    let folder = Folder::new("boogie");
    let file = folder.file("a.bpl", "type A;\nprocedure main() {\n  var x: A;\n  x := y +;\n}\n");
    let said = uforia(&["check", &file]).exits(65).complains("a.bpl:4:11: error: expected an expression");
    assert!(said.err.contains("  x := y +;"), "{said:?}");
    let file = folder.file("b.bpl", "procedure main() { assert (exists i: int :: i == i); }\n");
    uforia(&["check", &file]).exits(2).complains("b.bpl:1:28");
    uforia(&["check", "--harness", "h.c", &file]).exits(64).complains("speak of C programs");
}

#[test]
fn an_error_of_an_uninterpreted_program_comes_with_its_model() {
    let folder = Folder::new("model");
    let text = "type A;\nfunction f(x: A): A;\nprocedure main() { var x: A; assert f(x) == x; }\n";
    let file = folder.file("a.bpl", text);
    let said = uforia(&["check", &file]).exits(1);
    assert!(said.out.contains("where f(") && said.out.contains("UNSAFE: a failing assertion `f(x) == x`"), "{said:?}");
    let said = uforia(&["lower", "--emit", "coherence", &file]).exits(0);
    assert!(said.out.starts_with("coherent on all paths\n"), "{said:?}");
    uforia(&["check", "--engine", "trace", "--trace", "backwards", &file]).exits(64).complains("paper-order");
}
