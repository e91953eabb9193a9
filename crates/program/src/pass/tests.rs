//! Passes on small programs, text in and text out; and on random ones, which must stay lawful.

use base::Id;
use term::Terms;

use super::*;
use crate::random_program::random_program;
use crate::structure::{Digraph, WeakOrder};
use crate::{Action, AssertionId, Graph, Mark, text, validate};

/// The program of the text with this body of `main`, and other functions.
fn read(terms: &mut Terms, head: &str, body: &str, functions: &str) -> Program {
    let text = format!(
        "cfa 1\npointer 32\nentry main\n\nassertion 1 \"one\"\nassertion 2 \"two\"\n\
         input i0 nondet \"n\" signed\ninput i1 uninitialised \"o\" plain\n\n{head}\n\
         function main () entry L0 exit L1 {{\n{body}\n}}\n\n{functions}\n"
    );
    let program = match text::parse("test.cfa", &text, terms) {
        Ok(program) => program,
        Err(found) => panic!("{found:#?}\n{text}"),
    };
    assert_eq!(validate(&program, terms), Ok(()), "{text}");
    program
}

/// The edges of the entry function after a pass, one in a line, without the empty ones.
fn edges(program: &Program, terms: &Terms) -> String {
    assert_eq!(validate(program, terms), Ok(()));
    let text = text::print(program, terms);
    let mut shown = Vec::new();
    for line in text.lines().skip_while(|line| !line.starts_with("function main")).skip(1) {
        if line == "}" {
            break;
        }
        let line = line.trim();
        if line.contains(" -> ") && !line.contains("assume true ->") && !line.contains("assign -> ") {
            let mut words = line.split(' ');
            if line.starts_with('#') {
                words.next();
            }
            let words: Vec<&str> = words.take_while(|&word| word != "->").collect();
            shown.push(words.join(" ").replace("@1", ""));
        }
    }
    shown.sort();
    shown.join("\n")
}

fn check(pass: all::Pass, head: &str, body: &str, expected: &str) -> (Program, BackMap, Terms) {
    let mut terms = Terms::new();
    let program = read(&mut terms, head, body, "");
    let (program, map) = pass(program, &mut terms);
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(edges(&program, &terms), expected.join("\n"));
    (program, map, terms)
}

fn facts(map: &BackMap, terms: &Terms) -> Vec<String> {
    map.facts.iter().map(|(point, fact)| format!("{:?}: {}", point.loc, terms.to_smtlib(*fact))).collect()
}

const INC: &str = "function inc (inc.p) -> inc.r entry LA exit LB {
  param inc.p (_ BitVec 32) signed
  temp inc.r (_ BitVec 32) signed
  at LA
    assign inc.r := (bvadd inc.p #x00000001) -> LB
  at LB
}";

/// The function with its two locations at these numbers.
fn placed(function: &str, first: u32) -> String {
    function.replace("LA", &format!("L{first}")).replace("LB", &format!("L{}", first + 1))
}

