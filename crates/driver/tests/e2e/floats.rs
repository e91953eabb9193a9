//! Floats: the programs in `tests/floats` carry their verdicts, which compiled code confirms where they are unsafe.

use crate::support::{root, uforia};

#[test]
fn programs_with_floats_have_their_verdicts() {
    let mut files: Vec<_> =
        std::fs::read_dir(root().join("tests/floats")).expect("the folder is there").flatten().collect();
    files.sort_by_key(std::fs::DirEntry::file_name);
    assert!(files.len() >= 18);
    let mut wrong = Vec::new();
    for file in files {
        let path = file.path();
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        let path = path.to_str().expect("names in tests are plain");
        let expected = text
            .lines()
            .next()
            .and_then(|line| line.strip_prefix("// verdict: "))
            .expect("the file carries its verdict");
        let timeout = if expected == "unknown" { "5s" } else { "60s" };
        let answer = uforia(&["check", "-q", "--property", "unreach-call", "--timeout", timeout, path]);
        let last = answer.out.lines().last().unwrap_or_default();
        let first_word = last.split([':', ' ']).next().unwrap_or_default();
        if !first_word.eq_ignore_ascii_case(expected) || last.contains("rejected") {
            wrong.push(format!("{path}: {last}, expected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn arithmetic_for_32_bits_says_how_it_rounds() {
    let path = root().join("tests/floats/range_of_a_sum.c");
    let path = path.to_str().expect("names in tests are plain");
    let assumed = "is taken to round every result to its type, as with SSE";
    for (model, is_said) in [("ilp32", true), ("lp64", false)] {
        let answer = uforia(&["check", "--data-model", model, "--property", "unreach-call", path]).exits(0);
        assert_eq!(answer.out.contains(assumed) || answer.err.contains(assumed), is_said, "{model}: {}", answer.out);
    }
}
