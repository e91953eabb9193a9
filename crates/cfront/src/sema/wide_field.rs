//! Bit-fields wider than `int`.
//!
//! C says nothing about the type of such a field's value. With gcc it has exactly the bits of the field, so that
//! `f + 1` wraps at 40 bits; with clang it has the declared type. Operators whose result depends on that are
//! refused; reading, assigning, and operating with a type at least as wide as the declared one are the same.

use super::Sema;
use crate::ast::Span;
use crate::hir::{BinaryOp, Expr, ExprKind, PlaceKind};

const WHAT: &str = "an operator on a bit-field wider than `int`, whose width compilers treat differently";

impl Sema<'_> {
    /// Whether this is the value of a bit-field that is wider than `int` and narrower than its type.
    fn is_wide_field(&self, expr: &Expr) -> bool {
        let place = match &expr.kind {
            ExprKind::Read(place)
            | ExprKind::Assign(place, _)
            | ExprKind::AssignOp { place, .. }
            | ExprKind::Increment { place, .. } => place,
            _ => return false,
        };
        let PlaceKind::Field { bits: Some(bits), .. } = &place.kind else { return false };
        bits.width > 32 && self.unit.types.int_width(place.ty).is_some_and(|width| bits.width < width)
    }

    /// The refusal of an operator with one operand.
    pub(super) fn wide_operand(&self, operand: &Expr, span: Span) -> Option<Expr> {
        self.is_wide_field(operand).then(|| self.refuse(WHAT, operand.ty, span))
    }

    /// The refusal of an operator (`None` is a comparison) with two operands.
    pub(super) fn wide_operands(&self, op: Option<BinaryOp>, left: &Expr, right: &Expr, span: Span) -> Option<Expr> {
        let risky = self.is_risky(op, left, right)
            || !matches!(op, Some(BinaryOp::Shl | BinaryOp::Shr)) && self.is_risky(op, right, left);
        risky.then(|| self.refuse(WHAT, if op.is_some() { left.ty } else { self.basic.int }, span))
    }

    fn is_risky(&self, op: Option<BinaryOp>, field: &Expr, other: &Expr) -> bool {
        if !self.is_wide_field(field) {
            return false;
        }
        let types = &self.unit.types;
        let narrow = types.int_width(other.ty).is_some_and(|width| width <= 32) || self.is_wide_field(other);
        match op {
            Some(BinaryOp::Shl) => true,
            Some(BinaryOp::Shr) => false,
            Some(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul) => narrow,
            // The other operand could be negative, which becomes a number of another width.
            _ => {
                let not_negative = matches!(other.kind, ExprKind::Integer(value) if value >= 0);
                narrow && !types.is_signed(field.ty) && types.is_signed(other.ty) && !not_negative
            }
        }
    }
}
