//! Layout of structs and unions, to the byte and bit as gcc lays them out on i386 and x86-64 System V.
//!
//! Members are placed one after the other at their alignment. On i386 a `long long` or `double` member
//! (or an array of them) needs only four bytes' alignment unless an attribute says otherwise. A
//! bit-field is put at the next free bit unless it would then touch more units of its type's alignment
//! than the type itself has; then it starts at the next unit. A bit-field without width closes the
//! unit. Only named bit-fields give their type's alignment to the record. `packed` reduces all of this
//! to bytes (and to bits for bit-fields); `aligned` on the member overrides it.

use super::types::Ty;
use crate::hir::{BitRange, DataModel, Field, FloatKind, TypeId, TypeKind, Types};

/// A member before it has a place.
#[derive(Debug)]
pub(super) struct Unplaced {
    /// The name; `None` for anonymous members and padding.
    pub name: Option<String>,
    /// Its type.
    pub ty: Ty,
    /// The width of a bit-field.
    pub width: Option<u32>,
    /// `aligned` on the member itself.
    pub align: Option<u32>,
    /// `packed` on the member or on the record.
    pub packed: bool,
    /// `#pragma pack(n)`: the strictest alignment there is, which also lets bit-fields cross units.
    pub most_align: Option<u32>,
}

/// Members with their places, size and alignment of the whole.
#[derive(Debug)]
pub(super) struct Layout {
    /// The members in order.
    pub fields: Vec<Field>,
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u32,
}

// law: the address space of a process.
/// Objects of this many bytes and more cannot exist.
pub(super) const LARGEST_OBJECT: u64 = 1 << 47;

impl Types {
    /// Places the members. `least_align` is what `aligned` on the record asks for. `None`: too large.
    pub(super) fn lay_out(&self, members: Vec<Unplaced>, is_union: bool, least_align: u32) -> Option<Layout> {
        let mut fields = Vec::with_capacity(members.len());
        let mut align = least_align.max(1);
        let mut end: u64 = 0; // In bits.
        for member in members {
            let mut position = if is_union { 0 } else { end };
            let ty = member.ty;
            let size = self.size_of(ty.id).unwrap_or(0);
            let (offset, bits, taken);
            match member.width {
                Some(width) => {
                    position = self.bit_field_position(&member, width, position);
                    align = align.max(self.bit_field_record_align(&member, width));
                    (offset, bits) = self.storage_unit(size, position, width);
                    taken = u64::from(width);
                }
                None => {
                    let own = self.member_align(&member);
                    align = align.max(own);
                    position = position.next_multiple_of(8 * u64::from(own));
                    (offset, bits) = (position / 8, None);
                    taken = size.checked_mul(8).filter(|&t| t < LARGEST_OBJECT * 8)?;
                }
            }
            end = end.max(position + taken);
            if end >= LARGEST_OBJECT * 8 {
                return None;
            }
            fields.push(Field {
                name: member.name,
                ty: ty.id,
                offset,
                bits,
                is_const: ty.constant,
                is_volatile: ty.volatile,
            });
        }
        let size = end.div_ceil(8).next_multiple_of(u64::from(align));
        for field in &mut fields {
            keep_unit_inside(field, size, self.size_of(field.ty).unwrap_or(0));
        }
        Some(Layout { fields, size, align })
    }

    /// Alignment of an ordinary member.
    fn member_align(&self, member: &Unplaced) -> u32 {
        let most = member.most_align.unwrap_or(u32::MAX);
        if member.packed {
            return member.align.unwrap_or(1).min(most);
        }
        self.field_align(member.ty).max(member.align.unwrap_or(1)).min(most)
    }

    /// Alignment of a member of this type without further attributes.
    pub(super) fn field_align(&self, ty: Ty) -> u32 {
        if let Some(align) = ty.align {
            return align;
        }
        let full = self.align_of(ty.id);
        if self.model == DataModel::Ilp32 && self.is_double_word(ty.id) { full.min(4) } else { full }
    }

    fn is_double_word(&self, ty: TypeId) -> bool {
        match *self.kind(ty) {
            TypeKind::Array(element, _) | TypeKind::Vla(element, _) => self.is_double_word(element),
            TypeKind::Int(_) | TypeKind::Float(FloatKind::Double) => true,
            TypeKind::Unsupported(name) => name == "_Complex double",
            _ => false,
        }
    }

    fn bit_field_position(&self, member: &Unplaced, width: u32, position: u64) -> u64 {
        let asked = 8 * u64::from(member.align.unwrap_or(0).min(member.most_align.unwrap_or(u32::MAX)));
        let unit = 8 * u64::from(self.field_align(member.ty));
        if width == 0 {
            return position.next_multiple_of(unit.max(asked).max(8));
        }
        let position = if asked > 0 { position.next_multiple_of(asked) } else { position };
        if member.packed || member.most_align.is_some() {
            return position;
        }
        let size = 8 * self.size_of(member.ty.id).unwrap_or(1);
        let touched = (position % unit + u64::from(width)).div_ceil(unit);
        if touched > size / unit { position.next_multiple_of(unit) } else { position }
    }

    fn bit_field_record_align(&self, member: &Unplaced, width: u32) -> u32 {
        let asked = member.align.unwrap_or(1);
        if member.name.is_none() {
            return if width == 0 { 1 } else { asked };
        }
        // Under `#pragma pack`, gcc looks at the limit instead of `packed`.
        match member.most_align {
            Some(most) => asked.max(self.field_align(member.ty)).min(most),
            None if member.packed => asked,
            None => asked.max(self.field_align(member.ty)),
        }
    }

    /// Offset of the aligned unit of the declared type that holds the bits, or of their first byte.
    fn storage_unit(&self, size: u64, position: u64, width: u32) -> (u64, Option<BitRange>) {
        let unit = 8 * size.max(1);
        let mut start = position / unit * unit;
        if position + u64::from(width) > start + unit {
            start = position / 8 * 8;
        }
        let first = u32::try_from(position - start).expect("a bit-field starts inside its unit");
        (start / 8, Some(BitRange { first, width }))
    }
}

/// A unit that would reach beyond the record (as in packed ones) is replaced by the bytes in use.
fn keep_unit_inside(field: &mut Field, record_size: u64, unit_size: u64) {
    if let Some(bits) = &mut field.bits
        && field.offset + unit_size > record_size
    {
        field.offset += u64::from(bits.first / 8);
        bits.first %= 8;
    }
}
