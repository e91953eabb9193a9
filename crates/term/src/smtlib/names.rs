//! How operators are called.

use crate::op::{FpOp, NumberOp, Op};

/// Operators without parameters and their names.
pub(super) const PLAIN: &[(&str, Op)] = &[
    ("true", Op::True),
    ("false", Op::False),
    ("not", Op::Not),
    ("and", Op::And),
    ("or", Op::Or),
    ("xor", Op::Xor),
    ("=>", Op::Implies),
    ("=", Op::Eq),
    ("distinct", Op::Distinct),
    ("ite", Op::Ite),
    ("bvnot", Op::BvNot),
    ("bvneg", Op::BvNeg),
    ("bvand", Op::BvAnd),
    ("bvor", Op::BvOr),
    ("bvxor", Op::BvXor),
    ("bvnand", Op::BvNand),
    ("bvnor", Op::BvNor),
    ("bvxnor", Op::BvXnor),
    ("bvadd", Op::BvAdd),
    ("bvsub", Op::BvSub),
    ("bvmul", Op::BvMul),
    ("bvudiv", Op::BvUdiv),
    ("bvurem", Op::BvUrem),
    ("bvsdiv", Op::BvSdiv),
    ("bvsrem", Op::BvSrem),
    ("bvsmod", Op::BvSmod),
    ("bvshl", Op::BvShl),
    ("bvlshr", Op::BvLshr),
    ("bvashr", Op::BvAshr),
    ("bvcomp", Op::BvComp),
    ("bvult", Op::BvUlt),
    ("bvule", Op::BvUle),
    ("bvugt", Op::BvUgt),
    ("bvuge", Op::BvUge),
    ("bvslt", Op::BvSlt),
    ("bvsle", Op::BvSle),
    ("bvsgt", Op::BvSgt),
    ("bvsge", Op::BvSge),
    ("bvnego", Op::BvNego),
    ("bvuaddo", Op::BvUaddo),
    ("bvsaddo", Op::BvSaddo),
    ("bvumulo", Op::BvUmulo),
    ("bvsmulo", Op::BvSmulo),
    ("bvusubo", Op::BvUsubo),
    ("bvssubo", Op::BvSsubo),
    ("bvsdivo", Op::BvSdivo),
    ("concat", Op::Concat),
    ("select", Op::Select),
    ("store", Op::Store),
    ("+", Op::Number(NumberOp::Add)),
    ("-", Op::Number(NumberOp::Sub)),
    ("*", Op::Number(NumberOp::Mul)),
    ("/", Op::Number(NumberOp::Div)),
    ("div", Op::Number(NumberOp::IntDiv)),
    ("mod", Op::Number(NumberOp::Mod)),
    ("abs", Op::Number(NumberOp::Abs)),
    ("<", Op::Number(NumberOp::Lt)),
    ("<=", Op::Number(NumberOp::Le)),
    (">", Op::Number(NumberOp::Gt)),
    (">=", Op::Number(NumberOp::Ge)),
    ("to_real", Op::Number(NumberOp::ToReal)),
    ("to_int", Op::Number(NumberOp::ToInt)),
    ("is_int", Op::Number(NumberOp::IsInt)),
    ("fp.fmod", Op::Fp(FpOp::Fmod)),
    ("fp.rem", Op::Fp(FpOp::Rem)),
    ("fp.neg", Op::Fp(FpOp::Neg)),
    ("fp.abs", Op::Fp(FpOp::Abs)),
    ("fp.min", Op::Fp(FpOp::Min)),
    ("fp.max", Op::Fp(FpOp::Max)),
    ("fp.eq", Op::Fp(FpOp::Eq)),
    ("fp.lt", Op::Fp(FpOp::Lt)),
    ("fp.leq", Op::Fp(FpOp::Le)),
    ("fp.isNaN", Op::Fp(FpOp::IsNan)),
    ("fp.isInfinite", Op::Fp(FpOp::IsInfinite)),
    ("fp.isNormal", Op::Fp(FpOp::IsNormal)),
    ("fp.isSubnormal", Op::Fp(FpOp::IsSubnormal)),
    ("fp.isZero", Op::Fp(FpOp::IsZero)),
    ("fp.isNegative", Op::Fp(FpOp::IsNegative)),
    ("fp.to_ieee_bv", Op::Fp(FpOp::ToBits)),
];

/// Floating-point operators that take a rounding mode, with the one we have.
pub(super) const ROUNDED: &[(&str, &str, FpOp)] = &[
    ("fp.add", "RNE", FpOp::Add),
    ("fp.sub", "RNE", FpOp::Sub),
    ("fp.mul", "RNE", FpOp::Mul),
    ("fp.div", "RNE", FpOp::Div),
    ("fp.sqrt", "RNE", FpOp::Sqrt),
    ("fp.roundToIntegral", "RTN", FpOp::Floor),
    ("fp.roundToIntegral", "RTP", FpOp::Ceil),
    ("fp.roundToIntegral", "RTZ", FpOp::Trunc),
    ("fp.roundToIntegral", "RNA", FpOp::Round),
    ("fp.roundToIntegral", "RNE", FpOp::RoundEven),
];

/// Rounding modes by their short names; the long ones mean the same.
pub(super) fn rounding_mode(name: &str) -> Option<&'static str> {
    Some(match name {
        "RNE" | "roundNearestTiesToEven" => "RNE",
        "RNA" | "roundNearestTiesToAway" => "RNA",
        "RTP" | "roundTowardPositive" => "RTP",
        "RTN" | "roundTowardNegative" => "RTN",
        "RTZ" | "roundTowardZero" => "RTZ",
        _ => return None,
    })
}

/// The operator of this name.
pub(super) fn plain(name: &str) -> Option<Op> {
    PLAIN.iter().find(|(known, _)| *known == name).map(|&(_, op)| op)
}
/// The name of an operator without parameters.
pub(super) fn name_of(op: Op) -> Option<&'static str> {
    PLAIN.iter().find(|(_, known)| *known == op).map(|&(name, _)| name)
}
