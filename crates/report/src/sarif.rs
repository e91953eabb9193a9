//! SARIF 2.1.0, the form in which code-scanning services and editors take the findings of analysers.
//!
//! An error that was found is a *result* with a code flow, step by step into the error. Everything else that is worth knowing is a
//! *notification*: the invariants of a proof, why nothing is known, what was assumed, what is wrong with the input. A file holds one
//! run, also when several programs were checked: services take one run of a tool.

use base::Diagnostic;

use crate::json::Json;
use crate::sha256;

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
];

/// What can be said beside results.
const NOTIFICATIONS: &[(&str, &str)] = &[
    ("proved", "The program is safe; the proof was checked"),
    ("invariant", "What holds whenever the loop is reached"),
    ("unknown", "Why there is no answer"),
    ("assumed", "What was assumed about functions without a body"),
    ("diagnostic", "What the front end says about the input"),
];

/// Which rule a result belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// An error call is reached.
    UnreachCall,
    /// An assertion fails.
    Assertion,
    /// An overflow, a division by zero, a shift out of range.
    NoOverflow,
}

/// A place in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct At {
    /// The file.
    pub file: String,
    /// The line, from one; zero when only the file is known.
    pub line: u32,
    /// The column, from one; zero when it is not known.
    pub column: u32,
}

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// Good to know.
    Note,
    /// Something to look at.
    Warning,
    /// There is no answer because of it.
    Error,
}

/// What one run says, collected piece by piece.
#[derive(Default)]
pub struct Sarif {
    results: Vec<Json>,
    notifications: Vec<Json>,
}

impl Sarif {
    /// An error that was found, with the steps that lead there.
    pub fn found(&mut self, rule: Rule, text: &str, at: &At, steps: &[(At, usize, String)], engine: &str) {
        let (id, _, _) = RULES[rule as usize];
        let step = |(index, (at, depth, text)): (usize, &(At, usize, String))| {
            Json::object(vec![
                ("location", location(at, Some(text))),
                ("nestingLevel", Json::Number(*depth as u64)),
                ("executionOrder", Json::Number(index as u64 + 1)),
                ("importance", Json::text(if index + 1 == steps.len() { "essential" } else { "important" })),
            ])
        };
        let flow = Json::object(vec![("locations", Json::List(steps.iter().enumerate().map(step).collect()))]);
        let mut members = vec![
            ("ruleId", Json::text(id)),
            ("ruleIndex", Json::Number(rule as u64)),
            ("level", Json::text("error")),
            ("message", message(text)),
            ("locations", Json::List(vec![location(at, None)])),
        ];
        if !steps.is_empty() {
            let flows = Json::object(vec![
                ("message", message("the run into the error")),
                ("threadFlows", Json::List(vec![flow])),
            ]);
            members.push(("codeFlows", Json::List(vec![flows])));
        }
        // What stays the same when lines move: the file, the rule, what is reached.
        let same = sha256::hex(format!("{}\n{id}\n{text}", at.file).as_bytes());
        members.push(("partialFingerprints", Json::object(vec![("uforia/v1", Json::text(&same[..32]))])));
        members.push(("properties", Json::object(vec![("engine", Json::text(engine))])));
        self.results.push(Json::object(members));
    }
    /// The program was proved safe.
    pub fn proved(&mut self, text: &str, file: &str) {
        self.note("proved", Level::Note, text, &At { file: file.to_owned(), line: 0, column: 0 });
    }
    /// What holds at a loop.
    pub fn invariant(&mut self, text: &str, at: &At) {
        self.note("invariant", Level::Note, text, at);
    }
    /// Why there is no answer.
    pub fn unknown(&mut self, reason: &str, is_bug: bool, at: &At) {
        self.note("unknown", if is_bug { Level::Error } else { Level::Warning }, reason, at);
    }
    /// What was assumed.
    pub fn assumed(&mut self, text: &str, at: &At) {
        self.note("assumed", Level::Note, text, at);
    }
    /// What the front end says.
    pub fn diagnostic(&mut self, found: &Diagnostic) {
        let level = match found.severity {
            base::Severity::Warning => Level::Warning,
            base::Severity::Unsupported | base::Severity::Error => Level::Error,
        };
        let help = if found.help.is_empty() { String::new() } else { format!(" (help: {})", found.help) };
        let at = At { file: found.file.clone(), line: found.line, column: found.column };
        self.note("diagnostic", level, &format!("{}{help}", found.message), &at);
    }
    fn note(&mut self, id: &str, level: Level, text: &str, at: &At) {
        let index = NOTIFICATIONS.iter().position(|(known, _)| *known == id).expect("the notification is in the table");
        let level = match level {
            Level::Note => "note",
            Level::Warning => "warning",
            Level::Error => "error",
        };
        self.notifications.push(Json::object(vec![
            ("descriptor", Json::object(vec![("id", Json::text(id)), ("index", Json::Number(index as u64))])),
            ("level", Json::text(level)),
            ("message", message(text)),
            ("locations", Json::List(vec![location(at, None)])),
        ]));
    }
    /// The whole file.
    pub fn file(&self, version: &str) -> String {
        log(version, self.results.clone(), self.notifications.clone())
    }
}

