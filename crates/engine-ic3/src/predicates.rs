//! Implicit predicate abstraction, which the paper compares with: `--euf predicates`.
//!
//! Cubes say which of a fixed list of predicates hold and nothing else [CimattiGriggioMoverTonetta-TACAS'14]. Frames and
//! targets are then made of predicates, so one step asked in bits between them *is* a step of the abstract program, and
//! none of it is ever computed. Everything is read in bits. A spurious path is refuted as a
//! whole; the interpolants between its steps bring the predicates that were missing, each at its own cutpoint.
//!
//! Unlike the paper we begin with the conditions of the steps into an error, not with those of the whole program.

use base::{FastMap, IndexVec, Stopped};
use encode::Cut;
use smt::interpolate::{Found, Settings, sequence};
use smt::{Model, Solver};
use term::{Op, Substitution, Term, Terms};

use crate::block::AbstractPath;
use crate::cube::Cube;
use crate::preimage::Preimage;
use crate::query::Search;

/// From the names that a step has for the state to the state.
pub(crate) type Renaming = Vec<(Term, Term)>;

/// The predicates by cutpoint.
#[derive(Default)]
pub(crate) struct Predicates {
    at: IndexVec<Cut, Vec<Term>>,
}

impl Predicates {
    pub fn new(n_cutpoints: usize) -> Self {
        let mut at = IndexVec::new();
        at.grow_to(n_cutpoints, Vec::new());
        Predicates { at }
    }
    /// Adds the atoms of the formula that speak of nothing but these symbols; whether one of them is new.
    pub fn add(&mut self, terms: &Terms, cut: Cut, formula: Term, state: &[Term]) -> bool {
        let mut is_new = false;
        for atom in atoms(terms, formula) {
            let symbols = |&part: &Term| matches!(terms.op(part), Op::Symbol(_)) && terms.args(part).is_empty();
            let speaks_of_state =
                terms.subterms(&[atom]).iter().filter(|part| symbols(part)).all(|s| state.contains(s));
            if speaks_of_state && !self.at[cut].contains(&atom) {
                self.at[cut].push(atom);
                is_new = true;
            }
        }
        is_new
    }
    /// All states at the cutpoint with the model's predicates.
    pub fn cube(&self, terms: &mut Terms, solver: &Solver, at: Cut) -> Preimage {
        let truths: Vec<bool> = {
            let mut model: Model<'_> = solver.model(terms).expect("the last query had a model");
            self.at[at].iter().map(|&predicate| model.is_true(predicate)).collect()
        };
        let literal = |(&predicate, truth)| if truth { predicate } else { terms.not(predicate) };
        let literals = self.at[at].iter().zip(truths).map(literal).collect();
        Preimage { cube: Cube::new(at, literals), is_rough: true }
    }
    /// How many there are.
    pub fn len(&self) -> usize {
        self.at.iter().map(Vec::len).sum()
    }
}

/// The atoms below the connectives.
fn atoms(terms: &Terms, formula: Term) -> Vec<Term> {
    let mut found = Vec::new();
    let mut seen: FastMap<Term, ()> = FastMap::new();
    let mut open = vec![formula];
    while let Some(term) = open.pop() {
        if seen.insert(term, ()).is_some() {
            continue;
        }
        match terms.op(term) {
            Op::True | Op::False => {}
            Op::Not | Op::And | Op::Or | Op::Xor | Op::Implies => open.extend(terms.args(term)),
            Op::Ite => open.extend(terms.args(term)),
            Op::Eq if terms.is_bool(terms.arg(term, 0)) => open.extend(terms.args(term)),
            _ => found.push(term),
        }
    }
    found
}

impl Search<'_> {
    /// The predicates to begin with.
    pub fn first_predicates(&self) -> Predicates {
        let mut predicates = Predicates::new(self.blocks.cutpoints.len());
        for &(edge, _) in &self.system.errors {
            let edge = &self.system.edges[edge];
            predicates.add(&self.terms, edge.from, edge.guard, &self.state(edge.from));
        }
        predicates
    }
    fn state(&self, at: Cut) -> Vec<Term> {
        self.blocks.cutpoints[at].state.iter().map(|&var| self.task.program.vars[var].term).collect()
    }
    /// Takes the predicates that refute the path; false if none was found that is new.
    pub fn learn_predicates(&mut self, path: &AbstractPath) -> Result<bool, Stopped> {
        self.run.observer.phase("refinement");
        let (parts, back) = self.parts(path);
        let found = sequence(&mut self.terms, &parts, &Settings::default(), self.run.budget)?;
        self.run.observer.phase("frames");
        let Found::Interpolants(interpolants, _) = found else { return Ok(false) };
        let mut is_new = false;
        for (step, &interpolant) in interpolants.iter().enumerate() {
            let cut = self.system.edges[path.edges[step]].to;
            let mut rename = Substitution::new(&self.terms, &back[step]);
            let formula = rename.apply(&mut self.terms, interpolant);
            let state = self.state(cut);
            let predicates = self.predicates.as_mut().expect("only with predicates");
            is_new |= predicates.add(&self.terms, cut, formula, &state);
        }
        self.stats.predicates = self.predicates.as_ref().map_or(0, Predicates::len) as u64;
        Ok(is_new)
    }
    /// The path's steps as formulas, with a copy of the state between each and the next; and for each of these
    /// copies, the way back to the state.
    pub fn parts(&mut self, path: &AbstractPath) -> (Vec<Vec<Term>>, Vec<Renaming>) {
        let mut parts = Vec::new();
        let mut back = Vec::new();
        for (step, &edge) in path.edges.iter().enumerate() {
            let (from, to, guard) = {
                let edge = &self.system.edges[edge];
                (edge.from, edge.to, edge.guard)
            };
            let mut pairs: Vec<(Term, Term)> = Vec::new();
            for symbol in self.state(from) {
                pairs.push((symbol, copy(&mut self.terms, symbol, step)));
            }
            for input in &self.blocks.blocks[from].inputs {
                pairs.push((input.symbol, copy(&mut self.terms, input.symbol, step)));
            }
            let mut put_in = Substitution::new(&self.terms, &pairs);
            let mut part = self.blocks.axioms.clone();
            part.push(put_in.apply(&mut self.terms, guard));
            let mut names = Vec::new();
            if step + 1 < path.edges.len() {
                for symbol in self.state(to) {
                    let value = self.system.back(&mut self.terms, edge, symbol);
                    let value = put_in.apply(&mut self.terms, value);
                    let next = copy(&mut self.terms, symbol, step + 1);
                    part.push(self.terms.eq(next, value));
                    names.push((next, symbol));
                }
                back.push(names);
            }
            parts.push(part);
        }
        (parts, back)
    }
}

fn copy(terms: &mut Terms, symbol: Term, step: usize) -> Term {
    let Op::Symbol(name) = terms.op(symbol) else { unreachable!("state and inputs are symbols") };
    let name = format!("{}!step@{step}", terms.symbol_name(name));
    let sort = terms.sort_of(symbol);
    terms.variable(&name, sort)
}
