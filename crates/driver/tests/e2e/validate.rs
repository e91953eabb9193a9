//! Witnesses are confirmed, rejected or left open: hand-written ones of both kinds, our own, mutants of them, and files that are not witnesses.

use crate::support::{Folder, Said, root, uforia};

/// A loop whose proof needs the invariant `y == 3 * x + 1`.
const SAFE: &str = "extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  unsigned y = 3 * x + 1;
  while (x != 0) {
    x--;
    y -= 3;
  }
  for (int i = 0; i < 10; i++) {
    y = y + 0;
  }
  if (y != 1) reach_error();
  return 0;
}
";

/// Two calls, a loop, and an error that needs 5, then twice round the loop.
const UNSAFE: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int twice(int a) { return 2 * a; }
int main(void) {
  int x = __VERIFIER_nondet_int();
  int rounds = 0;
  while (rounds < 5 && __VERIFIER_nondet_int()) {
    rounds++;
  }
  int y = twice(twice(x));
  if (y == 20) {
    if (rounds == 2)
      reach_error();
  }
  y = x > 0 ? y : -y;
  return 0;
}
";

fn validate(name: &str, program: &str, witness: &str) -> Said {
    validate_for(name, program, witness, "60s")
}

fn validate_for(name: &str, program: &str, witness: &str, time: &str) -> Said {
    let folder = Folder::new(&format!("validate-{name}"));
    let file = folder.file("program.c", program);
    let witness = folder.file("witness.yml", witness);
    uforia(&["validate", &file, "--witness", &witness, "--timeout", time])
}

/// A correctness witness with these entries: kind, line, column, expression.
fn invariants(entries: &[(&str, u32, u32, &str)]) -> String {
    let mut text = "- entry_type: invariant_set\n  metadata:\n    format_version: \"2.0\"\n  content:\n".to_owned();
    for (kind, line, column, value) in entries {
        text.push_str(&format!(
            "  - invariant:\n      type: {kind}\n      location:\n        file_name: ./program.c\n        line: {line}\n        \
             column: {column}\n        function: main\n      value: {value:?}\n      format: c_expression\n"
        ));
    }
    text
}

/// A violation witness with these segments, each one waypoint to follow or, after `!`, to avoid before the next one.
fn waypoints(list: &[&str]) -> String {
    let mut segments = Vec::new();
    let mut open = Vec::new();
    for waypoint in list {
        let (action, said) = match waypoint.strip_prefix('!') {
            Some(rest) => ("avoid", rest),
            None => ("follow", *waypoint),
        };
        let mut words = said.splitn(3, ' ');
        let mut word = || words.next().unwrap_or_default();
        let (kind, place, value) = (word(), word(), word());
        let (line, column) = place.split_once(':').unwrap_or((place, ""));
        let column = if column.is_empty() { String::new() } else { format!(", \"column\": {column}") };
        let constraint =
            if value.is_empty() { String::new() } else { format!(", \"constraint\": {{\"value\": {value:?}}}") };
        open.push(format!(
            "{{\"waypoint\": {{\"type\": {kind:?}, \"action\": {action:?}, \
             \"location\": {{\"file_name\": \"program.c\", \"line\": {line}{column}}}{constraint}}}}}"
        ));
        if action == "follow" {
            segments.push(format!("{{\"segment\": [{}]}}", std::mem::take(&mut open).join(", ")));
        }
    }
    format!("[{{\"entry_type\": \"violation_sequence\", \"content\": [{}]}}]", segments.join(",\n"))
}

#[test]
fn an_invariant_that_makes_the_proof_is_confirmed() {
    let witness = invariants(&[("loop_invariant", 6, 3, "y == 3 * x + 1"), ("location_invariant", 13, 3, "y == 1U")]);
    let witness = witness + &invariants(&[("loop_invariant", 10, 3, "y == 1 && i <= 10")]);
    let said = validate("confirmed", SAFE, &witness).exits(0);
    assert_eq!(said.out, "CONFIRMED: the program is safe, and 3 entries hold\n");
}

#[test]
fn what_was_passed_over_is_reported() {
    let witness =
        invariants(&[("loop_invariant", 6, 3, "y == 3 * x + 1"), ("loop_transition_invariant", 6, 3, "x < \\at(x)")]);
    let said = validate("passed", SAFE, &(witness + "- entry_type: ghost_instrumentation\n")).exits(0);
    let expected = "passed over: line 14: a loop_transition_invariant of format c_expression\n\
        passed over: line 23: an entry of type ghost_instrumentation\n\
        CONFIRMED: the program is safe, and 1 entry holds\n";
    assert_eq!(said.out, expected);
}

