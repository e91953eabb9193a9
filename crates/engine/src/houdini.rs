//! From candidates to invariants: leave out what is refuted until the rest is inductive.
//!
//! [FlanaganLeino-FME'01]: assume all candidates at the start of each block; a candidate that need not
//! hold at the end of some block is dropped, and the round begins again. What is left in the end holds
//! initially and is kept by every block: it is invariant. Each model that refutes one candidate is tried
//! on all others of the same exit, so that few queries drop many.
//!
//! One solver with a switch for each candidate serves all rounds.

use base::{Budget, FastMap, IndexVec, Stopped};
use encode::{Blocks, Cut, CutKind};
use program::Program;
use smt::{Answer, Query, Reading, Solver};
use term::{Substitution, Term, Terms};

/// After so many questions that took too long, those about many candidates are no longer asked about a half of them.
const HARD: u32 = 5;

/// A set of candidate invariants at the cutpoints.
pub struct Houdini {
    /// What is still believed, by cutpoint.
    pub candidates: IndexVec<Cut, Vec<Term>>,
    /// How operators are read: what survives as functions survives in bits.
    pub reading: Reading,
}

/// What became of the candidates.
pub struct Survivors {
    /// The invariants, by cutpoint: inductive together with what was known.
    pub invariants: IndexVec<Cut, Vec<Term>>,
    /// How many queries it took.
    pub queries: u64,
}

impl Houdini {
    /// No candidates.
    pub fn new(blocks: &Blocks) -> Self {
        let mut candidates = IndexVec::new();
        candidates.grow_to(blocks.cutpoints.len(), Vec::new());
        Houdini { candidates, reading: Reading::Bits }
    }
    /// One more candidate, if it is new.
    pub fn add(&mut self, cut: Cut, term: Term) {
        if !self.candidates[cut].contains(&term) {
            self.candidates[cut].push(term);
        }
    }
    /// Drops what is refuted. `known` are invariants already proved, by cutpoint. A query that takes more than
    /// `patience` ticks is asked again about each half of its candidates, in as many ticks; one
    /// that is asked about alone is dropped.
    pub fn run(
        mut self,
        program: &Program,
        terms: &mut Terms,
        blocks: &Blocks,
        known: &IndexVec<Cut, Vec<Term>>,
        patience: u64,
        budget: &Budget,
    ) -> Result<Survivors, Stopped> {
        // Runs start at the entry in any state, so only what is valid may be assumed there.
        self.candidates[blocks.entry()].clear();
        let (mut queries, mut hard) = (0, 0);
        let mut solver = Solver::with_reading(self.reading);
        for &axiom in &blocks.axioms {
            solver.assert(axiom);
        }
        let mut goals: FastMap<(Cut, Cut, Term), Term> = FastMap::new();
        let mut dirty: Vec<Cut> = blocks.cutpoints.ids().filter(|&cut| !is_error(blocks, cut)).rev().collect();
        while let Some(from) = dirty.pop() {
            let mut refuted_somewhere = Vec::new();
            for exit in &blocks.blocks[from].exits {
                if is_error(blocks, exit.to) {
                    continue;
                }
                let pairs: Vec<(Term, Term)> =
                    exit.values.iter().map(|&(var, value)| (program.vars[var].term, value)).collect();
                let mut put_in = Substitution::new(terms, &pairs);
                let mut pending: Vec<(Term, Term)> = Vec::new();
                for &candidate in &self.candidates[exit.to] {
                    let goal = *goals.get_or_insert_with((from, exit.to, candidate), || put_in.apply(terms, candidate));
                    pending.push((candidate, goal));
                }
                // What does not change and is assumed at the start needs no question.
                pending.retain(|&(candidate, goal)| !(candidate == goal && self.candidates[from].contains(&goal)));
                // How many are asked about at once.
                let mut width = pending.len();
                while !pending.is_empty() {
                    let asked = pending.len().saturating_sub(width)..pending.len();
                    let mut assumptions = vec![exit.guard];
                    assumptions.extend(known[from].iter().chain(&self.candidates[from]));
                    let broken: Vec<Term> = pending[asked.clone()].iter().map(|&(_, goal)| terms.not(goal)).collect();
                    let query = Query { assumptions: &assumptions, clause: Some(&broken), domain: None };
                    queries += 1;
                    let limited = budget.at_most(patience);
                    let refuted: Vec<Term> = match solver.check(terms, &query, &limited) {
                        Ok(Answer::Unsat(_)) => {
                            budget.spend(limited.spent())?;
                            pending.truncate(asked.start);
                            continue;
                        }
                        Ok(Answer::Sat(mut model)) => {
                            let is_broken = |&&(_, goal): &&(Term, Term)| !model.is_true(goal);
                            pending[asked].iter().filter(is_broken).map(|&(candidate, _)| candidate).collect()
                        }
                        Ok(Answer::Unknown(_)) | Err(Stopped::OutOfTicks) if asked.len() > 1 && hard < HARD => {
                            budget.spend(limited.spent())?;
                            width = asked.len() / 2;
                            hard += 1;
                            continue;
                        }
                        Ok(Answer::Unknown(_)) | Err(Stopped::OutOfTicks) => {
                            hard += 1;
                            pending[asked].iter().map(|&(candidate, _)| candidate).collect()
                        }
                        Err(stopped) => return Err(stopped),
                    };
                    budget.spend(limited.spent())?;
                    assert!(!refuted.is_empty(), "a model of the query breaks a goal");
                    pending.retain(|(candidate, _)| !refuted.contains(candidate));
                    self.candidates[exit.to].retain(|candidate| !refuted.contains(candidate));
                    if exit.to == from {
                        // The assumptions of this very block have become fewer: ask again later.
                        refuted_somewhere.push(from);
                    } else {
                        refuted_somewhere.push(exit.to);
                    }
                }
            }
            for cut in refuted_somewhere {
                if !dirty.contains(&cut) {
                    dirty.push(cut);
                }
            }
        }
        Ok(Survivors { invariants: self.candidates, queries })
    }
}

fn is_error(blocks: &Blocks, cut: Cut) -> bool {
    matches!(blocks.cutpoints[cut].kind, CutKind::Error(_))
}
