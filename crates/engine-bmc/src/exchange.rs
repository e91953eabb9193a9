//! Facts that `refine` exports to other engines and imports from them, although it works on its own form of the program.
//!
//! A bridge (see `engine::Bridge`) translates facts between the two forms, and Houdini checks whether they hold on the other
//! side, so every fact was checked on the form of the program that its reader works on. Lemmas about operators need no bridge.

use base::{FastMap, IndexVec, Stopped};
use encode::{Blocks, Cut};
use engine::{Bridge, Context, Cursor, FactKind, Facts, Houdini, Invariants, Run, Silent, Task};
use smt::Reading;
use term::walk::Import;
use term::{Term, Terms};

use crate::tuning::Tuning;

/// Both sides.
pub(crate) struct Exchange<'a> {
    /// The program as the others see it, and what is known of it.
    theirs: &'a Task,
    terms: Terms,
    blocks: &'a Blocks,
    known: Invariants,
    facts: &'a Facts,
    to_us: Bridge,
    to_them: Bridge,
    cursor: Cursor,
    lemma_cursor: Cursor,
    /// What of ours has been offered to the others, or comes from them.
    offered: FastMap<(Cut, Term), ()>,
}

impl<'a> Exchange<'a> {
    /// None if no other engine shares facts.
    pub fn new(theirs: &'a Task, ours: &Task, run: &Run<'a>) -> Option<Self> {
        if !run.facts.is_shared() {
            return None;
        }
        let (terms, blocks) = theirs.encoded(run).ok()?;
        Some(Exchange {
            theirs,
            terms,
            blocks,
            known: Invariants::none(blocks),
            facts: run.facts,
            to_us: Bridge::new(theirs, ours),
            to_them: Bridge::new(ours, theirs),
            cursor: Cursor::default(),
            lemma_cursor: Cursor::default(),
            offered: FastMap::new(),
        })
    }
    /// What others have proved and Houdini confirms here: the new ones, by cutpoint.
    pub fn import(&mut self, cx: &mut Context<'_>, invariants: &mut Invariants) -> Result<Vec<(Cut, Term)>, Stopped> {
        let mut houdini = Houdini::new(cx.blocks);
        let mut sources: Vec<(Cut, Term, &'static str)> = Vec::new();
        for fact in self.facts.read(&mut self.cursor, cx.terms) {
            let (FactKind::Invariant, Some(at)) = (fact.kind, fact.at) else { continue };
            if let Some((cut, term)) = self.to_us.fact(cx.terms, cx.blocks, at, fact.term)
                && !invariants.at[cut].contains(&term)
            {
                houdini.add(cut, term);
                sources.push((cut, term, fact.source));
            }
        }
        if sources.is_empty() {
            return Ok(Vec::new());
        }
        cx.run.observer.phase("facts");
        let found = confirmed(cx, &invariants.at, houdini)?;
        invariants.learn(cx, &found, "others");
        let mut news = Vec::new();
        for (cut, term, source) in sources {
            if found[cut].contains(&term) && !news.contains(&(cut, term)) {
                cx.run.observer.imported(source);
                self.offered.insert((cut, term), ());
                news.push((cut, term));
            }
        }
        Ok(news)
    }
    /// Exports what is invariant here and Houdini confirms there.
    pub fn export(&mut self, cx: &Context<'_>, invariants: &Invariants) -> Result<(), Stopped> {
        let run = Run { facts: self.facts, observer: &Silent, ..cx.run };
        let mut there = Context::new(self.theirs, &mut self.terms, self.blocks, &run);
        self.known.read(&mut there);
        let mut houdini = Houdini::new(self.blocks);
        let mut import = Import::new();
        for (cut, term) in invariants.all() {
            if self.offered.insert((cut, term), ()).is_some() {
                continue;
            }
            let Ok(term) = import.term(cx.terms, there.terms, term) else { continue };
            let at = cx.blocks.cutpoints[cut].loc;
            if let Some((cut, term)) = self.to_them.fact(there.terms, self.blocks, at, term)
                && !self.known.at[cut].contains(&term)
            {
                houdini.add(cut, term);
            }
        }
        if houdini.candidates.iter().all(Vec::is_empty) {
            return Ok(());
        }
        let found = confirmed(&mut there, &self.known.at, houdini)?;
        self.known.learn(&there, &found, "refine");
        Ok(())
    }
    /// What others have learnt about operators since.
    pub fn import_lemmas(&mut self, terms: &mut Terms, run: &Run<'_>) -> Vec<Term> {
        let news = self.facts.read_lemmas(&mut self.lemma_cursor, terms).into_iter();
        news.filter(|fact| fact.source != "refine")
            .inspect(|fact| run.observer.imported(fact.source))
            .map(|fact| fact.term)
            .collect()
    }
    /// Exports the lemmas about operators that were needed.
    pub fn export_lemmas(&self, terms: &mut Terms, lemmas: &[Term], run: &Run<'_>) -> Result<(), Stopped> {
        self.facts.publish_lemmas(terms, lemmas, "refine", run.budget)?;
        Ok(())
    }
}

/// Those of the candidates that are inductive with what is known: first with operators as functions, which is cheap
/// whatever is computed, then the others in bits.
fn confirmed(
    cx: &mut Context<'_>,
    known: &IndexVec<Cut, Vec<Term>>,
    mut candidates: Houdini,
) -> Result<IndexVec<Cut, Vec<Term>>, Stopped> {
    let mut found: IndexVec<Cut, Vec<Term>> = cx.blocks.cutpoints.iter().map(|_| Vec::new()).collect();
    let mut known = known.clone();
    let part = cx.run.budget.part(Tuning::DEFAULT.exchange_ticks);
    for reading in [Reading::Uninterpreted, Reading::Bits] {
        let mut rest = Houdini::new(cx.blocks);
        for (cut, terms) in candidates.candidates.iter_enumerated() {
            terms.iter().for_each(|&term| rest.add(cut, term));
        }
        candidates.reading = reading;
        let survivors = match candidates.run(&mut cx.within(&part), &known, Tuning::DEFAULT.exchange_query_ticks) {
            Err(Stopped::OutOfTicks) => break,
            survivors => survivors?.invariants,
        };
        for (cut, terms) in survivors.iter_enumerated() {
            rest.candidates[cut].retain(|term| !terms.contains(term));
            found[cut].extend(terms);
            known[cut].extend(terms);
        }
        candidates = rest;
    }
    Ok(found)
}
