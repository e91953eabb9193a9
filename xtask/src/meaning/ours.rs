//! Our answers to a case: `run` and `check`, with the right and with the wrong value.
//!
//! The right value must not reach the error and the wrong value must. `run` must decide; `check` may be unable to decide, but may not
//! claim the opposite. A crash, exit code 70 and a run that does not end after its time limit are findings in every mode.

use super::case::Case;
use crate::tool::{self, Ran};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use testkit::compiler::TempFolder;

/// The kind of a finding: an undefined operation where the compiled program goes on.
const UNDEFINED: &str = "something undefined is seen";

/// The command and the value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Mode {
    /// The interpreter with the right value.
    RunRight,
    /// The interpreter with a wrong value.
    RunWrong,
    /// The checker with the right value.
    CheckRight,
    /// The checker with a wrong value.
    CheckWrong,
}

impl Mode {
    /// A word for tables and file names.
    pub fn name(self) -> &'static str {
        match self {
            Mode::RunRight => "run-right",
            Mode::RunWrong => "run-wrong",
            Mode::CheckRight => "check-right",
            Mode::CheckWrong => "check-wrong",
        }
    }
    fn runs(self) -> bool {
        matches!(self, Mode::RunRight | Mode::RunWrong)
    }
    fn is_right(self) -> bool {
        matches!(self, Mode::RunRight | Mode::CheckRight)
    }
}

/// Result of a comparison.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The answer that the compilers give.
    Agrees,
    /// No answer, with the reason.
    Open(String),
    /// The front end refuses the program, with the reason.
    Refused(String),
    /// A wrong answer, a crash, a warning about something that is not there: our bug.
    Finding {
        /// What happened, in two or three words; shrinking keeps it.
        kind: &'static str,
        /// Our output.
        detail: String,
    },
}

/// The binary under test and its limits.
pub struct Subject {
    /// The binary.
    pub binary: PathBuf,
    /// Seconds for one answer.
    pub seconds: u64,
    /// Further options of `check`.
    pub options: Vec<String>,
}

impl Subject {
    /// Runs the binary on the case.
    pub fn ask(&self, case: &Case, mode: Mode) -> Result<Outcome, String> {
        let definitions = match (mode.is_right(), &case.wrong) {
            (true, _) => &case.right,
            (false, Some(wrong)) => wrong,
            (false, None) => return Ok(Outcome::Open("there is no wrong value".into())),
        };
        let folder = TempFolder::new();
        let file = folder.path().join(format!("{}.c", case.name));
        fs::write(&file, &case.text).map_err(|error| error.to_string())?;
        let words = self.words(case, mode, definitions, &file);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let ran = tool::run_in(&self.binary, &words, Duration::from_secs(self.seconds + 15), folder.path())?;
        Ok(if mode.runs() { of_run(&ran, mode) } else { of_check(&ran, mode) })
    }

    /// The command line that repeats an answer.
    pub fn words(&self, case: &Case, mode: Mode, definitions: &[String], file: &Path) -> Vec<String> {
        let mut words = vec![if mode.runs() { "run" } else { "check" }.to_owned()];
        words.extend(case.words(definitions));
        if mode.runs() {
            words.push("--zero".into());
        } else {
            words.extend(self.options.iter().cloned());
        }
        words.extend(["--timeout".to_owned(), format!("{}s", self.seconds), file.to_string_lossy().into_owned()]);
        words
    }
}

fn of_run(ran: &Ran, mode: Mode) -> Outcome {
    let said = |start: &str| ran.output.lines().find(|line| line.starts_with(start)).map(str::to_owned);
    let doubt = said("undefined:");
    if let Some(finding) = of_crash(ran) {
        return finding;
    }
    if let (None, Some(open)) = (&doubt, said("note:").or_else(|| said("unspecified"))) {
        return Outcome::Open(open);
    }
    match (ran.code, mode.is_right()) {
        (Some(0), true) => doubt.map_or(Outcome::Agrees, |detail| finding(UNDEFINED, detail)),
        (Some(1), false) => doubt.map_or(Outcome::Agrees, |detail| finding(UNDEFINED, detail)),
        (Some(1), true) => finding("the right value reaches the error", doubt.unwrap_or_default()),
        (Some(0), false) => finding("the wrong value does not reach the error", doubt.unwrap_or_default()),
        (Some(65), _) => finding("rejected as invalid", reason(ran)),
        (Some(2), _) if ran.output.trim().is_empty() => Outcome::Refused(reason(ran)),
        _ => Outcome::Open(reason(ran)),
    }
}

