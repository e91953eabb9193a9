//! An abstract counterexample on trial: executed in bits along its path.
//!
//! The path's blocks are put together into one formula over the inputs. It is solved with the operators as
//! the search reads them; where the model gives an operator a value that it does not have, the stage at which that
//! operator is read in bits is tried [HyvarinenEtAl-SAT'17]. In the end either the path is impossible, and the
//! search goes on at that stage; or every operator has its right value, and the model's inputs are executed.

use base::{FastMap, Stopped};
use encode::{BlockInput, StepInput};
use engine::evidence;
use smt::{Answer, Model, Query, Solver};
use term::{Op, Substitution, Term, Terms, Value};
use verdict::{Counterexample, Why};

use crate::block::AbstractPath;
use crate::precision::{Raised, Rank, Stage, rank};
use crate::query::Search;

/// What became of an abstract counterexample.
pub(crate) enum Trial {
    /// It is real.
    Real(Counterexample),
    /// It is impossible, as this stage shows.
    Refined(Stage),
    /// It is possible in bits, but replay does not confirm it.
    Unconfirmed(Why),
    /// It is impossible at the stage of the search: a rough step misled us.
    Stuck,
}

impl Search<'_> {
    pub fn try_out(&mut self, path: &AbstractPath) -> Result<Trial, Stopped> {
        self.run.observer.phase("refinement");
        let trial = self.executed(path);
        self.run.observer.phase("frames");
        trial
    }
    fn executed(&mut self, path: &AbstractPath) -> Result<Trial, Stopped> {
        let (conditions, inputs) = self.along(path);
        let mut stage = self.raised.stage;
        loop {
            let mut raised = Raised::new(stage);
            let mut solver = Solver::with_reading(stage.reading());
            for &condition in self.blocks.axioms.iter().chain(&conditions) {
                solver.assert(condition);
                raised.prepare(&self.terms, &mut solver, condition);
            }
            match solver.check(&self.terms, &Query::default(), self.run.budget)? {
                Answer::Unknown(_) => return Err(Stopped::OutOfTicks),
                Answer::Unsat(_) if stage == self.raised.stage => return Ok(Trial::Stuck),
                Answer::Unsat(_) => return Ok(Trial::Refined(stage)),
                Answer::Sat(mut model) => {
                    let Some(rank) = wrong_rank(&self.terms, &mut model, &conditions, stage) else {
                        let found = evidence::counterexample(self.task, &inputs, path.assertion, &mut model);
                        return Ok(match (self.run.replay)(&found) {
                            Ok(()) => Trial::Real(found),
                            Err(why) => Trial::Unconfirmed(evidence::unconfirmed(self.task, self.blocks, why)),
                        });
                    };
                    stage = Stage::for_rank(rank, self.has_products).max(stage.next());
                }
            }
        }
    }
    /// The conditions of the path over its inputs, and the inputs with names for each step.
    pub fn along(&mut self, path: &AbstractPath) -> (Vec<Term>, Vec<StepInput>) {
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

/// The cheapest rank of operators to which the model gives wrong values.
fn wrong_rank(terms: &Terms, model: &mut Model<'_>, conditions: &[Term], stage: Stage) -> Option<Rank> {
    let mut wrong: Option<Rank> = None;
    for site in terms.subterms(conditions) {
        let Some(rank) = rank(terms, site).filter(|&rank| !stage.reads(rank)) else { continue };
        if wrong.is_some_and(|wrong| wrong <= rank) {
            continue;
        }
        let args: Vec<Value> = terms.args(site).iter().map(|&arg| model.value(arg)).collect();
        if term::eval::operate(terms, site, &args).is_ok_and(|right| right != model.value(site)) {
            wrong = Some(rank);
        }
    }
    wrong
}
