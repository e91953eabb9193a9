//! Equality and uninterpreted functions: the e-graph, and how it takes part in the search.

pub(crate) mod egraph;
pub(crate) mod interface;
pub(crate) mod theory;
