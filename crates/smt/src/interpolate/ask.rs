//! Asking whether formulas contradict each other, with products and quotients left alone where that is enough.
//!
//! Steps between interpolants often need only congruence of large operators, which in bits would be the equivalence of
//! two multipliers. So where such operators occur, a short query with all operators uninterpreted comes first: what
//! contradicts itself then does so in bits as well.

use base::{Budget, Stopped};
use term::{Cost, SortKind, Term, Terms};

use crate::precision::Reading;
use crate::solver::{Answer, Query, Solver};
use crate::tuning::Tuning;

/// What was found.
pub(super) enum Asked {
    /// These of the assumptions suffice.
    Contradiction(Vec<Term>),
    Model,
    Unknown(&'static str),
}

/// Whether the assumptions contradict what is asserted; `smaller` says up to which size cores are made smaller, and the
/// ticks for that.
pub(super) fn ask(
    terms: &Terms,
    asserted: &[Term],
    assumptions: &[Term],
    smaller: (usize, u64),
    budget: &Budget,
) -> Result<Asked, Stopped> {
    if has_large_operators(terms, asserted, assumptions) {
        let short = budget.part(Tuning::DEFAULT.short_query_ticks);
        let found = once(terms, asserted, assumptions, Reading::Uninterpreted, smaller, &short);
        if let Ok(Asked::Contradiction(core)) = found {
            return Ok(Asked::Contradiction(core));
        }
    }
    once(terms, asserted, assumptions, Reading::Bits, smaller, budget)
}

fn once(
    terms: &Terms,
    asserted: &[Term],
    assumptions: &[Term],
    reading: Reading,
    (largest, ticks): (usize, u64),
    budget: &Budget,
) -> Result<Asked, Stopped> {
    let mut solver = Solver::with_reading(reading);
    asserted.iter().for_each(|&formula| solver.assert(formula));
    let core = match solver.check(terms, &Query::assuming(assumptions), budget)? {
        Answer::Sat(_) => return Ok(Asked::Model),
        Answer::Unknown(why) => return Ok(Asked::Unknown(why)),
        Answer::Unsat(mut refutation) => {
            if refutation.core().len() <= largest {
                refutation.minimize(terms, &budget.part(ticks));
            }
            refutation.core().to_vec()
        }
    };
    // A minimisation without result is no error, but a cancellation ends the call.
    budget.spend(0)?;
    Ok(Asked::Contradiction(core))
}

fn has_large_operators(terms: &Terms, asserted: &[Term], assumptions: &[Term]) -> bool {
    let all: Vec<Term> = asserted.iter().chain(assumptions).copied().collect();
    terms.subterms(&all).into_iter().any(|term| {
        let is_large = terms.op(term).row().cost >= Cost::Product;
        let is_wide =
            |arg: &Term| matches!(*terms.sort_kind(terms.sort_of(*arg)), SortKind::BitVec(width) if width >= Tuning::DEFAULT.wide_operator_bits);
        is_large && terms.args(term).iter().all(|arg| is_wide(arg) && !terms.is_value(*arg))
    })
}
