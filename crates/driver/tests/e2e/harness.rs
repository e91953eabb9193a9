//! Harnesses: what `--harness` writes is compiled by the system's compiler and run, and reaches the error.

use std::process::{Command, Stdio};

use crate::support::{Folder, Said, listen, uforia};

/// Checks the program, builds the harness as it says itself, runs it, and expects the error to be reached.
#[track_caller]
fn reaches(name: &str, options: &[&str], program: &str) -> String {
    let (text, said) = built_and_run(name, options, program);
    assert_eq!((said.code, said.err.as_str()), (99, "harness: error reached\n"), "{said:?}\n{text}");
    text
}

/// The harness, and what it says when it runs.
#[track_caller]
fn built_and_run(name: &str, options: &[&str], program: &str) -> (String, Said) {
    let folder = Folder::new(&format!("harness-{name}"));
    let file = folder.file("program.c", program);
    let to = folder.path().join("harness.c");
    let harness = to.to_str().expect("names in tests are plain");
    let mut args = vec!["check", "-q", "--timeout", "60s", "--harness", harness, &file];
    args.extend(options);
    uforia(&args).exits(1).answers("UNSAFE");
    let text = std::fs::read_to_string(harness).expect("the harness was written");
    let start = text.find("cc -m").expect("the harness says how to compile it");
    let command = text[start..].split("./a.out").next().expect("the command ends before the run");
    let run = |command: &str| {
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).current_dir(folder.path()).stdin(Stdio::null());
        listen(shell.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a shell starts"), "")
    };
    let built = run(command);
    assert_eq!(built.code, 0, "this machine cannot build harnesses with cc: {built:?}\n{text}");
    (text, run("exec ./a.out"))
}

#[test]
fn an_overflow_ends_in_a_trap() {
    let program = "extern int __VERIFIER_nondet_int(void);
        int main(void) { int x = __VERIFIER_nondet_int(); if (x > 2147483645) x = x + 2; return 0; }";
    let (text, said) = built_and_run("overflow", &["--property", "no-overflow"], program);
    let trapped = [128 + 4, 128 + 5, 128 + 8];
    assert!(trapped.contains(&said.code), "{said:?}\n{text}");
}

const MANY_KINDS: &str = "
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern long __VERIFIER_nondet_long(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
int main(void) {
    int first = __VERIFIER_nondet_int();
    int second = __VERIFIER_nondet_int();
    __VERIFIER_assume(first > 1000);
    unsigned char c = __VERIFIER_nondet_uchar();
    short s = __VERIFIER_nondet_short();
    long l = __VERIFIER_nondet_long();
    if (first - second == 17 && c == 200 && s == -5 && l / 3 == -123456 && __VERIFIER_nondet_bool())
        reach_error();
    return 0;
}
";

#[test]
fn values_of_every_width_arrive_in_64_and_32_bits() {
    reaches("kinds64", &[], MANY_KINDS);
    reaches(
        "kinds32",
        &["--data-model", "ilp32"],
        &MANY_KINDS.replace(" long ", " long long ").replace("nondet_long", "nondet_longlong"),
    );
}

#[test]
fn an_error_call_with_a_body_is_noticed() {
    reaches(
        "body",
        &[],
        "extern void abort(void);
         extern int __VERIFIER_nondet_int(void);
         void reach_error(void) { abort(); }
         void assume(int c) { if (!c) { abort(); } }
         int main(void) {
             int x = __VERIFIER_nondet_int();
             assume(x > 5);
             for (int i = 0; i < 3; i++) x += __VERIFIER_nondet_int();
             if (x == 1) reach_error();
             return 0;
         }",
    );
}

#[test]
fn a_failing_assert_is_the_error() {
    reaches(
        "assert",
        &[],
        "extern void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
         extern unsigned __VERIFIER_nondet_uint(void);
         int main(void) {
             unsigned x = __VERIFIER_nondet_uint();
             (x * x != 49u) ? (void)0 : __assert_fail(\"x\", \"f\", 5, \"main\");
             return 0;
         }",
    );
}

#[test]
fn uninitialised_variables_get_their_values_where_they_are_declared() {
    let text = reaches(
        "uninitialised",
        &[],
        "extern void reach_error(void);
         int main(void) {
             int zero; int i, sum = 0;
             for (i = 0; i < 3; i++) { int part, other; sum = sum * 10 + part; if (other) return 0; }
             if (sum == 427 && zero == 0) reach_error();
             return 0;
         }",
    );
    assert!(text.contains("gives `part` of line 4 its values"), "{text}");
}

#[test]
fn uninitialised_arrays_are_filled_where_they_are_declared() {
    reaches(
        "arrays",
        &["--engine", "bmc"],
        "extern unsigned __VERIFIER_nondet_uint(void);
         extern void reach_error(void);
         int main(void) {
             int numbers[5], other = 0;
             unsigned i = __VERIFIER_nondet_uint();
             if (i < 5 && i > 1 && numbers[i] == -1234567 && numbers[0] == other) reach_error();
             return 0;
         }",
    );
}

#[test]
fn the_error_function_of_a_property_file_is_the_one_that_counts() {
    let folder = Folder::new("harness-own-error");
    let property = folder.file("own.prp", "CHECK( init(main()), LTL(G ! call(my_error())) )\n");
    reaches(
        "property",
        &["--property", &property],
        "extern int __VERIFIER_nondet_int(void);
         void my_error(void) {}
         int main(void) { if (__VERIFIER_nondet_int() == 12345) { my_error(); } return 0; }",
    );
}
