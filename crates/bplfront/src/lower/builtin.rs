//! Functions that stand for operators of the solver: `{:bvbuiltin "bvadd"}`.

use term::Op;

/// The operator of this name on bit-vectors.
pub(super) fn operator(name: &str) -> Option<Op> {
    Some(match name {
        "bvnot" => Op::BvNot,
        "bvneg" => Op::BvNeg,
        "bvand" => Op::BvAnd,
        "bvor" => Op::BvOr,
        "bvxor" => Op::BvXor,
        "bvnand" => Op::BvNand,
        "bvnor" => Op::BvNor,
        "bvxnor" => Op::BvXnor,
        "bvadd" => Op::BvAdd,
        "bvsub" => Op::BvSub,
        "bvmul" => Op::BvMul,
        "bvudiv" => Op::BvUdiv,
        "bvurem" => Op::BvUrem,
        "bvsdiv" => Op::BvSdiv,
        "bvsrem" => Op::BvSrem,
        "bvsmod" => Op::BvSmod,
        "bvshl" => Op::BvShl,
        "bvlshr" => Op::BvLshr,
        "bvashr" => Op::BvAshr,
        "bvcomp" => Op::BvComp,
        "bvult" => Op::BvUlt,
        "bvule" => Op::BvUle,
        "bvugt" => Op::BvUgt,
        "bvuge" => Op::BvUge,
        "bvslt" => Op::BvSlt,
        "bvsle" => Op::BvSle,
        "bvsgt" => Op::BvSgt,
        "bvsge" => Op::BvSge,
        _ => {
            let mut words = name.split_whitespace();
            let (operator, by) = (words.next()?, words.next()?.parse().ok()?);
            // The sorts are checked when it is applied; this bounds what a mistake can cost.
            if by > term::MAX_WIDTH {
                return None;
            }
            match operator {
                "zero_extend" => Op::ZeroExtend(by),
                "sign_extend" => Op::SignExtend(by),
                _ => return None,
            }
        }
    })
}
