//! Memory safety: the programs in `tests/memory` carry their verdicts under `valid-memsafety` and `valid-memcleanup`, and some under `unreach-call`; harnesses under
//! the address sanitizer show the same errors at the same lines.

use std::process::{Command, Stdio};

use crate::support::{Folder, listen, root, uforia};

/// The value of a leading comment `// key: value`.
fn said<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let comments = text.lines().map_while(|line| line.strip_prefix("// "));
    comments.filter_map(|line| line.strip_prefix(key)?.strip_prefix(": ")).next()
}

/// `safe` or `unsafe`, then the subproperty; a question mark says that no answer is right, too.
fn check(path: &str, property: &str, expected: &str, wrong: &mut Vec<String>) {
    let may_be_open = expected.contains('?');
    let timeout = if may_be_open { "3s" } else { "20s" };
    let answer = uforia(&["check", "-q", "--timeout", timeout, "--property", property, path]);
    let last = answer.out.lines().last().unwrap_or_default();
    let expected = expected.replace('?', "");
    let (verdict, subproperty) = expected.split_once(' ').unwrap_or((&expected, ""));
    let begins = match (verdict, subproperty) {
        ("safe", _) => "SAFE".to_owned(),
        ("unsafe", "") if property == "unreach-call" => "UNSAFE".to_owned(),
        ("unsafe", "") => "UNSAFE (valid-memcleanup): ".to_owned(),
        (_, subproperty) => format!("UNSAFE ({subproperty}): "),
    };
    let is_open = may_be_open && last.starts_with("UNKNOWN") && answer.code == 2;
    if !(last.starts_with(&begins) || is_open) {
        wrong.push(format!("{path} under {property}: {last}"));
    }
}

