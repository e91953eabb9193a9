//! Which rules have fired on this thread, for the tests.

use std::cell::RefCell;
use std::collections::BTreeSet;

thread_local! {
    static FIRED: RefCell<BTreeSet<&'static str>> = const { RefCell::new(BTreeSet::new()) };
}

/// Notes that a rule has fired.
pub(crate) fn fired(name: &'static str) {
    FIRED.with_borrow_mut(|fired| fired.insert(name));
}
/// The rules that have fired so far.
pub(crate) fn all_fired() -> BTreeSet<&'static str> {
    FIRED.with_borrow(Clone::clone)
}
