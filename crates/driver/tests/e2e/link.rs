//! Several C files are one program.

use crate::support::{Folder, uforia};

const MAIN: &str = "extern void reach_error(void);\nint half(int);\nextern int __VERIFIER_nondet_int(void);\n\
    int main(void) { int x = __VERIFIER_nondet_int(); if (x > 1 && half(x) >= x) reach_error(); return 0; }\n";

#[test]
fn several_c_files_are_linked() {
    let folder = Folder::new("link");
    let main = folder.file("main.c", MAIN);
    let right = folder.file("right.c", "int half(int x) { return x / 2; }\n");
    let wrong = folder.file("wrong.c", "#include \"limit.h\"\nint half(int x) { return x < LIMIT ? x / 2 : x; }\n");
    folder.file("limit.h", "#define LIMIT 1000\n");
    uforia(&["check", &main, &right]).exits(0).answers("SAFE");
    uforia(&["check", &right, &main]).exits(0).answers("SAFE");
    let said = uforia(&["check", &main, &wrong]).exits(1).answers("UNSAFE: reach_error() at ");
    assert!(said.out.contains("calls half("), "the call into the other file is shown: {said:?}");
    // Without the other file the function may do anything, and we say so.
    let said = uforia(&["check", &main]).exits(2);
    assert!(said.out.contains("`half` has no body"), "{said:?}");
    uforia(&["run", "--random", "5", &main, &right]).exits(0);
    uforia(&["lower", &main, &right]).exits(0);
}

#[test]
fn what_the_linker_refuses_is_refused_with_both_places() {
    let folder = Folder::new("link-twice");
    let main = folder.file("main.c", MAIN);
    let half = folder.file("half.c", "int half(int x) { return x / 2; }\n");
    let twice = folder.file("twice.c", "\nint half(int x) { return x; }\n");
    let said = uforia(&["check", &main, &half, &twice]).exits(65).complains("`half` is defined twice");
    assert!(said.err.contains("twice.c:2:5") && said.err.contains("half.c:1"), "{said:?}");
}

#[test]
fn options_for_several_tasks_need_separate_files() {
    let folder = Folder::new("link-options");
    let (one, other) = (folder.file("a.c", MAIN), folder.file("b.c", "int half(int x) { return x / 2; }\n"));
    uforia(&["check", "--jobs", "2", &one, &other]).exits(64).complains("--separate");
    uforia(&["lower", &one, "x.bpl"]).exits(64).complains("only C files");
}

#[test]
fn a_task_definition_may_name_several_files() {
    let folder = Folder::new("link-definition");
    folder.file("main.c", MAIN);
    folder.file("half.c", "int half(int x) { return x / 2; }\n");
    let definition = folder.file(
        "task.yml",
        "format_version: '2.0'\ninput_files:\n  - 'main.c'\n  - 'half.c'\nproperties:\n  - property_file: unreach-call.prp\n    \
         expected_verdict: true\n",
    );
    uforia(&["check", &definition]).exits(0).answers("SAFE");
}

#[test]
fn the_harness_and_the_witness_know_all_files() {
    let folder = Folder::new("link-harness");
    let main = folder.file("main.c", MAIN);
    let wrong = folder.file("wrong.c", "int half(int x) { return x; }\n");
    let harness = folder.path().join("h.c");
    let witness = folder.path().join("w.yml");
    let (harness, witness) = (harness.to_str().expect("plain"), witness.to_str().expect("plain"));
    uforia(&["check", "--harness", harness, "--witness", witness, &main, &wrong]).exits(1);
    let text = std::fs::read_to_string(harness).expect("it is written");
    let command = text.lines().find(|line| line.contains("wrong.c")).expect("the command names the second file");
    assert!(command.contains("main.c"), "{command}");
    let text = std::fs::read_to_string(witness).expect("it is written");
    assert!(text.matches("wrong.c").count() >= 2, "listed and hashed: {text}");
}
