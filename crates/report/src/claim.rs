//! What a witness claims, read from its text: ours or another tool's, of format 2.0 and as much of 2.1 as says the same.
//!
//! Entries of an `invariant_set` are put into one list, whichever entry they stand in. What we do not know (ghost code, contracts,
//! transition invariants) is passed over and named in `passed_over`: a proof does not get wrong by fewer hints. In a `violation_sequence`
//! nothing can be passed over without changing the claim, so whatever is strange there is refused.

use crate::yaml::{self, Node, Wrong, Yaml};

/// What a witness says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Claim {
    /// What it is about, as far as it says.
    pub task: Task,
    /// The claim itself.
    pub content: Content,
    /// Parts that were not understood and not needed.
    pub passed_over: Vec<String>,
}

/// The program and the question that a witness is about.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Task {
    /// SHA-256 sums of the files, as far as they look like such.
    pub hashes: Vec<String>,
    /// The property, as property files write it.
    pub specification: Option<String>,
    /// `ILP32` or `LP64`.
    pub data_model: Option<String>,
}

/// What is claimed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// The program is safe, and these hold.
    Invariants(Vec<Invariant>),
    /// An execution passes these segments, and its last waypoint is the error.
    Violation(Vec<Segment>),
}

impl Default for Content {
    fn default() -> Self {
        Content::Invariants(Vec::new())
    }
}

/// An expression that holds at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// Whether the place is a loop; otherwise it is a statement.
    pub at_loop: bool,
    /// Where.
    pub location: At,
    /// The expression.
    pub value: String,
    /// The line of the witness.
    pub line: usize,
}

/// A place in the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct At {
    /// The file.
    pub file: String,
    /// From one.
    pub line: u32,
    /// From one.
    pub column: Option<u32>,
    /// The function around it.
    pub function: Option<String>,
}

/// A part of an execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Segment {
    /// What it does not pass.
    pub avoid: Vec<Waypoint>,
    /// What it ends with.
    pub follow: Waypoint,
}

/// Something that an execution may pass.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waypoint {
    /// What.
    pub kind: WaypointKind,
    /// Where.
    pub location: At,
    /// The line of the witness.
    pub line: usize,
}

/// What a waypoint is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WaypointKind {
    /// The expression holds.
    Assumption(String),
    /// The condition has this value.
    Branching(bool),
    /// The `switch` goes to the case of this value; none: to the default.
    Switch(Option<i128>),
    /// The call begins.
    Enter,
    /// The call returns with a value for which this holds; `\result` is the value.
    Return(Option<String>),
    /// The error happens.
    Target,
}

impl WaypointKind {
    /// Its name in the format.
    pub fn name(&self) -> &'static str {
        match self {
            WaypointKind::Assumption(_) => "assumption",
            WaypointKind::Branching(_) | WaypointKind::Switch(_) => "branching",
            WaypointKind::Enter => "function_enter",
            WaypointKind::Return(_) => "function_return",
            WaypointKind::Target => "target",
        }
    }
}

/// Why there is no claim to check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unclear {
    /// The text is no witness: the line, if known, and what is wrong.
    NoWitness(usize, String),
    /// A witness that says something we cannot check: the line, and what.
    Unsupported(usize, String),
}

impl From<Wrong> for Unclear {
    fn from(wrong: Wrong) -> Self {
        Unclear::NoWitness(wrong.line, wrong.what)
    }
}

