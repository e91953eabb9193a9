//! Shadow runs: origins row by row, what decisions depend on, and agreement with plain runs.

use base::Budget;
use term::Term;

use super::super::{
    BadAccess, Decided, Dependence, Lifespan, Limits, Machine, MemoryError, Outcome, Questions, Run, Touched, Watch,
    ZeroInputs,
};
use super::{Line, run_with};
use crate::{AccessKind, Action, InputId, InputKind, Lifetime, ObjectId, Program, Shown, Var};

const ALL: Watch = Watch::Everything { enumerated: 0 };

fn shadow(program: &Program, terms: &term::Terms, watch: Watch) -> (Run, Option<Decided>) {
    let mut machine = Machine::new(program, terms).expect("the program can be compiled");
    machine.run_shadow(&mut ZeroInputs, &Limits::default(), &Budget::default(), watch)
}

/// Two objects `a` and `b` of eight bytes, and a heap object `h` of sixteen.
struct Objects {
    line: Line,
    a: ObjectId,
    pa: Term,
    pb: Term,
    h: Var,
}

impl Objects {
    fn new() -> Objects {
        let mut line = Line::new();
        let a = line.builder.static_object(&mut line.terms, "a", 8, 8, vec![], None);
        let b = line.builder.static_object(&mut line.terms, "b", 8, 8, vec![], None);
        let (pa, pb) = (line.builder.term(line.builder.address_of(a)), line.builder.term(line.builder.address_of(b)));
        let h = line.local("h", 64);
        let size = line.terms.bv(64, 16);
        line.action(Action::Alloc { var: h, size, lifetime: Lifetime::Heap, input: None, moved: None });
        Objects { line, a, pa, pb, h }
    }
    fn number(&mut self, value: u64) -> Term {
        self.line.terms.bv(64, value)
    }
    fn plus(&mut self, base: Term, offset: u64) -> Term {
        let offset = self.number(offset);
        self.line.terms.bv_add(base, offset)
    }
    fn heap(&self) -> Term {
        self.line.term(self.h)
    }
    /// Puts the value into a variable, so that nothing is simplified.
    fn kept(&mut self, value: Term) -> Term {
        let width = self.line.terms.width(value);
        let name = format!("kept{}", self.line.builder.program_mut().vars.len());
        let var = self.line.local(&name, width);
        self.line.assign(var, value);
        self.line.term(var)
    }
    fn input(&mut self, kind: InputKind, width: u32) -> (Term, InputId) {
        let input = self.line.builder.input(kind, Shown::Signed, None);
        let name = format!("input{}", self.line.builder.program_mut().vars.len());
        let var = self.line.local(&name, width);
        self.line.action(Action::Havoc { var, input });
        (self.line.term(var), input)
    }
    fn finish(mut self) -> (Run, Option<Decided>) {
        let x = self.line.local("x", 8);
        self.line.set(x, 8, 0);
        let (program, terms) = self.line.returning(x);
        shadow(&program, &terms, Watch::Uncontrolled)
    }
    /// What the condition depends on.
    fn depends(mut self, condition: Term) -> Option<Dependence> {
        self.line.action(Action::Assume(condition));
        self.finish().1.map(|decided| decided.by)
    }
    /// How an access of one byte ends, and what it depends on.
    fn loads(mut self, address: Term) -> (Option<BadAccess>, Option<Dependence>) {
        let var = self.line.local("loaded", 8);
        self.line.action(Action::Load { var, address });
        let (run, decided) = self.finish();
        let bad = match run.outcome {
            Outcome::MemoryError(error) => Some(error.what),
            Outcome::Returned(_) => None,
            other => panic!("it ends with {other:?}"),
        };
        (bad, decided.map(|decided| decided.by))
    }
}

#[test]
fn an_address_belongs_to_the_object_it_was_derived_from() {
    // Far beyond its end lies the other object, which it does not belong to.
    for offset in [8, 32, 24, u64::MAX] {
        let mut objects = Objects::new();
        let pa = objects.pa;
        let at = objects.plus(pa, offset);
        assert_eq!(objects.loads(at), (Some(BadAccess::Read), None), "offset {offset}");
    }
    let mut objects = Objects::new();
    let pa = objects.pa;
    let at = objects.plus(pa, 7);
    assert_eq!(objects.loads(at), (None, None));
}

