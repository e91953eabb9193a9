//! A second opinion: each obligation as a script for another solver.
//!
//! The script asserts what must contradict itself, bit-precisely; any answer but `unsat` is an objection. The driver
//! starts the solver.

use base::Budget;
use program::{AssertionId, Point, Program};
use term::Terms;
use verdict::{Method, Proof};

use crate::Refusal;
use crate::safety::{ends, for_each_obligation};
use crate::totals;

/// An obligation in SMT-LIB.
#[derive(Clone, Debug)]
pub struct Question {
    /// Where the runs in question start.
    pub from: Point,
    /// Where they come to.
    pub to: Point,
    /// The assertion that would fail there; otherwise it is about the invariant.
    pub assertion: Option<AssertionId>,
    /// The script; the answer must be `unsat`.
    pub script: String,
}

/// The obligations of a proof as scripts; the method is the one by which it was checked.
pub fn second_opinion(
    program: &Program,
    terms: &Terms,
    proof: &Proof,
    method: Method,
    budget: &Budget,
) -> Result<Vec<Question>, Refusal> {
    let mut questions = Vec::new();
    for_each_obligation(program, terms, proof, method, budget, &mut |encoder, obligation| {
        budget.spend(1)?;
        let (from, to, assertion) = ends(encoder.points, &obligation);
        let mut formulas = obligation.formulas(encoder);
        formulas.extend(totals::laws(proof, &mut encoder.own, &formulas)?);
        let script = term::smtlib::script(&encoder.own, &formulas);
        questions.push(Question { from, to, assertion, script });
        Ok(())
    })?;
    Ok(questions)
}
