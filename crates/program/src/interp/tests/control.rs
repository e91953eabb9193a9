//! Branches, switches, choices, calls, recursion, limits and traces.

use base::{Budget, Place};
use term::{Op, Term};

use super::super::{
    Event, Inputs, Limit, Limits, Machine, Origin, Outcome, Request, ScriptedInputs, Unclear, ZeroInputs, trace,
};
use super::{Line, result, run_with};
use crate::{Action, FunId, InputKind, Loc, Program, Shown, Undefined, Var};

#[test]
fn assignment_is_simultaneous() {
    let mut line = Line::new();
    let (x, y) = (line.local("x", 8), line.local("y", 8));
    line.set(x, 8, 1);
    line.set(y, 8, 2);
    let (tx, ty) = (line.term(x), line.term(y));
    line.action(Action::Assign(vec![(x, ty), (y, tx)]));
    let both = line.terms.concat(tx, ty);
    let z = line.local("z", 16);
    line.assign(z, both);
    assert_eq!(result(line.returning(z)), 0x0201);
}

#[test]
fn a_conditional_value_may_mention_its_own_target() {
    for condition in [0, 1] {
        let mut line = Line::new();
        let (x, y, c) = (line.local("x", 8), line.local("y", 8), line.local("c", 1));
        line.set(x, 8, 1);
        line.set(y, 8, 2);
        line.havoc(c);
        let (tx, ty, tc) = (line.term(x), line.term(y), line.term(c));
        let one = line.terms.bv(1, 1);
        let holds = line.terms.eq(tc, one);
        let value = line.terms.ite(holds, tx, ty);
        line.assign(x, value);
        let (program, terms) = line.returning(x);
        let mut inputs = ScriptedInputs::for_nondet(vec![condition]);
        let run = run_with(&program, &terms, &mut inputs, &Limits::default());
        assert_eq!(run.outcome, Outcome::Returned(Some(2 - condition)));
        assert_eq!((inputs.consumed(), inputs.missing()), (1, 0));
    }
}

/// A switch over an eight-bit input: each case assigns its number; the default assigns 99.
fn switch(cases: &[u64], default: fn(&mut Line, Term, &[Term]) -> Option<Term>) -> Line {
    let mut line = Line::new();
    let (x, y) = (line.local("x", 8), line.local("y", 8));
    line.havoc(x);
    let tx = line.term(x);
    let join = line.builder.location(line.main, None);
    let mut guards = Vec::new();
    for (number, &case) in cases.iter().enumerate() {
        let case = line.terms.bv(8, case);
        let guard = line.terms.eq(tx, case);
        guards.push(guard);
        let at = line.builder.location(line.main, None);
        line.builder.assume(line.at, at, guard, None);
        let value = line.terms.bv(8, number as u64);
        line.builder.assign(at, join, y, value, None);
    }
    if let Some(guard) = default(&mut line, tx, &guards) {
        let at = line.builder.location(line.main, None);
        line.builder.assume(line.at, at, guard, None);
        let value = line.terms.bv(8, 99);
        line.builder.assign(at, join, y, value, None);
    }
    line.at = join;
    line
}

#[test]
fn a_switch_goes_to_its_case_or_the_default_in_every_form() {
    let not_any = |line: &mut Line, _, guards: &[Term]| {
        let any = line.terms.or(guards);
        Some(line.terms.not(any))
    };
    let none_of_all = |line: &mut Line, _, guards: &[Term]| {
        let negated: Vec<Term> = guards.iter().map(|&guard| line.terms.not(guard)).collect();
        Some(line.terms.and(&negated))
    };
    for default in [not_any, none_of_all] {
        for cases in [&[0u64, 1, 2, 3][..], &[7, 100, 200, 3, 255, 90][..]] {
            let mut line = switch(cases, default);
            let y = line.builder.program().vars.ids().nth(1).expect("y is the second variable");
            let (program, terms) = { std::mem::replace(&mut line, Line::new()) }.returning(y);
            let mut machine = Machine::new(&program, &terms).expect("the program can be compiled");
            for value in 0..256u64 {
                let expected = cases.iter().position(|&case| case == value).unwrap_or(99) as u128;
                let mut inputs = ScriptedInputs::for_nondet(vec![value.into()]);
                let run = machine.run(&mut inputs, &Limits::default(), &Budget::default());
                assert_eq!(run.outcome, Outcome::Returned(Some(expected)), "value {value}");
                assert_eq!(run.n_inputs, 1, "no choice was needed");
            }
        }
    }
}

