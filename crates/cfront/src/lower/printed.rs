//! How many bytes a call of the printf family prints, and which texts it reads.
//!
//! The length of what a conversion prints is a term over its argument: digits of integers are counted by comparisons with
//! powers of the base, texts are read up to their end. For floats, addresses and arguments in a `va_list` only limits are known;
//! then the number is a value that the function decides. A format that is not a literal may print anything, and may read
//! any pointer behind it as a text.

use program::{AccessKind, Action, InputKind, Shown};
use term::Term;

use super::Lowering;
use super::buffers::Call;
use super::format::{Amount, Conversion, conversions};
use super::types::Class;

/// Numbers of characters, as words of 64 bits. `most` is absent if nothing limits them.
#[derive(Clone, Copy)]
pub(super) struct Length {
    least: Term,
    most: Option<Term>,
}

impl Length {
    /// The number, if it is known.
    pub fn exact(self) -> Option<Term> {
        (self.most == Some(self.least)).then_some(self.least)
    }
}

/// What a conversion prints besides its width.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Body {
    Signed,
    Unsigned { base: u64 },
    Character,
    Text,
    Float,
    Exponent,
    Hexadecimal,
    Address,
    Unknown,
}

fn body_of(conversion: &Conversion) -> Body {
    match (conversion.letter, conversion.length.as_str()) {
        (b'd' | b'i', _) => Body::Signed,
        (b'u', _) => Body::Unsigned { base: 10 },
        (b'x' | b'X', _) => Body::Unsigned { base: 16 },
        (b'o', _) => Body::Unsigned { base: 8 },
        (b'b' | b'B', _) => Body::Unsigned { base: 2 },
        (b'c', "") => Body::Character,
        (b's', "") => Body::Text,
        (b'f' | b'F', _) => Body::Float,
        (b'e' | b'E' | b'g' | b'G', _) => Body::Exponent,
        (b'a' | b'A', _) => Body::Hexadecimal,
        (b'p', _) => Body::Address,
        _ => Body::Unknown,
    }
}

