//! Linear reasoning between words, guarded against wrap-around, for refutations that otherwise read operators as functions.
//!
//! Where a search has found values for all atoms, comparisons of sums that are true in it are read as inequalities between
//! integers. A sum of words is one of integers only if it does not wrap around; that follows from bounds of its words, and the
//! comparisons that the bounds come from are its *guards*. If inequalities contradict each other (`farkas`), they
//! and their guards are a lemma for the search, and what the rows of the left sum up to is its interpolant at a cut:
//! variables that only the left knows cancel out [McMillan-TCS'05]. A guard that the right knows too is said as a condition.
//!
//! Sums in interpolants are written with words so wide that nothing wraps around.

use std::collections::BTreeMap;

use base::{Budget, FastMap, Stopped};
use sat::Lit;
use term::{Op, SortKind, Term, Terms};

use super::encode::Coloured;
use super::farkas::{Row, contradiction, gcd};
use super::lift;
use crate::tuning::Tuning;

/// Why a lemma holds.
pub(super) struct Certificate {
    rows: Vec<Used>,
}

/// A row with its factor.
struct Used {
    row: Row,
    factor: i128,
    /// The literal that says so; none for the bounds of a word.
    said: Option<Lit>,
    guards: Vec<Lit>,
}

/// A sum of words of one width.
struct Sum {
    /// The word that it is.
    whole: Term,
    parts: BTreeMap<Term, i128>,
    constant: i128,
    width: u32,
}

/// A comparison that holds: of sums, signed or not.
struct Comparison {
    said: Lit,
    left: Sum,
    right: Sum,
    kind: Kind,
    is_signed: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Less,
    AtMost,
    Equal,
}

/// A bound of a word and the comparisons that it comes from.
#[derive(Clone)]
struct Bound {
    value: i128,
    reasons: Vec<Lit>,
}

/// Bounds of words, read as signed numbers.
type Bounds = FastMap<Term, [Bound; 2]>;

/// A lemma that excludes the present model, and why it holds.
pub(super) fn conflict(
    terms: &mut Terms,
    coloured: &Coloured,
    budget: &Budget,
) -> Result<Option<(Vec<Lit>, Certificate)>, Stopped> {
    let comparisons: Vec<Comparison> = coloured
        .true_atoms()
        .into_iter()
        .filter_map(|(lit, atom, truth)| comparison(terms, lit, atom, truth))
        .collect();
    if comparisons.len() > Tuning::DEFAULT.max_comparisons {
        return Ok(None);
    }
    let mut bounds = Bounds::new();
    for comparison in &comparisons {
        for sum in [&comparison.left, &comparison.right] {
            for &word in sum.parts.keys().chain([&sum.whole]) {
                let half = 1 << (sum.width - 1);
                let bound = |value| Bound { value, reasons: Vec::new() };
                bounds.get_or_insert_with(word, || [bound(-half), bound(half - 1)]);
            }
        }
    }
    for _ in 0..Tuning::DEFAULT.max_bound_rounds {
        for comparison in &comparisons {
            budget.spend(1)?;
            if let Some((row, guards)) = comparison.row(&bounds) {
                tighten(&mut bounds, &row, &guards, comparison.said);
            }
        }
    }
    let mut given: Vec<(Row, Option<Lit>, Vec<Lit>)> = Vec::new();
    for comparison in &comparisons {
        given.extend(comparison.row(&bounds).map(|(row, guards)| (row, Some(comparison.said), guards)));
    }
    let mut words: Vec<Term> = given.iter().flat_map(|(row, ..)| row.coefficients.keys().copied()).collect();
    words.sort_unstable();
    words.dedup();
    for word in words {
        let half = 1_i128 << (terms.width(word) - 1);
        for (coefficient, bound) in [(1, half - 1), (-1, half)] {
            let row = Row { coefficients: BTreeMap::from([(word, coefficient)]), bound, is_equation: false };
            given.push((row, None, Vec::new()));
        }
    }
    let rows: Vec<Row> = given.iter().map(|(row, ..)| row.clone()).collect();
    let Some(factors) = contradiction(&rows, budget)? else { return Ok(None) };
    let mut used = Vec::new();
    let mut clause: Vec<Lit> = Vec::new();
    for (number, (row, said, guards)) in given.into_iter().enumerate() {
        let Some(&factor) = factors.get(&number) else { continue };
        clause.extend(said.iter().chain(&guards).map(|&lit| !lit));
        used.push(Used { row, factor, said, guards });
    }
    clause.sort_unstable();
    clause.dedup();
    Ok(Some((clause, Certificate { rows: used })))
}

