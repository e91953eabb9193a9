//! What lowering needs to know about C types: their class, sort, size and parts.

use program::Shown;
use term::{Sort, SortKind};

use crate::hir::{DataModel, FloatKind, IntKind, TypeId, TypeKind, Types};

use super::Lowering;

/// How values of a type are represented.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    Void,
    /// A truth value.
    Bool,
    /// A bit-vector read as a number.
    Int {
        width: u32,
        signed: bool,
    },
    /// A bit-vector of pointer width; also a `va_list`.
    Pointer,
    Float(FloatKind),
    /// A struct or union: handled by its address.
    Record,
    /// An array: only ever an object.
    Array,
    Function,
    Unsupported(&'static str),
}

/// The class of a type.
pub(super) fn class(types: &Types, ty: TypeId) -> Class {
    match &types.kinds[ty] {
        TypeKind::Void => Class::Void,
        TypeKind::Bool => Class::Bool,
        TypeKind::Int(kind) => int_class(*kind, types.model),
        TypeKind::Float(kind) => Class::Float(*kind),
        TypeKind::Pointer { .. } | TypeKind::VaList => Class::Pointer,
        TypeKind::Array(..) | TypeKind::Vla(..) => Class::Array,
        TypeKind::Function { .. } => Class::Function,
        TypeKind::Record(_) => Class::Record,
        TypeKind::Unsupported(what) => Class::Unsupported(what),
    }
}

fn int_class(kind: IntKind, model: DataModel) -> Class {
    use IntKind::*;
    let long = match model {
        DataModel::Ilp32 => 32,
        DataModel::Lp64 => 64,
    };
    let (width, signed) = match kind {
        Char | SChar => (8, true),
        UChar => (8, false),
        Short => (16, true),
        UShort => (16, false),
        Int => (32, true),
        UInt => (32, false),
        Long => (long, true),
        ULong => (long, false),
        LongLong => (64, true),
        ULongLong => (64, false),
        Int128 => (128, true),
        UInt128 => (128, false),
    };
    Class::Int { width, signed }
}

/// Exponent and significand bits of a float type.
pub(super) fn float_format(kind: FloatKind) -> (u32, u32) {
    match kind {
        FloatKind::Float => (8, 24),
        FloatKind::Double => (11, 53),
        FloatKind::LongDouble => (15, 64),
        FloatKind::Quad => (15, 113),
    }
}

/// Size in bytes; zero for types without one.
pub(super) fn size_of(types: &Types, ty: TypeId) -> u64 {
    let pointer = match types.model {
        DataModel::Ilp32 => 4,
        DataModel::Lp64 => 8,
    };
    match &types.kinds[ty] {
        TypeKind::Void | TypeKind::Function { .. } | TypeKind::Bool => 1,
        TypeKind::Int(kind) => match int_class(*kind, types.model) {
            Class::Int { width, .. } => u64::from(width / 8),
            _ => 0,
        },
        TypeKind::Float(FloatKind::Float) => 4,
        TypeKind::Float(FloatKind::Double) => 8,
        TypeKind::Float(FloatKind::LongDouble) => {
            if pointer == 4 {
                12
            } else {
                16
            }
        }
        TypeKind::Float(FloatKind::Quad) => 16,
        // The cursor is the first word of what x86-64 has there.
        TypeKind::VaList if pointer == 8 => 24,
        TypeKind::Pointer { .. } | TypeKind::VaList => pointer,
        TypeKind::Array(element, Some(length)) => size_of(types, *element).saturating_mul(*length),
        TypeKind::Record(record) => types.records[*record].size,
        TypeKind::Array(_, None) | TypeKind::Vla(..) | TypeKind::Unsupported(_) => 0,
    }
}

/// Alignment in bytes.
pub(super) fn align_of(types: &Types, ty: TypeId) -> u32 {
    match &types.kinds[ty] {
        TypeKind::Array(element, _) | TypeKind::Vla(element, _) => align_of(types, *element),
        TypeKind::Record(record) => types.records[*record].align.max(1),
        TypeKind::VaList if types.model == DataModel::Lp64 => 8,
        _ => {
            let limit = if types.model == DataModel::Ilp32 { 4 } else { 16 };
            (size_of(types, ty).max(1) as u32).next_power_of_two().min(limit)
        }
    }
}

