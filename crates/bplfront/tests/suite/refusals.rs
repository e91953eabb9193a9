//! Mistakes and what we cannot do: each with its place.

use super::{compile, complaints};

#[test]
fn all_errors_are_reported_with_their_places() {
    let text = "type A;\nprocedure main() {\n  var x: A;\n  x := ;\n  y := x;\n  x = x;\n  assert x == ;\n}\ntype A\n";
    assert_eq!(
        complaints(text),
        [
            "4:8: Error: expected an expression here, found `;`",
            "6:5: Error: expected `:=` in an assignment, found `=`",
            "7:15: Error: expected an expression here, found `;`",
            "10:1: Error: expected a name as a parameter of the type, found the end of the file",
        ]
    );
}

#[test]
fn names_and_types_are_checked() {
    let text = "type A; type B; function f(x: A): B; const c: A;
procedure main() { var x: A; var y: B;
  x := f(x);
  y := f(y);
  z := x;
  c := x;
  assert x == y;
  assert x;
  goto nowhere;
  call missing();
  x := g(x);
  break;
}";
    let found = complaints(text);
    let expect = [
        "3:8: Error: expected type A, found B",
        "4:8: Error: `f` wants A, and this is of type B",
        "5:3: Error: there is no variable `z`",
        "6:3: Error: the constant `c` cannot be assigned",
        "7:10: Error: expected type A, found B",
        "8:10: Error: expected type bool, found A",
        "9:8: Error: there is no label `nowhere`",
        "10:8: Error: there is no procedure `missing`",
        "11:8: Error: there is no function `g`",
        "12:3: Error: there is nothing here to break out of",
    ];
    assert_eq!(found, expect);
}

#[test]
fn what_we_cannot_do_is_refused_with_its_place() {
    let refused = |text: &str, expect: &str| {
        let found = complaints(text);
        assert!(found.iter().any(|one| one.contains("Unsupported") && one.contains(expect)), "{found:?}");
    };
    refused("procedure main() { assert (exists x: int :: x == x); }", "1:28: ");
    refused("type F a; var h: <a>[F a]a; procedure main() { }", "a polymorphic map");
    refused("procedure p(x: float24e8) { }", "the type `float24e8`");
    refused("procedure p(); free modifies g; var g: int;", "a free `modifies`");
    refused("procedure p(x: int); procedure q() { call p(*); }", "`*` as an argument");
    refused("procedure p(x: int); procedure q() { free call p(1); }", "`free`");
    refused("procedure p(x: int); procedure q() { call forall p(*); }", "`call forall`");
    refused("type {:builtin \"String\"} s; procedure q() { }", "a type of the solver");
    refused("datatype L { }", "`datatype`");
    refused("procedure main() { yield; }", "`yield`");
    let deep = format!("procedure main() {{ assert {}true{}; }}", "(".repeat(5000), ")".repeat(5000));
    refused(&deep, "nested more than");
    let deep = format!("procedure main() {{ {} {} }}", "if (*) {".repeat(5000), "}".repeat(5000));
    refused(&deep, "nested more than");
    let deep = format!("var x: {}int; procedure main() {{ }}", "[int]".repeat(5000));
    refused(&deep, "nested more than");
}

#[test]
fn what_is_read_loosely_is_noted() {
    let notes = |text: &str| {
        let (program, _) = compile(text);
        program.approximations.iter().map(|one| one.text.clone()).collect::<Vec<_>>().join("; ")
    };
    assert_eq!(notes("type A; procedure main() { var x, y: A; assume x == y; }"), "");
    assert!(notes("axiom (forall x: int :: x == x); procedure main() { }").contains("an axiom with `forall`"));
    assert!(notes("var m: [int]int; procedure main() { assert m[1] == m[1]; }").contains("maps"));
    assert_eq!(notes("var m: [bv8, bool]bool; procedure main() { assert m[1bv8, m[2bv8, true]]; }"), "");
    // Arrays are equal where they agree everywhere, maps need not be.
    for text in [
        "procedure main() { var m, n: [bv8]bv8; assume m == n; assert m[1bv8] == n[1bv8]; }",
        "function f(m: [bv8]bv8): bv8; procedure main() { var m: [bv8]bv8; m[1bv8] := f(m); }",
        "const unique m, n: [bv8]bv8; procedure main() { assert m[1bv8] == n[1bv8]; }",
    ] {
        assert!(notes(text).contains("maps are read as unknown functions"), "{text}");
    }
    // Calls mean the contract of the callee, so nothing is lost, unless the body is wanted.
    let text = "procedure p(i: int) returns (r: int); ensures r == i;
        implementation p(i: int) returns (r: int) { call r := p(i); } procedure main() { var x: int; call x := p(1); }";
    assert_eq!(notes(text), "");
    assert!(notes(&text.replacen("procedure p", "procedure {:inline 1} p", 1)).contains("the recursive `p` is known"));
    let mut terms = term::Terms::new();
    let whole =
        bplfront::compile_runs("test.bpl", text, bplfront::Runs::From("main"), &mut terms).expect("it is Boogie");
    assert!(whole.program.approximations[0].text.contains("the recursive `p` is known by its contract only"));
}

#[test]
fn garbage_never_panics() {
    let text =
        "type A; function f(x: A): A; procedure main() { var x: A; L: while (x != f(x)) { x := f(x); } goto L; }";
    let mut random = base::Random::new(1);
    let pieces = [
        "(", ")", "{", "}", ";", ":=", "forall", "::", "[", "]", "<", "\"", "/*", "bv", "9bv0", "old", "é", "\\", "..",
    ];
    for _ in 0..3000 {
        let mut bytes: Vec<char> = text.chars().collect();
        for _ in 0..1 + random.below(4) {
            let at = random.below(bytes.len() as u64) as usize;
            if random.one_in(2) {
                bytes.remove(at);
            } else {
                let piece = *random.pick(&pieces);
                bytes.splice(at..at, piece.chars());
            }
        }
        let mutated: String = bytes.into_iter().collect();
        let mut terms = term::Terms::new();
        if let Ok(compiled) = bplfront::compile("test.bpl", &mutated, &mut terms) {
            let laws = program::validate(&compiled.program, &terms);
            assert!(laws.is_ok(), "{laws:?}\n{mutated}");
        }
    }
}
