//! The surface grammar: everything that Boogie lets one write is parsed.

use super::compile;

#[test]
fn every_kind_of_declaration_is_read() {
    compile(
        "type {:attr 1, \"text\"} A; type finite B; type Pair a b; type Two = Pair A B, Map a = [a]int;
         const unique c, d: A; const {:x} e: Two extends unique f; const f: Two;
         function {:inline true} id(x: A) returns (A) { x }
         function two(A, B) returns (r: bool);
         function poly<a>(x: a, y: Pair a a): a;
         function named(x, y: A, z: B): int;
         axiom (forall x: A :: {id(x)} {:weight 3} id(x) == x);
         axiom c != d ==> two(c, b);
         var g, h: A where g == id(g), m: Map A; const b: B;
         procedure {:entrypoint} go<t>(x: A, y: t) returns (r: A, s: int where s > 0);
           requires x == c; free requires {:msg \"m\"} x != d; modifies g, m; modifies h; free ensures x == x; ensures r == x;
         implementation go<t>(x: A, y: t) returns (r: A, s: int) { r := x; }
         /* a comment /* in a comment */ */ // and one more
         procedure empty();",
    );
}

#[test]
fn every_kind_of_statement_is_read() {
    compile(
        "type A; function f(x: A): A; var g: A; var m: [A][A]int;
         procedure P(x: A) returns (y: A) { y := f(x); return; }
         procedure main() modifies g, m; {
           var x, y: A where x == f(x); var {:attr} i: int, b: bool;
           start: assert {:id \"a\"} x == x; assume x == y; assume {:partition} true;
           x, y := y, x; m[x][y] := 3; havoc x, g;
           call y := P(x); call P2();
           if (*) { x := y; } else if (x == y) { y := x; } else { }
           outer: while (x != y) invariant true; free invariant {:x} b; {
             while (*) { if (b) { break; } break outer; }
             inner: if (b) { break inner; }
           }
           goto start, end;
           end: return;
         }
         procedure P2();",
    );
}

#[test]
fn operators_bind_as_strongly_as_they_should() {
    let text = |condition: &str| {
        format!("procedure main() {{ var a, b, c: bool; var i, j: int; var v: bv8; assert {condition}; }}")
    };
    let same = |left: &str, right: &str| {
        let shown = |condition: &str| {
            let (program, terms) = compile(&text(condition));
            program.edges.iter().find_map(|edge| match edge.action {
                program::Action::Assume(term) if terms.op(term) != term::Op::True => Some(terms.to_smtlib(term)),
                _ => None,
            })
        };
        assert_eq!(shown(left), shown(right));
    };
    same("a ==> b ==> c", "a ==> (b ==> c)");
    same("a <==> b ==> c", "a <==> (b ==> c)");
    same("a <== b && c", "a <== (b && c)");
    same("!a && b == c", "(!a) && (b == c)");
    same("i + j * i == j - i - j", "(i + (j * i)) == ((j - i) - j)");
    same("-i + j div 2 mod 3 > 0", "((-i) + ((j div 2) mod 3)) > 0");
    same("v[4:0] ++ v[8:4] == v", "((v[4:0]) ++ (v[8:4])) == v");
    same("(if a then i else j) < 1", "((if a then (i) else (j)) < 1)");
    same("a ⇒ ¬b ∧ (i ≠ j)", "a ==> !b && (i != j)");
}

#[test]
fn long_chains_need_no_stack() {
    let sum = vec!["i"; 20_000].join(" + ");
    compile(&format!("procedure main() {{ var i: int; assert {sum} == i; }}"));
    let all = vec!["(i == j)"; 20_000].join(" && ");
    compile(&format!("procedure main() {{ var i, j: int; assume {all}; }}"));
    let many = "x := f(x); ".repeat(20_000);
    compile(&format!("type A; function f(x: A): A; procedure main() {{ var x: A; {many} }}"));
}
