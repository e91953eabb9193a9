//! Who answers whether something can be: the solver in bits, or one that refines what it reads.
//!
//! `search` and `induction` unroll and ask; what they ask is put to a [`Judge`]. The engines differ in the
//! judge they bring.

use base::{Budget, Stopped};
use encode::Unrolling;
use engine::Run;
use engine::invariants::{IN_BITS, Source};
use program::EdgeId;
use smt::{Answer, Model, Query, Solver};
use term::{Term, Terms, Value};

/// The answer to a question.
pub(crate) enum Finding<'s> {
    /// It cannot be.
    Impossible,
    /// It can be, with these values.
    Possible(Box<dyn Values + 's>),
    /// Nobody knows, for this reason.
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

/// How much a question is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Worth {
    /// The answer decides.
    All,
    /// The answer only saves work.
    Little,
}

/// Somebody who answers questions about an unrolling.
pub(crate) trait Judge {
    /// Whether it wants to hear of statements.
    const HEARS_STATEMENTS: bool;
    /// What may help a proof, and when.
    const SOURCES: &'static [Source];
    /// Another one like this that has heard nothing.
    fn fresh(&self) -> Self;
    /// The unrolling has a new step.
    fn hear(&mut self, terms: &Terms, unrolling: &Unrolling);
    /// The formula holds from now on; models must respect it.
    fn assume(&mut self, formula: Term);
    /// The formula follows from what was said; to know it may help.
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
    /// Something is known of operators: valid for all values of its symbols.
    fn learn_lemma(&mut self, terms: &Terms, lemma: Term);
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

impl Judge for InBits {
    const HEARS_STATEMENTS: bool = false;
    const SOURCES: &'static [Source] = IN_BITS;
    fn fresh(&self) -> Self {
        InBits::new()
    }
    fn hear(&mut self, _: &Terms, _: &Unrolling) {}
    fn assume(&mut self, formula: Term) {
        self.solver.assert(formula);
    }
    fn note(&mut self, formula: Term) {
        self.solver.assert(formula);
    }
    // In bits nobody needs it.
    fn learn_lemma(&mut self, _: &Terms, _: Term) {}
    fn ask<'s>(
        &'s mut self,
        terms: &'s mut Terms,
        condition: Term,
        _: Worth,
        budget: &Budget,
    ) -> Result<Finding<'s>, Stopped> {
        Ok(match self.solver.check(terms, &Query::assuming(&[condition]), budget)? {
            Answer::Unsat(_) => Finding::Impossible,
            Answer::Sat(model) => Finding::Possible(Box::new(model)),
            Answer::Unknown(why) => Finding::Unknown(why),
        })
    }
}
