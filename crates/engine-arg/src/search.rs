//! What all parts of a run share.

use base::{IndexVec, Stopped};
use encode::{Blocks, Cut, CutKind};
use engine::{Context, Invariants, Run, Task};
use term::{Term, Terms};

use crate::edges::Edges;

base::stats! {
    /// What a run did.
    pub struct Stats {
        passes: "passes over the graph",
        refinements: "refinements",
        nodes: "nodes of the graph",
        covered: "nodes covered, over all passes",
        triples: "questions about one edge",
        cover_queries: "questions whether labels cover a label",
        posts: "abstract posts computed",
        post_queries: "questions for them",
        widened: "posts made weaker, so that a pass ends",
        labels_kept: "labels that new edges did not break",
        labels_excluding: "labels from clauses that exclude the error",
        labels_cleaned: "labels from one refutation of all paths",
        labels_shared: "labels taken from another copy of the cutpoint",
        labels_repaired: "labels from a refutation of their own",
        lemmas: "clauses about few steps",
        obligations: "states that had to be excluded",
        predicates: "predicates",
        invariants: "parts of labels that turned out to be invariant",
    }
}

/// What all parts of a run share.
pub struct Search<'a> {
    /// The program.
    pub task: &'a Task,
    /// Its cutpoints and what is between them.
    pub blocks: &'a Blocks,
    /// Budget, observer, facts of others.
    pub run: &'a Run<'a>,
    /// The run's own store.
    pub terms: Terms,
    /// What is known to be invariant; holds in addition to all labels.
    pub background: Invariants,
    /// Predicates worth tracking, by cutpoint.
    pub predicates: IndexVec<Cut, Vec<Term>>,
    /// Clauses that hold at some copies of a cutpoint, by cutpoint: worth trying at others as they stand.
    pub lemmas: IndexVec<Cut, Vec<Term>>,
    /// Whether cutpoints have few variables and blocks are small.
    pub is_small: bool,
    /// Whether all producers of relations between variables have been queried, or relations are not wanted.
    pub is_related: bool,
    /// Counters.
    pub stats: Stats,
    pub(crate) edges: Edges,
}

impl<'a> Search<'a> {
    pub(crate) fn new(
        task: &'a Task,
        blocks: &'a Blocks,
        run: &'a Run<'a>,
        terms: Terms,
        background: Invariants,
    ) -> Self {
        let mut predicates = IndexVec::new();
        predicates.grow_to(blocks.cutpoints.len(), Vec::new());
        let lemmas = predicates.clone();
        let edges = Edges::new(&task.program, &terms, blocks);
        Search {
            task,
            blocks,
            run,
            terms,
            background,
            predicates,
            lemmas,
            is_small: false,
            is_related: false,
            stats: Stats::default(),
            edges,
        }
    }
    /// Whether an assertion fails at the cutpoint.
    pub fn is_error(&self, cut: Cut) -> bool {
        matches!(self.blocks.cutpoints[cut].kind, CutKind::Error(_))
    }
    /// What is known at the cutpoint beside labels.
    pub fn known(&mut self, cut: Cut) -> Term {
        self.terms.and(&self.background.at[cut])
    }
    /// Imports the invariants that other engines have proved since, and the predicates that they track.
    pub(crate) fn import_facts(&mut self) -> Result<(), Stopped> {
        self.background.read(&mut Context::new(self.task, &mut self.terms, self.blocks, self.run));
        for (cut, predicate) in std::mem::take(&mut self.background.predicates) {
            self.harvest(cut, predicate);
        }
        self.run.budget.spend(1)
    }
}
