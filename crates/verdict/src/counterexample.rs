//! Evidence that an error is reached: the values that the inputs take, in the order of the run.

use base::Bits;
use program::{AssertionId, InputId};

/// Inputs that drive the program as lowered into an error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counterexample {
    /// The assertion that fails.
    pub assertion: AssertionId,
    /// For each input its values in the order in which a run asks for them. An input that is missing, or asked for
    /// more often, is zero.
    pub inputs: Vec<InputValue>,
}

/// One value of an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputValue {
    /// Which input.
    pub input: InputId,
    /// For memory of unspecified contents: the byte of the object that is read first.
    pub offset: Option<u64>,
    /// The value; a float by its encoding.
    pub value: Bits,
}
