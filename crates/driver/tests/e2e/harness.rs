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
    assert_eq!(said.code, 99, "{said:?}\n{text}");
    // Without a C library the trap itself is the end.
    let (text, said) = built_and_run("overflow32", &["--property", "no-overflow", "--data-model", "ilp32"], program);
    let trapped = [128 + 4, 128 + 5, 128 + 8];
    assert!(trapped.contains(&said.code), "{said:?}\n{text}");
}

const ALL_KINDS: &str = "
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
    reaches("kinds64", &[], ALL_KINDS);
    reaches(
        "kinds32",
        &["--data-model", "ilp32"],
        &ALL_KINDS.replace(" long ", " long long ").replace("nondet_long", "nondet_longlong"),
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

/// Builds the harness as it says itself and runs it, in this folder.
#[track_caller]
fn build_and_run(folder: &std::path::Path, harness: &str) -> Said {
    let text = std::fs::read_to_string(harness).expect("the harness was written");
    let start = text.find("cc -m").expect("the harness says how to compile it");
    let command = text[start..].split("./a.out").next().expect("the command ends before the run");
    let mut shell = Command::new("sh");
    shell
        .args(["-c", &format!("cd '{}' && {} && exec timeout 20 ./a.out", folder.display(), command.trim())])
        .current_dir(folder);
    shell.stdin(Stdio::null());
    listen(shell.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a shell starts"), "")
}

/// Every unsafe program of the golden folder: its harness reaches the error, and its witness is confirmed.
#[test]
fn every_error_is_reproduced_and_its_witness_confirmed() {
    let golden = crate::support::root().join("tests/verify");
    let mut files: Vec<_> =
        std::fs::read_dir(golden).expect("the folder is there").flatten().map(|one| one.path()).collect();
    files.sort();
    let (mut n_programs, mut n_slow) = (0, 0);
    for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "c")) {
        let text = std::fs::read_to_string(file).expect("it can be read");
        // What `malloc` returns first cannot be arranged from outside.
        let is_out_of_reach =
            text.lines().any(|line| line == "// The harness cannot choose first contents of the heap.");
        if is_out_of_reach || !text.lines().any(|line| line == "// verdict: unsafe") {
            continue;
        }
        n_programs += 1;
        let file = file.to_str().expect("names in tests are plain");
        for property in ["errors", "unreach-call"] {
            let folder = Folder::new("every-error");
            let at = |name: &str| folder.path().join(name).to_str().expect("names in tests are plain").to_owned();
            let (harness, witness) = (at("h.c"), at("w.yml"));
            let args = [
                "check",
                "-q",
                "--timeout",
                "60s",
                "--property",
                property,
                "--harness",
                &harness,
                "--witness",
                &witness,
                file,
            ];
            uforia(&args).exits(1).answers("UNSAFE");
            let said = build_and_run(folder.path(), &harness);
            // One program counts to billions, which takes the compiled program a while.
            n_slow += usize::from(said.code == 124);
            assert!(matches!(said.code, 99 | 124) && n_slow <= 2, "{file} {property}: {said:?}");
            let said = uforia(&["validate", "--timeout", "60s", "--property", property, "--witness", &witness, file]);
            assert!(said.code == 0 && said.last().starts_with("CONFIRMED"), "{file} {property}: {said:?}");
        }
    }
    assert!(n_programs >= 8, "only {n_programs} programs were found");
}

#[test]
fn library_functions_of_the_program_are_there_in_both_data_models() {
    let text = "#include <ctype.h>
        #include <stdlib.h>
        #include <string.h>
        extern int __VERIFIER_nondet_int(void);
        extern void reach_error(void);
        int main(void) {
            int c = __VERIFIER_nondet_int();
            if (c < 0 || c > 127 || !isspace(c) || isblank(c)) return 0;
            char *p = malloc(2);
            if (!p) return 0;
            p[0] = 'x'; p[1] = 0;
            p = realloc(p, 20);
            if (!p) return 0;
            if (strlen(p) == 1 && toupper(p[0]) == 'X' && c == 12) reach_error();
            return 0;
        }";
    reaches("library", &[], text);
    // Without a 32-bit C library there are mostly no 32-bit headers either.
    let declared = text.lines().filter(|line| !line.trim_start().starts_with('#')).collect::<Vec<_>>().join("\n");
    let prototypes = "extern int isspace(int), isblank(int), toupper(int); extern void *malloc(unsigned), *realloc(void *, unsigned); extern unsigned strlen(const char *);\n";
    reaches("library32", &["--data-model", "ilp32"], &format!("{prototypes}{declared}"));
}

