//! A second opinion, from solvers made of a few lines of shell.

use std::os::unix::fs::PermissionsExt;

use crate::support::{Folder, Said, command, listen};

const SAFE: &str = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  unsigned n = 0;
  while (__VERIFIER_nondet_int()) { if (n < 10u) n++; }
  if (n > 10u) reach_error();
  return 0;
}
";

/// Checks a safe program with a `z3` that does this.
#[track_caller]
fn with_solver(name: &str, script: &str, more: &[&str]) -> Said {
    let folder = Folder::new(&format!("opinion-{name}"));
    let file = folder.file("program.c", SAFE);
    let solver = folder.file("z3", format!("#!/bin/sh\n{script}\n"));
    std::fs::set_permissions(solver, std::fs::Permissions::from_mode(0o755)).expect("a file of our own");
    let mut args = vec!["check", "--engine", "kind", "--second-opinion", "z3", &file];
    args.extend(more);
    let path = std::env::var("PATH").expect("there is a PATH");
    let mut checking = command(&args);
    checking.env("PATH", format!("{}:{path}", folder.path().display()));
    listen(checking.spawn().expect("the binary starts"), "")
}

#[test]
fn a_solver_that_agrees_is_mentioned() {
    // It reads the script that it is given: no script, no answer.
    let said = with_solver("agrees", "grep -q check-sat \"$1\" && echo unsat", &[]).exits(0).answers("SAFE");
    let line = said.out.lines().find(|line| line.starts_with("second opinion: z3 agrees to")).unwrap_or_default();
    let words: Vec<&str> = line.split(' ').collect();
    assert!(words.len() == 9 && words[5] == words[7] && words[5] != "0", "{said:?}");
}

#[test]
fn a_solver_that_objects_takes_the_verdict_back() {
    let said = with_solver("objects", "echo sat", &[]).exits(70);
    let said = said.answers("UNKNOWN: evidence rejected, please report (z3 says that obligation 1 (");
    said.complains("the second opinion differs");
}

#[test]
fn the_first_objection_counts_even_after_agreement() {
    let script = "c=$(dirname \"$0\")/count; if [ -e \"$c\" ]; then echo sat; else touch \"$c\"; echo unsat; fi";
    with_solver("late", script, &[]).exits(70).answers("UNKNOWN: evidence rejected");
}

#[test]
fn a_solver_that_hangs_costs_time_but_not_the_verdict() {
    let said = with_solver("hangs", "sleep 1000", &["--timeout", "4s"]).exits(0).answers("SAFE");
    assert!(said.out.contains("agrees to 0 of") && said.out.contains("z3 took longer than"), "{said:?}");
}

#[test]
fn a_solver_that_crashes_or_does_not_know_leaves_the_verdict() {
    let said = with_solver("crashes", "kill -9 $$", &[]).exits(0).answers("SAFE");
    assert!(said.out.contains("z3 ended without an answer"), "{said:?}");
    let said = with_solver("unknown", "echo unknown", &[]).exits(0).answers("SAFE");
    assert!(said.out.contains("z3 does not know"), "{said:?}");
    let said = with_solver("error", "echo '(error \"line 1\")'", &[]).exits(0).answers("SAFE");
    assert!(said.out.contains("z3 says `(error \"line 1\")`"), "{said:?}");
}

#[test]
fn a_solver_that_is_missing_is_noticed_before_any_work() {
    let folder = Folder::new("opinion-missing");
    let mut checking = command(&["check", "--second-opinion", "cvc5", "there_is_no_such_file.c"]);
    checking.env("PATH", folder.path());
    let said = listen(checking.spawn().expect("the binary starts"), "").exits(66);
    said.complains("there is no `cvc5` on the PATH").complains("Install it");
}

#[test]
fn an_unknown_solver_is_bad_usage() {
    let mut checking = command(&["check", "--second-opinion", "yices", "x.c"]);
    listen(checking.spawn().expect("the binary starts"), "").exits(64).complains("z3, cvc5 or bitwuzla");
}
