//! Cells by their place in the array alone: what holds of all cells before, or behind, the place that a loop has come to.
//!
//! Nested loops and loops that write several cells a round have no counter whose value determines the cell; but most of them pass through the
//! array in the order of its cells. So a candidate says of every index `o` up to the one that is written next that the cell there has
//! the property, where the property comes from an assertion, a condition or a store, with `o` for the index in it.
//!
//! What is written next is a term at the head of the innermost loop. At the heads around it, it is what that term will be when the inner loop is
//! entered: `4*(n*i + j)` is `4*n*i` there. Where the counters of a term end, which their comparisons say, the whole array ends:
//! `4*n*m`. An index is brought in relation to another one by linear normal forms, so that `b[n-1-i]` beside `a[i]` is `b[c-o]` beside `a[o]`.

use base::{FastMap, IndexVec};
use encode::{Cut, CutKind};
use term::sums::Order;
use term::{Op, Term, Terms};

use super::offsets::inverse;
use super::{Cells, indices_in, is_variable, unused};
use crate::relations::is_comparison;
use crate::tuning::Tuning;

/// A formula about the cell at any index.
struct AnyCell {
    /// The index.
    offset: Term,
    /// The residues of the indices in question, and the formula about them.
    is_place: Term,
    body: Term,
}

