//! The independent checker: checks evidence without any code of engines, passes or encodings.
//!
//! `SAFE` comes with invariants at points of the program as lowered. Here the program's calls are
//! expanded (`points`), all loop-free paths between the evidence's points become formulas (`block`), and each thing
//! that must not happen becomes an obligation (`obligations`): formulas that must contradict each other. They
//! are turned into clauses by a blaster of our own (`blast`, `circuits`, `gates`); a solver may look for the
//! contradiction, but only a proof that the checker of `proof` replays counts (`refute`).
//!
//! Tail calls are loops (`tail`), and functions with contracts are checked one by one (`contracts`).
//! A program without inputs is executed instead (`execution`), and a bounded one with terms for its inputs (`unrolling`).
//!
//! Whether runs end is a question about another program (`rankings`).
//!
//! `UNSAFE` comes with input values. The interpreter runs the program as lowered on them (`replay`).

#![forbid(unsafe_code)]

mod array_axioms;
mod blast;
mod block;
mod choices;
mod circuits;
mod claim;
mod computed;
mod contracts;
mod demand;
mod encodings;
mod endless;
mod evidence;
mod execution;
mod external;
mod flow;
mod gates;
mod guards;
mod heap;
mod interface;
mod laws;
mod layout;
mod lemmas;
mod machine;
mod memory;
mod obligations;
mod points;
mod points_to;
mod rankings;
mod read_over_write;
mod refusal;
mod refute;
mod replay;
mod safety;
mod second_opinion;
mod slices;
mod slots;
mod stale;
mod tail;
mod totals;
mod translate;
mod tuning;
mod unrolling;
mod valid;

pub use refusal::Refusal;
pub use refute::Rung;
pub use replay::Replayed;
pub use safety::{Checked, Safety};
pub use second_opinion::{Question, second_opinion};
pub use tuning::Tuning;

use base::Budget;
use program::Program;
use term::Terms;
use verdict::Verdict;

/// What was checked.
#[derive(Clone, Debug)]
pub enum Certificate {
    /// No run reaches an error.
    Safe(Safety),
    /// A run reaches the error.
    Unsafe(Replayed),
    /// A run does not end: the closed program is safe.
    Endless(Safety),
    /// Nothing was claimed.
    Nothing,
}

/// Checks the evidence of a verdict about the program as the front end lowered it.
pub fn certify(program: &Program, terms: &Terms, verdict: &Verdict, budget: &Budget) -> Result<Certificate, Refusal> {
    certify_watched(program, terms, verdict, budget, &|_| {})
}

/// As `certify`; `watch` receives the number of obligations that have passed, after each of them.
pub fn certify_watched(
    program: &Program,
    terms: &Terms,
    verdict: &Verdict,
    budget: &Budget,
    watch: &dyn Fn(usize),
) -> Result<Certificate, Refusal> {
    match verdict {
        Verdict::Safe(proof) => safety::check(program, terms, proof, budget, watch).map(Certificate::Safe),
        Verdict::Unsafe(counterexample) => {
            replay::replay(program, terms, counterexample, budget).map(Certificate::Unsafe)
        }
        Verdict::Endless(endless) => {
            rankings::check_endless(program, terms, endless, budget, watch).map(Certificate::Endless)
        }
        Verdict::Unknown(_) => Ok(Certificate::Nothing),
    }
}
