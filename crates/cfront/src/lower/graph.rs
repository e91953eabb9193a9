//! The automaton of the function at hand, built edge by edge from a current location.
//!
//! After `return`, `goto` and the like there is no current location: what follows cannot be reached
//! until a label starts anew, and its edges are dropped.

use base::Place;
use program::{Action, AssertionId, AssertionKind, Edge, Loc, Location, Mark, Var};
use term::Term;

use crate::ast::Span;

use super::Lowering;

impl Lowering<'_> {
    /// A new location that nothing leads to yet.
    pub(super) fn new_loc(&mut self) -> Loc {
        let function = self.current.id;
        self.current.locations.push(Location { function, place: None, mark: Mark::None })
    }
    /// A new location where a statement begins.
    pub(super) fn new_loc_at(&mut self, span: Span) -> Loc {
        let place = self.place(span);
        let loc = self.new_loc();
        self.current.locations[loc].place = place;
        loc
    }
    /// Continues at this location.
    pub(super) fn start(&mut self, loc: Loc) {
        self.current.at = Some(loc);
    }
    /// The current location is where this statement begins, unless another one began there already.
    pub(super) fn begin_statement(&mut self, span: Span) {
        if let Some(at) = self.current.at
            && self.current.locations[at].place.is_none()
        {
            self.current.locations[at].place = self.place(span);
        }
    }
    /// Marks a location.
    pub(super) fn mark(&mut self, loc: Loc, mark: Mark, span: Span) {
        let place = self.place(span);
        let location = &mut self.current.locations[loc];
        location.mark = mark;
        location.place = place;
    }
    /// Does the action and continues behind it.
    pub(super) fn emit(&mut self, action: Action, span: Span) {
        if self.current.at.is_some() {
            let to = self.new_loc();
            self.emit_to(action, to, span);
            self.start(to);
        }
    }
    /// Does the action on the way to this location; nothing follows here.
    pub(super) fn emit_to(&mut self, action: Action, to: Loc, span: Span) {
        if let Some(from) = self.current.at.take() {
            let place = self.place(span);
            self.push_edge(from, to, action, place);
        }
    }
    /// Goes on at this location; nothing follows here.
    pub(super) fn jump(&mut self, to: Loc, span: Span) {
        let always = self.terms.truth(true);
        self.emit_to(Action::Assume(always), to, span);
    }
    /// Goes to one location if the condition holds, else to the other; nothing follows here.
    pub(super) fn branch(&mut self, condition: Term, then: Loc, otherwise: Loc, span: Span) {
        let Some(from) = self.current.at.take() else { return };
        let place = self.place(span);
        let (always, never) = (self.terms.truth(true), self.terms.truth(false));
        if condition == always || condition == never {
            let to = if condition == always { then } else { otherwise };
            self.push_edge(from, to, Action::Assume(always), place);
        } else {
            let negated = self.terms.not(condition);
            self.push_edge(from, then, Action::Assume(condition), place);
            self.push_edge(from, otherwise, Action::Assume(negated), place);
        }
    }
    pub(super) fn push_edge(&mut self, from: Loc, to: Loc, action: Action, place: Option<Place>) {
        self.current.edges.push(Edge { from, to, action, place });
    }
    /// Goes on only if the condition holds; else the run ends here without error.
    pub(super) fn assume(&mut self, condition: Term, span: Span) {
        let (always, never) = (self.terms.truth(true), self.terms.truth(false));
        if condition == never {
            self.end_run(span);
        } else if condition != always {
            self.emit(Action::Assume(condition), span);
        }
    }
    /// The run ends here without error; nothing follows.
    pub(super) fn end_run(&mut self, span: Span) {
        if self.current.at.is_some() {
            let never = self.terms.truth(false);
            let end = match self.current.ended {
                Some(end) => end,
                None => self.new_loc(),
            };
            self.current.ended = Some(end);
            self.emit_to(Action::Assume(never), end, span);
        }
    }
    /// The assertion fails here; nothing follows.
    pub(super) fn fail(&mut self, kind: AssertionKind, text: String, span: Span) {
        if self.current.at.is_some() {
            let error = self.error_location(kind, text, span);
            self.jump(error, span);
        }
    }
    /// Goes on if the condition holds; otherwise the assertion fails.
    pub(super) fn require(&mut self, holds: Term, kind: AssertionKind, text: String, span: Span) {
        let error = self.error_location(kind, text, span);
        let fine = self.new_loc();
        self.branch(holds, fine, error, span);
        self.start(fine);
    }
    /// A new error location with a new assertion.
    pub(super) fn error_location(&mut self, kind: AssertionKind, text: String, span: Span) -> Loc {
        let place = self.place(span);
        let assertion: AssertionId = self.program.assertions.push(program::Assertion { text, place, kind });
        let loc = self.new_loc();
        self.mark(loc, Mark::Error(assertion), span);
        loc
    }
    /// Writes a variable; pending values that mention it are saved first.
    pub(super) fn write_variable(&mut self, var: Var, value: Term, span: Span) {
        if self.term_of(var) != value {
            self.settle_before_write(var);
            self.emit(Action::Assign(vec![(var, value)]), span);
        }
    }
}