impl Lowering<'_> {
    /// The texts that a call prints must be valid, where an invalid access is an error; the number of characters if that is
    /// checked, or `wanted`.
    pub(super) fn check_printed(&mut self, call: &Call<'_>, format: usize, wanted: bool) -> Option<Length> {
        if !(wanted || self.checks_memory()) || self.current.at.is_none() || format >= call.args.len() {
            return None;
        }
        self.text_of_argument(call, format);
        let length = self.length_printed(call, format);
        self.current.at.is_some().then_some(length)
    }
    /// What is printed into the first argument must have room with its zero; the number of bytes written.
    pub(super) fn check_room(&mut self, call: &Call<'_>, length: Length) -> Term {
        self.settle_before_branch();
        let length = self.chosen_length(call, length);
        let one = self.byte_count(1);
        let whole = self.terms.bv_add(length, one);
        let limit = call.name.contains("snprintf").then(|| self.argument_count(call.args[1], call.types[1])).flatten();
        let size = limit.map_or(whole, |limit| self.least_of(whole, limit));
        self.guard_bytes(call.args[0], size, None, AccessKind::Write, call.span);
        size
    }
    /// The last byte that is written is zero.
    pub(super) fn end_printed(&mut self, call: &Call<'_>, size: Term) {
        let none = self.byte_count(0);
        let is_written = self.terms.ne(size, none);
        self.only_if(is_written, call.span, |this| {
            let one = this.byte_count(1);
            let last = this.terms.bv_sub(size, one);
            this.end_text(call.args[0], last, call.span);
        });
    }
    /// The number of characters as a number of bytes that leaves room for the final zero.
    fn chosen_length(&mut self, call: &Call<'_>, length: Length) -> Term {
        let width = self.pointer_width();
        let greatest = (u64::MAX >> (64 - width)) - 1;
        let greatest_wide = self.terms.bv(64, greatest);
        let mut fit = |number: Term| {
            let smaller = self.terms.bv_ult(number, greatest_wide);
            let number = self.terms.ite(smaller, number, greatest_wide);
            self.resize(number, false, width)
        };
        let (least, most) = (fit(length.least), fit(length.most.unwrap_or(greatest_wide)));
        self.any_between(call.name, least, Some(most), call.span)
    }

    fn length_printed(&mut self, call: &Call<'_>, format: usize) -> Length {
        let literal = call.expr(format).and_then(|format| self.literal_bytes(format));
        let zero = self.terms.bv(64, 0);
        let rest = format + 1..call.args.len();
        let has_list = call.types[rest.clone()].iter().any(|&ty| self.is_list(ty));
        let Some(found) = literal.as_deref().and_then(conversions) else {
            self.read_open_texts(call, rest.start, has_list);
            return Length { least: zero, most: None };
        };
        if has_list && found.iter().any(|conversion| conversion.letter == b's') && self.passes_pointers_on() {
            self.open_access(call.name, AccessKind::Read, call.span);
        }
        let mut sum = Length { least: zero, most: Some(zero) };
        let mut next = rest.start;
        for conversion in &found {
            let text = self.terms.bv(64, conversion.text);
            sum = self.add_length(sum, Length { least: text, most: Some(text) });
            if conversion.letter == 0 {
                break;
            }
            let first = if has_list { usize::MAX } else { next };
            let printed = self.conversion_length(call, conversion, first);
            sum = self.add_length(sum, printed);
            next += conversion.stars + usize::from(conversion.letter != b'm');
        }
        sum
    }
    fn add_length(&mut self, left: Length, right: Length) -> Length {
        let least = self.terms.bv_add(left.least, right.least);
        let most = left.most.zip(right.most).map(|(left, right)| self.terms.bv_add(left, right));
        Length { least, most }
    }
    /// Any pointer behind a format that is not known may be read as a text.
    fn read_open_texts(&mut self, call: &Call<'_>, first: usize, has_list: bool) {
        if has_list {
            if self.passes_pointers_on() {
                self.open_access(call.name, AccessKind::Read, call.span);
            }
            return;
        }
        for position in first..call.args.len() {
            let is_text = self.class(call.types[position]) == Class::Pointer
                && call.expr(position).is_none_or(|expr| self.literal_bytes(expr).is_none());
            if !is_text || self.current.at.is_none() {
                continue;
            }
            self.settle_before_branch();
            let sort = self.terms.bool_sort();
            let var = self.new_temp("printed", sort, Shown::Plain);
            let input = self.new_input(InputKind::External(call.name.to_owned()), Shown::Plain, call.span);
            self.emit(Action::Havoc { var, input }, call.span);
            let printed = self.term_of(var);
            self.only_if(printed, call.span, |this| {
                this.text_of_argument(call, position);
            });
        }
    }

    /// What one conversion prints; its arguments begin at `first`.
    fn conversion_length(&mut self, call: &Call<'_>, conversion: &Conversion, first: usize) -> Length {
        let mut next = first;
        let width = conversion.width.map(|amount| self.amount(call, amount, &mut next));
        let precision = conversion.precision.map(|amount| self.amount(call, amount, &mut next));
        let body = self.body_length(call, conversion, precision, next);
        let zero = self.terms.bv(64, 0);
        let width = match width {
            None => return body,
            Some(None) => return Length { least: body.least, most: None },
            // A negative width is one to the left.
            Some(Some(width)) => {
                let negative = self.terms.bv_slt(width, zero);
                let turned = self.terms.bv_neg(width);
                self.terms.ite(negative, turned, width)
            }
        };
        let least = self.greater_of(body.least, width);
        let most = body.most.map(|most| self.greater_of(most, width));
        Length { least, most }
    }
    /// A width or a precision, signed; `None` if it is not known.
    fn amount(&mut self, call: &Call<'_>, amount: Amount, next: &mut usize) -> Option<Term> {
        match amount {
            Amount::Literal(number) => Some(self.terms.bv(64, number)),
            Amount::Argument => {
                let position = *next;
                *next = next.saturating_add(1);
                let (&value, &ty) = (call.args.get(position)?, call.types.get(position)?);
                let Class::Int { signed, .. } = self.class(ty) else { return None };
                let value = self.resize(value, signed, 32);
                Some(self.resize(value, true, 64))
            }
        }
    }
    fn body_length(
        &mut self,
        call: &Call<'_>,
        conversion: &Conversion,
        precision: Option<Option<Term>>,
        position: usize,
    ) -> Length {
        let bounded = |this: &mut Self, least: u64, most: Option<u64>| Length {
            least: this.terms.bv(64, least),
            most: most.map(|most| this.terms.bv(64, most)),
        };
        let unknown_precision = precision == Some(None);
        let precision = precision.flatten();
        match body_of(conversion) {
            Body::Character => bounded(self, 1, Some(1)),
            Body::Text => self.text_piece(call, position, precision, unknown_precision),
            Body::Signed => self.integer_piece(call, conversion, position, precision, unknown_precision, None),
            Body::Unsigned { base } => {
                self.integer_piece(call, conversion, position, precision, unknown_precision, Some(base))
            }
            // Sign, digits of the greatest number, point.
            Body::Float => {
                let digits = if conversion.length.contains('L') { 4933 } else { 309 };
                self.float_piece(digits + 3, precision, unknown_precision)
            }
            // Sign, point, exponent; `%g` prints up to four zeros behind the point before the first digit.
            Body::Exponent => self.float_piece(16, precision, unknown_precision),
            Body::Hexadecimal => self.float_piece(48, precision, unknown_precision),
            Body::Address => bounded(self, 1, Some(20)),
            Body::Unknown => match conversion.letter {
                b'n' => bounded(self, 0, Some(0)),
                _ => {
                    if conversion.letter != b'm'
                        && call.types.get(position).is_some_and(|&ty| self.class(ty) == Class::Pointer)
                    {
                        self.open_access(call.name, AccessKind::Read, call.span);
                    }
                    bounded(self, 0, None)
                }
            },
        }
    }
    fn float_piece(&mut self, beside: u64, precision: Option<Term>, unknown: bool) -> Length {
        let least = self.terms.bv(64, 1);
        if unknown {
            return Length { least, most: None };
        }
        let six = self.terms.bv(64, 6);
        let digits = match precision {
            None => six,
            Some(precision) => {
                let zero = self.terms.bv(64, 0);
                let negative = self.terms.bv_slt(precision, zero);
                self.terms.ite(negative, six, precision)
            }
        };
        let beside = self.terms.bv(64, beside);
        let most = self.terms.bv_add(digits, beside);
        Length { least, most: Some(most) }
    }
    fn text_piece(&mut self, call: &Call<'_>, position: usize, precision: Option<Term>, unknown: bool) -> Length {
        let zero = self.terms.bv(64, 0);
        let width = self.pointer_width();
        // A negative precision is none.
        let limit = precision.map(|precision| {
            let negative = self.terms.bv_slt(precision, zero);
            let all = self.terms.bv_not(zero);
            self.terms.ite(negative, all, precision)
        });
        let (Some(&address), Some(&ty), false) = (call.args.get(position), call.types.get(position), unknown) else {
            return Length { least: zero, most: limit };
        };
        if self.class(ty) != Class::Pointer {
            return Length { least: zero, most: limit };
        }
        let is_literal = call.expr(position).is_some_and(|expr| self.literal_bytes(expr).is_some());
        let length = match limit {
            Some(limit) if !is_literal => {
                let limit = self.resize(limit, false, width);
                self.text_length(address, 1, Some(limit), call.span)
            }
            _ => self.text_of_argument(call, position),
        };
        match length {
            Some(length) => {
                let mut length = self.resize(length, false, 64);
                if let Some(limit) = limit {
                    let smaller = self.terms.bv_ult(length, limit);
                    length = self.terms.ite(smaller, length, limit);
                }
                Length { least: length, most: Some(length) }
            }
            None => Length { least: zero, most: limit },
        }
    }
    fn integer_piece(
        &mut self,
        call: &Call<'_>,
        conversion: &Conversion,
        position: usize,
        precision: Option<Term>,
        unknown: bool,
        base: Option<u64>,
    ) -> Length {
        let bits = match conversion.length.as_str() {
            "hh" => 8,
            "h" => 16,
            "" => 32,
            "l" | "z" | "t" => self.pointer_width(),
            "ll" | "j" | "q" | "L" => 64,
            _ => 0,
        };
        let value = match (call.args.get(position), call.types.get(position).map(|&ty| self.class(ty))) {
            (Some(&value), Some(Class::Int { width, .. })) if bits != 0 && width >= bits && !unknown => value,
            _ => {
                let none = self.terms.bv(64, 0);
                let most = if precision.is_some() || unknown { None } else { Some(self.terms.bv(64, 67)) };
                return Length { least: none, most };
            }
        };
        let value = self.resize(value, false, bits);
        let zero = self.terms.bv(64, 0);
        let one = self.terms.bv(64, 1);
        let (magnitude, mut before) = match base {
            None => {
                let wide = self.resize(value, true, 64);
                let negative = self.terms.bv_slt(wide, zero);
                let turned = self.terms.bv_neg(wide);
                let plus = if conversion.flags.iter().any(|flag| matches!(flag, b'+' | b' ')) { one } else { zero };
                (self.terms.ite(negative, turned, wide), self.terms.ite(negative, one, plus))
            }
            Some(_) => (self.resize(value, false, 64), zero),
        };
        let base = base.unwrap_or(10);
        let is_zero = self.terms.eq(magnitude, zero);
        let mut digits = self.count_digits(magnitude, base, bits);
        if let Some(precision) = precision {
            let negative = self.terms.bv_slt(precision, zero);
            let precision = self.terms.ite(negative, one, precision);
            // Zero with a precision of zero prints nothing.
            let significant = self.terms.ite(is_zero, zero, digits);
            digits = self.greater_of(significant, precision);
        }
        if conversion.flags.contains(&b'#') {
            if base == 8 {
                // One more zero unless there is one already.
                let octal = self.count_digits(magnitude, 8, bits);
                let significant = self.terms.ite(is_zero, zero, octal);
                let padded = self.terms.bv_ult(significant, digits);
                let next = self.terms.bv_add(significant, one);
                digits = self.terms.ite(padded, digits, next);
            } else if base != 10 {
                let two = self.terms.bv(64, 2);
                before = self.terms.ite(is_zero, zero, two);
            }
        }
        let length = self.terms.bv_add(before, digits);
        Length { least: length, most: Some(length) }
    }
    /// The number of digits of an unsigned number of this many bits; one for zero.
    fn count_digits(&mut self, number: Term, base: u64, bits: u32) -> Term {
        let greatest = if bits >= 64 { u64::MAX } else { (1 << bits) - 1 };
        let mut limits = Vec::new();
        let mut limit = base;
        while limit <= greatest {
            limits.push(limit);
            match limit.checked_mul(base) {
                Some(next) => limit = next,
                None => break,
            }
        }
        let mut digits = self.terms.bv(64, limits.len() as u64 + 1);
        for (count, &limit) in limits.iter().enumerate().rev() {
            let limit = self.terms.bv(64, limit);
            let is_below = self.terms.bv_ult(number, limit);
            let count = self.terms.bv(64, count as u64 + 1);
            digits = self.terms.ite(is_below, count, digits);
        }
        digits
    }
    fn greater_of(&mut self, left: Term, right: Term) -> Term {
        let smaller = self.terms.bv_ult(left, right);
        self.terms.ite(smaller, right, left)
    }
}
