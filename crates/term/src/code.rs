//! Operators as a byte and a parameter, so that a node of the store is sixteen bytes.
//!
//! The high bit of an `Extract` is not kept: it follows from the low one and the width of the node.

use base::Id;

use crate::op::{FpOp, NumberOp, Op};
use crate::store::Symbol;

macro_rules! codes {
    ($($unit:ident)*; $($with:ident)*) => {
        /// The byte that stands for an operator.
        #[derive(Clone, Copy)]
        #[repr(u8)]
        enum Code { $($unit,)* $($with,)* }

        /// Operators without a parameter, at the place of their code.
        const UNITS: &[Op] = &[$(Op::$unit),*];

        /// Code and parameter of an operator.
        pub(crate) fn encode(op: Op) -> (u8, u32) {
            match op {
                $(Op::$unit => (Code::$unit as u8, 0),)*
                Op::Symbol(symbol) => (SYMBOL, symbol.index() as u32),
                Op::Extract { low, .. } => (EXTRACT, low),
                Op::ZeroExtend(by) => (ZERO_EXTEND, by),
                Op::SignExtend(by) => (SIGN_EXTEND, by),
                Op::RotateLeft(by) => (ROTATE_LEFT, by),
                Op::RotateRight(by) => (ROTATE_RIGHT, by),
                Op::Repeat(times) => (REPEAT, times),
                Op::Number(op) => (NUMBER, op as u32),
                Op::Fp(op) => (FP, op as u32),
            }
        }
    };
}

codes! {
    True False Value Numeral Not And Or Xor Implies Eq Distinct Ite
    BvNot BvNeg BvAnd BvOr BvXor BvNand BvNor BvXnor BvAdd BvSub BvMul BvUdiv BvUrem BvSdiv BvSrem BvSmod
    BvShl BvLshr BvAshr BvComp BvUlt BvUle BvUgt BvUge BvSlt BvSle BvSgt BvSge
    BvNego BvUaddo BvSaddo BvUmulo BvSmulo BvUsubo BvSsubo BvSdivo Concat Select Store ConstArray;
    Symbol WideValue Extract ZeroExtend SignExtend RotateLeft RotateRight Repeat Number Fp
}

/// The code of a bit-vector value of at most 64 bits, which is kept in the node.
pub(crate) const SMALL_VALUE: u8 = Code::Value as u8;
/// The code of a wider value, which is kept in a side table.
pub(crate) const WIDE_VALUE: u8 = Code::WideValue as u8;
/// The code of a numeral.
pub(crate) const NUMERAL: u8 = Code::Numeral as u8;
const SYMBOL: u8 = Code::Symbol as u8;
const EXTRACT: u8 = Code::Extract as u8;
const ZERO_EXTEND: u8 = Code::ZeroExtend as u8;
const SIGN_EXTEND: u8 = Code::SignExtend as u8;
const ROTATE_LEFT: u8 = Code::RotateLeft as u8;
const ROTATE_RIGHT: u8 = Code::RotateRight as u8;
const REPEAT: u8 = Code::Repeat as u8;
const NUMBER: u8 = Code::Number as u8;
const FP: u8 = Code::Fp as u8;

/// The operator behind code and parameter; `width` gives the width of the node where it matters.
pub(crate) fn decode(code: u8, parameter: u32, width: impl FnOnce() -> u32) -> Op {
    if let Some(&op) = UNITS.get(code as usize) {
        return op;
    }
    match code {
        WIDE_VALUE => Op::Value,
        SYMBOL => Op::Symbol(Symbol::new(parameter as usize)),
        EXTRACT => Op::Extract { high: parameter + width() - 1, low: parameter },
        ZERO_EXTEND => Op::ZeroExtend(parameter),
        SIGN_EXTEND => Op::SignExtend(parameter),
        ROTATE_LEFT => Op::RotateLeft(parameter),
        ROTATE_RIGHT => Op::RotateRight(parameter),
        REPEAT => Op::Repeat(parameter),
        NUMBER => Op::Number(NumberOp::ALL[parameter as usize]),
        FP => Op::Fp(FpOp::ALL[parameter as usize]),
        _ => unreachable!("only codes made by encode are decoded"),
    }
}
