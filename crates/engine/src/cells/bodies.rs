//! What may hold of a cell: what was stored there, and what the program asks about it.
//!
//! A store of `e(i)` at `t(i)` suggests `a[t(k)] = e(k)`; other words that the loop counts in step with `i` are expressed by `k`
//! too. Where `e` reads the cell itself, what was known of it before takes its place. A comparison that reads an
//! array at `t(i)` suggests itself for `k`, and its opposite. What depends on values drawn on the way suggests nothing, but
//! for reads, which draw a value only outside their object.

use base::FastMap;
use encode::{Cut, CutKind};
use term::{Op, SortKind, Term, Terms};

use super::offsets::inverse_at;
use super::{Cells, indices_in, is_variable};
use crate::relations::is_comparison;
use crate::tuning::Tuning;

/// A store of a block.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Stored {
    pub array: Term,
    pub index: Term,
    pub value: Term,
    /// Under which it happens, as far as the state at the start of the block says it.
    pub condition: Term,
}

impl Cells<'_> {
    /// Formulas about one cell, each with the bound symbol in it.
    pub(super) fn bodies(&self, terms: &mut Terms) -> Vec<(Term, Term)> {
        let mut found: Vec<(Term, Term)> = Vec::new();
        // Cells with what they hold, oldest first.
        let mut held: Vec<(Term, Term)> = Vec::new();
        for (cut, formula) in self.assertions(terms) {
            let indices = indices_in(terms, &[formula]);
            for counter in self.counters_in(terms, cut, &indices) {
                if let Some((bound, pairs)) = self.expressed_by(terms, cut, counter) {
                    let body = terms.substitute(formula, &pairs);
                    self.add(terms, &mut found, bound, body);
                }
            }
        }
        self.asserted_of_stores(terms, &mut found);
        for cut in self.blocks.cutpoints.ids() {
            for Stored { array, index, value, condition } in self.stores(terms, cut) {
                for counter in self.counters_in(terms, cut, &[index]) {
                    let Some((bound, pairs)) = self.expressed_by(terms, cut, counter) else { continue };
                    let index = terms.substitute(index, &pairs);
                    let value = terms.substitute(value, &pairs);
                    let cell = terms.select(array, index);
                    let mut values = vec![value];
                    if terms.subterms(&[value]).contains(&cell) {
                        let before = held.iter().filter(|entry| entry.0 == cell);
                        let before: Vec<Term> = before.map(|entry| entry.1).collect();
                        values = before.into_iter().map(|old| terms.substitute(value, &[(cell, old)])).collect();
                    }
                    // A copy of a copy: what is copied may not be known any more where it is asked about.
                    for value in values.clone() {
                        let parts = terms.subterms(&[value]);
                        let read: Vec<(Term, Term)> =
                            held.iter().copied().filter(|entry| entry.0 != cell && parts.contains(&entry.0)).collect();
                        for (other, content) in read {
                            let value = terms.substitute(value, &[(other, content)]);
                            if !values.contains(&value) && values.len() < Tuning::DEFAULT.cells_contents {
                                values.push(value);
                            }
                        }
                    }
                    let otherwise = terms.substitute(condition, &pairs);
                    let otherwise = terms.not(otherwise);
                    for value in values {
                        held.push((cell, value));
                        let body = terms.eq(cell, value);
                        self.add(terms, &mut found, bound, body);
                        let guarded = terms.or(&[otherwise, body]);
                        self.add(terms, &mut found, bound, guarded);
                    }
                }
            }
        }
        for cut in self.blocks.cutpoints.ids() {
            let state = self.state(cut);
            for atom in terms.subterms(&self.roots(cut)) {
                let is_word = |term: Term| matches!(*terms.sort_kind(terms.sort_of(term)), SortKind::BitVec(_));
                if !is_comparison(terms.op(atom)) || !is_word(terms.arg(atom, 0)) {
                    continue;
                }
                let Some(atom) = settled(terms, atom, &state) else { continue };
                let indices = indices_in(terms, &[atom]);
                for counter in self.counters_in(terms, cut, &indices) {
                    let Some((bound, pairs)) = self.expressed_by(terms, cut, counter) else { continue };
                    for pairs in [&pairs[..], &[(counter, bound)]] {
                        let body = terms.substitute(atom, pairs);
                        let opposite = terms.not(body);
                        self.add(terms, &mut found, bound, body);
                        self.add(terms, &mut found, bound, opposite);
                    }
                }
            }
        }
        found
    }
    /// What is asserted of one cell, for the cells that are written by another map from counters to indices.
    fn asserted_of_stores(&self, terms: &mut Terms, found: &mut Vec<(Term, Term)>) {
        let mut stores: Vec<(Cut, Stored)> = Vec::new();
        for cut in self.blocks.cutpoints.ids() {
            stores.extend(self.stores(terms, cut).into_iter().map(|store| (cut, store)));
        }
        for (read_at, formula) in self.assertions(terms) {
            let cells: Vec<Term> =
                terms.subterms(&[formula]).into_iter().filter(|&part| terms.op(part) == Op::Select).collect();
            let [cell] = cells[..] else { continue };
            let (array, index) = (terms.arg(cell, 0), terms.arg(cell, 1));
            let readers = self.counters_in(terms, read_at, &[index]);
            for &(cut, store) in stores.iter().filter(|(_, store)| store.array == array && store.index != index) {
                for counter in self.counters_in(terms, cut, &[store.index]) {
                    let Some((bound, pairs)) = self.expressed_by(terms, cut, counter) else { continue };
                    let place = terms.substitute(store.index, &pairs);
                    let mut instead = vec![(cell, terms.select(array, place))];
                    if let [reader] = readers[..]
                        && let Some(value) = inverse_at(terms, index, reader, place)
                    {
                        instead.push((reader, value));
                    }
                    let body = terms.substitute(formula, &instead);
                    self.add(terms, found, bound, body);
                }
            }
        }
    }
    fn add(&self, terms: &Terms, found: &mut Vec<(Term, Term)>, bound: Term, body: Term) {
        let parts = terms.subterms(&[body]);
        let is_fit = parts.len() <= Tuning::DEFAULT.cells_body_terms
            && parts.contains(&bound)
            && parts.iter().any(|&part| terms.op(part) == Op::Select)
            && parts.iter().all(|&part| terms.op(part) != Op::Store);
        if is_fit && found.len() < Tuning::DEFAULT.cells_bodies && !found.contains(&(bound, body)) {
            found.push((bound, body));
        }
    }
    /// Formulas about cells over the state at a cutpoint: that assertions hold, what conditions say and what they deny, what is stored.
    pub(super) fn formulas(&self, terms: &mut Terms) -> Vec<(Cut, Term)> {
        let mut found = Vec::new();
        let mut add = |terms: &Terms, cut: Cut, formula: Term| {
            let has_cell = indices_in(terms, &[formula]).iter().any(|&index| !terms.is_value(index));
            if has_cell && !found.contains(&(cut, formula)) {
                found.push((cut, formula));
            }
        };
        for (cut, formula) in self.assertions(terms) {
            add(terms, cut, formula);
        }
        for cut in self.blocks.cutpoints.ids() {
            for condition in self.conditions(terms, cut) {
                let opposite = terms.not(condition);
                add(terms, cut, opposite);
                add(terms, cut, condition);
            }
        }
        for cut in self.blocks.cutpoints.ids() {
            for Stored { array, index, value, condition } in self.stores(terms, cut) {
                let cell = terms.select(array, index);
                if !terms.subterms(&[value]).contains(&cell) {
                    let equal = terms.eq(cell, value);
                    let otherwise = terms.not(condition);
                    let guarded = terms.or(&[otherwise, equal]);
                    add(terms, cut, guarded);
                    add(terms, cut, equal);
                }
            }
        }
        found
    }
    /// That no error is reached from the cutpoint, as far as it is about cells: without the conditions that are not, and with them.
    fn assertions(&self, terms: &mut Terms) -> Vec<(Cut, Term)> {
        let mut found = Vec::new();
        for (cut, block) in self.blocks.blocks.iter_enumerated() {
            let state = self.state(cut);
            let is_error = |to: Cut| matches!(self.blocks.cutpoints[to].kind, CutKind::Error(_));
            for exit in block.exits.iter().filter(|exit| is_error(exit.to)) {
                let (mut about_cells, mut others) = (Vec::new(), Vec::new());
                for conjunct in terms.conjuncts(&[exit.guard]) {
                    let Some(conjunct) = settled(terms, conjunct, &state) else { continue };
                    let reads = !indices_in(terms, &[conjunct]).is_empty();
                    if reads { &mut about_cells } else { &mut others }.push(conjunct);
                }
                if about_cells.is_empty() {
                    continue;
                }
                let all = terms.and(&about_cells);
                found.push((cut, terms.not(all)));
                others.push(all);
                let all = terms.and(&others);
                found.push((cut, terms.not(all)));
            }
        }
        found
    }
    /// What the block chooses by, of what is about cells.
    pub(super) fn conditions(&self, terms: &mut Terms, cut: Cut) -> Vec<Term> {
        let state = self.state(cut);
        let mut found = Vec::new();
        for part in terms.subterms(&self.roots(cut)) {
            if terms.op(part) == Op::Ite
                && let Some(condition) = settled(terms, terms.arg(part, 0), &state)
                && !indices_in(terms, &[condition]).is_empty()
                && !found.contains(&condition)
            {
                found.push(condition);
            }
        }
        found
    }
    /// What the block stores, over the state at its start. A value that is drawn and stored is the cell that it is stored in.
    pub(super) fn stores(&self, terms: &mut Terms, cut: Cut) -> Vec<Stored> {
        let state = self.state(cut);
        let raw = self.raw_stores(terms, cut);
        let mut drawn: Vec<(Term, Term)> = Vec::new();
        for store in &raw {
            if is_variable(terms, store.value)
                && !state.contains(&store.value)
                && let Some(index) = settled(terms, store.index, &state)
                && !drawn.iter().any(|pair| pair.0 == store.value)
            {
                drawn.push((store.value, terms.select(store.array, index)));
            }
        }
        let mut found: Vec<Stored> = Vec::new();
        for Stored { array, index, value, condition } in raw {
            let (value, condition) = (terms.substitute(value, &drawn), terms.substitute(condition, &drawn));
            let (index, value) = (settled(terms, index, &state), settled(terms, value, &state));
            let condition = settled(terms, condition, &state).unwrap_or_else(|| terms.truth(true));
            if let (Some(index), Some(value)) = (index, value) {
                let entry = Stored { array, index, value, condition };
                if !found.contains(&entry) {
                    found.push(entry);
                }
            }
        }
        found
    }
    fn raw_stores(&self, terms: &mut Terms, cut: Cut) -> Vec<Stored> {
        let mut found = Vec::new();
        for exit in &self.blocks.blocks[cut].exits {
            for &(var, value) in &exit.values {
                if !matches!(terms.sort_kind(terms.sort_of(value)), SortKind::Array(..)) {
                    continue;
                }
                let mut open = vec![(value, terms.truth(true))];
                let mut seen: FastMap<Term, ()> = FastMap::new();
                while let Some((term, condition)) = open.pop() {
                    if seen.insert(term, ()).is_some() {
                        continue;
                    }
                    let args = terms.args(term).to_vec();
                    match terms.op(term) {
                        Op::Ite => {
                            let then = terms.and(&[condition, args[0]]);
                            let denied = terms.not(args[0]);
                            let otherwise = terms.and(&[condition, denied]);
                            open.extend([(args[1], then), (args[2], otherwise)]);
                        }
                        Op::Store => {
                            open.push((args[0], condition));
                            let array = self.program.vars[var].term;
                            found.push(Stored { array, index: args[1], value: args[2], condition });
                        }
                        _ => {}
                    }
                }
            }
        }
        found
    }
    /// The counters of the block's state in these terms.
    pub(super) fn counters_in(&self, terms: &Terms, cut: Cut, roots: &[Term]) -> Vec<Term> {
        let state = self.state(cut);
        let parts = terms.subterms(roots);
        parts.into_iter().filter(|part| self.counters.contains(part) && state.contains(part)).collect()
    }
    /// The bound symbol for the counter, and what to put in: it for the counter, and for words that go in step with it what
    /// they are then.
    pub(super) fn expressed_by(&self, terms: &mut Terms, cut: Cut, counter: Term) -> Option<(Term, Vec<(Term, Term)>)> {
        let bound = self.bound_for(terms, counter)?;
        let mut pairs = vec![(counter, bound)];
        if self.blocks.cutpoints[cut].kind != CutKind::Head {
            return Some((bound, pairs));
        }
        if let Some((start, step)) = self.pace(terms, cut, counter) {
            let width = terms.width(counter);
            for word in self.state(cut) {
                let is_other = word != counter && terms.sort_of(word) == terms.sort_of(counter);
                let Some((from, by)) = is_other.then(|| self.pace(terms, cut, word)).flatten() else { continue };
                let signed = |number: u64| (number << (64 - width)) as i64 >> (64 - width);
                if signed(step) == 0 || by == 0 || signed(by).checked_rem(signed(step)) != Some(0) {
                    continue;
                }
                let factor = signed(by).wrapping_div(signed(step)) as u64;
                let mask = u64::MAX >> (64 - width);
                let (first, factor) = (terms.bv(width, start), terms.bv(width, factor & mask));
                let rounds = terms.bv_sub(bound, first);
                let (scaled, from) = (terms.bv_mul(rounds, factor), terms.bv(width, from));
                pairs.push((word, terms.bv_add(scaled, from)));
            }
        }
        Some((bound, pairs))
    }
}

/// The term over this state alone: of a choice between a value of the state and one that is not, the first.
fn settled(terms: &mut Terms, term: Term, state: &[Term]) -> Option<Term> {
    let mut done: FastMap<Term, (Term, bool)> = FastMap::new();
    for old in terms.subterms(&[term]) {
        let args: Vec<(Term, bool)> = terms.args(old).iter().map(|arg| done[arg]).collect();
        let entry = match terms.op(old) {
            Op::Symbol(_) if is_variable(terms, old) => (old, state.contains(&old)),
            Op::Ite if args[1].1 != args[2].1 => args[if args[1].1 { 1 } else { 2 }],
            _ => {
                let new: Vec<Term> = args.iter().map(|arg| arg.0).collect();
                (terms.rebuild(old, &new), args.iter().all(|arg| arg.1))
            }
        };
        done.insert(old, entry);
    }
    let (settled, is_known) = done[&term];
    is_known.then_some(settled)
}
