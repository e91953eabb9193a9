//! Formats of the printf family: what `%n` writes.
//!
//! The number of characters printed so far is known as long as everything in front of `%n` is text, `%%`, `%c`, a
//! string literal or an integer constant without flags, width or precision. Otherwise any number is written. A
//! format that is not a literal, or arguments in a `va_list`, are not read: if some literal of the program holds
//! a `%n`, everything that the arguments point to may be written, and a `va_list` is refused.

use program::{Action, InputKind, Shown};
use term::Term;

use crate::ast::Span;
use crate::hir::{Expr, ExprKind, PlaceKind, TypeId};

use super::Lowering;
use super::buffers::Call;
use super::printed::Length;
use super::types::Class;

/// A width or a precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Amount {
    Literal(u64),
    /// The next argument (`*`).
    Argument,
}

/// One conversion of a format.
#[derive(Default, Debug, PartialEq, Eq)]
pub(super) struct Conversion {
    /// Characters of plain text in front of it.
    pub text: u64,
    /// How many arguments `*` takes in front of its own.
    pub stars: usize,
    pub flags: Vec<u8>,
    pub width: Option<Amount>,
    pub precision: Option<Amount>,
    /// Length modifiers such as `hh`.
    pub length: String,
    /// The letter, `\0` at the end of the format.
    pub letter: u8,
}

impl Conversion {
    /// No flags, width or precision.
    fn is_plain(&self) -> bool {
        self.flags.is_empty() && self.width.is_none() && self.precision.is_none()
    }
}

/// Splits a format. `None`: positions (`%2$d`) or something unknown.
pub(super) fn conversions(format: &[u8]) -> Option<Vec<Conversion>> {
    let mut found = Vec::new();
    let mut text = 0;
    let mut rest = format;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'%' {
            text += 1;
            continue;
        }
        let mut conversion = Conversion { text, ..Conversion::default() };
        loop {
            let (&byte, after) = rest.split_first()?;
            rest = after;
            let amount = if conversion.precision.is_some() { &mut conversion.precision } else { &mut conversion.width };
            match byte {
                b'*' => {
                    conversion.stars += 1;
                    *amount = Some(Amount::Argument);
                }
                b'.' => conversion.precision = Some(Amount::Literal(0)),
                b'0' if amount.is_none() => conversion.flags.push(byte),
                b'0'..=b'9' => {
                    let Some(Amount::Literal(number)) = amount.or(Some(Amount::Literal(0))) else { return None };
                    let number = number.checked_mul(10)?.checked_add(u64::from(byte - b'0'))?;
                    // A greater number is not an `int`.
                    *amount = Some(Amount::Literal(number)).filter(|_| number <= i32::MAX as u64);
                    (*amount)?;
                }
                b'-' | b'+' | b' ' | b'#' | b'\'' | b'I' => conversion.flags.push(byte),
                b'h' | b'l' | b'j' | b'z' | b't' | b'L' | b'q' => conversion.length.push(char::from(byte)),
                b'$' => return None,
                letter => {
                    conversion.letter = letter;
                    break;
                }
            }
        }
        text = 0;
        if conversion.letter == b'%' {
            // It takes no argument.
            text = conversion.text + 1;
            continue;
        }
        found.push(conversion);
    }
    found.push(Conversion { text, ..Conversion::default() });
    Some(found)
}

