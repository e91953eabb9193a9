//! The portfolio as the user meets it: the same answer twice, figures, the display, shared facts.

use crate::support::{Folder, command, listen, uforia};

/// Two counters that move together; the second loop needs what holds after the first.
const TOGETHER: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n\
    int main(void) {\n\
    \x20 int n = __VERIFIER_nondet_int(), x = n, y = 0;\n\
    \x20 if (n < 0 || n > 1000) return 0;\n\
    \x20 while (x > 0) { x--; y++; }\n\
    \x20 if (y != n) reach_error();\n\
    \x20 return 0;\n\
    }\n";
const DEEP: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n\
    int main(void) { int s = 0, i = 0;\n\
    while (i < 60) { int in = __VERIFIER_nondet_int(); if (in == 3 * i + 1) s++; i++; if (s == 4 && i == 5) reach_error(); }\n\
    return 0; }\n";
/// A prime with two factors, after many rounds: no engine decides this quickly.
const HARD: &str = "extern unsigned __VERIFIER_nondet_uint(void); extern void reach_error(void);\n\
    int main(void) { unsigned long long a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint(); unsigned n = 0;\n\
    while (__VERIFIER_nondet_uint()) n++;\n\
    if (n > 40 && a > 1 && b > 1 && a * b == 9223372036854775783u) reach_error(); return 0; }\n";

/// The answer, who found it, and the evidence.
fn on_one_core(folder: &Folder, file: &str, seed: &str) -> (String, String, String) {
    let witness = folder.path().join("witness.yml").to_str().expect("a plain name").to_owned();
    let args = ["check", "--threads", "1", "--seed", seed, "--witness", &witness, "--json", "-", file];
    let child = command(&args).env("SOURCE_DATE_EPOCH", "1").spawn().expect("it starts");
    let said = listen(child, "");
    let json = said.out.lines().find(|line| line.starts_with('{')).expect("the answer is given as JSON").to_owned();
    let winner = report::Answer::read(&json).expect("it is an answer").engine.unwrap_or_default();
    let text = said.out.lines().filter(|line| !line.starts_with('{')).collect::<Vec<_>>().join("\n");
    (text, winner, std::fs::read_to_string(&witness).expect("the witness is written"))
}

#[test]
fn on_one_core_the_same_seed_gives_the_same_answer() {
    let folder = Folder::new("same");
    for (name, text) in [("together.c", TOGETHER), ("deep.c", DEEP)] {
        let file = folder.file(name, text);
        let first = on_one_core(&folder, &file, "7");
        assert!(!first.1.is_empty(), "{first:?}");
        for _ in 0..2 {
            assert_eq!(on_one_core(&folder, &file, "7"), first);
        }
    }
}

#[test]
fn figures_are_printed_when_time_runs_out_too() {
    let folder = Folder::new("figures");
    let file = folder.file("hard.c", HARD);
    let said = uforia(&["check", "--stats", "--timeout", "3s", "--json", "-", &file]).exits(2);
    let said =
        said.answers("UNKNOWN: out of time").complains("portfolio       for products\n").complains("engine kind ");
    assert!(said.out.contains("\"portfolio\": {\"plan\": \"products\", \"arms\": [{\"engine\": \"bmc\""), "{said:?}");
}

#[test]
fn the_display_is_for_terminals_unless_it_is_wanted() {
    let folder = Folder::new("display");
    let file = folder.file("hard.c", HARD);
    let is_plain = |text: &str| !text.contains('\x1b') && !text.contains("portfolio for");
    let quiet = uforia(&["check", "--timeout", "2s", &file]).exits(2);
    assert!(is_plain(&quiet.err), "{quiet:?}");
    let shown = uforia(&["check", "--timeout", "3s", "--progress", "always", &file]).exits(2);
    assert!(shown.err.contains(", portfolio for products") && shown.err.contains("> "), "{shown:?}");
    let never = uforia(&["check", "--timeout", "2s", "--progress", "never", &file]).exits(2);
    assert!(is_plain(&never.err), "{never:?}");
    uforia(&["check", "--progress", "often", &file]).exits(64).complains("auto, always or never");
    uforia(&["check", "--share", "some", &file]).exits(64).complains("on or off");
}

#[test]
fn the_invariant_stands_under_its_loop_and_a_pipe_has_no_colours() {
    let folder = Folder::new("invariant");
    let file = folder.file("together.c", TOGETHER);
    let said = uforia(&["check", "--engine", "kind", &file]).exits(0).answers("SAFE");
    assert!(said.out.contains("    5 | while (x > 0) { x--; y++; }              // "), "{said:?}");
    assert!(!said.out.contains('\x1b'), "{said:?}");
}

/// The address of an object is a value that the state at the entry does not list.
#[test]
fn explicit_states_may_hold_addresses() {
    let folder = Folder::new("explicit");
    let text = "extern void reach_error(void); extern unsigned long __VERIFIER_nondet_ulong(void);\nint a;\n\
        int main(void) { unsigned z = 0, s = 0; if ((unsigned long)&a > 8) return 0;\n\
        while (z < 50000) { unsigned long w = __VERIFIER_nondet_ulong(); if (w == (unsigned long)&a) s = 1; z++; }\n\
        if (s > 60000) reach_error(); return 0; }\n";
    let file = folder.file("a.c", text);
    let said = uforia(&["check", "--engine", "explicit", "--timeout", "3s", &file]);
    assert!(matches!(said.code, 0 | 2), "{said:?}");
}
