//! Visits: the values of variables whenever a run comes to certain locations.
//!
//! The same program is compiled once more with notes in the code, as for traces; nothing is leapt over. A visit names the activation, so that rounds of one
//! loop can be distinguished from rounds of another.

use base::{Budget, Id};
use term::Terms;

use crate::model::{Action, Loc, Program, Var};

use super::code::{Code, Note};
use super::execute::Notes;
use super::inputs::{Consumed, Inputs};
use super::leap::Leap;
use super::memory::Memory;
use super::shadow::NoShadow;
use super::wide;
use super::{Limits, Machine, Run, Unsupported};

/// A run was at a location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Visit {
    /// In which activation; they are numbered from zero in the order of their calls.
    pub activation: u32,
    /// Which activation called that one.
    pub caller: Option<u32>,
    /// Where.
    pub at: Loc,
    /// Whether the run came there by a call.
    pub is_call: bool,
    /// The values of the variables that were asked for, as far as they are words of at most 128 bits.
    pub values: Vec<Option<u128>>,
}

/// Runs the program and records visits of these locations, with the values of these variables, `most` at most.
pub fn visits(
    program: &Program,
    terms: &Terms,
    inputs: &mut dyn Inputs,
    limits: &Limits,
    budget: &Budget,
    watched: &[(Loc, Vec<Var>)],
    most: usize,
) -> Result<(Run, Vec<Visit>), Unsupported> {
    let mut machine = Machine::prepare(program, terms, true)?;
    let mut of_location: Vec<Option<usize>> = vec![None; program.locations.len()];
    for (number, (loc, _)) in watched.iter().enumerate() {
        of_location[loc.index()] = Some(number);
    }
    let open = vec![0];
    let mut recorder = Visits { program, watched, of_location, most, open, n_activations: 0, found: Vec::new() };
    let run = machine.execute(inputs, limits, budget, &mut recorder, &mut NoShadow);
    Ok((run, recorder.found))
}

struct Visits<'a> {
    program: &'a Program,
    watched: &'a [(Loc, Vec<Var>)],
    of_location: Vec<Option<usize>>,
    most: usize,
    /// Open activations, and how many there were after the first.
    open: Vec<u32>,
    n_activations: u32,
    found: Vec<Visit>,
}

impl Visits<'_> {
    fn visit(&mut self, code: &Code, registers: &[u64], at: Loc, is_call: bool) {
        let Some(number) = self.of_location[at.index()].filter(|_| self.found.len() < self.most) else { return };
        let value = |&var: &Var| {
            let at = code.variables[var.index()]?;
            let words = registers.get(at.reg as usize..)?.get(..wide::words_for(at.width))?;
            (at.width <= 128 && at.format.is_none()).then(|| wide::to_u128(words))
        };
        let values = self.watched[number].1.iter().map(value).collect();
        let activation = self.open.last().copied().unwrap_or(0);
        let caller = self.open.len().checked_sub(2).map(|below| self.open[below]);
        self.found.push(Visit { activation, caller, at, is_call, values });
    }
}

impl Notes for Visits<'_> {
    fn note(&mut self, code: &Code, registers: &[u64], _: &Memory, note: Note) {
        match note {
            Note::After(id) => self.visit(code, registers, self.program.edges[id].to, false),
            Note::Call(id) => {
                self.n_activations += 1;
                self.open.push(self.n_activations);
                if let Action::Call { function, .. } = self.program.edges[id].action {
                    self.visit(code, registers, self.program.functions[function].entry, true);
                }
            }
            Note::Return(_) => {
                self.open.pop();
            }
            _ => {}
        }
    }
    fn received(&mut self, _: Consumed) {}
    fn may_leap(&self) -> bool {
        false
    }
    fn leapt(&mut self, _: &Leap) {}
}
