//! Where C leaves an operation undefined.
//!
//! Normally a check stands on an edge in front of the operation and restricts nothing. Under the
//! property `no-overflow`, arithmetic checks are assertions: a branch leads to an error location.

use program::{Action, Undefined};
use term::Term;

use crate::ast::Span;

use super::Lowering;

impl Lowering<'_> {
    /// The operation at `span` is undefined unless the condition holds.
    pub(super) fn check(&mut self, what: Undefined, holds: Term, span: Span) {
        if holds == self.terms.truth(true) {
            return;
        }
        let arithmetic =
            matches!(what, Undefined::DivisionByZero | Undefined::ShiftOutOfRange | Undefined::SignedOverflow);
        if arithmetic && self.checks_overflow() {
            if self.current.at.is_none() {
                return;
            }
            let why = match what {
                Undefined::DivisionByZero => "does not divide by zero",
                Undefined::ShiftOutOfRange => "shifts within range",
                _ => "does not overflow",
            };
            let text = format!("`{}` {why}", self.snippet(span));
            let error = self.error_location(text, span);
            let fine = self.new_loc();
            self.branch(holds, fine, error, span);
            self.start(fine);
        } else if what != Undefined::SignedOverflow {
            self.emit(Action::Check { what, holds }, span);
        }
    }
    /// Like `check`, also for an overflow that has no wrapped result on the machine.
    pub(super) fn check_always(&mut self, what: Undefined, holds: Term, span: Span) {
        if self.checks_overflow() {
            self.check(what, holds, span);
        } else if holds != self.terms.truth(true) {
            self.emit(Action::Check { what, holds }, span);
        }
    }
}
