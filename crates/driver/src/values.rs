//! Input values as people write them, and the supplier that hands them to a run.
//!
//! Numbers are separated by white space or commas; `#` starts a comment:
//!
//! ```text
//! 3 -1        # for the first two calls of __VERIFIER_nondet_*
//! 0x1F        # hexadecimal; for a float: its encoding
//! 2.5 -inf    # floats
//! @7          # for the first other input: an uninitialised variable, fresh memory, a choice
//! ```
//!
//! `run` prints the inputs that it consumed in this form, so a run can be repeated. Where values
//! are missing the answer is zero.

use std::collections::VecDeque;

use program::interp::{Inputs, Origin, Request, double_of_long_double, long_double};
use program::{Input, InputKind, Shown};

/// One value for one input of the program.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Value {
    /// A decimal integer; the input takes as many low bits as it has.
    Integer(i128),
    /// The bits themselves, written in hexadecimal.
    Bits(u128),
    /// A floating-point number.
    Float(f64),
}

/// The values of a file, handed out in order.
#[derive(Clone, Default, Debug, PartialEq)]
pub struct FileInputs {
    /// For calls of `__VERIFIER_nondet_*`.
    nondet: VecDeque<Value>,
    /// For everything else.
    other: VecDeque<Value>,
    /// How many calls of `__VERIFIER_nondet_*` came after the last value.
    pub missing: u64,
    /// How many floats were given to integer inputs and cut.
    pub cut: u64,
}

impl FileInputs {
    /// Reads all values; the error names the line.
    pub fn parse(text: &str) -> Result<Self, (u32, String)> {
        let mut inputs = FileInputs::default();
        for (index, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or("");
            for word in line.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()) {
                let (queue, number) = match word.strip_prefix('@') {
                    Some(number) => (&mut inputs.other, number),
                    None => (&mut inputs.nondet, word),
                };
                let value = value(number).ok_or_else(|| (index as u32 + 1, format!("`{word}` is not a number")))?;
                queue.push_back(value);
            }
        }
        Ok(inputs)
    }
    /// How many values were not requested.
    pub fn unused(&self) -> usize {
        self.nondet.len() + self.other.len()
    }

    fn encode(&mut self, value: Value, request: &Request<'_>) -> u128 {
        let is_float = request.shown == Shown::Float && matches!(request.width, 32 | 64 | 80);
        let number = match value {
            Value::Bits(bits) => return bits,
            Value::Integer(integer) if !is_float => return integer as u128,
            Value::Integer(integer) => integer as f64,
            Value::Float(float) => float,
        };
        match (is_float, request.width) {
            (true, 32) => (number as f32).to_bits().into(),
            (true, 80) => long_double(number),
            (true, _) => number.to_bits().into(),
            (false, _) => {
                self.cut += 1;
                number as i128 as u128
            }
        }
    }
}

impl Inputs for FileInputs {
    fn value(&mut self, request: &Request<'_>) -> u128 {
        let is_nondet = matches!(request.info, Some(Input { kind: InputKind::Nondet(_), .. }));
        let next = if is_nondet { self.nondet.pop_front() } else { self.other.pop_front() };
        match next {
            Some(value) => self.encode(value, request),
            None => {
                self.missing += u64::from(is_nondet);
                0
            }
        }
    }
    fn choose(&mut self, n: usize) -> usize {
        match self.other.pop_front() {
            Some(Value::Integer(way)) => way.rem_euclid(n as i128) as usize,
            Some(Value::Bits(way)) => (way % n as u128) as usize,
            Some(Value::Float(_)) | None => 0,
        }
    }
}

/// A value as this file reads it, for an input that reads as `shown`.
pub fn show(origin: Origin, is_nondet: bool, shown: Shown, width: u32, value: u128) -> String {
    let mark = if is_nondet { "" } else { "@" };
    match (origin, shown, width) {
        (Origin::Choice(_), ..) => format!("{mark}{value}"),
        (_, Shown::Float, 32) => float(mark, f32::from_bits(value as u32).into(), value),
        (_, Shown::Float, 64) => float(mark, f64::from_bits(value as u64), value),
        // What is no `double` is only kept by its encoding.
        (_, Shown::Float, 80) => float(mark, double_of_long_double(value).unwrap_or(f64::NAN), value),
        (_, Shown::Signed, 1..=128) => {
            let shift = 128 - width;
            format!("{mark}{}", ((value << shift) as i128) >> shift)
        }
        (_, Shown::Pointer, _) => format!("{mark}{value:#x}"),
        _ if value > i128::MAX as u128 => format!("{mark}{value:#x}"),
        _ => format!("{mark}{value}"),
    }
}

