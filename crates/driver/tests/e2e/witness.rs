//! Witnesses: what `--witness` writes keeps the rules of the format, names places that fit, and is reproducible.

use crate::support::{Folder, command, listen};

/// YAML as our witnesses use it: maps, lists, scalars, by indentation.
#[derive(Clone, PartialEq, Debug)]
enum Yaml {
    Text(String),
    List(Vec<Yaml>),
    Map(Vec<(String, Yaml)>),
}

impl Yaml {
    fn read(text: &str) -> Yaml {
        // `- key: value` is an item whose map starts two columns further on.
        let mut lines = Vec::new();
        for line in text.lines() {
            let mut indent = line.len() - line.trim_start().len();
            let mut rest = line.trim_start();
            while let Some(item) = rest.strip_prefix("- ") {
                lines.push((indent, "-"));
                indent += 2;
                rest = item;
            }
            lines.push((indent, rest));
        }
        let mut at = 0;
        let yaml = Yaml::block(&lines, &mut at);
        assert_eq!(at, lines.len(), "the rest of the file is no YAML: {:?}", &lines[at..]);
        yaml
    }
    fn block(lines: &[(usize, &str)], at: &mut usize) -> Yaml {
        let indent = lines[*at].0;
        let mut list = Vec::new();
        while *at < lines.len() && lines[*at] == (indent, "-") {
            *at += 1;
            list.push(Yaml::block(lines, at));
        }
        if !list.is_empty() {
            return Yaml::List(list);
        }
        let mut map: Vec<(String, Yaml)> = Vec::new();
        while *at < lines.len() && lines[*at].0 == indent && lines[*at].1 != "-" {
            let line = lines[*at].1;
            let colon = line.rfind("\": ").map(|quote| quote + 1).filter(|_| line.starts_with('"'));
            let colon = colon.or_else(|| line.find(':').filter(|_| !line.starts_with('"')));
            *at += 1;
            let Some(colon) = colon else { return Yaml::Text(scalar(line)) };
            let (key, value) = (scalar(&line[..colon]), line[colon + 1..].trim());
            assert!(map.iter().all(|(known, _)| *known != key), "{key} twice");
            let value = if value.is_empty() { Yaml::block(lines, at) } else { Yaml::Text(scalar(value)) };
            map.push((key, value));
        }
        Yaml::Map(map)
    }
    #[track_caller]
    fn get(&self, key: &str) -> &Yaml {
        self.find(key).unwrap_or_else(|| panic!("{key} is missing in {self:?}"))
    }
    fn find(&self, key: &str) -> Option<&Yaml> {
        let Yaml::Map(map) = self else { panic!("a map is expected: {self:?}") };
        map.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }
    #[track_caller]
    fn text(&self) -> &str {
        let Yaml::Text(text) = self else { panic!("a scalar is expected: {self:?}") };
        text
    }
    #[track_caller]
    fn list(&self) -> &[Yaml] {
        let Yaml::List(list) = self else { panic!("a list is expected: {self:?}") };
        list
    }
    #[track_caller]
    fn only(&self, keys: &[&str]) {
        let Yaml::Map(map) = self else { panic!("a map is expected: {self:?}") };
        assert!(map.iter().all(|(key, _)| keys.contains(&key.as_str())), "only {keys:?} belong here: {self:?}");
    }
}

fn scalar(text: &str) -> String {
    match text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(inner) => inner.replace("\\\"", "\"").replace("\\\\", "\\"),
        None => text.to_owned(),
    }
}

/// The rules of the format, version 2.0.
#[track_caller]
fn keeps_the_rules(witness: &Yaml, file: &str, text: &str) {
    let [entry] = witness.list() else { panic!("one entry: {witness:?}") };
    entry.only(&["entry_type", "metadata", "content"]);
    let metadata = entry.get("metadata");
    metadata.only(&["format_version", "uuid", "creation_time", "producer", "task"]);
    assert_eq!(metadata.get("format_version").text(), "2.0");
    let lengths: Vec<usize> = metadata.get("uuid").text().split('-').map(str::len).collect();
    assert_eq!(lengths, [8, 4, 4, 4, 12]);
    assert!(metadata.get("creation_time").text().ends_with('Z'));
    assert_eq!(metadata.get("producer").get("name").text(), "Uforia");
    metadata.get("producer").get("version").text();
    let task = metadata.get("task");
    task.only(&["input_files", "input_file_hashes", "specification", "data_model", "language"]);
    assert_eq!(task.get("input_files").list(), [Yaml::Text(file.to_owned())]);
    let hash = task.get("input_file_hashes").get(file).text();
    assert!(hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()), "{hash}");
    assert!(task.get("specification").text().starts_with("CHECK( init(main()), LTL("));
    assert!(["ILP32", "LP64"].contains(&task.get("data_model").text()));
    assert_eq!(task.get("language").text(), "C");
    let content = entry.get("content").list();
    match entry.get("entry_type").text() {
        "violation_sequence" => {
            for (index, segment) in content.iter().enumerate() {
                segment.only(&["segment"]);
                let [waypoint] = segment.get("segment").list() else { panic!("one waypoint: {segment:?}") };
                waypoint.only(&["waypoint"]);
                check_waypoint(waypoint.get("waypoint"), index + 1 == content.len(), file, text);
            }
        }
        "invariant_set" => {
            for invariant in content {
                let invariant = invariant.get("invariant");
                invariant.only(&["type", "location", "value", "format"]);
                assert_eq!(invariant.get("format").text(), "c_expression");
                assert!(!invariant.get("value").text().is_empty());
                let there = at(invariant.get("location"), file, text);
                match invariant.get("type").text() {
                    "loop_invariant" => {
                        assert!(["while", "for", "do"].iter().any(|word| there.starts_with(word)), "{invariant:?}");
                    }
                    "location_invariant" => assert!(!there.is_empty()),
                    other => panic!("{other} is no invariant"),
                }
            }
        }
        other => panic!("{other} is no entry"),
    }
}

