//! The five instantiations of the paper by name, and how to add a sixth.
//!
//! An [`Instance`] is an abstract post, a refiner and a strategy. A new one is one file with whatever is new about it and
//! one line in [`INSTANCES`]; options and help follow. `tests/sixth.rs` of this crate is a complete example that is compiled and
//! run with the tests: an abstract post that keeps those predicates which the edge does not touch, without a single
//! question about the edge.

use crate::clauses::Clauses;
use crate::post::{AbstractPost, Boolean, Cartesian, True};
use crate::refine::Refiner;
use crate::strategy::{Eager, Lazy, Strategy};

/// A way to run the algorithm.
#[derive(Clone, Copy)]
pub struct Instance {
    /// Its name on the command line.
    pub name: &'static str,
    /// One line about it.
    pub help: &'static str,
    /// How labels are computed forwards.
    pub post: fn() -> Box<dyn AbstractPost>,
    /// How labels come from the absence of errors.
    pub refiner: fn() -> Box<dyn Refiner>,
    /// What happens to those.
    pub strategy: fn() -> Box<dyn Strategy>,
}

/// All instances; the first is the one that is used if none is named.
pub const INSTANCES: &[Instance] = &[
    Instance {
        name: "cpufo",
        help: "interpolants, and Cartesian predicate abstraction where they end",
        post: || Box::new(Cartesian::default()),
        refiner: || Box::new(Clauses::default()),
        strategy: || Box::new(Lazy::default()),
    },
    Instance {
        name: "uufo",
        help: "interpolants alone",
        post: || Box::new(True::default()),
        refiner: || Box::new(Clauses::default()),
        strategy: || Box::new(Lazy::default()),
    },
    Instance {
        name: "bpufo",
        help: "interpolants, and Boolean predicate abstraction where they end",
        post: || Box::new(Boolean::default()),
        refiner: || Box::new(Clauses::default()),
        strategy: || Box::new(Lazy::default()),
    },
    Instance {
        name: "cp",
        help: "Cartesian predicate abstraction; interpolants give predicates only",
        post: || Box::new(Cartesian::default()),
        refiner: || Box::new(Clauses::default()),
        strategy: || Box::new(Eager::default()),
    },
    Instance {
        name: "bp",
        help: "Boolean predicate abstraction; interpolants give predicates only",
        post: || Box::new(Boolean::default()),
        refiner: || Box::new(Clauses::default()),
        strategy: || Box::new(Eager::default()),
    },
];

impl Instance {
    /// The instance of this name.
    pub fn by_name(name: &str) -> Option<&'static Instance> {
        INSTANCES.iter().find(|instance| instance.name == name)
    }
}
