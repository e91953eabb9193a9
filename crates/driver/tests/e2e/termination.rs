//! Whether programs end: those in `tests/termination` carry their answers. A question mark says that no answer is right, too.

use crate::support::{Folder, root, uforia};

/// The value of a leading comment `// key: value`.
fn said<'a>(text: &'a str, key: &str) -> &'a str {
    let comments = text.lines().map_while(|line| line.strip_prefix("// "));
    comments.filter_map(|line| line.strip_prefix(key)?.strip_prefix(": ")).next().expect("the file carries its answer")
}

#[test]
fn programs_end_or_do_not() {
    let mut files: Vec<_> =
        std::fs::read_dir(root().join("tests/termination")).expect("the folder is there").flatten().collect();
    files.sort_by_key(std::fs::DirEntry::file_name);
    assert!(files.len() >= 20);
    let mut wrong = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(file.path()).expect("the file can be read");
        let path = file.path();
        let path = path.to_str().expect("names in tests are plain");
        let expected = said(&text, "termination");
        let timeout = if expected == "unknown" { "4s" } else { "60s" };
        let answer = uforia(&["check", "-q", "--timeout", timeout, "--property", "termination", path]);
        let last = answer.out.lines().last().unwrap_or_default();
        let may_be_open = expected.ends_with('?') && last.starts_with("UNKNOWN");
        let begins = match expected.trim_end_matches('?') {
            "ends" => "SAFE",
            "endless" => "UNSAFE: the program has a run without end",
            _ => "UNKNOWN",
        };
        if !last.starts_with(begins) && !may_be_open {
            wrong.push(format!("{path}: {last}, and it {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn answers_say_why_a_program_ends_or_does_not() {
    let folder = Folder::new("termination");
    let property = folder.file("termination.prp", "CHECK( init(main()), LTL(F end) )\n");
    let odd = folder.file(
        "odd.c",
        "extern unsigned __VERIFIER_nondet_uint(void);\nint main(void) {\n  unsigned i = __VERIFIER_nondet_uint();\n  while (i != 0)\n    i -= 2;\n  return 0;\n}\n",
    );
    let (witness, sarif) = (folder.path().join("odd.yml"), folder.path().join("odd.sarif"));
    let (witness, sarif) = (witness.to_str().expect("plain"), sarif.to_str().expect("plain"));
    let answer =
        uforia(&["check", "--property", &property, "--json", "-", "--witness", witness, "--sarif", sarif, &odd])
            .exits(1);
    assert!(answer.out.contains("with these values no run ends"), "{}", answer.out);
    assert!(answer.out.contains("\"kind\":\"ends\"") || answer.out.contains("\"kind\": \"ends\""), "{}", answer.out);
    assert!(answer.out.contains("the loop at "), "{}", answer.out);
    let written = std::fs::read_to_string(witness).expect("the witness was written");
    assert!(written.contains("F end") && written.contains("action: \"cycle\""), "{written}");
    let found = std::fs::read_to_string(sarif).expect("the file was written");
    assert!(found.contains("\"ruleId\": \"termination\""), "{found}");
    let down = folder.file("down.c", "extern int __VERIFIER_nondet_int(void);\nint main(void) { int x = __VERIFIER_nondet_int(); while (x > 0) x--; return 0; }\n");
    let answer = uforia(&["check", "--property", &property, "--witness", witness, &down]).exits(0);
    assert!(answer.out.contains("a ranking and"), "{}", answer.out);
    let written = std::fs::read_to_string(witness).expect("the witness was written");
    assert!(written.contains("F end"), "{written}");
    let boogie = folder.file("a.bpl", "procedure main() { }\n");
    uforia(&["check", "--property", "termination", &boogie]).exits(64);
}
