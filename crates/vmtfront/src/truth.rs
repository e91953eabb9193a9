//! Bit-vectors of one bit become truth values.
//!
//! To uninterpreted functions a bit-vector of one bit is an element of an unknown set, while a truth value is
//! something that the search decides. Hardware models have little else, so before anything reads a model,
//! variables of one bit become Boolean and the operators on them connectives. Where a bit is part of a
//! word, in an array or an argument of a function, it stays one: `ite(p, #b1, #b0)`.

use base::FastMap;
use term::{Op, SortKind, Term, Terms};

use crate::system::System;

/// Rewrites the system; returns the new variables, each with the bit that it stands for.
pub(crate) fn truth(terms: &mut Terms, system: &mut System) -> Vec<(Term, Term)> {
    let mut rewrite = Rewrite { done: FastMap::new() };
    let before: Vec<Term> = variables(system);
    for state in &mut system.states {
        state.now.term = rewrite.variable(terms, state.now.term);
        state.next = rewrite.variable(terms, state.next);
    }
    for input in &mut system.inputs {
        input.term = rewrite.variable(terms, input.term);
    }
    system.for_each_formula(|formula| *formula = rewrite.apply(terms, *formula));
    variables(system).into_iter().zip(before).filter(|(new, old)| new != old).collect()
}

fn variables(system: &System) -> Vec<Term> {
    let states = system.states.iter().flat_map(|state| [state.now.term, state.next]);
    states.chain(system.inputs.iter().map(|input| input.term)).collect()
}

struct Rewrite {
    /// A term of one bit becomes the truth value that the bit is one; others keep their sort.
    done: FastMap<Term, Term>,
}

fn is_bit(terms: &Terms, term: Term) -> bool {
    matches!(terms.sort_kind(terms.sort_of(term)), SortKind::BitVec(1))
}

impl Rewrite {
    /// A variable, Boolean if it has one bit.
    fn variable(&mut self, terms: &mut Terms, term: Term) -> Term {
        if let Some(&done) = self.done.get(&term) {
            return done;
        }
        let new = match terms.op(term) {
            Op::Symbol(symbol) if is_bit(terms, term) => {
                let mut name = format!("{}!bit", terms.symbol_name(symbol));
                while terms.lookup(&name).is_some() {
                    name.push('!');
                }
                let sort = terms.bool_sort();
                terms.variable(&name, sort)
            }
            _ => term,
        };
        self.done.insert(term, new);
        new
    }
    fn apply(&mut self, terms: &mut Terms, formula: Term) -> Term {
        for old in terms.subterms_until(&[formula], |term| self.done.contains_key(&term)) {
            let new = self.operator(terms, old);
            self.done.insert(old, new);
        }
        self.done[&formula]
    }
    /// The new form of a term, as a word.
    fn word(&self, terms: &mut Terms, old: Term) -> Term {
        let new = self.done[&old];
        if !is_bit(terms, old) {
            return new;
        }
        let (one, zero) = (terms.bv(1, 1), terms.bv(1, 0));
        terms.ite(new, one, zero)
    }
    fn operator(&mut self, terms: &mut Terms, old: Term) -> Term {
        let args = terms.args(old).to_vec();
        let on_bits = args.last().is_some_and(|&arg| is_bit(terms, arg));
        let new: Vec<Term> = args.iter().map(|arg| self.done[arg]).collect();
        if on_bits && let Some(term) = connective(terms, terms.op(old), &new) {
            return term;
        }
        if terms.op(old) == Op::Value && is_bit(terms, old) {
            let is_one = terms.small_value(old) == Some(1);
            return terms.truth(is_one);
        }
        let words: Vec<Term> = args.iter().map(|&arg| self.word(terms, arg)).collect();
        let rebuilt = terms.rebuild(old, &words);
        if is_bit(terms, old) {
            let one = terms.bv(1, 1);
            terms.eq(rebuilt, one)
        } else {
            rebuilt
        }
    }
}

/// The operator on bits as a connective; the result is that the bit is one, or what the predicate says.
fn connective(terms: &mut Terms, op: Op, args: &[Term]) -> Option<Term> {
    Some(match (op, args) {
        (Op::Ite, &[condition, then, otherwise]) => terms.ite(condition, then, otherwise),
        (Op::Eq, &[a, b]) => terms.eq(a, b),
        (Op::Distinct, &[a, b]) => terms.xor(a, b),
        (Op::BvNot, &[a]) => terms.not(a),
        (Op::BvNeg | Op::Extract { .. }, &[a]) => a,
        (Op::ZeroExtend(0) | Op::SignExtend(0), &[a]) => a,
        (Op::BvAnd | Op::BvMul, &[a, b]) => terms.and(&[a, b]),
        (Op::BvOr, &[a, b]) => terms.or(&[a, b]),
        (Op::BvXor | Op::BvAdd | Op::BvSub, &[a, b]) => terms.xor(a, b),
        // Signed, the bit one is minus one.
        (Op::BvUlt | Op::BvSgt, &[a, b]) => below(terms, a, b),
        (Op::BvUgt | Op::BvSlt, &[a, b]) => below(terms, b, a),
        (Op::BvUle | Op::BvSge, &[a, b]) => {
            let above = below(terms, b, a);
            terms.not(above)
        }
        (Op::BvUge | Op::BvSle, &[a, b]) => {
            let above = below(terms, a, b);
            terms.not(above)
        }
        _ => return None,
    })
}

fn below(terms: &mut Terms, a: Term, b: Term) -> Term {
    let zero = terms.not(a);
    terms.and(&[zero, b])
}
