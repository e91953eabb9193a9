//! How much a proof is worth: how many of its assertions say something about runs that there are.
//!
//! An assertion that no run reaches is proved, and may hide a mistake in the program or in its harness.

use crate::answer::{Answer, Assertion};
use crate::tuning::Tuning;

/// A line about the assertions of a proved program; empty if there are none.
pub fn worth(answer: &Answer) -> String {
    let all = &answer.assertions;
    let n = all.len();
    if n == 0 {
        return String::new();
    }
    let proved = format!("proved {}", counted(n));
    if answer.coverage.is_none() {
        return format!("{proved}\n");
    }
    let of = |is: fn(&Assertion) -> bool| -> Vec<&Assertion> { all.iter().filter(|one| is(one)).collect() };
    let n_passed = of(|one| one.seen_in_a_run).len();
    let never = of(|one| one.never_reached && !one.seen_in_a_run);
    let open = of(|one| !one.never_reached && !one.seen_in_a_run);
    let mut parts = Vec::new();
    match n_passed {
        1 if n == 1 => parts.push("it was passed in a concrete run".to_owned()),
        _ if n_passed == n => parts.push("all were passed in concrete runs".to_owned()),
        0 => {}
        1 => parts.push("1 was passed in a concrete run".to_owned()),
        _ => parts.push(format!("{n_passed} were passed in concrete runs")),
    }
    if !never.is_empty() {
        let verb = if never.len() == 1 { "is" } else { "are" };
        parts.push(format!("{} {verb} never reached{}", never.len(), places(&never)));
    }
    if !open.is_empty() {
        let verb = if open.len() == 1 { "was" } else { "were" };
        parts.push(format!("{} {verb} not seen in a run{}", open.len(), places(&open)));
    }
    format!("{proved}; {}\n", parts.join(", "))
}

fn counted(n: usize) -> String {
    format!("{n} assertion{}", if n == 1 { "" } else { "s" })
}

/// Where they stand, the first ones.
fn places(of: &[&Assertion]) -> String {
    let mut known: Vec<&str> = of.iter().filter_map(|one| one.at.place.as_deref()).collect();
    known.dedup();
    let most = Tuning::DEFAULT.max_named_assertions;
    let more = known.len().saturating_sub(most);
    known.truncate(most);
    match (known.is_empty(), more) {
        (true, _) => String::new(),
        (false, 0) => format!(" ({})", known.join(", ")),
        (false, more) => format!(" ({} and {more} more)", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::{AssertionKind, Coverage, Place, Status};

    fn answer(kinds: &str) -> Answer {
        let one = |(index, kind): (usize, char)| Assertion {
            id: index + 1,
            text: "x".to_owned(),
            at: Place { place: Some(format!("a.c:{}", index + 1)), column: None },
            kind: AssertionKind::Condition,
            status: Status::Proved,
            seen_in_a_run: kind == 's',
            never_reached: kind == 'n',
            each: None,
        };
        let coverage = Some(Coverage { runs: 1, files: Vec::new() });
        Answer { assertions: kinds.chars().enumerate().map(one).collect(), coverage, ..Answer::new("1", "a.c") }
    }

    #[test]
    fn a_proof_says_how_many_assertions_runs_have_passed() {
        for (kinds, expected) in [
            ("s", "proved 1 assertion; it was passed in a concrete run\n"),
            ("ss", "proved 2 assertions; all were passed in concrete runs\n"),
            ("sssns", "proved 5 assertions; 4 were passed in concrete runs, 1 is never reached (a.c:4)\n"),
            ("o", "proved 1 assertion; 1 was not seen in a run (a.c:1)\n"),
            (
                "snnnno",
                "proved 6 assertions; 1 was passed in a concrete run, 4 are never reached (a.c:2, a.c:3, a.c:4 and 1 more), 1 was not seen in a run (a.c:6)\n",
            ),
            ("", ""),
        ] {
            assert_eq!(worth(&answer(kinds)), expected, "{kinds}");
        }
        assert_eq!(worth(&Answer { coverage: None, ..answer("sn") }), "proved 2 assertions\n");
    }
}
