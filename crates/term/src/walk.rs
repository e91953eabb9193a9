//! Walks over shared terms: subterms, symbols, substitution, and import from another store.
//!
//! All of them visit each subterm once and keep a list of their own instead of recursing. Handles
//! grow from arguments to the terms around them, so sorting by handle is an order in which
//! arguments come first.

use base::FastMap;

use crate::op::Op;
use crate::sort::{Sort, SortKind};
use crate::store::{Symbol, Term, Terms};

impl Terms {
    /// All different subterms of these terms, themselves included, arguments before the terms around them.
    pub fn subterms(&self, roots: &[Term]) -> Vec<Term> {
        self.subterms_until(roots, |_| false)
    }
    /// What all must hold if these do: conjunctions taken apart, each formula once, in order.
    pub fn conjuncts(&self, formulas: &[Term]) -> Vec<Term> {
        let mut parts = Vec::new();
        // Conjunctions share conjunctions; each is taken apart once.
        let mut seen: FastMap<Term, ()> = FastMap::new();
        let mut open: Vec<Term> = formulas.iter().rev().copied().collect();
        while let Some(formula) = open.pop() {
            if seen.insert(formula, ()).is_some() {
                continue;
            }
            match self.op(formula) {
                Op::And => open.extend(self.args(formula).iter().rev()),
                _ => parts.push(formula),
            }
        }
        parts
    }
    /// As [`Terms::subterms`], but without the terms where `stop` says so and what is only below them.
    pub fn subterms_until(&self, roots: &[Term], mut stop: impl FnMut(Term) -> bool) -> Vec<Term> {
        let mut seen = FastMap::new();
        let mut found = Vec::new();
        let mut stack = roots.to_vec();
        while let Some(term) = stack.pop() {
            if seen.insert(term, ()).is_none() && !stop(term) {
                found.push(term);
                stack.extend_from_slice(self.args(term));
            }
        }
        found.sort_unstable();
        found
    }
    /// How many different subterms there are.
    pub fn size(&self, roots: &[Term]) -> usize {
        self.subterms(roots).len()
    }
    /// All symbols that occur, in the order of their declaration.
    pub fn symbols_of(&self, roots: &[Term]) -> Vec<Symbol> {
        let subterms = self.subterms(roots);
        let mut symbols: Vec<Symbol> = subterms
            .into_iter()
            .filter_map(|term| match self.op(term) {
                Op::Symbol(symbol) => Some(symbol),
                _ => None,
            })
            .collect();
        symbols.sort_unstable();
        symbols.dedup();
        symbols
    }
    /// The term with other arguments of the same sorts.
    pub fn rebuild(&mut self, term: Term, args: &[Term]) -> Term {
        if self.args(term) == args {
            return term;
        }
        let sort = self.sort_of(term);
        match self.op(term) {
            Op::ConstArray => self.const_array(sort, args[0]),
            Op::Fp(op) => self.fp(op, args, sort),
            op => self.make(op, args),
        }
    }
    /// Replaces terms by terms of the same sort, all at once: what is put in is not looked at again.
    pub fn substitute(&mut self, term: Term, pairs: &[(Term, Term)]) -> Term {
        Substitution::new(self, pairs).apply(self, term)
    }
}

/// A simultaneous substitution that remembers what it has done.
#[derive(Clone, Debug)]
pub struct Substitution {
    done: FastMap<Term, Term>,
}

impl Substitution {
    /// Each first term becomes the second, which has the same sort.
    pub fn new(terms: &Terms, pairs: &[(Term, Term)]) -> Self {
        let mut done = FastMap::new();
        for &(from, to) in pairs {
            assert!(terms.sort_of(from) == terms.sort_of(to), "a term is replaced by one of its sort");
            done.insert(from, to);
        }
        Substitution { done }
    }
    /// The term after substitution.
    pub fn apply(&mut self, terms: &mut Terms, term: Term) -> Term {
        for old in terms.subterms_until(&[term], |term| self.done.contains_key(&term)) {
            let args: Vec<Term> = terms.args(old).iter().map(|arg| self.done[arg]).collect();
            let new = terms.rebuild(old, &args);
            self.done.insert(old, new);
        }
        self.done[&term]
    }
}

/// Copies terms from one store into another; symbols keep their names.
#[derive(Clone, Debug, Default)]
pub struct Import {
    done: FastMap<Term, Term>,
    sorts: FastMap<Sort, Sort>,
}

/// The target has a symbol of this name with another signature.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NameTaken(pub String);

