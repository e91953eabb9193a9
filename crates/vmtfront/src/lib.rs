//! Transition systems in, program out: VMT and BTOR2.
//!
//! Both languages describe one loop: a state, a formula for the first states, one for a step, and properties of
//! every state. A reader yields the `system` as written; then functions become `tables`, single bits become
//! `truth` values, `flatten` and `define` turn the relation into functions as far as it is one, and `lower` writes
//! the loop as a program (`ways`, `locations` and `cells` make it a better one), on which every engine, pass and checker works as on any other.

#![forbid(unsafe_code)]

mod btor2;
mod cells;
mod complain;
mod define;
mod flatten;
mod locations;
mod lower;
mod plan;
mod system;
mod tables;
mod truth;
mod vmt;
mod ways;

use base::{Diagnostic, Place};
use lower::Control;
use program::{InputId, Loc, Program};
use term::{Symbol, Term, Terms};

pub use btor2::read_btor2;
pub use vmt::read_vmt;

/// A program with what was noticed on the way.
#[derive(Debug)]
pub struct Compiled {
    /// The program; it passes `program::validate`.
    pub program: Program,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
    /// What the program's inputs are in the system.
    pub inputs: Vec<SystemInput>,
    /// How many states and inputs the system declares.
    pub declared: Declared,
    /// The heads of loops, each with the values of variables that became part of the location.
    pub heads: Vec<(Loc, Vec<(Term, bool)>)>,
}

/// An input of the program in the words of the system.
#[derive(Clone, Debug)]
pub struct SystemInput {
    /// The program's.
    pub input: InputId,
    /// Whether it is a state variable (drawn at the start, or in a step that leaves it free) or an input.
    pub is_state: bool,
    /// Which one, counting states and inputs apart, in the order of their declaration.
    pub number: usize,
    /// As the author calls it.
    pub name: String,
    /// The step to which the value belongs that is drawn first.
    pub first_step: u64,
}

/// What a system declares.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Declared {
    /// State variables.
    pub states: usize,
    /// Inputs.
    pub inputs: usize,
}

/// From the system as read to the program.
fn finish(
    terms: &mut Terms,
    mut system: system::System,
    file: &str,
    control: Control,
    place: impl Fn(Symbol) -> Option<Place>,
) -> Compiled {
    let declared = Declared { states: system.states.len(), inputs: system.inputs.len() };
    tables::tables(terms, &mut system, place);
    truth::truth(terms, &mut system);
    let lowered = lower::lower(terms, &system, file, control);
    let inputs = lowered
        .inputs
        .iter()
        .filter_map(|&(input, symbol, at_start)| {
            let state = system.states.iter().position(|state| state.now.term == symbol || state.next == symbol);
            let (is_state, number, name) = match state {
                Some(number) => (true, number, &system.states[number].now.name),
                None => {
                    let number = system.inputs.iter().position(|input| input.term == symbol)?;
                    (false, number, &system.inputs[number].name)
                }
            };
            // What is drawn at the end of a step, be it state or an input that init speaks of, belongs to the next.
            let is_later = !at_start && (is_state || lowered.inputs.iter().any(|one| one.1 == symbol && one.2));
            Some(SystemInput { input, is_state, number, name: name.clone(), first_step: u64::from(is_later) })
        })
        .collect();
    Compiled { program: lowered.program, warnings: Vec::new(), inputs, declared, heads: lowered.heads }
}