#[track_caller]
fn check_waypoint(waypoint: &Yaml, last: bool, file: &str, text: &str) {
    waypoint.only(&["type", "action", "constraint", "location"]);
    assert_eq!(waypoint.get("action").text(), "follow");
    let there = at(waypoint.get("location"), file, text);
    let kind = waypoint.get("type").text();
    assert_eq!(last, kind == "target", "the target comes last: {waypoint:?}");
    let constraint = waypoint.find("constraint");
    match kind {
        "assumption" => assert_eq!(constraint.expect("a value").get("format").text(), "c_expression"),
        "function_return" => {
            assert!(there.starts_with(')'), "{waypoint:?}");
            assert!(constraint.expect("a value").get("value").text().starts_with("\\result == "));
            assert_eq!(constraint.expect("a value").get("format").text(), "acsl_expression");
        }
        "function_enter" => assert!(there.starts_with(')') && constraint.is_none(), "{waypoint:?}"),
        "branching" => {
            assert!(there.starts_with("if"), "{waypoint:?}");
            assert!(["true", "false"].contains(&constraint.expect("a value").get("value").text()));
        }
        "target" => assert!(there.starts_with("reach_error") && constraint.is_none(), "{waypoint:?}"),
        other => panic!("{other} is no waypoint"),
    }
}

/// The text from the place on.
#[track_caller]
fn at<'a>(location: &Yaml, file: &str, text: &'a str) -> &'a str {
    location.only(&["file_name", "line", "column", "function"]);
    assert_eq!(location.get("file_name").text(), file);
    let number = |key: &str| location.get(key).text().parse::<usize>().expect("a number");
    &text.lines().nth(number("line") - 1).expect("the line is there")[number("column") - 1..]
}

/// Fails unless the text of a witness keeps the rules.
#[track_caller]
pub fn keeps_the_rules_of_the_format(witness: &str, file: &str, text: &str) {
    keeps_the_rules(&Yaml::read(witness), file, text);
}

/// The witness of a program, checked against the rules.
#[track_caller]
fn witness(name: &str, text: &str, answer: &str) -> String {
    let folder = Folder::new(&format!("witness-{name}"));
    let file = folder.file("program.c", text);
    let to = folder.path().join("witness.yml");
    let to = to.to_str().expect("names in tests are plain");
    let run = || {
        let args = ["check", "-q", "--timeout", "60s", "--engine", "kind", "--witness", to, &file];
        let mut checking = command(&args);
        checking.env("SOURCE_DATE_EPOCH", "1000000000");
        listen(checking.spawn().expect("the binary starts"), "").answers(answer);
        std::fs::read_to_string(to).expect("the witness was written")
    };
    let written = run();
    assert_eq!(written, run(), "the same answer gives the same bytes");
    assert!(written.contains("2001-09-09T01:46:40Z"), "{written}");
    keeps_the_rules(&Yaml::read(&written), &file, text);
    written
}

const UNSAFE: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int next(int a) {
  if (a > 3) return a + 1;
  return a;
}
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y;
  int z = 0;
  if (y == 7) {
    z = next(x);
  }
  if (x == 5) z++; else z = 0;
  if (z == 7) {
    reach_error();
  }
  return 0;
}
";

#[test]
fn a_violation_names_values_ways_calls_and_the_target() {
    let text = witness("unsafe", UNSAFE, "UNSAFE");
    let yaml = Yaml::read(&text);
    let steps: Vec<String> = yaml.list()[0].get("content").list().iter().map(text_of).collect();
    let expected = [
        "function_return 8:33 \\result == 5",
        "assumption 10:3 y == 7",
        "branching 11:3 true",
        "function_enter 12:15",
        "branching 4:3 true",
        "branching 14:3 true",
        "branching 15:3 true",
        "target 16:5",
    ];
    assert_eq!(steps, expected, "{text}");
}

fn text_of(segment: &Yaml) -> String {
    let waypoint = segment.get("segment").list()[0].get("waypoint");
    let location = waypoint.get("location");
    let place = format!("{}:{}", location.get("line").text(), location.get("column").text());
    let value = waypoint.find("constraint").map_or(String::new(), |one| format!(" {}", one.get("value").text()));
    format!("{} {place}{value}", waypoint.get("type").text())
}

#[test]
fn a_proof_names_the_invariants_of_its_loops() {
    let text = witness(
        "safe",
        "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  unsigned n = 0;
  int same = 1;
  while (__VERIFIER_nondet_int()) {
    if (n < 1000u) n++;
    if (same != 1) n = 2000u;
  }
  if (n > 1000u) reach_error();
  return 0;
}
",
        "SAFE",
    );
    assert!(text.contains("invariant_set") && text.contains("loop_invariant"), "{text}");
    assert!(text.contains("(n < 1001U)"), "{text}");
}

#[test]
fn a_proof_without_loops_still_has_an_entry() {
    let text = "extern void reach_error(void);\nint main(void) {\n  int x = 1;\n  if (x != 1) reach_error();\n  return 0;\n}\n";
    assert!(witness("plain", text, "SAFE").contains("value: \"1\""));
}
