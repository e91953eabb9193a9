//! From candidates to invariants: leave out what is refuted until the rest is inductive.
//!
//! [FlanaganLeino-FME'01]: assume all candidates at the start of each block; a candidate that need not
//! hold at the end of some block is dropped, and the round begins again. What is left in the end holds
//! initially and is kept by every block: it is invariant. Each model that refutes one candidate is tried
//! on all others of the same exit, so that few queries drop many. Of candidates that imply one another, such as bounds of
//! one sum, only the strongest is looked at until it falls: then the next one takes its place, which needs no question
//! where the stronger one was shown.
//!
//! One solver with a switch for each candidate serves all rounds.

use base::{FastMap, IndexVec, Stopped};
use encode::{Blocks, Cut, CutKind};
use smt::{Answer, Query, Reading, Solver};
use term::sums::Order;
use term::{Substitution, Term};

use crate::cells::{Contents, Instances};
use crate::context::Context;
use crate::tuning::Tuning;

/// A set of candidate invariants at the cutpoints.
pub struct Houdini {
    /// What is still believed, by cutpoint.
    pub candidates: IndexVec<Cut, Vec<Term>>,
    /// How operators are read: what survives as functions survives in bits.
    pub reading: Reading,
    /// What more may be assumed at the cutpoint of candidates that speak of every value of something: some instances.
    pub(crate) instances: Instances,
    /// Whether what is computed from the contents of arrays is read as functions, and nothing else.
    pub(crate) by_functions: bool,
    /// Brings the sums of what is asked in order, if candidates have theirs in order.
    pub(crate) order: Option<Order>,
    /// What to try at the cutpoint instead when the candidate falls; nothing comes after the last one of a chain. Each
    /// candidate is in one chain.
    weaker: FastMap<(Cut, Term), Option<Term>>,
}

/// What became of the candidates.
pub struct Survivors {
    /// The invariants, by cutpoint: inductive together with what was known.
    pub invariants: IndexVec<Cut, Vec<Term>>,
    /// How many queries it took.
    pub queries: u64,
    /// Those that are no invariants, in the order in which they fell.
    pub fallen: Vec<Fallen>,
}

/// A candidate that is no invariant with the others.
#[derive(Clone, Copy, Debug)]
pub struct Fallen {
    /// Where it stood.
    pub at: Cut,
    /// It.
    pub term: Term,
    /// Where the step begins that breaks it, or may.
    pub from: Cut,
    /// Whether the question was too hard, and not refuted.
    pub is_hard: bool,
}

