//! Dropping inputs and assertions that no edge or location mentions any more.
//!
//! Both are numbered while code is lowered; tidying then removes code that cannot be reached and
//! free values that are never read. What is left is renumbered in order, so that the assertions a user
//! is shown are those that can be asked about.

use base::IndexVec;
use program::{Action, AssertionId, InputId, Mark, OrderStep, Program};

/// Renumbers inputs and assertions.
pub(super) fn prune(program: &mut Program) {
    let mut used_inputs: IndexVec<InputId, bool> = IndexVec::new();
    used_inputs.grow_to(program.inputs.len(), false);
    for edge in &program.edges {
        if let Some(input) = input_of(&edge.action) {
            used_inputs[input] = true;
        }
    }
    let new_inputs = renumber(&mut program.inputs, &used_inputs);
    for edge in program.edges.iter_mut() {
        if let Some(input) = input_of_mut(&mut edge.action) {
            *input = new_inputs[*input].expect("a used input is kept");
        }
    }

    let mut used_assertions: IndexVec<AssertionId, bool> = IndexVec::new();
    used_assertions.grow_to(program.assertions.len(), false);
    for location in &program.locations {
        if let Mark::Error(assertion) = location.mark {
            used_assertions[assertion] = true;
        }
    }
    let new_assertions = renumber(&mut program.assertions, &used_assertions);
    for location in program.locations.iter_mut() {
        if let Mark::Error(assertion) = &mut location.mark {
            *assertion = new_assertions[*assertion].expect("a used assertion is kept");
        }
    }
}

/// Keeps the used items, and returns where each has gone.
fn renumber<I: base::Id, T>(items: &mut IndexVec<I, T>, used: &IndexVec<I, bool>) -> IndexVec<I, Option<I>> {
    let mut kept = IndexVec::new();
    let mut new_ids = IndexVec::new();
    let old = std::mem::take(items);
    for (item, &used) in old.into_iter().zip(used) {
        new_ids.push(used.then(|| kept.push(item)));
    }
    *items = kept;
    new_ids
}

fn input_of(action: &Action) -> Option<InputId> {
    match action {
        Action::Havoc { input, .. } | Action::Forget { input, .. } | Action::Order(OrderStep::Open { input }) => {
            Some(*input)
        }
        Action::Alloc { input, .. } => *input,
        _ => None,
    }
}
fn input_of_mut(action: &mut Action) -> Option<&mut InputId> {
    match action {
        Action::Havoc { input, .. } | Action::Forget { input, .. } | Action::Order(OrderStep::Open { input }) => {
            Some(input)
        }
        Action::Alloc { input, .. } => input.as_mut(),
        _ => None,
    }
}