/// Whether a function of the second type can stand for one declared with the first: parameters and
/// result are represented alike. A declaration without prototype says nothing about parameters.
pub(super) fn compatible_functions(types: &Types, declared: TypeId, defined: TypeId) -> bool {
    let (
        TypeKind::Function { result, params, variadic, prototype },
        TypeKind::Function {
            result: other_result,
            params: other_params,
            variadic: other_variadic,
            prototype: other_prototype,
        },
    ) = (&types.kinds[declared], &types.kinds[defined])
    else {
        return false;
    };
    if !alike(types, *result, *other_result) {
        return false;
    }
    if !*prototype || !*other_prototype {
        return true;
    }
    variadic == other_variadic
        && params.len() == other_params.len()
        && params.iter().zip(other_params).all(|(&a, &b)| alike(types, a, b))
}

/// Whether values of the two types are represented alike.
pub(super) fn alike(types: &Types, left: TypeId, right: TypeId) -> bool {
    match (class(types, left), class(types, right)) {
        (Class::Record, Class::Record) => size_of(types, left) == size_of(types, right),
        (Class::Int { width: a, .. }, Class::Int { width: b, .. }) => a == b,
        (Class::Int { width, .. }, Class::Pointer) | (Class::Pointer, Class::Int { width, .. }) => {
            width == if types.model == DataModel::Ilp32 { 32 } else { 64 }
        }
        (a, b) => a == b,
    }
}

impl Lowering<'_> {
    pub(super) fn class(&self, ty: TypeId) -> Class {
        class(&self.unit.types, ty)
    }
    pub(super) fn size_of(&self, ty: TypeId) -> u64 {
        size_of(&self.unit.types, ty)
    }
    pub(super) fn kind(&self, ty: TypeId) -> &TypeKind {
        &self.unit.types.kinds[ty]
    }
    pub(super) fn pointer_sort(&mut self) -> Sort {
        let width = self.pointer_width();
        self.terms.bv_sort(width)
    }
    pub(super) fn float_sort(&mut self, kind: FloatKind) -> Sort {
        let (exponent, significand) = float_format(kind);
        self.terms.sort(SortKind::Float(exponent, significand))
    }
    /// The sort of a scalar type's values. Types without values get one byte; a diagnostic has been or will be given.
    pub(super) fn sort(&mut self, ty: TypeId) -> Sort {
        match self.class(ty) {
            Class::Bool => self.terms.bool_sort(),
            Class::Int { width, .. } => self.terms.bv_sort(width),
            Class::Float(kind) => self.float_sort(kind),
            Class::Pointer | Class::Record | Class::Array | Class::Function => self.pointer_sort(),
            Class::Void | Class::Unsupported(_) => self.terms.bv_sort(8),
        }
    }
    pub(super) fn shown(&self, ty: TypeId) -> Shown {
        match self.class(ty) {
            Class::Int { signed: true, .. } => Shown::Signed,
            Class::Int { signed: false, .. } => Shown::Unsigned,
            Class::Float(_) => Shown::Float,
            Class::Pointer | Class::Record | Class::Array | Class::Function => Shown::Pointer,
            Class::Bool | Class::Void | Class::Unsupported(_) => Shown::Plain,
        }
    }
    /// Whether this is a `va_list` or a pointer to one.
    pub(super) fn is_list(&self, ty: TypeId) -> bool {
        match *self.kind(ty) {
            TypeKind::VaList => true,
            TypeKind::Pointer { target, .. } => matches!(self.kind(target), TypeKind::VaList),
            _ => false,
        }
    }
    pub(super) fn is_scalar(&self, ty: TypeId) -> bool {
        matches!(self.class(ty), Class::Bool | Class::Int { .. } | Class::Pointer | Class::Float(_))
    }
}
