//! Objects, cells and pointers.

use crate::case::Case;
use certify::Refusal;
use program::{Instance, ObjectId, Storage};

fn object(case: &Case, name: &str) -> ObjectId {
    case.program.objects.ids().find(|&id| case.program.objects[id].name == name).expect("the object exists")
}
fn bytes(case: &Case, name: &str, function: Option<&str>, offset: u64, size: u64) -> Instance {
    let frame = function.map_or_else(Default::default, |function| case.frames(function)[0].clone());
    Instance { frame, storage: Storage::Bytes { object: object(case, name), offset, size } }
}

/// A proof that names the object `a` as an array of elements of this size, `array`, with an invariant for the first loop.
fn proof_of_array(case: &Case, element: u64, invariant: Option<&str>) -> verdict::Proof {
    let storage = Storage::Array { object: object(case, "a"), element };
    let mut proof = case.proof_of_nothing();
    let (index, element) = (proof.terms.bv_sort(32), proof.terms.bv_sort(element as u32 * 8));
    let sort = proof.terms.sort(term::SortKind::Array(index, element));
    let array = proof.terms.variable("array", sort);
    proof.symbols = case.proof(&[]).symbols;
    proof.symbols.push((array, Instance { frame: Default::default(), storage }));
    if let Some(text) = invariant {
        let invariant = term::smtlib::read_term(&mut proof.terms, text).expect("it reads");
        proof.invariants.push((case.at("main", 0), invariant));
    }
    proof
}

