//! Words of SMT-LIB that stand for operators, from the operator table.

use base::FastMap;

use crate::op::{FpOp, NumberOp, Op};

/// Operators by name, for a reader. Those with indices or a rounding mode are found otherwise.
pub(super) fn by_name() -> FastMap<&'static str, Op> {
    let mut operators = FastMap::new();
    // Negation shares its name with subtraction and is told from it by the number of arguments.
    for (name, op) in Op::named().filter(|(_, op)| *op != Op::Number(NumberOp::Neg)) {
        operators.insert(name, op);
    }
    operators
}

/// Floating-point operators that take a rounding mode, with the one we have.
pub(super) fn rounded() -> impl Iterator<Item = (&'static str, &'static str, FpOp)> {
    FpOp::ALL.iter().filter_map(|&op| op.row().mode.map(|mode| (op.row().name, mode, op)))
}

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