impl Cells<'_> {
    /// Candidates about all cells that loops have passed, by cutpoint.
    pub(super) fn passed(&mut self, terms: &mut Terms, order: &mut Order) -> Vec<(Cut, Term)> {
        let bodies = self.any_cells(terms, order);
        if bodies.is_empty() {
            return Vec::new();
        }
        let marks = self.marks(terms, order);
        let ends = self.ends(terms, order, &marks);
        let mut found = Vec::new();
        for (cut, cutpoint) in self.blocks.cutpoints.iter_enumerated() {
            if cutpoint.kind != CutKind::Head {
                continue;
            }
            let state = self.state(cut);
            let speaks = |terms: &Terms, term: Term, offset: Term| {
                let is_here = |part: &Term| state.contains(part) || *part == offset;
                terms.subterms(&[term]).iter().all(|part| !is_variable(terms, *part) || is_here(part))
            };
            let mut count = 0;
            let mut by_body: Vec<Vec<Term>> = Vec::new();
            for AnyCell { offset, is_place, body } in &bodies {
                if !speaks(terms, *body, *offset) {
                    continue;
                }
                let fits = |terms: &Terms, term: &Term| terms.sort_of(*term) == terms.sort_of(*offset);
                let here: Vec<Term> = marks[cut].iter().copied().filter(|mark| fits(terms, mark)).collect();
                let ends =
                    ends.iter().copied().filter(|end| fits(terms, end) && speaks(terms, *end, *offset)).collect();
                let mut candidates = Vec::new();
                for range in between(terms, *offset, &here, ends) {
                    let outside = terms.not(range);
                    let elsewhere = terms.not(*is_place);
                    let candidate = terms.or(&[elsewhere, outside, *body]);
                    candidates.push(order.apply(terms, candidate));
                }
                by_body.push(candidates);
            }
            // The simple ranges come first, for all bodies.
            let longest = by_body.iter().map(Vec::len).max().unwrap_or(0);
            for number in 0..longest {
                for candidates in &by_body {
                    let Some(&candidate) = candidates.get(number) else { continue };
                    if count < Tuning::DEFAULT.cells_candidates && !matches!(terms.op(candidate), Op::True | Op::False)
                    {
                        found.push((cut, candidate));
                        count += 1;
                    }
                }
            }
        }
        let mut moved = Vec::new();
        for any in &bodies {
            moved.extend(indices_in(terms, &[any.body]).into_iter().filter(|&index| index != any.offset));
        }
        self.find_places(terms, moved, &[], false);
        found
    }
    /// What formulas about cells say of the cell at any index.
    fn any_cells(&mut self, terms: &mut Terms, order: &mut Order) -> Vec<AnyCell> {
        let mut found: Vec<AnyCell> = Vec::new();
        for (cut, formula) in self.formulas(terms) {
            for main in indices_in(terms, &[formula]) {
                if let Some(any) = self.any_cell(terms, order, cut, formula, main)
                    && found.len() < Tuning::DEFAULT.cells_passed_bodies
                    && !found.iter().any(|other| other.body == any.body && other.is_place == any.is_place)
                {
                    found.push(any);
                }
            }
        }
        found
    }
    fn any_cell(
        &mut self,
        terms: &mut Terms,
        order: &mut Order,
        cut: Cut,
        formula: Term,
        main: Term,
    ) -> Option<AnyCell> {
        let sort = terms.sort_of(main);
        let counters: Vec<Term> = self.counters_in(terms, cut, &[main]);
        if counters.is_empty() {
            return None;
        }
        let known = self.offsets.iter().copied().find(|&offset| terms.sort_of(offset) == sort);
        let offset = known.unwrap_or_else(|| unused(terms, self.program, "cell", terms.width(main)));
        let mut pairs = vec![(main, offset)];
        for index in indices_in(terms, &[formula]) {
            if index == main || terms.sort_of(index) != sort {
                continue;
            }
            let (difference, sum) = (terms.bv_sub(index, main), terms.bv_add(index, main));
            let (difference, sum) = (order.apply(terms, difference), order.apply(terms, sum));
            if terms.is_value(difference) {
                pairs.push((index, terms.bv_add(offset, difference)));
            } else if terms.is_value(sum) {
                pairs.push((index, terms.bv_sub(sum, offset)));
            }
        }
        // Where the counter is needed beside the index, it must follow from it.
        if let [counter] = counters[..]
            && let Some(value) = inverse(terms, main, counter, offset)
        {
            pairs.push((counter, value));
        }
        let body = terms.substitute(formula, &pairs);
        let parts = terms.subterms(&[body]);
        let is_free = counters.iter().all(|counter| !parts.contains(counter));
        if !is_free || parts.len() > Tuning::DEFAULT.cells_body_terms || !parts.contains(&offset) {
            return None;
        }
        if known.is_none() {
            self.offsets.push(offset);
        }
        let mut zeros = FastMap::new();
        for &counter in &counters {
            // Loops that skip cells never come to them.
            if let Some((start, step)) = self.pace(terms, cut, counter)
                && step != 0
                && start.is_multiple_of(1 << step.trailing_zeros())
            {
                zeros.insert(counter, step.trailing_zeros());
            }
        }
        let is_place = residue(terms, order, main, offset, &mut zeros);
        Some(AnyCell { offset, is_place, body })
    }
    /// What is written next, or read by a condition, as terms at each loop head; what inner loops begin with at the heads around them.
    fn marks(&self, terms: &mut Terms, order: &mut Order) -> IndexVec<Cut, Vec<Term>> {
        let mut marks: IndexVec<Cut, Vec<Term>> = IndexVec::new();
        marks.grow_to(self.blocks.cutpoints.len(), Vec::new());
        for cut in self.blocks.cutpoints.ids() {
            let stores = self.stores(terms, cut);
            let conditions: Vec<Term> = self.conditions(terms, cut);
            let read = indices_in(terms, &conditions);
            for index in stores.into_iter().map(|store| store.index).chain(read) {
                let index = order.apply(terms, index);
                self.add_mark(terms, &mut marks, cut, index);
            }
        }
        for _ in 0..Tuning::DEFAULT.cells_nesting {
            for (from, block) in self.blocks.blocks.iter_enumerated() {
                for exit in block.exits.iter().filter(|exit| exit.to != from) {
                    let pairs: Vec<(Term, Term)> =
                        exit.values.iter().map(|&(var, value)| (self.program.vars[var].term, value)).collect();
                    for mark in marks[exit.to].clone() {
                        let before = terms.substitute(mark, &pairs);
                        let before = order.apply(terms, before);
                        self.add_mark(terms, &mut marks, from, before);
                    }
                }
            }
        }
        marks
    }
    fn add_mark(&self, terms: &Terms, marks: &mut IndexVec<Cut, Vec<Term>>, cut: Cut, mark: Term) {
        let state = self.state(cut);
        let is_plain = terms.subterms(&[mark]).into_iter().all(|part| match terms.op(part) {
            Op::Select | Op::Store | Op::Ite => false,
            _ => !is_variable(terms, part) || state.contains(&part),
        });
        let here = &mut marks[cut];
        let is_new = is_plain && !terms.is_value(mark) && !here.contains(&mark);
        if is_new && here.len() < Tuning::DEFAULT.cells_marks {
            here.push(mark);
        }
    }
    /// Where indices end: with the limits of their counters in the place of the counters.
    fn ends(&self, terms: &mut Terms, order: &mut Order, marks: &IndexVec<Cut, Vec<Term>>) -> Vec<Term> {
        let mut found: Vec<Term> = Vec::new();
        // Where the array ends is read off the last loops.
        for cut in self.blocks.cutpoints.ids().rev() {
            let counters = self.counters.clone();
            for atom in terms.subterms(&self.roots(cut)) {
                if !is_comparison(terms.op(atom)) {
                    continue;
                }
                let (left, right) = (terms.arg(atom, 0), terms.arg(atom, 1));
                for (counter, limit) in [(left, right), (right, left)] {
                    let parts = terms.subterms(&[limit]);
                    let is_limit =
                        counters.contains(&counter) && !parts.iter().any(|part| terms.op(*part) == Op::Select);
                    if !is_limit {
                        continue;
                    }
                    let one = terms.bv(terms.width(limit), 1);
                    let behind = terms.bv_add(limit, one);
                    for limit in [limit, behind] {
                        for &mark in &marks[cut] {
                            let end = terms.substitute(mark, &[(counter, limit)]);
                            let end = order.apply(terms, end);
                            let moves = |part: &Term| counters.contains(part) && self.is_moving(*part);
                            let is_fixed = !terms.subterms(&[end]).iter().any(moves);
                            if end != mark && is_fixed && terms.small_value(end) != Some(0) && !found.contains(&end) {
                                found.push(end);
                            }
                        }
                    }
                }
            }
        }
        found.truncate(Tuning::DEFAULT.cells_ends);
        found
    }
    /// Whether a loop changes the word.
    fn is_moving(&self, word: Term) -> bool {
        let blocks = self.blocks.blocks.iter_enumerated();
        blocks.flat_map(|(from, block)| block.exits.iter().map(move |exit| (from, exit))).any(|(from, exit)| {
            let changes = |&(var, value): &(program::Var, Term)| self.program.vars[var].term == word && value != word;
            exit.to == from && exit.values.iter().any(changes)
        })
    }
}

