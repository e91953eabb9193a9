//! The stops of the cursor: the steps of a run, the loops of a proof, or the places of reasons and diagnostics.

use crate::answer::{Answer, Change, Place, VerdictName};
use crate::invariants::bare;

/// A stop.
pub struct Stop {
    /// Where.
    pub at: Place,
    /// How many calls are open.
    pub depth: usize,
    /// What happens or holds there.
    pub text: String,
    /// What kind of remark it is: a class of the style sheet.
    pub class: &'static str,
}

/// What the stops are, in a word for the page.
pub fn kind(answer: &Answer) -> &'static str {
    match answer.verdict {
        VerdictName::Unsafe => "step",
        VerdictName::Safe => "loop",
        VerdictName::Unknown => "remark",
    }
}

/// The stops in their order.
pub fn stops(answer: &Answer) -> Vec<Stop> {
    if let Some(run) = &answer.counterexample {
        let last = run.steps.len();
        let step = |(index, step): (usize, &crate::answer::Step)| Stop {
            at: step.at.clone(),
            depth: step.depth,
            text: with_values_before(&step.text, &step.changes),
            class: if index + 1 == last { "fails" } else { "" },
        };
        return run.steps.iter().enumerate().map(step).collect();
    }
    let invariants = answer.invariants.iter().map(|one| Stop {
        at: one.at.clone(),
        depth: 0,
        text: if one.c.is_empty() {
            format!("{}: an invariant that C cannot express", one.function)
        } else {
            match &one.c[..] {
                [only] => bare(only).to_owned(),
                all => all.join(" && "),
            }
        },
        class: "holds",
    });
    let reasons = answer.reasons.iter().map(|one| Stop {
        at: Place { place: one.place.clone(), column: None },
        depth: 0,
        text: format!("{}: {}", one.code, one.text),
        class: "unknown",
    });
    let diagnostics = answer.diagnostics.iter().map(|one| Stop {
        at: Place { place: (one.line > 0).then(|| format!("{}:{}", one.file, one.line)), column: Some(one.column) },
        depth: 0,
        text: if one.help.is_empty() { one.message.clone() } else { format!("{} ({})", one.message, one.help) },
        class: "fails",
    });
    match answer.verdict {
        VerdictName::Safe => invariants.collect(),
        // The reason of a program that is not valid is its first diagnostic.
        _ if !answer.diagnostics.is_empty() && answer.exit_code == 65 => diagnostics.collect(),
        _ => reasons.chain(diagnostics).collect(),
    }
}

/// The note of a step, in which `x = 2` becomes `x: 1 → 2` where the value before is known.
fn with_values_before(note: &str, changes: &[Change]) -> String {
    let mut parts: Vec<String> = note.split(", ").map(str::to_owned).collect();
    for Change { name, before, after } in changes {
        let Some(before) = before else { continue };
        let said = format!("{name} = {after}");
        let is_it = |part: &&mut String| {
            part.strip_prefix(said.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with(" ("))
        };
        if let Some(part) = parts.iter_mut().find(is_it) {
            *part = part.replacen(&said, &format!("{name}: {before} → {after}"), 1);
        }
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_value_before_stands_in_front() {
        let change = |name: &str, before: Option<&str>, after: &str| Change {
            name: name.to_owned(),
            before: before.map(str::to_owned),
            after: after.to_owned(),
        };
        let changes = [change("x", Some("1"), "2"), change("y", None, "3"), change("z", Some("0"), "5")];
        let note = "x = 20, x = 2, y = 3, z = 5 (input), i < 3";
        assert_eq!(with_values_before(note, &changes), "x = 20, x: 1 → 2, y = 3, z: 0 → 5 (input), i < 3");
    }
}
