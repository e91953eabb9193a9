//! The streaming state on small traces: what is contradictory where, by depth.

use base::Budget;
use term::Terms;

use crate::automaton::Automaton;
use crate::horn::Pool;
use crate::reach::{Found, Precision, Search};
use crate::refine::{Allowed, refine};
use crate::state::Keep;

/// What becomes of a trace without branches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fate {
    /// The state knows that it is contradictory.
    Contradictory,
    /// The state does not know, and it is.
    Missed,
    /// It is feasible.
    Feasible,
}

fn fate(vars: &str, trace: &str, depth: u32) -> Fate {
    let text = format!(
        "type A; function f(x: A): A; function h(x: A): A; function g(x: A, y: A): A;
         procedure main() {{ var {vars}: A; {trace} assert false; }}"
    );
    let mut terms = Terms::new();
    let program = bplfront::compile("trace.bpl", &text, &mut terms).expect("it is Boogie").program;
    let Ok(automaton) = Automaton::new(&program, &mut terms) else { panic!("it has no calls") };
    let keep = Keep { depth, only_live: false, lost: false };
    let precision = Precision { keep, splits: Vec::new(), pool: Pool::default() };
    match Search::new(&automaton, &precision).run(1000, &Budget::default()) {
        Ok(Found::Error(_)) => Fate::Feasible,
        Ok(Found::Done { spurious }) if spurious.is_empty() => Fate::Contradictory,
        Ok(Found::Done { .. }) => Fate::Missed,
        _ => panic!("a trace has few states"),
    }
}

#[test]
fn twelve_small_traces_have_the_state_that_they_should() {
    use Fate::{Contradictory, Feasible, Missed};
    let traces: &[(&str, &str, u32, Fate)] = &[
        ("x, y", "y := x; x := f(x); y := f(y); assume x != y;", 0, Contradictory),
        ("x, y", "assume x == y; x := f(x); assume x != y;", 0, Feasible),
        ("x, y, a, b", "a := f(x); b := f(y); assume x == y; assume a != b;", 0, Contradictory),
        ("x, y, u, v", "u := f(x); v := f(y); assume u != v; assume x == y;", 0, Contradictory),
        ("x, y, z", "assume x != y; x := z; assume z == y;", 0, Feasible),
        ("x, t, z", "assume z != t; assume t == x; t := x; assume z != x;", 0, Feasible),
        ("x, t, z", "assume z != t; assume t == x; t := x; assume z == x;", 0, Contradictory),
        ("x, z, w", "x := f(z); assume x != w; x := f(z); assume x == w;", 0, Contradictory),
        ("x, y, z", "y := f(x); assume x == y; z := f(y); assume z != x;", 0, Contradictory),
        ("x, a, b", "a := g(x, x); assume x == b; b := g(b, x); assume a != b;", 0, Contradictory),
        ("x, y, a, b", "a := f(x); a := h(a); b := f(y); b := h(b); assume x == y; assume a != b;", 0, Missed),
        ("x, y, a, b", "a := f(x); a := h(a); b := f(y); b := h(b); assume x == y; assume a != b;", 1, Contradictory),
        ("x, y", "x := f(x); x := f(x); assume x == y;", 0, Feasible),
    ];
    for &(vars, trace, depth, expect) in traces {
        assert_eq!(fate(vars, trace, depth), expect, "{trace} at depth {depth}");
    }
}

#[test]
fn equal_knowledge_has_equal_states_whatever_the_order() {
    let states = |trace: &str| {
        let text = format!(
            "type A; function f(x: A): A; procedure main() {{ var x, y, z: A; {trace} l: goto l, e; e: assert x == y; }}"
        );
        let mut terms = Terms::new();
        let program = bplfront::compile("trace.bpl", &text, &mut terms).expect("it is Boogie").program;
        let Ok(automaton) = Automaton::new(&program, &mut terms) else { panic!("it has no calls") };
        let keep = Keep { depth: 1, only_live: false, lost: false };
        let precision = Precision { keep, splits: Vec::new(), pool: Pool::default() };
        let mut search = Search::new(&automaton, &precision);
        let _ = search.run(1000, &Budget::default());
        let head = automaton.heads[0];
        search
            .reached
            .iter()
            .filter(|reached| reached.loc == head)
            .map(|reached| search.states.get(reached.state).clone())
            .collect::<Vec<_>>()
    };
    let one = states("x := f(z); y := f(x); assume x != y; assume y != z;");
    let other = states("x := f(z); y := f(x); assume z != y; assume y != x;");
    assert_eq!(one, other);
}

/// Whether the program is proved with these refinements only.
fn is_proved(text: &str, allowed: Allowed) -> bool {
    let mut terms = Terms::new();
    let program = bplfront::compile("test.bpl", text, &mut terms).expect("it is Boogie").program;
    let Ok(mut automaton) = Automaton::new(&program, &mut terms) else { panic!("it has no calls") };
    let keep = Keep { depth: 0, only_live: true, lost: false };
    let mut precision = Precision { keep, splits: Vec::new(), pool: Pool::default() };
    let budget = Budget::default();
    for _ in 0..20 {
        let found = Search::new(&automaton, &precision).run(5000, &budget);
        let Ok(Found::Done { spurious }) = found else { return false };
        if spurious.is_empty() {
            return true;
        }
        if !matches!(refine(&mut automaton, &mut terms, &mut precision, &spurious, allowed, &budget), Ok(true)) {
            return false;
        }
    }
    false
}

#[test]
fn a_late_assumption_is_proved_by_splits_or_by_clauses_but_not_by_depth() {
    let text = "type A; function f(x: A): A; function g(x: A): A;
        procedure main() { var x, y, t, k, i, n: A; x := t; y := k;
        while (i != n) { x := f(x); y := f(y); i := g(i); } assume t == k; assert x == y; }";
    let none = Allowed { depth: false, splits: false, clauses: false };
    assert!(is_proved(text, Allowed { splits: true, ..none }));
    assert!(is_proved(text, Allowed { clauses: true, ..none }));
    assert!(!is_proved(text, Allowed { depth: true, ..none }));
}

#[test]
fn clauses_alone_do_not_prove_what_is_wrong() {
    let text = "type A; function f(x: A): A; function g(x: A): A;
        procedure main() { var x, y, t, k, i, n: A; x := t; y := k;
        while (i != n) { x := f(x); y := g(y); i := g(i); } assume t == k; assert x == y; }";
    assert!(!is_proved(text, Allowed { depth: false, splits: false, clauses: true }));
}