#[test]
fn fields_of_a_struct_are_kept_apart() {
    let case = Case::c(
        "struct s { int a; char b; int c; };
         int main(void) { struct s v; v.a = 1; v.b = 2; v.c = 3; struct s *p = &v; p->a = 7;
           if (v.b != 2 || v.c != 3 || v.a != 7) reach_error(); return 0; }",
    );
    case.check(case.proof(&[])).expect("the pointer leads to the first field");
    let wrong = Case::c(
        "struct s { int a; char b; int c; };
         int main(void) { struct s v; v.a = 1; v.b = 2; v.c = 3; struct s *p = &v; p->a = 7; if (v.a != 1) reach_error(); return 0; }",
    );
    assert!(matches!(wrong.check(wrong.proof(&[])), Err(Refusal::Open { assertion: Some(_), .. })));
}
#[test]
fn a_pointer_passed_to_a_function_changes_what_it_leads_to_and_nothing_else() {
    let text = |condition: &str| {
        format!("void inc(int *p) {{ *p = *p + 1; }}
         int main(void) {{ int x = 5, y = 8; int *q = &y; inc(&x); inc(&x); inc(q); if ({condition}) reach_error(); return 0; }}")
    };
    let right = Case::c(&text("x != 7 || y != 9"));
    right.check(right.proof(&[])).expect("seven and nine");
    for wrong in ["x == 7", "y == 9", "x != 6", "y == x + 2"] {
        let case = Case::c(&text(wrong));
        assert!(case.check(case.proof(&[])).is_err(), "{wrong}");
    }
}
#[test]
fn an_invariant_speaks_of_bytes() {
    let case = Case::c(
        "struct s { unsigned n; unsigned m; };
         int main(void) { struct s v; struct s *p = &v; p->n = 0; v.m = 10; while (v.n < 10) { p->n = v.n + 1; }
           if (v.n != v.m) reach_error(); return 0; }",
    );
    let head = case.at("main", 0);
    let extra = [("n", 32, bytes(&case, "v", Some("main"), 0, 4)), ("m", 32, bytes(&case, "v", Some("main"), 4, 4))];
    let right = "(and (bvule n m) (= m #x0000000a) (= main.p |main.&v|))";
    case.check(case.proof_with(&[(head.clone(), right)], &extra)).expect("this is inductive");
    for wrong in ["(and (bvule n m) (= main.p |main.&v|))", "(and (bvule n m) (= m #x0000000b))", "(= m #x0000000a)"] {
        assert!(case.check(case.proof_with(&[(head.clone(), wrong)], &extra)).is_err(), "{wrong}");
    }
    // Bytes that do not exist.
    let outside = [("n", 32, bytes(&case, "v", Some("main"), 6, 4))];
    let refused = case.check(case.proof_with(&[(head, "(= n #x00000001)")], &outside));
    assert!(matches!(refused, Err(Refusal::Malformed(_))));
}
#[test]
fn static_objects_start_with_their_contents() {
    let case = Case::c(
        "struct s { int a, b; }; struct s g = { 4 }; int *where = &g.b;
         int main(void) { if (g.a != 4 || *where != 0) reach_error(); *where = 1; if (g.b != 1 || g.a != 4) reach_error(); return 0; }",
    );
    case.check(case.proof(&[])).expect("four, then zeros");
    let wrong = Case::c(
        "struct s { int a, b; }; struct s g = { 4 }; int *where = &g.b; int main(void) { if (*where == 0) reach_error(); return 0; }",
    );
    assert!(wrong.check(wrong.proof(&[])).is_err());
}
#[test]
fn a_pointer_that_may_lead_to_either_changes_either() {
    let text = |condition: &str| {
        format!(
            "int main(void) {{ int a = 1, b = 2; int *p = __VERIFIER_nondet_int() ? &a : &b; *p = 5;
           if ({condition}) reach_error(); return 0; }}"
        )
    };
    let right = Case::c(&text("!((a == 5 && b == 2) || (a == 1 && b == 5))"));
    right.check(right.proof(&[])).expect("one of them is five");
    for wrong in ["a == 1", "b == 2", "a == 5", "b == 5"] {
        let case = Case::c(&text(wrong));
        assert!(case.check(case.proof(&[])).is_err(), "{wrong}");
    }
}
#[test]
fn a_write_between_fields_leaves_nothing_certain() {
    let case = Case::c(
        "struct s { int a; int b; };
         int main(void) { struct s v; v.a = 1; v.b = 2; char *p = (char *)&v; unsigned i = __VERIFIER_nondet_uint(); p[i] = 9;
           if (v.a == 1 && v.b == 2) return 0; if (v.a != 1 && v.b != 2) reach_error(); return 0; }",
    );
    // One byte cannot lie in both, and that is seen; but its value in an int is not.
    case.check(case.proof(&[])).expect("a byte lies in one field");
    let wrong = Case::c(
        "struct s { int a; int b; };
         int main(void) { struct s v; v.a = 1; v.b = 2; char *p = (char *)&v; unsigned i = __VERIFIER_nondet_uint(); p[i] = 9;
           if (v.b != 2) reach_error(); return 0; }",
    );
    assert!(wrong.check(wrong.proof(&[])).is_err());
}
#[test]
fn an_object_of_a_new_activation_remembers_nothing() {
    let case = Case::c(
        "int f(int first) { int x; int *p = &x; if (first) *p = 3; return *p; }
         int main(void) { for (int i = 0; i < 2; i++) { int r = f(i == 0); if (r != 3) reach_error(); } return 0; }",
    );
    assert!(case.check(case.proof(&[(case.at("main", 0), "true")])).is_err());
}
#[test]
fn an_array_holds_what_was_written_at_computed_places() {
    let text = |condition: &str| {
        format!("int main(void) {{ unsigned a[4]; unsigned i = __VERIFIER_nondet_uint() % 4, j = __VERIFIER_nondet_uint() % 4;
           a[i] = 7; a[j] = 9; unsigned r = a[i]; if ({condition}) reach_error(); return 0; }}")
    };
    let right = Case::c(&text("i == j ? r != 9 : r != 7"));
    right.check(right.proof(&[])).expect("the last write counts");
    for wrong in ["r != 7", "r != 9", "r == 9"] {
        let case = Case::c(&text(wrong));
        assert!(case.check(case.proof(&[])).is_err(), "{wrong}");
    }
}
#[test]
fn an_invariant_speaks_of_an_array() {
    let case = Case::c(
        "unsigned char a[8]; int main(void) { unsigned i = 0; while (i < 8) { a[i] = i; i++; } if (a[3] != 3) reach_error(); return 0; }",
    );
    let instance =
        Instance { frame: Default::default(), storage: Storage::Array { object: object(&case, "a"), element: 1 } };
    let with = |text: &str| {
        let mut proof = case.proof_of_nothing();
        let (index, element) = (proof.terms.bv_sort(32), proof.terms.bv_sort(8));
        let sort = proof.terms.sort(term::SortKind::Array(index, element));
        let array = proof.terms.variable("array", sort);
        proof.symbols = case.proof(&[]).symbols;
        proof.symbols.push((array, instance.clone()));
        let invariant = term::smtlib::read_term(&mut proof.terms, text).expect("it reads");
        proof.invariants.push((case.at("main", 0), invariant));
        proof
    };
    let third = "(= (select array #x00000003) #x03)";
    case.check(with(&format!("(or (bvule main.i #x00000003) {third})")))
        .expect("the fourth element is written in time");
    for wrong in [third.to_owned(), format!("(or (bvule main.i #x00000004) {third})"), "true".to_owned()] {
        assert!(case.check(with(&wrong)).is_err(), "{wrong}");
    }
}
#[test]
fn an_invariant_speaks_of_an_array_that_is_kept_as_one_cell() {
    // One element; and elements that an access of another size may concern, as far as the order of things is not looked at.
    let one = "int a[1]; int main(void) { int i = 0; a[0] = 3; while (__VERIFIER_nondet_int()) { a[i] = 3; } if (CONDITION) reach_error(); return 0; }";
    let mixed = "int a[2]; short b; int main(void) { void *p = &b; *(short *)p = 1; p = a; *(int *)p = 3;
                 while (__VERIFIER_nondet_int()) { *(int *)p = 3; } if (CONDITION) reach_error(); return 0; }";
    for (text, rest) in [(one, "(= main.i #x00000000)"), (mixed, "(= main.p |&a|)")] {
        let check = |condition: &str, claim: &str| {
            let case = Case::c(&text.replace("CONDITION", condition));
            case.check(proof_of_array(&case, 4, Some(&format!("(and {rest} {claim})"))))
        };
        let (right, wrong) = ("(= (select array #x00000000) #x00000003)", "(= (select array #x00000000) #x00000004)");
        check("a[0] != 3", right).expect("the element is always three");
        assert!(check("a[0] != 3", wrong).is_err());
        assert!(check("a[0] != 3", "true").is_err());
        assert!(check("a[0] == 3", right).is_err());
    }
}
#[test]
fn a_place_outside_an_array_is_any_value_and_changes_nothing() {
    let text = |condition: &str| {
        format!("int g = 5; int main(void) {{ int a[4]; unsigned i = __VERIFIER_nondet_uint(); int *p = &g; a[1] = 3; if (i < 4) return 0;
           a[i] = 8; int r = a[i]; if ({condition}) reach_error(); return 0; }}")
    };
    // The offset wraps around: four times the index can lie inside again.
    let wraps = Case::c(&text("a[1] != 3"));
    assert!(wraps.check(wraps.proof(&[])).is_err());
    let other = Case::c(&text("*p != 5 || g != 5"));
    other.check(other.proof(&[])).expect("an array never leads into another object");
    let any = Case::c(&text("r == 8"));
    assert!(any.check(any.proof(&[])).is_err());
}
#[test]
fn a_table_starts_with_its_contents() {
    let case = Case::c(
        "const unsigned short t[4] = { 10, 20, 30 }; int main(void) { unsigned i = __VERIFIER_nondet_uint(); if (i > 3) return 0;
         unsigned v = t[i]; if (v != 10 * (i + 1) && v != 0) reach_error(); if (v == 0 && i != 3) reach_error(); return 0; }",
    );
    case.check(case.proof(&[])).expect("ten, twenty, thirty, nought");
}
/// Accepts the program with the right condition and refuses it with each of the wrong ones.
fn holds_exactly(text: impl Fn(&str) -> String, right: &str, wrong: &[&str]) {
    let case = Case::c(&text(right));
    case.check(case.proof(&[])).unwrap_or_else(|refusal| panic!("{right}: {refusal:?}"));
    for &wrong in wrong {
        let case = Case::c(&text(wrong));
        assert!(case.check(case.proof(&[])).is_err(), "{wrong}");
    }
}
#[test]
fn padding_is_any_value_and_the_members_beside_it_stay() {
    // The union makes the padding visible.
    let text = |condition: &str| {
        format!(
            "struct s {{ char c; int k; }}; union u {{ struct s s; unsigned char b[8]; }};
             int main(void) {{ struct s *p = &(struct s){{ 3, 5 }}; unsigned char *b = (unsigned char *)p;
               if ({condition}) reach_error(); return 0; }}"
        )
    };
    holds_exactly(text, "p->k != 5 || p->c != 3", &["b[1] != 0", "b[3] == 7", "p->k == 5", "p->c == 3"]);
}
#[test]
fn padding_through_a_pointer_is_that_of_one_object() {
    let text = |condition: &str| {
        format!(
            "struct s {{ char c; int k; }}; union u {{ struct s s; unsigned char b[8]; }};
             int main(void) {{ struct s a = {{ 1, 2 }}, b = {{ 3, 4 }}; struct s *p = __VERIFIER_nondet_int() ? &b : &a;
               unsigned char old = ((unsigned char *)&a)[1]; *p = b;
               if ({condition}) reach_error(); return 0; }}"
        )
    };
    let wrong = ["((unsigned char *)&a)[1] != old", "a.k != 2", "a.k != 4", "b.k == 4"];
    holds_exactly(text, "b.k != 4 || b.c != 3 || (a.k != 2 && a.k != 4)", &wrong);
}
#[test]
fn padding_of_an_array_s_element_leaves_the_others() {
    let text = |condition: &str| {
        format!(
            "struct s {{ int k; }} __attribute__((aligned(8))); union u {{ struct s s; int i[2]; }};
             int main(void) {{ struct s *p = &(struct s){{ 5 }}; int *i = &p->k; if ({condition}) reach_error(); return 0; }}"
        )
    };
    holds_exactly(text, "*i != 5", &["i[1] != 0", "i[1] == 3", "*i == 5"]);
}
#[test]
fn a_function_without_a_body_writes_to_the_object_it_is_given() {
    let text = |condition: &str| {
        format!(
            "extern void fill(void *); int t[4];
             int main(void) {{ int a = 1, b = 2; int *p = &b; *p = 3; p = &t[1]; *p = 7; p = __VERIFIER_nondet_int() ? &a : &b; fill(p);
               if ({condition}) reach_error(); return 0; }}"
        )
    };
    holds_exactly(text, "t[1] != 7 || (a != 1 && b != 3)", &["a != 1", "b != 3", "t[1] == 7"]);
}
#[test]
fn objects_do_not_overlap() {
    let text = |condition: &str| {
        format!(
            "struct s {{ int x; short y; }};
             int main(void) {{ struct s a = {{ 1, 2 }}, b = {{ 3, 4 }}; short *p = __VERIFIER_nondet_int() ? &b.y : &a.y; short v = *p; *p = 7;
               if ({condition}) reach_error(); return 0; }}"
        )
    };
    let right = "a.x != 1 || b.x != 3 || (v != 2 && v != 4) || a.y + b.y != 13 - v";
    holds_exactly(text, right, &["v != 2", "v != 4", "a.y == 7", "b.y == 7", "a.y + b.y != 11"]);
}
#[test]
fn arrays_do_not_overlap() {
    let text = |condition: &str| {
        format!(
            "int main(void) {{ int a[3] = {{ 1, 2, 3 }}, b[2] = {{ 4, 5 }}; int *p = __VERIFIER_nondet_int() ? &b[1] : &a[2]; int v = *p; *p = 7;
               if ({condition}) reach_error(); return 0; }}"
        )
    };
    let right = "a[0] != 1 || b[0] != 4 || (v != 3 && v != 5) || a[2] + b[1] != 15 - v";
    holds_exactly(text, right, &["v != 3", "v != 5", "a[2] == 7", "b[1] == 7", "a[2] + b[1] != 12"]);
}
#[test]
fn a_write_through_a_resolved_pointer_changes_every_place_that_it_touches() {
    // The pointer is known in this block, but not from the text of the access: two elements of an array are touched, then two cells of
    // a large object.
    let misaligned = |condition: &str| {
        format!(
            "int a[20]; int main(void) {{ char *p = (char *)a + 2; *(int *)p = -1; if ({condition}) reach_error(); return 0; }}"
        )
    };
    holds_exactly(misaligned, "a[2] != 0", &["a[0] != 0", "a[1] != 0", "a[0] == -65536"]);
    let cells = |condition: &str| {
        format!(
            "struct s {{ int x, y; char rest[80]; }} g; int main(void) {{ void *p = &g; *(char *)p = 1; p = &g; *(long long *)p = -1;
               if ({condition}) reach_error(); return 0; }}"
        )
    };
    holds_exactly(cells, "g.x != -1 || g.y != -1", &["g.x != 0", "g.y != 0", "g.x != 1", "g.y == -1"]);
}
#[test]
fn an_invariant_speaks_of_a_large_array_that_accesses_of_another_size_may_concern() {
    // Without regard to the order of things the write of a short may concern both.
    let check = |condition: &str, claim: &str| {
        let text = "int a[20]; short b[4]; int main(void) { void *p = b; *(short *)p = 1; p = a; int i = 0;
                    while (i < 20) { ((int *)p)[i] = 3; i++; } if (CONDITION) reach_error(); return 0; }";
        let case = Case::c(&text.replace("CONDITION", condition));
        case.check(proof_of_array(&case, 4, Some(claim)))
    };
    let fourth = "(= (select array #x00000010) #x00000003)";
    let right = format!("(and (= main.p |&a|) (bvule main.i #x00000014) (or (bvule main.i #x00000004) {fourth}))");
    check("a[4] != 3", &right).expect("the fifth element is written in time");
    assert!(check("a[5] != 3", &right).is_err());
    assert!(check("a[4] == 3", &right).is_err());
    for (part, wrong) in [
        ("#x00000003)", "#x00000004)"),
        ("(= main.p |&a|)", "true"),
        ("(= main.p |&a|)", "(or (= main.p |&a|) (= main.p |&b|))"),
        ("(bvule main.i #x00000004)", "(bvule main.i #x00000003)"),
        ("(bvule main.i #x00000004)", "(bvule main.i #x00000005)"),
        ("#x00000010", "#x00000011"),
    ] {
        assert!(check("a[4] != 3", &right.replace(part, wrong)).is_err(), "{wrong}");
    }
}
#[test]
fn a_write_of_another_size_leaves_nothing_certain_of_a_large_array() {
    // A write of each size, between elements too, at a pointer that leads to one object or to either of two.
    let check = |access: &str, target: &str, claim: &str| {
        let text = format!(
            "int a[20]; long long b[4]; extern void fill(void *); int main(void) {{ char *p = (char *)b; *(char *)p = 1; a[3] = 5;
               while (__VERIFIER_nondet_int()) {{ {access}; p = (char *){target}; }} if (a[3] != 5) reach_error(); return 0; }}"
        );
        let case = Case::c(&text);
        case.check(proof_of_array(&case, 4, Some(&format!("(and {claim} (= (select array #x0000000c) #x00000005))"))))
    };
    let (to_b, to_either) = ("(= main.p |&b|)", "(or (= main.p |&b|) (= main.p (bvadd |&a| OFFSET)))");
    for access in ["*(char *)p = 9", "*(short *)p = 9", "*(int *)p = 9", "*(long long *)p = 9", "fill(p)"] {
        check(access, "b", to_b).unwrap_or_else(|refusal| panic!("{access}: {refusal:?}"));
        for (target, offset) in
            [("a + 12", "#x0000000c"), ("a + 10", "#x0000000a"), ("a + 14", "#x0000000e"), ("a + 11", "#x0000000b")]
        {
            let either = to_either.replace("OFFSET", offset);
            let touches =
                access != "*(char *)p = 9" && access != "*(short *)p = 9" || target == "a + 12" || target == "a + 14";
            let is_accepted = check(access, &target.replace('a', "(char *)a"), &either).is_ok();
            assert!(!(touches && is_accepted), "{access} at {target}");
            for claim in [to_b, "true"] {
                assert!(
                    check(access, &target.replace('a', "(char *)a"), claim).is_err(),
                    "{access} at {target}: {claim}"
                );
            }
        }
    }
}
#[test]
fn a_read_of_another_size_from_a_large_array_is_any_value() {
    let text = |condition: &str| {
        format!(
            "int a[20]; short b[4] = {{ 1, 1, 1, 1 }}; int main(void) {{ void *p = __VERIFIER_nondet_int() ? (void *)a : (void *)b;
               short s = *(short *)p; int v = p == a ? *(int *)p : 0; long long l = p == a ? *(long long *)p : 0;
               if ({condition}) reach_error(); return 0; }}"
        )
    };
    let check = |condition: &str| {
        let case = Case::c(&text(condition));
        case.check(proof_of_array(&case, 4, None))
    };
    check("v != 0 || (p == b && s != 1)").expect("elements are zero, and the other object is known");
    for wrong in ["s != 1", "s != 0", "p == a && s != 1", "p == a && l != 1", "p == b && s != 0", "v == 0"] {
        assert!(check(wrong).is_err(), "{wrong}");
    }
}
#[test]
fn parts_of_a_large_array_are_known_at_constant_places() {
    // Initial contents, reads and writes that are smaller or larger than an element or lie between two.
    let text = |condition: &str| {
        format!(
            "int a[20] = {{ 0x04030201, 0x08070605, 0x0c0b0a09 }}; short b[4];
             int main(void) {{ unsigned char *p = (unsigned char *)b; *p = 1; p = (unsigned char *)a; unsigned i = __VERIFIER_nondet_uint() % 2;
               unsigned char c = p[1]; short s = *(short *)(p + 3); long long l = *(long long *)p; int past = *(int *)(p + 78);
               *(short *)(p + 7) = 0x2211; *(long long *)(p + 12) = 0x1234567887654321; int e = ((int *)p)[i];
               if ({condition}) reach_error(); return 0; }}"
        )
    };
    let check = |condition: &str| {
        let case = Case::c(&text(condition));
        case.check(proof_of_array(&case, 4, None))
    };
    let right = "c != 2 || s != 0x0504 || l != 0x0807060504030201 || a[0] != 0x04030201 || a[1] != 0x11070605 || a[2] != 0x0c0b0a22
                 || a[3] != (int)0x87654321 || a[4] != 0x12345678 || a[5] != 0 || (e != a[0] && e != a[1])";
    check(right).expect("every byte is known");
    for wrong in [
        "c != 3",
        "s != 0x0405",
        "l != 0x0403020108070605",
        "past != 0",
        "a[1] != 0x08070605",
        "a[1] != 0x22070605",
        "a[2] != 0x0c0b0a09",
        "a[3] != 0x12345678",
        "a[4] != 0",
        "e != a[0]",
        "e != a[1]",
    ] {
        assert!(check(wrong).is_err(), "{wrong}");
    }
}
#[test]
fn a_large_read_only_array_keeps_its_contents_whatever_the_size_of_a_write() {
    let check = |kind: &str, claim: &str| {
        let text = "KIND int a[20] = { 1, 2, 3 }; short b[4]; int main(void) { void *p = b; while (__VERIFIER_nondet_int()) { *(short *)p = 9;
                    p = __VERIFIER_nondet_int() ? (void *)a : (void *)b; } if (a[1] != 2) reach_error(); return 0; }";
        let case = Case::c(&text.replace("KIND", kind));
        case.check(proof_of_array(&case, 4, Some(claim)))
    };
    let (right, wrong) = ("(= (select array #x00000004) #x00000002)", "(= (select array #x00000004) #x00000003)");
    check("const", right).expect("a write would end the run");
    assert!(check("const", wrong).is_err());
    assert!(check("const", "true").is_err());
    assert!(check("", right).is_err());
}
#[test]
fn an_array_that_evidence_names_has_elements_that_divide_the_object() {
    let text = "int a[21]; short b[4]; int main(void) { void *p = b; *(short *)p = 1; p = a; int i = 0;
                while (i < 20) { ((int *)p)[i] = 3; i++; } return 0; }";
    let case = Case::c(text);
    for (element, is_one) in
        [(4, true), (2, true), (1, true), (8, false), (3, false), (12, false), (84, false), (2048, false)]
    {
        let result =
            case.check(proof_of_array(&case, element, Some("(= (select array #x00000000) (select array #x00000010))")));
        let refused = matches!(result, Err(Refusal::Malformed(_)));
        assert_eq!(refused, !is_one, "{element}: {result:?}");
    }
}
#[test]
fn a_large_object_that_is_accessed_with_several_sizes_is_known_at_computed_places() {
    // Bytes, of which an int is four; the index is not known as a constant.
    let text = |condition: &str| {
        format!(
            "static char a[80]; int main(void) {{ unsigned i = __VERIFIER_nondet_uint() % 19, j = __VERIFIER_nondet_uint() % 80;
               char *p = a; ((int *)p)[i] = 0x04030201; p[j] = 9; int v = *(int *)(p + 4 * i); short s = *(short *)(p + 4 * i + 1);
               if ({condition}) reach_error(); return 0; }}"
        )
    };
    let right =
        "(j / 4 != i && (v != 0x04030201 || s != 0x0302)) || (j == 4 * i + 2 && (v != 0x04090201 || s != 0x0902))";
    let wrong = [
        "v != 0x04030201",
        "s != 0x0302",
        "j == 4 * i && v == 0x04030209",
        "j == 4 * i + 3 && s != 0x0902",
        "p[79] != 0",
    ];
    holds_exactly(text, right, &wrong);
}
#[test]
fn an_access_that_passes_the_end_of_a_large_object_gives_no_value() {
    let text = |condition: &str| {
        format!(
            "static char a[80]; int main(void) {{ unsigned i = 70 + __VERIFIER_nondet_uint() % 20; char *p = a; p[0] = 1; int v = *(int *)(p + i);
               if ({condition}) reach_error(); return 0; }}"
        )
    };
    holds_exactly(text, "i <= 76 && v != 0", &["v != 0", "i <= 77 && v != 0", "i == 76 && v == 0"]);
}
#[test]
fn large_static_objects_with_few_contents_start_with_them() {
    let text = |condition: &str| {
        format!(
            "int a[1000] = {{ 1, 2, [400] = 7 }}; int main(void) {{ unsigned i = __VERIFIER_nondet_uint() % 1000; int v = a[i];
               if ({condition}) reach_error(); return 0; }}"
        )
    };
    let right = "v != (i == 0 ? 1 : i == 1 ? 2 : i == 400 ? 7 : 0)";
    holds_exactly(
        text,
        right,
        &["v != 0", "i > 400 && v == 0", "i == 400 && v == 7", "i > 1 && v != 0", "i < 2 && v != 1"],
    );
}
#[test]
fn an_access_between_multiples_of_its_size_is_known_by_the_offset_of_its_address() {
    let check = |condition: &str, claim: &str| {
        let text = "short b[10]; int g; int main(void) { void *p = b; if (__VERIFIER_nondet_int()) p = &g; if (p == &g) return 0;
                    while (__VERIFIER_nondet_int()) { *(short *)((char *)p + 3) = 0x0403; } short v = *(short *)((char *)p + 3);
                    if (CONDITION) reach_error(); return 0; }";
        let case = Case::c(&text.replace("CONDITION", condition));
        let extra = [("first", 16, bytes(&case, "b", None, 0, 2)), ("second", 16, bytes(&case, "b", None, 2, 2))];
        case.check(case.proof_with(&[(case.at("main", 0), claim)], &extra))
    };
    let right = "(and (= main.p |&b|) (= first #x0000) (or (= second #x0000) (= second #x0300)))";
    check("b[0] != 0 || (v & 0xff) != ((b[1] >> 8) & 0xff)", right).expect("the byte before stays");
    assert!(check("b[0] != 0", &right.replace("#x0300", "#x0003")).is_err());
    assert!(check("b[0] != 0", &right.replace("(= main.p |&b|)", "true")).is_err());
    assert!(check("v != 0x0403", right).is_err());
    assert!(check("b[1] != 0", right).is_err());
    assert!(check("b[1] == 0", right).is_err());
}
