//! Facts about operators, exported to other engines and imported from them.
//!
//! What the simplifier gave while the search ran (see `preimage`) speaks of the search's own terms. *Lifted*, it speaks of
//! operators: a sum and the branches of what it adds to, and what an operator is if one argument is the constant
//! that was chosen for an input. The store of facts proves each lemma in bits before it can be read.
//!
//! Imported lemmas, those of `refine` about products for example, are instantiated wherever the program computes a matching
//! term, as long as operators are functions; bit-precise queries do not need them.

use base::Stopped;
use engine::{Cursor, Instance, Lemmas};
use smt::is_site;
use term::walk::Import;
use term::{Op, Term, Terms};
use verdict::Proof;

use crate::distribute::sum_of_choice;
use crate::precision::Stage;
use crate::query::Search;
use crate::tuning::Tuning;

/// What is known of operators beside what the search finds out.
#[derive(Default)]
pub(crate) struct Operators {
    /// Facts that are not exported yet.
    learnt: Vec<Term>,
    /// Exported facts, lifted.
    exported: Vec<Term>,
    known: Lemmas,
    cursor: Cursor,
    /// What was put in: true whatever the values.
    pub instances: Vec<Instance>,
}

impl Operators {
    /// The search has learnt this.
    pub fn note(&mut self, facts: &[Term]) {
        let room = Tuning::DEFAULT.max_waiting_facts.saturating_sub(self.learnt.len());
        self.learnt.extend(facts.iter().take(room));
    }
    /// The proof may rest on the lemmas of which there are instances.
    pub fn name_in(&self, terms: &Terms, proof: &mut Proof) {
        let mut import = Import::new();
        for instance in &self.instances {
            if let Ok(lemma) = import.term(terms, &mut proof.terms, instance.lemma)
                && !proof.lemmas.contains(&lemma)
            {
                proof.lemmas.push(lemma);
            }
        }
    }
}

impl Search<'_> {
    /// Exports the facts that the search learnt about operators.
    pub fn export_lemmas(&mut self) -> Result<(), Stopped> {
        let mut lemmas = Vec::new();
        for fact in std::mem::take(&mut self.operators.learnt) {
            for lemma in lifted(&mut self.terms, fact) {
                if !self.operators.exported.contains(&lemma) {
                    self.operators.exported.push(lemma);
                    lemmas.push(lemma);
                }
            }
        }
        self.run.facts.publish_lemmas(&mut self.terms, &lemmas, "euf", self.run.budget)?;
        Ok(())
    }
    /// Imports the facts of other engines about operators.
    pub fn import_lemmas(&mut self) {
        if self.raised.stage == Stage::Bits {
            return;
        }
        let mut is_news = false;
        for fact in self.run.facts.read_lemmas(&mut self.operators.cursor, &mut self.terms) {
            if !self.operators.known.add(&self.terms, fact.term) {
                continue;
            }
            is_news = true;
            if !self.operators.exported.contains(&fact.term) {
                self.run.observer.imported(fact.source);
            }
        }
        if !is_news {
            return;
        }
        for site in self.terms.subterms(&self.roots) {
            if !is_site(self.terms.op(site)) || self.operators.instances.len() >= Tuning::DEFAULT.max_operator_instances
            {
                continue;
            }
            for instance in self.operators.known.instances(&mut self.terms, site) {
                self.raised.prepare(&self.terms, &mut self.solver, instance.formula);
                self.solver.assert(instance.formula);
                self.everywhere.push(instance.formula);
                self.operators.instances.push(instance);
            }
        }
    }
}

/// Lemmas about operators that this fact is a case of.
fn lifted(terms: &mut Terms, fact: Term) -> Vec<Term> {
    let mut found: Vec<Term> = Vec::new();
    let sites = terms.subterms(&[fact]);
    let mut chosen = Vec::new();
    if terms.op(fact) == Op::Or {
        for &part in terms.args(fact) {
            if terms.op(part) == Op::Not && terms.op(terms.arg(part, 0)) == Op::Eq {
                let (left, right) = (terms.arg(terms.arg(part, 0), 0), terms.arg(terms.arg(part, 0), 1));
                for (symbol, value) in [(left, right), (right, left)] {
                    if matches!(terms.op(symbol), Op::Symbol(_)) && terms.is_value(value) {
                        chosen.push((symbol, value));
                    }
                }
            }
        }
    }
    for site in sites {
        let mut lemmas = Vec::new();
        lemmas.extend(of_choice(terms, site));
        for &(symbol, value) in &chosen {
            lemmas.extend(of_constant(terms, site, symbol, value));
        }
        for lemma in lemmas {
            if terms.op(lemma) != Op::True && !found.contains(&lemma) {
                found.push(lemma);
            }
        }
    }
    found
}

