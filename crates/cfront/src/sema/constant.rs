//! Constant folding with the exact arithmetic of the type.
//!
//! Expressions are folded as they are built, but only where C defines the result: a signed overflow, a
//! division by zero or a shift out of range stays in the tree, so that checks of undefined
//! behaviour still see it. Where C demands a constant, [`Sema::demand_constant`] folds the rest with
//! wrapping arithmetic as gcc does, and refuses what has no value at all.
//!
//! An address constant is a static object or function plus a number of bytes.

use super::Sema;
use crate::ast::Span;
use crate::hir::{
    BinaryOp, CompareOp, Expr, ExprKind, FloatKind, Place, PlaceKind, Size, StorageKind, TypeId, TypeKind,
};

/// The value of these bits in a type of this width and signedness.
pub(super) fn wrap(value: i128, width: u32, signed: bool) -> i128 {
    if width >= 128 {
        return value;
    }
    let unused = 128 - width;
    if signed { (value << unused) >> unused } else { ((value as u128) << unused >> unused) as i128 }
}

/// What the operator gives, and whether that is what C defines it to give.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Folded {
    /// The result.
    Defined(i128),
    /// The result as two's complement machines have it, of an operation that C leaves undefined.
    Wrapped(i128),
    /// Nothing (division by zero).
    Nothing,
}

/// Folds an operator on two values of a type.
pub(super) fn fold_binary(op: BinaryOp, left: i128, right: i128, width: u32, signed: bool) -> Folded {
    let exact = match op {
        BinaryOp::Add => left.checked_add(right),
        BinaryOp::Sub => left.checked_sub(right),
        BinaryOp::Mul => left.checked_mul(right),
        BinaryOp::Div | BinaryOp::Rem if right == 0 => return Folded::Nothing,
        BinaryOp::Div | BinaryOp::Rem if !signed && width == 128 => {
            let (l, r) = (left as u128, right as u128);
            return Folded::Defined(if op == BinaryOp::Div { l / r } else { l % r } as i128);
        }
        BinaryOp::Div => left.checked_div(right),
        // The remainder of the most negative number by -1 is undefined together with the quotient.
        BinaryOp::Rem if signed && right == -1 && left == wrap(1 << (width - 1), width, true) => {
            return Folded::Wrapped(0);
        }
        BinaryOp::Rem => left.checked_rem(right),
        BinaryOp::And => Some(left & right),
        BinaryOp::Or => Some(left | right),
        BinaryOp::Xor => Some(left ^ right),
        BinaryOp::Shl | BinaryOp::Shr => return fold_shift(op, left, right, width, signed),
    };
    match exact {
        Some(exact) if wrap(exact, width, signed) == exact => Folded::Defined(exact),
        Some(exact) if !signed => Folded::Defined(wrap(exact, width, signed)),
        Some(exact) => Folded::Wrapped(wrap(exact, width, signed)),
        None => {
            let bits = match op {
                BinaryOp::Add => left.wrapping_add(right),
                BinaryOp::Sub => left.wrapping_sub(right),
                BinaryOp::Mul => left.wrapping_mul(right),
                _ => left.wrapping_div(right),
            };
            let value = wrap(bits, width, signed);
            if signed { Folded::Wrapped(value) } else { Folded::Defined(value) }
        }
    }
}

fn fold_shift(op: BinaryOp, left: i128, amount: i128, width: u32, signed: bool) -> Folded {
    if amount < 0 || amount >= i128::from(width) {
        return Folded::Wrapped(if op == BinaryOp::Shr && signed && left < 0 { -1 } else { 0 });
    }
    if op == BinaryOp::Shl {
        let value = wrap(((left as u128) << amount) as i128, width, signed);
        // Shifting a one into or out of the sign is undefined in C11, and gcc defines it all the same.
        let defined = !signed || left >= 0 && value >= 0 && value >> amount == left;
        return if defined { Folded::Defined(value) } else { Folded::Wrapped(value) };
    }
    let value = if signed { left >> amount } else { ((left as u128) >> amount) as i128 };
    Folded::Defined(wrap(value, width, signed))
}

/// Whether the comparison holds.
pub(super) fn fold_compare(op: CompareOp, left: i128, right: i128, signed: bool) -> bool {
    let order = if signed { left.cmp(&right) } else { (left as u128).cmp(&(right as u128)) };
    match op {
        CompareOp::Lt => order.is_lt(),
        CompareOp::Le => order.is_le(),
        CompareOp::Gt => order.is_gt(),
        CompareOp::Ge => order.is_ge(),
        CompareOp::Eq => order.is_eq(),
        CompareOp::Ne => order.is_ne(),
    }
}

