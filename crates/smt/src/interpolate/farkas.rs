//! Why inequalities between integers contradict each other: non-negative factors with which they sum up to `0 <= -1`
//! (Farkas' lemma), found by elimination.
//!
//! Equations are used up first, then variables go one after the other, each by the sums of one row that bounds it from
//! above and one that bounds it from below (Fourier and Motzkin). Every row knows of which given rows it is the sum. Systems here
//! are those of a few steps of a program; where rows become many, or numbers large, nothing is found.

use std::collections::BTreeMap;

use base::{Budget, Stopped};
use term::Term;

use crate::tuning::Tuning;

/// `sum of coefficient * variable <= bound`, or `=`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub coefficients: BTreeMap<Term, i128>,
    pub bound: i128,
    pub is_equation: bool,
}

/// By number of a given row: its factor. Those of inequalities are positive.
pub(super) type Factors = BTreeMap<usize, i128>;

#[derive(Clone)]
struct Derived {
    row: Row,
    factors: Factors,
}

/// Factors with which the rows sum up to a contradiction, if there are some and they are found.
pub(super) fn contradiction(rows: &[Row], budget: &Budget) -> Result<Option<Factors>, Stopped> {
    let mut open: Vec<Derived> = rows
        .iter()
        .enumerate()
        .map(|(number, row)| Derived { row: row.clone(), factors: Factors::from([(number, 1)]) })
        .collect();
    loop {
        if let Some(found) = open.iter().find(|derived| derived.is_broken()) {
            return Ok(Some(found.factors.clone()));
        }
        open.retain(|derived| !derived.row.coefficients.is_empty());
        budget.spend(open.len() as u64)?;
        let equation = open.iter().position(|derived| derived.row.is_equation);
        let next = match equation {
            Some(at) => substitute(open.swap_remove(at), &open),
            None => match scarcest(&open) {
                Some(variable) => eliminate(variable, &open),
                None => return Ok(None),
            },
        };
        match next {
            Some(rows) if rows.len() <= Tuning::DEFAULT.max_rows => open = rows,
            _ => return Ok(None),
        }
    }
}

/// All rows without a variable of the equation.
fn substitute(equation: Derived, rows: &[Derived]) -> Option<Vec<Derived>> {
    let smallest = equation.row.coefficients.iter().min_by_key(|(_, coefficient)| coefficient.unsigned_abs());
    let (&variable, &pivot) = smallest.expect("an equation that is left has variables");
    let without = |row: &Derived| match row.row.coefficients.get(&variable) {
        None => Some(row.clone()),
        Some(&coefficient) => {
            let sign = if pivot > 0 { -1 } else { 1 };
            row.plus(pivot.checked_abs()?, &equation, coefficient.checked_mul(sign)?)
        }
    };
    rows.iter().map(without).collect()
}

/// The variable whose elimination makes the fewest rows.
fn scarcest(rows: &[Derived]) -> Option<Term> {
    let mut counts: BTreeMap<Term, [usize; 2]> = BTreeMap::new();
    for (&variable, &coefficient) in rows.iter().flat_map(|derived| &derived.row.coefficients) {
        counts.entry(variable).or_default()[usize::from(coefficient > 0)] += 1;
    }
    counts.into_iter().min_by_key(|(_, [below, above])| below * above).map(|(variable, _)| variable)
}

/// All rows without the variable, and what pairs of the others say.
fn eliminate(variable: Term, rows: &[Derived]) -> Option<Vec<Derived>> {
    let (with, mut kept): (Vec<&Derived>, Vec<&Derived>) =
        rows.iter().partition(|derived| derived.row.coefficients.contains_key(&variable));
    let mut made: Vec<Derived> = kept.drain(..).cloned().collect();
    for above in with.iter().filter(|derived| derived.row.coefficients[&variable] > 0) {
        for below in with.iter().filter(|derived| derived.row.coefficients[&variable] < 0) {
            let (up, down) = (above.row.coefficients[&variable], below.row.coefficients[&variable]);
            let sum = above.plus(down.checked_neg()?, below, up)?;
            let is_known =
                |other: &Derived| other.row.coefficients == sum.row.coefficients && other.row.bound <= sum.row.bound;
            if !made.iter().any(is_known) {
                made.push(sum);
            }
        }
    }
    Some(made)
}

