//! Programs as control-flow automata over terms: what every front end yields and every engine reads.
//!
//! * [`Program`] and its parts (`model`), with the builder's small helpers;
//! * `validate`: the laws a program keeps;
//! * `text`: the `.cfa` form that round-trips, and `dot` for drawings;
//! * `align`: what of an older program is what of a newer one;
//! * `layout` and `origin`: columns of memory, and which objects addresses are derived from;
//! * `symbolic`: execution of all runs at once, for bounded programs; it knows no solver either;
//! * `interp`: the interpreter, oracle for everything that follows; it knows no solver.

#![forbid(unsafe_code)]

pub mod align;
mod builder;
mod dot;
mod graph;
mod instance;
pub mod interp;
mod layout;
mod model;
pub mod origin;
pub mod pass;
#[cfg(test)]
mod random_program;
mod show;
mod source_types;
pub mod structure;
pub mod symbolic;
pub mod text;
mod tuning;
mod validate;

pub use builder::Builder;
pub use dot::dot;
pub use graph::Graph;
pub use instance::{Frame, HeapPart, Instance, Point, Storage};
pub use layout::{Class, Column, Form, Layout, Member, Part, Recorded, Site, TAG_BITS};
pub use model::*;
pub use show::Show;
pub use source_types::{SourceField, SourceKind, SourceType, SourceTypes, TypeNumber};
pub use tuning::Tuning;
pub use validate::{Violation, validate};
