//! Boogie programs with contracts: each procedure by itself, and runs of the whole program.

use crate::support::{Folder, root, uforia};

/// The exit code of `check` on the program, with these options.
fn code(text: &str, options: &[&str]) -> i32 {
    let folder = Folder::new("boogie");
    let file = folder.file("a.bpl", text);
    let mut words = vec!["check", "--timeout", "20s", file.as_str()];
    words.extend(options);
    uforia(&words).code
}

#[track_caller]
fn is_safe(text: &str) {
    assert_eq!(code(text, &[]), 0, "{text}");
}
#[track_caller]
fn is_unsafe(text: &str) {
    assert_eq!(code(text, &[]), 1, "{text}");
}

const COUNTER: &str = "type N; const zero: N; function succ(n: N): N; var count: N;\n";

#[test]
fn arguments_are_copied_before_the_call() {
    let with = |rest: &str| format!("{COUNTER}{rest}");
    is_unsafe(&with(
        "procedure change(was: N); modifies count; ensures count != was;
         procedure use() modifies count; { call change(count); assert false; }",
    ));
    is_safe(&with(
        "procedure change(was: N); modifies count; ensures count == succ(was);
         procedure use() modifies count; { var kept: N; kept := count; call change(count); assert count == succ(kept); }",
    ));
    // Results come after everything else, also if they go to a global that the callee changes.
    is_safe(&with(
        "procedure next(n: N) returns (r: N); modifies count; ensures r == succ(n) && count == n;
         procedure use() modifies count; { var k: N; k := count; call count := next(count); assert count == succ(k); }",
    ));
}

#[test]
fn old_values_are_those_at_the_entry() {
    let step = |body: &str| {
        format!("{COUNTER}procedure step() modifies count; ensures count == succ(succ(old(count))); {{ {body} }}")
    };
    is_safe(&step("count := succ(count); count := succ(count);"));
    is_unsafe(&step("count := succ(count);"));
    is_safe(&step("var was: N; was := count; havoc count; assert old(count) == was; count := succ(succ(was));"));
    // A caller's old value is its own, not the callee's.
    is_unsafe(&format!(
        "{COUNTER}procedure step(); modifies count; ensures count == succ(old(count));
         procedure two() modifies count; ensures count == succ(old(count)); {{ call step(); call step(); }}"
    ));
    is_safe(&format!(
        "{COUNTER}procedure step(); modifies count; ensures count == succ(old(count));
         procedure two() modifies count; ensures count == succ(succ(old(count))); {{ call step(); call step(); }}"
    ));
    assert_eq!(
        code(&format!("{COUNTER}procedure p(); requires old(count) == zero;\nprocedure q() {{ call p(); }}"), &[]),
        65
    );
}

#[test]
fn procedures_are_checked_by_themselves() {
    let double = |ensures: &str| {
        format!(
            "{COUNTER}procedure twice(n: N) returns (r: N) {ensures} {{ r := succ(succ(n)); }}
             procedure main() {{ var r: N; call r := twice(zero); assert r == succ(succ(zero)); }}"
        )
    };
    is_safe(&double("ensures r == succ(succ(n));"));
    // A caller knows the contract only.
    is_unsafe(&double(""));
    assert_eq!(code(&double(""), &["--entry", "main"]), 0);
    // What no other procedure calls is checked too, recursive or not.
    is_unsafe("procedure main() { } procedure aside(b: bool) { assert b; }");
    is_unsafe("procedure p(b: bool) returns (r: bool) ensures r; { if (b) { call r := p(false); } else { r := b; } }");
    is_safe("procedure p(b: bool) returns (r: bool) ensures r; { if (b) { call r := p(false); } else { r := !b; } }");
    // All implementations are checked.
    is_unsafe(
        "procedure p() returns (r: bool); ensures r; implementation p() returns (x: bool) { x := true; }
        implementation p() returns (y: bool) { y := false; }",
    );
    let folder = Folder::new("boogie-aside");
    let file = folder.file("a.bpl", "procedure main() { assert true; }\nprocedure aside() { assert false; }\n");
    let said = uforia(&["check", &file, "--entry", "main"]).exits(0);
    assert!(
        said.out.contains("assumed: the body of `aside` is right; it is not checked: `main` does not call it"),
        "{said:?}"
    );
    uforia(&["check", &file, "--entry", "nowhere"]).exits(64).complains("no procedure `nowhere` with a body");
    let file = folder.file("a.c", "int main(void) { return 0; }\n");
    uforia(&["check", &file, "--entry", "main"]).exits(64).complains("--entry is for Boogie");
}