#[test]
fn programs_get_the_verdicts_of_memory_safety_that_they_carry() {
    let mut files: Vec<_> =
        std::fs::read_dir(root().join("tests/memory")).expect("the folder is there").flatten().collect();
    files.sort_by_key(std::fs::DirEntry::file_name);
    assert!(files.len() >= 30);
    let mut wrong = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(file.path()).expect("the file can be read");
        let path = file.path();
        let path = path.to_str().expect("names in tests are plain");
        for (property, key) in [("valid-memsafety", "memsafety"), ("valid-memcleanup", "memcleanup")] {
            check(path, property, said(&text, key).expect("the file carries its verdict"), &mut wrong);
        }
        if let Some(expected) = said(&text, "reach") {
            check(path, "unreach-call", expected, &mut wrong);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Builds and runs the harness of an error; what it prints.
#[track_caller]
fn sanitized(name: &str, options: &[&str], program: &str) -> (i32, String) {
    let folder = Folder::new(&format!("sanitized-{name}"));
    let file = folder.file("program.c", program);
    let to = folder.path().join("harness.c");
    let harness = to.to_str().expect("names in tests are plain");
    let mut args = vec!["check", "-q", "--timeout", "60s", "--harness", harness, &file];
    args.extend(options);
    uforia(&args).exits(1).answers("UNSAFE (");
    let text = std::fs::read_to_string(harness).expect("the harness was written");
    let start = text.find("cc -m").expect("the harness says how to compile it");
    let command = text[start..].split("./a.out").next().expect("the command ends before the run");
    let run = |command: &str| {
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).current_dir(folder.path()).stdin(Stdio::null());
        listen(shell.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a shell starts"), "")
    };
    let built = run(command);
    assert_eq!(built.code, 0, "this machine cannot build harnesses with cc: {built:?}\n{text}");
    let said = run("exec ./a.out");
    (said.code, said.err)
}

#[test]
fn the_address_sanitizer_shows_the_same_error_at_the_same_line() {
    let heap = "#include <stdlib.h>\n";
    let cases = [
        ("overflow", "char *p = malloc(4);\np[4] = 1;\nfree(p);", "heap-buffer-overflow", 4),
        ("freed", "char *p = malloc(4);\nfree(p);\nreturn *p;", "heap-use-after-free", 5),
        ("twice", "char *p = malloc(4);\nfree(p);\nfree(p);", "attempting double-free", 5),
        ("middle", "char *p = malloc(4);\np++;\nfree(p);", "attempting free on address", 5),
        ("scope", "char *p;\n{ char a[4]; a[0] = 1; p = a; }\nreturn *p;", "stack-use-after-scope", 5),
        ("null", "char *volatile p = 0;\nreturn *p;", "SEGV", 4),
        ("stack", "char a[4]; int *volatile i = (int[]){4};\na[*i] = 1;", "stack-buffer-overflow", 4),
    ];
    for (name, body, words, line) in cases {
        let program = format!("{heap}int main(void) {{\n{body}\nreturn 0; }}\n");
        let (code, said) = sanitized(name, &["--property", "valid-memsafety"], &program);
        assert!(code == 99 && said.contains(words) && said.contains(&format!("program.c:{line}")), "{name}: {said}");
    }
    let returned = "static int *f(void) { int x = 1; int *volatile p = &x; return p; }\nint main(void) {\nint *p = f();\nreturn *p; }\n";
    let (code, said) = sanitized("returned", &["--property", "valid-memsafety"], returned);
    assert!(code == 99 && said.contains("stack-use-after-return") && said.contains("program.c:4"), "{said}");
}

#[test]
fn harnesses_show_leaks_and_failing_allocations() {
    let lost = "#include <stdlib.h>\nint main(void) {\nchar *p = malloc(10);\np = malloc(20);\nfree(p);\nreturn 0; }\n";
    let (code, said) = sanitized("lost", &["--property", "valid-memsafety"], lost);
    assert!(code == 99 && said.contains("LeakSanitizer") && said.contains("program.c:3"), "{said}");
    let left = "#include <stdlib.h>\nchar *p;\nint main(void) {\np = malloc(10);\nreturn 0; }\n";
    assert_eq!(sanitized("left", &["--property", "valid-memcleanup"], left).0, 99);
    let full = "#include <stdlib.h>\nint main(void) {\nchar *p = malloc(10), *q = malloc(3);\nif (!p) return 0;\n*q = 1;\nfree(p); free(q);\nreturn 0; }\n";
    let (code, said) = sanitized("full", &["--property", "valid-deref", "--malloc", "may-fail"], full);
    assert!(code == 99 && said.contains("SEGV") && said.contains("program.c:5"), "{said}");
}

#[test]
fn the_object_of_an_error_is_named() {
    let folder = Folder::new("memory-object");
    let file =
        folder.file("a.c", "#include <stdlib.h>\nint main(void) {\nint *p = malloc(8);\nfree(p);\nreturn p[1]; }\n");
    let all = uforia(&["check", "--property", "valid-memsafety", &file]).exits(1).out;
    assert!(all.contains("the access begins at byte 4 of an object of 8 bytes, allocated at "), "{all}");
    assert!(all.contains("a.c:3, freed at ") && all.contains("a.c:4\n"), "{all}");
    let json = uforia(&["check", "-q", "--json", "-", "--property", "valid-memsafety", &file]).exits(1).out;
    assert!(json.contains("\"subproperty\": \"valid-deref\""), "{json}");
    let sarif = folder.path().join("a.sarif");
    let sarif = sarif.to_str().expect("names in tests are plain");
    uforia(&["check", "-q", "--sarif", sarif, "--property", "valid-memsafety", &file]).exits(1);
    let text = std::fs::read_to_string(sarif).expect("it was written");
    assert!(text.contains("\"ruleId\": \"valid-deref\""), "{text}");
    let witness = folder.path().join("a.yml");
    let witness = witness.to_str().expect("names in tests are plain");
    uforia(&["check", "-q", "--witness", witness, "--property", "valid-memsafety", &file]).exits(1);
    let text = std::fs::read_to_string(witness).expect("it was written");
    assert!(text.contains("G valid-deref"), "{text}");
    uforia(&["validate", &file, "--witness", witness]).exits(0);
}

#[test]
fn property_files_of_memory_have_several_lines() {
    let folder = Folder::new("memory-files");
    let line = |name: &str| format!("CHECK( init(main()), LTL(G {name}) )\n");
    let lines = [line("valid-free"), line("valid-deref"), line("valid-memtrack")].concat();
    let property = folder.file("valid-memsafety.prp", lines);
    let file = folder
        .file("a.c", "#include <stdlib.h>\nint main(void) { char *p = malloc(1); free(p); free(p); return 0; }\n");
    uforia(&["check", "-q", "--property", &property, &file]).exits(1).answers("UNSAFE (valid-free): ");
    // A run ends at its first invalid free, whatever is asked.
    uforia(&["check", "-q", "--property", "valid-memcleanup", &file]).exits(0).answers("SAFE");
    let property = folder.file("valid-memcleanup.prp", line("valid-memcleanup"));
    let file = folder.file("b.c", "#include <stdlib.h>\nchar *p; int main(void) { p = malloc(1); return 0; }\n");
    uforia(&["check", "-q", "--property", &property, &file]).exits(1).answers("UNSAFE (valid-memcleanup): ");
}

#[test]
fn a_pointer_to_the_object_of_an_earlier_round_is_invalid() {
    let folder = Folder::new("memory-rounds");
    let block = "extern int __VERIFIER_nondet_int(void);\nint main(void) {\nint *p = 0, n = __VERIFIER_nondet_int();\nfor (int i = 0; i < 2; i++) {\nint a[3];\na[0] = n;\nif (i == 0) p = a; else p[0] = 1;\n}\nreturn 0; }\n";
    let call = "int *last, n;\nstatic void f(void) { int x = 1; if (n++) *last = 2; last = &x; }\nint main(void) {\nfor (int i = 0; i < 2; i++) f();\nreturn 0; }\n";
    for (name, text) in [("block.c", block), ("call.c", call)] {
        let file = folder.file(name, text);
        for engine in ["portfolio", "kind", "bmc", "euf", "ufo", "explicit"] {
            let said =
                uforia(&["check", "-q", "--timeout", "5s", "--engine", engine, "--property", "valid-deref", &file]);
            assert!(!said.out.starts_with("SAFE") && said.code != 70, "{name} by {engine}: {said:?}");
        }
        uforia(&["check", "-q", "--property", "valid-deref", &file]).exits(1).answers("UNSAFE (valid-deref): ");
    }
    // A pointer that is assigned on every round is not old.
    let fine = "extern int __VERIFIER_nondet_int(void);\nint main(void) {\nint n = __VERIFIER_nondet_int();\nfor (int i = 0; i < n; i++) {\nint a[3];\nint *p = a;\np[1] = i;\nif (*(p + 1) != i) return 1;\n}\nreturn 0; }\n";
    let file = folder.file("fine.c", fine);
    uforia(&["check", "-q", "--timeout", "60s", "--property", "valid-deref", &file]).exits(0).answers("SAFE");
}

#[test]
fn the_optimised_program_keeps_the_laws_where_an_allocation_is_on_one_way_only() {
    let folder = Folder::new("laws");
    let text = "#include <stdlib.h>
extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
int main(void) { char *p = 0; if (__VERIFIER_nondet_int()) p = malloc(SIZE); free(p); return 0; }\n";
    for size in ["4", "__VERIFIER_nondet_uint()"] {
        let file = folder.file("way.c", text.replace("SIZE", size));
        uforia(&["lower", "-q", "--optimise", "--property", "valid-memsafety", &file]).exits(0);
        uforia(&["check", "-q", "--property", "valid-memsafety", "--timeout", "30s", &file]).exits(0).answers("SAFE");
    }
}
