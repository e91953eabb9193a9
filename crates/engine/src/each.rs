//! Verdicts about single assertions, one by one, while an engine goes on with the others.
//!
//! Usually an engine answers a question about all assertions at once. Where a user wants a verdict about each of them, an engine
//! that can distinguish them passes on what it finds as it finds it, and keeps its solver: what was learnt about one assertion is
//! there for the next. Other engines need not know about it: their answer is about all assertions that are open.
//!
//! A run that fails one assertion ends there, so an assertion after it is not reached by that run. In this sense each verdict speaks
//! of the program in which the other assertions end runs without an error.

use base::Stopped;
use program::{AssertionId, AssertionKind, Mark, Program};
use verdict::Verdict;

use crate::task::Run;

/// Receives verdicts about single assertions.
pub trait Each {
    /// Whether no engine has a verdict about the assertion yet.
    fn is_open(&self, assertion: AssertionId) -> bool;
    /// A verdict about these assertions; whether its evidence passes the check.
    fn settle(&self, assertions: &[AssertionId], verdict: Verdict) -> Result<bool, Stopped>;
    /// Questions about the assertion have refined this number of further statements.
    fn refined(&self, assertion: AssertionId, statements: u64);
}

impl Run<'_> {
    /// Whether a verdict about the assertion is wanted: if all are asked about at once, always.
    pub fn is_wanted(&self, assertion: AssertionId) -> bool {
        self.each.is_none_or(|each| each.is_open(assertion))
    }
    /// Whether each of the assertions that have an error location has its verdict. Not so if there are none: that is to be shown.
    pub fn is_settled(&self, program: &Program) -> bool {
        let Some(each) = self.each else { return false };
        let marked = program.locations.iter().filter_map(|location| match location.mark {
            Mark::Error(assertion) => Some(assertion),
            _ => None,
        });
        let is_open: Vec<bool> = marked.map(|assertion| each.is_open(assertion)).collect();
        !is_open.is_empty() && !is_open.contains(&true)
    }
}

/// Whether a proof about one assertion needs no other: a claim about the order of evaluation belongs to every proof.
pub fn are_apart(program: &Program) -> bool {
    let is_order = |assertion: AssertionId| program.assertions[assertion].kind == AssertionKind::Order;
    !program.locations.iter().any(|location| matches!(location.mark, Mark::Error(assertion) if is_order(assertion)))
}
