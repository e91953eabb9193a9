//! The engine `refine`: programs around whose property there is arithmetic that does not matter, and what it says about
//! the arithmetic that does.

use crate::support::{Said, root, uforia};

fn file(name: &str) -> String {
    root().join("tests/refine").join(name).to_str().expect("names in tests are plain").to_owned()
}

fn check(name: &str, options: &[&str]) -> Said {
    let path = file(name);
    let mut args = vec!["check", "--engine", "refine", "--timeout", "60s", "--stats", "--property", "unreach-call"];
    args.extend(options);
    args.push(&path);
    uforia(&args)
}

/// The figure of this name, from `--stats`.
fn figure(said: &Said, name: &str) -> u64 {
    let line = said.err.lines().find_map(|line| line.strip_prefix("refine ")?.trim_start().strip_prefix(name));
    let value = line.and_then(|rest| rest.trim().parse().ok());
    value.unwrap_or_else(|| panic!("`{name}` is among the figures: {said:?}"))
}

#[test]
fn programs_with_irrelevant_arithmetic_get_the_verdict_they_carry() {
    let mut files: Vec<_> =
        std::fs::read_dir(root().join("tests/refine")).expect("the folder is there").flatten().collect();
    files.sort_by_key(std::fs::DirEntry::file_name);
    assert!(files.len() >= 20);
    for entry in files {
        let text = std::fs::read_to_string(entry.path()).expect("the file can be read");
        let verdict = if text.contains("// verdict: unsafe") { "UNSAFE" } else { "SAFE" };
        let name = entry.file_name();
        check(name.to_str().expect("names in tests are plain"), &[]).answers(verdict);
    }
}

#[test]
fn two_statements_of_four_are_enough_for_equal_products() {
    for name in ["parity_of_a_sum_32.c", "parity_of_a_sum_64.c"] {
        for (heuristic, refined) in [("h8", 2), ("min", 2), ("h0", 2), ("h4", 4)] {
            let said = check(name, &["--refine", heuristic]).answers("SAFE");
            assert_eq!(figure(&said, "statements"), 4, "{name}");
            assert_eq!(figure(&said, "statements refined"), refined, "{name} by {heuristic}");
        }
    }
}

#[test]
fn every_heuristic_proves_equal_products() {
    for number in 0..9 {
        check("parity_of_a_sum_32.c", &["--refine", &format!("h{number}")]).answers("SAFE");
    }
}

#[test]
fn the_lines_that_had_to_be_bit_precise_are_named() {
    let said = check("parity_of_a_sum_32.c", &["--explain"]).answers("SAFE");
    assert!(said.out.contains("2 lines have to be bit-precise"), "{said:?}");
    assert!(said.out.contains("unsigned apart = ((x % 2) + (y % 2)) % 2;"), "{said:?}");
    assert!(said.out.contains("unsigned together = (x + y) % 2;"), "{said:?}");
    assert!(!said.out.contains("area"), "{said:?}");
    let said = check("two_hashes.c", &["--explain"]).answers("SAFE");
    assert!(said.out.contains("no statement has to be bit-precise"), "{said:?}");
}

#[test]
fn lines_that_the_user_names_are_bit_precise_from_the_start() {
    let said = check("parity_of_a_sum_32.c", &["--refine-lines", "8,9"]).answers("SAFE");
    assert_eq!((figure(&said, "statements refined"), figure(&said, "rounds")), (2, 0));
}

#[test]
fn a_way_to_refine_that_does_not_exist_is_refused() {
    uforia(&["check", "--refine", "h9", &file("two_hashes.c")]).exits(64).complains("h0, h1, ");
    uforia(&["check", "--refine-lines", "4,x", &file("two_hashes.c")]).exits(64);
}