fn of_check(ran: &Ran, mode: Mode) -> Outcome {
    if let Some(finding) = of_crash(ran) {
        return finding;
    }
    match (ran.code, mode.is_right()) {
        (Some(0), true) | (Some(1), false) => Outcome::Agrees,
        (Some(1), true) => finding("UNSAFE with the right value", reason(ran)),
        (Some(0), false) => finding("SAFE with a wrong value", reason(ran)),
        (Some(65), _) => finding("rejected as invalid", reason(ran)),
        _ if reason(ran).contains("unsupported") => Outcome::Refused(reason(ran)),
        _ => Outcome::Open(reason(ran)),
    }
}

/// A crash, if it was one.
pub fn of_crash(ran: &Ran) -> Option<Outcome> {
    if ran.timed_out {
        return Some(finding("no end after the time limit", String::new()));
    }
    if !ran.crashed() {
        return None;
    }
    let panic = ran.errors.lines().find(|line| line.contains("panicked at")).map(str::to_owned);
    let kind = match ran.code {
        Some(70) if panic.is_none() => "evidence rejected",
        Some(_) => "panic",
        None => "ended by a signal",
    };
    Some(finding(kind, panic.unwrap_or_else(|| reason(ran))))
}

fn finding(kind: &'static str, detail: String) -> Outcome {
    Outcome::Finding { kind, detail }
}

/// The last line of output, or the first error.
fn reason(ran: &Ran) -> String {
    let last = ran.output.lines().rev().find(|line| !line.trim().is_empty());
    let first = ran.errors.lines().find(|line| line.contains("error") || line.contains("unsupported"));
    last.or(first).or_else(|| ran.errors.lines().next()).unwrap_or("(no output)").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ran(code: i32, output: &str) -> Ran {
        let (output, errors) = (output.to_owned(), String::new());
        Ran { code: Some(code), timed_out: false, seconds: 0.0, megabytes: 0, output, errors }
    }

    fn kind(outcome: Outcome) -> &'static str {
        match outcome {
            Outcome::Finding { kind, .. } => kind,
            Outcome::Agrees => "agrees",
            Outcome::Open(_) => "open",
            Outcome::Refused(_) => "refused",
        }
    }

    #[test]
    fn only_the_compilers_answer_agrees() {
        assert_eq!(kind(of_check(&ran(0, "SAFE"), Mode::CheckRight)), "agrees");
        assert_eq!(kind(of_check(&ran(1, "UNSAFE"), Mode::CheckWrong)), "agrees");
        assert_eq!(kind(of_check(&ran(1, "UNSAFE"), Mode::CheckRight)), "UNSAFE with the right value");
        assert_eq!(kind(of_check(&ran(0, "SAFE"), Mode::CheckWrong)), "SAFE with a wrong value");
        assert_eq!(kind(of_check(&ran(2, "UNKNOWN: time"), Mode::CheckWrong)), "open");
        assert_eq!(kind(of_check(&ran(2, "UNKNOWN: unsupported x"), Mode::CheckWrong)), "refused");
        assert_eq!(kind(of_check(&ran(70, "UNKNOWN: evidence"), Mode::CheckRight)), "evidence rejected");
        assert_eq!(kind(of_run(&ran(0, "finished"), Mode::RunRight)), "agrees");
        assert_eq!(kind(of_run(&ran(0, "finished"), Mode::RunWrong)), "the wrong value does not reach the error");
        assert_eq!(kind(of_run(&ran(1, "error"), Mode::RunRight)), "the right value reaches the error");
        assert_eq!(kind(of_run(&ran(0, "note: x\nfinished"), Mode::RunWrong)), "open");
        assert_eq!(kind(of_run(&ran(0, "undefined: x\nfinished"), Mode::RunRight)), "something undefined is seen");
    }
}
