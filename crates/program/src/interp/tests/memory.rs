//! Memory: objects, bounds, lifetimes, unspecified contents.

use base::Budget;
use term::{SortKind, Term};

use super::super::{
    BadAccess, Inputs, Lifespan, Limit, Limits, Machine, MemoryError, Origin, Outcome, Request, ScriptedInputs,
    Touched, Unclear, ZeroInputs,
};
use super::{Line, result, run_with};
use crate::{Action, InputId, InputKind, Lifetime, Shown, Var};

/// Counts up, so that every answer differs.
struct Counting(u128);
impl Inputs for Counting {
    fn value(&mut self, _: &Request<'_>) -> u128 {
        self.0 += 1;
        self.0
    }
    fn choose(&mut self, _: usize) -> usize {
        0
    }
}

impl Line {
    fn memory_input(&mut self) -> InputId {
        self.builder.input(InputKind::Memory, Shown::Plain, None)
    }
    /// A heap object of this size; its address is in the variable.
    fn alloc(&mut self, name: &str, size: u64, zeroed: bool) -> Var {
        let var = self.local(name, 64);
        let size = self.terms.bv(64, size);
        let input = (!zeroed).then(|| self.memory_input());
        self.action(Action::Alloc { var, size, lifetime: Lifetime::Heap, input, moved: None });
        var
    }
    fn at_offset(&mut self, base: Var, offset: u64) -> Term {
        let offset = self.terms.bv(64, offset);
        let base = self.term(base);
        self.terms.bv_add(base, offset)
    }
    fn load(&mut self, name: &str, width: u32, address: Term) -> Var {
        let var = self.local(name, width);
        self.action(Action::Load { var, address });
        var
    }
    fn store(&mut self, address: Term, width: u32, value: u64) {
        let value = self.terms.bv(width, value);
        self.action(Action::Store { address, value });
    }
    fn joined(&mut self, high: Var, low: Var) -> Var {
        let both = self.terms.concat(self.builder.term(high), self.builder.term(low));
        let width = self.terms.width(both);
        let var = self.local("joined", width);
        self.assign(var, both);
        var
    }
}

#[test]
fn bytes_are_little_endian_and_overlap() {
    let mut line = Line::new();
    let p = line.alloc("p", 16, true);
    let base = line.term(p);
    line.store(base, 32, 0x1122_3344);
    let second = line.at_offset(p, 1);
    line.store(second, 8, 0xee);
    let x = line.load("x", 32, base);
    let y = line.load("y", 16, second);
    let z = line.joined(x, y);
    assert_eq!(result(line.returning(z)), 0x1122_ee44_22ee);
}

#[test]
fn odd_and_wide_sizes_are_read_and_written() {
    let mut line = Line::new();
    let p = line.alloc("p", 64, true);
    let at = line.at_offset(p, 3);
    line.store(at, 24, 0xabcdef);
    let x = line.load("x", 24, at);
    let value = line.terms.bits(base::Bits::from_u128(128, 0x0123_4567_89ab_cdef_0011_2233_4455_6677));
    let unaligned = line.at_offset(p, 9);
    line.action(Action::Store { address: unaligned, value });
    let y = line.load("y", 104, unaligned);
    let z = line.joined(y, x);
    let expected = 0x67_89ab_cdef_0011_2233_4455_6677u128 << 24 | 0xabcdef;
    assert_eq!(result(line.returning(z)), expected);
}

#[test]
fn accesses_across_pages_of_a_huge_object_are_right_and_cheap() {
    let mut line = Line::new();
    let object = line.builder.static_object(&mut line.terms, "huge", 1 << 30, 16, vec![1, 2, 3], None);
    let p = line.builder.address_of(object);
    let x = line.local("x", 64);
    line.set(x, 64, 0);
    for step in 0..100u64 {
        let at = line.at_offset(p, step * 10_000_000 + 4090);
        line.store(at, 64, step);
        let y = line.load(&format!("y{step}"), 64, at);
        let sum = line.terms.bv_add(line.builder.term(x), line.builder.term(y));
        line.assign(x, sum);
    }
    let start = line.term(p);
    let y = line.load("first", 64, start);
    let sum = line.terms.bv_add(line.builder.term(x), line.builder.term(y));
    line.assign(x, sum);
    let (program, terms) = line.returning(x);
    let limits = Limits { memory: 10 << 20, ..Limits::default() };
    let run = run_with(&program, &terms, &mut ZeroInputs, &limits);
    assert_eq!(run.outcome, Outcome::Returned(Some(4950 + 0x030201)));
    assert_eq!(run.undefined, None);
}