#[test]
fn without_a_default_an_unmatched_value_ends_the_run() {
    let line = switch(&[3, 4, 5], |_, _, _| None);
    let (y, at) = (line.builder.program().vars.ids().nth(1).expect("y"), line.at);
    let (program, terms) = line.returning(y);
    let run = run_with(&program, &terms, &mut ScriptedInputs::for_nondet(vec![9]), &Limits::default());
    assert!(matches!(run.outcome, Outcome::Blocked(loc) if loc != at));
    let run = run_with(&program, &terms, &mut ScriptedInputs::for_nondet(vec![4]), &Limits::default());
    assert_eq!(run.outcome, Outcome::Returned(Some(1)));
}

#[test]
fn overlapping_guards_are_a_choice_that_is_recorded_and_replayed() {
    let mut line = Line::new();
    let x = line.local("x", 8);
    let join = line.builder.location(line.main, None);
    for value in 0..3 {
        let value = line.terms.bv(8, value);
        line.builder.assign(line.at, join, x, value, None);
    }
    line.at = join;
    let (program, terms) = line.returning(x);
    for way in 0..3u128 {
        let run = run_with(&program, &terms, &mut ScriptedInputs::for_everything(vec![way]), &Limits::default());
        assert_eq!(run.outcome, Outcome::Returned(Some(way)));
        assert_eq!(run.inputs[0].origin, Origin::Choice(3));
        let again = run_with(&program, &terms, &mut ScriptedInputs::replay(&run.inputs), &Limits::default());
        assert_eq!(again.outcome, run.outcome);
    }
}

/// `f(n) = n == 0 ? 0 : n + f(n - 1)`, called with the input.
fn sum_by_recursion() -> (Program, term::Terms) {
    let mut line = Line::new();
    let int = line.bv(32);
    let f = line.builder.function("f", None);
    let n = line.builder.param(&mut line.terms, f, "n", int, Shown::Signed, None);
    let r = line.builder.local(&mut line.terms, f, "r", int, Shown::Signed, None);
    let s = line.builder.temp(&mut line.terms, f, "s", int, Shown::Signed);
    line.builder.set_result(f, r);
    let (tn, ts) = (line.term(n), line.term(s));
    let zero = line.terms.bv(32, 0);
    let one = line.terms.bv(32, 1);
    let (entry, exit) = (line.builder.entry_of(f), line.builder.exit_of(f));
    let (base, step, after) =
        (line.builder.location(f, None), line.builder.location(f, None), line.builder.location(f, None));
    let is_zero = line.terms.eq(tn, zero);
    let not_zero = line.terms.not(is_zero);
    line.builder.assume(entry, base, is_zero, None);
    line.builder.assume(entry, step, not_zero, None);
    line.builder.assign(base, exit, r, zero, None);
    let less = line.terms.bv_sub(tn, one);
    line.builder.edge(step, after, Action::Call { function: f, args: vec![less], result: Some(s) }, None);
    let sum = line.terms.bv_add(tn, ts);
    line.builder.assign(after, exit, r, sum, None);

    let (x, y) = (line.local("x", 32), line.local("y", 32));
    line.havoc(x);
    let tx = line.term(x);
    line.action(Action::Call { function: f, args: vec![tx], result: Some(y) });
    line.returning(y)
}

#[test]
fn recursion_keeps_the_variables_of_each_activation() {
    let (program, terms) = sum_by_recursion();
    for n in [0u64, 1, 2, 10, 100_000] {
        let mut inputs = ScriptedInputs::for_nondet(vec![n.into()]);
        let run = run_with(&program, &terms, &mut inputs, &Limits::default());
        let expected = (n * (n + 1) / 2) as u32;
        assert_eq!(run.outcome, Outcome::Returned(Some(expected.into())));
    }
}

