//! One test for each law that breaks exactly it.

use base::{FileId, Id, Place};
use term::{Term, Terms};

use crate::*;

/// A program that uses everything and keeps all laws.
struct Sample {
    program: Program,
    terms: Terms,
    main: FunId,
    helper: FunId,
    global: Var,
    flag: Var,
    param: Var,
    local: Var,
    result: Var,
    table: ObjectId,
    buffer: ObjectId,
    helper_address: Var,
    assertion: AssertionId,
    input: InputId,
    error: Loc,
    /// `local := helper(global)`.
    call: EdgeId,
    /// From after the call to the end of `main`.
    last: EdgeId,
    zero: Term,
}

fn sample() -> Sample {
    let mut terms = Terms::new();
    let (bool_sort, word) = (terms.bool_sort(), terms.bv_sort(32));
    let zero = terms.bv(32, 0);
    let mut b = Builder::new(32);
    let file = b.file("a.c");
    let place = Some(Place { file, line: 1, column: 2 });
    let main = b.function("main", place);
    let helper = b.function("helper", place);
    let global = b.global(&mut terms, "global", word, Shown::Signed, place);
    let flag = b.global(&mut terms, "flag", bool_sort, Shown::Plain, place);
    let param = b.param(&mut terms, helper, "param", word, Shown::Signed, place);
    let result = b.temp(&mut terms, helper, "result", word, Shown::Signed);
    b.set_result(helper, result);
    let local = b.local(&mut terms, main, "local", word, Shown::Signed, place);
    let table = b.static_object(&mut terms, "table", 8, 4, vec![1, 2, 3], place);
    let buffer = b.automatic_object(&mut terms, helper, "buffer", 8, 4, place);
    let helper_address = b.address_of_function(&mut terms, helper);
    let assertion = b.assertion("global != 0", place);
    let input = b.input(InputKind::Nondet("__VERIFIER_nondet_int".to_owned()), Shown::Signed, place);

    let after_call = b.location(main, place);
    let error = b.error_location(main, assertion);
    let args = vec![b.term(global)];
    let call =
        b.edge(b.entry_of(main), after_call, Action::Call { function: helper, args, result: Some(local) }, place);
    let is_zero = terms.eq(b.term(local), zero);
    b.assume(after_call, error, is_zero, place);
    let not_zero = terms.not(is_zero);
    let last = b.assume(after_call, b.exit_of(main), not_zero, place);

    let middle = b.location(helper, None);
    let buffer_address = b.term(b.address_of(buffer));
    let store = Action::Store { address: buffer_address, value: b.term(param) };
    b.edge(b.entry_of(helper), middle, store, None);
    b.edge(middle, b.exit_of(helper), Action::Load { var: result, address: buffer_address }, None);
    Sample {
        program: b.finish(main),
        terms,
        main,
        helper,
        global,
        flag,
        param,
        local,
        result,
        table,
        buffer,
        helper_address,
        assertion,
        input,
        error,
        call,
        last,
        zero,
    }
}

impl Sample {
    fn term(&self, var: Var) -> Term {
        self.program.vars[var].term
    }
    /// Puts the action on the last edge of `main`.
    fn set_last(&mut self, action: Action) {
        self.program.edges[self.last].action = action;
    }
}

/// Changes the sample and expects this one sentence.
#[track_caller]
fn check(law: u8, sentence: &str, change: impl FnOnce(&mut Sample)) {
    let mut sample = sample();
    assert_eq!(validate(&sample.program, &sample.terms), Ok(()));
    change(&mut sample);
    let found = validate(&sample.program, &sample.terms).expect_err("a law was broken");
    assert_eq!(found, [Violation { law, text: sentence.to_owned() }]);
}

/// As `check`, for an action on the edge at the end of `main`.
#[track_caller]
fn check_action(law: u8, sentence: &str, action: impl FnOnce(&mut Sample) -> Action) {
    check(law, sentence, |s| {
        let action = action(s);
        s.set_last(action);
    });
}

