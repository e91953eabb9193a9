//! Where the engines of this crate take invariants from, the cheap sources first. A new domain is a row here.

use engine::invariants::{
    CELLS, EQUALITIES, EXCLUSIONS, OBJECTS, ORDERS, POLYNOMIALS, RELATIONS, RELATIONS_IN_BITS, SENTINELS, Source,
    TOTALS,
};

/// For `kind`, which reads everything in bits.
pub(crate) const IN_BITS: &[Source] = &[SENTINELS, OBJECTS, TOTALS, CELLS, EQUALITIES, RELATIONS_IN_BITS, POLYNOMIALS];

/// For `refine`, to which operators are functions: there arithmetic is a side issue, and states and orders are not.
pub(crate) const OVER_FUNCTIONS: &[Source] = &[EQUALITIES, EXCLUSIONS, ORDERS, RELATIONS];