#[test]
fn an_entry_whose_value_is_undefined_is_not_confirmed() {
    for (number, value) in
        ["1 / 0", "1 / (x - x) == 1", "x % (x - x) == x", "1 / 0 || 1", "*(int *)0 == 3"].iter().enumerate()
    {
        let witness = invariants(&[("loop_invariant", 6, 3, "y == 3 * x + 1"), ("loop_invariant", 6, 3, value)]);
        let said = validate(&format!("undefined{number}"), SAFE, &witness);
        assert!(matches!(said.code, 1 | 2) && !said.out.contains("CONFIRMED"), "{value}: {said:?}");
    }
    // A division that is always defined is.
    let witness = invariants(&[("loop_invariant", 6, 3, "y == 3 * x + 1 && y / (x - x + 2) <= y")]);
    validate("defined", SAFE, &witness).exits(0);
}

#[test]
fn entries_that_are_wrong_are_rejected_by_number() {
    let first = ("loop_invariant", 6, 3, "y == 3 * x + 1");
    let refused = |name: &str, entry: (&str, u32, u32, &str), why: &str| {
        let said = validate(name, SAFE, &invariants(&[first, entry])).exits(1);
        assert!(said.last().starts_with("REJECTED: entry 2: ") && said.last().contains(why), "{entry:?}: {said:?}");
    };
    refused("refuted", ("loop_invariant", 6, 3, "y != 4"), "`y != 4` does not hold at ./program.c:6");
    refused("later", ("loop_invariant", 10, 3, "i < 10"), "`i < 10` does not hold");
    refused("scope", ("loop_invariant", 6, 3, "i < 10"), "`i`");
    refused("nowhere", ("loop_invariant", 7, 5, "1"), "there is no loop in line 7, column 5");
    refused("beyond", ("loop_invariant", 99, 1, "1"), "there is no line 99");
    refused("syntax", ("loop_invariant", 6, 3, "x +"), "no C expression");
    refused("comment", ("loop_invariant", 6, 3, "1 /*"), "no C expression");
    refused("effect", ("loop_invariant", 6, 3, "x = 0"), "side effects: an assignment");
    refused("call", ("loop_invariant", 6, 3, "reach_error()"), "side effects: a call");
    refused("injection", ("loop_invariant", 6, 3, "1); } int f(void) { return (1"), "more than one C expression");
}

#[test]
fn a_proof_of_an_unsafe_program_is_rejected() {
    let said = validate("unsafe", UNSAFE, &invariants(&[("loop_invariant", 7, 3, "1")])).exits(1);
    assert!(said.last().starts_with("REJECTED: the program is unsafe: reach_error() at"), "{said:?}");
}

#[test]
fn what_cannot_be_proved_in_time_is_unknown() {
    // True, since the number is prime, and too hard to see.
    let value = "x < 2 || y < 2 || (unsigned long)x * (unsigned long)y != 2305843009213693951UL";
    let program = SAFE.replace("3 * x + 1", "__VERIFIER_nondet_uint()").replace("(y != 1)", "(0)");
    let said = validate_for("hard", &program, &invariants(&[("location_invariant", 6, 3, value)]), "2s").exits(2);
    assert!(said.last().starts_with("UNKNOWN: out of time"), "{said:?}");
}

const WAY: &[&str] = &[
    "function_return 5:32 \\result == 5",
    "branching 7:3 true",
    "branching 7:3 true",
    "branching 7:3 false",
    "function_enter 10:24",
    "function_enter 10:25",
    "assumption 11:3 y == 20 && rounds == 2",
    "branching 11:3 true",
    "branching 12:5 true",
    "target 13:7",
];

#[test]
fn a_violation_is_confirmed_by_an_execution_that_follows_it() {
    let said = validate("way", UNSAFE, &waypoints(WAY)).exits(0);
    assert_eq!(said.out, "CONFIRMED: an execution follows 10 segments into the error, with values found for it\n");
    let said = validate("short", UNSAFE, &waypoints(&["target 13"])).exits(0);
    assert_eq!(said.out, "CONFIRMED: an execution follows 1 segment into the error, with values found for it\n");
    let values = [
        "function_return 5:32 \\result == 5",
        "function_return 7:46 \\result == 1",
        "function_return 7:46 \\result == 1",
        "target 13:7",
    ];
    let said = validate("values", UNSAFE, &waypoints(&values)).exits(0);
    assert_eq!(said.out, "CONFIRMED: an execution follows 4 segments into the error, with the values it names\n");
}