impl Certificate {
    /// The interpolant at a cut; none if some guard stands on the wrong side.
    pub fn interpolant(&self, terms: &mut Terms, coloured: &mut Coloured, cut: usize) -> Option<Term> {
        let mut sum: BTreeMap<Term, i128> = BTreeMap::new();
        let mut bound: i128 = 0;
        let mut cases: Vec<Term> = Vec::new();
        for Used { row, factor, said, guards } in &self.rows {
            let is_right = match said {
                Some(lit) => coloured.span_of(lit.var()).is_right(cut),
                None => row.coefficients.keys().all(|&word| coloured.spans.of(terms, word).is_right(cut)),
            };
            for &guard in guards {
                let span = coloured.span_of(guard.var());
                match (is_right, span.is_right(cut)) {
                    (true, true) | (false, false) => {}
                    (true, false) => return None,
                    (false, true) if span.is_left(cut) => cases.push(lift::literal(terms, coloured, !guard)),
                    (false, true) => return None,
                }
            }
            if is_right {
                continue;
            }
            bound = bound.checked_add(factor.checked_mul(row.bound)?)?;
            for (&word, coefficient) in &row.coefficients {
                let whole = sum.entry(word).or_default();
                *whole = whole.checked_add(factor.checked_mul(*coefficient)?)?;
            }
        }
        sum.retain(|_, coefficient| *coefficient != 0);
        cases.push(at_most(terms, sum, bound)?);
        Some(terms.or(&cases))
    }
}

/// What a true or false atom compares.
fn comparison(terms: &Terms, said: Lit, atom: Term, truth: bool) -> Option<Comparison> {
    if terms.op(atom) == Op::Not {
        return comparison(terms, said, terms.arg(atom, 0), !truth);
    }
    let &[one, other] = terms.args(atom) else { return None };
    let SortKind::BitVec(width @ 2..=64) = *terms.sort_kind(terms.sort_of(one)) else { return None };
    let (is_signed, kind, swapped) = match terms.op(atom) {
        Op::Eq if truth => (true, Kind::Equal, false),
        Op::BvSlt => (true, Kind::Less, false),
        Op::BvSgt => (true, Kind::Less, true),
        Op::BvSle => (true, Kind::AtMost, false),
        Op::BvSge => (true, Kind::AtMost, true),
        Op::BvUlt => (false, Kind::Less, false),
        Op::BvUgt => (false, Kind::Less, true),
        Op::BvUle => (false, Kind::AtMost, false),
        Op::BvUge => (false, Kind::AtMost, true),
        _ => return None,
    };
    // What is not less is at least as large.
    let (kind, swapped) = match (kind, truth) {
        (Kind::Less, false) => (Kind::AtMost, !swapped),
        (Kind::AtMost, false) => (Kind::Less, !swapped),
        kept => (kept.0, swapped),
    };
    let (left, right) = if swapped { (other, one) } else { (one, other) };
    Some(Comparison { said, left: sum(terms, left, width)?, right: sum(terms, right, width)?, kind, is_signed })
}

/// A word as a sum of words that are not sums.
fn sum(terms: &Terms, term: Term, width: u32) -> Option<Sum> {
    let mut found = Sum { whole: term, parts: BTreeMap::new(), constant: 0, width };
    let mut open: Vec<(Term, i128)> = vec![(term, 1)];
    while let Some((term, factor)) = open.pop() {
        if let Some(value) = signed(terms, term) {
            found.constant = found.constant.checked_add(factor.checked_mul(value)?)?;
            continue;
        }
        let args = terms.args(term);
        match (terms.op(term), args) {
            (Op::BvAdd, _) => open.extend(args.iter().map(|&arg| (arg, factor))),
            (Op::BvSub, &[one, other]) => open.extend([(one, factor), (other, factor.checked_neg()?)]),
            (Op::BvNeg, &[one]) => open.push((one, factor.checked_neg()?)),
            (Op::BvMul, &[one, other]) if signed(terms, one).is_some() => {
                open.push((other, factor.checked_mul(signed(terms, one)?)?));
            }
            (Op::BvMul, &[one, other]) if signed(terms, other).is_some() => {
                open.push((one, factor.checked_mul(signed(terms, other)?)?));
            }
            _ => {
                let whole = found.parts.entry(term).or_default();
                *whole = whole.checked_add(factor)?;
            }
        }
    }
    found.parts.retain(|_, coefficient| *coefficient != 0);
    Some(found)
}

