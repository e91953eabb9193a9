//! Refinement of the published algorithm: `--euf paper` [BuenoSakallah-VMCAI'19] Fig. 6.
//!
//! An abstract counterexample is a path with a cube at each of its states. First each step is asked in bits, from its cube into the
//! next one: if it is infeasible, the literals that are needed for that are a *one-step lemma*. It says what operators do to terms that
//! are there already, so the state space does not grow. If the literals contradict each other whatever the step, the lemma is about
//! single states and holds everywhere. Only when every step is feasible by itself, the path is executed forwards until it
//! is not, and what holds after each step and is needed to refute it is carried along: *forward lemmas*, with new terms.
//!
//! Unlike the paper, forward lemmas are interpolants of the infeasible prefix, one for each of its steps, where the paper takes one
//! unsatisfiable subset and fixes inputs of earlier steps to values.

use base::Stopped;
use smt::interpolate::{Found, Interpolator, Settings, sequence};
use smt::{Answer, Query, Solver};
use term::{Substitution, Term};

use crate::block::AbstractPath;
use crate::query::Search;
use crate::system::EdgeNo;
use crate::tuning::Tuning;

impl Search<'_> {
    /// Learns that steps of the path are infeasible from their cubes into the next ones; false if there is no such step.
    pub fn learn_one_step(&mut self, path: &AbstractPath) -> Result<bool, Stopped> {
        self.run.observer.phase("refinement");
        let mut is_new = false;
        for (step, &edge) in path.edges.iter().enumerate() {
            let before = path.cubes[step].literals.clone();
            let after = path.cubes.get(step + 1).map_or(Vec::new(), |cube| cube.literals.clone());
            let Some(lemma) = self.infeasible(edge, &before, &after)? else { continue };
            let learnt = match lemma {
                Lemma::States(lemma) => self.learn_of_states(lemma),
                Lemma::Step(lemma) => self.learn_of_step(edge, lemma),
            };
            self.stats.one_step_lemmas += u64::from(learnt);
            is_new |= learnt;
            if is_new {
                break; // As in the paper, one lemma for a counterexample.
            }
        }
        self.run.observer.phase("frames");
        Ok(is_new)
    }
    /// A lemma, if no step over the edge leads in bits from the cube before it into the one behind.
    fn infeasible(&mut self, edge: EdgeNo, before: &[Term], after: &[Term]) -> Result<Option<Lemma>, Stopped> {
        let relation = self.relation.as_mut().expect("only where steps are over next-state symbols");
        let after: Vec<Term> = after.iter().map(|&literal| relation.next(&mut self.terms, literal)).collect();
        let (equations, _) = relation.equations(&mut self.terms, &mut self.system, edge, &after);
        let mut assumptions = vec![self.system.edges[edge].guard];
        assumptions.extend(before.iter().chain(&after));
        let asserted: Vec<Term> = self.blocks.axioms.iter().chain(&equations).copied().collect();
        let Some(core) = self.core_in_bits(&asserted, &assumptions)? else { return Ok(None) };
        let states: Vec<Term> = {
            let relation = self.relation.as_mut().expect("just used");
            core.iter().map(|&literal| relation.now(&mut self.terms, literal)).collect()
        };
        let is_one_sided =
            core.iter().all(|literal| before.contains(literal)) || core.iter().all(|literal| after.contains(literal));
        if is_one_sided && self.core_in_bits(&[], &states)?.is_some() {
            let all = self.terms.and(&states);
            return Ok(Some(Lemma::States(self.terms.not(all))));
        }
        let all = self.terms.and(&core);
        Ok(Some(Lemma::Step(self.terms.not(all))))
    }
    /// A minimal subset of the assumptions that is infeasible in bits.
    fn core_in_bits(&mut self, asserted: &[Term], assumptions: &[Term]) -> Result<Option<Vec<Term>>, Stopped> {
        let mut solver = Solver::new();
        asserted.iter().for_each(|&formula| solver.assert(formula));
        let part = self.run.budget.part(Tuning::DEFAULT.one_step_ticks);
        match solver.check(&self.terms, &Query::assuming(assumptions), &part) {
            Ok(Answer::Unsat(mut refutation)) => {
                refutation.minimize(&self.terms, &self.run.budget.part(Tuning::DEFAULT.one_step_ticks));
                Ok(Some(refutation.core().to_vec()))
            }
            Ok(_) | Err(Stopped::OutOfTicks) => {
                self.run.budget.spend(0)?;
                Ok(None)
            }
            Err(stopped) => Err(stopped),
        }
    }
    /// Learns why no run takes the edges of the path; false if there is nothing new.
    pub fn learn_forward(&mut self, path: &AbstractPath) -> Result<bool, Stopped> {
        self.run.observer.phase("refinement");
        let (mut parts, back) = self.parts(path);
        let length = self.feasible_steps(path)? + 1;
        parts.truncate(length);
        let methods = vec![Interpolator::CORES, Interpolator::EQUALITY, Interpolator::BITS, Interpolator::MODELS];
        let settings = Settings { methods, ..Settings::default() };
        let found = sequence(&mut self.terms, &parts, &settings, self.run.budget)?;
        self.run.observer.phase("frames");
        let mut after = match found {
            Found::Interpolants(interpolants, _) => interpolants,
            // A path of one step refutes itself.
            _ if length == 1 => Vec::new(),
            _ => return Ok(false),
        };
        for (step, formula) in after.iter_mut().enumerate() {
            *formula = Substitution::new(&self.terms, &back[step]).apply(&mut self.terms, *formula);
        }
        let mut is_new = false;
        for (step, &edge) in path.edges[..length].iter().enumerate() {
            let mut clause = vec![self.terms.not(self.system.edges[edge].guard)];
            if step > 0 {
                clause.push(self.terms.not(after[step - 1]));
            }
            if let Some(&after) = after.get(step) {
                let relation = self.relation.as_mut().expect("only where steps are over next-state symbols");
                clause.push(relation.next(&mut self.terms, after));
            }
            let lemma = self.terms.or(&clause);
            if self.learn_of_step(edge, lemma) {
                is_new = true;
                self.stats.forward_lemmas += 1;
            }
        }
        Ok(is_new)
    }
    /// The number of steps of the path, from the entry on, that some run takes in bits.
    fn feasible_steps(&mut self, path: &AbstractPath) -> Result<usize, Stopped> {
        let (conditions, _) = self.along(path);
        let mut solver = Solver::new();
        self.blocks.axioms.iter().for_each(|&axiom| solver.assert(axiom));
        for (step, &condition) in conditions.iter().enumerate() {
            solver.assert(condition);
            if matches!(solver.check(&self.terms, &Query::default(), self.run.budget)?, Answer::Unsat(_)) {
                return Ok(step);
            }
        }
        Ok(path.edges.len() - 1)
    }
}

/// What was learnt from one step.
enum Lemma {
    /// About single states.
    States(Term),
    /// About states before and behind the edge.
    Step(Term),
}
