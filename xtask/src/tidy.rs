//! Tidy: the project's rules that the compiler does not check.
//!
//! Each rule is a function from the tracked files to findings, in a file named after what it looks
//! at: `crates` (dependencies between crates), `sources` (what Rust files look like), `texts` (all text files,
//! paper keys), `counts` (what may only become less). All findings are printed, not just the first.

mod counts;
mod crates;
mod sources;
mod texts;

use std::path::Path;
use std::process::Command;

use crate::check::root;

/// A tracked text file: its path from the root of the repository, and its text.
pub struct File {
    /// With slashes.
    pub path: String,
    /// All of it.
    pub text: String,
}

/// Something that breaks a rule.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Finding {
    /// The file.
    pub path: String,
    /// The line from one; zero for the whole file.
    pub line: usize,
    /// What is wrong and what to do.
    pub message: String,
}

/// Checks every tracked file.
pub fn run(args: &[String]) -> Result<(), String> {
    let files = tracked(root())?;
    match args {
        [] => {}
        [word] if word == "--report" => {
            print!("{}", counts::report(&files));
            return Ok(());
        }
        [word, ..] => return Err(format!("`{word}`: tidy takes --report and nothing else")),
    }
    let findings = findings(&files);
    for finding in &findings {
        eprintln!("{}:{}: {}", finding.path, finding.line, finding.message);
    }
    match findings.len() {
        0 => Ok(()),
        1 => Err("1 thing to tidy up".to_owned()),
        n => Err(format!("{n} things to tidy up")),
    }
}

fn findings(files: &[File]) -> Vec<Finding> {
    let mut found = Vec::new();
    crates::check(files, &mut found);
    sources::check(files, &mut found);
    texts::check(files, &mut found);
    counts::check(files, &mut found);
    found.sort();
    found
}

/// All files that git tracks or would track, as text; without git, all files outside of `target`.
fn tracked(root: &Path) -> Result<Vec<File>, String> {
    let listed = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard", "-z"])
        .current_dir(root)
        .output();
    let mut paths: Vec<String> = match listed {
        Ok(output) if output.status.success() => {
            String::from_utf8_lossy(&output.stdout).split_terminator('\0').map(str::to_owned).collect()
        }
        _ => walk(root)?,
    };
    paths.sort();
    paths.dedup();
    let mut files = Vec::new();
    for path in paths {
        // A file that was removed but not committed is still listed; a binary file has no rules.
        let Ok(bytes) = std::fs::read(root.join(&path)) else { continue };
        if let Ok(text) = String::from_utf8(bytes) {
            files.push(File { path, text });
        }
    }
    Ok(files)
}

fn walk(root: &Path) -> Result<Vec<String>, String> {
    let mut paths = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for entry in entries.flatten() {
            let path = entry.path();
            let name = entry.file_name();
            if path.is_dir() {
                if name != "target" && name != ".git" {
                    folders.push(path);
                }
            } else if let Ok(relative) = path.strip_prefix(root) {
                paths.push(relative.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The messages that a rule has about these files.
    pub fn check(rule: fn(&[File], &mut Vec<Finding>), files: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<File> =
            files.iter().map(|(path, text)| File { path: (*path).to_owned(), text: (*text).to_owned() }).collect();
        let mut found = Vec::new();
        rule(&files, &mut found);
        found.into_iter().map(|finding| format!("{}:{}: {}", finding.path, finding.line, finding.message)).collect()
    }

    #[test]
    fn the_files_of_this_repository_are_found_with_and_without_git() {
        let files = tracked(root()).expect("the repository can be read");
        assert!(files.iter().any(|file| file.path == "xtask/src/tidy.rs" && file.text.starts_with("//! Tidy")));
        assert!(walk(root()).expect("the folder can be read").iter().any(|path| path == "xtask/src/tidy.rs"));
    }
}
