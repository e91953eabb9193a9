//! Small programs about calls, assembler and the end of runs: those in `tests/procedures` carry their verdicts. A question mark says that no answer is right,
//! too: contracts about memory behind pointers, tables and assembler are open.

use crate::support::{root, uforia};

fn said<'a>(text: &'a str, key: &str) -> &'a str {
    let comments = text.lines().map_while(|line| line.strip_prefix("// "));
    comments.filter_map(|line| line.strip_prefix(key)?.strip_prefix(": ")).next().expect("the file carries its verdict")
}

#[test]
fn thirty_small_programs_get_the_verdicts_that_they_carry() {
    let mut files: Vec<_> =
        std::fs::read_dir(root().join("tests/procedures")).expect("the folder is there").flatten().collect();
    files.sort_by_key(std::fs::DirEntry::file_name);
    assert_eq!(files.len(), 30);
    let mut wrong = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(file.path()).expect("the file can be read");
        let path = file.path();
        let path = path.to_str().expect("names in tests are plain");
        let answer = uforia(&["check", "-q", "--timeout", "30s", "--property", said(&text, "property"), path]);
        let last = answer.out.lines().last().unwrap_or_default();
        let verdict = last.split([':', ',', ' ']).next().unwrap_or_default().to_lowercase();
        let expected = said(&text, "verdict");
        let may_be_open = expected.ends_with('?') && verdict == "unknown";
        if verdict != expected.trim_end_matches('?') && !may_be_open {
            wrong.push(format!("{path}: {last}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
