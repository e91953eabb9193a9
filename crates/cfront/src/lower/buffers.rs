//! Library functions and the buffers that they are given: an invalid access of theirs is an error of the caller.
//!
//! A buffer is valid if its first and its last byte are: both addresses come from the same object. Where the input or the
//! function decides how many bytes are used, the number is a value from outside, so that an error is not claimed and
//! validity is not either. `texts` reads up to final zeros, `printed` and `scanned` know formats.

use program::{AccessKind, Action, AssertionKind, InputKind, Shown};
use term::Term;

use crate::ast::Span;
use crate::hir::{Expr, FunctionId, TypeId, TypeKind};
use crate::known_buffers::{Buffer, Extent, buffers, is_wide};
use crate::library::modelled_name;

use super::Lowering;
use super::types::Class;

/// A call as the checks of buffers see it.
#[derive(Clone, Copy)]
pub(super) struct Call<'a> {
    pub name: &'a str,
    pub args: &'a [Term],
    pub types: &'a [TypeId],
    /// The arguments as written; unknown for calls through pointers.
    pub exprs: Option<&'a [Expr]>,
    pub span: Span,
}

impl<'a> Call<'a> {
    pub fn expr(&self, position: usize) -> Option<&'a Expr> {
        self.exprs.and_then(|exprs| exprs.get(position))
    }
}

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
        let call = Call { name: &name, args, types, exprs, span };
        for buffer in buffers(&name, args.len()) {
            if self.current.at.is_some() {
                self.check_buffer(&call, buffer);
            }
        }
        self.check_scan(&call);
        self.check_overlap(&call);
    }
    fn check_buffer(&mut self, call: &Call<'_>, buffer: &Buffer) {
        let &Call { name, args, types, span, .. } = call;
        let (address, ty) = (args[buffer.position], types[buffer.position]);
        let TypeKind::Pointer { target, .. } = *self.kind(ty) else { return };
        let unit_size = match self.unit.types.size_of(target) {
            _ if self.class(target) == Class::Void => 1,
            Some(size) if size == 1 || is_wide(name) => size,
            _ => 0,
        };
        let counts_units = unit_size != 0;
        let mut at_most = false;
        let size = match buffer.extent {
            Extent::Count(position) if counts_units => self.argument_count(args[position], types[position]),
            Extent::AtMost(position) if counts_units => {
                at_most = true;
                self.argument_count(args[position], types[position])
            }
            Extent::Product(left, right) if counts_units => {
                let (left, right) =
                    (self.argument_count(args[left], types[left]), self.argument_count(args[right], types[right]));
                left.zip(right).map(|(left, right)| self.saturating_product(left, right))
            }
            Extent::Bytes(bytes) => Some(self.byte_count(bytes)),
            Extent::AtMostBytes(bytes) => {
                at_most = true;
                Some(self.byte_count(bytes))
            }
            Extent::Target => self.unit.types.size_of(target).map(|bytes| self.byte_count(bytes)),
            Extent::CopyOf(text) if counts_units => {
                self.settle_before_branch();
                let length = self.text_of_argument(call, text);
                if length.is_none() {
                    self.open_access(name, buffer.access, span);
                }
                let one = self.byte_count(1);
                length.map(|length| self.terms.bv_add(length, one))
            }
            Extent::WideCopy { text, count } if counts_units => {
                at_most = true;
                self.settle_before_branch();
                let length = self.text_of_argument(call, text);
                let count = self.argument_count(args[count], types[count]);
                count.map(|count| {
                    let one = self.byte_count(1);
                    let room = length.map(|length| self.terms.bv_add(length, one)).unwrap_or(count);
                    self.least_of(room, count)
                })
            }
            Extent::Text if counts_units => {
                if buffer.optional {
                    self.settle_before_branch();
                    let given = self.is_given(address);
                    self.only_if(given, span, |this| {
                        this.text_of_argument(call, buffer.position);
                    });
                } else {
                    self.text_of_argument(call, buffer.position);
                }
                None
            }
            Extent::Unlimited if counts_units => {
                self.open_access(name, buffer.access, span);
                None
            }
            _ => None,
        };
        let Some(mut size) = size else { return };
        if unit_size > 1 && !matches!(buffer.extent, Extent::Target | Extent::Bytes(_) | Extent::AtMostBytes(_)) {
            let unit = self.byte_count(unit_size);
            size = self.saturating_product(size, unit);
        }
        self.settle_before_branch();
        if at_most {
            let least = self.byte_count(0);
            size = self.any_between(name, least, Some(size), span);
        }
        let given = buffer.optional.then(|| self.is_given(address));
        self.guard_bytes(address, size, given, buffer.access, span);
    }
    fn is_given(&mut self, address: Term) -> Term {
        let sort = self.terms.sort_of(address);
        let null = self.zero_of(sort);
        self.terms.ne(address, null)
    }
    /// `memcpy` between places of one object that overlap is undefined: nothing is claimed of what it does.
    fn check_overlap(&mut self, call: &Call<'_>) {
        let (&[to, from, _], "memcpy" | "mempcpy") = (call.args, call.name) else { return };
        let Some(size) = self.argument_count(call.args[2], call.types[2]) else { return };
        let (ahead, behind) = (self.terms.bv_sub(to, from), self.terms.bv_sub(from, to));
        // The distance is known where both lead into the same object by the same way.
        let (Some(ahead_by), Some(behind_by)) = (self.terms.small_value(ahead), self.terms.small_value(behind)) else {
            return;
        };
        if ahead_by == 0 {
            return;
        }
        let nearest = self.byte_count(ahead_by.min(behind_by));
        let overlaps = self.terms.bv_ult(nearest, size);
        self.settle_before_branch();
        self.only_if(overlaps, call.span, |this| this.open_access(call.name, AccessKind::Write, call.span));
    }

    /// Lowers `body` for runs in which the condition holds; the others go on behind it.
    pub(super) fn only_if(&mut self, condition: Term, span: Span, body: impl FnOnce(&mut Self)) {
        if condition == self.terms.truth(false) || self.current.at.is_none() {
            return;
        }
        if condition == self.terms.truth(true) {
            return body(self);
        }
        let (inside, join) = (self.new_loc(), self.new_loc());
        self.branch(condition, inside, join, span);
        self.start(inside);
        body(self);
        self.jump(join, span);
        self.start(join);
    }
    /// The smaller of two numbers of bytes.
    pub(super) fn least_of(&mut self, left: Term, right: Term) -> Term {
        let smaller = self.terms.bv_ult(left, right);
        self.terms.ite(smaller, left, right)
    }
    /// The product, or the greatest number if it does not fit.
    pub(super) fn saturating_product(&mut self, left: Term, right: Term) -> Term {
        let width = self.pointer_width();
        let fits = self.product_fits(left, right);
        let product = self.terms.bv_mul(left, right);
        let most = self.terms.bv(width, u64::MAX >> (64 - width));
        self.terms.ite(fits, product, most)
    }
    /// Whether the product of two numbers of bytes is one.
    pub(super) fn product_fits(&mut self, left: Term, right: Term) -> Term {
        let width = self.pointer_width();
        let most = u64::MAX >> (64 - width);
        let (factor, other) = match (self.terms.small_value(left), self.terms.small_value(right)) {
            (Some(left), Some(right)) => {
                let fits = left.checked_mul(right).is_some_and(|product| product <= most);
                return self.terms.truth(fits);
            }
            (Some(factor), None) => (factor, right),
            (None, Some(factor)) => (factor, left),
            (None, None) => {
                let (left, right) = (self.resize(left, false, 2 * width), self.resize(right, false, 2 * width));
                let exact = self.terms.bv_mul(left, right);
                let product = self.resize(exact, false, width);
                let back = self.resize(product, false, 2 * width);
                return self.terms.eq(exact, back);
            }
        };
        if factor <= 1 {
            return self.terms.truth(true);
        }
        let limit = self.terms.bv(width, most / factor);
        self.terms.bv_ule(other, limit)
    }
    /// A number of bytes that the function decides, between the two. `most` is absent if nothing limits it.
    pub(super) fn any_between(&mut self, name: &str, least: Term, most: Option<Term>, span: Span) -> Term {
        if most == Some(least) || self.current.at.is_none() {
            return least;
        }
        let sort = self.pointer_sort();
        let var = self.new_temp("used", sort, Shown::Unsigned);
        let input = self.new_input(InputKind::External(name.to_owned()), Shown::Unsigned, span);
        self.emit(Action::Havoc { var, input }, span);
        let any = self.term_of(var);
        // Chosen without an assumption, which would be a decision that depends on the value.
        let above = self.terms.bv_ule(least, any);
        let inside = match most {
            Some(most) => {
                let below = self.terms.bv_ule(any, most);
                self.terms.and(&[above, below])
            }
            None => above,
        };
        self.terms.ite(inside, any, least)
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
        self.only_if(used, span, |this| match this.terms.small_value(size) {
            Some(bytes) if bytes <= i64::MAX as u64 >> (64 - width) => this.guard(address, bytes, access, span),
            _ => {
                this.guard(address, 1, access, span);
                // No object has more bytes than a signed number can say.
                let most = this.terms.bv(width, i64::MAX as u64 >> (64 - width));
                let size = this.least_of(size, most);
                let one = this.terms.bv(width, 1);
                let last = this.terms.bv_sub(size, one);
                let last = this.terms.bv_add(address, last);
                this.guard(last, 1, access, span);
            }
        });
    }

    /// The function may use more than there is room for, or what is no memory at all: what decides comes from outside.
    pub(super) fn open_access(&mut self, name: &str, access: AccessKind, span: Span) {
        if self.current.at.is_none() || !self.checks_memory() {
            return;
        }
        let sort = self.terms.bool_sort();
        self.settle_before_branch();
        let var = self.new_temp("fits", sort, Shown::Plain);
        let input = self.new_input(InputKind::External(name.to_owned()), Shown::Plain, span);
        self.emit(Action::Havoc { var, input }, span);
        let fits = self.term_of(var);
        let text = format!("`{}`", self.snippet(span));
        self.require(fits, AssertionKind::Access(access), text, span);
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
