//! Leaks: what is asked where the program ends, and the counter of live heap objects.
//!
//! Where leaks are errors, a global variable that the program cannot name counts the live heap objects: one more at each allocation, one less
//! at each free of a pointer that is not null. Runs end at their first invalid free, so that the count is exact. `valid-memcleanup` is the assertion that
//! it is zero where the program ends: at the return of `main`, at `exit` and `abort`. `valid-memtrack` asks, where it is
//! not zero, whether pointers lead to all that is left (`AccessKind::Track`). Lost memory stays lost, so that it is enough to ask
//! there and where a run ends at a failing assumption; runs without end are the checker's concern.
//!
//! Pointers in local variables count as long as their block is open: a variable is cleared where its block is left.

use program::{AccessKind, Action, AssertionKind, Shown, Var, VarKind};
use term::{SortKind, Term};

use crate::ast::Span;

use super::Lowering;

impl Lowering<'_> {
    /// Whether leaks are errors.
    pub(super) fn checks_leaks(&self) -> bool {
        self.tracks() || self.cleans_up()
    }
    /// Whether lost memory is an error.
    pub(super) fn tracks(&self) -> bool {
        self.memory_property().is_some_and(|memory| memory.track)
    }
    fn cleans_up(&self) -> bool {
        self.memory_property().is_some_and(|memory| memory.cleanup)
    }

    /// Makes the counter, which starts at zero.
    pub(super) fn start_counting(&mut self, span: Span) {
        if !self.checks_leaks() {
            return;
        }
        let sort = self.pointer_sort();
        let counter = self.new_variable("heap!objects", sort, VarKind::Global, Shown::Unsigned, None);
        self.heap_objects = Some(counter);
        let zero = self.zero_of(sort);
        self.emit(Action::Assign(vec![(counter, zero)]), span);
    }
    /// A heap object begins.
    pub(super) fn count_allocation(&mut self, span: Span) {
        let yes = self.terms.truth(true);
        self.count(yes, true, span);
    }
    /// The heap object at this address ends, unless it is null.
    pub(super) fn count_free(&mut self, address: Term, span: Span) {
        let sort = self.terms.sort_of(address);
        let null = self.zero_of(sort);
        let is_object = self.terms.ne(address, null);
        self.count(is_object, false, span);
    }
    fn count(&mut self, when: Term, is_more: bool, span: Span) {
        let Some(counter) = self.heap_objects else { return };
        let (now, one) = (self.term_of(counter), self.terms.bv(self.program.pointer_width, 1));
        let next = if is_more { self.terms.bv_add(now, one) } else { self.terms.bv_sub(now, one) };
        let next = self.terms.ite(when, next, now);
        self.write_variable(counter, next, span);
    }

    /// The program ends here: whether memory is left.
    pub(super) fn check_leaks(&mut self, what: &str, span: Span) {
        let Some(counter) = self.heap_objects.filter(|_| self.current.at.is_some()) else { return };
        if self.cleans_up() {
            let none = self.is_zero(counter);
            self.require(none, AssertionKind::Cleanup, what.to_owned(), span);
        }
        self.check_tracked(what, span);
    }
    /// Whether memory is lost here.
    fn check_tracked(&mut self, what: &str, span: Span) {
        let Some(counter) = self.heap_objects.filter(|_| self.tracks() && self.current.at.is_some()) else { return };
        let (some, fine) = (self.new_loc(), self.new_loc());
        let none = self.is_zero(counter);
        self.branch(none, fine, some, span);
        self.start(some);
        let sort = self.terms.bool_sort();
        let var = self.new_temp("tracked", sort, Shown::Plain);
        let address = self.terms.bv(self.program.pointer_width, 0);
        self.emit(Action::Probe { var, address, bytes: 0, access: AccessKind::Track }, span);
        let tracked = self.term_of(var);
        self.require(tracked, AssertionKind::Access(AccessKind::Track), what.to_owned(), span);
        self.jump(fine, span);
        self.start(fine);
    }
    /// The user assumes the condition: a run that fails it ends, and what it has lost counts.
    pub(super) fn assume_by_user(&mut self, holds: Term, span: Span) {
        if self.tracks() && self.current.at.is_some() {
            let (go, stop) = (self.new_loc(), self.new_loc());
            self.branch(holds, go, stop, span);
            self.start(stop);
            let text = format!("`{}`", self.snippet(span));
            self.check_tracked(&text, span);
            self.end_run(span);
            self.start(go);
        } else {
            self.assume(holds, span);
        }
    }
    /// An assertion that is no error of this property ends the program if it fails.
    pub(super) fn assert_or_end(&mut self, holds: Term, span: Span) {
        if self.checks_leaks() && self.current.at.is_some() {
            let (go, stop) = (self.new_loc(), self.new_loc());
            self.branch(holds, go, stop, span);
            self.start(stop);
            let text = format!("`{}`", self.snippet(span));
            self.check_leaks(&text, span);
            self.end_run(span);
            self.start(go);
        } else {
            self.assume(holds, span);
        }
    }
    /// The block of these variables is left: pointers in them do not count any more.
    pub(super) fn clear(&mut self, vars: &[Var], span: Span) {
        for &var in vars {
            let sort = self.program.vars[var].sort;
            let zero = self.zero_of(sort);
            self.write_variable(var, zero, span);
        }
    }
    /// Whether the local variable can hold a pointer, where that matters.
    pub(super) fn may_hold_pointer(&self, var: Var) -> bool {
        let term = self.term_of(var);
        let SortKind::BitVec(width) = *self.terms.sort_kind(self.terms.sort_of(term)) else { return false };
        self.tracks() && width >= self.program.pointer_width
    }
    fn is_zero(&mut self, counter: Var) -> Term {
        let now = self.term_of(counter);
        let zero = self.terms.bv(self.program.pointer_width, 0);
        self.terms.eq(now, zero)
    }
}
