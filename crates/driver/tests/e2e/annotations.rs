//! Loop invariants that the source states are tried, and never believed.

use crate::support::{Folder, uforia};

/// A program that is proved with the invariants that it states, and not soon without them.
fn program(invariants: &str) -> String {
    format!(
        "extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {{
    unsigned n = __VERIFIER_nondet_uint(), i = 0, s = 0, t = 0;
    if (n > 1000) return 0;
{invariants}
    while (i < n) {{
        if (__VERIFIER_nondet_uint()) {{ s += 2; t += 1; }} else {{ s += 4; t += 2; }}
        i++;
    }}
    if (s != 2 * t || t > 2 * n || t < i) reach_error();
}}
"
    )
}

const NEEDED: &str = "    /*@ loop invariant s == 2 * t;\n      @ loop invariant i <= t && t <= 2 * i;\n      @ loop invariant 0 <= i <= n <= 1000; */";

#[test]
fn a_program_is_proved_with_its_annotations_only() {
    let folder = Folder::new("annotations");
    let with = folder.file("with.c", program(NEEDED));
    let said = uforia(&["check", "--explain", "--timeout", "60s", &with]).exits(0);
    assert!(said.out.contains("with.c:6: s == 2 * t: it holds"), "{said:?}");
    assert!(said.out.contains("the proof has it"), "{said:?}");
    let without = folder.file("without.c", program(""));
    uforia(&["check", "--timeout", "3s", &without]).exits(2);
}

#[test]
fn false_annotations_change_no_verdict() {
    let folder = Folder::new("annotations-false");
    let wrong = format!(
        "{NEEDED}\n    //@ loop invariant t != 7;\n    //@ loop invariant s < 100;\n    //@ loop invariant q == 1;\n    //@ loop invariant \\forall integer k; k == k;"
    );
    let file = folder.file("wrong.c", program(&wrong));
    let said = uforia(&["check", "--explain", "--timeout", "60s", &file]).exits(0);
    let line =
        |text: &str| said.out.lines().find(|line| line.contains(text)).unwrap_or_else(|| panic!("{text}: {said:?}"));
    assert!(line(": t != 7: ").contains("it is no invariant"), "{said:?}");
    assert!(line(": s < 100: ").contains("it is no invariant"), "{said:?}");
    assert!(line(": q == 1: ").contains("it could not be read: "), "{said:?}");
    assert!(line("integer k").contains("quantifiers"), "{said:?}");
    // An error stays one, whatever is stated about the loop.
    let error =
        program("    //@ loop invariant 1 == 0;\n    //@ loop invariant s == 0;").replace("s != 2 * t", "s == 2 * t");
    let file = folder.file("error.c", error);
    uforia(&["check", "--timeout", "60s", &file]).exits(1);
}

#[test]
fn invariants_behind_the_head_are_read_and_nonsense_is_a_warning() {
    let folder = Folder::new("annotations-calls");
    let text = program("    //@ loop invariants are nice\n").replace(
        "while (i < n) {",
        "while (i < n)\n        __CPROVER_loop_invariant(s == 2 * t && i <= t)\n        __CPROVER_loop_invariant(t <= 2 * i && i <= n && n <= 1000)\n    {",
    );
    let file = folder.file("calls.c", text);
    let said = uforia(&["check", "--explain", "--timeout", "60s", &file]).exits(0);
    assert!(said.err.contains("warning") && said.err.contains("annotation"), "{said:?}");
    assert!(said.out.contains("s == 2 * t && i <= t: it holds"), "{said:?}");
}