/// The results and notifications of a file that [`Sarif::file`] made, to be joined with others.
pub fn parts(text: &str) -> Option<Json> {
    let log = Json::read(text).ok()?;
    let run = log.get("runs")?.as_list()?.first()?;
    let invocation = run.get("invocations")?.as_list()?.first()?;
    let notifications = invocation.get("toolExecutionNotifications")?;
    Some(Json::object(vec![("results", run.get("results")?.clone()), ("notifications", notifications.clone())]))
}

/// One file for several runs.
pub fn joined(version: &str, parts: &[&Json]) -> String {
    let all = |name: &str| {
        let lists = parts.iter().filter_map(|part| part.get(name)?.as_list());
        lists.flatten().cloned().collect::<Vec<Json>>()
    };
    log(version, all("results"), all("notifications"))
}

fn log(version: &str, results: Vec<Json>, notifications: Vec<Json>) -> String {
    let rule = |(id, short, full): &(&str, &str, &str)| {
        Json::object(vec![
            ("id", Json::text(*id)),
            ("shortDescription", message(short)),
            ("fullDescription", message(full)),
            ("help", message(full)),
            ("defaultConfiguration", Json::object(vec![("level", Json::text("error"))])),
        ])
    };
    let descriptor =
        |(id, short): &(&str, &str)| Json::object(vec![("id", Json::text(*id)), ("shortDescription", message(short))]);
    let is_error = |one: &Json| one.get("level").and_then(Json::as_text) == Some("error");
    let driver = Json::object(vec![
        ("name", Json::text("uforia")),
        ("version", Json::text(version)),
        ("semanticVersion", Json::text(version)),
        ("rules", Json::List(RULES.iter().map(rule).collect())),
        ("notifications", Json::List(NOTIFICATIONS.iter().map(descriptor).collect())),
    ]);
    let invocation = Json::object(vec![
        ("executionSuccessful", Json::Bool(!notifications.iter().any(is_error))),
        ("toolExecutionNotifications", Json::List(notifications)),
    ]);
    let run = Json::object(vec![
        ("tool", Json::object(vec![("driver", driver)])),
        ("invocations", Json::List(vec![invocation])),
        ("columnKind", Json::text("unicodeCodePoints")),
        ("results", Json::List(results)),
    ]);
    Json::object(vec![
        ("$schema", Json::text(SCHEMA)),
        ("version", Json::text("2.1.0")),
        ("runs", Json::List(vec![run])),
    ])
    .pretty()
}

fn message(text: &str) -> Json {
    Json::object(vec![("text", Json::text(text))])
}

fn location(at: &At, text: Option<&str>) -> Json {
    let mut physical = vec![("artifactLocation", Json::object(vec![("uri", Json::text(uri(&at.file)))]))];
    if at.line > 0 {
        let mut region = vec![("startLine", Json::Number(at.line.into()))];
        if at.column > 0 {
            region.push(("startColumn", Json::Number(at.column.into())));
        }
        physical.push(("region", Json::object(region)));
    }
    let mut members = vec![("physicalLocation", Json::object(physical))];
    if let Some(text) = text {
        members.push(("message", message(text)));
    }
    Json::object(members)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: u32) -> At {
        At { file: "a b/c.c".to_owned(), line, column: 3 }
    }

    fn one() -> Sarif {
        let mut sarif = Sarif::default();
        sarif.found(Rule::Assertion, "x < 3 fails", &at(7), &[(at(1), 0, "x = 4 (input)".to_owned())], "bmc");
        sarif.unknown("out of time", false, &at(0));
        sarif
    }

    #[test]
    fn results_name_rules_of_the_table() {
        for (rule, id) in
            [(Rule::UnreachCall, "unreach-call"), (Rule::Assertion, "assertion"), (Rule::NoOverflow, "no-overflow")]
        {
            assert_eq!(RULES[rule as usize].0, id);
        }
        let text = one().file("1.0.0");
        let log = Json::read(&text).expect("it is JSON");
        let run = &log.get("runs").and_then(Json::as_list).expect("there are runs")[0];
        let result = &run.get("results").and_then(Json::as_list).expect("there are results")[0];
        assert_eq!(result.get("ruleId"), Some(&Json::text("assertion")));
        assert!(text.contains("\"uri\": \"a%20b/c.c\"") && text.contains("x = 4 (input)"), "{text}");
    }

    #[test]
    fn several_files_become_one_run() {
        let text = one().file("1.0.0");
        let part = parts(&text).expect("it is ours");
        let joined = joined("1.0.0", &[&part, &part]);
        let both = parts(&joined).expect("it is ours");
        let count = |name: &str| both.get(name).and_then(Json::as_list).map_or(0, <[Json]>::len);
        assert_eq!((count("results"), count("notifications")), (2, 2));
        assert_eq!(Json::read(&joined).ok().and_then(|log| Some(log.get("runs")?.as_list()?.len())), Some(1));
        assert!(parts("{}").is_none() && parts("no").is_none());
    }

    #[test]
    fn names_of_files_become_references() {
        assert_eq!(uri("./a/b+c.c"), "a/b%2Bc.c");
        assert_eq!(uri("/tmp/é:x.c"), "file:///tmp/%C3%A9%3Ax.c");
        assert_eq!(uri("x:y.c"), "x%3Ay.c");
    }
}
