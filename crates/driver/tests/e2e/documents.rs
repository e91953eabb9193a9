//! The documents are correct: every command in a `console` block that starts with `uforia`, the C compiler or a program that
//! it made is run, and every option stands in `docs/usage.md`. Commands of `cargo` are run by `.ci/run`.
//!
//! Under a command stand, if need be, its exit code as `[2]` and its output, where `...` stands for
//! any text, also across lines.

use std::process::{Command, Stdio};

use crate::support::{listen, root};

struct Example {
    document: &'static str,
    line: usize,
    command: String,
    code: i32,
    expected: Vec<String>,
}

fn examples(document: &'static str) -> Vec<Example> {
    let text = std::fs::read_to_string(root().join(document)).expect("the document is there");
    let mut found: Vec<Example> = Vec::new();
    let (mut inside, mut ours) = (false, false);
    for (index, line) in text.lines().enumerate() {
        if line.starts_with("```") {
            inside = line == "```console";
            ours = false;
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| inside) {
            ours = ["uforia ", "cc ", "./"].iter().any(|start| command.starts_with(start))
                || command.contains("| uforia ");
            assert!(ours || command.starts_with("cargo "), "{document}:{}: no test runs this command", index + 1);
            if ours {
                let command = command.to_owned();
                found.push(Example { document, line: index + 1, command, code: 0, expected: Vec::new() });
            }
        } else if inside && ours {
            let example = found.last_mut().expect("output stands under a command");
            match line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).and_then(|code| code.parse().ok()) {
                Some(code) if example.expected.is_empty() => example.code = code,
                _ => example.expected.push(line.to_owned()),
            }
        }
    }
    found
}

/// Whether the text is the pattern, where `...` stands for anything.
fn matches(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split("...");
    let Some(mut rest) = text.strip_prefix(parts.next().unwrap_or("")) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[test]
fn documented_commands_do_what_the_documents_say() {
    let folder = crate::support::Folder::new("documents");
    // Examples write their files where they are run, so they are run in a folder of their own.
    let link = folder.path().join("examples");
    std::os::unix::fs::symlink(root().join("examples"), link).expect("the temporary folder can be written");
    let mut count = 0;
    for example in ["README.md", "docs/usage.md", "docs/rust.md", "docs/memory.md"].into_iter().flat_map(examples) {
        let script = format!("uforia() {{ '{}' \"$@\"; }}\n{}", env!("CARGO_BIN_EXE_uforia"), example.command);
        let mut shell = Command::new("sh");
        shell.args(["-c", &script]).current_dir(folder.path());
        shell.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let said = listen(shell.spawn().expect("a shell starts"), "");
        let at = format!("{}:{}: {}", example.document, example.line, example.command);
        assert_eq!(said.code, example.code, "{at}: {said:?}");
        if !example.expected.is_empty() {
            let expected = example.expected.join("\n");
            assert!(matches(&expected, said.out.trim_end_matches('\n')), "{at}\nexpected:\n{expected}\ngot: {said:?}");
        }
        count += 1;
    }
    assert!(count >= 10, "only {count} commands were found in the documents");
}

/// A block of `docs/extending.md` under a line with the name of a file is that file.
#[test]
fn the_exercise_is_the_code_that_is_tested() {
    let document = root().join("docs/extending.md");
    let text = std::fs::read_to_string(&document).expect("the document is there");
    let (mut written, mut file, mut count) = (String::new(), None, 0);
    let mut lines = text.split_inclusive('\n');
    while let Some(line) = lines.next() {
        written.push_str(line);
        if let Some(named) = line.strip_prefix('`').and_then(|rest| rest.strip_suffix("`:\n")) {
            file = Some(named);
        } else if let Some(file) = file.take_if(|_| line == "```rust\n") {
            written.push_str(&std::fs::read_to_string(root().join(file)).expect("the file is there"));
            written.extend(lines.find(|line| *line == "```\n"));
            count += 1;
        }
    }
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&document, &written).expect("the document can be written");
    }
    assert!(count == 6 && text == written, "BLESS=1 writes the files into the document");
}

#[test]
fn every_option_stands_in_the_manual() {
    let manual = std::fs::read_to_string(root().join("docs/usage.md")).expect("the document is there");
    for command in uforia::args::command_line().get_subcommands() {
        assert!(manual.contains(&format!("| `{} ", command.get_name())), "{} is missing", command.get_name());
        for long in command.get_arguments().filter_map(clap::Arg::get_long) {
            assert!(manual.contains(&format!("--{long}")), "--{long} is missing");
        }
    }
}

#[test]
fn every_field_of_the_json_stands_in_the_manual() {
    let manual = std::fs::read_to_string(root().join("docs/usage.md")).expect("the document is there");
    for file in ["examples/goto_fail.c", "examples/traffic_light.c", "examples/missing.c"] {
        let said = crate::support::uforia(&["check", "-q", "--timeout", "10s", "--json", "-", file]);
        let json = said.out.lines().next().unwrap_or_default();
        let answer: serde_json::Value = serde_json::from_str(json).expect("it is JSON");
        let mut values = vec![&answer];
        while let Some(value) = values.pop() {
            values.extend(value.as_array().into_iter().flatten());
            for (name, value) in value.as_object().into_iter().flatten() {
                assert!(manual.contains(&format!("`{name}`")), "{name} is missing: {json}");
                values.push(value);
            }
        }
    }
}

#[test]
fn the_readme_s_two_commands_are_there() {
    let readme = std::fs::read_to_string(root().join("README.md")).expect("the document is there");
    assert!(readme.contains("\n$ cargo run --release -- check examples/goto_fail.c\n$ cargo test --workspace\n"));
    let ci = std::fs::read_to_string(root().join(".ci/run")).expect("the script is there");
    assert!(ci.contains("\ncargo test --workspace\n"));
    let commands = readme.lines().filter_map(|line| line.strip_prefix("$ cargo "));
    for command in commands {
        assert!(ci.contains(&format!("\ncargo {command}")), ".ci/run does not run cargo {command}");
    }
}

#[test]
fn patterns_match_any_text_at_three_dots() {
    assert!(matches("a...c", "abbc") && matches("a...", "a") && matches("...", ""));
    assert!(matches("a\n...\nd...", "a\nb\nc\nd e"));
    assert!(!matches("a...c", "abd") && !matches("a", "ab") && !matches("a...b...b", "ab"));
}
