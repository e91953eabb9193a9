//! Order of evaluation: which accesses of operands conflict.

use base::Budget;

use super::super::{Dependence, Limits, Machine, Outcome, Watch, ZeroInputs};
use super::Line;
use crate::{Action, InputKind, OrderStep};

/// A step of a region over two objects of eight bytes.
#[derive(Clone, Copy)]
enum Step {
    /// An operand begins: its number, its parent, whether it is sequenced.
    Enter(u32, u32, bool),
    Leave,
    /// A load or store of one byte: object, offset.
    Load(usize, u64),
    Store(usize, u64),
    /// An access to bits of the first byte of object 0: first, count, write.
    Bits(u32, u64, bool),
    /// An access to a variable.
    Variable(bool),
    /// The run ends.
    End,
}
use Step::{Bits, End, Enter, Leave, Load, Store, Variable};

/// Whether a run through the region depends on the order of evaluation.
fn depends(steps: &[Step], is_choice: bool, watch: Watch) -> bool {
    let mut line = Line::new();
    let objects: Vec<_> = ["a", "b"]
        .map(|name| line.builder.static_object(&mut line.terms, name, 8, 8, vec![], None))
        .map(|object| line.builder.term(line.builder.address_of(object)))
        .to_vec();
    let what = "the order".to_owned();
    let input = line.builder.input(InputKind::Order { what, ends: false, is_choice }, crate::Shown::Plain, None);
    let (x, byte) = (line.local("x", 8), line.local("byte", 8));
    line.set(x, 8, 0);
    line.action(Action::Order(OrderStep::Open { input }));
    for &step in steps {
        let place = |line: &mut Line, object: usize, offset: u64| {
            let offset = line.terms.bv(64, offset);
            line.terms.bv_add(objects[object], offset)
        };
        let action = match step {
            Enter(operand, parent, sequenced) => Action::Order(OrderStep::Enter { operand, parent, sequenced }),
            Leave => Action::Order(OrderStep::Leave),
            Load(object, offset) => Action::Load { var: byte, address: place(&mut line, object, offset) },
            Store(object, offset) => {
                Action::Store { address: place(&mut line, object, offset), value: line.terms.bv(8, 1) }
            }
            Bits(first, count, is_write) => {
                Action::Order(OrderStep::Bits { address: objects[0], first, count, is_write })
            }
            Variable(is_write) => Action::Order(OrderStep::Variable { var: x, is_write }),
            End => Action::Assume(line.terms.truth(false)),
        };
        line.action(action);
        if let Bits(_, _, true) = step {
            // What the machine does to write bits does not count.
            let (address, value) = (objects[0], line.terms.bv(8, 1));
            line.action(Action::Store { address, value });
            line.action(Action::Order(OrderStep::Resume));
        }
    }
    line.action(Action::Order(OrderStep::Close));
    // Behind the region nothing counts.
    let (address, value) = (objects[0], line.terms.bv(8, 2));
    line.action(Action::Store { address, value });
    let (program, terms) = line.returning(x);
    let mut machine = Machine::new(&program, &terms).expect("the program can be compiled");
    let (run, decided) = machine.run_shadow(&mut ZeroInputs, &Limits::default(), &Budget::default(), watch);
    assert!(!matches!(run.outcome, Outcome::MemoryError(_) | Outcome::Unsupported { .. }), "{:?}", run.outcome);
    decided.inspect(|decided| assert_eq!(decided.by, Dependence::Input(input))).is_some()
}

fn check(expected: bool, steps: &[Step]) {
    assert_eq!(depends(steps, false, Watch::Uncontrolled), expected);
    assert_eq!(depends(steps, false, Watch::Everything { enumerated: 0 }), expected);
    assert_eq!(depends(steps, true, Watch::Uncontrolled), expected);
}

#[test]
fn a_write_conflicts_with_an_access_of_another_operand() {
    for (expected, left, right) in [
        (true, Store(0, 0), Load(0, 0)),
        (true, Load(0, 3), Store(0, 3)),
        (true, Store(0, 3), Store(0, 3)),
        (false, Load(0, 0), Load(0, 0)),
        (false, Store(0, 0), Store(0, 1)),
        (false, Store(0, 0), Store(1, 0)),
        (true, Variable(true), Variable(false)),
        (false, Variable(false), Variable(false)),
        (false, Bits(0, 3, true), Bits(3, 5, true)),
        (true, Bits(0, 3, true), Bits(2, 1, false)),
        (true, Bits(0, 3, true), Load(0, 0)),
    ] {
        check(expected, &[Enter(1, 0, false), left, Leave, Enter(2, 0, false), right, Leave]);
    }
}

#[test]
fn an_operand_comes_before_the_one_that_contains_it() {
    // `a = a + …`: the read is inside of the assignment.
    check(false, &[Enter(1, 0, false), Enter(2, 1, false), Load(0, 0), Leave, Store(0, 0), Leave]);
    // The same in a plan, where operands are evaluated one after the other.
    check(false, &[Enter(2, 1, false), Load(0, 0), Leave, Enter(1, 0, false), Store(0, 0), Leave]);
    // Two levels, the middle one is entered later.
    let nested =
        [Enter(3, 2, false), Load(0, 0), Leave, Enter(2, 1, false), Leave, Enter(1, 0, false), Store(0, 0), Leave];
    check(false, &nested);
}

#[test]
fn side_effects_of_nested_operands_are_unsequenced_unless_a_sequence_point_lies_between() {
    // `a = (a = 1)`.
    check(true, &[Enter(1, 0, false), Enter(2, 1, false), Store(0, 0), Leave, Store(0, 0), Leave]);
    // `a = f()`, where `f` writes `a`.
    check(false, &[Enter(1, 0, false), Enter(2, 1, true), Store(0, 0), Leave, Store(0, 0), Leave]);
    // `a = f(a = 1)`.
    let in_a_call =
        [Enter(1, 0, false), Enter(2, 1, true), Enter(3, 2, false), Store(0, 0), Leave, Leave, Store(0, 0), Leave];
    check(false, &in_a_call);
}

#[test]
fn a_run_that_ends_inside_a_region_depends_on_the_order() {
    check(true, &[Enter(1, 0, false), End]);
}

#[test]
fn orders_that_are_all_tried_are_not_reported() {
    let steps = [Enter(1, 0, false), Store(0, 0), Leave, Enter(2, 0, false), Store(0, 0), Leave];
    assert!(!depends(&steps, true, Watch::Everything { enumerated: 8 }));
    // Where there is one order only, nothing is tried.
    assert!(depends(&steps, false, Watch::Everything { enumerated: 8 }));
}
