//! Words by polynomial: arithmetic of one meaning gets one word, and equations lose what both sides have.
//!
//! Only operators that are read in bits are looked into. A polynomial that was built before gives its word
//! to every term that has it. An equation `a = b` becomes `p = q`, where `p - q` is the polynomial of `a - b`
//! and neither side has a product that the other has, if that takes fewer multiplications or summands.

use base::Bits;
use sat::Lit;
use term::{Op, SortKind, Term};

use super::{Context, Encoder, Nature, Trouble, Want};
use crate::bv::circuits::{Circuits, Word};
use crate::bv::polynomial::Polynomial;
use crate::tuning::Tuning;

/// Polynomials of terms.
#[derive(Clone, Default)]
pub(crate) struct Polynomials {
    /// Each operator gets a circuit of its own.
    pub off: bool,
    /// By term: its place in `list`.
    of: base::FastMap<Term, u32>,
    list: Vec<Polynomial>,
    /// By place: whether the terms of the polynomial are all that the term was written with. If some cancelled,
    /// its circuit depends on more than its meaning, and a domain with another term of this meaning may not
    /// hold that.
    exact: Vec<bool>,
    /// The first term with this polynomial whose word was built.
    built: base::FastMap<Polynomial, Term>,
    /// Equations with the difference of their sides, where that is used.
    equations: base::FastMap<Term, Polynomial>,
}

impl Encoder {
    /// Finds out what the term can do without, before it is asked what it needs.
    pub(super) fn prepare(&mut self, cx: &Context<'_>, term: Term, want: Want) {
        if self.polynomials.off {
            return;
        }
        match want {
            Want::Word if is_arithmetic(cx, self, term) => {
                self.polynomial(cx, term);
            }
            Want::Lit if cx.terms.op(term) == Op::Eq && !self.polynomials.equations.contains_key(&term) => {
                let args = cx.terms.args(term);
                if self.comparison(cx, args) == Want::Word && args.iter().any(|&arg| is_arithmetic(cx, self, arg)) {
                    self.find_equation(cx, term);
                }
            }
            _ => {}
        }
    }
    /// A term whose word is that of this term.
    pub(super) fn twin(&self, term: Term) -> Option<Term> {
        let polynomial = &self.polynomials.list[*self.polynomials.of.get(&term)? as usize];
        let twin = polynomial.as_term().or_else(|| self.polynomials.built.get(polynomial).copied());
        twin.filter(|&twin| twin != term)
    }
    /// The word of the term was built.
    pub(super) fn remember_word(&mut self, term: Term) {
        if let Some(&place) = self.polynomials.of.get(&term)
            && self.polynomials.exact[place as usize]
        {
            let polynomial = self.polynomials.list[place as usize].clone();
            self.polynomials.built.get_or_insert_with(polynomial, || term);
        }
    }
    /// The difference of the sides of an equation that is encoded by it.
    pub(super) fn equation(&self, term: Term) -> Option<&Polynomial> {
        self.polynomials.equations.get(&term)
    }

    fn find_equation(&mut self, cx: &Context<'_>, term: Term) {
        let args = cx.terms.args(term);
        let (a, b) = (self.polynomial(cx, args[0]), self.polynomial(cx, args[1]));
        let (left, right) = (&self.polynomials.list[a], &self.polynomials.list[b]);
        let Some(difference) = left.plus(&right.negated()) else { return };
        let before = left.multiplications() + right.multiplications();
        let cancels = difference.monomials.len() < left.monomials.len() + right.monomials.len();
        let width = u64::from(difference.width);
        let gates = width * width * (difference.multiplications() + difference.monomials.len()) as u64;
        // Factored forms can be cheaper than what is left of the sum.
        let fewer = difference.multiplications() <= self.multiplications_below(cx, args).min(before);
        if difference.as_literal().is_some() || cancels && fewer && gates <= Tuning::DEFAULT.max_gates {
            self.polynomials.equations.insert(term, difference);
        }
    }
    /// The multiplications that these terms consist of as they are written.
    fn multiplications_below(&self, cx: &Context<'_>, roots: &[Term]) -> usize {
        let below = cx.terms.subterms_until(roots, |term| !is_arithmetic(cx, self, term));
        let is_product = |term: &&Term| {
            cx.terms.op(**term) == Op::BvMul && !cx.terms.args(**term).iter().any(|&a| cx.terms.is_value(a))
        };
        below.iter().filter(is_product).count()
    }
    /// The literal of an equation whose difference is known; the words of its terms are there.
    pub(super) fn build_equation(&mut self, cx: &mut Context<'_>, difference: &Polynomial) -> Result<Lit, Trouble> {
        if let Some(value) = difference.as_literal() {
            return Ok(self.gates.constant(cx.sat, value.is_zero()));
        }
        let zero = Circuits { gates: &mut self.gates, sat: cx.sat }.zero(difference.width as usize);
        let mut sides = [zero.clone(), zero];
        for (product, coefficient) in &difference.monomials {
            // The coefficient with fewer ones takes fewer adders.
            let negated = coefficient.neg();
            let (side, coefficient) = if ones(&negated) < ones(coefficient) { (1, &negated) } else { (0, coefficient) };
            cx.budget.spend(u64::from(difference.width) * product.len() as u64)?;
            let mut word: Option<Word> = None;
            for &factor in product {
                let factor = self.word(factor).expect("terms of an equation have words").to_vec();
                let mut circuits = Circuits { gates: &mut self.gates, sat: cx.sat };
                word = Some(word.map_or_else(|| factor.clone(), |word| circuits.mul(&word, &factor)));
            }
            let mut circuits = Circuits { gates: &mut self.gates, sat: cx.sat };
            let literal = circuits.constant(coefficient.width(), |i| coefficient.bit(i));
            let word = word.map_or_else(|| literal.clone(), |word| circuits.mul(&word, &literal));
            sides[side] = circuits.add(&sides[side], &word);
        }
        Ok(Circuits { gates: &mut self.gates, sat: cx.sat }.equal(&sides[0], &sides[1]))
    }

