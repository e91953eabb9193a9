//! From program to formula, without calls to a solver.
//!
//! All encodings start from a program without calls (see `program::pass::inline`). Its loops are cut at
//! their heads; what runs between two cuts is a [`Block`] without loops, executed symbolically: each exit
//! has a condition and, for each variable that matters there, its value as a term over the state at the
//! start and the inputs met on the way. Everything else is made of blocks:
//!
//! * [`Blocks`]: the cutpoint graph (`cutpoints`), one block per cutpoint (`block`), and the state
//!   vectors (`live`);
//! * [`Unrolling`]: the states after k steps from a start state, as terms over the inputs (`unroll`);
//! * [`Transition`]: one step of the whole program with a location variable (`transition`), and its
//!   text as VMT (`vmt`).

#![forbid(unsafe_code)]

mod block;
mod choice;
mod cutpoints;
mod live;
mod transition;
mod tuning;
mod unroll;
mod vmt;

pub use block::{Block, BlockInput, BlockStatement, Exit, Source};
pub use cutpoints::{Blocks, Cut, CutKind, Cutpoint, Memory, Unsupported};
pub use transition::{StateVariable, Transition};
pub use tuning::Tuning;
pub use unroll::{ErrorExit, Layer, State, StepInput, StepStatement, Unrolling};
pub use vmt::vmt;
