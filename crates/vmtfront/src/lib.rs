//! Transition systems in, program out: VMT and BTOR2.
//!
//! Both languages describe one loop: a state, a formula for the first states, one for a step, and properties of
//! every state. A reader yields the `system` as written. It becomes a program in two ways. The `plain` one is the
//! system word for word, and is what evidence is checked on. The other is shaped for engines: functions become
//! `tables`, single bits become `truth` values, `flatten` and `define` turn the relation into functions as far as
//! it is one, and `lower` writes the loop (`ways`, `locations` and `cells` make it a better one). The way `back`
//! leads from evidence about the second to evidence about the first, so that none of the shaping is trusted.

#![forbid(unsafe_code)]

mod back;
mod btor2;
mod cells;
mod complain;
mod define;
mod flatten;
mod locations;
mod lower;
mod plain;
mod plan;
mod system;
mod tables;
mod truth;
mod tuning;
mod vmt;
mod ways;

use base::{Diagnostic, Place};
use lower::Control;
use program::{InputId, Program};
use term::{Op, Symbol, Term, Terms};

pub use back::{BackError, Shaped};
pub use btor2::read_btor2;
pub use tuning::Tuning;
pub use vmt::read_vmt;

/// Which properties of a system are checked. They do not depend on one another: a run goes on where a property that was
/// not chosen fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Chosen {
    /// Every one of them.
    All,
    /// The one of this number, counted from zero in the order of the file.
    Only(usize),
}

/// A system as a program with what was noticed on the way.
#[derive(Debug)]
pub struct Compiled {
    /// The system word for word; it passes `program::validate`. Evidence is about this one.
    pub program: Program,
    /// A program that is better to work on, with the way back.
    pub shaped: Shaped,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
    /// What the program's inputs are in the system.
    pub inputs: Vec<SystemInput>,
    /// How runs of the program are steps of the system.
    pub rhythm: Rhythm,
}

/// An input of the program in the words of the system.
#[derive(Clone, Debug)]
pub struct SystemInput {
    /// The program's.
    pub input: InputId,
    /// Whether it is a state variable or an input.
    pub is_state: bool,
    /// Whether the system leaves its value open; else an equation alone determines it.
    pub is_free: bool,
    /// Which one, counting states and inputs apart, in the order of their declaration.
    pub number: usize,
    /// As the author calls it.
    pub name: String,
    /// The step to which the value belongs that is drawn first.
    pub first_step: u64,
}

/// How many edges of the program the parts of a run take.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Rhythm {
    /// From the entry to the head.
    pub start: u64,
    /// Once around.
    pub round: u64,
}

impl Rhythm {
    /// The number of steps of the system that a run of the given number of edges has finished.
    pub fn steps(self, edges: u64) -> u64 {
        edges.saturating_sub(self.start) / self.round.max(1)
    }
}

/// From the system as read to the programs.
fn finish(
    terms: &mut Terms,
    system: system::System,
    file: &str,
    control: Control,
    place: impl Fn(Symbol) -> Option<Place>,
) -> Compiled {
    let plain = plain::plain(terms, &system, file);
    let mut shaped = system.clone();
    let tables = tables::tables(terms, &mut shaped, place);
    let bits = truth::truth(terms, &mut shaped);
    let lowered = lower::lower(terms, &shaped, file, control);
    let (n_states, n_inputs) = (system.states.len() as u64, system.inputs.len() as u64);
    let rhythm = Rhythm {
        start: n_states + n_inputs + system.init.len() as u64 + 1,
        round: (system.constraints.len() + system.properties.len() + system.trans.len()) as u64
            + n_states
            + u64::from(n_states > 0)
            + n_inputs
            + 1,
    };
    let is_defined = |terms: &Terms, symbol: Term, by: &[Term]| {
        by.iter().any(|&formula| terms.op(formula) == Op::Eq && terms.args(formula).contains(&symbol))
    };
    let mut inputs = Vec::new();
    for (number, (state, &(_, first, later))) in system.states.iter().zip(&plain.states).enumerate() {
        let one = |input, first_step, is_free| {
            let name = state.now.name.clone();
            SystemInput { input, is_state: true, is_free, number, name, first_step }
        };
        inputs.push(one(first, 0, !is_defined(terms, state.now.term, &system.init)));
        inputs.push(one(later, 1, !is_defined(terms, state.next, &system.trans)));
    }
    for (number, (input, &(_, first, later))) in system.inputs.iter().zip(&plain.inputs).enumerate() {
        let one = |id, first_step| {
            let name = input.name.clone();
            SystemInput { input: id, is_state: false, is_free: true, number, name, first_step }
        };
        inputs.extend([one(first, 0), one(later, 1)]);
    }
    let program = plain.program.clone();
    let shaped = Shaped { lowered, tables, bits, plain, system };
    Compiled { program, shaped, warnings: Vec::new(), inputs, rhythm }
}
