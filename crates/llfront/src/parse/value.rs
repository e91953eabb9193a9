//! Operands: names, constants, constant expressions.

use base::Bits;

use crate::ir::{Operation, Type, TypeId, Typed, Value};
use crate::lex::{Token, unescape};
use crate::source::error;

use super::{Parsed, Parser};

/// Whether this word begins a constant.
pub(super) fn begins_value(word: &str) -> bool {
    matches!(
        word,
        "true" | "false" | "null" | "none" | "undef" | "poison" | "zeroinitializer" | "splat" | "asm" | "blockaddress"
    ) || is_expression(word)
        || is_refused(word)
}

fn is_expression(word: &str) -> bool {
    super::instruction::binary(word).is_some()
        || super::instruction::cast(word).is_some()
        || matches!(
            word,
            "getelementptr"
                | "icmp"
                | "fcmp"
                | "select"
                | "extractelement"
                | "insertelement"
                | "shufflevector"
                | "extractvalue"
                | "insertvalue"
        )
}

fn is_refused(word: &str) -> bool {
    matches!(word, "dso_local_equivalent" | "no_cfi" | "ptrauth")
}

impl<'s> Parser<'_, 's> {
    /// A type and an operand of it; attributes may stand between.
    pub(super) fn typed(&mut self) -> Parsed<Typed<'s>> {
        let ty = self.ty()?;
        let value = self.value(ty)?;
        Ok(Typed { ty, value })
    }
    /// An operand of this type.
    pub(super) fn value(&mut self, ty: TypeId) -> Parsed<Value<'s>> {
        self.deeper(|this| this.value_here(ty))
    }
    fn value_here(&mut self, ty: TypeId) -> Parsed<Value<'s>> {
        let at = self.at();
        if matches!(self.types.kind(ty), Type::Metadata) {
            if self.is_type() {
                // `metadata ptr %x`: a value as metadata.
                let inner = self.ty()?;
                return self.value(inner);
            }
            return self.metadata_operand();
        }
        match self.token {
            Token::Local(name) => {
                self.advance();
                Ok(Value::Local(self.names.local(name)))
            }
            Token::Global(name) => {
                self.advance();
                Ok(Value::Global(name))
            }
            Token::Number(text) => {
                self.advance();
                self.constant_number(ty, text, at)
            }
            Token::Bytes(text) => {
                self.advance();
                Ok(Value::Bytes(unescape(text)))
            }
            Token::Mark(b'[') => {
                self.advance();
                self.elements(b']')
            }
            Token::Mark(b'{') => {
                self.advance();
                self.elements(b'}')
            }
            Token::Mark(b'<') => {
                self.advance();
                if self.accept(b'{') {
                    let value = self.elements(b'}')?;
                    self.expect(b'>')?;
                    Ok(value)
                } else {
                    self.elements(b'>')
                }
            }
            Token::Meta(_) => self.metadata_operand(),
            Token::Word(word) => self.constant_word(word),
            _ => self.unexpected("a value"),
        }
    }
    fn constant_word(&mut self, word: &'s str) -> Parsed<Value<'s>> {
        if is_expression(word) {
            return self.expression();
        }
        let at = self.at();
        self.advance();
        Ok(match word {
            "true" => Value::Int(Bits::one(1)),
            "false" | "null" | "none" | "zeroinitializer" => Value::Zero,
            "undef" => Value::Undef,
            "poison" => Value::Poison,
            "splat" => {
                self.expect(b'(')?;
                let element = self.typed()?;
                self.expect(b')')?;
                Value::Splat(Box::new(element))
            }
            "blockaddress" => {
                self.expect(b'(')?;
                let Token::Global(function) = self.advance() else { return error(at, "expected a function") };
                self.expect(b',')?;
                let Token::Local(label) = self.advance() else { return error(at, "expected a block") };
                self.expect(b')')?;
                Value::BlockAddress(function, label)
            }
            "asm" => {
                while matches!(self.token, Token::Word(_)) {
                    self.advance();
                }
                let Token::Text(template) = self.advance() else { return error(at, "expected a template") };
                self.expect(b',')?;
                let Token::Text(constraints) = self.advance() else { return error(at, "expected constraints") };
                Value::Assembler(template, constraints)
            }
            _ if is_refused(word) => {
                if self.is_mark(b'(') {
                    self.skip_brackets()?;
                } else {
                    self.advance();
                }
                Value::Refused(word)
            }
            _ => return error(at, format!("expected a value, found `{word}`")),
        })
    }
    /// Typed elements up to the bracket.
    fn elements(&mut self, close: u8) -> Parsed<Value<'s>> {
        let mut elements = Vec::new();
        while !self.accept(close) {
            if !elements.is_empty() {
                self.expect(b',')?;
            }
            elements.push(self.typed()?);
        }
        Ok(Value::Aggregate(elements))
    }
    /// `!12`, `!"text"`, `!{…}`, `!DIExpression(…)`: kept as text.
    fn metadata_operand(&mut self) -> Parsed<Value<'s>> {
        let start = self.start;
        self.advance();
        match self.token {
            Token::Text(_) if self.cursor.slice(start, self.start) == "!" => {
                self.advance();
            }
            Token::Mark(b'(' | b'{') => self.skip_brackets()?,
            _ => {}
        }
        Ok(Value::Metadata(self.cursor.slice(start, self.passed).trim_end()))
    }
    fn constant_number(&mut self, ty: TypeId, text: &'s str, at: u32) -> Parsed<Value<'s>> {
        match *self.types.kind(ty) {
            Type::Int(width) => match integer(text, width) {
                Some(bits) if bits.is_zero() => Ok(Value::Zero),
                Some(bits) => Ok(Value::Int(bits)),
                None => error(at, format!("`{text}` is no integer of {width} bits")),
            },
            Type::Float(exponent, significand) => match float(text, exponent, significand) {
                Some(bits) => Ok(Value::Float(bits)),
                None => error(at, format!("`{text}` is no constant of this floating-point type")),
            },
            _ => error(at, "a number of a type that has none"),
        }
    }
    fn expression(&mut self) -> Parsed<Value<'s>> {
        let at = self.at();
        match self.operation(true)? {
            Operation::Refused(word) => error(at, format!("`{word}` is no constant expression")),
            operation => Ok(Value::Expression(Box::new(operation))),
        }
    }
}

