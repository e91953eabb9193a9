//! `uforia run` and `uforia lower`, from C files to what is said about them.

use crate::support::{Folder, uforia, uforia_reading};

const SUM: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    if (a == 50 && b < -7)
        reach_error();
    return 7;
}
";

#[test]
fn given_inputs_drive_the_program() {
    let folder = Folder::new("inputs");
    let file = folder.file("sum.c", SUM);
    let said = uforia_reading(&["run", "--inputs", "-", &file], "50 # the first\n-0x8\n").exits(1);
    let expected = format!(
        "inputs:\n  50           # __VERIFIER_nondet_int at {file}:4\n  -8           # __VERIFIER_nondet_int at {file}:5\n"
    );
    assert!(said.out.starts_with(&expected), "{said:?}");
    assert!(
        said.last().starts_with(&format!("error reached: assertion 1, reach_error() at {file}:7, after ")),
        "{said:?}"
    );
    let values = folder.file("values.txt", "50, -7");
    uforia(&["run", "--inputs", &values, &file]).exits(0).answers("finished: main returned 7 after ");
}

#[test]
fn missing_and_unused_values_are_reported() {
    let folder = Folder::new("missing");
    let file = folder.file("sum.c", SUM);
    uforia_reading(&["run", "--inputs", "-", &file], "50\n")
        .exits(0)
        .complains("1 calls of __VERIFIER_nondet_* found no value");
    uforia_reading(&["run", "--inputs", "-", &file], "1 2 3 @4\n").exits(0).complains("2 values were not used");
}

#[test]
fn an_endless_run_does_not_keep_short_ones_waiting() {
    let folder = Folder::new("endless");
    let text = "int __VERIFIER_nondet_int(void); void reach_error(void); int main(void) { int n = 0; \
                for (;;) { if (__VERIFIER_nondet_int()) n++; else n = 0; if (n == 3) reach_error(); } }";
    let file = folder.file("endless.c", text.as_bytes());
    uforia(&["run", "--random", "2000", "--timeout", "20s", &file]).exits(1);
}

#[test]
fn random_runs_find_the_error_and_the_run_can_be_repeated() {
    let folder = Folder::new("random");
    let file = folder.file("sum.c", SUM);
    let found = uforia(&["run", "--random", "20000", "--seed", "3", &file]).exits(1);
    assert_eq!(found.out, uforia(&["run", "--random", "20000", "--seed", "3", &file]).exits(1).out);
    // The inputs are printed in the form in which they are read.
    let inputs: String = found.out.lines().filter(|line| line.starts_with("  ")).collect::<Vec<_>>().join("\n");
    let again = uforia_reading(&["run", "--inputs", "-", &file], &inputs).exits(1);
    assert_eq!(again.out, found.out);
}

#[test]
fn the_trace_is_printed_in_terms_of_the_source() {
    let folder = Folder::new("trace");
    let file = folder.file("sum.c", SUM);
    let said = uforia_reading(&["run", "--trace", "--inputs", "-", &file], "50 -8").exits(1);
    for line in [format!("  {file}:4: a = 50\n"), format!("  {file}:5: b = -8\n")] {
        assert!(said.out.contains(&line), "{line}: {said:?}");
    }
    assert!(said.out.starts_with("trace:\n"), "{said:?}");
}

#[test]
fn undefined_operations_are_named() {
    let folder = Folder::new("undefined");
    let cases = [
        ("int z = 0; int x = 1 / z; (void)x;", "division by zero"),
        ("int s = 40; int x = 1 << s; (void)x;", "shift"),
        ("int a = -2147483647 - 1, b = -1; int x = a / b; (void)x;", "quotient"),
    ];
    for (number, (body, name)) in cases.iter().enumerate() {
        let file = folder.file(&format!("u{number}.c"), format!("int main(void) {{\n{body}\nreturn 0; }}\n"));
        let said = uforia(&["run", "--zero", "--property", "unreach-call", &file]).exits(0).answers("finished");
        let line = said.out.lines().find(|line| line.starts_with("undefined: ")).unwrap_or_default();
        assert!(line.contains(name) && line.ends_with(&format!("u{number}.c:2")), "{name}: {said:?}");
    }
}

#[test]
fn a_run_ends_at_an_invalid_access() {
    let folder = Folder::new("strict");
    let cases = ["int *p = 0; *p = 1;", "int a[2]; int *p = a; int i = 5; p[i] = 1;"];
    for (number, body) in cases.iter().enumerate() {
        let file = folder.file(&format!("s{number}.c"), format!("int main(void) {{\n{body}\nreturn 0; }}\n"));
        let said = uforia(&["run", "--zero", "--property", "unreach-call", &file]).exits(0).answers("ended at ");
        assert!(said.last().contains(&format!("s{number}.c:2: write outside of every live object")), "{said:?}");
        // Without a property it is an error.
        uforia(&["run", "--zero", &file]).exits(1).answers("error reached: assertion 1");
    }
}

#[test]
fn ends_without_error_are_distinguished() {
    let folder = Folder::new("ends");
    let program = |body: &str| {
        format!("extern void abort(void);\nextern void __VERIFIER_assume(int);\nint main(void) {{ {body} }}\n")
    };
    let aborts = folder.file("aborts.c", program("abort();"));
    uforia(&["run", "--zero", &aborts]).exits(0).answers("ended");
    let assumes = folder.file("assumes.c", program("__VERIFIER_assume(0); return 0;"));
    uforia(&["run", "--zero", &assumes]).exits(0).answers("ended");
    let returns = folder.file("returns.c", program("return -3;"));
    uforia(&["run", "--zero", &returns]).exits(0).answers("finished: main returned -3 after ");
}

#[test]
fn the_lowered_program_can_be_read_again() {
    let folder = Folder::new("lower");
    let file = folder.file("sum.c", SUM);
    let to = folder.path().join("sum.cfa");
    let to = to.to_str().expect("a plain name");
    assert_eq!(uforia(&["lower", "-o", to, &file]).exits(0).out, "");
    let printed = uforia(&["lower", &file]).exits(0).out;
    assert_eq!(std::fs::read_to_string(to).expect("the file is written"), printed);
    assert_eq!(uforia(&["lower", to]).exits(0).out, printed);
    uforia_reading(&["run", "--inputs", "-", to], "50 -8").exits(1).answers("error reached");
    uforia(&["lower", "--emit", "dot", &file]).exits(0).answers("}");
}
