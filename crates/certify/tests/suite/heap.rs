//! Allocated objects as state: valid accesses are proved, and no change of what is recorded makes an invalid one valid.

use crate::case::Case;
use program::pass::{Options, optimise};
use program::{Action, EdgeId, Frame, Layout, Recorded};
use verdict::{Method, Proof};

/// The layout that the passes find.
fn layout(case: &Case) -> Layout {
    let mut terms = case.terms.clone();
    let optimised = optimise(case.program.clone(), &mut terms, &Options::default()).expect("it can be inlined");
    optimised.map.layout.expect("there are allocated objects")
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

/// Layouts that record something else.
fn mutants(case: &Case, layout: &Layout) -> Vec<Layout> {
    let mut all = Vec::new();
    let mut add = |change: &dyn Fn(&mut Vec<Recorded>)| {
        let mut mutant = layout.clone();
        change(&mut mutant.valid);
        if mutant != *layout {
            all.push(mutant);
        }
    };
    for place in 0..layout.valid.len() {
        add(&|valid| {
            valid.remove(place);
        });
        add(&|valid| valid.push(valid[place].clone()));
        add(&|valid| valid[place].is_tagged ^= true);
        add(&|valid| valid[place].frame = Frame::default());
        for edge in case.program.edges.ids() {
            add(&|valid| valid[place].edge = edge);
            add(&|valid| {
                let (frame, is_tagged) = (valid[place].frame.clone(), true);
                valid.push(Recorded { frame, edge, is_tagged });
            });
        }
    }
    add(&|valid| valid.clear());
    all
}

/// A safe program, and one with an error that no mutant hides.
fn check(right: &str, wrong: &str, loops: usize, steps: u32) {
    let program = |text: &str| {
        Case::memory(&format!(
            "void *malloc(unsigned long); void *realloc(void *, unsigned long); void free(void *);\n{text}"
        ))
    };
    let safe = program(right);
    let found = layout(&safe);
    assert!(!found.valid.is_empty(), "{right}");
    safe.check(proof(&safe, found, loops, steps)).expect("every access is valid");
    let case = program(wrong);
    let found = layout(&case);
    assert!(case.check(proof(&case, found.clone(), loops, steps)).is_err(), "{wrong}");
    let all = mutants(&case, &found);
    assert!(all.len() > 10, "{} mutants", all.len());
    for mutant in all {
        let answer = case.check(proof(&case, mutant.clone(), loops, steps));
        assert!(answer.is_err(), "{:?} hides the error of {wrong}, beside {:?}", mutant.valid, found.valid);
    }
}

#[test]
fn an_index_below_the_length_is_inside() {
    let text = |limit: &str| {
        format!(
            "int main(void) {{ unsigned n = __VERIFIER_nondet_uint(); if (n < 1 || n > 1000) return 0; int *p = malloc(n * sizeof(int));
             unsigned i = __VERIFIER_nondet_uint(); if (i {limit} n) p[i] = 1; free(p); return 0; }}"
        )
    };
    check(&text("<"), &text("<="), 0, 0);
}
#[test]
fn nothing_is_inside_after_the_end() {
    let text = |body: &str| format!("int main(void) {{ int *p = malloc(4), *q = malloc(4); {body} return 0; }}");
    check(&text("*p = 1; free(p); *q = 2; free(q);"), &text("*p = 1; free(p); *q = 2; *p = 3; free(q);"), 0, 0);
    check(&text("free(p); free(q);"), &text("free(q); free(q);"), 0, 0);
    check(&text("free(p); free(q);"), &text("free(p + 1); free(q);"), 0, 0);
}
#[test]
fn one_of_two_objects_ends() {
    let text = |body: &str| {
        format!(
            "int main(void) {{ int *p = malloc(4), *q = malloc(8); int is_first = __VERIFIER_nondet_int(); int *r = is_first ? p : q;
             free(r); {body} return 0; }}"
        )
    };
    check(&text("if (is_first) q[1] = 1; else *p = 2;"), &text("if (is_first) *p = 1; else *p = 2;"), 0, 0);
}
#[test]
fn what_was_moved_has_ended() {
    let text = |body: &str| {
        format!("int main(void) {{ int *p = malloc(4); int *q = realloc(p, 8); {body} free(q); return 0; }}")
    };
    check(&text("q[1] = 1;"), &text("p[0] = 1;"), 0, 0);
    check(&text("q[1] = 1;"), &text("q[2] = 1;"), 0, 0);
}
#[test]
fn memory_on_the_stack_is_inside_its_object_and_not_freed() {
    let text = |body: &str| {
        format!(
            "void f(unsigned n) {{ int *p = __builtin_alloca(n * 4); p[0] = 1; {body} }} int main(void) {{ f(3); f(4); return 0; }}"
        )
    };
    check(&text("p[2] = 1;"), &text("p[3] = 1;"), 0, 0);
    check(&text("p[2] = 1;"), &text("free(p);"), 0, 0);
}
#[test]
fn memory_on_the_stack_ends_with_its_function() {
    let text = |body: &str| {
        format!(
            "int *f(void) {{ int *p = __builtin_alloca(8); p[1] = 1; {body} }} int main(void) {{ int *q = f(); if (q) *q = 2; return 0; }}"
        )
    };
    for (body, is_right) in [("return 0;", true), ("return p;", false)] {
        let case = Case::memory(&text(body));
        let is_alloc = |edge: &EdgeId| matches!(case.program.edges[*edge].action, Action::Alloc { .. });
        let edge = case.program.edges.ids().find(is_alloc).expect("memory is allocated");
        let valid = vec![Recorded { frame: case.frames("f")[0].clone(), edge, is_tagged: false }];
        let answer = case.check(proof(&case, Layout { valid, ..Layout::default() }, 0, 0));
        assert_eq!(answer.is_ok(), is_right, "{body}");
    }
}
#[test]
fn the_object_of_the_last_round_is_the_one_that_lives() {
    let text = |body: &str| {
        format!(
            "int main(void) {{ int *old = 0; for (int i = 0; i < 3; i++) {{ int *p = malloc(8); p[1] = i; {body} }} return 0; }}"
        )
    };
    check(&text("free(p);"), &text("if (i == 2) old[1] = 1; old = p; free(p);"), 1, 4);
    check(&text("free(p);"), &text("if (i == 1) free(p); free(p);"), 1, 4);
}
#[test]
fn objects_of_a_list_are_tagged() {
    let text = |body: &str| {
        format!(
            "struct n {{ int d; struct n *next; }}; int main(void) {{ struct n *h = 0;
             for (int i = 0; i < 2; i++) {{ struct n *p = malloc(sizeof *p); p->d = i; p->next = h; h = p; }}
             while (h) {{ struct n *t = h->next; {body} h = t; }} return 0; }}"
        )
    };
    check(&text("h->d++; free(h);"), &text("free(h); t = h->next;"), 2, 8);
    check(&text("h->d++; free(h);"), &text("free(h); if (!t) free(h);"), 2, 8);
}
