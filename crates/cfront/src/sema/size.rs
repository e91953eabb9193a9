//! Sizes, alignments and offsets, and whether a type has them.
//!
//! The size of an array of variable length is the value of its size variable. What must be computed
//! first (`sizeof(int[n])`) is put in front with a comma.

use super::Sema;
use super::convert::{Lvalue, Value};
use super::types::Ty;
use crate::ast::{Designator, SizeArg, Span, TypeName};
use crate::hir::{BinaryOp, DataModel, Expr, ExprKind, Place, PlaceKind, Size, TypeId, TypeKind, VarId};

impl<'a> Sema<'a> {
    /// The sizes of arrays of variable length that came up since `from`, then the expression.
    pub(super) fn after_sizes(&mut self, from: usize, expr: Expr) -> Expr {
        let mut result = expr;
        for size in self.vla_sizes.split_off(from).into_iter().rev() {
            let (ty, span) = (result.ty, result.span);
            result = Expr { kind: ExprKind::Comma(Box::new(size), Box::new(result)), ty, span };
        }
        result
    }

    pub(super) fn size_expr(&mut self, arg: &'a SizeArg, span: Span) -> Expr {
        let sizes = self.vla_sizes.len();
        let ty = match arg {
            SizeArg::Type(name) => self.type_name(name).id,
            SizeArg::Expr(id) => {
                let value = self.value(*id);
                if let Value::Place(Lvalue {
                    place: Place { kind: PlaceKind::Field { bits: Some(_), .. }, .. }, ..
                }) = value
                {
                    return self.error_expr(span, "a bit-field has no size in bytes", "");
                }
                match value {
                    Value::Place(lvalue) => lvalue.place.ty,
                    Value::Function(function, _) => self.unit.functions[function].ty,
                    Value::Rvalue(expr) => expr.ty,
                }
            }
        };
        if self.is_error(ty) {
            return self.silent_error(span);
        }
        let result = match self.size_in_arithmetic(ty) {
            Some(Size::Known(size)) => self.integer(i128::from(size), self.basic.size, span),
            Some(Size::Variable(var, unit)) => {
                let count = self.count_in(var, span);
                let unit = self.integer(i128::from(unit), self.basic.size, span);
                self.arithmetic(BinaryOp::Mul, count, unit, span)
            }
            None => {
                let shown = self.unit.types.display(ty);
                self.error_expr(span, format!("`{shown}` is incomplete, so its size is unknown"), "")
            }
        };
        self.after_sizes(sizes, result)
    }

    /// The size as GNU C sees it: one byte for `void` and functions.
    pub(super) fn size_in_arithmetic(&self, ty: TypeId) -> Option<Size> {
        match *self.unit.types.kind(ty) {
            TypeKind::Void | TypeKind::Function { .. } => Some(Size::Known(1)),
            TypeKind::Vla(element, count) => match self.size_in_arithmetic(element)? {
                Size::Known(unit) | Size::Variable(_, unit) => Some(Size::Variable(count, unit)),
            },
            _ => self.unit.types.size_of(ty).map(Size::Known),
        }
    }

    /// What the variable of an array of variable length holds.
    pub(super) fn count_in(&mut self, var: VarId, span: Span) -> Expr {
        let lvalue = self.variable(var, span);
        self.rvalue(Value::Place(lvalue))
    }

