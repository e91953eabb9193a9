//! Equality and uninterpreted functions.

pub(crate) mod egraph;