#[test]
fn a_difference_of_pointers_into_one_object_is_a_number() {
    let mut objects = Objects::new();
    let pa = objects.pa;
    let end = objects.plus(pa, 6);
    let end = objects.kept(end);
    let difference = objects.line.terms.bv_sub(end, pa);
    let difference = objects.kept(difference);
    let six = objects.number(6);
    let is_six = objects.line.terms.eq(difference, six);
    let pb = objects.pb;
    let at = objects.line.terms.bv_add(pb, difference);
    objects.line.action(Action::Assume(is_six));
    assert_eq!(objects.loads(at), (None, None));
}

#[test]
fn places_near_an_object_are_ordered() {
    // No object lies in the last page, so that a place less than a page behind the object has no smaller number.
    for (offset, expected) in [(8, None), (100, None), (8 + 4095, None), (8 + 4096, Some(Dependence::Layout))] {
        let mut objects = Objects::new();
        let pa = objects.pa;
        let far = objects.plus(pa, offset);
        let far = objects.kept(far);
        let less = objects.line.terms.bv_ult(pa, far);
        assert_eq!(objects.depends(less), expected, "offset {offset}");
    }
}

#[test]
fn a_difference_of_pointers_into_two_objects_depends_on_the_layout() {
    let mut objects = Objects::new();
    let (pa, pb) = (objects.pa, objects.pb);
    let difference = objects.line.terms.bv_sub(pa, pb);
    let difference = objects.kept(difference);
    let zero = objects.number(0);
    let less = objects.line.terms.bv_slt(difference, zero);
    assert_eq!(objects.depends(less), Some(Dependence::Layout));
    // It has no origin: an address made of it belongs to what it is added to.
    let mut objects = Objects::new();
    let (pa, pb) = (objects.pa, objects.pb);
    let difference = objects.line.terms.bv_sub(pa, pb);
    let difference = objects.kept(difference);
    let at = objects.line.terms.bv_add(pb, difference);
    assert_eq!(objects.loads(at), (Some(BadAccess::Read), Some(Dependence::Layout)));
}

#[test]
fn a_strong_origin_beats_a_weak_one_in_a_sum() {
    let mut objects = Objects::new();
    let (pa, pb) = (objects.pa, objects.pb);
    let (seven, three) = (objects.number(7), objects.number(3));
    let hash = objects.line.terms.bv_lshr(pb, three);
    let slot = objects.line.terms.bv_and(hash, seven);
    let slot = objects.kept(slot);
    let at = objects.line.terms.bv_add(slot, pa);
    assert_eq!(objects.loads(at), (None, Some(Dependence::Layout)));
}

#[test]
fn tag_bits_below_the_alignment_are_known() {
    let mut objects = Objects::new();
    let pa = objects.pa;
    let (one, mask) = (objects.number(1), objects.number(!7));
    let tagged = objects.line.terms.bv_or(pa, one);
    let tagged = objects.kept(tagged);
    let bits = objects.line.terms.bv_and(tagged, one);
    let is_set = objects.line.terms.eq(bits, one);
    objects.line.action(Action::Assume(is_set));
    let at = objects.line.terms.bv_and(tagged, mask);
    assert_eq!(objects.loads(at), (None, None));
    // Other bits are not.
    let mut objects = Objects::new();
    let pa = objects.pa;
    let mask = objects.number(16);
    let bits = objects.line.terms.bv_and(pa, mask);
    let zero = objects.number(0);
    let is_clear = objects.line.terms.eq(bits, zero);
    assert_eq!(objects.depends(is_clear), Some(Dependence::Layout));
}

#[test]
fn a_product_of_an_address_depends_on_the_layout() {
    let mut objects = Objects::new();
    let h = objects.heap();
    let (seven, zero) = (objects.number(7), objects.number(0));
    let rest = objects.line.terms.bv_urem(h, seven);
    let divides = objects.line.terms.eq(rest, zero);
    assert_eq!(objects.depends(divides), Some(Dependence::Layout));
}

#[test]
fn equality_of_addresses_is_decided_by_the_laws_of_memory() {
    // (offset in a, offset in b, what decides)
    let rows = [
        (0, 0, None),
        (3, 5, None),
        (8, 0, Some(Dependence::Layout)),
        (0, 8, Some(Dependence::Layout)),
        (8, 8, None),
        (8, 1, None),
        (9, 1, Some(Dependence::Layout)),
        (u64::MAX, 1, Some(Dependence::Layout)),
    ];
    for (i, j, expected) in rows {
        let mut objects = Objects::new();
        let (pa, pb) = (objects.pa, objects.pb);
        let (x, y) = (objects.plus(pa, i), objects.plus(pb, j));
        let (x, y) = (objects.kept(x), objects.kept(y));
        let same = objects.line.terms.eq(x, y);
        let differs = objects.line.terms.not(same);
        assert_eq!(objects.depends(differs), expected, "offsets {i} and {j}");
    }
}

