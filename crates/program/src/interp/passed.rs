//! The edges that runs take, over several runs: what of a program was executed.
//!
//! The program is compiled once with notes in the code, as for traces; nothing is leapt over.

use base::{Budget, Id};
use term::Terms;

use crate::model::{EdgeId, Program};

use super::code::{Code, Note};
use super::execute::Notes;
use super::inputs::{Consumed, Inputs};
use super::leap::Leap;
use super::memory::Memory;
use super::shadow::NoShadow;
use super::{Limits, Machine, Run, Unsupported};

/// The edges that were taken so far.
pub struct Passed {
    machine: Machine,
    taken: Taken,
}

struct Taken(Vec<bool>);

impl Passed {
    /// No runs yet.
    pub fn new(program: &Program, terms: &Terms) -> Result<Passed, Unsupported> {
        let machine = Machine::prepare(program, terms, true)?;
        Ok(Passed { machine, taken: Taken(vec![false; program.edges.len()]) })
    }
    /// Runs the program.
    pub fn run(&mut self, inputs: &mut dyn Inputs, limits: &Limits, budget: &Budget) -> Run {
        self.machine.execute(inputs, limits, budget, &mut self.taken, &mut NoShadow)
    }
    /// Whether a run took this edge; a call that was begun counts.
    pub fn has_taken(&self, edge: EdgeId) -> bool {
        self.taken.0[edge.index()]
    }
}

impl Notes for Taken {
    fn note(&mut self, _: &Code, _: &[u64], _: &Memory, note: Note) {
        if let Note::After(id) | Note::Call(id) = note {
            self.0[id.index()] = true;
        }
    }
    fn received(&mut self, _: Consumed) {}
    fn may_leap(&self) -> bool {
        false
    }
    fn leapt(&mut self, _: &Leap) {}
}