impl std::fmt::Display for NameTaken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}` is declared with another sort in the other store", self.0)
    }
}

impl std::error::Error for NameTaken {}

impl Import {
    /// Nothing copied yet. One import serves one source and one target.
    pub fn new() -> Self {
        Import::default()
    }
    /// The sort in the target store.
    pub fn sort(&mut self, from: &Terms, to: &mut Terms, sort: Sort) -> Sort {
        let mut stack = vec![sort];
        while let Some(&top) = stack.last() {
            let known = |sort: Sort| self.sorts.get(&sort).copied();
            let kind = match from.sort_kind(top) {
                &SortKind::Array(index, element) => match (known(index), known(element)) {
                    (Some(index), Some(element)) => SortKind::Array(index, element),
                    _ => {
                        stack.extend([index, element]);
                        continue;
                    }
                },
                other => other.clone(),
            };
            self.sorts.insert(top, to.sort(kind));
            stack.pop();
        }
        self.sorts[&sort]
    }
    /// The symbol in the target store, declared there if need be.
    pub fn symbol(&mut self, from: &Terms, to: &mut Terms, symbol: Symbol) -> Result<Symbol, NameTaken> {
        let args: Vec<Sort> = from.symbol_args(symbol).iter().map(|&sort| self.sort(from, to, sort)).collect();
        let result = self.sort(from, to, from.symbol_result(symbol));
        let name = from.symbol_name(symbol);
        to.declare(name, &args, result).ok_or_else(|| NameTaken(name.to_owned()))
    }
    /// The term in the target store.
    pub fn term(&mut self, from: &Terms, to: &mut Terms, term: Term) -> Result<Term, NameTaken> {
        for old in from.subterms_until(&[term], |term| self.done.contains_key(&term)) {
            let args: Vec<Term> = from.args(old).iter().map(|arg| self.done[arg]).collect();
            let sort = self.sort(from, to, from.sort_of(old));
            let new = match from.op(old) {
                Op::Value => to.bits(from.value(old).expect("a literal has a value")),
                Op::Numeral => to.numeral(sort, from.numeral_text(old).expect("a numeral has a text")),
                Op::Symbol(symbol) => {
                    let symbol = self.symbol(from, to, symbol)?;
                    to.apply(symbol, &args)
                }
                Op::ConstArray => to.const_array(sort, args[0]),
                Op::Fp(op) => to.fp(op, &args, sort),
                op => to.make(op, &args),
            };
            self.done.insert(old, new);
        }
        Ok(self.done[&term])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Value, eval};

    #[test]
    fn substitution_is_simultaneous() {
        let mut terms = Terms::new();
        let byte = terms.bv_sort(8);
        let (x, y) = (terms.variable("x", byte), terms.variable("y", byte));
        let difference = terms.bv_sub(x, y);
        let swapped = terms.bv_sub(y, x);
        assert_eq!(terms.substitute(difference, &[(x, y), (y, x)]), swapped);
        let (five, two) = (terms.bv(8, 5), terms.bv(8, 2));
        let three = terms.bv(8, 3);
        assert_eq!(terms.substitute(difference, &[(x, five), (y, two)]), three);
        assert_eq!(terms.substitute(difference, &[(difference, x)]), x);
        assert_eq!(terms.substitute(difference, &[]), difference);
    }
    #[test]
    fn a_term_of_exponential_size_as_a_tree_is_walked_as_the_graph_it_is() {
        let mut terms = Terms::without_simplification();
        let byte = terms.bv_sort(8);
        let (x, y) = (terms.variable("x", byte), terms.variable("y", byte));
        let mut term = x;
        for _ in 0..100_000 {
            term = terms.bv_add(term, term);
        }
        assert_eq!(terms.size(&[term]), 100_001);
        assert_eq!(terms.symbols_of(&[term]).len(), 1);
        let other = terms.substitute(term, &[(x, y)]);
        assert_eq!(terms.size(&[term, other]), 200_002);
        let subterms = terms.subterms(&[other]);
        assert!(subterms.is_sorted() && subterms.last() == Some(&other));
    }
    #[test]
    fn import_keeps_names_and_meaning_and_refuses_a_name_of_another_sort() {
        let mut plain = Terms::without_simplification();
        let (bit, byte) = (plain.bv_sort(1), plain.bv_sort(8));
        let array = plain.sort(SortKind::Array(byte, bit));
        let real = plain.sort(SortKind::Real);
        let f = plain.declare("f", &[array], byte).unwrap();
        let one = plain.bits(base::Bits::ones(100));
        let low = plain.extract(one, 0, 0);
        let constant = plain.const_array(array, low);
        let applied = plain.apply(f, &[constant]);
        let number = plain.numeral(real, "0.5");
        let same = plain.eq(number, number);
        let term = plain.ite(same, applied, applied);

        let mut terms = Terms::new();
        let mut import = Import::new();
        let copy = import.term(&plain, &mut terms, term).unwrap();
        // Simplified on the way: the choice between equals is gone.
        assert!(matches!(terms.op(copy), Op::Symbol(_)));
        let model = |_: Symbol, args: &[Value]| {
            let Value::Array(array) = &args[0] else { return None };
            Some(Value::Bits(array.default().as_bits()?.zero_extend(7)))
        };
        assert_eq!(eval(&terms, copy, model), eval(&plain, term, model));
        let mut back = Import::new();
        let again = back.term(&terms, &mut plain, copy).unwrap();
        assert_eq!(plain.sort_of(again), byte);

        let mut other = Terms::new();
        let sort = other.bool_sort();
        other.variable("f", sort);
        assert_eq!(Import::new().term(&plain, &mut other, term), Err(NameTaken("f".into())));
    }
}
