//! Data structures that all crates use: ids and vectors indexed by them, maps that keep runs
//! reproducible, bit-vector values, source places, budgets, fair scheduling, counters, tables of
//! settings and random numbers.
//!
//! This crate does not depend on terms, programs or solvers.

#![forbid(unsafe_code)]

pub mod bits;
pub mod budget;
pub mod diagnostic;
pub mod index;
pub mod maps;
pub mod place;
pub mod random;
pub mod settings;
pub mod shared;
pub mod shown;
pub mod stats;
mod tuning;
pub mod turns;

pub use bits::Bits;
pub use budget::{Budget, Pace, Stopped};
pub use diagnostic::{Diagnostic, Severity};
pub use index::{Id, IndexVec};
pub use maps::{FastMap, OrderedMap};
pub use place::{FileId, Place};
pub use random::Random;
pub use settings::{Choice, SettingError, Table, Values};
pub use shared::SharedMap;
pub use shown::shown;
pub use tuning::Tuning;
pub use turns::{Attempts, Turns};
