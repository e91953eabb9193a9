//! Choices that do not matter: an error that the inputs reach whatever a compiler chooses.
//!
//! Where C leaves a truth value open, such as whether equal literals are one array, a run can depend on it and fail all the same. The run is repeated
//! with each combination of the truth values that it asks for. The error counts if every repetition fails the claimed assertion, and nothing
//! else that is open decides any of them.

use base::{Budget, IndexVec, Stopped};
use program::interp::{Inputs, Limit, Limits, Machine, Origin, Outcome, Request, Watch};
use program::{Action, InputId, InputKind, Program};
use term::Terms;
use verdict::{Counterexample, Script};

use crate::tuning::Tuning;

/// Whether the inputs fail the assertion for all truth values of the choices.
pub(crate) fn fails_for_every_choice(
    program: &Program,
    terms: &Terms,
    counterexample: &Counterexample,
    budget: &Budget,
) -> Result<bool, Stopped> {
    let mut program = program.clone();
    let is_choice = truth_values(&program, terms);
    for input in is_choice.ids().filter(|&input| is_choice[input]) {
        // All its values are tried, so that nothing is open about it.
        program.inputs[input].kind = InputKind::Nondet("a choice".to_owned());
    }
    let Ok(mut machine) = Machine::new(&program, terms) else { return Ok(false) };
    let limits = Limits { edges: Tuning::DEFAULT.max_shadow_edges, ..Limits::default() };
    let mut choices = Choices { script: counterexample.script(), is_choice, taken: Vec::new(), n_asked: 0 };
    loop {
        choices.n_asked = 0;
        let (run, decided, _) = machine.run_watched(&mut choices, &limits, budget, Watch::Uncontrolled);
        match run.outcome {
            Outcome::Cancelled => return Err(Stopped::Cancelled),
            Outcome::Limit(Limit::Ticks) => return Err(Stopped::OutOfTicks),
            Outcome::Error(assertion) if assertion == counterexample.assertion => {}
            _ => return Ok(false),
        }
        let is_clear = decided.is_none() && run.undefined.is_none() && !run.approximate;
        if !is_clear || choices.taken.len() > Tuning::DEFAULT.max_tried_choices {
            return Ok(false);
        }
        if !choices.next_combination() {
            return Ok(true);
        }
    }
}

/// The inputs that are a truth value which C leaves open.
fn truth_values(program: &Program, terms: &Terms) -> IndexVec<InputId, bool> {
    let mut found: IndexVec<InputId, bool> = IndexVec::new();
    found.grow_to(program.inputs.len(), false);
    for edge in &program.edges {
        if let Action::Havoc { var, input } = edge.action
            && matches!(program.inputs[input].kind, InputKind::Unspecified(_))
        {
            found[input] = terms.is_bool(program.vars[var].term);
        }
    }
    found
}

/// The inputs of the counterexample, but for choices.
struct Choices {
    script: Script,
    is_choice: IndexVec<InputId, bool>,
    /// The values of the choices of a run, in order. Those after the last that changed are false.
    taken: Vec<bool>,
    /// How many choices the run has asked for.
    n_asked: usize,
}

impl Choices {
    /// Prepares the next run; false after the last.
    fn next_combination(&mut self) -> bool {
        while self.taken.last() == Some(&true) {
            self.taken.pop();
        }
        match self.taken.last_mut() {
            Some(last) => *last = true,
            None => return false,
        }
        true
    }
}

impl Inputs for Choices {
    fn value(&mut self, request: &Request<'_>) -> u128 {
        match request.origin {
            Origin::Input(input) if self.is_choice[input] => {
                if self.n_asked == self.taken.len() {
                    self.taken.push(false);
                }
                self.n_asked += 1;
                u128::from(self.taken[self.n_asked - 1])
            }
            _ => self.script.value(request),
        }
    }
    fn choose(&mut self, n: usize) -> usize {
        self.script.choose(n)
    }
    fn indices(&mut self, input: InputId, occurrence: u64) -> Option<Vec<u64>> {
        self.script.indices(input, occurrence)
    }
    fn apply(&mut self, function: &str, args: &[u128]) -> u128 {
        self.script.apply(function, args)
    }
}