#[test]
fn comparisons_within_an_object_and_with_null_are_decided() {
    for (offset, expected) in
        [(0, None), (16, None), (17, Some(Dependence::Layout)), (u64::MAX, Some(Dependence::Layout))]
    {
        let mut objects = Objects::new();
        let h = objects.heap();
        let p = objects.plus(h, offset);
        let (p, zero) = (objects.kept(p), objects.number(0));
        let is_null = objects.line.terms.eq(p, zero);
        let is_some = objects.line.terms.not(is_null);
        assert_eq!(objects.depends(is_some), expected, "offset {offset}");
    }
    let mut objects = Objects::new();
    let h = objects.heap();
    let p = objects.plus(h, 16);
    let p = objects.kept(p);
    let less = objects.line.terms.bv_ult(h, p);
    assert_eq!(objects.depends(less), None);
    // The order of two objects is open.
    let objects = Objects::new();
    let mut terms = objects.line.terms.clone();
    let less = terms.bv_ult(objects.pa, objects.pb);
    let mut objects = objects;
    objects.line.terms = terms;
    assert_eq!(objects.depends(less), Some(Dependence::Layout));
}

#[test]
fn a_freed_address_compared_with_another_is_open() {
    let mut objects = Objects::new();
    let h = objects.heap();
    let k = objects.line.local("k", 64);
    objects.line.action(Action::Free { address: h, lifetime: Lifetime::Heap });
    let size = objects.number(16);
    objects.line.action(Action::Alloc { var: k, size, lifetime: Lifetime::Heap, input: None, moved: None });
    let same = objects.line.terms.eq(h, objects.line.builder.term(k));
    let differs = objects.line.terms.not(same);
    assert_eq!(objects.depends(differs), Some(Dependence::Layout));
}

#[test]
fn bytes_of_a_stored_pointer_keep_its_origin() {
    let mut objects = Objects::new();
    let (h, pa, pb) = (objects.heap(), objects.pa, objects.pb);
    let inner = objects.plus(pa, 5);
    objects.line.action(Action::Store { address: h, value: inner });
    // Copied byte by byte to another place.
    for i in 0..8 {
        let (from, to) = (objects.plus(h, i), objects.plus(pb, i));
        let byte = objects.line.local(&format!("byte{i}"), 8);
        objects.line.action(Action::Load { var: byte, address: from });
        let value = objects.line.term(byte);
        objects.line.action(Action::Store { address: to, value });
    }
    let p = objects.line.local("p", 64);
    objects.line.action(Action::Load { var: p, address: pb });
    let p = objects.line.term(p);
    let same = objects.line.terms.eq(p, inner);
    objects.line.action(Action::Assume(same));
    assert_eq!(objects.loads(p), (None, None));
}

#[test]
fn a_byte_of_a_pointer_depends_on_the_layout() {
    let mut objects = Objects::new();
    let (h, pa) = (objects.heap(), objects.pa);
    objects.line.action(Action::Store { address: h, value: pa });
    let at = objects.plus(h, 1);
    let byte = objects.line.local("byte", 8);
    objects.line.action(Action::Load { var: byte, address: at });
    let zero = objects.line.terms.bv(8, 0);
    let is_zero = objects.line.terms.eq(objects.line.builder.term(byte), zero);
    let differs = objects.line.terms.not(is_zero);
    assert_eq!(objects.depends(differs), Some(Dependence::Layout));
}

#[test]
fn uncontrolled_inputs_are_named_where_they_decide() {
    let kind = InputKind::External("f".to_owned());
    let mut objects = Objects::new();
    let (x, input) = objects.input(kind.clone(), 64);
    let zero = objects.number(0);
    let h = objects.heap();
    // Through memory and arithmetic.
    objects.line.action(Action::Store { address: h, value: x });
    let y = objects.line.local("y", 64);
    objects.line.action(Action::Load { var: y, address: h });
    let is_zero = objects.line.terms.eq(objects.line.builder.term(y), zero);
    assert_eq!(objects.depends(is_zero), Some(Dependence::Input(input)));
    // What decides nothing does not matter.
    let mut objects = Objects::new();
    let (x, _) = objects.input(kind, 64);
    let h = objects.heap();
    objects.line.action(Action::Store { address: h, value: x });
    assert_eq!(objects.loads(h), (None, None));
}

