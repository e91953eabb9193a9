//! Files that are written, and what people see: no output costs an input or the verdict, and no input controls the terminal.

use std::process::Stdio;

use crate::support::{Folder, command, listen, uforia};

const BUGGY: &str = "extern void reach_error(void);\nint main(void) { reach_error(); return 0; }\n";

#[test]
fn an_output_that_cannot_be_written_does_not_cost_the_verdict() {
    let folder = Folder::new("full");
    let file = folder.file("a.c", BUGGY);
    for option in ["--json", "--sarif", "--witness", "--harness"] {
        let said = uforia(&["check", option, "/dev/full", &file]).exits(74).answers("UNSAFE: reach_error()");
        let _ = said.complains("cannot write /dev/full");
        uforia(&["check", option, "no/such/folder/x", &file])
            .exits(74)
            .complains("no/such/folder")
            .answers("UNKNOWN: cannot write");
    }
    let other = folder.file("b.c", BUGGY);
    let said = uforia(&["check", "--separate", "--json", "/dev/full", "--sarif", "/dev/full", &file, &other]).exits(74);
    assert!(said.out.contains("2 tasks: 0 SAFE, 2 UNSAFE"), "the table is there: {said:?}");
    assert_eq!(said.last(), "UNSAFE: 2 of 2 tasks");
    // A program that is refused has a last line, too.
    let bad = folder.file("bad.c", "int main(void) { return x; }\n");
    uforia(&["check", "--json", "/dev/full", &bad]).exits(74).answers("UNKNOWN: not a valid program");
}

#[test]
fn an_input_is_never_overwritten() {
    let folder = Folder::new("own-path");
    let file = folder.file("a.c", BUGGY);
    let soft = folder.path().join("soft.json");
    let hard = folder.path().join("hard.json");
    std::os::unix::fs::symlink(&file, &soft).expect("our own folder");
    std::fs::hard_link(&file, &hard).expect("our own folder");
    let names = [file.as_str(), soft.to_str().expect("a plain name"), hard.to_str().expect("a plain name")];
    for option in ["--json", "--sarif", "--witness", "--harness"] {
        for name in names {
            uforia(&["check", option, name, &file]).exits(64).complains("would overwrite the input");
        }
    }
    uforia(&["lower", "-o", &file, &file]).exits(64).complains("would overwrite the input");
    let other = folder.file("b.c", BUGGY);
    uforia(&["check", "--json", &other, &file, &other]).exits(64).complains("would overwrite the input");
    let tasks = folder.path().to_str().expect("a plain name");
    uforia(&["check", "--sarif", &other, tasks]).exits(64).complains("would overwrite the input");
    // The copy of the program that a harness may need is an output, too.
    let copy = folder.file("h.program.c", BUGGY);
    uforia(&["check", "--harness", &format!("{tasks}/h.c"), &copy]).exits(64).complains("would overwrite the input");
    for name in [&file, &other, &copy] {
        assert_eq!(std::fs::read_to_string(name).expect("it is there"), BUGGY);
    }
}

#[test]
fn characters_of_the_input_do_not_control_the_terminal() {
    let folder = Folder::new("terminal");
    let hostile = "\u{1b}]0;title\u{7}\u{202e}\u{2066}\u{200f}";
    let is_clean = |text: &str| !text.contains(['\u{1b}', '\u{7}', '\u{202e}', '\u{2066}', '\u{200f}', '\u{9b}']);
    let c =
        format!("# 1 \"{hostile}.c\"\nextern void reach_error(void);\nint main(void) {{ reach_error(); return 0; }}\n");
    let assertion = format!(
        "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\nint main(void) {{ int x = __VERIFIER_nondet_int(); assert(x != 3 && \"{hostile}\"); /* {hostile} */ return 0; }}\n"
    );
    let invalid = format!("int main(void) {{ return {hostile}; }}\n");
    let btor = format!("1 sort bitvec 1\n2 input 1 {hostile}\n3 bad 2 {hostile}\n");
    let vmt = format!(
        "(declare-fun |{hostile}| () Bool)\n(declare-fun |n{hostile}| () Bool)\n(define-fun s () Bool (! |{hostile}| :next |n{hostile}|))\n\
         (define-fun i () Bool (! |{hostile}| :init true))\n(define-fun t () Bool (! true :trans true))\n(define-fun p () Bool (! |{hostile}| :invar-property 0))\n"
    );
    let named = format!("{hostile}.c");
    let files = [
        folder.file("marker.i", c),
        folder.file("assertion.c", assertion),
        folder.file("invalid.c", invalid),
        folder.file("a.btor2", btor),
        folder.file("a.vmt", vmt),
        folder.file(&named, BUGGY),
    ];
    for file in &files {
        for args in [
            &["check", "--assumptions"] as &[&str],
            &["check", "-v", "--json", "-"],
            &["check", "--list-assertions"],
            &["run", "--zero", "--trace", "--max-edges", "100"],
        ] {
            let said = uforia(&[args, &[file.as_str()]].concat());
            assert!(is_clean(&said.out) && is_clean(&said.err), "{args:?} {file:?}: {said:?}");
        }
        let said = uforia(&["check", file, &files[0]]);
        assert!(is_clean(&said.out) && is_clean(&said.err), "{file:?}: {said:?}");
    }
    let said = uforia(&["check", &files[1]]).exits(1);
    assert!(said.out.contains('\u{fffd}'), "the place of such a character is visible: {said:?}");
}

