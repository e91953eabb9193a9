//! SARIF files have the structure that the standard asks for. `contrib/sarif/check.sh` also validates them against the official schema.

use crate::support::{Folder, uforia};
use serde_json::Value;

/// The run in the file that this check writes.
fn run(folder: &Folder, code: i32, args: &[&str]) -> Value {
    let to = folder.path().join("out.sarif");
    let to = to.to_str().expect("a plain name");
    let mut words = vec!["check", "-q", "--sarif", to];
    words.extend(args);
    uforia(&words).exits(code);
    let text = std::fs::read_to_string(to).expect("the file is written");
    let log = serde_json::from_str::<Value>(&text).expect("it is JSON");
    assert_eq!(log.get("version").and_then(Value::as_str), Some("2.1.0"));
    assert!(log.get("$schema").and_then(Value::as_str).is_some_and(|uri| uri.contains("sarif-2.1.0")));
    let runs = log.get("runs").and_then(Value::as_array).expect("there are runs");
    assert_eq!(runs.len(), 1);
    lawful(&runs[0]);
    runs[0].clone()
}

/// What the standard asks of every run: names that refer to something, lines and columns from one, messages with text.
fn lawful(run: &Value) {
    let driver = run.get("tool").and_then(|tool| tool.get("driver")).expect("a tool has a driver");
    assert_eq!(driver.get("name").and_then(Value::as_str), Some("uforia"));
    let ids = |list: &str| -> Vec<String> {
        let list = driver.get(list).and_then(Value::as_array).expect("the tables are there");
        list.iter().filter_map(|one| one.get("id")?.as_str().map(str::to_owned)).collect()
    };
    let (rules, descriptors) = (ids("rules"), ids("notifications"));
    for result in run.get("results").and_then(Value::as_array).expect("there are results, perhaps none") {
        let index = result.get("ruleIndex").and_then(Value::as_u64).expect("a result has a rule") as usize;
        assert_eq!(result.get("ruleId").and_then(Value::as_str), Some(rules[index].as_str()));
        assert!(matches!(result.get("level").and_then(Value::as_str), Some("error" | "warning" | "note" | "none")));
        assert!(result.get("message").and_then(|message| message.get("text")).is_some());
        let locations = result.get("locations").and_then(Value::as_array).expect("a result has a place");
        locations.iter().for_each(located);
        for flow in result.get("codeFlows").and_then(Value::as_array).map_or(&[][..], Vec::as_slice) {
            let threads = flow.get("threadFlows").and_then(Value::as_array).expect("a code flow has thread flows");
            let steps = threads[0].get("locations").and_then(Value::as_array).expect("a thread flow has locations");
            assert!(!steps.is_empty());
            steps.iter().for_each(|step| located(step.get("location").expect("a step has a location")));
        }
    }
    let invocation = &run.get("invocations").and_then(Value::as_array).expect("there is an invocation")[0];
    assert!(invocation.get("executionSuccessful").is_some_and(Value::is_boolean));
    for note in notes(run) {
        let descriptor = note.get("descriptor").expect("a notification has a descriptor");
        let index = descriptor.get("index").and_then(Value::as_u64).expect("it has an index") as usize;
        assert_eq!(descriptor.get("id").and_then(Value::as_str), Some(descriptors[index].as_str()));
        note.get("locations").and_then(Value::as_array).map_or(&[][..], Vec::as_slice).iter().for_each(located);
    }
}

fn located(location: &Value) {
    let physical = location.get("physicalLocation").expect("a location is in a file");
    let uri = physical.get("artifactLocation").and_then(|one| one.get("uri")).and_then(Value::as_str);
    assert!(uri.is_some_and(|uri| !uri.is_empty() && !uri.contains([' ', '\\'])), "{uri:?}");
    if let Some(region) = physical.get("region") {
        for (name, value) in [("startLine", region.get("startLine")), ("startColumn", region.get("startColumn"))] {
            assert!(value.is_none_or(|value| value.as_u64().is_some_and(|number| number > 0)), "{name}: {value:?}");
        }
    }
}

fn notes(run: &Value) -> Vec<Value> {
    let invocation = &run.get("invocations").and_then(Value::as_array).expect("there is an invocation")[0];
    invocation.get("toolExecutionNotifications").and_then(Value::as_array).map_or(&[][..], Vec::as_slice).to_vec()
}

/// The ids of the notifications, in order.
fn noted(run: &Value) -> Vec<String> {
    let id = |note: &Value| Some(note.get("descriptor")?.get("id")?.as_str()?.to_owned());
    notes(run).iter().filter_map(id).collect()
}

#[test]
fn an_error_comes_with_the_run_into_it() {
    let folder = Folder::new("sarif-unsafe");
    let run = run(&folder, 1, &["examples/goto_fail.c"]);
    let result = &run.get("results").and_then(Value::as_array).expect("there are results")[0];
    assert_eq!(result.get("ruleId").and_then(Value::as_str), Some("unreach-call"));
    let text = result.to_string();
    assert!(text.contains("\"startLine\":38") && text.contains("(input)") && text.contains("the error"), "{text}");
}

#[test]
fn the_rule_is_the_kind_of_the_error() {
    let folder = Folder::new("sarif-rules");
    let rule = |run: &Value| run.get("results")?.as_array()?[0].get("ruleId")?.as_str().map(str::to_owned);
    let asserts = run(&folder, 1, &["examples/midpoint.c"]);
    assert_eq!(rule(&asserts).as_deref(), Some("assertion"));
    let overflow = run(&folder, 1, &["--property", "no-overflow", "examples/midpoint.c"]);
    assert_eq!(rule(&overflow).as_deref(), Some("no-overflow"));
}

#[test]
fn proofs_and_reasons_are_notifications() {
    let folder = Folder::new("sarif-notes");
    let text = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\nint main(void) { int i = 0;\n\
        while (__VERIFIER_nondet_int()) { if (i < 9) i++; }\nif (i > 9) reach_error(); return 0; }\n";
    let safe = folder.file("loop.c", text);
    let proved = run(&folder, 0, &[&safe]);
    assert_eq!(noted(&proved), ["proved", "invariant"]);
    assert!(notes(&proved)[1].to_string().contains("\"startLine\":3"), "{proved}");
    let invalid = folder.file("b.c", "int main(void) { return x; }\n");
    assert_eq!(noted(&run(&folder, 65, &[&invalid])), ["diagnostic", "unknown"]);
    let endless = folder.file(
        "c.c",
        "extern unsigned long __VERIFIER_nondet_ulong(void); extern void reach_error(void);\n\
         int main(void) { unsigned long a = __VERIFIER_nondet_ulong(), b = __VERIFIER_nondet_ulong();\n\
         if (a > 1 && b > 1 && a < 4294967296 && b < 4294967296 && a * b == 9223372036854775783u) reach_error(); return 0; }\n",
    );
    let late = run(&folder, 2, &["--timeout", "500ms", &endless]);
    assert_eq!(noted(&late), ["unknown"]);
    assert!(notes(&late)[0].to_string().contains("out of time"), "{late}");
}
