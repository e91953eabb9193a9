//! Operators: their operands' types, the conversions they ask for, and what they give.

use super::Sema;
use super::constant::{Folded, fold_binary, fold_compare, wrap};
use super::convert::Value;
use crate::ast::{self, ExprId, Span, UnaryOp};
use crate::hir::{
    BinaryOp, CompareOp, Expr, ExprKind, FloatKind, IncrementResult, Place, PlaceKind, Size, TypeId, TypeKind,
};

/// What the syntax's operator is in the typed tree.
pub(super) enum Sort {
    Arithmetic(BinaryOp),
    Compare(CompareOp),
    And,
    Or,
    Comma,
}

pub(super) fn sort(op: ast::BinaryOp) -> Sort {
    match op {
        ast::BinaryOp::Mul => Sort::Arithmetic(BinaryOp::Mul),
        ast::BinaryOp::Div => Sort::Arithmetic(BinaryOp::Div),
        ast::BinaryOp::Rem => Sort::Arithmetic(BinaryOp::Rem),
        ast::BinaryOp::Add => Sort::Arithmetic(BinaryOp::Add),
        ast::BinaryOp::Sub => Sort::Arithmetic(BinaryOp::Sub),
        ast::BinaryOp::Shl => Sort::Arithmetic(BinaryOp::Shl),
        ast::BinaryOp::Shr => Sort::Arithmetic(BinaryOp::Shr),
        ast::BinaryOp::BitAnd => Sort::Arithmetic(BinaryOp::And),
        ast::BinaryOp::BitXor => Sort::Arithmetic(BinaryOp::Xor),
        ast::BinaryOp::BitOr => Sort::Arithmetic(BinaryOp::Or),
        ast::BinaryOp::Lt => Sort::Compare(CompareOp::Lt),
        ast::BinaryOp::Gt => Sort::Compare(CompareOp::Gt),
        ast::BinaryOp::Le => Sort::Compare(CompareOp::Le),
        ast::BinaryOp::Ge => Sort::Compare(CompareOp::Ge),
        ast::BinaryOp::Eq => Sort::Compare(CompareOp::Eq),
        ast::BinaryOp::Ne => Sort::Compare(CompareOp::Ne),
        ast::BinaryOp::LogicalAnd => Sort::And,
        ast::BinaryOp::LogicalOr => Sort::Or,
        ast::BinaryOp::Comma => Sort::Comma,
    }
}

pub(super) fn symbol(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::And => "&",
        BinaryOp::Or => "|",
        BinaryOp::Xor => "^",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
    }
}

pub(super) fn needs_integers(op: BinaryOp) -> bool {
    !matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div)
}

