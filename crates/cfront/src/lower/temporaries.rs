//! Temporary lifetime: an array inside of a record that is no lvalue (`f().a`) ends with its full expression (6.2.4p8).
//!
//! Where such an array becomes a pointer, the record is copied into an object of its own, which ends after the full expression. Where
//! only a member is read, the address of the value is enough.

use program::{Action, InputKind, Loc, Shown, VarKind};
use term::Term;

use crate::ast::Span;
use crate::hir::{Expr, ExprKind, Place, PlaceKind};

use super::Lowering;
use super::walk::{Node, push_parts};

impl Lowering<'_> {
    /// The address of a place, which the program may keep.
    pub(super) fn lasting_address(&mut self, place: &Place) -> Term {
        let outer = std::mem::replace(&mut self.current.keeps_temporary, is_in_temporary(place));
        let address = self.address(place);
        self.current.keeps_temporary = outer;
        address
    }
    /// The address of a record value.
    pub(super) fn temporary(&mut self, record: &Expr, span: Span) -> Term {
        if !std::mem::take(&mut self.current.keeps_temporary) {
            return self.record(record);
        }
        let to = self.temporary_object("temporary", record.ty, span);
        if let Some(&var) = self.variable_of.get(&to)
            && let VarKind::AddressOf(object) = self.program.vars[var].kind
        {
            self.current.temporaries.push(object);
        }
        // It may have ended in an earlier round.
        let kind = InputKind::Uninitialised("a temporary".to_owned());
        let input = self.new_input(kind, Shown::Plain, span);
        self.emit(Action::Forget { address: to, size: None, input }, span);
        self.record_into(record, to, span);
        to
    }
    /// A full expression ends here.
    pub(super) fn end_temporaries(&mut self, span: Span) {
        for object in std::mem::take(&mut self.current.temporaries) {
            if self.current.at.is_some() {
                self.emit(Action::End { object }, span);
            }
        }
    }
    /// A condition that is a full expression.
    pub(super) fn full_condition(&mut self, condition: &Expr, then: Loc, otherwise: Loc) {
        if !keeps_temporaries(condition) {
            return self.condition(condition, then, otherwise);
        }
        let (yes, no) = (self.new_loc(), self.new_loc());
        self.condition(condition, yes, no);
        let ended = std::mem::take(&mut self.current.temporaries);
        for (from, to) in [(yes, then), (no, otherwise)] {
            self.start(from);
            for &object in &ended {
                self.emit(Action::End { object }, condition.span);
            }
            self.jump(to, condition.span);
        }
    }
}

/// Whether the place is a part of a record that is no lvalue.
fn is_in_temporary(place: &Place) -> bool {
    let mut place = place;
    loop {
        match &place.kind {
            PlaceKind::Field { base, .. } => place = base,
            PlaceKind::Temporary(_) => return true,
            _ => return false,
        }
    }
}

/// Whether the address of such a part is taken in the expression, statement expressions left out.
fn keeps_temporaries(expr: &Expr) -> bool {
    let mut stack = vec![Node::Expr(expr)];
    while let Some(node) = stack.pop() {
        if let Node::Expr(Expr { kind: ExprKind::AddressOf(place) | ExprKind::Read(place), .. }) = node
            && is_in_temporary(place)
        {
            return true;
        }
        if !matches!(node, Node::Expr(Expr { kind: ExprKind::StmtExpr(..), .. })) {
            push_parts(node, &mut stack);
        }
    }
    false
}
