//! The lines of a counterexample: the values of its inputs.

use base::{Bits, Id};
use program::AssertionId;
use verdict::{Counterexample, InputValue};

use super::fields::{Lines, Write, Wrong, numbers};
use crate::tuning::Tuning;

/// Adds the lines; nothing if the run needs more than values of inputs.
pub fn write(out: &mut String, run: &Counterexample) -> Option<()> {
    if !run.functions.is_empty() {
        return None;
    }
    out.line(&["run", &run.assertion.index().to_string()]);
    for value in &run.inputs {
        let offset = value.offset.map_or("-".to_owned(), |offset| offset.to_string());
        let (width, words) = (value.value.width(), numbers(value.value.words()));
        out.line(&["value", &format!("{} {} {offset} {width} {words}", value.input.index(), value.occurrence)]);
    }
    Some(())
}

/// Reads the lines.
pub fn read(lines: &mut Lines<'_>) -> Result<Counterexample, Wrong> {
    let assertion: AssertionId = lines.expect("run")?.id()?;
    let mut inputs = Vec::new();
    while let Some(mut fields) = lines.take("value") {
        let (input, occurrence, offset) = (fields.id()?, fields.number()?, fields.option()?);
        let width: u32 = fields.number()?;
        let words: Vec<u64> = fields.numbers()?;
        if width == 0 || width > Tuning::DEFAULT.max_cached_value_bits || words.len() != width.div_ceil(64) as usize {
            return Err("a value is wrong".to_owned());
        }
        inputs.push(InputValue { input, occurrence, offset, value: Bits::from_words(width, &words) });
    }
    lines.end()?;
    Ok(Counterexample { assertion, inputs, functions: Vec::new() })
}
