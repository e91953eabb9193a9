//! From a state that meets an error back to inputs.
//!
//! The states on the way are known, so each step is solved on its own, from the full state that the step before it led
//! to. If a variable was left out, its value comes from that full state, and it may turn out that the next listed
//! state is out of reach: then the path is no run of the program, and the refutation shows which of the variables
//! that were left out are needed to see it.

use base::{FastMap, Stopped};
use encode::StepInput;
use engine::{Run, evidence};
use program::{AssertionId, Var};
use smt::{Answer, Query};
use term::{Term, Terms, Value};
use verdict::Counterexample;

use crate::explore::{Search, StateNo, constant, number};
use crate::tracked::can_be_listed;

/// What became of a path.
pub(crate) enum Concrete {
    /// These inputs should take it.
    Run(Counterexample),
    /// No inputs do, because of the values of these variables.
    Spurious(Vec<Var>),
}

impl Search<'_> {
    /// The states from the entry on that lead over the exit of the last one, each with its exit.
    fn steps_to(&self, last: StateNo, exit: usize) -> Vec<(StateNo, usize)> {
        let mut steps = vec![(last, exit)];
        while let Some(before) = self.states[steps[steps.len() - 1].0].from {
            steps.push(before);
        }
        steps.reverse();
        steps
    }
    /// The inputs that lead over the states into the error.
    pub fn concretise(
        &mut self,
        last: StateNo,
        exit: usize,
        assertion: AssertionId,
        run: &Run<'_>,
    ) -> Result<Concrete, Stopped> {
        let steps = self.steps_to(last, exit);
        let mut inputs: Vec<StepInput> = Vec::new();
        let mut names = Terms::new();
        let sort = names.bool_sort();
        let mut values: FastMap<Term, Value> = FastMap::new();
        // The full state before the step; what is not in it is free.
        let mut full: Vec<(Var, u64)> = Vec::new();
        for (step, &(from, exit)) in steps.iter().enumerate() {
            self.refresh();
            let block = &self.blocks.blocks[self.states[from].at];
            let exit = &block.exits[exit];
            let mut residual = self.residual(from);
            let mut wanted = vec![residual.of(&mut self.terms, exit.guard)];
            let listed = &self.tracked.at[self.states[from].at];
            let mut left_out: Vec<(Term, Var)> = Vec::new();
            for &(var, value) in full.iter().filter(|(var, _)| !listed.contains(var)) {
                let symbol = self.task.program.vars[var].term;
                let value = constant(&mut self.terms, symbol, value);
                let is_it = self.terms.eq(symbol, value);
                wanted.push(is_it);
                left_out.push((is_it, var));
            }
            let mut after: Vec<(Var, Term)> = Vec::new();
            for &var in &self.blocks.cutpoints[exit.to].state {
                let symbol = self.task.program.vars[var].term;
                let value = exit.values.iter().find(|(other, _)| *other == var).map_or(symbol, |&(_, value)| value);
                if can_be_listed(&self.terms, self.terms.sort_of(symbol)) {
                    after.push((var, residual.of(&mut self.terms, value)));
                }
            }
            if let Some(&(next, _)) = steps.get(step + 1) {
                let next = &self.states[next];
                for (&var, &value) in self.tracked.at[next.at].iter().zip(&next.values) {
                    let (_, term) = after.iter().find(|(other, _)| *other == var).expect("tracked variables are words");
                    let value = constant(&mut self.terms, *term, value);
                    wanted.push(self.terms.eq(*term, value));
                }
            }
            let mut asked: Vec<(usize, Term)> = Vec::new();
            for (place, input) in block.inputs.iter().enumerate() {
                asked.push((place, residual.of(&mut self.terms, input.guard)));
            }
            run.budget.spend(residual.work)?;
            let query = Query::assuming(&wanted);
            let mut model = match self.solver.check(&self.terms, &query, run.budget)? {
                Answer::Sat(model) => model,
                Answer::Unsat(refutation) => {
                    let core = refutation.core();
                    let needed = left_out.iter().filter(|(fact, _)| core.contains(fact)).map(|&(_, var)| var);
                    return Ok(Concrete::Spurious(needed.collect()));
                }
                Answer::Unknown(_) => return Err(Stopped::OutOfTicks),
            };
            full = after.iter().map(|&(var, term)| (var, number(model.value(term)))).collect();
            let mut met: Vec<(usize, Value, Value)> = Vec::new();
            for (place, guard) in asked {
                met.push((place, model.value(guard), model.value(block.inputs[place].symbol)));
            }
            drop(model);
            for (place, is_met, value) in met {
                let input = &block.inputs[place];
                // One symbol for each step.
                let [guard, symbol] =
                    ["met", "value"].map(|what| names.variable(&format!("{what} {step} {place}"), sort));
                values.insert(guard, is_met);
                values.insert(symbol, value);
                inputs.push(StepInput { step: step + 1, symbol, source: input.source, edge: input.edge, guard });
            }
        }
        let mut value_of = |term: Term| values[&term].clone();
        Ok(Concrete::Run(evidence::counterexample_with(self.task, &inputs, assertion, &mut value_of)))
    }
}
