//! The command line: help, refusals, exit codes.

use crate::support::{Folder, uforia, uforia_reading};

const GOOD: &str =
    "extern void reach_error(void);\nint main(void) { int x = 1; if (x != 1) reach_error(); return 0; }\n";

#[test]
fn every_command_has_help() {
    let overview = uforia(&["--help"]).exits(0);
    for command in ["check", "validate", "lower", "run", "smt"] {
        assert!(overview.out.contains(command));
        let own = uforia(&[command, "--help"]).exits(0);
        assert!(own.out.starts_with(&format!("uforia {command}: ")), "{own:?}");
        assert_eq!(own.out, uforia(&["help", command]).exits(0).out);
    }
    assert!(uforia(&["run", "--help"]).out.contains("examples:\n  uforia run --zero program.c\n"));
    assert_eq!(uforia(&["--version"]).exits(0).out, format!("uforia {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn a_wrong_command_line_is_64_with_a_hint() {
    uforia(&[]).exits(64).complains("usage: uforia [COMMAND] FILE");
    uforia(&["check"]).exits(64).complains("needs the file");
    uforia(&["chek", "a.c"]).exits(64).complains("did you mean `check`?");
    uforia(&["check", "--tiemout", "3s", "a.c"]).exits(64).complains("did you mean --timeout?");
    uforia(&["check", "--timeout", "soon", "a.c"]).exits(64).complains("60s");
    uforia(&["run", "a.c"]).exits(64).complains("--zero");
    uforia(&["lower", "--emit", "pdf", "a.c"]).exits(64).complains("cfa, dot, vmt or coherence");
}

#[test]
fn what_is_not_built_yet_is_64_and_says_so() {
    let said = uforia(&["check", "--property", "no-data-race", "a.c"]).exits(64).complains("not built yet");
    assert_eq!(said.out, "");
}

#[test]
fn a_script_is_answered_on_standard_output() {
    let said = uforia_reading(&["smt", "-"], "(declare-const p Bool)(assert p)(check-sat)(oops)");
    assert_eq!(said.exits(0).out, "sat\n(error \"1:44: command `oops` is not supported\")\n");
    uforia(&["smt", "no-such-file.smt2"]).exits(66).complains("cannot read");
}

#[test]
fn an_unknown_extension_is_64_with_the_list() {
    uforia(&["check", "program.py"]).exits(64).complains(".c and .i (C)");
    uforia(&["check", "./program"]).exits(64).complains(".cfa");
}

#[test]
fn a_safe_program_is_proved_and_the_last_line_says_so() {
    let folder = Folder::new("safe");
    let file = folder.file("a.c", GOOD);
    for args in [&["check", &file] as &[&str], &[&file], &["-q", &file], &["--seed", "3", "--timeout", "60s", &file]] {
        uforia(args).exits(0).answers("SAFE");
    }
    assert_eq!(uforia(&["-q", &file]).exits(0).out, "SAFE\n");
}

/// A lock that is taken twice, but only if a counter gets far enough.
const LOCKED: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n\
    int main(void) { int locked = 0, n = 0;\n\
    while (__VERIFIER_nondet_int()) {\n\
      if (locked && n == LIMIT) reach_error();\n\
      if (n < 4) n++;\n\
      locked = n > 2; }\n\
    return 0; }\n";

#[test]
fn every_engine_proves_and_refutes() {
    let folder = Folder::new("engines");
    let safe = folder.file("safe.c", LOCKED.replace("LIMIT", "7"));
    let buggy = folder.file("unsafe.c", LOCKED.replace("LIMIT", "4"));
    for engine in ["bmc", "kind", "euf"] {
        let said = uforia(&["check", "--engine", engine, &buggy]).exits(1).answers("UNSAFE: reach_error()");
        assert!(said.out.contains("n = 4"), "{said:?}");
    }
    for engine in ["kind", "refine", "euf"] {
        uforia(&["check", "--engine", engine, &safe]).exits(0).answers("SAFE");
    }
    let bounded = uforia(&["check", "--engine", "bmc", "--unwind", "5", &safe]).exits(2);
    bounded.answers("UNKNOWN: no error within 5 iterations of the loops");
    uforia(&["check", "--engine", "missing", &safe]).exits(64).complains("bmc, kind, ");
}

#[test]
fn a_file_gives_options_and_the_command_line_has_precedence() {
    let folder = Folder::new("config");
    let safe = folder.file("safe.c", LOCKED.replace("LIMIT", "7"));
    let config = folder.file("uforia.toml", "[check]\nengine = \"bmc\"\n[bmc]\nunwind = 5\n");
    let five = uforia(&["check", "--config", &config, &safe]).exits(2);
    five.answers("UNKNOWN: no error within 5 iterations of the loops")
        .complains("uforia.toml gives --set=bmc.unwind=5 --engine=bmc");
    let quiet = uforia(&["check", "-q", "--config", &config, &safe]).exits(2);
    assert!(!quiet.err.contains("uforia.toml"), "{quiet:?}");
    let six = uforia(&["check", "--config", &config, "--set", "bmc.unwind=6", &safe]).exits(2);
    six.answers("UNKNOWN: no error within 6 iterations of the loops");
    uforia(&["check", "--config", &config, "--engine", "kind", &safe]).exits(0).answers("SAFE");
    let wrong = folder.file("wrong.toml", "[check]\nengin = \"bmc\"\n");
    uforia(&["check", "--config", &wrong, &safe])
        .exits(64)
        .complains("wrong.toml:2:1: there is no option or setting `engin`");
    uforia(&["check", "--set", "bmc.unwnd=6", &safe]).exits(64).complains("the nearest are bmc.unwind");
}

#[test]
fn every_level_of_euf_proves_and_refutes() {
    let folder = Folder::new("levels");
    let safe = folder.file("safe.c", LOCKED.replace("LIMIT", "7"));
    let buggy = folder.file("unsafe.c", LOCKED.replace("LIMIT", "4"));
    for level in ["turns", "paper", "uf", "axioms", "heavy", "bits", "single", "predicates"] {
        uforia(&["check", "--engine", "euf", "--euf", level, &buggy]).exits(1).answers("UNSAFE: reach_error()");
        uforia(&["check", "--engine", "euf", "--euf", level, &safe]).exits(0).answers("SAFE");
    }
    uforia(&["check", "--engine", "euf", "--euf", "words", &safe]).exits(64).complains("predicates or paper");
}

#[test]
fn figures_are_printed_also_when_time_runs_out() {
    let folder = Folder::new("figures");
    let text = "extern unsigned nondet(void); extern void reach_error(void);\n\
         int main(void) { unsigned long long x = nondet(), y = nondet(), n = 0;\n\
         while (nondet()) { n = n * x + y * n + 7; x = x * y + 1; } if (n == 6) reach_error(); }\n";
    let file = folder.file("a.c", text);
    uforia(&["check", "--engine", "euf", "--stats", "--timeout", "1s", &file]).exits(2).complains("euf: analysis");
}

#[test]
fn one_assertion_can_be_asked_about() {
    let folder = Folder::new("one");
    let text = "#include <assert.h>\nint main(void) { int x = 3; assert(x == 3); assert(x == 4); return 0; }\n";
    let file = folder.file("a.c", text);
    uforia(&["check", &file]).exits(1).answers("UNSAFE: x == 4");
    uforia(&["check", "--assertion", "1", &file]).exits(0).answers("SAFE");
    uforia(&["check", "--assertion", "2", &file]).exits(1).answers("UNSAFE: x == 4");
    uforia(&["check", "--assertion", "3", &file]).exits(64).complains("there is no assertion 3");
}

#[test]
fn time_that_runs_out_is_said_with_how_far_we_came() {
    let folder = Folder::new("far");
    let text = "extern unsigned __VERIFIER_nondet_uint(void); extern void reach_error(void);\n\
        int main(void) { unsigned long long a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint(); unsigned n = 0;\n\
        while (__VERIFIER_nondet_uint()) n++;\n\
        if (n > 40 && a > 1 && b > 1 && a * b == 9223372036854775783u) reach_error(); return 0; }\n";
    let file = folder.file("a.c", text);
    let said = uforia(&["check", "--engine", "kind", "--timeout", "3s", &file]).exits(2);
    said.answers("UNKNOWN: out of time, no error ");
}

#[test]
fn an_error_behind_undefined_behaviour_is_not_called_one() {
    let folder = Folder::new("undefined");
    let text = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n\
        int main(void) { int x = __VERIFIER_nondet_int(), y = 10 / x; if (x == 0) reach_error(); return y; }\n";
    let file = folder.file("a.c", text);
    let said = uforia(&["check", "--property", "unreach-call", &file]).exits(2);
    said.answers("UNKNOWN: only through undefined behaviour");
    uforia(&["check", "--property", "unreach-call", "-v", &file]).exits(2).complains("uforia: hint: ");
    // Without a property the division is the error.
    uforia(&["check", &file]).exits(1).answers("UNSAFE: `10 / x` divides by zero");
}

#[test]
fn a_program_may_come_from_standard_input() {
    uforia_reading(&["check", "-"], GOOD).exits(0).answers("SAFE");
    let with_directives = format!("#define ONE 1\n{}", GOOD.replace("= 1", "= ONE"));
    uforia_reading(&["check", "-"], &with_directives).exits(0).answers("SAFE");
    uforia_reading(&["check", "-"], "int main(void) { return x; }").exits(65).complains("<stdin>:1:");
}

#[test]
fn assertions_are_listed_with_their_numbers() {
    let folder = Folder::new("list");
    let file = folder
        .file("a.c", "#include <assert.h>\nint main(void) {\n  int x = 1;\n  assert(x > 0);\n  assert(x < 2);\n}\n");
    let said = uforia(&["check", "--list-assertions", &file]).exits(0);
    let lines: Vec<&str> = said.out.lines().collect();
    assert_eq!(lines.len(), 2, "{said:?}");
    assert!(lines[0].starts_with("   1  ") && lines[0].contains(":4: ") && lines[0].contains("x > 0"), "{said:?}");
    assert!(lines[1].starts_with("   2  ") && lines[1].contains(":5: ") && lines[1].contains("x < 2"), "{said:?}");
}

#[test]
fn property_files_choose_the_question() {
    let folder = Folder::new("property");
    let file = folder.file("a.c", "extern void my_error(void);\nint main(void) { my_error(); return 0; }\n");
    let named = folder.file("named.prp", "CHECK( init(main()), LTL(G ! call(my_error())) )\n");
    let other = folder.file("other.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    uforia(&["run", "--zero", "--property", &named, &file]).exits(1).answers("error reached");
    uforia(&["run", "--zero", "--property", &other, &file]).exits(0).answers("finished");
    let strange = folder.file("strange.prp", "be nice\n");
    uforia(&["check", "--property", &strange, &file]).exits(65).complains("CHECK( init(main())");
    uforia(&["check", "--property", "absent.prp", &file]).exits(66).complains("absent.prp");
    uforia(&["check", "--property", "niceness", &file]).exits(64).complains("unreach-call");
}

#[test]
fn the_answer_is_also_given_as_json() {
    let folder = Folder::new("json");
    let file = folder.file("a.c", GOOD);
    let to = folder.path().join("out.json");
    uforia(&["check", "--json", to.to_str().expect("a plain name"), &file]).exits(0);
    let text = std::fs::read_to_string(&to).expect("the file is written");
    assert!(
        text.starts_with("{\"schema\": 1, \"tool\": \"uforia\"") && text.contains("\"verdict\": \"SAFE\""),
        "{text}"
    );
    let failing = "extern void reach_error(void);\nextern short __VERIFIER_nondet_short(void);\n\
        int main(void) { if (__VERIFIER_nondet_short() == -77) reach_error(); return 0; }\n";
    let failing = folder.file("failing.c", failing);
    let said = uforia(&["check", "-q", "--engine", "bmc", "--json", "-", &failing]).exits(1);
    assert_eq!(said.last(), format!("UNSAFE: reach_error() at {failing}:3 is reached"));
    let line = said.out.lines().next().unwrap_or_default().replace(&failing, "failing.c");
    let answer: serde_json::Value = serde_json::from_str(&line).expect("it is JSON");
    let place = "failing.c:3";
    let expected = serde_json::json!({
        "schema": 1, "tool": "uforia", "version": "0.1.0", "file": "failing.c", "verdict": "UNSAFE",
        "reason": "reach_error() at failing.c:3 is reached", "exit_code": 1, "entry": "main", "property": "errors",
        "data_model": "lp64", "hint": null, "reasons": [],
        "engine": "bmc", "method": "found by bmc: an execution that was replayed", "condition": null,
        "assertions": [{"id": 1, "text": "reach_error()", "place": place, "kind": "unreached", "status": "fails",
            "seen_in_a_run": true, "never_reached": false, "each": null}],
        "assumptions": [], "invariants": [], "precise": [], "diagnostics": [],
    });
    for (name, value) in expected.as_object().expect("it is an object") {
        let mut found = answer[name].clone();
        if name == "assertions" {
            found[0].as_object_mut().expect("it is an object").remove("column");
        }
        assert_eq!(&found, value, "{name}");
    }
    let input = serde_json::json!({"value": "-77", "source": "__VERIFIER_nondet_short", "place": place});
    assert_eq!(answer["counterexample"]["inputs"], serde_json::json!([input]), "{line}");
    assert_eq!(answer["counterexample"]["assertion"], 1);
    assert_eq!(answer["portfolio"]["arms"][0]["ended"], "won");
    assert!(answer["certificate"]["steps"].as_u64().is_some_and(|steps| steps > 0), "{line}");
    assert!(answer["seconds"].is_f64() && answer["inputs"][0]["sha256"].as_str().is_some_and(|hash| hash.len() == 64));
    let bad = folder.file("bad.c", "int main(void) { return x; }\n");
    let said = uforia(&["check", "--json", "-", &bad]).exits(65).answers("UNKNOWN: not a valid program");
    assert!(said.out.contains("\"severity\": \"error\"") && said.out.contains("\"line\": 1"), "{said:?}");
}

#[test]
fn sizes_and_times_go_to_standard_error() {
    let folder = Folder::new("stats");
    let file = folder.file("a.c", GOOD);
    let said = uforia(&["check", "--stats", &file]).exits(0).complains("locations").complains("time to compile");
    said.answers("SAFE");
}

#[test]
fn both_data_models_have_their_sizes() {
    let folder = Folder::new("models");
    let text = "#include <stdint.h>\n#include <limits.h>\nextern void reach_error(void);\n\
        int main(void) { if (sizeof(long) != SIZE || sizeof(void *) != SIZE || sizeof(size_type) != SIZE\n\
        || LONG_MAX >> (SIZE * 8 - 2) != 1 || sizeof(int64_t) != 8 || sizeof(intptr_t) != SIZE) reach_error(); return 0; }\n";
    let text = text.replace("size_type", "__SIZE_TYPE__");
    let file = folder.file("a.c", text);
    uforia(&["run", "--zero", "--data-model", "lp64", "-D", "SIZE=8", &file]).exits(0).answers("finished");
    uforia(&["run", "--zero", "--data-model", "ilp32", "-D", "SIZE=4", &file]).exits(0).answers("finished");
    uforia(&["run", "--zero", "--data-model", "ilp32", "-D", "SIZE=8", &file]).exits(1).answers("error reached");
}

#[test]
fn macros_of_the_command_line_reach_files_without_directives() {
    let folder = Folder::new("define");
    let file = folder.file("a.c", "int main(void) { return ANSWER; }\n");
    uforia(&["run", "--zero", "-D", "ANSWER=42", &file]).exits(0).answers("finished: main returned 42");
    uforia(&["run", "--zero", &file]).exits(65).complains("ANSWER");
    let uses = folder.file("b.c", "#include <own.h>\nint main(void) { return OWN; }\n");
    let inner = folder.path().join("inner");
    std::fs::create_dir(&inner).expect("the temporary folder can be written");
    std::fs::write(inner.join("own.h"), "#define OWN 7\n").expect("the temporary folder can be written");
    uforia(&["run", "--zero", "-I", inner.to_str().expect("a plain name"), &uses])
        .exits(0)
        .answers("finished: main returned 7");
}

#[test]
fn every_header_file_is_accepted_by_the_front_end() {
    let folder = Folder::new("headers");
    let text: String = uforia::headers::HEADERS
        .iter()
        .filter(|(name, _)| *name != "iso646.h" && *name != "complex.h")
        .map(|(name, _)| format!("#include <{name}>\n#include <{name}>\n"))
        .collect();
    let file =
        folder.file("a.c", format!("{text}int main(void) {{ assert(sizeof(size_t) == sizeof(void *)); return 0; }}\n"));
    for model in ["lp64", "ilp32"] {
        uforia(&["run", "--zero", "--data-model", model, &file]).exits(0).answers("finished: main returned 0");
    }
}
