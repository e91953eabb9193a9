//! Background invariants: those of the analysis, checked, and those that other engines have proved.

use base::{IndexVec, Stopped};
use encode::{Blocks, Cut, CutKind};

use term::{Term, Terms};

use crate::analysis::Analysis;
use crate::facts::{Cursor, Fact, FactKind};
use crate::houdini::Houdini;
use crate::relations::relations;
use crate::task::{Run, Task};

/// Ticks for one question about candidates.
const PATIENCE: u64 = 2_000_000;

/// Ticks for all relations together: where the program is large they are not worth more.
const RELATION_TICKS: u64 = 10_000_000;

/// Invariants at the cutpoints.
pub struct Invariants {
    /// Inductive all together.
    pub at: IndexVec<Cut, Vec<Term>>,
    cursor: Cursor,
    /// Whether relations between variables have been looked for.
    is_related: bool,
}

impl Invariants {
    /// Nothing is known.
    pub fn none(blocks: &Blocks) -> Self {
        let mut at = IndexVec::new();
        at.grow_to(blocks.cutpoints.len(), Vec::new());
        Invariants { at, cursor: Cursor::default(), is_related: false }
    }
    /// What the analysis offers.
    pub fn new(task: &Task, terms: &mut Terms, blocks: &Blocks, run: &mut Run<'_>) -> Result<Self, Stopped> {
        run.observer.phase("analysis");
        let analysis = Analysis::new(&task.program, terms, run.budget)?;
        let mut candidates = Houdini::new(blocks);
        for (cut, cutpoint) in blocks.cutpoints.iter_enumerated() {
            if cutpoint.kind != CutKind::Head {
                continue;
            }
            for fact in analysis.facts(&task.program, terms, cutpoint.loc, &cutpoint.state) {
                candidates.add(cut, fact);
            }
        }
        let mut known = IndexVec::new();
        known.grow_to(blocks.cutpoints.len(), Vec::new());
        let survivors = candidates.run(&task.program, terms, blocks, &known, PATIENCE, run.budget)?;
        publish(terms, blocks, &survivors.invariants, "analysis", run);
        Ok(Invariants { at: survivors.invariants, cursor: Cursor::default(), is_related: false })
    }
    /// Adds relations between variables, the first time it is called; the new ones, by cutpoint.
    pub fn relate(
        &mut self,
        task: &Task,
        terms: &mut Terms,
        blocks: &Blocks,
        run: &Run<'_>,
    ) -> Result<Vec<(Cut, Term)>, Stopped> {
        if std::mem::replace(&mut self.is_related, true) {
            return Ok(Vec::new());
        }
        run.observer.phase("relations");
        let limited = run.budget.at_most(RELATION_TICKS);
        let found = match relations(&task.program, terms, blocks, &self.at, &limited) {
            Err(Stopped::OutOfTicks) => {
                run.budget.spend(RELATION_TICKS)?;
                return Ok(Vec::new());
            }
            found => found?,
        };
        publish(terms, blocks, &found, "relations", run);
        let mut news = Vec::new();
        for (cut, invariants) in found.iter_enumerated() {
            self.at[cut].extend(invariants);
            news.extend(invariants.iter().map(|&term| (cut, term)));
        }
        Ok(news)
    }
    /// What others have proved since: the new ones, by cutpoint.
    pub fn read(&mut self, terms: &mut Terms, blocks: &Blocks, run: &Run<'_>) -> Vec<(Cut, Term)> {
        let mut news = Vec::new();
        for fact in run.facts.read(&mut self.cursor, terms) {
            if fact.kind != FactKind::Invariant {
                continue;
            }
            let places = blocks.cutpoints.iter_enumerated().filter(|(_, cutpoint)| fact.at == Some(cutpoint.loc));
            for (cut, _) in places {
                if !self.at[cut].contains(&fact.term) {
                    self.at[cut].push(fact.term);
                    news.push((cut, fact.term));
                }
            }
        }
        news
    }
    /// Takes invariants that are inductive together with these, and tells the others.
    pub fn learn(
        &mut self,
        terms: &Terms,
        blocks: &Blocks,
        found: &IndexVec<Cut, Vec<Term>>,
        source: &'static str,
        run: &Run<'_>,
    ) {
        publish(terms, blocks, found, source, run);
        for (cut, invariants) in found.iter_enumerated() {
            self.at[cut].extend(invariants);
        }
    }
    /// All of them in a row.
    pub fn all(&self) -> Vec<(Cut, Term)> {
        self.at.iter_enumerated().flat_map(|(cut, terms)| terms.iter().map(move |&term| (cut, term))).collect()
    }
}

/// Tells the others.
fn publish(terms: &Terms, blocks: &Blocks, found: &IndexVec<Cut, Vec<Term>>, source: &'static str, run: &Run<'_>) {
    let mut facts = Vec::new();
    for (cut, invariants) in found.iter_enumerated() {
        let at = Some(blocks.cutpoints[cut].loc);
        facts.extend(invariants.iter().map(|&term| Fact { at, term, kind: FactKind::Invariant, source }));
    }
    run.facts.publish(terms, &facts);
}
