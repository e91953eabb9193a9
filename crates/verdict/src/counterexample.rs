//! Evidence that an error is reached: the values that the inputs take, in the order of the run.

use std::collections::VecDeque;

use base::{Bits, FastMap};
use program::interp::{Inputs, Origin, Request};
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

impl Counterexample {
    /// A supplier that answers with these values: each input has a queue for each byte of memory it is asked about; what
    /// is missing is zero.
    pub fn script(&self) -> Script {
        let mut values: FastMap<(InputId, Option<u64>), VecDeque<Bits>> = FastMap::new();
        for given in &self.inputs {
            values.get_or_insert_with((given.input, given.offset), VecDeque::new).push_back(given.value.clone());
        }
        Script { values }
    }
}

/// The inputs of a counterexample, ready to be asked for.
pub struct Script {
    values: FastMap<(InputId, Option<u64>), VecDeque<Bits>>,
}

impl Inputs for Script {
    fn value(&mut self, request: &Request<'_>) -> u128 {
        let Origin::Input(input) = request.origin else { return 0 };
        let Some(queue) = self.values.get_mut(&(input, request.offset)) else { return 0 };
        let Some(value) = queue.pop_front() else { return 0 };
        // Wide values are asked for in pieces, the low one first.
        if value.width() > request.width && request.width == 128 {
            queue.push_front(value.extract(value.width() - 1, 128));
            return value.extract(127, 0).to_u128().unwrap_or(0);
        }
        value.extract(value.width().min(request.width) - 1, 0).to_u128().unwrap_or(0)
    }
    fn choose(&mut self, _: usize) -> usize {
        0
    }
}
