//! Candidates: what the samples of a function have in common, case by case.
//!
//! A *case* is a conjunction of at most two conditions of the function's own branches, or of signs, over values at the call. For each case and
//! each value at the return: the linear equations modulo 2^w that hold in all samples (`relations::span`), equations
//! with products of two values and powers of two if there is none, the equation of the lowest bits, bounds by constants and by
//! values at the call. Samples that no equation explains become rows of a table.

use base::FastMap;
use program::{Action, Program};
use term::eval::{Evaluator, Value};
use term::{Op, Substitution, Term, Terms};
use verdict::{Contract, Slot};

use super::samples::Samples;
use super::{Interface, Requires};
use crate::relations::span::Span;
use crate::tuning::Tuning;

/// The strongest contract that the samples allow, of these shapes.
pub(super) fn contract(
    program: &Program,
    terms: &mut Terms,
    interface: &Interface,
    samples: &Samples,
    requires: Requires,
) -> Contract {
    let conditions = conditions(program, terms, interface);
    let slots = interface.before.iter().chain(&interface.after).map(|&(symbol, slot, _)| (symbol, slot)).collect();
    let mut guess = Guess { terms, interface, samples, found: Vec::new(), explained: FastMap::new(), requires };
    let cases = guess.cases(&conditions);
    let n_after = samples.rows.first().map_or(0, |(_, after)| after.len());
    for exit in 0..n_after {
        for case in &cases {
            guess.equations(exit, case);
            guess.bounds(exit, case);
        }
        guess.table(exit);
    }
    let ensures = guess.found;
    let requires = match requires {
        Requires::Nothing => Vec::new(),
        Requires::Bounds => at_calls(terms, interface, samples, &conditions),
    };
    Contract { function: interface.function, slots, requires, ensures }
}

/// Samples that satisfy a condition over values at the call.
struct Case {
    condition: Term,
    rows: Vec<usize>,
    n_conditions: usize,
}

struct Guess<'a> {
    terms: &'a mut Terms,
    interface: &'a Interface,
    samples: &'a Samples,
    found: Vec<Term>,
    /// By value at the return and sample: an equation determines the value.
    explained: FastMap<(usize, usize), ()>,
    requires: Requires,
}