#[test]
fn unspecified_bytes_are_drawn_once_and_kept() {
    let mut line = Line::new();
    let p = line.alloc("p", 8, false);
    let base = line.term(p);
    let x = line.load("x", 32, base);
    let y = line.load("y", 32, base);
    let upper = line.at_offset(p, 4);
    line.store(upper, 8, 0xff);
    let z = line.load("z", 32, upper);
    let xy = line.joined(x, y);
    let all = {
        let both = line.terms.concat(line.builder.term(xy), line.builder.term(z));
        let var = line.local("all", 96);
        line.assign(var, both);
        var
    };
    let (program, terms) = line.returning(all);
    let run = run_with(&program, &terms, &mut Counting(0), &Limits::default());
    // One answer for x, none for y, three bytes for z above the one that was written.
    assert_eq!(run.outcome, Outcome::Returned(Some(1 << 64 | 1 << 32 | 0x0403_02ff)));
    assert_eq!(run.n_inputs, 4);
    assert!(matches!(run.inputs[0].origin, Origin::Input(_)) && run.inputs[0].width == 32);
    let again = run_with(&program, &terms, &mut ScriptedInputs::replay(&run.inputs), &Limits::default());
    assert_eq!(again.outcome, run.outcome);
}

#[test]
fn a_forgotten_byte_is_drawn_anew_and_its_neighbours_stay() {
    let mut line = Line::new();
    let p = line.alloc("p", 4, true);
    let base = line.term(p);
    line.store(base, 16, 0x2211);
    let at = line.at_offset(p, 1);
    let one = line.terms.bv(64, 1);
    let input = line.builder.input(InputKind::External("read".to_owned()), Shown::Plain, None);
    line.action(Action::Forget { address: at, size: Some(one), input });
    let x = line.load("x", 32, base);
    let (program, terms) = line.returning(x);
    let run = run_with(&program, &terms, &mut Counting(0x76), &Limits::default());
    assert_eq!(run.outcome, Outcome::Returned(Some(0x7711)));
    assert!(run.external && run.undefined.is_none());
}

#[test]
fn forgetting_a_whole_object_needs_no_size_and_null_has_none() {
    let mut line = Line::new();
    let p = line.alloc("p", 4, true);
    let input = line.memory_input();
    let middle = line.at_offset(p, 2);
    line.action(Action::Forget { address: middle, size: None, input });
    let null = line.terms.bv(64, 0);
    line.action(Action::Forget { address: null, size: None, input });
    let base = line.term(p);
    let x = line.load("x", 32, base);
    let (program, terms) = line.returning(x);
    let run = run_with(&program, &terms, &mut Counting(8), &Limits::default());
    assert_eq!((run.outcome, run.undefined), (Outcome::Returned(Some(9)), None));
}

/// Runs a line that must end at a memory error.
fn memory_error_of(line: Line, x: Var) -> MemoryError {
    let (program, terms) = line.returning(x);
    let run = run_with(&program, &terms, &mut Counting(40), &Limits::default());
    let Outcome::MemoryError(error) = run.outcome else { panic!("it ends with {:?}", run.outcome) };
    assert_eq!(run.undefined.map(|undefined| undefined.what), Some(Unclear::Memory(error.what)));
    error
}

#[test]
fn a_read_outside_ends_the_run() {
    for offset in [8u64, 5, u64::MAX, 1 << 40] {
        let mut line = Line::new();
        let p = line.alloc("p", 8, true);
        line.alloc("q", 8, true);
        let at = line.at_offset(p, offset);
        let x = line.load("x", 32, at);
        assert_eq!(memory_error_of(line, x).what, BadAccess::Read, "offset {offset}");
    }
}

