//! The engine `ufo`: its instances, their parts, its graph, its counters.

use crate::support::{Folder, root, uforia};

const INSTANCES: [&str; 6] = ["strong", "uufo", "cpufo", "bpufo", "cp", "bp"];

/// A counter of `--stats`.
fn count(err: &str, name: &str) -> u64 {
    let line = err.lines().find(|line| line.split_whitespace().take(2).eq(["ufo", name]));
    let line = line.unwrap_or_else(|| panic!("there is no {name}: {err}"));
    line.split_whitespace().last().and_then(|value| value.parse().ok()).expect("a counter is a number")
}

#[test]
fn the_example_of_the_paper_takes_one_refinement() {
    let file = root().join("tests/verify/last_turn_seen.c");
    for instance in INSTANCES {
        let args = ["check", "--engine", "ufo", "--ufo", instance, "--stats", file.to_str().expect("plain")];
        let said = uforia(&args).exits(0).answers("SAFE");
        let is_eager = matches!(instance, "cp" | "bp");
        assert!(is_eager || count(&said.err, "refinements") <= 1, "{instance}: {}", said.err);
    }
    let args = ["check", "--engine", "ufo", "--ufo", "uufo", "--stats", file.to_str().expect("plain")];
    let said = uforia(&args).exits(0).answers("SAFE");
    assert_eq!(count(&said.err, "refinements"), 1, "{}", said.err);
    assert!(count(&said.err, "labels_cleaned") > 0 && count(&said.err, "labels_repaired") == 0, "{}", said.err);
    assert_eq!(count(&said.err, "labels_excluding"), 0, "{}", said.err);
}

#[test]
fn one_part_of_an_instance_can_be_changed() {
    let file = root().join("tests/verify/last_turn_seen.c");
    let file = file.to_str().expect("plain");
    let with = |more: &[&str]| {
        let args = [&["check", "--engine", "ufo", "--ufo", "uufo", "--stats"], more, &[file]].concat();
        uforia(&args).exits(0).answers("SAFE").err
    };
    let clauses = with(&["--ufo-refiner", "clauses"]);
    assert!(count(&clauses, "labels_excluding") > 0 && count(&clauses, "labels_cleaned") == 0, "{clauses}");
    assert!(count(&with(&["--ufo-help", "on"]), "refinements") <= 1);
    assert!(count(&with(&["--ufo-strategy", "eager"]), "refinements") >= 1);
}

#[test]
fn a_name_that_is_not_in_the_table_is_refused_with_those_that_are() {
    let said = uforia(&["check", "--engine", "ufo", "--ufo-refiner", "magic", "x.c"]).exits(64);
    assert!(said.err.contains("interpolants") && said.err.contains("clauses"), "{}", said.err);
}

#[test]
fn every_instantiation_finds_what_is_there() {
    for (file, code) in [
        ("two_phases_in_turn.c", 0),
        ("errors_inside_and_behind.c", 0),
        ("fifth_round_fails.c", 1),
        ("goto_into_a_loop.c", 0),
    ] {
        let path = root().join("tests/verify").join(file);
        for instance in INSTANCES {
            let args = ["check", "-q", "--engine", "ufo", "--ufo", instance, path.to_str().expect("plain")];
            let said = uforia(&args);
            assert_eq!(said.code, code, "{file} by {instance}: {said:?}");
        }
    }
}

#[test]
fn the_graph_is_drawn_with_its_error_and_labels() {
    let folder = Folder::new("ufo_graph");
    let picture = folder.path().join("graph.dot");
    let file = root().join("tests/verify/last_turn_seen.c");
    let picture_name = picture.to_str().expect("plain");
    uforia(&["check", "-q", "--engine", "ufo", "--emit-arg", picture_name, file.to_str().expect("plain")]).exits(0);
    let text = std::fs::read_to_string(&picture).expect("the graph was written");
    assert!(text.starts_with("digraph arg {") && text.ends_with("}\n"), "{text}");
    assert!(text.contains("label=\"error\"") && text.contains("location"), "{text}");
}

/// The query about all paths has to take a product of two primes apart.
const ENDLESS: &str = "extern void reach_error(void); extern unsigned long long __VERIFIER_nondet_ulonglong(void); int main(void) { \
    unsigned long long a = __VERIFIER_nondet_ulonglong(), b = __VERIFIER_nondet_ulonglong(); if (a < 2 || b < 2 || a >> 28 || b >> 28) return 0; \
    while (__VERIFIER_nondet_ulonglong()) { unsigned long long c = a; a = b; b = c; } if (a * b == 18014382671793161ULL) reach_error(); }";

#[test]
fn the_graph_is_there_when_time_runs_out_and_a_page_shows_every_pass() {
    let folder = Folder::new("ufo_page");
    let (file, page) = (folder.path().join("endless.c"), folder.path().join("graph.html"));
    std::fs::write(&file, ENDLESS).expect("the folder is ours");
    let (file, page_name) = (file.to_str().expect("plain"), page.to_str().expect("plain"));
    let args =
        ["check", "--engine", "ufo", "--ufo", "uufo", "--timeout", "4s", "--stats", "--emit-arg", page_name, file];
    let said = uforia(&args).exits(2);
    assert!(count(&said.err, "passes") > 0, "{}", said.err);
    let text = std::fs::read_to_string(&page).expect("the page was written");
    assert!(text.starts_with("<!DOCTYPE html>") && text.contains("pass 1, 0 refinements"), "{text}");
}
