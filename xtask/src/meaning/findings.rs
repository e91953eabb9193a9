//! Findings: printed with what repeats them, shrunk, and kept in a folder.
//!
//! A shrunk program of a crash must only crash in the same place. One of a wrong answer must also still have a right answer: compilers, levels of
//! optimisation and sanitizers agree about its checksum.

use super::case::{Case, Compilers};
use super::ours::{Mode, Outcome, Subject};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use testkit::compiler;
use testkit::reduce;

/// Where findings go, and how much time each may take to become small.
pub struct Keeper {
    /// The folder; without it findings are only printed.
    pub out: Option<PathBuf>,
    /// Time for one; zero leaves programs as they are.
    pub shrink: Duration,
}

impl Keeper {
    /// Prints a finding about a case and keeps it.
    pub fn keep(&self, subject: &Subject, compilers: &Compilers, case: &Case, mode: Mode, outcome: &Outcome) {
        let Outcome::Finding { kind, detail } = outcome else { return };
        let definitions = if mode.name().ends_with("right") { Some(&case.right) } else { case.wrong.as_ref() };
        let words = subject.words(case, mode, definitions.map_or(&[], Vec::as_slice), Path::new("FILE"));
        println!("FINDING {} {}: {kind}: {detail}\n    uforia {}", case.name, mode.name(), quoted(&words));
        let header = |case: &Case| {
            let definitions = if mode.name().ends_with("right") { Some(&case.right) } else { case.wrong.as_ref() };
            let words = subject.words(case, mode, definitions.map_or(&[], Vec::as_slice), Path::new("FILE"));
            format!("// {kind}: {detail}\n// uforia {}\n", quoted(&words))
        };
        self.write(&format!("{}-{}.c", case.name, mode.name()), &header(case), &case.text);
        if self.shrink.is_zero() || self.out.is_none() || !case.options.is_empty() {
            return;
        }
        let fails = |text: &str| shows(subject, compilers, case, mode, text, kind, detail).is_some();
        let small = self.small(&case.text, case, &fails);
        if let Some(case) = shows(subject, compilers, case, mode, &small, kind, detail) {
            self.write(&format!("{}-{}-small.c", case.name, mode.name()), &header(&case), &small);
        }
    }

    /// Shrinks in the time that there is: lines, then the text without includes and macros, then tokens.
    pub fn small(&self, text: &str, case: &Case, fails: &dyn Fn(&str) -> bool) -> String {
        let end = Instant::now() + self.shrink;
        let in_time = |text: &str| Instant::now() < end && fails(text);
        let silent = |_: usize| {};
        let mut small = reduce::by_lines(text.to_owned(), &in_time, &silent);
        if let Some(flat) = preprocessed(&small, case)
            && in_time(&flat)
        {
            small = flat;
        }
        reduce::minimize(&small, &in_time, &silent)
    }

    /// Writes a file of the folder.
    pub fn write(&self, name: &str, header: &str, text: &str) {
        let Some(folder) = &self.out else { return };
        let path = folder.join(name);
        let written = fs::create_dir_all(folder).and_then(|()| fs::write(&path, format!("{header}{text}")));
        match written {
            Ok(()) => println!("    kept as {}", path.display()),
            Err(error) => eprintln!("cannot keep {}: {error}", path.display()),
        }
    }
}

/// The case of this text if it shows the same finding as the case it came from.
fn shows(
    subject: &Subject,
    compilers: &Compilers,
    from: &Case,
    mode: Mode,
    text: &str,
    kind: &str,
    detail: &str,
) -> Option<Case> {
    let is_crash = is_crash(kind);
    let mut case = Case { text: text.to_owned(), ..from.clone() };
    if !is_crash {
        // Ours first with any value: most candidates are not even C.
        let value = compilers.strict_checksum(text, from.model).ok()?;
        case.right = vec![format!("-DEXPECTED_CHECKSUM={value:#x}u")];
        case.wrong = Some(vec![format!("-DEXPECTED_CHECKSUM={:#x}u", value ^ 1)]);
    }
    match subject.ask(&case, mode).ok()? {
        Outcome::Finding { kind: now, detail: words } if now == kind => {
            (!is_crash || without_numbers(&words) == without_numbers(detail)).then_some(case)
        }
        _ => None,
    }
}

/// Whether a finding is about us alone, so that no compiler need be asked.
pub fn is_crash(kind: &str) -> bool {
    matches!(kind, "panic" | "evidence rejected" | "ended by a signal" | "no end after the time limit")
}

/// The text without includes, macros and directives.
fn preprocessed(text: &str, case: &Case) -> Option<String> {
    let folder = compiler::TempFolder::new();
    let file = folder.path().join("program.c");
    fs::write(&file, text).ok()?;
    let mut command = Command::new(compiler::command());
    let output = command.args(compiler::flags(case.model)).args(["-E", "-P"]).arg(&file).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Words as a shell takes them.
pub fn quoted(words: &[String]) -> String {
    let quote = |word: &String| match word.contains(['(', '*', ' ', '$']) {
        true => format!("'{word}'"),
        false => word.clone(),
    };
    words.iter().map(quote).collect::<Vec<_>>().join(" ")
}

/// A message in which every number is `#`: what findings of one cause have in common.
pub fn without_numbers(text: &str) -> String {
    let mut shown = String::new();
    for c in text.chars().take(200) {
        let c = if c.is_ascii_digit() { '#' } else { c };
        if !(c == '#' && shown.ends_with('#')) {
            shown.push(c);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_one_cause_are_equal() {
        assert_eq!(without_numbers("x.rs:12:3: cell 17"), without_numbers("x.rs:4:33: cell 2"));
        assert_ne!(without_numbers("a.rs:1"), without_numbers("b.rs:1"));
    }

    #[test]
    fn words_with_brackets_are_quoted() {
        assert_eq!(quoted(&["-Dexit(x)=y()".into(), "-q".into()]), "'-Dexit(x)=y()' -q");
    }
}
