//! Sorts: what kind of value a term stands for.

use base::define_id;

define_id!(Sort, "An interned sort; equal handles, equal sorts.");

/// What a [`Sort`] handle stands for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum SortKind {
    /// Truth values.
    Bool,
    /// Bit-vectors of this many bits, at least one.
    BitVec(u32),
    /// Total maps from the first sort to the second.
    Array(Sort, Sort),
    /// A sort of which only equality is known.
    Uninterpreted(String),
    /// Mathematical integers; operators are only ever read as uninterpreted.
    Int,
    /// Real numbers; operators are only ever read as uninterpreted.
    Real,
    /// IEEE 754 with this many exponent and significand bits (the hidden bit counted), as SMT-LIB
    /// writes it: `(_ FloatingPoint 8 24)` is C's `float`. Only ever read as uninterpreted.
    Float(u32, u32),
}
