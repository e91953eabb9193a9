//! The store of facts: what engines tell one another, each fact with who said it.
//!
//! Facts are keyed by cutpoint locations of the optimised program and are terms over its variables. The
//! store has a term store of its own, since every engine has one too; variables keep their names, so
//! facts are carried over by name. It only grows, and each reader keeps a cursor.
//!
//! Nobody believes what was only claimed: `publish_invariants` takes facts from those who have just
//! checked them (see `houdini`), candidates and predicates are hints, and lemmas are checked on their own by
//! whoever uses them.

use std::sync::{Mutex, PoisonError};

use program::Loc;
use term::walk::Import;
use term::{Term, Terms};

/// Something an engine found out.
#[derive(Clone, Debug)]
pub struct Fact {
    /// Where it holds; none if everywhere.
    pub at: Option<Loc>,
    /// What it says.
    pub term: Term,
    /// What it is.
    pub kind: FactKind,
    /// Who said it.
    pub source: &'static str,
}

/// What a fact is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FactKind {
    /// Holds whenever a run is at the location; together with the invariants published before it, it is inductive.
    Invariant,
    /// May be an invariant.
    Candidate,
    /// Worth tracking at the location.
    Predicate,
    /// Valid for all values of its symbols.
    Lemma,
}

/// The store.
pub struct Facts {
    inner: Mutex<Inner>,
    is_shared: bool,
}

#[derive(Default)]
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
    /// Whether somebody else may read what is published, or publish what can be read.
    pub fn is_shared(&self) -> bool {
        self.is_shared
    }
    /// Adds facts whose terms are in the given store.
    pub fn publish(&self, terms: &Terms, facts: &[Fact]) {
        if !self.is_shared || facts.is_empty() {
            return;
        }
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let mut import = Import::new();
        for fact in facts {
            // Two engines that use one name for different things: the fact is not worth a quarrel.
            let Inner { terms: own, facts } = &mut *inner;
            if let Ok(term) = import.term(terms, own, fact.term) {
                facts.push(Fact { term, ..fact.clone() });
            }
        }
    }
    /// What has come since the cursor was here last, with terms in the reader's store.
    pub fn read(&self, cursor: &mut Cursor, terms: &mut Terms) -> Vec<Fact> {
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let mut import = Import::new();
        let mut news = Vec::new();
        for fact in &inner.facts[cursor.0..] {
            if let Ok(term) = import.term(&inner.terms, terms, fact.term) {
                news.push(Fact { term, ..fact.clone() });
            }
        }
        cursor.0 = inner.facts.len();
        news
    }
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
}
