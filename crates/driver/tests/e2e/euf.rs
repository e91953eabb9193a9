//! The engine `euf`: the published algorithm, its lemmas by kind, and what supports the search.

use crate::support::{root, uforia};

/// A counter of `--stats`.
fn count(err: &str, name: &str) -> u64 {
    let line = err.lines().find(|line| line.split_whitespace().take(2).eq(["euf", name]));
    let line = line.unwrap_or_else(|| panic!("there is no {name}: {err}"));
    line.split_whitespace().last().and_then(|value| value.parse().ok()).expect("a counter is a number")
}

fn stats(file: &str, more: &[&str], code: i32) -> String {
    let file = root().join("tests/verify").join(file);
    let args = [&["check", "--engine", "euf", "--stats"], more, &[file.to_str().expect("plain")]].concat();
    uforia(&args).exits(code).err
}

#[test]
fn the_published_algorithm_learns_from_one_step_that_a_sum_differs() {
    let err = stats("lock_protocol.c", &["--euf", "paper"], 0);
    // As a function, `new + 1` may be `new`. One step from one cube into the next shows that it is not.
    assert!(count(&err, "one_step_lemmas") >= 1, "{err}");
    assert_eq!(count(&err, "forward_lemmas"), 0, "{err}");
    assert_eq!(count(&err, "refinements"), count(&err, "one_step_lemmas"), "one lemma for a counterexample: {err}");
}

#[test]
fn without_lookahead_frames_find_an_error_and_with_it_they_need_not_begin() {
    let off = ["--euf", "paper"];
    assert!(count(&stats("lock_forgotten.c", &off, 1), "steps") > 0);
    let on = stats("lock_forgotten.c", &["--euf", "paper", "--euf-lookahead", "on"], 1);
    assert!(!on.lines().any(|line| line.starts_with("euf steps")), "{on}");
}

#[test]
fn the_default_can_do_without_what_supports_it() {
    let off = ["--euf", "axioms", "--euf-lookahead", "off", "--euf-analysis", "off", "--euf-background", "off"];
    assert!(count(&stats("lock_protocol.c", &off, 0), "steps") > 0);
}