/// What an address constant starts from.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Root {
    Var(crate::hir::VarId),
    String(crate::hir::StringId),
}

impl Sema<'_> {
    /// The value of an integer constant expression, folded with wrapping where C leaves it undefined.
    pub(super) fn integer_value(&self, expr: &Expr) -> Option<i128> {
        if !self.unit.types.is_integer(expr.ty) && !self.unit.types.is_pointer(expr.ty) {
            return None;
        }
        if let ExprKind::Integer(value) = expr.kind {
            return Some(value);
        }
        let width = self.unit.types.int_width(expr.ty)?;
        let signed = self.unit.types.is_signed(expr.ty);
        match &expr.kind {
            ExprKind::Neg(inner) => Some(wrap(self.integer_value(inner)?.wrapping_neg(), width, signed)),
            ExprKind::BitNot(inner) => Some(wrap(!self.integer_value(inner)?, width, signed)),
            ExprKind::Not(inner) => Some(i128::from(!self.truth_value(inner)?)),
            ExprKind::Binary(op, left, right) => {
                match fold_binary(*op, self.integer_value(left)?, self.integer_value(right)?, width, signed) {
                    Folded::Defined(value) | Folded::Wrapped(value) => Some(value),
                    Folded::Nothing => None,
                }
            }
            ExprKind::Compare(op, left, right) => {
                let operands_signed = self.unit.types.is_signed(left.ty);
                let (left, right) = (self.integer_value(left)?, self.integer_value(right)?);
                Some(i128::from(fold_compare(*op, left, right, operands_signed)))
            }
            ExprKind::Cast(inner) if expr.ty == self.basic.bool => Some(i128::from(self.truth_value(inner)?)),
            ExprKind::Cast(inner) => {
                let value = self.integer_value(inner)?;
                Some(self.convert_integer(value, expr.ty))
            }
            ExprKind::And(left, right) => Some(i128::from(self.truth_value(left)? && self.truth_value(right)?)),
            ExprKind::Or(left, right) => Some(i128::from(self.truth_value(left)? || self.truth_value(right)?)),
            ExprKind::Conditional(condition, then, otherwise) => {
                if self.truth_value(condition)? {
                    self.integer_value(then)
                } else {
                    self.integer_value(otherwise)
                }
            }
            ExprKind::PtrDiff { left, right, element_size: Size::Known(size) } => {
                let (left_root, left) = self.address_parts(left)?;
                let (right_root, right) = self.address_parts(right)?;
                (left_root == right_root && *size > 0).then(|| (left - right) / i128::from(*size))
            }
            _ => None,
        }
    }

    /// Whether a constant counts as true. Objects have addresses, and those are not null.
    fn truth_value(&self, expr: &Expr) -> Option<bool> {
        match expr.kind {
            ExprKind::Float(value) => Some(value != 0.0),
            ExprKind::WideFloat(_) => Some(true),
            ExprKind::AddressOf(_) => self.address_parts(expr).map(|_| true),
            _ => self.integer_value(expr).map(|value| value != 0),
        }
    }

    /// The value in the given integer or pointer type.
    pub(super) fn convert_integer(&self, value: i128, ty: TypeId) -> i128 {
        match self.unit.types.kind(ty) {
            TypeKind::Bool => i128::from(value != 0),
            _ => match self.unit.types.int_width(ty) {
                Some(width) => wrap(value, width, self.unit.types.is_signed(ty)),
                None => value,
            },
        }
    }

    fn address_parts(&self, expr: &Expr) -> Option<(Root, i128)> {
        match &expr.kind {
            ExprKind::AddressOf(place) => self.place_parts(place),
            ExprKind::Cast(inner) if self.unit.types.is_pointer(expr.ty) => self.address_parts(inner),
            ExprKind::PtrAdd { pointer, index, element_size: Size::Known(size), negative } => {
                let (root, offset) = self.address_parts(pointer)?;
                let distance = self.integer_value(index)?.checked_mul(i128::from(*size))?;
                Some((root, if *negative { offset.checked_sub(distance)? } else { offset.checked_add(distance)? }))
            }
            _ => None,
        }
    }

    fn place_parts(&self, place: &Place) -> Option<(Root, i128)> {
        match &place.kind {
            PlaceKind::Var(var) => Some((Root::Var(*var), 0)),
            PlaceKind::String(string) => Some((Root::String(*string), 0)),
            PlaceKind::Field { base, offset, .. } => {
                let (root, start) = self.place_parts(base)?;
                Some((root, start + i128::from(*offset)))
            }
            PlaceKind::Deref(pointer) => self.address_parts(pointer),
            _ => None,
        }
    }

    /// The value of an expression that must be an integer constant; a diagnostic says what it is for.
    pub(super) fn demand_integer(&mut self, expr: &Expr, what: &str) -> Option<i128> {
        if self.is_error(expr.ty) {
            return None;
        }
        if !self.unit.types.is_integer(expr.ty) {
            let shown = self.unit.types.display(expr.ty);
            self.error(expr.span, format!("{what} must be an integer, not `{shown}`"), "");
            return None;
        }
        let value = self.integer_value(expr);
        if value.is_none() {
            if divides_by_zero(expr) {
                self.error(expr.span, format!("division by zero in {what}"), "");
            } else {
                self.error(expr.span, format!("{what} is not a constant expression"), "");
            }
        }
        value
    }

    /// The initialiser of a static object, folded; a diagnostic if it is not constant.
    pub(super) fn demand_constant(&mut self, expr: Expr) -> Expr {
        if self.is_error(expr.ty) {
            return expr;
        }
        let span = expr.span;
        match self.fold_static(expr) {
            Ok(expr) => expr,
            Err(expr) => {
                if any_part(&expr, |part| matches!(part.kind, ExprKind::LabelAddress(_))) {
                    self.unsupported(span, "arithmetic on addresses of labels in the initialiser of a static object");
                } else if divides_by_zero(&expr) {
                    self.error(span, "division by zero in the initialiser of a static object", "");
                } else {
                    self.error(
                        span,
                        "the initialiser of a static object is not constant",
                        "only numbers, addresses of static objects and functions, and operators on them are allowed here",
                    );
                }
                expr
            }
        }
    }

    /// Folds an arithmetic or address constant; returns the expression as an error if it is not constant.
    fn fold_static(&mut self, expr: Expr) -> Result<Expr, Expr> {
        if let Some(value) = self.integer_value(&expr)
            && !(self.overflows(&expr) && self.is_static_constant(&expr))
        {
            return Ok(Expr { kind: ExprKind::Integer(value), ..expr });
        }
        if self.is_static_constant(&expr) {
            return Ok(expr);
        }
        if let ExprKind::Read(place) = &expr.kind {
            // gcc takes the value of a constant object whose initialiser it has seen.
            if let Some(value) = self.constant_variable(place) {
                return Ok(Expr { span: expr.span, ..value });
            }
        }
        Err(expr)
    }

    /// Whether folding the expression passes an operation that C leaves undefined. Such an initialiser stays as it
    /// is written, so that overflow checks still see it.
    fn overflows(&self, expr: &Expr) -> bool {
        let wrapped = match &expr.kind {
            ExprKind::Neg(inner) => self.fold_parts(BinaryOp::Sub, None, inner, expr.ty),
            ExprKind::Binary(op, left, right) => self.fold_parts(*op, Some(left), right, expr.ty),
            _ => None,
        };
        if matches!(wrapped, Some(Folded::Wrapped(_))) {
            return true;
        }
        match &expr.kind {
            ExprKind::Neg(inner) | ExprKind::BitNot(inner) | ExprKind::Not(inner) | ExprKind::Cast(inner) => {
                self.overflows(inner)
            }
            ExprKind::Binary(_, left, right) | ExprKind::Compare(_, left, right) => {
                self.overflows(left) || self.overflows(right)
            }
            ExprKind::And(left, right) => {
                self.overflows(left) || self.truth_value(left) == Some(true) && self.overflows(right)
            }
            ExprKind::Or(left, right) => {
                self.overflows(left) || self.truth_value(left) == Some(false) && self.overflows(right)
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let taken = if self.truth_value(condition) == Some(true) { then } else { otherwise };
                self.overflows(condition) || self.overflows(taken)
            }
            _ => false,
        }
    }
    fn fold_parts(&self, op: BinaryOp, left: Option<&Expr>, right: &Expr, ty: TypeId) -> Option<Folded> {
        let left = left.map_or(Some(0), |left| self.integer_value(left))?;
        let (right, width) = (self.integer_value(right)?, self.unit.types.int_width(ty)?);
        Some(fold_binary(op, left, right, width, self.unit.types.is_signed(ty)))
    }

    fn constant_variable(&self, place: &Place) -> Option<Expr> {
        let PlaceKind::Var(var) = place.kind else { return None };
        let variable = &self.unit.vars[var];
        if !variable.is_const || variable.is_volatile || !self.unit.types.is_scalar(variable.ty) {
            return None;
        }
        match variable.init.as_ref()?.pieces.as_slice() {
            [piece] if piece.offset == 0 && piece.bits.is_none() => Some(piece.value.clone()),
            _ => None,
        }
    }

    /// Arithmetic constants that stay unfolded (long double), addresses, and what is made of them.
    fn is_static_constant(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Integer(_)
            | ExprKind::Float(_)
            | ExprKind::WideFloat(_)
            | ExprKind::AddressOfFunction(_)
            | ExprKind::LabelAddress(_)
            | ExprKind::Unsupported(_) => true,
            ExprKind::AddressOf(place) => self.is_static_place(place),
            ExprKind::PtrAdd { pointer, index, element_size: Size::Known(_), .. } => {
                self.is_static_constant(pointer) && matches!(index.kind, ExprKind::Integer(_))
            }
            ExprKind::Cast(inner) | ExprKind::Neg(inner) | ExprKind::BitNot(inner) | ExprKind::Not(inner) => {
                self.is_static_constant(inner)
            }
            ExprKind::Binary(op, left, right) => {
                let by_zero = matches!(op, BinaryOp::Div | BinaryOp::Rem) && matches!(right.kind, ExprKind::Integer(0));
                !by_zero && self.is_static_constant(left) && self.is_static_constant(right)
            }
            // GNU C: the distance of two labels.
            ExprKind::PtrDiff { left, right, .. } => {
                [left, right].into_iter().all(|side| matches!(side.kind, ExprKind::LabelAddress(_)))
            }
            ExprKind::Compare(_, left, right) | ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                self.is_static_constant(left) && self.is_static_constant(right)
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                [condition, then, otherwise].into_iter().all(|part| self.is_static_constant(part))
            }
            _ => false,
        }
    }

    fn is_static_place(&self, place: &Place) -> bool {
        match &place.kind {
            PlaceKind::Var(var) => {
                matches!(self.unit.vars[*var].storage, StorageKind::Static | StorageKind::Thread)
            }
            PlaceKind::String(_) => true,
            PlaceKind::Field { base, .. } => self.is_static_place(base),
            PlaceKind::Deref(pointer) => self.is_static_constant(pointer),
            PlaceKind::CompoundLiteral { .. } | PlaceKind::Temporary(_) => false,
        }
    }

    /// Folds an operator on two floats where `f64` computes exactly what the type would.
    pub(super) fn fold_float(&self, op: BinaryOp, left: f64, right: f64, ty: TypeId) -> Option<f64> {
        let value = match op {
            BinaryOp::Add => left + right,
            BinaryOp::Sub => left - right,
            BinaryOp::Mul => left * right,
            BinaryOp::Div => left / right,
            _ => return None,
        };
        match self.unit.types.kind(ty) {
            // Rounding twice is harmless here: f64 has more than twice the digits of f32.
            TypeKind::Float(FloatKind::Float) => Some(f64::from(value as f32)),
            TypeKind::Float(FloatKind::Double) => Some(value),
            _ => None,
        }
    }

    /// A folded integer as an expression.
    pub(super) fn integer(&self, value: i128, ty: TypeId, span: Span) -> Expr {
        Expr { kind: ExprKind::Integer(value), ty, span }
    }
}

fn divides_by_zero(expr: &Expr) -> bool {
    any_part(expr, |part| match &part.kind {
        ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, _, right) => matches!(right.kind, ExprKind::Integer(0)),
        _ => false,
    })
}

/// Whether this holds for an operand of the arithmetic, at any depth.
fn any_part(expr: &Expr, holds: fn(&Expr) -> bool) -> bool {
    holds(expr)
        || match &expr.kind {
            ExprKind::Binary(_, left, right)
            | ExprKind::Compare(_, left, right)
            | ExprKind::And(left, right)
            | ExprKind::Or(left, right)
            | ExprKind::PtrDiff { left, right, .. } => any_part(left, holds) || any_part(right, holds),
            ExprKind::Neg(inner) | ExprKind::BitNot(inner) | ExprKind::Not(inner) | ExprKind::Cast(inner) => {
                any_part(inner, holds)
            }
            _ => false,
        }
}
