//! Objects as wholes: records as values, copying, zeroing.
//!
//! A record is copied leaf by leaf: scalars by their type, and unions and bit-fields by the widest
//! chunks their alignment allows, so that every byte of them is kept. Padding between members is
//! not copied, as C permits; where the program can see it, it becomes anything (`padding`). Beyond a number of leaves, arrays are treated in a loop.

use program::{Action, Mark, Shown};
use term::{Sort, Term};

use crate::ast::Span;
use crate::hir::{Expr, ExprKind, TypeId, TypeKind};

use super::Lowering;
use super::types::{Class, align_of};
use crate::tuning::Tuning;

/// A part of an object that is moved by one load and one store.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    /// Offset in bytes.
    pub offset: u64,
    /// How many bytes it has.
    pub size: u64,
    /// As what it is moved.
    pub sort: Sort,
}

impl Lowering<'_> {
    // ---- records as values

    /// The address of a record value; valid until the next effect.
    pub(super) fn record(&mut self, expr: &Expr) -> Term {
        if let Some(address) = self.orders.value(expr) {
            return address;
        }
        self.deeper(expr.span, None, |this| Some(this.in_order(expr, |this| this.record_here(expr)))).unwrap_or_else(
            || {
                let width = self.pointer_width();
                self.terms.bv(width, 0)
            },
        )
    }
    fn record_here(&mut self, expr: &Expr) -> Term {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Read(place) => {
                let address = self.address(place);
                // The copy comes later, but the value is the current one.
                self.note_bits(address, (0, self.size_of(place.ty) * 8), false, span);
                self.resume_notes(span);
                address
            }
            ExprKind::Cast(operand) => self.record(operand),
            ExprKind::Assign(place, value) => {
                let to = self.address(place);
                let (to, from) = self.keeping(to, |this| this.record(value));
                self.copy(to, from, expr.ty, span);
                to
            }
            ExprKind::Comma(first, second) => {
                self.effect(first);
                self.record(second)
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                self.settle_before_branch();
                let (yes, no, join) = (self.new_loc(), self.new_loc(), self.new_loc());
                self.condition(condition, yes, no);
                let sort = self.pointer_sort();
                let chosen = self.new_temp("choice", sort, Shown::Pointer);
                for (loc, arm) in [(yes, then), (no, otherwise)] {
                    self.start(loc);
                    let address = self.record(arm);
                    self.write_variable(chosen, address, span);
                    self.jump(join, span);
                }
                self.start(join);
                self.term_of(chosen)
            }
            _ => self.value(expr),
        }
    }
    /// Puts a record value into memory.
    pub(super) fn record_into(&mut self, expr: &Expr, to: Term, span: Span) {
        let (to, from) = self.keeping(to, |this| this.record(expr));
        self.copy(to, from, expr.ty, span);
    }
    /// A new object of the function at hand for an unnamed record.
    pub(super) fn temporary_object(&mut self, hint: &str, ty: TypeId, span: Span) -> Term {
        self.current.n_temps += 1;
        let name = format!("{hint}!{}", self.current.n_temps);
        let align = align_of(&self.unit.types, ty);
        let object = self.new_object(&name, self.size_of(ty), align, true, span);
        self.object_address(object)
    }

    // ---- copying and zeroing

    /// Copies an object of this type.
    pub(super) fn copy(&mut self, to: Term, from: Term, ty: TypeId, span: Span) {
        if to == from {
            return;
        }
        self.over_leaves(ty, span, &mut |this, leaf, offset| {
            let (source, target) = (this.terms.bv_add(from, offset), this.terms.bv_add(to, offset));
            let value = this.load(source, leaf.sort, Shown::Plain, None, span);
            this.store(target, value, span);
        });
        self.forget_padding(to, ty, span);
    }
    /// Zeroes an object of this type.
    pub(super) fn zero(&mut self, to: Term, ty: TypeId, span: Span) {
        self.over_leaves(ty, span, &mut |this, leaf, offset| {
            let value = this.zero_of(leaf.sort);
            let address = this.terms.bv_add(to, offset);
            this.store(address, value, span);
        });
    }

    /// Does something for each leaf of an object, given its offset as a term.
    fn over_leaves(&mut self, ty: TypeId, span: Span, visit: &mut dyn FnMut(&mut Self, Leaf, Term)) {
        let width = self.pointer_width();
        let start = self.terms.bv(width, 0);
        self.over_leaves_from(ty, start, span, visit);
    }
    fn over_leaves_from(&mut self, ty: TypeId, base: Term, span: Span, visit: &mut dyn FnMut(&mut Self, Leaf, Term)) {
        if let Some(leaves) = self.leaves(ty, Tuning::DEFAULT.max_inline_leaves) {
            for leaf in leaves {
                let offset = self.offset(base, leaf.offset);
                visit(self, leaf, offset);
            }
            return;
        }
        let unit = self.unit;
        match &unit.types.kinds[ty] {
            TypeKind::Array(element, Some(length)) => {
                let size = self.size_of(*element);
                self.repeat(*length, span, &mut |this, index| {
                    let width = this.pointer_width();
                    let size = this.terms.bv(width, size);
                    let step = this.terms.bv_mul(index, size);
                    let offset = this.terms.bv_add(base, step);
                    this.over_leaves_from(*element, offset, span, visit);
                });
            }
            TypeKind::Record(record) if !unit.types.records[*record].is_union => {
                for field in unit.types.records[*record].fields.iter().flatten() {
                    if field.bits.is_none() {
                        let offset = self.offset(base, field.offset);
                        self.over_leaves_from(field.ty, offset, span, visit);
                    }
                }
                for leaf in self.bit_field_leaves(ty) {
                    let offset = self.offset(base, leaf.offset);
                    visit(self, leaf, offset);
                }
            }
            _ => {
                // A large union: chunk by chunk, then the rest.
                let total = self.size_of(ty);
                let chunk = u64::from(align_of(&unit.types, ty)).min(8);
                let sort = self.terms.bv_sort(chunk as u32 * 8);
                self.repeat(total / chunk, span, &mut |this, index| {
                    let width = this.pointer_width();
                    let size = this.terms.bv(width, chunk);
                    let step = this.terms.bv_mul(index, size);
                    let offset = this.terms.bv_add(base, step);
                    visit(this, Leaf { offset: 0, size: chunk, sort }, offset);
                });
                let mut rest = Vec::new();
                self.chunks(total - total % chunk, total % chunk, chunk, &mut rest);
                for leaf in rest {
                    let offset = self.offset(base, leaf.offset);
                    visit(self, leaf, offset);
                }
            }
        }
    }
    /// A loop from zero below `count`.
    pub(super) fn repeat(&mut self, count: u64, span: Span, body: &mut dyn FnMut(&mut Self, Term)) {
        let width = self.pointer_width();
        let sort = self.pointer_sort();
        let index = self.new_temp("i", sort, Shown::Unsigned);
        let zero = self.terms.bv(width, 0);
        self.emit(Action::Assign(vec![(index, zero)]), span);
        let (head, inside, done) = (self.new_loc(), self.new_loc(), self.new_loc());
        self.mark(head, Mark::LoopHead, span);
        self.jump(head, span);
        self.start(head);
        let index_term = self.term_of(index);
        let limit = self.terms.bv(width, count);
        let more = self.terms.bv_ult(index_term, limit);
        self.branch(more, inside, done, span);
        self.start(inside);
        body(self, index_term);
        let one = self.terms.bv(width, 1);
        let next = self.terms.bv_add(index_term, one);
        self.emit(Action::Assign(vec![(index, next)]), span);
        self.jump(head, span);
        self.start(done);
    }

    // ---- leaves

    /// The leaves of an object in order, unless there are more than `limit`.
    pub(super) fn leaves(&mut self, ty: TypeId, limit: usize) -> Option<Vec<Leaf>> {
        let mut leaves = Vec::new();
        self.collect_leaves(ty, 0, limit, &mut leaves)?;
        leaves.sort_by_key(|leaf| leaf.offset);
        Some(leaves)
    }
    fn collect_leaves(&mut self, ty: TypeId, base: u64, limit: usize, leaves: &mut Vec<Leaf>) -> Option<()> {
        if leaves.len() >= limit {
            return None;
        }
        let unit = self.unit;
        match &unit.types.kinds[ty] {
            TypeKind::Array(element, length) => {
                let length = length.unwrap_or(0);
                let size = self.size_of(*element);
                if length > limit as u64 {
                    return None;
                }
                for index in 0..length {
                    self.collect_leaves(*element, base + index * size, limit, leaves)?;
                }
            }
            TypeKind::Record(record) => {
                let record = &unit.types.records[*record];
                if record.is_union {
                    if record.size > 8 * limit as u64 {
                        return None;
                    }
                    let chunk = u64::from(record.align).clamp(1, 8);
                    self.chunks(base, record.size, chunk, leaves);
                } else {
                    for field in record.fields.iter().flatten() {
                        if field.bits.is_none() {
                            self.collect_leaves(field.ty, base + field.offset, limit, leaves)?;
                        }
                    }
                    for leaf in self.bit_field_leaves(ty) {
                        leaves.push(Leaf { offset: base + leaf.offset, ..leaf });
                    }
                }
            }
            _ => {
                let sort = match self.class(ty) {
                    Class::Bool => self.terms.bv_sort(8),
                    _ => self.sort(ty),
                };
                leaves.push(Leaf { offset: base, size: self.size_of(ty), sort });
            }
        }
        (leaves.len() <= limit).then_some(())
    }
    /// The bytes of a struct that hold bit-fields, each once.
    fn bit_field_leaves(&mut self, ty: TypeId) -> Vec<Leaf> {
        let unit = self.unit;
        let TypeKind::Record(record) = unit.types.kinds[ty] else { return Vec::new() };
        let mut ranges: Vec<(u64, u64)> = Vec::new();
        for field in unit.types.records[record].fields.iter().flatten() {
            if let Some(bits) = field.bits
                && bits.width > 0
            {
                let first = field.offset + u64::from(bits.first / 8);
                let last = field.offset + u64::from((bits.first + bits.width - 1) / 8);
                ranges.push((first, last + 1));
            }
        }
        ranges.sort_unstable();
        let mut leaves = Vec::new();
        let mut merged: Option<(u64, u64)> = None;
        for (first, end) in ranges {
            match &mut merged {
                Some((_, known_end)) if first <= *known_end => *known_end = end.max(*known_end),
                _ => {
                    if let Some((first, end)) = merged.replace((first, end)) {
                        self.chunks(first, end - first, 8, &mut leaves);
                    }
                }
            }
        }
        if let Some((first, end)) = merged {
            self.chunks(first, end - first, 8, &mut leaves);
        }
        leaves
    }
    /// Cuts a run of bytes into chunks of at most `widest` bytes, a power of two.
    fn chunks(&mut self, mut offset: u64, mut size: u64, widest: u64, leaves: &mut Vec<Leaf>) {
        let mut chunk = widest;
        while size > 0 {
            while chunk > size {
                chunk /= 2;
            }
            let sort = self.terms.bv_sort(chunk as u32 * 8);
            leaves.push(Leaf { offset, size: chunk, sort });
            offset += chunk;
            size -= chunk;
        }
    }
}
