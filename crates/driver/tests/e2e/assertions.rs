//! `--assertions each`: a verdict about every assertion from one check.

use crate::support::{Folder, Said, uforia};
use serde_json::Value;

/// Three assertions: one holds, one fails, one holds only because the run that would break it has ended before.
const MIXED: &str = "#include <assert.h>\nextern unsigned __VERIFIER_nondet_uint(void);\nint main(void) {\n\
    unsigned n = __VERIFIER_nondet_uint() % 100, x = 0, y = 0;\n\
    while (x < n) { x++; y += 2; }\n\
    assert(y == 2 * x);\n\
    assert(n != 7);\n\
    assert(x != 7);\n\
    return 0;\n}\n";

fn check(folder: &Folder, text: &str, options: &[&str]) -> Said {
    let path = folder.file("each.c", text);
    let mut args = vec!["check", "--assertions", "each", "--timeout", "60s", "--property", "unreach-call"];
    args.extend(options);
    args.push(&path);
    uforia(&args)
}

/// The verdicts in the table, by line of the program.
fn table(said: &Said) -> Vec<(u32, String)> {
    let row = |line: &str| {
        let mut words = line.split_whitespace();
        words.next()?.parse::<u32>().ok()?;
        let line = words.next()?.rsplit_once(':')?.1.parse().ok()?;
        Some((line, words.next()?.to_owned()))
    };
    said.out.lines().filter_map(row).collect()
}

fn expected() -> Vec<(u32, String)> {
    [(6, "SAFE"), (7, "UNSAFE"), (8, "SAFE")].map(|(line, verdict)| (line, verdict.to_owned())).to_vec()
}

#[test]
fn every_engine_and_the_portfolio_give_each_assertion_its_verdict() {
    let folder = Folder::new("each-engines");
    for engine in ["portfolio", "refine", "kind", "bmc", "euf", "ufo"] {
        let said = check(&folder, MIXED, &["-q", "--engine", engine]).exits(1);
        assert_eq!(table(&said), expected(), "{engine}: {said:?}");
        assert!(said.last().starts_with("UNSAFE: n != 7 at "), "{said:?}");
        assert!(said.last().ends_with("fails; 1 of 3 assertions fail"), "{said:?}");
    }
}

#[test]
fn verdicts_are_those_of_single_checks() {
    let folder = Folder::new("each-single");
    let path = folder.file("each.c", MIXED);
    for (number, verdict) in [("1", "SAFE"), ("2", "UNSAFE"), ("3", "SAFE")] {
        let args = ["check", "-q", "--property", "unreach-call", "--assertion", number, &path];
        uforia(&args).answers(verdict);
    }
}

#[test]
fn a_program_is_safe_if_all_its_assertions_are() {
    let folder = Folder::new("each-safe");
    let text = MIXED.replace("assert(n != 7);", "if (n == 7) return 0;");
    let said = check(&folder, &text, &[]).exits(0);
    assert_eq!(said.last(), "SAFE");
    assert!(said.out.contains("proved 2 assertions"), "{said:?}");
}

#[test]
fn refine_counts_the_statements_that_each_assertion_needed() {
    let folder = Folder::new("each-refined");
    let said = check(&folder, MIXED, &["-q", "--engine", "refine"]).exits(1);
    assert!(said.out.lines().next().is_some_and(|head| head.contains("refined")), "{said:?}");
}

#[test]
fn json_and_sarif_have_an_entry_for_each_assertion() {
    let folder = Folder::new("each-json");
    let text = MIXED.replace("assert(x != 7);", "assert(n < 50);");
    let to = folder.path().join("out.sarif");
    let to = to.to_str().expect("a plain name");
    let said = check(&folder, &text, &["-q", "--json", "-", "--sarif", to]).exits(1);
    let line = said.out.lines().find(|line| line.starts_with('{')).expect("there is a line of JSON");
    crate::support::lawful(line);
    let answer: Value = serde_json::from_str(line).expect("it is JSON");
    let assertions = answer["assertions"].as_array().expect("there are assertions");
    let status: Vec<&str> = assertions.iter().filter_map(|one| one["status"].as_str()).collect();
    assert_eq!(status, ["proved", "fails", "fails"]);
    assert!(assertions.iter().all(|one| one["each"]["engine"].is_string() && one["each"]["seconds"].is_number()));
    assert!(assertions[0]["each"]["counterexample"].is_null());
    let fails: Vec<u64> =
        assertions.iter().filter_map(|one| one["each"]["counterexample"]["assertion"].as_u64()).collect();
    assert_eq!(fails, [2, 3]);
    let sarif = std::fs::read_to_string(to).expect("the file is written");
    let sarif: Value = serde_json::from_str(&sarif).expect("it is JSON");
    assert_eq!(sarif["runs"][0]["results"].as_array().map(Vec::len), Some(2));
}