#[test]
fn bytes_of_literals_are_kept() {
    let folder = Folder::new("bytes");
    for head in [b"" as &[u8], b"\xef\xbb\xbf", b"#define X 1\n", b"\xef\xbb\xbf#define X 1\n"] {
        let body = b"extern void reach_error(void);\nint main(void) { char s[] = \"\xe9\\\xe9\"; unsigned char c = '\xe8';\n\
            if (sizeof s == 3 && (unsigned char)s[0] == 0xe9 && (unsigned char)s[1] == 0xe9 && c == 0xe8) reach_error(); return 0; }\n";
        let file = folder.file("a.c", [head, body].concat());
        uforia(&["check", &file]).exits(1).answers("UNSAFE: reach_error()");
        let text = std::fs::File::open(&file).expect("our own file");
        let said = listen(command(&["check", "-"]).stdin(Stdio::from(text)).spawn().expect("it starts"), "");
        said.exits(1).answers("UNSAFE: reach_error() at <stdin>:");
    }
}

#[test]
fn nothing_to_verify_is_not_safe() {
    let folder = Folder::new("nothing");
    let property = folder.file("p.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    let with_property = |text: &str| uforia(&["check", "--property", &property, &folder.file("a.c", text)]);
    let plain = |text: &str| uforia(&["check", &folder.file("a.c", text)]);
    let empty = "int main(void) { int x = 3; return x; }\n";
    plain(empty).exits(2).answers("UNKNOWN: nothing to verify: ").complains("hint: ");
    with_property(empty).exits(2).answers("UNKNOWN: nothing to verify: the program never mentions reach_error");
    let other = "void __VERIFIER_error(void); int main(void) { __VERIFIER_error(); return 0; }\n";
    let said = with_property(other).exits(2).answers("UNKNOWN: nothing to verify: ");
    assert!(said.last().contains("__VERIFIER_error"), "{said:?}");
    plain(other).exits(1);
    let declared = "void reach_error(void); int main(void) { return 0; }\n";
    let said = with_property(declared).exits(0).answers("SAFE");
    assert!(said.out.contains("no call of reach_error can be reached: 0 assertions\n"), "{said:?}");
    assert!(plain(declared).exits(0).answers("SAFE").out.contains("0 assertions\n"));
    let unreached = "void reach_error(void); void f(void) { reach_error(); } int main(void) { return 0; }\n";
    assert!(plain(unreached).exits(0).answers("SAFE").out.contains("0 assertions\n"));
    plain("#include <assert.h>\nint main(void) { return 0; }\n").exits(2).answers("UNKNOWN: nothing to verify: ");
    let said = plain("#include <assert.h>\nint main(void) { assert(1 + 1 == 2); return 0; }\n").exits(0);
    assert!(said.out.contains("no failing assertion can be reached: 0 assertions\n"), "{said:?}");
    let text = "#include <assert.h>\nint main(int n, char **a) { assert(n / 2 <= n || n < 0); assert(n % 3 < 3); return 0; }\n";
    let said = plain(text).exits(0);
    assert!(said.out.contains("\nproved 2 assertions; all were passed in concrete runs\n"), "{said:?}");
    uforia(&["check", "--property", "no-overflow", &folder.file("a.c", empty)]).exits(0).answers("SAFE");
}

#[test]
fn the_basis_of_an_answer_is_listed() {
    let folder = Folder::new("basis");
    let text = "extern int ask(void); extern void reach_error(void);\nint main(void) { if (ask() != 1 && 0) reach_error(); return 0; }\n";
    let file = folder.file("a.c", text);
    let said = uforia(&["check", "-q", "--assumptions", "--json", "-", "--data-model", "ilp32", &file]).exits(0);
    for line in ["the answer rests on:", "  property: ", "  data model: ilp32", "  assumed: ", "  evidence: proved by "]
    {
        assert!(said.out.contains(line), "{line}: {said:?}");
    }
    assert!(said.out.contains("\"rests_on\": [{\"kind\": \"property\""), "{said:?}");
}