    pub(super) fn align_expr(&mut self, arg: &'a SizeArg, span: Span) -> Expr {
        let sizes = self.vla_sizes.len();
        let (ty, declared) = match arg {
            SizeArg::Type(name) => (self.type_name(name), None),
            SizeArg::Expr(id) => {
                let value = self.value(*id);
                let declared = match &value {
                    Value::Place(Lvalue { place: Place { kind: PlaceKind::Var(var), .. }, .. }) => {
                        self.unit.vars[*var].align
                    }
                    _ => None,
                };
                let ty = match value {
                    Value::Place(lvalue) => lvalue.ty(),
                    Value::Function(..) => return self.refuse("alignment of a function", self.basic.size, span),
                    Value::Rvalue(expr) => Ty::plain(expr.ty),
                };
                (ty, declared)
            }
        };
        self.vla_sizes.truncate(sizes);
        if self.is_error(ty.id) {
            return self.silent_error(span);
        }
        // `_Alignof` gives the alignment of members, `__alignof__` that of variables; on i386 they differ.
        let spelled = self.source.text.get(span.start as usize..).unwrap_or("");
        // Parentheses around the expression belong to its span.
        let spelled = spelled.trim_start_matches(|c: char| c == '(' || c.is_whitespace());
        let natural = if spelled.starts_with("_Alignof") || self.unit.types.model == DataModel::Lp64 {
            self.unit.types.field_align(ty)
        } else {
            ty.align.unwrap_or(self.unit.types.align_of(ty.id))
        };
        let align = declared.map_or(natural, |declared| declared.max(natural));
        self.integer(i128::from(align), self.basic.size, span)
    }

    pub(super) fn offset_of(&mut self, ty: &'a TypeName, path: &'a [Designator], span: Span) -> Expr {
        let start = self.type_name(ty).id;
        if self.is_error(start) || !self.require_complete(start, span, "the type of `offsetof`") {
            return self.silent_error(span);
        }
        let mut ty = start;
        let mut offset = self.integer(0, self.basic.size, span);
        for step in path {
            match step {
                Designator::Field(name, at) => {
                    let text = self.text(*name);
                    let found = self.unit.types.record(ty).and_then(|(record, _)| self.find_field(record, text));
                    let Some(field) = found else {
                        let shown = self.unit.types.display(ty);
                        return self.error_expr(*at, format!("`{shown}` has no member `{text}`"), "");
                    };
                    if field.bits.is_some() {
                        return self.error_expr(
                            *at,
                            format!("`{text}` is a bit-field, which has no offset in bytes"),
                            "",
                        );
                    }
                    let step = self.integer(i128::from(field.offset), self.basic.size, span);
                    offset = self.arithmetic(BinaryOp::Add, offset, step, span);
                    ty = field.ty;
                }
                Designator::Index(index) | Designator::Range(index, _) => {
                    let index = self.expr(*index);
                    let element = self.unit.types.element(ty);
                    let size = element.and_then(|element| self.unit.types.size_of(element));
                    let (Some(element), Some(size)) = (element, size) else {
                        let shown = self.unit.types.display(ty);
                        return self.error_expr(span, format!("`{shown}` is no array"), "");
                    };
                    if !self.unit.types.is_integer(index.ty) {
                        return self.error_expr(index.span, "an index must be an integer", "");
                    }
                    let at = index.span;
                    let index = self.cast(index, self.basic.size, at);
                    let size = self.integer(i128::from(size), self.basic.size, span);
                    let distance = self.arithmetic(BinaryOp::Mul, index, size, span);
                    offset = self.arithmetic(BinaryOp::Add, offset, distance, span);
                    ty = element;
                }
            }
        }
        offset
    }

    /// Whether objects of the type can exist; says so if not.
    pub(super) fn require_complete(&mut self, ty: TypeId, span: Span, what: &str) -> bool {
        if self.is_error(ty) {
            return false;
        }
        if matches!(self.unit.types.kind(ty), TypeKind::Vla(..) | TypeKind::Unsupported(_)) {
            return true;
        }
        if self.unit.types.size_of(ty).is_some() {
            return true;
        }
        let shown = self.unit.types.display(ty);
        if self.unit.types.element(ty).is_some_and(|element| self.unit.types.size_of(element).is_some()) {
            self.error(span, format!("the size of {what} of type `{shown}` is unknown or too large"), "");
        } else {
            self.error(span, format!("{what} has the incomplete type `{shown}`"), "define the type before this");
        }
        false
    }
}
