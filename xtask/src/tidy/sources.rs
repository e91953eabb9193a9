//! What Rust files look like: a header, no unsafe code, nothing left for later, not too long, and
//! files, threads, prints and clocks only where they belong.

use super::{File, Finding};

/// Files longer than this hold two ideas, unless [`LONG_FILES`] says why not.
const MAX_LINES: usize = 700;

/// Files that may be longer, each with the reason.
const LONG_FILES: &[(&str, &str)] = &[
    ("crates/program/src/pass/regions/rewrite.rs", "one rewrite, action by action"),
    ("crates/program/src/pass/tests.rs", "the tests of all passes"),
    ("crates/report/src/answer.rs", "all fields of the answer"),
    ("crates/testkit/src/mutants.rs", "all changes of one kind of evidence"),
];

/// Rooms that may read files, start threads, print, or look at the clock.
const OUTSIDE_WORLD: &[&str] = &[
    "crates/driver/",
    "crates/testkit/",
    "xtask/",
    "fuzz/",
    "bench/",
    "tests/",
    // It is a part of the programs of users.
    "crates/harness/",
    // It names functions of Rust's library.
    "crates/llfront/src/lower/words.rs",
];

/// Folders of programs to be checked, which look as users write them.
const PROGRAMS: &[&str] = &["tests/rs/", "examples/"];

/// Crates that call functions which the checker gives a meaning.
const WITH_UNSAFE_CALLS: &[&str] = &["crates/harness/src/lib.rs"];

/// What the other crates do not use. The words are put together here so that this file does not use them either.
const RESTRICTED: &[&str] = &[
    "std::fs",
    "std::thread",
    "std::process",
    "std::env",
    "std::net",
    "println!",
    "eprintln!",
    "print!",
    "eprint!",
    "Instant",
    "SystemTime",
];

/// Words that say that something is missing.
const LEFT_FOR_LATER: &[&str] = &[concat!("to", "do!("), concat!("unimple", "mented!("), concat!("#[ig", "nore")];

/// All rules about Rust files.
pub fn check(files: &[File], found: &mut Vec<Finding>) {
    for file in files.iter().filter(|file| file.path.ends_with(".rs")) {
        let mut say = |line: usize, message: String| found.push(Finding { path: file.path.clone(), line, message });
        if !file.text.starts_with("//!") && !PROGRAMS.iter().any(|folder| file.path.starts_with(folder)) {
            say(1, "a file opens with a `//!` paragraph that states its idea".to_owned());
        }
        let may_call = WITH_UNSAFE_CALLS.contains(&file.path.as_str());
        if is_crate_root(&file.path) && !may_call && !file.text.contains("#![forbid(unsafe_code)]") {
            say(1, "a crate's root says #![forbid(unsafe_code)]".to_owned());
        }
        let n_lines = file.text.lines().count();
        if n_lines > MAX_LINES && !LONG_FILES.iter().any(|(path, _)| *path == file.path) {
            say(0, format!("{n_lines} lines: two ideas? If not, give the reason in xtask/src/tidy/sources.rs"));
        }
        for (index, line) in file.text.lines().enumerate() {
            for word in LEFT_FOR_LATER {
                if line.contains(word) {
                    say(index + 1, format!("`{word}` leaves something for later"));
                }
            }
        }
        if !may_see_the_world(&file.path) {
            for (index, line) in file.text.lines().enumerate() {
                if line.trim_start().starts_with("#[cfg(test)]") {
                    break; // By habit the tests are the end of a file.
                }
                let code = line.split("//").next().unwrap_or("");
                for word in RESTRICTED.iter().filter(|word| has_word(code, word)) {
                    say(
                        index + 1,
                        format!("`{word}`: only the driver reads files, starts threads, prints, looks at the clock"),
                    );
                }
            }
        }
    }
    for (path, _) in LONG_FILES {
        let is_long = |file: &&File| file.path == *path && file.text.lines().count() > MAX_LINES;
        if files.iter().any(|file| file.path == "xtask/src/tidy/sources.rs") && !files.iter().any(|file| is_long(&file))
        {
            let message = format!("{path} is not that long any more: take it from the table");
            found.push(Finding { path: "xtask/src/tidy/sources.rs".to_owned(), line: 0, message });
        }
    }
}

fn is_crate_root(path: &str) -> bool {
    let in_house = path.starts_with("crates/") || path.starts_with("xtask/");
    in_house && (path.ends_with("src/lib.rs") || path.ends_with("src/main.rs") || path.contains("/src/bin/"))
}

fn may_see_the_world(path: &str) -> bool {
    let in_tests = ["/tests/", "/tests.rs", "/benches/", "/examples/", "/build.rs"];
    OUTSIDE_WORLD.iter().any(|folder| path.starts_with(folder)) || in_tests.iter().any(|part| path.contains(part))
}

/// Whether the word occurs and is not a part of a longer one.
fn has_word(code: &str, word: &str) -> bool {
    code.match_indices(word).any(|(at, _)| {
        let part_of_name = |c: char| c.is_alphanumeric() || c == '_';
        let before = code[..at].ends_with(part_of_name);
        let after = !word.ends_with('!') && code[at + word.len()..].starts_with(part_of_name);
        !before && !after
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::check as check_files;
    use super::*;

    fn findings(path: &str, text: &str) -> usize {
        check_files(check, &[(path, text)]).len()
    }

    #[test]
    fn a_file_without_a_header_is_found() {
        assert_eq!(findings("crates/base/src/a.rs", "//! Idea.\n"), 0);
        assert_eq!(findings("crates/base/src/a.rs", "use x;\n"), 1);
    }

    #[test]
    fn a_crate_that_does_not_forbid_unsafe_code_is_found() {
        assert_eq!(findings("crates/base/src/lib.rs", "//! Idea.\n"), 1);
        assert_eq!(findings("crates/base/src/lib.rs", "//! Idea.\n#![forbid(unsafe_code)]\n"), 0);
    }

    #[test]
    fn a_long_file_is_found() {
        assert_eq!(findings("crates/base/src/a.rs", &"//! Idea.\n".repeat(MAX_LINES)), 0);
        assert_eq!(findings("crates/base/src/a.rs", &"//! Idea.\n".repeat(MAX_LINES + 1)), 1);
    }

    #[test]
    fn what_is_left_for_later_is_found() {
        for word in LEFT_FOR_LATER {
            assert_eq!(findings("crates/driver/src/a.rs", &format!("//! Idea.\nfn f() {{ {word} }}\n")), 1);
        }
    }

    #[test]
    fn only_the_driver_sees_the_world() {
        let text = "//! Idea.\nuse std::fs::File;\nfn f() { println!(); }\n";
        assert_eq!(findings("crates/term/src/a.rs", text), 2);
        assert_eq!(findings("crates/driver/src/a.rs", text), 0);
        assert_eq!(findings("crates/term/tests/a.rs", text), 0);
        assert_eq!(findings("crates/term/src/a.rs", "//! Idea.\n#[cfg(test)]\nmod tests { use std::fs; }\n"), 0);
        assert_eq!(findings("crates/term/src/a.rs", "//! Idea.\n// println!\nstruct Instantiation;\n"), 0);
    }
}
