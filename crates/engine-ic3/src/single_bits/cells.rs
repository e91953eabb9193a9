//! Arrays with few places become their cells, so that a state consists of bits alone.
//!
//! A memory of sixteen words is sixteen words. A read becomes a choice by its index, a write a choice for each cell. The cell of an
//! array variable is a variable of its own here, and in what is said to others the array read at that place.

use base::FastMap;
use term::{Op, SortKind, Term, Terms};

use crate::tuning::Tuning;

/// Terms without arrays in the place of terms with arrays.
#[derive(Default)]
pub(super) struct Cells {
    /// By array: its cells, by index.
    cells: FastMap<Term, Vec<Term>>,
    /// By term that has no array sort: the same without arrays below.
    done: FastMap<Term, Term>,
}

impl Cells {
    /// The variable, or the cells of which it consists, each with the term that it stands for. None if there are too many.
    pub fn of_variable(&mut self, terms: &mut Terms, variable: Term) -> Option<Vec<(Term, Term)>> {
        let Some((index_width, count)) = places(terms, variable)? else { return Some(vec![(variable, variable)]) };
        let cells = self.variable_cells(terms, variable, count);
        let mut pairs = Vec::new();
        for (place, cell) in cells.into_iter().enumerate() {
            let index = terms.bv(index_width, place as u64);
            pairs.push((cell, terms.select(variable, index)));
        }
        Some(pairs)
    }
    /// The term, or for an array its cells. None if something has too many places, or no places at all.
    pub fn of_term(&mut self, terms: &mut Terms, root: Term) -> Option<Vec<Term>> {
        let mut open = vec![root];
        while let Some(&term) = open.last() {
            if self.cells.contains_key(&term) || self.done.contains_key(&term) {
                open.pop();
                continue;
            }
            let args = terms.args(term).to_vec();
            let before = open.len();
            open.extend(args.iter().filter(|arg| !self.cells.contains_key(*arg) && !self.done.contains_key(*arg)));
            if open.len() > before {
                continue;
            }
            open.pop();
            match places(terms, term)? {
                Some((width, count)) => {
                    let cells = self.array(terms, term, width, count)?;
                    self.cells.insert(term, cells);
                }
                None => {
                    let plain = self.plain(terms, term)?;
                    self.done.insert(term, plain);
                }
            }
        }
        Some(match self.cells.get(&root) {
            Some(cells) => cells.clone(),
            None => vec![self.done[&root]],
        })
    }
    fn array(&mut self, terms: &mut Terms, term: Term, width: u32, count: usize) -> Option<Vec<Term>> {
        let args = terms.args(term).to_vec();
        Some(match terms.op(term) {
            Op::Symbol(_) if args.is_empty() => self.variable_cells(terms, term, count),
            Op::ConstArray => vec![self.done[&args[0]]; count],
            Op::Ite => {
                let (condition, then, otherwise) =
                    (self.done[&args[0]], self.cells[&args[1]].clone(), self.cells[&args[2]].clone());
                then.into_iter().zip(otherwise).map(|(a, b)| terms.ite(condition, a, b)).collect()
            }
            Op::Store => {
                let (index, element) = (self.done[&args[1]], self.done[&args[2]]);
                let mut cells = self.cells[&args[0]].clone();
                for (place, cell) in cells.iter_mut().enumerate() {
                    let here = terms.bv(width, place as u64);
                    let is_here = terms.eq(index, here);
                    *cell = terms.ite(is_here, element, *cell);
                }
                cells
            }
            _ => return None,
        })
    }
    fn plain(&mut self, terms: &mut Terms, term: Term) -> Option<Term> {
        let args = terms.args(term).to_vec();
        if !args.iter().any(|arg| self.cells.contains_key(arg)) {
            let args: Vec<Term> = args.iter().map(|arg| self.done[arg]).collect();
            return Some(if args == terms.args(term) { term } else { terms.rebuild(term, &args) });
        }
        match terms.op(term) {
            Op::Select => {
                let (cells, index) = (self.cells[&args[0]].clone(), self.done[&args[1]]);
                Some(read(terms, &cells, index))
            }
            Op::Eq => {
                let (left, right) = (self.cells[&args[0]].clone(), self.cells[&args[1]].clone());
                let pairs: Vec<Term> = left.into_iter().zip(right).map(|(a, b)| terms.eq(a, b)).collect();
                Some(terms.and(&pairs))
            }
            _ => None,
        }
    }
    fn variable_cells(&mut self, terms: &mut Terms, variable: Term, count: usize) -> Vec<Term> {
        if let Some(cells) = self.cells.get(&variable) {
            return cells.clone();
        }
        let (SortKind::Array(_, element), Op::Symbol(symbol)) =
            (terms.sort_kind(terms.sort_of(variable)).clone(), terms.op(variable))
        else {
            unreachable!("an array variable is a symbol of array sort")
        };
        let name = terms.symbol_name(symbol).to_owned();
        let cells: Vec<Term> =
            (0..count).map(|place| terms.variable(&format!("{name}!cell!{place}"), element)).collect();
        self.cells.insert(variable, cells.clone());
        cells
    }
}

