//! Assignment in all its forms.

use term::Term;

use crate::ast::Span;
use crate::hir::{BinaryOp, Expr, IncrementResult, Place, Size, TypeId};

use super::Lowering;
use super::place::Target;
use super::types::Class;

impl Lowering<'_> {
    /// `place = value` for scalars: the place, then the value, then the write.
    pub(super) fn assign(&mut self, place: &Place, value: &Expr, span: Span) -> Term {
        let target = self.target(place);
        let (target, value) = match target {
            Target::Variable(var) => (target, self.value_into(value, Some(var))),
            Target::Memory(address) => {
                let (address, value) = self.keeping(address, |this| this.value(value));
                (Target::Memory(address), value)
            }
            Target::Bits(address, range) => {
                let (address, value) = self.keeping(address, |this| this.value(value));
                (Target::Bits(address, range), value)
            }
        };
        self.write(target, place.ty, value, span)
    }
    /// `place op= value`: the place, then the value, then the old value of the place.
    pub(super) fn assign_op(&mut self, op: BinaryOp, place: &Place, value: &Expr, compute: TypeId, span: Span) -> Term {
        let (target, right) = self.target_keeping(place, |this| this.value(value));
        let (right, old) = self.keeping(right, |this| match this.orders.old_value(place) {
            Some(old) => old,
            None => this.watching_old(place, |this| this.read_target(target, place)),
        });
        let left = self.convert(old, place.ty, compute, span);
        let result = self.binary(op, left, right, compute, value.ty, span);
        let result = self.convert(result, compute, place.ty, span);
        self.write(target, place.ty, result, span)
    }
    /// `p += n` and `p -= n` on pointers.
    pub(super) fn assign_step(
        &mut self,
        place: &Place,
        index: &Expr,
        element: &Size,
        negative: bool,
        span: Span,
    ) -> Term {
        let (target, index) = self.target_keeping(place, |this| this.value(index));
        let (index, old) = self.keeping(index, |this| match this.orders.old_value(place) {
            Some(old) => old,
            None => this.watching_old(place, |this| this.read_target(target, place)),
        });
        let result = self.step_pointer(old, index, element, negative);
        self.write(target, place.ty, result, span)
    }
    /// `++` and `--`; without `wanted` the value is unused.
    pub(super) fn increment(
        &mut self,
        place: &Place,
        step: i8,
        element: Option<&Size>,
        wanted: Option<IncrementResult>,
        span: Span,
    ) -> Term {
        let target = self.target(place);
        let old = self.read_target(target, place);
        let new = self.stepped(old, place.ty, step, element, span);
        match wanted {
            Some(IncrementResult::Old) => self.keeping(old, |this| this.write(target, place.ty, new, span)).0,
            _ => self.write(target, place.ty, new, span),
        }
    }
    fn stepped(&mut self, old: Term, ty: TypeId, step: i8, element: Option<&Size>, span: Span) -> Term {
        match self.class(ty) {
            Class::Pointer => {
                let width = self.pointer_width();
                let one = self.terms.bv(width, 1);
                let size = element.cloned().unwrap_or(Size::Known(1));
                self.step_pointer(old, one, &size, step < 0)
            }
            // `++` makes a truth value true, `--` flips it: both follow from the conversions.
            Class::Bool => {
                if step > 0 {
                    self.terms.truth(true)
                } else {
                    self.terms.not(old)
                }
            }
            Class::Float(kind) => {
                let one = self.float_constant(kind, 1.0);
                let op = if step > 0 { BinaryOp::Add } else { BinaryOp::Sub };
                self.float_binary(op, old, one, kind, span)
            }
            Class::Int { width, .. } if width < 32 => {
                // Promoted to `int`, where it cannot overflow, and converted back.
                let one = self.terms.bv(width, 1);
                if step > 0 { self.terms.bv_add(old, one) } else { self.terms.bv_sub(old, one) }
            }
            Class::Int { width, .. } => {
                let one = self.terms.bv(width, 1);
                let op = if step > 0 { BinaryOp::Add } else { BinaryOp::Sub };
                self.binary(op, old, one, ty, ty, span)
            }
            other => {
                self.unsupported(span, format!("increment of {other:?}"));
                old
            }
        }
    }
    /// Evaluates the place, then something else, and keeps the place's address valid meanwhile.
    fn target_keeping<T>(&mut self, place: &Place, body: impl FnOnce(&mut Self) -> T) -> (Target, T) {
        match self.target(place) {
            Target::Variable(var) => (Target::Variable(var), body(self)),
            Target::Memory(address) => {
                let (address, result) = self.keeping(address, body);
                (Target::Memory(address), result)
            }
            Target::Bits(address, range) => {
                let (address, result) = self.keeping(address, body);
                (Target::Bits(address, range), result)
            }
        }
    }
    /// The old value of a place that is about to be written; a volatile one may be anything.
    pub(super) fn read_target(&mut self, target: Target, place: &Place) -> Term {
        if self.reads_anything(place) {
            let name = format!("volatile {}", self.snippet(place.span));
            return self.any_value(program::InputKind::External(name), place.ty, None, place.span);
        }
        self.read(target, place.ty, None, place.span)
    }
}
