//! How operators are written: SMT-LIB's names, used by the printer and the reader of terms alike.

use base::FastMap;
use term::{FpOp, NumberOp, Op};

/// Operators that are written as one word and whose result follows from their arguments.
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

/// Float operators that are written with a rounding mode in front of their arguments.
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

/// Words that mean something in a term without being an operator of their own.
const RESERVED: &[&str] = &["let", "_", "as", "const", "->", "Bool", "Int", "Real", "Array", "!", "forall", "exists"];

/// The tables, ready to be asked.
pub(super) struct Operators {
    by_name: FastMap<&'static str, Op>,
    by_op: FastMap<Op, &'static str>,
    reserved: FastMap<&'static str, ()>,
}

impl Operators {
    pub(super) fn new() -> Self {
        let mut tables = Operators { by_name: FastMap::new(), by_op: FastMap::new(), reserved: FastMap::new() };
        for &(name, op) in PLAIN {
            tables.by_name.insert(name, op);
            tables.by_op.insert(op, name);
        }
        // A minus before one argument is negation; the reader tells them apart by counting.
        tables.by_op.insert(Op::Number(NumberOp::Neg), "-");
        let plain = PLAIN.iter().map(|&(name, _)| name);
        let rounded = ROUNDED.iter().map(|&(name, _, _)| name);
        for name in plain.chain(rounded).chain(RESERVED.iter().copied()) {
            tables.reserved.insert(name, ());
        }
        tables
    }
    /// The operator written as this one word.
    pub(super) fn named(&self, name: &str) -> Option<Op> {
        self.by_name.get(name).copied()
    }
    /// The one word for this operator.
    pub(super) fn name(&self, op: Op) -> Option<&'static str> {
        self.by_op.get(&op).copied()
    }
    /// Whether the bare word is not free for users, so that their symbol of this name is quoted.
    pub(super) fn is_reserved(&self, name: &str) -> bool {
        self.reserved.contains_key(name)
    }
}
