//! Counterexamples as people read them: the whole text is pinned, for programs whose errors need exactly these values.

use crate::support::{Folder, uforia};

/// Checks the program and compares what is said before the verdict, the file's path shortened to its name.
#[track_caller]
fn prints(name: &str, program: &str, expected: &str) {
    let folder = Folder::new(&format!("counterexample-{name}"));
    let file = folder.file("program.c", program);
    let said = uforia(&["check", "--timeout", "60s", "--engine", "bmc", &file]).exits(1).answers("UNSAFE");
    let printed: String =
        said.out.replace(&file, "program.c").lines().map(|line| format!("{}\n", line.trim_end())).collect();
    assert_eq!(printed, expected, "\n{printed}");
}

#[test]
fn inputs_ways_calls_and_counted_iterations_lead_to_the_error() {
    prints(
        "loop",
        "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int next(int a) {
  if (a > 3) return a + 1;
  return a;
}
int main(void) {
  int x = __VERIFIER_nondet_int();
  int unimportant = 0;
  int y;
  int i = 0;
  while (i < 10) {
    i++;
    unimportant = unimportant + 2;
  }
  if (y == 7 && next(x) == 100) {
    reach_error();
  }
  return unimportant;
}
",
        "counterexample:
  program.c
      8 | int x = __VERIFIER_nondet_int();         // x = 99 (input)
     10 | int y;                                   // y = 7 (uninitialised)
     16 | if (y == 7 && next(x) == 100) {          // y == 7, calls next(99)
      4 |   if (a > 3) return a + 1;               // a >= 4
     16 | if (y == 7 && next(x) == 100) {          // next returns 100
     17 | reach_error();                           // the error
  not shown: 33 steps that the error does not depend on
UNSAFE: reach_error() at program.c:17 is reached
",
    );
}

#[test]
fn the_calls_that_are_open_at_the_error_are_listed() {
    prints(
        "stack",
        "extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
void inner(int a) {
  if (a == 77) reach_error();
}
void outer(int a) { inner(a - 1); }
int main(void) {
  outer(__VERIFIER_nondet_uchar());
  return 0;
}
",
        "counterexample:
  program.c
      8 | outer(__VERIFIER_nondet_uchar());        // 78 (input), calls outer(78)
      6 |   void outer(int a) { inner(a - 1); }    // calls inner(77)
      4 |     if (a == 77) reach_error();          // a == 77, the error
  in inner, called by outer at line 6
  in outer, called by main at line 8
UNSAFE: reach_error() at program.c:4 is reached
",
    );
}

#[test]
fn a_folded_loop_is_named_by_its_own_line_and_not_by_that_of_a_callee() {
    let folder = Folder::new("callee-line");
    let text = "extern void reach_error(void);\nint sum;\nvoid add(int n) {\n  sum = sum + n;\n}\nint main(void) {\n  int i;\n  for (i = 0; i < 4; i++)\n    add(i);\n  \
        if (sum == 6) reach_error();\n  return 0;\n}\n";
    let file = folder.file("a.c", text);
    let said = uforia(&["check", &file]).exits(1);
    assert!(!said.out.contains("of the loop at line 4"), "{said:?}");
    assert!(said.out.contains("of the loop at line 8") || said.out.contains("of the loop at line 9"), "{said:?}");
}
