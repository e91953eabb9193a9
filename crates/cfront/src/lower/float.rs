//! Floating point: terms over the float sorts, rounding to nearest even.
//!
//! Solvers read these operators as uninterpreted; the interpreter computes them. Constants are
//! numerals in the hexadecimal digits of their IEEE encoding.

use base::Bits;
use program::Undefined;
use term::{FpOp, Sort, Term};

use crate::ast::Span;
use crate::hir::{BinaryOp, CompareOp, FloatKind, TypeId};
use crate::wide::encode;

use super::Lowering;
use super::types::{Class, float_format};

impl Lowering<'_> {
    pub(super) fn float_constant(&mut self, kind: FloatKind, value: f64) -> Term {
        let (exponent, significand) = float_format(kind);
        let sort = self.float_sort(kind);
        // A numeral has no payload: all NaNs are one.
        if value.is_nan() && kind != FloatKind::Quad {
            let encoding = encode(value, exponent, significand);
            let words = [encoding as u64, (encoding >> 64) as u64];
            let width = exponent + significand;
            let bits = self.terms.bits(Bits::from_words(width, &words[..width.div_ceil(64) as usize]));
            return self.terms.fp(FpOp::FromBits, &[bits], sort);
        }
        let text = format!("{:x}", encode(value, exponent, significand));
        self.terms.numeral(sort, &text)
    }
    /// A constant given by its encoding.
    pub(super) fn encoded_float(&mut self, kind: FloatKind, bits: u128) -> Term {
        let sort = self.float_sort(kind);
        self.terms.numeral(sort, &format!("{bits:x}"))
    }
    fn fp_truth(&mut self, op: FpOp, args: &[Term]) -> Term {
        let sort = self.terms.bool_sort();
        self.terms.fp(op, args, sort)
    }
    /// A predicate on one float.
    pub(super) fn float_is(&mut self, op: FpOp, value: Term) -> Term {
        self.fp_truth(op, &[value])
    }
    /// An operator whose result has the sort of its first argument.
    pub(super) fn float_operator(&mut self, op: FpOp, args: &[Term]) -> Term {
        let sort: Sort = self.terms.sort_of(args[0]);
        self.terms.fp(op, args, sort)
    }
    pub(super) fn float_is_nonzero(&mut self, value: Term, kind: FloatKind) -> Term {
        let zero = self.float_constant(kind, 0.0);
        let equal = self.fp_truth(FpOp::Eq, &[value, zero]);
        self.terms.not(equal)
    }
    pub(super) fn float_negate(&mut self, value: Term, kind: FloatKind) -> Term {
        let sort = self.float_sort(kind);
        self.terms.fp(FpOp::Neg, &[value], sort)
    }
    pub(super) fn float_binary(&mut self, op: BinaryOp, left: Term, right: Term, kind: FloatKind, span: Span) -> Term {
        let op = match op {
            BinaryOp::Add => FpOp::Add,
            BinaryOp::Sub => FpOp::Sub,
            BinaryOp::Mul => FpOp::Mul,
            BinaryOp::Div => FpOp::Div,
            _ => {
                self.unsupported(span, "this operator on floating-point numbers");
                return left;
            }
        };
        let sort = self.float_sort(kind);
        if self.program.pointer_width == 32 && matches!(kind, FloatKind::Float | FloatKind::Double) {
            let text = "arithmetic of `float` and `double` is taken to round every result to its type, as with SSE (`-msse2 -mfpmath=sse`)";
            self.assume_about("float arithmetic", text.to_owned(), span);
        }
        self.terms.fp(op, &[left, right], sort)
    }
    pub(super) fn float_compare(&mut self, op: CompareOp, left: Term, right: Term, _kind: FloatKind) -> Term {
        match op {
            CompareOp::Eq => self.fp_truth(FpOp::Eq, &[left, right]),
            CompareOp::Ne => {
                let equal = self.fp_truth(FpOp::Eq, &[left, right]);
                self.terms.not(equal)
            }
            CompareOp::Lt => self.fp_truth(FpOp::Lt, &[left, right]),
            CompareOp::Le => self.fp_truth(FpOp::Le, &[left, right]),
            CompareOp::Gt => self.fp_truth(FpOp::Lt, &[right, left]),
            CompareOp::Ge => self.fp_truth(FpOp::Le, &[right, left]),
        }
    }
    pub(super) fn integer_to_float(&mut self, value: Term, signed: bool, to: TypeId) -> Term {
        let Class::Float(kind) = self.class(to) else { panic!("the target is a float") };
        let sort = self.float_sort(kind);
        self.terms.fp(if signed { FpOp::FromSigned } else { FpOp::FromUnsigned }, &[value], sort)
    }
    pub(super) fn float_to_float(&mut self, value: Term, kind: FloatKind) -> Term {
        let sort = self.float_sort(kind);
        if self.terms.sort_of(value) == sort { value } else { self.terms.fp(FpOp::FromFloat, &[value], sort) }
    }
    /// Truncates toward zero; undefined unless the integral part fits.
    pub(super) fn float_to_integer(
        &mut self,
        value: Term,
        kind: FloatKind,
        width: u32,
        signed: bool,
        span: Span,
    ) -> Term {
        let high = 2f64.powi(if signed { width as i32 - 1 } else { width as i32 });
        let low = if signed { -high } else { 0.0 };
        // The integral part fits if low - 1 < value < high. Where low - 1 is no value of the format, or of
        // the double we build it from, low <= value says the same.
        let precision = float_format(kind).1.min(53);
        let above = if !signed || width <= precision {
            let bound = self.float_constant(kind, low - 1.0);
            self.fp_truth(FpOp::Lt, &[bound, value])
        } else if float_format(kind).1 < width || precision == float_format(kind).1 {
            let bound = self.float_constant(kind, low);
            self.fp_truth(FpOp::Le, &[bound, value])
        } else {
            // Wide formats hold low - 1, which lies between low - 2 and low.
            let bound = self.float_constant(kind, low);
            let one = self.float_constant(kind, 1.0);
            let bound = self.float_operator(FpOp::Sub, &[bound, one]);
            self.fp_truth(FpOp::Lt, &[bound, value])
        };
        // float has no 2^128: every finite value fits.
        let below = if kind == FloatKind::Float && high > f64::from(f32::MAX) {
            let infinite = self.fp_truth(FpOp::IsInfinite, &[value]);
            let nan = self.fp_truth(FpOp::IsNan, &[value]);
            let bad = self.terms.or(&[infinite, nan]);
            self.terms.not(bad)
        } else {
            let bound = self.float_constant(kind, high);
            self.fp_truth(FpOp::Lt, &[value, bound])
        };
        let holds = self.terms.and(&[above, below]);
        self.check(Undefined::FloatToInteger, holds, span);
        let sort = self.terms.bv_sort(width);
        self.terms.fp(if signed { FpOp::ToSigned } else { FpOp::ToUnsigned }, &[value], sort)
    }
}
