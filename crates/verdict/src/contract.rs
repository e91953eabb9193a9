//! Contracts: what holds whenever a function is called, and whenever it returns.
//!
//! A contract speaks of values at the call (parameters, global variables) and at the return (global variables, the result).
//! What contracts claim together is that the program made of them (`modular`) is safe.

use program::{FunId, Var};
use term::Term;

/// What is claimed of all activations of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contract {
    /// The function.
    pub function: FunId,
    /// What the symbols in the formulas stand for.
    pub slots: Vec<(Term, Slot)>,
    /// What holds at each call, over values at the call.
    pub requires: Vec<Term>,
    /// What holds at each return, over values at the call and at the return.
    pub ensures: Vec<Term>,
}

/// A value that a contract speaks of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Slot {
    /// The argument for the parameter at this position.
    Argument(usize),
    /// The value of a global variable at the call.
    Before(Var),
    /// The value of a global variable at the return.
    After(Var),
    /// The result.
    Result,
}

impl Slot {
    /// Whether it is known at the call.
    pub fn is_before(self) -> bool {
        matches!(self, Slot::Argument(_) | Slot::Before(_))
    }
}