#[test]
fn preconditions_are_checked_at_calls_and_assumed_in_bodies() {
    let used = |requires: &str, argument: &str| {
        format!(
            "type A; const good: A; procedure p(a: A) {requires} {{ assert a == good; }}
             procedure q(other: A) {{ call p({argument}); }}"
        )
    };
    is_safe(&used("requires a == good;", "good"));
    is_unsafe(&used("requires a == good;", "other"));
    is_safe(&used("free requires a == good;", "other"));
    is_unsafe(&used("", "good"));
    // A free precondition says nothing to the caller.
    is_unsafe("procedure p(b: bool); free requires b; procedure q(b: bool) { call p(b); assert b; }");
    is_safe("procedure p(b: bool); requires b; procedure q(b: bool) { call p(true); assume b; call p(b); assert b; }");
}

#[test]
fn free_postconditions_are_assumed_at_calls_and_not_checked() {
    is_safe(
        "procedure p() returns (b: bool) free ensures b; { } procedure q() { var b: bool; call b := p(); assert b; }",
    );
    is_unsafe("procedure p() returns (b: bool) ensures b; { } procedure q() { var b: bool; call b := p(); assert b; }");
    let folder = Folder::new("boogie-free");
    let file = folder.file("a.bpl", "procedure p() returns (b: bool)\n  free ensures b;\n{ assert true; }\n");
    let said = uforia(&["check", &file]).exits(0);
    assert!(said.out.contains("assumed: `free ensures b` of `p` (") && said.out.contains("a.bpl:2)"), "{said:?}");
}

#[test]
fn only_what_a_procedure_modifies_changes() {
    let with = |rest: &str| format!("{COUNTER}{rest}");
    is_unsafe(&with(
        "procedure p(); modifies count; procedure q() modifies count; { call p(); assert count == old(count); }",
    ));
    is_safe(&with("procedure p(); procedure q() { call p(); assert count == old(count); }"));
    for (rest, place) in [
        ("procedure p() { count := zero; }", "a.bpl:2:17"),
        ("procedure p() { havoc count; }", "a.bpl:2:23"),
        ("procedure r() returns (n: N); procedure p() { call count := r(); }", "a.bpl:2:52"),
        ("procedure r(); modifies count; procedure p() { call r(); }", "a.bpl:2:48"),
        ("procedure p(b: bool) { if (b) { call p(false); } count := zero; }", "a.bpl:2:50"),
        ("procedure p(); modifies zero;", "a.bpl:2:25"),
        ("procedure p(); implementation p() { count := zero; }", "a.bpl:2:37"),
        ("procedure p(n: N) { n := zero; }", "a.bpl:2:21"),
        ("procedure {:inline 1} p() { count := zero; } procedure q() { call p(); }", "a.bpl:2:29"),
    ] {
        let folder = Folder::new("boogie-modifies");
        let file = folder.file("a.bpl", with(rest));
        uforia(&["check", &file]).exits(65).complains(place);
    }
}

#[test]
fn attributes_are_treated_or_refused() {
    let inline = |what: &str| {
        format!(
            "type A; function f(a: A): A; procedure {what} p(a: A) returns (r: A) {{ r := f(a); }}
             procedure q(a: A) {{ var r: A; call r := p(a); assert r == f(a); }}"
        )
    };
    is_unsafe(&inline(""));
    is_safe(&inline("{:inline 1}"));
    is_unsafe(&inline("{:inline false}"));
    is_safe("procedure {:verify false} p() { assert false; } procedure q() { assert true; }");
    is_unsafe("procedure {:verify true} {:unknown 3} p() { assert false; }");
    for text in [
        "procedure {:yields} p() { }",
        "procedure p() { assert {:only} true; }",
        "axiom {:ignore \"x\"} false;\nprocedure p() { }",
    ] {
        assert_eq!(code(text, &[]), 2, "{text}");
    }
}

#[test]
fn axioms_and_functions_speak_of_no_state() {
    assert_eq!(code("var g: bool; axiom g;\nprocedure p() { assert g; }", &[]), 65);
    assert_eq!(code("var g: bool; function f(): bool { g }\nprocedure p() { assert f() == f(); }", &[]), 65);
    is_safe("const c: bool; axiom c; function f(): bool { c } procedure p() { assert f(); }");
}

#[test]
fn where_clauses_hold_wherever_a_value_is_free() {
    let with = |rest: &str| format!("type A; const good: A; var g: A where g == good;\n{rest}");
    is_safe(&with("procedure p(a: A where a == good) returns (r: A where r == good) { assert a == g && r == a; }"));
    is_safe(&with("procedure p(); modifies g; procedure q() modifies g; { call p(); assert g == good; }"));
    // Nothing is assumed where a value is assigned, and nothing is checked where an argument is given.
    is_unsafe(&with("procedure q(a: A) modifies g; { g := a; assert g == good; }"));
    is_safe(&with("procedure p(a: A where a == good); procedure q(a: A) { call p(a); assert a == a; }"));
    is_unsafe(&with("procedure p(a: A where a == good); procedure q(a: A) { call p(a); assert a == good; }"));
}

