//! SARIF 2.1.0, the form in which code-scanning services and editors take the findings of analysers: a view of answers.
//!
//! An error that was found is a *result* with a code flow, step by step into the error. Everything else that is worth knowing is a
//! *notification*: the invariants of a proof, why nothing is known, what was assumed, what is wrong with the input. A file holds one
//! run, also when several programs were checked: services take one run of a tool.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::answer::{Answer, Assertion, AssertionKind, Counterexample, Place, Severity, VerdictName};
use crate::{json, sha256};

/// Where the form is described.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// What can be found, each with a sentence and what to do about it. The order is that of `ruleIndex`.
const RULES: &[(&str, &str, &str)] = &[
    (
        "unreach-call",
        "An error call can be reached",
        "The program calls reach_error, __VERIFIER_error, or the function that the property names. The code flow shows the inputs \
         that lead there; `uforia check --harness FILE.c` writes a program that replays them.",
    ),
    (
        "assertion",
        "An assertion can fail",
        "The condition of an assert is false in some run. The code flow shows the inputs that lead there; \
         `uforia check --harness FILE.c` writes a program that replays them.",
    ),
    (
        "no-overflow",
        "An arithmetic operation has no defined result",
        "A signed operation overflows, divides by zero, or shifts out of range. Check the operands before, or compute in a wider or \
         unsigned type.",
    ),
    (
        "valid-deref",
        "An access to memory is invalid",
        "A read or write is outside of its object, or the object has ended, or a call goes to no function. The code flow shows the inputs that lead \
         there; a harness (`uforia check --harness FILE.c`) that is built with -fsanitize=address shows the same access.",
    ),
    (
        "valid-free",
        "A free is invalid",
        "The pointer is not the start of a live object on the heap: it was freed before, points into an object, or into one that \
         was not allocated.",
    ),
    (
        "valid-memtrack",
        "Allocated memory is lost",
        "No pointer leads to an object on the heap any more, and it was not freed.",
    ),
    ("valid-memcleanup", "Allocated memory is not freed", "The program ends before all objects on the heap are freed."),
    (
        "termination",
        "A run does not end",
        "With the inputs that the code flow shows, no run of the program ends. The loop needs a condition that becomes false.",
    ),
];

/// What can be said beside results.
const NOTIFICATIONS: &[(&str, &str)] = &[
    ("proved", "The program is safe; the proof was checked"),
    ("invariant", "What holds whenever the loop is reached"),
    ("unknown", "Why there is no answer"),
    ("assumed", "What was assumed about functions without a body"),
    ("diagnostic", "What the front end says about the input"),
];

/// The file for these answers.
pub fn file(version: &str, answers: &[&Answer]) -> String {
    let results = answers.iter().flat_map(|answer| all_found(answer)).collect();
    let notifications: Vec<Notification> = answers.iter().flat_map(|answer| notes(answer)).collect();
    let rule = |&(id, short, full): &(&'static str, &'static str, &'static str)| Rule {
        id,
        short_description: message(short),
        full_description: message(full),
        help: message(full),
        default_configuration: Configuration { level: "error" },
    };
    let driver = Driver {
        name: "uforia",
        version,
        semantic_version: version,
        rules: RULES.iter().map(rule).collect(),
        notifications: NOTIFICATIONS
            .iter()
            .map(|&(id, short)| Descriptor { id, short_description: message(short) })
            .collect(),
    };
    let execution_successful = !notifications.iter().any(|note| note.level == "error");
    let invocation = Invocation { execution_successful, tool_execution_notifications: notifications };
    let run = Run { tool: Tool { driver }, invocations: [invocation], column_kind: "unicodeCodePoints", results };
    json::pretty(&Log { schema: SCHEMA, version: "2.1.0", runs: [run] })
}

/// The errors that were found: one, or with `--assertions each` one for each assertion that fails.
fn all_found(answer: &Answer) -> Vec<Finding> {
    let single = |assertion: &Assertion| {
        let each = assertion.each.as_ref()?;
        Some(found(answer, each.counterexample.as_ref()?, assertion, each.engine.as_deref()))
    };
    let singles: Vec<Finding> = answer.assertions.iter().filter_map(single).collect();
    if !singles.is_empty() {
        return singles;
    }
    let first = answer.counterexample.as_ref().zip(answer.failing());
    first.map(|(run, assertion)| found(answer, run, assertion, answer.engine.as_deref())).into_iter().collect()
}