impl Guess<'_> {
    /// The cases, simple ones first; of those with the same samples the first.
    fn cases(&mut self, conditions: &[Term]) -> Vec<Case> {
        let mut literals: Vec<Case> = Vec::new();
        for &condition in conditions {
            let holds: Vec<usize> = (0..self.samples.rows.len()).filter(|&row| self.holds(condition, row)).collect();
            let others = (0..self.samples.rows.len()).filter(|row| !holds.contains(row)).collect();
            literals.push(Case { condition, rows: holds, n_conditions: 1 });
            literals.push(Case { condition: self.terms.not(condition), rows: others, n_conditions: 1 });
        }
        let all = (0..self.samples.rows.len()).collect();
        let mut cases = vec![Case { condition: self.terms.truth(true), rows: all, n_conditions: 0 }];
        let mut add = |case: Case| {
            if case.rows.len() >= 2 && cases.iter().all(|other| other.rows != case.rows) {
                cases.push(case);
            }
        };
        let mut pairs = Vec::new();
        for (number, case) in literals.iter().enumerate() {
            for other in &literals[..number] {
                let rows: Vec<usize> = case.rows.iter().copied().filter(|row| other.rows.contains(row)).collect();
                let condition = self.terms.and(&[other.condition, case.condition]);
                pairs.push(Case { condition, rows, n_conditions: 2 });
            }
        }
        literals.into_iter().chain(pairs).for_each(&mut add);
        cases.truncate(Tuning::DEFAULT.contract_cases);
        cases
    }
    fn holds(&self, condition: Term, row: usize) -> bool {
        let words = &self.interface.before;
        let values = &self.samples.rows[row].0;
        let mut evaluator = Evaluator::new(|symbol, _: &[Value]| {
            let place = words.iter().position(|&(term, _, _)| self.terms.op(term) == Op::Symbol(symbol))?;
            Some(Value::Bits(base::Bits::from_u64(words[place].2, values[place])))
        });
        evaluator.eval(self.terms, condition) == Ok(Value::Bool(true))
    }
    fn add(&mut self, case: Term, claim: Term) {
        let not = self.terms.not(case);
        let claim = self.terms.or(&[not, claim]);
        if self.terms.op(claim) != Op::True && !self.found.contains(&claim) {
            self.found.push(claim);
        }
    }

    /// Equations that determine the value at the return in this case, or its lowest bit.
    fn equations(&mut self, exit: usize, case: &Case) {
        if case.rows.iter().all(|&row| self.explained.contains_key(&(exit, row))) {
            return;
        }
        let linear = self.columns(exit, Degree::Linear);
        let full = self.interface.after[exit].2;
        let is_found = self.fit(exit, case, &linear, full) || {
            let quadratic = self.columns(exit, Degree::Quadratic);
            let is_found = self.fit(exit, case, &quadratic, full);
            if is_found && self.requires == Requires::Bounds {
                self.multiples(exit, case);
            }
            is_found
        };
        if is_found {
            case.rows.iter().for_each(|&row| {
                self.explained.insert((exit, row), ());
            });
        } else {
            self.fit(exit, case, &linear, 1);
        }
    }
    /// Adds the equation between the columns modulo 2^width, if there is one that determines the last column but one.
    fn fit(&mut self, exit: usize, case: &Case, columns: &[Column], width: u32) -> bool {
        let mask = if width == 64 { u64::MAX } else { (1 << width) - 1 };
        // The value at the return, the columns, one.
        let n = columns.len() + 2;
        if case.rows.len() < (n + 1).min(n - 1 + case.n_conditions).max(2) {
            return false;
        }
        let mut span = Span::new(width, n);
        for &row in &case.rows {
            let (before, after) = &self.samples.rows[row];
            let mut numbers = vec![after[exit] & mask];
            numbers.extend(columns.iter().map(|column| column.value(&self.interface.before, before) & mask));
            numbers.push(1);
            span.add(numbers);
        }
        // With the value first, a form whose first coefficient is a unit determines it.
        let Some(form) = span.orthogonal().into_iter().find(|form| form[0] & 1 == 1) else { return false };
        let unit = term::sums::inverse(form[0]);
        let exit_width = self.interface.after[exit].2;
        let mut sum = self.terms.bv(exit_width, 0);
        for (place, &coefficient) in form.iter().enumerate().skip(1) {
            // On the other side of the equation, and as a number with a sign: circuits of small factors are small.
            let factor = coefficient.wrapping_mul(unit).wrapping_neg() & mask;
            if factor == 0 {
                continue;
            }
            let is_negative = width > 1 && factor > mask / 2;
            let size = if is_negative { factor.wrapping_neg() & mask } else { factor };
            let value = match place {
                _ if place == n - 1 => self.terms.bv(exit_width, 1),
                _ => columns[place - 1].term(self.terms, &self.interface.before, exit_width),
            };
            let size = self.terms.bv(exit_width, size);
            let product = self.terms.bv_mul(size, value);
            sum = if is_negative { self.terms.bv_sub(sum, product) } else { self.terms.bv_add(sum, product) };
        }
        let value = self.terms.extract(self.interface.after[exit].0, width - 1, 0);
        let sum = self.terms.extract(sum, width - 1, 0);
        let claim = self.terms.eq(value, sum);
        self.add(case.condition, claim);
        // Where calls have what makes the case, the equation holds without it, and is easier to prove.
        if self.requires == Requires::Bounds && case.n_conditions == 1 {
            let always = self.terms.truth(true);
            self.add(always, claim);
        }
        true
    }
    fn columns(&self, exit: usize, degree: Degree) -> Vec<Column> {
        let words = &self.interface.before;
        let mut columns: Vec<Column> = (0..words.len()).map(Column::Word).collect();
        if degree == Degree::Quadratic && words.len() <= Tuning::DEFAULT.contract_factors {
            for (i, word) in words.iter().enumerate() {
                columns.extend((0..=i).map(|j| Column::Product(j, i)));
                if word.2 <= self.interface.after[exit].2 {
                    columns.push(Column::PowerOfTwo(i));
                }
            }
        }
        columns
    }

    /// Bounds by multiples of values at the call, beside an equation with products: whether a product overflows is hard to see from the equation. They hold only
    /// where calls keep bounds, so samples say nothing about them.
    fn multiples(&mut self, exit: usize, case: &Case) {
        let (symbol, _, width) = self.interface.after[exit];
        let zero = self.terms.bv(width, 0);
        let is_positive = self.terms.bv_sle(zero, symbol);
        self.add(case.condition, is_positive);
        for constant in self.samples.constants.clone() {
            for factor in
                [constant, constant.wrapping_sub(1)].into_iter().filter(|factor| (2..1 << 31).contains(factor))
            {
                for place in 0..self.interface.before.len() {
                    if self.interface.before[place].2 != width {
                        continue;
                    }
                    let factor = self.terms.bv(width, factor);
                    let product = self.terms.bv_mul(factor, self.interface.before[place].0);
                    let claim = self.terms.bv_sle(symbol, product);
                    self.add(case.condition, claim);
                }
            }
        }
    }

    /// Bounds of the value at the return by constants and by values at the call.
    fn bounds(&mut self, exit: usize, case: &Case) {
        let is_explained = case.rows.iter().all(|&row| self.explained.contains_key(&(exit, row)));
        if case.n_conditions > 1 || case.rows.is_empty() || is_explained {
            return;
        }
        let (symbol, _, width) = self.interface.after[exit];
        let values: Vec<u64> = case.rows.iter().map(|&row| self.samples.rows[row].1[exit]).collect();
        let signed = |value: u64| (value << (64 - width)) as i64 >> (64 - width);
        let (low, high) = (
            values.iter().map(|&value| signed(value)).min().unwrap_or(0),
            values.iter().map(|&value| signed(value)).max().unwrap_or(0),
        );
        let largest = values.iter().copied().max().unwrap_or(0);
        let mut constants: Vec<i64> = self.samples.constants.iter().map(|&value| signed(value)).collect();
        constants.extend([0, 1]);
        constants.sort_unstable();
        let kept = Tuning::DEFAULT.contract_bounds;
        let above = constants.iter().copied().filter(|&constant| constant > high).take(kept);
        let below = constants.iter().rev().copied().filter(|&constant| constant < low).take(kept);
        for bound in std::iter::once(high).chain(above.collect::<Vec<_>>()) {
            let bound = self.constant(width, bound);
            let claim = self.terms.bv_sle(symbol, bound);
            self.add(case.condition, claim);
        }
        for bound in std::iter::once(low).chain(below.collect::<Vec<_>>()) {
            let bound = self.constant(width, bound);
            let claim = self.terms.bv_sle(bound, symbol);
            self.add(case.condition, claim);
        }
        let bound = self.terms.bv(width, largest);
        let claim = self.terms.bv_ule(symbol, bound);
        self.add(case.condition, claim);
        for place in 0..self.interface.before.len() {
            let (word, _, other) = self.interface.before[place];
            if other != width {
                continue;
            }
            let compared = |holds: &dyn Fn(u64, u64) -> bool| {
                case.rows.iter().all(|&row| {
                    let (before, after) = &self.samples.rows[row];
                    holds(before[place], after[exit])
                })
            };
            let (is_above, is_below) = (
                compared(&|before, after| signed(before) <= signed(after)),
                compared(&|before, after| signed(after) <= signed(before)),
            );
            let is_below_unsigned = compared(&|before, after| after <= before);
            let mut claims = Vec::new();
            if is_above {
                claims.push(self.terms.bv_sle(word, symbol));
            }
            if is_below {
                claims.push(self.terms.bv_sle(symbol, word));
            }
            if is_below_unsigned {
                claims.push(self.terms.bv_ule(symbol, word));
            }
            claims.into_iter().for_each(|claim| self.add(case.condition, claim));
        }
    }
    fn constant(&mut self, width: u32, value: i64) -> Term {
        let mask = if width == 64 { u64::MAX } else { (1 << width) - 1 };
        self.terms.bv(width, value as u64 & mask)
    }

    /// Rows for samples that no equation explains.
    fn table(&mut self, exit: usize) {
        let unexplained = |row: &usize| !self.explained.contains_key(&(exit, *row));
        let rows: Vec<usize> = (0..self.samples.rows.len()).filter(unexplained).collect();
        if self.interface.before.len() > 2 {
            return;
        }
        for row in rows.into_iter().take(Tuning::DEFAULT.contract_rows) {
            let (before, after) = &self.samples.rows[row];
            let (symbol, _, width) = self.interface.after[exit];
            let mut parts = Vec::new();
            for (&(word, _, width), &value) in self.interface.before.iter().zip(before) {
                let value = self.terms.bv(width, value);
                parts.push(self.terms.eq(word, value));
            }
            let condition = self.terms.and(&parts);
            let value = self.terms.bv(width, after[exit]);
            let claim = self.terms.eq(symbol, value);
            self.add(condition, claim);
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Degree {
    Linear,
    Quadratic,
}

/// What stands in an equation beside the value at the return: made of values at the call, by their places.
#[derive(Clone, Copy)]
enum Column {
    Word(usize),
    Product(usize, usize),
    PowerOfTwo(usize),
}

type Words = [(Term, Slot, u32)];

impl Column {
    fn value(self, words: &Words, values: &[u64]) -> u64 {
        let word = |place: usize| {
            let width = words[place].2;
            ((values[place] << (64 - width)) as i64 >> (64 - width)) as u64
        };
        match self {
            Column::Word(place) => word(place),
            Column::Product(left, right) => word(left).wrapping_mul(word(right)),
            Column::PowerOfTwo(place) => {
                if values[place] < 64 {
                    1 << values[place]
                } else {
                    0
                }
            }
        }
    }
    /// As wide as the value at the return.
    fn term(self, terms: &mut Terms, words: &Words, width: u32) -> Term {
        let word = |terms: &mut Terms, place: usize| {
            let (symbol, _, own) = words[place];
            if own > width { terms.extract(symbol, width - 1, 0) } else { terms.sign_extend_to(symbol, width) }
        };
        match self {
            Column::Word(place) => word(terms, place),
            Column::Product(left, right) => {
                let (left, right) = (word(terms, left), word(terms, right));
                terms.bv_mul(left, right)
            }
            Column::PowerOfTwo(place) => {
                let amount = terms.zero_extend_to(words[place].0, width);
                let one = terms.bv(width, 1);
                terms.bv_shl(one, amount)
            }
        }
    }
}

/// Conditions over values at the call: those of the function's branches, as if nothing was assigned before, signs, and comparisons with zero.
fn conditions(program: &Program, terms: &mut Terms, interface: &Interface) -> Vec<Term> {
    let function = &program.functions[interface.function];
    let mut pairs = Vec::new();
    for &(symbol, slot, _) in &interface.before {
        let var = match slot {
            Slot::Argument(position) => function.params[position],
            Slot::Before(var) => var,
            _ => unreachable!("it is known at the call"),
        };
        pairs.push((program.vars[var].term, symbol));
    }
    let mut found: Vec<Term> = Vec::new();
    let mut add = |terms: &Terms, term: Term| {
        let plain = if terms.op(term) == Op::Not { terms.arg(term, 0) } else { term };
        if !matches!(terms.op(plain), Op::True | Op::False) && !found.contains(&plain) {
            found.push(plain);
        }
    };
    for edge in &program.edges {
        let Action::Assume(condition) = edge.action else { continue };
        if program.locations[edge.from].function != interface.function {
            continue;
        }
        let speaks_of_words = terms.subterms(&[condition]).into_iter().all(|part| {
            !matches!(terms.op(part), Op::Symbol(_)) || pairs.iter().any(|&(variable, _)| variable == part)
        });
        if speaks_of_words {
            let condition = Substitution::new(terms, &pairs).apply(terms, condition);
            add(terms, condition);
        }
    }
    for &(symbol, _, width) in &interface.before {
        let zero = terms.bv(width, 0);
        let is_negative = terms.bv_slt(symbol, zero);
        add(terms, is_negative);
        let is_zero = terms.eq(symbol, zero);
        add(terms, is_zero);
    }
    found.truncate(Tuning::DEFAULT.contract_conditions);
    found
}

/// What may hold at all calls: conditions and bounds.
fn at_calls(terms: &mut Terms, interface: &Interface, samples: &Samples, conditions: &[Term]) -> Vec<Term> {
    let mut found: Vec<Term> = Vec::new();
    for &condition in conditions {
        let not = terms.not(condition);
        found.extend([condition, not]);
    }
    for (place, &(symbol, _, width)) in interface.before.iter().enumerate() {
        let mask = if width == 64 { u64::MAX } else { (1 << width) - 1 };
        let mut constants: Vec<u64> = samples.constants.iter().map(|&value| value & mask).collect();
        constants.extend([0, 1, mask]);
        for constant in constants {
            // With the neighbours: `x < c` and `x > c` are conditions of programs, too. What is in range often stays in range when its sign changes.
            for lower in [constant, constant.wrapping_add(1) & mask, constant.wrapping_neg() & mask] {
                let lower = terms.bv(width, lower);
                found.push(terms.bv_sle(lower, symbol));
            }
            for upper in [constant, constant.wrapping_sub(1) & mask] {
                let upper = terms.bv(width, upper);
                found.push(terms.bv_sle(symbol, upper));
            }
        }
        for &(other, _, _) in interface.before[..place].iter().filter(|word| word.2 == width) {
            let (above, below) = (terms.bv_sle(other, symbol), terms.bv_sle(symbol, other));
            let differ = terms.ne(other, symbol);
            found.extend([above, below, differ]);
        }
    }
    let mut unique = Vec::new();
    for part in found {
        if !unique.contains(&part) {
            unique.push(part);
        }
    }
    unique
}
