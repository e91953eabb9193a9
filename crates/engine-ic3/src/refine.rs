//! An abstract counterexample on trial: executed in bits along its path.
//!
//! The path's blocks are put together into one formula over the inputs. It is solved with the operators as
//! the search reads them; wherever the model gives an operator a value that it does not have, the cheapest such
//! rank of operators is raised, and the formula is asked again [HyvarinenEtAl-SAT'17]. In the end either the
//! path is impossible, and the search goes on with what was raised; or every operator has its right value, and
//! the model's inputs are executed.

use base::{FastMap, Stopped};
use encode::{BlockInput, StepInput};
use engine::evidence;
use smt::{Answer, Query, Reading, Solver};
use term::{Op, Substitution, Term, Terms, Value};
use verdict::{Counterexample, Why};

use crate::block::AbstractPath;
use crate::precision::{Rank, rank};
use crate::query::Search;

/// What became of an abstract counterexample.
pub(crate) enum Trial {
    /// It is real.
    Real(Counterexample),
    /// It is impossible; something was raised.
    Refined,
    /// It is possible in bits, but replay does not confirm it.
    Unconfirmed(Why),
    /// It is impossible although nothing is left to raise: a rough step misled us.
    Stuck,
}

impl Search<'_> {
    pub fn try_out(&mut self, path: &AbstractPath) -> Result<Trial, Stopped> {
        let (conditions, inputs) = self.along(path);
        let mut solver = Solver::with_reading(Reading::Uninterpreted);
        for &axiom in &self.blocks.axioms {
            solver.assert(axiom);
        }
        for &condition in &conditions {
            solver.assert(condition);
        }
        let mut has_raised = false;
        for &condition in &conditions {
            raise_in(&self.terms, &mut solver, condition, |rank| self.raised.contains(rank));
        }
        loop {
            let wrong = match self.solver_model(&mut solver, &conditions)? {
                Some(wrong) => wrong,
                None if has_raised => {
                    self.stats.refinements += 1;
                    return Ok(Trial::Refined);
                }
                None => return Ok(Trial::Stuck),
            };
            let Some(&cheapest) = wrong.iter().min() else {
                let mut model = solver.model(&self.terms).expect("the last answer was a model");
                let found = evidence::counterexample(self.task, &inputs, path.assertion, &mut model);
                drop(model);
                return Ok(match (self.run.replay)(&found) {
                    Ok(()) => Trial::Real(found),
                    Err(why) => Trial::Unconfirmed(why),
                });
            };
            has_raised = true;
            self.raised.raise(cheapest);
            for &condition in &conditions {
                raise_in(&self.terms, &mut solver, condition, |rank| self.raised.contains(rank));
            }
        }
    }
    /// The ranks of operators to which the model gives wrong values; none if there is no model.
    fn solver_model(&mut self, solver: &mut Solver, conditions: &[Term]) -> Result<Option<Vec<Rank>>, Stopped> {
        match solver.check(&self.terms, &Query::default(), self.run.budget)? {
            Answer::Unsat(_) => Ok(None),
            Answer::Unknown(_) => Err(Stopped::OutOfTicks),
            Answer::Sat(mut model) => {
                let mut wrong = Vec::new();
                for site in self.terms.subterms(conditions) {
                    let Some(rank) = rank(&self.terms, site).filter(|rank| !self.raised.contains(*rank)) else {
                        continue;
                    };
                    let args: Vec<Value> = self.terms.args(site).iter().map(|&arg| model.value(arg)).collect();
                    let right = term::eval::operate(&self.terms, site, &args);
                    if right.is_ok_and(|right| right != model.value(site)) && !wrong.contains(&rank) {
                        wrong.push(rank);
                    }
                }
                Ok(Some(wrong))
            }
        }
    }
    /// The conditions of the path over its inputs, and the inputs with names for each step.
    fn along(&mut self, path: &AbstractPath) -> (Vec<Term>, Vec<StepInput>) {
        let mut conditions = Vec::new();
        let mut inputs = Vec::new();
        let mut values: FastMap<Term, Term> = FastMap::new();
        for (number, &edge) in path.edges.iter().enumerate() {
            let step = number + 1;
            let from = self.system.edges[edge].from;
            let to = self.system.edges[edge].to;
            let block = &self.blocks.blocks[from];
            let mut pairs: Vec<(Term, Term)> = Vec::new();
            for &var in &self.blocks.cutpoints[from].state {
                let symbol = self.task.program.vars[var].term;
                pairs.push((symbol, values.get(&symbol).copied().unwrap_or(symbol)));
            }
            for input in &block.inputs {
                pairs.push((input.symbol, renamed(&mut self.terms, input, step)));
            }
            let mut put_in = Substitution::new(&self.terms, &pairs);
            for input in &block.inputs {
                let symbol = put_in.apply(&mut self.terms, input.symbol);
                let guard = put_in.apply(&mut self.terms, input.guard);
                inputs.push(StepInput { step, symbol, source: input.source, edge: input.edge, guard });
            }
            let guard = self.system.edges[edge].guard;
            conditions.push(put_in.apply(&mut self.terms, guard));
            let mut next: FastMap<Term, Term> = FastMap::new();
            for &var in &self.blocks.cutpoints[to].state {
                let symbol = self.task.program.vars[var].term;
                let value = self.system.back(&mut self.terms, edge, symbol);
                next.insert(symbol, put_in.apply(&mut self.terms, value));
            }
            values = next;
        }
        (conditions, inputs)
    }
}

fn renamed(terms: &mut Terms, input: &BlockInput, step: usize) -> Term {
    let sort = terms.sort_of(input.symbol);
    let Op::Symbol(symbol) = terms.op(input.symbol) else { unreachable!("inputs are symbols") };
    let name = format!("{}!path@{step}", terms.symbol_name(symbol));
    terms.variable(&name, sort)
}

fn raise_in(terms: &Terms, solver: &mut Solver, root: Term, wanted: impl Fn(Rank) -> bool) {
    for site in terms.subterms(&[root]) {
        if rank(terms, site).is_some_and(&wanted) {
            solver.raise(terms, site);
        }
    }
}
