//! A transition system as its author wrote it: state, inputs, and formulas over them.
//!
//! Runs start in states that satisfy `init`. From a state, with inputs for this step, a run goes on to any
//! state that satisfies `trans`. In every step, the last included, the constraints hold. A property fails
//! when some state of a run, with some inputs for that step, violates it; the state needs no successor.

use base::Place;
use program::AssertionKind;
use term::{Term, Terms};

use crate::Chosen;

/// A system, relational as written.
#[derive(Clone, Debug, Default)]
pub(crate) struct System {
    pub states: Vec<State>,
    pub inputs: Vec<Symbol>,
    /// Over states and inputs.
    pub init: Vec<Term>,
    /// Over states, inputs and next values.
    pub trans: Vec<Term>,
    /// Over states and inputs.
    pub constraints: Vec<Term>,
    /// At least one.
    pub properties: Vec<Property>,
}

/// A variable or input.
#[derive(Clone, Debug)]
pub(crate) struct Symbol {
    /// As the author calls it.
    pub name: String,
    /// A symbol of the store.
    pub term: Term,
    pub place: Option<Place>,
}

/// A state variable.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub now: Symbol,
    /// Stands for the value after the step.
    pub next: Term,
}

/// Something that holds in every state of every run, as is claimed.
#[derive(Clone, Debug)]
pub(crate) struct Property {
    /// For the user.
    pub text: String,
    pub kind: AssertionKind,
    pub holds: Term,
    pub place: Option<Place>,
}

impl System {
    /// Leaves one property; the others hold trivially, so that assertions keep their numbers and nothing of the
    /// others is assumed.
    pub fn choose(&mut self, terms: &mut Terms, chosen: Chosen) {
        let Chosen::Only(wanted) = chosen else { return };
        for (number, property) in self.properties.iter_mut().enumerate() {
            if number != wanted {
                property.holds = terms.truth(true);
            }
        }
    }
    /// Calls `change` with every formula.
    pub fn for_each_formula(&mut self, mut change: impl FnMut(&mut Term)) {
        self.init.iter_mut().for_each(&mut change);
        self.trans.iter_mut().for_each(&mut change);
        self.constraints.iter_mut().for_each(&mut change);
        self.properties.iter_mut().for_each(|property| change(&mut property.holds));
    }
    /// Every formula.
    pub fn formulas(&self) -> Vec<Term> {
        let properties = self.properties.iter().map(|property| property.holds);
        self.init.iter().chain(&self.trans).chain(&self.constraints).copied().chain(properties).collect()
    }
}
