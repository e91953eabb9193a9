//! The conditional operator, with its middle operand or without.

use super::Sema;
use super::operator::truth;
use crate::ast::{ExprId, Span};
use crate::hir::{Expr, ExprKind, TypeId, TypeKind};

impl Sema<'_> {
    pub(super) fn conditional(
        &mut self,
        condition: ExprId,
        then: Option<ExprId>,
        otherwise: ExprId,
        span: Span,
    ) -> Expr {
        let condition = self.expr(condition);
        let condition = self.condition(condition);
        let Some(then) = then else {
            return self.elvis(condition, otherwise, span);
        };
        let then = self.expr(then);
        let otherwise = self.expr(otherwise);
        if self.is_error(condition.ty) {
            return condition;
        }
        let Some(ty) = self.arms_type(&then, &otherwise, span) else {
            return self.silent_error(span);
        };
        let decided = truth(&condition);
        if decided.is_none() && self.is_unsupported(condition.ty) {
            return Expr { ty, ..self.follow(&condition, span) };
        }
        // A decided condition leaves one arm, as constants, `__builtin_constant_p` and the like need it.
        match decided {
            Some(true) => Expr { span, ..self.arm(then, ty) },
            Some(false) => Expr { span, ..self.arm(otherwise, ty) },
            None => {
                let then = self.arm(then, ty);
                let otherwise = self.arm(otherwise, ty);
                let kind = ExprKind::Conditional(Box::new(condition), Box::new(then), Box::new(otherwise));
                Expr { kind, ty, span }
            }
        }
    }

    pub(super) fn arm(&mut self, arm: Expr, ty: TypeId) -> Expr {
        let span = arm.span;
        let is_bit_field = Self::bit_field_width(&arm).is_some();
        if arm.ty == ty && !is_bit_field || self.unit.types.is_record(ty) {
            return arm;
        }
        // The value of the whole is no bit-field any more.
        if self.unit.types.is_void(ty) || arm.ty == ty {
            return Expr { kind: ExprKind::Cast(Box::new(arm)), ty, span };
        }
        self.cast(arm, ty, span)
    }

    pub(super) fn elvis(&mut self, condition: Expr, otherwise: ExprId, span: Span) -> Expr {
        let otherwise = self.expr(otherwise);
        if self.is_error(condition.ty) {
            return condition;
        }
        let Some(ty) = self.arms_type(&condition, &otherwise, span) else {
            return self.silent_error(span);
        };
        match truth(&condition) {
            Some(true) => self.arm(condition, ty),
            Some(false) => self.arm(otherwise, ty),
            None if self.is_unsupported(ty) => Expr { ty, ..self.follow(&condition, span) },
            None => {
                let narrowing = self.unit.types.is_void(ty);
                let first = if narrowing { condition } else { self.arm(condition, ty) };
                let otherwise = self.arm(otherwise, ty);
                Expr { kind: ExprKind::Elvis(Box::new(first), Box::new(otherwise)), ty, span }
            }
        }
    }

    /// The type of a conditional expression with these arms (C11 6.5.15).
    pub(super) fn arms_type(&mut self, left: &Expr, right: &Expr, span: Span) -> Option<TypeId> {
        if self.is_error(left.ty) || self.is_error(right.ty) {
            return None;
        }
        let types = &self.unit.types;
        if types.is_arithmetic(left.ty) && types.is_arithmetic(right.ty) {
            return Some(self.common_type(left, right));
        }
        if left.ty == right.ty {
            return Some(left.ty);
        }
        if types.is_void(left.ty) || types.is_void(right.ty) {
            return Some(self.basic.void);
        }
        if self.is_unsupported(left.ty) || self.is_unsupported(right.ty) {
            return Some(if self.is_unsupported(left.ty) { left.ty } else { right.ty });
        }
        let (l, r) = (types.display(left.ty), types.display(right.ty));
        match (types.kind(left.ty), types.kind(right.ty)) {
            (&TypeKind::Pointer { target: lt, .. }, &TypeKind::Pointer { target: rt, .. }) => {
                Some(self.arms_pointer(left, right, lt, rt, span))
            }
            (TypeKind::Pointer { .. }, TypeKind::Int(_) | TypeKind::Bool) => {
                if !self.is_null_constant(right) {
                    self.warn(span, format!("the arms are a pointer `{l}` and an integer `{r}`"), "");
                }
                Some(left.ty)
            }
            (TypeKind::Int(_) | TypeKind::Bool, TypeKind::Pointer { .. }) => {
                if !self.is_null_constant(left) {
                    self.warn(span, format!("the arms are an integer `{l}` and a pointer `{r}`"), "");
                }
                Some(right.ty)
            }
            _ => {
                self.error(span, format!("the arms `{l}` and `{r}` have no common type"), "");
                None
            }
        }
    }

    pub(super) fn arms_pointer(&mut self, left: &Expr, right: &Expr, lt: TypeId, rt: TypeId, span: Span) -> TypeId {
        // A null pointer constant takes the type of the other arm.
        if self.is_null_constant(right) {
            return left.ty;
        }
        if self.is_null_constant(left) {
            return right.ty;
        }
        let (
            &TypeKind::Pointer { const_target: lc, volatile_target: lv, .. },
            &TypeKind::Pointer { const_target: rc, volatile_target: rv, .. },
        ) = (self.unit.types.kind(left.ty), self.unit.types.kind(right.ty))
        else {
            return self.basic.void_pointer;
        };
        let types = &mut self.unit.types;
        let target = if types.is_void(lt) || types.is_void(rt) {
            self.basic.void
        } else if types.compatible(&self.basic, lt, rt) {
            types.composite(&self.basic, lt, rt)
        } else {
            let (l, r) = (types.display(left.ty), types.display(right.ty));
            self.warn(span, format!("the arms have distinct pointer types `{l}` and `{r}`"), "");
            self.basic.void
        };
        self.unit.types.pointer_to(target, lc || rc, lv || rv)
    }
}
