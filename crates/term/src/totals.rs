//! Totals: what a loop adds up of the cells of an array, as a function of the array and of how many cells it has passed.
//!
//! `total(a, n)` is the sum (or the exclusive or) of `summand(k, a[index(k)])` over all counters `k` below `n`, unsigned. That is
//! a function of every array and every counter, so its laws hold for all values:
//!
//! * nothing is passed: `total(a, 0) = 0`;
//! * one more: `total(a, n + 1) = total(a, n) + summand(n, a[index(n)])`, unless `n + 1` is zero;
//! * a cell is written: `total(store(a, i, v), n) = total(a, n) - summand(k, a[i]) + summand(k, v)` if `k` is the counter below `n` with
//!   `index(k) = i`, and `total(a, n)` if there is none. There is at most one, and it is `position(i)`, if `n` is at most `limit` and
//!   `position(index(k)) = k` for all `k` below `limit`;
//! * a choice: `total(ite(c, a, b), n) = ite(c, total(a, n), total(b, n))`.
//!
//! [`Total::laws`] makes the instances that formulas call for: those about the arrays and counters that the function is
//! applied to in them, and about pairs of counters that it is applied to with one array.

use base::FastMap;

use crate::tuning::Tuning;
use crate::{Op, SortKind, Symbol, Term, Terms};

/// The function and what it is made of: terms of one store.
#[derive(Clone, Debug)]
pub struct Total {
    /// From an array and a counter to the sum.
    pub function: Symbol,
    /// Stands for a counter in `index` and `summand`.
    pub counter: Term,
    /// Stands for the contents of a cell in `summand`.
    pub cell: Term,
    /// Which cell belongs to the counter.
    pub index: Term,
    /// What is added for it.
    pub summand: Term,
    /// Stands for an index in `position`.
    pub place: Term,
    /// Which counter belongs to the index.
    pub position: Term,
    /// Below this constant, different counters have different cells.
    pub limit: Term,
    /// Whether it is the exclusive or instead of the sum.
    pub is_xor: bool,
}

impl Total {
    /// Whether sorts fit, and each part speaks of its own symbols only.
    pub fn is_sound(&self, terms: &Terms) -> bool {
        let speaks_of = |term: Term, known: &[Term]| {
            let is_known = |part: &Term| !matches!(terms.op(*part), Op::Symbol(_)) || known.contains(part);
            terms.subterms(&[term]).iter().all(is_known)
        };
        let is_symbol = |term: Term| matches!(terms.op(term), Op::Symbol(_)) && terms.args(term).is_empty();
        let symbols = [self.counter, self.cell, self.place];
        let are_apart = symbols[0] != symbols[1] && symbols[1] != symbols[2] && symbols[0] != symbols[2];
        let is_word = |term: Term| matches!(terms.sort_kind(terms.sort_of(term)), SortKind::BitVec(_));
        let words = [self.counter, self.cell, self.index, self.summand, self.place, self.position, self.limit];
        if !symbols.iter().all(|&symbol| is_symbol(symbol)) || !are_apart || !words.into_iter().all(is_word) {
            return false;
        }
        let sort = |term: Term| terms.sort_of(term);
        let takes = terms.symbol_args(self.function);
        let takes_array = takes.len() == 2
            && *terms.sort_kind(takes[0]) == SortKind::Array(sort(self.index), sort(self.cell))
            && takes[1] == sort(self.counter);
        takes_array
            && terms.symbol_result(self.function) == sort(self.summand)
            && sort(self.place) == sort(self.index)
            && sort(self.position) == sort(self.counter)
            && sort(self.limit) == sort(self.counter)
            && terms.is_value(self.limit)
            && speaks_of(self.index, &[self.counter])
            && speaks_of(self.summand, &[self.counter, self.cell])
            && speaks_of(self.position, &[self.place])
    }
    /// What must hold for all values of the counter: that its position is found from its cell.
    pub fn finds_positions(&self, terms: &mut Terms) -> Term {
        let found = terms.substitute(self.position, &[(self.place, self.index)]);
        let (is_found, below) = (terms.eq(found, self.counter), terms.bv_ult(self.counter, self.limit));
        let beyond = terms.not(below);
        terms.or(&[beyond, is_found])
    }
    /// The function applied.
    pub fn of(&self, terms: &mut Terms, array: Term, count: Term) -> Term {
        terms.apply(self.function, &[array, count])
    }
    /// What is added for this counter and these contents.
    pub fn summand_of(&self, terms: &mut Terms, counter: Term, cell: Term) -> Term {
        terms.substitute(self.summand, &[(self.counter, counter), (self.cell, cell)])
    }
    /// What is added for the counter and the cell of the array that belongs to it.
    pub fn next_of(&self, terms: &mut Terms, array: Term, counter: Term) -> Term {
        let index = terms.substitute(self.index, &[(self.counter, counter)]);
        let cell = terms.select(array, index);
        self.summand_of(terms, counter, cell)
    }
    /// Both together.
    pub fn plus(&self, terms: &mut Terms, left: Term, right: Term) -> Term {
        if self.is_xor { terms.make(Op::BvXor, &[left, right]) } else { terms.bv_add(left, right) }
    }
    /// The first without the second.
    pub fn minus(&self, terms: &mut Terms, left: Term, right: Term) -> Term {
        if self.is_xor { terms.make(Op::BvXor, &[left, right]) } else { terms.bv_sub(left, right) }
    }