#[test]
fn recursion_without_end_meets_the_limit_of_depth_or_memory() {
    let (program, terms) = sum_by_recursion();
    let limits = Limits { call_depth: 1000, ..Limits::default() };
    let run = run_with(&program, &terms, &mut ScriptedInputs::for_nondet(vec![0xffff_ffff]), &limits);
    assert_eq!(run.outcome, Outcome::Limit(Limit::CallDepth));
    let limits = Limits { memory: 10_000, ..Limits::default() };
    let run = run_with(&program, &terms, &mut ScriptedInputs::for_nondet(vec![0xffff_ffff]), &limits);
    assert_eq!(run.outcome, Outcome::Limit(Limit::Memory));
}

#[test]
fn mutual_recursion_with_swapped_arguments_is_right() {
    // even(a, b) = a == 0 ? b : odd(b, a - 1);  odd(a, b) = even(b, a): terms over both parameters.
    let mut line = Line::new();
    let int = line.bv(8);
    let make = |line: &mut Line, name: &str| -> (FunId, Var, Var, Var) {
        let f = line.builder.function(name, None);
        let a = line.builder.param(&mut line.terms, f, "a", int, Shown::Unsigned, None);
        let b = line.builder.param(&mut line.terms, f, "b", int, Shown::Unsigned, None);
        let r = line.builder.local(&mut line.terms, f, "r", int, Shown::Unsigned, None);
        line.builder.set_result(f, r);
        (f, a, b, r)
    };
    let (even, a, b, r) = make(&mut line, "even");
    let (odd, c, d, q) = make(&mut line, "odd");
    let (ta, tb, tc, td) = (line.term(a), line.term(b), line.term(c), line.term(d));
    let zero = line.terms.bv(8, 0);
    let one = line.terms.bv(8, 1);
    let is_zero = line.terms.eq(ta, zero);
    let not_zero = line.terms.not(is_zero);
    let less = line.terms.bv_sub(ta, one);
    let (entry, exit) = (line.builder.entry_of(even), line.builder.exit_of(even));
    let (base, step) = (line.builder.location(even, None), line.builder.location(even, None));
    line.builder.assume(entry, base, is_zero, None);
    line.builder.assume(entry, step, not_zero, None);
    line.builder.assign(base, exit, r, tb, None);
    line.builder.edge(step, exit, Action::Call { function: odd, args: vec![tb, less], result: Some(r) }, None);
    let (entry, exit) = (line.builder.entry_of(odd), line.builder.exit_of(odd));
    line.builder.edge(entry, exit, Action::Call { function: even, args: vec![td, tc], result: Some(q) }, None);

    let (x, y) = (line.local("x", 8), line.local("y", 8));
    line.set(x, 8, 5);
    let tx = line.term(x);
    let seven = line.terms.bv(8, 7);
    line.action(Action::Call { function: even, args: vec![tx, seven], result: Some(y) });
    // even(5,7) -> odd(7,4) -> even(4,7) -> … -> even(0,7) = 7, and x is still 5.
    let both = line.terms.concat(tx, line.builder.term(y));
    let z = line.local("z", 16);
    line.assign(z, both);
    assert_eq!(result(line.returning(z)), 0x0507);
}

/// `while (i < n) { i++; s += i; }` with `n` from the input.
pub(super) fn counting_loop() -> (Program, term::Terms) {
    let mut line = Line::new();
    let (n, i, s) = (line.local("n", 32), line.local("i", 32), line.local("s", 32));
    line.havoc(n);
    line.set(i, 32, 0);
    line.set(s, 32, 0);
    let (tn, ti, ts) = (line.term(n), line.term(i), line.term(s));
    let head = line.at;
    let (body, middle, done) = (
        line.builder.location(line.main, None),
        line.builder.location(line.main, None),
        line.builder.location(line.main, None),
    );
    let less = line.terms.bv_slt(ti, tn);
    let not_less = line.terms.not(less);
    line.builder.assume(head, body, less, None);
    line.builder.assume(head, done, not_less, None);
    let one = line.terms.bv(32, 1);
    let next = line.terms.bv_add(ti, one);
    line.builder.assign(body, middle, i, next, None);
    let sum = line.terms.bv_add(ts, ti);
    line.builder.assign(middle, head, s, sum, None);
    line.at = done;
    line.returning(s)
}

