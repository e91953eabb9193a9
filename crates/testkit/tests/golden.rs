//! The golden files of `tests/c` and `tests/cfa`: our answers, and those of compiled code.

use cfront::DataModel;
use std::path::Path;
use testkit::compiler;
use testkit::differential;
use testkit::golden::{self, Expectation};
use testkit::ours;

#[test]
fn every_golden_program_gets_its_answer() {
    let files = golden::files("tests/c", "c");
    assert!(files.len() > 60, "the golden files are gone");
    let complaints: Vec<String> = files.iter().flat_map(|path| golden::check(path)).collect();
    assert!(complaints.is_empty(), "{} complaints:\n{}", complaints.len(), complaints.join("\n"));
}

/// The answers are not only ours: where a program is plain C, the system's compiler agrees.
#[test]
fn every_golden_answer_is_that_of_compiled_code() {
    let mut compared = 0;
    let missing = [DataModel::Lp64, DataModel::Ilp32].map(|model| (model, compiler::missing(model)));
    for (model, why) in &missing {
        if let Some(why) = why {
            eprintln!("NOT COMPARED WITH COMPILED CODE ({}): {why}", differential::model_name(*model));
        }
    }
    for path in golden::files("tests/c", "c") {
        let text = std::fs::read_to_string(&path).expect("the file was listed");
        let expectation = Expectation::read(&text);
        let Some(value) = expectation.get("returns") else { continue };
        if expectation.get("compiled") == Some("no") {
            continue;
        }
        for model in expectation.models() {
            if missing.iter().any(|(m, why)| *m == model && why.is_some()) {
                continue;
            }
            let compiled = differential::checksum(&text, model, &["-O0"]);
            let compiled = compiled.unwrap_or_else(|problem| panic!("{}: {problem}", path.display()));
            assert_eq!((compiled as i32).to_string(), value, "{} compiled for {model:?}", path.display());
            compared += 1;
        }
    }
    eprintln!("{compared} answers compared with compiled code");
}

/// What the engines see of small programs: the text form of the automaton stands beside each file.
#[test]
fn every_small_program_lowers_to_the_automaton_beside_it() {
    let mut complaints = Vec::new();
    for path in golden::files("tests/cfa", "c") {
        let text = std::fs::read_to_string(&path).expect("the file was listed");
        let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
        let model = Expectation::read(&text).models()[0];
        let lowered = ours::lowered(&name, &text, model, program::text::print);
        let lowered = lowered.unwrap_or_else(|answer| panic!("{name}: {answer:?}"));
        complaints.extend(compare(&path.with_extension("cfa"), &lowered));
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

fn compare(path: &Path, lowered: &str) -> Option<String> {
    let expected = std::fs::read_to_string(path).unwrap_or_default();
    if expected == lowered {
        return None;
    }
    if std::env::var_os("BLESS").is_some_and(|value| !value.is_empty()) {
        std::fs::write(path, lowered).expect("the folder of golden files can be written");
        return None;
    }
    let differing = expected.lines().zip(lowered.lines()).position(|(a, b)| a != b);
    Some(format!("{}: differs from line {} (BLESS=1 rewrites it)", path.display(), differing.unwrap_or(0) + 1))
}
