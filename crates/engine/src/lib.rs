//! What an engine is, and what several engines share.
//!
//! * [`Analysis`]: ranges, low bits, short lists of values and equalities at each location.

#![forbid(unsafe_code)]

mod analysis;

pub use analysis::Analysis;
