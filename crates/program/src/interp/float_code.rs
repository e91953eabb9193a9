//! Register code of float operators: what they do, in which format, and how wide formats are encoded.

use super::code::{Format, Reg};

/// A float operator with its formats.
#[derive(Clone, Debug)]
pub(super) struct FloatInstr {
    pub op: FloatOp,
    pub to: Reg,
    pub left: Reg,
    pub right: Reg,
    pub format: Format,
    /// Whether the true result can differ from that computed in `double`.
    pub approximate: bool,
}

/// An operator on numbers of one format that gives such a number or a truth value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Primitive {
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
    /// SMT-LIB's `=`: all NaNs are one value, the zeros are two.
    Same,
    IsNan,
    IsInfinite,
    IsNormal,
    IsSubnormal,
    IsZero,
}

impl Primitive {
    /// Whether it takes two operands.
    pub(super) fn is_binary(self) -> bool {
        use Primitive::*;
        matches!(self, Add | Sub | Mul | Div | Fmod | Rem | Min | Max | Eq | Lt | Le | Same)
    }
    /// Whether the result is a truth value.
    pub(super) fn is_predicate(self) -> bool {
        use Primitive::*;
        matches!(self, Eq | Lt | Le | Same | IsNan | IsInfinite | IsNormal | IsSubnormal | IsZero)
    }
}

/// What a float instruction does; conversions carry what they need.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FloatOp {
    Primitive(Primitive),
    IsNegative,
    /// From `double` to `float` or back, by the target's format.
    FromFloat {
        from: Format,
    },
    /// From an integer of this width.
    FromSigned {
        width: u32,
    },
    FromUnsigned {
        width: u32,
    },
    ToSigned {
        width: u32,
    },
    ToUnsigned {
        width: u32,
    },
    /// From and to the encoding of a format wider than `double`.
    FromEncoding(Encoding),
    ToEncoding(Encoding),
    /// From or to the x87 format.
    Extended(ExtendedOp),
}

/// An operator on numbers in the x87 format, which take two registers each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ExtendedOp {
    /// The registers of a second operand follow those of the first.
    Primitive(Primitive),
    /// From `float` or `double`.
    FromFloat {
        from: Format,
    },
    /// To the format of the instruction.
    ToFloat,
    FromSigned {
        width: u32,
    },
    FromUnsigned {
        width: u32,
    },
    ToSigned {
        width: u32,
    },
    ToUnsigned {
        width: u32,
    },
}

/// Encodings of floats that are wider than `double`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Encoding {
    /// The 79 bits that SMT-LIB gives to `(_ FloatingPoint 15 64)`.
    Extended79,
    /// IEEE binary128.
    Quad,
}

impl Encoding {
    /// How many bits it has.
    pub(super) fn width(self) -> u32 {
        match self {
            Encoding::Extended79 => 79,
            Encoding::Quad => 128,
        }
    }
}