fn float(mark: &str, number: f64, encoding: u128) -> String {
    // The payload of a NaN is only kept by its encoding.
    if number.is_nan() { format!("{mark}{encoding:#x}") } else { format!("{mark}{number:?}") }
}

fn value(word: &str) -> Option<Value> {
    let (negative, digits) = match word.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, word.strip_prefix('+').unwrap_or(word)),
    };
    if let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        if hex.starts_with(['+', '-']) {
            return None;
        }
        let bits = u128::from_str_radix(hex, 16).ok()?;
        return Some(Value::Bits(if negative { bits.wrapping_neg() } else { bits }));
    }
    if digits.bytes().all(|byte| byte.is_ascii_digit()) {
        let magnitude = i128::try_from(digits.parse::<u128>().ok()?).ok()?;
        return Some(Value::Integer(if negative { -magnitude } else { magnitude }));
    }
    word.parse().ok().map(Value::Float)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_may_be_decimal_hexadecimal_or_floating() {
        let inputs = FileInputs::parse("3 -1 # two\n0x1F,@-4\n\n2.5 -inf 1e3").expect("all of them are numbers");
        let expected = [
            Value::Integer(3),
            Value::Integer(-1),
            Value::Bits(31),
            Value::Float(2.5),
            Value::Float(f64::NEG_INFINITY),
            Value::Float(1000.0),
        ];
        assert_eq!(inputs.nondet, expected);
        assert_eq!(inputs.other, [Value::Integer(-4)]);
    }

    #[test]
    fn what_is_no_number_is_named_with_its_line() {
        assert_eq!(FileInputs::parse("1\n2 three"), Err((2, "`three` is not a number".to_owned())));
        assert_eq!(FileInputs::parse("0x"), Err((1, "`0x` is not a number".to_owned())));
        assert!(FileInputs::parse("0x-5").is_err());
        assert!(FileInputs::parse("99999999999999999999999999999999999999999999").is_err());
        assert!(FileInputs::parse("- 5").is_err());
        assert!(FileInputs::parse("@").is_err());
    }

    #[test]
    fn values_go_to_the_inputs_they_are_meant_for_and_the_rest_is_zero() {
        let nondet = Input { kind: InputKind::Nondet("f".to_owned()), shown: Shown::Signed, place: None };
        let asked = |info, shown, width| Request {
            origin: Origin::Automatic,
            info,
            width,
            shown,
            occurrence: 0,
            offset: None,
            piece: 0,
            is_element: false,
        };
        let mut inputs = FileInputs::parse("5 @7 0.5 0.5").expect("all of them are numbers");
        assert_eq!(inputs.value(&asked(None, Shown::Signed, 32)), 7);
        assert_eq!(inputs.value(&asked(Some(&nondet), Shown::Signed, 32)), 5);
        assert_eq!(inputs.value(&asked(Some(&nondet), Shown::Float, 32)), 0.5f32.to_bits().into());
        assert_eq!((inputs.value(&asked(Some(&nondet), Shown::Signed, 32)), inputs.cut), (0, 1));
        assert_eq!(inputs.value(&asked(Some(&nondet), Shown::Signed, 32)), 0);
        assert_eq!((inputs.missing, inputs.unused()), (1, 0));
    }

    #[test]
    fn what_is_shown_can_be_read_again() {
        let cases = [
            (Shown::Signed, 32, 0xffff_ffff, "-1"),
            (Shown::Unsigned, 32, 0xffff_ffff, "4294967295"),
            (Shown::Float, 64, 0.1f64.to_bits().into(), "0.1"),
            (Shown::Float, 32, f32::NAN.to_bits().into(), "0x7fc00000"),
            (Shown::Pointer, 64, 4096, "0x1000"),
            (Shown::Unsigned, 128, u128::MAX, "0xffffffffffffffffffffffffffffffff"),
        ];
        let nondet = Input { kind: InputKind::Nondet("f".to_owned()), shown: Shown::Plain, place: None };
        for (shown, width, value, text) in cases {
            assert_eq!(show(Origin::Automatic, true, shown, width, value), text);
            let (occurrence, offset, piece) = (0, None, 0);
            let (origin, info) = (Origin::Automatic, Some(&nondet));
            let request = Request { origin, info, width, shown, occurrence, offset, piece, is_element: false };
            let mask = if width == 128 { u128::MAX } else { (1 << width) - 1 };
            let again = FileInputs::parse(text).expect("it is a number").value(&request);
            assert_eq!(again & mask, value, "{text}");
        }
    }
}