#[test]
fn law_1_ids_are_in_range() {
    check(1, "Var0 names the function FunId7, which does not exist", |s| {
        s.program.vars[s.global].kind = VarKind::Local(FunId::new(7));
    });
    check(1, "EdgeId0 names the location Loc99, which does not exist", |s| {
        s.program.edges[s.call].to = Loc::new(99);
    });
    check(1, "EdgeId0 names the function FunId9, which does not exist", |s| {
        s.program.edges[s.call].action = Action::Call { function: FunId::new(9), args: vec![], result: None };
    });
    check(1, "EdgeId2 names the input InputId4, which does not exist", |s| {
        s.set_last(Action::Havoc { var: s.local, input: InputId::new(4) });
    });
    check(1, "EdgeId2 names the variable Var50, which does not exist", |s| {
        s.set_last(Action::Havoc { var: Var::new(50), input: s.input });
    });
    check(1, "Loc5 names the assertion AssertionId3, which does not exist", |s| {
        s.program.locations[s.error].mark = Mark::Error(AssertionId::new(3));
    });
    check(1, "AssertionId0 names the file FileId1, which does not exist", |s| {
        s.program.assertions[s.assertion].place = Some(Place { file: FileId::new(1), line: 1, column: 1 });
    });
    check(1, "ObjectId0 names the variable Var77, which does not exist", |s| {
        s.program.objects[s.table].address = Var::new(77);
    });
    check(1, "EdgeId2 names the term t1000, which does not exist", |s| {
        let mut other = Terms::without_simplification();
        let last = (0..).map(|value| other.bv(32, value)).find(|term| term.index() == 999);
        s.set_last(Action::Free { address: last.expect("there are many numbers"), lifetime: Lifetime::Heap });
    });
    check(1, "the program names the function FunId2, which does not exist", |s| {
        s.program.entry = Some(FunId::new(2));
    });
}

#[test]
fn law_2_pointers_have_32_or_64_bits() {
    let mut terms = Terms::new();
    let mut b = Builder::new(16);
    let f = b.function("f", None);
    b.step(&mut terms, b.entry_of(f), b.exit_of(f));
    let found = validate(&b.finish(f), &terms).expect_err("16 bits");
    assert_eq!(found, [Violation { law: 2, text: "pointers have 16 bits".to_owned() }]);
}

#[test]
fn law_3_the_entry_exists_and_takes_no_parameters() {
    check(3, "the program has no entry function", |s| s.program.entry = None);
    check(3, "the entry function helper takes parameters", |s| s.program.entry = Some(s.helper));
}

#[test]
fn law_4_functions_have_distinct_names_and_locations_of_their_own() {
    check(4, "FunId0 and FunId1 are both called main", |s| {
        s.program.functions[s.helper].name = "main".to_owned();
    });
    check(4, "the entry Loc0 of helper belongs to another function", |s| {
        s.program.functions[s.helper].entry = s.program.functions[s.main].entry;
    });
}

#[test]
fn law_5_an_edge_stays_inside_its_function() {
    check(5, "edge EdgeId2 from Loc4 to Loc3 in main at a.c:1:2 leaves its function", |s| {
        s.program.edges[s.last].to = s.program.functions[s.helper].exit;
    });
}

#[test]
fn law_6_nothing_leaves_an_error_location_or_an_exit() {
    check(6, "edge EdgeId2 from Loc5 to Loc1 in main at a.c:1:2 leaves an error location", |s| {
        s.program.edges[s.last].from = s.error;
    });
    check(6, "edge EdgeId2 from Loc1 to Loc1 in main at a.c:1:2 leaves the exit of its function", |s| {
        s.program.edges[s.last].from = s.program.functions[s.main].exit;
    });
    check(6, "the exit Loc5 of main is an error location", |s| s.program.functions[s.main].exit = s.error);
}

#[test]
fn law_7_a_variable_is_a_symbol_of_its_own() {
    check(7, "variable Var0 `global` and variable Var4 `local` of main share a symbol", |s| {
        // Everything that mentioned the local mentions a stranger now, so those edges go.
        s.program.vars[s.local].term = s.term(s.global);
        s.set_last(Action::Assign(vec![]));
        s.program.edges[EdgeId::new(1)].action = Action::Assign(vec![]);
        s.program.edges[s.call].action = Action::Assign(vec![]);
    });
    check(7, "variable Var1 `flag` and its term differ in sort", |s| {
        s.program.vars[s.flag].sort = s.program.vars[s.global].sort;
    });
    check(7, "variable Var1 `flag` is not a symbol without arguments", |s| {
        s.program.vars[s.flag].term = s.terms.truth(true);
    });
}