    /// The laws that the formulas call for. All of them hold if [`Total::is_sound`] and [`Total::finds_positions`] do.
    pub fn laws(&self, terms: &mut Terms, formulas: &[Term]) -> Vec<Term> {
        let is_application = |terms: &Terms, part: &Term| terms.op(*part) == Op::Symbol(self.function);
        let mut todo = terms.subterms(formulas);
        todo.retain(|part| is_application(terms, part));
        let mut laws = Vec::new();
        let mut seen = FastMap::new();
        let mut plain: Vec<(Term, Vec<Term>)> = Vec::new();
        while let Some(total) = todo.pop() {
            if seen.len() >= Tuning::DEFAULT.max_totals || seen.insert(total, ()).is_some() {
                continue;
            }
            let (array, count) = (terms.arg(total, 0), terms.arg(total, 1));
            let args = terms.args(array).to_vec();
            match terms.op(array) {
                Op::Store => {
                    let below = self.of(terms, args[0], count);
                    let law = self.written(terms, total, below, &args);
                    laws.push(law);
                    todo.push(below);
                }
                Op::Ite => {
                    let (yes, no) = (self.of(terms, args[1], count), self.of(terms, args[2], count));
                    let choice = terms.ite(args[0], yes, no);
                    laws.push(terms.eq(total, choice));
                    todo.extend([yes, no]);
                }
                _ => {
                    // What a few first cells add up to follows from nothing.
                    let few = terms.small_value(count).unwrap_or(0);
                    if (1..=Tuning::DEFAULT.max_first_cells).contains(&few) {
                        let before = terms.bv(terms.width(count), few - 1);
                        todo.push(self.of(terms, array, before));
                    }
                    match plain.iter_mut().find(|(other, _)| *other == array) {
                        Some((_, counts)) => counts.push(count),
                        None => plain.push((array, vec![count])),
                    }
                }
            }
        }
        for (array, counts) in plain {
            for &count in &counts {
                laws.extend(self.nothing(terms, array, count));
                for &next in counts.iter().filter(|&&next| next != count) {
                    laws.extend(self.one_more(terms, array, count, next));
                }
            }
        }
        laws
    }
    fn nothing(&self, terms: &mut Terms, array: Term, count: Term) -> Option<Term> {
        if terms.small_value(count).is_some_and(|value| value != 0) {
            return None;
        }
        let total = self.of(terms, array, count);
        let (none, zero) = (terms.bv(terms.width(count), 0), terms.bv(terms.width(total), 0));
        let (is_none, is_zero) = (terms.eq(count, none), terms.eq(total, zero));
        let is_some = terms.not(is_none);
        Some(terms.or(&[is_some, is_zero]))
    }
    fn one_more(&self, terms: &mut Terms, array: Term, count: Term, next: Term) -> Option<Term> {
        let width = terms.width(count);
        let (zero, one) = (terms.bv(width, 0), terms.bv(width, 1));
        let after = terms.bv_add(count, one);
        let (is_next, is_first) = (terms.eq(next, after), terms.eq(next, zero));
        if [terms.op(is_next), terms.op(is_first)] == [Op::False, Op::False] || terms.op(is_first) == Op::True {
            return None;
        }
        let (before, total) = (self.of(terms, array, count), self.of(terms, array, next));
        let summand = self.next_of(terms, array, count);
        let sum = self.plus(terms, before, summand);
        let (is_other, is_sum) = (terms.not(is_next), terms.eq(total, sum));
        Some(terms.or(&[is_other, is_first, is_sum]))
    }
    /// `args`: what is written to, where, and what.
    fn written(&self, terms: &mut Terms, total: Term, below: Term, args: &[Term]) -> Term {
        let count = terms.arg(total, 1);
        let position = terms.substitute(self.position, &[(self.place, args[1])]);
        let again = terms.substitute(self.index, &[(self.counter, position)]);
        let (is_known, is_counted) = (terms.bv_ult(position, self.limit), terms.bv_ult(position, count));
        let is_there = terms.eq(again, args[1]);
        let is_hit = terms.and(&[is_known, is_there, is_counted]);
        let old = terms.select(args[0], args[1]);
        let (old, new) = (self.summand_of(terms, position, old), self.summand_of(terms, position, args[2]));
        let rest = self.minus(terms, below, old);
        let changed = self.plus(terms, rest, new);
        let after = terms.ite(is_hit, changed, below);
        let (is_after, is_beyond) = (terms.eq(total, after), terms.bv_ult(self.limit, count));
        terms.or(&[is_beyond, is_after])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{ArrayValue, Value, eval};
    use base::Bits;

    const WIDTH: u32 = 3;

    /// Cells of two bits, at every second index.
    fn total(terms: &mut Terms, is_xor: bool) -> Total {
        let (word, element) = (terms.bv_sort(WIDTH), terms.bv_sort(2));
        let array = terms.sort(SortKind::Array(word, element));
        let function = terms.declare("total", &[array, word], word).expect("the name is free");
        let (counter, cell) = (terms.variable("counter", word), terms.variable("cell", element));
        let (place, two, one) = (terms.variable("place", word), terms.bv(WIDTH, 2), terms.bv(WIDTH, 1));
        let index = terms.make(Op::BvMul, &[counter, two]);
        let position = terms.bv_lshr(place, one);
        let wide = terms.zero_extend_to(cell, WIDTH);
        let summand = terms.bv_add(wide, counter);
        let limit = terms.bv(WIDTH, 4);
        Total { function, counter, cell, index, summand, place, position, limit, is_xor }
    }
    fn number(value: &Value) -> u64 {
        value.as_bits().and_then(Bits::to_u64).expect("a word")
    }
    fn bits(width: u32, value: u64) -> Value {
        Value::Bits(Bits::from_u64(width, value))
    }
    /// The total as it is defined.
    fn sum(is_xor: bool, array: &Value, count: u64) -> u64 {
        let Value::Array(array) = array else { panic!("an array") };
        let mut sum = 0;
        for counter in 0..count {
            let cell = number(array.read(&bits(WIDTH, counter * 2 % 8)));
            sum = if is_xor { sum ^ ((cell + counter) % 8) } else { (sum + cell + counter) % 8 };
        }
        sum
    }

    /// Every law that is made for these applications, in every state.
    fn hold_everywhere(is_xor: bool) {
        let mut terms = Terms::new();
        let total = total(&mut terms, is_xor);
        assert!(total.is_sound(&terms));
        let (word, element) = (terms.bv_sort(WIDTH), terms.bv_sort(2));
        let sort = terms.symbol_args(total.function)[0];
        let (array, i, n) = (terms.variable("array", sort), terms.variable("i", word), terms.variable("n", word));
        let (v, zero, one) = (terms.variable("v", element), terms.bv(WIDTH, 0), terms.bv(WIDTH, 1));
        let bool_sort = terms.bool_sort();
        let choice = terms.variable("choice", bool_sort);
        let written = terms.store(array, i, v);
        let either = terms.ite(choice, written, array);
        let next = terms.bv_add(n, one);
        let mut said = Vec::new();
        for of in [array, written, either] {
            for count in [zero, one, i, n, next] {
                said.push(total.of(&mut terms, of, count));
            }
        }
        let laws = total.laws(&mut terms, &said);
        assert!(laws.len() > 20);
        let all = terms.and(&laws);
        for state in 0..(1u64 << 13) {
            let take = |from: u32, width: u32| (state.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> from) & ((1 << width) - 1);
            let mut cells = ArrayValue::constant(bits(2, take(40, 2)));
            for index in 0..8 {
                cells.write(bits(WIDTH, index), bits(2, take(2 * index as u32, 2)));
            }
            let value = eval(&terms, all, |symbol, args| {
                Some(match terms.symbol_name(symbol) {
                    "total" => bits(WIDTH, sum(is_xor, &args[0], number(&args[1]))),
                    "array" => Value::Array(Box::new(cells.clone())),
                    "i" => bits(WIDTH, state & 7),
                    "n" => bits(WIDTH, state >> 3 & 7),
                    "v" => bits(2, state >> 6 & 3),
                    "choice" => Value::Bool(state >> 8 & 1 == 1),
                    _ => return None,
                })
            });
            assert_eq!(value, Ok(Value::Bool(true)), "state {state}");
        }
    }
    #[test]
    fn laws_hold_for_sums() {
        hold_everywhere(false);
    }
    #[test]
    fn laws_hold_for_exclusive_ors() {
        hold_everywhere(true);
    }
    #[test]
    fn parts_speak_of_their_own_symbols_only() {
        let mut terms = Terms::new();
        let right = total(&mut terms, false);
        assert!(right.is_sound(&terms));
        let is_sound = |terms: &Terms, change: &dyn Fn(&mut Total)| {
            let mut changed = right.clone();
            change(&mut changed);
            changed.is_sound(terms)
        };
        assert!(!is_sound(&terms, &|total| total.summand = total.place));
        assert!(!is_sound(&terms, &|total| total.limit = total.counter));
        assert!(!is_sound(&terms, &|total| total.place = total.counter));
        assert!(!is_sound(&terms, &|total| total.cell = total.summand));
        let word = terms.bv_sort(WIDTH);
        let other = terms.variable("other", word);
        assert!(!is_sound(&terms, &|total| total.index = other));
        assert!(!is_sound(&terms, &|total| total.summand = other));
        assert!(!is_sound(&terms, &|total| total.position = other));
    }
}
