//! Interpolants without a proof, from models: what the rest allows and the beginning forbids is ruled out piece by piece.
//!
//! For one cut, the interpolant starts as true. While it and the rest have a model, the model is a *cube* of facts
//! about the shared variables: truth values, bounds, equalities, and bits last. The left side contradicts the cube
//! (or the parts would not contradict each other), and a core of that, made smaller fact by fact, becomes a clause of
//! the interpolant ([ChocklerIvriiMatsliah-HVC'12]). One cut after the other, the interpolant of the last standing for
//! all parts on its left, gives a sequence.
//!
//! Only shared variables are looked at, so this ends with nothing where functions matter.

use base::{Budget, Stopped};
use term::{Op, SortKind, Term, Terms, Value};

use super::span::Spans;
use crate::solver::{Answer, Query, Solver};
use crate::tuning::Tuning;

/// A sequence, if every interpolant takes few enough clauses.
pub(super) fn sequence(terms: &mut Terms, parts: &[Vec<Term>], budget: &Budget) -> Result<Option<Vec<Term>>, Stopped> {
    let spans = Spans::new(terms, parts);
    let mut before: Option<Term> = None;
    let mut sequence = Vec::with_capacity(parts.len() - 1);
    for cut in 1..parts.len() {
        let mut left: Vec<Term> = before.into_iter().collect();
        left.extend(&parts[cut - 1]);
        let right: Vec<Term> = parts[cut..].iter().flatten().copied().collect();
        let mut symbols = terms.symbols_of(&left);
        symbols.retain(|&symbol| spans.of_symbol(symbol).is_shared(cut) && terms.symbol_args(symbol).is_empty());
        let shared: Vec<Term> = symbols.into_iter().map(|symbol| terms.apply(symbol, &[])).collect();
        let Some(interpolant) = between(terms, &left, &right, &shared, budget)? else { return Ok(None) };
        sequence.push(interpolant);
        before = Some(interpolant);
    }
    Ok(Some(sequence))
}

/// An interpolant between two sides over these variables.
fn between(
    terms: &mut Terms,
    left: &[Term],
    right: &[Term],
    shared: &[Term],
    budget: &Budget,
) -> Result<Option<Term>, Stopped> {
    let (mut one, mut other) = (Solver::new(), Solver::new());
    left.iter().for_each(|&formula| one.assert(formula));
    right.iter().for_each(|&formula| other.assert(formula));
    let comparisons = comparisons(terms, shared);
    let mut clauses: Vec<Term> = Vec::new();
    while clauses.len() < Tuning::DEFAULT.max_model_clauses {
        let (values, truths): (Vec<Value>, Vec<bool>) = match other.check(terms, &Query::default(), budget)? {
            Answer::Unsat(_) => return Ok(Some(terms.and(&clauses))),
            Answer::Unknown(_) => return Ok(None),
            Answer::Sat(mut model) => (
                shared.iter().map(|&variable| model.value(variable)).collect(),
                comparisons.iter().map(|&(comparison, _)| model.is_true(comparison)).collect(),
            ),
        };
        let compared = comparisons.iter().zip(truths).map(|(&(yes, no), truth)| if truth { yes } else { no });
        let facts = facts(terms, shared, &values, compared);
        let Some(core) = contradiction(terms, &mut one, facts, budget)? else { return Ok(None) };
        let negated: Vec<Term> = core.iter().map(|&fact| terms.not(fact)).collect();
        let clause = terms.or(&negated);
        other.assert(clause);
        clauses.push(clause);
    }
    Ok(None)
}

/// A small subset of the facts that the solver's formulas contradict. The last ones go first.
fn contradiction(
    terms: &Terms,
    solver: &mut Solver,
    facts: Vec<Term>,
    budget: &Budget,
) -> Result<Option<Vec<Term>>, Stopped> {
    let mut kept = facts;
    match solver.check(terms, &Query::assuming(&kept), budget)? {
        Answer::Unsat(refutation) => {
            let core = refutation.core().to_vec();
            kept.retain(|fact| core.contains(fact));
        }
        _ => return Ok(None),
    }
    let mut at = kept.len();
    while at > 0 {
        at -= 1;
        let mut fewer = kept.clone();
        fewer.remove(at);
        if let Answer::Unsat(refutation) = solver.check(terms, &Query::assuming(&fewer), budget)? {
            let core = refutation.core().to_vec();
            let before = fewer[..at].iter().filter(|fact| core.contains(fact)).count();
            fewer.retain(|fact| core.contains(fact));
            kept = fewer;
            at = before;
        }
    }
    Ok(Some(kept))
}

/// What is true of the variables in the model: what they are to each other comes first, then bounds, single bits last.
fn facts(terms: &mut Terms, shared: &[Term], values: &[Value], compared: impl Iterator<Item = Term>) -> Vec<Term> {
    let (mut facts, mut bits): (Vec<Term>, Vec<Term>) = (compared.collect(), Vec::new());
    for (&variable, value) in shared.iter().zip(values) {
        match value {
            Value::Bool(true) => facts.push(variable),
            Value::Bool(false) => facts.push(terms.not(variable)),
            Value::Bits(number) => {
                let literal = terms.bits(number.clone());
                facts.push(terms.bv_sle(variable, literal));
                facts.push(terms.bv_sle(literal, variable));
                facts.push(terms.bv_ule(variable, literal));
                facts.push(terms.bv_ule(literal, variable));
                for at in 0..number.width() {
                    let bit = terms.extract(variable, at, at);
                    let value = terms.bv(1, u64::from(number.bit(at)));
                    bits.push(terms.eq(bit, value));
                }
            }
            _ => {}
        }
    }
    facts.extend(bits);
    facts.retain(|&fact| terms.op(fact) != Op::True);
    facts
}

/// Equalities and orders between variables, each with its negation.
fn comparisons(terms: &mut Terms, shared: &[Term]) -> Vec<(Term, Term)> {
    if shared.len() > Tuning::DEFAULT.max_compared_variables {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (place, &variable) in shared.iter().enumerate() {
        for &other in &shared[..place] {
            let sort = terms.sort_of(variable);
            if sort != terms.sort_of(other) || matches!(terms.sort_kind(sort), SortKind::Array(..)) {
                continue;
            }
            found.push(terms.eq(variable, other));
            if matches!(terms.sort_kind(sort), SortKind::BitVec(_)) {
                found.push(terms.bv_slt(variable, other));
                found.push(terms.bv_ult(variable, other));
            }
        }
    }
    found.into_iter().map(|comparison| (comparison, terms.not(comparison))).collect()
}
