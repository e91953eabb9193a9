//! Several files, task definitions and folders in one command.

use std::process::Command;
use std::time::{Duration, Instant};

use crate::support::{Folder, command, listen, uforia};
use serde_json::Value;

const SAFE: &str =
    "extern void reach_error(void);\nint main(void) { int x = 1; if (x != 1) reach_error(); return 0; }\n";
const BUGGY: &str =
    "extern void reach_error(void);\nint main(void) { int x = 1; if (x == 1) reach_error(); return 0; }\n";
/// Too hard for every engine.
const HARD: &str = "extern unsigned long __VERIFIER_nondet_ulong(void); extern void reach_error(void);\n\
    int main(void) { unsigned long a = __VERIFIER_nondet_ulong(), b = __VERIFIER_nondet_ulong();\n\
    if (a > 1 && b > 1 && a < 4294967296 && b < 4294967296 && a * b == 9223372036854775783u) reach_error(); return 0; }\n";

fn definition(input: &str, expected: bool) -> String {
    format!(
        "format_version: '2.0'\ninput_files: '{input}'\nproperties:\n  - property_file: ../properties/unreach-call.prp\n    \
         expected_verdict: {expected}\n  - property_file: ../properties/no-data-race.prp\n    expected_verdict: true\n\
         options:\n  language: C\n  data_model: ILP32\n"
    )
}

/// A folder with `tasks/` and `properties/`.
fn collection(name: &str) -> Folder {
    let folder = Folder::new(name);
    for inner in ["tasks", "properties"] {
        std::fs::create_dir(folder.path().join(inner)).expect("the temporary folder can be written");
    }
    folder.file("properties/unreach-call.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    folder.file("tasks/good.c", SAFE.replace("int x = 1", "int x = 1; if (sizeof(long) != 4) reach_error()"));
    folder.file("tasks/bad.c", BUGGY);
    folder.file("tasks/good.yml", definition("good.c", true));
    folder.file("tasks/bad.yml", definition("bad.c", false));
    folder.file("tasks/witness.yml", "- entry_type: invariant_set\n");
    folder
}

#[test]
fn several_files_make_a_table_and_the_worst_exit_code() {
    let folder = Folder::new("several");
    let (safe, buggy) = (folder.file("a.c", SAFE), folder.file("b.c", BUGGY));
    let said = uforia(&["check", "--separate", &safe, &buggy]).exits(1).answers("UNSAFE: 1 of 2 tasks");
    assert!(said.out.starts_with("verdict    seconds  by        task\nSAFE  "), "{said:?}");
    assert!(said.out.contains("2 tasks: 1 SAFE, 1 UNSAFE, 0 UNKNOWN; "), "{said:?}");
    uforia(&["-q", "--separate", &safe, &safe]).exits(0).answers("SAFE");
    let invalid = folder.file("c.c", "int main(void) { return x; }\n");
    uforia(&["--separate", &safe, &invalid]).exits(65).complains("c.c:1:25: error").answers("UNKNOWN: 1 of 2 tasks");
    uforia(&["--separate", &safe, &buggy, &invalid]).exits(1);
    uforia(&["--separate", &safe, "absent.c"]).exits(66).complains("absent.c");
    uforia(&[&safe, "a.py"]).exits(64).complains(".py is not a language");
    uforia(&["--separate", "--harness", "h.c", &safe, &buggy]).exits(64).complains("one program at a time");
    uforia(&["--separate", "--property", "no-overflow", &safe, &buggy]).exits(0).answers("SAFE: all 2 tasks");
}

#[test]
fn a_folder_stands_for_its_task_definitions() {
    let folder = collection("definitions");
    let tasks = folder.path().join("tasks");
    let tasks = tasks.to_str().expect("a plain name");
    let said = uforia(&["check", "--jobs", "2", tasks]).exits(1).answers("UNSAFE: 1 of 2 tasks");
    assert!(said.out.contains("UNSAFE   unsafe "), "{said:?}");
    assert!(said.out.contains("SAFE     safe   "), "the data model is that of the definition: {said:?}");
    assert!(said.out.contains("; 2 as expected, 0 wrong; "), "{said:?}");
    assert!(said.err.contains("2 properties were left out"), "{said:?}");
    // A definition of its own is checked like a file.
    let said = uforia(&["check", &format!("{tasks}/bad.yml")]).exits(1).answers("UNSAFE: reach_error() at ");
    assert!(said.out.contains("counterexample:"), "{said:?}");
    uforia(&["check", &format!("{tasks}/witness.yml")]).exits(66).complains("not a task definition");
    uforia(&["check", &format!("{tasks}/../properties")]).exits(66).complains("neither task definitions");
}

#[test]
fn a_verdict_that_is_not_the_expected_one_is_our_bug_until_shown_otherwise() {
    let folder = collection("wrong");
    folder.file("tasks/bad.yml", definition("bad.c", true));
    let tasks = folder.path().join("tasks");
    let said = uforia(&["check", tasks.to_str().expect("a plain name")]).exits(70);
    let said = said.complains("bad.yml: UNSAFE, but the definition says safe; please report it");
    assert!(said.out.contains("UNSAFE   safe ! "), "{said:?}");
}

#[test]
fn an_interrupted_campaign_goes_on_where_it_was() {
    let folder = Folder::new("resume");
    let files = [folder.file("a.c", SAFE), folder.file("b.c", BUGGY), folder.file("c.c", HARD)];
    let results = folder.path().join("results.jsonl");
    let results = results.to_str().expect("a plain name");
    let args = ["check", "--separate", "--timeout", "60s", "--resume", results, &files[0], &files[1], &files[2]];
    let child = command(&args).spawn().expect("it starts");
    let id = child.id().to_string();
    let n_done = || std::fs::read_to_string(results).unwrap_or_default().lines().count();
    let start = Instant::now();
    while n_done() < 3 && start.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(20));
    }
    let status = Command::new("sh").args(["-c", &format!("kill -INT {id}")]).status();
    assert!(status.expect("a shell starts").success());
    let said = listen(child, "").exits(2).answers("UNKNOWN: interrupted after 2 of 3 tasks; the same command goes on");
    assert!(said.out.contains("1 not done"), "{said:?}");
    // The file can be read, and what is in it is not done again.
    let before = std::fs::read_to_string(results).expect("the file is there");
    assert_eq!(before.lines().filter(|line| serde_json::from_str::<Value>(line).is_ok()).count(), 3, "{before}");
    std::fs::write(&files[2], SAFE).expect("the temporary folder can be written");
    std::fs::write(&files[0], BUGGY).expect("the temporary folder can be written");
    let said = uforia(&args)
        .exits(1)
        .answers("UNSAFE: 2 of 3 tasks")
        .complains("a.c: the program, the property or the settings");
    assert!(!said.err.contains("b.c: the program"), "b.c is kept: {said:?}");
    let after = std::fs::read_to_string(results).expect("the file is there");
    assert!(after.starts_with(&before) && after.lines().count() == 5, "{after}");
    // Other settings, another answer.
    uforia(&["check", "--separate", "--resume", results, &files[0], &files[1]]).exits(1).complains("checked again");
}

