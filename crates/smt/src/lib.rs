//! Formulas to answers: theories, models, cores.

#![forbid(unsafe_code)]

mod bv;
mod euf;