#[test]
fn a_write_outside_ends_the_run_and_names_the_object() {
    let mut line = Line::new();
    let p = line.alloc("p", 6, true);
    let base = line.term(p);
    let at = line.at_offset(p, 4);
    line.store(at, 32, 0x5555_5555);
    let x = line.load("x", 48, base);
    let error = memory_error_of(line, x);
    let missed = Touched { object: None, size: 6, offset: 4, state: Lifespan::Live, allocated: None, freed: None };
    assert_eq!((error.what, error.object), (BadAccess::Write, Some(missed)));
}

#[test]
fn null_is_no_object_and_freeing_it_is_fine() {
    let mut line = Line::new();
    let null = line.terms.bv(64, 0);
    line.action(Action::Free { address: null, lifetime: Lifetime::Heap });
    let x = line.load("x", 8, null);
    assert_eq!(memory_error_of(line, x).what, BadAccess::Read);
}

#[test]
fn a_write_to_a_read_only_object_ends_the_run() {
    let mut line = Line::new();
    let object = line.builder.static_object(&mut line.terms, "text", 4, 1, b"abc".to_vec(), None);
    line.builder.program_mut().objects[object].read_only = true;
    let p = line.builder.address_of(object);
    let base = line.term(p);
    line.store(base, 8, 0);
    let x = line.load("x", 32, base);
    let error = memory_error_of(line, x);
    assert_eq!((error.what, error.object.map(|missed| missed.object)), (BadAccess::ReadOnly, Some(Some(object))));
}

#[test]
fn an_object_is_gone_after_free_and_is_freed_once() {
    for (again, what) in [(true, BadAccess::Free), (false, BadAccess::Read)] {
        let mut line = Line::new();
        let p = line.alloc("p", 4, true);
        let address = line.term(p);
        line.action(Action::Free { address, lifetime: Lifetime::Heap });
        let x = if again {
            line.action(Action::Free { address, lifetime: Lifetime::Heap });
            p
        } else {
            line.load("x", 64, address)
        };
        let error = memory_error_of(line, x);
        assert_eq!((error.what, error.object.map(|object| object.state)), (what, Some(Lifespan::Freed)));
    }
}

#[test]
fn only_the_start_of_a_heap_object_can_be_freed() {
    let mut line = Line::new();
    let p = line.alloc("p", 4, true);
    let address = line.at_offset(p, 1);
    line.action(Action::Free { address, lifetime: Lifetime::Heap });
    assert_eq!(memory_error_of(line, p).what, BadAccess::Free);
    let mut line = Line::new();
    let object = line.builder.static_object(&mut line.terms, "g", 4, 4, vec![], None);
    let address = line.builder.term(line.builder.address_of(object));
    line.action(Action::Free { address, lifetime: Lifetime::Heap });
    let x = line.local("x", 8);
    line.set(x, 8, 0);
    assert_eq!(memory_error_of(line, x).what, BadAccess::Free);
}

#[test]
fn an_automatic_object_ends_with_its_function_and_starts_unspecified() {
    let mut line = Line::new();
    let pointer = line.bv(64);
    let f = line.builder.function("f", None);
    let object = line.builder.automatic_object(&mut line.terms, f, "a", 4, 4, None);
    let r = line.builder.local(&mut line.terms, f, "r", pointer, Shown::Pointer, None);
    let int = line.bv(32);
    let v = line.builder.local(&mut line.terms, f, "v", int, Shown::Signed, None);
    let g = line.builder.global(&mut line.terms, "seen", int, Shown::Signed, None);
    line.builder.set_result(f, r);
    let address = line.builder.term(line.builder.address_of(object));
    let (entry, exit) = (line.builder.entry_of(f), line.builder.exit_of(f));
    let locations = [0; 3].map(|_| line.builder.location(f, None));
    line.builder.edge(entry, locations[0], Action::Load { var: v, address }, None);
    let tv = line.term(v);
    line.builder.assign(locations[0], locations[1], g, tv, None);
    let value = line.terms.bv(32, 0x7777_7777);
    line.builder.edge(locations[1], locations[2], Action::Store { address, value }, None);
    line.builder.assign(locations[2], exit, r, address, None);

    let (p, q) = (line.local("p", 64), line.local("q", 64));
    line.action(Action::Call { function: f, args: vec![], result: Some(p) });
    line.action(Action::Call { function: f, args: vec![], result: Some(q) });
    let tp = line.term(p);
    let x = line.load("x", 32, tp);
    let both = line.joined(x, g);
    let (program, terms) = line.returning(both);
    let run = run_with(&program, &terms, &mut Counting(0), &Limits::default());
    // The second activation does not see what the first one wrote, has another address, and the pointer dangles.
    assert!(matches!(run.outcome, Outcome::MemoryError(MemoryError { what: BadAccess::Read, .. })));
    let seen: Vec<_> = run.inputs.iter().map(|answer| (answer.origin, answer.value)).collect();
    assert_eq!(seen, [(Origin::Automatic, 1), (Origin::Automatic, 2)]);
}

