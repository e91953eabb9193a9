//! Colours: in which parts a symbol occurs, and so on which sides of each cut a term may stand.
//!
//! Parts are numbered from zero; cut `i` has the parts below `i` on its left. A symbol occurs in parts `first` to `last` (and
//! counts as if it did so in between). For a term, `first` is the largest `first` of its symbols and `last` the
//! smallest `last`: the term can be written on the left of cut `i` if `first < i`, on the right if `last >= i`. A
//! term with `first <= last` is mixed at no cut, so one comparison decides.

use base::FastMap;
use term::{Op, Symbol, Term, Terms};

/// The parts between which a term may be written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Span {
    pub first: usize,
    pub last: usize,
}

impl Span {
    /// Of a term without symbols, for the given number of parts.
    pub fn everywhere(n_parts: usize) -> Span {
        Span { first: 0, last: n_parts - 1 }
    }
    /// Of a term made of these two.
    pub fn meet(self, other: Span) -> Span {
        Span { first: self.first.max(other.first), last: self.last.min(other.last) }
    }
    /// May stand on the left of the cut.
    pub fn is_left(self, cut: usize) -> bool {
        self.first < cut
    }
    /// May stand on the right of the cut.
    pub fn is_right(self, cut: usize) -> bool {
        self.last >= cut
    }
    /// May stand on both sides.
    pub fn is_shared(self, cut: usize) -> bool {
        self.is_left(cut) && self.is_right(cut)
    }
    /// There is a cut where it may stand on neither side.
    pub fn is_mixed(self) -> bool {
        self.first > self.last
    }
}

/// Spans of symbols and of terms made of them.
#[derive(Clone, Debug)]
pub(super) struct Spans {
    n_parts: usize,
    symbols: FastMap<Symbol, Span>,
    terms: FastMap<Term, Span>,
}

impl Spans {
    /// From the parts in which symbols occur.
    pub fn new(terms: &Terms, parts: &[Vec<Term>]) -> Spans {
        let mut symbols: FastMap<Symbol, Span> = FastMap::new();
        for (number, part) in parts.iter().enumerate() {
            for symbol in terms.symbols_of(part) {
                let span = symbols.get_or_insert_with(symbol, || Span { first: number, last: number });
                span.last = number;
            }
        }
        Spans { n_parts: parts.len(), symbols, terms: FastMap::new() }
    }
    /// How many parts there are.
    pub fn n_parts(&self) -> usize {
        self.n_parts
    }
    /// The span of a symbol; one that occurs nowhere can stand nowhere.
    pub fn of_symbol(&self, symbol: Symbol) -> Span {
        self.symbols.get(&symbol).copied().unwrap_or(Span { first: self.n_parts, last: 0 })
    }
    /// The span of a term.
    pub fn of(&mut self, terms: &Terms, term: Term) -> Span {
        if let Some(&span) = self.terms.get(&term) {
            return span;
        }
        for below in terms.subterms_until(&[term], |below| self.terms.contains_key(&below)) {
            let mut span = match terms.op(below) {
                Op::Symbol(symbol) => self.of_symbol(symbol),
                _ => Span::everywhere(self.n_parts),
            };
            for arg in terms.args(below) {
                span = span.meet(self.terms[arg]);
            }
            self.terms.insert(below, span);
        }
        self.terms[&term]
    }
}