impl Lowering<'_> {
    /// What a call of the printf family writes through its arguments.
    pub(super) fn write_counts(
        &mut self,
        name: &str,
        format: usize,
        args: &[Term],
        types: &[TypeId],
        exprs: Option<&[Expr]>,
        span: Span,
    ) {
        let literal = exprs.and_then(|exprs| exprs.get(format)).and_then(|format| self.literal_bytes(format));
        let conversions = literal.as_deref().and_then(conversions);
        let rest = (format + 1).min(args.len());
        let counts = |found: &Vec<Conversion>| found.iter().any(|conversion| conversion.letter == b'n');
        if conversions.as_ref().is_some_and(|found| !counts(found)) {
            return;
        }
        if let (Some(found), Some(exprs), false) = (&conversions, exprs, self.has_list(&types[rest..])) {
            return self.write_each_count(name, found, &args[rest..], &types[rest..], &exprs[rest..], span);
        }
        if conversions.is_none() && !self.some_literal_counts() {
            let text = format!("a format of `{name}` that is not a literal is taken to hold no `%n`");
            self.assume_about(&format!("format of {name}"), text, span);
        } else if self.has_list(&types[rest..]) {
            self.unsupported(span, format!("`%n` with a `va_list`: call of `{name}`"));
        } else {
            for (&arg, &ty) in args[rest..].iter().zip(&types[rest..]) {
                self.written_by(name, arg, ty, span);
            }
        }
    }
    /// The same for functions that print into their first argument; the number of characters, as
    /// 64 bits, if it is known and memory is checked or the number `wanted`.
    pub(super) fn print_into(&mut self, call: &Call<'_>, format: usize, wanted: bool) -> Option<Term> {
        let &Call { name, args, types, exprs, span } = call;
        let length = self.check_printed(call, format, wanted);
        let size = length.map(|length| self.check_room(call, length));
        if let (Some(&arg), Some(&ty)) = (args.first(), types.first()) {
            self.written_by(name, arg, ty, span);
        }
        if let Some(size) = size {
            self.settle_before_branch();
            self.end_printed(call, size);
        }
        let text = format!("`{name}` is taken to return any value and to write anything through its first argument");
        self.assume_about(name, text, span);
        self.write_counts(name, format, args, types, exprs, span);
        length.and_then(Length::exact)
    }

    fn has_list(&self, types: &[TypeId]) -> bool {
        types.iter().any(|&ty| self.is_list(ty))
    }
    /// Whether a string literal of the program has a conversion `%n`.
    fn some_literal_counts(&self) -> bool {
        self.unit.strings.iter().any(|string| {
            let text = string.bytes.split(|&byte| byte == 0).next().unwrap_or_default();
            match conversions(text) {
                Some(found) => found.iter().any(|conversion| conversion.letter == b'n'),
                None => text.contains(&b'%') && text.contains(&b'n'),
            }
        })
    }
    /// The bytes of a string literal without the final zero, if the expression is one.
    pub(super) fn literal_bytes(&self, expr: &Expr) -> Option<Vec<u8>> {
        let mut expr = expr;
        loop {
            match &expr.kind {
                ExprKind::Cast(operand) => expr = operand,
                ExprKind::AddressOf(place) | ExprKind::Read(place) => {
                    let PlaceKind::String(string) = place.kind else { return None };
                    let bytes = &self.unit.strings[string].bytes;
                    return Some(bytes.split(|&byte| byte == 0).next().unwrap_or_default().to_vec());
                }
                _ => return None,
            }
        }
    }

    fn write_each_count(
        &mut self,
        name: &str,
        found: &[Conversion],
        args: &[Term],
        types: &[TypeId],
        exprs: &[Expr],
        span: Span,
    ) {
        let mut printed = Some(0);
        let mut next = 0;
        for conversion in found {
            printed = printed.map(|printed| printed + conversion.text);
            next += conversion.stars;
            match conversion.letter {
                0 | b'm' => {
                    printed = None;
                    continue;
                }
                b'n' => match (args.get(next), types.get(next)) {
                    (Some(&address), Some(&ty)) => {
                        self.write_count(name, &conversion.length, printed, address, ty, span);
                    }
                    _ => self.unsupported(span, format!("`%n` without an argument: call of `{name}`")),
                },
                letter => {
                    let length = exprs.get(next).filter(|_| conversion.is_plain() && conversion.length.is_empty());
                    let length = length.and_then(|expr| self.printed_length(letter, expr));
                    printed = printed.zip(length).map(|(printed, length)| printed + length);
                }
            }
            next += 1;
        }
    }
    /// How many characters a conversion without flags prints, if that is known.
    fn printed_length(&self, letter: u8, expr: &Expr) -> Option<u64> {
        match (letter, &expr.kind) {
            (b'c', _) => Some(1),
            (b's', _) => self.literal_bytes(expr).map(|text| text.len() as u64),
            (b'd' | b'i', ExprKind::Integer(value)) => Some(value.to_string().len() as u64),
            (b'u', ExprKind::Integer(value)) => Some((*value as u32).to_string().len() as u64),
            (b'x' | b'X', ExprKind::Integer(value)) => Some(format!("{:x}", *value as u32).len() as u64),
            _ => None,
        }
    }
    /// Writes the number of characters through the argument of `%n`.
    fn write_count(&mut self, name: &str, length: &str, printed: Option<u64>, address: Term, ty: TypeId, span: Span) {
        if self.class(ty) != Class::Pointer {
            return self.unsupported(span, format!("`%n` without a pointer: call of `{name}`"));
        }
        let width = match length {
            "hh" => 8,
            "h" => 16,
            "" => 32,
            "ll" | "j" | "q" => 64,
            _ => self.pointer_width(),
        };
        let value = match printed {
            Some(printed) => self.terms.bv(width, printed),
            None => {
                let sort = self.terms.bv_sort(width);
                let var = self.new_temp("count", sort, Shown::Signed);
                let input = self.new_input(InputKind::External(name.to_owned()), Shown::Signed, span);
                self.emit(Action::Havoc { var, input }, span);
                self.term_of(var)
            }
        };
        self.store(address, value, span);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letters(format: &str) -> Option<String> {
        let found = conversions(format.as_bytes())?;
        Some(found.iter().map(|c| format!("{}{}{} ", c.text, c.length, char::from(c.letter.max(b'.')))).collect())
    }

    #[test]
    fn formats_are_split_at_their_conversions() {
        assert_eq!(letters("ab%dc%%d%hhn").as_deref(), Some("2d 3hhn 0. "));
        assert_eq!(letters("%-*.3ld%n").as_deref(), Some("0ld 0n 0. "));
        assert_eq!(letters("plain").as_deref(), Some("5. "));
        assert_eq!(letters("%2$d"), None);
        assert_eq!(letters("%"), None);
    }
    #[test]
    fn widths_and_precisions_are_read() {
        let found = conversions(b"%-5.2s%*d%.d%05u").expect("the format is right");
        let amounts: Vec<_> = found.iter().map(|c| (c.flags.as_slice(), c.width, c.precision, c.stars)).collect();
        assert_eq!(amounts[0], (&b"-"[..], Some(Amount::Literal(5)), Some(Amount::Literal(2)), 0));
        assert_eq!(amounts[1], (&b""[..], Some(Amount::Argument), None, 1));
        assert_eq!(amounts[2], (&b""[..], None, Some(Amount::Literal(0)), 0));
        assert_eq!(amounts[3], (&b"0"[..], Some(Amount::Literal(5)), None, 0));
    }
}