#[test]
fn law_8_parameters_and_results_are_the_functions_own() {
    check(8, "variable Var2 `param` of helper is listed twice as a parameter of helper", |s| {
        s.program.functions[s.helper].params.push(s.param);
        s.program.edges[s.call].action =
            Action::Call { function: s.helper, args: vec![s.zero, s.zero], result: Some(s.local) };
    });
    check(8, "variable Var0 `global` is listed as a parameter of helper, but its kind is another", |s| {
        s.program.functions[s.helper].params.push(s.global);
        s.program.edges[s.call].action =
            Action::Call { function: s.helper, args: vec![s.zero, s.zero], result: Some(s.local) };
    });
    check(8, "variable Var2 `param` of helper is not in the list of parameters of helper", |s| {
        s.program.functions[s.helper].params.clear();
        s.program.edges[s.call].action = Action::Call { function: s.helper, args: vec![], result: Some(s.local) };
    });
    check(8, "the result variable Var4 `local` of main of helper is not a local of its own", |s| {
        s.program.functions[s.helper].result = Some(s.local);
    });
}

#[test]
fn law_9_addresses_and_what_they_name_agree() {
    check(9, "object ObjectId0 `table` has the address variable Var0 `global`, whose kind is another", |s| {
        s.program.objects[s.table].address = s.global;
        let old = s.program.vars.ids().find(|&v| s.program.vars[v].kind == VarKind::AddressOf(s.table));
        s.program.vars[old.expect("the table has an address")].kind = VarKind::Global;
    });
    check(9, "variable Var0 `global` is not the address of object ObjectId0 `table`", |s| {
        s.program.vars[s.global].kind = VarKind::AddressOf(s.table);
    });
    check(9, "variable Var0 `global` is listed as the address of main, but its kind is another", |s| {
        s.program.functions[s.main].address = Some(s.global);
    });
    check(9, "variable Var7 `&helper` is not the address of function helper", |s| {
        s.program.functions[s.helper].address = None;
    });
    check(9, "variable Var1 `flag` is not as wide as a pointer", |s| {
        s.program.vars[s.flag].kind = VarKind::AddressOfFunction(s.main);
        s.program.functions[s.main].address = Some(s.flag);
    });
}

#[test]
fn law_10_objects_are_aligned_filled_and_owned() {
    check(10, "object ObjectId0 `table` has alignment 3", |s| s.program.objects[s.table].align = 3);
    check(10, "object ObjectId0 `table` has alignment 0", |s| s.program.objects[s.table].align = 0);
    check(10, "object ObjectId0 `table` starts with 9 bytes, and has 8", |s| {
        s.program.objects[s.table].init = vec![0; 9];
    });
    check(10, "the automatic object ObjectId1 `buffer` has first contents", |s| {
        s.program.objects[s.buffer].init = vec![7];
    });
    check(10, "object ObjectId1 `buffer` stands 0 times in the list of its owner", |s| {
        s.program.functions[s.helper].objects.clear();
    });
    check(10, "object ObjectId0 `table` is in the list of main, which does not own it", |s| {
        s.program.functions[s.main].objects.push(s.table);
    });
}

const LAST: &str = "edge EdgeId2 from Loc4 to Loc1 in main at a.c:1:2";

#[test]
fn law_11_conditions_are_truth_values() {
    check_action(11, &format!("the condition on {LAST} is not Bool"), |s| Action::Assume(s.zero));
    check_action(11, &format!("the condition on {LAST} is not Bool"), |s| Action::Check {
        what: Undefined::DivisionByZero,
        holds: s.zero,
    });
}

#[test]
fn law_12_assignments_and_calls_fit() {
    check_action(12, &format!("variable Var1 `flag` and its value on {LAST} differ in sort"), |s| {
        Action::Assign(vec![(s.flag, s.zero)])
    });
    check_action(12, &format!("variable Var0 `global` is assigned twice on {LAST}"), |s| {
        Action::Assign(vec![(s.global, s.zero), (s.local, s.zero), (s.global, s.zero)])
    });
    check_action(12, &format!("{LAST} passes 0 arguments to 1 parameters"), |s| Action::Call {
        function: s.helper,
        args: vec![],
        result: None,
    });
    check_action(12, &format!("the argument for variable Var2 `param` of helper on {LAST} has another sort"), |s| {
        Action::Call { function: s.helper, args: vec![s.term(s.flag)], result: None }
    });
    check_action(12, &format!("variable Var1 `flag` receives a result of another sort on {LAST}"), |s| Action::Call {
        function: s.helper,
        args: vec![s.zero],
        result: Some(s.flag),
    });
    check_action(12, &format!("{LAST} uses the result of main, which has none"), |s| Action::Call {
        function: s.main,
        args: vec![],
        result: Some(s.local),
    });
}

