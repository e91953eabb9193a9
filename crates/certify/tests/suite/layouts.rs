//! Layouts that evidence claims: right ones are accepted, and no wrong one makes an error disappear.

use crate::case::Case;
use program::pass::{Options, optimise};
use program::{Class, Form, Layout, Member, Part, Site};
use verdict::{Method, Proof};

/// The layout that the pass finds.
fn layout(case: &Case) -> Layout {
    let mut terms = case.terms.clone();
    let optimised = optimise(case.program.clone(), &mut terms, &Options::default()).expect("it can be inlined");
    optimised.map.layout.expect("there is memory behind pointers")
}

/// A proof of a program with this many loops in `main`, none of which takes more than this many rounds together.
fn proof(case: &Case, layout: Layout, loops: usize, steps: u32) -> Proof {
    let mut proof = case.proof_of_nothing();
    for number in 0..loops {
        proof.invariants.push((case.at("main", number), proof.terms.truth(true)));
    }
    if loops > 0 {
        proof.method = Method::Exhaustion { steps };
    }
    proof.layout = Some(layout);
    proof
}

/// Layouts that differ from this one in one place.
fn mutants(layout: &Layout) -> Vec<Layout> {
    let mut all = Vec::new();
    let mut add = |change: &dyn Fn(&mut Layout)| {
        let mut mutant = layout.clone();
        change(&mut mutant);
        if mutant != *layout {
            all.push(mutant);
        }
    };
    for column in 0..layout.columns.len() {
        for form in [Form::Scalar, Form::Offset, Form::Cell] {
            add(&|mutant| mutant.columns[column].form = form);
        }
        for bytes in [1, 2, 4, 8] {
            add(&|mutant| mutant.columns[column].bytes = bytes);
        }
        for member in 0..layout.columns[column].members.len() {
            add(&|mutant| {
                mutant.columns[column].members.remove(member);
            });
            add(&|mutant| {
                // A column of its own for this member alone.
                let old = mutant.columns[column].members.remove(member);
                let mut own = mutant.columns[column].clone();
                own.members = vec![old];
                mutant.columns.push(own);
            });
            for class in
                [Class::exactly(0), Class::exactly(4), Class { first: 0, stride: 4 }, Class { first: 0, stride: 16 }]
            {
                add(&|mutant| mutant.columns[column].members[member].class = class);
            }
            for site in 0..=layout.sites.len() as u32 {
                add(&|mutant| mutant.columns[column].members[member].site = site);
            }
        }
        for site in 0..layout.sites.len() as u32 {
            add(&|mutant| mutant.columns[column].members.push(Member { site, class: Class::exactly(0) }));
        }
    }
    for access in 0..layout.access.len() {
        add(&|mutant| {
            mutant.access.remove(access);
        });
        for other in 0..layout.access.len() {
            add(&|mutant| mutant.access[access].1 = layout.access[other].1);
        }
        for part in 0..layout.access[access].2.len() {
            for column in (0..=layout.columns.len() as u32).map(Some).chain([None]) {
                add(&|mutant| mutant.access[access].2[part].column = column);
            }
            add(&|mutant| mutant.access[access].2.push(Part { bytes: 1, column: None }));
        }
    }
    for site in 0..layout.sites.len() {
        add(&|mutant| mutant.counted.push(site as u32));
        for other in 0..layout.sites.len() {
            add(&|mutant| mutant.sites[site] = layout.sites[other].clone());
        }
        if let Site::Automatic(_, object) = layout.sites[site] {
            add(&|mutant| mutant.sites[site] = Site::Static(object));
        }
    }
    add(&|mutant| mutant.counted.clear());
    all
}

/// A safe program whose layout is accepted, and the same with an error, which no mutant hides.
fn check(text: &str, right: &str, wrong: &str, loops: usize, steps: u32) {
    let program = |condition: &str| {
        let text = text.replace("CONDITION", condition);
        Case::c(&format!("void *malloc(unsigned long); void *calloc(unsigned long, unsigned long);\n{text}"))
    };
    let safe = program(right);
    safe.check(proof(&safe, layout(&safe), loops, steps)).expect("the layout is right, and the program safe");
    let case = program(wrong);
    let found = layout(&case);
    assert!(case.check(proof(&case, found.clone(), loops, steps)).is_err(), "{wrong} fails");
    let all = mutants(&found);
    assert!(all.len() > 10, "{} mutants", all.len());
    for mutant in all {
        let answer = case.check(proof(&case, mutant.clone(), loops, steps));
        assert!(answer.is_err(), "{mutant:?} hides that {wrong} fails, beside {found:?}");
    }
}

#[test]
fn a_pointer_to_one_of_two_variables() {
    let text = "int main(void) { int x = 1, y = 1; int *p = __VERIFIER_nondet_int() ? &x : &y; *p = 2; if (CONDITION) reach_error(); return 0; }";
    check(text, "x + y != 3", "x != 1", 0, 0);
}
#[test]
fn a_pointer_to_one_of_two_members() {
    let text = "struct s { int a, b; long c; }; int main(void) { struct s v = {1, 1, 7}; int *p = __VERIFIER_nondet_int() ? &v.a : &v.b; *p = 2;
        struct s *q = &v; if (CONDITION) reach_error(); return 0; }";
    check(text, "q->a + q->b != 3 || q->c != 7", "q->b == 2", 0, 0);
}
#[test]
fn two_objects_on_the_heap() {
    let text = "int main(void) { int *p = malloc(4), *q = malloc(4); int *r = __VERIFIER_nondet_int() ? p : q; *p = 1; *q = 1; *r = 3;
        if (CONDITION) reach_error(); return 0; }";
    check(text, "*p + *q != 4 || p == q", "*q != 1", 0, 0);
}
#[test]
fn a_static_object_and_one_on_the_heap() {
    let text = "int g = 5; int main(void) { int *p = calloc(1, 4); int *r = __VERIFIER_nondet_int() ? p : &g; int old = *r; *r = 6;
        if (CONDITION) reach_error(); return 0; }";
    check(text, "old != 5 && old != 0", "g == 6", 0, 0);
}
#[test]
fn a_list_of_two_nodes() {
    let text = "struct n { int d; struct n *next; }; int main(void) { struct n *h = 0; int v = __VERIFIER_nondet_int();
        for (int i = 0; i < 2; i++) { struct n *p = malloc(sizeof *p); p->d = v + i; p->next = h; h = p; }
        if (CONDITION) reach_error(); return 0; }";
    check(text, "h->d != v + 1 || h->next->d != v", "h->next->d == v", 1, 3);
}