/// An error that was found, with the steps that lead there.
fn found(answer: &Answer, counterexample: &Counterexample, assertion: &Assertion, engine: Option<&str>) -> Finding {
    let (rule_index, text) = match assertion.kind {
        AssertionKind::Unreached => (0, format!("{} can be reached", assertion.text)),
        AssertionKind::Overflow | AssertionKind::Division | AssertionKind::Shift => {
            (2, format!("it can fail that {}", assertion.text))
        }
        AssertionKind::Read | AssertionKind::Write | AssertionKind::Target | AssertionKind::Length => {
            (3, format!("it can fail that {}", assertion.text))
        }
        AssertionKind::Free => (4, format!("it can fail that {}", assertion.text)),
        AssertionKind::Track => (5, format!("it can fail that {}", assertion.text)),
        AssertionKind::Cleanup => (6, format!("it can fail that {}", assertion.text)),
        AssertionKind::Ends => (7, format!("it can fail that {}", assertion.text)),
        _ => (1, format!("the assertion `{}` can fail", assertion.text)),
    };
    let rule_id = RULES[rule_index].0;
    let at = At::of(answer, &assertion.at);
    // Steps without a place happen where the last one did.
    let mut last = At::of(answer, &Place::default());
    let n_steps = counterexample.steps.len();
    let mut locations = Vec::new();
    for (index, step) in counterexample.steps.iter().enumerate() {
        if step.at.place.is_some() {
            last = At::of(answer, &step.at);
        }
        locations.push(FlowLocation {
            location: last.location(Some(&step.text)),
            nesting_level: step.depth,
            execution_order: index + 1,
            importance: if index + 1 == n_steps { "essential" } else { "important" },
        });
    }
    let flow = CodeFlow { message: message("the run into the error"), thread_flows: [ThreadFlow { locations }] };
    // What stays the same when lines move: the file, the rule, what is reached.
    let same = sha256::hex(format!("{}\n{rule_id}\n{text}", at.file).as_bytes());
    Finding {
        rule_id,
        rule_index,
        level: "error",
        message: message(&text),
        locations: [at.location(None)],
        code_flows: if n_steps == 0 { Vec::new() } else { vec![flow] },
        partial_fingerprints: BTreeMap::from([("uforia/v1", same[..32].to_owned())]),
        properties: Properties { engine: engine.unwrap_or("no engine").to_owned() },
    }
}

/// What is worth knowing beside an error.
fn notes(answer: &Answer) -> Vec<Notification> {
    let whole = At::of(answer, &Place::default());
    let mut notes = Vec::new();
    for one in &answer.diagnostics {
        let level = if one.severity == Severity::Warning { "warning" } else { "error" };
        let help = if one.help.is_empty() { String::new() } else { format!(" (help: {})", one.help) };
        let at = At { file: one.file.clone(), line: one.line, column: one.column };
        notes.push(note("diagnostic", level, &format!("{}{help}", one.message), &at));
    }
    for one in &answer.assumptions {
        notes.push(note("assumed", "note", &one.text, &At::of(answer, &one.at)));
    }
    match answer.verdict {
        VerdictName::Safe => {
            notes.push(note("proved", "note", answer.method.as_deref().unwrap_or_default(), &whole));
            for one in answer.invariants.iter().filter(|one| !one.c.is_empty()) {
                notes.push(note("invariant", "note", &one.c.join(" && "), &At::of(answer, &one.at)));
            }
        }
        VerdictName::Unknown => {
            // Exit code 2 is an honest UNKNOWN; others say that something is wrong.
            let level = if answer.exit_code == 2 { "warning" } else { "error" };
            notes.push(note("unknown", level, &answer.reason, &whole));
        }
        VerdictName::Unsafe => {}
    }
    notes
}

fn note(id: &'static str, level: &'static str, text: &str, at: &At) -> Notification {
    let index = NOTIFICATIONS.iter().position(|(known, _)| *known == id).expect("the notification is in the table");
    Notification { descriptor: Reference { id, index }, level, message: message(text), locations: [at.location(None)] }
}

/// A place in a file.
#[derive(Clone)]
struct At {
    file: String,
    /// From one; zero when only the file is known.
    line: u32,
    /// From one; zero when it is not known.
    column: u32,
}

impl At {
    fn of(answer: &Answer, place: &Place) -> At {
        match place.parts() {
            Some((file, line)) => At { file: file.to_owned(), line, column: place.column.unwrap_or(0) },
            None => At { file: answer.file.clone(), line: 0, column: 0 },
        }
    }
    fn location(&self, text: Option<&str>) -> Location {
        let region = (self.line > 0)
            .then(|| Region { start_line: self.line, start_column: (self.column > 0).then_some(self.column) });
        let physical_location = PhysicalLocation { artifact_location: Artifact { uri: uri(&self.file) }, region };
        Location { physical_location, message: text.map(message) }
    }
}

