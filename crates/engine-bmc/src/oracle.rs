//! Query backends: a bit-precise solver, or a solver that refines the readings of operators.
//!
//! `search` and `induction` unroll, and send their queries to an [`Oracle`]. The engines differ in the oracle that they use.

use base::{Budget, Stopped};
use encode::Unrolling;
use engine::Run;
use engine::invariants::Source;
use program::EdgeId;
use smt::{Answer, Model, Query, Solver};
use term::{Term, Terms, Value};

use crate::sources::IN_BITS;

/// The answer to a query.
pub(crate) enum Finding<'s> {
    /// The condition cannot hold.
    Unsat,
    /// The condition can hold, with a model.
    Sat(Box<dyn Values + 's>),
    /// Neither is known, for this reason.
    Unknown(&'static str),
}

/// Values for all terms.
pub(crate) trait Values {
    /// The value of the term.
    fn value(&mut self, term: Term) -> Value;
}

impl Values for Model<'_> {
    fn value(&mut self, term: Term) -> Value {
        Model::value(self, term)
    }
}

/// How much effort a query is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Worth {
    /// The answer decides.
    All,
    /// The answer only saves work.
    Little,
}

/// A query backend for an unrolling.
pub(crate) trait Oracle {
    /// Whether it needs the statements of the unrolling.
    const TRACKS_STATEMENTS: bool;
    /// What may help a proof, and when.
    const SOURCES: &'static [Source];
    /// A new oracle with the same settings and no assumptions.
    fn fresh(&self) -> Self;
    /// The unrolling has a new step.
    fn track_step(&mut self, terms: &Terms, unrolling: &Unrolling);
    /// The formula holds from now on; models must respect it.
    fn assume(&mut self, formula: Term);
    /// The formula follows from the assumptions; asserting it may make queries cheaper.
    fn note(&mut self, formula: Term);
    /// Whether the condition can hold.
    fn ask<'s>(
        &'s mut self,
        terms: &'s mut Terms,
        condition: Term,
        worth: Worth,
        budget: &Budget,
    ) -> Result<Finding<'s>, Stopped>;
    /// What a checker should know to repeat the answers cheaply.
    fn hints(&self) -> Hints {
        Hints::default()
    }
    /// The same, with as few statements in bits as can be found afterwards.
    fn fewest_hints(&mut self, _: &Terms, _: Which, _: &Run<'_>) -> Result<Hints, Stopped> {
        Ok(self.hints())
    }
    /// Adds a lemma about operators: valid for all values of its symbols.
    fn learn_lemma(&mut self, terms: &Terms, lemma: Term);
    /// How many statements are refined.
    fn n_refined(&self) -> usize {
        0
    }
    /// What it counted.
    fn figures(&self) -> Vec<(&'static str, u64)> {
        Vec::new()
    }
}

/// Which answers count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Which {
    /// All of them.
    All,
    /// Those of the last step: an induction rests on nothing else.
    LastStep,
}

/// What the answers rest on.
#[derive(Clone, Default, Debug)]
pub(crate) struct Hints {
    /// Edges whose operators were read in bits, if not all were.
    pub precise: Vec<EdgeId>,
    /// Facts about operators, valid for all values of their symbols.
    pub lemmas: Vec<Term>,
}

/// The solver that reads everything in bits.
pub(crate) struct InBits {
    solver: Solver,
}

impl InBits {
    pub fn new() -> Self {
        InBits { solver: Solver::new() }
    }
    /// The same without normal forms: every operator is flattened for itself.
    pub fn plain() -> Self {
        let mut solver = Solver::new();
        solver.flatten_plainly();
        InBits { solver }
    }
}

impl Oracle for InBits {
    const TRACKS_STATEMENTS: bool = false;
    const SOURCES: &'static [Source] = IN_BITS;
    fn fresh(&self) -> Self {
        InBits::new()
    }
    fn track_step(&mut self, _: &Terms, _: &Unrolling) {}
    fn assume(&mut self, formula: Term) {
        self.solver.assert(formula);
    }
    fn note(&mut self, formula: Term) {
        self.solver.assert(formula);
    }
    // Bit-precise queries need no lemmas about operators.
    fn learn_lemma(&mut self, _: &Terms, _: Term) {}
    fn ask<'s>(
        &'s mut self,
        terms: &'s mut Terms,
        condition: Term,
        _: Worth,
        budget: &Budget,
    ) -> Result<Finding<'s>, Stopped> {
        Ok(match self.solver.check(terms, &Query::assuming(&[condition]), budget)? {
            Answer::Unsat(_) => Finding::Unsat,
            Answer::Sat(model) => Finding::Sat(Box::new(model)),
            Answer::Unknown(why) => Finding::Unknown(why),
        })
    }
}