#[test]
fn law_13_addresses_and_sizes_are_as_wide_as_a_pointer() {
    let address = format!("the address on {LAST} is not as wide as a pointer");
    let size = format!("the size on {LAST} is not as wide as a pointer");
    check_action(13, &address, |s| Action::Load { var: s.global, address: s.terms.bv(64, 0) });
    check_action(13, &address, |s| Action::Store { address: s.terms.bv(64, 0), value: s.zero });
    check_action(13, &address, |s| Action::Free { address: s.term(s.flag), lifetime: Lifetime::Heap });
    check_action(13, &address, |s| Action::Forget { address: s.terms.bv(8, 0), size: None, input: s.input });
    check_action(13, &size, |s| Action::Forget { address: s.zero, size: Some(s.terms.bv(8, 0)), input: s.input });
    check_action(13, &size, |s| Action::Alloc {
        var: s.local,
        size: s.terms.bv(64, 8),
        lifetime: Lifetime::Heap,
        input: None,
        moved: None,
    });
    let target = format!("variable Var1 `flag`, which receives the address on {LAST}, is no pointer");
    check_action(13, &target, |s| Action::Alloc {
        var: s.flag,
        size: s.zero,
        lifetime: Lifetime::Frame,
        input: None,
        moved: None,
    });
}

#[test]
fn law_14_memory_holds_whole_bytes() {
    let bytes = format!("the value on {LAST} does not fill whole bytes");
    check_action(14, &bytes, |s| Action::Store { address: s.zero, value: s.terms.bv(12, 0) });
    check_action(14, &bytes, |s| {
        let sort = s.terms.sort(term::SortKind::Int);
        Action::Store { address: s.zero, value: s.terms.numeral(sort, "1") }
    });
    let mut s = sample();
    s.set_last(Action::Store { address: s.zero, value: s.term(s.flag) });
    assert_eq!(validate(&s.program, &s.terms), Ok(()), "a truth value is one byte");
}

#[test]
fn law_15_only_visible_variables_are_mentioned() {
    check_action(
        15,
        &format!("{LAST} mentions variable Var2 `param` of helper, which belongs to another function"),
        |s| Action::Assign(vec![(s.local, s.term(s.param))]),
    );
    check_action(
        15,
        &format!("{LAST} mentions variable Var3 `result` of helper, which belongs to another function"),
        |s| Action::Assign(vec![(s.result, s.zero)]),
    );
    let address = "variable Var6 `&buffer` of helper";
    check_action(15, &format!("{LAST} mentions {address}, which belongs to another function"), |s| Action::Free {
        address: s.term(s.program.objects[s.buffer].address),
        lifetime: Lifetime::Heap,
    });
    check_action(15, &format!("{LAST} mentions stranger, which is no variable of the program"), |s| {
        let sort = s.terms.bv_sort(32);
        Action::Assign(vec![(s.local, s.terms.variable("stranger", sort))])
    });
}

#[test]
fn law_16_address_variables_are_never_written() {
    check_action(16, &format!("{LAST} writes variable Var7 `&helper`"), |s| Action::Havoc {
        var: s.helper_address,
        input: s.input,
    });
    check_action(16, &format!("{LAST} writes variable Var5 `&table`"), |s| {
        Action::Assign(vec![(s.program.objects[s.table].address, s.zero)])
    });
}

#[test]
fn law_17_locals_are_written_before_they_are_read() {
    let first = "edge EdgeId1 from Loc4 to Loc5 in main at a.c:1:2";
    check(
        17,
        &format!("{first} reads variable Var4 `local` of main, and a path leads there without writing it"),
        |s| {
            s.program.edges[s.call].action = Action::Assign(vec![]);
        },
    );
    check(17, "a path leads to the exit without writing the result variable Var3 `result` of helper", |s| {
        let load = s.program.edges.ids().last().expect("there are edges");
        s.program.edges[load].action = Action::Assign(vec![]);
    });
    // An edge reads before it writes.
    check(17, &format!("{LAST} reads variable Var8 `late` of main, and a path leads there without writing it"), |s| {
        let sort = s.terms.bv_sort(32);
        let term = s.terms.variable("main.late", sort);
        let kind = VarKind::Local(s.main);
        let late = Variable { name: "late".to_owned(), term, sort, kind, shown: Shown::Signed, place: None };
        let late = s.program.vars.push(late);
        s.set_last(Action::Assign(vec![(late, term)]));
    });
}

#[test]
fn all_violations_are_reported_at_once() {
    let mut s = sample();
    s.program.objects[s.table].align = 12;
    s.program.functions[s.helper].result = Some(s.local);
    s.set_last(Action::Assume(s.zero));
    let laws: Vec<u8> =
        validate(&s.program, &s.terms).expect_err("three laws are broken").iter().map(|v| v.law).collect();
    assert_eq!(laws, [8, 10, 11]);
}