#[test]
fn each_call_gets_its_own_copy_and_the_map_names_the_frames() {
    let mut terms = Terms::new();
    let body = "  local main.x (_ BitVec 32) signed
  at L0
    call main.x := inc (#x00000005) -> L2
  at L1
  at L2
    call main.x := inc (main.x) -> L1";
    let program = read(&mut terms, "", body, &placed(INC, 3));
    let inlined = inline(program, &mut terms, &InlineOptions::default()).expect("there is no recursion");
    assert_eq!(
        edges(&inlined.program, &terms),
        "assign main.x := |inc.r@2|\nassign main.x := |inc.r|\nassign |inc.p@2| := main.x\n\
         assign |inc.p| := #x00000005\nassign |inc.r@2| := (bvadd |inc.p@2| #x00000001)\n\
         assign |inc.r| := (bvadd |inc.p| #x00000001)"
    );
    let of = |name: &str| {
        let var = inlined.program.vars.ids().find(|&var| inlined.program.vars[var].name == name).expect("it exists");
        inlined.map.instances[var].clone()
    };
    let (first, second) = (of("inc.p@1"), of("inc.p@2"));
    assert_eq!((first.frame.0.len(), second.frame.0.len()), (1, 1));
    assert_eq!(first.storage, second.storage);
    assert_ne!(first.frame, second.frame);
    assert!(inlined.program.edges.iter().all(|edge| !matches!(edge.action, Action::Call { .. })));
}

const DOWN: &str = "function down (down.n) entry LA exit LB {
  param down.n (_ BitVec 32) signed
  at LA
    call down ((bvadd down.n #xffffffff)) -> LB
    assume true -> LB
  at LB
}";

#[test]
fn recursion_is_refused_by_name_or_cut_at_a_bound() {
    let mut terms = Terms::new();
    let program = read(&mut terms, "", "  at L0\n    call down (#x00000003) -> L1\n  at L1", &placed(DOWN, 2));
    let refused = inline(program.clone(), &mut terms, &InlineOptions::default()).expect_err("down calls itself");
    assert_eq!(refused.what, "recursion of down");
    let bounded = InlineOptions { recursion: Some(3), ..InlineOptions::default() };
    let inlined = inline(program, &mut terms, &bounded).expect("the bound ends it");
    assert_eq!(inlined.cut_calls.len(), 1);
    assert_eq!(inlined.cut_calls[0].0.frame.0.len(), 3);
    assert_eq!(validate(&inlined.program, &terms), Ok(()));
}

#[test]
fn a_program_that_grows_too_large_is_refused() {
    let mut terms = Terms::new();
    let mut functions = String::new();
    for level in 0..40 {
        let (entry, exit, middle) = (100 + 3 * level, 101 + 3 * level, 102 + 3 * level);
        let callee = if level == 39 { "assume true".to_owned() } else { format!("call f{} ()", level + 1) };
        functions += &format!(
            "function f{level} () entry L{entry} exit L{exit} {{\n  at L{entry}\n    {callee} -> L{middle}\n  \
             at L{exit}\n  at L{middle}\n    {callee} -> L{exit}\n}}\n\n"
        );
    }
    let body = "  at L0\n    call f0 () -> L1\n  at L1";
    let text =
        format!("cfa 1\npointer 32\nentry main\n\nfunction main () entry L0 exit L1 {{\n{body}\n}}\n\n{functions}");
    // The reader wants locations without gaps; numbers are those of the order of appearance.
    let text = renumbered(&text);
    let program = text::parse("test.cfa", &text, &mut terms).unwrap_or_else(|found| panic!("{found:#?}\n{text}"));
    let refused = inline(program, &mut terms, &InlineOptions { max_edges: 10_000, ..InlineOptions::default() });
    assert_eq!(refused.expect_err("two to the fortieth").what, "a program of more than 10000 edges after inlining");
}

/// Locations in the order of their first appearance.
fn renumbered(text: &str) -> String {
    let mut known: Vec<String> = Vec::new();
    text.lines()
        .map(|line| {
            let words: Vec<String> = line
                .split(' ')
                .map(|word| match word.strip_prefix('L').filter(|rest| rest.parse::<u32>().is_ok()) {
                    Some(number) => {
                        let place = known.iter().position(|other| other == number).unwrap_or_else(|| {
                            known.push(number.to_owned());
                            known.len() - 1
                        });
                        format!("L{place}")
                    }
                    None => word.to_owned(),
                })
                .collect();
            words.join(" ")
        })
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn an_object_whose_address_outlives_its_activation_is_freed() {
    let mut terms = Terms::new();
    let leak = "function leak () entry L4 exit L5 {
  address leak.&x (_ BitVec 32) pointer of o0
  object o0 \"x\" size 4 align 4
  at L4
    assign g := leak.&x -> L5
  at L5
}";
    let body = "  local main.y (_ BitVec 32) signed
  at L0
    call leak () -> L2
  at L1
  at L2
    load main.y at g -> L3
  at L3 error 1";
    let program = read(&mut terms, "global g (_ BitVec 32) pointer\n", body, leak);
    let inlined = inline(program, &mut terms, &InlineOptions::default()).expect("there is no recursion");
    let text = edges(&inlined.program, &terms);
    assert!(text.contains("alloc") && text.contains("free"), "{text}");
}

#[test]
fn constants_reach_conditions_and_close_edges() {
    let (_, map, terms) = check(
        copies::copies,
        "",
        "  local main.x (_ BitVec 32) signed
  local main.i (_ BitVec 32) signed
  at L0
    assign main.x := #x00000001 -> L2
  at L1
  at L2
    assign main.i := #x00000000 -> L3
  at L3 loop
    assume (= main.x #x00000002) -> L4
    assume (not (= main.x #x00000002)) -> L5
  at L4 error 1
  at L5
    assign main.i := (bvadd main.i main.x) -> L3",
        "assign main.i := #x00000000
         assign main.i := (bvadd main.i #x00000001)
         assign main.x := #x00000001
         assume false",
    );
    assert_eq!(facts(&map, &terms), ["Loc3: (= main.x #x00000001)"]);
}

#[test]
fn a_pointer_to_a_known_object_is_followed() {
    check(
        copies::copies,
        "",
        "  local main.p (_ BitVec 32) pointer
  local main.y (_ BitVec 32) signed
  address main.&o (_ BitVec 32) pointer of o0
  object o0 \"o\" size 8 align 4
  at L0
    assign main.p := (bvadd main.&o #x00000004) -> L2
  at L1
  at L2
    load main.y at main.p -> L3
  at L3
    assume (= main.y #x00000000) -> L4
  at L4 error 1",
        "assign main.p := (bvadd main.&o #x00000004)
         assume (= main.y #x00000000)
         load main.y at (bvadd main.&o #x00000004)",
    );
}

#[test]
fn a_copy_ends_when_its_source_changes() {
    check(
        copies::copies,
        "",
        "  local main.x (_ BitVec 32) signed
  local main.y (_ BitVec 32) signed
  at L0
    havoc main.x from i0 -> L2
  at L1
  at L2
    assign main.y := main.x -> L3
  at L3
    assume (bvslt main.y #x00000009) -> L4
  at L4
    assign main.x := (bvadd main.y #x00000001) -> L5
  at L5
    assume (= main.y main.x) -> L6
  at L6 error 1",
        "assign main.x := (bvadd main.x #x00000001)
         assign main.y := main.x
         assume (= main.x main.y)
         assume (bvslt main.x #x00000009)
         havoc main.x from i0",
    );
}

#[test]
fn dead_loops_leave_a_cutpoint_each() {
    let (program, map, terms) = check(
        dead::dead,
        "",
        "  local main.x (_ BitVec 32) signed
  at L0
    havoc main.x from i0 -> L2
  at L1
  at L2
    assume (= main.x #x00000001) -> L3
    assume (= main.x #x00000002) -> L4
    assume false -> L5
  at L3 error 1
  at L4 loop
    assume true -> L6
  at L5 loop
    assume true -> L7
  at L6
    assume true -> L4
  at L7
    assume true -> L5",
        "assume (= main.x #x00000001)
         havoc main.x from i0",
    );
    assert_eq!(facts(&map, &terms), ["Loc5: false"]);
    let cuts: Vec<usize> = map.cuts.iter().map(|point| point.loc.index()).collect();
    assert_eq!(cuts, [4, 5]);
    assert!(program.locations.len() < 8);
}

#[test]
fn a_closed_edge_stays_where_it_closes_a_cycle() {
    let body = "  at L0
    assume true -> L2
  at L1
  at L2 loop
    assume true -> L3
    assume false -> L1
  at L3
    assume false -> L2
    assume true -> L4
  at L4 error 1";
    let (program, map, _) = check(dead::dead, "", body, "assume false");
    let edges = program.edges.iter().map(|edge| (edge.from.index(), edge.to.index()));
    let order = WeakOrder::new(&Digraph::new(program.locations.len(), edges), shape::entry_of(&program).index());
    assert_eq!(order.heads().count(), 1);
    assert!(map.cuts.is_empty());
}

#[test]
fn an_input_is_dropped_everywhere_or_nowhere() {
    let body = |second: &str| {
        format!(
            "  local main.x (_ BitVec 32) signed
  local main.y (_ BitVec 32) signed
  at L0
    havoc main.x from i0 -> L2
  at L1
  at L2
    havoc main.y from i0 -> L3
  at L3
    assume {second} -> L4
  at L4 error 1"
        )
    };
    let both = "assume (= main.y #x00000001)\nhavoc main.x from i0\nhavoc main.y from i0";
    check(dead::dead, "", &body("(= main.y #x00000001)"), both);
    check(slice::slice, "", &body("(= main.y #x00000001)"), both);
    check(dead::dead, "", &body("true"), "");
}

#[test]
fn liveness_ends_at_the_last_read() {
    let mut terms = Terms::new();
    let body = "  local main.x (_ BitVec 32) signed
  local main.y (_ BitVec 32) signed
  at L0
    assign main.x := #x00000001 -> L2
  at L1
  at L2
    assign main.y := main.x -> L3
  at L3
    assume (= main.y #x00000001) -> L4
  at L4 error 1";
    let program = read(&mut terms, "", body, "");
    let live = Liveness::new(&program, &terms, &Graph::new(&program), |_| true);
    let names =
        |loc: usize| -> Vec<&str> { live.at(Loc::new(loc)).map(|var| program.vars[var].name.as_str()).collect() };
    assert_eq!((names(0), names(2), names(3), names(4)), (vec![], vec!["x"], vec!["y"], vec![]));
}

const OBJECT: &str = "  local main.x (_ BitVec 32) signed
  local main.b (_ BitVec 8) signed
  address main.&o (_ BitVec 32) pointer of o0
  object o0 \"o\" size 8 align 4";

#[test]
fn members_become_variables_and_bytes_of_them_slices() {
    let (program, map, _) = check(
        scalars::scalars,
        "",
        &format!(
            "{OBJECT}
  at L0
    forget main.&o size #x00000008 from i1 -> L2
  at L1
  at L2
    store #x00000007 at (bvadd main.&o #x00000004) -> L3
  at L3
    load main.x at (bvadd main.&o #x00000004) -> L4
  at L4
    load main.b at (bvadd main.&o #x00000001) -> L5
  at L5
    load main.x at main.&o -> L6
  at L6
    load main.x at (bvadd main.&o #x00000006) -> L7
  at L7 error 1"
        ),
        "assign main.b := ((_ extract 15 8) o.0)
         assign main.x := o.0
         assign main.x := o.4
         assign o.4 := #x00000007
         havoc any from i1
         havoc main.x from i4
         havoc o.0 from i2
         havoc o.0 from i5
         havoc o.4 from i3
         havoc o.4 from i6",
    );
    let named = |name: &str| program.vars.ids().find(|&var| program.vars[var].name == name).expect("it exists");
    let object = ObjectId::new(0);
    assert_eq!(map.instances[named("o.4")].storage, Storage::Bytes { object, offset: 4, size: 4 });
    let source = |input: usize| map.inputs[InputId::new(input)];
    assert_eq!(source(3), Source { input: Some(InputId::new(1)), offset: Some(4) });
    assert_eq!(source(4), Source { input: None, offset: None });
}

#[test]
fn an_index_makes_an_array_that_is_guarded() {
    check(
        scalars::scalars,
        "global i (_ BitVec 32) unsigned\naddress &t (_ BitVec 32) pointer of o0\n\
         object o0 \"t\" size 8 align 4 init (01000000)\n",
        "  local main.x (_ BitVec 32) signed
  at L0
    store #x00000009 at (bvadd &t (bvmul i #x00000004)) -> L2
  at L1
  at L2
    load main.x at &t -> L3
  at L3
    load main.x at (bvadd &t (bvmul i #x00000004)) -> L4
  at L4 error 1",
        "assign main.x := (ite (bvult (bvmul i #x00000004) #x00000005) (select t (bvmul i #x00000004)) any)
         assign main.x := (select t #x00000000)
         assign t := (ite (bvult (bvmul i #x00000004) #x00000005) (store t (bvmul i #x00000004) #x00000009) t)
         assign t := (store ((as const (Array (_ BitVec 32) (_ BitVec 32))) #x00000000) #x00000000 #x00000001)
         havoc any from i2",
    );
}

#[test]
fn an_object_whose_address_gets_about_stays_in_memory() {
    let kept = "assign main.x := main.&o\nload main.b at main.x\nstore #x00000007 at main.&o";
    check(
        scalars::scalars,
        "",
        &format!(
            "{OBJECT}
  at L0
    assign main.x := main.&o -> L2
  at L1
  at L2
    store #x00000007 at main.&o -> L3
  at L3
    load main.b at main.x -> L4
  at L4 error 1"
        ),
        kept,
    );
}

#[test]
fn a_slice_keeps_what_the_error_depends_on_and_the_shape_of_the_rest() {
    let (program, _, _) = check(
        slice::slice,
        "",
        "  local main.i (_ BitVec 32) signed
  local main.x (_ BitVec 32) signed
  local main.y (_ BitVec 32) signed
  at L0
    assign main.i := #x00000000, main.y := #x00000000 -> L2
  at L1
  at L2
    havoc main.x from i0 -> L3
  at L3
    assume (bvslt main.x #x00000005) -> L4
  at L4 loop
    assume (bvslt main.i #x0000000a) -> L5
    assume (not (bvslt main.i #x0000000a)) -> L6
  at L5
    assign main.i := (bvadd main.i #x00000001) -> L4
  at L6
    assume (= main.y #x00000000) -> L7
    assume (not (= main.y #x00000000)) -> L8
  at L7
    assign main.y := #x00000005 -> L9
  at L8
    assume true -> L9
  at L9
    assume (= main.x #x00000003) -> L10
  at L10 error 1",
        "assume (= main.x #x00000003)
         assume (bvslt main.x #x00000005)
         havoc main.x from i0",
    );
    assert_eq!(program.edges.len(), 11);
}

#[test]
fn empty_steps_and_assignments_in_a_row_are_contracted_but_no_loop() {
    let (program, map, _) = check(
        contract::contract,
        "",
        "  local main.x (_ BitVec 32) signed
  local main.y (_ BitVec 32) signed
  at L0
    assume true -> L2
  at L1
  at L2
    assign main.x := #x00000001 -> L3
  at L3
    assign main.y := (bvadd main.x #x00000002) -> L4
  at L4 loop
    assume true -> L5
    assume (= main.y #x00000001) -> L6
  at L5
    assume true -> L4
  at L6 error 1",
        "assign main.x := #x00000001, main.y := #x00000003
         assume (= main.y #x00000001)",
    );
    assert_eq!(program.edges.len(), 3);
    let joined = map.edges.iter().find(|edges| edges.len() == 2).expect("two assignments became one");
    assert_eq!(joined[..], [EdgeId::new(1), EdgeId::new(2)]);
    assert!(program.edges.iter().any(|edge| edge.from == edge.to), "the loop is still a loop");
}

#[test]
fn variables_with_equal_next_states_are_merged() {
    let body = |step: &str| {
        format!(
            "  local main.a (_ BitVec 32) signed
  local main.b (_ BitVec 32) signed
  local main.c (_ BitVec 32) signed
  local main.d (_ BitVec 32) signed
  at L0
    assign main.a := #x00000000, main.b := #x00000000, main.c := #x00000001, main.d := #x00000001 -> L2
  at L1
  at L2 loop
    assign main.a := (bvadd main.a main.c), main.b := (bvadd main.b main.d), main.c := main.c, main.d := {step} -> L2
    assume (not (= main.a main.b)) -> L3
  at L3 error 1"
        )
    };
    let (_, map, terms) = check(
        merge::merge,
        "",
        &body("main.d"),
        "assign main.a := #x00000000, main.c := #x00000001
         assign main.a := (bvadd main.a main.c), main.c := main.c
         assume false",
    );
    assert_eq!(facts(&map, &terms), ["Loc2: (and (= main.a main.b) (= main.c main.d))"]);
    // Where one of them steps on its own, they all differ.
    let mut terms = Terms::new();
    let program = read(&mut terms, "", &body("#x00000002"), "");
    let (_, map) = merge::merge(program, &mut terms);
    assert!(map.facts.is_empty());
}

const CHECKED: &str = "  local main.x (_ BitVec 32) signed
  at L0
    havoc main.x from i0 -> L2
  at L1
  at L2
    check signed-overflow (not (= main.x #x7fffffff)) -> L3
  at L3
    assume (= main.x #x00000001) -> L4
    assume (= main.x #x00000002) -> L5
  at L4 error 1
  at L5 error 2";

#[test]
fn a_property_selects_the_errors() {
    let mut terms = Terms::new();
    let program = read(&mut terms, "", CHECKED, "");
    let errors = |program: &Program| -> Vec<AssertionId> {
        let marks = program.locations.iter().filter_map(|location| match location.mark {
            Mark::Error(assertion) => Some(assertion),
            _ => None,
        });
        marks.collect()
    };
    let second = AssertionId::new(1);
    assert_eq!(errors(&select::assertion(program.clone(), second)), [second]);
    let overflow = select::no_overflow(program.clone(), &mut terms);
    assert_eq!(validate(&overflow, &terms), Ok(()));
    let new = AssertionId::new(2);
    assert_eq!(errors(&overflow), [new]);
    assert_eq!(overflow.assertions[new].claim(), "signed arithmetic does not overflow");
    assert!(overflow.locations.len() > program.locations.len(), "old locations keep their numbers");
}

#[test]
fn all_passes_together_come_back_to_the_program_as_lowered() {
    let mut terms = Terms::new();
    let body = "  local main.x (_ BitVec 32) signed
  local main.k (_ BitVec 32) signed
  at L0
    assign main.x := #x00000000, main.k := #x00000001 -> L2
  at L1
  at L2 loop
    havoc main.k from i0 -> L3
  at L3
    assume (bvslt main.k #x00000005) -> L4
    assume (not (bvslt main.k #x00000005)) -> L5
  at L4
    call main.x := inc (main.x) -> L2
  at L5
    assume (= main.x #x00000063) -> L6
    assume (not (= main.x #x00000063)) -> L7
  at L6 error 1
  at L7 loop
    assume true -> L8
  at L8
    assume true -> L7";
    let program = read(&mut terms, "", body, &placed(INC, 9));
    let optimised = optimise(program, &mut terms, &Options::default()).expect("there is no recursion");
    assert_eq!(validate(&optimised.program, &terms), Ok(()));
    let Optimised { program, map, .. } = optimised;
    let head = shape::Shape::new(&program, &Graph::new(&program), |_| false);
    let head = program.locations.ids().find(|&loc| head.head[loc]).expect("the loop is still there");
    let truth = terms.truth(true);
    let evidence = map.evidence(&mut terms, &[(head, truth)]);
    let points: Vec<usize> = evidence.iter().map(|(point, _)| point.loc.index()).collect();
    // The loop that leads to the error, and the one that does not.
    assert_eq!(points, [2, 7]);
    assert_eq!(map.points.len(), program.locations.len());
    assert_eq!(map.edges.len(), program.edges.len());
    assert_eq!(map.instances.len(), program.vars.len());
    assert_eq!(map.inputs.len(), program.inputs.len());
    assert_eq!(map.objects.len(), program.objects.len());
}

#[test]
fn random_programs_stay_lawful() {
    let mut inlined = 0;
    for seed in 0..400 {
        let mut terms = Terms::new();
        let program = random_program(seed, &mut terms);
        let options = InlineOptions { recursion: Some(1), max_edges: 2000 };
        let Ok(start) = inline(program, &mut terms, &options) else { continue };
        inlined += 1;
        assert_eq!(validate(&start.program, &terms), Ok(()), "seed {seed}");
        let (mut program, mut map) = (start.program, start.map);
        for &(name, _, pass) in all::ROUND.iter().chain(all::ROUND).chain(all::LAST) {
            let (next, back) = pass(program, &mut terms);
            program = next;
            map = map.then(back);
            assert_eq!(validate(&program, &terms), Ok(()), "seed {seed} after {name}");
            assert_eq!(map.points.len(), program.locations.len(), "seed {seed} after {name}");
        }
    }
    assert!(inlined > 200, "{inlined} of 400");
}

/// A function that adds its parameters by counting, with this way back from the call of itself.
fn adding(terms: &mut Terms, back: &str) -> Program {
    read(
        terms,
        "global g (_ BitVec 32) signed",
        "  local main.a (_ BitVec 32) signed\n  local main.b (_ BitVec 32) signed\n  at L0\n    havoc main.a from i0 -> L2\n  at L1\n\
         \x20 at L2\n    call main.b := f (main.a #x00000003) -> L3\n  at L3\n\
         \x20   assume (= main.b (bvadd main.a #x00000003)) -> L1\n    assume (not (= main.b (bvadd main.a #x00000003))) -> L4\n\
         \x20 at L4 error 1",
        &format!(
            "function f (f.n f.m) -> f.r entry L5 exit L6 {{\n  param f.n (_ BitVec 32) signed\n  param f.m (_ BitVec 32) signed\n\
             \x20 temp f.r (_ BitVec 32) signed\n  temp f.s (_ BitVec 32) signed\n  at L5\n    assume (= f.n #x00000000) -> L7\n\
             \x20   assume (not (= f.n #x00000000)) -> L8\n  at L6\n  at L7\n    assign f.r := f.m -> L6\n\
             \x20 at L8\n    call f.s := f ((bvadd f.n #xffffffff) (bvadd f.m #x00000001)) -> L9\n{back}\n}}"
        ),
    )
}

/// How runs of the program on small inputs end.
fn outcomes(program: &Program, terms: &Terms) -> Vec<crate::interp::Outcome> {
    use crate::interp::{Inputs, Limits, Machine, Request};
    struct Always(u128);
    impl Inputs for Always {
        fn value(&mut self, _: &Request<'_>) -> u128 {
            self.0
        }
        fn choose(&mut self, _: usize) -> usize {
            0
        }
    }
    let mut machine = Machine::new(program, terms).expect("the program can be executed");
    let budget = base::Budget::default();
    (0..20).map(|value| machine.run(&mut Always(value), &Limits::default(), &budget).outcome).collect()
}

#[test]
fn a_call_whose_result_is_handed_on_becomes_a_jump() {
    let calls_itself = |program: &Program| {
        let is_own = |edge: &crate::Edge| match edge.action {
            Action::Call { function, .. } => program.locations[edge.from].function == function,
            _ => false,
        };
        program.edges.iter().any(is_own)
    };
    for (back, is_tail) in [
        ("  at L9\n    assign f.r := f.s -> L6", true),
        ("  at L9\n    assume true -> L10\n  at L10\n    assign f.r := f.s -> L6", true),
        ("  at L9\n    assign f.r := (bvadd f.s #x00000001) -> L6", false),
        ("  at L9\n    assign g := f.s -> L10\n  at L10\n    assign f.r := f.s -> L6", false),
        ("  at L9\n    assume (= f.s #x00000005) -> L10\n  at L10\n    assign f.r := f.s -> L6", false),
        ("  at L9\n    assign f.r := f.m -> L6", false),
    ] {
        let mut terms = Terms::new();
        let before = adding(&mut terms, back);
        let mut after = before.clone();
        tail::tail(&mut after, &terms, &[]);
        assert_eq!(validate(&after, &terms), Ok(()));
        assert_eq!(calls_itself(&after), !is_tail, "{back}");
        assert_eq!(outcomes(&before, &terms), outcomes(&after, &terms), "{back}");
        // A function that is kept stays as it is.
        let function = before.function_named("f").expect("it is there");
        let mut kept = before.clone();
        tail::tail(&mut kept, &terms, &[function]);
        assert!(calls_itself(&kept));
    }
}
