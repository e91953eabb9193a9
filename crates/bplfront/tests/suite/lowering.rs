//! What programs become.

use program::{Action, Mark};

use super::compile;

#[test]
fn uninitialised_variables_and_choices_are_inputs() {
    let (program, _) =
        compile("type A; procedure main() { var x, y: A; if (*) { havoc x; } goto a, b; a: b: assert x == y; }");
    // x and y; the star and the goto; havoc.
    assert_eq!(program.inputs.len(), 5);
    assert_eq!(program.assertions.iter().next().expect("there is one").text, "a failing assertion `x == y`");
}

#[test]
fn loops_have_heads_and_labels_are_marked() {
    let (program, _) =
        compile("type A; procedure main() { var x, y: A; while (x != y) { x := y; } here: assert x == y; }");
    let marks: Vec<&Mark> = program.locations.iter().map(|location| &location.mark).collect();
    assert!(marks.contains(&&Mark::LoopHead) && marks.contains(&&Mark::Label("here".to_owned())));
    assert!(program.edges.iter().all(|edge| !matches!(edge.action, Action::Call { .. })));
}

#[test]
fn a_function_and_a_variable_may_share_a_name() {
    compile("type A; var f: A; function f(x: A): A; procedure main() { var A: A; A := f(f); assert A == f(f); }");
}

#[test]
fn old_values_are_those_at_the_entry() {
    let (program, _) = compile(
        "type A; var g: A; procedure p() modifies g; ensures g != old(g); { havoc g; assume g != old(g); }
         procedure main() modifies g; { call p(); }",
    );
    assert!(program.vars.iter().any(|var| var.name == "old.g"));
}

#[test]
fn where_clauses_are_assumed_wherever_a_value_is_free() {
    let assumptions = |text: &str| {
        let (program, terms) = compile(text);
        let is_assumption =
            |edge: &&program::Edge| matches!(edge.action, Action::Assume(term) if terms.op(term) != term::Op::True);
        program.edges.iter().filter(is_assumption).count()
    };
    let text = "type A; const c: A; procedure main() { var x: A where x != c; havoc x; havoc x; }";
    assert_eq!(assumptions(text), 3);
    let text = "type A; const c: A; procedure any() returns (r: A where r != c);
        procedure main() { var x: A; call x := any(); }";
    assert_eq!(assumptions(text), 1);
}
