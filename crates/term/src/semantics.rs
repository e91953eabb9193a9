//! What the bit-vector operators mean, on values: the one place that the simplifier's constant
//! folding and the evaluator share. The functions stand in the operator table.

use base::Bits;

use crate::op::Op;
use crate::row::{Meaning, Row};

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
    value(op.row(), op.indices(), args)
}

/// The meaning that stands in the row, with the operator's indices.
pub(crate) fn value(row: &Row, indices: [Option<u32>; 2], args: &[Bits]) -> Option<Scalar> {
    Some(match (row.value, args, indices) {
        (Meaning::Word1(value), [a], _) => Scalar::Bits(value(a)),
        (Meaning::Word2(value), [a, b], _) => Scalar::Bits(value(a, b)),
        (Meaning::Test1(holds), [a], _) => Scalar::Bool(holds(a)),
        (Meaning::Test2(holds), [a, b], _) => Scalar::Bool(holds(a, b)),
        (Meaning::Index1(value), [a], [Some(index), _]) => Scalar::Bits(value(a, index)),
        (Meaning::Index2(value), [a], [Some(first), Some(second)]) => Scalar::Bits(value(a, first, second)),
        _ => return None,
    })
}
