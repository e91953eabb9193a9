//! The engine `ufo`: its five instantiations, its graph, its counters.

use crate::support::{Folder, root, uforia};

const INSTANCES: [&str; 5] = ["uufo", "cpufo", "bpufo", "cp", "bp"];

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
        assert!(count(&said.err, "refinements") <= 1, "{instance}: {}", said.err);
    }
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