fn message(text: &str) -> Message {
    Message { text: text.to_owned() }
}

/// The name of a file as a reference of RFC 3986: relative names stay relative.
fn uri(file: &str) -> String {
    let mut uri = String::from(if file.starts_with('/') { "file://" } else { "" });
    // `./` says nothing, and the first part of a relative reference must not look like a scheme.
    for byte in file.trim_start_matches("./").bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => uri.push(char::from(byte)),
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Tool<'a>,
    invocations: [Invocation; 1],
    column_kind: &'static str,
    results: Vec<Finding>,
}

#[derive(Serialize)]
struct Tool<'a> {
    driver: Driver<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver<'a> {
    name: &'static str,
    version: &'a str,
    semantic_version: &'a str,
    rules: Vec<Rule>,
    notifications: Vec<Descriptor>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: &'static str,
    short_description: Message,
    full_description: Message,
    help: Message,
    default_configuration: Configuration,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Descriptor {
    id: &'static str,
    short_description: Message,
}

#[derive(Serialize)]
struct Message {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    tool_execution_notifications: Vec<Notification>,
}

#[derive(Serialize)]
struct Notification {
    descriptor: Reference,
    level: &'static str,
    message: Message,
    locations: [Location; 1],
}

#[derive(Serialize)]
struct Reference {
    id: &'static str,
    index: usize,
}

/// A `result` of SARIF.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Finding {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Message,
    locations: [Location; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    code_flows: Vec<CodeFlow>,
    partial_fingerprints: BTreeMap<&'static str, String>,
    properties: Properties,
}

#[derive(Serialize)]
struct Properties {
    engine: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CodeFlow {
    message: Message,
    thread_flows: [ThreadFlow; 1],
}

#[derive(Serialize)]
struct ThreadFlow {
    locations: Vec<FlowLocation>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FlowLocation {
    location: Location,
    nesting_level: usize,
    execution_order: usize,
    importance: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: Artifact,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Serialize)]
struct Artifact {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_column: Option<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::{Assertion, Counterexample, Reason, Status, Step};
    use serde_json::Value;
    use verdict::Code;

    fn at(line: u32) -> Place {
        Place { place: Some(format!("a b/c.c:{line}")), column: Some(3) }
    }

    fn one() -> Answer {
        let mut answer = Answer::unknown("1.0.0", "a b/c.c", Reason::new(Code::OutOfTime, "out of time"));
        answer.assertions.push(Assertion {
            id: 1,
            text: "x < 3".to_owned(),
            at: at(7),
            kind: AssertionKind::Condition,
            status: Status::Fails,
            seen_in_a_run: false,
            never_reached: false,
            each: None,
        });
        let step = Step { at: at(1), depth: 0, text: "x = 4 (input)".to_owned(), function: None, changes: Vec::new() };
        answer.counterexample = Some(Counterexample {
            assertion: 1,
            inputs: Vec::new(),
            steps: vec![step],
            steps_left_out: 0,
            replay: Vec::new(),
            text: String::new(),
        });
        answer
    }

    #[test]
    fn results_name_rules_of_the_table() {
        let mut answer = one();
        let kinds = [
            (AssertionKind::Unreached, "unreach-call"),
            (AssertionKind::Condition, "assertion"),
            (AssertionKind::Shift, "no-overflow"),
        ];
        for (kind, id) in kinds {
            answer.assertions[0].kind = kind;
            let text = file("1.0.0", &[&answer]);
            let log: Value = serde_json::from_str(&text).expect("it is JSON");
            assert_eq!(log["runs"][0]["results"][0]["ruleId"], id);
            assert!(text.contains("\"uri\": \"a%20b/c.c\"") && text.contains("x = 4 (input)"), "{text}");
        }
    }

    #[test]
    fn several_answers_become_one_run() {
        let answer = one();
        let log: Value = serde_json::from_str(&file("1.0.0", &[&answer, &answer])).expect("it is JSON");
        let run = &log["runs"][0];
        let notes = &run["invocations"][0]["toolExecutionNotifications"];
        assert_eq!(log["runs"].as_array().map(Vec::len), Some(1));
        assert_eq!(run["results"].as_array().map(Vec::len), Some(2));
        assert_eq!(notes.as_array().map(Vec::len), Some(2));
        assert_eq!(notes[0]["level"], "warning");
    }

    #[test]
    fn names_of_files_become_references() {
        assert_eq!(uri("./a/b+c.c"), "a/b%2Bc.c");
        assert_eq!(uri("/tmp/é:x.c"), "file:///tmp/%C3%A9%3Ax.c");
        assert_eq!(uri("x:y.c"), "x%3Ay.c");
    }
}
