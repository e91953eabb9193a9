//! Where C leaves an operation undefined.
//!
//! Normally a check stands on an edge in front of the operation and restricts nothing. Under the
//! property `no-overflow`, arithmetic checks are assertions: a branch leads to an error location. Without a
//! property given, division by zero and invalid accesses to memory are: a probe asks whether the access is valid.

use program::{AccessKind, Action, AssertionKind, Shown, Undefined, VarKind};
use term::{Op, Sort, SortKind, Term};

use crate::ast::Span;

use super::Lowering;
use crate::Property;

impl Lowering<'_> {
    /// The operation at `span` is undefined unless the condition holds.
    pub(super) fn check(&mut self, what: Undefined, holds: Term, span: Span) {
        if holds == self.terms.truth(true) {
            return;
        }
        let arithmetic = matches!(
            what,
            Undefined::DivisionByZero
                | Undefined::DivisionOverflow
                | Undefined::ShiftOutOfRange
                | Undefined::SignedOverflow
        );
        let is_error = arithmetic && self.checks_overflow()
            || what == Undefined::DivisionByZero && self.options.property == Property::Errors
            || what == Undefined::BadFunctionPointer && self.checks_memory()
            || what != Undefined::SignedOverflow && self.must_be_defined(span);
        if is_error {
            if self.current.at.is_none() {
                return;
            }
            let kind = match what {
                Undefined::DivisionByZero => AssertionKind::Division,
                Undefined::ShiftOutOfRange => AssertionKind::Shift,
                Undefined::BadFunctionPointer => AssertionKind::Target,
                _ => AssertionKind::Overflow,
            };
            let text = format!("`{}`", self.snippet(span).trim_end_matches(';'));
            self.require(holds, kind, text, span);
        } else if what != Undefined::SignedOverflow || self.options.property == Property::Termination {
            self.emit(Action::Check { what, holds }, span);
        }
    }

    /// The array at `span` has no negative length; otherwise the run ends, with an error where memory is checked.
    pub(super) fn check_length(&mut self, fits: Term, span: Span) {
        if !self.checks_memory() {
            self.check(Undefined::BadLength, fits, span);
            return self.assume(fits, span);
        }
        if fits != self.terms.truth(true) && self.current.at.is_some() {
            let text = format!("`{}`", self.snippet(span));
            self.require(fits, AssertionKind::Length, text, span);
        }
    }

    /// The access at `span` must be valid, where an invalid one is an error.
    pub(super) fn guard(&mut self, address: Term, bytes: u64, access: AccessKind, span: Span) {
        if !(self.checks_access(access) || self.must_be_defined(span))
            || self.current.at.is_none()
            || self.is_inside(address, bytes, access)
        {
            return;
        }
        let sort = self.terms.bool_sort();
        let var = self.new_temp("valid", sort, Shown::Plain);
        self.emit(Action::Probe { var, address, bytes, access }, span);
        let text = format!("`{}`", self.snippet(span));
        let valid = self.term_of(var);
        self.require(valid, AssertionKind::Access(access), text, span);
    }
    /// Whether the expression is one that a witness claims to hold. Undefined behaviour in it would end runs or give it a value that C does not,
    /// and then every program would keep the claim.
    fn must_be_defined(&self, span: Span) -> bool {
        !self.source.must_be_defined.is_empty()
            && self.source.must_be_defined.contains(&self.source.place(span.start).file)
    }
    /// Whether the address is written as an object's name plus a constant inside of it.
    fn is_inside(&self, address: Term, bytes: u64, access: AccessKind) -> bool {
        let (base, offset) = match (self.terms.op(address), self.terms.args(address)) {
            (Op::BvAdd, &[base, offset]) => match self.terms.small_value(offset) {
                Some(offset) => (base, offset),
                None => return false,
            },
            _ => (address, 0),
        };
        let Some(VarKind::AddressOf(object)) = self.variable_of.get(&base).map(|&var| self.program.vars[var].kind)
        else {
            return false;
        };
        let object = &self.program.objects[object];
        let may_be_done = match access {
            AccessKind::Read => true,
            AccessKind::Write => !object.read_only,
            AccessKind::Free | AccessKind::Track => false,
        };
        may_be_done && offset.checked_add(bytes).is_some_and(|end| end <= object.size)
    }
    /// Writes a value to memory; an invalid write is an error where memory is checked.
    pub(super) fn store(&mut self, address: Term, value: Term, span: Span) {
        self.guard(address, self.bytes_of_sort(self.terms.sort_of(value)), AccessKind::Write, span);
        self.emit(Action::Store { address, value }, span);
    }
    /// How many bytes a value of the sort has in memory.
    pub(super) fn bytes_of_sort(&self, sort: Sort) -> u64 {
        match *self.terms.sort_kind(sort) {
            SortKind::BitVec(width) => u64::from(width) / 8,
            // A `long double` is as large as C says, with its padding.
            SortKind::Float(15, 64) => {
                if self.pointer_width() == 32 {
                    12
                } else {
                    16
                }
            }
            SortKind::Float(exponent, significand) => u64::from(exponent + significand) / 8,
            _ => 1,
        }
    }
}