/// Reads the claim of a witness.
pub fn claim(text: &str) -> Result<Claim, Unclear> {
    let start = text.trim_start_matches('\u{feff}').trim_start();
    if start.starts_with("<?xml") || start.starts_with("<graphml") {
        let what = "this is a witness of format 1.0 (GraphML); formats 2.0 and 2.1 (YAML) can be read".to_owned();
        return Err(Unclear::NoWitness(1, what));
    }
    let whole = yaml::read(text)?;
    let entries = match &whole.node {
        Node::List(entries) => entries.as_slice(),
        Node::Map(_) => std::slice::from_ref(&whole),
        _ => return Err(Unclear::NoWitness(whole.line, "a list of entries is expected".to_owned())),
    };
    let mut claim = Claim::default();
    let mut invariants: Option<Vec<Invariant>> = None;
    let mut violation: Option<Vec<Segment>> = None;
    for entry in entries {
        let kind = text_of(entry, "entry_type")?;
        let metadata = entry.get("metadata");
        let version =
            metadata.and_then(|metadata| metadata.get("format_version")).and_then(Yaml::text).unwrap_or("2.0");
        if !(version == "2" || version.starts_with("2.")) {
            let what = format!("format {version} is not known; 2.0 and 2.1 are");
            return Err(Unclear::NoWitness(entry.line, what));
        }
        claim.task.add(metadata.and_then(|metadata| metadata.get("task")));
        match kind {
            "invariant_set" => {
                let list = invariants.get_or_insert_with(Vec::new);
                read_invariants(entry, list, &mut claim.passed_over)?;
            }
            "violation_sequence" if violation.is_none() => violation = Some(read_violation(entry)?),
            other => claim.passed_over.push(format!("line {}: an entry of type {other}", entry.line)),
        }
    }
    claim.content = match (invariants, violation) {
        (Some(_), Some(_)) => {
            return Err(Unclear::NoWitness(
                1,
                "one file claims both that the program is safe and that it is not".into(),
            ));
        }
        (Some(invariants), None) => Content::Invariants(invariants),
        (None, Some(violation)) => Content::Violation(violation),
        (None, None) => {
            let what = "neither an invariant_set nor a violation_sequence".to_owned();
            return Err(Unclear::NoWitness(whole.line, what));
        }
    };
    Ok(claim)
}

impl Task {
    /// Adds what an entry says; later entries of one file say the same.
    fn add(&mut self, task: Option<&Yaml>) {
        let Some(task) = task else { return };
        let text = |key: &str| task.get(key).and_then(Yaml::text).map(str::to_owned);
        self.specification = self.specification.take().or_else(|| text("specification"));
        self.data_model = self.data_model.take().or_else(|| text("data_model"));
        if let Some(Node::Map(map)) = task.get("input_file_hashes").map(|hashes| &hashes.node) {
            let sums = map.iter().filter_map(|(_, sum)| sum.text());
            let is_sum = |sum: &&str| sum.len() == 64 && sum.bytes().all(|byte| byte.is_ascii_hexdigit());
            self.hashes.extend(sums.filter(is_sum).map(str::to_lowercase));
        }
    }
}

fn text_of<'a>(yaml: &'a Yaml, key: &str) -> Result<&'a str, Unclear> {
    let missing = || Unclear::NoWitness(yaml.line, format!("`{key}` is missing"));
    yaml.get(key).and_then(Yaml::text).ok_or_else(missing)
}

fn number(yaml: &Yaml, key: &str) -> Result<Option<u32>, Unclear> {
    let Some(value) = yaml.get(key) else { return Ok(None) };
    match value.text().map(str::parse) {
        Some(Ok(number)) => Ok(Some(number)),
        _ if value.node == Node::Null => Ok(None),
        _ => Err(Unclear::NoWitness(value.line, format!("`{key}` is not a number"))),
    }
}

fn location(yaml: &Yaml) -> Result<At, Unclear> {
    let missing = |what: &str| Unclear::NoWitness(yaml.line, format!("{what} is missing"));
    let location = yaml.get("location").ok_or_else(|| missing("`location`"))?;
    Ok(At {
        file: location.get("file_name").and_then(Yaml::text).unwrap_or_default().to_owned(),
        line: number(location, "line")?.ok_or_else(|| missing("the line of the location"))?,
        // Some tools count from zero or write -1 for what they do not know; both name no column.
        column: number(location, "column").ok().flatten().filter(|column| *column > 0),
        function: location.get("function").and_then(Yaml::text).map(str::to_owned),
    })
}

fn content(entry: &Yaml) -> Result<&[Yaml], Unclear> {
    match entry.get("content") {
        None => Ok(&[]),
        Some(content) if content.node == Node::Null => Ok(&[]),
        Some(content) => {
            content.list().ok_or_else(|| Unclear::NoWitness(content.line, "the content is not a list".to_owned()))
        }
    }
}