#[test]
fn edges_are_counted_exactly() {
    let (program, terms) = counting_loop();
    for n in [0u64, 1, 5, 100_000] {
        let run = run_with(&program, &terms, &mut ScriptedInputs::for_nondet(vec![n.into()]), &Limits::default());
        assert_eq!(run.outcome, Outcome::Returned(Some(((n * (n + 1) / 2) as u32).into())));
        // Three assignments at the start, three edges a round, the exit from the loop, the last step.
        assert_eq!(run.edges, 3 + 3 * n + 1 + 1);
    }
}

#[test]
fn a_long_run_meets_its_limits_and_the_flag() {
    let (program, terms) = counting_loop();
    let mut machine = Machine::new(&program, &terms).expect("the program can be compiled");
    let inputs = || ScriptedInputs::for_nondet(vec![0x7fff_ffff]);
    let limits = Limits { edges: 100_000, ..Limits::default() };
    let run = machine.run(&mut inputs(), &limits, &Budget::default());
    assert_eq!(run.outcome, Outcome::Limit(Limit::Edges));
    assert!((100_000..100_010).contains(&run.edges), "{}", run.edges);
    let flag = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let budget = Budget::ticks(50_000, flag.clone());
    let run = machine.run(&mut inputs(), &Limits::default(), &budget);
    assert_eq!(run.outcome, Outcome::Limit(Limit::Ticks));
    flag.store(true, std::sync::atomic::Ordering::Relaxed);
    let run = machine.run(&mut inputs(), &Limits::default(), &Budget::unlimited(flag));
    assert_eq!(run.outcome, Outcome::Cancelled);
}

#[test]
fn an_empty_loop_does_not_hang() {
    let mut line = Line::new();
    let x = line.local("x", 8);
    line.set(x, 8, 0);
    let stay = line.terms.truth(true);
    let at = line.at;
    line.builder.assume(at, at, stay, None);
    line.at = line.builder.location(line.main, None);
    let (program, terms) = line.returning(x);
    let limits = Limits { edges: 1000, ..Limits::default() };
    assert_eq!(run_with(&program, &terms, &mut ZeroInputs, &limits).outcome, Outcome::Limit(Limit::Edges));
}

#[test]
fn a_failing_check_is_remembered_and_the_run_goes_on() {
    let mut line = Line::new();
    let file = line.builder.file("test.c");
    let (x, y) = (line.local("x", 8), line.local("y", 8));
    line.havoc(y);
    let ty = line.term(y);
    let zero = line.terms.bv(8, 0);
    let is_zero = line.terms.eq(ty, zero);
    let holds = line.terms.not(is_zero);
    let place = Some(Place { file, line: 7, column: 3 });
    for what in [Undefined::DivisionByZero, Undefined::SignedOverflow] {
        let next = line.builder.location(line.main, None);
        line.builder.check(line.at, next, what, holds, place);
        line.at = next;
    }
    let ten = line.terms.bv(8, 10);
    let quotient = line.terms.bv_udiv(ten, ty);
    line.assign(x, quotient);
    let (program, terms) = line.returning(x);
    let run = run_with(&program, &terms, &mut ZeroInputs, &Limits::default());
    assert_eq!(run.outcome, Outcome::Returned(Some(255)));
    let undefined = run.undefined.expect("the division is undefined");
    assert_eq!(undefined.what, Unclear::Operation(Undefined::DivisionByZero));
    assert_eq!(undefined.place, place);
    let run = run_with(&program, &terms, &mut ScriptedInputs::for_nondet(vec![5]), &Limits::default());
    assert_eq!((run.outcome, run.undefined), (Outcome::Returned(Some(2)), None));
}

