//! Sentinels: a cell that holds a constant ends a walk through an array.
//!
//! A string is walked until its zero is met, and the walk stays inside the array because the zero is in its last byte. Two facts say so, without
//! quantifiers: the array holds a constant at some place, `a[e] = c`, and the walk has not passed the place, `r <=u e`. The places are those where the program
//! stores constants, and the last cells of allocated objects; walks are the indices at which arrays are read and written.
//! A copy stays inside because what is left of its source fits in what is left of its target, `e - r <=u size - 1 - t`, or
//! because a counter does, `n <=u size - t`. `houdini` leaves what is inductive.

use base::{IndexVec, Stopped};
use encode::{Cut, CutKind};
use program::{HeapPart, Instance, Storage, Var};
use term::{Op, SortKind, Term, Terms};

use super::Invariants;
use super::exclusions::inductive;
use crate::context::Context;
use crate::houdini::Houdini;
use crate::tuning::Tuning;

/// A constant that the program stores.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Stored {
    array: Term,
    index: Term,
    value: Term,
}

/// Facts about sentinels that are inductive together with what is known, by cutpoint; `None` if there is none.
pub(super) fn sentinels(
    cx: &mut Context<'_>,
    invariants: &Invariants,
) -> Result<Option<IndexVec<Cut, Vec<Term>>>, Stopped> {
    let (program, blocks) = (cx.program(), cx.blocks);
    let instances = &cx.task.map.instances;
    let terms = &mut *cx.terms;
    let exits = blocks.blocks.iter().flat_map(|block| &block.exits);
    let roots: Vec<Term> =
        exits.flat_map(|exit| exit.values.iter().map(|&(_, value)| value).chain([exit.guard])).collect();
    let stored = stored(terms, &roots);
    let accessed = accessed(terms, &roots);
    let compared = compared(terms, &roots, |symbol| {
        program.vars.ids().any(|var| program.vars[var].term == symbol && is_size(instances, var))
    });
    let mut houdini = Houdini::new(blocks);
    let mut n_candidates = 0;
    for (cut, cutpoint) in blocks.cutpoints.iter_enumerated().filter(|(_, point)| point.kind == CutKind::Head) {
        let state: Vec<Term> = cutpoint.state.iter().map(|&var| program.vars[var].term).collect();
        let sizes: Vec<Term> =
            cutpoint.state.iter().filter(|&&var| is_size(instances, var)).map(|&var| program.vars[var].term).collect();
        let mut chains = Chains { state: &state, sizes: &sizes, width: program.pointer_width, found: Vec::new() };
        let walks = chains.walks(terms, &accessed);
        let places = chains.places(terms, &stored);
        chains.about_places(terms, &places, &walks);
        chains.about_sizes(terms, &walks, &compared);
        chains.about_rests(terms, &places, &walks);
        chains.found.truncate(Tuning::DEFAULT.sentinel_candidates);
        chains.found.iter().for_each(|chain| houdini.add_chain(cut, chain));
        n_candidates += houdini.candidates[cut].len();
    }
    if n_candidates == 0 {
        return Ok(None);
    }
    inductive(cx, invariants, houdini, (Tuning::DEFAULT.sentinel_query_ticks, Tuning::DEFAULT.sentinel_ticks))
}

/// The candidates of one loop head.
struct Chains<'a> {
    state: &'a [Term],
    /// Variables of the state that hold the sizes of allocated objects.
    sizes: &'a [Term],
    /// Bits of an address.
    width: u32,
    found: Vec<Vec<Term>>,
}

