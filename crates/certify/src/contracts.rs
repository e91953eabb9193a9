//! The program that obligations are about: with rankings (`rankings`), with jumps for tail calls, and made of contracts if the evidence has any.
//!
//! Contracts say what holds whenever a function is called and returns. What they claim together is that one program without
//! calls of these functions is safe (`verdict::modular`, where the argument stands); the evidence then proves that
//! program safe, by invariants at its points. So a contract that is not kept, or not enough for a caller, is an error
//! that the obligations do not exclude.

use program::{FunId, Program, validate};
use term::Terms;
use verdict::{Code, Contract, NoContract, Proof, modular};

use crate::Refusal;
use crate::rankings;
use crate::tail;

/// A program and the store of its terms, if they are not those that are checked.
pub(crate) type Changed = Option<(Program, Terms)>;

/// The program that the proof is about; `None` if it is the one as lowered.
pub(crate) fn subject(program: &Program, terms: &Terms, proof: &Proof) -> Result<Changed, Refusal> {
    let ranked = rankings::subject(program, terms, proof)?;
    let Some((program, terms)) = &ranked else { return of_contracts(program, terms, proof) };
    Ok(of_contracts(program, terms, proof)?.or(ranked.clone()))
}

/// The program with jumps, or the one that is made of contracts; `None` if it is the one that is given.
fn of_contracts(program: &Program, terms: &Terms, proof: &Proof) -> Result<Changed, Refusal> {
    // Calls of functions with contracts, their own among them, are what the contracts say.
    let kept: Vec<FunId> = proof.contracts.iter().map(|contract| contract.function).collect();
    let jumps = tail::with_jumps(program, terms, &kept);
    if proof.contracts.is_empty() {
        return Ok(jumps.map(|program| (program, terms.clone())));
    }
    made_of(jumps.as_ref().unwrap_or(program), terms, &proof.contracts, &proof.terms).map(Some)
}

/// The program that is made of the contracts.
fn made_of(
    program: &Program,
    terms: &Terms,
    contracts: &[Contract],
    from: &Terms,
) -> Result<(Program, Terms), Refusal> {
    let mut own = terms.clone();
    let made = modular(program, &mut own, contracts, from).map_err(|why| match why {
        NoContract::Malformed(what) => Refusal::malformed(what),
        NoContract::Unsupported(what, place) => Refusal::unknown(Code::Recursion, what, place),
    })?;
    // Obligations rely on the laws of programs, and a contract can be anything.
    match validate(&made.program, &own) {
        Ok(()) => Ok((made.program, own)),
        Err(violations) => Err(Refusal::malformed(format!(
            "contracts make no well-formed program: {}",
            violations.first().map(ToString::to_string).unwrap_or_default()
        ))),
    }
}
