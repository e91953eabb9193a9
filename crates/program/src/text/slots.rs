//! Things at the numbers that the text gives them, in whatever order it names them.

use base::{Id, IndexVec};

use super::cursor::{Cursor, Reported};
use super::lex::Token;

pub(super) struct Slots<I, T> {
    /// What stands before a number when we speak of it.
    what: &'static str,
    /// The number of the first one as the text has it.
    first: usize,
    items: IndexVec<I, Option<T>>,
    next: usize,
}

impl<I: Id, T> Slots<I, T> {
    pub(super) fn new(what: &'static str) -> Self {
        Slots { what, first: 0, items: IndexVec::new(), next: 0 }
    }
    pub(super) fn counting_from_one(what: &'static str) -> Self {
        Slots { first: 1, ..Slots::new(what) }
    }
    /// The explicit index, or the one that follows the last. A mistake behind it does not move those that follow.
    pub(super) fn reserve(&mut self, explicit: Option<usize>) -> usize {
        let index = explicit.unwrap_or(self.next);
        self.next = index + 1;
        index
    }
    /// Puts the item at its index, unless that is taken or out of all proportion.
    pub(super) fn insert(
        &mut self,
        cursor: &mut Cursor<'_>,
        token: Token,
        index: usize,
        item: T,
    ) -> Result<I, Reported> {
        if index >= cursor.n_tokens() {
            return Err(cursor.report(token, TOO_LARGE));
        }
        while self.items.len() <= index {
            self.items.push(None);
        }
        let id = I::new(index);
        if self.items[id].is_some() {
            return Err(cursor.report(token, format!("there is {}{} already", self.what, index + self.first)));
        }
        self.items[id] = Some(item);
        Ok(id)
    }
    pub(super) fn get_mut(&mut self, id: I) -> Option<&mut T> {
        self.items[id].as_mut()
    }
    pub(super) fn contains(&self, id: I) -> bool {
        self.items.get(id).is_some_and(Option::is_some)
    }
    /// The items; a gap is reported unless something else was wrong before.
    pub(super) fn into_items(mut self, cursor: &mut Cursor<'_>) -> IndexVec<I, T> {
        let gap = self.items.iter().position(Option::is_none);
        if let Some(index) = gap.filter(|_| cursor.source.diagnostics.is_empty()) {
            let token = cursor.peek();
            cursor.report(token, format!("{}{} is missing", self.what, index + self.first));
        }
        self.items.iter_mut().filter_map(Option::take).collect()
    }
}

/// There are no more things than words in a file, so a larger number is a mistake.
pub(super) const TOO_LARGE: &str = "this number is too large: numbers are given out without gaps";
