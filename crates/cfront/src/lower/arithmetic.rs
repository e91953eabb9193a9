//! Integers: operators and conversions, bit by bit.
//!
//! Signed overflow wraps; division, remainder and shifts have SMT-LIB's total meaning. Where C calls
//! an operation undefined, a check stands in front of it.

use program::Undefined;
use term::{Derived, Function, Op, Sort, SortKind, Term};

use crate::ast::Span;
use crate::hir::{BinaryOp, CompareOp, TypeId};

use super::Lowering;
use super::types::Class;

impl Lowering<'_> {
    /// The integer with these bits, sign-extended beyond 128.
    pub(super) fn integer(&mut self, width: u32, value: i128) -> Term {
        if width <= 64 {
            return self.terms.bv(width, value as u64);
        }
        let low = self.terms.bv(64, value as u64);
        let high = self.terms.bv(64, (value >> 64) as u64);
        let wide = self.terms.concat(high, low);
        match width {
            128 => wide,
            ..128 => self.terms.extract(wide, width - 1, 0),
            _ => self.terms.sign_extend_to(wide, width),
        }
    }
    /// An integer constant of a scalar type.
    pub(super) fn constant(&mut self, ty: TypeId, value: i128) -> Term {
        match self.class(ty) {
            Class::Bool => self.terms.truth(value != 0),
            Class::Int { width, .. } => self.integer(width, value),
            Class::Float(kind) => self.float_constant(kind, value as f64),
            _ => self.integer(self.pointer_width(), value),
        }
    }
    /// Zero, false or null.
    pub(super) fn zero_of(&mut self, sort: Sort) -> Term {
        match *self.terms.sort_kind(sort) {
            SortKind::BitVec(width) => self.terms.bv(width, 0),
            SortKind::Float(..) => self.terms.numeral(sort, "0"),
            _ => self.terms.truth(false),
        }
    }
    /// One or zero.
    pub(super) fn number_of_truth(&mut self, condition: Term, width: u32) -> Term {
        let (one, zero) = (self.terms.bv(width, 1), self.terms.bv(width, 0));
        self.terms.ite(condition, one, zero)
    }

    /// Converts a scalar from one type to another.
    pub(super) fn convert(&mut self, value: Term, from: TypeId, to: TypeId, span: Span) -> Term {
        let (source, target) = (self.class(from), self.class(to));
        if source == target {
            return value;
        }
        match (source, target) {
            (_, Class::Bool) => self.truth_of(value, from),
            (Class::Bool, Class::Int { width, .. }) => self.number_of_truth(value, width),
            (Class::Bool, Class::Pointer) => self.number_of_truth(value, self.pointer_width()),
            (Class::Bool, Class::Float(_)) => {
                let number = self.number_of_truth(value, 8);
                self.integer_to_float(number, false, to)
            }
            (Class::Int { signed, .. }, Class::Int { width, .. }) => self.resize(value, signed, width),
            (Class::Int { signed, .. }, Class::Pointer) => self.resize(value, signed, self.pointer_width()),
            (Class::Pointer, Class::Int { width, .. }) => self.resize(value, false, width),
            (Class::Int { signed, .. }, Class::Float(_)) => self.integer_to_float(value, signed, to),
            (Class::Float(_), Class::Float(kind)) => self.float_to_float(value, kind),
            (Class::Float(kind), Class::Int { width, signed }) => {
                self.float_to_integer(value, kind, width, signed, span)
            }
            (_, Class::Void) => value,
            // Arrays, functions and records decay or stay what they are: addresses.
            (Class::Pointer | Class::Record | Class::Array | Class::Function, _)
            | (_, Class::Pointer | Class::Record | Class::Array | Class::Function)
                if self.terms.sort_of(value) == self.sort(to) =>
            {
                value
            }
            (Class::Unsupported(what), _) | (_, Class::Unsupported(what)) => {
                self.unsupported(span, format!("conversion involving {what}"));
                let sort = self.sort(to);
                self.zero_of(sort)
            }
            _ => {
                self.unsupported(span, "conversion between these types");
                let sort = self.sort(to);
                self.zero_of(sort)
            }
        }
    }
    /// Cuts off high bits or extends.
    pub(super) fn resize(&mut self, value: Term, signed: bool, width: u32) -> Term {
        let have = self.terms.width(value);
        if width < have {
            self.terms.extract(value, width - 1, 0)
        } else if signed {
            self.terms.sign_extend_to(value, width)
        } else {
            self.terms.zero_extend_to(value, width)
        }
    }
    /// Whether the value differs from zero.
    pub(super) fn truth_of(&mut self, value: Term, ty: TypeId) -> Term {
        match self.class(ty) {
            Class::Bool => value,
            Class::Float(kind) => self.float_is_nonzero(value, kind),
            _ => {
                let sort = self.terms.sort_of(value);
                let zero = self.zero_of(sort);
                self.terms.ne(value, zero)
            }
        }
    }

    /// An operator with two operands of the result's type (the right operand of a shift has its own).
    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        left: Term,
        right: Term,
        ty: TypeId,
        right_ty: TypeId,
        span: Span,
    ) -> Term {
        let (width, signed) = match self.class(ty) {
            Class::Int { width, signed } => (width, signed),
            Class::Pointer => (self.pointer_width(), false),
            Class::Float(kind) => return self.float_binary(op, left, right, kind, span),
            other => {
                self.unsupported(span, format!("arithmetic on {other:?}"));
                return left;
            }
        };
        match op {
            BinaryOp::Add => {
                if signed {
                    self.check_overflow(Op::BvSaddo, &[left, right], span);
                }
                self.terms.bv_add(left, right)
            }
            BinaryOp::Sub => {
                if signed {
                    self.check_overflow(Op::BvSsubo, &[left, right], span);
                }
                self.terms.bv_sub(left, right)
            }
            BinaryOp::Mul => {
                if signed {
                    self.check_overflow(Op::BvSmulo, &[left, right], span);
                }
                self.terms.bv_mul(left, right)
            }
            BinaryOp::Div | BinaryOp::Rem => {
                let zero = self.terms.bv(width, 0);
                let nonzero = self.terms.ne(right, zero);
                self.check(Undefined::DivisionByZero, nonzero, span);
                if signed {
                    let overflow = self.terms.derive(Derived::BvSdivo, &[left, right]);
                    let holds = self.terms.not(overflow);
                    self.check(Undefined::DivisionOverflow, holds, span);
                }
                match (op, signed) {
                    (BinaryOp::Div, true) => self.terms.bv_sdiv(left, right),
                    (BinaryOp::Div, false) => self.terms.bv_udiv(left, right),
                    (_, true) => self.terms.bv_srem(left, right),
                    (_, false) => self.terms.bv_urem(left, right),
                }
            }
            BinaryOp::And => self.terms.bv_and(left, right),
            BinaryOp::Or => self.terms.bv_or(left, right),
            BinaryOp::Xor => self.terms.bv_xor(left, right),
            BinaryOp::Shl | BinaryOp::Shr => {
                let amount = self.shift_amount(right, right_ty, width, span);
                match (op, signed) {
                    (BinaryOp::Shl, signed) => {
                        let shifted = self.terms.bv_shl(left, amount);
                        if signed && self.notes_overflow() {
                            self.check_left_shift(left, shifted, amount, span);
                        }
                        shifted
                    }
                    (_, true) => self.terms.bv_ashr(left, amount),
                    (_, false) => self.terms.bv_lshr(left, amount),
                }
            }
        }
    }
    /// The amount in the width of the operand, never cut into range.
    fn shift_amount(&mut self, amount: Term, ty: TypeId, width: u32, span: Span) -> Term {
        let amount = if self.class(ty) == Class::Bool { self.number_of_truth(amount, 32) } else { amount };
        let have = self.terms.width(amount);
        let limit = self.terms.bv(have, u64::from(width));
        // A negative amount is a large unsigned one.
        let in_range = self.terms.bv_ult(amount, limit);
        self.check(Undefined::ShiftOutOfRange, in_range, span);
        if have <= width {
            return self.terms.zero_extend_to(amount, width);
        }
        let low = self.terms.extract(amount, width - 1, 0);
        let too_far = self.terms.bv(width, u64::from(width));
        self.terms.ite(in_range, low, too_far)
    }
    /// C11 6.5.7: a signed left shift is defined if the operand is not negative and nothing is lost.
    fn check_left_shift(&mut self, operand: Term, shifted: Term, amount: Term, span: Span) {
        let width = self.terms.width(operand);
        let zero = self.terms.bv(width, 0);
        let positive = self.terms.bv_sle(zero, operand);
        let back = self.terms.bv_ashr(shifted, amount);
        let same = self.terms.eq(back, operand);
        let holds = self.terms.and(&[positive, same]);
        self.check(Undefined::SignedOverflow, holds, span);
    }
    fn check_overflow(&mut self, overflows: impl Into<Function>, args: &[Term], span: Span) {
        if self.notes_overflow() {
            let overflow = self.terms.try_apply(overflows, args).expect("operands have one width");
            let holds = self.terms.not(overflow);
            self.check(Undefined::SignedOverflow, holds, span);
        }
    }
    /// `-x`.
    pub(super) fn negate(&mut self, value: Term, ty: TypeId, span: Span) -> Term {
        match self.class(ty) {
            Class::Float(kind) => self.float_negate(value, kind),
            Class::Int { signed, .. } => {
                if signed {
                    self.check_overflow(Derived::BvNego, &[value], span);
                }
                self.terms.bv_neg(value)
            }
            other => {
                self.unsupported(span, format!("negation of {other:?}"));
                value
            }
        }
    }
    /// A comparison as a truth value; the operands have this type.
    pub(super) fn compare(&mut self, op: CompareOp, left: Term, right: Term, ty: TypeId, span: Span) -> Term {
        let signed = match self.class(ty) {
            Class::Float(kind) => return self.float_compare(op, left, right, kind),
            Class::Int { signed, .. } => signed,
            Class::Pointer => false,
            Class::Bool => {
                let (left, right) = (self.number_of_truth(left, 8), self.number_of_truth(right, 8));
                return self.compare_bits(op, left, right, false);
            }
            other => {
                self.unsupported(span, format!("comparison of {other:?}"));
                return self.terms.truth(false);
            }
        };
        self.compare_bits(op, left, right, signed)
    }
    fn compare_bits(&mut self, op: CompareOp, left: Term, right: Term, signed: bool) -> Term {
        match (op, signed) {
            (CompareOp::Eq, _) => self.terms.eq(left, right),
            (CompareOp::Ne, _) => self.terms.ne(left, right),
            (CompareOp::Lt, true) => self.terms.bv_slt(left, right),
            (CompareOp::Le, true) => self.terms.bv_sle(left, right),
            (CompareOp::Gt, true) => self.terms.bv_slt(right, left),
            (CompareOp::Ge, true) => self.terms.bv_sle(right, left),
            (CompareOp::Lt, false) => self.terms.bv_ult(left, right),
            (CompareOp::Le, false) => self.terms.bv_ule(left, right),
            (CompareOp::Gt, false) => self.terms.bv_ult(right, left),
            (CompareOp::Ge, false) => self.terms.bv_ule(right, left),
        }
    }
}