#[test]
fn an_error_location_names_its_assertion() {
    let mut line = Line::new();
    let x = line.local("x", 8);
    line.set(x, 8, 0);
    line.builder.assertion("first", None);
    let second = line.builder.assertion("second", None);
    let error = line.builder.error_location(line.main, second);
    let tx = line.term(x);
    let zero = line.terms.bv(8, 0);
    let is_zero = line.terms.eq(tx, zero);
    let not_zero = line.terms.not(is_zero);
    line.builder.assume(line.at, error, is_zero, None);
    let next = line.builder.location(line.main, None);
    line.builder.assume(line.at, next, not_zero, None);
    line.at = next;
    let (program, terms) = line.returning(x);
    let run = run_with(&program, &terms, &mut ZeroInputs, &Limits::default());
    assert_eq!(run.outcome, Outcome::Error(second));
}

#[test]
fn what_cannot_be_executed_is_refused_only_when_it_is_reached() {
    let mut line = Line::new();
    let file = line.builder.file("test.c");
    let place = Some(Place { file, line: 4, column: 1 });
    let x = line.local("x", 8);
    line.havoc(x);
    let tx = line.term(x);
    let int = line.bv(8);
    let wide = line.bv(200);
    let f = line.terms.declare("mystery", &[wide], int).expect("a fresh name");
    let extended = line.terms.zero_extend_to(tx, 200);
    let strange = line.terms.apply(f, &[extended]);
    let zero = line.terms.bv(8, 0);
    let is_zero = line.terms.eq(tx, zero);
    let not_zero = line.terms.not(is_zero);
    let (here, there) = (line.builder.location(line.main, None), line.builder.location(line.main, None));
    line.builder.assume(line.at, here, is_zero, None);
    line.builder.assume(line.at, there, not_zero, None);
    line.builder.assign(here, there, x, strange, place);
    line.at = there;
    let (program, terms) = line.returning(x);
    let run = run_with(&program, &terms, &mut ScriptedInputs::for_nondet(vec![5]), &Limits::default());
    assert_eq!(run.outcome, Outcome::Returned(Some(5)));
    let run = run_with(&program, &terms, &mut ZeroInputs, &Limits::default());
    let what = "the uninterpreted function mystery over this sort".to_owned();
    assert_eq!(run.outcome, Outcome::Unsupported { what, place });
}

#[test]
fn the_supplier_says_what_an_uninterpreted_function_gives() {
    struct Table;
    impl Inputs for Table {
        fn value(&mut self, _: &Request<'_>) -> u128 {
            3
        }
        fn choose(&mut self, _: usize) -> usize {
            0
        }
        fn apply(&mut self, function: &str, args: &[u128]) -> u128 {
            assert_eq!(function, "f");
            args[0] * 10 + args[1] + 256
        }
    }
    let mut line = Line::new();
    let sort = line.terms.sort(term::SortKind::Uninterpreted("A".to_owned()));
    let (a, x) = (line.local_of("a", sort), line.local("x", 8));
    line.havoc(a);
    line.havoc(x);
    let (ta, tx, byte) = (line.term(a), line.term(x), line.bv(8));
    let f = line.terms.declare("f", &[sort, byte], byte).expect("a fresh name");
    let once = line.terms.apply(f, &[ta, tx]);
    let twice = line.terms.apply(f, &[ta, once]);
    line.assign(x, twice);
    let (program, terms) = line.returning(x);
    let run = run_with(&program, &terms, &mut Table, &Limits::default());
    assert_eq!(run.outcome, Outcome::Returned(Some(30 + 33)));
    let run = run_with(&program, &terms, &mut ZeroInputs, &Limits::default());
    assert_eq!(run.outcome, Outcome::Returned(Some(0)));
}

