//! The statements of an unrolling, and which operator belongs to which of them.
//!
//! The paper's programs are lists of statements `x = t` with a name for each value. Our unrollings have no names:
//! equal values are the same term. So a statement *owns* the terms that it is the first to compute, and what it
//! takes from earlier statements are its leaves: the values of its variables. An operator that is computed
//! twice belongs to the first statement, and a second statement that computes nothing new is no statement at all.

use base::FastMap;
use encode::Unrolling;
use program::EdgeId;
use smt::{Model, is_site};
use term::{Term, Terms, Value};

/// What an edge computes in some step that no earlier one has computed.
pub(crate) struct Statement {
    /// None for what only arises when steps are put together.
    pub edge: Option<EdgeId>,
    /// The terms that it is the first to compute, arguments first.
    own: Vec<Term>,
    /// The operators among them: what can be read in bits or as functions.
    pub sites: Vec<Term>,
    /// Its variables: the values that it computes, and those that it takes from others.
    pub vars: Vec<Term>,
}

/// The owner of terms without operators: they belong to no statement.
const NO_STATEMENT: u32 = u32::MAX;

/// All statements of an unrolling so far, in program order.
#[derive(Default)]
pub(crate) struct Statements {
    pub list: Vec<Statement>,
    owner: FastMap<Term, u32>,
    /// How many statements of the unrolling were added.
    n_tracked: usize,
}

impl Statements {
    /// Adds the statements of the last step.
    pub fn track_step(&mut self, terms: &Terms, unrolling: &Unrolling) {
        while self.n_tracked < unrolling.statements.len() {
            let statement = &unrolling.statements[self.n_tracked];
            self.add(terms, Some(statement.edge), &statement.terms);
            self.n_tracked += 1;
        }
    }
    /// The roots are computed here, unless they were before.
    pub fn add(&mut self, terms: &Terms, edge: Option<EdgeId>, roots: &[Term]) {
        let own = terms.subterms_until(roots, |term| self.owner.contains_key(&term) || is_leaf(terms, term));
        let sites: Vec<Term> = own.iter().copied().filter(|&term| is_site(terms.op(term))).collect();
        // Choices and truth values are always exact: without operators it is no statement.
        let number = if sites.is_empty() { NO_STATEMENT } else { self.list.len() as u32 };
        for &term in &own {
            self.owner.insert(term, number);
        }
        if number == NO_STATEMENT {
            return;
        }
        let mut vars: Vec<Term> = roots.to_vec();
        vars.extend(own.iter().flat_map(|&term| terms.args(term)).filter(|&&arg| !self.is_own(number, arg)));
        vars.retain(|&var| !terms.is_value(var));
        vars.sort_unstable();
        vars.dedup();
        self.list.push(Statement { edge, own, sites, vars });
    }
    fn is_own(&self, statement: u32, term: Term) -> bool {
        self.owner.get(&term) == Some(&statement)
    }
    /// The statement that a term belongs to.
    pub fn owner(&self, term: Term) -> Option<u32> {
        self.owner.get(&term).copied().filter(|&owner| owner != NO_STATEMENT)
    }
    /// The statements that compute some of these terms, in program order.
    pub fn among(&self, cone: &[Term]) -> Vec<u32> {
        let mut found: Vec<u32> = cone.iter().filter_map(|&term| self.owner(term)).collect();
        found.sort_unstable();
        found.dedup();
        found
    }
    /// Whether the model gives what the statement computes another value than it has, the values of its leaves
    /// being the model's. Only terms within the cone count: the search knows no others.
    pub fn is_violated(
        &self,
        terms: &Terms,
        statement: u32,
        model: &mut Model<'_>,
        in_cone: impl Fn(Term) -> bool,
    ) -> bool {
        let own: Vec<Term> = self.list[statement as usize].own.iter().copied().filter(|&term| in_cone(term)).collect();
        let mut known: FastMap<Term, Value> = FastMap::new();
        let mut inner: FastMap<Term, ()> = FastMap::new();
        for &term in &own {
            let mut args = Vec::with_capacity(terms.args(term).len());
            for &arg in terms.args(term) {
                inner.insert(arg, ());
                args.push(known.get(&arg).cloned().unwrap_or_else(|| model.value(arg)));
            }
            let value = term::eval::operate(terms, term, &args).unwrap_or_else(|_| model.value(term));
            known.insert(term, value);
        }
        own.iter().any(|term| !inner.contains_key(term) && known[term] != model.value(*term))
    }
}

fn is_leaf(terms: &Terms, term: Term) -> bool {
    terms.args(term).is_empty()
}
