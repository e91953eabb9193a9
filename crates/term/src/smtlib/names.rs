//! Words of SMT-LIB that stand for operators, from the operator table.

use base::FastMap;

use crate::derived::Function;
use crate::op::{FpOp, NumberOp, Op};

/// Operators by name, for a reader. Those with indices or a rounding mode are found otherwise.
pub(super) fn by_name() -> FastMap<&'static str, Function> {
    let mut operators = FastMap::new();
    // Negation shares its name with subtraction and differs from it by the number of arguments.
    for (name, function) in Function::all().filter(|(_, f)| *f != Function::Op(Op::Number(NumberOp::Neg))) {
        operators.insert(name, function);
    }
    operators
}

/// Floating-point operators that take a rounding mode, with the one we have.
pub(super) fn rounded() -> impl Iterator<Item = (&'static str, &'static str, FpOp)> {
    FpOp::ALL.iter().filter_map(|&op| op.row().mode.map(|mode| (op.row().name, mode, op)))
}

/// Words that mean something in a term or sort without being an operator of the table.
const WORDS: &[&str] = &[
    "!",
    "->",
    "Array",
    "Bool",
    "Float128",
    "Float16",
    "Float32",
    "Float64",
    "Int",
    "RNA",
    "RNE",
    "RTN",
    "RTP",
    "RTZ",
    "Real",
    "_",
    "as",
    "const",
    "exists",
    "forall",
    "fp",
    "fp.geq",
    "fp.gt",
    "fp.isPositive",
    "let",
    "match",
    "roundNearestTiesToAway",
    "roundNearestTiesToEven",
    "roundTowardNegative",
    "roundTowardPositive",
    "roundTowardZero",
];

/// The words that a text form reserves where names between bars are apart from words.
pub struct Words {
    known: FastMap<&'static str, ()>,
}

impl Words {
    /// All words of terms and sorts.
    pub fn new() -> Words {
        let mut known = FastMap::new();
        let plain = Function::all().map(|(name, _)| name);
        for name in plain.chain(rounded().map(|(name, ..)| name)).chain(WORDS.iter().copied()) {
            known.insert(name, ());
        }
        Words { known }
    }
    /// Whether the bare word is not free for users, so that their symbol of this name stands between bars.
    pub fn is_reserved(&self, word: &str) -> bool {
        self.known.contains_key(word)
    }
}

impl Default for Words {
    fn default() -> Words {
        Words::new()
    }
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
