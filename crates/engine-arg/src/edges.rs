//! Small questions: about one edge between cutpoints, or about the labels at one cutpoint.
//!
//! Labels speak of the program's own variables, and behind an edge the values that the block computes are put in for
//! them; so nothing is renamed, and each edge has one solver that keeps what it has learnt.

use base::{Budget, FastMap, Stopped};
use encode::{Blocks, Cut, Exit};
use program::Program;
use smt::{Answer, Query, Reading, Solver};
use term::{Substitution, Term, Terms};

use crate::implicant::Implicant;
use crate::search::Search;
use crate::tuning::Tuning;

/// An exit of a cutpoint's block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EdgeRef {
    /// Where the block starts.
    pub from: Cut,
    /// The number of the exit.
    pub exit: usize,
}

/// The edges of the cutpoint graph with their solvers.
pub(crate) struct Edges {
    back: FastMap<EdgeRef, Substitution>,
    put_back: FastMap<(EdgeRef, Term), Term>,
    solvers: FastMap<EdgeRef, Informed>,
    /// Solvers that read operators as functions, and how often they were asked and knew the answer.
    abstract_solvers: FastMap<EdgeRef, (Informed, [u64; 2])>,
    covers: FastMap<Cut, Informed>,
}

/// A solver in which the axioms and the first `n_asserted` invariants of a cutpoint are asserted.
struct Informed {
    solver: Solver,
    n_asserted: usize,
}

impl Edges {
    pub fn new(program: &Program, terms: &Terms, blocks: &Blocks) -> Self {
        let mut back = FastMap::new();
        for (from, block) in blocks.blocks.iter_enumerated() {
            for (number, exit) in block.exits.iter().enumerate() {
                let pairs: Vec<(Term, Term)> =
                    exit.values.iter().map(|&(var, value)| (program.vars[var].term, value)).collect();
                back.insert(EdgeRef { from, exit: number }, Substitution::new(terms, &pairs));
            }
        }
        Edges {
            back,
            put_back: FastMap::new(),
            solvers: FastMap::new(),
            abstract_solvers: FastMap::new(),
            covers: FastMap::new(),
        }
    }
}

impl Informed {
    fn new(axioms: &[Term], reading: Reading) -> Self {
        let mut solver = Solver::with_reading(reading);
        axioms.iter().for_each(|&axiom| solver.assert(axiom));
        Informed { solver, n_asserted: 0 }
    }
    fn assert_new(&mut self, facts: &[Term]) {
        facts[self.n_asserted..].iter().for_each(|&fact| self.solver.assert(fact));
        self.n_asserted = facts.len();
    }
}

/// Whether a step can be taken.
pub(crate) enum Taken {
    /// These of the assumptions exclude it.
    Never(Vec<Term>),
    /// It can; what made the goals true, or which of them are.
    May { implicant: Implicant, truths: Vec<bool> },
    /// The solver gave no answer.
    Unknown,
}