impl Sema<'_> {
    pub(super) fn unary(&mut self, op: UnaryOp, operand: ExprId, span: Span) -> Value {
        match op {
            UnaryOp::Extension => return self.value(operand),
            UnaryOp::AddressOf => return Value::Rvalue(self.address_of(operand, span)),
            UnaryOp::Deref => return self.indirection(operand, span),
            UnaryOp::PreIncrement => return Value::Rvalue(self.increment(operand, 1, IncrementResult::New, span)),
            UnaryOp::PreDecrement => return Value::Rvalue(self.increment(operand, -1, IncrementResult::New, span)),
            UnaryOp::PostIncrement => return Value::Rvalue(self.increment(operand, 1, IncrementResult::Old, span)),
            UnaryOp::PostDecrement => return Value::Rvalue(self.increment(operand, -1, IncrementResult::Old, span)),
            _ => {}
        }
        let operand = self.expr(operand);
        Value::Rvalue(self.unary_arithmetic(op, operand, span))
    }

    fn unary_arithmetic(&mut self, op: UnaryOp, operand: Expr, span: Span) -> Expr {
        if self.is_unsupported(operand.ty) {
            return self.follow(&operand, span);
        }
        if op == UnaryOp::Not {
            let operand = self.condition(operand);
            return self.logical_not(operand, span);
        }
        let types = &self.unit.types;
        let allowed = match op {
            UnaryOp::BitNot => types.is_integer(operand.ty),
            _ => types.is_arithmetic(operand.ty),
        };
        if !allowed {
            let shown = types.display(operand.ty);
            let symbol = match op {
                UnaryOp::BitNot => "~",
                UnaryOp::Neg => "-",
                UnaryOp::Plus => "+",
                UnaryOp::Real => "__real__",
                _ => "__imag__",
            };
            return self.error_expr(span, format!("`{symbol}` cannot be applied to `{shown}`"), "");
        }
        match op {
            UnaryOp::Real => return operand,
            UnaryOp::Imag => {
                let ty = operand.ty;
                let zero = self.integer(0, self.basic.int, span);
                let zero = self.cast(zero, ty, span);
                return Expr { kind: ExprKind::Comma(Box::new(operand), Box::new(zero)), ty, span };
            }
            _ => {}
        }
        let operand = self.promote(operand);
        match op {
            UnaryOp::Plus => Expr { span, ..operand },
            UnaryOp::Neg => self.negate(operand, span),
            _ => self.complement(operand, span),
        }
    }

    fn negate(&mut self, operand: Expr, span: Span) -> Expr {
        if let Some(refused) = self.wide_operand(&operand, span) {
            return refused;
        }
        let ty = operand.ty;
        match operand.kind {
            ExprKind::Float(value) => return Expr { kind: ExprKind::Float(-value), ty, span },
            ExprKind::WideFloat(bits) => {
                let sign = if *self.unit.types.kind(ty) == TypeKind::Float(FloatKind::Quad) { 127 } else { 78 };
                return Expr { kind: ExprKind::WideFloat(bits ^ (1 << sign)), ty, span };
            }
            ExprKind::Integer(value) => {
                let width = self.unit.types.int_width(ty).expect("a promoted integer has a width");
                let signed = self.unit.types.is_signed(ty);
                if let Folded::Defined(value) = fold_binary(BinaryOp::Sub, 0, value, width, signed) {
                    return self.integer(value, ty, span);
                }
            }
            _ => {}
        }
        Expr { kind: ExprKind::Neg(Box::new(operand)), ty, span }
    }

    fn complement(&mut self, operand: Expr, span: Span) -> Expr {
        if let Some(refused) = self.wide_operand(&operand, span) {
            return refused;
        }
        let ty = operand.ty;
        if let ExprKind::Integer(value) = operand.kind {
            let width = self.unit.types.int_width(ty).expect("a promoted integer has a width");
            return self.integer(wrap(!value, width, self.unit.types.is_signed(ty)), ty, span);
        }
        Expr { kind: ExprKind::BitNot(Box::new(operand)), ty, span }
    }

    fn logical_not(&mut self, operand: Expr, span: Span) -> Expr {
        let ty = self.basic.int;
        match operand.kind {
            ExprKind::Integer(value) => self.integer(i128::from(value == 0), ty, span),
            ExprKind::Float(value) => self.integer(i128::from(value == 0.0), ty, span),
            ExprKind::WideFloat(_) => self.integer(0, ty, span),
            _ if self.is_unsupported(operand.ty) => self.follow(&operand, span),
            _ => Expr { kind: ExprKind::Not(Box::new(operand)), ty, span },
        }
    }

    fn address_of(&mut self, operand: ExprId, span: Span) -> Expr {
        match self.value(operand) {
            Value::Function(function, _) => self.rvalue(Value::Function(function, span)),
            Value::Place(mut lvalue) => {
                lvalue.place.span = span;
                if matches!(lvalue.place.kind, PlaceKind::Field { bits: Some(_), .. }) {
                    return self.error_expr(span, "a bit-field has no address", "");
                }
                if is_temporary(&lvalue.place) && !self.is_error(lvalue.place.ty) {
                    return self.error_expr(span, "the address of a value that is not stored anywhere", "");
                }
                let pointer = self.unit.types.pointer_to(lvalue.place.ty, lvalue.constant, lvalue.place.is_volatile);
                self.address(lvalue.place, pointer)
            }
            Value::Rvalue(expr) if self.is_unsupported(expr.ty) => self.follow(&expr, span),
            // A refused callee such as a nested function.
            Value::Rvalue(expr) if matches!(expr.kind, ExprKind::Unsupported(_)) => expr,
            Value::Rvalue(_) => self.error_expr(
                span,
                "the address of a value that is not stored anywhere",
                "store it in a variable first",
            ),
        }
    }

    fn indirection(&mut self, operand: ExprId, span: Span) -> Value {
        let value = self.value(operand);
        // `*f` is `f` again, however many stars there are.
        if let Value::Function(function, _) = value {
            return Value::Function(function, span);
        }
        let pointer = self.rvalue(value);
        if self.is_unsupported(pointer.ty) {
            return Value::Rvalue(self.follow(&pointer, span));
        }
        if !self.unit.types.is_pointer(pointer.ty) {
            let shown = self.unit.types.display(pointer.ty);
            return Value::Rvalue(self.error_expr(span, format!("`*` needs a pointer, not `{shown}`"), ""));
        }
        Value::Place(self.deref(pointer, span))
    }

    pub(super) fn binary(&mut self, op: ast::BinaryOp, left: ExprId, right: ExprId, span: Span) -> Expr {
        let left = self.expr(left);
        let right = self.expr(right);
        match sort(op) {
            Sort::Arithmetic(op) => self.arithmetic(op, left, right, span),
            Sort::Compare(op) => self.compare(op, left, right, span),
            Sort::And => self.logical(true, left, right, span),
            Sort::Or => self.logical(false, left, right, span),
            Sort::Comma => {
                let ty = right.ty;
                Expr { kind: ExprKind::Comma(Box::new(left), Box::new(right)), ty, span }
            }
        }
    }

    /// If an operand is wrong or beyond us, what the whole becomes.
    fn trouble(&self, left: &Expr, right: &Expr, span: Span) -> Option<Expr> {
        if self.is_error(left.ty) || self.is_error(right.ty) {
            return Some(self.silent_error(span));
        }
        [left, right]
            .into_iter()
            .find(|operand| self.is_unsupported(operand.ty))
            .map(|operand| self.follow(operand, span))
    }

    /// `left op right` for arithmetic operators, pointers included.
    pub(super) fn arithmetic(&mut self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Expr {
        if let Some(trouble) = self.trouble(&left, &right, span) {
            return trouble;
        }
        if let Some(refused) = self.wide_operands(Some(op), &left, &right, span) {
            return refused;
        }
        let types = &self.unit.types;
        let (left_pointer, right_pointer) = (types.is_pointer(left.ty), types.is_pointer(right.ty));
        match op {
            BinaryOp::Add | BinaryOp::Sub if left_pointer && types.is_integer(right.ty) => {
                return self.pointer_add(left, right, op == BinaryOp::Sub, span);
            }
            BinaryOp::Add if right_pointer && types.is_integer(left.ty) => {
                return self.pointer_add(right, left, false, span);
            }
            BinaryOp::Sub if left_pointer && right_pointer => return self.pointer_difference(left, right, span),
            _ => {}
        }
        let fits = |ty: TypeId| if needs_integers(op) { types.is_integer(ty) } else { types.is_arithmetic(ty) };
        if !fits(left.ty) || !fits(right.ty) {
            let (l, r) = (types.display(left.ty), types.display(right.ty));
            return self.error_expr(span, format!("`{}` cannot be applied to `{l}` and `{r}`", symbol(op)), "");
        }
        if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
            let left = self.promote(left);
            let right = self.promote(right);
            let ty = left.ty;
            return self.fold_or_build(op, left, right, ty, span);
        }
        let ty = self.common_type(&left, &right);
        let left = self.cast_in_place(left, ty);
        let right = self.cast_in_place(right, ty);
        self.fold_or_build(op, left, right, ty, span)
    }

    pub(super) fn cast_in_place(&mut self, expr: Expr, ty: TypeId) -> Expr {
        let span = expr.span;
        self.cast(expr, ty, span)
    }

    fn fold_or_build(&mut self, op: BinaryOp, left: Expr, right: Expr, ty: TypeId, span: Span) -> Expr {
        match (&left.kind, &right.kind) {
            (&ExprKind::Integer(l), &ExprKind::Integer(r)) => {
                let width = self.unit.types.int_width(ty).expect("a promoted integer has a width");
                if let Folded::Defined(value) = fold_binary(op, l, r, width, self.unit.types.is_signed(ty)) {
                    return self.integer(value, ty, span);
                }
            }
            (&ExprKind::Float(l), &ExprKind::Float(r)) => {
                if let Some(value) = self.fold_float(op, l, r, ty) {
                    return Expr { kind: ExprKind::Float(value), ty, span };
                }
            }
            _ => {}
        }
        Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), ty, span }
    }

    /// Pointer plus or minus an integer.
    pub(super) fn pointer_add(&mut self, pointer: Expr, index: Expr, negative: bool, span: Span) -> Expr {
        let target = self.unit.types.pointer_target(pointer.ty).expect("pointer arithmetic is on pointers");
        let Some(element_size) = self.size_in_arithmetic(target) else {
            let shown = self.unit.types.display(target);
            return self.error_expr(span, format!("pointer arithmetic on the incomplete type `{shown}`"), "");
        };
        let index = self.pointer_index(index);
        let ty = pointer.ty;
        if let (&ExprKind::Integer(start), &ExprKind::Integer(steps), &Size::Known(size)) =
            (&pointer.kind, &index.kind, &element_size)
        {
            let distance = steps.wrapping_mul(i128::from(size));
            let value = if negative { start.wrapping_sub(distance) } else { start.wrapping_add(distance) };
            return self.integer(self.convert_integer(value, ty), ty, span);
        }
        let kind = ExprKind::PtrAdd { pointer: Box::new(pointer), index: Box::new(index), element_size, negative };
        Expr { kind, ty, span }
    }

    /// The index in the width of a pointer: its sign or zeros extended, its upper bits dropped.
    pub(super) fn pointer_index(&mut self, index: Expr) -> Expr {
        let index = self.promote(index);
        self.cast_in_place(index, self.basic.ptrdiff)
    }

    fn pointer_difference(&mut self, left: Expr, right: Expr, span: Span) -> Expr {
        let types = &self.unit.types;
        let target = types.pointer_target(left.ty).expect("pointer arithmetic is on pointers");
        let other = types.pointer_target(right.ty).expect("pointer arithmetic is on pointers");
        if !types.compatible(&self.basic, target, other) {
            let (l, r) = (types.display(left.ty), types.display(right.ty));
            return self.error_expr(span, format!("`{l}` and `{r}` cannot be subtracted"), "");
        }
        match self.size_in_arithmetic(target) {
            Some(element_size) if element_size != Size::Known(0) => {
                let right = self.cast_in_place(right, left.ty);
                let ty = self.basic.ptrdiff;
                if let (ExprKind::Integer(l), ExprKind::Integer(r), Size::Known(size)) =
                    (&left.kind, &right.kind, &element_size)
                {
                    let bytes = self.convert_integer(l.wrapping_sub(*r), ty);
                    return self.integer(bytes / i128::from(*size), ty, span);
                }
                let kind = ExprKind::PtrDiff { left: Box::new(left), right: Box::new(right), element_size };
                Expr { kind, ty, span }
            }
            _ => {
                let shown = self.unit.types.display(target);
                self.error_expr(span, format!("pointers to the incomplete or empty type `{shown}` are subtracted"), "")
            }
        }
    }

    pub(super) fn compare(&mut self, op: CompareOp, left: Expr, right: Expr, span: Span) -> Expr {
        if let Some(trouble) = self.trouble(&left, &right, span) {
            // Vectors are compared element by element, which gives a vector.
            let vectors = self.unit.types.display(trouble.ty).starts_with("vector");
            return if self.is_error(trouble.ty) || vectors { trouble } else { Expr { ty: self.basic.int, ..trouble } };
        }
        if let Some(refused) = self.wide_operands(None, &left, &right, span) {
            return refused;
        }
        let types = &self.unit.types;
        let ty = if types.is_arithmetic(left.ty) && types.is_arithmetic(right.ty) {
            self.common_type(&left, &right)
        } else {
            match self.comparable_pointers(&left, &right, span) {
                Some(ty) => ty,
                None => return self.silent_error(span),
            }
        };
        let left = self.cast_in_place(left, ty);
        let right = self.cast_in_place(right, ty);
        let result = self.basic.int;
        match (&left.kind, &right.kind) {
            (&ExprKind::Integer(l), &ExprKind::Integer(r)) => {
                let holds = fold_compare(op, l, r, self.unit.types.is_signed(ty));
                return self.integer(i128::from(holds), result, span);
            }
            (&ExprKind::Float(l), &ExprKind::Float(r)) => {
                let holds = match op {
                    CompareOp::Lt => l < r,
                    CompareOp::Le => l <= r,
                    CompareOp::Gt => l > r,
                    CompareOp::Ge => l >= r,
                    CompareOp::Eq => l == r,
                    CompareOp::Ne => l != r,
                };
                return self.integer(i128::from(holds), result, span);
            }
            _ => {}
        }
        Expr { kind: ExprKind::Compare(op, Box::new(left), Box::new(right)), ty: result, span }
    }

    /// The pointer type in which the operands are compared.
    fn comparable_pointers(&mut self, left: &Expr, right: &Expr, span: Span) -> Option<TypeId> {
        let types = &self.unit.types;
        let (left_pointer, right_pointer) = (types.is_pointer(left.ty), types.is_pointer(right.ty));
        let (l, r) = (types.display(left.ty), types.display(right.ty));
        match (left_pointer, right_pointer) {
            (true, true) => {
                let (lt, rt) = (types.pointer_target(left.ty)?, types.pointer_target(right.ty)?);
                let related = types.compatible(&self.basic, lt, rt)
                    || types.is_void(lt)
                    || types.is_void(rt)
                    || self.is_null_constant(left)
                    || self.is_null_constant(right);
                if !related {
                    self.warn(span, format!("comparison of distinct pointer types `{l}` and `{r}`"), "");
                }
                Some(if self.unit.types.is_void(lt) { right.ty } else { left.ty })
            }
            (true, false) | (false, true) => {
                let (pointer, other) = if left_pointer { (left, right) } else { (right, left) };
                if !self.unit.types.is_integer(other.ty) {
                    self.error(span, format!("`{l}` and `{r}` cannot be compared"), "");
                    return None;
                }
                if !matches!(other.kind, ExprKind::Integer(0)) {
                    self.warn(span, format!("comparison between a pointer and an integer: `{l}` and `{r}`"), "");
                }
                Some(pointer.ty)
            }
            (false, false) => {
                self.error(span, format!("`{l}` and `{r}` cannot be compared"), "");
                None
            }
        }
    }

    fn logical(&mut self, is_and: bool, left: Expr, right: Expr, span: Span) -> Expr {
        let left = self.condition(left);
        let right = self.condition(right);
        if self.is_error(left.ty) || self.is_error(right.ty) {
            return self.silent_error(span);
        }
        let ty = self.basic.int;
        match (truth(&left), truth(&right)) {
            // `0 && x` and `1 || x` do not evaluate `x`.
            (Some(l), _) if l != is_and => return self.integer(i128::from(l), ty, span),
            (Some(_), Some(r)) => return self.integer(i128::from(r), ty, span),
            _ => {}
        }
        if let Some(trouble) = self.trouble(&left, &right, span) {
            return Expr { ty, ..trouble };
        }
        let (left, right) = (Box::new(left), Box::new(right));
        let kind = if is_and { ExprKind::And(left, right) } else { ExprKind::Or(left, right) };
        Expr { kind, ty, span }
    }
}

/// Whether the constant counts as true.
pub(super) fn truth(expr: &Expr) -> Option<bool> {
    match expr.kind {
        ExprKind::Integer(value) => Some(value != 0),
        ExprKind::Float(value) => Some(value != 0.0),
        ExprKind::WideFloat(_) => Some(true),
        _ => None,
    }
}

/// Whether the place is part of a value rather than of an object.
pub(super) fn is_temporary(place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Temporary(_) => true,
        PlaceKind::Field { base, .. } => is_temporary(base),
        _ => false,
    }
}
