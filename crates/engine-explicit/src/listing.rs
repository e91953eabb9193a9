//! The states visited, as an invariant.
//!
//! A tree over the variables, those with the fewest values first: what all states agree on is said once, and equal
//! subtrees are one term.

use program::{Program, Var};
use term::{Term, Terms};

/// Some state of the list is the current one. `states` are values of `vars`, in that order.
pub(crate) fn listing(program: &Program, terms: &mut Terms, vars: &[Var], states: &[&[u64]]) -> Term {
    if states.is_empty() {
        return terms.truth(false);
    }
    let mut order: Vec<(usize, usize)> = Vec::new();
    for position in 0..vars.len() {
        let mut values: Vec<u64> = states.iter().map(|state| state[position]).collect();
        values.sort_unstable();
        values.dedup();
        order.push((values.len(), position));
    }
    order.sort_unstable();
    let columns: Vec<usize> = order.into_iter().map(|(_, position)| position).collect();
    let mut rows: Vec<Vec<u64>> =
        states.iter().map(|state| columns.iter().map(|&position| state[position]).collect()).collect();
    rows.sort_unstable();
    rows.dedup();
    let symbols: Vec<Term> = columns.iter().map(|&position| program.vars[vars[position]].term).collect();
    tree(terms, &symbols, &rows, 0)
}

/// The rows, which are sorted and agree up to the column, from there on.
fn tree(terms: &mut Terms, symbols: &[Term], rows: &[Vec<u64>], column: usize) -> Term {
    let mut column = column;
    let mut shared = Vec::new();
    while column < symbols.len() && rows.iter().all(|row| row[column] == rows[0][column]) {
        shared.push(is(terms, symbols[column], rows[0][column]));
        column += 1;
    }
    if column < symbols.len() {
        let mut cases = Vec::new();
        for group in rows.chunk_by(|a, b| a[column] == b[column]) {
            cases.push(tree(terms, symbols, group, column));
        }
        shared.push(terms.or(&cases));
    }
    terms.and(&shared)
}

fn is(terms: &mut Terms, symbol: Term, value: u64) -> Term {
    if terms.is_bool(symbol) {
        return if value == 1 { symbol } else { terms.not(symbol) };
    }
    let width = terms.width(symbol);
    let value = terms.bv(width, value);
    terms.eq(symbol, value)
}
