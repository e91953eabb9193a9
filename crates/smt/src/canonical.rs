//! One way to write each value.
//!
//! An array is a default and the places that differ from it. Over few indices that is not unique: with an entry at every
//! place the default is nowhere, and `0` everywhere but at one of two places is also the other value everywhere but at the
//! other place. A lookup in a table must use the same form as the construction of the table.
//!
//! The default that is written is the element at more than half of the places; if no element has that many places, the least element.

use base::Bits;
use term::{ArrayValue, Value};

/// The value, written so that equal values are the same.
pub(crate) fn canonical(value: &Value) -> Value {
    let Value::Array(array) = value else { return value.clone() };
    let mut tidy = ArrayValue::constant(canonical(array.default()));
    for (index, element) in array.entries() {
        tidy.write(canonical(index), canonical(element));
    }
    let n_entries = tidy.entries().len() as u64;
    let Some(indices) = all_indices(tidy.entries().keys().next(), 2 * n_entries) else {
        return Value::Array(Box::new(tidy));
    };
    // So few places that another default could be written as well.
    let mut elements: Vec<&Value> = indices.iter().map(|index| tidy.read(index)).collect();
    elements.sort_unstable();
    let runs = || elements.chunk_by(|a, b| a == b);
    let most = runs().find(|run| 2 * run.len() > elements.len()).or_else(|| runs().next());
    let default = most.map_or_else(|| tidy.default().clone(), |run| run[0].clone());
    let mut written = ArrayValue::constant(default);
    for index in &indices {
        written.write(index.clone(), tidy.read(index).clone());
    }
    Value::Array(Box::new(written))
}

/// All values of the sort of this one, if there are at most `most`.
fn all_indices(sample: Option<&Value>, most: u64) -> Option<Vec<Value>> {
    match sample? {
        Value::Bool(_) => Some(vec![Value::Bool(false), Value::Bool(true)]),
        Value::Bits(bits) => {
            let width = bits.width();
            let size = 1u64.checked_shl(width).filter(|&size| size <= most)?;
            Some((0..size).map(|number| Value::Bits(Bits::from_u64(width, number))).collect())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_arrays_are_written_in_one_way() {
        let number = |width, value| Value::Bits(Bits::from_u64(width, value));
        for width in [1, 2, 3] {
            let size = 1u64 << width;
            // All arrays of three elements, each written with each default.
            for code in 0..3u64.pow(size as u32) {
                let element = |index: u64| number(2, code / 3u64.pow(index as u32) % 3);
                let ways: Vec<Value> = (0..4)
                    .map(|default| {
                        let mut array = ArrayValue::constant(number(2, default));
                        (0..size).for_each(|index| array.write(number(width, index), element(index)));
                        canonical(&Value::Array(Box::new(array)))
                    })
                    .collect();
                assert!(ways.windows(2).all(|pair| pair[0] == pair[1]), "{ways:?}");
                let Value::Array(array) = &ways[0] else { panic!("it is an array") };
                assert!((0..size).all(|index| *array.read(&number(width, index)) == element(index)));
            }
        }
    }
}