impl Chains<'_> {
    /// Where arrays of the state are read or written, over the state.
    fn walks(&self, terms: &Terms, accessed: &[(Term, Term)]) -> Vec<(Term, Term)> {
        let is_here =
            |&(array, index): &(Term, Term)| self.state.contains(&array) && is_plain(terms, index, self.state);
        let varies = |&(_, index): &(Term, Term)| !terms.is_value(index);
        let mut walks: Vec<(Term, Term)> = accessed.iter().copied().filter(is_here).filter(varies).collect();
        walks.truncate(Tuning::DEFAULT.sentinel_walks);
        walks
    }
    /// The cells that may hold a constant: where it was stored, or the last one, if the place where it was stored is known by
    /// variables that the state no longer has.
    fn places(&self, terms: &mut Terms, stored: &[Stored]) -> Vec<Stored> {
        let mut places: Vec<Stored> = Vec::new();
        let mut add = |place: Stored| {
            if !places.contains(&place) {
                places.push(place);
            }
        };
        for &sentinel in stored.iter().filter(|sentinel| self.state.contains(&sentinel.array)) {
            if is_plain(terms, sentinel.index, self.state) {
                add(sentinel);
            }
            for &size in self.sizes {
                if !is_alike(terms, size, sentinel.index) {
                    continue;
                }
                let one = terms.bv(self.width, 1);
                add(Stored { index: terms.bv_sub(size, one), ..sentinel });
            }
        }
        places.truncate(Tuning::DEFAULT.sentinel_places);
        places
    }
    /// The cells hold their constants, and no walk has passed them, or only if the word that it has read last is the constant.
    fn about_places(&mut self, terms: &mut Terms, places: &[Stored], walks: &[(Term, Term)]) {
        for place in places {
            let here = terms.select(place.array, place.index);
            self.found.push(vec![terms.eq(here, place.value)]);
        }
        for place in places {
            let element = terms.sort_of(place.value);
            let words: Vec<Term> = self.state.iter().copied().filter(|&word| terms.sort_of(word) == element).collect();
            for &(array, index) in walks {
                if array != place.array || index == place.index || !is_alike(terms, index, place.index) {
                    continue;
                }
                let before = terms.bv_ult(index, place.index);
                let not_behind = terms.bv_ule(index, place.index);
                self.found.push(vec![before, not_behind]);
                for &word in words.iter().take(Tuning::DEFAULT.sentinel_words) {
                    let is_read = terms.eq(word, place.value);
                    self.found.push(vec![terms.or(&[is_read, not_behind])]);
                }
            }
        }
    }
    /// Walks stay inside sizes, words are equal to sizes or smaller, and words fit in what is left behind a walk or a word.
    fn about_sizes(&mut self, terms: &mut Terms, walks: &[(Term, Term)], compared: &[Term]) {
        let words = self.words(terms);
        let mut indices: Vec<Term> = Vec::new();
        for index in walks.iter().map(|&(_, index)| index).chain(compared.iter().copied()) {
            if !indices.contains(&index) && is_plain(terms, index, self.state) && !words.contains(&index) {
                indices.push(index);
            }
        }
        indices.truncate(Tuning::DEFAULT.sentinel_walks);
        for &size in self.sizes {
            for &index in &indices {
                if !is_alike(terms, index, size) {
                    continue;
                }
                self.found.push(vec![terms.bv_ult(index, size), terms.bv_ule(index, size)]);
            }
            for &word in words.iter().filter(|&&word| word != size) {
                self.found.push(vec![terms.eq(word, size), terms.bv_ule(word, size)]);
            }
        }
        for &size in self.sizes {
            for &before in indices.iter().chain(&words).filter(|&&before| before != size) {
                if !is_alike(terms, before, size) {
                    continue;
                }
                let rest = terms.bv_sub(size, before);
                for &word in words.iter().filter(|&&word| word != size && word != before) {
                    self.found.push(vec![terms.bv_ult(word, rest), terms.bv_ule(word, rest)]);
                }
            }
        }
    }
    /// What is left of one array up to its constant fits in what is left of another.
    fn about_rests(&mut self, terms: &mut Terms, places: &[Stored], walks: &[(Term, Term)]) {
        let one = terms.bv(self.width, 1);
        for place in places {
            for &(array, index) in walks.iter().filter(|&&(array, _)| array == place.array) {
                for &(_, at) in walks.iter().filter(|&&(other, _)| other != array) {
                    for &size in self.sizes {
                        if ![index, place.index, at].iter().all(|&term| is_alike(terms, term, size)) {
                            continue;
                        }
                        let rest = terms.bv_sub(place.index, index);
                        let last = terms.bv_sub(size, one);
                        let other_rest = terms.bv_sub(last, at);
                        self.found.push(vec![terms.bv_ult(rest, other_rest), terms.bv_ule(rest, other_rest)]);
                    }
                }
            }
        }
    }
    /// The words of the state as wide as an address; narrower ones are extended.
    fn words(&self, terms: &mut Terms) -> Vec<Term> {
        let mut words = Vec::new();
        for &word in self.state {
            match *terms.sort_kind(terms.sort_of(word)) {
                SortKind::BitVec(width) if width == self.width => words.push(word),
                SortKind::BitVec(width) if 2 * width == self.width => {
                    words.push(terms.sign_extend_to(word, self.width))
                }
                _ => {}
            }
        }
        words.truncate(Tuning::DEFAULT.sentinel_words);
        words
    }
}