#[test]
fn what_is_known_when_time_runs_out_is_said() {
    let folder = Folder::new("each-late");
    // The second assertion holds, since each step of the mixing function has an inverse. A proof in bits is out of reach.
    let text = "#include <assert.h>\nextern unsigned __VERIFIER_nondet_uint(void);\n\
        extern unsigned long __VERIFIER_nondet_ulong(void);\n\
        static unsigned long mix(unsigned long x) {\n\
        x ^= x >> 33; x *= 0xff51afd7ed558ccdul; x ^= x >> 33; x *= 0xc4ceb9fe1a85ec53ul; return x ^ (x >> 33); }\n\
        int main(void) {\n\
        unsigned long a = __VERIFIER_nondet_ulong(), b = __VERIFIER_nondet_ulong();\n\
        unsigned long c = __VERIFIER_nondet_uint();\n\
        assert(c <= 4294967295);\n\
        assert(a == b || mix(a) != mix(b));\n\
        return 0;\n}\n";
    let said = check(&folder, text, &["-q", "--engine", "refine", "--timeout", "4s"]).exits(2);
    assert_eq!(table(&said).len(), 2, "{said:?}");
    assert!(said.last().starts_with("UNKNOWN: "), "{said:?}");
}

#[test]
fn recursive_programs_are_checked_assertion_by_assertion() {
    let folder = Folder::new("each-recursive");
    let text = "#include <assert.h>\nextern unsigned __VERIFIER_nondet_uint(void);\n\
        unsigned f(unsigned n) { return n == 0 ? 0 : f(n - 1) + 1; }\n\
        int main(void) {\nunsigned n = __VERIFIER_nondet_uint() % 3;\n\
        assert(n < 3);\n\
        assert(f(n) != 2);\n\
        return 0;\n}\n";
    let said = check(&folder, text, &["-q"]).exits(1);
    assert_eq!(table(&said), [(6, "SAFE".to_owned()), (7, "UNSAFE".to_owned())], "{said:?}");
}

#[test]
fn options_for_one_verdict_are_refused() {
    let folder = Folder::new("each-refused");
    check(&folder, MIXED, &["--assertion", "1"]).exits(64).complains("--assertion is for one verdict");
    check(&folder, MIXED, &["--witness", "w.yml"]).exits(64).complains("--witness is for one verdict");
}

#[test]
fn generated_programs_have_the_verdicts_that_they_were_made_with() {
    let folder = Folder::new("each-generated");
    for program in testkit::assertions::programs().iter().filter(|program| program.holds.len() == 10) {
        for engine in ["portfolio", "refine"] {
            let said = check(&folder, &program.text, &["-q", "--engine", engine, "--timeout", "10s"]);
            let rows = table(&said);
            assert_eq!(rows.len(), program.holds.len(), "{}: {said:?}", program.name);
            for ((_, verdict), holds) in rows.iter().zip(&program.holds) {
                let wrong = if *holds { "UNSAFE" } else { "SAFE" };
                assert_ne!(verdict, wrong, "{} by {engine}: {said:?}", program.name);
            }
        }
    }
}

#[test]
fn an_assertion_that_constants_decide_is_listed() {
    let folder = Folder::new("each-constant");
    let text = "#include <assert.h>\n#include <limits.h>\nextern unsigned long __VERIFIER_nondet_ulong(void);\n\
        int main(void) {\n\
        unsigned long a = __VERIFIER_nondet_ulong();\n\
        assert(a <= ULONG_MAX);\n\
        assert(a / 2 != 7);\n\
        assert(a / 2 <= ULONG_MAX / 2);\n\
        return 0;\n}\n";
    for engine in ["portfolio", "kind", "ufo"] {
        let said = check(&folder, text, &["-q", "--engine", engine]).exits(1);
        let rows = [(6, "SAFE"), (7, "UNSAFE"), (8, "SAFE")].map(|(line, verdict)| (line, verdict.to_owned()));
        assert_eq!(table(&said), rows, "{engine}: {said:?}");
    }
    let alone = text.replace("assert(a / 2 != 7);", "").replace("assert(a / 2 <= ULONG_MAX / 2);", "");
    let said = check(&folder, &alone, &[]).exits(0);
    assert_eq!(table(&said), [(6, "SAFE".to_owned())], "{said:?}");
}
