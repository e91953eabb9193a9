//! Floating point in words: the IEEE operators as terms over bit-vectors.
//!
//! A float is its encoding: sign, exponent, fraction. Each operator becomes a circuit of bit-vector operators in the structure
//! of [BrainSchandaSun-TACAS'19]: unpack, operate on wide exact words, round once, pack. Unlike the paper, sums do not normalise their
//! arguments, products normalise once at the end, and the increment of rounding carries into the packed exponent.
//!
//! [`Words`] translates formulas: afterwards no term of a float sort is left. Equality of floats identifies all NaNs, and the encoding of a NaN that
//! an operation makes is open, as C leaves it.

mod arithmetic;
mod convert;
mod format;
mod integral;
mod pack;
mod translate;

#[cfg(test)]
mod tests;

pub use format::Format;
pub use translate::{Nans, Words};
