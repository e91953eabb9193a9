//! Declarations and initialisers of automatic variables.
//!
//! An initialiser is a list of pieces over zero. Leaves that no piece covers are zeroed first; then
//! the pieces are evaluated and stored in order.

use program::{Action, InputKind, Lifetime, Shown, Undefined};
use term::Term;

use crate::ast::Span;
use crate::hir::{Init, InitPiece, Size, TypeId, TypeKind, VarId};

use super::place::Target;
use super::types::Class;
use super::{Home, Lowering};
use crate::tuning::Tuning;

impl Lowering<'_> {
    /// How many elements an array of variable length has, and how many bytes each of them.
    fn count_of_vla(&self, ty: TypeId) -> (VarId, u64) {
        let TypeKind::Vla(element, count) = *self.kind(ty) else {
            panic!("only an array of variable length is allocated");
        };
        let mut unit = element;
        while let TypeKind::Vla(element, _) = *self.kind(unit) {
            unit = element;
        }
        (count, self.size_of(unit))
    }
    /// The lifetime of a variable begins, with an initial value or with any.
    pub(super) fn declare(&mut self, var: VarId, init: Option<&Init>, span: Span) {
        let unit = self.unit;
        let variable = &unit.vars[var];
        if let Home::Variable(home) = self.home(var) {
            self.declare_pointer(home);
        }
        match (self.home(var), init) {
            (Home::Variable(home), None) => {
                let kind = InputKind::Uninitialised(variable.name.clone());
                self.any_value(kind, variable.ty, Some(home), span);
            }
            (Home::Variable(home), Some(init)) => match init.pieces.last() {
                Some(piece) => {
                    let value = self.value_into(&piece.value, Some(home));
                    self.write_variable(home, value, span);
                }
                None => {
                    let sort = self.program.vars[home].sort;
                    let zero = self.zero_of(sort);
                    self.write_variable(home, zero, span);
                }
            },
            (Home::Object(object), None) => {
                self.declare_object(object);
                let address = self.object_address(object);
                let kind = InputKind::Uninitialised(variable.name.clone());
                let input = self.new_input(kind, Shown::Plain, span);
                let width = self.pointer_width();
                let size = self.terms.bv(width, self.program.objects[object].size);
                if self.program.objects[object].size > 0 {
                    self.emit(Action::Forget { address, size: Some(size), input }, span);
                }
            }
            (Home::Object(object), Some(init)) => {
                let address = self.object_address(object);
                if self.declare_object(object) {
                    // It may have ended in an earlier round.
                    let kind = InputKind::Uninitialised(variable.name.clone());
                    let input = self.new_input(kind, Shown::Plain, span);
                    self.emit(Action::Forget { address, size: None, input }, span);
                }
                self.initialise(address, variable.ty, init, span);
            }
            (Home::Allocated(home), init) => {
                let (count, unit) = self.count_of_vla(variable.ty);
                let size = self.size_term(&Size::Variable(count, unit));
                let width = self.pointer_width();
                let zero = self.terms.bv(width, 0);
                // A negative length has no meaning that a run could go on with, and neither has one whose size does not fit into half of the
                // address space; an empty array is only undefined.
                let fits = if self.checks_memory() {
                    self.terms.bv_sle(zero, size)
                } else {
                    let count = self.size_term(&Size::Variable(count, 1));
                    let most = self.terms.bv(width, ((1 << (width - 1)) - 1) / unit.max(1));
                    self.terms.bv_ule(count, most)
                };
                self.check_length(fits, span);
                let positive = self.terms.ne(size, zero);
                self.check(Undefined::BadLength, positive, span);
                let contents = match init {
                    None => Some(InputKind::Uninitialised(variable.name.clone())),
                    Some(_) => None,
                };
                self.declare_array(home);
                let address = self.allocate(size, Lifetime::Frame, contents, Some(home), span);
                for piece in init.iter().flat_map(|init| &init.pieces) {
                    self.put_piece(address, piece, span);
                }
            }
        }
    }

    /// Gives an object its first value.
    fn initialise(&mut self, address: Term, ty: TypeId, init: &Init, span: Span) {
        if init.pieces.iter().any(|piece| self.piece_end(piece) > self.size_of(ty)) {
            return self.unsupported(span, "initial value outside its object");
        }
        if !self.pieces_cover(init, ty) {
            match self.leaves(ty, Tuning::DEFAULT.max_inline_leaves) {
                Some(leaves) => {
                    let covered = self.covered_ranges(init);
                    for leaf in leaves {
                        // The last range that begins at or before the leaf is the only one that can cover it.
                        let before = covered.partition_point(|&(first, _)| first <= leaf.offset);
                        if before > 0 && leaf.offset + leaf.size <= covered[before - 1].1 {
                            continue;
                        }
                        let value = self.zero_of(leaf.sort);
                        let at = self.offset(address, leaf.offset);
                        self.store(at, value, span);
                    }
                }
                None => self.zero(address, ty, span),
            }
        }
        self.forget_padding(address, ty, span);
        self.pieces_in_order(init, |this| {
            for piece in &init.pieces {
                this.put_piece(address, piece, span);
            }
        });
    }
    fn put_piece(&mut self, address: Term, piece: &InitPiece, span: Span) {
        let ty = piece.value.ty;
        let at = self.offset(address, piece.offset);
        if self.class(ty) == Class::Record {
            if piece.repeat == 1 {
                self.record_into(&piece.value, at, span);
            } else {
                let from = self.record(&piece.value);
                self.over_repeats(at, piece, span, &mut |this, at| this.copy(at, from, ty, span));
            }
            return;
        }
        let value = self.value(&piece.value);
        let span = piece.value.span;
        match piece.bits {
            Some(bits) => {
                self.over_repeats(at, piece, span, &mut |this, at| {
                    this.write(Target::Bits(at, bits), ty, value, span);
                });
            }
            None => {
                self.over_repeats(at, piece, span, &mut |this, at| {
                    this.store_scalar(at, ty, value, span);
                });
            }
        }
    }
    fn over_repeats(&mut self, at: Term, piece: &InitPiece, span: Span, put: &mut dyn FnMut(&mut Self, Term)) {
        if piece.repeat <= Tuning::DEFAULT.max_inline_leaves as u64 {
            for n in 0..piece.repeat {
                let at = self.offset(at, n * piece.stride);
                put(self, at);
            }
            return;
        }
        self.repeat(piece.repeat, span, &mut |this, index| {
            let width = this.pointer_width();
            let stride = this.terms.bv(width, piece.stride);
            let step = this.terms.bv_mul(index, stride);
            let at = this.terms.bv_add(at, step);
            put(this, at);
        });
    }
    /// Where the piece ends, all its repetitions included.
    pub(super) fn piece_end(&self, piece: &InitPiece) -> u64 {
        let size = match piece.bits {
            Some(bits) => u64::from(bits.first + bits.width).div_ceil(8),
            None => self.size_of(piece.value.ty),
        };
        piece.offset + piece.stride * piece.repeat.saturating_sub(1) + size
    }
    /// Whether the pieces leave no byte to be zeroed.
    fn pieces_cover(&self, init: &Init, ty: TypeId) -> bool {
        let ranges = self.covered_ranges(init);
        ranges.len() == 1 && ranges[0].0 == 0 && ranges[0].1 >= self.size_of(ty)
    }
    /// What the pieces cover, as sorted ranges that neither touch nor overlap. Bit-fields cover nothing: their bytes are zeroed first.
    fn covered_ranges(&self, init: &Init) -> Vec<(u64, u64)> {
        let mut ranges: Vec<(u64, u64)> = Vec::with_capacity(init.pieces.len());
        for piece in init.pieces.iter().filter(|piece| piece.bits.is_none()) {
            let size = self.size_of(piece.value.ty);
            if piece.repeat == 1 || piece.stride == size {
                ranges.push((piece.offset, piece.offset + size * piece.repeat));
            } else {
                ranges.extend((0..piece.repeat.min(1024)).map(|n| {
                    let first = piece.offset + n * piece.stride;
                    (first, first + size)
                }));
            }
        }
        ranges.sort_unstable();
        let mut merged: Vec<(u64, u64)> = Vec::new();
        for (first, end) in ranges {
            match merged.last_mut() {
                Some((_, known_end)) if first <= *known_end => *known_end = end.max(*known_end),
                _ => merged.push((first, end)),
            }
        }
        merged
    }
}
