//! Rust and C++ programs: verdicts, the text and place of errors, and errors replayed in native code.
//!
//! The programs of `tests/rs` and `tests/cpp` say their verdict in the first line. `proof: not yet` allows `UNKNOWN`, never the other verdict.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::{Folder, root, uforia};

/// What stands behind `// KEY: ` in the first lines.
fn said<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    text.lines().take(4).find_map(|line| line.strip_prefix("// ")?.strip_prefix(key)?.strip_prefix(": "))
}

fn files(folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(root().join(folder)).expect("the folder is there").flatten();
    let mut names: Vec<String> =
        entries.map(|entry| format!("{folder}/{}", entry.file_name().to_string_lossy())).collect();
    names.sort();
    names
}

/// Checks one program; gives the inputs of an error.
fn check(file: &str) -> Option<Vec<String>> {
    let text = std::fs::read_to_string(root().join(file)).expect("the file can be read");
    let verdict = said(&text, "verdict").unwrap_or_else(|| panic!("{file} has no verdict"));
    let is_open = said(&text, "proof") == Some("not yet");
    let folder = Folder::new("rust");
    let json = folder.path().join("answer.json").to_string_lossy().into_owned();
    let timeout = if is_open { "2s" } else { "60s" };
    let answer = uforia(&["check", "--timeout", timeout, "--json", &json, file]);
    let word = answer.last().split([':', ',']).next().unwrap_or("").to_ascii_lowercase();
    assert!(word == verdict || is_open && word == "unknown", "{file}: expected {verdict}: {answer:?}");
    if word != "unsafe" {
        return None;
    }
    if let Some(error) = said(&text, "error") {
        assert!(answer.last().contains(error), "{file}: expected {error}: {answer:?}");
    }
    let answer = std::fs::read_to_string(&json).expect("the answer was written");
    let answer: serde_json::Value = serde_json::from_str(&answer).expect("it is JSON");
    let inputs = answer["counterexample"]["inputs"].as_array().expect("an error has inputs").clone();
    let asked = inputs
        .iter()
        .filter(|input| input["source"].as_str().is_some_and(|source| source.starts_with("__VERIFIER_nondet_")));
    Some(asked.map(|input| input["value"].as_str().unwrap_or("").to_owned()).collect())
}

fn run(words: &[&str], folder: &Path) {
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).current_dir(folder).stdin(Stdio::null());
    let output = command.output().expect("the compiler starts");
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// The crate for harnesses, compiled for native runs.
fn native_harness(folder: &Path) {
    let source = |name: &str| root().join("crates").join(name).join("src/lib.rs").to_string_lossy().into_owned();
    run(
        &[
            "rustc",
            "--edition=2024",
            "--crate-type=proc-macro",
            "--crate-name=uforia_harness_macros",
            "--extern",
            "proc_macro",
            &source("harness-macros"),
        ],
        folder,
    );
    run(
        &[
            "rustc",
            "--edition=2024",
            "--crate-type=rlib",
            "--crate-name=uforia_harness",
            "--extern",
            "uforia_harness_macros=libuforia_harness_macros.so",
            &source("harness"),
        ],
        folder,
    );
}

#[test]
fn rust_programs_have_their_verdicts_and_errors_panic_in_native_code() {
    let folder = Folder::new("native");
    native_harness(folder.path());
    let mut n_replayed = 0;
    for file in files("tests/rs") {
        let Some(inputs) = check(&file) else { continue };
        let path = root().join(&file).to_string_lossy().into_owned();
        let words = [
            "rustc",
            "--edition=2021",
            "-Awarnings",
            "-L.",
            "--extern",
            "uforia=libuforia_harness.rlib",
            "-Coverflow-checks=on",
            "-oprogram",
            &path,
        ];
        run(&words, folder.path());
        let mut program = Command::new(folder.path().join("program"));
        let output =
            program.env("UFORIA_INPUTS", inputs.join(",")).env_remove("RUST_BACKTRACE").output().expect("it starts");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(101), "{file} with {inputs:?} does not panic: {said}");
        assert!(!said.contains("UFORIA_INPUTS"), "{file} with {inputs:?}: {said}");
        n_replayed += 1;
    }
    assert!(n_replayed >= 14, "only {n_replayed} errors were replayed");
}

#[test]
fn cpp_programs_have_their_verdicts() {
    let has_compiler = (14..30).any(|version| {
        let name = format!("clang++-{version}");
        Command::new(&name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
    });
    if !has_compiler {
        println!("skipped: no clang++-NN on the PATH");
        return;
    }
    for file in files("tests/cpp") {
        check(&file);
    }
}

#[test]
fn a_program_that_states_nothing_is_not_safe() {
    let folder = Folder::new("nothing");
    let rust = |text: &str| uforia(&["check", "--timeout", "60s", &folder.file("a.rs", text)]);
    rust("fn main() { let x: u32 = uforia::any(); let _y = x ^ 1; }\n")
        .exits(2)
        .answers("UNKNOWN: nothing to verify: ");
    let unreached = "pub fn f() { panic!(\"never\") }\nfn main() { let x: u32 = uforia::any(); let _y = x ^ 1; }\n";
    assert!(rust(unreached).exits(0).answers("SAFE").out.contains("no panic can be reached: 0 assertions\n"));
    let module = |text: &str| uforia(&["check", "--timeout", "60s", &folder.file("a.ll", text)]);
    module("define i32 @main() {\n  ret i32 0\n}\n").exits(2).answers("UNKNOWN: nothing to verify: ");
    let declared = "declare void @reach_error()\ndefine i32 @main() {\n  ret i32 0\n}\n";
    assert!(module(declared).exits(0).answers("SAFE").out.contains("no call of reach_error can be reached"));
    let file = folder.file("a.ll", "define i32 @main() {\n  ret i32 0\n}\n");
    let said = uforia(&["check", "--property", "unreach-call", &file]).exits(2);
    said.answers("UNKNOWN: nothing to verify: the program never mentions reach_error");
    uforia(&["check", "--property", "no-overflow", &file]).exits(0).answers("SAFE");
}

#[test]
fn kani_harnesses_are_proved_as_they_are() {
    let folder = Folder::new("kani");
    let text = "fn half(x: u32) -> u32 { x / 2 }\n#[cfg(kani)]\nmod verification {\n    use super::*;\n    #[kani::proof]\n    #[kani::unwind(5)]\n    \
        fn small() { let x: u32 = kani::any(); kani::assume(x < 10); assert!(half(x) < 5); }\n    #[kani::proof]\n    \
        fn wrong() { let x: u32 = kani::any(); assert!(half(x) < 5); }\n}\n";
    let file = folder.file("a.rs", text);
    uforia(&["check", "--timeout", "60s", "--entry", "small", &file]).exits(0).answers("SAFE");
    uforia(&["check", "--timeout", "60s", "--entry", "verification::wrong", &file]).exits(1).answers("UNSAFE");
    uforia(&["check", &file]).exits(65).complains("several proofs");
}

#[test]
fn errors_of_the_compiler_are_diagnostics() {
    let folder = Folder::new("rustc");
    let file = folder.file("a.rs", "fn main() {\n    let x: u32 = y;\n}\n");
    uforia(&["check", &file]).exits(65).complains("a.rs:2:");
    let file = folder.file("a.bc", "no bitcode");
    uforia(&["check", &file]).exits(66);
}
