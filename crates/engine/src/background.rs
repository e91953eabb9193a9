//! Background invariants: those of the analysis, checked, and those that other engines have proved.

use base::{Budget, IndexVec, Stopped};
use encode::{Blocks, Cut, CutKind, Cutpoint};
use smt::{Answer, Query, Solver};
use term::{Term, Terms};

use crate::facts::{Cursor, Fact, FactKind};
use crate::relations::{CHEAP_STAGES, STAGES, as_numbers, exclude, fewest, multiplies, polynomials};
use crate::task::{Run, Task};

/// Ticks for polynomial equations.
const POLYNOMIAL_TICKS: u64 = 20_000_000;
/// Ticks for the question whether an error that polynomials do not exclude is impossible.
const SOON: u64 = 300_000;
/// Ticks for the same with some polynomials in bits, and how many.
const LATER: u64 = 10_000_000;
const FEW: usize = 2;

/// Invariants at the cutpoints.
pub struct Invariants {
    /// Inductive all together.
    pub at: IndexVec<Cut, Vec<Term>>,
    /// What others track at the cutpoints, for those who want it; whoever takes it empties it.
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
    pub fn new(task: &Task, terms: &mut Terms, blocks: &Blocks, run: &mut Run<'_>) -> Result<Self, Stopped> {
        let at = task.analysed(blocks, run)?.told(terms);
        Ok(Invariants { at, ..Invariants::none(blocks) })
    }
    /// Adds relations between variables from the next producer that finds any, and says which, by cutpoint. None if all
    /// producers have been asked.
    pub fn relate(
        &mut self,
        task: &Task,
        terms: &mut Terms,
        blocks: &Blocks,
        run: &Run<'_>,
    ) -> Result<Vec<(Cut, Term)>, Stopped> {
        let mut news = Vec::new();
        while news.is_empty() && self.stage < STAGES {
            let found = task.related(self.stage, blocks, run)?.told(terms);
            self.stage += 1;
            for (cut, invariants) in found.iter_enumerated() {
                for &term in invariants {
                    // Somebody else may have asked first, and told: whoever asks now has not looked at them together yet.
                    self.add(cut, term);
                    news.push((cut, term));
                }
            }
        }
        Ok(news)
    }
    /// What others have proved since: the new ones, by cutpoint. Predicates that others track wait in `predicates`.
    pub fn read(&mut self, terms: &mut Terms, blocks: &Blocks, run: &Run<'_>) -> Vec<(Cut, Term)> {
        let mut news = Vec::new();
        for fact in run.facts.read(&mut self.cursor, terms) {
            let is_here = |&(_, cutpoint): &(Cut, &Cutpoint)| fact.at == Some(cutpoint.loc);
            for (cut, _) in blocks.cutpoints.iter_enumerated().filter(is_here) {
                match fact.kind {
                    FactKind::Invariant if self.add(cut, fact.term) => {
                        run.observer.heard(fact.source);
                        news.push((cut, fact.term));
                    }
                    FactKind::Predicate => self.predicates.push((cut, fact.term)),
                    FactKind::Invariant | FactKind::Candidate => {}
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
            for &term in invariants {
                self.add(cut, term);
            }
        }
    }
    /// Takes invariants that are inductive by themselves in the place of these, tells the others, and hands these back.
    pub fn instead(
        &mut self,
        terms: &Terms,
        blocks: &Blocks,
        found: IndexVec<Cut, Vec<Term>>,
        source: &'static str,
        run: &Run<'_>,
    ) -> IndexVec<Cut, Vec<Term>> {
        publish(terms, blocks, &found, source, run);
        std::mem::replace(&mut self.at, found)
    }
    /// Looks for polynomial equations, and takes them if with them every error at the end of the next block is excluded:
    /// then there is nothing left to prove. In circuits they would only be a burden.
    pub fn by_polynomials(
        &mut self,
        task: &Task,
        terms: &mut Terms,
        blocks: &Blocks,
        run: &Run<'_>,
    ) -> Result<bool, Stopped> {
        // Loops in loops multiply without saying so; there it is worth a try once all else has been tried.
        let is_last_try = self.are_all_related();
        if !multiplies(terms, blocks) && !is_last_try {
            return Ok(false);
        }
        // Linear equations leave fewer variables to multiply, and bounds say where loops end; but both may take long.
        loop {
            run.observer.phase("polynomials");
            let budget = run.budget.part(POLYNOMIAL_TICKS);
            let found = match polynomials(&task.program, terms, blocks, &self.at, &budget) {
                Err(Stopped::OutOfTicks) => return Ok(false),
                found => found?,
            };
            if self.exclude_errors(terms, blocks, &found, &budget) {
                let is_enough = |terms: &mut Terms, found: &IndexVec<Cut, Vec<Term>>| {
                    self.exclude_errors(terms, blocks, found, &budget)
                };
                let found = match fewest(&task.program, terms, blocks, &self.at, found.clone(), is_enough, &budget) {
                    Err(Stopped::OutOfTicks) => found,
                    fewer => fewer?,
                };
                self.learn(terms, blocks, &found, "polynomials", run);
                return Ok(true);
            }
            if self.stage >= CHEAP_STAGES || self.relate(task, terms, blocks, run)?.is_empty() {
                return Ok(false);
            }
        }
    }
    /// Whether every error at the end of a block is excluded with these equations: by polynomials alone, or soon by a solver.
    fn exclude_errors(
        &self,
        terms: &mut Terms,
        blocks: &Blocks,
        found: &IndexVec<Cut, Vec<Term>>,
        budget: &Budget,
    ) -> bool {
        for (from, block) in blocks.blocks.iter_enumerated() {
            for exit in &block.exits {
                if matches!(blocks.cutpoints[exit.to].kind, CutKind::Error(_)) {
                    let Ok(exact) = as_numbers(terms, &[], &self.at[from], exit.guard, budget) else { return false };
                    let known = self.at[from].iter().chain(&found[from]).chain(&exact).copied();
                    let formulas: Vec<Term> = known.chain([exit.guard]).collect();
                    let without: Vec<Term> = self.at[from].iter().copied().chain([exit.guard]).collect();
                    // The first ones have the lowest degrees.
                    let some: Vec<Term> = without.iter().chain(found[from].iter().take(FEW)).copied().collect();
                    if !exclude(terms, &formulas, budget).unwrap_or(false)
                        && !is_impossible(terms, &without, &budget.part(SOON))
                        && !is_impossible(terms, &some, &budget.part(LATER))
                    {
                        return false;
                    }
                }
            }
        }
        true
    }
    /// All of them in a row.
    pub fn all(&self) -> Vec<(Cut, Term)> {
        self.at.iter_enumerated().flat_map(|(cut, terms)| terms.iter().map(move |&term| (cut, term))).collect()
    }
}

/// Whether a solver soon sees that not all of these can hold.
fn is_impossible(terms: &Terms, formulas: &[Term], budget: &Budget) -> bool {
    let mut solver = Solver::new();
    matches!(solver.check(terms, &Query::assuming(formulas), budget), Ok(Answer::Unsat(_)))
}

/// Tells the others.
pub(crate) fn publish(
    terms: &Terms,
    blocks: &Blocks,
    found: &IndexVec<Cut, Vec<Term>>,
    source: &'static str,
    run: &Run<'_>,
) {
    let mut facts = Vec::new();
    for (cut, invariants) in found.iter_enumerated() {
        let at = Some(blocks.cutpoints[cut].loc);
        facts.extend(invariants.iter().map(|&term| Fact { at, term, kind: FactKind::Invariant, source }));
    }
    run.facts.publish(terms, &facts);
}