impl Houdini {
    /// No candidates.
    pub fn new(blocks: &Blocks) -> Self {
        let mut candidates = IndexVec::new();
        candidates.grow_to(blocks.cutpoints.len(), Vec::new());
        Houdini {
            candidates,
            reading: Reading::Bits,
            instances: Instances::new(),
            by_functions: false,
            order: None,
            weaker: FastMap::new(),
        }
    }
    /// One more candidate, if it is new.
    pub fn add(&mut self, cut: Cut, term: Term) {
        self.add_chain(cut, &[term]);
    }
    /// Candidates each of which implies the next one; those that are not new are left out.
    pub fn add_chain(&mut self, cut: Cut, chain: &[Term]) {
        let mut before = None;
        for &term in chain {
            if self.weaker.contains_key(&(cut, term)) {
                continue;
            }
            self.weaker.insert((cut, term), None);
            match before {
                None => self.candidates[cut].push(term),
                Some(stronger) => {
                    self.weaker.insert((cut, stronger), Some(term));
                }
            }
            before = Some(term);
        }
    }
    /// Drops what is refuted. `known` are invariants already proved, by cutpoint. A query that takes more than
    /// `query_ticks` ticks is asked again about each half of its candidates, in as many ticks; one
    /// that is asked about alone is dropped.
    ///
    /// Long: a query, what falls with it and what is asked next share the state of three loops.
    pub fn run(
        mut self,
        cx: &mut Context<'_>,
        known: &IndexVec<Cut, Vec<Term>>,
        query_ticks: u64,
    ) -> Result<Survivors, Stopped> {
        let (program, blocks, budget) = (cx.program(), cx.blocks, cx.run.budget);
        let terms = &mut *cx.terms;
        // Runs start at the entry in any state, so only what is valid may be assumed there.
        self.candidates[blocks.entry()].clear();
        let (mut queries, mut hard) = (0, 0);
        let mut all_fallen = Vec::new();
        let (mut contents, mut solver) = self.solver(blocks);
        let mut goals: FastMap<(Cut, Cut, Term), Term> = FastMap::new();
        let mut order = self.order.take();
        let mut dirty: Vec<Cut> = blocks.cutpoints.ids().filter(|&cut| !is_error(blocks, cut)).rev().collect();
        while let Some(from) = dirty.pop() {
            let mut fallen_somewhere = Vec::new();
            for exit in &blocks.blocks[from].exits {
                if is_error(blocks, exit.to) {
                    continue;
                }
                let pairs: Vec<(Term, Term)> =
                    exit.values.iter().map(|&(var, value)| (program.vars[var].term, value)).collect();
                let mut put_in = Substitution::new(terms, &pairs);
                let mut pending = self.pending(from, exit.to, |candidate| {
                    *goals.get_or_insert_with((from, exit.to, candidate), || {
                        let goal = put_in.apply(terms, candidate);
                        order.as_mut().map_or(goal, |order| order.apply(terms, goal))
                    })
                });
                let goal_of = |candidate: Term| goals[&(from, exit.to, candidate)];
                // How many are asked about at once.
                let mut width = pending.len();
                while !pending.is_empty() {
                    let asked = pending.len().saturating_sub(width)..pending.len();
                    let assumptions = self.assumptions(from, exit.guard, &known[from]);
                    let broken: Vec<Term> = pending[asked.clone()].iter().map(|&(_, goal)| terms.not(goal)).collect();
                    if self.by_functions {
                        contents.read(&mut solver, terms, &assumptions);
                        contents.read(&mut solver, terms, &broken);
                    }
                    let query = Query { assumptions: &assumptions, clause: Some(&broken), domain: None };
                    queries += 1;
                    let mut is_hard = false;
                    let limited = budget.part(query_ticks);
                    // What falls, and what takes its place.
                    let fallen: Vec<(Term, Option<Term>)> = match solver.check(terms, &query, &limited) {
                        Ok(Answer::Unsat(_)) => {
                            pending.truncate(asked.start);
                            width *= 2;
                            continue;
                        }
                        Ok(Answer::Sat(mut model)) => {
                            let mut fallen = Vec::new();
                            for &(candidate, goal) in &pending[asked] {
                                if !model.is_true(goal) {
                                    let next = self.next(exit.to, candidate, |next| model.is_true(goal_of(next)));
                                    fallen.push((candidate, next));
                                }
                            }
                            fallen
                        }
                        Ok(Answer::Unknown(_)) | Err(Stopped::OutOfTicks)
                            if asked.len() > 1 && hard < Tuning::DEFAULT.houdini_hard_queries =>
                        {
                            width = asked.len() / 2;
                            hard += 1;
                            continue;
                        }
                        Ok(Answer::Unknown(_)) | Err(Stopped::OutOfTicks) => {
                            hard += 1;
                            is_hard = true;
                            pending[asked].iter().map(|&(candidate, _)| (candidate, None)).collect()
                        }
                        Err(stopped) => return Err(stopped),
                    };
                    assert!(!fallen.is_empty(), "a model of the query breaks a goal");
                    all_fallen.extend(fallen.iter().map(|&(term, _)| Fallen { at: exit.to, term, from, is_hard }));
                    pending.retain(|(candidate, _)| !fallen.iter().any(|(other, _)| other == candidate));
                    let next = self.replace(exit.to, &fallen);
                    pending.extend(next.into_iter().map(|next| (next, goal_of(next))));
                    // If it is this very block, its assumptions have become fewer: ask again later.
                    fallen_somewhere.push(exit.to);
                }
            }
            for cut in fallen_somewhere {
                if !dirty.contains(&cut) {
                    dirty.push(cut);
                }
            }
        }
        Ok(Survivors { invariants: self.candidates, queries, fallen: all_fallen })
    }
    /// The solver for all rounds.
    fn solver(&self, blocks: &Blocks) -> (Contents, Solver) {
        let (contents, mut solver) = Contents::new();
        if !self.by_functions {
            solver = Solver::with_reading(self.reading);
        }
        blocks.axioms.iter().for_each(|&axiom| solver.assert(axiom));
        (contents, solver)
    }
    /// The candidates at the end of an exit that have to be asked about, each with what it says before the exit. What it says
    /// of those that may take their places is made too.
    fn pending(&self, from: Cut, to: Cut, mut goal_of: impl FnMut(Term) -> Term) -> Vec<(Term, Term)> {
        let mut pending: Vec<(Term, Term)> = Vec::new();
        for &candidate in &self.candidates[to] {
            pending.push((candidate, goal_of(candidate)));
            let mut last = candidate;
            while let Some(&Some(next)) = self.weaker.get(&(to, last)) {
                goal_of(next);
                last = next;
            }
        }
        // What does not change and is assumed at the start needs no question.
        pending.retain(|&(candidate, goal)| !(candidate == goal && self.candidates[from].contains(&goal)));
        pending
    }
    /// What may be assumed at the start of a block that is left under the guard.
    fn assumptions(&self, from: Cut, guard: Term, known: &[Term]) -> Vec<Term> {
        let mut assumptions = vec![guard];
        assumptions.extend(known.iter().chain(&self.candidates[from]));
        assumptions.extend(self.candidates[from].iter().filter_map(|&term| self.instances.get(&(from, term))));
        assumptions
    }
    /// Drops candidates; those that take their places and were not there yet.
    fn replace(&mut self, at: Cut, fallen: &[(Term, Option<Term>)]) -> Vec<Term> {
        let candidates = &mut self.candidates[at];
        candidates.retain(|candidate| !fallen.iter().any(|(other, _)| other == candidate));
        let mut news = Vec::new();
        for next in fallen.iter().filter_map(|&(_, next)| next) {
            if !candidates.contains(&next) {
                candidates.push(next);
                news.push(next);
            }
        }
        news
    }
    /// The strongest of those that follow from the candidate and hold here.
    fn next(&self, cut: Cut, candidate: Term, mut holds: impl FnMut(Term) -> bool) -> Option<Term> {
        let mut last = candidate;
        while let Some(&Some(next)) = self.weaker.get(&(cut, last)) {
            if holds(next) {
                return Some(next);
            }
            last = next;
        }
        None
    }
}

fn is_error(blocks: &Blocks, cut: Cut) -> bool {
    matches!(blocks.cutpoints[cut].kind, CutKind::Error(_))
}