/// The number that a literal word is, read with its sign.
fn signed(terms: &Terms, term: Term) -> Option<i128> {
    let value = i128::from(terms.small_value(term)?);
    let width = terms.width(term);
    Some(if value >> (width - 1) & 1 == 1 { value - (1 << width) } else { value })
}

impl Sum {
    /// The integers that the word's number is the sum of, with the constant, and why nothing wraps around or how often it
    /// does. Where that depends, the word is taken as it stands.
    fn integers(&self, bounds: &Bounds, is_signed: bool) -> Option<(BTreeMap<Term, i128>, i128, Vec<Lit>)> {
        if let Some((turns, reasons)) = self.wrap(bounds, is_signed)
            && reasons.len() <= Tuning::DEFAULT.max_bound_reasons
        {
            return Some((self.parts.clone(), self.constant.checked_add(turns)?, reasons));
        }
        let word = BTreeMap::from([(self.whole, 1)]);
        let alone = Sum { whole: self.whole, parts: word, constant: 0, width: self.width };
        let (turns, reasons) = alone.wrap(bounds, is_signed)?;
        Some((alone.parts, turns, reasons))
    }
    /// What has to be added to the sum of integers to get the word's number, and why; none if that depends.
    fn wrap(&self, bounds: &Bounds, is_signed: bool) -> Option<(i128, Vec<Lit>)> {
        let (mut least, mut most) = (self.constant, self.constant);
        let mut reasons: Vec<Lit> = Vec::new();
        for (word, &coefficient) in &self.parts {
            let [below, above] = &bounds[word];
            let (small, large) = if coefficient > 0 { (below, above) } else { (above, below) };
            least = least.checked_add(coefficient.checked_mul(small.value)?)?;
            most = most.checked_add(coefficient.checked_mul(large.value)?)?;
            reasons.extend(below.reasons.iter().chain(&above.reasons));
        }
        let turn = 1_i128 << self.width;
        let start = if is_signed { -(turn / 2) } else { 0 };
        let turns = (least.checked_sub(start)?).div_euclid(turn);
        if (most.checked_sub(start)?).div_euclid(turn) != turns {
            return None;
        }
        let never_wraps = self.parts.len() == 1 && self.constant == 0 && is_signed && turns == 0;
        if never_wraps && self.parts.values().all(|&coefficient| coefficient == 1) {
            reasons.clear();
        }
        reasons.sort_unstable();
        reasons.dedup();
        Some((turns.checked_mul(turn)?.checked_neg()?, reasons))
    }
}

impl Comparison {
    /// The comparison between integers, and what it takes that nothing wraps around.
    fn row(&self, bounds: &Bounds) -> Option<(Row, Vec<Lit>)> {
        // Equal words are equal numbers either way.
        let readings: &[bool] = if self.kind == Kind::Equal { &[true, false] } else { &[self.is_signed] };
        readings.iter().find_map(|&is_signed| self.row_as(bounds, is_signed))
    }
    fn row_as(&self, bounds: &Bounds, is_signed: bool) -> Option<(Row, Vec<Lit>)> {
        let (mut coefficients, left, mut guards) = self.left.integers(bounds, is_signed)?;
        let (others, right, reasons) = self.right.integers(bounds, is_signed)?;
        guards.extend(reasons);
        guards.sort_unstable();
        guards.dedup();
        if guards.len() > Tuning::DEFAULT.max_bound_reasons {
            return None;
        }
        for (word, coefficient) in others {
            let whole = coefficients.entry(word).or_default();
            *whole = whole.checked_sub(coefficient)?;
        }
        coefficients.retain(|_, coefficient| *coefficient != 0);
        let bound = right.checked_sub(left)?.checked_sub(i128::from(self.kind == Kind::Less))?;
        Some((Row { coefficients, bound, is_equation: self.kind == Kind::Equal }, guards))
    }
}