/// The element at the index: halves are chosen by its bits, the highest first.
fn read(terms: &mut Terms, cells: &[Term], index: Term) -> Term {
    let mut row = cells.to_vec();
    let width = terms.width(index);
    for bit in 0..width {
        let (one, bit) = (terms.bv(1, 1), terms.extract(index, bit, bit));
        let is_set = terms.eq(bit, one);
        row = row.chunks(2).map(|pair| terms.ite(is_set, pair[1], pair[0])).collect();
    }
    row[0]
}

/// Index width and number of places of an array, `Some(None)` for what is none; `None` for an array that is too large or has other indices.
#[allow(clippy::option_option)]
fn places(terms: &Terms, term: Term) -> Option<Option<(u32, usize)>> {
    let SortKind::Array(index, element) = *terms.sort_kind(terms.sort_of(term)) else { return Some(None) };
    let width_of = |sort| match *terms.sort_kind(sort) {
        SortKind::BitVec(width) => Some(width),
        SortKind::Bool => Some(1),
        _ => None,
    };
    let is_word = matches!(terms.sort_kind(index), SortKind::BitVec(_));
    let (index, element) = (width_of(index).filter(|_| is_word)?, width_of(element)?);
    if index > Tuning::DEFAULT.max_index_bits || u64::from(element) << index > Tuning::DEFAULT.max_array_bits {
        return None;
    }
    Some(Some((index, 1 << index)))
}

#[cfg(test)]
mod tests {
    use base::Bits;
    use term::Value;
    use term::eval::eval;

    use super::*;

    #[test]
    fn a_read_over_writes_has_the_same_value_without_arrays() {
        let mut terms = Terms::new();
        let (index, element) = (terms.bv_sort(2), terms.bv_sort(8));
        let sort = terms.sort(SortKind::Array(index, element));
        let a = terms.variable("a", sort);
        let (i, j) = (terms.variable("i", index), terms.variable("j", index));
        let x = terms.variable("x", element);
        let written = terms.store(a, i, x);
        let found = terms.select(written, j);
        let plain = Cells::default().of_term(&mut terms, found).expect("four places are few")[0];
        assert!(terms.subterms(&[plain]).iter().all(|&term| !matches!(terms.op(term), Op::Select | Op::Store)));
        for (at, other) in [(0, 0), (1, 3), (3, 3), (2, 1)] {
            let value = eval(&terms, plain, |symbol, _| {
                let name = terms.symbol_name(symbol);
                Some(Value::Bits(match name {
                    "i" => Bits::from_u64(2, at),
                    "j" => Bits::from_u64(2, other),
                    "x" => Bits::from_u64(8, 99),
                    _ => Bits::from_u64(8, name[name.len() - 1..].parse().expect("a cell's number")),
                }))
            });
            let expected = if at == other { 99 } else { other };
            assert_eq!(value, Ok(Value::Bits(Bits::from_u64(8, expected))));
        }
    }

    #[test]
    fn an_array_with_many_places_is_refused() {
        let mut terms = Terms::new();
        let (index, element) = (terms.bv_sort(32), terms.bv_sort(8));
        let sort = terms.sort(SortKind::Array(index, element));
        let a = terms.variable("a", sort);
        assert!(Cells::default().of_variable(&mut terms, a).is_none());
    }
}
