//! Input values as people write them: numbers separated by white space, `#` starts a comment.
//!
//! ```text
//! 3 -1        # two integers
//! 0x1F        # hexadecimal
//! 2.5 -inf    # floats
//! ```

/// One value for one input of the program.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Value {
    /// An integer; the input takes as many low bits as it has.
    Integer(i128),
    /// A floating-point number.
    Float(f64),
}

/// Reads all values; the error names the line.
pub fn parse(text: &str) -> Result<Vec<Value>, (u32, String)> {
    let mut values = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or("");
        for word in line.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()) {
            let value = value(word).ok_or_else(|| (index as u32 + 1, format!("`{word}` is not a number")))?;
            values.push(value);
        }
    }
    Ok(values)
}

fn value(word: &str) -> Option<Value> {
    let (negative, digits) = match word.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, word.strip_prefix('+').unwrap_or(word)),
    };
    let integer = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => u128::from_str_radix(hex, 16).ok(),
        None if digits.bytes().all(|byte| byte.is_ascii_digit()) => digits.parse().ok(),
        None => return word.parse().ok().map(Value::Float),
    };
    let magnitude = i128::try_from(integer?).ok()?;
    Some(Value::Integer(if negative { -magnitude } else { magnitude }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_may_be_decimal_hexadecimal_or_floating() {
        let text = "3 -1 # two\n0x1F,-0x10\n\n2.5 -inf 1e3";
        let expected = [
            Value::Integer(3),
            Value::Integer(-1),
            Value::Integer(31),
            Value::Integer(-16),
            Value::Float(2.5),
            Value::Float(f64::NEG_INFINITY),
            Value::Float(1000.0),
        ];
        assert_eq!(parse(text), Ok(expected.to_vec()));
    }

    #[test]
    fn what_is_no_number_is_named_with_its_line() {
        assert_eq!(parse("1\n2 three"), Err((2, "`three` is not a number".to_owned())));
        assert_eq!(parse("0x"), Err((1, "`0x` is not a number".to_owned())));
        assert!(parse("99999999999999999999999999999999999999999999").is_err());
        assert!(parse("- 5").is_err());
    }
}
