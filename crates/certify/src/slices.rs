//! Slices: an obligation as small questions.
//!
//! A claim rarely needs all premises. The first question has only those that speak of nothing but the symbols of the claim; each further one
//! also has the premises about the symbols that are one step away, until nothing hangs together with the claim any more.
//! Leaving premises out makes a question weaker: a contradiction that is found without them is one with them.

use base::FastMap;
use term::{Op, Term, Terms};

/// The symbols that formulas mention, remembered by formula.
#[derive(Default)]
pub(crate) struct Symbols {
    known: FastMap<Term, Vec<Term>>,
}

impl Symbols {
    pub fn of(&mut self, terms: &Terms, formula: Term) -> &[Term] {
        self.known.get_or_insert_with(formula, || {
            let is_symbol = |&part: &Term| matches!(terms.op(part), Op::Symbol(_)) && terms.args(part).is_empty();
            terms.subterms(&[formula]).into_iter().filter(is_symbol).collect()
        })
    }
}

/// Premises by what they speak of.
pub(crate) struct Premises<'p> {
    formulas: &'p [Term],
    symbols: Vec<Vec<Term>>,
    /// By symbol: the premises that mention it.
    mentions: FastMap<Term, Vec<usize>>,
}

/// Symbols, growing from those of a claim, and the premises that speak of nothing else.
pub(crate) struct Slice {
    symbols: Vec<Term>,
    is_known: FastMap<Term, ()>,
    /// Which premises are in, in ascending order.
    pub premises: Vec<usize>,
}

impl<'p> Premises<'p> {
    pub fn new(terms: &Terms, symbols: &mut Symbols, formulas: &'p [Term]) -> Self {
        let symbols: Vec<Vec<Term>> = formulas.iter().map(|&formula| symbols.of(terms, formula).to_vec()).collect();
        let mut mentions: FastMap<Term, Vec<usize>> = FastMap::new();
        for (i, mentioned) in symbols.iter().enumerate() {
            for &symbol in mentioned {
                mentions.get_or_insert_with(symbol, Vec::new).push(i);
            }
        }
        Premises { formulas, symbols, mentions }
    }
    /// How many premises there are.
    pub fn len(&self) -> usize {
        self.formulas.len()
    }
    /// How many symbols there are.
    pub fn n_symbols(&self) -> usize {
        self.mentions.len()
    }
    /// The smallest slice for these symbols.
    pub fn around(&self, symbols: &[Term]) -> Slice {
        self.around_of(symbols, &|_| true)
    }
    /// The same of those premises alone that may be used.
    pub fn around_of(&self, symbols: &[Term], may_use: &dyn Fn(usize) -> bool) -> Slice {
        let mut slice = Slice { symbols: Vec::new(), is_known: FastMap::new(), premises: Vec::new() };
        self.extend(&mut slice, symbols, may_use);
        slice
    }
    /// All premises.
    pub fn everything(&self) -> Slice {
        let premises = (0..self.formulas.len()).collect();
        Slice { symbols: Vec::new(), is_known: FastMap::new(), premises }
    }
    /// Adds the symbols one step away; `false` if there are none.
    pub fn grow(&self, slice: &mut Slice) -> bool {
        let touching = slice.symbols.iter().flat_map(|symbol| self.mentions.get(symbol)).flatten();
        let near: Vec<Term> = touching.flat_map(|&i| &self.symbols[i]).copied().collect();
        let before = slice.symbols.len();
        self.extend(slice, &near, &|_| true);
        slice.symbols.len() > before
    }
    /// The formulas of a slice.
    pub fn formulas(&self, slice: &Slice) -> Vec<Term> {
        slice.premises.iter().map(|&i| self.formulas[i]).collect()
    }
    /// The formulas that are not in a slice.
    pub fn others(&self, slice: &Slice) -> Vec<Term> {
        let is_in = |i: &usize| slice.premises.binary_search(i).is_ok();
        (0..self.formulas.len()).filter(|i| !is_in(i)).map(|i| self.formulas[i]).collect()
    }
    fn extend(&self, slice: &mut Slice, symbols: &[Term], may_use: &dyn Fn(usize) -> bool) {
        let before = slice.symbols.len();
        for &symbol in symbols {
            if slice.is_known.insert(symbol, ()).is_none() {
                slice.symbols.push(symbol);
            }
        }
        let is_known = |symbol: &Term| slice.is_known.contains_key(symbol);
        let touched = slice.symbols[before..].iter().flat_map(|symbol| self.mentions.get(symbol)).flatten();
        let is_in = |i: &usize| may_use(*i) && self.symbols[*i].iter().all(is_known);
        let mut new: Vec<usize> = touched.copied().filter(is_in).collect();
        slice.premises.append(&mut new);
        slice.premises.sort_unstable();
        slice.premises.dedup();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slice_grows_by_what_is_near() {
        let mut terms = Terms::without_simplification();
        let sort = terms.bool_sort();
        let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| terms.variable(name, sort));
        let (ab, bc) = (terms.or(&[a, b]), terms.or(&[b, c]));
        let formulas = [d, bc, ab, a];
        let premises = Premises::new(&terms, &mut Symbols::default(), &formulas);
        let mut slice = premises.around(&[a]);
        assert_eq!(premises.formulas(&slice), [a]);
        assert!(premises.grow(&mut slice));
        assert_eq!(premises.formulas(&slice), [ab, a]);
        assert!(premises.grow(&mut slice));
        assert_eq!(premises.formulas(&slice), [bc, ab, a]);
        assert!(!premises.grow(&mut slice));
        assert_eq!(premises.others(&slice), [d]);
    }
}
