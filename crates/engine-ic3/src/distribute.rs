//! A schema for sums: `ite(c, a, b) + d` is `ite(c, a + d, b + d)`, instantiated where a model shows the need.
//!
//! Blocks join branches with `ite`, so that steps on the way are sums of choices of sums. To functions these
//! have nothing to do with the one sum that they amount to; the simplifier knows, once it sees which branches
//! are taken. Learning that for each combination of branches takes one model each. The schema says it for all at once:
//! pushed down to the leaves, sums of constants meet and become one. Instances are made for a lemma's own
//! terms and for the sums that arise from them, so there are at most as many as sums times constants.

use base::FastMap;
use term::{Op, Term, Terms};

use crate::tuning::Tuning;

/// The sums that were distributed.
#[derive(Default)]
pub(crate) struct Distribution {
    done: FastMap<Term, ()>,
    n_done: usize,
}

impl Distribution {
    /// The instances that the sums in this formula call for.
    pub fn instances(&mut self, terms: &mut Terms, formula: Term) -> Vec<Term> {
        let mut found = Vec::new();
        let mut open = terms.subterms(&[formula]);
        while let Some(site) = open.pop() {
            let Some((condition, then, otherwise, constant)) = sum_of_choice(terms, site) else { continue };
            if self.n_done >= Tuning::DEFAULT.max_distributions || self.done.insert(site, ()).is_some() {
                continue;
            }
            self.n_done += 1;
            let then = terms.bv_add(then, constant);
            let otherwise = terms.bv_add(otherwise, constant);
            open.extend([then, otherwise]);
            let choice = terms.ite(condition, then, otherwise);
            found.push(terms.eq(site, choice));
        }
        found
    }
}

/// The parts of `ite(condition, then, otherwise) + constant`.
pub(crate) fn sum_of_choice(terms: &Terms, site: Term) -> Option<(Term, Term, Term, Term)> {
    if terms.op(site) != Op::BvAdd {
        return None;
    }
    let (left, right) = (terms.arg(site, 0), terms.arg(site, 1));
    let (choice, constant) = if terms.is_value(right) { (left, right) } else { (right, left) };
    if !terms.is_value(constant) || terms.op(choice) != Op::Ite {
        return None;
    }
    Some((terms.arg(choice, 0), terms.arg(choice, 1), terms.arg(choice, 2), constant))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_meet_at_the_leaves_of_nested_choices() {
        let mut terms = Terms::new();
        let (sort, truth) = (terms.bv_sort(8), terms.bool_sort());
        let x = terms.variable("x", sort);
        let (p, q) = (terms.variable("p", truth), terms.variable("q", truth));
        let one = terms.bv(8, 1);
        let once = terms.bv_add(x, one);
        let first = terms.ite(p, once, x);
        let again = terms.bv_add(first, one);
        let second = terms.ite(q, again, first);
        let last = terms.bv_add(second, one);
        let goal = terms.eq(last, x);
        let mut distribution = Distribution::default();
        let made: Vec<String> =
            distribution.instances(&mut terms, goal).into_iter().map(|lemma| terms.to_smtlib(lemma)).collect();
        // Sums of one and of two over the inner choice, of one over the outer: three.
        assert_eq!(made.len(), 3, "{made:?}");
        let three = terms.bv(8, 3);
        let sum = terms.bv_add(x, three);
        let sum = terms.to_smtlib(sum);
        assert!(made.iter().any(|lemma| lemma.contains(&sum)), "{made:?}");
        assert!(distribution.instances(&mut terms, goal).is_empty(), "each sum is distributed once");
    }
}
