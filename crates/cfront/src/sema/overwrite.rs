//! What a later initialiser does to earlier ones: designators that come back to the same place, ranges,
//! and unions that change their member.

use super::Sema;
use super::init::{Filling, Target};
use crate::ast::Span;
use crate::hir::{Expr, ExprKind, Field, InitPiece, RecordTypeId, TypeKind};

impl Sema<'_> {
    /// Another member of a union than before starts afresh.
    pub(super) fn enter_union_member(&mut self, target: Target, position: u64, filling: &mut Filling) {
        let Some((id, record)) = self.unit.types.record(target.ty) else { return };
        if !record.is_union {
            return;
        }
        let here = |(offset, union, _): &(u64, RecordTypeId, usize)| *offset == target.offset && *union == id;
        match filling.union_members.iter().position(here) {
            Some(at) => {
                if filling.union_members[at].2 as u64 != position {
                    filling.union_members[at].2 = position as usize;
                    self.clear(target, 1, 0, filling);
                }
            }
            None => {
                // In order of offsets nothing returns to a union that was left behind, so few need be remembered.
                if filling.end <= target.offset && filling.union_members.len() >= 64 {
                    filling.union_members.clear();
                }
                filling.union_members.push((target.offset, id, position as usize));
            }
        }
    }

    /// Forgets what was put there before; a value that also covers other parts is overwritten with zero.
    pub(super) fn clear(&mut self, target: Target, count: u64, stride: u64, filling: &mut Filling) {
        if target.offset >= filling.end {
            return;
        }
        let size = self.unit.types.size_of(target.ty).unwrap_or(0);
        let (start, end) = (target.offset, target.offset + (count - 1) * stride + size);
        let mut covered = false;
        let mut pieces = std::mem::take(&mut filling.pieces);
        pieces.retain(|piece| {
            if let Some(bits) = target.bits {
                return !(piece.offset == start && piece.bits == Some(bits) && piece.repeat == 1);
            }
            let piece_end = self.piece_end(piece);
            let inside = piece.offset >= start && piece_end <= end;
            covered |= !inside && piece.offset < end && piece_end > start;
            !inside
        });
        filling.pieces = pieces;
        if covered && !self.unit.types.is_scalar(target.ty) {
            let mark = filling.pieces.len();
            self.zero(target, filling);
            self.repeat(mark, count, stride, filling);
        }
    }

    /// Explicit zeros for every scalar of the target.
    pub(super) fn zero(&mut self, target: Target, filling: &mut Filling) {
        let span = Span::default();
        match *self.unit.types.kind(target.ty) {
            TypeKind::Record(record) => {
                let fields: Vec<Field> = self.members(record).cloned().collect();
                for field in fields {
                    let part = Target { ty: field.ty, offset: target.offset + field.offset, bits: field.bits };
                    self.zero(part, filling);
                }
            }
            TypeKind::Array(element, Some(length)) if length > 0 => {
                let mark = filling.pieces.len();
                let size = self.unit.types.size_of(element).unwrap_or(0);
                self.zero(Target { ty: element, offset: target.offset, bits: None }, filling);
                self.repeat(mark, length, size, filling);
            }
            TypeKind::Float(_) => {
                let value = Expr { kind: ExprKind::Float(0.0), ty: target.ty, span };
                self.push(InitPiece { offset: target.offset, bits: None, value, repeat: 1, stride: 0 }, filling);
            }
            TypeKind::Bool | TypeKind::Int(_) | TypeKind::Pointer { .. } => {
                let value = self.integer(0, target.ty, span);
                let piece = InitPiece { offset: target.offset, bits: target.bits, value, repeat: 1, stride: 0 };
                self.push(piece, filling);
            }
            _ => {}
        }
    }

    /// Repeats the pieces since `mark`.
    pub(super) fn repeat(&mut self, mark: usize, count: u64, stride: u64, filling: &mut Filling) {
        if count <= 1 {
            return;
        }
        let mut repeated = Vec::new();
        for piece in filling.pieces.split_off(mark) {
            if piece.repeat == 1 {
                repeated.push(InitPiece { repeat: count, stride, ..piece });
            } else if piece.stride * piece.repeat == stride {
                repeated.push(InitPiece { repeat: piece.repeat * count, ..piece });
            } else {
                // One of the two counts must be written out: the smaller one.
                let (outer, step, repeat, inner_step) = if count <= piece.repeat {
                    (count, stride, piece.repeat, piece.stride)
                } else {
                    (piece.repeat, piece.stride, count, stride)
                };
                if outer > 1 << 20 {
                    self.unsupported(piece.value.span, "an initialiser with two very long ranges inside one another");
                    return;
                }
                for round in 0..outer {
                    let offset = piece.offset + round * step;
                    repeated.push(InitPiece { offset, repeat, stride: inner_step, ..piece.clone() });
                }
            }
        }
        for piece in repeated {
            self.push(piece, filling);
        }
    }
}
