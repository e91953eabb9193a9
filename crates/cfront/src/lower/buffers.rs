//! Library functions and the buffers that they are given: an invalid access of theirs is an error of the caller.
//!
//! A buffer is valid if its first and its last byte are: both addresses come from the same object. How many bytes
//! `sprintf` writes is computed from its format where the lengths are known; where the input or a value decides,
//! the number is a value from outside, so that an error is not claimed and validity is not either.

use program::{AccessKind, Action, AssertionKind, InputKind, Mark, Shown};
use term::Term;

use crate::ast::Span;
use crate::hir::{Expr, FunctionId, TypeId, TypeKind};
use crate::known_buffers::{Extent, buffers};
use crate::known_functions::Word;
use crate::library::modelled_name;

use super::Lowering;
use super::types::Class;
use super::vocabulary::word;

impl Lowering<'_> {
    /// The memory that a library function uses must be valid, where an invalid access is an error.
    pub(super) fn check_buffers(
        &mut self,
        function: FunctionId,
        args: &[Term],
        types: &[TypeId],
        exprs: Option<&[Expr]>,
        span: Span,
    ) {
        if !self.checks_memory() || self.current.at.is_none() {
            return;
        }
        let name = modelled_name(&self.unit.functions[function].name).to_owned();
        for buffer in buffers(&name, args.len()) {
            let (address, ty) = (args[buffer.position], types[buffer.position]);
            let TypeKind::Pointer { target, .. } = *self.kind(ty) else { continue };
            let by_bytes = self.class(target) == Class::Void || self.unit.types.size_of(target) == Some(1);
            let size = match buffer.extent {
                Extent::Count(position) if by_bytes => self.argument_count(args[position], types[position]),
                Extent::Product(left, right) if by_bytes => {
                    let (left, right) =
                        (self.argument_count(args[left], types[left]), self.argument_count(args[right], types[right]));
                    left.zip(right).map(|(left, right)| self.terms.bv_mul(left, right))
                }
                Extent::Bytes(bytes) => Some(self.byte_count(bytes)),
                Extent::Target => self.unit.types.size_of(target).map(|bytes| self.byte_count(bytes)),
                Extent::Text if by_bytes => {
                    if exprs.and_then(|exprs| self.literal_bytes(&exprs[buffer.position])).is_none() {
                        self.text_length(address, span);
                    }
                    None
                }
                Extent::Unlimited if by_bytes => {
                    self.open_access(&name, span);
                    None
                }
                _ => None,
            };
            let Some(size) = size else { continue };
            self.settle_before_branch();
            let given = (buffer.optional).then(|| {
                let sort = self.terms.sort_of(address);
                let null = self.zero_of(sort);
                self.terms.ne(address, null)
            });
            self.guard_bytes(address, size, given, buffer.access, span);
        }
        if let Some(format) = ["scanf", "sscanf", "fscanf"].iter().position(|&scan| scan == name).map(|n| n.min(1)) {
            self.check_scan(&name, format, args, types, exprs, span);
        }
    }
    /// What a call of the scanf family writes must have room. A format that is not a literal is not read.
    fn check_scan(
        &mut self,
        name: &str,
        format: usize,
        args: &[Term],
        types: &[TypeId],
        exprs: Option<&[Expr]>,
        span: Span,
    ) {
        let literal = exprs.and_then(|exprs| exprs.get(format)).and_then(|format| self.literal_bytes(format));
        let Some(items) = literal.as_deref().and_then(scan_items) else { return };
        for (item, position) in items.into_iter().zip(format + 1..) {
            let (Some(&address), Some(&ty)) = (args.get(position), types.get(position)) else { return };
            if self.class(ty) != Class::Pointer {
                return;
            }
            self.settle_before_branch();
            match item {
                Item::Bytes(bytes) => self.guard(address, bytes, AccessKind::Write, span),
                Item::Word => self.guard(address, u64::from(self.pointer_width() / 8), AccessKind::Write, span),
                Item::Text => {
                    self.guard(address, 1, AccessKind::Write, span);
                    self.open_access(name, span);
                }
                Item::Other => {}
            }
        }
    }

    /// All bytes of the buffer must be valid if there are any, and if `given` holds.
    pub(super) fn guard_bytes(
        &mut self,
        address: Term,
        size: Term,
        given: Option<Term>,
        access: AccessKind,
        span: Span,
    ) {
        let width = self.pointer_width();
        let zero = self.terms.bv(width, 0);
        let mut used = self.terms.ne(size, zero);
        if let Some(given) = given {
            used = self.terms.and(&[given, used]);
        }
        if used == self.terms.truth(false) || self.current.at.is_none() {
            return;
        }
        let join = (used != self.terms.truth(true)).then(|| {
            let (inside, join) = (self.new_loc(), self.new_loc());
            self.branch(used, inside, join, span);
            self.start(inside);
            join
        });
        match self.terms.small_value(size) {
            Some(bytes) if bytes <= i64::MAX as u64 >> (64 - width) => self.guard(address, bytes, access, span),
            _ => {
                self.guard(address, 1, access, span);
                // No object has more bytes than a signed number can say.
                let most = self.terms.bv(width, i64::MAX as u64 >> (64 - width));
                let fits = self.terms.bv_ule(size, most);
                let size = self.terms.ite(fits, size, most);
                let one = self.terms.bv(width, 1);
                let last = self.terms.bv_sub(size, one);
                let last = self.terms.bv_add(address, last);
                self.guard(last, 1, access, span);
            }
        }
        if let Some(join) = join {
            self.jump(join, span);
            self.start(join);
        }
    }

    /// Reads a text up to its final zero; the number of bytes before it. `None` where texts come from outside: their
    /// contents are not known, and no function is known to end them.
    pub(super) fn text_length(&mut self, address: Term, span: Span) -> Option<Term> {
        if self.has_outside_texts() || self.current.at.is_none() {
            return None;
        }
        self.settle_before_branch();
        let (width, sort) = (self.pointer_width(), self.pointer_sort());
        let index = self.new_temp("length", sort, Shown::Unsigned);
        let zero = self.terms.bv(width, 0);
        self.emit(Action::Assign(vec![(index, zero)]), span);
        let (head, more, done) = (self.new_loc(), self.new_loc(), self.new_loc());
        self.mark(head, Mark::LoopHead, span);
        self.jump(head, span);
        self.start(head);
        let length = self.term_of(index);
        let place = self.terms.bv_add(address, length);
        let byte = self.terms.bv_sort(8);
        let byte = self.load(place, byte, Shown::Plain, None, span);
        let end = self.terms.bv(8, 0);
        let goes_on = self.terms.ne(byte, end);
        self.branch(goes_on, more, done, span);
        self.start(more);
        let one = self.terms.bv(width, 1);
        let next = self.terms.bv_add(length, one);
        self.emit(Action::Assign(vec![(index, next)]), span);
        self.jump(head, span);
        self.start(done);
        Some(length)
    }

    /// The function may write more than there is room for: what decides comes from outside.
    pub(super) fn open_access(&mut self, name: &str, span: Span) {
        let sort = self.terms.bool_sort();
        self.settle_before_branch();
        let var = self.new_temp("fits", sort, Shown::Plain);
        let input = self.new_input(InputKind::External(name.to_owned()), Shown::Plain, span);
        self.emit(Action::Havoc { var, input }, span);
        let fits = self.term_of(var);
        let text = format!("`{}`", self.snippet(span));
        self.require(fits, AssertionKind::Access(AccessKind::Write), text, span);
    }

    /// Whether some text of the program may come from outside: from the command line, or from a function without a
    /// body.
    fn has_outside_texts(&self) -> bool {
        let unit = self.unit;
        self.reach.functions.iter().any(|&function| {
            let hir = &unit.functions[function];
            if hir.name == "main" {
                return !hir.params.is_empty();
            }
            if self.reach.body_of(unit, function).is_some() || self.is_error_function(function) {
                return false;
            }
            match word(unit, function) {
                None | Some(Word::WritesFirst | Word::PrintInto(_)) => true,
                Some(Word::Harmless) => self.class(self.result_type(function)) == Class::Pointer,
                Some(_) => false,
            }
        })
    }

    pub(super) fn byte_count(&mut self, bytes: u64) -> Term {
        let width = self.pointer_width();
        self.terms.bv(width, bytes)
    }
    /// A number of bytes as wide as a pointer.
    pub(super) fn argument_count(&mut self, value: Term, ty: TypeId) -> Option<Term> {
        let width = self.pointer_width();
        match self.class(ty) {
            Class::Int { signed, .. } => Some(self.resize(value, signed, width)),
            _ => None,
        }
    }
}