fn read_invariants(entry: &Yaml, list: &mut Vec<Invariant>, passed_over: &mut Vec<String>) -> Result<(), Unclear> {
    for element in content(entry)? {
        let Some(invariant) = element.get("invariant") else {
            let name = match &element.node {
                Node::Map(map) => map.first().map_or("nothing", |(key, _)| key),
                _ => "a value",
            };
            passed_over.push(format!("line {}: {name}", element.line));
            continue;
        };
        let kind = text_of(invariant, "type")?;
        let format = invariant.get("format").and_then(Yaml::text).unwrap_or("c_expression");
        if !["loop_invariant", "location_invariant"].contains(&kind)
            || !["c_expression", "ext_c_expression", "C"].contains(&format)
        {
            passed_over.push(format!("line {}: a {kind} of format {format}", element.line));
            continue;
        }
        list.push(Invariant {
            at_loop: kind == "loop_invariant",
            location: location(invariant)?,
            value: text_of(invariant, "value")?.trim().to_owned(),
            line: invariant.get("value").map_or(element.line, |value| value.line),
        });
    }
    Ok(())
}

fn read_violation(entry: &Yaml) -> Result<Vec<Segment>, Unclear> {
    let wrong = |line: usize, what: &str| Err(Unclear::NoWitness(line, what.to_owned()));
    let mut segments: Vec<Segment> = Vec::new();
    let elements = content(entry)?;
    for element in elements {
        let Some(list) = element.get("segment").and_then(Yaml::list) else {
            return wrong(element.line, "a segment is expected");
        };
        if segments.last().is_some_and(|last| last.follow.kind == WaypointKind::Target) {
            return wrong(element.line, "a segment stands behind the target");
        }
        let mut avoid = Vec::new();
        let mut follow = None;
        for one in list {
            let Some(waypoint) = one.get("waypoint") else { return wrong(one.line, "a waypoint is expected") };
            let read = read_waypoint(waypoint)?;
            match text_of(waypoint, "action")? {
                _ if follow.is_some() => return wrong(one.line, "something stands behind what is to be followed"),
                "follow" => follow = Some(read),
                "avoid" if read.kind == WaypointKind::Target => return wrong(one.line, "the target cannot be avoided"),
                "avoid" => avoid.push(read),
                "cycle" => {
                    return Err(Unclear::Unsupported(one.line, "a cycle: witnesses of non-termination".to_owned()));
                }
                _ => return wrong(one.line, "the action is neither follow nor avoid"),
            }
        }
        match follow {
            Some(follow) => segments.push(Segment { avoid, follow }),
            None => return wrong(element.line, "the segment has nothing to follow"),
        }
    }
    match segments.last() {
        Some(last) if last.follow.kind == WaypointKind::Target => Ok(segments),
        _ => wrong(entry.line, "the last segment does not lead to a target"),
    }
}

