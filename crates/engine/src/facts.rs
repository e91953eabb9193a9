//! The store of facts that engines exchange, each fact with its source.
//!
//! Facts are keyed by cutpoint locations of the optimised program and are terms over its variables. The
//! store has a term store of its own, since every engine has one too; variables keep their names, so
//! facts are carried over by name. It only grows, and each reader keeps a cursor.
//!
//! Every published invariant is checked by its engine first (see `houdini`), candidates and predicates are hints,
//! and a lemma about operators passes the gate of the store: it is proved in bits before it can be read (see
//! `lemmas` for what readers do with it).

use std::sync::{Mutex, PoisonError};

use base::{Budget, Stopped};
use program::Loc;
use smt::{Answer, Query, Solver};
use term::walk::Import;
use term::{Op, Term, Terms};

use crate::tuning::Tuning;

/// Something an engine found out.
#[derive(Clone, Debug)]
pub struct Fact {
    /// Where it holds; none if everywhere.
    pub at: Option<Loc>,
    /// What it says.
    pub term: Term,
    /// What it is.
    pub kind: FactKind,
    /// The engine or producer that published it.
    pub source: &'static str,
}

/// What a fact is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FactKind {
    /// Holds whenever a run is at the location; together with the invariants published before it, it is inductive.
    Invariant,
    /// Worth tracking at the location.
    Predicate,
    /// About operators, not about the program: valid for all values of its symbols, which stand for any terms.
    Lemma,
}

/// The store.
pub struct Facts {
    inner: Mutex<Inner>,
    is_shared: bool,
}

#[derive(Clone, Default)]
struct Inner {
    terms: Terms,
    facts: Vec<Fact>,
}

impl Default for Facts {
    fn default() -> Self {
        Facts::new()
    }
}

/// How far a reader has read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cursor(usize);

impl Facts {
    /// An empty store.
    pub fn new() -> Self {
        Facts { inner: Mutex::default(), is_shared: true }
    }
    /// A store for an engine that works alone: it keeps nothing.
    pub fn unshared() -> Self {
        Facts { inner: Mutex::default(), is_shared: false }
    }
    /// A store with what this one holds so far; `is_shared` as in [`Facts::is_shared`].
    pub fn copied(&self, is_shared: bool) -> Self {
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Facts { inner: Mutex::new(inner), is_shared }
    }
    /// Whether other engines may read what is published, or publish what can be read.
    pub fn is_shared(&self) -> bool {
        self.is_shared
    }
    /// Adds facts whose terms are in the given store.
    ///
    /// # Panics
    /// If there is a lemma among them: those pass the gate of [`Facts::publish_lemmas`].
    pub fn publish(&self, terms: &Terms, facts: &[Fact]) {
        assert!(facts.iter().all(|fact| fact.kind != FactKind::Lemma), "a lemma passes the gate");
        if !self.is_shared || facts.is_empty() {
            return;
        }
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let mut import = Import::new();
        for fact in facts {
            // Two engines that use one name for different things: the fact is left out.
            let Inner { terms: own, facts } = &mut *inner;
            if let Ok(term) = import.term(terms, own, fact.term) {
                facts.push(Fact { term, ..fact.clone() });
            }
        }
    }
    /// Adds those lemmas that are new and pass the gate; how many these are. A lemma that is not valid, or whose proof takes
    /// too long, is left out.
    pub fn publish_lemmas(
        &self,
        terms: &mut Terms,
        lemmas: &[Term],
        source: &'static str,
        budget: &Budget,
    ) -> Result<usize, Stopped> {
        let mut n_added = 0;
        for &lemma in lemmas {
            if !self.is_shared || terms.op(lemma) == Op::True || !self.is_new(terms, lemma) {
                continue;
            }
            if is_valid(terms, lemma, budget)? {
                let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
                let Inner { terms: own, facts } = &mut *inner;
                if let Ok(term) = Import::new().term(terms, own, lemma) {
                    facts.push(Fact { at: None, term, kind: FactKind::Lemma, source });
                    n_added += 1;
                }
            }
        }
        Ok(n_added)
    }
    /// Whether the lemma is not in the store yet, and there is room for it.
    fn is_new(&self, terms: &Terms, lemma: Term) -> bool {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let Inner { terms: own, facts } = &mut *inner;
        let lemmas = facts.iter().filter(|fact| fact.kind == FactKind::Lemma);
        let mut known: Vec<Term> = lemmas.map(|fact| fact.term).collect();
        known.truncate(Tuning::DEFAULT.max_shared_lemmas);
        known.len() < Tuning::DEFAULT.max_shared_lemmas
            && Import::new().term(terms, own, lemma).is_ok_and(|term| !known.contains(&term))
    }
    /// What has come since the cursor was here last, with terms in the reader's store; without lemmas.
    pub fn read(&self, cursor: &mut Cursor, terms: &mut Terms) -> Vec<Fact> {
        self.news(cursor, terms, |kind| kind != FactKind::Lemma)
    }
    /// The lemmas that have come since this cursor, which reads nothing else, was here last.
    pub fn read_lemmas(&self, cursor: &mut Cursor, terms: &mut Terms) -> Vec<Fact> {
        self.news(cursor, terms, |kind| kind == FactKind::Lemma)
    }
    fn news(&self, cursor: &mut Cursor, terms: &mut Terms, is_wanted: impl Fn(FactKind) -> bool) -> Vec<Fact> {
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let mut import = Import::new();
        let mut news = Vec::new();
        for fact in inner.facts[cursor.0..].iter().filter(|fact| is_wanted(fact.kind)) {
            if let Ok(term) = import.term(&inner.terms, terms, fact.term) {
                news.push(Fact { term, ..fact.clone() });
            }
        }
        cursor.0 = inner.facts.len();
        news
    }
}

