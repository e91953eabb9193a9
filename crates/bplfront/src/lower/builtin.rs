//! Functions that stand for operators of the solver: `{:bvbuiltin "bvadd"}`.

use term::{Cost, Function};

/// The operator of this name on bit-vectors, with its indices behind it: `zero_extend 24`.
pub(super) fn operator(name: &str) -> Option<Function> {
    let mut words = name.split_whitespace();
    let name = words.next()?;
    let indices: Vec<u32> = words.map(|word| word.parse().ok()).collect::<Option<_>>()?;
    // The sorts are checked when it is applied; this bounds what a mistake can cost.
    if indices.iter().any(|&index| index > term::MAX_WIDTH) {
        return None;
    }
    Function::named(name, &indices).filter(|function| function.row().cost != Cost::NoCircuit)
}
