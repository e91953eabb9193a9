//! The five instantiations of the paper by name, and how to add a sixth.
//!
//! An [`Instance`] is an abstract post, a refiner and a strategy. A new one is one file with whatever is new about it and
//! one arm in [`InstanceName::instance`]; options and help follow. `tests/sixth.rs` of this crate is a complete example that is compiled and
//! run with the tests: an abstract post that keeps those predicates which the edge does not touch, without a single
//! question about the edge.

use crate::clauses::Clauses;
use crate::post::{AbstractPost, Boolean, Cartesian, True};
use crate::refine::Refiner;
use crate::strategy::{Eager, Lazy, Strategy};

/// Makes a part of an instance.
pub type Make<T> = fn() -> Box<T>;

/// A way to run the algorithm.
#[derive(Clone, Copy)]
pub struct Instance {
    /// How labels are computed forwards.
    pub post: Make<dyn AbstractPost>,
    /// How labels come from the absence of errors.
    pub refiner: Make<dyn Refiner>,
    /// What happens to those.
    pub strategy: Make<dyn Strategy>,
}

base::choice! {
    /// The instances by name.
    pub enum InstanceName {
        /// Interpolants, and Cartesian predicate abstraction where they end.
        Cpufo = "cpufo",
        /// Interpolants alone.
        Uufo = "uufo",
        /// Interpolants, and Boolean predicate abstraction where they end.
        Bpufo = "bpufo",
        /// Cartesian predicate abstraction; interpolants give predicates only.
        Cp = "cp",
        /// Boolean predicate abstraction; interpolants give predicates only.
        Bp = "bp",
    }
}

impl InstanceName {
    /// The instance of this name.
    pub fn instance(self) -> Instance {
        let (post, strategy): (Make<dyn AbstractPost>, Make<dyn Strategy>) = match self {
            InstanceName::Cpufo => (|| Box::new(Cartesian::default()), || Box::new(Lazy::default())),
            InstanceName::Uufo => (|| Box::new(True::default()), || Box::new(Lazy::default())),
            InstanceName::Bpufo => (|| Box::new(Boolean::default()), || Box::new(Lazy::default())),
            InstanceName::Cp => (|| Box::new(Cartesian::default()), || Box::new(Eager::default())),
            InstanceName::Bp => (|| Box::new(Boolean::default()), || Box::new(Eager::default())),
        };
        Instance { post, refiner: || Box::new(Clauses::default()), strategy }
    }
}
