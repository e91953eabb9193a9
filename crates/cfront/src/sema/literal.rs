//! Literals: numbers, characters, strings, and the name of the function around them.

use super::Sema;
use super::convert::Lvalue;
use super::types::Ty;
use crate::ast::{Encoding, FloatSuffix, Span};
use crate::hir::{
    Expr, ExprKind, FloatKind, Init, InitPiece, IntKind, Place, PlaceKind, StorageKind, StringLiteral, TypeId,
    TypeKind, VarId, Variable,
};

impl Sema<'_> {
    pub(super) fn function_name_literal(&mut self, span: Span) -> Option<VarId> {
        let body = self.body.as_ref()?;
        if let Some(var) = body.name_literal {
            return Some(var);
        }
        let function = body.function;
        let name = self.unit.functions[function].name.clone();
        let ty = self.unit.types.intern(TypeKind::Array(self.basic.char, Some(name.len() as u64 + 1)));
        let pieces = self.string_pieces(name.bytes().map(u32::from), self.basic.char, 0, span);
        let variable = Variable {
            name: "__func__".to_owned(),
            ty,
            storage: StorageKind::Static,
            is_const: true,
            is_volatile: false,
            address_taken: true,
            align: None,
            init: Some(Init { pieces }),
            defined: true,
            alias_of: None,
            hidden_alias: false,
            weak: false,
            weak_by_pragma: false,
            function: Some(function),
            span,
        };
        let var = self.add_variable(variable, Ty { constant: true, ..Ty::plain(ty) });
        if let Some(body) = &mut self.body {
            body.name_literal = Some(var);
        }
        Some(var)
    }

    /// One piece for each element that is not zero.
    pub(super) fn string_pieces(
        &self,
        units: impl Iterator<Item = u32>,
        element: TypeId,
        offset: u64,
        span: Span,
    ) -> Vec<InitPiece> {
        let size = self.unit.types.size_of(element).unwrap_or(1);
        let mut pieces = Vec::new();
        for (position, unit) in units.enumerate() {
            if unit != 0 {
                let value = self.convert_integer(i128::from(unit), element);
                let value = self.integer(value, element, span);
                pieces.push(InitPiece {
                    offset: offset + position as u64 * size,
                    bits: None,
                    value,
                    repeat: 1,
                    stride: 0,
                });
            }
        }
        pieces
    }

    /// The type of the elements of a string with this prefix.
    pub(super) fn char_type(&self, encoding: Encoding) -> TypeId {
        match encoding {
            Encoding::Plain | Encoding::Utf8 => self.basic.char,
            Encoding::Wide => self.basic.wchar,
            Encoding::Utf16 => self.basic.ushort,
            Encoding::Utf32 => self.basic.uint,
        }
    }

    /// The units as they are stored; UTF-16 splits what does not fit.
    pub(super) fn stored_units(units: &[u32], encoding: Encoding) -> Vec<u32> {
        if encoding != Encoding::Utf16 {
            return units.to_vec();
        }
        let mut stored = Vec::with_capacity(units.len());
        for &unit in units {
            match char::from_u32(unit) {
                Some(c) if unit > 0xffff => stored.extend(c.encode_utf16(&mut [0; 2]).iter().map(|&u| u32::from(u))),
                _ => stored.push(unit),
            }
        }
        stored
    }

    pub(super) fn string_literal(&mut self, units: &[u32], encoding: Encoding, span: Span) -> Lvalue {
        let element = self.char_type(encoding);
        let size = self.unit.types.size_of(element).unwrap_or(1) as usize;
        let mut stored = Self::stored_units(units, encoding);
        stored.push(0);
        let bytes = stored.iter().flat_map(|unit| unit.to_le_bytes()[..size].to_vec()).collect();
        let ty = self.unit.types.intern(TypeKind::Array(element, Some(stored.len() as u64)));
        let string = self.unit.strings.push(StringLiteral { bytes, ty });
        // Not `const` in C; writing to it is undefined all the same.
        Lvalue { place: Place { kind: PlaceKind::String(string), ty, span, is_volatile: false }, constant: false }
    }

    pub(super) fn integer_literal(
        &mut self,
        value: u128,
        unsigned: bool,
        longs: u8,
        decimal: bool,
        span: Span,
    ) -> Expr {
        use IntKind::{Int, Int128, Long, LongLong, UInt, UInt128, ULong, ULongLong};
        let candidates: &[IntKind] = match (unsigned, longs, decimal) {
            (false, 0, true) => &[Int, Long, LongLong, ULongLong, Int128, UInt128],
            (false, 0, false) => &[Int, UInt, Long, ULong, LongLong, ULongLong, UInt128],
            (false, 1, true) => &[Long, LongLong, ULongLong, Int128, UInt128],
            (false, 1, false) => &[Long, ULong, LongLong, ULongLong, UInt128],
            (false, _, true) => &[LongLong, ULongLong, Int128, UInt128],
            (false, _, false) => &[LongLong, ULongLong, UInt128],
            (true, 0, _) => &[UInt, ULong, ULongLong, UInt128],
            (true, 1, _) => &[ULong, ULongLong, UInt128],
            (true, _, _) => &[ULongLong, UInt128],
        };
        let fits = |kind: &&IntKind| {
            let (width, signed) = self.unit.types.int_format(**kind);
            let bits = width - u32::from(signed);
            bits >= 128 || value >> bits == 0
        };
        let kind = candidates.iter().find(fits).copied().unwrap_or(UInt128);
        if matches!(kind, Int128 | UInt128) {
            self.warn(span, "this integer constant is too large for any standard type", "");
        }
        let ty = self.unit.types.int(kind);
        self.integer(value as i128, ty, span)
    }

    pub(super) fn float_literal(&mut self, value: f64, suffix: FloatSuffix, wide: Option<u128>, span: Span) -> Expr {
        let (value, kind) = match suffix {
            FloatSuffix::None => (value, FloatKind::Double),
            FloatSuffix::F => (f64::from(value as f32), FloatKind::Float),
            FloatSuffix::L => (value, FloatKind::LongDouble),
            FloatSuffix::Q => (value, FloatKind::Quad),
        };
        let ty = self.unit.types.intern(TypeKind::Float(kind));
        Expr { kind: wide.map_or(ExprKind::Float(value), ExprKind::WideFloat), ty, span }
    }
}