#[test]
fn invariants_are_checked_at_every_iteration() {
    let with = |invariant: &str, end: &str| {
        format!(
            "type A; const a, b: A; procedure p() {{ var x: A; x := a; while (*) {invariant} {{ x := b; }} {end} }}"
        )
    };
    is_unsafe(&with("invariant x == a;", ""));
    is_safe(&with("invariant x == a || x == b;", ""));
    // A free one is assumed where the head is reached.
    is_safe(&with("free invariant x == a;", "assert x == a;"));
    is_unsafe(&with("free invariant x == a || x == b;", "assert x == a;"));
}

#[test]
fn maps_and_functions_over_words_are_exact() {
    let map =
        |rest: &str| format!("procedure p(i: bv8, j: bv8) {{ var m: [bv8]bv8; m[i] := 5bv8; m[j] := 6bv8; {rest} }}");
    is_safe(&map("assert m[j] == 6bv8 && (i == j || m[i] == 5bv8);"));
    is_unsafe(&map("assert m[i] == 5bv8;"));
    // The counterexample needs a function that is not zero everywhere.
    for engine in ["bmc", "kind", "refine", "euf", "ufo", "explicit"] {
        let text =
            "function f(x: bv4, b: bool): bool; procedure p(a: bool) requires f(3bv4, a); { assert !f(3bv4, true); }";
        assert_eq!(code(text, &["--engine", engine]), 1, "{engine}");
    }
    is_safe("function f(x: bv8): bool; procedure p(a: bv8, b: bv8) requires f(a) && !f(b); { assert a != b; }");
    // Other functions have no table: where one matters, an error is not confirmed by these engines.
    for engine in ["euf", "ufo", "explicit"] {
        let text = "type A; function p(x: A): bool; const a: A; procedure q(b: bool) requires p(a); { assert b; }";
        assert_eq!(code(text, &["--engine", engine]), 2, "{engine}");
    }
}

#[test]
fn generated_programs_get_the_answer_of_the_source() {
    use testkit::boogie::explore::{Runs, failures};
    let (mut n_safe, mut n_unsafe) = (0, 0);
    for seed in 0..24 {
        let made = testkit::boogie::generate::generate(seed);
        let sizes: &[u64] = if made.program.is_finite() { &[2] } else { &[1, 2, 3] };
        let Some(failed) =
            sizes.iter().map(|&size| failures(&made.program, made.runs, size, 100_000)).collect::<Option<Vec<_>>>()
        else {
            continue;
        };
        let can_fail = failed.iter().any(|failed| !failed.is_empty());
        let text = testkit::boogie::print::print(&made.program).text;
        let entry = match made.runs {
            Runs::Modular => Vec::new(),
            Runs::From(number) => vec!["--entry", made.program.procedures[number].name.as_str()],
        };
        match code(&text, &entry) {
            0 => assert!(!can_fail, "seed {seed}: SAFE\n{text}"),
            1 => assert!(can_fail || !made.program.is_finite(), "seed {seed}: UNSAFE\n{text}"),
            code => panic!("seed {seed}: exit code {code}\n{text}"),
        }
        n_safe += u32::from(!can_fail);
        n_unsafe += u32::from(can_fail);
    }
    assert!(n_safe > 5 && n_unsafe > 5, "{n_safe} {n_unsafe}");
}

/// Each file says what Boogie answers, and `ours: unknown` where that needs something we do not do yet.
#[test]
fn small_programs_get_the_answer_that_boogie_gives() {
    let mut files: Vec<_> =
        std::fs::read_dir(root().join("tests/boogie")).expect("the folder is there").flatten().collect();
    files.sort_by_key(std::fs::DirEntry::file_name);
    assert!(files.len() >= 40);
    let mut n_unknown = 0;
    for entry in files {
        let text = std::fs::read_to_string(entry.path()).expect("the file can be read");
        let is_unknown = text.contains("// ours: unknown\n");
        n_unknown += usize::from(is_unknown);
        let expected = match (is_unknown, text.starts_with("// verdict: unsafe\n")) {
            (true, _) => "UNKNOWN",
            (false, true) => "UNSAFE",
            (false, false) => "SAFE",
        };
        let path = entry.path();
        let path = path.to_str().expect("names in tests are plain");
        uforia(&["check", "-q", "--timeout", "20s", path]).answers(expected);
    }
    assert!(n_unknown <= 6, "{n_unknown} programs have no answer");
}
