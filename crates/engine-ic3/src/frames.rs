//! Frames: cubes known to be unreachable, by cutpoint and level.
//!
//! Level `FOREVER` is for lemmas that are invariant. In the solver a lemma is a clause under a switch for its
//! cutpoint and level; a query about frame i at a cutpoint turns on the switches from i upwards.

use base::{FastMap, IndexVec};
use encode::Cut;
use smt::Solver;
use term::{Term, Terms};

use crate::cube::Cube;
use crate::lemmas::{FOREVER, Lemma, Lemmas};

/// All lemmas.
pub(crate) struct Frames {
    pub lemmas: IndexVec<Cut, Lemmas>,
    /// The highest level that obligations start from.
    pub top: u32,
    switches: FastMap<(Cut, u32), Term>,
}

impl Frames {
    pub fn new(n_cutpoints: usize) -> Self {
        let mut lemmas = IndexVec::new();
        lemmas.grow_to(n_cutpoints, Lemmas::new());
        Frames { lemmas, top: 1, switches: FastMap::new() }
    }
    /// The switch of the lemmas at a cutpoint and level.
    pub fn switch(&mut self, terms: &mut Terms, at: Cut, level: u32) -> Term {
        let sort = terms.bool_sort();
        *self.switches.get_or_insert_with((at, level), || terms.variable(&format!("frame!{at:?}!{level}"), sort))
    }
    /// The switches that turn on the frame of this level at the cutpoint; `FOREVER` alone for invariants. The highest come first, so
    /// that questions about neighbouring frames begin alike and the solver can go on from there.
    pub fn switches(&mut self, terms: &mut Terms, at: Cut, level: u32) -> Vec<Term> {
        let mut on = vec![self.switch(terms, at, FOREVER)];
        for level in (level..=self.top).rev() {
            if self.switches.contains_key(&(at, level)) {
                on.push(self.switch(terms, at, level));
            }
        }
        on
    }
    /// The level that a switch stands for.
    pub fn level_of(&self, switch: Term, at: Cut, lowest: u32) -> Option<u32> {
        (lowest..=self.top).find(|&level| self.switches.get(&(at, level)) == Some(&switch))
    }
    /// Learns a lemma; those it makes needless go.
    pub fn add(&mut self, terms: &mut Terms, solver: &mut Solver, cube: Cube, level: u32) {
        let clause = self.clause(terms, &cube, level);
        solver.assert(clause);
        self.lemmas[cube.at].add(cube, level);
    }
    fn clause(&mut self, terms: &mut Terms, cube: &Cube, level: u32) -> Term {
        let switch = self.switch(terms, cube.at, level);
        let mut clause = cube.negation(terms);
        clause.push(terms.not(switch));
        terms.or(&clause)
    }
    /// All lemmas as the solver sees them.
    pub fn clauses(&mut self, terms: &mut Terms) -> Vec<Term> {
        let lemmas: Vec<Lemma> = self.lemmas.iter().flat_map(Lemmas::iter).cloned().collect();
        lemmas.iter().map(|lemma| self.clause(terms, &lemma.cube, lemma.level)).collect()
    }
    /// What is known at the cutpoint from this level on, as a list of clauses.
    pub fn invariant(&self, terms: &mut Terms, at: Cut, level: u32) -> Vec<Term> {
        let mut clauses = Vec::new();
        for lemma in self.lemmas[at].from(level) {
            let clause = lemma.cube.negation(terms);
            clauses.push(terms.or(&clause));
        }
        clauses
    }
}