#[test]
fn a_result_is_kept_for_one_text_one_property_and_one_header() {
    let folder = Folder::new("keys");
    let header = folder.file("h.h", "#define LIMIT 1\n");
    let text = "#include \"h.h\"\nextern void reach_error(void);\nint main(void) { if (LIMIT != 1) reach_error(); return 0; }\n";
    let file = folder.file("a.c", text);
    let other = folder.file("b.c", SAFE);
    let results = folder.path().join("results.jsonl");
    let results = results.to_str().expect("a plain name");
    let args = ["check", "--separate", "--resume", results, &file, &other];
    let said = uforia(&args).exits(0);
    assert!(!said.err.contains("checked again"), "{said:?}");
    let n_lines = || std::fs::read_to_string(results).expect("the file is there").lines().count();
    let said = uforia(&args).exits(0);
    assert!(!said.err.contains("checked again") && n_lines() == 3, "{said:?}");
    std::fs::write(&header, "#define LIMIT 2\n").expect("our own file");
    uforia(&args).exits(1).complains("a.c: the program").answers("UNSAFE: 1 of 2");
    // A program that is gone is not safe.
    std::fs::remove_file(&other).expect("our own file");
    uforia(&args).exits(1).complains("b.c: the program").complains("cannot read");
}

#[test]
fn a_file_that_is_not_ours_is_refused_by_resume() {
    let folder = Folder::new("not-ours");
    let (one, other) = (folder.file("a.c", SAFE), folder.file("b.c", BUGGY));
    for text in ["my diary, one line without an end", "{\"uforia\": \"0.1.0\", \"options\": []}\n"] {
        let kept = folder.file("kept", text);
        uforia(&["check", "--separate", "--resume", &kept, &one, &other]).exits(64);
        assert_eq!(std::fs::read_to_string(&kept).expect("it is there"), text);
    }
    uforia(&["check", "--separate", "--resume", &one, &one, &other]).exits(64).complains("not a file of results");
    assert_eq!(std::fs::read_to_string(&one).expect("it is there"), SAFE);
}