#[test]
fn what_a_guard_computed_on_one_way_is_not_used_on_the_other() {
    // (a or x + y = 3) and x + y = 5: when `a` holds, the sum is first needed on the right.
    let mut line = Line::with(term::Terms::without_simplification(), 64);
    let sort = line.terms.bool_sort();
    let a = line.local_of("a", sort);
    let (x, y) = (line.local("x", 8), line.local("y", 8));
    for var in [a, x, y] {
        line.havoc(var);
    }
    let sum = line.terms.bv_add(line.builder.term(x), line.builder.term(y));
    let (three, five) = (line.terms.bv(8, 3), line.terms.bv(8, 5));
    let (is_three, is_five) = (line.terms.eq(sum, three), line.terms.eq(sum, five));
    let either = line.terms.make(Op::Or, &[line.builder.term(a), is_three]);
    let guard = line.terms.make(Op::And, &[either, is_five]);
    line.action(Action::Assume(guard));
    let (program, terms) = line.returning(x);
    let run = run_with(&program, &terms, &mut ScriptedInputs::for_nondet(vec![1, 2, 3]), &Limits::default());
    assert_eq!(run.outcome, Outcome::Returned(Some(2)));
}

#[test]
fn a_guard_with_shared_parts_does_not_explode() {
    // g(k+1) = (g(k) and a) or (not g(k) and b): without care, 2^60 jumps.
    let mut line = Line::with(term::Terms::without_simplification(), 64);
    let sort = line.terms.bool_sort();
    let (a, b, x) = (line.local_of("a", sort), line.local_of("b", sort), line.local_of("x", sort));
    line.havoc(a);
    line.havoc(b);
    let (ta, tb) = (line.term(a), line.term(b));
    let mut guard = ta;
    for _ in 0..60 {
        let left = line.terms.make(Op::And, &[guard, ta]);
        let not = line.terms.make(Op::Not, &[guard]);
        let right = line.terms.make(Op::And, &[not, tb]);
        guard = line.terms.make(Op::Or, &[left, right]);
    }
    line.action(Action::Assume(guard));
    line.assign(x, ta);
    let (program, terms) = line.returning(x);
    let mut machine = Machine::new(&program, &terms).expect("the program can be compiled");
    assert!(machine.n_instructions() < 20_000);
    // With a = b = 1 the guard is 1 throughout; with a = 1, b = 0 as well.
    for b in [0, 1] {
        let run = machine.run(&mut ScriptedInputs::for_nondet(vec![1, b]), &Limits::default(), &Budget::default());
        assert_eq!(run.outcome, Outcome::Returned(Some(1)));
    }
    let run = machine.run(&mut ScriptedInputs::for_nondet(vec![0, 0]), &Limits::default(), &Budget::default());
    assert!(matches!(run.outcome, Outcome::Blocked(_)));
}

#[test]
fn a_trace_shows_the_run_in_source_terms() {
    let (program, terms) = sum_by_recursion();
    let mut inputs = ScriptedInputs::for_nondet(vec![1]);
    let (run, trace) =
        trace(&program, &terms, &mut inputs, &Limits::default(), &Budget::default(), 100).expect("it compiles");
    assert_eq!(run.outcome, Outcome::Returned(Some(1)));
    let events: Vec<String> = trace
        .first
        .iter()
        .map(|step| match &step.event {
            Event::Received { value, .. } => format!("received {value}"),
            Event::Assigned { var, value } => format!("{} = {value}", program.vars[*var].name),
            Event::Stored { offset, value, .. } => format!("[{offset}] = {value}"),
            Event::Loaded { from, value, .. } => format!("{from}: {value}"),
            Event::Freed { value } => format!("frees {value}"),
            Event::Branched { .. } => "branch".to_owned(),
            Event::Called { function, args } => format!("{}({})", program.functions[*function].name, args.join(", ")),
            Event::Returned { value, .. } => format!("return {}", value.clone().unwrap_or_default()),
        })
        .collect();
    let expected = [
        "received 1",
        "x = 1",
        "f(1)",
        "branch",
        "f(0)",
        "branch",
        "r = 0",
        "return 0",
        "r = 1",
        "return 1",
        "y = 1",
        "return 1",
    ];
    assert_eq!(events, expected);
}

