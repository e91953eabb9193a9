//! Whether runs end: the programs that rankings and endless runs are claims about.
//!
//! A program that asks whether every run ends (`AssertionKind::Ends`) is answered by evidence about another program, which is made here from the
//! evidence and is then checked as any program: the ranked program (`verdict::ranked`) or the closed program (`verdict::closed`), where
//! the arguments stand. A ranking that does not get smaller is an error of the first that obligations do not exclude; an end of a run
//! that was said to have none is one of the second. No other evidence answers the question, but a proof by execution: all runs are done, so all end.

use base::Budget;
use program::{Program, validate};
use term::Terms;
use verdict::{Code, Endless, NoRanking, NotClosed, Proof, closed, ranked};

use crate::Refusal;
use crate::contracts::Changed;
use crate::safety::{self, Safety};

/// The ranked program, if the question is whether runs end.
pub(crate) fn subject(program: &Program, terms: &Terms, proof: &Proof) -> Result<Changed, Refusal> {
    if program.ends_asked().is_none() {
        return match proof.rankings.is_empty() {
            true => Ok(None),
            false => Err(Refusal::malformed("rankings for a program that does not ask whether runs end")),
        };
    }
    let mut own = terms.clone();
    let made = ranked(program, &mut own, &proof.rankings, &proof.terms).map_err(|why| match why {
        NoRanking::Malformed(what) => Refusal::malformed(what),
        NoRanking::Unranked(_) => Refusal::malformed("a cycle has no ranking"),
    })?;
    well_formed(made.0, own).map(Some)
}

/// Checks that the program has a run without end.
pub(crate) fn check_endless(
    program: &Program,
    terms: &Terms,
    endless: &Endless,
    budget: &Budget,
    watch: &dyn Fn(usize),
) -> Result<Safety, Refusal> {
    if let Some(approximation) = program.approximations.first() {
        // The run is one of the program, and the source may not have it.
        return Err(Refusal::unknown(Code::Approximated, &approximation.text, approximation.place));
    }
    let mut own = terms.clone();
    let made = closed(program, &mut own, &endless.answers).map_err(|why| match why {
        NotClosed::Malformed(what) => Refusal::malformed(what),
        NotClosed::Unsupported(what, place) => Refusal::unknown(Code::Memory, what, place),
    })?;
    let (made, own) = well_formed(made, own)?;
    safety::check(&made, &own, &endless.proof, budget, watch)
}

/// Obligations rely on the laws of programs, and evidence can be anything.
fn well_formed(made: Program, own: Terms) -> Result<(Program, Terms), Refusal> {
    match validate(&made, &own) {
        Ok(()) => Ok((made, own)),
        Err(violations) => Err(Refusal::malformed(format!(
            "evidence makes no well-formed program: {}",
            violations.first().map(ToString::to_string).unwrap_or_default()
        ))),
    }
}
