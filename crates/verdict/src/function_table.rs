//! What an uninterpreted function gives: part of a counterexample, since errors of uninterpreted programs are errors for
//! some choice of the functions.

/// A function by its table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionTable {
    /// The name of the symbol.
    pub name: String,
    /// Arguments and values; no arguments stand twice. A truth value is zero or one, an element of an uninterpreted
    /// sort is a number.
    pub rows: Vec<(Vec<u128>, u128)>,
    /// The value everywhere else.
    pub otherwise: u128,
}

impl FunctionTable {
    /// What the function gives.
    pub fn value(&self, args: &[u128]) -> u128 {
        self.rows.iter().find(|(row, _)| row == args).map_or(self.otherwise, |(_, value)| *value)
    }
}