#[test]
fn a_trace_names_the_object_and_offset_of_a_store() {
    let mut line = Line::new();
    let object = line.builder.static_object(&mut line.terms, "table", 16, 4, vec![], None);
    let base = line.builder.term(line.builder.address_of(object));
    let eight = line.terms.bv(64, 8);
    let address = line.terms.bv_add(base, eight);
    let value = line.terms.bv(32, 0xffff_fffe);
    line.action(Action::Store { address, value });
    let x = line.local("x", 32);
    line.action(Action::Load { var: x, address });
    let (program, terms) = line.returning(x);
    let (_, trace) =
        trace(&program, &terms, &mut ZeroInputs, &Limits::default(), &Budget::default(), 9).expect("it compiles");
    let expected =
        Event::Stored {
            object: Some(object), offset: 8, to: "bytes 8–11 of table".to_owned(), value: "-2".to_owned()
        };
    assert_eq!(trace.first[0].event, expected);
    assert_eq!(trace.first[1].event, Event::Assigned { var: x, value: "-2".to_owned() });
}

#[test]
fn a_loop_over_something_that_cannot_be_executed_is_refused() {
    // The guard of the loop is an unknown symbol; it is met first at the head, then at the end.
    let mut line = Line::new();
    let x = line.local("x", 8);
    line.set(x, 8, 0);
    let sort = line.terms.bool_sort();
    let strange = line.terms.variable("strange", sort);
    let not = line.terms.not(strange);
    let head = line.at;
    let body = line.builder.location(line.main, None);
    line.builder.assume(head, body, strange, None);
    let tx = line.term(x);
    line.builder.assign(body, head, x, tx, None);
    let exit = line.builder.exit_of(line.main);
    line.builder.assume(head, exit, not, None);
    line.builder.set_result(line.main, x);
    let program = line.builder.finish(line.main);
    let run = run_with(&program, &line.terms, &mut ZeroInputs, &Limits::default());
    assert!(matches!(run.outcome, Outcome::Unsupported { .. }));
}

#[test]
fn a_long_trace_keeps_its_ends() {
    let (program, terms) = counting_loop();
    let mut inputs = ScriptedInputs::for_nondet(vec![1000]);
    let (run, trace) =
        trace(&program, &terms, &mut inputs, &Limits::default(), &Budget::default(), 10).expect("it compiles");
    assert_eq!((trace.first.len(), trace.last.len()), (10, 10));
    assert!(trace.n_skipped > 2900);
    assert_eq!(run.edges, 3 + 3000 + 2, "tracing does not change the count");
}

/// Counts how often it is asked.
struct Asked(u32);
impl Inputs for Asked {
    fn value(&mut self, request: &Request<'_>) -> u128 {
        assert!(matches!(request.info.map(|info| &info.kind), Some(InputKind::External(name)) if name == "read"));
        self.0 += 1;
        5
    }
    fn choose(&mut self, _: usize) -> usize {
        0
    }
}

#[test]
fn a_value_of_an_external_function_is_reported() {
    let mut line = Line::new();
    let x = line.local("x", 8);
    let input = line.builder.input(InputKind::External("read".to_owned()), Shown::Signed, None);
    line.action(Action::Havoc { var: x, input });
    let (program, terms) = line.returning(x);
    let mut inputs = Asked(0);
    let run = run_with(&program, &terms, &mut inputs, &Limits::default());
    assert!(run.external && inputs.0 == 1);
    assert_eq!(run.outcome, Outcome::Returned(Some(5)));
}

#[test]
fn a_failed_assumption_blocks_at_its_source() {
    let mut line = Line::new();
    let x = line.local("x", 8);
    line.havoc(x);
    let tx = line.term(x);
    let five = line.terms.bv(8, 5);
    let equal = line.terms.eq(tx, five);
    let at: Loc = line.at;
    line.action(Action::Assume(equal));
    let (program, terms) = line.returning(x);
    let run = run_with(&program, &terms, &mut ZeroInputs, &Limits::default());
    assert_eq!(run.outcome, Outcome::Blocked(at));
}