/// A decimal or hexadecimal (`u0x`, `s0x`) integer, modulo two to the width.
fn integer(text: &str, width: u32) -> Option<Bits> {
    let hexadecimal = text.strip_prefix("u0x").or_else(|| text.strip_prefix("s0x"));
    let (digits, radix, is_negative) = match (hexadecimal, text.strip_prefix('-')) {
        (Some(digits), _) => (digits, 16, false),
        (None, Some(digits)) => (digits, 10, true),
        (None, None) => (text, 10, false),
    };
    if digits.is_empty() {
        return None;
    }
    let mut words = vec![0u64; width.div_ceil(64) as usize];
    for digit in digits.chars() {
        let mut carry = u128::from(digit.to_digit(radix)?);
        for word in &mut words {
            let sum = u128::from(*word) * u128::from(radix) + carry;
            *word = sum as u64;
            carry = sum >> 64;
        }
    }
    if is_negative {
        let mut carry = true;
        for word in &mut words {
            let (negated, overflow) = (!*word).overflowing_add(u64::from(carry));
            *word = negated;
            carry = overflow;
        }
    }
    if !width.is_multiple_of(64)
        && let Some(last) = words.last_mut()
    {
        *last &= (1 << (width % 64)) - 1;
    }
    Some(Bits::from_words(width, &words))
}

/// The encoding of a float constant: decimal, the encoding of a double, or `0x` with a letter for other formats.
fn float(text: &str, exponent: u32, significand: u32) -> Option<u128> {
    let hexadecimal = |digits: &str| u128::from_str_radix(digits, 16).ok();
    if let Some(digits) = text.strip_prefix("f0x") {
        return hexadecimal(digits);
    }
    if let Some(rest) = text.strip_prefix("0x") {
        return match rest.as_bytes().first()? {
            b'H' | b'R' => hexadecimal(&rest[1..]),
            // Sign and exponent, then the significand with its explicit leading one, which our encoding does not have.
            b'K' => {
                let bits = hexadecimal(&rest[1..])?;
                let (high, low) = (bits >> 64, bits & u128::from(u64::MAX));
                let is_normal = low >> 63 == 1 || high & 0x7fff == 0;
                is_normal.then_some(high << 63 | low & (u128::from(u64::MAX) >> 1))
            }
            // The low word stands first.
            b'L' => {
                let bits = hexadecimal(&rest[1..])?;
                Some(bits.rotate_right(64))
            }
            b'M' => None,
            _ => narrow(f64::from_bits(hexadecimal(rest)? as u64), exponent, significand),
        };
    }
    narrow(text.parse().ok()?, exponent, significand)
}

/// A double as a constant of the format; it is exact where LLVM prints one.
fn narrow(value: f64, exponent: u32, significand: u32) -> Option<u128> {
    match (exponent, significand) {
        (11, 53) => Some(u128::from(value.to_bits())),
        (8, 24) if value.is_nan() => {
            let bits = value.to_bits();
            Some(u128::from((bits >> 32) as u32 & 0x8000_0000 | 0x7f80_0000 | (bits >> 29) as u32 & 0x007f_ffff))
        }
        (8, 24) => Some(u128::from((value as f32).to_bits())),
        (5, 11) if value == 0.0 => Some(if value.is_sign_negative() { 1 << 15 } else { 0 }),
        _ if value == 0.0 && !value.is_sign_negative() => Some(0),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_of_any_width() {
        assert_eq!(integer("-1", 8), Some(Bits::ones(8)));
        assert_eq!(integer("255", 8), Some(Bits::ones(8)));
        assert_eq!(integer("-170141183460469231731687303715884105728", 128), Some(Bits::min_signed(128)));
        assert_eq!(integer("u0xFF", 16), Some(Bits::from_u64(16, 255)));
        assert_eq!(integer("-1", 200), Some(Bits::ones(200)));
        assert_eq!(integer("1x", 8), None);
    }

    #[test]
    fn floats_of_all_spellings() {
        assert_eq!(float("1.000000e+00", 11, 53), Some(u128::from(1f64.to_bits())));
        assert_eq!(float("0x3FF8000000000000", 8, 24), Some(u128::from(1.5f32.to_bits())));
        assert_eq!(float("0x7FF8000000000000", 8, 24), Some(0x7fc0_0000));
        assert_eq!(float("0xK3FFF8000000000000000", 15, 64), Some(0x3fff << 63));
        assert_eq!(float("0xL00000000000000003FFF000000000000", 15, 113), Some(0x3fff << 112));
        assert_eq!(float("0xH3C00", 5, 11), Some(0x3c00));
    }
}
