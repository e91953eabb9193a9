//! What may hold of a cell: what was stored there, and what the program asks about it.
//!
//! A store of `e(i)` at `t(i)` suggests `a[t(k)] = e(k)`; other words that the loop counts in step with `i` are expressed by `k`
//! too. Where `e` reads the cell itself, what was known of it before takes its place. A comparison that reads an
//! array at `t(i)` suggests itself for `k`, and its opposite. What depends on values drawn on the way suggests nothing, but
//! for reads, which draw a value only outside their object.

use base::FastMap;
use encode::{Cut, CutKind};
use term::{Op, SortKind, Term, Terms};

use super::{Cells, indices_in, is_variable};
use crate::relations::is_comparison;
use crate::tuning::Tuning;

impl Cells<'_> {
    /// Formulas about one cell, each with the bound symbol in it.
    pub(super) fn bodies(&self, terms: &mut Terms) -> Vec<(Term, Term)> {
        let mut found: Vec<(Term, Term)> = Vec::new();
        // Cells with what they hold, oldest first.
        let mut held: Vec<(Term, Term)> = Vec::new();
        for cut in self.blocks.cutpoints.ids() {
            for (array, index, value) in self.stores(terms, cut) {
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
                    for value in values {
                        held.push((cell, value));
                        let body = terms.eq(cell, value);
                        self.add(terms, &mut found, bound, body);
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
    /// What the block stores: array, index and value over the state at its start.
    fn stores(&self, terms: &mut Terms, cut: Cut) -> Vec<(Term, Term, Term)> {
        let state = self.state(cut);
        let mut found = Vec::new();
        for exit in &self.blocks.blocks[cut].exits {
            for &(var, value) in &exit.values {
                if !matches!(terms.sort_kind(terms.sort_of(value)), SortKind::Array(..)) {
                    continue;
                }
                let mut open = vec![value];
                let mut seen: FastMap<Term, ()> = FastMap::new();
                while let Some(term) = open.pop() {
                    if seen.insert(term, ()).is_some() {
                        continue;
                    }
                    let args = terms.args(term).to_vec();
                    match terms.op(term) {
                        Op::Ite => open.extend(&args[1..]),
                        Op::Store => {
                            open.push(args[0]);
                            let (index, value) = (settled(terms, args[1], &state), settled(terms, args[2], &state));
                            if let (Some(index), Some(value)) = (index, value) {
                                let entry = (self.program.vars[var].term, index, value);
                                if !found.contains(&entry) {
                                    found.push(entry);
                                }
                            }
                        }
                        _ => {}
                    }
                }
            }
        }
        found
    }
    /// The counters of the block's state in these terms.
    fn counters_in(&self, terms: &Terms, cut: Cut, roots: &[Term]) -> Vec<Term> {
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
