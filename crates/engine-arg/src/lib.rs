//! Exploring and generalising on one reachability graph: the engine `ufo`.
//!
//! [AlbarghouthiEtAl-TACAS'12] unrolls a program into an *abstract reachability graph* (ARG): nodes are
//! copies of cutpoints, each with a *label*, a formula that holds whenever a run is there. Labels come from two sides:
//! an abstract post computes them forwards while the graph grows (over-approximation), and when an error is in
//! the graph one query over all its paths either finds a real one or gives interpolants as new labels
//! (under-approximation). A loop head whose label is covered by those of other copies need not be unrolled further.
//! When all error edges are infeasible, the disjunction of the labels at each cutpoint is an inductive invariant.
//!
//! * `arg`: the graph; `expand`: one pass over it in weak topological order; `edges`: small questions about one edge
//!   or cutpoint, each with a solver of its own;
//! * `domain`: abstract domains ([`Domain`]); `post`: `true`, Cartesian and Boolean predicate abstraction;
//! * `condition`: all paths to the error as formulas; `refine`: from their refutation to labels ([`Refiner`]);
//!   `repair` and `enumerate`: labels for the nodes where that fails; `clean`: from interpolants to formulas about one node;
//! * `clauses`: the other way to labels, without proofs: `block` excludes states that lead to the error one after the
//!   other, each generalised to a clause, `frames` keeps these by the number of steps, `implicant` finds the states;
//! * `strategy`: what happens to new labels ([`Strategy`]); `instance`: the table of instances and of their parts, and
//!   `table`: from tables to settings;
//! * `predicates`, `candidates`: atoms of labels for the posts, and parts of labels that are invariant already;
//! * `draw`: the graph as a picture.

#![forbid(unsafe_code)]

mod arg;
mod block;
mod candidates;
mod clauses;
mod clean;
mod condition;
mod domain;
mod draw;
mod edges;
mod enumerate;
mod expand;
mod frames;
mod implicant;
mod instance;
mod post;
mod predicates;
mod refine;
mod repair;
mod search;
mod settings;
mod strategy;
mod table;
mod tuning;
mod ufo;

pub use arg::{Arg, Node, NodeId, Outcome};
pub use clauses::Clauses;
pub use clean::{clean, conjuncts};
pub use condition::{Copies, Form, Slice};
pub use domain::{Domain, Site, covered, joined, narrowed_to_common};
pub use edges::EdgeRef;
pub use instance::{
    HELP, HelpName, INSTANCES, INTERPOLATORS, Instance, InstanceName, InterpolatorName, Make, REFINERS, RefinerName,
    STRATEGIES, StrategyName,
};
pub use post::{Boolean, Cartesian, Feasible, True};
pub use refine::{Interpolation, Refined, Refiner, find_error};
pub use search::{Search, Stats};
pub use settings::Settings;
pub use strategy::{Eager, Lazy, Strategy};
pub use table::Named;
pub use tuning::Tuning;

use engine::{Engine, EngineInfo};

/// The engine.
pub const UFO: EngineInfo = EngineInfo {
    name: "ufo",
    help: "an abstract reachability graph with interpolants and predicates (--ufo): strong on control and loops",
    settings: Settings::TABLE,
    make: |values| Ok(Box::new(ufo::Ufo::new(&Settings::from_values(values.iter())?))),
};

/// The engine with an instance that need not be in the table.
pub fn with_instance(instance: Instance) -> Box<dyn Engine> {
    Box::new(ufo::Ufo { instance, settings: Settings::DEFAULT })
}

#[cfg(test)]
mod contract {
    testkit::engine_contract!(ufo: crate::UFO);
}