/// Draws bounds of words from a row.
fn tighten(bounds: &mut Bounds, row: &Row, guards: &[Lit], said: Lit) {
    let signs: &[i128] = if row.is_equation { &[1, -1] } else { &[1] };
    for sign in signs {
        for (&word, &own) in &row.coefficients {
            let mut rest = Some(row.bound * sign);
            let mut reasons: Vec<Lit> = vec![said];
            reasons.extend(guards);
            for (&other, &coefficient) in row.coefficients.iter().filter(|&(&other, _)| other != word) {
                let least = &bounds[&other][usize::from(coefficient * sign < 0)];
                rest = rest.and_then(|rest| rest.checked_sub(least.value.checked_mul(coefficient * sign)?));
                reasons.extend(&least.reasons);
            }
            let Some(rest) = rest else { continue };
            reasons.sort_unstable();
            reasons.dedup();
            if reasons.len() > Tuning::DEFAULT.max_bound_reasons {
                continue;
            }
            let own = own * sign;
            // own * word <= rest
            let found = bounds.get_mut(&word).expect("every word has bounds");
            if own > 0 && rest.div_euclid(own) < found[1].value {
                found[1] = Bound { value: rest.div_euclid(own), reasons };
            } else if own < 0 {
                let least = -(rest.div_euclid(-own));
                if least > found[0].value {
                    found[0] = Bound { value: least, reasons };
                }
            }
        }
    }
}

/// The formula that a sum is at most so large, in words wide enough; none if that is too wide.
fn at_most(terms: &mut Terms, sum: BTreeMap<Term, i128>, bound: i128) -> Option<Term> {
    let common = sum.values().fold(0, |common, &number| gcd(common, number.unsigned_abs()));
    let Ok(common @ 1..) = i128::try_from(common) else { return Some(terms.truth(bound >= 0)) };
    let sum: Vec<(Term, i128)> = sum.into_iter().map(|(word, coefficient)| (word, coefficient / common)).collect();
    let bound = bound.div_euclid(common);
    if let &[(one, a), (other, b)] = &sum[..]
        && (a, b) != (1, 1)
        && a + b == 0
        && a.abs() == 1
        && terms.width(one) == terms.width(other)
    {
        let (small, large) = if a == 1 { (one, other) } else { (other, one) };
        match bound {
            0 => return Some(terms.bv_sle(small, large)),
            -1 => return Some(terms.bv_slt(small, large)),
            _ => {}
        }
    }
    let mut widest: u32 = 0;
    let mut most: i128 = bound.checked_abs()?;
    for &(word, coefficient) in &sum {
        let width = terms.width(word);
        widest = widest.max(width);
        most = most.checked_add(coefficient.checked_abs()?.checked_mul(1 << (width - 1))?)?;
    }
    if let &[(word, coefficient @ (1 | -1))] = &sum[..] {
        let half = 1_i128 << (widest - 1);
        let limit = bound * coefficient;
        if limit >= half || limit < -half {
            // Every number of that width is below, or none is.
            return Some(terms.truth((limit >= half) == (coefficient == 1)));
        }
        let limit = number(terms, widest, limit)?;
        return Some(if coefficient == 1 { terms.bv_sle(word, limit) } else { terms.bv_sle(limit, word) });
    }
    let width = (130 - most.leading_zeros()).max(widest);
    let mut parts = Vec::with_capacity(sum.len());
    for (word, coefficient) in sum {
        let wide = terms.sign_extend_to(word, width);
        let factor = number(terms, width, coefficient)?;
        parts.push(if coefficient == 1 { wide } else { terms.bv_mul(factor, wide) });
    }
    let whole = parts[1..].iter().fold(parts[0], |whole, &part| terms.bv_add(whole, part));
    let limit = number(terms, width, bound)?;
    Some(terms.bv_sle(whole, limit))
}

/// A number as a word; only words of up to 64 bits are written.
fn number(terms: &mut Terms, width: u32, value: i128) -> Option<Term> {
    let mask = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
    (width <= 64).then(|| terms.bv(width, value as u64 & mask))
}