#[test]
fn folders_macros_and_strange_names_reach_the_compiler() {
    let folder = Folder::new("harness-options");
    let inner = folder.path().join("my headers");
    std::fs::create_dir(&inner).expect("our own folder");
    std::fs::write(inner.join("limit.h"), "#define LIMIT 41\n").expect("our own folder");
    folder.file("beside.h", "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n");
    let name = "a '*''* $(touch no) .c";
    let text = "#include <limit.h>\n#include \"beside.h\"\nint main(void) { int u; if (__VERIFIER_nondet_int() == LIMIT + ONE && TEXT(x)[0] == 'q' && u == 3) abort(); return 0; }\n";
    let file = folder.file(name, text);
    let harness = folder.path().join("h.c");
    let harness = harness.to_str().expect("names in tests are plain");
    let include = inner.to_str().expect("names in tests are plain");
    let args = [
        "check",
        "-q",
        "--harness",
        harness,
        "-I",
        include,
        "-D",
        "ONE=1",
        "-D",
        "TEXT(x)=\"q */ ' \"",
        "-D",
        "abort=reach_error",
        &file,
    ];
    uforia(&args).exits(1).answers("UNSAFE");
    let said = build_and_run(folder.path(), harness);
    assert_eq!(said.code, 99, "{said:?}\n{}", std::fs::read_to_string(harness).unwrap_or_default());
    assert!(!folder.path().join("no").exists(), "a name was executed");
}

#[test]
fn invalid_accesses_and_division_by_zero_are_reproduced() {
    let programs = [
        (
            "index",
            "extern unsigned __VERIFIER_nondet_uint(void);\nint main(void) { int a[4] = {0}; unsigned i = __VERIFIER_nondet_uint(); if (i > 4) return 0; a[i] = 1; return a[0]; }",
        ),
        (
            "null",
            "extern int __VERIFIER_nondet_int(void);\nint main(void) { int x = 1, *p = __VERIFIER_nondet_int() ? &x : (int *)0; return *p; }",
        ),
        (
            "freed",
            "#include <stdlib.h>\nint main(void) { int *p = malloc(sizeof *p); if (!p) return 0; *p = 1; free(p); return *p; }",
        ),
        (
            "twice",
            "#include <stdlib.h>\nint main(void) { int *p = malloc(sizeof *p); if (!p) return 0; free(p); free(p); return 0; }",
        ),
        (
            "zero",
            "extern int __VERIFIER_nondet_int(void);\nint main(void) { int d = __VERIFIER_nondet_int(); return 7 / d; }",
        ),
    ];
    for (name, program) in programs {
        let (text, said) = built_and_run(name, &[], program);
        assert_eq!(said.code, 99, "{name}: {said:?}\n{text}");
    }
}

/// Assertions, invalid accesses and divisions: the witness is confirmed by the property that was asked and without one.
#[test]
fn witnesses_of_every_kind_of_error_are_confirmed() {
    let programs = [
        (
            "assert",
            "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\nint main(void) { int x = __VERIFIER_nondet_int(); if (x > 3) assert(x != 77); return 0; }\n",
        ),
        (
            "two",
            "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n  int x = __VERIFIER_nondet_int();\n  assert(x != 3 || x > 2); assert(x != 4);\n  return 0;\n}\n",
        ),
        (
            "index",
            "extern unsigned __VERIFIER_nondet_uint(void);\nint main(void) { int a[4] = {0}; unsigned i = __VERIFIER_nondet_uint(); if (i > 4) return 0; a[i] = 1; return a[0]; }\n",
        ),
        (
            "zero",
            "extern int __VERIFIER_nondet_int(void);\nint main(void) { int d = __VERIFIER_nondet_int(); return 7 / d; }\n",
        ),
    ];
    for (name, text) in programs {
        let folder = Folder::new(&format!("witness-{name}"));
        let file = folder.file("a.c", text);
        let witness = folder.path().join("w.yml");
        let witness = witness.to_str().expect("names in tests are plain");
        uforia(&["check", "-q", "--witness", witness, &file]).exits(1);
        for options in [&["validate"] as &[&str], &["validate", "--property", "errors"]] {
            let said = uforia(&[options, &["--timeout", "60s", "--witness", witness, &file]].concat());
            let written = std::fs::read_to_string(witness).unwrap_or_default();
            assert!(said.code == 0 && said.last().starts_with("CONFIRMED"), "{name} {options:?}: {said:?}\n{written}");
        }
    }
}
