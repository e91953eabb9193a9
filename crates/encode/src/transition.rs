//! One step of the whole program as a function: a state vector with a location variable.
//!
//! The location says at which cutpoint the run is; one value more means that the run has ended. Every state
//! variable has its next value as one term over the state and the inputs; the blocks' guards exclude one
//! another, so the choice between them is by `ite`. A variable that does not matter at a cutpoint keeps
//! its value there. [BuenoSakallah-VMCAI'19] section 4 encodes programs so, one basic block per step;
//! our steps are whole blocks.

use base::Id;
use program::{Program, Var};
use term::{Term, Terms};

use crate::block::BlockInput;
use crate::cutpoints::{Blocks, Cut, CutKind};

/// A functional transition system.
#[derive(Clone, Debug)]
pub struct Transition {
    /// The location variable.
    pub location: Term,
    /// Its value for each cutpoint, by index; the last is for runs that have ended.
    pub locations: Vec<Term>,
    /// The location after a step.
    pub next_location: Term,
    /// The other state variables, in the order of the program's variables.
    pub variables: Vec<StateVariable>,
    /// The free values that steps may use.
    pub inputs: Vec<BlockInput>,
    /// Holds in the states in which runs start.
    pub start: Term,
    /// Holds in the states in which an assertion has failed.
    pub error: Term,
}

/// A state variable.
#[derive(Clone, Debug)]
pub struct StateVariable {
    /// Which of the program's.
    pub var: Var,
    /// Its value now.
    pub now: Term,
    /// Its value after a step.
    pub next: Term,
}

impl Transition {
    /// Puts the blocks together.
    pub fn new(program: &Program, terms: &mut Terms, blocks: &Blocks) -> Self {
        let n_values = blocks.cutpoints.len() as u64 + 1;
        let width = (u64::BITS - (n_values - 1).leading_zeros()).max(1);
        let sort = terms.bv_sort(width);
        let mut name = "location!".to_owned();
        while program.vars.iter().any(|variable| variable.name == name) {
            name.push('!');
        }
        let location = terms.variable(&name, sort);
        let locations: Vec<Term> = (0..n_values).map(|value| terms.bv(width, value)).collect();
        let mut matters = vec![false; program.vars.len()];
        for var in blocks.cutpoints.iter().flat_map(|cutpoint| &cutpoint.state) {
            matters[var.index()] = true;
        }
        let mut variables: Vec<StateVariable> = program
            .vars
            .iter_enumerated()
            .filter(|(var, _)| matters[var.index()])
            .map(|(var, variable)| StateVariable { var, now: variable.term, next: variable.term })
            .collect();
        let mut next_location = locations[blocks.cutpoints.len()];
        let mut errors = Vec::new();
        let mut inputs: Vec<BlockInput> = Vec::new();
        for (cut, block) in blocks.blocks.iter_enumerated() {
            let here = terms.eq(location, locations[cut.index()]);
            if matches!(blocks.cutpoints[cut].kind, CutKind::Error(_)) {
                errors.push(here);
                continue;
            }
            let mut to = locations[blocks.cutpoints.len()];
            for exit in &block.exits {
                to = terms.ite(exit.guard, locations[exit.to.index()], to);
            }
            next_location = terms.ite(here, to, next_location);
            for variable in &mut variables {
                let mut value = variable.now;
                for exit in &block.exits {
                    if let Ok(at) = exit.values.binary_search_by_key(&variable.var, |pair| pair.0) {
                        value = terms.ite(exit.guard, exit.values[at].1, value);
                    }
                }
                variable.next =
                    if value == variable.now { variable.next } else { terms.ite(here, value, variable.next) };
            }
            for input in &block.inputs {
                if !inputs.iter().any(|known| known.symbol == input.symbol) {
                    inputs.push(input.clone());
                }
            }
        }
        let start = terms.eq(location, locations[blocks.entry().index()]);
        let error = terms.or(&errors);
        Transition { location, locations, next_location, variables, inputs, start, error }
    }
    /// The cutpoint that a value of the location variable stands for.
    pub fn cutpoint(&self, value: Term) -> Option<Cut> {
        let index = self.locations.iter().position(|&location| location == value)?;
        (index + 1 < self.locations.len()).then(|| Cut::new(index))
    }
}
