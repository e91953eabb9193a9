//! Between two rounds of the search: import facts of other engines, and export invariants that the states suggest.
//!
//! The first round uses no facts, since a list of states that is inductive by itself is the smallest proof. If a variable had to be
//! left out, or an error turned out to be spurious, the next round passes over states that facts exclude, and asks
//! its questions under those that say something about what is not listed. The list is then inductive together with the facts,
//! which become part of the proof if one of them mattered.
//!
//! A round that ends without an answer has proved nothing: states may be missing, and states that are there may be out of
//! reach. That some variable had few values in many states is only a candidate; Houdini checks whether it is invariant,
//! and only then it is exported. When all states were visited there is an answer, and nothing is exported.

use base::{FastMap, IndexVec, Stopped};
use encode::{Blocks, Cut, CutKind};
use engine::{Context, Houdini, Invariants};
use program::Var;
use term::{Op, Term};

use crate::explore::{Search, State};
use crate::listing::listing;
use crate::residual::Residual;
use crate::tuning::Tuning;

/// What is known beside the states.
pub(crate) struct Exchange {
    /// With terms in the store of the blocks.
    pub known: Invariants,
    /// Candidates that were tried.
    tried: FastMap<(Cut, Term), ()>,
    /// Rounds that only facts made worth trying.
    n_again: u32,
}

/// A variable that had few values in many states.
pub(crate) struct FewValues {
    at: Cut,
    var: Var,
    values: Vec<u64>,
}

impl Exchange {
    pub fn new(blocks: &Blocks) -> Self {
        Exchange { known: Invariants::none(blocks), tried: FastMap::new(), n_again: 0 }
    }
    /// Imports what other engines have proved; whether there is anything new.
    pub fn import(&mut self, cx: &mut Context<'_>) -> bool {
        !self.known.read(cx).is_empty()
    }
    /// Whether another round is worth it although the search would otherwise give up.
    pub fn again(&mut self, is_news: bool) -> bool {
        self.n_again += u32::from(is_news);
        is_news && self.n_again <= Tuning::DEFAULT.max_fact_rounds
    }
    /// Exports which variables never have other values.
    pub fn export(&mut self, cx: &mut Context<'_>, few: Vec<FewValues>) -> Result<(), Stopped> {
        if !cx.run.facts.is_shared() {
            return Ok(());
        }
        let mut houdini = Houdini::new(cx.blocks);
        for FewValues { at, var, values } in few {
            let rows: Vec<&[u64]> = values.iter().map(std::slice::from_ref).collect();
            let term = listing(cx.program(), cx.terms, &[var], &rows);
            if !self.known.at[at].contains(&term) && self.tried.insert((at, term), ()).is_none() {
                houdini.add(at, term);
            }
        }
        if houdini.candidates.iter().all(Vec::is_empty) {
            return Ok(());
        }
        let part = cx.run.budget.part(Tuning::DEFAULT.candidate_ticks);
        match houdini.run(&mut cx.within(&part), &self.known.at, Tuning::DEFAULT.candidate_query_ticks) {
            Err(Stopped::OutOfTicks) => {}
            survivors => self.known.learn(cx, &survivors?.invariants, "explicit"),
        }
        Ok(())
    }
}

impl Search<'_> {
    /// What the facts say in a state whose values have been put in: none if they exclude it.
    pub(crate) fn under_facts(&mut self, at: Cut, residual: &mut Residual) -> Option<Vec<Term>> {
        let mut left = Vec::new();
        for &fact in self.facts[at].iter().take(Tuning::DEFAULT.max_facts) {
            let fact = residual.of(&mut self.terms, fact);
            match self.terms.op(fact) {
                Op::True => continue,
                Op::False => {
                    self.facts_matter = true;
                    return None;
                }
                _ => left.push(fact),
            }
        }
        self.facts_matter |= !left.is_empty();
        Some(left)
    }
    /// Variables that had few values in many states, and which.
    pub(crate) fn few_values(&self) -> Vec<FewValues> {
        let mut found = Vec::new();
        let mut by_cut: IndexVec<Cut, Vec<&State>> = self.blocks.cutpoints.iter().map(|_| Vec::new()).collect();
        for state in self.states.iter() {
            by_cut[state.at].push(state);
        }
        for (cut, states) in by_cut.iter_enumerated() {
            if self.blocks.cutpoints[cut].kind != CutKind::Head || states.len() < Tuning::DEFAULT.candidate_states {
                continue;
            }
            for (place, &var) in self.tracked.at[cut].iter().enumerate() {
                let mut values: Vec<u64> = states.iter().map(|state| state.values[place]).collect();
                values.sort_unstable();
                values.dedup();
                if values.len() <= Tuning::DEFAULT.candidate_values {
                    found.push(FewValues { at: cut, var, values });
                }
            }
        }
        found
    }
}
