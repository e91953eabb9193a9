//! Loops that add up the cells of an array, by their form.

use base::{IndexVec, Stopped};
use encode::{Cut, CutKind, Exit};
use program::Program;
use smt::{Answer, Query, Solver};
use term::totals::Total;
use term::{Op, SortKind, Term, Terms};

use super::{state, value_at, variables};
use crate::cells::{inverse, is_memory, unused};
use crate::context::Context;
use crate::relations::is_comparison;
use crate::tuning::Tuning;

/// A loop whose word grows by a total.
pub(super) struct Sum {
    pub head: Cut,
    /// The word of the state that the cells are added to.
    pub word: Term,
    pub array: Term,
    /// The loop's counter, which goes up by one.
    pub counter: Term,
    /// What the counter is compared with.
    pub limits: Vec<Term>,
    /// The place in the list of totals.
    pub total: usize,
    /// Whether the cells are subtracted.
    pub is_less: bool,
}

/// All such loops.
pub(super) struct Sums {
    pub totals: Vec<Total>,
    pub loops: Vec<Sum>,
}

impl Sums {
    pub fn find(cx: &mut Context<'_>, known: &IndexVec<Cut, Vec<Term>>) -> Result<Self, Stopped> {
        let mut sums = Sums { totals: Vec::new(), loops: Vec::new() };
        let (program, blocks) = (cx.program(), cx.blocks);
        for (head, cutpoint) in blocks.cutpoints.iter_enumerated() {
            let mut exits = blocks.blocks[head].exits.iter().filter(|exit| exit.to == head);
            if cutpoint.kind != CutKind::Head {
                continue;
            }
            let Some(round) = exits.next() else { continue };
            let state = state(program, blocks, head);
            for counter in counters(program, cx.terms, round) {
                let limits = limits(cx.terms, round.guard, counter);
                for &word in state.iter().filter(|&&word| word != counter) {
                    cx.run.budget.spend(1)?;
                    if let Some(step) = step(cx, round, (word, counter), &known[head])?
                        && let Some(total) = sums.total(cx, &step, counter)?
                    {
                        let (array, limits, is_less) = (step.array, limits.clone(), step.is_less);
                        sums.loops.push(Sum { head, word, array, counter, limits, total, is_less });
                    }
                }
            }
        }
        Ok(sums)
    }
    /// The total with this summand, by its place: one that is there, or a new one.
    fn total(&mut self, cx: &mut Context<'_>, step: &Step, counter: Term) -> Result<Option<usize>, Stopped> {
        let program = cx.program();
        let &Step { array, index, read, summand, is_xor, .. } = step;
        let terms = &mut *cx.terms;
        let any_counter = unused(terms, program, "passed", terms.width(counter));
        let cell = unused(terms, program, "contents", terms.width(read));
        let place = unused(terms, program, "place", terms.width(index));
        let summand = terms.substitute(summand, &[(read, cell), (counter, any_counter)]);
        let index = terms.substitute(index, &[(counter, any_counter)]);
        let is_same =
            |other: &Total| (other.index, other.summand, other.cell, other.is_xor) == (index, summand, cell, is_xor);
        if let Some(number) = self.totals.iter().position(is_same) {
            return Ok(Some(number));
        }
        if self.totals.len() >= Tuning::DEFAULT.totals_functions {
            return Ok(None);
        }
        let Some(position) = inverse(terms, index, any_counter, place) else { return Ok(None) };
        let mut name = format!("total!{}", self.totals.len());
        while program.vars.iter().any(|variable| variable.name == name) {
            name.push('!');
        }
        let (takes, result) = ([terms.sort_of(array), terms.sort_of(counter)], terms.sort_of(summand));
        let Some(function) = terms.declare(&name, &takes, result) else { return Ok(None) };
        let width = terms.width(counter);
        let limit = terms.bv(width, 1);
        let mut total = Total { function, counter: any_counter, cell, index, summand, place, position, limit, is_xor };
        if !total.is_sound(terms) {
            return Ok(None);
        }
        // The largest power of two below which positions are found.
        for power in (width - 4..width).rev() {
            total.limit = cx.terms.bv(width, 1 << power);
            let claim = total.finds_positions(cx.terms);
            let broken = cx.terms.not(claim);
            if is_contradiction(cx, &[broken])? {
                self.totals.push(total);
                return Ok(Some(self.totals.len() - 1));
            }
        }
        Ok(None)
    }
}

/// What a round adds to a word.
struct Step {
    array: Term,
    index: Term,
    /// The cell that is read.
    read: Term,
    /// What is made of it.
    summand: Term,
    is_xor: bool,
    /// Whether it is subtracted.
    is_less: bool,
}

