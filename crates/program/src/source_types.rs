//! Types of the source language, so that values and places in memory read as the user wrote them: `t[1].size`, `&t[1]`, `250`.
//!
//! The front end fills the table for its objects, variables and allocations. Nothing but reports looks at it: no meaning depends on it.

use base::{Id, Place};

use crate::model::{ObjectId, Shown, Var};

/// The number of a type in the table.
pub type TypeNumber = u32;

/// What is known of types.
#[derive(Clone, Default, Debug)]
pub struct SourceTypes {
    /// All types.
    pub types: Vec<SourceType>,
    /// By object.
    pub objects: Vec<Option<TypeNumber>>,
    /// By variable.
    pub vars: Vec<Option<TypeNumber>>,
    /// By the place of an allocation: as an array of what.
    pub allocated: Vec<(Place, TypeNumber)>,
}

/// A type, with its size in bytes.
#[derive(Clone, Debug)]
pub struct SourceType {
    /// Bytes; zero if it has no size.
    pub size: u64,
    /// What it is.
    pub kind: SourceKind,
}

/// What a type is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SourceKind {
    /// A number; a truth value is [`Shown::Plain`].
    Scalar {
        /// How it reads.
        shown: Shown,
        /// Whether it is one of the character types.
        is_char: bool,
    },
    /// A pointer to this type, if it is known.
    Pointer(Option<TypeNumber>),
    /// An array of this type.
    Array(TypeNumber),
    /// A structure or union with its tag and members.
    Record(String, Vec<SourceField>),
    /// Something else.
    Other,
}

/// A member.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceField {
    /// Its name; empty for an anonymous one.
    pub name: String,
    /// Its offset in bytes.
    pub offset: u64,
    /// Its type.
    pub ty: TypeNumber,
    /// Whether it is a bit-field.
    pub is_bits: bool,
}

impl SourceTypes {
    /// The type of an object.
    pub fn of_object(&self, object: ObjectId) -> Option<TypeNumber> {
        self.objects.get(object.index()).copied().flatten()
    }
    /// The type of a variable.
    pub fn of_var(&self, var: Var) -> Option<TypeNumber> {
        self.vars.get(var.index()).copied().flatten()
    }
    /// The type of the elements of an allocation.
    pub fn of_allocation(&self, place: Place) -> Option<TypeNumber> {
        self.allocated.iter().find(|(at, _)| *at == place).map(|&(_, ty)| ty)
    }
    /// The type with this number.
    pub fn get(&self, ty: TypeNumber) -> &SourceType {
        &self.types[ty as usize]
    }

    /// The path from an object of this type to the scalar of `bytes` bytes at `offset`, such as `[1].size`, and its type.
    pub fn scalar_at(&self, ty: TypeNumber, offset: u64, bytes: u64) -> Option<(String, TypeNumber)> {
        let is_end = |found: TypeNumber, offset: u64| {
            let found = self.get(found);
            let is_scalar = matches!(found.kind, SourceKind::Scalar { .. } | SourceKind::Pointer(_));
            is_scalar && offset == 0 && found.size == bytes
        };
        self.path(ty, offset, &is_end)
    }
    /// The path to the place of the type `wanted` at `offset`.
    pub fn place_at(&self, ty: TypeNumber, offset: u64, wanted: TypeNumber) -> Option<String> {
        let is_end = |found: TypeNumber, offset: u64| offset == 0 && self.is_same(found, wanted);
        self.path(ty, offset, &is_end).map(|(path, _)| path)
    }
    fn is_same(&self, one: TypeNumber, other: TypeNumber) -> bool {
        one == other || self.get(one).size == self.get(other).size && self.get(one).kind == self.get(other).kind
    }
    fn path(
        &self,
        ty: TypeNumber,
        offset: u64,
        is_end: &dyn Fn(TypeNumber, u64) -> bool,
    ) -> Option<(String, TypeNumber)> {
        if is_end(ty, offset) {
            return Some((String::new(), ty));
        }
        match &self.get(ty).kind {
            SourceKind::Array(element) => {
                let size = self.get(*element).size;
                let index = offset.checked_div(size)?;
                let (rest, found) = self.path(*element, offset % size, is_end)?;
                Some((format!("[{index}]{rest}"), found))
            }
            SourceKind::Record(_, fields) => fields.iter().find_map(|field| {
                let size = self.get(field.ty).size;
                let inside = offset.checked_sub(field.offset).filter(|&inside| inside < size && !field.is_bits)?;
                let (rest, found) = self.path(field.ty, inside, is_end)?;
                let dot = if field.name.is_empty() { "" } else { "." };
                Some((format!("{dot}{}{rest}", field.name), found))
            }),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_read_as_in_the_source() {
        let int = SourceType { size: 4, kind: SourceKind::Scalar { shown: Shown::Signed, is_char: false } };
        let field = |name: &str, offset, ty| SourceField { name: name.to_owned(), offset, ty, is_bits: false };
        let token = SourceKind::Record("token".to_owned(), vec![field("kind", 0, 0), field("size", 4, 0)]);
        let types = SourceTypes {
            types: vec![int, SourceType { size: 8, kind: token }, SourceType { size: 32, kind: SourceKind::Array(1) }],
            ..SourceTypes::default()
        };
        assert_eq!(types.scalar_at(2, 12, 4), Some(("[1].size".to_owned(), 0)));
        assert_eq!(types.scalar_at(2, 12, 2), None);
        assert_eq!(types.scalar_at(2, 13, 4), None);
        assert_eq!(types.place_at(2, 8, 1), Some("[1]".to_owned()));
        assert_eq!(types.place_at(2, 12, 1), None);
    }
}
