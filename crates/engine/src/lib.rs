//! What an engine is, and what several engines share.
//!
//! * [`Engine`], [`Task`], [`Run`]: an algorithm, what it works on, and what it is given (`task`); [`Context`]: all of it in one
//!   value, for the parts of an engine (`context`);
//! * [`Facts`]: facts that engines exchange (`facts`), and [`Houdini`], which selects the invariants among
//!   candidates (`houdini`); [`Invariants`]: what is known before a proof is found, with the table
//!   of its sources (`invariants`);
//! * [`Lemmas`]: what is known of operators, put in where they occur (`lemmas`); [`Bridge`]: between two forms of one
//!   program (`bridge`);
//! * [`Each`]: verdicts about single assertions (`each`);
//! * `ground`: what engines begin with, made once for a task: blocks, analysis, relations;
//! * [`Picture`]: a graph that an engine works on, for eyes;
//! * [`Analysis`]: ranges, low bits, short lists of values and equalities at each location;
//! * `relations`: equations and inequalities between variables at loop heads;
//! * [`contracts`]: contracts of recursive functions, guessed from runs;
//! * [`offered()`]: candidates from outside are tried before the engines start;
//! * `cells`: proofs by invariants about every cell of an array; `objects`: about every object of a list or a tree;
//! * `totals`: proofs by what loops add up of the cells of an array;
//! * `evidence`: from what an engine found to a verdict that speaks of the program as lowered, without what the proof
//!   does not need (`needed`).

#![forbid(unsafe_code)]

mod analysis;
mod bridge;
mod cells;
mod context;
pub mod contracts;
mod each;
pub mod evidence;
mod facts;
mod ground;
mod houdini;
pub mod invariants;
mod lemmas;
mod needed;
mod objects;
mod offered;
mod picture;
pub mod ranking;
mod relations;
mod task;
mod totals;
mod tuning;

pub use analysis::Analysis;
pub use bridge::Bridge;
pub use context::Context;
pub use each::{Each, are_apart};
pub use facts::{Cursor, Fact, FactKind, Facts};
pub use houdini::{Fallen, Houdini, Survivors};
pub use invariants::Invariants;
pub use lemmas::{Instance, Lemmas};
pub use needed::needed;
pub use offered::{Fate, offered};
pub use picture::{Look, Picture, PictureNode};
pub use task::{Engine, EngineInfo, Observer, Run, Silent, Task};
pub use tuning::Tuning;