/// What one conversion of a format of the scanf family writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Item {
    Bytes(u64),
    /// As many bytes as a pointer has.
    Word,
    /// A text of any length.
    Text,
    /// Not known.
    Other,
}

/// The conversions of the format that write. `None`: positions or something unknown.
fn scan_items(format: &[u8]) -> Option<Vec<Item>> {
    let mut items = Vec::new();
    let mut rest = format;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'%' {
            continue;
        }
        let (mut width, mut length, mut skipped) = (None, String::new(), false);
        let letter = loop {
            let (&byte, after) = rest.split_first()?;
            rest = after;
            match byte {
                b'*' => skipped = true,
                b'0'..=b'9' => {
                    width = Some(width.unwrap_or(0_u64).checked_mul(10)?.checked_add(u64::from(byte - b'0'))?)
                }
                b'h' | b'l' | b'j' | b'z' | b't' | b'L' | b'q' => length.push(char::from(byte)),
                b'$' | b'm' | b'\'' => return None,
                letter => break letter,
            }
        };
        if letter == b'[' {
            // A bracket right behind the start, or behind `^`, is a member of the set.
            let start = 1 + usize::from(rest.first() == Some(&b'^'));
            let end = (start..rest.len()).find(|&at| rest[at] == b']')?;
            rest = &rest[end + 1..];
        }
        if letter == b'%' || skipped {
            continue;
        }
        items.push(match (letter, length.as_str()) {
            (b's' | b'[', "") => width.map_or(Item::Text, |width| Item::Bytes(width.saturating_add(1))),
            (b'c', "") => Item::Bytes(width.unwrap_or(1)),
            (b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'n', length) => match length {
                "hh" => Item::Bytes(1),
                "h" => Item::Bytes(2),
                "" => Item::Bytes(4),
                "ll" | "j" | "q" => Item::Bytes(8),
                "l" | "z" | "t" => Item::Word,
                _ => Item::Other,
            },
            (b'p', "") => Item::Word,
            (b'f' | b'e' | b'g' | b'a' | b'E' | b'G', "") => Item::Bytes(4),
            (b'f' | b'e' | b'g' | b'a' | b'E' | b'G', "l") => Item::Bytes(8),
            _ => Item::Other,
        });
    }
    Some(items)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_of_scanf_say_how_much_they_write() {
        let items = |format: &str| scan_items(format.as_bytes());
        assert_eq!(items("%d %3s%*s%ld"), Some(vec![Item::Bytes(4), Item::Bytes(4), Item::Word]));
        assert_eq!(items("%[]a]%c%%%hhx"), Some(vec![Item::Text, Item::Bytes(1), Item::Bytes(1)]));
        assert_eq!(items("%1$d"), None);
        assert_eq!(items("%"), None);
    }
}