#[test]
fn mutants_of_a_violation_are_rejected() {
    let mutant = |name: &str, from: &str, to: &str, why: &str| {
        let way: Vec<&str> = WAY.iter().map(|one| if *one == from { to } else { one }).collect();
        assert_ne!(way, WAY);
        let said = validate(name, UNSAFE, &waypoints(&way)).exits(1);
        assert!(said.last().starts_with("REJECTED: ") && said.last().contains(why), "{to}: {said:?}");
    };
    let no_run = "no execution follows the waypoints into the error";
    mutant("value", WAY[0], "function_return 5:32 \\result == 6", no_run);
    mutant("assumed", WAY[6], "assumption 11:3 y == 20 && rounds == 3", no_run);
    mutant("side", WAY[7], "branching 11:3 false", no_run);
    mutant("order", WAY[3], "branching 11:3 true", no_run);
    mutant("place", WAY[4], "function_enter 12:5", "there is no end of a call in line 12, column 5");
    mutant("target", WAY[9], "target 10:3", "no error can happen in that statement");
    mutant("expression", WAY[6], "assumption 11:3 z == 1", "`z`");
    let mut longer = WAY.to_vec();
    longer.insert(1, WAY[1]);
    let said = validate("longer", UNSAFE, &waypoints(&longer)).exits(1);
    assert!(said.last().contains(no_run), "three rounds are one too many: {said:?}");
}

#[test]
fn what_is_to_be_avoided_is_avoided() {
    let said = validate("avoid", UNSAFE, &waypoints(&["!branching 7:3 true", "branching 7:3 false", "target 13:7"]));
    assert!(said.last().contains("no execution follows"), "without a round there is no error: {said:?}");
    let said = validate("avoid-else", UNSAFE, &waypoints(&["!branching 15:9 true", "target 13:7"]));
    assert!(said.last().starts_with("CONFIRMED"), "{said:?}");
    let said = validate("question", UNSAFE, &waypoints(&["branching 15:9 true", "target 13:7"])).exits(1);
    assert!(said.last().contains("no execution follows"), "it comes too late: {said:?}");
}

#[test]
fn branches_of_a_switch_are_followed() {
    let program = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int(), y = 0;
  switch (x) {
  case 7: y = 1; break;
  case 8: break;
  default: y = x;
  }
  if (y == 1) reach_error();
  return 0;
}
";
    validate("case", program, &waypoints(&["branching 5:3 7", "target 10:15"])).exits(0).answers("CONFIRMED");
    validate("default", program, &waypoints(&["branching 5:3 default", "target 10:15"])).exits(0).answers("CONFIRMED");
    validate("other", program, &waypoints(&["branching 5:3 8", "target 10:15"])).exits(1).answers("REJECTED");
}

#[test]
fn the_witness_names_property_and_data_model() {
    let program = "extern int __VERIFIER_nondet_int(void);\nint main(void) {\n  int x = __VERIFIER_nondet_int();\n  x = x + (int)sizeof(long);\n  return x;\n}\n";
    let entry = |model: &str| {
        format!(
            "- entry_type: violation_sequence\n  metadata:\n    format_version: '2.0'\n    task:\n      specification: G ! overflow\n      data_model: {model}\n  content:\n\
             \x20 - segment:\n    - waypoint: {{type: function_return, action: follow, location: {{line: 3, column: 33}}, constraint: {{value: \"\\\\result == 2147483642\"}}}}\n\
             \x20 - segment:\n    - waypoint: {{type: target, action: follow, location: {{line: 4, column: 3}}}}\n"
        )
    };
    validate("lp64", program, &entry("LP64")).exits(0).answers("CONFIRMED");
    let said = validate("ilp32", program, &entry("ILP32")).exits(1).answers("REJECTED");
    assert!(said.out.contains("data model: ilp32, as the witness says\n"), "{said:?}");
    let folder = Folder::new("validate-property");
    let file = folder.file("program.c", SAFE);
    let witness = folder.file("w.yml", entry("LP64"));
    let said = uforia(&["validate", &file, "--witness", &witness, "--property", "tests/does_not_exist.prp"]);
    said.exits(66);
}

#[test]
fn a_witness_about_another_file_or_property_is_rejected() {
    let task = |task: &str| {
        invariants(&[("loop_invariant", 6, 3, "1")]).replace("\"2.0\"", &format!("\"2.0\"\n    task: {{{task}}}"))
    };
    let sum = "0123456789abcdef".repeat(4);
    let said = validate("other", SAFE, &task(&format!("input_file_hashes: {{program.c: {sum}}}"))).exits(1);
    assert!(said.last().starts_with("REJECTED: the witness is about another file"), "{said:?}");
    let said = validate("memory", SAFE, &task("specification: G ! data-race")).exits(2);
    assert!(said.last().starts_with("UNKNOWN: unsupported property"), "{said:?}");
    let said =
        validate("call", SAFE, &task("specification: 'CHECK( init(main()), LTL(G ! call(absent())) )'")).exits(0);
    said.answers("CONFIRMED");
}

