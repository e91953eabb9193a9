//! IC3 over uninterpreted functions, made bit-precise where that is needed: the engine `euf`.
//!
//! [BuenoSakallah-VMCAI'19] runs IC3 [Bradley-VMCAI'11] on a program whose operators are uninterpreted, and
//! learns what it needs about bits from counterexamples that are not real. Here:
//!
//! * `system`: the program as blocks between cutpoints. Frames and cubes belong to a cutpoint, as in IC3
//!   on control-flow automata, so the location is never part of a cube and a query is about one block;
//! * `cube`, `lemmas`, `frames`: what is known to be unreachable, by cutpoint and level;
//! * `query`: one step asked of the solver; `preimage`: from a model to a cube of states that take the step;
//! * `block`: obligations, lowest level first; `generalize`: from one blocked cube to many states;
//!   `interval`: from one value to a range;
//! * `propagate`: lemmas move up until a level is empty, or to infinity at once;
//! * `ahead`: errors that are not deep are also looked for by unrolling;
//! * `single_bits`: the same search over cubes of single bits, for programs that shift and mask; `turns`: both take turns;
//! * `exchange`: facts exported to other engines and imported from them, between two frames;
//! * `operators`: lemmas about operators, exported and imported, for any program;
//! * `distribute`: sums and the branches of what they add to;
//! * `schema`: what was learnt about sums, in words that the checker understands;
//! * `predicates`: implicit predicate abstraction, to compare with; `next`, `paper` and `learn`: the published algorithm, its relation, its
//!   cubes and its lemmas;
//! * `refine`: an abstract counterexample is executed in bits; if it is spurious, the kinds of operators it got wrong
//!   are read in bits from then on. Unlike the paper, which learns lemmas, the solver's precision rises: frames
//!   stay as they are, since the transition relation only gets stronger.

#![forbid(unsafe_code)]

mod ahead;
mod block;
mod cube;
mod distribute;
mod domain;
mod euf;
mod exchange;
mod frames;
mod generalize;
mod interval;
mod laws;
mod learn;
mod lemmas;
mod next;
mod operators;
mod paper;
mod precision;
mod predicates;
mod preimage;
mod propagate;
mod query;
mod refine;
mod schema;
mod settings;
mod single_bits;
mod system;
mod tuning;
mod turns;

pub use settings::{Precision, Settings, Switch};
pub use tuning::Tuning;

use engine::EngineInfo;

/// IC3 over uninterpreted functions.
pub const EUF: EngineInfo = EngineInfo {
    name: "euf",
    help: "IC3 over uninterpreted functions, bit-precise where needed: strong on control and protocols",
    settings: Settings::TABLE,
    make: |values| Ok(Box::new(euf::Euf::new(Settings::from_values(values.iter())?))),
};

#[cfg(test)]
mod contract {
    testkit::engine_contract!(euf: crate::EUF);
}
