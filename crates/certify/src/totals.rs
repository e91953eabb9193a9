//! Totals: functions of the evidence that add up cells of arrays, and the laws that obligations may use of them.
//!
//! A total is defined by the evidence, for every array and every counter (`term::totals`). So its laws need no proof, but for one
//! claim of the evidence: that the counter of a cell is found from its index.

use term::totals::Total;
use term::{Term, Terms};
use verdict::{Code, Proof};

use base::Budget;

use crate::Refusal;
use crate::refute::{Outcome, refute_in_bits};
use crate::translate::Translation;

/// Checks that the totals of the evidence are what their laws take them for.
pub(crate) fn prove(program: &Terms, proof: &Proof, budget: &Budget) -> Result<(), Refusal> {
    if proof.totals.is_empty() {
        return Ok(());
    }
    // The programs that those stand for are made of terms of the evidence.
    if !proof.contracts.is_empty() || !proof.rankings.is_empty() {
        return Err(Refusal::malformed("evidence with totals has no contracts and no rankings"));
    }
    for (number, total) in proof.totals.iter().enumerate() {
        let is_again = proof.totals[..number].iter().any(|other| other.function == total.function);
        if is_again || !is_known(&proof.terms, total) || !total.is_sound(&proof.terms) {
            return Err(Refusal::malformed("a total of the evidence is not well formed"));
        }
        // A function of the program is what the program says.
        if program.lookup(proof.terms.symbol_name(total.function)).is_some() {
            return Err(Refusal::malformed("a total of the evidence has the name of something in the program"));
        }
        let mut own = Terms::without_simplification();
        let total = translated(proof, &mut own, total, number)?;
        let claim = total.finds_positions(&mut own);
        let negated = own.not(claim);
        match refute_in_bits(&own, &[negated], budget)? {
            Outcome::Refuted(_) => {}
            Outcome::Open(_) => {
                return Err(Refusal::malformed("a total of the evidence has two counters for one cell"));
            }
            Outcome::TooLarge => {
                return Err(Refusal::unknown(Code::EvidenceSize, "a total that is too large to check", None));
            }
            Outcome::BadProof(why) => return Err(Refusal::BadProof(format!("the proof of a total is wrong: {why:?}"))),
        }
    }
    Ok(())
}

/// The laws that the formulas call for.
pub(crate) fn laws(proof: &Proof, own: &mut Terms, formulas: &[Term]) -> Result<Vec<Term>, Refusal> {
    let mut laws = Vec::new();
    for (number, total) in proof.totals.iter().enumerate() {
        let total = translated(proof, own, total, number)?;
        laws.extend(total.laws(own, formulas));
    }
    Ok(laws)
}

/// Whether all of it is in the store.
fn is_known(terms: &Terms, total: &Total) -> bool {
    let parts = [total.counter, total.cell, total.index, total.summand, total.place, total.position, total.limit];
    parts.iter().all(|part| part.index() < terms.len()) && terms.has_symbol(total.function)
}

/// The total in our store.
fn translated(proof: &Proof, own: &mut Terms, total: &Total, number: usize) -> Result<Total, Refusal> {
    let from = &proof.terms;
    let mut translation = Translation::new(from);
    let mut term = |own: &mut Terms, term: Term| {
        let symbol = |own: &mut Terms, symbol: Term| {
            let sort = own.bv_sort(from.width(symbol));
            Ok(own.variable(&format!("total {number} {}", symbol.index()), sort))
        };
        translation.term(own, term, symbol, |_| {})
    };
    let [counter, cell, index, summand, place, position, limit] =
        [total.counter, total.cell, total.index, total.summand, total.place, total.position, total.limit]
            .map(|part| term(own, part));
    let mut sorts = Translation::new(from);
    let takes: Vec<_> = from.symbol_args(total.function).iter().map(|&sort| sorts.sort(own, sort)).collect();
    let result = sorts.sort(own, from.symbol_result(total.function));
    let function = own.declare(&Translation::name_of(from, total.function), &takes, result);
    let function = function.ok_or_else(|| Refusal::malformed("a total of the evidence has two signatures"))?;
    Ok(Total {
        function,
        counter: counter?,
        cell: cell?,
        index: index?,
        summand: summand?,
        place: place?,
        position: position?,
        limit: limit?,
        is_xor: total.is_xor,
    })
}
