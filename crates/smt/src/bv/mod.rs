//! Bit-vectors as words of literals.

pub(crate) mod blast;
pub(crate) mod circuits;
pub(crate) mod gates;
pub(crate) mod polynomial;
