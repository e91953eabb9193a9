//! Which cells a candidate speaks of at a loop head: all, those below a counter or a limit, those from the counter up to a
//! limit, and those between a counter that goes down and a limit.
//!
//! Limits are what the program compares counters with, and their neighbours. Ranges begin at zero, where an unsigned comparison says
//! both, or where a counter starts.

use encode::{Cut, CutKind};
use term::{Op, Term, Terms};

use super::{Cells, is_variable};
use crate::relations::is_comparison;
use crate::tuning::Tuning;

impl Cells<'_> {
    /// Conditions on a bound symbol, each with the symbol.
    pub(super) fn ranges(&self, terms: &mut Terms, head: Cut) -> Vec<(Term, Term)> {
        let state = self.state(head);
        let mut found = Vec::new();
        for &bound in &self.bound {
            let is_here = |terms: &Terms, word: Term| terms.sort_of(word) == terms.sort_of(bound);
            let limits = self.limits(terms, bound);
            let counters: Vec<Term> =
                self.counters.iter().copied().filter(|&word| is_here(terms, word) && state.contains(&word)).collect();
            let (mut ranges, mut partial) = (Vec::new(), Vec::new());
            for &counter in &counters {
                ranges.push(terms.bv_ult(bound, counter));
            }
            for &limit in &limits {
                let below = terms.bv_ult(bound, limit);
                ranges.push(below);
                for &counter in counters.iter().filter(|&&counter| counter != limit) {
                    let passed = terms.bv_ult(bound, counter);
                    let from = terms.not(passed);
                    partial.push(terms.and(&[from, below]));
                    let beyond = terms.bv_slt(counter, bound);
                    partial.push(terms.and(&[beyond, below]));
                }
            }
            ranges.extend(partial);
            for atom in self.guards(terms, bound) {
                for &limit in &limits {
                    let below = terms.bv_ult(bound, limit);
                    ranges.push(terms.and(&[atom, below]));
                }
            }
            let starts = self.starts(terms, bound);
            let mut all = vec![terms.truth(true)];
            for range in ranges {
                all.push(range);
                for &start in &starts {
                    let before = terms.bv_ult(bound, start);
                    let from = terms.not(before);
                    all.push(terms.and(&[from, range]));
                }
            }
            found.extend(all.into_iter().map(|range| (bound, range)));
        }
        found
    }
    /// What loops compare, with the bound symbol in the place of a counter: where another word in step with it is
    /// compared, the limit of the counter is no term of the program.
    fn guards(&self, terms: &mut Terms, bound: Term) -> Vec<Term> {
        let mut found = Vec::new();
        for cut in self.blocks.cutpoints.ids() {
            let state = self.state(cut);
            for counter in self.counters.iter().copied().filter(|counter| state.contains(counter)) {
                let Some((symbol, pairs)) = self.expressed_by(terms, cut, counter) else { continue };
                if symbol != bound || pairs.len() < 2 {
                    continue;
                }
                for exit in self.blocks.blocks[cut].exits.iter().filter(|exit| exit.to == cut) {
                    for atom in terms.conjuncts(&[exit.guard]) {
                        let parts = terms.subterms(&[atom]);
                        let mentions = |word: &Term| parts.contains(word);
                        let is_expressible = pairs[1..].iter().any(|(word, _)| mentions(word)) && !mentions(&counter);
                        let is_plain = |&part: &Term| {
                            terms.op(part) != Op::Select && (!is_variable(terms, part) || state.contains(&part))
                        };
                        if is_expressible && parts.iter().all(is_plain) {
                            let expressed = terms.substitute(atom, &pairs);
                            if !found.contains(&expressed) {
                                found.push(expressed);
                            }
                        }
                    }
                }
            }
        }
        found.truncate(Tuning::DEFAULT.cells_starts);
        found
    }
    /// What counters of the bound symbol's sort are compared with.
    fn limits(&self, terms: &mut Terms, bound: Term) -> Vec<Term> {
        let mut found = Vec::new();
        let mut values = Vec::new();
        for cut in self.blocks.cutpoints.ids() {
            let state = self.state(cut);
            for atom in terms.subterms(&self.roots(cut)) {
                if !is_comparison(terms.op(atom)) || terms.sort_of(terms.arg(atom, 0)) != terms.sort_of(bound) {
                    continue;
                }
                let (left, right) = (terms.arg(atom, 0), terms.arg(atom, 1));
                for (counter, limit) in [(left, right), (right, left)] {
                    if !self.counters.contains(&counter) {
                        continue;
                    }
                    if let Some(value) = terms.small_value(limit) {
                        values.push(value);
                    } else if is_variable(terms, limit) && state.contains(&limit) && !found.contains(&limit) {
                        found.push(limit);
                    }
                }
            }
        }
        let width = terms.width(bound);
        let mask = u64::MAX >> (64 - width);
        let neighbours: Vec<u64> = values.iter().map(|value| value.wrapping_add(1) & mask).collect();
        for value in values.into_iter().chain(neighbours) {
            let limit = terms.bv(width, value);
            // Nothing is below zero.
            if value != 0 && !found.contains(&limit) {
                found.push(limit);
            }
        }
        found.truncate(Tuning::DEFAULT.cells_limits);
        found
    }
    /// Constants other than zero where counters start.
    fn starts(&self, terms: &mut Terms, bound: Term) -> Vec<Term> {
        let mut found: Vec<Term> = Vec::new();
        for (head, cutpoint) in self.blocks.cutpoints.iter_enumerated() {
            if cutpoint.kind != CutKind::Head {
                continue;
            }
            for counter in self.counters.clone() {
                if terms.sort_of(counter) == terms.sort_of(bound)
                    && let Some((start, step)) = self.pace(terms, head, counter)
                {
                    let goes_up = step < 1 << (terms.width(bound) - 1);
                    let start = terms.bv(terms.width(bound), start);
                    if goes_up && terms.small_value(start) != Some(0) && !found.contains(&start) {
                        found.push(start);
                    }
                }
            }
        }
        found.truncate(Tuning::DEFAULT.cells_starts);
        found
    }
}
