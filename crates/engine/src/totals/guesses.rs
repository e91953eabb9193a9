//! What words are, from what they were before a loop and what the loop adds up.

use base::IndexVec;
use encode::{Blocks, Cut, CutKind, Exit};
use program::Program;
use term::{Op, Term, Terms};

use super::loops::{Sum, Sums, counters, limits};
use super::{state, value_at, variables};
use crate::context::Context;
use crate::tuning::Tuning;

/// Words of the state and what each may be.
type Known = Vec<(Term, Vec<Term>)>;

/// Makes guesses from cutpoint to cutpoint.
pub(super) struct Guesses<'a> {
    program: &'a Program,
    blocks: &'a Blocks,
    sums: &'a Sums,
    /// By cutpoint: what words are when runs come there from before.
    known: IndexVec<Cut, Known>,
}

impl<'a> Guesses<'a> {
    pub fn new(cx: &Context<'a>, sums: &'a Sums) -> Self {
        let mut known = IndexVec::new();
        known.grow_to(cx.blocks.cutpoints.len(), Vec::new());
        Guesses { program: cx.program(), blocks: cx.blocks, sums, known }
    }
    /// Candidates by cutpoint: equations, and bounds of the counters that they speak of.
    pub fn candidates(mut self, terms: &mut Terms) -> Vec<(Cut, Term)> {
        let mut found = Vec::new();
        for (cut, cutpoint) in self.blocks.cutpoints.iter_enumerated() {
            if matches!(cutpoint.kind, CutKind::Error(_)) {
                continue;
            }
            let known = self.known[cut].clone();
            if cutpoint.kind == CutKind::Head {
                for equation in self.equations(terms, cut, &known) {
                    found.push((cut, equation));
                }
                for bound in self.bounds(terms, cut) {
                    found.push((cut, bound));
                }
            }
            let behind = self.behind(terms, cut, known);
            for exit in self.blocks.blocks[cut].exits.iter().filter(|exit| exit.to > cut) {
                if self.blocks.cutpoints[exit.to].kind == CutKind::Head {
                    self.carry(terms, exit, &behind);
                }
            }
        }
        found
    }
    fn loops_at(&self, cut: Cut) -> impl Iterator<Item = &'a Sum> {
        self.sums.loops.iter().filter(move |sum| sum.head == cut)
    }
    fn round(&self, cut: Cut) -> Option<&'a Exit> {
        self.blocks.blocks[cut].exits.iter().find(|exit| exit.to == cut)
    }

    /// Equations that may hold at the head.
    fn equations(&self, terms: &mut Terms, cut: Cut, known: &Known) -> Vec<Term> {
        let here = state(self.program, self.blocks, cut);
        let mut found = Vec::new();
        for (word, guesses) in known.iter().filter(|(word, _)| here.contains(word)) {
            for &guess in guesses {
                let moved = self.moved(terms, cut, guess, &here);
                found.extend([guess].into_iter().chain(moved).map(|guess| (*word, guess)));
            }
        }
        for sum in self.loops_at(cut) {
            for guess in first_guesses(terms, known, sum.word) {
                found.push((sum.word, self.grown(terms, sum, guess, sum.counter)));
            }
        }
        found.retain(|&(_, guess)| variables(terms, guess).iter().all(|variable| here.contains(variable)));
        found.into_iter().map(|(word, guess)| terms.eq(word, guess)).collect()
    }
    /// That counters stay between zero and their limits.
    fn bounds(&self, terms: &mut Terms, cut: Cut) -> Vec<Term> {
        let Some(round) = self.round(cut) else { return Vec::new() };
        let mut found = Vec::new();
        for counter in counters(self.program, terms, round) {
            let zero = terms.bv(terms.width(counter), 0);
            let mut atoms = vec![terms.bv_slt(counter, zero)];
            for limit in limits(terms, round.guard, counter) {
                let here = state(self.program, self.blocks, cut);
                if variables(terms, limit).iter().all(|variable| here.contains(variable)) {
                    atoms.extend([terms.bv_slt(limit, counter), terms.bv_slt(limit, zero)]);
                    for total in &self.sums.totals {
                        if terms.sort_of(total.limit) == terms.sort_of(limit) {
                            atoms.push(terms.bv_ult(total.limit, limit));
                        }
                    }
                }
            }
            found.extend(atoms.into_iter().map(|atom| terms.not(atom)));
        }
        found.retain(|&bound| terms.op(bound) != Op::True);
        found
    }
    /// What words are where the loop of the head has ended.
    fn behind(&self, terms: &mut Terms, cut: Cut, mut known: Known) -> Known {
        for sum in self.loops_at(cut) {
            let mut guesses = Vec::new();
            for guess in first_guesses(terms, &known, sum.word) {
                for &limit in &sum.limits {
                    guesses.push(self.grown(terms, sum, guess, limit));
                }
            }
            guesses.truncate(Tuning::DEFAULT.totals_guesses);
            known.retain(|(word, _)| *word != sum.word);
            known.push((sum.word, guesses));
        }
        known
    }
    /// Takes what is known to the end of the exit.
    fn carry(&mut self, terms: &mut Terms, exit: &Exit, behind: &Known) {
        for word in state(self.program, self.blocks, exit.to) {
            let value = value_at(self.program, exit, word);
            let is_summed = self.sums.loops.iter().any(|sum| sum.word == word);
            let mut guesses = Vec::new();
            if terms.is_value(value) && is_summed {
                guesses.push(value);
            }
            let parts = variables(terms, value);
            let mut choices: Vec<Vec<(Term, Term)>> = vec![Vec::new()];
            let mut is_known = false;
            for (part, of_part) in behind.iter().filter(|(part, _)| parts.contains(part)) {
                is_known = true;
                let longer = |choice: &Vec<(Term, Term)>| {
                    of_part.iter().map(|&guess| [&choice[..], &[(*part, guess)]].concat()).collect::<Vec<_>>()
                };
                choices = choices.iter().flat_map(longer).collect();
                choices.truncate(Tuning::DEFAULT.totals_guesses);
            }
            if is_known {
                guesses.extend(choices.iter().map(|pairs| terms.substitute(value, pairs)));
            }
            let known = &mut self.known[exit.to];
            for guess in guesses {
                let place = match known.iter().position(|(other, _)| *other == word) {
                    Some(place) => place,
                    None => {
                        known.push((word, Vec::new()));
                        known.len() - 1
                    }
                };
                let list = &mut known[place].1;
                if !list.contains(&guess) && list.len() < Tuning::DEFAULT.totals_guesses {
                    list.push(guess);
                }
            }
        }
    }
    /// The guess, with the total of this number of cells more.
    fn grown(&self, terms: &mut Terms, sum: &Sum, guess: Term, count: Term) -> Term {
        let total = &self.sums.totals[sum.total];
        let passed = total.of(terms, sum.array, count);
        if sum.is_less { total.minus(terms, guess, passed) } else { total.plus(terms, guess, passed) }
    }
    /// The guess while the loop of the head moves cells: the cell at a counter is counted twice, and the one in a word is missing.
    fn moved(&self, terms: &mut Terms, cut: Cut, guess: Term, here: &[Term]) -> Vec<Term> {
        let Some(round) = self.round(cut) else { return Vec::new() };
        let mut found = Vec::new();
        for total in &self.sums.totals {
            let mut applied = terms.subterms(&[guess]);
            applied.retain(|&part| terms.op(part) == Op::Symbol(total.function));
            let [application] = applied[..] else { continue };
            let array = terms.arg(application, 0);
            if value_at(self.program, round, array) == array {
                continue;
            }
            let like = (terms.sort_of(total.counter), terms.sort_of(total.cell));
            let mut counters = counters(self.program, terms, round);
            counters.retain(|&counter| terms.sort_of(counter) == like.0);
            for counter in counters {
                let is_cell = |word: &&Term| **word != counter && terms.sort_of(**word) == like.1;
                let words: Vec<Term> = here.iter().filter(is_cell).copied().collect();
                for word in words.into_iter().take(Tuning::DEFAULT.totals_words) {
                    let (twice, missing) =
                        (total.next_of(terms, array, counter), total.summand_of(terms, counter, word));
                    let without = total.minus(terms, application, twice);
                    let instead = total.plus(terms, without, missing);
                    found.push(terms.substitute(guess, &[(application, instead)]));
                }
            }
        }
        found
    }
}

/// What the word may be before the loop: as known, or nothing yet.
fn first_guesses(terms: &mut Terms, known: &Known, word: Term) -> Vec<Term> {
    let mut guesses = known.iter().find(|(other, _)| *other == word).map_or(Vec::new(), |pair| pair.1.clone());
    // It may have begun with the first cells.
    if guesses.is_empty() {
        guesses.push(terms.bv(terms.width(word), 0));
    }
    guesses
}
