//! What the bit-vector operators mean, on values: the one place that the simplifier's constant
//! folding and the evaluator share.

use base::Bits;

use crate::op::Op;

/// A truth value or a bit-vector value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Scalar {
    /// A truth value.
    Bool(bool),
    /// A bit-vector.
    Bits(Bits),
}

/// The operator on values; `None` if it is not an operator from bit-vectors only.
pub fn apply(op: Op, args: &[Bits]) -> Option<Scalar> {
    match args {
        [a] => unary(op, a),
        [a, b] => binary(op, a, b),
        _ => None,
    }
}

fn unary(op: Op, a: &Bits) -> Option<Scalar> {
    Some(Scalar::Bits(match op {
        Op::BvNot => a.not(),
        Op::BvNeg => a.neg(),
        Op::Extract { high, low } => a.extract(high, low),
        Op::ZeroExtend(by) => a.zero_extend(by),
        Op::SignExtend(by) => a.sign_extend(by),
        Op::RotateLeft(by) => a.rotate_left(by),
        Op::RotateRight(by) => a.rotate_right(by),
        Op::Repeat(times) => a.repeat(times),
        Op::BvNego => return Some(Scalar::Bool(a.nego())),
        _ => return None,
    }))
}

fn binary(op: Op, a: &Bits, b: &Bits) -> Option<Scalar> {
    let bits = match op {
        Op::BvAnd => a.and(b),
        Op::BvOr => a.or(b),
        Op::BvXor => a.xor(b),
        Op::BvNand => a.nand(b),
        Op::BvNor => a.nor(b),
        Op::BvXnor => a.xnor(b),
        Op::BvAdd => a.add(b),
        Op::BvSub => a.sub(b),
        Op::BvMul => a.mul(b),
        Op::BvUdiv => a.udiv(b),
        Op::BvUrem => a.urem(b),
        Op::BvSdiv => a.sdiv(b),
        Op::BvSrem => a.srem(b),
        Op::BvSmod => a.smod(b),
        Op::BvShl => a.shl(b),
        Op::BvLshr => a.lshr(b),
        Op::BvAshr => a.ashr(b),
        Op::BvComp => a.comp(b),
        Op::Concat => a.concat(b),
        _ => return predicate(op, a, b).map(Scalar::Bool),
    };
    Some(Scalar::Bits(bits))
}

fn predicate(op: Op, a: &Bits, b: &Bits) -> Option<bool> {
    Some(match op {
        Op::Eq => a == b,
        Op::BvUlt => a.ult(b),
        Op::BvUle => a.ule(b),
        Op::BvUgt => b.ult(a),
        Op::BvUge => b.ule(a),
        Op::BvSlt => a.slt(b),
        Op::BvSle => a.sle(b),
        Op::BvSgt => b.slt(a),
        Op::BvSge => b.sle(a),
        Op::BvUaddo => a.uaddo(b),
        Op::BvSaddo => a.saddo(b),
        Op::BvUmulo => a.umulo(b),
        Op::BvSmulo => a.smulo(b),
        Op::BvUsubo => a.usubo(b),
        Op::BvSsubo => a.ssubo(b),
        Op::BvSdivo => a.sdivo(b),
        _ => return None,
    })
}
