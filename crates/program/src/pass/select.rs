//! The property: which errors count.
//!
//! These run before everything else, on the program as lowered, whose locations they keep: certificates and
//! replays speak of the program that they yield.

use term::Terms;

use crate::{Action, Assertion, AssertionId, AssertionKind, Edge, Location, Mark, Program, Undefined};

/// Only this assertion counts; where another one fails, the run ends without error.
pub fn assertion(program: Program, wanted: AssertionId) -> Program {
    assertions(program, |assertion, _| assertion == wanted)
}

/// Only these assertions count, and those about the order of evaluation, without which a proof speaks of one order alone.
pub fn assertions(mut program: Program, wanted: impl Fn(AssertionId, &Assertion) -> bool) -> Program {
    let Program { locations, assertions, .. } = &mut program;
    for location in locations.iter_mut() {
        if let Mark::Error(id) = location.mark
            && assertions[id].kind != AssertionKind::Order
            && !wanted(id, &assertions[id])
        {
            location.mark = Mark::None;
        }
    }
    program
}

/// Arithmetic counts: a signed overflow, a division by zero and a shift out of range are errors, each
/// with an assertion of its own; the error calls of the user end the run.
pub fn no_overflow(mut program: Program, terms: &mut Terms) -> Program {
    program = assertions(program, |_, _| false);
    for edge in program.edges.ids() {
        let Edge { from, to, place, .. } = program.edges[edge];
        let Action::Check { what, holds } = program.edges[edge].action else { continue };
        let Some((kind, text)) = described(what) else { continue };
        let function = program.locations[from].function;
        let assertion = program.assertions.push(Assertion { text: text.to_owned(), place, kind });
        let middle = program.locations.push(Location { function, place, mark: Mark::None });
        let error = program.locations.push(Location { function, place, mark: Mark::Error(assertion) });
        let fails = terms.not(holds);
        // The check stays, so that the first undefined operation of a run is still reported.
        program.edges[edge].to = middle;
        program.edges.push(Edge { from: middle, to, action: Action::Assume(holds), place });
        program.edges.push(Edge { from: middle, to: error, action: Action::Assume(fails), place });
    }
    program
}

/// What the property says about an operation that C gives no meaning to.
fn described(what: Undefined) -> Option<(AssertionKind, &'static str)> {
    match what {
        Undefined::SignedOverflow => Some((AssertionKind::Overflow, "signed arithmetic")),
        Undefined::DivisionOverflow => Some((AssertionKind::Overflow, "the quotient")),
        Undefined::DivisionByZero => Some((AssertionKind::Division, "the operation")),
        Undefined::ShiftOutOfRange => Some((AssertionKind::Shift, "the operation")),
        _ => None,
    }
}