/// The gate: whether the formula is soon seen to be true for all values of its symbols, with every operator in bits.
fn is_valid(terms: &mut Terms, formula: Term, budget: &Budget) -> Result<bool, Stopped> {
    let denied = terms.not(formula);
    let part = budget.part(Tuning::DEFAULT.lemma_gate_ticks);
    let mut solver = Solver::new();
    let answer = match solver.check(terms, &Query::assuming(&[denied]), &part) {
        Ok(answer) => matches!(answer, Answer::Unsat(_)),
        Err(Stopped::OutOfTicks) => false,
        Err(stopped) => return Err(stopped),
    };
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use base::Id;

    use super::*;

    #[test]
    fn a_reader_sees_each_fact_once_in_its_own_store() {
        let facts = Facts::new();
        let mut ours = Terms::new();
        let sort = ours.bv_sort(8);
        let (x, y) = (ours.variable("x", sort), ours.variable("y", sort));
        let less = ours.bv_ult(x, y);
        let fact = Fact { at: Some(Loc::new(3)), term: less, kind: FactKind::Invariant, source: "test" };
        facts.publish(&ours, &[fact]);
        let mut theirs = Terms::new();
        theirs.bv(8, 200);
        let mut cursor = Cursor::default();
        let read = facts.read(&mut cursor, &mut theirs);
        assert_eq!(read.len(), 1);
        assert_eq!((read[0].at, theirs.to_smtlib(read[0].term)), (Some(Loc::new(3)), "(bvult x y)".to_owned()));
        assert!(facts.read(&mut cursor, &mut theirs).is_empty());
    }

    #[test]
    fn a_name_that_means_something_else_to_the_reader_is_left_out() {
        let facts = Facts::new();
        let mut ours = Terms::new();
        let sort = ours.bool_sort();
        let x = ours.variable("x", sort);
        facts.publish(&ours, &[Fact { at: None, term: x, kind: FactKind::Predicate, source: "test" }]);
        let mut theirs = Terms::new();
        let sort = theirs.bv_sort(8);
        theirs.variable("x", sort);
        assert!(facts.read(&mut Cursor::default(), &mut theirs).is_empty());
    }

    #[test]
    fn the_gate_lets_valid_lemmas_pass_once_and_no_others() {
        let facts = Facts::new();
        let mut ours = Terms::new();
        let sort = ours.bv_sort(32);
        let (x, y) = (ours.variable("lemma!x32", sort), ours.variable("lemma!y32", sort));
        let (zero, product) = (ours.bv(32, 0), ours.bv_mul(x, y));
        let (is_zero, gives_zero) = (ours.eq(x, zero), ours.eq(product, zero));
        let right = ours.implies(is_zero, gives_zero);
        // False: 2^16 times 2^16 is zero too.
        let wrong = ours.implies(gives_zero, is_zero);
        // Valid, since that is a prime, but the proof takes too long.
        let (bound, one, prime) = (ours.bv(32, 1 << 16), ours.bv(32, 1), ours.bv(32, 2_147_483_647));
        let parts =
            [ours.bv_ult(x, bound), ours.bv_ult(y, bound), ours.ne(x, one), ours.ne(y, one), ours.eq(product, prime)];
        let divided = ours.and(&parts);
        let hard = ours.not(divided);
        let budget = Budget::default();
        let added = facts.publish_lemmas(&mut ours, &[wrong, right, hard, right], "test", &budget);
        assert_eq!(added, Ok(1));
        let mut theirs = Terms::new();
        let mut cursor = Cursor::default();
        let read = facts.read_lemmas(&mut cursor, &mut theirs);
        assert_eq!(read.len(), 1);
        let expected = ours.to_smtlib(right);
        assert_eq!((read[0].kind, theirs.to_smtlib(read[0].term)), (FactKind::Lemma, expected));
        assert!(
            facts.read(&mut Cursor::default(), &mut theirs).is_empty(),
            "lemmas are read by those who ask for them"
        );
    }

    #[test]
    #[should_panic(expected = "a lemma passes the gate")]
    fn a_lemma_does_not_get_round_the_gate() {
        let mut terms = Terms::new();
        let sort = terms.bool_sort();
        let x = terms.variable("x", sort);
        Facts::new().publish(&terms, &[Fact { at: None, term: x, kind: FactKind::Lemma, source: "test" }]);
    }
}