/// What the round adds to the word, if that is made of one cell and the counter.
fn step(
    cx: &mut Context<'_>,
    round: &Exit,
    (word, counter): (Term, Term),
    known: &[Term],
) -> Result<Option<Step>, Stopped> {
    let program = cx.program();
    let value = value_at(program, round, word);
    let terms = &mut *cx.terms;
    let is_word = matches!(*terms.sort_kind(terms.sort_of(word)), SortKind::BitVec(8..=64));
    if !is_word || value == word || !terms.subterms(&[value]).contains(&word) {
        return Ok(None);
    }
    let zero = terms.bv(terms.width(word), 0);
    let change = terms.substitute(value, &[(word, zero)]);
    let change = without_invalid_reads(program, terms, change);
    let mut reads = terms.subterms(&[change]);
    reads.retain(|&part| terms.op(part) == Op::Select);
    let [read] = reads[..] else { return Ok(None) };
    let (array, index) = (terms.arg(read, 0), terms.arg(read, 1));
    let stays = value_at(program, round, array) == array && variables(terms, array) == [array];
    // Evidence about transition systems and Boogie is written in the words of their files, which have no totals.
    let is_object =
        program.vars.iter_enumerated().any(|(var, variable)| variable.term == array && is_memory(cx.task, terms, var));
    let are_words =
        [read, index].iter().all(|&part| matches!(terms.sort_kind(terms.sort_of(part)), SortKind::BitVec(_)));
    if !stays || !is_object || !are_words || variables(terms, index) != [counter] {
        return Ok(None);
    }
    for is_xor in [false, true] {
        let terms = &mut *cx.terms;
        let sum = if is_xor { terms.make(Op::BvXor, &[word, change]) } else { terms.bv_add(word, change) };
        let differ = terms.ne(sum, value);
        if sum == value || is_contradiction(cx, &[known, &[round.guard, differ]].concat())? {
            let terms = &*cx.terms;
            let is_less = terms.op(change) == Op::BvNeg && !is_xor;
            let summand = if is_less { terms.arg(change, 0) } else { change };
            return Ok(Some(Step { array, index, read, summand, is_xor, is_less }));
        }
    }
    Ok(None)
}

/// The term where reads are valid: outside of the array any value is read.
fn without_invalid_reads(program: &Program, terms: &mut Terms, term: Term) -> Term {
    let is_state = |part: Term| program.vars.iter().any(|variable| variable.term == part);
    let mut pairs = Vec::new();
    for part in terms.subterms(&[term]) {
        if terms.op(part) == Op::Ite {
            let other = terms.arg(part, 2);
            if variables(terms, other) == [other] && !is_state(other) {
                pairs.push((part, terms.arg(part, 1)));
            }
        }
    }
    terms.substitute(term, &pairs)
}

/// Whether a solver sees soon that the formulas contradict one another.
pub(super) fn is_contradiction(cx: &mut Context<'_>, formulas: &[Term]) -> Result<bool, Stopped> {
    let limited = cx.run.budget.part(Tuning::DEFAULT.totals_query_ticks);
    match Solver::new().check(cx.terms, &Query::assuming(formulas), &limited) {
        Ok(answer) => Ok(matches!(answer, Answer::Unsat(_))),
        Err(Stopped::OutOfTicks) => Ok(false),
        Err(stopped) => Err(stopped),
    }
}

/// The variables that go up by one on a round.
pub(super) fn counters(program: &Program, terms: &mut Terms, round: &Exit) -> Vec<Term> {
    let mut found = Vec::new();
    for &(var, value) in &round.values {
        let word = program.vars[var].term;
        if matches!(*terms.sort_kind(terms.sort_of(word)), SortKind::BitVec(8..=64)) {
            let one = terms.bv(terms.width(word), 1);
            if value == terms.bv_add(word, one) {
                found.push(word);
            }
        }
    }
    found
}

/// What the counter is compared with where a round is taken.
pub(super) fn limits(terms: &Terms, guard: Term, counter: Term) -> Vec<Term> {
    let mut found = Vec::new();
    for part in terms.subterms(&[guard]) {
        if !is_comparison(terms.op(part)) {
            continue;
        }
        let (left, right) = (terms.arg(part, 0), terms.arg(part, 1));
        for (word, limit) in [(left, right), (right, left)] {
            let parts = terms.subterms(&[limit]);
            let is_plain = !parts.iter().any(|&part| part == counter || terms.op(part) == Op::Select);
            if word == counter && is_plain && !found.contains(&limit) {
                found.push(limit);
            }
        }
    }
    found
}
