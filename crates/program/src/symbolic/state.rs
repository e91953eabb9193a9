//! States of paths, and how two of them that meet become one.

use std::rc::Rc;

use term::Term;

use super::Trouble;
use super::explore::Explorer;
use super::guards::{Guard, NEVER};
use super::objects::Objects;

/// The state of a path: when it is taken, and what variables and objects hold then.
#[derive(Clone)]
pub(super) struct State {
    pub guard: Guard,
    /// By place in the table of the function: the values of variables of this activation that were written.
    pub locals: Vec<Option<Term>>,
    pub globals: Rc<Vec<Term>>,
    pub objects: Objects,
}

impl Explorer<'_> {
    /// The state of two paths, no run of which takes both.
    pub(super) fn merge(&mut self, one: State, other: State) -> Result<State, Trouble> {
        let (both, either) = (self.guards.and(one.guard, other.guard), self.guards.or(one.guard, other.guard));
        if self.guards.is_full() {
            return Err(self.limit("paths with too many conditions"));
        }
        assert!(both == NEVER, "no run takes two paths that meet");
        let is_one = self.guards.restrict(one.guard, either);
        let when = self.condition(is_one);
        let mut locals = one.locals;
        for (mine, theirs) in locals.iter_mut().zip(&other.locals) {
            *mine = match (*mine, *theirs) {
                (Some(a), Some(b)) => Some(self.store.words.ite(when, a, b)),
                // A variable that one of the paths has not written is not read before it is written.
                _ => None,
            };
        }
        let mut globals = one.globals;
        if !Rc::ptr_eq(&globals, &other.globals) {
            for (mine, &theirs) in Rc::make_mut(&mut globals).iter_mut().zip(other.globals.iter()) {
                *mine = self.store.words.ite(when, *mine, theirs);
            }
        }
        let objects = self.merge_objects(when, one.objects, other.objects)?;
        Ok(State { guard: either, locals, globals, objects })
    }
    /// An object that only one of the paths has made is live on that path only.
    fn merge_objects(&mut self, when: Term, one: Objects, mut other: Objects) -> Result<Objects, Trouble> {
        let mut merged = Objects::new();
        let not = self.store.words.terms.not(when);
        for (key, mut mine) in one {
            let object = match other.remove(&key) {
                Some(theirs) => match self.store.merge(when, &mine, &theirs) {
                    Some(object) => object,
                    None => return Err(self.limit("an object that differs too much between two paths")),
                },
                None => {
                    let live = self.store.words.terms.and(&[when, mine.live]);
                    Rc::make_mut(&mut mine).live = live;
                    mine
                }
            };
            merged.insert(key, object);
        }
        for (key, mut theirs) in other {
            let live = self.store.words.terms.and(&[not, theirs.live]);
            Rc::make_mut(&mut theirs).live = live;
            merged.insert(key, theirs);
        }
        Ok(merged)
    }
}
