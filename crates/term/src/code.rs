//! Operators as a byte and a parameter, so that a node of the store is sixteen bytes.
//!
//! The byte is the place of the operator's row in the table.
//! The high bit of an `Extract` is not kept: it follows from the low one and the width of the node.

use base::Id;

use crate::op::{Code, FpOp, NumberOp, Op, PLAIN};
use crate::store::Symbol;

/// Code and parameter of an operator.
pub(crate) fn encode(op: Op) -> (u8, u32) {
    let parameter = match op {
        Op::Symbol(symbol) => symbol.index() as u32,
        Op::Extract { low, .. } => low,
        Op::ZeroExtend(by) | Op::SignExtend(by) => by,
        Op::Number(op) => op as u32,
        Op::Fp(op) => op as u32,
        _ => 0,
    };
    (op.code() as u8, parameter)
}

/// The code of a bit-vector value of at most 64 bits, which is kept in the node.
pub(crate) const SMALL_VALUE: u8 = Code::Value as u8;
/// The code of a wider value, which is kept in a side table.
pub(crate) const WIDE_VALUE: u8 = Code::AfterLast as u8;
/// The code of a numeral.
pub(crate) const NUMERAL: u8 = Code::Numeral as u8;
const SYMBOL: u8 = Code::Symbol as u8;
const EXTRACT: u8 = Code::Extract as u8;
const ZERO_EXTEND: u8 = Code::ZeroExtend as u8;
const SIGN_EXTEND: u8 = Code::SignExtend as u8;
const NUMBER: u8 = Code::Number as u8;
const FP: u8 = Code::Fp as u8;

/// The operator behind code and parameter; `width` gives the width of the node where it matters.
pub(crate) fn decode(code: u8, parameter: u32, width: impl FnOnce() -> u32) -> Op {
    if let Some(&op) = PLAIN.get(code as usize) {
        return op;
    }
    match code {
        WIDE_VALUE => Op::Value,
        SYMBOL => Op::Symbol(Symbol::new(parameter as usize)),
        EXTRACT => Op::Extract { high: parameter + width() - 1, low: parameter },
        ZERO_EXTEND => Op::ZeroExtend(parameter),
        SIGN_EXTEND => Op::SignExtend(parameter),
        NUMBER => Op::Number(NumberOp::ALL[parameter as usize]),
        FP => Op::Fp(FpOp::ALL[parameter as usize]),
        _ => unreachable!("only codes made by encode are decoded"),
    }
}