    /// The place of the term's polynomial; any other term is a polynomial by itself.
    fn polynomial(&mut self, cx: &Context<'_>, term: Term) -> usize {
        let mut stack = vec![term];
        while let Some(&top) = stack.last() {
            if self.polynomials.of.contains_key(&top) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let looked_into = is_arithmetic(cx, self, top);
            if looked_into {
                let args = cx.terms.args(top).iter().copied();
                stack.extend(args.filter(|arg| !self.polynomials.of.contains_key(arg)));
            }
            if stack.len() > before {
                continue;
            }
            let width = cx.terms.width(top);
            let found = if looked_into { self.combine(cx, top) } else { cx.terms.value(top).map(Polynomial::literal) };
            let exact = !looked_into || found.as_ref().is_some_and(|found| self.keeps_terms(cx, top, found));
            let found = found.unwrap_or_else(|| Polynomial::term(top, width));
            self.polynomials.of.insert(top, self.polynomials.list.len() as u32);
            self.polynomials.list.push(found);
            self.polynomials.exact.push(exact);
            stack.pop();
        }
        self.polynomials.of.get(&term).map_or(0, |&place| place as usize)
    }
    /// Whether the polynomial has all terms that those of the arguments have, and they all that they were written with.
    fn keeps_terms(&self, cx: &Context<'_>, term: Term, found: &Polynomial) -> bool {
        let mut kept: Vec<Term> = found.terms().collect();
        kept.sort_unstable();
        let places = cx.terms.args(term).iter().filter_map(|arg| self.polynomials.of.get(arg));
        places.copied().all(|place| {
            let place = place as usize;
            self.polynomials.exact[place]
                && self.polynomials.list[place].terms().all(|term| kept.binary_search(&term).is_ok())
        })
    }
    /// The polynomial of an operator from those of its arguments, if it is small enough.
    fn combine(&self, cx: &Context<'_>, term: Term) -> Option<Polynomial> {
        let args: Vec<&Polynomial> = cx
            .terms
            .args(term)
            .iter()
            .filter_map(|arg| self.polynomials.of.get(arg).map(|&place| &self.polynomials.list[place as usize]))
            .collect();
        let width = cx.terms.width(term);
        match (cx.terms.op(term), &args[..]) {
            (Op::BvAdd, [first, rest @ ..]) => rest.iter().try_fold((*first).clone(), |sum, next| sum.plus(next)),
            (Op::BvMul, [first, rest @ ..]) => {
                rest.iter().try_fold((*first).clone(), |product, next| product.times(next))
            }
            (Op::BvSub, [left, right]) => left.plus(&right.negated()),
            (Op::BvNeg, [arg]) => Some(arg.negated()),
            (Op::BvNot, [arg]) => arg.negated().plus(&Polynomial::literal(Bits::ones(width))),
            (Op::BvShl, [left, amount]) => {
                let amount = amount.as_literal()?.to_u64().filter(|&amount| amount < u64::from(width))?;
                Some(left.scaled(&power_of_two(width, amount as u32)))
            }
            _ => None,
        }
    }
}

/// Whether polynomials look into the term: an operator of theirs that is read in bits.
fn is_arithmetic(cx: &Context<'_>, encoder: &Encoder, term: Term) -> bool {
    if is_wide(cx, term) {
        return false;
    }
    let fits = match (cx.terms.op(term), cx.terms.args(term)) {
        (Op::BvAdd | Op::BvMul, _) | (Op::BvSub, [_, _]) | (Op::BvNeg | Op::BvNot, _) => true,
        (Op::BvShl, &[_, amount]) => cx.terms.is_value(amount),
        _ => false,
    };
    fits && encoder.nature(cx.terms, cx.precision, term) == Nature::Circuit
}

fn is_wide(cx: &Context<'_>, term: Term) -> bool {
    !matches!(*cx.terms.sort_kind(cx.terms.sort_of(term)), SortKind::BitVec(width) if width <= Tuning::DEFAULT.max_normal_bits)
}

fn power_of_two(width: u32, exponent: u32) -> Bits {
    let mut words = vec![0u64; width.div_ceil(64) as usize];
    words[exponent as usize / 64] = 1 << (exponent % 64);
    Bits::from_words(width, &words)
}

fn ones(bits: &Bits) -> u32 {
    (0..bits.width()).filter(|&i| bits.bit(i)).count() as u32
}
