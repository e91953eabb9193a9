//! What `refine` tells the others and hears from them, although it works on a form of the program of its own.
//!
//! Facts go over a bridge (see `engine::Bridge`), which finds the words for them; whether they hold on the other side, Houdini
//! tells, so nothing is believed here or there that was not checked on the very form that its reader works on. Lemmas
//! about operators need no bridge.

use base::{FastMap, IndexVec, Stopped};
use encode::{Blocks, Cut};
use engine::{Bridge, Cursor, FactKind, Facts, Houdini, Invariants, Run, Silent, Task};
use smt::Reading;
use term::walk::Import;
use term::{Term, Terms};

/// Ticks for one question about what was heard or is to be told,
const PATIENCE: u64 = 200_000;
/// and for all of them at one time.
const ALL_TICKS: u64 = 2_000_000;

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
    /// None if nobody is there to talk to.
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
    pub fn hear(
        &mut self,
        task: &Task,
        terms: &mut Terms,
        blocks: &Blocks,
        invariants: &mut Invariants,
        run: &Run<'_>,
    ) -> Result<Vec<(Cut, Term)>, Stopped> {
        let mut houdini = Houdini::new(blocks);
        let mut sources: Vec<(Cut, Term, &'static str)> = Vec::new();
        for fact in self.facts.read(&mut self.cursor, terms) {
            let (FactKind::Invariant, Some(at)) = (fact.kind, fact.at) else { continue };
            if let Some((cut, term)) = self.to_us.fact(terms, blocks, at, fact.term)
                && !invariants.at[cut].contains(&term)
            {
                houdini.add(cut, term);
                sources.push((cut, term, fact.source));
            }
        }
        if sources.is_empty() {
            return Ok(Vec::new());
        }
        run.observer.phase("facts");
        let found = confirmed(task, terms, blocks, &invariants.at, houdini, run)?;
        invariants.learn(terms, blocks, &found, "others", run);
        let mut news = Vec::new();
        for (cut, term, source) in sources {
            if found[cut].contains(&term) && !news.contains(&(cut, term)) {
                run.observer.heard(source);
                self.offered.insert((cut, term), ());
                news.push((cut, term));
            }
        }
        Ok(news)
    }
    /// Tells what is invariant here and Houdini confirms there.
    pub fn tell(
        &mut self,
        terms: &Terms,
        blocks: &Blocks,
        invariants: &Invariants,
        run: &Run<'_>,
    ) -> Result<(), Stopped> {
        let run = Run { facts: self.facts, observer: &Silent, ..*run };
        self.known.read(&mut self.terms, self.blocks, &run);
        let mut houdini = Houdini::new(self.blocks);
        let mut import = Import::new();
        for (cut, term) in invariants.all() {
            if self.offered.insert((cut, term), ()).is_some() {
                continue;
            }
            let Ok(term) = import.term(terms, &mut self.terms, term) else { continue };
            let at = blocks.cutpoints[cut].loc;
            if let Some((cut, term)) = self.to_them.fact(&mut self.terms, self.blocks, at, term)
                && !self.known.at[cut].contains(&term)
            {
                houdini.add(cut, term);
            }
        }
        if houdini.candidates.iter().all(Vec::is_empty) {
            return Ok(());
        }
        let found = confirmed(self.theirs, &mut self.terms, self.blocks, &self.known.at, houdini, &run)?;
        self.known.learn(&self.terms, self.blocks, &found, "refine", &run);
        Ok(())
    }
    /// What others have learnt about operators since.
    pub fn hear_lemmas(&mut self, terms: &mut Terms, run: &Run<'_>) -> Vec<Term> {
        let news = self.facts.read_lemmas(&mut self.lemma_cursor, terms).into_iter();
        news.filter(|fact| fact.source != "refine")
            .inspect(|fact| run.observer.heard(fact.source))
            .map(|fact| fact.term)
            .collect()
    }
    /// Tells what was needed of operators.
    pub fn tell_lemmas(&self, terms: &mut Terms, lemmas: &[Term], run: &Run<'_>) -> Result<(), Stopped> {
        self.facts.publish_lemmas(terms, lemmas, "refine", run.budget)?;
        Ok(())
    }
}

/// Those of the candidates that are inductive with what is known: first with operators as functions, which is cheap
/// whatever is computed, then the others in bits.
fn confirmed(
    task: &Task,
    terms: &mut Terms,
    blocks: &Blocks,
    known: &IndexVec<Cut, Vec<Term>>,
    mut candidates: Houdini,
    run: &Run<'_>,
) -> Result<IndexVec<Cut, Vec<Term>>, Stopped> {
    let mut found: IndexVec<Cut, Vec<Term>> = blocks.cutpoints.iter().map(|_| Vec::new()).collect();
    let mut known = known.clone();
    let part = run.budget.part(ALL_TICKS);
    for reading in [Reading::Uninterpreted, Reading::Bits] {
        let mut rest = Houdini::new(blocks);
        for (cut, terms) in candidates.candidates.iter_enumerated() {
            terms.iter().for_each(|&term| rest.add(cut, term));
        }
        candidates.reading = reading;
        let survivors = match candidates.run(&task.program, terms, blocks, &known, PATIENCE, &part) {
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
