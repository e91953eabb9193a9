//! Assignment, compound assignment, `++` and `--`.

use super::Sema;
use super::convert::{Lvalue, Value, Why};
use super::operator::{Sort, is_temporary, needs_integers, sort, symbol};
use crate::ast::{self, ExprId, Span};
use crate::hir::{BinaryOp, Expr, ExprKind, IncrementResult, Place, TypeId};

impl Sema<'_> {
    pub(super) fn assign(&mut self, op: Option<ast::BinaryOp>, left: ExprId, right: ExprId, span: Span) -> Expr {
        let target = self.value(left);
        let value = self.expr(right);
        let place = match self.assignable(target, span) {
            Ok(place) => place,
            Err(expr) => return *expr,
        };
        let Some(op) = op else {
            let ty = place.ty;
            let value = self.convert(value, ty, Why::Assignment);
            if self.is_error(value.ty) {
                return value;
            }
            return Expr { kind: ExprKind::Assign(place, Box::new(value)), ty, span };
        };
        match sort(op) {
            Sort::Arithmetic(op) => self.assign_op(op, place, value, span),
            _ => self.error_expr(span, "no assignment is made with this operator", ""),
        }
    }

    /// `place op= value`.
    pub(super) fn assign_op(&mut self, op: BinaryOp, place: Place, value: Expr, span: Span) -> Expr {
        let ty = place.ty;
        if self.is_error(value.ty) {
            return value;
        }
        if self.is_unsupported(ty) || self.is_unsupported(value.ty) {
            let shown = self.unit.types.display(if self.is_unsupported(ty) { ty } else { value.ty });
            return self.refuse(format!("operations on {shown}"), ty, span);
        }
        let types = &self.unit.types;
        if types.is_pointer(ty) && matches!(op, BinaryOp::Add | BinaryOp::Sub) && types.is_integer(value.ty) {
            let target = types.pointer_target(ty).expect("a pointer has a target");
            let Some(element_size) = self.size_in_arithmetic(target) else {
                let shown = self.unit.types.display(target);
                return self.error_expr(span, format!("pointer arithmetic on the incomplete type `{shown}`"), "");
            };
            let index = Box::new(self.pointer_index(value));
            let negative = op == BinaryOp::Sub;
            return Expr { kind: ExprKind::AssignPtrAdd { place, index, element_size, negative }, ty, span };
        }
        let fits = |ty: TypeId| if needs_integers(op) { types.is_integer(ty) } else { types.is_arithmetic(ty) };
        if !fits(ty) || !fits(value.ty) {
            let (l, r) = (types.display(ty), types.display(value.ty));
            return self.error_expr(span, format!("`{}=` cannot be applied to `{l}` and `{r}`", symbol(op)), "");
        }
        let read = Expr { kind: ExprKind::Read(place), ty, span };
        let (compute, value) = if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
            (self.promoted_type(&read), self.promote(value))
        } else {
            let compute = self.common_type(&read, &value);
            (compute, self.cast_in_place(value, compute))
        };
        let ExprKind::Read(place) = read.kind else { unreachable!("it was built as a read") };
        Expr { kind: ExprKind::AssignOp { op, place, value: Box::new(value), compute }, ty, span }
    }

    pub(super) fn increment(&mut self, operand: ExprId, step: i8, result: IncrementResult, span: Span) -> Expr {
        let value = self.value(operand);
        let place = match self.assignable(value, span) {
            Ok(place) => place,
            Err(expr) => return *expr,
        };
        let ty = place.ty;
        if self.is_unsupported(ty) {
            return self.refuse(format!("operations on {}", self.unit.types.display(ty)), ty, span);
        }
        let element_size = match self.unit.types.pointer_target(ty) {
            Some(target) => match self.size_in_arithmetic(target) {
                Some(size) => Some(size),
                None => {
                    let shown = self.unit.types.display(target);
                    return self.error_expr(span, format!("pointer arithmetic on the incomplete type `{shown}`"), "");
                }
            },
            None if self.unit.types.is_arithmetic(ty) => None,
            None => {
                let shown = self.unit.types.display(ty);
                return self.error_expr(span, format!("`++` and `--` cannot be applied to `{shown}`"), "");
            }
        };
        Expr { kind: ExprKind::Increment { place, step, element_size, result }, ty, span }
    }

    /// The place, if it may be assigned to; otherwise what the whole expression becomes.
    pub(super) fn assignable(&mut self, value: Value, span: Span) -> Result<Place, Box<Expr>> {
        match value {
            Value::Place(Lvalue { place, constant }) => {
                let types = &self.unit.types;
                if self.is_error(place.ty) {
                    return Err(Box::new(self.silent_error(span)));
                }
                let message = if types.is_array(place.ty) {
                    "an array cannot be assigned to as a whole"
                } else if is_temporary(&place) {
                    "a value that is not stored anywhere cannot be assigned to"
                } else if constant {
                    "this is `const` and cannot be assigned to"
                } else if types.is_function(place.ty) || types.is_void(place.ty) {
                    "this is not an object and cannot be assigned to"
                } else {
                    return Ok(place);
                };
                Err(Box::new(self.error_expr(span, message, "")))
            }
            Value::Rvalue(expr) if self.is_unsupported(expr.ty) || matches!(expr.kind, ExprKind::Unsupported(_)) => {
                Err(Box::new(self.follow(&expr, span)))
            }
            _ => Err(Box::new(self.error_expr(span, "this is a value, not an object, and cannot be assigned to", ""))),
        }
    }
}
