//! Proof by unrolling: all runs of a bounded program, executed at once with terms in place of what inputs decide.
//!
//! The checker explores the program as lowered by itself (`program::symbolic`). The evidence says which questions about paths have a complete answer: which paths are
//! taken by no run, and which values a size has. Each of these answers is a formula that must be refuted here; what the evidence does not say is taken to be possible. At the end
//! no path into an error may be left: one more formula. Formulas are refuted in bits, by a proof that the checker of `proof` replays (`refute`).
//!
//! What is trusted is the exploration: its rules for words are equalities of bit-vectors, its memory follows strict runs as the interpreter does, and both are
//! tested against evaluation and runs. Nothing of the engine is.

use base::{Budget, FastMap, Stopped};
use program::Program;
use program::symbolic::{Explored, Oracle, Trouble, explore};
use term::{Term, Terms};
use verdict::{Code, Method, Proof};

use crate::Refusal;
use crate::refute::{Outcome, refute_in_bits};

/// Explores all runs and refutes what must not be; returns how it was proved.
pub(crate) fn check(program: &Program, terms: &Terms, proof: &Proof, budget: &Budget) -> Result<Method, Refusal> {
    let mut answers = Answers { closed: FastMap::new(), refusal: None };
    for (number, values) in &proof.closed {
        if answers.closed.insert(*number, values.clone()).is_some() {
            return Err(Refusal::malformed("a question of an unrolling is answered twice"));
        }
    }
    let explored = explore(program, terms, &mut answers, budget);
    if let Some(refusal) = answers.refusal {
        return Err(refusal);
    }
    let Explored { mut terms, errors, questions, .. } = match explored {
        Ok(explored) => explored,
        Err(Trouble::Stopped(stopped)) => return Err(Refusal::Stopped(stopped)),
        Err(Trouble::Unsupported(what, place)) => return Err(Refusal::unknown(Code::Memory, what, place)),
        Err(Trouble::Limit(what, place)) => return Err(Refusal::unknown(Code::EvidenceSize, what, place)),
    };
    let ways: Vec<Term> = errors.iter().map(|&(_, condition)| condition).collect();
    let is_error = terms.or(&ways);
    refuted(&terms, &[is_error], "a path into an error can be taken", budget)?;
    Ok(Method::Unrolling { questions })
}

/// The answers of the evidence, each of which is refuted to be otherwise.
struct Answers {
    closed: FastMap<u32, Vec<u64>>,
    /// Why the evidence is not accepted, once that is known.
    refusal: Option<Refusal>,
}

impl Oracle for Answers {
    fn closed(
        &mut self,
        terms: &mut Terms,
        number: u32,
        condition: Term,
        word: Option<Term>,
        budget: &Budget,
    ) -> Result<Option<Vec<u64>>, Stopped> {
        let Some(values) = self.closed.get(&number) else { return Ok(None) };
        let mut formulas = vec![condition];
        match word {
            None if !values.is_empty() => {
                self.refusal = Some(Refusal::malformed("an answer with values to a question without a word"));
                return Err(Stopped::Cancelled);
            }
            None => {}
            Some(word) => {
                let width = terms.width(word);
                for &value in values {
                    let value = terms.bv(width, value);
                    formulas.push(terms.ne(word, value));
                }
            }
        }
        match refuted(terms, &formulas, "an answer about a path is wrong", budget) {
            Ok(()) => Ok(Some(values.clone())),
            Err(refusal) => {
                self.refusal = Some(refusal);
                Err(Stopped::Cancelled)
            }
        }
    }
}

/// Whether the formulas contradict each other; `wrong` says what it means if they do not.
fn refuted(terms: &Terms, formulas: &[Term], wrong: &'static str, budget: &Budget) -> Result<(), Refusal> {
    match refute_in_bits(terms, formulas, budget)? {
        Outcome::Refuted(_) => Ok(()),
        Outcome::Open(_) => Err(Refusal::malformed(wrong)),
        Outcome::TooLarge => Err(Refusal::unknown(Code::EvidenceSize, "a path that is too large to check", None)),
        Outcome::BadProof(why) => Err(Refusal::BadProof(format!("the proof about a path is wrong: {why:?}"))),
    }
}
