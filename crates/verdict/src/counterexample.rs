//! Evidence that an error is reached: the values that the inputs take, in the order of the run.

use base::{Bits, FastMap};
use program::interp::{Inputs, Origin, Request};
use program::{AssertionId, InputId};

use crate::FunctionTable;

/// Inputs that drive the program as lowered into an error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counterexample {
    /// The assertion that fails.
    pub assertion: AssertionId,
    /// The values of the inputs, in the order of the run. What is missing is zero.
    pub inputs: Vec<InputValue>,
    /// What uninterpreted functions give; those that are missing are zero everywhere.
    pub functions: Vec<FunctionTable>,
}

/// One value of an input. For an array: an element at the index `offset`, or without one the element that
/// stands everywhere else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputValue {
    /// Which input.
    pub input: InputId,
    /// How often the run had asked for this input before.
    pub occurrence: u64,
    /// For memory of unspecified contents: the byte of the object where the value begins. For an array: the index.
    pub offset: Option<u64>,
    /// The value; a float by its encoding.
    pub value: Bits,
}

impl Counterexample {
    /// A supplier that answers with these values; what is missing is zero.
    pub fn script(&self) -> Script {
        let mut script = Script {
            values: FastMap::new(),
            bytes: FastMap::new(),
            elements: FastMap::new(),
            indices: FastMap::new(),
            functions: self.functions.clone(),
        };
        for given in &self.inputs {
            match given.offset {
                None => {
                    script.values.insert((given.input, given.occurrence), given.value.clone());
                }
                Some(offset) => {
                    let key = (given.input, given.occurrence);
                    script.elements.insert((key.0, key.1, offset), given.value.clone());
                    script.indices.get_or_insert_with(key, Vec::new).push(offset);
                    for byte in 0..given.value.width().div_ceil(8) {
                        let high = (8 * byte + 7).min(given.value.width() - 1);
                        let value = given.value.extract(high, 8 * byte).to_u64().unwrap_or(0);
                        let at = offset.wrapping_add(u64::from(byte));
                        script.bytes.insert((given.input, given.occurrence, at), value as u8);
                    }
                }
            }
        }
        script
    }
}

/// The inputs of a counterexample, ready to be asked for: memory byte by byte, since a run may read it in other pieces.
pub struct Script {
    values: FastMap<(InputId, u64), Bits>,
    bytes: FastMap<(InputId, u64, u64), u8>,
    /// The same values as elements of arrays, by index.
    elements: FastMap<(InputId, u64, u64), Bits>,
    indices: FastMap<(InputId, u64), Vec<u64>>,
    functions: Vec<FunctionTable>,
}

impl Inputs for Script {
    fn value(&mut self, request: &Request<'_>) -> u128 {
        let Origin::Input(input) = request.origin else { return 0 };
        match request.offset {
            Some(index) if request.is_element => {
                let element = self.elements.get(&(input, request.occurrence, index));
                let value = element.or_else(|| self.values.get(&(input, request.occurrence)));
                value.and_then(|value| value.resize_unsigned(request.width).to_u128()).unwrap_or(0)
            }
            None => {
                let Some(value) = self.values.get(&(input, request.occurrence)) else { return 0 };
                // Wide values are asked for in pieces, the low one first.
                let low = 128 * request.piece;
                let high = (low + request.width).min(value.width());
                if low >= high { 0 } else { value.extract(high - 1, low).to_u128().unwrap_or(0) }
            }
            Some(offset) => {
                let byte = |at: u32| {
                    let key = (input, request.occurrence, offset.wrapping_add(u64::from(at)));
                    u128::from(self.bytes.get(&key).copied().unwrap_or(0))
                };
                (0..request.width.div_ceil(8)).fold(0, |value, at| value | byte(at) << (8 * at))
            }
        }
    }
    fn choose(&mut self, _: usize) -> usize {
        0
    }
    fn indices(&mut self, input: InputId, occurrence: u64) -> Option<Vec<u64>> {
        Some(self.indices.get(&(input, occurrence)).cloned().unwrap_or_default())
    }
    fn apply(&mut self, function: &str, args: &[u128]) -> u128 {
        self.functions.iter().find(|table| table.name == function).map_or(0, |table| table.value(args))
    }
}

#[cfg(test)]
mod tests {
    use base::Id;
    use program::Shown;

    use super::*;

    fn ask(script: &mut Script, occurrence: u64, offset: Option<u64>, width: u32, piece: u32) -> u128 {
        let origin = Origin::Input(InputId::new(0));
        script.value(&Request {
            origin,
            info: None,
            width,
            shown: Shown::Unsigned,
            occurrence,
            offset,
            piece,
            is_element: false,
        })
    }

    #[test]
    fn values_are_found_by_occurrence_and_memory_by_byte() {
        let input = InputId::new(0);
        let given = |occurrence, offset, value| InputValue { input, occurrence, offset, value };
        let inputs = vec![
            given(0, None, Bits::from_u64(32, 7)),
            given(2, None, Bits::from_u128(128, 5).concat(&Bits::from_u128(128, 6))),
            given(1, Some(4), Bits::from_u64(32, 0x0403_0201)),
        ];
        let functions = vec![FunctionTable { name: "f".to_owned(), rows: vec![(vec![1, 2], 5)], otherwise: 9 }];
        let mut script = Counterexample { assertion: AssertionId::new(0), inputs, functions }.script();
        assert_eq!((script.apply("f", &[1, 2]), script.apply("f", &[2, 1]), script.apply("g", &[1])), (5, 9, 0));
        assert_eq!(ask(&mut script, 0, None, 32, 0), 7);
        assert_eq!(ask(&mut script, 1, None, 32, 0), 0);
        assert_eq!((ask(&mut script, 2, None, 128, 0), ask(&mut script, 2, None, 128, 1)), (6, 5));
        assert_eq!(ask(&mut script, 1, Some(4), 32, 0), 0x0403_0201);
        assert_eq!(ask(&mut script, 1, Some(5), 8, 0), 2);
        assert_eq!(ask(&mut script, 1, Some(6), 32, 0), 0x0403);
    }
}