impl Derived {
    fn is_broken(&self) -> bool {
        let Row { coefficients, bound, is_equation } = &self.row;
        coefficients.is_empty() && (*bound < 0 || (*is_equation && *bound != 0))
    }
    /// The sum of multiples of two rows; none if numbers get too large.
    fn plus(&self, factor: i128, other: &Derived, times: i128) -> Option<Derived> {
        let mut row = Row {
            coefficients: BTreeMap::new(),
            bound: factor.checked_mul(self.row.bound)?.checked_add(times.checked_mul(other.row.bound)?)?,
            is_equation: self.row.is_equation && other.row.is_equation,
        };
        let mut factors = Factors::new();
        for (derived, by) in [(self, factor), (other, times)] {
            for (&variable, &coefficient) in &derived.row.coefficients {
                let sum = row.coefficients.entry(variable).or_default();
                *sum = sum.checked_add(by.checked_mul(coefficient)?)?;
            }
            for (&number, &old) in &derived.factors {
                let sum = factors.entry(number).or_default();
                *sum = sum.checked_add(by.checked_mul(old)?)?;
            }
        }
        row.coefficients.retain(|_, coefficient| *coefficient != 0);
        factors.retain(|_, factor| *factor != 0);
        let all = row.coefficients.values().chain(factors.values()).chain([&row.bound]);
        let common = all.fold(0, |common, &number| gcd(common, number.unsigned_abs()));
        if common > 1 {
            let common = i128::try_from(common).ok()?;
            row.coefficients.values_mut().chain(factors.values_mut()).for_each(|number| *number /= common);
            row.bound /= common;
        }
        // An equation that contradicts itself does so with either sign; the sum of the rows must be below zero.
        if row.is_equation && row.coefficients.is_empty() && row.bound > 0 {
            row.bound = -row.bound;
            factors.values_mut().for_each(|factor| *factor = -*factor);
        }
        Some(Derived { row, factors })
    }
}

/// The greatest common divisor.
pub(super) fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::Terms;

    fn row(variables: &[Term], coefficients: &[i128], bound: i128, is_equation: bool) -> Row {
        let pairs = variables.iter().copied().zip(coefficients.iter().copied()).filter(|pair| pair.1 != 0);
        Row { coefficients: pairs.collect(), bound, is_equation }
    }

    fn variables() -> Vec<Term> {
        let mut terms = Terms::new();
        let sort = terms.bv_sort(8);
        ["x", "y", "z"].map(|name| terms.variable(name, sort)).to_vec()
    }

    #[test]
    fn the_factors_sum_up_to_a_contradiction() {
        let names = variables();
        // x <= y - 1, y <= z, 2z = 2x.
        let rows = [
            row(&names, &[1, -1, 0], -1, false),
            row(&names, &[0, 1, -1], 0, false),
            row(&names, &[-2, 0, 2], 0, true),
        ];
        let factors = contradiction(&rows, &Budget::default()).expect("no limit").expect("there is one");
        let (mut sums, mut bound) = ([0; 3], 0);
        for (number, factor) in factors {
            assert!(factor > 0 || rows[number].is_equation);
            bound += factor * rows[number].bound;
            for (sum, name) in sums.iter_mut().zip(&names) {
                *sum += factor * rows[number].coefficients.get(name).copied().unwrap_or(0);
            }
        }
        assert_eq!(sums, [0; 3]);
        assert!(bound < 0);
    }

    #[test]
    fn what_has_a_solution_has_no_factors() {
        let names = variables();
        let rows =
            [row(&names, &[1, -1, 0], 0, false), row(&names, &[0, 1, -1], 0, false), row(&names, &[-1, 0, 1], 0, true)];
        assert_eq!(contradiction(&rows, &Budget::default()), Ok(None));
    }
}
