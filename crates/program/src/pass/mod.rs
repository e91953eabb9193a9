//! Passes: programs made smaller and simpler before an engine sees them.
//!
//! A pass is `fn name(program: Program, terms: &mut Terms) -> (Program, BackMap)`: whoever changes the
//! program also says how evidence travels back. [`BackMap`] relates the new program to the old one, and
//! maps compose, so that after all passes one map leads from the engine's program to the program as
//! lowered.
//!
//! Laws, for every pass:
//! 1. The new program has the same errors on the same inputs, or more of them (slicing): `SAFE` carries
//!    over, and `UNSAFE` is replayed on the program as lowered.
//! 2. A variable keeps its id and its symbol; a pass may stop using variables and add new ones at the end.
//! 3. Whatever the pass relied on (constants, copies, dead edges) is among its facts, so that an
//!    invariant of the new program, together with the facts, is one of the old program.
//! 4. Every cycle of the old program runs through a point that the new program still has, or that a
//!    fact declares dead.
//! 5. Switches stay equalities, and nothing is concluded from undefined behaviour.

use base::IndexVec;
use term::Term;

use crate::{Instance, Loc, Point, Var};

/// How to speak of a new program in the words of the old one.
#[derive(Clone, Debug, Default)]
pub struct BackMap {
    /// The old point that each location of the new program stands for.
    pub points: IndexVec<Loc, Point>,
    /// What each variable of the new program is in the old one.
    pub instances: IndexVec<Var, Instance>,
    /// What the pass relied on: terms over the new program's variables, each true whenever the old program
    /// is at the point; `false` for points that are never reached.
    pub facts: Vec<(Point, Term)>,
}
