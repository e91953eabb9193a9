//! Builtins that are operators: counting bits, swapping bytes, detecting overflow, classifying floats.

use program::{Action, InputKind, Lifetime, Undefined, Var};
use term::{FpOp, Op, Term};

use crate::ast::Span;
use crate::hir::{Builtin, Expr, TypeId};

use super::Lowering;
use super::types::Class;

impl Lowering<'_> {
    pub(super) fn builtin(&mut self, builtin: Builtin, args: &[Expr], expr: &Expr, into: Option<Var>) -> Term {
        let span = expr.span;
        if let Some(value) = self.builtin_by_arguments(builtin, args, expr, into) {
            return value;
        }
        let Some(arg) = args.first() else { return self.refuse(expr, "builtin without argument") };
        let value = self.value(arg);
        let number = match builtin {
            Builtin::Alloca => {
                let width = self.pointer_width();
                let size = self.resize(value, false, width);
                return self.allocate(size, Lifetime::Frame, Some(InputKind::Memory), into, span);
            }
            Builtin::Clz | Builtin::Ctz => {
                let width = self.terms.width(value);
                let zero = self.terms.bv(width, 0);
                let nonzero = self.terms.ne(value, zero);
                self.check_builtin(nonzero, span);
                self.count_zeros(value, builtin == Builtin::Clz)
            }
            Builtin::Clrsb => {
                let width = self.terms.width(value);
                let last = self.terms.bv(width, u64::from(width - 1));
                let sign = self.terms.bv_ashr(value, last);
                let differs = self.terms.bv_xor(value, sign);
                let zeros = self.count_zeros(differs, true);
                let one = self.terms.bv(32, 1);
                self.terms.bv_sub(zeros, one)
            }
            Builtin::Popcount => self.count_ones(value),
            Builtin::Parity => {
                let ones = self.count_ones(value);
                self.terms.extract(ones, 0, 0)
            }
            Builtin::Ffs => {
                let width = self.terms.width(value);
                let zero = self.terms.bv(width, 0);
                let is_zero = self.terms.eq(value, zero);
                let zeros = self.count_zeros(value, false);
                let one = self.terms.bv(32, 1);
                let index = self.terms.bv_add(zeros, one);
                let none = self.terms.bv(32, 0);
                self.terms.ite(is_zero, none, index)
            }
            Builtin::Bswap => {
                let width = self.terms.width(value);
                let mut result = self.terms.extract(value, 7, 0);
                for byte in 1..width / 8 {
                    let next = self.terms.extract(value, byte * 8 + 7, byte * 8);
                    result = self.terms.concat(result, next);
                }
                result
            }
            Builtin::IsNan | Builtin::IsInf | Builtin::IsFinite | Builtin::IsNormal | Builtin::SignBit => {
                let Class::Float(_) = self.class(arg.ty) else {
                    return self.refuse(expr, "floating-point builtin on another type");
                };
                self.classify_float(builtin, value, expr)
            }
            _ => return self.refuse(expr, "builtin"),
        };
        match self.class(expr.ty) {
            Class::Int { width, .. } => self.resize(number, false, width),
            _ => number,
        }
    }
    /// Builtins that do not compute with the value of their first argument; `None` for the others.
    fn builtin_by_arguments(
        &mut self,
        builtin: Builtin,
        args: &[Expr],
        expr: &Expr,
        into: Option<Var>,
    ) -> Option<Term> {
        let span = expr.span;
        Some(match builtin {
            Builtin::Unreachable => {
                let never = self.terms.truth(false);
                self.check(Undefined::Unreachable, never, span);
                self.end_run(span);
                self.nothing()
            }
            Builtin::Trap => {
                self.check_leaks(&format!("`{}`", self.snippet(span)), span);
                self.end_run(span);
                self.nothing()
            }
            Builtin::AddOverflow | Builtin::SubOverflow | Builtin::MulOverflow => {
                self.overflow_builtin(builtin, args, expr)
            }
            Builtin::AnyAddress => {
                args.iter().for_each(|arg| self.effect(arg));
                self.any_value(InputKind::Memory, expr.ty, into, span)
            }
            Builtin::ObjectSize => {
                let kind = InputKind::Unspecified("the value of `__builtin_object_size`".to_owned());
                self.any_value(kind, expr.ty, into, span)
            }
            Builtin::ConstantP => {
                let what = format!("the value of `{}`", self.snippet(span));
                let sort = self.terms.bool_sort();
                let var = self.new_temp("constant", sort, program::Shown::Plain);
                let input = self.new_input(InputKind::Unspecified(what), program::Shown::Plain, span);
                self.emit(Action::Havoc { var, input }, span);
                let truth = self.term_of(var);
                self.number_of_truth(truth, 32)
            }
            _ => return None,
        })
    }
    /// The classification of a float as a number; unspecified if C leaves the nonzero value open and it is observed.
    fn classify_float(&mut self, builtin: Builtin, value: Term, expr: &Expr) -> Term {
        let truth = match builtin {
            Builtin::IsNan => self.float_is(FpOp::IsNan, value),
            Builtin::IsInf => self.float_is(FpOp::IsInfinite, value),
            Builtin::IsNormal => self.float_is(FpOp::IsNormal, value),
            Builtin::SignBit => self.float_sign_bit(value),
            _ => {
                let nan = self.float_is(FpOp::IsNan, value);
                let infinite = self.float_is(FpOp::IsInfinite, value);
                let either = self.terms.or(&[nan, infinite]);
                self.terms.not(either)
            }
        };
        let number = self.number_of_truth(truth, 32);
        match super::observed::open_builtin(builtin) {
            Some((open, name)) if self.is_observed(expr) => self.opened(number, open, name, expr.ty, expr.span),
            _ => number,
        }
    }
    fn check_builtin(&mut self, holds: Term, span: Span) {
        // gcc leaves the result for zero undefined; the nearest kind of undefined operation is a shift.
        self.check(Undefined::ShiftOutOfRange, holds, span);
    }
    /// The sign bit of the encoding: set for negative numbers, the negative zero and some NaNs.
    pub(super) fn float_sign_bit(&mut self, value: Term) -> Term {
        let sort = self.terms.sort_of(value);
        let term::SortKind::Float(exponent, significand) = *self.terms.sort_kind(sort) else {
            panic!("only a float has a sign bit");
        };
        let width = exponent + significand;
        let bits_sort = self.terms.bv_sort(width);
        let bits = self.terms.fp(FpOp::ToBits, &[value], bits_sort);
        let sign = self.terms.extract(bits, width - 1, width - 1);
        let one = self.terms.bv(1, 1);
        self.terms.eq(sign, one)
    }
    /// Leading or trailing zeros as 32 bits; the width for zero.
    fn count_zeros(&mut self, value: Term, leading: bool) -> Term {
        let width = self.terms.width(value);
        let mut result = self.terms.bv(32, u64::from(width));
        // The last test made is the outermost: the bit nearest to the counting end decides.
        for distance in (0..width).rev() {
            let index = if leading { width - 1 - distance } else { distance };
            let bit = self.terms.extract(value, index, index);
            let one = self.terms.bv(1, 1);
            let set = self.terms.eq(bit, one);
            let count = self.terms.bv(32, u64::from(distance));
            result = self.terms.ite(set, count, result);
        }
        result
    }
    fn count_ones(&mut self, value: Term) -> Term {
        let width = self.terms.width(value);
        let mut sum = self.terms.bv(32, 0);
        for index in 0..width {
            let bit = self.terms.extract(value, index, index);
            let bit = self.terms.zero_extend_to(bit, 32);
            sum = self.terms.bv_add(sum, bit);
        }
        sum
    }
    /// `__builtin_add_overflow(a, b, p)`: computed exactly in a width where nothing is lost.
    fn overflow_builtin(&mut self, builtin: Builtin, args: &[Expr], expr: &Expr) -> Term {
        let [left, right, pointer] = args else { return self.refuse(expr, "overflow builtin without three arguments") };
        let (target, stores) = match self.kind(pointer.ty) {
            crate::hir::TypeKind::Pointer { target, .. } => (*target, true),
            _ => (pointer.ty, false),
        };
        let (Class::Int { width, signed }, Some((_, left_signed)), Some((_, right_signed))) =
            (self.class(target), self.integer_class(left.ty), self.integer_class(right.ty))
        else {
            return self.refuse(expr, "overflow builtin on these types");
        };
        let left = self.integer_value(left);
        let (left, right) = self.keeping(left, |this| this.integer_value(right));
        let ((left, right), address) = {
            self.keep(left);
            self.keep(right);
            let address = self.value(pointer);
            let right = self.kept();
            ((self.kept(), right), address)
        };
        let exact = 2 * self.terms.width(left).max(self.terms.width(right)).max(width) + 2;
        let wide_left = self.resize(left, left_signed, exact);
        let wide_right = self.resize(right, right_signed, exact);
        let op = match builtin {
            Builtin::AddOverflow => Op::BvAdd,
            Builtin::SubOverflow => Op::BvSub,
            _ => Op::BvMul,
        };
        let result = self.terms.make(op, &[wide_left, wide_right]);
        let stored = self.terms.extract(result, width - 1, 0);
        let back = self.resize(stored, signed, exact);
        let lost = self.terms.ne(back, result);
        self.keep(lost);
        if stores {
            self.store(address, stored, expr.span);
        }
        let lost = self.kept();
        match self.class(expr.ty) {
            Class::Int { width, .. } => self.number_of_truth(lost, width),
            _ => lost,
        }
    }
    fn integer_class(&self, ty: TypeId) -> Option<(u32, bool)> {
        match self.class(ty) {
            Class::Int { width, signed } => Some((width, signed)),
            Class::Bool => Some((8, false)),
            _ => None,
        }
    }
    fn integer_value(&mut self, expr: &Expr) -> Term {
        let value = self.value(expr);
        if self.terms.is_bool(value) { self.number_of_truth(value, 8) } else { value }
    }
}