/// Whether the variable holds the size of an allocated object.
fn is_size(instances: &IndexVec<Var, Instance>, var: Var) -> bool {
    matches!(instances[var].storage, Storage::Heap { part: HeapPart::Size, .. })
}

/// What is compared with the sizes of objects: distances from their beginnings.
fn compared(terms: &Terms, roots: &[Term], is_size: impl Fn(Term) -> bool) -> Vec<Term> {
    let mut found = Vec::new();
    for part in terms.subterms(roots) {
        if !matches!(terms.op(part), Op::BvUlt | Op::BvUle) {
            continue;
        }
        let (left, right) = (terms.arg(part, 0), terms.arg(part, 1));
        for (limit, index) in [(left, right), (right, left)] {
            let is_limit = terms.subterms(&[limit]).into_iter().any(&is_size);
            if is_limit && !terms.is_value(index) && !found.contains(&index) {
                found.push(index);
            }
        }
    }
    found
}

fn is_alike(terms: &Terms, left: Term, right: Term) -> bool {
    terms.sort_of(left) == terms.sort_of(right)
}

/// The constants that are stored in arrays of the state.
fn stored(terms: &Terms, roots: &[Term]) -> Vec<Stored> {
    let mut found: Vec<Stored> = Vec::new();
    for part in terms.subterms(roots) {
        if terms.op(part) != Op::Store || !terms.is_value(terms.arg(part, 2)) {
            continue;
        }
        let (index, value) = (terms.arg(part, 1), terms.arg(part, 2));
        for array in bases(terms, part) {
            let is_known = |one: &Stored| one.array == array && one.index == index && one.value == value;
            if !found.iter().any(is_known) {
                found.push(Stored { array, index, value });
            }
        }
    }
    found
}

/// Which arrays are read and written where.
fn accessed(terms: &Terms, roots: &[Term]) -> Vec<(Term, Term)> {
    let mut found = Vec::new();
    for part in terms.subterms(roots) {
        if !matches!(terms.op(part), Op::Select | Op::Store) {
            continue;
        }
        for array in bases(terms, terms.arg(part, 0)) {
            if !found.contains(&(array, terms.arg(part, 1))) {
                found.push((array, terms.arg(part, 1)));
            }
        }
    }
    found
}

/// The arrays that an array is made of by stores and choices.
fn bases(terms: &Terms, array: Term) -> Vec<Term> {
    let (mut todo, mut found) = (vec![array], Vec::new());
    while let Some(term) = todo.pop() {
        match terms.op(term) {
            Op::Store => todo.push(terms.arg(term, 0)),
            Op::Ite => todo.extend([terms.arg(term, 1), terms.arg(term, 2)]),
            Op::Symbol(_) if !found.contains(&term) => found.push(term),
            _ => {}
        }
    }
    found
}

/// Whether the term is over these symbols, without choices and arrays.
fn is_plain(terms: &Terms, term: Term, symbols: &[Term]) -> bool {
    terms.subterms(&[term]).into_iter().all(|part| match terms.op(part) {
        Op::Select | Op::Store | Op::Ite => false,
        Op::Symbol(_) => symbols.contains(&part),
        _ => true,
    })
}