#[test]
fn controlled_inputs_decide_only_for_those_who_look() {
    for (watch, expected) in [(Watch::Uncontrolled, None), (ALL, Some(Outcome::Undetermined))] {
        let mut objects = Objects::new();
        let (x, _) = objects.input(InputKind::Nondet("n".to_owned()), 64);
        let zero = objects.number(0);
        let is_zero = objects.line.terms.eq(x, zero);
        objects.line.action(Action::Assume(is_zero));
        let result = objects.line.local("x", 8);
        objects.line.set(result, 8, 0);
        let (program, terms) = objects.line.returning(result);
        let (run, decided) = shadow(&program, &terms, watch);
        assert_eq!(decided.is_some(), expected.is_some());
        assert_eq!(run.outcome, expected.unwrap_or(Outcome::Returned(Some(0))));
    }
}

#[test]
fn a_probe_asks_the_origin() {
    for (offset, expected) in [(7, 1), (8, 0), (32, 0)] {
        let mut objects = Objects::new();
        let pa = objects.pa;
        let address = objects.plus(pa, offset);
        let truth = objects.line.terms.bool_sort();
        let var = objects.line.local_of("is_valid", truth);
        objects.line.action(Action::Probe { var, address, bytes: 1, access: AccessKind::Read });
        let (program, terms) = objects.line.returning(var);
        let (run, decided) = shadow(&program, &terms, ALL);
        assert_eq!((run.outcome, decided), (Outcome::Returned(Some(expected)), None), "offset {offset}");
    }
}

#[test]
fn an_invalid_access_names_its_object() {
    let mut objects = Objects::new();
    let (a, pa) = (objects.a, objects.pa);
    let at = objects.plus(pa, 32);
    let value = objects.line.terms.bv(32, 1);
    objects.line.action(Action::Store { address: at, value });
    let (run, _) = objects.finish();
    let missed = Touched { object: Some(a), size: 8, offset: 32, state: Lifespan::Live, allocated: None, freed: None };
    let Outcome::MemoryError(MemoryError { what, object, .. }) = run.outcome else { panic!("{:?}", run.outcome) };
    assert_eq!((what, object), (BadAccess::Write, Some(missed)));
}

#[test]
fn a_literal_address_is_not_supported() {
    let mut objects = Objects::new();
    let device = objects.number(0x8000);
    let var = objects.line.local("loaded", 8);
    objects.line.action(Action::Load { var, address: device });
    assert!(matches!(objects.finish().0.outcome, Outcome::Unsupported { .. }));
    let mut objects = Objects::new();
    let null = objects.number(0);
    assert_eq!(objects.loads(null), (Some(BadAccess::Read), None));
}

#[test]
fn all_answers_to_small_questions_are_tried() {
    let mut line = Line::new();
    let (x, y) = (line.local("x", 2), line.local("y", 3));
    line.havoc(x);
    let zero = line.terms.bv(2, 0);
    let is_zero = line.terms.eq(line.builder.term(x), zero);
    line.action(Action::Assume(is_zero));
    line.havoc(y);
    let (program, terms) = line.returning(y);
    let mut machine = Machine::new(&program, &terms).expect("it can be executed");
    let mut questions = Questions::enumerated();
    let mut ends = Vec::new();
    loop {
        questions.start();
        let watch = questions.watch();
        let (run, decided) = machine.run_shadow(&mut questions, &Limits::default(), &Budget::default(), watch);
        assert_eq!(decided, None);
        ends.push(run.outcome);
        if !questions.advance() {
            break;
        }
    }
    let returned = ends.iter().filter(|end| matches!(end, Outcome::Returned(_))).count();
    assert_eq!((ends.len(), returned), (8 + 3, 8));
}

#[test]
fn random_programs_end_alike_in_both_machines() {
    let (mut n_memory_errors, mut n_agreed) = (0, 0);
    for seed in 0..400 {
        let mut terms = term::Terms::new();
        let program = crate::random_program::random_program(seed, &mut terms);
        let limits = Limits { edges: 2000, ..Limits::default() };
        let plain = run_with(&program, &terms, &mut ZeroInputs, &limits);
        let mut machine = Machine::new(&program, &terms).expect("the program can be compiled");
        let (run, decided) = machine.run_shadow(&mut ZeroInputs, &limits, &Budget::default(), Watch::Uncontrolled);
        if matches!(run.outcome, Outcome::MemoryError(_) | Outcome::Unsupported { .. }) {
            // The origin may say so where the address alone does not.
            n_memory_errors += 1;
            continue;
        }
        if decided.is_none() {
            n_agreed += 1;
            assert_eq!(run.outcome, plain.outcome, "seed {seed}");
            assert_eq!(run.inputs, plain.inputs, "seed {seed}");
        }
    }
    assert!(n_agreed > 50, "{n_agreed} agreed, {n_memory_errors} ended at an access");
}