/// `ite(p, x, y) + c` is `ite(p, x + c, y + c)`.
fn of_choice(terms: &mut Terms, site: Term) -> Option<Term> {
    let (_, _, _, constant) = sum_of_choice(terms, site)?;
    let [x, y] = words(terms, constant);
    let truth = terms.bool_sort();
    let p = terms.variable("lemma!p", truth);
    let choice = terms.ite(p, x, y);
    let (left, then, otherwise) =
        (terms.bv_add(choice, constant), terms.bv_add(x, constant), terms.bv_add(y, constant));
    let right = terms.ite(p, then, otherwise);
    Some(terms.eq(left, right))
}

/// An operator of two words one of which is this constant, if that makes it a constant or the other word.
fn of_constant(terms: &mut Terms, site: Term, symbol: Term, value: Term) -> Option<Term> {
    let &[left, right] = terms.args(site) else { return None };
    if !is_site(terms.op(site)) || (left == symbol) == (right == symbol) {
        return None;
    }
    if terms.sort_of(left) != terms.sort_of(right) || terms.is_value(left) || terms.is_value(right) {
        return None;
    }
    let [x, y] = words(terms, value);
    let general = terms.rebuild(site, &[x, y]);
    let (word, args) = if left == symbol { (x, [value, y]) } else { (y, [x, value]) };
    let put_in = terms.rebuild(site, &args);
    if terms.args(put_in).is_empty() {
        let (is_value, becomes) = (terms.eq(word, value), terms.eq(general, put_in));
        return Some(terms.implies(is_value, becomes));
    }
    None
}

/// Two words of the same width that stand for any.
fn words(terms: &mut Terms, like: Term) -> [Term; 2] {
    let (sort, width) = (terms.sort_of(like), terms.width(like));
    ["x", "y"].map(|name| terms.variable(&format!("lemma!{name}{width}"), sort))
}

#[cfg(test)]
mod tests {
    use base::Budget;
    use engine::Facts;

    use super::*;

    /// The lemmas lifted from a fact, and how many of them the gate lets pass.
    fn check(terms: &mut Terms, fact: Term) -> (Vec<String>, usize) {
        let lemmas = lifted(terms, fact);
        let passed = Facts::new().publish_lemmas(terms, &lemmas, "test", &Budget::default());
        (lemmas.iter().map(|&lemma| terms.to_smtlib(lemma)).collect(), passed.expect("the budget is unlimited"))
    }

    #[test]
    fn a_constant_that_was_chosen_gives_a_lemma_about_the_operator() {
        let mut terms = Terms::new();
        let sort = terms.bv_sort(32);
        let [a, b, c] = ["a", "b", "c"].map(|name| terms.variable(name, sort));
        let zero = terms.bv(32, 0);
        let product = terms.bv_mul(a, b);
        let parts = [terms.ne(a, zero), terms.ne(product, c), terms.eq(c, zero)];
        let fact = terms.or(&parts);
        let (lemmas, n_passed) = check(&mut terms, fact);
        assert_eq!((lemmas.len(), n_passed), (1, 1), "{lemmas:?}");
        assert!(lemmas[0].contains("bvmul lemma!x32 lemma!y32"), "{lemmas:?}");
    }

    #[test]
    fn a_sum_over_a_choice_gives_a_lemma_without_the_condition() {
        let mut terms = Terms::new();
        let (truth, sort) = (terms.bool_sort(), terms.bv_sort(32));
        let [a, b, c] = ["a", "b", "c"].map(|name| terms.variable(name, sort));
        let q = terms.variable("q", truth);
        let (one, choice) = (terms.bv(32, 1), terms.ite(q, a, b));
        let sum = terms.bv_add(choice, one);
        let next = terms.bv_add(a, one);
        let parts = [terms.not(q), terms.ne(sum, c), terms.eq(next, c)];
        let fact = terms.or(&parts);
        let (lemmas, n_passed) = check(&mut terms, fact);
        assert_eq!((lemmas.len(), n_passed), (1, 1), "{lemmas:?}");
        assert!(lemmas[0].contains("lemma!p") && !lemmas[0].contains('q'), "{lemmas:?}");
    }
}