fn read_waypoint(waypoint: &Yaml) -> Result<Waypoint, Unclear> {
    let constraint = waypoint.get("constraint");
    let value = constraint.and_then(|constraint| constraint.get("value")).and_then(Yaml::text);
    let missing = || Unclear::NoWitness(waypoint.line, "the value of the constraint is missing".to_owned());
    let kind = match text_of(waypoint, "type")? {
        "assumption" => WaypointKind::Assumption(value.ok_or_else(missing)?.trim().to_owned()),
        "branching" => match value.ok_or_else(missing)?.trim() {
            "true" | "True" => WaypointKind::Branching(true),
            "false" | "False" => WaypointKind::Branching(false),
            "default" => WaypointKind::Switch(None),
            other => match other.parse() {
                Ok(value) => WaypointKind::Switch(Some(value)),
                Err(_) => {
                    let what = format!("the branch `{other}` of a switch");
                    return Err(Unclear::Unsupported(waypoint.line, what));
                }
            },
        },
        "function_enter" => WaypointKind::Enter,
        "function_return" => WaypointKind::Return(value.map(|value| value.trim().to_owned())),
        "target" => WaypointKind::Target,
        other => return Err(Unclear::Unsupported(waypoint.line, format!("a waypoint of type {other}"))),
    };
    Ok(Waypoint { kind, location: location(waypoint)?, line: waypoint.line })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invariants_of_several_entries_are_one_list() {
        let text = r#"
- entry_type: invariant_set
  metadata:
    format_version: 2.1
    task: {input_file_hashes: {a.c: XYZ}, specification: "G ! call(reach_error())", data_model: ILP32}
  content:
    - invariant: {type: loop_invariant, location: {file_name: a.c, line: 3, column: 2, function: main}, value: x > 0, format: c_expression}
    - function_contract: {requires: "1"}
- {"entry_type": "ghost_instrumentation", "metadata": {"format_version": "2.1"}, "content": {}}
- entry_type: "invariant_set"
  content:
  - invariant:
      type: location_invariant
      location:
        line: 5
        column: -1
      value: 'y == 1'
      confidence: 3
"#;
        let read = claim(text).expect("the text is a witness");
        let Content::Invariants(list) = &read.content else { panic!("{read:?}") };
        assert_eq!(list.len(), 2);
        assert_eq!((list[0].at_loop, list[0].value.as_str(), list[0].location.column), (true, "x > 0", Some(2)));
        assert_eq!((list[1].at_loop, list[1].location.line, list[1].location.column), (false, 5, None));
        assert_eq!(read.passed_over, ["line 8: function_contract", "line 9: an entry of type ghost_instrumentation"]);
        assert_eq!(read.task.data_model.as_deref(), Some("ILP32"));
        assert!(read.task.hashes.is_empty(), "what is no sum is none");
    }

    fn violation(segments: &str) -> Result<Claim, Unclear> {
        claim(&format!("[{{entry_type: violation_sequence, content: [{segments}]}}]"))
    }
    const TARGET: &str = "{segment: [{waypoint: {type: target, action: follow, location: {line: 9}}}]}";

    #[test]
    fn a_violation_is_read_segment_by_segment() {
        let avoid = "{waypoint: {type: branching, action: avoid, location: {line: 1}, constraint: {value: false}}}";
        let enter = "{waypoint: {type: function_enter, action: follow, location: {line: 2}}}";
        let read = violation(&format!("{{segment: [{avoid}, {enter}]}}, {TARGET}")).expect("a witness");
        let Content::Violation(segments) = read.content else { panic!("a violation") };
        assert_eq!((segments.len(), segments[0].avoid.len()), (2, 1));
        assert_eq!(segments[0].follow.kind, WaypointKind::Enter);
    }

    #[track_caller]
    fn refuses(segments: &str, what: &str) {
        match violation(segments) {
            Err(Unclear::NoWitness(_, said) | Unclear::Unsupported(_, said)) => assert!(said.contains(what), "{said}"),
            Ok(claim) => panic!("{claim:?}"),
        }
    }
    #[test]
    fn violations_that_do_not_keep_the_rules_are_refused() {
        refuses("", "does not lead to a target");
        refuses("{segment: []}", "nothing to follow");
        refuses(&format!("{TARGET}, {TARGET}"), "behind the target");
        refuses(&TARGET.replace("follow", "avoid"), "cannot be avoided");
        refuses(&TARGET.replace("follow", "cycle"), "non-termination");
        refuses(&TARGET.replace("target", "assumption"), "constraint is missing");
        refuses(&TARGET.replace("line: 9", "line: x"), "not a number");
    }
    #[test]
    fn damaged_texts_get_an_answer() {
        let whole = format!(
            "- entry_type: violation_sequence\n  metadata: {{format_version: '2.0'}}\n  content:\n  - {TARGET}\n- entry_type: \
             \"invariant_set\"\n  content:\n    - invariant:\n        type: loop_invariant\n        location:\n          line: 3\n        \
             value: |\n          x > 0\n        format: >-\n          c_expression\n"
        );
        let mut random = base::Random::new(5);
        let noise = b" \n\t-:?{}[],\"'#&*!|>%@`\\0ax\xc3\xff";
        for _ in 0..20_000 {
            let mut bytes = whole.clone().into_bytes();
            for _ in 0..1 + random.below(4) {
                let at = random.below(bytes.len() as u64) as usize;
                let byte = noise[random.below(noise.len() as u64) as usize];
                match random.below(3) {
                    0 => bytes[at] = byte,
                    1 => bytes.insert(at, byte),
                    _ => bytes.truncate(at.max(1)),
                }
            }
            // An answer of any kind.
            let _ = claim(&String::from_utf8_lossy(&bytes));
        }
    }
    #[test]
    fn other_formats_are_named() {
        let said = |text: &str| match claim(text) {
            Err(Unclear::NoWitness(_, said)) => said,
            other => panic!("{other:?}"),
        };
        assert!(said("<?xml version=\"1.0\"?>").contains("GraphML"));
        assert!(said("- entry_type: loop_invariant\n  metadata:\n    format_version: 0.1\n").contains("0.1"));
        assert!(said("hello").contains("a list of entries"));
        assert!(said("- a").contains("entry_type"));
        assert!(said("- entry_type: flow").contains("neither"));
    }
}
