//! Operators: everything that can stand at the head of a term.
//!
//! Bit-vector operators have SMT-LIB's total meaning: `bvudiv x 0` is all ones, `bvurem x 0` is
//! `x`, a shift by the width or more gives zero (or copies of the sign).

use crate::store::Symbol;

/// The head of a term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// The truth value true.
    True,
    /// The truth value false.
    False,
    /// A bit-vector value; read it with `Terms::value`.
    Value,
    /// A numeral of sort Int, Real or Float, normalised; read it with `Terms::numeral`.
    Numeral,
    /// A variable or constant (no arguments) or an uninterpreted function applied to arguments.
    Symbol(Symbol),

    /// Negation.
    Not,
    /// Conjunction of two or more.
    And,
    /// Disjunction of two or more.
    Or,
    /// Exclusive or of two truth values.
    Xor,
    /// Implication.
    Implies,
    /// Equality of two terms of one sort, Bool included.
    Eq,
    /// Pairwise difference.
    Distinct,
    /// If-then-else over any sort.
    Ite,

    /// Bitwise complement.
    BvNot,
    /// Two's complement negation.
    BvNeg,
    /// Bitwise and.
    BvAnd,
    /// Bitwise or.
    BvOr,
    /// Bitwise exclusive or.
    BvXor,
    /// Bitwise nand.
    BvNand,
    /// Bitwise nor.
    BvNor,
    /// Bitwise equivalence.
    BvXnor,
    /// Addition.
    BvAdd,
    /// Subtraction.
    BvSub,
    /// Multiplication.
    BvMul,
    /// Unsigned division.
    BvUdiv,
    /// Unsigned remainder.
    BvUrem,
    /// Signed division, truncating.
    BvSdiv,
    /// Signed remainder, with the sign of the dividend.
    BvSrem,
    /// Signed modulus, with the sign of the divisor.
    BvSmod,
    /// Shift left.
    BvShl,
    /// Logical shift right.
    BvLshr,
    /// Arithmetic shift right.
    BvAshr,
    /// One bit: whether the two are equal.
    BvComp,
    /// Unsigned less than.
    BvUlt,
    /// Unsigned less or equal.
    BvUle,
    /// Unsigned greater than.
    BvUgt,
    /// Unsigned greater or equal.
    BvUge,
    /// Signed less than.
    BvSlt,
    /// Signed less or equal.
    BvSle,
    /// Signed greater than.
    BvSgt,
    /// Signed greater or equal.
    BvSge,
    /// Whether negation overflows (SMT-LIB 2.7 `bvnego`).
    BvNego,
    /// Whether unsigned addition overflows.
    BvUaddo,
    /// Whether signed addition overflows.
    BvSaddo,
    /// Whether unsigned multiplication overflows.
    BvUmulo,
    /// Whether signed multiplication overflows.
    BvSmulo,
    /// Whether unsigned subtraction overflows.
    BvUsubo,
    /// Whether signed subtraction overflows.
    BvSsubo,
    /// Whether signed division overflows.
    BvSdivo,
    /// Concatenation; the first argument is the high part.
    Concat,
    /// Bits `high` down to `low`.
    Extract {
        /// The highest bit taken.
        high: u32,
        /// The lowest bit taken.
        low: u32,
    },
    /// This many zero bits in front.
    ZeroExtend(u32),
    /// This many copies of the sign bit in front.
    SignExtend(u32),
    /// This many bits around to the left.
    RotateLeft(u32),
    /// This many bits around to the right.
    RotateRight(u32),
    /// This many copies side by side.
    Repeat(u32),

    /// Array read.
    Select,
    /// Array write.
    Store,
    /// The array that holds its argument everywhere; the sort is the node's.
    ConstArray,

    /// Arithmetic over Int and Real, only ever read as uninterpreted.
    Number(NumberOp),
    /// Floating point, only ever read as uninterpreted by solvers; the interpreter computes it.
    Fp(FpOp),
}

/// Operators over Int and Real.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum NumberOp {
    Add,
    Sub,
    Neg,
    Mul,
    Div,
    IntDiv,
    Mod,
    Abs,
    Lt,
    Le,
    Gt,
    Ge,
    ToReal,
    ToInt,
    IsInt,
}

impl NumberOp {
    /// All of them, in the order of declaration.
    pub const ALL: [NumberOp; 15] = {
        use NumberOp::*;
        [Add, Sub, Neg, Mul, Div, IntDiv, Mod, Abs, Lt, Le, Gt, Ge, ToReal, ToInt, IsInt]
    };
}

/// Floating-point operators, rounding to nearest even unless the name says otherwise.
///
/// The sorts of arguments and result give the formats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum FpOp {
    Add,
    Sub,
    Mul,
    Div,
    /// C's `fmod`: the remainder of truncated division.
    Fmod,
    /// IEEE remainder (`fp.rem`).
    Rem,
    Neg,
    Abs,
    Sqrt,
    /// Rounding to an integral value, as C's `floor`, `ceil`, `trunc`, `round` and `rint`.
    Floor,
    Ceil,
    Trunc,
    Round,
    RoundEven,
    Min,
    Max,
    /// IEEE equality: NaN differs from itself, the zeros are equal.
    Eq,
    Lt,
    Le,
    IsNan,
    IsInfinite,
    IsNormal,
    IsSubnormal,
    IsZero,
    IsNegative,
    /// To the node's float sort from another float sort.
    FromFloat,
    /// To the node's float sort from a signed bit-vector.
    FromSigned,
    /// To the node's float sort from an unsigned bit-vector.
    FromUnsigned,
    /// To the node's bit-vector sort, rounding toward zero, as signed.
    ToSigned,
    /// To the node's bit-vector sort, rounding toward zero, as unsigned.
    ToUnsigned,
    /// The float whose IEEE encoding is the argument.
    FromBits,
    /// The IEEE encoding of the argument.
    ToBits,
}

impl FpOp {
    /// All of them, in the order of declaration.
    pub const ALL: [FpOp; 32] = {
        use FpOp::*;
        [
            Add,
            Sub,
            Mul,
            Div,
            Fmod,
            Rem,
            Neg,
            Abs,
            Sqrt,
            Floor,
            Ceil,
            Trunc,
            Round,
            RoundEven,
            Min,
            Max,
            Eq,
            Lt,
            Le,
            IsNan,
            IsInfinite,
            IsNormal,
            IsSubnormal,
            IsZero,
            IsNegative,
            FromFloat,
            FromSigned,
            FromUnsigned,
            ToSigned,
            ToUnsigned,
            FromBits,
            ToBits,
        ]
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_of_all_operators_are_in_the_order_of_declaration() {
        for (index, op) in NumberOp::ALL.into_iter().enumerate() {
            assert_eq!(op as usize, index);
        }
        for (index, op) in FpOp::ALL.into_iter().enumerate() {
            assert_eq!(op as usize, index);
        }
    }
}
