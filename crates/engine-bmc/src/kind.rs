//! k-induction [SheeranSinghStalmarck-FMCAD'00]: no error within k steps from the entry, and none in the k-th step from
//! anywhere when the steps before it met none; then there is none at all.
//!
//! Steps lead from cutpoint to cutpoint, so k counts loop iterations. Both unrollings grow by one step at a
//! time, each with its own solver. The states of the second one satisfy the invariants that the analysis and other
//! engines have proved, at every step; without them, little is inductive. Unlike the paper we add no
//! simple-path constraints: they prove finite systems in the end, but such a proof cannot be re-checked cheaply.

use base::Stopped;
use encode::{Blocks, Memory, Unrolling};
use engine::{Engine, Invariants, Run, Settings, Task, evidence};
use smt::{Answer, Query, Solver};
use term::{Substitution, Term, Terms};
use verdict::{Method, Verdict, Why};

use crate::bmc::within;
use crate::concrete::Concrete;
use crate::search::{Search, Step};

/// The engine.
pub(crate) struct Kind {
    unwind: Option<u32>,
}

/// Concrete runs before anything else.
const FIRST_EDGES: u64 = 1_000_000;
/// How many of them.
const RUNS: u64 = 100;
/// If so many steps are not enough, relations between variables may help.
const RELATIONS_AFTER: u32 = 2;
/// Ticks for one inductive step at first; more with each round.
const STEP_TICKS: u64 = 5_000_000;

impl Kind {
    pub fn new(settings: &Settings) -> Self {
        Kind { unwind: settings.unwind }
    }
}

impl Engine for Kind {
    fn run(&mut self, task: &Task, run: &mut Run<'_>) -> Result<Verdict, Stopped> {
        run.observer.phase("concrete runs");
        if let Some(found) = Concrete::new(task, run.seed, RUNS).search(run, FIRST_EDGES)? {
            return Ok(Verdict::Unsafe(found));
        }
        run.observer.phase("encoding");
        let mut terms = task.terms.clone();
        let blocks = match Blocks::new(&task.program, &mut terms, Memory::Anything) {
            Ok(blocks) => blocks,
            Err(refused) => return Ok(Verdict::Unknown(Why::Unsupported { what: refused.what, at: refused.place })),
        };
        let mut invariants = Invariants::new(task, &mut terms, &blocks, run)?;
        run.observer.phase("induction");
        let mut base = Search::new(task, &mut terms, &blocks);
        let mut induction = Induction::new(task, &mut terms, &blocks);
        loop {
            let steps = base.unrolling.n_steps() as u32;
            if self.unwind.is_some_and(|unwind| steps > unwind) {
                let doubt = base.doubt.take();
                return Ok(Verdict::Unknown(doubt.unwrap_or_else(|| Why::Bounded(within(steps - 1)))));
            }
            match base.step(task, &mut terms, &blocks, run)? {
                Step::Error(found) => return Ok(Verdict::Unsafe(found)),
                Step::Clean => run.observer.progress(within(steps)),
                Step::Exhausted if base.doubt.is_none() => {
                    let method = Method::Exhaustion { steps: base.unrolling.n_steps() as u32 };
                    let proof = evidence::proof(task, &mut terms, &blocks, &[], method, &[]);
                    return Ok(Verdict::Safe(Box::new(proof)));
                }
                Step::Exhausted => return Ok(Verdict::Unknown(base.doubt.take().expect("there is a doubt"))),
            }
            let news = invariants.read(&mut terms, &blocks, run);
            induction.learn(task, &mut terms, &blocks, &news);
            let mut holds = false;
            if steps >= RELATIONS_AFTER && !invariants.relate(task, &mut terms, &blocks, run)?.is_empty() {
                // A shorter induction is enough now, more often than not, and is easier to check again.
                run.observer.phase("induction");
                induction = Induction::new(task, &mut terms, &blocks);
                for _ in 0..steps - 1 {
                    if !holds {
                        holds = induction.step(task, &mut terms, &blocks, &invariants, run)?;
                    }
                }
            }
            holds = holds || induction.step(task, &mut terms, &blocks, &invariants, run)?;
            if holds && base.doubt.is_none() {
                let depth = induction.unrolling.n_steps() as u32;
                let method = Method::Induction { depth };
                let proof = evidence::proof(task, &mut terms, &blocks, &invariants.all(), method, &[]);
                return Ok(Verdict::Safe(Box::new(proof)));
            }
        }
    }
}

/// An unrolling from anywhere with the solver that judges it.
struct Induction {
    unrolling: Unrolling,
    solver: Solver,
}

impl Induction {
    fn new(task: &Task, terms: &mut Terms, blocks: &Blocks) -> Self {
        let mut solver = Solver::new();
        for &axiom in &blocks.axioms {
            solver.assert(axiom);
        }
        Induction { unrolling: Unrolling::from_anywhere(&task.program, terms, blocks, "step"), solver }
    }
    /// New invariants hold at all steps so far.
    fn learn(&mut self, task: &Task, terms: &mut Terms, blocks: &Blocks, news: &[(encode::Cut, Term)]) {
        for layer in 0..self.unrolling.layers.len().saturating_sub(1) {
            for &(cut, term) in news {
                self.assume(task, terms, blocks, layer, cut, term);
            }
        }
    }
    /// The invariant holds whenever a run is at the cutpoint after so many steps.
    fn assume(&mut self, task: &Task, terms: &mut Terms, blocks: &Blocks, layer: usize, cut: encode::Cut, term: Term) {
        let Some(state) = self.unrolling.layers[layer].states.get(&cut) else { return };
        let state_vector = &blocks.cutpoints[cut].state;
        let pairs: Vec<(Term, Term)> =
            state_vector.iter().zip(&state.values).map(|(&var, &value)| (task.program.vars[var].term, value)).collect();
        let here = Substitution::new(terms, &pairs).apply(terms, term);
        let guard = state.guard;
        let formula = terms.implies(guard, here);
        self.solver.assert(formula);
    }
    /// One more step; whether no error can come in it.
    fn step(
        &mut self,
        task: &Task,
        terms: &mut Terms,
        blocks: &Blocks,
        invariants: &Invariants,
        run: &Run<'_>,
    ) -> Result<bool, Stopped> {
        let layer = self.unrolling.n_steps();
        for (cut, term) in invariants.all() {
            self.assume(task, terms, blocks, layer, cut, term);
        }
        self.unrolling.advance(&task.program, terms, blocks);
        let mut holds = true;
        let ticks = STEP_TICKS.saturating_mul(1 + layer as u64);
        let errors: Vec<Term> = self.unrolling.last_errors().iter().map(|error| error.guard).collect();
        for guard in errors {
            if holds {
                match self.solver.check(terms, &Query::assuming(&[guard]), &run.budget.at_most(ticks)) {
                    Ok(Answer::Unsat(_)) => {}
                    Ok(_) | Err(Stopped::OutOfTicks) => holds = false,
                    Err(stopped) => return Err(stopped),
                }
            }
            // From here on: runs that went on had no error in this step.
            let never = terms.not(guard);
            self.solver.assert(never);
        }
        Ok(holds)
    }
}