/// Ranges of an index: before and behind marks, up to ends; all indices first.
fn between(terms: &mut Terms, offset: Term, marks: &[Term], ends: Vec<Term>) -> Vec<Term> {
    let mut found = vec![terms.truth(true)];
    for &mark in marks {
        found.push(terms.bv_ult(offset, mark));
    }
    let mut partial = Vec::new();
    for &end in &ends {
        let within = terms.bv_ult(offset, end);
        found.push(within);
        for &mark in marks.iter().filter(|&&mark| mark != end) {
            let before = terms.bv_ult(offset, mark);
            let from = terms.not(before);
            let behind = terms.bv_slt(mark, offset);
            partial.push(terms.and(&[behind, within]));
            partial.push(terms.and(&[from, within]));
        }
    }
    found.extend(partial);
    found
}

/// That an index has the residue modulo a power of two that all values of the term have.
fn residue(terms: &mut Terms, order: &mut Order, term: Term, offset: Term, known: &mut FastMap<Term, u32>) -> Term {
    let term = order.apply(terms, term);
    let width = terms.width(term);
    let zeros = trailing_zeros(terms, term, known);
    let (_, constant) = split_constant(terms, term);
    if zeros == 0 {
        return terms.truth(true);
    }
    let high = zeros.min(width) - 1;
    let low = terms.extract(offset, high, 0);
    let rest = terms.bv(high + 1, constant & (u64::MAX >> (63 - high)));
    terms.eq(low, rest)
}

/// The term without the constant at the end of a sum, and the constant.
fn split_constant(terms: &Terms, term: Term) -> (Term, u64) {
    if terms.op(term) == Op::BvAdd
        && let Some(&last) = terms.args(term).last()
        && let Some(value) = terms.small_value(last)
    {
        return (terms.arg(term, 0), value);
    }
    (term, 0)
}

/// How many of the lowest bits are the same for all values of the variables: those below the lowest one that a factor lets change.
fn trailing_zeros(terms: &Terms, term: Term, done: &mut FastMap<Term, u32>) -> u32 {
    if let Some(&known) = done.get(&term) {
        return known;
    }
    let width = terms.width(term);
    let args = terms.args(term).to_vec();
    let zeros = match terms.op(term) {
        Op::Value => width.min(64),
        Op::BvAdd | Op::BvSub => args.iter().map(|&arg| trailing_zeros(terms, arg, done)).min().unwrap_or(0),
        Op::BvNeg => trailing_zeros(terms, args[0], done),
        Op::BvMul => {
            let by = args.iter().find_map(|&arg| terms.small_value(arg)).map_or(0, u64::trailing_zeros);
            let of = args.iter().filter(|&&arg| !terms.is_value(arg));
            // A constant residue is not kept by a product; zeros are.
            let inner = of.map(|&arg| pure_zeros(terms, arg, done)).sum::<u32>();
            by + inner
        }
        Op::SignExtend(_) | Op::ZeroExtend(_) => pure_zeros(terms, args[0], done),
        _ => 0,
    };
    let zeros = zeros.min(width).min(63);
    done.insert(term, zeros);
    zeros
}

/// Bits that are zero for all values, at the low end.
fn pure_zeros(terms: &Terms, term: Term, done: &mut FastMap<Term, u32>) -> u32 {
    let (_, constant) = split_constant(terms, term);
    let zeros = trailing_zeros(terms, term, done);
    if terms.is_value(term) || constant != 0 {
        let constant = terms.small_value(term).unwrap_or(constant);
        return zeros.min(constant.trailing_zeros());
    }
    zeros
}
