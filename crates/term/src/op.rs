//! The operator table: everything that can stand at the head of a term, one row each.
//!
//! Bit-vector operators have SMT-LIB's total meaning: `bvudiv x 0` is all ones, `bvurem x 0` is
//! `x`, a shift by the width or more gives zero (or copies of the sign).
//!
//! `row.rs` explains the columns; `derived.rs` has the operators that are expanded into these. Simplification rules stand in `simplify/`, by family of operators.

use base::Bits;

use crate::row::{Cost, Domain, Meaning, Range, Row, Sorts};
use crate::store::Symbol;

use Cost::*;
use Meaning::*;
use Sorts::*;

macro_rules! operators {
    (
        plain { $($(#[$doc:meta])* $plain:ident = $row:expr;)* }
        with { $($(#[$with_doc:meta])* $with:ident $fields:tt = $with_row:expr;)* }
    ) => {
        /// The head of a term.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Op {
            $($(#[$doc])* $plain,)*
            $($(#[$with_doc])* $with $fields,)*
        }

        /// The operator's code: its place in the table.
        #[derive(Clone, Copy)]
        #[repr(u8)]
        pub(crate) enum Code { $($plain,)* $($with,)* AfterLast }

        /// Operators without a parameter, at the place of their code.
        pub(crate) const PLAIN: &[Op] = &[$(Op::$plain),*];

        static ROWS: [Row; Code::AfterLast as usize] = [$($row,)* $($with_row),*];

        impl Op {
            /// The operator's place in the table.
            #[inline]
            pub(crate) const fn code(self) -> Code {
                match self {
                    $(Op::$plain => Code::$plain,)*
                    $(Op::$with { .. } => Code::$with,)*
                }
            }
        }
    };
}

operators! {
    plain {
        /// The truth value true.
        True = Row::new("true", Bools(0));
        /// The truth value false.
        False = Row::new("false", Bools(0));
        /// A bit-vector value; read it with `Terms::value`.
        Value = Row::unnamed(Own("a literal has a constructor of its own"));
        /// A numeral of sort Int, Real or Float, normalised; read it with `Terms::numeral`.
        Numeral = Row::unnamed(Own("a literal has a constructor of its own"));

        /// Negation.
        Not = Row::new("not", Bools(1));
        /// Conjunction of two or more.
        And = Row::new("and", AnyBools);
        /// Disjunction of two or more.
        Or = Row::new("or", AnyBools);
        /// Exclusive or of two truth values.
        Xor = Row::new("xor", Bools(2)).left();
        /// Implication.
        Implies = Row::new("=>", Bools(2)).right();
        /// Equality of two terms of one sort, Bool included.
        Eq = Row::bits("=", Equality, Test2(|a, b| a == b), NoCircuit).chain().commutes();
        /// Pairwise difference.
        Distinct = Row::new("distinct", Differences);
        /// If-then-else over any sort.
        Ite = Row::new("ite", Choice);

        /// Bitwise complement.
        BvNot = Row::bits("bvnot", Words(1), Word1(Bits::not), Wires);
        /// Two's complement negation.
        BvNeg = Row::bits("bvneg", Words(1), Word1(Bits::neg), Sum);
        /// Bitwise and.
        BvAnd = Row::bits("bvand", Words(2), Word2(Bits::and), Bitwise).left().commutes();
        /// Bitwise or.
        BvOr = Row::bits("bvor", Words(2), Word2(Bits::or), Bitwise).left().commutes();
        /// Bitwise exclusive or.
        BvXor = Row::bits("bvxor", Words(2), Word2(Bits::xor), Bitwise).left().commutes();
        /// Addition.
        BvAdd = Row::bits("bvadd", Words(2), Word2(Bits::add), Sum).left().commutes();
        /// Subtraction.
        BvSub = Row::bits("bvsub", Words(2), Word2(Bits::sub), Sum).left();
        /// Multiplication.
        BvMul = Row::bits("bvmul", Words(2), Word2(Bits::mul), Product).left().commutes();
        /// Unsigned division.
        BvUdiv = Row::bits("bvudiv", Words(2), Word2(Bits::udiv), Division);
        /// Unsigned remainder.
        BvUrem = Row::bits("bvurem", Words(2), Word2(Bits::urem), Division);
        /// Signed division, truncating.
        BvSdiv = Row::bits("bvsdiv", Words(2), Word2(Bits::sdiv), Division);
        /// Signed remainder, with the sign of the dividend.
        BvSrem = Row::bits("bvsrem", Words(2), Word2(Bits::srem), Division);
        /// Shift left.
        BvShl = Row::bits("bvshl", Words(2), Word2(Bits::shl), Shift);
        /// Logical shift right.
        BvLshr = Row::bits("bvlshr", Words(2), Word2(Bits::lshr), Shift);
        /// Arithmetic shift right.
        BvAshr = Row::bits("bvashr", Words(2), Word2(Bits::ashr), Shift);
        /// Unsigned less than.
        BvUlt = Row::bits("bvult", Test(2), Test2(Bits::ult), Compare).chain();
        /// Unsigned less or equal.
        BvUle = Row::bits("bvule", Test(2), Test2(Bits::ule), Compare).chain();
        /// Unsigned greater than.
        BvUgt = Row::bits("bvugt", Test(2), Test2(|a, b| b.ult(a)), Compare).chain();
        /// Unsigned greater or equal.
        BvUge = Row::bits("bvuge", Test(2), Test2(|a, b| b.ule(a)), Compare).chain();
        /// Signed less than.
        BvSlt = Row::bits("bvslt", Test(2), Test2(Bits::slt), Compare).chain();
        /// Signed less or equal.
        BvSle = Row::bits("bvsle", Test(2), Test2(Bits::sle), Compare).chain();
        /// Signed greater than.
        BvSgt = Row::bits("bvsgt", Test(2), Test2(|a, b| b.slt(a)), Compare).chain();
        /// Signed greater or equal.
        BvSge = Row::bits("bvsge", Test(2), Test2(|a, b| b.sle(a)), Compare).chain();
        /// Whether unsigned addition overflows.
        BvUaddo = Row::bits("bvuaddo", Test(2), Test2(Bits::uaddo), SumOverflow).commutes();
        /// Whether signed addition overflows.
        BvSaddo = Row::bits("bvsaddo", Test(2), Test2(Bits::saddo), SumOverflow).commutes();
        /// Whether unsigned multiplication overflows.
        BvUmulo = Row::bits("bvumulo", Test(2), Test2(Bits::umulo), ProductOverflow).commutes();
        /// Whether signed multiplication overflows.
        BvSmulo = Row::bits("bvsmulo", Test(2), Test2(Bits::smulo), ProductOverflow).commutes();
        /// Whether signed subtraction overflows.
        BvSsubo = Row::bits("bvssubo", Test(2), Test2(Bits::ssubo), SumOverflow);
        /// Concatenation; the first argument is the high part.
        Concat = Row::bits("concat", Join, Word2(Bits::concat), Wires).left();

        /// Array read.
        Select = Row::new("select", Read);
        /// Array write.
        Store = Row::new("store", Write);
        /// The array that holds its argument everywhere; the sort is the node's.
        ConstArray = Row::unnamed(Own("a constant array has a constructor of its own"));
    }
    with {
        /// A variable or constant (no arguments) or an uninterpreted function applied to arguments.
        Symbol(Symbol) = Row::unnamed(Declared);
        /// Bits `high` down to `low`.
        Extract {
            /// The highest bit taken.
            high: u32,
            /// The lowest bit taken.
            low: u32,
        } = Row::bits("extract", Slice, Index2(Bits::extract), Wires);
        /// This many zero bits in front.
        ZeroExtend(u32) = Row::bits("zero_extend", Extend, Index1(Bits::zero_extend), Wires);
        /// This many copies of the sign bit in front.
        SignExtend(u32) = Row::bits("sign_extend", Extend, Index1(Bits::sign_extend), Wires);
        /// Arithmetic over Int and Real, only ever read as uninterpreted.
        Number(NumberOp) = Row::unnamed(Own("its row is that of the operator inside"));
        /// Floating point, only ever read as uninterpreted by solvers; the interpreter computes it.
        Fp(FpOp) = Row::unnamed(Own("its row is that of the operator inside"));
    }
}

impl Op {
    /// The row of the operator.
    #[inline]
    pub fn row(self) -> &'static Row {
        match self {
            Op::Number(op) => op.row(),
            Op::Fp(op) => op.row(),
            _ => &ROWS[self.code() as usize],
        }
    }
    /// The operator behind a name of SMT-LIB's without indices and rounding mode.
    pub(crate) fn named() -> impl Iterator<Item = (&'static str, Op)> {
        let numbers = NumberOp::ALL.iter().map(|&op| Op::Number(op));
        let floats = FpOp::ALL.iter().map(|&op| Op::Fp(op));
        let all = PLAIN.iter().copied().chain(numbers).chain(floats);
        all.map(|op| (op.row().name, op)).filter(|(name, op)| !name.is_empty() && op.row().mode.is_none())
    }
    /// The operator behind a name of SMT-LIB's with indices.
    pub(crate) fn indexed(name: &str, indices: &[u32]) -> Option<Op> {
        let candidates: &[Op] = match *indices {
            [high, low] => &[Op::Extract { high, low }],
            [by] => &[Op::ZeroExtend(by), Op::SignExtend(by)],
            _ => &[],
        };
        candidates.iter().copied().find(|op| op.row().name == name)
    }
    /// Operators without indices on this many bit-vectors, equality aside.
    pub fn on_bits(n_args: usize) -> impl Iterator<Item = Op> {
        PLAIN.iter().copied().filter(move |op| match op.row().sorts {
            Words(n) | Test(n) => n == n_args,
            Join => n_args == 2,
            _ => false,
        })
    }
    /// The indices behind the operator's name.
    pub(crate) fn indices(self) -> [Option<u32>; 2] {
        match self {
            Op::Extract { high, low } => [Some(high), Some(low)],
            Op::ZeroExtend(by) | Op::SignExtend(by) => [Some(by), None],
            _ => [None; 2],
        }
    }
}

macro_rules! inner_operators {
    ($(#[$enum_doc:meta])* $name:ident; $($(#[$doc:meta])* $op:ident = $row:expr;)*) => {
        $(#[$enum_doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[allow(missing_docs)]
        pub enum $name { $($(#[$doc])* $op,)* }

        impl $name {
            /// All of them, in the order of declaration.
            pub const ALL: &[$name] = &[$($name::$op),*];

            pub(crate) fn row(self) -> &'static Row {
                static ROWS: &[Row] = &[$($row),*];
                &ROWS[self as usize]
            }
        }
    };
}

inner_operators! {
    /// Operators over Int and Real.
    NumberOp;
    Add = Row::new("+", Numbers(2, Domain::Either, Range::Same)).left();
    Sub = Row::new("-", Numbers(2, Domain::Either, Range::Same)).left();
    /// Written `-` as well; readers distinguish the two by the number of arguments.
    Neg = Row::new("-", Numbers(1, Domain::Either, Range::Same));
    Mul = Row::new("*", Numbers(2, Domain::Either, Range::Same)).left();
    Div = Row::new("/", Numbers(2, Domain::Real, Range::Same)).left();
    IntDiv = Row::new("div", Numbers(2, Domain::Int, Range::Same)).left();
    Mod = Row::new("mod", Numbers(2, Domain::Int, Range::Same));
    Abs = Row::new("abs", Numbers(1, Domain::Int, Range::Same));
    Lt = Row::new("<", Numbers(2, Domain::Either, Range::Bool)).chain();
    Le = Row::new("<=", Numbers(2, Domain::Either, Range::Bool)).chain();
    Gt = Row::new(">", Numbers(2, Domain::Either, Range::Bool)).chain();
    Ge = Row::new(">=", Numbers(2, Domain::Either, Range::Bool)).chain();
    ToReal = Row::new("to_real", Numbers(1, Domain::Int, Range::Real));
    ToInt = Row::new("to_int", Numbers(1, Domain::Real, Range::Int));
    IsInt = Row::new("is_int", Numbers(1, Domain::Real, Range::Bool));
}

/// The result of a conversion does not follow from its argument.
const CONVERSION: Row = Row::unnamed(Own("a conversion needs the sort of its result"));

inner_operators! {
    /// Floating-point operators, rounding to nearest even unless the name says otherwise.
    ///
    /// The sorts of arguments and result give the formats.
    FpOp;
    Add = Row::new("fp.add", Floats(2, Range::Same)).rounding("RNE");
    Sub = Row::new("fp.sub", Floats(2, Range::Same)).rounding("RNE");
    Mul = Row::new("fp.mul", Floats(2, Range::Same)).rounding("RNE");
    Div = Row::new("fp.div", Floats(2, Range::Same)).rounding("RNE");
    /// C's `fmod`: the remainder of truncated division.
    Fmod = Row::new("fp.fmod", Floats(2, Range::Same));
    /// IEEE remainder (`fp.rem`).
    Rem = Row::new("fp.rem", Floats(2, Range::Same));
    Neg = Row::new("fp.neg", Floats(1, Range::Same));
    Abs = Row::new("fp.abs", Floats(1, Range::Same));
    Sqrt = Row::new("fp.sqrt", Floats(1, Range::Same)).rounding("RNE");
    /// Rounding to an integral value, as C's `floor`, `ceil`, `trunc`, `round` and `rint`.
    Floor = Row::new("fp.roundToIntegral", Floats(1, Range::Same)).rounding("RTN");
    Ceil = Row::new("fp.roundToIntegral", Floats(1, Range::Same)).rounding("RTP");
    Trunc = Row::new("fp.roundToIntegral", Floats(1, Range::Same)).rounding("RTZ");
    Round = Row::new("fp.roundToIntegral", Floats(1, Range::Same)).rounding("RNA");
    RoundEven = Row::new("fp.roundToIntegral", Floats(1, Range::Same)).rounding("RNE");
    Min = Row::new("fp.min", Floats(2, Range::Same));
    Max = Row::new("fp.max", Floats(2, Range::Same));
    /// IEEE equality: NaN differs from itself, the zeros are equal.
    Eq = Row::new("fp.eq", Floats(2, Range::Bool)).chain();
    Lt = Row::new("fp.lt", Floats(2, Range::Bool)).chain();
    Le = Row::new("fp.leq", Floats(2, Range::Bool)).chain();
    IsNan = Row::new("fp.isNaN", Floats(1, Range::Bool));
    IsInfinite = Row::new("fp.isInfinite", Floats(1, Range::Bool));
    IsNormal = Row::new("fp.isNormal", Floats(1, Range::Bool));
    IsSubnormal = Row::new("fp.isSubnormal", Floats(1, Range::Bool));
    IsZero = Row::new("fp.isZero", Floats(1, Range::Bool));
    IsNegative = Row::new("fp.isNegative", Floats(1, Range::Bool));
    /// To the node's float sort from another float sort.
    FromFloat = CONVERSION;
    /// To the node's float sort from a signed bit-vector.
    FromSigned = CONVERSION;
    /// To the node's float sort from an unsigned bit-vector.
    FromUnsigned = CONVERSION;
    /// To the node's bit-vector sort, rounding toward zero, as signed.
    ToSigned = CONVERSION;
    /// To the node's bit-vector sort, rounding toward zero, as unsigned.
    ToUnsigned = CONVERSION;
    /// The float whose IEEE encoding is the argument.
    FromBits = CONVERSION;
    /// The IEEE encoding of the argument.
    ToBits = Row::new("fp.to_ieee_bv", Floats(1, Range::Encoding));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_its_mode_and_number_of_arguments_belongs_to_one_operator() {
        let numbers = NumberOp::ALL.iter().map(|&op| Op::Number(op));
        let floats = FpOp::ALL.iter().map(|&op| Op::Fp(op));
        let indexed = [Op::Extract { high: 0, low: 0 }, Op::ZeroExtend(0), Op::SignExtend(0)];
        let mut seen = std::collections::BTreeSet::new();
        for op in PLAIN.iter().copied().chain(numbers).chain(floats).chain(indexed) {
            let row = op.row();
            let unary = matches!(row.sorts, Numbers(1, ..));
            assert!(row.name.is_empty() || seen.insert((row.name, row.mode, unary)), "{}", row.name);
        }
    }

    #[test]
    fn operators_that_commute_are_marked_and_no_others() {
        for op in Op::on_bits(2) {
            let row = op.row();
            let values = || (0..8).map(|value| Bits::from_u64(3, value));
            let holds = values().all(|a| {
                values().all(|b| {
                    let pair = [a.clone(), b.clone()];
                    let turned = [b, a.clone()];
                    crate::semantics::apply(op, &pair) == crate::semantics::apply(op, &turned)
                })
            });
            assert_eq!(row.commutes, holds, "{}", row.name);
        }
    }
}
