//! The first producer of facts: ranges, low bits, short lists of values and equalities of variables, for
//! every location, sound for arithmetic that wraps.
//!
//! Abstract interpretation over the control-flow graph [CousotCousot-POPL'77] in weak topological order
//! [Bourdoncle-FMPA'93]: a component is repeated until its head is stable. At first heads join what
//! comes in, so that short enumerations (the states of a protocol) come out exactly; then bounds that
//! still move are widened to the next constant of the program. A last pass takes back some of what
//! widening gave away.

mod environment;
mod fixpoint;
mod number;
mod refine;
mod transfer;

use base::{Budget, IndexVec, Stopped};
use program::{Loc, Program, Var};
use term::{Term, Terms};

use environment::Environment;
use number::{Number, greatest_signed, least_signed, mask};

use crate::tuning::Tuning;

/// What is known at each location.
pub struct Analysis {
    /// None where no run comes by.
    known: IndexVec<Loc, Option<Environment>>,
}

impl Analysis {
    /// Analyses a program without calls.
    pub fn new(program: &Program, terms: &Terms, budget: &Budget) -> Result<Analysis, Stopped> {
        Ok(Analysis { known: fixpoint::fixpoint(program, terms, budget)? })
    }
    /// Facts about these variables that hold whenever a run is at the location.
    pub fn facts(&self, program: &Program, terms: &mut Terms, loc: Loc, vars: &[Var]) -> Vec<Term> {
        let Some(known) = &self.known[loc] else { return vec![terms.truth(false)] };
        let mut facts = Vec::new();
        let mut first_of_class: Vec<(u32, Var)> = Vec::new();
        for &var in vars {
            let term = program.vars[var].term;
            let class = known.class(var);
            match first_of_class.iter().find(|(other, _)| *other == class) {
                Some(&(_, other)) if program.vars[other].sort == program.vars[var].sort => {
                    facts.push(terms.eq(term, program.vars[other].term));
                    continue; // Its numbers are those of the other.
                }
                _ => first_of_class.push((class, var)),
            }
            said(terms, term, known.number(var), &mut facts);
        }
        facts
    }
}

/// What is known of a number, in terms.
fn said(terms: &mut Terms, term: Term, number: &Number, facts: &mut Vec<Term>) {
    let width = number.width;
    if number.is_any() {
        return;
    }
    if terms.is_bool(term) {
        if let Some(value) = number.single() {
            facts.push(if value == 1 { term } else { terms.not(term) });
        }
        return;
    }
    if let Some(list) = number.list.as_ref().filter(|list| list.len() <= Tuning::DEFAULT.analysis_listed_values) {
        let mut cases = Vec::new();
        for &value in list {
            let value = terms.bv(width, value);
            cases.push(terms.eq(term, value));
        }
        facts.push(terms.or(&cases));
        return;
    }
    let top = greatest_signed(width) as u64;
    let is_unsigned_said = number.low > 0 || number.high < mask(width);
    if number.low > 0 {
        let low = terms.bv(width, number.low);
        facts.push(terms.bv_ule(low, term));
    }
    if number.high < mask(width) {
        let high = terms.bv(width, number.high);
        facts.push(terms.bv_ule(term, high));
    }
    // Where the sign is clear the unsigned range says it all.
    if !(is_unsigned_said && (number.high <= top || number.low > top)) {
        if number.signed_low > least_signed(width) {
            let low = terms.bv(width, number.signed_low as u64 & mask(width));
            facts.push(terms.bv_sle(low, term));
        }
        if number.signed_high < greatest_signed(width) {
            let high = terms.bv(width, number.signed_high as u64 & mask(width));
            facts.push(terms.bv_sle(term, high));
        }
    }
    let known = number.known_low_bits();
    if known > 0 && known < width {
        let low = terms.extract(term, known - 1, 0);
        let value = terms.bv(known, number.ones & mask(known));
        facts.push(terms.eq(low, value));
    }
}
