//! Formats of the printf family: what `%n` writes.
//!
//! The number of characters printed so far is known as long as everything in front of `%n` is text, `%%`, `%c`, a
//! string literal or an integer constant without flags, width or precision. Otherwise any number is written. A
//! format that is not a literal, or arguments in a `va_list`, are not read: if some literal of the program holds
//! a `%n`, everything that the arguments point to may be written, and a `va_list` is refused.

use program::{AccessKind, Action, InputKind, Shown};
use term::Term;

use crate::ast::Span;
use crate::hir::{Expr, ExprKind, PlaceKind, TypeId};

use super::Lowering;
use super::types::Class;

/// One conversion of a format.
#[derive(Debug, PartialEq, Eq)]
struct Conversion {
    /// Characters of plain text in front of it.
    text: u64,
    /// How many arguments `*` takes in front of its own.
    stars: usize,
    /// No flags, width or precision.
    plain: bool,
    /// Length modifiers such as `hh`.
    length: String,
    /// The letter, `\0` at the end of the format.
    letter: u8,
}

/// Splits a format. `None`: positions (`%2$d`) or something unknown.
fn conversions(format: &[u8]) -> Option<Vec<Conversion>> {
    let mut found = Vec::new();
    let mut text = 0;
    let mut rest = format;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'%' {
            text += 1;
            continue;
        }
        let mut conversion = Conversion { text, stars: 0, plain: true, length: String::new(), letter: 0 };
        loop {
            let (&byte, after) = rest.split_first()?;
            rest = after;
            match byte {
                b'*' => {
                    conversion.stars += 1;
                    conversion.plain = false;
                }
                b'-' | b'+' | b' ' | b'#' | b'\'' | b'I' | b'.' | b'0'..=b'9' => conversion.plain = false,
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
    found.push(Conversion { text, stars: 0, plain: true, length: String::new(), letter: 0 });
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
        if let (Some(found), Some(exprs)) = (&conversions, exprs) {
            self.check_texts(found, format + 1, args, exprs, span);
        }
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
    /// The same for functions that print into their first argument.
    pub(super) fn print_into(
        &mut self,
        name: &str,
        format: usize,
        args: &[Term],
        types: &[TypeId],
        exprs: Option<&[Expr]>,
        span: Span,
    ) {
        if let (Some(&arg), Some(&ty)) = (args.first(), types.first()) {
            self.check_room(name, format, args, types, exprs, span);
            self.written_by(name, arg, ty, span);
        }
        let text = format!("`{name}` is taken to return any value and to write anything through its first argument");
        self.assume_about(name, text, span);
        self.write_counts(name, format, args, types, exprs, span);
    }

    /// The texts that `%s` prints must be valid up to their final zero. With a precision they need none.
    fn check_texts(&mut self, found: &[Conversion], first: usize, args: &[Term], exprs: &[Expr], span: Span) {
        let mut next = first;
        for conversion in found.iter().filter(|conversion| !matches!(conversion.letter, 0 | b'm')) {
            next += conversion.stars;
            if let (true, Some(&arg), Some(expr)) = (conversion.letter == b's', args.get(next), exprs.get(next))
                && conversion.plain
                && conversion.length.is_empty()
                && self.checks_memory()
                && self.class(expr.ty) == Class::Pointer
                && self.literal_bytes(expr).is_none()
            {
                self.text_length(arg, span);
            }
            next += 1;
        }
    }
    /// The bytes that are certainly written by `sprintf` and `snprintf` must have room: the text of the format and
    /// what is known of the conversions.
    fn check_room(
        &mut self,
        name: &str,
        format: usize,
        args: &[Term],
        types: &[TypeId],
        exprs: Option<&[Expr]>,
        span: Span,
    ) {
        let literal = exprs.and_then(|exprs| exprs.get(format)).and_then(|format| self.literal_bytes(format));
        let (Some(exprs), Some(found), true) =
            (exprs, literal.as_deref().and_then(conversions), self.checks_memory() && self.current.at.is_some())
        else {
            return;
        };
        let (mut written, mut next) = (1, format + 1);
        for conversion in &found {
            written += conversion.text;
            next += conversion.stars;
            if !matches!(conversion.letter, 0 | b'm') {
                let length = exprs.get(next).filter(|_| conversion.plain && conversion.length.is_empty());
                written += length.and_then(|expr| self.printed_length(conversion.letter, expr)).unwrap_or(0);
                next += 1;
            }
        }
        let mut size = self.byte_count(written);
        if matches!(name, "snprintf" | "vsnprintf") {
            let Some(limit) = self.argument_count(args[1], types[1]) else { return };
            let fits = self.terms.bv_ult(limit, size);
            size = self.terms.ite(fits, limit, size);
        }
        self.settle_before_branch();
        self.guard_bytes(args[0], size, None, AccessKind::Write, span);
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
                    let length = exprs.get(next).filter(|_| conversion.plain && conversion.length.is_empty());
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
}
