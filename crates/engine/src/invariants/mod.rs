//! Invariants at cutpoints: what is known before a proof is found, and the sources that it comes from.
//!
//! [`Invariants`] holds what the analysis says, what other engines have proved, and what the sources have found. The sources
//! stand in a table (`sources`): each row says when the source is due and what it does; one technique is one file
//! (`equalities`, `exclusions`, `guarded`, `polynomials`, `sentinels`, and `cells`, `objects` and `relations` beside this directory).

mod equalities;
mod exclusions;
mod guarded;
mod polynomials;
mod sentinels;
mod sources;

pub use sources::{
    Brought, CELLS, EQUALITIES, EXCLUSIONS, Moment, OBJECTS, ORDERS, POLYNOMIALS, RELATIONS, RELATIONS_IN_BITS,
    SENTINELS, Schedule, Source, TOTALS,
};

use base::{IndexVec, Stopped};
use encode::{Blocks, Cut, Cutpoint};
use term::Term;

use crate::context::Context;
use crate::facts::{Cursor, Fact, FactKind};
use crate::relations::STAGES;

/// Invariants at the cutpoints.
pub struct Invariants {
    /// Inductive all together.
    pub at: IndexVec<Cut, Vec<Term>>,
    /// Predicates that other engines track at the cutpoints; a reader that uses them empties the list.
    pub predicates: Vec<(Cut, Term)>,
    cursor: Cursor,
    /// How many producers of relations have been asked.
    stage: usize,
    has_grown: bool,
}

impl Invariants {
    /// Nothing is known.
    pub fn none(blocks: &Blocks) -> Self {
        let mut at = IndexVec::new();
        at.grow_to(blocks.cutpoints.len(), Vec::new());
        Invariants { at, predicates: Vec::new(), cursor: Cursor::default(), stage: 0, has_grown: false }
    }
    /// What the analysis offers.
    pub fn new(cx: &mut Context<'_>) -> Result<Self, Stopped> {
        let at = cx.task.analysed(cx.blocks, &cx.run)?.imported_into(cx.terms);
        Ok(Invariants { at, ..Invariants::none(cx.blocks) })
    }
    /// Adds relations between variables from the next producer that finds any, and says which, by cutpoint. None if all
    /// producers have been asked.
    pub fn relate(&mut self, cx: &mut Context<'_>) -> Result<Vec<(Cut, Term)>, Stopped> {
        let mut news = Vec::new();
        while news.is_empty() && self.stage < STAGES {
            let found = cx.task.related(self.stage, cx.blocks, &cx.run)?.imported_into(cx.terms);
            self.stage += 1;
            for (cut, invariants) in found.iter_enumerated() {
                for &term in invariants {
                    // Another engine may have published it already; it is news here, since it was not used together with the rest.
                    self.add(cut, term);
                    news.push((cut, term));
                }
            }
        }
        Ok(news)
    }
    /// What others have proved since: the new ones, by cutpoint. Predicates that others track wait in `predicates`.
    pub fn read(&mut self, cx: &mut Context<'_>) -> Vec<(Cut, Term)> {
        let mut news = Vec::new();
        for fact in cx.run.facts.read(&mut self.cursor, cx.terms) {
            let is_here = |&(_, cutpoint): &(Cut, &Cutpoint)| fact.at == Some(cutpoint.loc);
            for (cut, _) in cx.blocks.cutpoints.iter_enumerated().filter(is_here) {
                match fact.kind {
                    FactKind::Invariant if self.add(cut, fact.term) => {
                        cx.run.observer.imported(fact.source);
                        news.push((cut, fact.term));
                    }
                    FactKind::Predicate => self.predicates.push((cut, fact.term)),
                    FactKind::Invariant => {}
                    FactKind::Lemma => unreachable!("lemmas are read by themselves"),
                }
            }
        }
        news
    }
    /// Whether it is new.
    fn add(&mut self, cut: Cut, term: Term) -> bool {
        let is_new = !self.at[cut].contains(&term);
        if is_new {
            self.at[cut].push(term);
            self.has_grown = true;
        }
        is_new
    }
    /// Whether all producers of relations have been asked.
    pub fn are_all_related(&self) -> bool {
        self.stage == STAGES
    }
    /// Whether there is more than what the analysis offered.
    pub fn has_grown(&self) -> bool {
        self.has_grown
    }
    /// Adds invariants that are inductive together with these, and publishes them.
    pub fn learn(&mut self, cx: &Context<'_>, found: &IndexVec<Cut, Vec<Term>>, source: &'static str) {
        publish(cx, found, source);
        for (cut, invariants) in found.iter_enumerated() {
            for &term in invariants {
                self.add(cut, term);
            }
        }
    }
    /// Replaces these invariants by ones that are inductive by themselves, publishes those, and returns these.
    pub fn instead(
        &mut self,
        cx: &Context<'_>,
        found: IndexVec<Cut, Vec<Term>>,
        source: &'static str,
    ) -> IndexVec<Cut, Vec<Term>> {
        publish(cx, &found, source);
        std::mem::replace(&mut self.at, found)
    }
    /// All of them in a row.
    pub fn all(&self) -> Vec<(Cut, Term)> {
        self.at.iter_enumerated().flat_map(|(cut, terms)| terms.iter().map(move |&term| (cut, term))).collect()
    }
}

/// Publishes invariants in the store of facts.
pub(crate) fn publish(cx: &Context<'_>, found: &IndexVec<Cut, Vec<Term>>, source: &'static str) {
    let mut facts = Vec::new();
    for (cut, invariants) in found.iter_enumerated() {
        let at = Some(cx.blocks.cutpoints[cut].loc);
        facts.extend(invariants.iter().map(|&term| Fact { at, term, kind: FactKind::Invariant, source }));
    }
    cx.run.facts.publish(cx.terms, &facts);
}
