//! Values as text: binary, hexadecimal, decimal.

use super::{Bits, wide};

// format: the largest power of ten in a word.
/// The largest power of ten in a word, and its exponent.
const CHUNK: u64 = 10_000_000_000_000_000_000;
const CHUNK_DIGITS: usize = 19;

impl Bits {
    /// All binary digits, without a prefix.
    pub fn to_binary(&self) -> String {
        (0..self.width).rev().map(|index| if self.bit(index) { '1' } else { '0' }).collect()
    }
    /// As many hexadecimal digits as the width needs, without a prefix.
    pub fn to_hex(&self) -> String {
        let digit = |at: u32| self.words()[(at / 16) as usize] >> (at % 16 * 4) & 15;
        let digits = (0..self.width.div_ceil(4)).rev();
        digits.map(|at| char::from_digit(digit(at) as u32, 16).expect("four bits are one digit")).collect()
    }
    /// The unsigned value in decimal.
    pub fn to_decimal(&self) -> String {
        let mut words = self.words().to_vec();
        let mut chunks = Vec::new();
        while words.len() > 1 {
            chunks.push(wide::div_word(&mut words, CHUNK));
            while words.len() > 1 && words.last() == Some(&0) {
                words.pop();
            }
        }
        let mut text = String::new();
        let mut rest = words[0];
        if rest >= CHUNK && !chunks.is_empty() {
            chunks.push(rest % CHUNK);
            rest /= CHUNK;
        }
        if rest > 0 || chunks.is_empty() {
            text.push_str(&rest.to_string());
        }
        for chunk in chunks.iter().rev() {
            match text.is_empty() {
                true => text.push_str(&chunk.to_string()),
                false => text.push_str(&format!("{chunk:0CHUNK_DIGITS$}")),
            }
        }
        text
    }
    /// The signed value in decimal.
    pub fn to_signed_decimal(&self) -> String {
        if self.is_negative() { format!("-{}", self.neg().to_decimal()) } else { self.to_decimal() }
    }
    /// Reads binary digits; there are as many bits as digits.
    pub fn parse_binary(text: &str) -> Option<Bits> {
        Bits::parse_digits(text, 1)
    }
    /// Reads hexadecimal digits; there are four bits for each.
    pub fn parse_hex(text: &str) -> Option<Bits> {
        Bits::parse_digits(text, 4)
    }
    fn parse_digits(text: &str, bits_per_digit: u32) -> Option<Bits> {
        let width = u32::try_from(text.len()).ok()?.checked_mul(bits_per_digit)?;
        if width == 0 {
            return None;
        }
        let mut words = vec![0u64; width.div_ceil(64) as usize];
        let mut at = 0;
        for character in text.bytes().rev() {
            let digit = char::from(character).to_digit(1 << bits_per_digit)?;
            words[at / 64] |= u64::from(digit) << (at % 64);
            at += bits_per_digit as usize;
        }
        Some(Bits::from_vec(width, words))
    }
    /// Reads a decimal number, with a minus sign in front if negative; `None` if it is no number or
    /// does not fit into the width (as unsigned, or with a sign as signed).
    pub fn parse_decimal(width: u32, text: &str) -> Option<Bits> {
        if let Some(magnitude) = text.strip_prefix('-') {
            let magnitude = Bits::parse_decimal(width, magnitude)?;
            let fits = !magnitude.is_negative() || magnitude.is_min_signed();
            return fits.then(|| magnitude.neg());
        }
        if text.is_empty() || width == 0 {
            return None;
        }
        let mut words = vec![0u64; width.div_ceil(64) as usize];
        for chunk in text.as_bytes().chunks(CHUNK_DIGITS) {
            let mut value = 0;
            for &digit in chunk {
                value = value * 10 + u64::from(char::from(digit).to_digit(10)?);
            }
            if wide::mul_add_word(&mut words, 10u64.pow(chunk.len() as u32), value) != 0 {
                return None;
            }
        }
        let top = words[words.len() - 1];
        let fits = width.is_multiple_of(64) || top >> (width % 64) == 0;
        fits.then(|| Bits::from_vec(width, words))
    }
}
