//! Bit-vectors as bits in the SAT search.

pub(crate) mod circuits;
pub(crate) mod gates;
