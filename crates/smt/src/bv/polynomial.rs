//! Sums of products modulo a power of two, in a normal form.
//!
//! Addition, subtraction, negation, complement, multiplication and shifts by literals make polynomials over the
//! other terms. Equal polynomials are equal words, whatever the shape of the terms they
//! come from: `x * (y + z)` and `x * y + x * z` need no search. The converse does not hold (`x * (x + 1)`
//! is even whatever `x` is), so different polynomials say nothing.
//!
//! Sizes are bounded: what would grow beyond is left as it is.

use std::collections::BTreeMap;

use base::Bits;
use term::Term;

use crate::tuning::Tuning;

/// A polynomial: products of terms in the order of their handles, each with its coefficient, which is not zero.
/// The product of nothing is one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Polynomial {
    pub width: u32,
    pub monomials: BTreeMap<Vec<Term>, Bits>,
}

impl Polynomial {
    pub fn literal(value: Bits) -> Self {
        let mut sum = Polynomial { width: value.width(), monomials: BTreeMap::new() };
        sum.add_monomial(Vec::new(), value);
        sum
    }
    pub fn term(term: Term, width: u32) -> Self {
        let mut sum = Polynomial { width, monomials: BTreeMap::new() };
        sum.add_monomial(vec![term], Bits::from_u64(width, 1));
        sum
    }
    fn add_monomial(&mut self, product: Vec<Term>, coefficient: Bits) {
        let sum = match self.monomials.get(&product) {
            Some(old) => old.add(&coefficient),
            None => coefficient,
        };
        if sum.is_zero() {
            self.monomials.remove(&product);
        } else {
            self.monomials.insert(product, sum);
        }
    }
    /// The sum, if it is small enough.
    pub fn plus(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut sum = self.clone();
        for (product, coefficient) in &other.monomials {
            sum.add_monomial(product.clone(), coefficient.clone());
        }
        (sum.monomials.len() <= Tuning::DEFAULT.max_monomials).then_some(sum)
    }
    /// The product with a literal.
    pub fn scaled(&self, by: &Bits) -> Polynomial {
        let mut scaled = Polynomial { width: self.width, monomials: BTreeMap::new() };
        for (product, coefficient) in &self.monomials {
            scaled.add_monomial(product.clone(), coefficient.mul(by));
        }
        scaled
    }
    pub fn negated(&self) -> Polynomial {
        self.scaled(&Bits::ones(self.width))
    }
    /// The product, if it is small enough.
    pub fn times(&self, other: &Polynomial) -> Option<Polynomial> {
        if self.monomials.len() * other.monomials.len() > 2 * Tuning::DEFAULT.max_monomials {
            return None;
        }
        let mut result = Polynomial { width: self.width, monomials: BTreeMap::new() };
        for (left, a) in &self.monomials {
            for (right, b) in &other.monomials {
                let mut product: Vec<Term> = left.iter().chain(right).copied().collect();
                if product.len() > Tuning::DEFAULT.max_degree {
                    return None;
                }
                product.sort_unstable();
                result.add_monomial(product, a.mul(b));
            }
        }
        (result.monomials.len() <= Tuning::DEFAULT.max_monomials).then_some(result)
    }
    /// The value, if it is the same everywhere.
    pub fn as_literal(&self) -> Option<Bits> {
        match self.monomials.first_key_value() {
            None => Some(Bits::zero(self.width)),
            Some((product, value)) if product.is_empty() && self.monomials.len() == 1 => Some(value.clone()),
            Some(_) => None,
        }
    }
    /// The term, if it is nothing else.
    pub fn as_term(&self) -> Option<Term> {
        match self.monomials.first_key_value() {
            Some((product, value)) if self.monomials.len() == 1 && value.is_one() => match product[..] {
                [term] => Some(term),
                _ => None,
            },
            _ => None,
        }
    }
    /// How many products of two words it takes.
    pub fn multiplications(&self) -> usize {
        self.monomials.keys().map(|product| product.len().saturating_sub(1)).sum()
    }
    /// All terms in it, with repetitions.
    pub fn terms(&self) -> impl Iterator<Item = Term> + '_ {
        self.monomials.keys().flatten().copied()
    }
}