impl Search<'_> {
    /// Whether a step over the edge is possible under the assumptions (its condition among them) and one of the broken ones.
    pub(crate) fn take(
        &mut self,
        edge: EdgeRef,
        assumptions: &[Term],
        broken: Option<&[Term]>,
        goals: &[Term],
        budget: &Budget,
    ) -> Result<Taken, Stopped> {
        self.stats.triples += 1;
        let blocks = self.blocks;
        let inputs: Vec<Term> = blocks.blocks[edge.from].inputs.iter().map(|input| input.symbol).collect();
        // Labels of earlier queries are still there; they need not be decided.
        let domain: Vec<Term> = blocks.axioms.iter().chain(&self.background.at[edge.from]).copied().collect();
        let query = Query { assumptions, clause: broken, domain: Some(&domain) };
        if let Some(core) = self.abstract_core(edge, &query, budget)? {
            return Ok(Taken::Never(core));
        }
        let (solver, terms) = self.solver(edge);
        Ok(match solver.check(terms, &query, budget)? {
            Answer::Unsat(refutation) => Taken::Never(refutation.core().to_vec()),
            Answer::Unknown(_) => Taken::Unknown,
            Answer::Sat(mut model) => {
                let truths: Vec<bool> = match broken {
                    Some(_) => goals.iter().map(|&goal| model.is_true(goal)).collect(),
                    None => Vec::new(),
                };
                let justified = if broken.is_none() { goals } else { &[] };
                Taken::May { implicant: Implicant::new(terms, &mut model, justified, &inputs), truths }
            }
        })
    }
    /// A core, if the query has no answer whatever the operators mean. Where control is what matters, that is seen in a
    /// fraction of the time; where it seldom helps, the query is left out.
    pub(crate) fn abstract_core(
        &mut self,
        edge: EdgeRef,
        query: &Query<'_>,
        budget: &Budget,
    ) -> Result<Option<Vec<Term>>, Stopped> {
        let axioms = &self.blocks.axioms;
        let (informed, [asked, known]) = self
            .edges
            .abstract_solvers
            .get_or_insert_with(edge, || (Informed::new(axioms, Reading::Uninterpreted), [0, 0]));
        if *asked > Tuning::DEFAULT.function_query_trials && *known * Tuning::DEFAULT.function_query_worth < *asked {
            return Ok(None);
        }
        *asked += 1;
        informed.assert_new(&self.background.at[edge.from]);
        let limited = budget.part(Tuning::DEFAULT.function_query_ticks);
        let core = match informed.solver.check(&self.terms, query, &limited) {
            Ok(Answer::Unsat(refutation)) => Some(refutation.core().to_vec()),
            Ok(_) | Err(Stopped::OutOfTicks) => None,
            Err(stopped) => return Err(stopped),
        };
        *known += u64::from(core.is_some());
        Ok(core)
    }
    /// The exit.
    pub fn exit(&self, edge: EdgeRef) -> &Exit {
        &self.blocks.blocks[edge.from].exits[edge.exit]
    }
    /// The formula, which speaks of the state behind the edge, in terms of the state before it and the inputs.
    pub fn back(&mut self, edge: EdgeRef, formula: Term) -> Term {
        if let Some(&done) = self.edges.put_back.get(&(edge, formula)) {
            return done;
        }
        let substitution = self.edges.back.get_mut(&edge).expect("every exit has one");
        let done = substitution.apply(&mut self.terms, formula);
        self.edges.put_back.insert((edge, formula), done);
        done
    }
    /// The solver of an edge: it knows the axioms and the invariants at the source, and nothing of the edge itself. Terms and
    /// budget come with it, since it cannot be used without them.
    pub fn solver(&mut self, edge: EdgeRef) -> (&mut Solver, &Terms) {
        let Edges { solvers, .. } = &mut self.edges;
        let informed = solvers.get_or_insert_with(edge, || Informed::new(&self.blocks.axioms, Reading::Bits));
        informed.assert_new(&self.background.at[edge.from]);
        (&mut informed.solver, &self.terms)
    }
    /// Whether every step over the edge from states of `before` ends in `after`; `false` also if the solver gives no answer.
    pub fn holds(&mut self, before: Term, edge: EdgeRef, after: Term) -> Result<bool, Stopped> {
        let behind = self.back(edge, after);
        let broken = self.terms.not(behind);
        Ok(!self.may(edge, &[before, broken])?)
    }
    /// Whether a step over the edge is possible from states of `before`; `true` also if the solver gives no answer.
    pub fn is_feasible(&mut self, before: Term, edge: EdgeRef) -> Result<bool, Stopped> {
        self.may(edge, &[before])
    }
    /// Whether a step over the edge may satisfy all conditions (over the state before it and the inputs).
    fn may(&mut self, edge: EdgeRef, conditions: &[Term]) -> Result<bool, Stopped> {
        self.stats.triples += 1;
        let budget = self.run.budget;
        let never = self.terms.truth(false);
        let mut assumptions = vec![self.exit(edge).guard];
        assumptions.extend(conditions);
        if assumptions.contains(&never) {
            return Ok(false);
        }
        let domain: Vec<Term> = self.blocks.axioms.iter().chain(&self.background.at[edge.from]).copied().collect();
        let query = Query { assumptions: &assumptions, clause: None, domain: Some(&domain) };
        if self.abstract_core(edge, &query, budget)?.is_some() {
            return Ok(false);
        }
        let (solver, terms) = self.solver(edge);
        let answer = solver.check(terms, &query, budget)?;
        Ok(!matches!(answer, Answer::Unsat(_)))
    }
    /// Whether all states of the label are in one of the others; `false` also if the solver gives no answer.
    pub fn covers(&mut self, cut: Cut, label: Term, others: &[Term]) -> Result<bool, Stopped> {
        let never = self.terms.truth(false);
        if label == never || others.contains(&label) {
            return Ok(true);
        }
        self.stats.cover_queries += 1;
        let mut assumptions = vec![label];
        for &other in others {
            assumptions.push(self.terms.not(other));
        }
        if assumptions.contains(&never) {
            return Ok(true);
        }
        let informed = self.edges.covers.get_or_insert_with(cut, || Informed::new(&self.blocks.axioms, Reading::Bits));
        informed.assert_new(&self.background.at[cut]);
        let answer = informed.solver.check(&self.terms, &Query::assuming(&assumptions), self.run.budget)?;
        Ok(matches!(answer, Answer::Unsat(_)))
    }
}
