//! What an engine is, and what several engines share.
//!
//! * [`Engine`], [`Task`], [`Run`]: an algorithm, what it works on, and what it is given (`task`);
//! * [`Facts`]: what engines tell one another (`facts`), and [`Houdini`], which tells invariants from
//!   candidates (`houdini`); [`Invariants`]: what is known before an engine begins (`background`);
//! * [`Lemmas`]: what is known of operators, put in where they occur (`lemmas`); [`Bridge`]: between two forms of one
//!   program (`bridge`);
//! * `ground`: what engines begin with, made once for a task: blocks, analysis, relations;
//! * [`Analysis`]: ranges, low bits, short lists of values and equalities at each location;
//! * `relations`: equations and inequalities between variables at loop heads;
//! * `cells`: proofs by invariants about every cell of an array;
//! * `evidence`: from what an engine found to a verdict that speaks of the program as lowered, without what the proof
//!   does not need (`needed`).

#![forbid(unsafe_code)]

mod analysis;
mod background;
mod bridge;
mod cells;
pub mod evidence;
mod facts;
mod ground;
mod houdini;
mod lemmas;
mod needed;
mod relations;
mod task;

pub use analysis::Analysis;
pub use background::Invariants;
pub use bridge::Bridge;
pub use cells::{by_cells, writes_cells};
pub use facts::{Cursor, Fact, FactKind, Facts};
pub use houdini::{Houdini, Survivors};
pub use lemmas::{Instance, Lemmas};
pub use needed::needed;
pub use task::{Engine, EngineInfo, Observer, Run, Silent, Task};
