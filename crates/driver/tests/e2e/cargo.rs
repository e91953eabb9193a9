//! Harnesses of a cargo package: found, checked one by one, and an error as a test that fails with `cargo test`.

use std::process::{Command, Stdio};

use crate::support::{Folder, root, uforia};

const LIBRARY: &str = "pub fn half(x: u32) -> u32 {\n    x / 2\n}\n\nmod proofs {\n    #[uforia::proof]\n    fn halves_are_small() {\n        \
    let x: u32 = uforia::any();\n        uforia::assume(x < 10);\n        assert!(super::half(x) < 5);\n    }\n\n    #[uforia::proof]\n    \
    fn wrong() {\n        let x: u32 = uforia::any();\n        assert!(super::half(x) < 5);\n    }\n}\n";

fn package() -> Folder {
    let folder = Folder::new("cargo");
    let harness = root().join("crates/harness");
    let manifest = format!(
        "[package]\nname = \"tiny\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[dependencies]\nuforia = {{ package = \"uforia-harness\", path = {harness:?} }}\n\n\
         [features]\nloud = []\n\n[workspace]\n\n[lints.rust]\nunexpected_cfgs = {{ level = \"allow\" }}\n"
    );
    folder.file("Cargo.toml", manifest);
    std::fs::create_dir(folder.path().join("src")).expect("the folder is ours");
    folder.file("src/lib.rs", LIBRARY);
    folder
}

#[test]
fn harnesses_of_a_package_are_checked_and_an_error_becomes_a_failing_test() {
    let folder = package();
    let manifest = folder.path().join("Cargo.toml").to_string_lossy().into_owned();
    let said = uforia(&["check", "--timeout", "120s", "--cargo-args=--offline --features loud", &manifest]).exits(1);
    let line = |name: &str| said.out.lines().find(|line| line.contains(name)).unwrap_or("").to_owned();
    assert!(
        line("proofs::halves_are_small").contains("SAFE") && !line("halves_are_small").contains("UNSAFE"),
        "{said:?}"
    );
    assert!(line("proofs::wrong").contains("UNSAFE"), "{said:?}");
    let module = folder.path().join("target/uforia/tiny--lib-whole.ll").to_string_lossy().into_owned();
    let shown = uforia(&["check", "--timeout", "120s", "--entry", "tiny::proofs::wrong", &module]).exits(1);
    assert!(shown.out.contains("#[test]\nfn replays_wrong() {\n    uforia::replay(\""), "{shown:?}");
    let missing = uforia(&["check", "--cargo-args=-p other --offline", &manifest]).exits(64);
    missing.complains("there is no package other");
}

#[test]
fn a_test_is_inserted_and_fails() {
    let folder = package();
    let path = folder.path().to_string_lossy().into_owned();
    let own = env!("CARGO_BIN_EXE_uforia");
    let words = ["check", "--timeout", "120s", "--insert-test", "--cargo-args=--offline", "."];
    let output = Command::new(own).args(words).current_dir(&path).stdin(Stdio::null()).output().expect("it starts");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let source = std::fs::read_to_string(folder.path().join("src/lib.rs")).expect("it is there");
    assert!(source.contains("    fn replays_wrong() {\n        uforia::replay(\""), "{source}");
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["test", "--offline"]).current_dir(&path).env("CARGO_TARGET_DIR", folder.path().join("target"));
    let output = cargo.stdin(Stdio::null()).output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!output.status.success() && said.contains("replays_wrong ... FAILED"), "{said}");
    assert!(said.contains("assertion failed: super::half(x) < 5"), "{said}");
}