#[test]
fn files_that_are_no_witness_are_reported() {
    let refused = |name: &str, text: &str, why: &str| {
        let said = validate(name, SAFE, text).exits(65).answers("UNKNOWN: not a witness: ");
        assert!(said.err.contains(why), "{said:?}");
    };
    refused("graphml", "<?xml version=\"1.0\"?><graphml/>", "GraphML");
    refused("empty", "", "a list of entries");
    refused("text", "it works, believe me", "a list of entries");
    refused("deep", &"[".repeat(1_000_000), "nested too deeply");
    refused("open", "- entry_type: \"invariant_set", "never closed");
    refused("noise", "\u{0}\u{1}\u{fffd}: {", "a key is expected");
    uforia(&["validate", "examples/goto_fail.c", "--witness", "there_is_no_such_file.yml"]).exits(66);
    uforia(&["validate", "examples/goto_fail.c"]).exits(64).complains("--witness");
    uforia(&["validate", "tests/cfa/loop.cfa", "--witness", "tests/cfa/loop.c"]).exits(65);
}

#[test]
fn a_witness_cut_off_anywhere_gets_an_answer() {
    let whole = waypoints(&["function_return 5:32 \\result == 5", "target 13:7"]);
    let block = invariants(&[("loop_invariant", 6, 3, "y == 3 * x + 1")]);
    for (text, program) in [(&whole, UNSAFE), (&block, SAFE)] {
        for end in (0..text.len()).step_by(37) {
            let said = validate_for("cut", program, &text[..end], "5s");
            assert!([0, 1, 2, 65].contains(&said.code) && !said.err.contains("panicked"), "{end}: {said:?}");
        }
    }
}

/// The property that a program with a verdict asks for, as options.
fn property_of(file: &str) -> Vec<String> {
    let text = std::fs::read_to_string(file).expect("the program can be read");
    let options = text.lines().find_map(|line| line.strip_prefix("// options: ")).unwrap_or_default();
    let words: Vec<&str> = options.split_whitespace().collect();
    let pair = words.windows(2).find(|pair| pair[0] == "--property");
    pair.unwrap_or_default().iter().map(|&word| word.to_owned()).collect()
}

/// The witness that `check` writes for one of the programs with a verdict.
fn written(name: &str) -> (String, String) {
    let folder = Folder::new(&format!("own-{name}"));
    let to = folder.path().join("witness.yml").to_str().expect("names in tests are plain").to_owned();
    let file = root().join("tests/verify").join(name).to_str().expect("names in tests are plain").to_owned();
    let property = property_of(&file);
    let mut words = vec!["check", "-q", "--timeout", "60s", "--witness", &to, &file];
    words.extend(property.iter().map(String::as_str));
    let said = uforia(&words);
    assert!(said.code < 2, "{said:?}");
    (file, std::fs::read_to_string(to).expect("the witness was written"))
}

#[test]
fn our_own_witnesses_are_confirmed_and_keep_the_rules() {
    let mut files: Vec<String> = std::fs::read_dir(root().join("tests/verify"))
        .expect("the folder is there")
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok().filter(|name| name.ends_with(".c")))
        .collect();
    files.sort();
    let folder = Folder::new("own-witnesses");
    let mut mutants = 0;
    for name in &files {
        let (file, witness) = written(name);
        let text = std::fs::read_to_string(&file).expect("the program can be read");
        crate::witness::keeps_the_rules_of_the_format(&witness, &file, &text);
        let path = folder.file("own.yml", &witness);
        let property = property_of(&file);
        let mut words = vec!["validate", "-q", &file, "--witness", &path, "--timeout", "60s"];
        words.extend(property.iter().map(String::as_str));
        uforia(&words).exits(0).answers("CONFIRMED");
        // The target one line further up or down is another statement, or none.
        if witness.contains("violation_sequence") {
            let at = witness.rfind("line: ").expect("a target has a line") + 6;
            let (before, rest) = witness.split_at(at);
            let (line, rest) = rest.split_once('\n').expect("lines end");
            for line in [line.parse::<u32>().expect("a number") - 1, line.parse::<u32>().expect("a number") + 1] {
                let path = folder.file("mutant.yml", format!("{before}{line}\n{rest}"));
                uforia(&["validate", "-q", &file, "--witness", &path, "--timeout", "60s"]).exits(1).answers("REJECTED");
                mutants += 1;
            }
        }
    }
    assert!(mutants >= 8, "{mutants}");
}