#[test]
fn truth_values_and_floats_have_their_bytes() {
    let mut line = Line::new();
    let p = line.alloc("p", 64, true);
    let base = line.term(p);
    line.store(base, 8, 2);
    let truth = line.terms.bool_sort();
    let b = line.local_of("b", truth);
    line.action(Action::Load { var: b, address: base });
    let value = line.term(b);
    let next = line.at_offset(p, 1);
    line.action(Action::Store { address: next, value });
    let x = line.load("x", 16, base);

    let extended = line.terms.sort(SortKind::Float(15, 64));
    let number = line.terms.numeral(extended, &format!("{:020x}", 0xbfffu128 << 63 | 1 << 62));
    let at = line.at_offset(p, 16);
    line.action(Action::Store { address: at, value: number });
    let y = line.load("y", 80, at);
    let z = line.joined(x, y);
    let (program, terms) = line.returning(z);
    let run = run_with(&program, &terms, &mut ZeroInputs, &Limits::default());
    // -1.5 as an 80-bit number has its integer bit set.
    assert_eq!(run.outcome, Outcome::Returned(Some(0x0102u128 << 80 | 0xbfff_c000_0000_0000_0000)));
    assert_eq!(run.undefined, None);
}

#[test]
fn memory_is_limited_but_freed_memory_can_be_had_again() {
    // A loop that allocates, accesses, and frees if the flag is set.
    for frees in [true, false] {
        let mut line = Line::new();
        let (i, p) = (line.local("i", 32), line.local("p", 64));
        line.set(i, 32, 0);
        let head = line.at;
        let size = line.terms.bv(64, 100);
        let input = Some(line.memory_input());
        line.action(Action::Alloc { var: p, size, lifetime: Lifetime::Heap, input, moved: None });
        let address = line.term(p);
        line.store(address, 64, 1);
        if frees {
            line.action(Action::Free { address, lifetime: Lifetime::Heap });
        }
        let ti = line.term(i);
        let one = line.terms.bv(32, 1);
        let next = line.terms.bv_add(ti, one);
        line.assign(i, next);
        let bound = line.terms.bv(32, 200_000);
        let more = line.terms.bv_ult(ti, bound);
        let done = line.terms.not(more);
        line.builder.assume(line.at, head, more, None);
        line.action(Action::Assume(done));
        let (program, terms) = line.returning(i);
        let limits = Limits { memory: 4 << 20, ..Limits::default() };
        let run = run_with(&program, &terms, &mut ZeroInputs, &limits);
        let expected = if frees { Outcome::Returned(Some(200_000)) } else { Outcome::Limit(Limit::Memory) };
        assert_eq!(run.outcome, expected);
    }
}

#[test]
fn addresses_fit_32_bits_and_are_aligned() {
    let mut line = Line::with(term::Terms::new(), 32);
    let object = line.builder.static_object(&mut line.terms, "g", 3, 64, vec![], None);
    let address = line.builder.term(line.builder.address_of(object));
    let p = line.local("p", 32);
    let size = line.terms.bv(32, 1000);
    line.action(Action::Alloc { var: p, size, lifetime: Lifetime::Heap, input: None, moved: None });
    let both = line.terms.concat(address, line.builder.term(p));
    let x = line.local("x", 64);
    line.assign(x, both);
    let (program, terms) = line.returning(x);
    let mut machine = Machine::new(&program, &terms).expect("the program can be compiled");
    let run = machine.run(&mut ZeroInputs, &Limits::default(), &Budget::default());
    let Outcome::Returned(Some(value)) = run.outcome else { panic!("it returns") };
    let (fixed, heap) = (value >> 32, value & 0xffff_ffff);
    assert!(fixed != 0 && heap != 0 && fixed % 64 == 0 && heap % 16 == 0);
}
