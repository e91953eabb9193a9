//! Functions that the author declared become arrays that never change.
//!
//! A function over bit-vectors is a table, so `f(x, y)` is read as a read of an array at `x` and `y` side by side. The
//! array is a state variable with any first value that every step keeps. Nothing after the front end has to
//! know of functions then: engines know arrays, and a run that needs a table can be replayed with one.
//! Functions over other sorts stay what they are: equal arguments give equal results, and that is all.

use base::{FastMap, Place};
use term::{Op, SortKind, Symbol, Term, Terms};

use crate::system::{self, State, System};

/// Rewrites the system; returns the functions with their tables. `place` is where a function was declared.
pub(crate) fn tables(
    terms: &mut Terms,
    system: &mut System,
    place: impl Fn(Symbol) -> Option<Place>,
) -> Vec<(Symbol, Term)> {
    let mut found = Vec::new();
    let mut arrays: FastMap<Symbol, Term> = FastMap::new();
    for term in terms.subterms(&system.formulas()) {
        let Op::Symbol(symbol) = terms.op(term) else { continue };
        if terms.args(term).is_empty() || arrays.contains_key(&symbol) {
            continue;
        }
        let Some((width, element)) = shape(terms, symbol) else { continue };
        let (index, element) = (terms.bv_sort(width), terms.bv_sort(element));
        let sort = terms.sort(SortKind::Array(index, element));
        let name = terms.symbol_name(symbol).to_owned();
        let mut fresh = |ending: &str| {
            let mut name = format!("{name}!{ending}");
            while terms.lookup(&name).is_some() {
                name.push('!');
            }
            terms.variable(&name, sort)
        };
        let (now, next) = (fresh("table"), fresh("table.next"));
        arrays.insert(symbol, now);
        found.push((symbol, now));
        let now = system::Symbol { name, term: now, place: place(symbol) };
        system.trans.push(terms.eq(next, now.term));
        system.states.push(State { now, next });
    }
    let mut done: FastMap<Term, Term> = FastMap::new();
    system.for_each_formula(|formula| {
        for old in terms.subterms_until(&[*formula], |term| done.contains_key(&term)) {
            let args: Vec<Term> = terms.args(old).iter().map(|arg| done[arg]).collect();
            let new = match terms.op(old) {
                Op::Symbol(symbol) if !args.is_empty() => match arrays.get(&symbol) {
                    Some(&array) => read(terms, array, &args, terms.is_bool(old)),
                    None => terms.rebuild(old, &args),
                },
                _ => terms.rebuild(old, &args),
            };
            done.insert(old, new);
        }
        *formula = done[&*formula];
    });
    found
}

/// Widths of the arguments together and of the result, if the function is one over bits.
fn shape(terms: &Terms, symbol: Symbol) -> Option<(u32, u32)> {
    let bits = |&sort: &term::Sort| match terms.sort_kind(sort) {
        SortKind::Bool => Some(1),
        SortKind::BitVec(width) => Some(*width),
        _ => None,
    };
    let mut width = 0u32;
    for sort in terms.symbol_args(symbol) {
        width = width.checked_add(bits(sort)?)?;
    }
    (width <= term::MAX_WIDTH).then_some((width, bits(&terms.symbol_result(symbol))?))
}

fn read(terms: &mut Terms, array: Term, args: &[Term], is_bool: bool) -> Term {
    let mut index: Option<Term> = None;
    for &arg in args {
        let bits = if terms.is_bool(arg) {
            let (one, zero) = (terms.bv(1, 1), terms.bv(1, 0));
            terms.ite(arg, one, zero)
        } else {
            arg
        };
        index = Some(match index {
            None => bits,
            Some(before) => terms.concat(before, bits),
        });
    }
    let element = terms.select(array, index.expect("a function has arguments"));
    if is_bool {
        let one = terms.bv(1, 1);
        terms.eq(element, one)
    } else {
        element
    }
}