#[test]
fn two_campaigns_do_not_share_a_file() {
    let folder = Folder::new("locked");
    let (hard, safe) = (folder.file("a.c", HARD), folder.file("b.c", SAFE));
    let results = folder.path().join("results.jsonl");
    let results = results.to_str().expect("a plain name");
    let args = ["check", "--separate", "--timeout", "30s", "--resume", results, &hard, &safe];
    let first = command(&args).spawn().expect("it starts");
    let start = Instant::now();
    while std::fs::metadata(results).map_or(0, |metadata| metadata.len()) == 0
        && start.elapsed() < Duration::from_secs(60)
    {
        std::thread::sleep(Duration::from_millis(10));
    }
    uforia(&args).exits(64).complains("in use by another campaign");
    let _ = Command::new("sh").args(["-c", &format!("kill -INT {}", first.id())]).status();
    listen(first, "").exits(2);
}

#[test]
fn tasks_end_when_the_campaign_is_killed() {
    let folder = Folder::new("orphans");
    let (hard, safe) = (folder.file("a.c", HARD), folder.file("b.c", SAFE));
    let mut campaign = command(&["check", "--separate", "--timeout", "100s", &hard, &safe]).spawn().expect("it starts");
    let id = campaign.id().to_string();
    let children = || {
        let list = Command::new("sh")
            .args(["-c", &format!("cat /proc/{id}/task/*/children")])
            .output()
            .expect("a shell starts");
        let text = String::from_utf8_lossy(&list.stdout).into_owned();
        text.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    let start = Instant::now();
    let found = loop {
        let found = children();
        if !found.is_empty() || start.elapsed() > Duration::from_secs(60) {
            break found;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    assert!(!found.is_empty(), "the campaign started no process");
    campaign.kill().expect("it can be killed");
    campaign.wait().expect("it can be waited for");
    let lives =
        |id: &String| std::fs::read_to_string(format!("/proc/{id}/stat")).is_ok_and(|stat| !stat.contains(") Z "));
    let start = Instant::now();
    while found.iter().any(lives) && start.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(!found.iter().any(lives), "{found:?}");
}

#[test]
fn a_campaign_says_what_was_assumed_and_names_what_failed() {
    let folder = Folder::new("assumed");
    let text = "extern int ask(void); extern void reach_error(void);\nint main(void) { if (ask() != 1 && 0) reach_error(); return 0; }\n";
    let (one, other) = (folder.file("a.c", text), folder.file("b.c", text));
    let said = uforia(&["check", "--separate", &one, &other]);
    assert!(said.out.contains("assumed: ") && said.out.contains("(2 tasks)"), "{said:?}");
    let invalid = folder.file("c.c", "int main(void) { return x; }\n");
    uforia(&["check", "--separate", "-q", &one, &invalid]).exits(65).complains("c.c: ");
}

#[test]
fn results_are_also_given_as_json_and_sarif() {
    let folder = Folder::new("joined");
    let (safe, buggy) = (folder.file("a.c", SAFE), folder.file("b.c", BUGGY));
    let sarif = folder.path().join("all.sarif");
    let sarif = sarif.to_str().expect("a plain name");
    let said = uforia(&["-q", "--separate", "--json", "-", "--sarif", sarif, &safe, &buggy]).exits(1);
    let lines: Vec<Value> = said.out.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let verdicts: Vec<_> = lines.iter().filter_map(|line| line.get("verdict")?.as_str()).collect();
    assert_eq!(verdicts, ["SAFE", "UNSAFE"], "{said:?}");
    let text = std::fs::read_to_string(sarif).expect("the file is written");
    let log = serde_json::from_str::<Value>(&text).expect("it is JSON");
    let runs = log.get("runs").and_then(Value::as_array).expect("there are runs");
    assert_eq!(runs.len(), 1);
    assert_eq!(runs[0].get("results").and_then(Value::as_array).map(Vec::len), Some(1), "{text}");
}
